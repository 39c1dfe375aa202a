"""From the published bytes to the form we read.

A few published files have Windows line ends, blank lines at the end or a case that their companions do not
have. Each such file names one step of this table; the card holds the digest on both sides of it, so a step
that does anything else than expected is noticed.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping

__all__ = ["STEPS", "content"]


def _unix_line_ends(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def _one_line_end(data: bytes) -> bytes:
    return data.rstrip(b" \t\r\n") + b"\n"


def _lower(data: bytes) -> bytes:
    return data.decode("utf-8").lower().encode("utf-8")


def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


STEPS: Mapping[str, Callable[[bytes], bytes]] = {
    "": bytes,
    "unix-line-ends": _unix_line_ends,
    "one-line-end": _one_line_end,  # no blanks or empty lines at the end of the file, one line end
    "lower": _lower,
    "gzip": _gzip,
}


def content(path: str, data: bytes) -> bytes:
    """The text of a file, gzip undone: compressed bytes differ between zlib versions, the text does not."""
    return gzip.decompress(data) if path.endswith(".gz") else data
