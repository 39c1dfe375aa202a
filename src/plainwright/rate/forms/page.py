"""From events to the state of a page.

A page never changes: `apply` gives the next one and leaves the old one as it was. So undoing is going back to answers
that are still there, and a refused event leaves no trace. There is no clock in here: every event brings its time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from plainwright.errors import RefusedError
from plainwright.rate.events import Event, Finish, Hide, Redo, Reopen, Show, Undo
from plainwright.rate.forms.answers import Answers, Work
from plainwright.rate.forms.registry import form_of
from plainwright.rate.forms.sheet import Change, Sheet
from plainwright.rate.material import UnitView
from plainwright.rate.settings import Settings

__all__ = ["LONG_SILENCE", "Page"]

LONG_SILENCE = 120.0  # seconds without any event, after which we cannot say that somebody was still rating
_NAMED = 5  # outputs that a sentence names before it says "and more"


@dataclass(frozen=True, slots=True)
class _Clock:
    """How long the page was in sight."""

    told: float = 0.0  # seconds, by the rater's clock
    most: float = 0.0  # seconds from the handing-out to the last arrival, by ours
    last: float | None = None  # the last event in sight; None: out of sight

    def until(self, at: float, most: float, *, running: bool) -> _Clock:
        passed = 0.0 if self.last is None else at - self.last  # below 0 if a clock was put back
        counted = passed if 0 < passed <= LONG_SILENCE else 0.0
        return _Clock(self.told + counted, max(self.most, most), at if running else None)

    @property
    def seconds(self) -> float:
        return min(self.told, self.most)


@dataclass(frozen=True, slots=True)
class Page:
    """One page of one rater, after some events."""

    sheet: Sheet
    answers: Answers
    version: int = 0  # how many events there were
    finished: bool = False
    _clock: _Clock = _Clock()
    _earlier: tuple[Answers, ...] = ()  # what undo goes back to, the latest last
    _undone: tuple[Answers, ...] = ()  # what redo goes on to, the latest last

    @classmethod
    def start(cls, unit: UnitView, settings: Settings) -> Page:
        """The page before anything happened on it."""
        sheet = form_of(settings).sheet.of(unit, settings)
        return cls(sheet, sheet.blank())

    def apply(self, event: Event, at: float, most: float = math.inf) -> Page:
        """The page after `event`, which happened at `at` (seconds); `RefusedError` if it cannot happen here.

        `at` is what the rater says. The page cannot have been in sight for longer than `most`: the seconds from its
        handing-out to the arrival of the event, by our own clock.
        """
        if self.finished and not isinstance(event, Reopen | Show | Hide):
            msg = "this page is finished; reopen it to change it"
            raise RefusedError(msg)
        return replace(self._after(event), version=self.version + 1, _clock=self._ticked(event, at, most))

    @property
    def work(self) -> Work:
        """The page as others see it."""
        return Work(
            version=self.version,
            answers=self.answers,
            finished=self.finished,
            seconds=self._clock.seconds,
            can_undo=bool(self._earlier) and not self.finished,
            can_redo=bool(self._undone) and not self.finished,
            missing=self.sheet.missing(self.answers),
            contradictions=self.sheet.contradictions(self.answers),
            problems=self.sheet.problems(self.answers),
        )

    def _ticked(self, event: Event, at: float, most: float) -> _Clock:
        if self.finished and not isinstance(event, Reopen):
            return self._clock  # looking at what is done is not rating
        match event:
            case Show() | Reopen():
                return self._clock.until(at, most, running=True)
            case Hide() | Finish():
                return self._clock.until(at, most, running=False)
            case _:
                return self._clock.until(at, most, running=self._clock.last is not None)

    def _after(self, event: Event) -> Page:
        match event:
            case Show() | Hide():
                return self
            case Finish():
                self._check_complete(confirmed=event.confirmed)
                # What was finished once is a whole; undo does not reach behind it.
                return replace(self, finished=True, _earlier=(), _undone=())
            case Reopen():
                return self._reopened()
            case Undo():
                return self._back()
            case Redo():
                return self._forth()
            case _:
                return self._changed(event)

    def _changed(self, change: Change) -> Page:
        answers = self.sheet.changed(self.answers, change)
        if answers == self.answers:
            return self  # otherwise an undo would seem to do nothing
        return replace(self, answers=answers, _earlier=(*self._earlier, self.answers), _undone=())

    def _back(self) -> Page:
        if not self._earlier:
            msg = "there is nothing to undo on this page"
            raise RefusedError(msg)
        *earlier, answers = self._earlier
        return replace(self, answers=answers, _earlier=tuple(earlier), _undone=(*self._undone, self.answers))

    def _forth(self) -> Page:
        if not self._undone:
            msg = "there is nothing to redo on this page"
            raise RefusedError(msg)
        *undone, answers = self._undone
        return replace(self, answers=answers, _earlier=(*self._earlier, self.answers), _undone=tuple(undone))

    def _reopened(self) -> Page:
        if not self.finished:
            msg = "this page is not finished; go on with it"
            raise RefusedError(msg)
        return replace(self, finished=False)

    def _check_complete(self, *, confirmed: bool) -> None:
        if problems := self.sheet.problems(self.answers):
            raise RefusedError("; ".join(problems))
        missing = self.sheet.missing(self.answers)
        if missing:
            lacking = [f"{self.sheet.where(self.answers, lack.card)} ({lack.aspect})" for lack in missing]
            msg = f"still without an answer: {_listed(lacking)}"
            raise RefusedError(msg)
        rule = self.sheet.settings.contradictions
        if rule == "allow" or (rule == "confirm" and confirmed):
            return
        against = [
            f"{self.sheet.where(self.answers, pair.lower)} has a higher score than the one above it"
            for pair in self.sheet.contradictions(self.answers)
        ]
        if against:
            way_out = "change scores or order" + (", or confirm that it is meant" if rule == "confirm" else "")
            msg = f"scores contradict the order: {_listed(against)}; {way_out}"
            raise RefusedError(msg)


def _listed(found: Sequence[str]) -> str:
    more = len(found) - _NAMED
    names = ", ".join(found[:_NAMED])
    return f"{names} and {more} more" if more > 0 else names
