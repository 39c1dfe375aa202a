"""Word frequencies: wordfreq's large English list, read from its data file.

Importing wordfreq takes longer than most things done with the list, and the file is all that is needed.
"""

from __future__ import annotations

import importlib.util
import re
from functools import cache
from itertools import chain, islice
from pathlib import Path

__all__ = ["common_words", "frequency_list"]

_DIGITS = re.compile(r"[0-9][0-9.,]+")  # the list has one entry for all numbers of a shape: "0,000"


def frequency_list() -> list[list[str]]:
    """Words by falling frequency, in buckets of equal frequency."""
    import gzip

    import msgpack

    package = importlib.util.find_spec("wordfreq")
    assert package is not None
    [folder] = package.submodule_search_locations or []
    packed = (Path(folder) / "data" / "large_en.msgpack.gz").read_bytes()
    header, *buckets = msgpack.unpackb(gzip.decompress(packed))
    assert header["format"] == "cB"
    return [bucket for bucket in buckets if bucket]


@cache
def common_words(count: int = 3000) -> frozenset[str]:
    """The `count` most frequent words, as `wordfreq.top_n_list("en", count)` gives them."""
    words = (word for word in chain.from_iterable(frequency_list()) if not _DIGITS.search(word))
    return frozenset(islice(words, count))
