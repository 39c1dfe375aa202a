"""Metrics against people: against loops that do the same one resample at a time, and on data whose truth is known."""

import json

import numpy as np
import pytest
import scipy.stats

from plainwright import metrics
from plainwright.errors import DataError, UnknownNameError
from plainwright.study.coefficients import COEFFICIENTS
from plainwright.study.correlation import Protocol, correlate_metrics
from plainwright.study.draws import RESAMPLED, draws, exchanges
from plainwright.study.levels import LEVELS
from plainwright.study.ratings import Rating, Ratings
from plainwright.study.scores import MetricScores, given_scores
from plainwright.study.taulike import Convention

SCIPY = {
    "pearson": scipy.stats.pearsonr,
    "spearman": scipy.stats.spearmanr,
    "kendall": scipy.stats.kendalltau,
}


def ratings_of(scores, aspect: str = "simplicity") -> Ratings:
    """Ratings from an array of items, systems and raters; NaN is a gap."""
    return Ratings(
        tuple(
            Rating(item=f"i{i}", system=f"s{j}", rater=f"r{k}", aspect=aspect, score=float(score))
            for (i, j, k), score in np.ndenumerate(scores)
            if np.isfinite(score)
        )
    )


def scores_of(name: str, values) -> MetricScores:
    items, systems = values.shape
    cells = {(f"i{i}", f"s{j}"): float(v) for (i, j), v in np.ndenumerate(values) if np.isfinite(v)}
    return given_scores(name, cells, items=[f"i{i}" for i in range(items)], systems=[f"s{j}" for j in range(systems)])


def ratio_scores(name: str, counts) -> MetricScores:
    """A metric whose corpus value is a ratio of sums, and so no mean of sentence values."""
    items, systems, _ = counts.shape
    return MetricScores(
        name=name,
        items=tuple(f"i{i}" for i in range(items)),
        systems=tuple(f"s{j}" for j in range(systems)),
        stats=counts,
        values_from_stats=lambda stats: stats[..., 0] / stats[..., 1],
    )


@pytest.fixture
def study():
    """Nine items, five systems, three raters; two metrics, one of them a ratio; with ties and one gap."""
    generator = np.random.default_rng(3)
    quality = generator.normal(size=(9, 1)) + generator.normal(size=5)
    people = np.clip(np.round(3 + quality[..., None] + generator.normal(size=(9, 5, 3))), 1, 5)
    people[2, 4] = np.nan
    counts = np.stack([generator.integers(1, 9, (9, 5)) + 2 * np.round(quality), generator.integers(5, 12, (9, 5))], -1)
    return ratings_of(people), [ratio_scores("ratio", counts), scores_of("noise", generator.normal(size=(9, 5)))]


def the_slow_way(ratings, metric, protocol, inputs, systems) -> float:
    """The coefficient on lists of inputs and systems that may repeat, written out."""
    human = ratings.cube("simplicity").means[np.ix_(inputs, systems)]
    stats = metric.stats[np.ix_(inputs, systems)]
    there = np.isfinite(human)
    scipy_function = SCIPY[protocol.coefficient]
    if protocol.level == "system":
        x = [metric.values_from_stats(stats[there[:, j], j].sum(axis=0)) for j in range(len(systems))]
        y = [human[there[:, j], j].mean() for j in range(len(systems))]
        return float(scipy_function(x, y).statistic)
    sentences = metric.values_from_stats(stats)
    if protocol.level == "sentence":
        return float(scipy_function(sentences[there], human[there]).statistic)
    found = []
    for x, y in zip(sentences, human, strict=True):
        kept = np.isfinite(y)
        if len(set(x[kept])) > 1 and len(set(y[kept])) > 1:
            found.append(scipy_function(x[kept], y[kept]).statistic)
    return float(np.mean(found))


@pytest.mark.parametrize("coefficient", sorted(COEFFICIENTS))
@pytest.mark.parametrize("level", ["system", "sentence", "item"])
def test_values_are_those_of_scipy(study, level, coefficient):
    ratings, scores = study
    protocol = Protocol(level=level, coefficient=coefficient, resamples=0)
    result = correlate_metrics(ratings, scores, protocol=protocol)
    for metric in scores:
        expected = the_slow_way(ratings, metric, protocol, range(9), range(5))
        found = result.correlation(metric.name, "simplicity").estimate
        assert found.value == pytest.approx(expected)
        assert found.interval is None


@pytest.mark.parametrize("resampled", RESAMPLED)
@pytest.mark.parametrize("coefficient", sorted(COEFFICIENTS))
@pytest.mark.parametrize("level", ["system", "sentence", "item"])
def test_intervals_are_those_of_a_loop(study, level, coefficient, resampled):
    ratings, scores = study
    protocol = Protocol(level=level, coefficient=coefficient, resampled=resampled, resamples=40, seed=7)
    result = correlate_metrics(ratings, scores, protocol=protocol)
    [draw] = draws(9, 5, resampled=resampled, resamples=40, seed=7, cells=1)
    for metric in scores:
        samples = []
        for row, counts in enumerate(draw.inputs.astype(int)):
            systems = range(5) if draw.systems is None else draw.systems[row]
            samples.append(_or_nan(ratings, metric, protocol, np.repeat(range(9), counts), systems))
        low, high = np.nanquantile(samples, [0.025, 0.975])
        found = result.correlation(metric.name, "simplicity").estimate.interval
        assert (found.low, found.high) == pytest.approx((low, high))
        assert found.undefined == np.isnan(samples).sum()


def _or_nan(ratings, metric, protocol, inputs, systems) -> float:
    if len(set(systems)) == 1 and protocol.level != "sentence":
        return np.nan  # where scipy would warn
    return the_slow_way(ratings, metric, protocol, inputs, systems)


@pytest.mark.parametrize("resampled", RESAMPLED)
def test_intervals_of_tau_are_those_of_a_loop(study, resampled):
    ratings, scores = study
    convention = Convention(min_difference=0, raters="majority", metric_ties="half")
    protocol = Protocol(level="pairs", resampled=resampled, resamples=30, seed=7, convention=convention)
    result = correlate_metrics(ratings, scores, protocol=protocol)
    [draw] = draws(9, 5, resampled=resampled, resamples=30, seed=7, cells=1)
    people = ratings.cube("simplicity").scores
    for metric in scores:
        samples = [
            _tau_of_a_loop(
                people[np.repeat(range(9), counts)][:, range(5) if draw.systems is None else draw.systems[row]],
                metric.sentences[np.repeat(range(9), counts)][
                    :, range(5) if draw.systems is None else draw.systems[row]
                ],
            )
            for row, counts in enumerate(draw.inputs.astype(int))
        ]
        found = result.correlation(metric.name, "simplicity").estimate.interval
        assert (found.low, found.high) == pytest.approx(tuple(np.nanquantile(samples, [0.025, 0.975])))


def _tau_of_a_loop(people, values) -> float:
    concordant = discordant = pairs = 0
    for scores, metric in zip(people, values, strict=True):
        for a in range(len(metric)):
            for b in range(a):
                votes = [v for v in np.sign(scores[a] - scores[b]) if np.isfinite(v)]
                order = next((s for s in (1, -1) if votes.count(s) > len(votes) / 2), 0)
                agreed = np.sign(metric[a] - metric[b]) * order
                concordant += agreed > 0
                discordant += agreed < 0
                pairs += order != 0
    return (concordant - discordant) / pairs if pairs else np.nan


@pytest.mark.parametrize("resampled", RESAMPLED)
@pytest.mark.parametrize("level", sorted(LEVELS))
def test_p_values_are_those_of_a_loop(study, level, resampled):
    ratings, scores = study
    ratings = ratings.where(items=[f"i{i}" for i in range(9) if i != 2])  # no gaps: nothing to weigh differently
    convention = Convention(min_difference=0, raters="mean", metric_ties="half")
    protocol = Protocol(level=level, exchanged=resampled, resamples=60, seed=5, convention=convention)
    result = correlate_metrics(ratings, scores, protocol=protocol)
    [swapped] = exchanges(8, 5, resampled=resampled, trials=60, seed=5)
    human = ratings.cube("simplicity").means
    kept = [metric.arranged(ratings.items, ratings.systems) for metric in scores]
    if level == "system" and resampled == "systems":
        cells = [np.tile(metric.corpus(), (8, 1)) for metric in kept]
    else:
        cells = [metric.sentences for metric in kept]
    first, second = ((values - values.mean()) / values.std() for values in cells)

    def gap(mask) -> float:
        one, other = np.where(mask, second, first), np.where(mask, first, second)
        return abs(_of_level(level, one, human) - _of_level(level, other, human))

    observed = gap(np.zeros((8, 5), dtype=bool))
    extreme = sum(gap(mask) >= observed - 1e-9 for mask in swapped)
    [difference] = result.differences
    assert difference.p_value == pytest.approx((extreme + 1) / 61)


def _of_level(level, values, human) -> float:
    if level == "system":
        return scipy.stats.spearmanr(values.mean(axis=0), human.mean(axis=0)).statistic
    if level == "sentence":
        return scipy.stats.spearmanr(values.ravel(), human.ravel()).statistic
    if level == "item":
        return float(np.mean([scipy.stats.spearmanr(x, y).statistic for x, y in zip(values, human, strict=True)]))
    return _tau_of_a_loop(human[..., None], values)


def simulated(seed: int, *, items: int = 40, systems: int = 8, noises=(1.0, 1.0)):
    """People and metrics that see the same quality through noise of their own."""
    generator = np.random.default_rng(seed)
    quality = generator.normal(size=systems) + generator.normal(size=(items, systems))
    people = quality + generator.normal(size=quality.shape)
    values = [
        scores_of(f"m{n}", quality + noise * generator.normal(size=quality.shape)) for n, noise in enumerate(noises)
    ]
    return ratings_of(people[..., None]), values


def share_of_intervals_with_the_truth(resampled, *, items: int, systems: int, systems_differ: bool) -> float:
    """Of a hundred studies in which items, and systems if they differ, make all the correlation there is."""
    inside = 0
    for seed in range(100):
        generator = np.random.default_rng(seed)
        shared = generator.normal(size=(items, 1)) + systems_differ * generator.normal(size=systems)
        people, metric = (shared + 2 * generator.normal(size=(items, systems)) for _ in range(2))
        protocol = Protocol(level="sentence", coefficient="pearson", resampled=resampled, resamples=200, seed=seed)
        result = correlate_metrics(ratings_of(people[..., None]), [scores_of("m", metric)], protocol=protocol)
        truth = 2 / 6 if systems_differ else 1 / 5  # the share of the variance that is not noise
        inside += truth in result.correlation("m", "simplicity").estimate.interval
    return inside / 100


def test_intervals_hold_the_truth_about_as_often_as_they_say():
    # 0.95 within three standard errors (0.07), below that a little more for the percentile method on small samples.
    assert 0.86 <= share_of_intervals_with_the_truth("inputs", items=80, systems=8, systems_differ=False) <= 1
    assert 0.86 <= share_of_intervals_with_the_truth("both", items=50, systems=25, systems_differ=True) <= 1


def test_intervals_over_inputs_alone_are_too_narrow_if_systems_differ():
    assert share_of_intervals_with_the_truth("inputs", items=50, systems=12, systems_differ=True) < 0.8


@pytest.mark.parametrize("level", sorted(LEVELS))
@pytest.mark.parametrize("resampled", RESAMPLED)
def test_p_values_are_uniform_if_metrics_are_equally_good(level, resampled):
    p_values = []
    for seed in range(120):
        ratings, scores = simulated(seed, items=12, systems=7)
        protocol = Protocol(
            level=level,
            coefficient="pearson",
            exchanged=resampled,
            resamples=99,
            seed=seed,
            convention=Convention(min_difference=0, raters="mean"),
        )
        [test] = correlate_metrics(ratings, scores, protocol=protocol).differences
        p_values.append(test.p_value)
    assert scipy.stats.kstest(p_values, "uniform", alternative="greater").pvalue > 0.01  # not too small
    # Counts of pairs, and the few exchanges of seven systems, come in steps: those p-values may be too large.
    if level != "pairs" and resampled != "systems":
        assert scipy.stats.kstest(p_values, "uniform").pvalue > 0.01


def false_alarms(exchanged) -> float:
    """How often two equally good metrics seem to differ, if each misjudges whole systems in its own way."""
    found = 0
    for seed in range(60):
        generator = np.random.default_rng(seed)
        quality = generator.normal(size=10) + generator.normal(size=(20, 10))
        people, first, second = (
            quality + generator.normal(size=10) + generator.normal(size=(20, 10)) for _ in range(3)
        )
        protocol = Protocol(coefficient="pearson", exchanged=exchanged, resamples=99, seed=seed)
        scores = [scores_of("first", first), scores_of("second", second)]
        [test] = correlate_metrics(ratings_of(people[..., None]), scores, protocol=protocol).differences
        found += test.p_value < 0.05
    return found / 60


def test_exchanging_systems_is_the_default_because_single_outputs_give_false_alarms():
    assert false_alarms(None) <= 0.13  # 0.05 and three standard errors
    assert false_alarms("both") > 0.4


def test_tests_exchange_what_intervals_draw_if_that_is_inputs():
    assert Protocol().exchange == Protocol(resampled="systems").exchange == "systems"
    assert Protocol(resampled="inputs").exchange == "inputs"
    assert Protocol(resampled="inputs", exchanged="both").exchange == "both"


def test_a_difference_has_an_interval(study):
    ratings, scores = study
    protocol = Protocol(level="sentence", resamples=40, seed=7)
    result = correlate_metrics(ratings, scores, protocol=protocol)
    test = result.difference("ratio", "noise", "simplicity")
    assert test.difference in test.interval
    turned = result.difference("noise", "ratio", "simplicity").interval
    assert (turned.low, turned.high) == (-test.interval.high, -test.interval.low)


def test_a_perfect_order_is_no_certainty():
    people = np.arange(7.0)[None, :, None] + np.zeros((6, 7, 1))
    result = correlate_metrics(ratings_of(people), [scores_of("perfect", people[..., 0])])
    assert result.conclusions == (
        "simplicity: perfect has the highest value (1.00), the same in every resample, so that its interval does not "
        "tell how sure it is",
    )


def test_four_systems_are_too_few_for_anything_but_themselves():
    ratings, scores = simulated(1, items=20, systems=4, noises=(0.1, 3.0))
    result = correlate_metrics(ratings, scores)
    assert result.conclusions[0].endswith("even a perfect order of 4 systems comes about by chance with p 0.083")
    assert result.notes == (
        "4 systems can be exchanged in so few ways that no test between metrics comes below p 0.12",
    )
    over_inputs = correlate_metrics(ratings, scores, protocol=Protocol(resampled="inputs"))
    assert "by chance" not in over_inputs.conclusions[0]
    assert over_inputs.notes == ()


def test_a_better_metric_is_found_to_be_better():
    ratings, scores = simulated(1, items=60, systems=8, noises=(0.3, 4.0, 4.0))
    result = correlate_metrics(
        ratings, scores, protocol=Protocol(level="sentence", coefficient="pearson", correction="none")
    )
    assert result.best("simplicity").metric == "m0"
    assert result.difference("m0", "m2", "simplicity").significant
    turned = result.difference("m2", "m0", "simplicity")
    assert turned.difference == -result.difference("m0", "m2", "simplicity").difference < 0
    assert not result.difference("m1", "m2", "simplicity").significant
    [conclusion] = result.conclusions
    assert conclusion.startswith("simplicity: m0 agrees best with people (0.")
    assert conclusion.endswith("; m1 and m2 are significantly lower")


def test_a_metric_that_goes_against_people_is_said_to():
    ratings, [metric] = simulated(1, items=60, noises=(0.3,))
    against = scores_of("against", -metric.sentences)
    result = correlate_metrics(ratings, [against], protocol=Protocol(level="sentence"))
    assert result.conclusions[0].startswith("simplicity: every metric goes against people, against the least (-0.")
    result = correlate_metrics(ratings, [metric, against], protocol=Protocol(level="sentence"))
    assert "; against goes against them" in result.conclusions[0]


def test_noise_is_said_to_be_noise():
    generator = np.random.default_rng(2)
    ratings = ratings_of(generator.normal(size=(20, 6, 1)))
    result = correlate_metrics(ratings, [scores_of("noise", generator.normal(size=(20, 6)))])
    assert "no metric can be said to agree with people; noise comes nearest" in result.conclusions[0]
    assert "which includes 0" in result.conclusions[0]


def test_the_same_seed_gives_the_same_result(study):
    ratings, scores = study
    first, again, other = (
        json.dumps(correlate_metrics(ratings, scores, protocol=Protocol(seed=seed)).to_dict()) for seed in (1, 1, 2)
    )
    assert first == again != other


def test_blocks_hold_what_one_block_would():
    """However many resamples fit into memory at once, each input is drawn as often as there are inputs."""
    blocks = list(draws(50, 4, resampled="both", resamples=10, seed=1, cells=2_000_000))
    assert [len(block.inputs) for block in blocks] == [2] * 5
    for block in blocks:
        assert (block.inputs.sum(axis=1) == 50).all()
        assert (block.system_counts.sum(axis=1) == 4).all()


def test_threads_do_not_change_scores_or_results():
    from plainwright.study.scores import RatedOutputs, score_outputs

    texts = ["He bought a car .", "He has bought a new red car .", "A car was bought by him ."]
    outputs = RatedOutputs(
        items=tuple("abcd"),
        systems=tuple("xyz"),
        sources=("He purchased a car .",) * 4,
        outputs=tuple(tuple(texts[(i + j) % 3] for j in range(3)) for i in range(4)),
    )
    references = {item: ["He bought a car ."] for item in "abcd"}
    one, two = (score_outputs(outputs, metrics.create("sari"), references, threads=threads) for threads in (1, 2))
    np.testing.assert_array_equal(one.stats, two.stats)


# What cannot be computed is said in words.


def test_one_system():
    generator = np.random.default_rng(1)
    ratings = ratings_of(generator.normal(size=(9, 1, 2)))
    result = correlate_metrics(ratings, [scores_of("m", generator.normal(size=(9, 1)))])
    found = result.correlation("m", "simplicity").estimate
    assert found.problem == "a correlation needs at least 3 points with both values, found 1"
    assert result.notes == (
        "simplicity: no intervals and no tests, because drawing systems again needs at least 3 of them, found 1",
    )
    assert result.conclusions == (f"simplicity: nothing can be said; {found.problem}",)
    over_inputs = Protocol(level="sentence", resampled="inputs")
    result = correlate_metrics(ratings, [scores_of("m", generator.normal(size=(9, 1)))], protocol=over_inputs)
    assert result.correlation("m", "simplicity").estimate.interval is not None


def test_two_items():
    generator = np.random.default_rng(1)
    ratings = ratings_of(generator.normal(size=(2, 5, 2)))
    result = correlate_metrics(ratings, [scores_of("m", generator.normal(size=(2, 5)))])
    assert result.correlation("m", "simplicity").estimate.value is not None
    assert result.correlation("m", "simplicity").estimate.interval is None
    assert "drawing items again needs at least 3 of them, found 2" in result.notes[0]
    assert "without intervals nothing follows" in result.conclusions[0]


@pytest.mark.parametrize("level", sorted(LEVELS))
def test_a_constant_metric(level):
    ratings, scores = simulated(1, items=10)
    flat = scores_of("flat", np.full((10, 8), 0.1))
    protocol = Protocol(level=level, resamples=50, convention=Convention(min_difference=0, metric_ties="ignored"))
    result = correlate_metrics(ratings, [*scores, flat], protocol=protocol)
    found = result.correlation("flat", "simplicity").estimate
    assert found.value is None
    assert {
        "system": "flat of systems is the same (0.1) at all 8 points",
        "sentence": "flat of outputs is the same (0.1) at all 80 points",
        "item": "no item has 3 outputs of which flat and simplicity both say different things",
        "pairs": "no pair of outputs on which people are clear that the metric does not tie",
    }[level] in found.problem
    test = result.difference("m0", "flat", "simplicity")
    assert (test.difference, test.p_value, test.problem) == (None, None, found.problem)
    assert result.difference("m0", "m1", "simplicity").p_value is not None
    assert "NaN" not in json.dumps(result.to_dict())


def test_items_with_two_outputs_have_no_coefficient():
    generator = np.random.default_rng(1)
    ratings = ratings_of(generator.normal(size=(9, 2, 2)))
    result = correlate_metrics(
        ratings, [scores_of("m", generator.normal(size=(9, 2)))], protocol=Protocol(level="item", resampled="inputs")
    )
    assert result.correlation("m", "simplicity").estimate.problem == "no item has 3 outputs"


def test_gaps_are_stated_and_taken_from_all_metrics():
    ratings, [one, two] = simulated(1, items=10)
    ratings = Ratings(tuple(row for row in ratings if (row.item, row.system) != ("i3", "s2")))
    values = two.sentences.copy()
    values[4, 1] = values[5, 1] = np.nan
    protocol = Protocol(level="sentence", resamples=50)
    result = correlate_metrics(ratings, [one, scores_of("m1", values)], protocol=protocol)
    assert result.notes == (
        "1 of 8 systems were not rated on every item (s2 on 9 of 10); each system stands for the items it has",
        "2 of 79 rated outputs have no value of m1 (the first is item 'i4', system 's1'); "
        "they are left out for all metrics",
    )
    assert {result.correlation(name, "simplicity").estimate.n for name in ("m0", "m1")} == {77}


def test_values_of_unrated_outputs_are_stated():
    ratings, [one, _] = simulated(1, items=10)
    cells = {(f"i{i}", f"s{j}"): float(v) for (i, j), v in np.ndenumerate(one.sentences)}
    given = given_scores("lens", {**cells, ("other", "s0"): 1.0}, items=ratings.items, systems=ratings.systems)
    result = correlate_metrics(ratings, [given], protocol=Protocol(resamples=0))
    assert result.notes == ("lens: 1 of its given values belong to no rated output",)


def test_by_operation():
    ratings, scores = simulated(1, items=12)
    kinds = ["split", "deletion", "paraphrase"]
    operations = {
        (i, s): kinds[(n + m) % 3] for n, i in enumerate(ratings.items) for m, s in enumerate(ratings.systems)
    }
    convention = Convention(min_difference=0, raters="mean", pairs="same-operation")
    protocol = Protocol(level="pairs", resamples=50, convention=convention)
    result = correlate_metrics(ratings, scores, protocol=protocol, operations=operations, by_operation=True)
    assert result.operations == (None, "paraphrase", "deletion", "split")
    whole = result.correlation("m0", "simplicity").counts
    parts = [result.correlation("m0", "simplicity", kind).counts for kind in kinds]
    assert parts[0] + parts[1] + parts[2] == whole
    assert whole.total == result.correlation("m0", "simplicity").estimate.n
    sentences = correlate_metrics(
        ratings, scores, protocol=Protocol(level="sentence", resamples=0), operations=operations, by_operation=True
    )
    assert sum(sentences.correlation("m0", "simplicity", kind).estimate.n for kind in kinds) == 96
    with pytest.raises(DataError, match="need the operations"):
        correlate_metrics(ratings, scores, by_operation=True)


def test_points_are_those_behind_the_coefficient(study):
    ratings, scores = study
    result = correlate_metrics(ratings, scores, protocol=Protocol(resamples=0, coefficient="pearson"))
    found = result.correlation("ratio", "simplicity")
    assert found.points.labels == ratings.systems
    expected = scipy.stats.pearsonr(found.points.metric, found.points.human).statistic
    assert found.estimate.value == pytest.approx(expected)
    sentences = correlate_metrics(ratings, scores, protocol=Protocol(level="sentence", resamples=0))
    assert len(sentences.correlation("ratio", "simplicity").points.labels) == 44
    assert sentences.correlation("ratio", "simplicity").points.labels[0] == "s0, item i0"


def test_wrong_input_is_explained(study):
    ratings, scores = study
    with pytest.raises(DataError, match="no metric to compare"):
        correlate_metrics(ratings, [])
    with pytest.raises(DataError, match="two metrics are called 'ratio'"):
        correlate_metrics(ratings, [scores[0], scores[0]])
    with pytest.raises(UnknownNameError, match="unknown aspect 'simplcity'; did you mean simplicity"):
        correlate_metrics(ratings, scores, aspects=["simplcity"])
    with pytest.raises(UnknownNameError, match="unknown level 'systems'; did you mean system"):
        Protocol(level="systems")  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="choice of what to resample"):
        Protocol(resampled="raters")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="confidence"):
        Protocol(confidence=95)
    with pytest.raises(DataError, match="0 or more"):
        Protocol(resamples=-1)
    with pytest.raises(UnknownNameError, match="nothing was computed"):
        correlate_metrics(ratings, scores, protocol=Protocol(resamples=0)).correlation("bleu", "simplicity")
