"""Questions, scales and labels that several forms share."""

from __future__ import annotations

from plainwright.study.ratings import Scale

__all__ = [
    "ADEQUACY",
    "CHANGE",
    "CHANGE_LABELS",
    "FIVE",
    "FLUENCY",
    "LANGUAGE_LABELS",
    "MEANING_LABELS",
    "PERCENT",
    "SIMPLER",
    "SIMPLICITY",
]

PERCENT = Scale(0, 100)
FIVE = Scale(1, 5, 1)
CHANGE = Scale(-2, 2, 1)  # against the source

FLUENCY = "Is it good English?"
ADEQUACY = "Does it say what the original says?"
SIMPLICITY = "Is it easy to read and understand?"
SIMPLER = "Is it simpler than the original?"

LANGUAGE_LABELS = ("not English", "many mistakes", "some mistakes", "small flaws", "flawless")
MEANING_LABELS = ("none of it", "little of it", "much of it", "most of it", "all of it")
CHANGE_LABELS = ("much harder", "harder", "no difference", "simpler", "much simpler")
