"""Write and Split: raters write a simpler version of a sentence, which becomes a reference.

Write asks for a simplification (Xu et al., 2016, section 3.4); Split for the same words in shorter sentences, by the
guidelines of HSplit (Sulem et al., 2018). A draft may be anything; what is finished keeps the limits of the study.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from plainwright.errors import DataError, RefusedError
from plainwright.rate.events import Comment, Write
from plainwright.rate.forms.answers import Answers, Missing
from plainwright.rate.forms.base import Form, packaged_text
from plainwright.rate.forms.limits import cleaned, problems_of
from plainwright.rate.forms.sheet import ONE_LIST, Change, Sheet, printable
from plainwright.rate.material import Card
from plainwright.rate.settings import Controls, Settings, TrainingItem, Writing

__all__ = ["Split", "WriteSimpler", "WritingSheet", "reference_of", "training_item"]

_TEXT = "text"  # what is missing from a page, as its script knows it


def reference_of(answers: Answers, source: str) -> str:
    """Return the text that a finished page stands for."""
    return cleaned(source if answers.unchanged else answers.text)


def training_item(settings: Settings, source: str) -> TrainingItem | None:
    """Return the qualifying item of a source; None if raters do not write, or it is none."""
    items = settings.training if settings.writing else ()
    return next((item for item in items if item.source == source), None)


class WritingSheet(Sheet):
    """Says what is asked of whoever writes."""

    @property
    def limits(self) -> Writing:
        """The limits of the study."""
        return self.settings.writing or Writing()

    def blank(self) -> Answers:
        """Nothing; where words are kept, the sentence to be split."""
        return Answers(groups={ONE_LIST: ()}, text=self.source if self.limits.keeps_words else "")

    def changed(self, answers: Answers, change: Change) -> Answers:
        """See `Sheet.changed`."""
        match change:
            case Write():
                if change.unchanged and not self.limits.allow_unchanged:
                    msg = "this study asks for another text for every sentence"
                    raise RefusedError(msg)
                return replace(answers, text=printable(change.text), unchanged=change.unchanged)
            case Comment():
                return super().changed(answers, change)
            case _:
                msg = "this page asks for a text, not for scores"
                raise RefusedError(msg)

    def missing(self, answers: Answers) -> tuple[Missing, ...]:
        """See `Sheet.missing`."""
        return (Missing("", _TEXT),) if self.problems(answers) else ()

    def problems(self, answers: Answers) -> tuple[str, ...]:
        """See `Sheet.problems`."""
        return () if answers.unchanged else problems_of(self.source, answers.text, self.limits)


class WriteSimpler(Form):
    """Asks for a simplification of a sentence."""

    name = "write"
    aspects = ()
    instructions = packaged_text("instructions-write.md")
    sheet = WritingSheet
    writes = True
    writing = Writing()
    field_name: ClassVar[str] = "Your simpler version"  # above the field
    unchanged_name: ClassVar[str] = "The original is already as simple as it can be"

    def check(self, settings: Settings) -> None:
        """Refuse what needs outputs to rate."""
        if settings.controls != Controls():
            msg = f"controls: expected none with the form {self.name!r}, which shows no outputs, found some"
            raise DataError(msg)
        if settings.edits:
            msg = f"page.edits: expected false with the form {self.name!r}, which shows no outputs, found true"
            raise DataError(msg)
        self.check_limits(settings.writing or self.writing)

    def check_limits(self, limits: Writing) -> None:
        """Refuse limits that do not suit what is asked."""
        if limits.keeps_words or limits.most_added is not None or limits.splitting == "require":
            found = "writing.splitting" if limits.splitting == "require" else "writing.most_lost or most_added"
            msg = f"{found}: expected limits of a simplification, found one of splits; use the form 'write-split'"
            raise DataError(msg)

    def units(self, cards: Sequence[Card], settings: Settings) -> tuple[tuple[int, ...], ...]:
        """Return one page, which shows the source alone."""
        return ((),)


class Split(WriteSimpler):
    """Asks for the same words in shorter sentences."""

    name = "write-split"
    instructions = packaged_text("instructions-split.md")
    writing = Writing(shortest=0.8, longest=2.0, fewest_changes=0, splitting="require", most_lost=0, most_added=2)
    field_name = "The same in shorter sentences"
    unchanged_name = "The original cannot be split"

    def check_limits(self, limits: Writing) -> None:
        """See `WriteSimpler.check_limits`."""
        if limits.splitting != "require" or not limits.keeps_words or limits.fewest_changes:
            found = "fewest_changes" if limits.fewest_changes else "splitting"
            msg = (
                f"writing.{found}: expected sentences that are split and words that stay with the form 'write-split', "
                f"found {getattr(limits, found)!r}; use the form 'write'"
            )
            raise DataError(msg)
