"""Figure 2 of Maddela et al. (2023): five systems on sentences of our own, and SARI's part on ASSET valid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from tests.lens.tiny import save_tiny_model

from plainwright import corpora, metrics
from plainwright.errors import DataError, MissingExtraError, UnknownNameError
from plainwright.lens.metric import LENS
from plainwright.lens.model import MODEL_VARIABLE
from plainwright.metrics import BLEU, SARI, Metric
from plainwright.metrics.base import Array, mean_stats
from plainwright.reproduce import Reproduction, Sampling, lens2023_figure2, reproduce
from plainwright.reproduce.lens2023_figure2 import METRICS, SYSTEMS, Systems, compare
from plainwright.reproduce.metric_rows import ChosenRows, choose_rows
from plainwright.study.ratings import read_ratings

SOURCES = [
    "The committee convened on Tuesday to deliberate over the proposed amendments.",
    "Owing to heavy rain, the match was abandoned before the interval.",
    "She resides in a small dwelling near the river.",
    "The physician administered the remedy to the patient twice a day.",
    "Numerous visitors arrive in summer, when the gardens are open.",
]
REFERENCES = [
    ["The group met on Tuesday.", "The committee met to talk about the changes.", "They met on Tuesday."],
    ["It rained, so the match was stopped.", "The match was stopped by heavy rain.", "Rain stopped the match."],
    ["She lives in a small house near the river.", "She lives by the river.", "Her house is near the river."],
    ["The doctor gave the drug twice a day.", "The patient got the drug twice a day.", "A doctor gave it."],
    ["Many visitors come in summer.", "In summer many people come.", "Many come when the gardens are open."],
]
FEW = Sampling(resamples=50)


class Judge(Metric):
    """A metric that knows who wrote a text: as many points as its place in a list says."""

    name = "judge"
    stat_names = ("value", "count")

    def __init__(self, points: Callable[[str, str], float]) -> None:
        self.points = points

    def config(self) -> dict[str, str]:
        return {}

    def _corpus_stats(
        self, sources: Sequence[str], outputs: Sequence[str], references: Sequence[Sequence[str]], threads: int
    ) -> Array:
        return mean_stats(np.array([self.points(*pair) for pair in zip(sources, outputs, strict=True)]))

    def parts_from_stats(self, stats: Array) -> dict[str, Array]:
        return {self.name: stats[..., 0] / stats[..., 1]}


def judged(points: Callable[[str, str], float]) -> Reproduction:
    return compare(SOURCES, REFERENCES, ChosenRows({"Judge": Judge(points)}, {}, {}), FEW)


def people_first(source: str, output: str) -> float:
    return 3.0 if output in REFERENCES[SOURCES.index(source)] else 2.0 if output == source else 1.0


@pytest.fixture(scope="module")
def own() -> Reproduction:
    return compare(SOURCES, REFERENCES, choose_rows(METRICS, ["sari", "bleu"]), FEW)


def test_who_is_scored_against_whom() -> None:
    systems = Systems.of(SOURCES, REFERENCES, seed=1)
    for at, (copy, human, *spoilt) in enumerate(systems.outputs.outputs):
        assert copy == SOURCES[at]
        assert sorted([*systems.references[str(at)], human]) == sorted(REFERENCES[at])
        assert len({copy, *spoilt}) == 4
    drawn = {REFERENCES[at].index(str(row[1])) for at, row in enumerate(systems.outputs.outputs)}
    assert len(drawn) > 1  # not always the same column


def test_a_sentence_does_not_depend_on_its_neighbours() -> None:
    whole = Systems.of(SOURCES, REFERENCES, seed=1)
    alone = Systems.of(SOURCES[2:3], REFERENCES[2:3], seed=1)
    assert alone.outputs.outputs[0] == whole.outputs.outputs[2]
    other = Systems.of(SOURCES, REFERENCES, seed=2)
    assert other.outputs.outputs != whole.outputs.outputs


def test_one_reference_is_not_enough() -> None:
    with pytest.raises(DataError, match="sentence 1: expected two references or more"):
        Systems.of(SOURCES[:2], [REFERENCES[0], ["Rain."]], seed=1)


def test_values_are_those_of_the_metric(own: Reproduction) -> None:
    systems = Systems.of(SOURCES, REFERENCES, seed=FEW.seed)
    references = [systems.references[item] for item in systems.outputs.items]
    for row, metric in (("SARI", SARI(tokenizer="13a")), ("BLEU", BLEU(average="sentence", lowercase=True))):
        for at, system in enumerate(SYSTEMS):
            outputs = [str(texts[at]) for texts in systems.outputs.outputs]
            expected = metric.corpus_score(SOURCES, outputs, references).value
            cell = own.blocks[0].cell(row, system)
            assert cell.ours == pytest.approx(expected)
            assert cell.n == len(SOURCES)
            assert cell.ours in cell.intervals["sources"]


def test_differences_are_paired(own: Reproduction) -> None:
    means, differences, _ = own.blocks
    for cell in differences.cells:
        first, second = (means.cell(cell.row, name) for name in cell.column.split(" - "))
        assert first.ours is not None
        assert second.ours is not None
        assert cell.ours == pytest.approx(first.ours - second.ours)
    # A metric with the same difference in every sentence has no doubt about it, whatever the sentences are worth.
    steady = judged(lambda source, output: 10 * len(source) + people_first(source, output))
    interval = steady.blocks[1].cell("Judge", "Human - Copy").intervals["sources"]
    assert (interval.low, interval.high) == (pytest.approx(1), pytest.approx(1))
    spread = steady.blocks[0].cell("Judge", "Human").intervals["sources"]
    assert spread.high - spread.low > 10


def test_the_requirement_is_met_missed_or_open() -> None:
    met, missed, unsure = (
        judged(points).findings[-1].answer
        for points in (people_first, lambda *pair: -people_first(*pair), lambda *_: 1.0)
    )
    assert met == "Judge holds in all four."
    assert missed.count(" fails") == 4
    assert unsure.count(" open") == 4


def test_shares_of_sentences_by_hand() -> None:
    def half_of_them(source: str, output: str) -> float:
        place = SOURCES.index(source)  # in 0 and 1 people are above, in 2 below, in 3 and 4 equal
        return (0.0, 0.0, 2.0, 1.0, 1.0)[place] if output == source else 1.0

    wins = judged(half_of_them).blocks[2]
    assert wins.cell("Judge", "Human - Copy").ours == pytest.approx(100 * (2 + 0.5 * 2) / 5)


def test_a_few_sentences_at_a_time_change_nothing(own: Reproduction, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lens2023_figure2, "_AT_ONCE", 2)
    again = compare(SOURCES, REFERENCES, choose_rows(METRICS, ["sari", "bleu"]), FEW)
    assert again.to_dict() == own.to_dict()


def test_a_metric_that_is_not_installed_is_left_out_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str, **_: object) -> Metric:
        msg = f"{name} needs an extra"
        raise MissingExtraError(msg)

    monkeypatch.setattr(metrics, "create", refuse)
    rows = choose_rows(METRICS, None)
    assert tuple(rows.metrics) == ("SARI", "SARI (EASSE)", "BLEU")
    assert "LENS is left out: lens needs an extra." in compare(SOURCES, REFERENCES, rows, FEW).notes
    with pytest.raises(MissingExtraError):
        choose_rows(METRICS, ["sari", "lens"])


@pytest.fixture
def tiny_lens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tiny model in the place of the one that comes with the package."""
    directory = save_tiny_model(tmp_path / "tiny").directory
    monkeypatch.setenv(MODEL_VARIABLE, str(directory))
    return directory


def test_lens_is_a_row_like_others_on_any_number_of_threads(tiny_lens: Path) -> None:
    found, threaded = (
        compare(SOURCES, REFERENCES, choose_rows(METRICS, ["lens"]), FEW, threads=threads) for threads in (1, 3)
    )
    assert found.to_dict() == threaded.to_dict()
    other = save_tiny_model(tiny_lens.with_name("other"), companion=False).directory
    named = compare(SOURCES, REFERENCES, choose_rows(METRICS, ["lens"], lens_model=other), FEW)
    assert named.blocks[0].cells != found.blocks[0].cells
    values = LENS(model=tiny_lens).sentence_scores(
        SOURCES, SOURCES, list(Systems.of(SOURCES, REFERENCES, seed=FEW.seed).references.values())
    )
    assert found.blocks[0].cell("LENS", "Copy").ours == pytest.approx(values.mean())


@pytest.mark.parametrize(("corruptions", "told"), [("none", 0), ("sources", 1)])
def test_a_model_that_was_taught_by_spoilt_texts_says_so(tmp_path: Path, corruptions: str, told: int) -> None:
    model = save_tiny_model(tmp_path / "tiny", settings={"corruptions": corruptions})
    found = compare(SOURCES, REFERENCES, ChosenRows({"LENS": LENS(model=model)}, {}, {}), FEW)
    assert sum("trained with texts spoilt" in note for note in found.notes) == told


def test_lens_in_table_2_has_a_tau_in_every_protocol(tiny_lens: Path, data_dir: Path) -> None:
    table = reproduce("lens2023-table2", data=data_dir, sampling=FEW, metrics=["lens"])
    assert [block.cell("LENS", "all").n for block in table.blocks[:5]] == [151, 145, 329, 361, 248]
    for block in table.blocks[:5]:
        cell = block.cell("LENS", "all")
        assert cell.ours in cell.intervals["sources"]
        assert "other weights" in cell.note
        assert block.cell("SARI", "all").ours is None
    [about_lens] = [finding for finding in table.findings if finding.claim.startswith("LENS has a tau")]
    assert about_lens.answer.count(" pairs, which ") == 5


def test_an_unknown_metric_suggests_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean lens"):
        choose_rows(METRICS, ["lense"])


def test_on_asset_valid_sari_does_as_the_paper_says(data_dir: Path) -> None:
    found = reproduce("lens2023-figure2", data=data_dir, sampling=FEW, metrics=["sari", "bleu"])
    assert {cell.n for cell in found.blocks[1].cells} == {2000}
    [about_sari, about_all] = found.findings
    assert about_sari.answer.startswith("Human is above Copy")
    assert about_sari.answer.count("Copy is below") == 3
    assert "BLEU does not: Human over Copy fails" in about_all.answer


def test_nobody_rated_a_sentence_of_asset_valid(data_dir: Path) -> None:
    def words(text: str | None) -> str:
        return "".join(character for character in (text or "").casefold() if character.isalnum())

    scored = set(map(words, corpora.load("asset/valid", data=data_dir).sources))
    for name in ("simpeval/past", "simpeval/2022"):
        assert scored.isdisjoint({words(row.source) for row in read_ratings(name, data=data_dir)})
