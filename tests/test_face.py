"""The Python face: what a newcomer types first, in a shell or a notebook."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from html.parser import HTMLParser

import pandas
import pytest

import plainwright
from plainwright.errors import LengthMismatchError, PlainwrightWarning
from plainwright.metrics import BLEU, SARI

MODEL = "examples/model"
SOURCES = ["They are required to purchase bread.", "It is an edifice."]
PLAIN = ["They must buy bread.", "It is a building."]


class Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.titles: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.titles += [value or "" for name, value in attributes if name == "title"]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_quotations_are_left_alone_unless_asked_for() -> None:
    text = 'The term "purchase" is hard.'
    assert plainwright.simplify(text, model=MODEL) == text
    assert plainwright.simplify(text, model=MODEL, quotes=True) == 'The term "buy" is hard.'


def test_packages_load_when_they_are_asked_for() -> None:
    code = "import plainwright, sys; assert 'numpy' not in sys.modules; print(plainwright.metrics.SARI().name)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "sari\n"
    assert {"metrics", "corpora", "evaluate"} <= set(dir(plainwright))
    with pytest.raises(AttributeError, match="no attribute 'metricks'"):
        plainwright.metricks  # noqa: B018


def test_simplify_gives_back_what_it_was_given() -> None:
    assert plainwright.simplify(SOURCES[0], MODEL) == PLAIN[0]
    assert plainwright.simplify(SOURCES, MODEL) == PLAIN
    assert plainwright.simplify([], MODEL) == []
    assert plainwright.simplify(tuple(SOURCES), MODEL, threads=2) == PLAIN
    series = plainwright.simplify(pandas.Series(SOURCES, index=["x", "y"], name="text"), MODEL)
    pandas.testing.assert_series_equal(series, pandas.Series(PLAIN, index=["x", "y"], name="text"))


def test_evaluate_scores_raw_text_as_the_command_line_does() -> None:
    found = plainwright.evaluate(PLAIN, sources=SOURCES, references=PLAIN[::-1], metrics=["sari", "bleu"])
    assert "tok:13a" in found.systems[0].scores["sari"].signature
    several = plainwright.evaluate({"a": PLAIN, "b": SOURCES}, sources=SOURCES, references=[[text] for text in PLAIN])
    assert [system.name for system in several.systems] == ["a", "b"]
    alone = plainwright.evaluate(PLAIN, metrics="fk")
    assert list(alone.systems[0].scores) == ["fk"]


def test_evaluate_warns_of_what_looks_wrong() -> None:
    with pytest.warns(PlainwrightWarning, match="looks raw"):
        plainwright.evaluate(SOURCES, references=["They must buy bread .", "It is a building ."], metrics="bleu")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plainwright.evaluate(PLAIN, sources=SOURCES, references=PLAIN, metrics="sari")


def test_lengths_that_do_not_fit_are_told() -> None:
    with pytest.raises(LengthMismatchError, match="got 2 outputs and 1 references"):
        plainwright.evaluate(PLAIN, references=["one"])
    with pytest.raises(LengthMismatchError, match="at least one system, got none"):
        plainwright.evaluate({})


def test_a_simplified_text_shows_its_edits_in_a_notebook() -> None:
    result = plainwright.load(MODEL).simplify("It is an edifice & a <b>. An edifice!")
    shown = Tags(result._repr_html_())
    assert shown.text == result.text
    assert any("edifice" in title for title in shown.titles)
    assert "<b>" not in result._repr_html_()
    table = result.to_pandas()
    assert list(table["target_text"]) == [edit.target_text for edit in result.edits]
    assert repr(result).startswith("SimplifiedText('It is a building & a")


def test_an_evaluation_is_a_table() -> None:
    found = plainwright.evaluate({"<a>": PLAIN, "b": SOURCES}, sources=SOURCES, references=PLAIN)
    assert found.to_pandas().loc["b", "bleu"] == found.systems[1].scores["bleu"].value
    per_sentence = found.to_pandas(per_sentence=True)
    assert per_sentence.index.names == ["system", "segment"]
    assert len(per_sentence) == 4
    assert "&lt;a&gt;" in found._repr_html_()
    assert found.systems[0].scores["sari"].signature in Tags(found._repr_html_()).titles
    assert "SARI" in str(found)
    assert found.to_dict()["systems"][0]["name"] == "<a>"
    assert repr(found) == "Evaluation(your texts: <a>, b; sari, bleu, fk, fkbleu, profile)"
    assert pickle.loads(pickle.dumps(found)).to_dict() == found.to_dict()


def test_metrics_say_their_settings() -> None:
    assert repr(SARI(variant="easse")).startswith("SARI(variant='easse'")
    assert "tok='13a'" in repr(BLEU())
