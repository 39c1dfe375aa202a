"""A rewrite that says something else is refused; one that says the same in other words is not."""

from __future__ import annotations

import pytest

from plainwright.rewrite.judge.fidelity import broken_promise

KEPT = [
    ("Failure to pay within 30 days may result in a fine.", "If you do not pay within 30 days, you may get a fine."),
    ("The fee, which is £12.50, is non-refundable.", "The fee is £12.50. You cannot get it back."),
    ("Twelve members were present.", "There were 12 members there."),
    ('She said "we are ready" and left.', 'She said "we are ready". Then she left.'),
    ("Smoking is prohibited in Block B.", "You must not smoke in Block B."),
    ("It takes 45 minutes, provided that the road is clear.", "It takes 45 minutes if the road is clear."),
    ("The dose shall not exceed 5 mg.", "The dose must not be more than 5 mg."),
    ("Many owners are unaware of the fault.", "Many owners do not know about the fault."),
    ("The union uncovered a unique plan.", "The union found a special plan."),
    ("The vote led to civil unrest.", "The vote led to riots."),
    ("The seats were unoccupied.", "The seats were not taken."),
]
BROKEN = [
    ("numbers", "The fee is £12.50 a year.", "The fee is £12 a year."),
    ("numbers", "The office opens at nine.", "The office opens at ten."),
    ("units", "Take 5 mg with water.", "Take 5 ml with water."),
    ("negation", "The door does not lock by itself, so close it.", "The door locks by itself, so close it."),
    ("negation", "Staff parked there all day.", "Staff did not park there all day."),
    ("opposite", "Many owners are unaware of the fault.", "Many owners know about the fault."),
    ("opposite", "He was unaware of the information.", "He knew about the information."),
    ("opposite", "The drug is unsafe in the United States.", "The drug is safe in the United States."),
    ("opposite", "An incomplete form is sent back.", "A complete form is sent back."),
    ("new name", "The minister opened the bridge.", "The minister opened the Tower bridge."),
    ("quotation", 'He called it "a great day" for us.', 'He called it "a good day" for us.'),
    ("possibility", "The medicine may cause sleepiness.", "The medicine makes you sleepy."),
    ("possibility that is new", "The bus leaves at noon.", "The bus perhaps leaves at noon."),
    ("obligation that is new", "Visitors sign the book.", "Visitors must sign the book."),
    ("condition", "We will help you if you live in the area.", "We will help you. You live in the area."),
    ("only", "Only members of the club vote on this.", "Members of the club vote on this."),
    ("most", "Most of the houses were empty.", "The houses were empty."),
    ("limit", "The prize is a sum not exceeding 20 pounds.", "The prize is not a sum of 20 pounds."),
    ("attribution", "He allegedly took the money home.", "He took the money home."),
    ("length", "He ran.", "He ran to the shop because his mother had asked him to buy some bread."),
    ("cut short", "The council approved the plan after a long debate in the town hall.", "It was approved."),
    ("loop", "The cat sat on the mat and slept all day long.", "The cat sat on the mat. The cat sat on the mat."),
    ("other script", "The word means peace in the old language.", "The word means мир in the old language."),
]


@pytest.mark.parametrize(("source", "target"), KEPT)
def test_other_words_for_the_same_are_let_through(source: str, target: str) -> None:
    assert broken_promise(source, target) is None


@pytest.mark.parametrize(("reason", "source", "target"), BROKEN)
def test_what_says_something_else_is_refused(reason: str, source: str, target: str) -> None:
    assert broken_promise(source, target) == reason


@pytest.mark.parametrize("text", [source for source, _ in KEPT])
def test_a_copy_breaks_nothing(text: str) -> None:
    assert broken_promise(text, text) is None
