"""Events as sentences, for people who read a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plainwright.rate.events import (
    Comment,
    Event,
    Finish,
    Hide,
    Mark,
    Move,
    Prefer,
    Redo,
    Reopen,
    Score,
    Show,
    Sort,
    Undo,
    Write,
)

__all__ = ["told"]

_BARE: Mapping[type, str] = {
    Undo: "took the last change back",
    Redo: "made the change again",
    Show: "looked at the page",
    Hide: "left the page",
    Reopen: "opened the finished page again",
}


def told(event: Event, shown: Sequence[str]) -> str:
    """What a rater did; outputs are called by their place in `shown`, the ids of the cards as the page began."""
    match event:
        case Score(value=None):
            return f"took the score of {_output(event.card, shown)} back ({event.aspect})"
        case Score():
            return f"scored {_output(event.card, shown)} with {event.value:g} ({event.aspect})"
        case Move():
            group = "" if event.group == "all" else f" of {event.group}"
            return f"moved {_output(event.card, shown)} to place {event.place + 1}{group}"
        case Sort():
            return "sorted by score" if event.group == "all" else f"sorted {event.group} by score"
        case Mark():
            return f"marked {_counted(len(event.edits), 'edit')} in {_output(event.card, shown)}"
        case Prefer(card=None):
            return f"found no difference ({event.aspect})"
        case Prefer():
            return f"preferred {_output(event.card or '', shown)} ({event.aspect})"
        case Comment():
            return f"commented: {event.text}" if event.text else "took the comment back"
        case Write(unchanged=True):
            return "left the original unchanged"
        case Write():
            return f"wrote: {event.text}" if event.text else "took the text back"
        case Finish():
            return "finished the page, contradictions confirmed" if event.confirmed else "finished the page"
        case _:
            return _BARE[type(event)]


def _output(card: str, shown: Sequence[str]) -> str:
    return f"output {shown.index(card) + 1}" if card in shown else f"an unknown output ({card})"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else noun + 's'}"
