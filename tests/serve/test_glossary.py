"""What the writer's page is told of hard words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.rate.serving import served
from tests.small_wordnet import write_glosses

from plainwright.errors import DataError
from plainwright.serve.app import create_app
from plainwright.serve.glossary import Glossary, open_glossary
from plainwright.serve.settings import ServeSettings
from plainwright.serve.work import Work
from plainwright.text import wordnet

httpx = pytest.importorskip("httpx")


@pytest.fixture
def glossary(tmp_path: Path, model: Path) -> Glossary:
    found = open_glossary(write_glosses(tmp_path), model)
    assert found is not None
    return found


def words(glossary: Glossary, *texts: str) -> list[str]:
    return [entry["word"] for entry in glossary.entries(texts, set())]


def test_rare_words_have_an_entry_and_common_ones_none(glossary):
    assert glossary.entries(["The bailiffs left the harbour."], set()) == [
        {"word": "bailiffs", "lemma": "bailiff", "part": "noun", "gloss": "one who guards a court"}
    ]


def test_a_word_is_told_once(glossary):
    known: set[str] = set()
    assert len(glossary.entries(["A culvert. The Culvert, a culvert.", "culvert"], known)) == 1
    assert glossary.entries(["One more culvert."], known) == []


def test_names_are_no_hard_words(glossary):
    assert words(glossary, "They met Anna Culvert there.") == []


def test_quirks_of_text_are_no_trouble(glossary):
    assert words(glossary, "", "\ud800 culvert", "…", "culvert\n\nconverge") == ["culvert", "converge"]


def test_the_part_of_speech_is_that_of_the_sentence(tmp_path):
    glossary = open_glossary(write_glosses(tmp_path), None)  # the model that is shipped has a tagger
    assert glossary.entries(["The lanes converge."], set())[0]["part"] == "verb"


def test_without_wordnet_there_is_no_glossary(monkeypatch, model):
    monkeypatch.setattr(wordnet, "_PLACES", ())
    assert open_glossary(None, model) is None


def test_a_directory_that_was_named_must_have_it(tmp_path, model):
    with pytest.raises(DataError, match="files of WordNet"):
        Work(ServeSettings(model=model, wordnet=tmp_path))


def test_reviews_of_texts_and_documents_carry_glosses(tmp_path, model):
    work = Work(ServeSettings(model=model, wordnet=write_glosses(tmp_path)))
    text = "They purchase a culvert."
    with served(create_app(work)) as address, httpx.Client(base_url=address) as client:
        of_text = client.post("/review", json={"text": text}).text
        of_document = client.post("/review/document?name=a.md", content=text).text
    for answer in (of_text, of_document):
        assert [entry["word"] for entry in json.loads(answer.split("\n")[0])["glosses"]] == ["culvert"]
    work.close()
