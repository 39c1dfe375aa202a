"""Distributional similarity: phrases are alike whose neighbours are alike.

AGigaSim, in PPDB, is the cosine of contexts in the annotated Gigaword corpus. Ours is the cosine of positive pointwise
mutual information with the two words before and the two words after the phrase (each place apart; the edge of a
sentence counts as a word), in any text you have. Case does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainwright.files import iter_lines

__all__ = ["ContextVectors"]

_OFFSETS = (-2, -1, 1, 2)  # from the first word of the phrase, and from its last
_EDGE = 0  # the number of the edge of a sentence; words count from 1
_LINES_AT_ONCE = 50_000
_PAIRS_AT_ONCE = 20_000
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # odd, so words are never lost; collisions are as rare as for any hash


class ContextVectors:
    """The contexts of phrases in text, and how alike those of two phrases are."""

    def __init__(self, phrases: Iterable[str], *, min_seen: int = 5) -> None:
        self._min_seen = min_seen
        self._numbers: dict[str, int] = {}
        self._rows: dict[str, int] = {}
        for phrase in phrases:
            self._rows.setdefault(phrase.lower(), len(self._rows))
        self._keys = self._phrase_keys()
        self._cells: list[NDArray[np.int64]] = []
        self._counts: list[NDArray[np.int64]] = []
        self._matrix: Any = None
        self._seen = np.zeros(len(self._rows), dtype=np.int64)

    def add_files(self, paths: Iterable[str | Path]) -> None:
        """Count the contexts in files with one tokenised sentence a line."""
        for path in paths:
            self.add(iter_lines(path))

    def add(self, lines: Iterable[str]) -> None:
        """Count the contexts in tokenised sentences."""
        rest = iter(lines)
        while some := list(islice(rest, _LINES_AT_ONCE)):
            self._add_block(self._encoded(some))
        self._matrix = None

    def cosines(self, one: Sequence[str], other: Sequence[str]) -> NDArray[np.float64]:
        """Return one value for each pair; nan where a phrase was not seen often enough to tell."""
        rows, columns = self._row_numbers(one), self._row_numbers(other)
        known = (rows >= 0) & (columns >= 0)
        known[known] = (self._seen[rows[known]] >= self._min_seen) & (self._seen[columns[known]] >= self._min_seen)
        values = np.full(len(rows), np.nan)
        values[known] = self._products(rows[known], columns[known])
        return values

    def _products(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.float64]:
        if self._matrix is None:
            self._matrix = self._weighted()
        pieces = [np.zeros(0)]
        for start in range(0, len(rows), _PAIRS_AT_ONCE):
            some = slice(start, start + _PAIRS_AT_ONCE)
            product = self._matrix[rows[some]].multiply(self._matrix[columns[some]])
            pieces.append(np.asarray(product.sum(axis=1)).ravel())
        return np.concatenate(pieces)

    def _row_numbers(self, phrases: Sequence[str]) -> NDArray[np.int64]:
        return np.array([self._rows.get(phrase.lower(), -1) for phrase in phrases], dtype=np.int64)

    def _phrase_keys(self) -> dict[int, tuple[NDArray[np.uint64], NDArray[np.int64]]]:
        """By number of words: the sorted keys of the phrases, and their rows."""
        by_length: dict[int, list[tuple[int, int]]] = {}
        for phrase, row in self._rows.items():
            numbers = [self._number(word) for word in phrase.split(" ")]
            key = np.zeros(1, dtype=np.uint64)
            for number in numbers:
                key = key * _MULTIPLIER + np.uint64(number)
            by_length.setdefault(len(numbers), []).append((int(key[0]), row))
        keys = {}
        for length, items in sorted(by_length.items()):
            items.sort()
            keys[length] = (
                np.array([key for key, _ in items], dtype=np.uint64),
                np.array([row for _, row in items], dtype=np.int64),
            )
        return keys

    def _number(self, word: str) -> int:
        return self._numbers.setdefault(word, len(self._numbers) + 1)

    def _encoded(self, lines: list[str]) -> NDArray[np.int64]:
        """The words of all lines as numbers, two edges between sentences and around them."""
        numbers, number = [_EDGE, _EDGE], self._number
        for line in lines:
            numbers += map(number, line.lower().split())
            numbers += (_EDGE, _EDGE)
        return np.array(numbers, dtype=np.int64)

    def _add_block(self, text: NDArray[np.int64]) -> None:
        cells = []
        for rows, first, last in self._occurrences(text):
            np.add.at(self._seen, rows, 1)
            for place, offset in enumerate(_OFFSETS):
                context = text[(first if offset < 0 else last) + offset]
                # Row, word and place in one number: fewer than 2^31 phrases, 2^30 words and 4 places.
                cells.append((rows << 32) | (context << 2) | place)
        if not cells:
            return
        distinct, counts = np.unique(np.concatenate(cells), return_counts=True)
        self._cells.append(distinct)
        self._counts.append(counts)

    def _occurrences(
        self, text: NDArray[np.int64]
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]:
        """For each length of phrases: their rows, and the places of their first and last words."""
        key = np.zeros(len(text), dtype=np.uint64)
        whole = np.ones(len(text), dtype=bool)
        for length in range(1, max(self._keys, default=0) + 1):
            size = len(text) - length + 1
            if size <= 0:
                return
            key = key[:size] * _MULTIPLIER + text[length - 1 :].astype(np.uint64)
            whole = whole[:size] & (text[length - 1 :] != _EDGE)
            if length not in self._keys:
                continue
            wanted, rows = self._keys[length]
            places = np.searchsorted(wanted, key)
            places[places == len(wanted)] = 0
            (first,) = np.nonzero(whole & (wanted[places] == key))
            yield rows[places[first]], first, first + length - 1

    def _weighted(self) -> Any:
        """Positive pointwise mutual information, each row of length 1."""
        from scipy import sparse

        cells = np.concatenate([np.zeros(0, dtype=np.int64), *self._cells])
        counts = np.concatenate([np.zeros(0, dtype=np.int64), *self._counts])
        distinct, where = np.unique(cells, return_inverse=True)
        counted = np.bincount(where, weights=counts, minlength=len(distinct))
        rows, contexts = distinct >> 32, distinct & 0xFFFFFFFF
        names, columns = np.unique(contexts, return_inverse=True)
        of_row = np.bincount(rows, weights=counted, minlength=len(self._rows))
        of_column = np.bincount(columns, weights=counted, minlength=len(names))
        information = np.log(counted * counted.sum() / (of_row[rows] * of_column[columns]))
        information = np.maximum(information, 0.0)
        norms = np.sqrt(np.bincount(rows, weights=information**2, minlength=len(self._rows)))
        values = information / np.where(norms > 0, norms, 1.0)[rows]
        return sparse.csr_matrix((values, (rows, columns)), shape=(len(self._rows), max(1, len(names))))
