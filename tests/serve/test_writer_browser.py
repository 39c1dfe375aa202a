"""The writer's page in a real browser, against a real server."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from tests.rate.axe import violations
from tests.rate.serving import served
from tests.serve.writing import TEXT, finish, result, review_of

import plainwright
from plainwright.serve.app import create_app
from plainwright.serve.keys import add_key
from plainwright.serve.settings import ServeSettings
from plainwright.serve.work import Work

pytestmark = pytest.mark.browser


def test_a_pasted_text_comes_back_for_review(open_page, model):
    page = open_page()
    assert not page.is_visible("#review")
    page.fill("#source", TEXT)
    page.click("#start")
    finish(page)
    assert result(page) == plainwright.simplify(TEXT, model)
    assert page.inner_text("#progress") == "Done: 3 edits."
    assert page.locator("#review-table b").count() == 0
    page.locator("#review-table .come", has_text="main").click()
    page.click("#refuse-edit")
    assert "The principal gate" in result(page)
    assert page.inner_text("#edit-count") == "2 of 3 accepted"


def test_everything_works_by_keyboard_alone(open_page):
    page = open_page()
    page.keyboard.press("Tab")  # what skips to the text
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("They purchase it. rnk")  # no key of the review while one writes
    while page.evaluate("document.activeElement.id") != "start":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    finish(page)
    page.keyboard.press("n")
    page.keyboard.press("r")
    assert result(page) == "They purchase it. rnk"


def test_words_that_are_refused_everywhere_are_left_alone_from_then_on(open_page):
    page = open_page()
    page.fill("#source", TEXT)
    page.click("#start")
    finish(page)
    page.locator("#review-table .come", has_text="buy").first.click()
    page.click("#keep-words")
    assert page.input_value("#keep") == "purchase"
    assert page.inner_text("#edit-count") == "1 of 3 accepted"
    page.click("#start")
    finish(page)
    page.locator("#progress", has_text="Done: 1 edit.").wait_for()
    assert result(page) == TEXT.replace("principal", "main")


def test_hard_words_that_stay_are_explained(open_page):
    page = open_page()
    review_of(page, "The bailiff can purchase a culvert.\n\nThe bailiff left.")
    page.locator("#glossary-count", has_text="2").wait_for()
    assert not page.is_visible("#glossary-list")
    page.focus("#glossary summary")
    page.keyboard.press("Enter")
    assert page.locator("#glossary-list dt").all_inner_texts() == ["bailiff noun", "culvert noun"]
    assert page.locator("#glossary-list dd").first.inner_text() == "one who guards a court"
    assert "may be another" in page.inner_text("#glossary")
    assert page.locator("#glossary a").count() == 0
    review_of(page, "They purchase it.")
    page.locator("#glossary").wait_for(state="hidden")


def test_a_bolder_run_is_asked_for_and_kept_for_saving(open_page):
    page = open_page()
    page.set_input_files("#file", {"name": "notes.md", "mimeType": "", "buffer": MARKDOWN.encode()})
    page.select_option("#strength", "1.0")
    with page.expect_request("**/review/document?*") as sent:
        page.click("#start")
    assert sent.value.url.endswith("&strength=1")
    finish(page)
    page.select_option("#strength", "0.0")
    with page.expect_request("**/v1/documents?*") as sent, page.expect_download():
        page.click("#save-result")
    assert "strength=1&" in sent.value.url


def test_levels_and_grades_are_sent(open_page):
    page = open_page()
    page.fill("#source", TEXT)
    page.select_option("#level", "easy")
    page.fill("#max-grade", "30")
    with page.expect_request("**/review") as sent:
        page.click("#start")
    assert sent.value.post_data_json == {"text": TEXT, "level": "easy", "strength": 0, "max_grade": 30, "keep": []}
    finish(page)
    assert result(page) == TEXT
    assert page.inner_text("#edit-count") == "none: nothing had to change"


def test_a_file_is_opened_and_its_result_saved_under_its_name(open_page, tmp_path):
    page = open_page()
    page.set_input_files("#file", {"name": "letter.txt", "mimeType": "text/plain", "buffer": TEXT.encode()})
    page.locator("#progress", has_text="letter.txt is open.").wait_for()
    page.click("#start")
    finish(page)
    with page.expect_download() as waiting:
        page.click("#save-result")
    assert waiting.value.suggested_filename == "letter.plain.txt"


def test_a_file_that_is_no_text_is_refused(open_page):
    page = open_page()
    page.set_input_files("#file", {"name": "letter.txt", "mimeType": "", "buffer": b"PK\x03\x04\x00\xff"})
    page.locator("#progress.wrong", has_text="letter.txt is no text in UTF-8.").wait_for()
    assert page.input_value("#source") == ""


MARKDOWN = "# The principal gate\n\nThey `purchase` **and** purchase it.\n\n- The principal gate\n"


def test_a_document_comes_back_in_its_format_with_what_was_accepted(open_page, tmp_path):
    page = open_page()
    page.set_input_files("#file", {"name": "notes.md", "mimeType": "", "buffer": MARKDOWN.encode()})
    assert page.inner_text("#document-name") == "notes.md"
    assert not page.is_visible("#source")
    assert not page.is_visible("#tracking")
    page.click("#start")
    finish(page)
    assert page.inner_text("#progress") == "Done: 3 edits."
    page.keyboard.press("r")  # the heading stays
    with page.expect_download() as waiting:
        page.click("#save-result")
    assert waiting.value.suggested_filename == "notes.plain.md"
    waiting.value.save_as(tmp_path / "saved.md")
    expected = "# The principal gate\n\nThey `purchase` **and** buy it.\n\n- The main gate\n"
    assert (tmp_path / "saved.md").read_text() == expected
    page.click("#close-document")
    assert page.is_visible("#source")


def test_a_damaged_document_is_told_in_one_sentence(open_page):
    page = open_page()
    page.set_input_files("#file", {"name": "letter.docx", "mimeType": "", "buffer": b"PK\x03\x04 nothing"})
    assert page.is_visible("#tracking")
    page.click("#start")
    page.locator("#progress.wrong", has_text="letter.docx: expected a Word document").wait_for()


def test_work_is_shown_as_it_comes_and_can_be_cancelled(open_page, work, monkeypatch):
    steps, original = threading.Semaphore(2), work._simplifier

    def slowly(*arguments: Any) -> Any:
        assert steps.acquire(timeout=20)
        return original(*arguments)

    monkeypatch.setattr(work, "_simplifier", slowly)
    page = open_page()
    page.fill("#source", TEXT * 500)
    page.click("#start")
    page.locator("#progress", has_text="so far").wait_for()
    page.locator("#review-table tr").nth(40).wait_for()
    page.keyboard.press("n")  # what is there can be decided already
    page.keyboard.press("r")
    page.click("#cancel")
    page.locator("#progress", has_text="Cancelled").wait_for()
    steps.release()
    assert 0 < page.evaluate("review.data.paragraphs.length") < 500
    assert page.evaluate("review.rewriting.refused.size") == 1
    page.wait_for_timeout(500)
    assert work.under_way == 0


def test_refusals_of_the_server_are_told(open_page):
    page = open_page()
    page.click("#start")
    assert page.inner_text("#progress") == "There is no text yet."
    page.fill("#source", "They purchase it.")
    page.fill("#keep", "x" * 300)
    page.click("#start")
    page.locator("#progress.wrong", has_text="the body is not what this address takes").wait_for()
    assert not page.is_visible("#review")


def test_a_text_that_is_too_long_is_not_cut(open_page):
    page = open_page()
    page.fill("#source", "They purchase it. " * 6000)
    page.click("#start")
    page.locator("#progress.wrong", has_text="the text has 108,000 characters; at most 100,000 are taken").wait_for()


@pytest.mark.parametrize("width", [320, 800, 1600])
def test_no_screen_scrolls_sideways(open_page, width):
    page = open_page(viewport={"width": width, "height": 700})
    review_of(page, f"A culvert was arid. {TEXT}")
    page.click("#glossary summary")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 375)])
def test_axe_finds_nothing(open_page, scheme, width):
    page = open_page(color_scheme=scheme, viewport={"width": width, "height": 800}, bypass_csp=True)
    assert violations(page) == []
    review_of(page, f"A residence. A culvert was arid. {TEXT}")
    assert page.is_visible("#edit-choices")
    assert violations(page) == []
    page.keyboard.press("n")
    page.click("#glossary summary")
    page.locator("#review-table .word", has_text="gate").click()
    page.locator("#review-table .word", has_text="purchase").first.click()
    assert violations(page) == []


def test_a_key_is_asked_for_where_one_is_needed(browser, model, tmp_path):
    key = add_key(tmp_path / "keys.txt", "anna")
    work = Work(ServeSettings(model=model, keys=tmp_path / "keys.txt"))
    with served(create_app(work)) as address:
        context = browser.new_context()
        page = context.new_page()
        page.goto(address)
        assert not page.is_visible("#key")
        page.fill("#source", TEXT)
        page.click("#start")
        page.locator("#progress.wrong", has_text="This server needs a key").wait_for()
        assert page.evaluate("document.activeElement.id") == "key"
        page.keyboard.type(key)
        page.keyboard.press("Enter")
        finish(page)
        context.close()
    work.close()
