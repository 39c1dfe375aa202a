"""TOML as our models keep it: read with every value checked, written from plain tables."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import IO, Any

from plainwright.errors import DataError
from plainwright.files import read_text

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["Setting", "TableReader", "is_finite_number", "toml_value", "write_tables"]

Setting = str | int | float | bool


class TableReader:
    """Takes values of the right kind out of a parsed file, or says which one is wrong."""

    def __init__(self, path: Path, table: Mapping[str, Any]) -> None:
        self._path = path
        self._table = table

    @classmethod
    def read(cls, path: Path) -> TableReader:
        """Of a file."""
        try:
            return cls(path, tomllib.loads(read_text(path)))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            msg = f"{path}: expected TOML, found something else ({error})"
            raise DataError(msg) from None

    def text(self, section: str, key: str, *, default: str | None = None) -> str:
        """A string."""
        value = self._section(section).get(key, default)
        if not isinstance(value, str):
            raise self.wrong(place=f"[{section}] {key}", expected="a string", found=value)
        return value

    def texts(self, section: str, key: str) -> tuple[str, ...]:
        """A list of strings; empty if there is none."""
        value = self._section(section).get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.wrong(place=f"[{section}] {key}", expected="a list of strings", found=value)
        return tuple(value)

    def value(self, section: str, key: str, default: object) -> object:
        """Whatever stands there; the caller checks it."""
        return self._section(section).get(key, default)

    def tables(self, section: str) -> dict[str, dict[str, Setting]]:
        """The tables below a section, by name, each with plain values."""
        return {name: TableReader(self._path, self._section(section)).settings(name) for name in self._section(section)}

    def file_names(self, section: str, key: str) -> tuple[str, ...]:
        """Files in the same directory."""
        value = self._section(section).get(key)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.wrong(place=f"[{section}] {key}", expected="a list of file names", found=value)
        return tuple(self._inside(section, key, name) for name in value)

    def file_name(self, section: str, key: str) -> str | None:
        """A file in the same directory; None: none is named."""
        name = self.text(section, key, default="")
        return self._inside(section, key, name) if name else None

    def _inside(self, section: str, key: str, name: str) -> str:
        if PurePosixPath(name).name != name:
            raise self.wrong(place=f"[{section}] {key}", expected="names of files in the same directory", found=name)
        return name

    def numbers(self, section: str) -> dict[str, float]:
        """All values of a section, each a finite number."""
        values = self._section(section)
        for key, value in values.items():
            if not is_finite_number(value):
                raise self.wrong(place=f"[{section}] {key}", expected="a finite number", found=value)
        return {key: float(value) for key, value in values.items()}

    def settings(self, section: str) -> dict[str, Setting]:
        """All values of a section, each plain."""
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
        """The error for a value that cannot be used."""
        return DataError(f"{self._path}: {place}: expected {expected}, found {found!r:.60}")


def is_finite_number(value: object) -> bool:
    """Truth values are none, though Python counts them in."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def write_tables(stream: IO[str], tables: Mapping[str, Mapping[str, Any]]) -> None:
    """Each table under its name, in the order given."""
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
