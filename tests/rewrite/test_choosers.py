"""Choosers by name: what each takes of a shortlist, and what it is shown of it."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

import pytest

from plainwright.errors import DataError, UnknownNameError
from plainwright.metrics import BLEU, SARI, Metric
from plainwright.metrics.base import Array
from plainwright.rewrite import Proposal, Protection, Shortlist, chooser
from plainwright.rewrite.choose import CHOOSERS, minimum_bayes_risk
from plainwright.rewrite.sentences import one_sentence


def shortlist(source: str, *texts: str, **more: Any) -> Shortlist:
    """Proposals that the model likes less and less."""
    sentence = one_sentence(source, Protection())
    proposals = [Proposal(sentence, text, score=-float(rank)) for rank, text in enumerate(texts)]
    return Shortlist(sentence=sentence, proposals=proposals, **more)


DOCTOR = shortlist(
    "The physician came to the residence.",
    "The physician came to the residence.",
    "The doctor came to the residence.",
    "The doctor came to the home.",
    "A doctor went to a home.",
)
GATE = shortlist("The principal gate.", "The main gate.", "The gate.")


def chosen(name: str, *shortlists: Shortlist, **options: Any) -> list[str]:
    ranks = chooser(name, **options).choose(shortlists)
    return [one.proposals[rank].text for one, rank in zip(shortlists, ranks, strict=True)]


def test_dissimilar_takes_what_has_most_words_changed() -> None:
    # By hand: four of seven tokens differ, "." included; of the gate both have one, and the first is the model's.
    assert chosen("dissimilar", DOCTOR, GATE) == ["A doctor went to a home.", "The main gate."]


@pytest.mark.parametrize("name", ["mbr", "metric"])
@pytest.mark.parametrize("utility", ["sari", "bleu"])
def test_a_metric_takes_what_the_other_proposals_agree_with(name: str, utility: str) -> None:
    three = shortlist("They purchase it.", "We sell that thing.", "They buy it.", "They buy it now.")
    [text] = chosen(name, three, utility=utility, **({"sharpness": 0.0} if name == "mbr" else {}))
    assert text in ("They buy it.", "They buy it now.")


def test_mbr_weighs_as_much_as_its_definition_does() -> None:
    source, texts = "the physician came to the residence .", [p.tokenised for p in DOCTOR.proposals]
    for sharpness in (0.0, 1.0, 9.0):
        rank = minimum_bayes_risk(source, texts, [0, -1, -2, -3], utility=SARI(), sharpness=sharpness)
        assert chosen("mbr", DOCTOR, sharpness=sharpness) == [DOCTOR.proposals[rank].text]


class Seen(BLEU):
    """BLEU that keeps what it was shown."""

    def __init__(self, *, raw: bool) -> None:
        super().__init__(tokenizer="none")
        self.reads_raw_text = raw  # type: ignore[misc]
        self.texts: set[str] = set()

    def prepare(self, source: str, references: Sequence[str]) -> Any:
        self.texts |= {source, *references}
        return super().prepare(source, references)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (False, {"the principal gate .", "the main gate .", "the gate ."}),
        (True, {"The principal gate.", "The main gate.", "The gate."}),
    ],
)
def test_metrics_see_tokens_unless_they_read_raw_text(raw: bool, shown: set[str]) -> None:
    metric = Seen(raw=raw)
    chosen("metric", GATE, utility=metric)
    assert metric.texts == shown


def test_references_of_a_text_judge_its_sentences_inside_it() -> None:
    # The other system joined what are two sentences here; a third text has a reference of its own.
    reference = {"references": ["They buy it and go home."]}
    first = shortlist("They purchase it.", "They purchase it.", "They buy it.", passage=0, **reference)
    second = shortlist("They go to the residence.", "They go there.", "They go home.", passage=0, **reference)
    other = shortlist(
        "Nothing is left here.",
        "Nothing is left here.",
        "None is left here.",
        passage=1,
        references=["None is left here."],
    )
    empty = shortlist("Nothing.", "Nothing.", "None.", passage=2, references=[" "])
    found = chosen("metric", first, second, other, empty, utility="bleu")
    assert found == ["They buy it.", "They go home.", "None is left here.", "Nothing."]


def test_a_metric_that_takes_long_compares_with_eight_unless_asked() -> None:
    class Slow(BLEU):
        costly = True

    slow: Metric = Slow()
    for name in ("mbr", "metric"):
        assert chooser(name, utility=slow).pseudo_references == 8  # type: ignore[attr-defined]
        assert chooser(name, utility=slow, pseudo_references=3).pseudo_references == 3  # type: ignore[attr-defined]
        assert chooser(name, utility="bleu").pseudo_references is None  # type: ignore[attr-defined]


def test_a_metric_that_takes_long_compares_with_all_if_asked() -> None:
    class Slow(BLEU):
        costly = True

    assert chooser("mbr", utility=Slow(), pseudo_references="all").pseudo_references is None  # type: ignore[attr-defined]


class FakeLens(BLEU):
    """BLEU under the name of LENS: which proposal is chosen can be computed by hand."""

    name = "lens"
    costly = True

    def parts_from_stats(self, stats: Array) -> dict[str, Array]:
        return {"lens": super().parts_from_stats(stats)["bleu"]}


def test_mbr_lens_is_equation_5_of_the_paper() -> None:
    utility = FakeLens(average="sentence")
    texts = [f"They bought {number} of it." for number in range(12)] + ["We bought 3 of it.", "We bought 4 of it."]
    many = shortlist("They purchased it.", *texts)
    preset = chooser("mbr-lens", utility=utility)
    assert (preset.name, preset.wants) == ("mbr", 100)
    assert (preset.sharpness, preset.pseudo_references) == (0.0, None)  # type: ignore[attr-defined]
    # 1/|S| x the sum over S of Metric(c, s, s'), with nothing but the metric.
    source, own = "they purchased it .", [proposal.tokenised for proposal in many.proposals]
    means = [fmean(utility.sentence_score(source, text, [other]).value for other in own) for text in own]
    assert preset.choose([many]) == [max(range(len(own)), key=lambda at: (round(means[at], 9), -at))]
    assert chosen("mbr-lens", many, utility=utility) == chosen(
        "mbr", many, utility=utility, pseudo_references="all", sharpness=0.0
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sharpness": 1.0}, "sharpness: expected mbr with it, found mbr-lens, which fixes it; leave it out"),
        ({"pseudo_references": 8}, "pseudo_references: expected mbr with it, found mbr-lens"),
        ({"utility": "sari"}, "utility: expected none with mbr-lens, or a LENS, found 'sari'"),
    ],
)
def test_what_mbr_lens_fixes_cannot_be_chosen(options: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        chooser("mbr-lens", **options)


def test_each_chooser_says_how_many_proposals_it_wants() -> None:
    # Wubben et al. (2012) rerank 10.
    names = [name for name in CHOOSERS if name not in ("judge", "mbr-lens")]  # which open models
    assert [chooser(name).wants for name in names] == [10, 100, 100]
    assert [chooser(name, wants=7).wants for name in names] == [7, 7, 7]


def test_what_cannot_choose_is_refused_in_one_sentence() -> None:
    with pytest.raises(UnknownNameError, match="unknown chooser 'mbrr'; did you mean mbr"):
        chooser("mbrr")
    with pytest.raises(
        DataError, match=r"fk looks at no references, so it cannot compare candidates; choose one of .*sari"
    ):
        chooser("mbr", utility="fk")
    with pytest.raises(DataError, match="sharpness must be a number from 0, got -1"):
        chooser("mbr", sharpness=-1)
