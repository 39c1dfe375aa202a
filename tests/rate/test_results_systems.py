"""Means and clusters of systems, against tests computed by others and against truth that is known."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.rate.simulated_results import cluster_rates, mean_coverage
from tests.study.rated import from_array

from plainwright.errors import DataError, UnknownNameError
from plainwright.rate.results.systems import SystemRanking, rank_systems
from plainwright.study.ratings import Ratings, standardised


def ratings_from(scores: np.ndarray) -> Ratings:
    return standardised(from_array(scores))


def ranked(scores: np.ndarray, **options: object) -> SystemRanking:
    return rank_systems(ratings_from(scores), "simplicity", **{"resamples": 50, **options})  # type: ignore[arg-type]


def random_scores(seed: int, items: int = 12, systems: int = 4, raters: int = 3) -> np.ndarray:
    generator = np.random.default_rng(seed)
    return np.round(generator.normal(50 + 4 * np.arange(systems)[None, :, None], 10, (items, systems, raters)))


def test_means_are_means_over_items_of_means_over_raters():
    scores = np.array([[[10.0, 20.0], [30.0, np.nan]], [[40.0, 40.0], [50.0, 70.0]], [[0.0, 0.0], [5.0, 5.0]]])
    best, other = ranked(scores).systems
    # 30, 60 and 5; 15, 40 and 0
    assert (best.system, best.raw.value) == ("system 1", pytest.approx(95 / 3))
    assert (other.system, other.raw.value) == ("system 0", pytest.approx(55 / 3))
    assert (best.ratings, other.ratings) == (5, 6)


def test_with_few_items_all_signs_are_tried():
    scores = random_scores(1, items=8, systems=2, raters=1)
    [difference] = ranked(scores).differences
    gaps = scores[:, 1, 0] - scores[:, 0, 0]
    sums = [abs(np.dot(signs, gaps)) for signs in product((-1, 1), repeat=8)]
    assert difference.p_value == pytest.approx(np.mean([s >= abs(gaps.sum()) - 1e-9 for s in sums]))


@pytest.mark.parametrize("seed", range(3))
def test_the_permutation_test_agrees_with_that_of_scipy(seed):
    scores = random_scores(seed, items=25, systems=2)
    gaps = scores.mean(axis=2)[:, 1] - scores.mean(axis=2)[:, 0]
    expected = stats.permutation_test(
        (gaps,), np.mean, permutation_type="samples", n_resamples=20_000, rng=np.random.default_rng(5)
    ).pvalue
    [difference] = ranked(scores, trials=20_000).differences
    assert difference.p_value == pytest.approx(expected, abs=0.012)
    assert difference.difference == pytest.approx(abs(gaps.mean()))


@pytest.mark.parametrize("seed", range(3))
def test_wilcoxon_is_that_of_scipy(seed):
    scores = random_scores(seed, items=40)
    sums = scores.sum(axis=2)  # whole numbers, so that ties are exact
    for found in ranked(scores, test="wilcoxon").differences:
        first, second = (int(name.removeprefix("system ")) for name in (found.better, found.worse))
        gaps = sums[:, first] - sums[:, second]
        assert found.p_value == pytest.approx(stats.wilcoxon(gaps[gaps != 0]).pvalue)


@pytest.mark.parametrize("values", ["raw", "z"])
@pytest.mark.parametrize("seed", range(8))
def test_wilcoxon_sees_ties_of_means_over_three_raters(seed, values):
    # Sums over raters are whole numbers, so their ties are exact; z-scores of raters with one scale are as good.
    generator = np.random.default_rng(seed)
    first = generator.integers(1, 6, (14, 3))
    second = np.clip(first + generator.integers(-1, 3, (14, 3)), 1, 5)
    second[:2] = first[:2, ::-1]  # no difference, in another order
    scores = np.stack([first, second], axis=1).astype(float)
    if values == "z":
        scores = np.concatenate([scores[:, :, [k, (k + 1) % 3, (k + 2) % 3]] for k in range(3)])
    gaps = scores.sum(axis=2) @ [1.0, -1.0]
    [found] = ranked(scores, test="wilcoxon", values=values).differences
    assert found.p_value == stats.wilcoxon(gaps[gaps != 0]).pvalue


def test_sums_in_another_order_are_no_difference():
    # 0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1 for a computer.
    thirds = np.array([0.1, 0.2, 0.3])
    scores = np.stack([np.stack([thirds * k, thirds[::-1] * k]) for k in range(1, 9)])
    for test in ("permutation", "wilcoxon"):
        assert ranked(scores, test=test).differences[0].p_value == 1.0


@pytest.mark.parametrize("test", ["permutation", "wilcoxon"])
def test_systems_that_are_the_same_differ_by_nothing(test):
    scores = np.repeat(random_scores(1, systems=1), 3, axis=1)
    ranking = ranked(scores, test=test)
    assert {found.p_value for found in ranking.differences} == {1.0}
    assert len(ranking.clusters) == 1
    assert {(system.best_rank, system.worst_rank) for system in ranking.systems} == {(1, 3)}


def test_a_line_is_drawn_only_where_all_above_beat_all_below():
    generator = np.random.default_rng(3)
    quality = np.array([0.0, 40.0, 41.0, 90.0])
    scores = quality[None, :, None] + generator.normal(0, 8, (30, 4, 2))
    ranking = ranked(scores)
    assert [set(cluster) for cluster in ranking.clusters] == [{"system 3"}, {"system 1", "system 2"}, {"system 0"}]
    assert [(s.best_rank, s.worst_rank) for s in ranking.systems] == [(1, 1), (2, 3), (2, 3), (4, 4)]
    assert "3 clusters" in ranking.statement
    assert "system 3 is significantly better than all others" in ranking.statement


def test_holm_is_applied_over_all_pairs():
    ranking = ranked(random_scores(2, items=30))
    values = sorted(found.p_value for found in ranking.differences)
    expected, running = {}, 0.0
    for place, value in enumerate(values):
        running = max(running, min(1.0, value * (len(values) - place)))
        expected[value] = running
    assert all(found.corrected == pytest.approx(expected[found.p_value]) for found in ranking.differences)


@given(st.integers(0, 10_000), st.integers(3, 20), st.integers(1, 5), st.integers(1, 3), st.floats(0, 0.5))
@settings(max_examples=40)
def test_any_ratings_give_clusters_that_fit_their_differences(seed, items, systems, raters, gaps):
    scores = random_scores(seed, items, systems, raters)
    holes = np.random.default_rng(seed).random(scores.shape) < gaps
    holes[0] = False  # every system is rated at least once
    scores[holes] = np.nan
    ranking = ranked(scores, trials=200)
    order = [system.system for system in ranking.systems]
    better = {(found.better, found.worse) for found in ranking.differences if found.significant}
    means = [system.raw.value for system in ranking.systems]
    assert means == sorted(means, reverse=True)
    assert [name for cluster in ranking.clusters for name in cluster] == order
    for place in range(1, len(order)):
        parted = ranking.systems[place].cluster > ranking.systems[place - 1].cluster
        assert parted == all((a, b) in better for a in order[:place] for b in order[place:])
    for system in ranking.systems:
        assert 1 <= system.best_rank <= system.worst_rank <= len(order)


@given(st.integers(0, 1000))
@example(41)
@settings(max_examples=20)
def test_the_order_of_systems_in_the_file_changes_nothing(seed):
    ratings = ratings_from(random_scores(seed))
    turned = Ratings(tuple(sorted(ratings.rows, key=lambda row: row.system, reverse=True)))
    first, second = (rank_systems(part, "simplicity", trials=300, resamples=20) for part in (ratings, turned))
    # Systems with one mean, as in the example, have no order but that of the file.
    by_pair, again = ({frozenset((d.better, d.worse)): d.p_value for d in r.differences} for r in (first, second))
    assert by_pair == again
    assert [set(cluster) for cluster in first.clusters] == [set(cluster) for cluster in second.clusters]


def test_equal_systems_are_parted_no_more_often_than_the_level_says():
    # Two systems are the hardest case: a line needs one test alone.
    counts = cluster_rates((60, 60), 150, items=12)
    assert counts[2] / 150 < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 150)
    assert cluster_rates((60,) * 5, 30, items=12)[1] >= 28


def test_systems_that_differ_are_parted():
    assert cluster_rates((80, 60, 40), 20, items=20)[3] >= 19


def test_intervals_of_means_hold_the_truth_about_as_often_as_they_say():
    assert 0.85 < mean_coverage(80) <= 1.0  # 95 % less what a percentile interval of 30 items lacks


def test_the_same_seed_gives_the_same_and_items_decide():
    scores = random_scores(4, items=20)
    assert ranked(scores) == ranked(scores)
    assert ranked(scores, seed=1).systems[0].raw.interval != ranked(scores, seed=2).systems[0].raw.interval


def test_too_few_items_are_not_tested():
    ranking = ranked(random_scores(1, items=2))
    assert ranking.differences == ()
    assert len(ranking.clusters) == 1
    assert "at least 3" in ranking.statement


@pytest.mark.parametrize(("systems", "needed"), [(2, 6), (3, 7), (4, 8), (6, 10), (10, 11)])
@pytest.mark.parametrize("test", ["permutation", "wilcoxon"])
def test_too_few_items_to_find_anything_are_said_to_be_too_few(systems, needed, test):
    # Every system beats the one before on every item, which is as clear as it gets: p = 2 / 2^items, times all pairs.
    scores = 10.0 * np.arange(systems)[None, :, None] + np.arange(needed)[:, None, None]
    few, enough = (ranked(scores[:items], test=test) for items in (needed - 1, needed))
    assert len(few.clusters) == 1
    assert few.to_dict()["items_needed"] == few.items_needed == needed
    assert f"with {needed - 1} items, no difference could be significant at 0.05" in few.statement
    assert few.statement.endswith(f"that takes {needed}.")
    assert len(enough.clusters) == systems
    assert "items_needed" not in enough.to_dict()


def test_pairs_with_unequal_numbers_of_items_are_told_so():
    scores = 10.0 * np.arange(3)[None, :, None] + np.arange(6)[:, None, None]
    scores[3:, 2] = np.nan  # six items for one pair, three for the others
    ranking = ranked(scores, correction="benjamini-hochberg")
    assert "with 3-6 items, no difference could be significant" in ranking.statement
    assert ranking.statement.endswith("that takes 6 for every pair.")


def test_items_that_only_some_pairs_share_count_for_these():
    scores = 10.0 * np.arange(3)[None, :, None] + np.arange(8)[:, None, None]
    scores[3:, 1] = np.nan  # leaves one pair with enough items
    assert ranked(scores).items_needed is None
    scores[6:, 2] = np.nan
    assert ranked(scores).items_needed == 7
    assert ranked(scores, correction="none").items_needed is None
    assert ranked(np.ones((20, 3, 1))).items_needed is None


def test_the_report_tells_all_signs_from_some():
    exact, drawn = (ranked(random_scores(1, items=items), trials=500) for items in (14, 15))
    assert (exact.exact, exact.trials) == (True, 2**14)
    assert (drawn.exact, drawn.trials) == (False, 500)
    assert exact.to_dict()["exact"] is True
    assert "exact" not in ranked(random_scores(1), test="wilcoxon").to_dict()


def test_many_systems_get_the_trials_that_their_number_of_pairs_needs():
    generator = np.random.default_rng(1)
    scores = 10 * np.arange(12)[None, :, None] + generator.normal(0, 2, (20, 12, 1))
    ranking = ranked(scores, trials=10)
    assert ranking.trials == 2640  # 66 pairs at 0.05, twice
    assert len(ranking.clusters) == 12


def test_z_scores_decide_if_asked():
    ranking = ranked(random_scores(1), values="z")
    values = [system.z.value for system in ranking.systems]
    assert values == sorted(values, reverse=True)
    assert ranking.to_dict()["values"] == "z"


def test_what_makes_no_sense_is_refused():
    with pytest.raises(UnknownNameError, match="did you mean permutation"):
        ranked(random_scores(1), test="permutations")
    with pytest.raises(DataError, match="the level must lie between 0 and 1"):
        ranked(random_scores(1), level=1.5)
    with pytest.raises(DataError, match="at least one trial"):
        ranked(random_scores(1), trials=0)
