"""Each public function, given another kind of thing than it takes, says what it takes in one sentence."""

from __future__ import annotations

import importlib
import inspect
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plainwright
from plainwright import check, corpora, decode, evaluation, grammar, lm, metrics, report, reproduce, rewrite, text, tune
from plainwright.errors import ArgumentTypeError, UnknownNameError
from plainwright.report import study as study_report
from plainwright.rewrite import choose
from plainwright.study import agreement, correlation, ratings, tradeoff
from plainwright.text import edits

PACKAGES = (
    "plainwright",
    "plainwright.check",
    "plainwright.corpora",
    "plainwright.decode",
    "plainwright.evaluation",
    "plainwright.grammar",
    "plainwright.lm",
    "plainwright.metrics",
    "plainwright.report",
    "plainwright.report.study",
    "plainwright.study.agreement",
    "plainwright.study.correlation",
    "plainwright.study.ratings",
    "plainwright.study.tradeoff",
    "plainwright.reproduce",
    "plainwright.rewrite",
    "plainwright.rewrite.choose",
    "plainwright.text",
    "plainwright.text.edits",
    "plainwright.tune",
)
NOTHING_TO_CHECK = {"reasons", "write_table"}  # take what others of their package return

SARI = metrics.SARI()
STATS = SARI.corpus_stats(["a b"], ["a c"], [["a d"]])
TARGET = evaluation.EvaluationSet(name=None, label="toy", segments=1, sources=("a",))
OBJECTIVE = tune.Objective([(1.0, SARI)])
TUNING = tune.TuningSet(sources=("a",), references=(("b",),))
LIST = ["The cat.", "A dog."]
MODEL = plainwright.load(Path(__file__).parents[1] / "examples" / "model")
RATINGS = ratings.Ratings(())
STREAM = io.StringIO()

# Function -> calls with a wrong argument, and what is said of each.
CALLS: dict[str, list[tuple[Callable[[], Any], str]]] = {
    "plainwright.simplify": [
        (lambda: plainwright.simplify([*LIST, 3]), "text as a list of strings, got an int at position 2"),
        (lambda: plainwright.simplify(None), "simplify takes text as a string or a list of strings, got None"),
        (lambda: plainwright.simplify(b"The cat."), "takes text as a string or a list of strings, got bytes"),
        (lambda: plainwright.simplify("The cat.", 3), "simplify takes model as a path, got an int"),
        (lambda: plainwright.simplify("The cat.", keep=3), "simplify takes keep as a list of strings, got an int"),
        (
            lambda: plainwright.simplify("The cat.", keep=["a", 3]),
            "keep as a list of strings, got an int at position 1",
        ),
        (lambda: plainwright.simplify("The cat.", strength="bold"), "strength as a number from -1 to 1, got a string"),
    ],
    "plainwright.evaluate": [
        (lambda: plainwright.evaluate("a b"), "evaluate takes outputs as a list of strings, got a string"),
        (lambda: plainwright.evaluate(["a"], references="a"), "evaluate takes references as a list with a string, or"),
        (lambda: plainwright.evaluate(["a"], references=3), "evaluate takes references as a list with a string, or"),
        (lambda: plainwright.evaluate(["a"], sources=3), "evaluate takes sources as a list of strings, got an int"),
    ],
    "evaluation.evaluate_texts": [
        (lambda: evaluation.evaluate_texts(3), "evaluate takes outputs as a list of strings, got an int"),
    ],
    "plainwright.load": [
        (lambda: plainwright.load(LIST), "load takes model as a path, got a list"),
        (lambda: plainwright.load(strength=None), "load takes strength as a number from -1 to 1, got None"),
    ],
    "check.check_text": [
        (lambda: check.check_text(LIST), "check_text takes text as a string, got a list; for several texts call it"),
        (lambda: check.check_text("a", select="passive"), "select as a list of strings, got a string; put it into a"),
        (lambda: check.check_text("a", ignore=[3]), "check_text takes ignore as a list of strings, got an int"),
        (lambda: check.check_text("a", words=3), "check_text takes words as a list of paths, got an int"),
        (lambda: check.check_text("a", sentence_words="25"), "sentence_words as a number of words, got a string"),
    ],
    "check.check_blocks": [
        (lambda: check.check_blocks("a"), "takes blocks as a list of blocks, got a string; for a text call check_text")
    ],
    "check.check_document": [
        (lambda: check.check_document("a.md", "a"), "document as a document, as read_document returns it, got a string")
    ],
    "check.level_name": [
        (lambda: check.level_name("B1"), "level_name takes value as a number from 1 to 6, got a string")
    ],
    "text.count_line_syllables": [
        (lambda: text.count_line_syllables(3), "takes lines as a list of strings, got an int")
    ],
    "text.count_syllables": [(lambda: text.count_syllables(None), "count_syllables takes word as a string, got None")],
    "text.ptb_detokenize": [
        (lambda: text.ptb_detokenize(3), "takes tokens as a string or a list of tokens, got an int"),
        (lambda: text.ptb_detokenize(["a", 3]), "takes tokens as a list of strings, got an int at position 1"),
    ],
    "text.ptb_tokenize": [
        (lambda: text.ptb_tokenize(LIST), "takes text as a string, got a list; call it once for each")
    ],
    "text.quotation_spans": [
        (lambda: text.quotation_spans(LIST), "quotation_spans takes text as a string, got a list")
    ],
    "text.readability_counts": [
        (lambda: text.readability_counts(LIST), "for several texts call readability_counts_lines")
    ],
    "text.readability_counts_lines": [
        (
            lambda: text.readability_counts_lines("abc"),
            "takes lines as a list of strings, got a string; put it into a list",
        ),
    ],
    "text.sentence_spans": [(lambda: text.sentence_spans(LIST), "sentence_spans takes text as a string, got a list")],
    "text.split_sentences": [
        (lambda: text.split_sentences(LIST), "split_sentences takes text as a string, got a list")
    ],
    "text.takes_an": [(lambda: text.takes_an(None), "takes_an takes text as a string, got None")],
    "text.tokenize": [
        (
            lambda: text.tokenize(LIST),
            "tokenize takes line as a string, got a list; for several lines call tokenize_lines",
        ),
    ],
    "text.tokenize_lines": [
        (lambda: text.tokenize_lines({"a": 1}), "tokenize_lines takes lines as a list of strings, got a dict"),
        (
            lambda: text.tokenize_lines(["a", None]),
            "tokenize_lines takes lines as a list of strings, got None at position 1",
        ),
    ],
    "metrics.create": [(lambda: metrics.create(SARI), "create takes name as a string, got a SARI")],
    "metrics.register": [
        (
            lambda: metrics.register("sari"),
            "register takes metric as a class on plainwright.metrics.Metric, got a string",
        ),
    ],
    "reproduce.reproduce": [(lambda: reproduce.reproduce(3), "reproduce takes name as a string, got an int")],
    "rewrite.Simplifier": [
        (lambda: MODEL.simplify(5), "Simplifier.simplify takes text as a string, got an int"),
        (lambda: MODEL.simplify(LIST), "takes text as a string, got a list; simplify_all takes several"),
        (lambda: MODEL.simplify_all("a"), "simplify_all takes texts as a list of strings, got a string"),
    ],
    "rewrite.chooser": [(lambda: rewrite.chooser(3), "chooser takes name as a string, got an int")],
    "rewrite.find_model": [(lambda: rewrite.find_model(3), "takes model as a path, got an int")],
    "rewrite.load": [(lambda: rewrite.load(3), "load takes model as a path, got an int")],
    "rewrite.load_once": [(lambda: rewrite.load_once(3), "takes model as a path, got an int")],
    "rewrite.open_bundle": [(lambda: rewrite.open_bundle("m"), "takes bundle as a ModelBundle, as ModelBundle.load")],
    "rewrite.protected_tokens": [
        (lambda: rewrite.protected_tokens(3, [], rewrite.Protection()), "takes text as a string, got an int"),
    ],
    "rewrite.scfg_pipeline": [
        (lambda: rewrite.scfg_pipeline("g", weights={}), "takes grammars as a list of PackedGrammar objects, got a"),
        (
            lambda: rewrite.scfg_pipeline([], weights={}, strength="x"),
            "strength as a number from -1 to 1, got a string",
        ),
    ],
    "rewrite.choose.chooser": [(lambda: choose.chooser(3), "chooser takes name as a string, got an int")],
    "metrics.metric_class": [(lambda: metrics.metric_class(None), "metric_class takes name as a string, got None")],
    "metrics.bootstrap_interval": [
        (
            lambda: metrics.bootstrap_interval("sari", STATS),
            'takes metric as a Metric, such as create("sari"), got a string',
        ),
        (
            lambda: metrics.bootstrap_interval(SARI, [1, 2]),
            "takes stats as an array with a row for each segment, as Metric",
        ),
    ],
    "metrics.bootstrap_intervals": [
        (
            lambda: metrics.bootstrap_intervals([STATS]),
            "takes scored as a list of pairs (metric, statistics), got a list",
        ),
        (lambda: metrics.bootstrap_intervals(3), "takes scored as a list of pairs (metric, statistics), got an int"),
    ],
    "metrics.paired_bootstrap": [
        (lambda: metrics.paired_bootstrap(SARI, STATS, "x"), "paired_bootstrap takes second as an array with a row"),
    ],
    "metrics.randomisation": [
        (lambda: metrics.randomisation(SARI, STATS[0], STATS), "randomisation takes first as an array with a row"),
    ],
    "lm.pack": [
        (lambda: lm.pack(LIST, "x"), "pack takes source as a path, got a list"),
        (lambda: lm.pack("x", None), "pack takes target as a path, got None"),
    ],
    "lm.read_arpa": [(lambda: lm.read_arpa(None), "read_arpa takes path as a path, got None")],
    "lm.unpack": [(lambda: lm.unpack(3, "x"), "unpack takes source as a path, got an int")],
    "lm.write_model": [
        (lambda: lm.write_model("x", "y"), "takes model as a model, as read_arpa returns it, got a string")
    ],
    "lm.LanguageModel.open": [(lambda: lm.LanguageModel.open(None), "LanguageModel.open takes path as a path")],
    "grammar.pack_files": [
        (
            lambda: grammar.pack_files("rules.txt", "x"),
            "pack_files takes paths as a list of paths, got a string; put it",
        ),
    ],
    "grammar.pack_rules": [
        (
            lambda: grammar.pack_rules(["[X] ||| a"], "x.pack"),
            "takes each rule as a Rule, as parse_rule returns it, got a",
        ),
    ],
    "grammar.parse_rule": [(lambda: grammar.parse_rule(b"[X]"), "parse_rule takes line as a string, got bytes")],
    "grammar.parse_source": [(lambda: grammar.parse_source(LIST), "parse_source takes text as a string, got a list")],
    "grammar.read_rules": [(lambda: grammar.read_rules(LIST), "read_rules takes path as a path, got a list")],
    "grammar.write_rules": [
        (lambda: grammar.write_rules(STREAM, 3), "write_rules takes rules as a list of rules, got an int")
    ],
    "grammar.PackedGrammar": [(lambda: grammar.PackedGrammar(None), "PackedGrammar takes path as a path")],
    "decode.analyses_of_tags": [
        (
            lambda: decode.analyses_of_tags(["DT NN"]),
            "takes tags as a list with a list of tags for each sentence, got a list",
        ),
    ],
    "rewrite.choose.best_by_metric": [
        (
            lambda: choose.best_by_metric("a", "b", [1.0], metric=SARI),
            "candidates as a list of strings, got a string; put",
        ),
        (
            lambda: choose.best_by_metric("a", ["b"], [1.0], metric="sari"),
            "takes the metric as a Metric, such as create",
        ),
    ],
    "rewrite.choose.expected_utilities": [
        (
            lambda: choose.expected_utilities("a", ["b"], 1.0, utility=SARI),
            "takes scores as a list of numbers, one for each",
        ),
    ],
    "rewrite.choose.minimum_bayes_risk": [
        (lambda: choose.minimum_bayes_risk(LIST, ["b"], [1.0], utility=SARI), "takes source as a string, got a list"),
    ],
    "rewrite.choose.most_dissimilar": [
        (
            lambda: choose.most_dissimilar("a", "b"),
            "most_dissimilar takes candidates as a list of strings, got a string",
        ),
    ],
    "decode.word_analyses": [
        (
            lambda: decode.word_analyses("tagger.pack", [["a"]]),
            "takes tagger as a Tagger, as Tagger.open returns it, got a",
        ),
    ],
    "evaluation.check_outputs": [
        (
            lambda: evaluation.check_outputs(LIST, TARGET),
            "check_outputs takes outputs as a mapping from the name of each",
        ),
    ],
    "evaluation.detect": [
        (lambda: evaluation.detect("abc"), "detect takes lines as a list of strings, got a string; put it")
    ],
    "evaluation.evaluate": [
        (
            lambda: evaluation.evaluate("asset/test", {}),
            "evaluate takes target as an EvaluationSet, as load_set returns it",
        ),
        (
            lambda: evaluation.evaluate(TARGET, LIST),
            "takes outputs as a mapping from the name of each system to its list",
        ),
        (
            lambda: evaluation.evaluate(TARGET, {"x": "a"}),
            "takes outputs['x'] as a list of strings, got a string; put it into",
        ),
    ],
    "evaluation.load_set": [(lambda: evaluation.load_set(None), "load_set takes name as a string, got None")],
    "evaluation.metric_and_variant": [
        (lambda: evaluation.metric_and_variant(3), "takes column as a string, got an int")
    ],
    "evaluation.metrics_for": [
        (
            lambda: evaluation.metrics_for("sari", evaluation.EvaluationSettings(), None),
            "metrics_for takes names as a list of strings",
        ),
    ],
    "evaluation.pseudo_references": [
        (lambda: evaluation.pseudo_references("mine", "A cat.", {}), "takes lines as a list of strings, got a string"),
        (
            lambda: evaluation.pseudo_references("mine", ["A cat."], [["A dog."]]),
            "takes pseudo as the outputs of systems by name, got a list",
        ),
    ],
    "evaluation.read_outputs": [
        (
            lambda: evaluation.read_outputs("a.txt", TARGET),
            "takes named as a list of strings, got a string; put it into a list",
        ),
        (
            lambda: evaluation.read_outputs(["a.txt"], "source.txt"),
            "read_outputs takes target as an EvaluationSet, as load_set",
        ),
    ],
    "evaluation.read_set_files": [
        (
            lambda: evaluation.read_set_files(None, "a.txt"),
            "takes references as a list of paths, got a string; put it into a",
        ),
        (lambda: evaluation.read_set_files(LIST, []), "read_set_files takes source as a path, got a list"),
    ],
    "evaluation.read_texts": [
        (lambda: evaluation.read_texts("a.txt"), "read_texts takes named as a list of strings, got a str")
    ],
    "corpora.directories": [(lambda: corpora.directories(3), "corpora takes data as a path, got an int")],
    "corpora.fetch": [(lambda: corpora.fetch(LIST), "corpora takes a corpus as its name or its Card, got a list")],
    "corpora.find": [
        (lambda: corpora.find("x"), "find takes entry as a FileEntry, as in the files of a Card, got a string")
    ],
    "corpora.get": [(lambda: corpora.get(None), "corpora.get takes name as a string, got None")],
    "corpora.load": [(lambda: corpora.load(None), "corpora takes a corpus as its name or its Card, got None")],
    "corpora.load_outputs": [
        (lambda: corpora.load_outputs(3), "corpora takes a corpus as its name or its Card, got an int")
    ],
    "corpora.load_words": [
        (lambda: corpora.load_words(None), "corpora takes a corpus as its name or its Card, got None")
    ],
    "corpora.locate": [(lambda: corpora.locate(LIST), "corpora takes a corpus as its name or its Card, got a list")],
    "corpora.verify": [(lambda: corpora.verify(LIST), "corpora takes a corpus as its name or its Card, got a list")],
    "report.render": [
        (lambda: report.render("x"), "render takes evaluation as an Evaluation, as evaluate returns it, got a")
    ],
    "report.study.gather": [
        (lambda: study_report.gather("x"), "gather takes ratings as Ratings, as read_ratings returns them")
    ],
    "report.study.render": [
        (lambda: study_report.render(None), "render takes results as a StudyReport, as gather returns it")
    ],
    "study.agreement.aspect_agreement": [
        (lambda: agreement.aspect_agreement("x", "y"), "takes ratings as Ratings, as read")
    ],
    "study.agreement.cohen_kappa": [
        (
            lambda: agreement.cohen_kappa("x", "y"),
            "takes first as an array of numbers by output, or by item and system, got",
        ),
    ],
    "study.agreement.krippendorff_alpha": [
        (
            lambda: agreement.krippendorff_alpha([1, 2]),
            "takes scores as an array of numbers by item and rater, or by item,",
        ),
    ],
    "study.agreement.pairwise_correlations": [
        (
            lambda: agreement.pairwise_correlations(STATS),
            "takes cube as a Cube, as Ratings.cube returns it, got an ndarray",
        ),
    ],
    "study.agreement.repeated_kappa": [
        (
            lambda: agreement.repeated_kappa(None, ratings.Scale(0, 4, 1)),
            "takes scores as an array of numbers by item and",
        ),
    ],
    "study.correlation.correlate_metrics": [
        (
            lambda: correlation.correlate_metrics(3, []),
            "takes ratings as Ratings, as read_ratings returns them, got an",
        ),
        (
            lambda: correlation.correlate_metrics(RATINGS, "sari"),
            "takes scores as a list of MetricScores, as score_outputs returns them, got a string",
        ),
        (
            lambda: correlation.correlate_metrics(RATINGS, SARI),
            "takes scores as a list of MetricScores, as score_outputs returns them, got a SARI",
        ),
    ],
    "study.tradeoff.tradeoff": [
        (
            lambda: tradeoff.tradeoff(3, "a", "b"),
            "tradeoff takes ratings as Ratings, as read_ratings returns them, got",
        ),
        (lambda: tradeoff.tradeoff(RATINGS, 3, "b"), "tradeoff takes first as a string, got an int"),
        (lambda: tradeoff.tradeoff(RATINGS, "a", ["b"]), "tradeoff takes second as a string, got a list"),
    ],
    "text.edits.align_words": [
        (lambda: edits.align_words("a b", ()), "takes source as a list of Words, as words_of returns them, got a"),
        (lambda: edits.align_words((), 3), "takes output as a list of Words, as words_of returns them, got an int"),
    ],
    "text.edits.apply_edits": [
        (lambda: edits.apply_edits(LIST, []), "apply_edits takes source as a string, got a list"),
        (
            lambda: edits.apply_edits("a", 3),
            "takes edits as a list of TextEdits, as edits_between returns them, got an",
        ),
        (lambda: edits.apply_edits("a", ["b"]), "as edits_between returns them, got a string at position 0"),
    ],
    "text.edits.edits_between": [
        (lambda: edits.edits_between("a", LIST), "edits_between takes output as a string, got a list"),
        (lambda: edits.edits_between(None, None), "edits_between takes source as a string, got None"),
    ],
    "text.edits.edits_of_alignment": [
        (lambda: edits.edits_of_alignment(3, "a", [], [], []), "takes source as a string, got an int"),
    ],
    "text.edits.undo_edits": [
        (lambda: edits.undo_edits("ab", {0}), "takes edits as a list of TextEdits, as edits_between returns them"),
    ],
    "text.edits.word_blocks": [(lambda: edits.word_blocks(3, "a"), "takes source as a list of words, got an int")],
    "text.edits.words_of": [(lambda: edits.words_of(LIST), "words_of takes text as a string, got a list")],
    "study.ratings.file_format": [(lambda: ratings.file_format(3), "takes its file as a path, got an int")],
    "study.ratings.own_scales": [
        (lambda: ratings.own_scales(LIST), "takes ratings as Ratings, as read_ratings returns them")
    ],
    "study.ratings.read_ratings": [(lambda: ratings.read_ratings(3), "read_ratings takes source as a path, got")],
    "study.ratings.standardised": [
        (lambda: ratings.standardised("x"), "takes ratings as Ratings, as read_ratings returns")
    ],
    "study.ratings.summarise": [
        (lambda: ratings.summarise("x"), "summarise takes ratings as Ratings, as read_ratings")
    ],
    "study.ratings.zero_variance_raters": [
        (lambda: ratings.zero_variance_raters(None), "zero_variance_raters takes ratings as Ratings, as read_ratings")
    ],
    "study.ratings.write_ratings": [
        (lambda: ratings.write_ratings("x", "y"), "write_ratings takes ratings as Ratings, as")
    ],
    "tune.objective_of": [
        (
            lambda: tune.objective_of("a", TUNING, OBJECTIVE),
            "objective_of takes outputs as a list of strings, got a string",
        ),
    ],
    "tune.tune": [
        (
            lambda: tune.tune("x", TUNING, objective=OBJECTIVE, optimiser=None, features=[], weights=[]),
            "tune takes decode as a function of weights and sources, got a string",
        ),
    ],
}


@pytest.mark.parametrize(
    ("call", "sentence"),
    [pytest.param(*case, id=f"{name}-{number}") for name, cases in CALLS.items() for number, case in enumerate(cases)],
)
def test_a_wrong_argument_is_answered_with_what_the_function_takes(
    call: Callable[[], Any], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ArgumentTypeError, match=re.escape(sentence)) as found:
        call()
    assert isinstance(found.value, TypeError | ValueError)  # whichever somebody catches
    assert "\n" not in str(found.value)
    assert not list(tmp_path.iterdir())


def test_no_public_function_is_forgotten() -> None:
    functions = {
        f"{package.removeprefix('plainwright.')}.{name}"
        for package in PACKAGES
        for name in importlib.import_module(package).__all__
        if inspect.isfunction(function := getattr(importlib.import_module(package), name))
        if any(p.kind is p.POSITIONAL_OR_KEYWORD for p in inspect.signature(function).parameters.values())
        if name not in NOTHING_TO_CHECK
    }
    assert functions <= set(CALLS)


@pytest.mark.parametrize("metric", metrics.METRICS)
@pytest.mark.parametrize(
    ("sources", "outputs", "references", "problem"),
    [
        (["a", "b"], 3, [["a"], ["b"]], "outputs must be a list with one entry per segment, got an int"),
        (["a", "b"], None, [["a"], ["b"]], "outputs must be a list with one entry per segment, got None"),
        (
            ["a", "b"],
            (word for word in "ab"),
            [["a"], ["b"]],
            "outputs must be a list with one entry per segment, got a g",
        ),
        (["a", "b"], ["a", None], [["a"], ["b"]], "outputs[1] must be a string, got None"),
        (["a", "b"], ["a", ["b"]], [["a"], ["b"]], "outputs[1] must be a string, got a list"),
    ],
)
def test_every_metric_names_what_is_no_text(
    metric: str, sources: Any, outputs: Any, references: Any, problem: str
) -> None:
    with pytest.raises(ArgumentTypeError, match=re.escape(f"{metric}: {problem}")):
        metrics.create(metric).corpus_score(sources, outputs, references)


def test_columns_of_a_data_frame_are_lists_of_texts() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"source": ["a b", "c d"], "output": ["a", "c e"]}, index=[5, 9])
    references = [["a"], ["c"]]
    listed = SARI.corpus_score(list(frame["source"]), list(frame["output"]), references)
    assert SARI.corpus_score(frame["source"], frame["output"], references) == listed
    assert text.tokenize_lines(frame["output"]) == ["a", "c e"]
    assert list(plainwright.simplify(frame["output"])) == ["a", "c e"]


@pytest.mark.parametrize("call", [plainwright.simplify, plainwright.evaluate, text.tokenize_lines])
def test_a_data_frame_is_no_list_of_its_column_names(call: Callable[[Any], Any]) -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(ArgumentTypeError, match="a list of strings, got a DataFrame; pass one of its columns"):
        call(pandas.DataFrame({"source": ["a b"]}))


def test_scores_may_be_lists_of_numbers() -> None:
    lists = [[1.0, 2.0], [2.0, 2.0], [4.0, 3.0], [4.0, 4.0]]
    assert agreement.krippendorff_alpha(lists) == agreement.krippendorff_alpha(np.array(lists))


@pytest.mark.parametrize("value", [None, 3, ["13a"], np.array(["13a", "intl"])])
def test_a_choice_that_is_no_name_is_an_unknown_name(value: Any) -> None:
    with pytest.raises(UnknownNameError, match=r"unknown tokenizer .*; choose one of 13a, intl, none"):
        text.tokenize("a", value)
