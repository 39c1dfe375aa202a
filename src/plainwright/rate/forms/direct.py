"""Direct: fluency, adequacy and simplicity from 0 to 100 (direct assessment: Alva-Manchego et al., 2021)."""

from __future__ import annotations

from plainwright.rate.forms.base import Form, packaged_text
from plainwright.rate.forms.questions import ADEQUACY, FLUENCY, PERCENT, SIMPLICITY
from plainwright.rate.settings import Aspect

__all__ = ["Direct"]

_LABELS = ("not at all", "hardly", "mostly", "entirely")  # at 0, 33, 67 and 100


class Direct(Form):
    """Asks three questions on a line."""

    name = "direct"
    aspects = (
        Aspect(name="fluency", question=FLUENCY, scale=PERCENT, labels=_LABELS),
        Aspect(name="adequacy", question=ADEQUACY, scale=PERCENT, labels=_LABELS),
        Aspect(name="simplicity", question=SIMPLICITY, scale=PERCENT, labels=_LABELS),
    )
    instructions = packaged_text("instructions-direct.md")
