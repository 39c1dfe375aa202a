"""Every event reads as a sentence."""

from __future__ import annotations

from typing import get_args

import pytest

from plainwright.rate import events
from plainwright.rate.material import Edit
from plainwright.rate.telling import told

SHOWN = ("x7", "k2", "p9")

SAID = [
    (events.Score("k2", "overall", 70), "scored output 2 with 70 (overall)"),
    (events.Score("k2", "fluency", None), "took the score of output 2 back (fluency)"),
    (events.Move("p9", "split", 0), "moved output 3 to place 1 of split"),
    (events.Move("p9", "all", 4), "moved output 3 to place 5"),
    (events.Sort("deletion"), "sorted deletion by score"),
    (events.Sort("all"), "sorted by score"),
    (events.Mark("x7", []), "marked 0 edits in output 1"),
    (events.Mark("x7", [Edit("split", 3, 3)]), "marked 1 edit in output 1"),
    (events.Prefer("overall", "k2"), "preferred output 2 (overall)"),
    (events.Prefer("overall", None), "found no difference (overall)"),
    (events.Comment("hard <b>one</b>"), "commented: hard <b>one</b>"),
    (events.Comment(""), "took the comment back"),
    (events.Write("It is so."), "wrote: It is so."),
    (events.Write(""), "took the text back"),
    (events.Write("It is", unchanged=True), "left the original unchanged"),
    (events.Undo(), "took the last change back"),
    (events.Redo(), "made the change again"),
    (events.Show(), "looked at the page"),
    (events.Hide(), "left the page"),
    (events.Finish(), "finished the page"),
    (events.Finish(confirmed=True), "finished the page, contradictions confirmed"),
    (events.Reopen(), "opened the finished page again"),
    (events.Score("gone", "overall", 1.5), "scored an unknown output (gone) with 1.5 (overall)"),
]


@pytest.mark.parametrize(("event", "said"), SAID)
def test_events_as_sentences(event, said):
    assert told(event, SHOWN) == said


def test_no_kind_of_event_is_left_out():
    assert {type(event) for event, _ in SAID} == set(get_args(events.Event))
