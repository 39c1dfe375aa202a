"""Gain: how many changes made it simpler (Simplicity Gain: Xu et al., 2016); grammar and meaning from 0 to 4."""

from __future__ import annotations

from plainwright.rate.forms.base import Form, Widget, packaged_text
from plainwright.rate.forms.questions import ADEQUACY, FLUENCY, LANGUAGE_LABELS, MEANING_LABELS
from plainwright.rate.settings import Aspect
from plainwright.study.ratings import Scale

__all__ = ["Gain"]

_COUNT = Scale(0, 20, 1)
_FOUR = Scale(0, 4, 1)


class Gain(Form):
    """Asks for one number that is counted, and two in steps."""

    name = "gain"
    aspects = (
        Aspect(
            name="simplicity gain",
            question="How many changes of words or of structure made it simpler and went well?",
            scale=_COUNT,
        ),
        Aspect(name="grammar", question=FLUENCY, scale=_FOUR, labels=LANGUAGE_LABELS),
        Aspect(name="meaning", question=ADEQUACY, scale=_FOUR, labels=MEANING_LABELS),
    )
    instructions = packaged_text("instructions-gain.md")

    def widget(self, aspect: Aspect) -> Widget:
        """Let raters count where steps have no labels."""
        return "stepper" if aspect.scale.step and not aspect.labels else super().widget(aspect)
