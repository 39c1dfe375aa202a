"""Likert: fluency, adequacy and simplicity in five steps."""

from __future__ import annotations

from plainwright.rate.forms.base import Form, packaged_text
from plainwright.rate.forms.questions import ADEQUACY, FIVE, FLUENCY, LANGUAGE_LABELS, MEANING_LABELS, SIMPLICITY
from plainwright.rate.settings import Aspect

__all__ = ["Likert"]

_SIMPLICITY_LABELS = ("very hard to read", "hard to read", "in between", "easy to read", "very easy to read")


class Likert(Form):
    """Asks three questions in five steps."""

    name = "likert"
    aspects = (
        Aspect(name="fluency", question=FLUENCY, scale=FIVE, labels=LANGUAGE_LABELS),
        Aspect(name="adequacy", question=ADEQUACY, scale=FIVE, labels=MEANING_LABELS),
        Aspect(name="simplicity", question=SIMPLICITY, scale=FIVE, labels=_SIMPLICITY_LABELS),
    )
    instructions = packaged_text("instructions-likert.md")
