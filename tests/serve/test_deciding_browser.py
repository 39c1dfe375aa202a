"""Protecting words and choosing others on the writer's page, in a real browser."""

from __future__ import annotations

from typing import Any

import pytest
from tests.serve.writing import TEXT, finish, result, review_of

pytestmark = pytest.mark.browser


def protected(page: Any) -> list[str]:
    return page.locator("#review-table .word.protected").all_inner_texts()


def test_a_word_of_the_original_is_protected_by_a_click_and_freed_by_another(open_page):
    page = open_page()
    review_of(page, TEXT)
    gate = page.locator("#review-table .word", has_text="gate")
    gate.click()
    assert page.input_value("#keep") == "gate"
    assert protected(page) == ["gate"]
    assert gate.get_attribute("aria-pressed") == "true"
    assert page.inner_text("#edit-count") == "3 of 3 accepted"
    gate.click()
    assert page.input_value("#keep") == ""
    assert protected(page) == []


def test_protecting_a_word_refuses_its_edits_until_it_is_freed(open_page):
    page = open_page()
    review_of(page, TEXT)
    word = page.locator("#review-table .word", has_text="purchase").first
    word.click()
    assert protected(page) == ["purchase", "purchase"]  # wherever it stands
    assert result(page) == TEXT.replace("principal", "main")
    with page.expect_request("**/review") as sent:
        page.click("#start")
    assert sent.value.post_data_json["keep"] == ["purchase"]
    page.locator("#progress", has_text="Done: 1 edit.").wait_for()
    assert protected(page) == ["purchase", "purchase"]
    page.fill("#keep", "")
    review_of(page, TEXT)
    for _ in range(2):
        page.locator("#review-table .word", has_text="purchase").first.click()
    assert page.inner_text("#edit-count") == "3 of 3 accepted"


def test_the_field_of_protected_words_marks_phrases_too(open_page):
    page = open_page()
    review_of(page, "It is in order to do it, in short order.")
    page.fill("#keep", "In Order to, c++ (x")
    assert protected(page) == ["in", "order", "to"]
    page.locator("#review-table .word.protected", has_text="order").click()
    assert page.input_value("#keep") == "c++ (x"
    assert protected(page) == []


def test_words_are_protected_by_keyboard(open_page):
    page = open_page()
    review_of(page, TEXT)
    page.focus("#shortcuts")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "They"
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.textContent") == "gate"  # in the next paragraph
    page.keyboard.press("Enter")
    assert page.input_value("#keep") == "gate"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    assert page.input_value("#keep") == "gate, They"
    page.keyboard.press("Space")
    assert page.input_value("#keep") == "gate"
    assert page.locator("#review-table .word[role=button]").count() == 1  # and not one button for every word


def test_a_word_is_protected_by_touch_on_a_phone(open_page):
    page = open_page(viewport={"width": 375, "height": 700}, has_touch=True, is_mobile=True)
    review_of(page, TEXT)
    page.locator("#review-table .word", has_text="gate").tap()
    assert protected(page) == ["gate"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_selecting_text_of_the_original_protects_nothing(open_page):
    page = open_page()
    review_of(page, TEXT)
    first, last = (page.locator("#review-table .word", has_text=own).bounding_box() for own in ("principal", "red"))
    page.mouse.move(first["x"] + 1, first["y"] + 5)
    page.mouse.down()
    page.mouse.move(last["x"] + 5, last["y"] + 5)
    page.mouse.up()
    assert "gate" in page.evaluate("getSelection().toString()")
    assert protected(page) == []


def test_other_words_of_an_edit_can_be_chosen(open_page):
    page = open_page()
    review_of(page, "Residence is what they purchase.\n\nA residence.")
    assert page.locator("#edit-choices button").all_inner_texts() == ["House", "Home"]
    before = page.inner_text("#grade-now")
    page.click("#edit-choices button:has-text('Home')")
    assert result(page) == "Home is what they buy.\n\nA house."
    assert page.evaluate("document.activeElement.textContent") == "Home"
    assert page.inner_text("#grade-now") == before  # the words are as long
    page.keyboard.press("r")
    assert result(page).startswith("Residence is")
    page.keyboard.press("a")
    assert result(page).startswith("Home is")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    assert result(page).startswith("House is")
    page.keyboard.press("n")
    assert not page.is_visible("#edit-choices")  # the rules know no other word for that


def test_words_that_were_chosen_are_in_the_document(open_page, tmp_path):
    page = open_page()
    text = "They `purchase` a **residence** here.\n\nThey purchase a residence.\n"
    page.set_input_files("#file", {"name": "notes.md", "mimeType": "", "buffer": text.encode()})
    page.click("#start")
    finish(page)
    page.click("#edit-choices button:has-text('home')")
    page.locator("#review-table .come", has_text="buy").click()
    page.click("#refuse-edit")
    with page.expect_download() as waiting:
        page.click("#save-result")
    waiting.value.save_as(tmp_path / "saved.md")
    expected = "They `purchase` a **home** here.\n\nThey purchase a house.\n"
    assert (tmp_path / "saved.md").read_text() == expected
