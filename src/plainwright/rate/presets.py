"""The questions of each form, used unless `study.toml` asks its own.

rank      one score from 0 to 100 beside the order (Maddela et al., 2023)
likert    fluency, adequacy, simplicity in five steps
direct    the same on a line from 0 to 100 (direct assessment: Alva-Manchego et al., 2021)
sulem     grammaticality and meaning in five steps; simplicity and structural simplicity against the source, from -2
          to 2, the latter whatever the words are (Sulem et al., 2018)
gain      how many changes made it simpler, counted (Simplicity Gain: Xu et al., 2016); grammar and meaning from 0 to 4
pairwise  which of two is better
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources

from plainwright.rate.settings import Aspect, FormName
from plainwright.study.ratings import Scale

__all__ = ["PREFERENCE", "aspects_of", "consent_of", "instructions_of"]

PREFERENCE = Scale(0, 1)  # of a card in a comparison: 1 preferred, 0.5 no difference, 0 the other one preferred

_PERCENT = Scale(0, 100)
_FIVE = Scale(1, 5, 1)
_CHANGE = Scale(-2, 2, 1)
_FOUR = Scale(0, 4, 1)
_COUNT = Scale(0, 20, 1)

_QUALITY = ("very bad", "poor", "good", "perfect")  # at 0, 33, 67 and 100
_FIVE_OF_LANGUAGE = ("not English", "many mistakes", "some mistakes", "small flaws", "flawless")
_FIVE_OF_MEANING = ("none of it", "little of it", "much of it", "most of it", "all of it")
_FIVE_OF_SIMPLICITY = ("very hard to read", "hard to read", "in between", "easy to read", "very easy to read")
_CHANGES = ("much harder", "harder", "no difference", "simpler", "much simpler")

_FLUENCY = "Is it good English?"
_ADEQUACY = "Does it say what the original says?"
_SIMPLICITY = "Is it easy to read and understand?"


def _aspect(name: str, question: str, scale: Scale, labels: tuple[str, ...] = ()) -> Aspect:
    return Aspect(name=name, question=question, scale=scale, labels=labels)


_ASPECTS: Mapping[FormName, tuple[Aspect, ...]] = {
    "rank": (_aspect("overall", "How good is it, all in all?", _PERCENT, _QUALITY),),
    "likert": (
        _aspect("fluency", _FLUENCY, _FIVE, _FIVE_OF_LANGUAGE),
        _aspect("adequacy", _ADEQUACY, _FIVE, _FIVE_OF_MEANING),
        _aspect("simplicity", _SIMPLICITY, _FIVE, _FIVE_OF_SIMPLICITY),
    ),
    "direct": (
        _aspect("fluency", _FLUENCY, _PERCENT, ("not at all", "hardly", "mostly", "entirely")),
        _aspect("adequacy", _ADEQUACY, _PERCENT, ("not at all", "hardly", "mostly", "entirely")),
        _aspect("simplicity", _SIMPLICITY, _PERCENT, ("not at all", "hardly", "mostly", "entirely")),
    ),
    "sulem": (
        _aspect("grammaticality", "Is it fluent and grammatical?", _FIVE, _FIVE_OF_LANGUAGE),
        _aspect("meaning", "Does it keep the meaning of the original?", _FIVE, _FIVE_OF_MEANING),
        _aspect("simplicity", "Is it simpler than the original?", _CHANGE, _CHANGES),
        _aspect(
            "structural simplicity",
            "Is it simpler than the original in how it is built, whatever words it uses?",
            _CHANGE,
            _CHANGES,
        ),
    ),
    "gain": (
        _aspect("simplicity gain", "How many changes of words or of structure made it simpler and went well?", _COUNT),
        _aspect("grammar", _FLUENCY, _FOUR, _FIVE_OF_LANGUAGE),
        _aspect("meaning", _ADEQUACY, _FOUR, _FIVE_OF_MEANING),
    ),
    "pairwise": (_aspect("overall", "Which is the better simplification?", PREFERENCE),),
}


def aspects_of(form: FormName) -> tuple[Aspect, ...]:
    """What a form asks of each output."""
    return _ASPECTS[form]


def instructions_of(form: FormName) -> str:
    """What raters are told, in Markdown, to be adapted."""
    return _text(f"instructions-{form}.md")


def consent_of() -> str:
    """What raters agree to, in Markdown, to be adapted."""
    return _text("consent.md")


def _text(name: str) -> str:
    return resources.files("plainwright.rate").joinpath("texts", name).read_text(encoding="utf-8")
