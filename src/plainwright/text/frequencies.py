"""Word frequencies: wordfreq's large English list, read from its data file.

Importing wordfreq takes longer than most things done with the list, and the file is all that is needed.
"""

from __future__ import annotations

import importlib.util
import re
from bisect import bisect_right
from functools import cache
from itertools import accumulate, chain, islice
from pathlib import Path

__all__ = ["common_words", "frequency_list", "zipf"]

_DIGITS = re.compile(r"[0-9][0-9.,]+")  # the list has one entry for all numbers of a shape: "0,000"


def frequency_list() -> list[list[str]]:
    """Return words by falling frequency, in buckets of equal frequency."""
    return [bucket for bucket in _centibels() if bucket]


def zipf(word: str) -> float:
    """Return log10 of a word's frequency in a thousand million words; 1 for a word that the list lacks."""
    return _ZIPFS[word]


class _Zipfs(dict[str, float]):
    """Frequencies that were asked for.

    A table of all words takes a tenth of a second to make, as long as simplifying fifty sentences. So the first words
    are searched for in the list as it is, and the table is made when there are many of them.
    """

    _SEARCHED = 200  # words; so many searches take half as long as the table

    def __missing__(self, word: str) -> float:
        if len(self) >= self._SEARCHED:
            return _table().get(word, 1.0)
        words, ends = _searchable()
        place = words.find(f"\n{word}\n") if word and "\n" not in word else -1
        self[word] = 1.0 if place < 0 else 9 - bisect_right(ends, place) / 100
        return self[word]


_ZIPFS = _Zipfs()


@cache
def _table() -> dict[str, float]:
    return {word: 9 - centibels / 100 for centibels, bucket in enumerate(_centibels()) for word in bucket}


@cache
def _searchable() -> tuple[str, list[int]]:
    """All words between line breaks, and where each bucket ends."""
    buckets = ["\n".join(bucket) for bucket in _centibels()]
    # An empty bucket takes no place; each other one ends with the line break that the next begins with.
    ends = list(accumulate(len(bucket) + 1 if bucket else 0 for bucket in buckets))
    return "\n" + "\n".join(filter(None, buckets)) + "\n", ends


@cache
def _centibels() -> list[list[str]]:
    """Words whose frequency is 10 to the power of minus a hundredth of their bucket's number."""
    import gzip

    import msgpack

    package = importlib.util.find_spec("wordfreq")
    assert package is not None
    [folder] = package.submodule_search_locations or []
    packed = (Path(folder) / "data" / "large_en.msgpack.gz").read_bytes()
    header, *buckets = msgpack.unpackb(gzip.decompress(packed))
    assert header["format"] == "cB"
    return list(buckets)


@cache
def common_words(count: int = 3000) -> frozenset[str]:
    """The `count` most frequent words, as `wordfreq.top_n_list("en", count)` gives them."""
    words = (word for word in chain.from_iterable(frequency_list()) if not _DIGITS.search(word))
    return frozenset(islice(words, count))
