"""Sentences as patterns of grammar: small words as they are, all others as their parts of speech.

"The cat sat on a mat ." is "the NN VBD on a NN ." to a language model of such patterns, which knows nothing of cats and
hears at once that "cat the on sat" is no English. It needs little text, and judges what no one wrote before.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["AUXILIARIES", "class_words"]

_FORMS = "be is are was were been being am 's 're 'm has have had having 've do does did"
_CLOSED_TAGS = "DT IN TO CC MD PRP PRP$ WDT WP WP$ WRB EX PDT RP POS , . : `` '' -LRB- -RRB- HYPH"
AUXILIARIES = frozenset(_FORMS.split())
_CLOSED = frozenset(_CLOSED_TAGS.split())
_NEGATIONS = frozenset({"not", "n't"})


def class_words(words: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Return each word, or its tag if it is none of the small words that grammar hangs on."""
    return [
        word if tag in _CLOSED or word in AUXILIARIES or word in _NEGATIONS else tag
        for word, tag in zip(words, tags, strict=True)
    ]
