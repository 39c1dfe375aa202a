"""Named arrays in one file, as numpy's `.npz`, written the same way every time and read with suspicion.

`numpy.savez` stamps the time of day into its files, so two equal models would have unlike digests; and its reader
believes every size that a file claims. Here members are unpacked piece by piece, no further than the limit, a size is
compared with the bytes that are there, and nothing but plain numbers and strings is ever made of them.
"""

from __future__ import annotations

import io
import math
import re
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plainwright.errors import DataError
from plainwright.files import atomic_write_bytes, read_bytes

__all__ = ["Arrays", "read_arrays", "write_arrays"]

Arrays = Mapping[str, npt.NDArray[Any]]

_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(
    rb"\{'descr': '([<|][fiubU]\d{1,4})', 'fortran_order': False, 'shape': \(((?:\d{1,10}, ?)*(?:\d{1,10})?)\), \} *\n"
)
_MAX_BYTES = 1 << 28  # of one file, packed and unpacked; heads of large encoders have some tens of millions
_MAX_ARRAYS = 10_000
_PIECE = 1 << 16
_DIRECTORY_ENTRY = b"PK\x01\x02"  # how the entry of each member in the directory of an archive starts
_LAST_CHARACTER = 0x10FFFF
_SURROGATES = (0xD800, 0xDFFF)  # halves of characters, which are no text
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the first moment that a zip file knows


def write_arrays(path: str | Path, arrays: Arrays) -> None:
    """Write `arrays`, whole or not at all; equal arrays give equal bytes."""
    with atomic_write_bytes(path) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(arrays):
            packed = io.BytesIO()
            array = np.asarray(arrays[name], order="C")
            np.lib.format.write_array(packed, array, version=(1, 0), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", _EPOCH), packed.getvalue(), zipfile.ZIP_DEFLATED)


def read_arrays(path: str | Path) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a file, none of which can be written to."""
    path = Path(path)
    data = read_bytes(path, most=_MAX_BYTES)
    try:
        return _unpacked(path, data)
    except DataError:
        raise
    # A wrong offset makes zipfile seek to a place before the file, which is a ValueError.
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise _damaged(path, str(error)) from None


def _unpacked(path: Path, data: bytes) -> dict[str, npt.NDArray[Any]]:
    if (entries := data.count(_DIRECTORY_ENTRY)) > _MAX_ARRAYS:
        raise _damaged(path, f"{entries:,} arrays, more than {_MAX_ARRAYS:,}")
    arrays: dict[str, npt.NDArray[Any]] = {}
    left = _MAX_BYTES
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for member in archive.infolist():
            content = _inflated(path, archive, member, most=left)
            left -= len(content)
            arrays[member.filename.removesuffix(".npy")] = _array(path, member.filename, content)
    return arrays


def _inflated(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo, *, most: int) -> bytes:
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others know no piece by piece
        raise _damaged(path, f"something else in {member.filename!r:.40}")
    content = io.BytesIO()
    with archive.open(member) as stream:
        while piece := stream.read(_PIECE):
            if content.tell() + len(piece) > most:
                raise _damaged(path, f"more than {_MAX_BYTES:,} bytes in them")
            content.write(piece)
    return content.getvalue()


def _array(path: Path, name: str, data: bytes) -> npt.NDArray[Any]:
    start = len(_MAGIC) + 2
    end = start + int.from_bytes(data[len(_MAGIC) : start], "little")
    header = _HEADER.fullmatch(data[start:end])
    if not data.startswith(_MAGIC) or header is None:
        raise _damaged(path, f"something else in {name!r:.40}")
    try:
        kind = np.dtype(header[1].decode("ascii"))
    except TypeError:
        raise _damaged(path, f"an unknown type of numbers in {name!r:.40}") from None
    shape = tuple(int(length) for length in header[2].replace(b" ", b"").split(b",") if length)
    if kind.itemsize == 0 or math.prod(shape) * kind.itemsize != len(data) - end:
        raise _damaged(path, f"{len(data) - end:,} bytes for an array of shape {shape} in {name!r:.40}")
    if kind.kind == "U" and not _is_text(np.frombuffer(data, "<u4", offset=end)):
        raise _damaged(path, f"characters that do not exist in {name!r:.40}")
    return np.frombuffer(data, kind, offset=end).reshape(shape)


def _is_text(characters: npt.NDArray[np.uint32]) -> bool:
    low, high = _SURROGATES
    return not ((characters > _LAST_CHARACTER) | ((characters >= low) & (characters <= high))).any()


def _damaged(path: Path, found: str) -> DataError:
    return DataError(f"{path}: expected arrays as plainwright writes them (.npz), found {found}")
