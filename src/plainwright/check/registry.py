"""The checks by name: ours, and those of others."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from plainwright.check.rules.abbreviations import Abbreviation
from plainwright.check.rules.fillers import Filler
from plainwright.check.rules.lists import AdvancedWord, ListedWord
from plainwright.check.rules.negation import DoubleNegative
from plainwright.check.rules.nouns import HiddenVerb, NounString
from plainwright.check.rules.passive import Passive
from plainwright.check.rules.sentences import LongSentence, NestedSentence
from plainwright.check.rules.words import HardWord, TwoTerms
from plainwright.check.types import Check, Settings
from plainwright.corpora import locate
from plainwright.registry import Registry

__all__ = ["CHECKS", "CheckFactory", "check_can_be_made", "chosen_checks"]

CheckFactory = Callable[[Settings], Check]

# Where two of them find fault with the same words, the first is heard.
_OURS = (
    LongSentence,
    NestedSentence,
    HiddenVerb,
    DoubleNegative,
    Filler,
    TwoTerms,
    HardWord,
    ListedWord,
    AdvancedWord,
    Abbreviation,
    Passive,
    NounString,
)
_OF_LISTS = {own.rule: own for own in (ListedWord, AdvancedWord)}
CHECKS: Registry[CheckFactory] = Registry("check", "plainwright.checks", {own.rule: own for own in _OURS})


def check_can_be_made(name: str) -> None:
    """Raise an error for an unknown check, and for one whose list is not on this machine."""
    CHECKS[name]
    if name in _OF_LISTS:
        locate(_OF_LISTS[name].corpus)


def chosen_checks(select: Iterable[str] | None, ignore: Iterable[str], settings: Settings) -> list[Check]:
    """Return the selected checks, else all that can be made, without those to ignore; an unknown name is an error."""
    left_out = set(ignore)
    names = CHECKS.names() if select is None else list(dict.fromkeys(select))
    for name in (*names, *left_out):
        CHECKS[name]
    if select is None:
        left_out |= {name for name, own in _OF_LISTS.items() if not own.is_there()}
    return [CHECKS[name](settings) for name in names if name not in left_out]
