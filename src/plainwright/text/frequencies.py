"""Word frequencies: wordfreq's large English list, read from its data file.

Importing wordfreq takes longer than most things done with the list, and the file is all that is needed.
"""

from __future__ import annotations

import importlib.util
import re
from functools import cache
from itertools import chain, islice
from pathlib import Path

__all__ = ["common_words", "frequency_list", "zipf"]

_DIGITS = re.compile(r"[0-9][0-9.,]+")  # the list has one entry for all numbers of a shape: "0,000"


def frequency_list() -> list[list[str]]:
    """Words by falling frequency, in buckets of equal frequency."""
    return [bucket for bucket in _centibels() if bucket]


def zipf(word: str) -> float:
    """Logarithm to base ten of a word's frequency in a thousand million words; 1 for a word that the list lacks."""
    return _zipfs().get(word, 1.0)


@cache
def _zipfs() -> dict[str, float]:
    return {word: 9 - centibels / 100 for centibels, bucket in enumerate(_centibels()) for word in bucket}


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
