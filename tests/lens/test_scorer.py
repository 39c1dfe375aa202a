from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lens.tiny import MAX_PIECES, PAIR_FEATURES, save_tiny_model

from plainwright.errors import DataError, ReferenceShapeError
from plainwright.lens.features import FEATURES, Passage, feature_matrix
from plainwright.lens.head import representation
from plainwright.lens.model import LensModel
from plainwright.lens.passages import PassageStore
from plainwright.lens.scorer import WORST, Scorer, open_scorer

SOURCES = ["He purchased a car .", "The feline reclined on the mat .", "He purchased a car .", "It commenced ."]
OUTPUTS = ["He bought a car .", "The cat sat on the mat .", "He bought a car .", "It began ."]
REFERENCES = [
    ["He bought a car .", "He got a new car ."],
    ["The cat sat on the mat ."],
    ["He bought a car .", "He got a new car ."],
    ["It started .", "It began at once .", "It began ."],
]
KINDS = {
    "both": {},
    "head": {"companion": False},
    "companion": {"head": False},
    "pair features": {"pair_features": True},
}

WORDS = st.sampled_from(
    ["the", "cat", "sat", "mat", "he", "bought", "a", "car", "é", "1912", ".", ",", "Zagreb", "(", '"']
)
TEXTS = st.lists(WORDS, min_size=1, max_size=9).map(" ".join)


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    place = tmp_path_factory.mktemp("models")
    return {kind: save_tiny_model(place / kind, **options) for kind, options in KINDS.items()}


def plain_z(model: LensModel, source: str, output: str, references: list[str]) -> float:
    """The definition, text by text and reference by reference."""
    c, s, *rest = (Passage.of(t, model.encoder.encode([t])[0]) for t in (source, output, *references))
    total = model.mix.intercept
    if model.head is not None:
        total += model.mix.neural * max(_network_value(model, c, s, r) for r in rest)
    if model.companion is not None:
        total += model.mix.companion * model.companion.predict(feature_matrix([(c, s, rest)]))[0]
    return float(np.clip(total, -5, 5))


def _network_value(model, c, s, r):
    values = []
    for network in model.head.networks:
        x = representation(*(p.encoded.vector.astype(np.float64) for p in (c, s, r)))
        if network.standard is not None:
            columns = [FEATURES.index(name) for name in PAIR_FEATURES]
            own = feature_matrix([(c, s, [r])])[0, columns]
            x = np.concatenate([x, (own - network.standard[0]) / network.standard[1]])
        first, second = network.layers
        [value] = second.weight @ np.tanh(first.weight @ x + first.bias) + second.bias
        values.append(value)
    return np.mean(values)


@pytest.mark.parametrize("kind", KINDS)
def test_values_are_those_of_the_definition(models, kind):
    expected = [plain_z(models[kind], *row) for row in zip(SOURCES, OUTPUTS, REFERENCES, strict=True)]
    assert Scorer(models[kind]).scores(SOURCES, OUTPUTS, REFERENCES) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_a_pair_has_the_value_of_a_single_reference(models, kind):
    scorer = Scorer(models[kind])
    candidates = [*OUTPUTS, "", OUTPUTS[0]]
    references = ["He bought a car .", "It began .", "He bought a car ."]
    table = scorer.pairwise(SOURCES[0], candidates, references)
    assert table.shape == (6, 3)
    for i, candidate in enumerate(candidates):
        for j, reference in enumerate(references):
            assert table[i, j] == scorer.scores([SOURCES[0]], [candidate], [[reference]])[0]
    assert (table[4] == WORST).all()
    assert scorer.pairwise(SOURCES[0], [], references).shape == (0, 3)
    assert scorer.pairwise(SOURCES[0], candidates, []).shape == (6, 0)


@settings(max_examples=25)
@given(
    rows=st.lists(st.tuples(TEXTS, TEXTS, st.lists(TEXTS, min_size=1, max_size=3)), min_size=1, max_size=5),
    data=st.data(),
)
def test_a_value_depends_on_its_own_texts_alone(models, rows, data):
    kind = data.draw(st.sampled_from(sorted(KINDS)))
    together = Scorer(models[kind]).scores(*map(list, zip(*rows, strict=True)), threads=data.draw(st.integers(1, 3)))
    at = data.draw(st.integers(0, len(rows) - 1))
    source, output, references = rows[at]
    alone = Scorer(models[kind]).scores([source], [output], [data.draw(st.permutations(references))])
    assert alone[0] == together[at]
    assert np.isfinite(together).all()


def test_with_more_references_the_network_gives_at_least_as_much(models):
    scorer = Scorer(models["head"])
    few = scorer.scores(SOURCES, OUTPUTS, [group[:1] for group in REFERENCES])
    assert (scorer.scores(SOURCES, OUTPUTS, REFERENCES) >= few).all()


def test_case_and_tokens_change_no_value(models):
    written = ['The dog "barked" (loudly) at us.', "It didn't bark.", "A dog barked."]
    tokenised = ["the dog `` barked '' -lrb- loudly -rrb- at us .", "it did n't bark .", "a dog barked ."]
    scorer = Scorer(models["both"])
    first, second = (scorer.scores([text[0]], [text[1]], [[text[2]]]) for text in (written, tokenised))
    assert first == second


def test_more_segments_than_fit_into_a_block(models):
    scorer = Scorer(models["both"])
    outputs = [f"He bought {number} cars ." for number in range(300)]
    values = scorer.scores([SOURCES[0]] * 300, outputs, [REFERENCES[0]] * 300)
    for at in (0, 255, 256, 299):
        assert values[at] == scorer.scores([SOURCES[0]], [outputs[at]], [REFERENCES[0]])[0]


def test_an_output_without_words_is_the_worst(models):
    scorer = Scorer(models["both"])
    values = scorer.scores(SOURCES[:3], ["", " \t", OUTPUTS[2]], REFERENCES[:3])
    assert values[:2].tolist() == [WORST, WORST] == [-5.0, -5.0]
    assert values[2] > WORST


def test_a_very_long_text_is_scored_and_told(models):
    scorer = Scorer(models["both"])
    long = "cat " * 25_000
    assert np.isfinite(scorer.scores([SOURCES[0]], [long], [REFERENCES[0]])).all()
    assert scorer.was_truncated(long)
    assert not scorer.was_truncated(SOURCES[0])
    edge = " ".join(["cat"] * (MAX_PIECES - 2))
    scorer.scores([edge], [edge + " cat"], [[edge]])
    assert (scorer.was_truncated(edge), scorer.was_truncated(edge + " cat")) == (False, True)


@pytest.mark.parametrize("bad", [None, 3, b"bytes", ["nested"]])
def test_what_is_no_text_is_refused(models, bad):
    scorer = Scorer(models["both"])
    with pytest.raises(DataError, match="expected a string"):
        scorer.scores(["a"], [bad], [["a"]])
    with pytest.raises(DataError, match="expected a string"):
        scorer.pairwise("a", ["b"], [bad])


def test_a_segment_without_references_is_refused(models):
    with pytest.raises(ReferenceShapeError, match="segment 1: expected at least one reference, got none"):
        Scorer(models["head"]).scores(SOURCES[:2], OUTPUTS[:2], [REFERENCES[0], []])


def test_a_lone_surrogate_is_refused(models):
    with pytest.raises(DataError):
        Scorer(models["both"]).scores(["a"], ["\ud800"], [["a"]])


def test_an_unknown_feature_is_refused(models):
    model = models["both"]
    names = ("future.feature", *model.features.set[1:])
    changed = LensModel.save(
        model.directory.with_name("future"),
        encoder=model.directory,
        head=model.head,
        companion=model.companion,
        mix=model.mix,
        features=type(model.features)(set=names),
        name="future",
        version="1",
        licence="-",
        card="",
    )
    with pytest.raises(DataError, match=r"found 'future.feature'; update plainwright"):
        Scorer(changed)


def test_a_model_is_opened_once_until_it_is_written_again(models, tmp_path):
    model = save_tiny_model(tmp_path / "model")
    first = open_scorer(model.directory)
    assert open_scorer(str(model.directory)) is first
    save_tiny_model(tmp_path / "model", seed=9)
    second = open_scorer(model.directory)
    assert second.model.digest != first.model.digest
    assert open_scorer(models["both"]).model is models["both"]


class CountingEncoder:
    """The encoder of a model, which counts the texts that it is given."""

    def __init__(self, encoder):
        self.encoder = encoder
        self.seen: list[str] = []

    def encode(self, texts, *, threads=1):
        self.seen += texts
        return self.encoder.encode(texts, threads=threads)


def test_every_text_is_read_once(models):
    counting = CountingEncoder(models["both"].encoder)
    store = PassageStore(counting)
    first = store.get(["a b", "c", "a b"])
    assert store.get(["c", "d"])["c"] is first["c"]
    assert counting.seen == ["a b", "c", "d"]


def test_what_was_not_used_for_longest_is_dropped(models):
    counting = CountingEncoder(models["both"].encoder)
    store = PassageStore(counting, max_bytes=6_500)  # two short texts, but not three
    for text in ("one a", "two a", "one a", "three a", "one a", "two a"):
        store.get([text])
    assert counting.seen == ["one a", "two a", "three a", "two a"]
    assert store.get(["x " * 500])["x " * 500].words == ("x",) * 500  # larger than all that may be kept


def test_threads_share_a_store(models):
    store = PassageStore(models["both"].encoder, max_bytes=20_000)
    texts = [f"cat {number}" for number in range(40)]
    failures = []

    def read():
        for text in texts:
            if store.get([text])[text].text != text:
                failures.append(text)

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert failures == []


ANY_TEXT = st.text(max_size=25) | st.text("`'-LRB-()“”’. \t\x0b\u2028a1éZ😀", max_size=25)


@settings(max_examples=60)
@given(source=ANY_TEXT, output=ANY_TEXT, references=st.lists(ANY_TEXT, min_size=1, max_size=3))
def test_any_text_has_a_finite_value(models, source, output, references):
    scorer = Scorer(models["pair features"])
    assert np.isfinite(scorer.scores([source], [output], [references])).all()
