"""Section 4.2 of Sulem et al. (2018), sentence by sentence: claims without printed numbers, tested on the ratings."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainwright.reproduce import Block, Reproduction, Sampling, reproduce
from plainwright.reproduce.sulem2018.texts import decoded, joined, marks_left

BLEU = ("BLEU-1ref", "BLEU-8ref", "iBLEU-1ref", "iBLEU-8ref")


@pytest.fixture(scope="module")
def sentences(data_dir: Path) -> Reproduction:
    return reproduce("sulem2018-section4.2-sentences", data=data_dir, sampling=Sampling(resamples=200))


def value(block: Block, metric: str, aspect: str) -> float:
    found = block.cell(metric, aspect).ours
    assert found is not None
    return found


def test_there_are_70_outputs_of_each_system(sentences: Reproduction) -> None:
    assert [{cell.n for cell in block.cells} for block in sentences.blocks] == [{490}, {840}]
    assert {cell.paper for block in sentences.blocks for cell in block.cells} == {None}


def test_bleu_of_sentences_falls_with_simplicity_in_both_settings(sentences: Reproduction) -> None:
    for block in sentences.blocks:
        assert all(value(block, metric, aspect) < 0 for metric in BLEU for aspect in ("S", "StS"))


def test_with_splits_bleu_agrees_less_with_meaning_and_more_with_grammar(sentences: Reproduction) -> None:
    without, everything = sentences.blocks
    assert all(value(everything, metric, "M") < value(without, metric, "M") for metric in BLEU)
    assert all(value(everything, metric, "G") > value(without, metric, "G") for metric in BLEU)


def test_the_distance_agrees_better_with_meaning_than_bleu_does(sentences: Reproduction) -> None:
    for block in sentences.blocks:
        assert all(value(block, "-LD", "M") > value(block, metric, "M") for metric in BLEU)


def test_each_claim_has_an_answer_and_one_stays_open(sentences: Reproduction) -> None:
    claims = [finding.claim for finding in sentences.findings]
    assert len(claims) == 5
    [grammar] = [one.answer for one in sentences.findings if one.claim.startswith("for G and M")]
    assert "BLEU-8ref with G (7 systems) -0.02" in grammar  # BLEU with eight references is not lower than -LD
    assert grammar.count(" shown") >= 4


def test_forms_of_the_released_text() -> None:
    line = "The &quot; old &quot; mill &apos; s wheel &#91; 2 &#93; "
    assert decoded(line) == 'the " old " mill \' s wheel [ 2 ]'
    assert joined(line) == 'the " old " mill \'s wheel [ 2 ]'
    assert marks_left(line) == "the &quot; old &quot; mill ' s wheel [ 2 ]"
