"""The page about a simplified text in a real browser, with mouse, keyboard and phone."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from tests.rate.axe import violations
from tests.report.rewriting_examples import HOSTILE, TEXT, rewritten

from plainwright.metrics.fk import FK
from plainwright.report.rewriting import render_rewriting
from plainwright.rewrite import SimplifiedText
from plainwright.text.edits import apply_edits

pytestmark = pytest.mark.browser


@pytest.fixture
def open_text(open_html):
    """Opens the page about a text."""

    def open_page(text: str = TEXT, **options):
        return open_html(render_rewriting(rewritten(text), name="letter.txt"), **options)

    return open_page


def result(page) -> str:
    return page.evaluate("review.rewriting.text()")


def cells(page, column: int) -> list[str]:
    return page.locator(f"#review-table tbody td:nth-child({column}) .text").evaluate_all(
        "nodes => nodes.map(n => n.textContent)"
    )


def said(page) -> str:
    return page.text_content("#announcement")


def mark(page, words: str):
    return page.locator("#review-table td:nth-child(2) .mark", has_text=words).first


def test_both_texts_stand_side_by_side(open_text):
    page = open_text()
    whole = SimplifiedText.joined(rewritten(TEXT))
    assert cells(page, 1) == [paragraph.strip() for paragraph in TEXT.split("\n\n")]
    assert cells(page, 2) == [paragraph.strip() for paragraph in whole.text.split("\n\n")]
    assert result(page) == whole.text
    left, right = (page.locator(f"#review-table tbody tr:nth-child(2) td:nth-child({n})") for n in (1, 2))
    assert left.bounding_box()["y"] == right.bounding_box()["y"]
    assert left.bounding_box()["x"] < right.bounding_box()["x"]


def test_every_subset_gives_the_text_that_python_gives(open_text):
    page = open_text()
    whole = SimplifiedText.joined(rewritten(TEXT))
    groups = list(dict.fromkeys(edit.group for edit in whole.edits))
    assert len(groups) == 6
    for size in range(len(groups) + 1):
        for refused in itertools.combinations(range(len(groups)), size):
            shown = page.evaluate(
                "refused => { review.rewriting.refused = new Set(refused);"
                " return [review.rewriting.text(), grade(review.rewriting.counts())]; }",
                list(refused),
            )
            undone = {n for n, edit in enumerate(whole.edits) if groups.index(edit.group) in refused}
            text = apply_edits(whole.source, whole.edits, without=undone)
            assert shown[0] == text
            grade = FK(variant="plain").corpus_score(None, text.split("\n\n"), None).value
            assert shown[1] == pytest.approx(grade)


def test_an_edit_is_refused_and_accepted_by_click(open_text):
    page = open_text()
    mark(page, "main").click()
    assert page.inner_text("#edit-title") == "Edit 1 of 6: other words"
    assert "principal → main" in page.inner_text("#edit-reasons")
    before = page.inner_text("#grade-now")
    page.click("#refuse-edit")
    assert "The principal gate" in result(page)
    assert page.inner_text("#edit-count") == "5 of 6 accepted"
    assert page.inner_text("#grade-now") != before
    assert said(page).startswith("Edit refused. Grade ")
    assert page.get_attribute("#refuse-edit", "aria-pressed") == "true"
    page.click("#accept-edit")
    assert "The main gate" in result(page)
    assert page.inner_text("#grade-now") == before


def test_a_click_on_the_original_chooses_the_edit_too(open_text):
    page = open_text()
    page.locator("#review-table .gone", has_text="subsequently").click()
    assert "subsequently → later" in page.inner_text("#edit-reasons")


def test_edits_of_one_group_are_refused_together(open_text):
    page = open_text()
    mark(page, "It").click()
    assert page.inner_text("#edit-title").endswith("split sentences")
    assert "These 3 places change together." in page.inner_text("#edit-reasons")
    page.click("#refuse-edit")
    assert "gate, which opened in 1962, is red, and the residents" in result(page)


def test_everything_works_by_keyboard_alone(open_text):
    page = open_text()
    page.keyboard.press("n")
    assert page.evaluate("document.activeElement.ariaLabel").startswith("nothing, instead of “, which”")
    page.keyboard.press("r")
    assert ", which opened" in result(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert "residents 🙂 purchase" in result(page)
    assert page.evaluate("document.activeElement.ariaPressed") == "false"
    page.keyboard.press(" ")
    assert "residents 🙂 buy" in result(page)
    page.keyboard.press("p")
    page.keyboard.press("a")
    assert ", which opened" not in result(page)
    page.keyboard.press("a")
    assert said(page) == "Already accepted."


def test_decisions_are_undone_in_turn(open_text):
    page = open_text()
    whole = result(page)
    page.keyboard.press("r")
    page.keyboard.press("n")
    page.keyboard.press("r")
    page.keyboard.press("u")
    page.keyboard.press("u")
    assert result(page) == whole
    assert page.is_disabled("#undo-edit")
    page.keyboard.press("u")
    assert said(page) == "Nothing to undo."


def test_words_are_refused_wherever_they_stand(open_text):
    page = open_text("They purchase it.  Do they purchase more?\n\nThe principal gate.\n")
    page.keyboard.press("k")
    assert said(page).startswith("2 edits refused.")
    assert result(page) == "They purchase it.  Do they purchase more?\n\nThe main gate.\n"
    page.keyboard.press("u")
    assert "They buy it.  Do they buy more?" in result(page)
    page.click("#keep-words")
    assert page.inner_text("#edit-count") == "1 of 3 accepted"


def test_a_split_is_not_refused_everywhere(open_text):
    page = open_text()
    mark(page, "It").click()
    assert page.is_disabled("#keep-words")


def test_the_focus_is_seen_and_not_behind_the_panel(open_text):
    page = open_text(TEXT * 30, viewport={"width": 375, "height": 600})
    for _ in range(25):
        page.keyboard.press("n")
    box = page.evaluate(
        """() => {
          const mark = document.activeElement.getBoundingClientRect();
          return [mark.top, mark.bottom, document.getElementById("edit-panel").getBoundingClientRect().top];
        }"""
    )
    assert 0 <= box[0] < box[1] <= box[2]
    assert page.evaluate("getComputedStyle(document.activeElement).boxShadow") != "none"


def test_keys_can_be_switched_off(open_text):
    page = open_text()
    page.uncheck("#shortcuts")
    before = result(page)
    page.keyboard.press("r")
    assert result(page) == before


def test_kinds_that_are_not_shown_are_stepped_over(open_text):
    page = open_text()
    page.uncheck("#kinds label:has-text('Other words') input")
    assert said(page) == "1 edit shown."
    assert page.inner_text("#edit-title") == "Edit 1 of 1: split sentences"
    page.click("#refuse-all")
    assert page.inner_text("#edit-count") == "5 of 6 accepted"
    page.check("#kinds label:has-text('Other words') input")
    page.click("#refuse-all")
    assert result(page) == TEXT
    assert page.inner_text("#grade-now") == page.inner_text("#grade-before")
    page.click("#undo-edit")
    page.click("#accept-all")
    assert result(page) == SimplifiedText.joined(rewritten(TEXT)).text


def test_the_result_is_saved_and_copied(open_text, tmp_path: Path):
    page = open_text(permissions=["clipboard-read", "clipboard-write"])
    page.keyboard.press("r")
    with page.expect_download() as waiting:
        page.click("#save-result")
    assert waiting.value.suggested_filename == "letter.plain.txt"
    waiting.value.save_as(tmp_path / "saved.txt")
    assert (tmp_path / "saved.txt").read_bytes().decode() == result(page)
    page.click("#copy-result")
    page.locator("#announcement", has_text="Copied.").wait_for(state="attached")
    assert page.evaluate("navigator.clipboard.readText()") == result(page)


def test_hostile_text_is_shown_as_text(open_text):
    page = open_text(HOSTILE, viewport={"width": 375, "height": 700})
    assert "<img src=x onerror=alert(1)>" in cells(page, 2)[0]
    assert page.locator("#review-table :is(img, script, b)").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_a_text_without_edits_says_so(open_text):
    page = open_text("Nothing had to be done.\n")
    assert page.inner_text("#edit-count") == "none: nothing had to change"
    assert not page.is_visible("#edit-panel")
    page.keyboard.press("n")
    assert result(page) == "Nothing had to be done.\n"


@pytest.mark.parametrize("width", [320, 375, 800, 1600])
def test_no_screen_scrolls_sideways(open_text, width):
    page = open_text(viewport={"width": width, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
def test_axe_finds_nothing(open_text, scheme, width):
    page = open_text(color_scheme=scheme, viewport={"width": width, "height": 800}, bypass_csp=True)
    assert violations(page) == []
    page.keyboard.press("n")
    page.keyboard.press("r")
    assert violations(page) == []


def test_without_script_the_page_says_what_to_do(open_text):
    page = open_text(java_script_enabled=False)
    assert "--diff" in page.inner_text("main")
    assert not page.is_visible("#review")


def test_forty_pages_stay_quick(open_text):
    page = open_text(TEXT * 450)  # 450 times 38 words, about 430 to a page
    elapsed = page.evaluate(
        """() => {
          const start = performance.now();
          for (const key of ["n", "r", "n", "r", "u"]) {
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
          }
          return performance.now() - start;
        }"""
    )
    print(f"five keys on forty pages: {elapsed:.0f} ms")
    assert elapsed < 5000
