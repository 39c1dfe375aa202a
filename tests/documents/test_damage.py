"""Office documents whose XML was mangled: read or refused, and what is read can be written; never a crash."""

import random
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace

import pytest
from lxml import etree
from tests.documents.archives import TRACKING, members, opendocument, packed, run, word
from tests.documents.independent import marked

from plainwright.documents import TrackedDocument, apply_changes, docx, odt
from plainwright.errors import PlainwrightError

WORD_BODY = "".join(
    f"<w:p>{own}</w:p>"
    for own in (
        f"{run('We utilize ')}{run('numerous', '<w:b/>')}{run(' tools here.')}",
        f'{run("See ")}<w:hyperlink w:anchor="x">{run("this page")}</w:hyperlink><w:r><w:tab/></w:r>{run(" today.")}',
        '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>PAGE</w:instrText><w:fldChar w:fldCharType="separate"/>'
        '<w:t>seven</w:t><w:fldChar w:fldCharType="end"/></w:r>',
        f'{run("It was ")}<w:ins w:id="3" w:author="B">{run("very ")}</w:ins>{run("good, they said.")}',
    )
)
TEXT_BODY = (
    '<text:tracked-changes><text:changed-region text:id="c1"><text:deletion><text:p>quite</text:p></text:deletion>'
    '</text:changed-region></text:tracked-changes><text:p>We <text:span text:style-name="T1">utilize</text:span> '
    '<text:change text:change-id="c1"/>numerous tools<text:s text:c="2"/>here.</text:p><text:list><text:list-item>'
    "<text:p>See <text:a>this page</text:a><text:note><text:note-body><text:p>With care.</text:p></text:note-body>"
    "</text:note> and that.</text:p></text:list-item></text:list>"
)
FORMATS = {
    "docx": (word(WORD_BODY), "word/document.xml", docx.read),
    "odt": (opendocument(TEXT_BODY), "content.xml", odt.read),
}


def mangled(content: bytes, seed: int) -> bytes:
    """Remove, copy, rename and move elements at random, and change attributes and texts."""
    draw = random.Random(seed)
    root = etree.fromstring(content)
    elements = [own for own in root.iter() if own.getparent() is not None]
    for _ in range(draw.randint(1, 8)):
        one, other = draw.choice(elements), draw.choice(elements)
        if one.getparent() is None or other.getparent() is None:
            continue
        change = draw.randrange(6)
        if change == 0:
            one.getparent().remove(one)
        elif change == 1:
            other.append(deepcopy(one))
        elif change == 2:
            other.addnext(deepcopy(one))
        elif change == 3:
            one.tag = other.tag
        elif change == 4:
            one.text, other.tail = "  some words\n that stand here ", draw.choice([None, " ", "more words too"])
        for name in list(one.attrib) if change == 5 else ():
            one.set(name, draw.choice(["", "-1", "x", "9" * 30, "true", "begin"]))
    return etree.tostring(root)


@pytest.mark.parametrize("name", FORMATS)
def test_mangled_documents_are_read_or_refused_and_what_is_read_is_written(name: str) -> None:
    data, member, read = FORMATS[name]
    assert (
        sum(
            _goes_through(packed({**members(data), member: mangled(members(data)[member], n)}), read)
            for n in range(150)
        )
        > 50
    )


def _goes_through(data: bytes, read: Callable[[bytes, str], TrackedDocument]) -> bool:
    with suppress(PlainwrightError):
        document = read(data, "a")
        changes = marked(document, 1, 0.5)
        wanted = [apply_changes(block.text, own) for block, own in zip(document.blocks, changes, strict=True)]
        assert [block.text for block in read(document.changed(changes), "a").blocks] == wanted
        read(document.changed(changes, tracked=replace(TRACKING, comments=True)), "a")
        return any(changes)
    return False
