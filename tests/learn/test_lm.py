"""Estimation: by hand, against the definition, against lmplz where it is, and what every model must satisfy."""

from __future__ import annotations

import math
import random
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.lm import Ngram, as_logarithms, discounts_of, kneser_ney

from plainwright import lm
from plainwright.errors import DataError
from plainwright.learn.lm import EstimatedModel, estimate, estimate_files


def entries(model: EstimatedModel, tmp_path: Path) -> dict[Ngram, tuple[float, float]]:
    model.save(tmp_path / "model.arpa")
    return read_entries(tmp_path / "model.arpa")


def read_entries(path: Path) -> dict[Ngram, tuple[float, float]]:
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        log10, *rest = line.split("\t")
        if rest:
            found[tuple(rest[0].split(" "))] = (float(log10), float(rest[1]) if len(rest) > 1 else 0.0)
    return found


def some_text(seed: int, sentences: int, words: int = 30) -> list[str]:
    """Zipfian words, so that all counts of counts occur."""
    rng = random.Random(seed)
    weights = [1 / rank for rank in range(1, words + 1)]
    return [
        " ".join(f"w{i}" for i in rng.choices(range(words), weights, k=rng.randrange(12))) for _ in range(sentences)
    ]


def test_two_sentences_by_hand(tmp_path):
    # <s> a b </s> and <s> a </s>. Bigrams: "<s> a" twice; "a b", "b </s>", "a </s>" once.
    # Words by what precedes them: a 1 (<s>), b 1 (a), </s> 2 (a, b), <unk> 0; 4 in all. No count of 3: fall back on
    # 0.5, 1, 1.5. Back-off of the empty context (0.5 + 0.5 + 1) / 4 = 0.5, spread over a, b, </s>, <unk>: 0.125 each.
    found = entries(estimate(["a b", "a"], order=2), tmp_path)
    probability = {gram: 10**log10 for gram, (log10, _) in found.items()}
    assert probability["a",] == pytest.approx(0.5 / 4 + 0.125)
    assert probability["b",] == pytest.approx(0.25)
    assert probability["</s>",] == pytest.approx((2 - 1) / 4 + 0.125)
    assert probability["<unk>",] == pytest.approx(0.125)
    # After <s>: (2 - 1) / 2, back-off 1 / 2. After a: (1 - 0.5) / 2 each, back-off (0.5 + 0.5) / 2. After b: 0.5.
    assert probability["<s>", "a"] == pytest.approx(0.5 + 0.5 * 0.25)
    assert probability["a", "b"] == pytest.approx(0.25 + 0.5 * 0.25)
    assert probability["a", "</s>"] == pytest.approx(0.25 + 0.5 * 0.375)
    assert probability["b", "</s>"] == pytest.approx(0.5 + 0.5 * 0.375)
    for word in ("<s>", "a", "b"):
        assert 10 ** found[word,][1] == pytest.approx(0.5)
    assert found["<unk>",][1] == found["</s>",][1] == 0


def test_discounts_by_hand(tmp_path):
    # Words once: a b c </s>; twice: d e; three times: f; four times: g. n = 4, 2, 1, 1, so Y = 4 / (4 + 4) = 0.5,
    # D1 = 1 - 2 Y 2/4 = 0.5, D2 = 2 - 3 Y 1/2 = 1.25, D3+ = 3 - 4 Y 1/1 = 1.
    model = estimate(["a b c d d e e f f f g g g g"], order=1)
    assert model.orders[0].discounts == (0.5, 1.25, 1.0)
    assert not model.orders[0].fallback
    # 15 tokens with </s>; 9 words with </s> and <unk> share what was taken: 4 · 0.5 + 2 · 1.25 + 1 + 1 = 6.5.
    found = entries(model, tmp_path)
    share = 6.5 / 15 / 9
    assert 10 ** found["a",][0] == pytest.approx(0.5 / 15 + share)
    assert 10 ** found["d",][0] == pytest.approx(0.75 / 15 + share)
    assert 10 ** found["f",][0] == pytest.approx(2 / 15 + share)
    assert 10 ** found["g",][0] == pytest.approx(3 / 15 + share)
    assert 10 ** found["<unk>",][0] == pytest.approx(share)


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("prune", [(0,), (0, 0, 1), (0, 1, 1, 2)])
@pytest.mark.parametrize("sentences", [1, 5, 200])
def test_equals_the_definition(tmp_path, order, prune, sentences):
    lines = [*some_text(order, sentences), "é 日本 don't"]
    prune = prune[:order]
    found = entries(estimate(lines, order=order, prune=prune), tmp_path)
    expected = as_logarithms(kneser_ney([line.split() for line in lines], order, prune=prune)).ngrams
    assert found.keys() == expected.keys()
    for gram, (log10, backoff) in expected.items():
        assert found[gram][0] == pytest.approx(log10, abs=1e-5), gram
        assert found[gram][1] == pytest.approx(backoff, abs=1e-5), gram


def test_discounts_fall_back_only_where_they_must():
    model = estimate(some_text(1, 300), order=3)
    assert [report.fallback for report in model.orders] == [
        discounts_of(counts) is None for counts in adjusted_counts(some_text(1, 300), 3)
    ]
    tiny = estimate(["a b"], order=3, fallback=(0.4, 0.8, 1.2))
    assert all(report.fallback and report.discounts == (0.4, 0.8, 1.2) for report in tiny.orders)


def adjusted_counts(lines: list[str], order: int) -> list[list[int]]:
    texts = [("<s>", *line.split(), "</s>") for line in lines]
    result = []
    for n in range(1, order + 1):
        grams = [text[i : i + n] for text in texts for i in range(len(text) - n + 1)]
        longer = {text[i : i + n + 1] for text in texts for i in range(len(text) - n)}
        counts = []
        for gram in set(grams) - {("<s>",)}:
            raw = n == order or gram[0] == "<s>"
            counts.append(grams.count(gram) if raw else sum(wide[1:] == gram for wide in longer))
        result.append(counts)
    return result


words = st.sampled_from("abcdef")


@settings(max_examples=40)
@given(
    st.lists(st.lists(words, max_size=8).map(" ".join), min_size=1, max_size=25).filter(lambda t: any(t)),
    st.integers(1, 5),
    st.sampled_from([(0,), (0, 1), (0, 0, 1)]),
)
def test_probabilities_sum_to_one_after_every_context(tmp_path_factory, lines, order, prune):
    path = tmp_path_factory.mktemp("sum") / "model.lm"
    estimate(lines, order=order, prune=prune[:order]).save(path)
    model = lm.LanguageModel.open(path, verify=True)
    vocabulary = ["<unk>", "</s>", *sorted({word for line in lines for word in line.split()})]
    for line in lines:
        state = model.begin_state()
        for word in [*line.split(), "unheard"]:
            total = math.fsum(10 ** model.score_word(state, other)[0] for other in vocabulary)
            assert total == pytest.approx(1, abs=1e-5)
            _, state = model.score_word(state, word)


def test_the_same_text_gives_the_same_bytes(tmp_path):
    for name in ("one.lm", "two.lm", "one.arpa.gz", "two.arpa.gz"):
        estimate(some_text(3, 100)).save(tmp_path / name)
    assert (tmp_path / "one.lm").read_bytes() == (tmp_path / "two.lm").read_bytes()
    assert (tmp_path / "one.arpa.gz").read_bytes() == (tmp_path / "two.arpa.gz").read_bytes()
    lm.pack(tmp_path / "one.arpa.gz", tmp_path / "packed.lm")
    assert (tmp_path / "packed.lm").read_bytes() == (tmp_path / "one.lm").read_bytes()


def test_pruning_leaves_out_what_is_rare_and_says_how_much(tmp_path):
    lines = some_text(4, 200)
    whole, pruned = estimate(lines, order=3), estimate(lines, order=3, prune=(0, 0, 1))
    assert [r.counted for r in whole.orders] == [r.counted for r in pruned.orders]
    assert pruned.orders[1].kept == pruned.orders[1].counted
    assert pruned.orders[2].kept < pruned.orders[2].counted
    assert pruned.ngrams.counts[2] == pruned.orders[2].kept


def test_files_are_read_one_after_the_other_with_progress(tmp_path):
    (tmp_path / "one.txt").write_text("a b\n")
    (tmp_path / "two.txt").write_text("a\n")
    seen = []
    model = estimate_files(
        [tmp_path / "one.txt", tmp_path / "two.txt"], order=2, progress=lambda what, done, total: seen.append(what)
    )
    assert (model.sentences, model.tokens, model.types) == (2, 3, 5)
    assert [what.split()[0] for what in seen] == ["counting", "counting", "estimating"]
    assert entries(model, tmp_path) == entries(estimate(["a b", "a"], order=2), tmp_path)


@pytest.mark.parametrize(
    ("lines", "options", "message"),
    [
        ([], {}, "a language model needs text"),
        (["", "  "], {}, "a language model needs text"),
        (["a", "b </s> c"], {}, "lines:2: the text must not contain </s>, which the model uses itself"),
        (["a"], {"order": 6}, "order must be from 1 to 5, got 6"),
        (["a"], {"prune": (1,)}, "thresholds that start with 0"),
        (["a"], {"prune": (0, 2, 1)}, "never fall"),
        (["a"], {"order": 2, "prune": (0, 0, 1)}, "1 to 2 thresholds"),
        (["a"], {"fallback": (0.5, 1.0, 4.0)}, "three discounts above 0"),
        ("a b", {}, "got one string"),
    ],
)
def test_what_cannot_work_is_one_sentence(lines, options, message):
    with pytest.raises(DataError, match=message):
        estimate(lines, **options)


@pytest.mark.skipif(shutil.which("lmplz") is None, reason="lmplz is not on this machine")
@pytest.mark.parametrize(("order", "prune"), [(2, (0,)), (3, (0, 0, 1)), (5, (0, 0, 1, 1, 2)), (5, (0,))])
def test_equals_lmplz(tmp_path, order, prune):
    lines = some_text(9, 500, words=200)
    (tmp_path / "text").write_text("\n".join(lines) + "\n")
    command = ["lmplz", "-o", str(order), "-S", "100M", "--discount_fallback", "--arpa", tmp_path / "theirs.arpa"]
    command += ["--text", tmp_path / "text", "-T", tmp_path / "scratch", "--prune", *map(str, prune)]
    subprocess.run(command, check=True, capture_output=True)
    theirs, ours = read_entries(tmp_path / "theirs.arpa"), entries(estimate(lines, order=order, prune=prune), tmp_path)
    assert ours.keys() == theirs.keys()
    for gram in ours.keys() - {("<s>",)}:  # lmplz writes 0 for <s>, which nobody asks for
        assert ours[gram] == pytest.approx(theirs[gram], abs=1e-5)
