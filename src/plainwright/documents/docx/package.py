"""The parts of a Word document: which member is which, and how a part for comments is added."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from plainwright.documents.archive import Archive
from plainwright.documents.markup import namespace, number_of, parsed, serialised, written_text
from plainwright.documents.tracking import Tracking

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
    from lxml.etree import _ElementTree as Tree

__all__ = ["Package", "numbers"]

_TYPES = "[Content_Types].xml"
_RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
_COMMENTS_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"
_WORD = ("/wordprocessingml/2006/main", "/wordprocessingml/main")  # transitional and strict documents


class Package:
    """A Word document as parts that refer to each other."""

    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        main = self._targets("").get("officeDocument")
        if main is None or main not in archive:
            archive.refuse("an archive without one")
        self.main = main
        self._related = self._targets(main)

    def part(self, kind: str) -> str | None:
        """Return the member to which the main part refers as its styles, footnotes and so on."""
        member = self._related.get(kind)
        return member if member is not None and member in self.archive else None

    def tree(self, member: str) -> Tree:
        """Parse a part with text."""
        tree = parsed(self.archive, member)
        if not namespace(tree.getroot()).endswith(_WORD):
            self.archive.refuse(f"something else in {member}")
        return tree

    def _targets(self, source: str) -> dict[str, str]:
        """Return the parts to which a part refers, by the last word of the relationship's type."""
        member = _relationships_of(source)
        if member not in self.archive:
            return {}
        targets: dict[str, str] = {}
        for own in parsed(self.archive, member).getroot():
            if own.get("TargetMode") == "External" or own.get("Target") is None:
                continue
            kind = own.get("Type", "").rpartition("/")[2]
            path = posixpath.normpath(posixpath.join("/", posixpath.dirname(source), own.get("Target", "")))
            targets.setdefault(kind, path.lstrip("/"))
        return targets

    def with_comments(self, main: Tree, comments: Sequence[tuple[int, str]], tracking: Tracking) -> dict[str, bytes]:
        """Return the members that change when comments are added: their part, and what refers to it if it is new."""
        member = self.part("comments")
        if member is not None:
            tree = self.tree(member)
            _append(tree.getroot(), comments, tracking)
            return {member: serialised(tree)}
        from lxml import etree

        word = namespace(main.getroot())
        root = etree.Element(f"{{{word}}}comments", nsmap={"w": word})
        _append(root, comments, tracking)
        member = self._free_name(posixpath.join(posixpath.dirname(self.main), "comments"))
        return {
            member: _new_part(root),
            **self._related_to(member, word),
            **self._typed(member),
        }

    def comment_numbers(self) -> Iterable[int]:
        """Return the numbers of the comments there are."""
        member = self.part("comments")
        if member is None:
            return []
        root = self.tree(member).getroot()
        return numbers(root)

    def _free_name(self, stem: str) -> str:
        name, number = f"{stem}.xml", 1
        while name in self.archive:
            number += 1
            name = f"{stem}{number}.xml"
        return name

    def _related_to(self, member: str, word: str) -> dict[str, bytes]:
        from lxml import etree

        relationships = _relationships_of(self.main)
        if relationships in self.archive:
            root = parsed(self.archive, relationships).getroot()
        else:
            root = etree.Element(f"{{{_RELATIONSHIPS}}}Relationships", nsmap={None: _RELATIONSHIPS})
        known = {own.get("Id") for own in root}
        number = next(number for number in range(1, len(known) + 2) if f"rId{number}" not in known)
        strict = word.startswith("http://purl.oclc.org/")
        base = "http://purl.oclc.org/ooxml" if strict else "http://schemas.openxmlformats.org"
        kind = f"{base}/officeDocument/{'' if strict else '2006/'}relationships/comments"
        attributes = {"Id": f"rId{number}", "Type": kind, "Target": posixpath.basename(member)}
        etree.SubElement(root, f"{{{namespace(root)}}}Relationship", attributes)
        return {relationships: _new_part(root)}

    def _typed(self, member: str) -> dict[str, bytes]:
        from lxml import etree

        tree = parsed(self.archive, _TYPES)
        root = tree.getroot()
        attributes = {"PartName": "/" + member, "ContentType": _COMMENTS_TYPE}
        etree.SubElement(root, f"{{{namespace(root)}}}Override", attributes)
        return {_TYPES: serialised(tree)}


def _new_part(root: Element) -> bytes:
    from lxml import etree

    written: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return written


def _relationships_of(member: str) -> str:
    folder, name = posixpath.split(member)
    return posixpath.join(folder, "_rels", f"{name}.rels")


def numbers(root: Element) -> list[int]:
    """Return the numbers that elements of a part have."""
    name = f"{{{namespace(root)}}}id"
    values = (number_of(element.get(name)) for element in root.iter())
    return [value for value in values if value is not None]


def _append(root: Element, comments: Sequence[tuple[int, str]], tracking: Tracking) -> None:
    from lxml import etree

    w = f"{{{namespace(root)}}}"
    initials = "".join(word[0] for word in tracking.author.split())[:9]
    for number, text in sorted(comments):
        attributes = {"id": str(number), "author": tracking.author, "date": tracking.timestamp, "initials": initials}
        comment = etree.SubElement(root, f"{w}comment", {f"{w}{key}": value for key, value in attributes.items()})
        run = etree.SubElement(etree.SubElement(comment, f"{w}p"), f"{w}r")
        etree.SubElement(run, f"{w}t").text = written_text(text).strip()
