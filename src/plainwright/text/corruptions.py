"""Texts spoilt on purpose: what no good metric prefers to the text itself (Maddela et al. 2023, Figure 2).

The paper has three: drop 10 % of the words, scramble 5 % of them, insert a period in the middle. What it leaves open:

- A word is a run between white space that has a letter or a digit, and takes its commas and quotes with it; marks that
  stand alone, as in tokenised text, never move. What follows the last letter or digit of the text stays at its end.
- A share of the words is rounded to whole words, halves up, and is at least one word to drop and two to scramble, so
  that short texts are spoilt as well; no share is no word. At least one word is left.
- Each scrambled word takes the place of another one, and no two of them are the same word: every chosen place changes.
- The period follows the word nearest to the middle that has no mark behind it. It is a token of its own if the mark
  at the end of the text is one. Case stays as it is.

Chance comes from a generator made of the text and a seed, so that the texts around it do not matter.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import numpy as np

from plainwright.errors import DataError

__all__ = ["drop_words", "generator_of", "scramble_words", "split_in_middle"]

_BODY = re.compile(r".*[^\W_]", re.DOTALL)  # up to the last letter or digit


def generator_of(text: str, seed: int = 12345) -> np.random.Generator:
    """Return the same generator for the same text and seed, whatever was perturbed before."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng([seed, int.from_bytes(digest, "big")])


def drop_words(text: str, share: float, rng: np.random.Generator) -> str:
    """Without that share of the words; a text of one word stays as it is."""
    tokens, words, ending = _taken_apart(text)
    count = min(_number_of(words, share, least=1), len(words) - 1)
    if count < 1:
        return text
    dropped = set(rng.choice(words, size=count, replace=False).tolist())
    return " ".join(token for at, token in enumerate(tokens) if at not in dropped) + ending


def scramble_words(text: str, share: float, rng: np.random.Generator) -> str:
    """With that share of the words in each other's places; a text with a single word, however often, stays as it is."""
    tokens, words, ending = _taken_apart(text)
    different = {tokens[at].casefold(): at for at in rng.permutation(words).tolist()} if words else {}
    places = list(different.values())[: _number_of(words, share, least=2)]
    if len(places) < 2:
        return text
    moved = list(tokens)
    for place, taken_from in zip(places, [*places[1:], places[0]], strict=True):
        moved[place] = tokens[taken_from]
    return " ".join(moved) + ending


def split_in_middle(text: str) -> str:
    """With a period behind the word in the middle; a text of one word stays as it is."""
    tokens, words, ending = _taken_apart(text)
    before = words[:-1]  # behind the last word there is an end already
    if not before:
        return text
    free = [at for at in before if tokens[at][-1].isalnum() and at + 1 in words] or before
    middle = words[(len(words) - 1) // 2]
    chosen = min(free, key=lambda at: abs(at - middle))
    period = " ." if ending.startswith(" ") else "."
    return " ".join([*tokens[:chosen], tokens[chosen] + period, *tokens[chosen + 1 :]]) + ending


def _taken_apart(text: str) -> tuple[list[str], list[int], str]:
    """The tokens before the final marks, which of them are words, and the final marks."""
    body = _BODY.match(text)
    end = body.end() if body else 0
    tokens = text[:end].split()
    words = [at for at, token in enumerate(tokens) if any(map(str.isalnum, token))]
    ending = text[end:].rstrip()
    return tokens, words, f" {ending.lstrip()}" if ending[:1].isspace() else ending


def _number_of(words: Sequence[int], share: float, *, least: int) -> int:
    if not 0 <= share <= 1:
        msg = f"a share of the words must be between 0 and 1, got {share!r}"
        raise DataError(msg)
    return max(least, int(share * len(words) + 0.5)) if share else 0
