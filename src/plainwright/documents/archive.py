"""Documents that are zip archives: read within limits, written with some members replaced and all others as they are.

Nothing is unpacked to disk, so names of members cannot lead out of a folder; names that try are refused all the same,
since whoever opens the result might unpack it.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import NoReturn

from plainwright.errors import DataError

__all__ = ["MAX_MEMBERS", "MAX_PART", "MAX_UNPACKED", "Archive"]

# Bytes of a part that is parsed. A novel is less than a hundredth of it; as a tree it takes some twenty times as much.
MAX_PART = 1 << 26
# Bytes of all members together, and how many there may be.
MAX_UNPACKED = 1 << 30
MAX_MEMBERS = 1 << 16

_OLE = bytes.fromhex("d0cf11e0a1b11ae1")  # the file format of Office 97, which also wraps encrypted documents
_FOUND = {b"PK": "a damaged archive", b"%PDF-": "a PDF", b"{\\rtf": "rich text (RTF)", b"<": "text with markup"}
_SAVED_AS = {"a Word document": ".docx", "an OpenDocument text": ".odt"}
_ENCRYPTED = 0x1  # flag of a member
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError, RuntimeError)


class Archive:
    """The members of a document; `kind` is what messages call such a document, such as "a Word document"."""

    def __init__(self, data: bytes, name: str, *, kind: str) -> None:
        self.data = data
        self.name = name
        self.kind = kind
        if not data:
            self.refuse("an empty file; save the document once more")
        if data.startswith(_OLE):
            self.refuse(
                "a file of Office 97 to 2003 or one with a password; open it in Word or LibreOffice and save it as "
                f"{_SAVED_AS.get(kind, '.docx')} without a password"
            )
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except _DAMAGE:
            self.refuse(next((found for start, found in _FOUND.items() if data.startswith(start)), "something else"))
        self._members = self._checked()

    def _checked(self) -> dict[str, zipfile.ZipInfo]:
        infos = self._zip.infolist()
        if len(infos) > MAX_MEMBERS:
            self.refuse(f"an archive of {len(infos):,} members; at most {MAX_MEMBERS:,} are read")
        members = {info.filename: info for info in infos}
        if len(members) < len(infos):
            self.refuse("an archive with two members of one name")
        for name, info in members.items():
            if _leads_out(name):
                self.refuse(f"an archive whose member {name!r:.80} would be written outside its folder")
            if info.flag_bits & _ENCRYPTED:
                self.refuse("one with a password; remove the password and try again")
        unpacked = sum(info.file_size for info in infos)
        if unpacked > MAX_UNPACKED:
            self.refuse(f"{unpacked:,} bytes when unpacked; at most {MAX_UNPACKED:,} are read")
        return members

    def __contains__(self, member: str) -> bool:
        return member in self._members

    @property
    def members(self) -> tuple[str, ...]:
        """The names of all members, in order."""
        return tuple(self._members)

    def refuse(self, found: str) -> NoReturn:
        """Raise the error for a document that cannot be read; `found` says what was there instead."""
        suffix = _SAVED_AS.get(self.kind)
        way_out = "" if suffix is None or ";" in found else f"; open it in Word or LibreOffice and save it as {suffix}"
        msg = f"{self.name}: expected {self.kind}, found {found}{way_out}"
        raise DataError(msg) from None

    def read(self, member: str) -> bytes:
        """Return the content of a part that will be parsed."""
        info = self._members.get(member)
        if info is None:
            self.refuse(f"an archive without {member}")
        if info.file_size > MAX_PART:
            self.refuse(f"{info.file_size:,} bytes in {member}; at most {MAX_PART:,} are read, so split the document")
        return self._content(info)

    def replaced(self, contents: Mapping[str, bytes]) -> bytes:
        """Return the archive with other contents for some members, new ones last; all others stay byte for byte."""
        buffer = io.BytesIO()
        first = next(iter(self._members.values()), None)
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as written:
            written.comment = self._zip.comment
            for name, info in self._members.items():
                content = contents[name] if name in contents else self._content(info)
                written.writestr(_copied(info), content)
            for name in contents:
                if name not in self._members:
                    new = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0) if first is None else first.date_time)
                    new.compress_type = zipfile.ZIP_DEFLATED
                    written.writestr(new, contents[name])
        return buffer.getvalue()

    def _content(self, info: zipfile.ZipInfo) -> bytes:
        try:
            with self._zip.open(info) as stream:
                return stream.read(info.file_size + 1)
        except _DAMAGE:
            self.refuse(f"an archive whose member {info.filename!r:.80} is damaged")


def _copied(info: zipfile.ZipInfo) -> zipfile.ZipInfo:
    """Return what is said of a member, without what belongs to its place in the archive."""
    copy = zipfile.ZipInfo(info.filename, info.date_time)
    known = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    copy.compress_type = info.compress_type if info.compress_type in known else zipfile.ZIP_DEFLATED
    copy.external_attr = info.external_attr
    copy.create_system = info.create_system
    copy.comment = info.comment
    return copy


def _leads_out(name: str) -> bool:
    path = PurePosixPath(name.replace("\\", "/"))
    return path.is_absolute() or ".." in path.parts or ":" in name.partition("/")[0] or "\0" in name
