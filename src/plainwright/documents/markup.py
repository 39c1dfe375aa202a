"""XML of strangers: parsed without entities and without the network, written as it was declared."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from plainwright.documents.archive import Archive
from plainwright.extras import extra_for

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
    from lxml.etree import _ElementTree as Tree

__all__ = ["local_name", "namespace", "number_of", "parsed", "serialised", "written_text"]

# What XML 1.0 has no way to write (https://www.w3.org/TR/xml/#charsets).
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NUMBER = re.compile(r"-?[0-9]{1,18}")
_BREAKS = re.compile(r"[\t\n\r]+")


def parsed(archive: Archive, member: str, *, doctype: bool = False) -> Tree:
    """Parse a member of an archive; entities are refused, and any document type if there should be none."""
    with extra_for("reading documents", "documents"):
        from lxml import etree
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        tree = etree.ElementTree(etree.fromstring(archive.read(member), parser))
    except etree.XMLSyntaxError as error:
        archive.refuse(f"damaged XML in {member} ({str(error.msg).splitlines()[0]:.120})")
    declared = tree.docinfo.internalDTD
    if tree.docinfo.doctype and not (doctype and (declared is None or not declared.entities())):
        archive.refuse(f"a document type in {member}, which such documents do not have")
    return tree


def serialised(tree: Tree) -> bytes:
    """Write a tree as UTF-8, with the declaration that it had."""
    from lxml import etree

    written: bytes = etree.tostring(tree, xml_declaration=True, encoding="UTF-8", standalone=tree.docinfo.standalone)
    return written


def local_name(element: Element) -> str:
    """Return the name of an element without its namespace; "" for comments and instructions."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def namespace(element: Element) -> str:
    """Return the namespace of an element."""
    tag = element.tag
    return tag[1:].partition("}")[0] if isinstance(tag, str) and tag.startswith("{") else ""


def number_of(value: str | None) -> int | None:
    """Return the number that an attribute says; None if it is none that any program would write."""
    return int(value) if value is not None and _NUMBER.fullmatch(value) else None


def written_text(text: str) -> str:
    """Return text as it can be written in a paragraph: line breaks are spaces, and what XML cannot hold is left out."""
    return _FORBIDDEN.sub("", _BREAKS.sub(" ", text))
