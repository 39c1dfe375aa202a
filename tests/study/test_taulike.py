"""The tau-like coefficient by hand, convention by convention."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from plainwright.errors import DataError, LengthMismatchError, UnknownNameError
from plainwright.study.ratings import Cube
from plainwright.study.taulike import CONVENTIONS, Convention, PairCounts, Pairs, tau_from_counts


def cube(scores) -> Cube:
    scores = np.array(scores, dtype=float)
    items, systems, raters = scores.shape
    return Cube(
        items=tuple(f"i{n}" for n in range(items)),
        systems=tuple(f"s{n}" for n in range(systems)),
        raters=tuple(f"r{n}" for n in range(raters)),
        scores=scores,
    )


def preferred(first, second, **choices) -> int:
    """The order of two outputs, from the ratings of each by the same raters."""
    return int(Pairs.of(cube([[first, second]]), Convention(**choices)).preferred[0, 0])


# All by hand: ratings of two outputs by three people, and who is said to be better.
@pytest.mark.parametrize(
    ("first", "second", "choices", "expected"),
    [
        # Differences 10, 6, 20: all above 5.
        ([80, 76, 90], [70, 70, 70], {}, 1),
        ([70, 70, 70], [80, 76, 90], {}, -1),
        # A difference of 5 is not more than 5.
        ([80, 75, 90], [70, 70, 70], {}, 0),
        ([80, 75, 90], [70, 70, 70], {"raters": "majority"}, 1),
        ([80, 75, 75], [70, 70, 70], {"raters": "majority"}, 0),  # one vote of three
        ([80, 60, 90], [70, 70, 70], {}, 0),  # one disagrees
        ([80, 60, 90], [70, 70, 70], {"raters": "majority"}, 1),
        ([80, 60, 71], [70, 70, 70], {"raters": "majority"}, 0),  # one for, one against, one abstains
        # Means 73.3 and 70: a difference of 3.3; 80 and 70: 10.
        ([80, 60, 80], [70, 70, 70], {"raters": "mean"}, 0),
        ([80, 60, 100], [70, 70, 70], {"raters": "mean"}, 1),
        ([80, 60, 100], [70, 70, 70], {"raters": "mean", "min_difference": 10}, 0),
        # Of the mean: all agree, by 1, 1 and 28 points, 10 in the mean.
        ([71, 71, 98], [70, 70, 70], {"difference": "mean"}, 1),
        ([71, 71, 98], [70, 70, 70], {"difference": "each"}, 0),
        ([71, 71, 73], [70, 70, 70], {"difference": "mean"}, 0),
        ([71, 70, 98], [70, 70, 70], {"difference": "mean"}, 0),  # one sees no difference
        ([71, 70, 98], [70, 70, 70], {"difference": "mean", "raters": "majority"}, 1),
        # Two are for it by a little, one against it by much: the majority and the mean disagree.
        ([72, 72, 10], [70, 70, 70], {"difference": "mean", "raters": "majority"}, 0),
        # Only who rated both counts.
        ([80, np.nan, 90], [70, 70, np.nan], {}, 1),
        ([80, 60, np.nan], [70, 70, 70], {"raters": "majority"}, 0),  # one of two is no majority
        ([np.nan, 60], [70, np.nan], {"raters": "majority"}, 0),
        ([np.nan, 60], [70, np.nan], {}, 0),
        ([np.nan, 60], [70, np.nan], {"raters": "mean", "min_difference": 0}, 0),
        # At least 5 is also 5, but never 0.
        ([80, 75, 90], [70, 70, 70], {"at_least": True}, 1),
        ([80, 74, 90], [70, 70, 70], {"at_least": True}, 0),
        ([60.1], [55.1], {"at_least": True}, 1),
        ([70], [70], {"at_least": True, "min_difference": 0}, 0),
        ([75, 75], [70, 70], {"at_least": True, "raters": "mean"}, 1),
        ([74, 75], [70, 70], {"at_least": True, "raters": "mean"}, 0),
        ([71, 79], [70, 70], {"at_least": True, "difference": "mean"}, 1),
        # Scores of tenths: 60.1 - 55.1 is 5 and a rounding error.
        ([60.1], [55.1], {}, 0),
        ([1.0], [1.0], {"min_difference": 0}, 0),
        ([1.5], [1.0], {"min_difference": 0}, 1),
    ],
)
def test_who_is_better_by_hand(first, second, choices, expected):
    assert preferred(first, second, **choices) == expected


# One rater, three outputs with 90, 50 and 10 points; the metric ties the first two and puts the third last.
THREE = cube([[[90], [50], [10]]])
TIED = np.array([[3.0, 3.0, 1.0]])


@pytest.mark.parametrize(
    ("metric_ties", "expected"),
    [
        ("discordant", 1 / 3),  # (2 - 1) / 3
        ("ignored", 1.0),  # 2 / 2
        ("half", 2 / 3),  # 2 / 3
    ],
)
def test_metric_ties_by_hand(metric_ties, expected):
    counts = Pairs.of(THREE, Convention()).counts(TIED)
    assert counts == PairCounts(concordant=2, discordant=0, tied=1)
    assert counts.tau(metric_ties) == pytest.approx(expected)


def test_the_metric_that_reverses_the_order_has_minus_one():
    counts = Pairs.of(THREE, Convention()).counts(-THREE.means)
    assert (counts, counts.tau("discordant")) == (PairCounts(discordant=3), -1)


def test_a_tie_is_a_tie_up_to_rounding():
    counts = Pairs.of(THREE, Convention()).counts(np.array([[0.1 + 0.2, 0.3, 0.0]]))
    assert counts == PairCounts(concordant=2, tied=1)


def test_no_pair_has_no_tau():
    assert PairCounts().tau("half") is None
    assert PairCounts(tied=3).tau("ignored") is None
    assert PairCounts(tied=3).tau("discordant") == -1


def test_a_missing_value_takes_its_pairs_away():
    counts = Pairs.of(THREE, Convention()).counts(np.array([[3.0, np.nan, 1.0]]))
    assert counts == PairCounts(concordant=1)


# Two sources, three systems, one rater.
SCORES = cube([[[90], [50], [10]], [[10], [90], [50]]])
VALUES = np.array([[3.0, 2.0, 1.0], [1.0, 2.0, 3.0]])
OPERATIONS = {
    ("i0", "s0"): "split",
    ("i0", "s1"): "split",
    ("i0", "s2"): "deletion",
    ("i1", "s0"): "paraphrase",
    ("i1", "s1"): "paraphrase",
    # Nobody says what i1, s2 is.
}


def test_by_operation_both_outputs_are_of_it():
    pairs = Pairs.of(SCORES, Convention(), OPERATIONS)
    # i0: 90 > 50 > 10, the metric agrees three times; i1: 10 < 90, 10 < 50, 90 > 50, it fails in the last.
    assert pairs.counts(VALUES) == PairCounts(concordant=5, discordant=1)
    assert pairs.of_operation("split").counts(VALUES) == PairCounts(concordant=1)
    assert pairs.of_operation("paraphrase").counts(VALUES) == PairCounts(concordant=1)
    assert pairs.of_operation("deletion").counts(VALUES) == PairCounts()
    same = Pairs.of(SCORES, Convention(pairs="same-operation"), OPERATIONS)
    assert len(same) == 2
    assert same.counts(VALUES) == PairCounts(concordant=2)


def test_operations_must_be_known_to_be_asked_for():
    with pytest.raises(DataError, match="do not know the operations"):
        Pairs.of(SCORES, Convention(pairs="same-operation"))


def test_counts_by_source():
    np.testing.assert_array_equal(Pairs.of(SCORES, Convention()).counts_by_item(VALUES), [[3, 0, 0], [2, 1, 0]])


points = st.sampled_from([0.0, 5.0, 20.0, 60.0, 100.0, np.nan])
metric_values = st.sampled_from([0.0, 1.0, 2.0, np.nan])


@st.composite
def studies(draw):
    items, systems, raters = draw(st.integers(1, 4)), draw(st.integers(1, 5)), draw(st.integers(1, 4))
    scores = draw(arrays.arrays(float, (items, systems, raters), elements=points))
    values = draw(arrays.arrays(float, (items, systems), elements=metric_values))
    convention = Convention(
        raters=draw(st.sampled_from(["unanimous", "majority", "mean"])),
        difference=draw(st.sampled_from(["each", "mean"])),
        min_difference=draw(st.sampled_from([0, 5, 30])),
        at_least=draw(st.booleans()),
    )
    return cube(scores), values, convention


def order_of(gap, least, convention) -> int:
    clear = abs(gap) >= least - 1e-9 if convention.at_least else abs(gap) > least + 1e-9
    return int(np.sign(gap)) if clear and abs(gap) > 1e-9 else 0


def slow_counts(scores, values, convention) -> PairCounts:
    """The rules once more, pair by pair and rater by rater."""
    total = PairCounts()
    for item in range(scores.shape[0]):
        for a in range(scores.shape[1]):
            for b in range(a + 1, scores.shape[1]):
                gaps = [
                    float(x - y) for x, y in zip(scores[item, a], scores[item, b], strict=True) if not np.isnan(x - y)
                ]
                if not gaps or np.isnan(values[item, a] - values[item, b]):
                    continue
                mean = sum(gaps) / len(gaps)
                least = convention.min_difference if convention.difference == "each" else 0
                orders = [order_of(gap, least, convention) for gap in gaps]
                needed = len(gaps) if convention.raters == "unanimous" else len(gaps) // 2 + 1
                order = next((sign for sign in (1, -1) if orders.count(sign) >= needed), 0)
                by_mean = order_of(mean, convention.min_difference, convention)
                if convention.raters == "mean":
                    order = by_mean
                elif convention.difference == "mean" and by_mean != order:
                    order = 0
                metric = np.sign(values[item, a] - values[item, b])
                if order and metric == 0:
                    total += PairCounts(tied=1)
                elif order:
                    total += PairCounts(concordant=1) if metric == order else PairCounts(discordant=1)
    return total


@given(studies())
def test_as_the_rules_one_by_one(study):
    ratings, values, convention = study
    assert Pairs.of(ratings, convention).counts(values) == slow_counts(ratings.scores, values, convention)


@given(studies(), st.data())
def test_counts_sum_over_sources_and_over_operations(study, data):
    ratings, values, convention = study
    pairs = Pairs.of(ratings, convention)
    parts = [
        Pairs.of(replace(ratings, items=(item,), scores=ratings.scores[[n]]), convention).counts(values[[n]])
        for n, item in enumerate(ratings.items)
    ]
    assert sum(parts, PairCounts()) == pairs.counts(values)
    kinds = st.sampled_from(["split", "deletion", "paraphrase"])
    operations = {(item, system): data.draw(kinds) for item in ratings.items for system in ratings.systems}
    same = Pairs.of(ratings, replace(convention, pairs="same-operation"), operations)
    grouped = [same.of_operation(kind).counts(values) for kind in ("split", "deletion", "paraphrase")]
    assert sum(grouped, PairCounts()) == same.counts(values)


@given(studies())
def test_ties_as_half_lie_between_the_other_conventions(study):
    ratings, values, convention = study
    counts = Pairs.of(ratings, convention).counts_by_item(values)
    discordant, half = tau_from_counts(counts, "discordant"), tau_from_counts(counts, "half")
    there = np.isfinite(discordant)
    assert (discordant[there] <= half[there] + 1e-12).all()


def test_the_released_code_and_the_paper_differ_as_named():
    paper, code = CONVENTIONS["lens2023"], CONVENTIONS["lens2023-code"]
    assert (paper.raters, code.raters) == ("unanimous", "majority")
    assert (paper.pairs, code.pairs) == ("any", "same-operation")
    assert paper.metric_ties == code.metric_ties == "discordant"
    assert paper.min_difference == code.min_difference == 5


def test_wrong_choices_are_explained():
    with pytest.raises(UnknownNameError, match="unknown choice of raters 'unanimos'; did you mean unanimous"):
        Convention(raters="unanimos")  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="choose one of discordant, ignored, half"):
        Convention(metric_ties="?")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="from 0 up"):
        Convention(min_difference=-1)
    with pytest.raises(LengthMismatchError, match="2 items and 3 systems"):
        Pairs.of(SCORES, Convention()).counts(np.zeros((3, 2)))
