"""Sulem: grammaticality and meaning in five steps; simplicity against the source (Sulem et al., 2018)."""

from __future__ import annotations

from plainwright.rate.forms.base import Form, packaged_text
from plainwright.rate.forms.questions import CHANGE, CHANGE_LABELS, FIVE, LANGUAGE_LABELS, MEANING_LABELS, SIMPLER
from plainwright.rate.settings import Aspect

__all__ = ["Sulem"]


class Sulem(Form):
    """Asks two questions in five steps, and two from -2 to 2."""

    name = "sulem"
    aspects = (
        Aspect(name="grammaticality", question="Is it fluent and grammatical?", scale=FIVE, labels=LANGUAGE_LABELS),
        Aspect(name="meaning", question="Does it keep the meaning of the original?", scale=FIVE, labels=MEANING_LABELS),
        Aspect(name="simplicity", question=SIMPLER, scale=CHANGE, labels=CHANGE_LABELS),
        Aspect(
            name="structural simplicity",
            question="Is it simpler than the original in how it is built, whatever words it uses?",
            scale=CHANGE,
            labels=CHANGE_LABELS,
        ),
    )
    instructions = packaged_text("instructions-sulem.md")
