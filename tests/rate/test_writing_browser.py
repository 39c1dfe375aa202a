"""The page that raters write on, in a real browser with a real server; what counts in the end is what the log says."""

from __future__ import annotations

import pytest
from tests.rate.axe import violations
from tests.rate.studies import SOURCES, writing_study
from tests.rate.test_task_browser import PHONE, Rating, rater_of, serve  # noqa: F401

from plainwright.rate.events import Finish, Write
from plainwright.rate.forms.writing import reference_of
from plainwright.rate.store.organisers import set_password

pytestmark = pytest.mark.browser

SIMPLER = {source: source.replace("The", "Our").replace("Although", "While").replace("Her", "My") for source in SOURCES}
SAVED = 1500  # milliseconds in which a draft is saved


def source_of(rating: Rating) -> str:
    return rating.page.locator("#source-text").inner_text()


def problems(rating: Rating) -> list[str]:
    return rating.page.locator("#written-problems li").all_inner_texts()


def test_a_whole_session_from_the_link_to_the_thanks(serve, rater_of):  # noqa: F811
    study = serve(*writing_study(items=2, training=1))
    rating = rater_of(study, sign_in=False)
    page = rating.page
    page.goto(study.invitation())
    page.click("text=Start")
    page.click("text=Start practising")
    rating.ready()
    assert page.locator("h1").inner_text() == "Practice 1 of 1"
    page.fill("#written", "The doctor, who was very tired, gave the vaccine to all of the children.")
    page.click("#finish")
    page.wait_for_selector("text=The words are plain, and nothing is lost.")
    page.click("text=Start with the real pages")
    for _ in range(2):
        rating.ready()
        page.fill("#written", SIMPLER[source_of(rating)])
        page.click("#finish")
        page.wait_for_selector("h1:has-text('2 of 2'), h1:has-text('All done')")
    page.wait_for_selector("text=All done. Thank you!")
    works = study.works()
    assert all(work.finished for work in works)
    assert {work.answers.text for work in works[1:]} == {SIMPLER[source] for source in SOURCES[:2]}


def test_it_is_written_and_finished_by_keys_alone(serve, rater_of):  # noqa: F811
    study = serve(*writing_study(items=2))
    rating = rater_of(study).open()
    for _ in range(2):
        while rating.focused() != "written":
            rating.press("Tab")
        rating.page.keyboard.type(SIMPLER[source_of(rating)])
        rating.press("Control+Enter")
        rating.page.wait_for_selector("h1:has-text('2 of 2'), h1:has-text('All done')")
        if rating.page.locator("#task").count():
            rating.ready()
            assert rating.focused() == "written"  # the next page starts where one goes on
    rating.page.wait_for_selector("text=All done. Thank you!")
    assert [work.finished for work in study.works()] == [True, True]


def test_limits_are_told_while_one_writes(serve, rater_of):  # noqa: F811
    rating = rater_of(serve(*writing_study(items=1))).open()
    page = rating.page
    assert page.locator("#written-count").inner_text() == "0 words (8 to 22)"
    page.fill("#written", "A few words")
    assert page.locator("#written-count").inner_text() == "3 words (8 to 22)"
    assert problems(rating) == []  # who is still typing is not told off
    rating.until("!document.getElementById('written-problems').hidden")
    assert problems(rating) == ["It has 3 words, and needs at least 8."]
    page.fill("#written", f"  {SOURCES[0].upper()} ")
    rating.until("document.querySelector('#written-problems li')?.textContent === 'It is the original again.'")
    page.fill("#written", SIMPLER[SOURCES[0]])
    rating.until("document.getElementById('next').textContent === 'Ready'")
    assert problems(rating) == []


def test_finishing_too_early_says_why_and_goes_to_the_field(serve, rater_of):  # noqa: F811
    study = serve(*writing_study(items=1))
    rating = rater_of(study).open()
    rating.page.click("#finish")
    told = rating.page.locator("#problem").inner_text()
    assert "Your text cannot be taken yet: nothing is written yet." in told
    assert "Or tick “The original is already as simple as it can be.”" in told
    assert rating.focused() == "written"
    rating.page.keyboard.type("Well")
    assert rating.page.locator("#problem").inner_text() == ""
    rating.saved()
    assert not any(isinstance(event, Finish) for event in study.log())


def test_what_only_the_server_can_tell_is_told_on_the_page(serve, rater_of):  # noqa: F811
    study = serve(*writing_study("write-split", items=1))
    rating = rater_of(study, disturbed=True).open()
    page = rating.page
    assert page.locator("#written").input_value() == SOURCES[0]
    page.fill(
        "#written", "The committee had convened at noon. It postponed its verdict because several people were absent."
    )
    page.click("#finish")  # before the server has seen the text
    page.wait_for_selector("#problem:has-text('Not accepted: words of the original are missing: dawn, witnesses.')")
    assert problems(rating) == ["Words of the original are missing: dawn, witnesses."]
    page.fill(
        "#written",
        "The committee had convened at dawn. It postponed its verdict because several witnesses were absent.",
    )
    page.click("#finish")
    page.wait_for_selector("text=All done. Thank you!")
    assert study.works()[-1].finished


def test_a_sentence_that_needs_no_change_is_ticked(serve, rater_of):  # noqa: F811
    study = serve(*writing_study(items=1))
    rating = rater_of(study).open()
    page = rating.page
    page.fill("#written", "Half a thought")
    page.check("#unchanged")
    assert page.locator("#written").is_disabled()
    page.click("#undo")
    assert not page.locator("#unchanged").is_checked()
    page.check("#unchanged")
    page.click("#finish")
    page.wait_for_selector("text=All done. Thank you!")
    answers = study.works()[-1].answers
    assert (answers.unchanged, reference_of(answers, SOURCES[0])) == (True, SOURCES[0])


def test_the_original_is_put_into_the_field_and_taken_back(serve, rater_of):  # noqa: F811
    rating = rater_of(serve(*writing_study(items=1))).open()
    page = rating.page
    page.fill("#written", "Mine")
    page.click("#from-source")
    assert page.locator("#written").input_value() == SOURCES[0]
    assert rating.focused() == "written"
    page.click("#undo")
    assert page.locator("#written").input_value() == "Mine"


def test_a_draft_outlives_a_reload_and_the_network(serve, rater_of):  # noqa: F811
    study = serve(*writing_study(items=1))
    rating = rater_of(study, disturbed=True).open()
    rating.page.fill("#written", "Half a thought")
    rating.page.reload()  # before the draft was saved
    rating.ready()
    assert rating.page.locator("#written").input_value() == "Half a thought"
    rating.saved()
    rating.context.set_offline(True)
    rating.page.fill("#written", "Half a thought more")
    rating.page.wait_for_selector("#saved:has-text('Offline')")
    rating.context.set_offline(False)
    rating.saved()
    assert study.works()[-1].answers.text == "Half a thought more"


def test_a_second_tab_shows_what_was_written_in_the_first(serve, rater_of):  # noqa: F811
    study = serve(*writing_study(items=1))
    rating = rater_of(study, disturbed=True).open()
    other = Rating(study, rating.context).open()
    rating.page.fill("#written", "From the first")
    other.until("document.getElementById('written').value === 'From the first'")
    other.page.fill("#written", "From the second")
    rating.until("document.getElementById('written').value === 'From the second'")
    writes = [event.text for event in study.log() if isinstance(event, Write)]
    assert writes == ["From the first", "From the second"]


def test_a_finished_page_is_opened_again_and_changed(serve, rater_of):  # noqa: F811
    study = serve(*writing_study(items=1))
    rating = rater_of(study).open()
    page = rating.page
    page.fill("#written", SIMPLER[SOURCES[0]])
    page.click("#finish")
    page.click("text=your pages")
    page.click("main ul a")
    rating.ready()
    assert page.locator("#written").is_disabled()
    page.click("#reopen")
    page.fill("#written", f"In short, {SIMPLER[SOURCES[0]]}")
    page.click("#finish")
    page.wait_for_selector("text=All done. Thank you!")
    assert study.works()[-1].answers.text.startswith("In short, ")


def test_what_is_written_is_only_ever_text(serve, rater_of):  # noqa: F811
    study = serve(*writing_study(items=1))
    rating = rater_of(study).open()
    attack = (
        '</textarea><img src=x onerror="document.title=\'hacked\'"><script>document.title="hacked"</script> and so on'
    )
    rating.page.fill("#written", attack)
    rating.saved()
    rating.page.wait_for_timeout(SAVED)
    rating.page.reload()
    rating.ready()
    assert rating.page.locator("#written").input_value() == attack
    assert rating.page.title() != "hacked"


@pytest.mark.parametrize("form", ["write", "write-split"])
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_everybody_can_use_the_page(serve, rater_of, form, scheme, width):  # noqa: F811
    size = PHONE if width == 360 else {"viewport": {"width": width, "height": 800}}
    rating = rater_of(serve(*writing_study(form, items=1)), color_scheme=scheme, bypass_csp=True, **size).open()
    assert violations(rating.page) == []
    rating.page.fill("#written", "Too short")
    rating.until("!document.getElementById('written-problems').hidden")
    rating.page.click("#finish")
    assert violations(rating.page) == []
    assert rating.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    small = """nodes => nodes.filter((node) => node.offsetParent && !node.disabled)
        .map((node) => node.closest("label") ?? node).map((node) => [node.id, node.getBoundingClientRect()])
        .filter(([, box]) => box.width < 24 || box.height < 24).map(([id]) => id)"""
    assert rating.page.eval_on_selector_all("#task :is(button, textarea, input)", small) == []


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_everybody_can_read_what_was_expected_and_that_one_has_to_wait(serve, rater_of, scheme, width):  # noqa: F811
    study = serve(*writing_study(items=1, training=1, review=True))
    size = PHONE if width == 360 else {"viewport": {"width": width, "height": 800}}
    rating = rater_of(study, color_scheme=scheme, bypass_csp=True, **size).open()
    page = rating.page
    page.fill("#written", "The physician was tired, and gave the vaccine to all of the children.")
    page.click("#finish")
    page.wait_for_selector("text=It still has: physician.")
    assert violations(page) == []
    page.click("text=Go on")
    page.wait_for_selector("text=Your practice pages are being read")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with study.database.writing() as connection:
        set_password(connection, "organiser", "correct horse battery")
    page.goto(study.url("/organiser"))
    page.fill("#password", "correct horse battery")
    page.click("main button")
    page.click("text=Review")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.click("button:has-text('Let')")
    page.wait_for_selector("text=The rater was let on")
    rating.open()
    assert page.locator("h1").inner_text() == "Sentence 1 of 1"
