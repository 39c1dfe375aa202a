"""`/v1/documents`: a file in, a file out."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from tests.serve.conftest import LIMIT

MARKDOWN = "# The principal gate\n\nThey `purchase` **and** purchase 🙂 it.\n"


def send(client, data: bytes, path: str = "/v1/documents", **parameters):
    return client.post(path, params=parameters, content=data)


def word(*paragraphs: str) -> bytes:
    """A Word document, made by another program."""
    docx = pytest.importorskip("docx")
    document = docx.Document()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def body_of(data: bytes) -> str:
    return zipfile.ZipFile(io.BytesIO(data)).read("word/document.xml").decode()


def test_a_document_comes_back_in_its_format(client):
    done = send(client, MARKDOWN.encode(), name="some/notes é.md")
    assert done.content.decode() == "# The main gate\n\nThey `purchase` **and** buy 🙂 it.\n"
    assert done.headers["content-disposition"] == "attachment; filename*=UTF-8''notes%20%C3%A9.plain.md"
    assert done.headers["content-type"] == "application/octet-stream"


def test_without_edits_the_same_bytes_come_back(client):
    data = b"\xef\xbb\xbfNothing *here*.\r\n"
    assert send(client, data, name="a.md").content == data


def test_word_documents_keep_tracked_changes(client):
    tracked = body_of(send(client, word("They purchase it."), name="a.docx", track_changes="true").content)
    assert "<w:ins " in tracked
    assert "<w:del " in tracked
    clean = body_of(send(client, word("They purchase it."), name="a.docx").content)
    assert "They buy it." in clean.replace("</w:t></w:r><w:r><w:t>", "")
    assert "<w:ins " not in clean


def test_groups_are_refused_by_the_numbers_of_the_review(client):
    lines = send(client, MARKDOWN.encode(), "/review/document", name="a.md").text.splitlines()
    steps = [json.loads(line) for line in lines]
    assert steps.pop() == {"done": True}
    edits = [edit for step in steps for edit in step["edits"]]
    assert [(edit["group"], edit["target"]) for edit in edits] == [(0, "main"), (1, "buy")]
    done = send(client, MARKDOWN.encode(), name="a.md", refused="0")
    assert done.content.decode() == MARKDOWN.replace("and** purchase", "and** buy")
    assert send(client, MARKDOWN.encode(), name="a.md", refused="1,0,7").content.decode() == MARKDOWN


def test_the_review_of_a_document_counts_no_headings(client):
    lines = send(
        client, b"# The principal gate\n\nThey purchase it.\n", "/review/document", name="a.md"
    ).text.splitlines()
    assert [own["counts"] for own in json.loads(lines[0])["sentences"]] == [[1, 3, 4]]


def test_settings_are_heeded(client):
    kept = send(client, MARKDOWN.encode(), name="a.md", keep=["principal", "gate"]).content.decode()
    assert kept == MARKDOWN.replace("and** purchase", "and** buy")
    assert send(client, MARKDOWN.encode(), name="a.md", max_grade="99").content.decode() == MARKDOWN


def bomb() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b" " * (1 << 27))
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "parameters", "status", "message"),
    [
        (b"a", {}, 400, "the address: `name` is missing; /v1/openapi.json says what to send"),
        (b"a", {"name": "a.md", "level": "hard"}, 400, "the address: `level`: expected one of light, plain, easy"),
        (b"a", {"name": "a.md", "refused": "x"}, 400, "the address: expected `int`, got `str` - at `$.refused[0]`"),
        (b"a", {"name": "a.md", "x": "1"}, 400, "the address: object contains unknown field `x`"),
        (b"PK", {"name": "a.docx"}, 400, "a.docx: expected a Word document, found a damaged archive"),
        (b"", {"name": "../../a.docx"}, 400, "a.docx: expected a Word document, found an empty file"),
        (b"a", {"name": "a.md", "comments": "1"}, 400, "tracked changes and comments are for Word"),
        (b"a " * LIMIT, {"name": "a.md"}, 413, "the document has"),
    ],
)
def test_mistakes_are_one_sentence(client, data, parameters, status, message):
    done = send(client, data, **parameters)
    assert done.status_code == status
    assert done.json()["error"]["message"].startswith(message)


def test_bombs_are_refused(client):
    done = send(client, bomb(), name="a.docx")
    assert done.status_code == 400
    assert done.json()["error"]["message"].startswith("a.docx: expected a Word document")


def test_too_many_bytes_are_refused(client):
    done = send(client, b"a" * (21 * 1024 * 1024), name="a.md")
    assert (done.status_code, done.json()["error"]["reason"]) == (413, "large")


def test_other_words_are_taken_only_as_the_review_offers_them(client):
    text = b"A residence is here.\n"
    done = client.post("/v1/documents?name=a.md&chosen=0:home", content=text)
    assert done.content == b"A home is here.\n"
    done = client.post("/v1/documents?name=a.md&chosen=0:home&refused=0", content=text)
    assert done.content == text
    for words in ("0:castle", "x:home", "home"):
        done = client.post(f"/v1/documents?name=a.md&chosen={words}", content=text)
        assert done.status_code == 400
        assert "chosen" in done.json()["error"]["message"]
