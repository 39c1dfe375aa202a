"""A smaller vocabulary: the pieces of the base that plain English uses most, and the tokens of controls.

A piece of byte pairs is kept only with the pieces that it is merged from, and all bytes stay, so every text can still
be written. The vectors of controls begin as those of words, each of another one, since the layers below the first
trained one could not tell like vectors apart.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plainwright.arrays import read_arrays, write_arrays
from plainwright.errors import DataError
from plainwright.files import atomic_write, iter_lines, read_text
from plainwright.rewriter.controls import CONTROL_TOKENS, PromptTokens
from plainwright.rewriter.training.base import Base

__all__ = ["SmallVocabulary", "count_pieces", "lines_of", "small_vocabulary"]

_BATCH = 10_000  # texts that are encoded at once
_NAMESAKES = ("Ġlight", "Ġplain", "Ġeasy")  # of the first controls
_TOKENIZER, _ROWS = "tokenizer.json", "vocabulary.npz"
_MOST_BYTES = 1 << 26


@dataclass(frozen=True, slots=True)
class SmallVocabulary:
    """A tokenizer as JSON, the rows of the base's embeddings that it keeps, and the tokens of prompts."""

    tokenizer: str
    rows: npt.NDArray[np.int32]
    tokens: PromptTokens

    def write(self, folder: Path) -> tuple[str, ...]:
        """Write it into a folder; return the names of the files."""
        with atomic_write(folder / _TOKENIZER) as stream:
            stream.write(self.tokenizer)
        around = np.array([self.tokens.first_control, self.tokens.begin, self.tokens.end], dtype=np.int32)
        write_arrays(folder / _ROWS, {"rows": self.rows, "around": around})
        return _TOKENIZER, _ROWS

    @classmethod
    def read(cls, folder: Path) -> SmallVocabulary:
        """Read what `write` wrote."""
        arrays = read_arrays(folder / _ROWS)
        first, begin, end = map(int, arrays["around"])
        tokens = PromptTokens.numbered(first, begin=begin, end=end)
        return cls(read_text(folder / _TOKENIZER, most=_MOST_BYTES), arrays["rows"], tokens)

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the tokens of each text."""
        from tokenizers import Tokenizer

        return _encoded(Tokenizer.from_str(self.tokenizer), texts)


def lines_of(paths: Iterable[Path]) -> list[str]:
    """Return the lines of all files."""
    return [line.strip() for path in paths for line in iter_lines(path)]


def count_pieces(base: Base, texts: Sequence[str]) -> Counter[int]:
    """Return how often each piece of the base's vocabulary is needed for some texts."""
    from tokenizers import Tokenizer

    everything = {token: number for number, token in enumerate(base.tokens)}
    tokenizer = Tokenizer.from_str(_tokenizer(base, everything))
    counts: Counter[int] = Counter()
    for first in range(0, len(texts), _BATCH):
        for ids in _encoded(tokenizer, texts[first : first + _BATCH]):
            counts.update(ids)
    return counts


def small_vocabulary(base: Base, counts: Counter[int], size: int) -> SmallVocabulary:
    """Keep the most frequent pieces, as many as there is room for beside the controls."""
    around = sorted({base.unknown, base.begin, base.end})
    kept = _kept(base, counts, size - len(CONTROL_TOKENS), around)
    order = around + sorted(kept.difference(around))
    numbers = {base.tokens[old]: new for new, old in enumerate(order)}
    first = len(order)
    models = _models_of_controls(base, order[len(around) :])
    numbers |= {token: first + number for number, token in enumerate(CONTROL_TOKENS)}
    tokens = PromptTokens.numbered(first, begin=order.index(base.begin), end=order.index(base.end))
    return SmallVocabulary(_tokenizer(base, numbers), np.array(order + models, dtype=np.int32), tokens)


def _kept(base: Base, counts: Counter[int], room: int, around: Sequence[int]) -> set[int]:
    numbers = {token: number for number, token in enumerate(base.tokens)}
    parts: dict[int, tuple[int, int]] = {}
    for left, right in base.merges:
        if left + right in numbers and left in numbers and right in numbers:
            parts.setdefault(numbers[left + right], (numbers[left], numbers[right]))
    kept = {*around, *(number for token, number in numbers.items() if len(token) == 1)}
    if len(kept) > room:
        msg = f"vocabulary.size: expected at least {len(kept) + len(CONTROL_TOKENS):,}, found too few for all bytes"
        raise DataError(msg)
    for piece, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        needed = _needed(piece, parts, kept)
        if len(kept) + len(needed) <= room:
            kept |= needed
    return kept


def _needed(piece: int, parts: dict[int, tuple[int, int]], kept: set[int]) -> set[int]:
    """Return a piece and all that it is merged from, without what is kept anyway."""
    needed: set[int] = set()
    open_pieces = [piece]
    while open_pieces:
        one = open_pieces.pop()
        if one not in kept and one not in needed:
            needed.add(one)
            open_pieces += parts.get(one, ())
    return needed


def _models_of_controls(base: Base, pieces: Sequence[int]) -> list[int]:
    """Return the piece whose vector each control begins with."""
    by_token = {base.tokens[piece]: piece for piece in pieces}
    first = [by_token[name] for name in _NAMESAKES if name in by_token]
    words = [piece for token, piece in by_token.items() if len(token) > 3 and token.isascii() and token.islower()]
    others = [piece for piece in (*words, *pieces) if piece not in first]
    others = list(dict.fromkeys(others))
    wanted = len(CONTROL_TOKENS) - len(first)
    stride = max(1, min(len(words), len(others)) // wanted)
    return first + others[::stride][:wanted]


def _tokenizer(base: Base, numbers: dict[str, int]) -> str:
    """Return a tokenizer of byte pairs as JSON, without added tokens: text never becomes a token of a prompt."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    merges = [(a, b) for a, b in base.merges if a in numbers and b in numbers and a + b in numbers]
    tokenizer = Tokenizer(models.BPE(vocab=numbers, merges=merges))
    steps: list[Any] = [pre_tokenizers.Digits(individual_digits=True)] if base.separate_digits else []
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([*steps, pre_tokenizers.ByteLevel(add_prefix_space=False)])
    tokenizer.decoder = decoders.ByteLevel()
    return json.dumps(json.loads(tokenizer.to_str()), ensure_ascii=False)


def _encoded(tokenizer: Any, texts: Sequence[str]) -> list[list[int]]:
    return [encoding.ids for encoding in tokenizer.encode_batch(list(texts), add_special_tokens=False)]
