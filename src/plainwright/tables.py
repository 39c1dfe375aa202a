"""TOML as our models, studies and recipes keep it: read with every value checked, written from plain tables.

A file of a few kilobytes can make a reader of TOML take gigabytes (each part of a dotted key costs as much as all parts
before it) or hold numbers that Python refuses to print. So there are limits on the size of a file, on the depth of its
tables and on its numbers, far from what anybody writes by hand.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import IO, Any

from plainwright.errors import DataError
from plainwright.files import read_text

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = [
    "Setting",
    "TableReader",
    "is_finite_number",
    "parse_toml",
    "read_json",
    "read_toml",
    "toml_value",
    "write_tables",
]

Setting = str | int | float | bool

_MOST_BYTES = 1 << 20  # of one file; the longest of ours, with the names of all features of LENS, has 14 thousand
_DEEPEST = 16  # tables and lists inside each other
_LARGEST = 2**63  # TOML asks for whole numbers of 64 bits

# A key as TOML writes it, and whatever holds text that could be taken for one: strings of several lines, which may end
# in one or two quotes of their own, and comments. Backslashes are taken in pairs, also where there should be none.
_PART = r"""(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
_KEYS = re.compile(
    r"""\"{3}(?:[^\\]|\\.)*?\"{3,5}|'{3}.*?'{3,5}|\#[^\n]*|\\."""
    rf"""|(?P<deep>{_PART}(?:[ \t]*\.[ \t]*{_PART}){{{_DEEPEST}}})|{_PART}""",
    re.DOTALL | re.ASCII,
)


def read_json(path: str | Path, *, of: str = "JSON") -> Any:
    """Return what a file of JSON with settings holds; `of` is what errors say was expected there."""
    try:
        return json.loads(read_text(path, most=_MOST_BYTES))
    except (ValueError, RecursionError) as error:
        raise _unreadable(path, of, error) from None


def read_toml(path: str | Path, *, of: str = "TOML") -> dict[str, Any]:
    """Return what a file of TOML holds; `of` is what errors say was expected there."""
    try:
        return parse_toml(read_text(path, most=_MOST_BYTES))
    except ValueError as error:
        raise _unreadable(path, of, error) from None


def _unreadable(path: str | Path, of: str, error: Exception) -> DataError:
    if isinstance(error, DataError):
        return error
    return DataError(f"{path}: expected {of}, found something else ({error})")


def parse_toml(text: str) -> dict[str, Any]:
    """Return what a text of TOML holds; a `ValueError` says what is wrong with it."""
    if any(match["deep"] for match in _KEYS.finditer(text)):
        raise ValueError(_TOO_DEEP)
    try:
        table = tomllib.loads(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    _check(table)
    return table


_TOO_DEEP = f"more than {_DEEPEST} tables or lists inside each other"


def _check(table: dict[str, Any]) -> None:
    level: list[Any] = [table]
    for _ in range(_DEEPEST + 1):
        if any(isinstance(value, int) and not -_LARGEST <= value < _LARGEST for value in level):
            msg = "a whole number that does not fit into 64 bits"
            raise ValueError(msg)
        level = [inner for value in level if isinstance(value, dict | list) for inner in _parts(value)]
    if level:
        raise ValueError(_TOO_DEEP)


def _parts(value: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value


class TableReader:
    """Takes values of the right kind out of a parsed file, or says which one is wrong."""

    def __init__(self, path: Path, table: Mapping[str, Any]) -> None:
        self._path = path
        self._table = table

    @classmethod
    def read(cls, path: Path) -> TableReader:
        """Read a file."""
        return cls(path, read_toml(path))

    def text(self, section: str, key: str, *, default: str | None = None) -> str:
        """Return a string."""
        value = self._section(section).get(key, default)
        if not isinstance(value, str):
            raise self.wrong(place=f"[{section}] {key}", expected="a string", found=value)
        return value

    def texts(self, section: str, key: str) -> tuple[str, ...]:
        """Return a list of strings; empty if there is none."""
        value = self._section(section).get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.wrong(place=f"[{section}] {key}", expected="a list of strings", found=value)
        return tuple(value)

    def value(self, section: str, key: str, default: object) -> object:
        """Whatever stands there; the caller checks it."""
        return self._section(section).get(key, default)

    def tables(self, section: str) -> dict[str, dict[str, Setting]]:
        """Return the tables below a section, by name, each with plain values."""
        return {name: TableReader(self._path, self._section(section)).settings(name) for name in self._section(section)}

    def file_names(self, section: str, key: str) -> tuple[str, ...]:
        """Return the names of files in the same directory."""
        value = self._section(section).get(key)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.wrong(place=f"[{section}] {key}", expected="a list of file names", found=value)
        return tuple(self._inside(section, key, name) for name in value)

    def file_name(self, section: str, key: str) -> str | None:
        """Return a file in the same directory; None: none is named."""
        name = self.text(section, key, default="")
        return self._inside(section, key, name) if name else None

    def _inside(self, section: str, key: str, name: str) -> str:
        if PurePosixPath(name).name != name:
            raise self.wrong(place=f"[{section}] {key}", expected="names of files in the same directory", found=name)
        return name

    def numbers(self, section: str) -> dict[str, float]:
        """Return all values of a section, each a finite number."""
        values = self._section(section)
        for key, value in values.items():
            if not is_finite_number(value):
                raise self.wrong(place=f"[{section}] {key}", expected="a finite number", found=value)
        return {key: float(value) for key, value in values.items()}

    def settings(self, section: str) -> dict[str, Setting]:
        """Return all values of a section, each plain."""
        values = self._section(section)
        for key, value in values.items():
            if not isinstance(value, str | int | float | bool):
                raise self.wrong(
                    place=f"[{section}] {key}", expected="a string, a number or a truth value", found=value
                )
        return dict(values)

    def _section(self, name: str) -> Mapping[str, Any]:
        value = self._table.get(name, {})
        if not isinstance(value, dict):
            raise self.wrong(place=f"[{name}]", expected="a table", found=value)
        return value

    def wrong(self, *, place: str, expected: str, found: object) -> DataError:
        """Return the error for a value that cannot be used."""
        return DataError(f"{self._path}: {place}: expected {expected}, found {found!r:.60}")


def is_finite_number(value: object) -> bool:
    """Truth values are none, though Python counts them in."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def write_tables(stream: IO[str], tables: Mapping[str, Mapping[str, Any]]) -> None:
    """Write each table under its name, in the order given."""
    for name, table in tables.items():
        stream.write(f"[{name}]\n")
        stream.writelines(f"{_quoted(key)} = {toml_value(value)}\n" for key, value in table.items())
        stream.write("\n")


def _quoted(text: str) -> str:
    # JSON's escapes are a part of TOML's, but for the one that TOML forbids to stand unescaped.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_value(value: object) -> str:
    """A string, number, truth value or list of them as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return _quoted(str(value))
