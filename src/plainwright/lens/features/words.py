"""The words of a text, the same for a text as it is written and for its tokens in lower case.

A metric that is trained on one and asked about the other must not notice, so every feature starts from these words:
tokens of the Penn Treebank's kind in lower case, with its signs for quotation marks and brackets undone and the
typographer's marks made plain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from plainwright import _core
from plainwright.errors import DataError
from plainwright.text import count_syllables, ptb_detokenize
from plainwright.text.frequencies import zipf

__all__ = ["RARE", "WordFacts", "readable", "sentences_of", "with_directed_quotes", "word_facts", "words_of"]

RARE = 4.0  # Zipf: ten in a million words
_CLITIC = 7.0

_SIGNS = {
    "``": '"',
    "''": '"',
    "“": '"',
    "”": '"',
    "„": '"',
    "«": '"',
    "»": '"',
    "‘": "'",
    "’": "'",
    "`": "'",
    "–": "--",
    "—": "--",
    "…": "...",
    "-lrb-": "(",
    "-rrb-": ")",
    "-lsb-": "[",
    "-rsb-": "]",
    "-lcb-": "{",
    "-rcb-": "}",
}
_SIGN = re.compile(r"``|''|[“”„«»‘’`…]|(?<!\S)[–—](?!\S)|—|-[lr][rsc]b-")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_ENDS = frozenset({".", "!", "?"})
_CLOSES = frozenset({")", "]", "}"})


def words_of(text: str) -> tuple[str, ...]:
    """Return words and punctuation marks in lower case."""
    plain = _SIGN.sub(lambda sign: f" {_SIGNS[sign[0]]} " if sign[0] not in "’‘" else "'", text.lower())
    try:
        return tuple(token for token, _, _ in _core.ptb_tokenize(plain, directed_quotes=False))
    except (TypeError, ValueError) as error:
        msg = f"a text to score: {str(error).partition(chr(10))[0]}"
        raise DataError(msg) from None


def sentences_of(words: Sequence[str]) -> list[Sequence[str]]:
    """Return the words of each sentence; a mark that ends one takes closing quotation marks and brackets with it."""
    sentences, start = [], 0
    for end in _ends_of(words):
        sentences.append(words[start:end])
        start = end
    return sentences


def _ends_of(words: Sequence[str]) -> Iterator[int]:
    ended, quoted = False, False
    for place, word in enumerate(words):
        closes = quoted if word == '"' else word in _CLOSES
        if ended and not closes and word not in _ENDS:
            yield place
            ended, quoted = False, False
        ended = ended or word in _ENDS
        quoted = quoted != (word == '"')
    if words:
        yield len(words)


def with_directed_quotes(words: Sequence[str]) -> list[str]:
    """The words as the language model and the tagger know them: quotation marks open and close in turn."""
    directed, opening = [], True
    for word in words:
        if word == '"':
            word, opening = ("``" if opening else "''"), not opening
        directed.append(word)
    return directed


@dataclass(frozen=True, slots=True, kw_only=True)
class WordFacts:
    """Holds what is known of one word, wherever it stands."""

    lexical: bool  # there is a letter in it
    number: bool  # there is a digit in it
    length: int
    syllables: int
    zipf: float

    @property
    def spoken(self) -> bool:
        """Whether it is a word or a number, and no mark."""
        return self.lexical or self.number

    @property
    def informative(self) -> bool:
        """Whether it is a number or rare, as names are: what a reader would miss."""
        return self.number or self.zipf < RARE


@lru_cache(maxsize=1 << 17)
def word_facts(word: str) -> WordFacts:
    """Look a word up, once."""
    return WordFacts(
        lexical=_LETTER.search(word) is not None,
        number=_DIGIT.search(word) is not None,
        length=len(word),
        syllables=count_syllables(word),
        zipf=_frequency(word),
    )


def _frequency(word: str) -> float:
    """Zipf frequency: of its rarest part if it has several; clitics, which the list lacks, are frequent."""
    if word.startswith("'") or word == "n't":
        return _CLITIC
    return min((zipf(part) for part in word.split("-") if part), default=zipf(word))


def readable(text: str) -> str:
    """The text as an encoder should read it: in lower case, spaced as written, whatever it came as."""
    return ptb_detokenize(words_of(text))
