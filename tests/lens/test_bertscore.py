from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lens.tiny import MAX_PIECES, save_tiny_encoder

from plainwright import metrics
from plainwright.encoders import Encoded, OnnxEncoder
from plainwright.errors import DataError, PlainwrightError
from plainwright.evaluation import EvaluationSet, EvaluationSettings, evaluate
from plainwright.lens.bertscore import BERTScore

OUTPUTS = ["He bought a car .", "The cat sat on the mat ."]
REFERENCES = [["He purchased a car .", "He got a car ."], ["The cat lay on the mat ."]]
PARTS = ("precision", "recall", "bertscore")


class ByHand:
    """Three words with vectors to multiply by hand: a and b have the cosine 0.6, and both are at right angles to c."""

    name, digest, width, max_pieces, layer = "by-hand", "0" * 64, 3, 9, 1
    VECTORS = {"a": (1, 0, 0), "b": (0.6, 0.8, 0), "c": (0, 0, 2)}  # noqa: RUF012

    def encode(self, texts, *, threads=1):
        return [self._encode(text.split()) for text in texts]

    def _encode(self, words):
        edge = (0, 0, -1)  # nearer to nothing
        rows = [edge, *(self.VECTORS[word] for word in words), edge]
        special = np.array([True, *(False for _ in words), True])
        return Encoded(
            vector=np.zeros(3, dtype=np.float32),
            tokens=np.array(rows, dtype=np.float32),
            ids=np.array([9, *("abc".index(word) for word in words), 9]),
            special=special,
            truncated=False,
        )


def values(metric, output, references):
    parts = metric.parts_from_stats(metric.corpus_stats(None, [output], [references])[0])
    return [float(parts[name]) for name in PARTS]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return save_tiny_encoder(tmp_path_factory.mktemp("bertscore") / "tiny")


@pytest.mark.parametrize(
    ("output", "references", "expected"),
    [
        ("a", ["a"], [100, 100, 100]),
        ("a", ["b"], [60, 60, 60]),
        ("a c", ["b"], [30, 60, 40]),  # a finds 0.6, c finds 0; F1 2 * .3 * .6 / .9
        ("a", ["a b c"], [100, 100 * 1.6 / 3, 100 * 2 * 1.6 / 4.6]),  # 1 + .6 + 0 of three pieces
        ("a c", ["b", "a b"], [50, 80, 100 * 2 * 0.5 * 0.8 / 1.3]),  # the second is better in all three
        ("a a", ["b", "a c"], [100, 60, 100 * 2 / 3]),  # each part takes its best: recall from b, the rest from a c
        ("", ["a"], [0, 0, 0]),
        ("a", [""], [0, 0, 0]),
        ("", [""], [0, 0, 0]),
    ],
)
def test_values_by_hand(output, references, expected):
    assert values(BERTScore(encoder=ByHand()), output, references) == pytest.approx(expected, abs=1e-5)


def test_rarity_by_hand():
    # a is in both texts: log(3/3) = 0; b in one: log(3/2); c in none: log 3.
    metric = BERTScore(encoder=ByHand(), idf=["a", "a b"])
    rare, unseen = np.log(3 / 2), np.log(3)
    precision = (0.6 * 0 + 1 * rare + 0 * unseen) / (rare + unseen)
    assert values(metric, "a b c", ["b"])[:2] == pytest.approx([100 * precision, 100], abs=1e-5)
    assert values(metric, "a", ["a"]) == [0, 0, 0]  # nothing has weight


def test_rarity_among_the_references_of_the_call():
    among = BERTScore(encoder=ByHand(), idf=True)
    given_texts = BERTScore(encoder=ByHand(), idf=["a b", "b", "c"])
    outputs, references = ["a b c", "b c"], [["a b", "b"], ["c"]]
    left = among.corpus_stats(None, outputs, references)
    assert left.tolist() == given_texts.corpus_stats(None, outputs, references).tolist()
    with pytest.raises(DataError, match="cannot be told from the references of one segment"):
        among.prepare(None, ["a"])


def test_a_baseline_becomes_zero_and_equal_texts_stay_at_100(tmp_path):
    file = tmp_path / "baseline.tsv"
    file.write_text("LAYER,P,R,F\n0,0.1,0.1,0.1\n1,0.5,0.6,0.2\n")
    metric = BERTScore(encoder=ByHand(), baseline=file)
    assert values(metric, "a", ["a"]) == pytest.approx([100, 100, 100])
    assert values(metric, "a", ["b"]) == pytest.approx([20, 0, 50], abs=1e-5)  # (.6 - .5) / .5, 0, (.6 - .2) / .8
    assert "|baseline:50/60/20|" in metric.signature()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "found an empty file"),
        ("layer;P;R;F\n", ":1: expected the columns LAYER,P,R,F, found 'layer;P;R;F'"),
        ("LAYER,P,R,F\n1,x,0,0\n", ":2: expected a layer and three numbers below 1, found '1,x,0,0'"),
        ("LAYER,P,R,F\n1,1,0,0\n", ":2: expected a layer and three numbers below 1"),
        ("LAYER,P,R,F\n1,nan,0,0\n", ":2: expected a layer and three numbers below 1"),
        ("LAYER,P,R,F\n1,0\n", ":2: expected a layer and three numbers below 1"),
        ("LAYER,P,R,F\n0,0,0,0\n", "expected a row for layer 1, which the encoder gives, found none"),
    ],
)
def test_a_wrong_baseline_is_refused(tmp_path, content, said):
    file = tmp_path / "baseline.tsv"
    file.write_text(content)
    with pytest.raises(DataError, match=said):
        BERTScore(encoder=ByHand(), baseline=file).corpus_score(None, ["a"], [["a"]])


def test_signature_names_all_that_decides_the_value(tiny):
    encoder = OnnxEncoder.open(tiny)
    head = f"bertscore|encoder:tiny@{encoder.digest[:8]}|layer:0"
    assert BERTScore(encoder=tiny).signature(REFERENCES).startswith(f"{head}|idf:no|refs:1-2|v:")
    assert f"{head}|idf:references|" in BERTScore(encoder=tiny, idf=True).signature()
    one, other = (BERTScore(encoder=tiny, idf=texts).signature() for texts in (["a"], ["b"]))
    assert f"{head}|idf:1@" in one
    assert one != other
    with pytest.raises(DataError, match="idf must be True, False or a list of texts"):
        BERTScore(idf="a text")


def test_it_is_a_metric_like_others(tiny):
    metric = metrics.create("bertscore", encoder=tiny)
    stats = metric.corpus_stats(None, OUTPUTS, REFERENCES)
    score = metric.corpus_score(None, OUTPUTS, REFERENCES)
    assert score.value == pytest.approx(metric.sentence_scores(None, OUTPUTS, REFERENCES).mean())
    assert set(score.parts) == {"precision", "recall"}
    low, high = metrics.bootstrap_interval(metric, stats, resamples=50, seed=1)
    assert low <= score.value <= high
    prepared = metric.prepare(None, REFERENCES[0])
    one_by_one = [metric.sentence_score(None, text, REFERENCES[0]).value for text in OUTPUTS]
    assert prepared.score_many(OUTPUTS, threads=2).tolist() == one_by_one
    pairs = metric.pairwise(None, OUTPUTS, REFERENCES[0])
    assert pairs.shape == (2, 2)
    assert pairs[0].max() == one_by_one[0]


@pytest.mark.parametrize("threads", [1, 3])
def test_a_value_does_not_depend_on_what_is_scored_beside_it(tiny, threads):
    metric = BERTScore(encoder=tiny)
    many = metric.corpus_stats(None, OUTPUTS * 40, REFERENCES * 40, threads=threads)
    alone = [BERTScore(encoder=tiny).corpus_stats(None, [o], [r])[0] for o, r in zip(OUTPUTS, REFERENCES, strict=True)]
    assert many.tolist() == (np.array(alone * 40)).tolist()


WORDS = st.lists(st.sampled_from("abc"), max_size=5).map(" ".join)


@settings(max_examples=80)
@given(output=WORDS, references=st.lists(WORDS, min_size=1, max_size=3), idf=st.sampled_from([False, ("a", "b c")]))
def test_properties(output, references, idf):
    metric = BERTScore(encoder=ByHand(), idf=idf)
    found = values(metric, output, references)
    assert all(-100.0001 <= value <= 100.0001 for value in found)
    assert found == values(metric, output, references[::-1])
    assert all(now >= before for now, before in zip(values(metric, output, [*references, "a"]), found, strict=True))
    if not idf and output.strip():
        assert values(metric, output, [output]) == pytest.approx([100, 100, 100], abs=1e-4)
        # Precision of one side is recall of the other.
        there, back = values(metric, output, references[:1]), values(metric, references[0], [output])
        assert there == pytest.approx([back[1], back[0], back[2]], abs=1e-4)


def test_what_is_cut_and_what_is_empty_is_said(tiny):
    metric = BERTScore(encoder=tiny)
    outputs = ["", "a " * (MAX_PIECES + 5), "  ", "fine"]
    metric.corpus_score(None, outputs, [["fine"]] * 4)
    assert metric.remarks(outputs, label="the outputs") == [
        f"bertscore: line 2 of the outputs is longer than the encoder reads ({MAX_PIECES} pieces of words); "
        "the rest does not count",
        "bertscore: line 1 (and 1 more) of the outputs is empty; its value is 0 before any rescaling",
    ]
    assert metric.remarks(["fine"], label="the outputs") == []


def test_evaluate_takes_the_encoder_of_the_lens_model(tiny):
    target = EvaluationSet(
        name=None, label="mine", segments=2, sources=("He purchased a car .", "x"), references=(("a",), ("b", "c"))
    )
    result = evaluate(
        target,
        {"a": ["a " * (MAX_PIECES + 5), ""]},
        EvaluationSettings(metrics=("bertscore",), lens_model=tiny, resamples=10),
    )
    assert [warning for warning in result.warnings if warning.startswith("bertscore")] == [
        f"bertscore: line 1 of output 'a' is longer than the encoder reads ({MAX_PIECES} pieces of words); "
        "the rest does not count",
        "bertscore: line 2 of output 'a' is empty; its value is 0 before any rescaling",
    ]
    assert result.systems[0].scores["bertscore"].signature.startswith("bertscore|encoder:tiny@")


ANYTHING = st.none() | st.integers() | st.text(max_size=5) | st.lists(st.none() | st.text(max_size=5), max_size=3)


@settings(max_examples=60)
@given(outputs=ANYTHING, references=ANYTHING | st.lists(ANYTHING, max_size=3))
def test_wrong_input_is_refused_with_our_error(tiny, outputs, references):
    try:
        said = str(BERTScore(encoder=tiny).corpus_score(None, outputs, references))
    except PlainwrightError as error:
        said = str(error)
    assert "\n" not in said


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of the packages that are compared with
class TestAgainstBertScore:
    """The package bert-score 0.3.13 on the same folder, all-MiniLM-L6-v2.

    transformers 5 has no `build_inputs_with_special_tokens`, which bert-score calls for empty text: it is put back.
    """

    OUTPUTS = (
        "He bought a car from his neighbour's son.",
        "",
        "The volcano has been quiet for 300 years!",
        "a [SEP] b [UNK] naïve 漢字",
        "   ",
        "Doctors say: walk every day.",
    )
    REFERENCES = (
        ("He purchased a vehicle from the son of his neighbour.", "He got a car.", "Cars are expensive."),
        ("Something was here.", "Nothing.", "Words"),
        ("For three centuries, the volcano has not erupted.", "", "The volcano sleeps."),
        ("a b naive", "c [SEP]", "c"),
        ("   ", "x", "y"),
        ("Physicians recommend daily walks.", "Walk every day, doctors say.", "Doctors say: walk every day."),
    )

    @pytest.fixture(scope="class")
    def folder(self):
        pytest.importorskip("torch")
        pytest.importorskip("bert_score")
        import torch
        import transformers

        torch.set_num_threads(1)  # more of them only wait for each other on a busy machine
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                transformers.BertTokenizer,
                "build_inputs_with_special_tokens",
                lambda self, ids: [self.cls_token_id, *ids, self.sep_token_id],
                raising=False,
            )
            from plainwright.encoders.packages import minilm_folder

            yield minilm_folder()

    @staticmethod
    def theirs(folder, outputs, references, **options):
        import bert_score

        # No pool of processes: a fork of a process with torch's threads may never end.
        found = bert_score.score(list(outputs), references, model_type=str(folder), nthreads=0, **options)
        return np.stack([100 * part.double().numpy() for part in found], axis=1)

    @staticmethod
    def ours(outputs, references, **options):
        metric = BERTScore(**options)
        parts = metric.parts_from_stats(metric.corpus_stats(None, outputs, references))
        return np.stack([parts[name] for name in PARTS], axis=1)

    @pytest.mark.parametrize("idf", [False, True])
    @pytest.mark.parametrize("number", [1, 3])
    def test_values(self, folder, idf, number, tmp_path):
        from plainwright.encoders.local import TorchEncoder

        encoder = TorchEncoder.open(folder, name="minilm")
        references = [list(group[:number]) for group in self.REFERENCES]
        theirs = self.theirs(folder, self.OUTPUTS, references, num_layers=6, idf=idf)
        ours = self.ours(self.OUTPUTS, references, encoder=encoder, idf=idf)
        # Where no piece of a reference has weight, theirs is not a number, and F1 is 0.
        assert ours == pytest.approx(np.nan_to_num(theirs), abs=1e-3)
        assert ours[0, 2] > ours[3, 2]

        baseline = tmp_path / "baseline.tsv"
        baseline.write_text("LAYER,P,R,F\n" + "".join(f"{n},{n / 10},{n / 11},{n / 12}\n" for n in range(7)))
        theirs = self.theirs(
            folder, self.OUTPUTS, references, num_layers=6, idf=idf,
            lang="en", rescale_with_baseline=True, baseline_path=str(baseline),
        )  # fmt: skip
        ours = self.ours(self.OUTPUTS, references, encoder=encoder, idf=idf, baseline=baseline)
        known = ~np.isnan(theirs)
        assert ours[known] == pytest.approx(theirs[known], abs=1e-3)

    def test_another_layer(self, folder):
        from plainwright.encoders.local import TorchEncoder

        references = [list(group) for group in self.REFERENCES]
        theirs = self.theirs(folder, self.OUTPUTS, references, num_layers=4)
        ours = self.ours(self.OUTPUTS, references, encoder=TorchEncoder.open(folder, layer=4))
        assert ours == pytest.approx(theirs, abs=1e-3)
        with pytest.raises(DataError, match="has layers 0 to 6, got layer 7"):
            TorchEncoder.open(folder, layer=7)

    def test_text_beyond_the_limit_is_cut_at_the_same_place(self, folder):
        outputs, references = ["word " * 520 + "end", "short"], [["A word at the end."], ["word " * 600]]
        theirs = self.theirs(folder, outputs, references, num_layers=6)
        assert self.ours(outputs, references, encoder="minilm") == pytest.approx(theirs, abs=1e-3)
