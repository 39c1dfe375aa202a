"""Tuning on a toy decoder whose best weights are known, and each optimiser on cases worked by hand."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright._core import upper_envelopes
from plainwright.errors import DataError, LengthMismatchError
from plainwright.metrics import BLEU, FK, EditProfile, Metric, Prepared
from plainwright.tune import MERT, PRO, Iteration, KBest, MinimumRisk, Objective, Pool, TuningResult, TuningSet, tune
from plainwright.tune.mert import Candidates, line_search
from plainwright.tune.risk import expected_value

EASY = {"utilise": "use", "commence": "start", "purchase": "buy", "residence": "home"}
WRONG = {"utilise": "eat", "commence": "end", "purchase": "sell", "residence": "moon"}
FEATURES = ("easy", "wrong", "kept")
SOURCES = tuple(
    f"they {verb} the {noun} of {name} ."
    for verb, noun, name in itertools.product(
        ("utilise", "commence", "purchase"), ("residence", "plan"), ("ann", "bob", "cy")
    )
)


def simplified(text: str, table: dict[str, str]) -> str:
    return " ".join(table.get(word, word) for word in text.split())


TUNING = TuningSet(sources=SOURCES, references=tuple((simplified(text, EASY),) for text in SOURCES))


def toy_decode(weights: np.ndarray, sources: Sequence[str], *, best_only: bool = False, k: int = 4) -> list[KBest]:
    """All ways to replace or keep each hard word; features count easy, wrong and kept ones."""
    lists = []
    for source in sources:
        words = source.split()
        choices = [[(w, None)] if w not in EASY else [(EASY[w], 0), (WRONG[w], 1), (w, 2)] for w in words]
        candidates = []
        for picked in itertools.product(*choices):
            features = np.zeros(len(FEATURES))
            for _, kind in picked:
                if kind is not None:
                    features[kind] += 1
            candidates.append((" ".join(word for word, _ in picked), features))
        candidates.sort(key=lambda pair: (-float(pair[1] @ weights), pair[0]))
        top = candidates[:k]
        lists.append(KBest(texts=tuple(text for text, _ in top), features=np.array([row for _, row in top])))
    return lists


START = (0.1, 0.2, 1.0)  # keeps everything


@pytest.mark.parametrize("optimiser", [PRO(), PRO(classifier="perceptron"), MERT(), MinimumRisk(sharpness=2.0)])
def test_every_optimiser_learns_to_prefer_the_easy_words(optimiser: object) -> None:
    result = tune(
        toy_decode,
        TUNING,
        objective=Objective.parse("sari"),
        optimiser=optimiser,  # type: ignore[arg-type]
        features=FEATURES,
        weights=START,
        iterations=8,
    )
    easy, wrong, kept = result.weights
    assert easy > max(wrong, kept)
    best = result.iterations[result.best - 1]
    assert best.tuning_value > result.iterations[0].tuning_value
    outputs = [kbest.texts[0] for kbest in toy_decode(np.array(result.weights), SOURCES)]
    assert outputs == [simplified(text, EASY) for text in SOURCES]


def test_a_cost_can_outweigh_what_the_metric_gains() -> None:
    costs = (1.0, 0.0, 0.0)  # every easy word costs more than the metric can give
    result = tune(
        toy_decode,
        TUNING,
        objective=Objective.parse("sari"),
        optimiser=MinimumRisk(sharpness=2.0, costs=costs),
        features=FEATURES,
        weights=START,
        costs=costs,
        iterations=8,
    )
    outputs = [kbest.texts[0] for kbest in toy_decode(np.array(result.weights), SOURCES)]
    assert all(easy not in output.split() for output in outputs for easy in EASY.values())


def test_the_value_of_an_iteration_has_its_costs_taken_off() -> None:
    def first_value(costs: tuple[float, ...] | None) -> float:
        result = tune(
            toy_decode,
            TUNING,
            objective=Objective.parse("sari"),
            optimiser=MinimumRisk(),
            features=FEATURES,
            weights=START,
            costs=costs,
            iterations=1,
        )
        return result.iterations[0].tuning_value

    # START keeps all hard words: two in half of the sentences, one in the others.
    assert first_value((0.0, 0.0, 0.01)) == pytest.approx(first_value(None) - 0.015)


def test_a_stopped_run_goes_on_to_the_same_result(tmp_path: Path) -> None:
    options = {"objective": Objective.parse("sari"), "optimiser": PRO(sampled_pairs=50), "features": FEATURES}
    whole = tune(toy_decode, TUNING, **options, weights=START, iterations=5, patience=None)  # type: ignore[arg-type]
    folder = tmp_path / "run"

    class StoppedError(Exception):
        pass

    def stop_after_two(iteration: Iteration) -> None:
        if iteration.number == 2:
            raise StoppedError

    with pytest.raises(StoppedError):
        tune(  # type: ignore[misc]
            toy_decode,
            TUNING,
            **options,  # type: ignore[arg-type]
            weights=START,
            iterations=5,
            patience=None,
            checkpoint=folder,
            progress=stop_after_two,
        )
    resumed = tune(  # type: ignore[misc]
        toy_decode,
        TUNING,
        **options,
        weights=START,
        iterations=5,
        patience=None,
        checkpoint=folder,  # type: ignore[arg-type]
    )
    assert resumed == whole
    assert not list(folder.glob(".*part"))


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    def run(seed: int) -> None:
        tune(
            toy_decode,
            TUNING,
            objective=Objective.parse("bleu"),
            optimiser=PRO(),
            features=FEATURES,
            weights=START,
            iterations=1,
            seed=seed,
            checkpoint=tmp_path,
        )

    run(1)
    with pytest.raises(DataError, match="belongs to another run \\(seed differs\\)"):
        run(2)


def tune_in(
    folder: Path, *, iterations: int = 2, held_out: TuningSet | None = None, costs: tuple[float, ...] | None = None
) -> TuningResult:
    return tune(
        toy_decode,
        TUNING,
        objective=Objective.parse("sari"),
        optimiser=MERT(restarts=0, most_rounds=1),
        features=FEATURES,
        weights=START,
        iterations=iterations,
        patience=None,
        held_out=held_out,
        costs=costs,
        checkpoint=folder,
    )


def test_a_run_does_not_go_on_with_other_costs(tmp_path: Path) -> None:
    """Its values would be compared with some that had other costs taken off."""
    tune_in(tmp_path, costs=(0.1, 0.0, 0.0))
    for other in (None, (0.2, 0.0, 0.0)):
        with pytest.raises(DataError, match="belongs to another run \\(costs differs\\)"):
            tune_in(tmp_path, iterations=3, costs=other)


@pytest.mark.parametrize("costs", [(), (0.1, 0.2), (0.1, 0.2, float("nan")), ("a", "b", "c")])
def test_costs_that_do_not_go_with_the_features_are_refused(tmp_path: Path, costs: tuple[float, ...]) -> None:
    with pytest.raises(DataError, match="expected one finite cost for each of 3 features, got \\["):
        tune_in(tmp_path / "run", costs=costs)
    assert not (tmp_path / "run").exists()


def test_a_run_does_not_go_on_with_another_held_out_set(tmp_path: Path) -> None:
    """Its values would be compared with those on the set before."""
    tune_in(tmp_path, held_out=TUNING)
    for other in (None, TuningSet(sources=SOURCES[:3], references=TUNING.references[:3])):
        with pytest.raises(DataError, match="belongs to another run \\(held-out set differs\\)"):
            tune_in(tmp_path, iterations=3, held_out=other)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("identity", 3),
        ("iterations", []),
        ("iterations", {}),
        ("iterations", [3]),
        ("iterations", "x"),
        ("weights", [1.0]),
        ("weights", [1.0, 2.0, float("nan")]),
        ("weights", [[1.0], [2.0], [3.0]]),
        ("weights", None),
    ],
)
def test_a_damaged_checkpoint_is_an_error(tmp_path: Path, key: str, value: object) -> None:
    tune_in(tmp_path)
    path = tmp_path / "state.json"
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), key: value}), encoding="utf-8")
    with pytest.raises(DataError, match="expected the state of a tuning run"):
        tune_in(tmp_path, iterations=3)


@pytest.mark.parametrize(
    ("key", "value"),
    [("number", 7), ("weights", [1.0]), ("tuning_value", "x"), ("held_out_value", []), ("unchanged", None), ("odd", 1)],
)
def test_a_damaged_iteration_is_an_error(tmp_path: Path, key: str, value: object) -> None:
    tune_in(tmp_path)
    path = tmp_path / "state.json"
    state = json.loads(path.read_text(encoding="utf-8"))
    state["iterations"][1][key] = value
    path.write_text(json.dumps(state), encoding="utf-8")
    with pytest.raises(DataError, match="expected the state of a tuning run"):
        tune_in(tmp_path, iterations=3)


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "[" * 100_000, "{"])
def test_a_foreign_checkpoint_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "state.json").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="expected the state of a tuning run"):
        tune_in(tmp_path)


def test_held_out_value_chooses_the_iteration() -> None:
    held_out = TuningSet(sources=SOURCES[:3], references=tuple((text,) for text in SOURCES[:3]))  # wants copies
    result = tune(
        toy_decode,
        TUNING,
        objective=Objective.parse("bleu"),
        optimiser=PRO(),
        features=FEATURES,
        weights=START,
        held_out=held_out,
        iterations=6,
    )
    values = [iteration.held_out_value for iteration in result.iterations]
    assert result.best == values.index(max(values)) + 1  # type: ignore[type-var]


class TestObjective:
    def test_a_mix_is_the_weighted_sum(self) -> None:
        mix = Objective.parse("0.25*sari+0.75*bleu")
        prepared = mix.prepare("a b c", ["a d c"])
        stats = mix.stats(prepared, ["a d c"])
        sari, bleu = (metric.sentence_score("a b c", "a d c", ["a d c"]).value for _, metric in mix.terms)
        assert mix.values(stats)[0] == pytest.approx(0.0025 * sari + 0.0075 * bleu)

    def test_a_costly_metric_sees_each_text_once(self) -> None:
        asked: list[str] = []

        class Costly(BLEU):
            costly = True

            def _corpus_stats(
                self, sources: Sequence[str], outputs: Sequence[str], references: Sequence[Sequence[str]], threads: int
            ) -> np.ndarray:
                asked.extend(outputs)
                return super()._corpus_stats(sources, outputs, references, threads)

            def prepare(self, source: str | None, references: Sequence[str] | None) -> Prepared:
                return Metric.prepare(self, source, references)

        objective, plain = Objective([(1.0, Costly())]), Objective([(1.0, BLEU())])
        prepared = objective.prepare("a b", ["a c"])
        for candidates in (["a c", "a b", "a c"], ["a d", "a c"], [], ["a b"]):
            expected = plain.stats(plain.prepare("a b", ["a c"]), candidates)
            assert np.array_equal(objective.stats(prepared, candidates), expected)
        assert asked == ["a c", "a b", "a d"]

    def test_lower_is_better_turns_the_sign(self) -> None:
        objective = Objective([(1.0, FK())])
        hard, easy = objective.values(objective.stats(objective.prepare("a", ["a"]), ["university", "cat"]))
        assert easy > hard

    @pytest.mark.parametrize(("text", "message"), [("x*sari", "expected a number"), ("srai", "did you mean sari")])
    def test_mistakes_are_explained(self, text: str, message: str) -> None:
        with pytest.raises((DataError, LookupError), match=message):
            Objective.parse(text)

    def test_a_description_cannot_be_climbed(self) -> None:
        with pytest.raises(DataError, match="describes and does not judge"):
            Objective([(1.0, EditProfile())])


lines = st.lists(st.tuples(st.integers(-5, 5), st.integers(-9, 9)), min_size=1, max_size=8)


@given(groups=st.lists(lines, min_size=1, max_size=4), at=st.floats(-20, 20, allow_nan=False))
def test_the_envelope_is_a_highest_line_everywhere(groups: list[list[tuple[int, int]]], at: float) -> None:
    slopes, heights = (np.array(column, dtype=float) for column in zip(*itertools.chain(*groups), strict=True))
    firsts = np.concatenate([[0], np.cumsum([len(group) for group in groups])])
    leftmost, corners, before, after = upper_envelopes(slopes, heights, firsts)
    for group, line in enumerate(leftmost):
        own = range(firsts[group], firsts[group + 1])
        for corner, left, right in zip(corners, before, after, strict=True):
            if right in own and corner < at:
                assert left == line
                line = right
        highest = max(heights[i] + slopes[i] * at for i in own)
        assert heights[line] + slopes[line] * at == pytest.approx(highest, abs=1e-6)


@pytest.mark.parametrize(
    ("slopes", "heights", "firsts", "message"),
    [
        ([1.0], [1.0, 2.0], [0, 1], "one value for each line"),
        ([1.0], [1.0], [0, 2], "end with the number of lines"),
        ([1.0], [1.0], [0, 0, 1], "every group needs a line"),
        ([np.nan], [1.0], [0, 1], "must be finite"),
    ],
)
def test_the_native_envelope_checks_its_input(
    slopes: list[float], heights: list[float], firsts: list[int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        upper_envelopes(np.array(slopes), np.array(heights), np.array(firsts, dtype=np.int64))


EMPTY_POOL = (6, 3, 2)  # segments, features, statistics


def random_pool(seed: int) -> tuple[Pool, Objective]:
    generator = np.random.default_rng(seed)
    objective = Objective([(1.0, BLEU(average="sentence"))])
    pool = Pool(6, 3, objective.width)
    for segment in range(6):
        values = np.stack([generator.uniform(0, 100, size=7), np.ones(7)], axis=-1)
        pool.add(segment, generator.normal(size=(7, 3)), values)
    return pool, objective


@given(st.integers(0, 500))
def test_line_search_beats_a_fine_grid(seed: int) -> None:
    pool, objective = random_pool(seed)
    weights, direction = np.random.default_rng([seed, 1]).normal(size=(2, 3))

    def value(step: float) -> float:
        rows = [
            stats[np.argmax(features @ (weights + step * direction))]
            for features, stats in zip(pool.features, pool.stats, strict=True)
        ]
        return float(objective.values(np.sum(rows, axis=0)))

    candidates = Candidates.of(pool)
    scores, slopes = candidates.features @ weights, candidates.features @ direction
    best, step = line_search(candidates, objective, scores, slopes)
    assert value(step) == pytest.approx(best)
    assert best >= max(value(s) for s in np.linspace(-5, 5, 201)) - 1e-9


@given(st.integers(0, 500))
def test_gradient_of_the_expectation_agrees_with_differences(seed: int) -> None:
    pool, objective = random_pool(seed)
    values = [objective.values(stats) for stats in pool.stats]
    weights = np.random.default_rng([seed, 2]).normal(size=3)
    _, gradient = expected_value(pool.features, values, weights, 1.5)
    for axis in range(3):
        step = np.zeros(3)
        step[axis] = 1e-6
        up, _ = expected_value(pool.features, values, weights + step, 1.5)
        down, _ = expected_value(pool.features, values, weights - step, 1.5)
        assert gradient[axis] == pytest.approx((up - down) / 2e-6, abs=1e-6)


def test_pairs_put_the_better_candidate_first() -> None:
    pool, objective = random_pool(3)
    examples = PRO(sampled_pairs=100, kept_pairs=10).examples(pool, objective, np.random.default_rng(0))
    assert 0 < len(examples) <= 60
    values = {
        (features[i] - features[j]).tobytes(): objective.values(stats)[i] - objective.values(stats)[j]
        for features, stats in zip(pool.features, pool.stats, strict=True)
        for i in range(7)
        for j in range(7)
    }
    assert all(values[example.astype(np.float32).tobytes()] >= 0.005 for example in examples)


def test_the_pool_keeps_distinct_candidates_and_survives_saving(tmp_path: Path) -> None:
    pool, _ = random_pool(1)
    assert pool.add(0, pool.features[0], pool.stats[0]) == 0
    files = [tmp_path / "1.npz", tmp_path / "2.npz"]
    pool.save_new(files[0])
    assert pool.add(2, np.ones((2, 3)), np.array([[50.0, 1.0], [60.0, 1.0]])) == 2
    pool.save_new(files[1])
    loaded = Pool(*EMPTY_POOL)
    loaded.load(files)
    assert loaded.candidates == pool.candidates
    assert all(np.array_equal(a, b) for a, b in zip(loaded.features, pool.features, strict=True))
    assert files[1].stat().st_size < files[0].stat().st_size


def test_a_damaged_pool_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "pool.npz"
    random_pool(1)[0].save_new(path)
    whole = path.read_bytes()
    generator = np.random.default_rng(1)
    for trial in range(400):
        damaged = bytearray(whole)
        damaged[int(generator.integers(len(whole)))] ^= 1 << int(generator.integers(8))
        path.write_bytes(damaged if trial % 4 else damaged[: int(generator.integers(len(whole)))])
        with contextlib.suppress(DataError):  # some bits mean nothing, as those of the time of a file
            Pool(*EMPTY_POOL).load([path])
    path.write_bytes(b"not an archive")
    with pytest.raises(DataError, match="expected the candidates of a tuning run"):
        Pool(*EMPTY_POOL).load([path])


@pytest.mark.parametrize("shape", [(5, 3, 2), (6, 2, 2), (6, 3, 1), (7, 3, 2)])
def test_a_pool_of_other_sizes_is_an_error(tmp_path: Path, shape: tuple[int, int, int]) -> None:
    path = tmp_path / "pool.npz"
    random_pool(1)[0].save_new(path)
    with pytest.raises(DataError, match="expected the candidates of a tuning run"):
        Pool(*shape).load([path])


def test_weights_and_features_must_pair() -> None:
    with pytest.raises(LengthMismatchError, match="one weight for each of 3 features, got 1"):
        tune(toy_decode, TUNING, objective=Objective.parse("sari"), optimiser=PRO(), features=FEATURES, weights=(1.0,))
