"""British and American spellings of a word as one."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["common_spelling"]

_ISE = re.compile(r"(?<=[a-z]{3}[^aeiou])is(?=(?:e|es|ed|er|ers|ing|ation|ations|ational)$)")  # organise, not raise
_YSE = re.compile(r"(?<=l)ys(?=(?:e|es|ed|er|ers|ing)$)")  # analyse
_OUR = re.compile(r"(?<=[a-z]{3})our(?=(?:s|ed|ing|er|ers|able|ably|ful|al|hood|hoods|ite|ites|less|y)?$)")  # labour
_AMERICAN = {
    "ageing": "aging",
    "catalogue": "catalog",
    "centre": "center",
    "defence": "defense",
    "dialogue": "dialog",
    "enrol": "enroll",
    "enrolment": "enrollment",
    "fibre": "fiber",
    "fulfil": "fulfill",
    "fulfilment": "fulfillment",
    "grey": "gray",
    "instalment": "installment",
    "judgement": "judgment",
    "licence": "license",
    "offence": "offense",
    "odour": "odor",
    "programme": "program",
    "sceptical": "skeptical",
    "skilful": "skillful",
    "theatre": "theater",
    "wilful": "willful",
}
_AMERICAN |= {f"{british}s": f"{american}s" for british, american in _AMERICAN.items()}


@lru_cache(maxsize=65536)
def common_spelling(word: str) -> str:
    """Return one spelling, the American one, for both of a word in lower case; it need not be a word itself."""
    if word in _AMERICAN:
        return _AMERICAN[word]
    if "is" in word:
        word = _ISE.sub("iz", word)
    if "ys" in word:
        word = _YSE.sub("yz", word)
    return _OUR.sub("or", word) if "our" in word else word
