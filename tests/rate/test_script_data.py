"""What the script of the task page is given, and how its parts find each other."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rate.studies import small_study

pytest.importorskip("starlette")

from plainwright.rate.forms.page import Page
from plainwright.rate.material import CardView, UnitView
from plainwright.rate.web.assets import load_assets
from plainwright.rate.web.script_data import script_data

URLS = {"events": "/task/x/events", "work": "/work", "leave": "/leave"}
hostile = st.text() | st.sampled_from(["</script><script>alert(1)", "<!--<script>", "]]>&amp;", "\u2028\u2029"])


def data_of(source: str, text: str) -> str:
    settings, _ = small_study(edits=True)
    unit = UnitView(source=source, cards=(CardView(id="c1", text=text, group="split"),))
    return script_data(settings, unit, Page.start(unit, settings).work, public="x", urls=URLS)


@given(hostile, hostile)
def test_no_text_ends_the_element_or_is_changed_in_it(source, text):
    data = data_of(source, text)
    assert not set(data) & set("<>&")
    read = json.loads(data)
    assert (read["source"]["text"], read["cards"][0]["text"]) == (source, text)


def test_words_are_counted_in_characters_as_the_server_counts_them():
    read = json.loads(data_of("👩 sat.", "𝔘 ok"))
    assert read["source"]["words"] == [[0, 1], [2, 5], [5, 6]]
    assert read["cards"][0]["words"] == [[0, 1], [2, 4]]


def test_a_card_says_only_what_a_rater_may_know():
    read = json.loads(data_of("One.", "Two."))
    assert set(read["cards"][0]) == {"id", "text", "edits", "words"}
    assert read["urls"] == {"events": "/task/x/events", "work": "/work"}


def test_scripts_import_each_other_by_names_that_are_served():
    assets = load_assets()
    served = {asset.public for asset in assets.values()}
    imported = {
        name.decode()
        for asset in assets.values()
        if asset.name.endswith(".js")
        for name in re.findall(rb'from "\./([^"]+)"', asset.body)
    }
    assert imported
    assert imported <= served
