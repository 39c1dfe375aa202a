"""Querying: equal to KenLM and to the definition, minimal states, ARPA in and out."""

from __future__ import annotations

import contextlib
import gzip
import random
from pathlib import Path

import kenlm
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.lm import BackoffModel, Ngram

from plainwright import lm
from plainwright.errors import DataError

WORDS = ["a", "b", "c", "d", "é", "日本", "don't"]
SPECIAL = ["<s>", "</s>", "<unk>"]

# By hand. 0 as a back-off, a context without a longer n-gram ("a c"), a missing back-off.
SMALL = """\\data\\
ngram 1=6
ngram 2=4
ngram 3=2

\\1-grams:
-1.0\t<unk>
-99\t<s>\t-0.5
-0.8\t</s>
-0.6\ta\t-0.25
-0.7\tb\t-0.125
-0.9\tc

\\2-grams:
-0.3\t<s> a\t-0.0625
-0.4\ta b\t0
-0.5\ta c\t0
-0.2\tb </s>

\\3-grams:
-0.1\t<s> a b
-0.15\ta b </s>

\\end\\
"""


def random_model(seed: int, order: int, *, closed: bool = True) -> BackoffModel:
    """Numbers from nowhere; `closed`: each n-gram's prefix and suffix are listed, as KenLM asks."""
    rng = random.Random(seed)
    most = 0.25 if closed else 0.0  # where an n-gram is missing, probability and back-off must not exceed 1
    ngrams: dict[Ngram, tuple[float, float]] = {}
    for word in [*SPECIAL, *WORDS]:
        ngrams[word,] = (-rng.random() * 3, rng.choice([0.0, -rng.random(), rng.random() * most]))
    for n in range(2, order + 1):
        candidates = [g for g in ngrams if len(g) == n - 1 and g[-1] != "</s>"]
        for gram in candidates:
            for word in [*WORDS, "</s>", "<unk>"]:
                longer = (*gram, word)
                if rng.random() < 0.35 and (not closed or longer[1:] in ngrams):
                    ngrams[longer] = (-rng.random() * 3, rng.choice([0.0, -rng.random(), rng.random() * most]))
    if not closed:
        longest = max(map(len, ngrams))
        ngrams = {g: v for g, v in ngrams.items() if len(g) in (1, longest) or rng.random() < 0.6}
    return BackoffModel(ngrams)


def packed(tmp_path: Path, arpa: str | bytes, name: str = "model") -> lm.LanguageModel:
    source = tmp_path / f"{name}.arpa"
    source.write_bytes(arpa.encode() if isinstance(arpa, str) else arpa)
    lm.pack(source, tmp_path / f"{name}.lm")
    return lm.LanguageModel.open(tmp_path / f"{name}.lm", verify=True)


def sentences(seed: int, number: int = 60) -> list[list[str]]:
    rng = random.Random(seed)
    return [[rng.choice([*WORDS, "unheard"]) for _ in range(rng.randrange(9))] for _ in range(number)]


def test_values_by_hand(tmp_path):
    model = packed(tmp_path, SMALL)
    # <s> a; <s> a b; a b </s>
    assert [round(s.log10, 6) for s in model.word_scores("a b")] == [-0.3, -0.1, -0.15]
    assert [s.ngram_length for s in model.word_scores("a b")] == [2, 3, 3]
    assert model.score("a b") == pytest.approx(-0.55)
    # "c" after <s>: -0.5 - 0.9; "b" after "c" has no back-off: -0.7; "x" after "b": -0.125 - 1.0; then </s>: -0.8
    assert model.score("c b x") == pytest.approx(-1.4 - 0.7 - 1.125 - 0.8)
    # "c" after "<s> a": back-off of "<s> a", then "a c"
    assert model.word_scores("a c")[1].log10 == pytest.approx(-0.0625 - 0.5)
    assert [s.known for s in model.word_scores("a x")] == [True, False, True]
    assert model.counts == (6, 4, 2)


@pytest.mark.parametrize("order", [2, 3, 4, 5])  # KenLM refuses order 1; the definition judges it below
@pytest.mark.parametrize("seed", [1, 2])
def test_every_score_equals_kenlm(tmp_path, order, seed):
    oracle = random_model(seed, order)
    model = packed(tmp_path, oracle.to_arpa())
    assert model.order == oracle.order
    peer = kenlm.Model(str(tmp_path / "model.arpa"))
    for tokens in sentences(seed):
        line = " ".join(tokens)
        ours = model.word_scores(line)
        theirs = list(peer.full_scores(line))
        assert [s.log10 for s in ours] == pytest.approx([score for score, _, _ in theirs], abs=1e-5)
        assert [(s.ngram_length, not s.known) for s in ours] == [(length, oov) for _, length, oov in theirs]
        assert model.score(line) == pytest.approx(peer.score(line), abs=1e-5)


@pytest.mark.parametrize("order", [2, 3, 4, 5])
def test_states_merge_exactly_where_those_of_kenlm_do(tmp_path, order):
    oracle = random_model(7, order)
    model = packed(tmp_path, oracle.to_arpa())
    peer = kenlm.Model(str(tmp_path / "model.arpa"))
    ours, theirs = [], []
    for tokens in sentences(7):
        state, other = model.begin_state(), kenlm.State()
        peer.BeginSentenceWrite(other)
        for token in tokens:
            following = kenlm.State()
            score = peer.BaseScore(other, token, following)
            log10, state = model.score_word(state, token)
            assert log10 == pytest.approx(score, abs=1e-5)
            other = following
            ours.append(state)
            theirs.append(other)
    for i, j in zip(range(len(ours)), reversed(range(len(ours))), strict=True):
        assert (ours[i] == ours[j]) == (theirs[i] == theirs[j])
    assert len(set(ours)) < len(ours) / 2


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("closed", [True, False])
def test_every_score_equals_the_definition_even_where_ngrams_are_missing(tmp_path, order, closed):
    oracle = random_model(order, order, closed=closed)
    model = packed(tmp_path, oracle.to_arpa())
    for tokens in sentences(3):
        line = " ".join(tokens)
        assert [s.log10 for s in model.word_scores(line)] == pytest.approx(oracle.sentence(tokens), abs=1e-5)
        assert model.score(line) == pytest.approx(sum(oracle.sentence(tokens)), abs=1e-4)


def test_equal_states_have_equal_futures(tmp_path):
    model = packed(tmp_path, random_model(11, 4).to_arpa())
    futures: dict[lm.State, list[float]] = {}
    for tokens in sentences(11, 200):
        state = model.begin_state()
        for token in tokens:
            _, state = model.score_word(state, token)
        scores = [model.score_word(state, word)[0] for word in [*WORDS, "</s>"]]
        assert futures.setdefault(state, scores) == pytest.approx(scores, abs=1e-6)


def test_a_state_forgets_what_cannot_matter(tmp_path):
    model = packed(tmp_path, SMALL)

    def after(*words: str) -> tuple[str, ...]:
        state = model.begin_state()
        for word in words:
            _, state = model.score_word(state, word)
        return model.state_words(state)

    assert after() == ("<s>",)
    assert after("a") == ("a", "<s>")  # "<s> a b" is listed
    assert after("a", "b") == ("b", "a")
    assert after("b", "a") == ("a",)  # no n-gram starts with "b a"
    assert after("a", "c") == ()  # "a c" and "c" are listed, but lead nowhere
    assert after("x") == ()
    assert len(model.empty_state()) == 0
    assert model.empty_state() == model.score_word(model.begin_state(), "x")[1]


def test_a_sentence_may_begin_and_end_in_the_middle(tmp_path):
    model = packed(tmp_path, SMALL)
    assert model.score("a b", begin=False) == pytest.approx(-0.6 - 0.4 - 0.15)
    assert model.score("a b", end=False) == pytest.approx(-0.3 - 0.1)
    assert model.score("") == pytest.approx(-0.5 - 0.8)
    assert model.score("", begin=False, end=False) == 0


def test_perplexity_with_and_without_unknown_words(tmp_path):
    model = packed(tmp_path, SMALL)
    result = model.perplexity(["a b", "x"])  # -0.55 over 3 tokens; x: -0.5 - 1.0, then </s>: -0.8
    assert (result.sentences, result.tokens, result.unknown) == (2, 5, 1)
    assert result.value == pytest.approx(10 ** (2.85 / 5))
    assert result.without_unknown == pytest.approx(10 ** (1.35 / 4))
    with pytest.raises(DataError, match="at least one sentence"):
        model.perplexity([])
    with pytest.raises(DataError, match="got a string; put it into a list"):
        model.perplexity("a b")


def test_lines_score_as_words_do_on_any_number_of_threads(tmp_path):
    model = packed(tmp_path, random_model(5, 5).to_arpa())
    lines = [" ".join(tokens) for tokens in sentences(5, 2000)]
    expected = [sum(s.log10 for s in model.word_scores(line)) for line in lines]
    for threads in (1, 2, 8):
        assert model.score_lines(lines, threads=threads) == expected


def test_white_space_is_what_python_splits_at(tmp_path):
    model = packed(tmp_path, SMALL)
    assert [s.word for s in model.word_scores(" a\t\u00a0b\u3000 c\n")] == ["a", "b", "c", "</s>"]


def test_arpa_round_trip_keeps_every_number(tmp_path):
    oracle = random_model(13, 4, closed=False)
    packed(tmp_path, oracle.to_arpa())
    lm.unpack(tmp_path / "model.lm", tmp_path / "again.arpa.gz")
    lm.pack(tmp_path / "again.arpa.gz", tmp_path / "again.lm")
    assert (tmp_path / "again.lm").read_bytes() == (tmp_path / "model.lm").read_bytes()
    text = gzip.decompress((tmp_path / "again.arpa.gz").read_bytes()).decode()
    found = {}
    for line in text.splitlines():
        if "\t" in line:
            log10, gram, *backoff = line.split("\t")
            found[tuple(gram.split(" "))] = (float(log10), float(backoff[0]) if backoff else 0.0)
    assert found.keys() == oracle.ngrams.keys()
    for gram, (log10, backoff) in oracle.ngrams.items():
        assert found[gram][0] == pytest.approx(log10, abs=1e-6)
        if len(gram) < oracle.order:
            assert found[gram][1] == pytest.approx(backoff, abs=1e-6)


def test_arpa_may_use_spaces_and_carriage_returns_and_text_before_the_data(tmp_path):
    loose = "made by hand\n\n" + SMALL.replace("\t", "  ")
    model = packed(tmp_path, loose.replace("\n", "\r\n"), "loose")
    assert model.score("a b c x") == packed(tmp_path, SMALL).score("a b c x")


def test_a_model_without_unk_gives_unknown_words_what_kenlm_gives(tmp_path):
    text = SMALL.replace("-1.0\t<unk>\n", "").replace("ngram 1=6", "ngram 1=5")
    model = packed(tmp_path, text)
    assert model.word_scores("x", begin=False)[0].log10 == -100
    assert model.counts[0] == 5
    lm.unpack(tmp_path / "model.lm", tmp_path / "again.arpa")
    assert "<unk>" not in (tmp_path / "again.arpa").read_text()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\\data\\", "data", r":\d+: expected an ARPA file, found no line"),
        ("ngram 2=4", "ngram 2=5", r":20: expected 5 2-grams before this line, as the head announces, found 4"),
        ("ngram 2=4", "ngram 3=4", r":3: expected the count of order 2, found order 3"),
        ("ngram 2=4", "ngram 2", r":3: expected `ngram N=COUNT`, found 'ngram 2'"),
        ("-0.3\t<s> a", "-0.3\t<s> a a a", r":15: expected a log probability, 2 words and perhaps a back-off"),
        ("-0.3\t<s> a", "zero\t<s> a", r":15: expected a log probability, found 'zero'"),
        ("-0.3\t<s> a", "nan\t<s> a", r":15: expected a log probability, found 'nan'"),
        ("-0.3\t<s> a", "0.3\t<s> a", r":15: expected a log probability of at most 0, found '0.3'"),
        ("-0.3\t<s> a", "-0.3\t<s> q", r":15: the word 'q' is not among the 1-grams"),
        ("-0.9\tc", "-0.9\tb", r":12: the word 'b' is listed twice"),
        ("-0.4\ta b", "-0.4\t<s> a", r"the 2-gram '<s> a' is listed twice"),
        ("\\end\\", "", r":\d+: expected \\end\\, found the end of the file"),
        ("-99\t<s>", "-99\tQ", r"the word '<s>' is not among"),
        ("\\3-grams:", "\\4-grams:", r":20: expected \\3-grams:, found '.4-grams:'"),
    ],
)
def test_a_bad_arpa_file_is_one_sentence_with_its_line(tmp_path, old, new, message):
    (tmp_path / "bad.arpa").write_text(SMALL.replace(old, new, 1))
    with pytest.raises(DataError, match=message):
        lm.pack(tmp_path / "bad.arpa", tmp_path / "bad.lm")
    assert not (tmp_path / "bad.lm").exists()


def test_orders_above_five_are_refused(tmp_path):
    (tmp_path / "six.arpa").write_text("\\data\\\n" + "".join(f"ngram {n}=1\n" for n in range(1, 7)))
    with pytest.raises(DataError, match=r":7: expected orders 1 to 5, found order 6"):
        lm.read_arpa(tmp_path / "six.arpa")


@given(st.data())
def test_garbage_for_arpa_never_crashes(data):
    from plainwright import _core

    text = bytearray(SMALL.encode())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text) - 1))
        piece = data.draw(st.one_of(st.binary(max_size=4), st.sampled_from([b"\n", b"\t", b"\\", b"-", b"9" * 30])))
        text[at : at + data.draw(st.integers(0, 40))] = piece
        text = text or bytearray(b"\n")
    reader = _core.ArpaReader()
    with contextlib.suppress(ValueError):
        reader.feed(bytes(text))
        reader.finish().write_packed(lambda _: None)


class TestDamagedFiles:
    @pytest.fixture
    def content(self, tmp_path) -> bytes:
        packed(tmp_path, SMALL)
        return (tmp_path / "model.lm").read_bytes()

    def test_cut_at_every_byte(self, tmp_path, content):
        path = tmp_path / "cut.lm"
        for size in range(len(content)):
            path.write_bytes(content[:size])
            with pytest.raises(DataError, match=r"cut\.lm: (damaged|expected)"):
                lm.LanguageModel.open(path)

    def test_a_flipped_bit_in_any_byte_is_found_and_harmless(self, tmp_path, content):
        path = tmp_path / "flipped.lm"
        for position in range(len(content)):
            changed = bytearray(content)
            changed[position] ^= 1 << position % 8
            path.write_bytes(changed)
            with pytest.raises(DataError, match=r"flipped\.lm: "):
                lm.LanguageModel.open(path, verify=True)
            # Behind the header only the checksum can tell; without it no answer is promised, but no crash.
            with contextlib.suppress(DataError):
                model = lm.LanguageModel.open(path)
                model.score("a b c x a b")
                _, state = model.score_word(model.begin_state(), "a")
                model.score_word(state, "b")

    @pytest.mark.parametrize(
        ("at", "value", "message"),
        [
            (0, b"\x00", "expected a packed language model; make one with `plainwright lm pack`"),
            (8, b"\x09", "expected version 1 of the packed format, found version 9; pack it again"),
            (12, b"\x01\x02\x03\x04", "another byte order"),
        ],
    )
    def test_foreign_files_say_what_they_are(self, tmp_path, content, at, value, message):
        (tmp_path / "other.lm").write_bytes(content[:at] + value + content[at + len(value) :])
        with pytest.raises(DataError, match=message):
            lm.LanguageModel.open(tmp_path / "other.lm")

    def test_no_file_an_empty_one_a_directory(self, tmp_path):
        (tmp_path / "empty.lm").write_bytes(b"")
        with pytest.raises(DataError, match=r"empty\.lm: expected a packed language model, found 0 bytes"):
            lm.LanguageModel.open(tmp_path / "empty.lm")
        with pytest.raises(DataError, match="no such file"):
            lm.LanguageModel.open(tmp_path / "none.lm")
        with pytest.raises(DataError, match="not a file"):
            lm.LanguageModel.open(tmp_path)

    def test_an_arpa_file_is_not_a_packed_one(self, tmp_path, content):
        with pytest.raises(DataError, match="make one with `plainwright lm pack`"):
            lm.LanguageModel.open(tmp_path / "model.arpa")
