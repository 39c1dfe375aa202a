"""A text as units: each token with what stands between it and the token before."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple

from plainwright.errors import DataError
from plainwright.text.edits.edit import Span
from plainwright.text.edits.words import STOPS, sentences_of

__all__ = ["Region", "Units"]


Fate = Literal["kept", "moved", "changed"]
State = Literal["start", "inside", "either"]


class Region(NamedTuple):
    """Names units between two stable ones, by their numbers in both texts."""

    source: range
    output: range


class Units:
    """The units of a text; the last one is its tail, whose token is empty."""

    def __init__(self, text: str, tokens: Sequence[Span]) -> None:
        self.text = text
        self.tokens = [*tokens, (len(text), len(text))]
        self.cuts = [0, *(end for _, end in self.tokens)]
        self.units = [text[start:end] for start, end in pairwise(self.cuts)]
        self.fates: list[Fate] = ["changed" for _ in tokens]
        self.fates.append("kept")

    def token(self, number: int) -> str:
        """Return the text of a token."""
        start, end = self.tokens[number]
        return self.text[start:end]

    def note(self, kept: Iterable[int], moved: Iterable[int]) -> None:
        """Say what happened to tokens; all others were changed."""
        for number in moved:
            self.fates[number] = "moved"
        for number in kept:
            self.fates[number] = "kept"

    def span(self, run: range) -> Span:
        """Return where a run of units stands."""
        return self.cuts[run.start], self.cuts[run.stop]

    def text_of(self, run: range) -> str:
        """Return the text of a run of units."""
        return self.text[self.cuts[run.start] : self.cuts[run.stop]]

    def is_word(self, number: int) -> bool:
        """Return whether a token is more than punctuation."""
        return any(map(str.isalnum, self.token(number)))

    def state_after(self, number: int) -> State:
        """Return what the text is waiting for after a token: more of the sentence, or the first word of one.

        After a word such as "p.m." it is either. Quotation marks, brackets and commas change nothing.
        """
        for place in range(number, -1, -1):
            stops = self.text[self.cuts[place + 1] - 1] in STOPS
            if self.is_word(place):
                return "either" if stops else "inside"
            if stops:
                break
        return "start"

    @cached_property
    def openings(self) -> list[int]:
        """The units that sentences begin with, except for the first sentence."""
        inner = self.text[: self.tokens[-2][0]] if len(self.tokens) > 1 else ""
        if not any(stop in inner for stop in STOPS):
            return []  # the splitter would find none, and takes longer to say so
        return [bisect_right(self.cuts, start) - 1 for start, _ in sentences_of(self.text)[1:]]

    def opened(self, run: range) -> range:
        """Return the numbers of the sentences that begin in a run of units or right after it."""
        return range(bisect_left(self.openings, run.start) + 1, bisect_right(self.openings, run.stop) + 1)

    def check(self, name: str, numbers: Iterable[int]) -> None:
        """Raise `DataError` unless the tokens lie in the text in order, and the numbers are those of tokens."""
        *tokens, _ = self.tokens
        in_order = all(before <= start < end for before, (start, end) in zip(self.cuts, tokens, strict=False))
        if not in_order or self.cuts[-2] > len(self.text):
            msg = f"tokens of the {name} must be spans of its characters, in order and apart; got {tokens}"
            raise DataError(msg)
        for number in numbers:
            if not 0 <= number < len(tokens):
                msg = f"the {name} has {len(tokens)} tokens; a pair names token {number}, counted from 0"
                raise DataError(msg)
