"""The parts of the web application that can be tried alone."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("starlette")

from plainwright.errors import DataError
from plainwright.rate.web.assets import load_assets
from plainwright.rate.web.render import markdown
from plainwright.rate.web.site import check_prefix
from plainwright.rate.web.throttle import Throttle, network_of


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


@pytest.mark.parametrize(
    ("given", "tidy"), [("", ""), ("/", ""), ("study", "/study"), ("/study/", "/study"), ("/a/b.c~d", "/a/b.c~d")]
)
def test_prefixes(given: str, tidy: str):
    assert check_prefix(given) == tidy


@pytest.mark.parametrize("given", ["/a b", "/ü", "/a//b", "/../b", "/a/..", "/a?b", "/{a}", "https://a/b", "/a\n"])
def test_prefixes_that_are_none(given: str):
    with pytest.raises(DataError, match="prefix"):
        check_prefix(given)


def test_the_address_of_an_asset_changes_with_its_content():
    assets = load_assets()
    assert {"rate.css", "rate.js"} <= set(assets)
    for name, asset in assets.items():
        stem, _, suffix = name.rpartition(".")
        assert re.fullmatch(rf"{re.escape(stem)}\.[0-9a-f]{{12}}\.{suffix}", asset.public)


def test_waiting_doubles_after_the_free_tries():
    throttle = Throttle(free=3)
    assert [throttle.enter("a", now=0) for _ in range(3)] == [0, 0, 0]
    assert throttle.enter("a", now=0) == 2
    assert throttle.enter("a", now=1) == 1  # a refused try does not count
    assert throttle.enter("a", now=2) == 0
    assert throttle.enter("a", now=2) == 4
    assert throttle.enter("b", now=2) == 0


def test_waiting_has_an_end():
    throttle = Throttle(free=1)
    now = 0.0
    waits = []
    for _ in range(40):
        waits.append(throttle.enter("a", now=now))
        now += waits[-1]
        throttle.enter("a", now=now)
    assert max(waits) == 15 * 60


def test_waiting_can_have_an_earlier_end():
    throttle = Throttle(free=1, longest=30)
    now = 0.0
    for _ in range(20):
        now += throttle.wait("a", now=now)
        assert throttle.enter("a", now=now) == 0
    assert throttle.wait("a", now=now) == 30
    assert throttle.wait("a", now=now + 20) == 10  # looking changes nothing


def test_success_and_an_hour_forgive():
    throttle = Throttle(free=1)
    throttle.enter("a", "b", now=0)
    throttle.clear("a")
    assert throttle.enter("a", now=0) == 0
    assert throttle.enter("b", now=0) == 2
    assert throttle.enter("b", now=3601) == 0


def test_one_of_several_keys_is_enough_to_wait():
    throttle = Throttle(free=1)
    throttle.enter("name", now=0)
    assert throttle.enter("name", "address", now=0) == 2
    assert throttle.enter("address", now=0) == 0  # and counted nothing for the other


def test_memory_of_failures_is_bounded():
    throttle = Throttle(free=1)
    for number in range(10_001):
        throttle.enter(str(number), now=0)
    assert throttle.enter("0", now=0) == 0  # forgotten
    assert throttle.enter("10000", now=0) == 2


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("nonsense", "nonsense"),
    ],
)
def test_whom_to_count_together(address: str, network: str):
    assert network_of(address) == network
