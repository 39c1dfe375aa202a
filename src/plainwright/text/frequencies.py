"""Word frequencies: wordfreq's large English list, read from its data file.

Importing wordfreq takes longer than most things done with the list, and the file is all that is needed.
"""

from __future__ import annotations

import importlib.util
import re
from bisect import bisect_right
from functools import cache
from itertools import chain, islice
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
    are searched for in the list as it is stored, and the table is made when there are many of them.
    """

    _SEARCHED = 200  # words; so many searches take as long as the table

    def __missing__(self, word: str) -> float:
        if len(self) >= self._SEARCHED:
            return _table().get(word, 1.0)
        bucket = _bucket(word)
        self[word] = 1.0 if bucket is None else 9 - bucket / 100
        return self[word]


_ZIPFS = _Zipfs()


@cache
def _table() -> dict[str, float]:
    return {word: 9 - centibels / 100 for centibels, bucket in enumerate(_centibels()) for word in bucket}


def _bucket(word: str) -> int | None:
    """The number of the bucket that holds the word, found without reading the others."""
    import msgpack

    packed, ends = _stored()
    wanted = msgpack.packb(word, unicode_errors="surrogatepass")
    place = packed.find(wanted) if word else -1
    while place >= 0:
        part = bisect_right(ends, place)
        # The same bytes may stand inside another word.
        if part > 0 and word in msgpack.unpackb(packed[ends[part - 1] : ends[part]]):
            return part - 1
        place = packed.find(wanted, place + 1)
    return None


@cache
def _stored() -> tuple[bytes, list[int]]:
    """The list as msgpack has it, a header and the buckets, and where each of these ends."""
    import zlib

    import msgpack

    package = importlib.util.find_spec("wordfreq")
    assert package is not None
    [folder] = package.submodule_search_locations or []
    gzipped = (Path(folder) / "data" / "large_en.msgpack.gz").read_bytes()
    packed = zlib.decompress(gzipped, wbits=zlib.MAX_WBITS | 16)  # 16: with the header of gzip
    reader = msgpack.Unpacker(max_buffer_size=len(packed))
    reader.feed(packed)
    ends = []
    for _ in range(reader.read_array_header()):
        reader.skip()
        ends.append(reader.tell())
    return packed, ends


@cache
def _centibels() -> list[list[str]]:
    """Words whose frequency is 10 to the power of minus a hundredth of their bucket's number."""
    import msgpack

    header, *buckets = msgpack.unpackb(_stored()[0])
    assert header["format"] == "cB"
    return list(buckets)


@cache
def common_words(count: int = 3000) -> frozenset[str]:
    """The `count` most frequent words, as `wordfreq.top_n_list("en", count)` gives them."""
    words = (word for word in chain.from_iterable(frequency_list()) if not _DIGITS.search(word))
    return frozenset(islice(words, count))
