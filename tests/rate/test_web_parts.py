"""The parts of the web application that can be tried alone."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("starlette")

from plainwright.rate.web.assets import load_assets
from plainwright.rate.web.render import markdown


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](&#106;avascript:alert(1))",
        "[x](vbscript:x)",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "![x](javascript:alert(1))",
        "![x](data:image/svg+xml;base64,PHN2Zz4=)",
        "<javascript:alert(1)>",
        '[x](https://a.example "onmouseover=alert(1)" onx=y)',
        "[x]: javascript:alert(1)\n\n[x]",
        "`<script>`\n\n```html\n<script>alert(1)</script>\n```",
        "| <b>a</b> |\n|---|\n| <script>1</script> |",
        "# <script>alert(1)</script>\n\ntext",
    ],
)
def test_markdown_lets_no_code_through(text: str):
    heading, markup = markdown(text)
    assert "<script" not in markup
    assert not re.search(r"<[^>]+\son\w+=", markup)
    assert not re.search(r"(href|src)=\"(?!https://a\.example\")", markup)
    assert not hasattr(heading, "__html__")  # escaped by the template


@given(st.text(alphabet="<>\"'&;:/()[]!#*_`|\\ \n-abcjavscriptonload=&#x0;", max_size=200))
def test_markup_from_markdown_has_only_known_tags(text: str):
    _, markup = markdown(text)
    tags = set(re.findall(r"<\s*/?\s*([a-zA-Z!?][^\s>/]*)", markup))
    known = r"p|h[2-6]|em|strong|code|pre|a|img|ul|ol|li|blockquote|hr|br|table|thead|tbody|tr|th|td"
    assert all(re.fullmatch(known, tag) for tag in tags)


def test_links_in_markdown_open_nothing_of_ours():
    _, markup = markdown("[a page](https://a.example/b)")
    assert markup == '<p><a href="https://a.example/b" rel="noopener noreferrer">a page</a></p>\n'


@pytest.mark.parametrize(
    ("text", "heading", "ranks"),
    [
        ("# One\n\n# Two\n\n## Three", "One", ["h2", "h3"]),
        ("# One\n\n## Two\n\n### Three", "One", ["h2", "h3"]),
        ("## Two\n\n### Three", "", ["h2", "h3"]),
        ("text\n\n# One", "", ["h2"]),
        ("# A *b* `c`", "A b c", []),
        ("", "", []),
    ],
)
def test_headings_of_markdown_fit_into_a_page(text: str, heading: str, ranks: list[str]):
    found, markup = markdown(text)
    assert found == heading
    assert re.findall(r"<(h\d)>", markup) == ranks


def test_the_address_of_an_asset_changes_with_its_content():
    assets = load_assets()
    assert {"rate.css", "rate.js"} <= set(assets)
    for name, asset in assets.items():
        stem, _, suffix = name.rpartition(".")
        assert re.fullmatch(rf"{re.escape(stem)}\.[0-9a-f]{{12}}\.{suffix}", asset.public)
