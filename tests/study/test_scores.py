"""Metric values of rated outputs, computed here or given in a file."""

import json
from dataclasses import replace

import numpy as np
import pytest

from plainwright import metrics
from plainwright.errors import DataError, ReferenceShapeError
from plainwright.evaluation import load_set
from plainwright.study.ratings import Rating, Ratings
from plainwright.study.scores import RatedOutputs, given_scores, read_scores, references_for, score_outputs

SOURCES = {"a": "The committee will commence the proceedings .", "b": "He purchased an automobile ."}
OUTPUTS = {
    ("a", "x"): "The committee will start the meeting .",
    ("a", "y"): "The committee starts .",
    ("b", "x"): "He bought a car .",
}
REFERENCES = {"a": ["The group will begin the meeting ."], "b": ["He bought a car .", "He got a car ."]}


def ratings(*, texts: bool = True, sources: bool = True) -> Ratings:
    return Ratings(
        tuple(
            Rating(
                item=item,
                system=system,
                rater=rater,
                aspect="simplicity",
                score=3,
                source=SOURCES[item] if sources else None,
                output=output if texts else None,
            )
            for (item, system), output in OUTPUTS.items()
            for rater in ("r1", "r2")
        )
    )


@pytest.fixture
def outputs() -> RatedOutputs:
    return RatedOutputs.of(ratings())


def test_texts_are_collected_and_gaps_stay_gaps(outputs):
    assert outputs.items == ("a", "b")
    assert outputs.systems == ("x", "y")
    assert outputs.outputs[1] == ("He bought a car .", None)
    assert outputs.present.tolist() == [[True, True], [True, False]]


@pytest.mark.parametrize("name", sorted(metrics.METRICS))
def test_values_are_those_of_the_metric(outputs, name):
    metric = metrics.create(name)
    scores = score_outputs(outputs, metric, REFERENCES)
    for i, item in enumerate(outputs.items):
        for j, system in enumerate(outputs.systems):
            if (item, system) not in OUTPUTS:
                assert np.isnan(scores.sentences[i, j])
                continue
            alone = metric.sentence_score(SOURCES[item], OUTPUTS[item, system], REFERENCES[item]).value
            assert scores.sentences[i, j] == pytest.approx(alone)
    both = metric.corpus_score(
        list(SOURCES.values()), [OUTPUTS["a", "x"], OUTPUTS["b", "x"]], list(REFERENCES.values())
    ).value
    assert scores.corpus()[0] == pytest.approx(both)


def test_a_weight_is_how_often_an_item_occurs(outputs):
    metric = metrics.create("bleu")
    scores = score_outputs(outputs, metric, REFERENCES)
    thrice = metric.corpus_score(
        None, [OUTPUTS["a", "x"]] + 3 * [OUTPUTS["b", "x"]], [REFERENCES["a"]] + 3 * [REFERENCES["b"]]
    )
    found = scores.corpus(np.array([[1.0, 3.0], [0.0, 2.0]]))
    assert found.shape == (2, 2)
    assert found[0, 0] == pytest.approx(thrice.value)
    assert np.isnan(found[1, 1])  # y has no output for b


def test_a_metric_that_is_better_when_lower_can_be_turned(outputs):
    scores = score_outputs(outputs, metrics.create("fk"))
    turned = scores.oriented()
    assert turned.name == "-fk"
    np.testing.assert_allclose(turned.corpus(), -scores.corpus())
    assert turned.oriented() is turned


def test_scores_can_be_put_in_another_order(outputs):
    scores = score_outputs(outputs, metrics.create("sari"), REFERENCES)
    other = scores.arranged(["b", "c", "a"], ["y", "x"])
    np.testing.assert_array_equal(other.sentences[2], scores.sentences[0][::-1])
    assert np.isnan(other.sentences[1]).all()


def test_ratings_without_texts_are_explained():
    with pytest.raises(DataError, match="without the texts that were rated"):
        RatedOutputs.of(ratings(texts=False))


def test_ratings_without_sources_serve_metrics_that_need_none():
    outputs = RatedOutputs.of(ratings(sources=False))
    assert np.isfinite(score_outputs(outputs, metrics.create("bleu"), REFERENCES).corpus()).all()
    with pytest.raises(DataError, match="sari compares with the source; the ratings have none for 'a' and 1 more"):
        score_outputs(outputs, metrics.create("sari"), REFERENCES)


def test_two_texts_of_one_output_are_refused():
    [first, second, *rest] = ratings().rows
    changed = Rating(item="a", system="x", rater="r2", aspect="simplicity", score=1, output="Something else .")
    with pytest.raises(DataError, match="item 'a', system 'x': expected one output in all its ratings"):
        RatedOutputs.of(Ratings((first, changed, *rest)))
    assert second.rater == "r2"


def test_of_a_source_in_nearly_the_same_words_the_usual_one_counts():
    [first, *rest] = ratings().rows
    spaced = replace(first, source=first.source.replace(" ", "  "))
    outputs = RatedOutputs.of(Ratings((spaced, *rest)))
    assert outputs.sources == RatedOutputs.of(ratings()).sources
    assert outputs.reworded == ("a",)
    with pytest.raises(DataError, match="item 'a': expected one source in all its ratings, found different ones"):
        RatedOutputs.of(Ratings((replace(first, source="Quite another sentence ."), *rest)))


def test_missing_references_are_named(outputs):
    with pytest.raises(ReferenceShapeError, match="none for 'b'; add them"):
        score_outputs(outputs, metrics.create("bleu"), {"a": REFERENCES["a"]})
    with pytest.raises(ReferenceShapeError, match="none are given"):
        score_outputs(outputs, metrics.create("bleu"))


def test_references_are_found_by_source_or_by_item(outputs, tmp_path):
    by_source = tmp_path / "source.tsv"
    by_source.write_text(f"{SOURCES['b'].upper()}\tHe bought a car .\nAnother .\tOther .\n")
    assert references_for(outputs, load_set(str(by_source))) == {"b": ("He bought a car .",)}
    by_item = tmp_path / "item.tsv"
    by_item.write_text("a\tThe group begins .\tThey begin .\nb\tHe bought a car .\n")
    found = references_for(outputs, load_set(str(by_item)))
    assert found == {"a": ("The group begins .", "They begin ."), "b": ("He bought a car .",)}


def test_a_source_with_two_lists_of_references_is_refused(outputs, tmp_path):
    file = tmp_path / "twice.tsv"
    file.write_text(f"{SOURCES['a']}\tOne .\n{SOURCES['a']}\tTwo .\n")
    with pytest.raises(DataError, match="item 'a' occurs twice"):
        references_for(outputs, load_set(str(file)))
    bare = tmp_path / "bare.tsv"
    bare.write_text("Only sources .\n")
    with pytest.raises(ReferenceShapeError, match="found no references"):
        references_for(outputs, load_set(str(bare)))


ROWS = [("a", "x", "lens", 1.5), ("a", "y", "lens", 2.5), ("b", "x", "lens", 3.5), ("z", "x", "lens", 9)]


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_values_from_a_file(tmp_path, ending):
    file = tmp_path / f"scores.{ending}"
    columns = ("item", "system", "metric", "value")
    if ending == "jsonl":
        file.write_text("".join(json.dumps(dict(zip(columns, row, strict=True))) + "\n" for row in ROWS))
    else:
        mark = "," if ending == "csv" else "\t"
        file.write_text("".join(mark.join(map(str, row)) + "\n" for row in [columns, *ROWS]))
    [scores] = read_scores(file, ratings())
    assert (scores.name, scores.signature, scores.unused) == ("lens", None, 1)
    np.testing.assert_array_equal(scores.sentences, [[1.5, 2.5], [3.5, np.nan]])
    np.testing.assert_array_equal(scores.corpus(), [2.5, 2.5])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item,system,metric\na,x,lens\n", "expected the columns item, system, metric, value, .* add value"),
        ("item,system,metric,value\n", "found only a header"),
        ("item,system,metric,value\na,x,lens,high\n", "scores.csv:2: expected a number for 'value', found 'high'"),
        ("item,system,metric,value\na,x,lens,nan\n", "expected a number for 'value', found 'nan'"),
        ("item,system,metric,value\na,x,lens,\n", "expected a number for 'value', found nothing; leave the row out"),
        ("item,system,metric,value\na,,lens,1\n", "scores.csv:2: expected a value for 'system', found nothing"),
        ("item,system,metric,value\na,x,lens,1\na,x,lens,2\n", "scores.csv:3: a second value of 'lens'"),
        ("item,system,metric,value\nA,X,lens,1\n", "belong to no rated output: they are of items such as 'A'"),
    ],
)
def test_what_is_wrong_in_a_file_is_said(tmp_path, text, message):
    file = tmp_path / "scores.csv"
    file.write_text(text)
    with pytest.raises(DataError, match=message):
        read_scores(file, ratings())


def test_given_scores_need_one_rated_output():
    with pytest.raises(DataError, match="the ratings of 'a' and 'x'"):
        given_scores("lens", {("q", "x"): 1.0}, items=["a"], systems=["x"])
