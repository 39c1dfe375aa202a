"""The component of a spaCy pipeline, with a small model written by hand."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("spacy")

import spacy
from spacy.tokens import Doc, DocBin
from tests.toy_model import write_model

from plainwright.errors import DataError
from plainwright.integrations.spacy import StoredEvidence
from plainwright.rewrite import load
from plainwright.tables import tomllib

RULES = """\
[JJ] ||| principal ||| main ||| good=3 ||| 0-0
[VB] ||| purchase ||| buy ||| good=3 ||| 0-0
[IN] ||| in order to ||| to ||| good=3 ||| 2-0
"""
TEXT = "🙂 They purchase the gate.\n\nThe principal road is closed in order to mend it."
PLAIN = "🙂 They buy the gate.\n\nThe main road is closed to mend it."
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_model(tmp_path_factory.mktemp("model"), RULES))


@pytest.fixture(scope="module")
def nlp(model: str):
    return pipeline(model)


def pipeline(model: str | None, **settings: object):
    nlp = spacy.blank("en")
    nlp.add_pipe("plainwright", config={"model": model, **settings})
    return nlp


def test_a_document_has_its_text_in_plainer_words(nlp) -> None:
    doc = nlp(TEXT)
    assert doc.text == TEXT
    assert doc._.plainwright.text == PLAIN
    assert [edit.source_text for edit in doc._.plainwright.edits] == ["purchase", "principal", " in order"]


def test_the_result_is_that_of_the_simplifier(nlp, model: str) -> None:
    assert nlp(TEXT)._.plainwright == load(model).simplify(TEXT)


def test_edits_are_spans_of_the_document(nlp) -> None:
    doc = nlp(TEXT)
    assert [(span.text, span.label_) for span in doc.spans["plainwright"]] == [
        ("purchase", "replace"),
        ("principal", "replace"),
        ("in order", "delete"),
    ]


def test_a_span_knows_the_edits_that_touch_it(nlp) -> None:
    doc = nlp(TEXT)
    road = doc.char_span(TEXT.index("principal road"), TEXT.index(" is closed"))
    assert [edit.target_text for edit in road._.plainwright] == ["main"]
    assert doc[:2]._.plainwright == ()
    assert nlp.make_doc("They purchase it.")[:]._.plainwright == ()


def test_documents_in_batches_come_back_as_one_by_one(nlp) -> None:
    texts = [TEXT, "", "  ", "They purchase it.", "Nothing here."] * 3
    alone = [nlp(text)._.plainwright for text in texts]
    for batch_size in (1, 2, 100):
        assert [doc._.plainwright for doc in nlp.pipe(texts, batch_size=batch_size)] == alone


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_documents_come_back_from_other_processes(nlp) -> None:
    docs = list(nlp.pipe([TEXT, "They purchase it."], n_process=2, batch_size=1))
    assert [doc._.plainwright.text for doc in docs] == [PLAIN, "They buy it."]


def test_settings_are_those_of_simplify(model: str) -> None:
    keeping = pipeline(model, keep=["in order to", "principal"])
    assert keeping(TEXT)._.plainwright.text == TEXT.replace("purchase", "buy")
    assert pipeline(model, max_grade=20.0)(TEXT)._.plainwright.text == TEXT
    quoted = "They said “we purchase it” again."
    assert pipeline(model)(quoted)._.plainwright.text == quoted
    assert pipeline(model, quotes=True)(quoted)._.plainwright.text == quoted.replace("purchase", "buy")


def test_a_document_keeps_its_result_in_bytes(nlp) -> None:
    doc = nlp(TEXT)
    read = Doc(nlp.vocab).from_bytes(doc.to_bytes())._.plainwright
    assert json.dumps(read.to_dict()) == json.dumps(doc._.plainwright.to_dict())
    assert isinstance(read.edits[0].evidence[0], StoredEvidence)
    assert str(read.edits[0].evidence[0]) == str(doc._.plainwright.edits[0].evidence[0])
    box = DocBin(store_user_data=True, docs=[doc])
    (again,) = DocBin().from_bytes(box.to_bytes()).get_docs(nlp.vocab)
    assert again._.plainwright.text == PLAIN
    assert again._.plainwright.without({0}).text.startswith("🙂 They purchase")


def test_other_values_in_a_document_are_written_as_before(nlp) -> None:
    doc = nlp.make_doc("Some words.")
    doc.user_data["mine"] = {"a": [1, 2.5, None], "b": b"bytes"}
    assert Doc(nlp.vocab).from_bytes(doc.to_bytes()).user_data["mine"] == doc.user_data["mine"]


def test_pipelines_and_documents_can_be_pickled(nlp) -> None:
    doc = nlp(TEXT)
    assert pickle.loads(pickle.dumps(doc))._.plainwright == doc._.plainwright
    assert pickle.loads(pickle.dumps(nlp))(TEXT)._.plainwright == doc._.plainwright


def test_a_pipeline_on_disk_takes_its_lists_of_words_along(tmp_path: Path) -> None:
    words = tmp_path / "house.tsv"
    words.write_text("hard\tkind\tplain\twhen\nwidget\tnoun\tpart\t\n", encoding="utf-8")
    nlp = pipeline(None, words=[str(words)])
    nlp.to_disk(tmp_path / "saved")
    words.unlink()
    read = spacy.load(tmp_path / "saved")
    result = read("The widget broke.")._.plainwright
    assert result.text == "The part broke."
    assert "house.tsv" in str(result.edits[0].evidence[0])
    read.to_disk(tmp_path / "saved")  # over the lists that it reads from
    assert spacy.load(tmp_path / "saved")("The widget broke.")._.plainwright.text == "The part broke."


def test_other_languages_are_refused_in_one_sentence() -> None:
    with pytest.raises(DataError, match=r"expected a pipeline for English .* found 'de'"):
        spacy.blank("de").add_pipe("plainwright")


def test_what_fails_goes_to_the_handler_of_errors(tmp_path: Path) -> None:
    nlp = pipeline(str(tmp_path / "nowhere"))
    with pytest.raises(DataError, match="nowhere"):
        nlp("They purchase it.")
    failed: list[str] = []
    nlp.set_error_handler(lambda name, component, docs, error: failed.extend(doc.text for doc in docs))
    assert list(nlp.pipe(["They purchase it.", "And this."])) == []
    assert failed == ["They purchase it.", "And this."]


def test_spacy_finds_the_component_by_its_entry_point(tmp_path: Path) -> None:
    """As for a user, who imports nothing of ours; the entry is that of this tree, whatever is installed."""
    entries = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    installed = tmp_path / "found_by_spacy-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: found-by-spacy\nVersion: 1\n")
    lines = [f"{name} = {target}\n" for name, target in entries["spacy_factories"].items()]
    (installed / "entry_points.txt").write_text("[spacy_factories]\n" + "".join(lines))
    program = (
        "import spacy; nlp = spacy.blank('en'); nlp.add_pipe('plainwright'); "
        "print(nlp('We utilise it prior to lunch.')._.plainwright.text)"
    )
    path = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "We use it before lunch.\n"
