"""TOML as our models, studies and recipes keep it: read with every value checked, written from plain tables.

A file of a few kilobytes can make a reader of TOML take gigabytes (each part of a dotted key costs as much as all parts
before it) or hold numbers that Python refuses to print. So there are limits on the size of a file, on the depth of its
tables and on its numbers, far from what anybody writes by hand.
"""

from __future__ import annotations

import difflib
import json
import math
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import IO, Any, TypeVar

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
Choice = TypeVar("Choice", bound=str)

_MOST_BYTES = 1 << 20  # of one file; the longest of ours, with the names of all features of LENS, has 14 thousand
_DEEPEST = 16  # tables and lists inside each other
_VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+)\})")
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
    """Reads one table of a file, whose values are taken out with their kind checked.

    What is wrong is said in one sentence, always the same: the file, the place in it as in `aspects 1.name`, what was
    expected, what was found. A getter without a default wants a value.
    """

    def __init__(self, path: str | Path, values: Mapping[str, Any], place: str = "") -> None:
        self._path = path
        self._values = values
        self._place = place

    @classmethod
    def read(cls, path: str | Path, *, of: str = "TOML", changes: Mapping[str, str] | None = None) -> TableReader:
        """Read the whole of a file; `of` is what errors say was expected there.

        `changes` override values, as in `{"train.steps": "100"}`, or remove them ("").
        """
        values = read_toml(path, of=of)
        for key, value in (changes or {}).items():
            _change(values, key, value)
        return cls(path, values)

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)  # the keys

    def check_keys(self, *known: str) -> None:
        """Refuse keys that nobody knows, with the nearest that somebody does."""
        for key in self:
            if key not in known:
                near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
                hint = f"did you mean {near[0]}?" if near else f"known here: {', '.join(known)}"
                raise self.problem(key=key, what=f"no such setting; {hint}")

    def value(self, key: str, default: object = None) -> Any:
        """Return whatever stands there; the caller checks it."""
        return self._values.get(key, default)

    def section(self, key: str) -> TableReader:
        """Return a table below this one; an empty one if there is none."""
        return self._inner(self.value(key, {}), self.place(key))

    def sections(self, key: str, *, least: int = 0, most: int | None = None) -> tuple[TableReader, ...]:
        """Return the tables of a list, `[[key]]`, of `least` to `most`; none if there is no such list."""
        tables = self._list(key)
        if len(tables) < least or (most is not None and len(tables) > most):
            expected = "a list that is not empty" if not tables else f"a list of at most {most}"
            raise self.wrong(key=key, expected=expected, found=tables)
        return tuple(self._inner(table, f"{self.place(key)} {number}") for number, table in enumerate(tables, start=1))

    def text(self, key: str, default: str | None = None, *, least: int = 0, most: int | None = None) -> str:
        """Return a string of `least` to `most` characters."""
        return self._text(key, self.value(key, default), least, most)

    def texts(self, key: str, *, least: int = 0, most: int | None = None) -> tuple[str, ...]:
        """Return a list of strings; empty if there is none."""
        return tuple(self._text(key, item, least, most) for item in self._list(key))

    def whole(self, key: str, default: int | None = None, *, low: int = -_LARGEST, high: int = _LARGEST - 1) -> int:
        """Return a whole number."""
        value = self.value(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise self.wrong(key=key, expected=f"a whole number{_range(low, high)}", found=value)
        return value

    def number(
        self, key: str, default: float | None = None, *, low: float = -math.inf, high: float = math.inf
    ) -> float:
        """Return a finite number."""
        value = self.value(key, default)
        if not is_finite_number(value) or not low <= value <= high:
            raise self.wrong(key=key, expected=f"a finite number{_range(low, high)}", found=value)
        return float(value)

    def flag(self, key: str, default: bool | None = None) -> bool:
        """Return a truth value."""
        value = self.value(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key=key, expected="true or false", found=value)
        return value

    def choice(self, key: str, choices: Iterable[Choice], default: Choice | None = None) -> Choice:
        """Return one of some strings."""
        known = {choice: choice for choice in choices}
        value = self.value(key, default)
        if not isinstance(value, str) or value not in known:
            raise self.wrong(key=key, expected=" or ".join(map(repr, known)), found=value)
        return known[value]

    def choices(self, key: str, choices: Iterable[Choice]) -> tuple[Choice, ...]:
        """Return a list of some strings; all of them if there is none."""
        known = {choice: choice for choice in choices}
        found = self.texts(key) or tuple(known)
        if unknown := next((one for one in found if one not in known), None):
            raise self.wrong(key=key, expected=" or ".join(map(repr, known)), found=unknown)
        return tuple(choice for choice in known if choice in found)

    def file_beside(self, kind: str, *, of: str) -> Path:
        """Return the file that `[files]` names, which lies beside this one and has as many bytes as `[sizes]` says."""
        files = self.section("files")
        name = files.file_name(kind)
        if name is None or not (path := Path(self._path).parent / name).is_file():
            raise files.wrong(key=kind, expected="the name of a file beside it", found=name)
        size = path.stat().st_size
        if (expected := self.section("sizes").whole(kind, size)) != size:
            msg = f"{path}: expected {expected:,} bytes, found {size:,}; install or make the {of} again"
            raise DataError(msg)
        return path

    def numbers(self) -> dict[str, float]:
        """Return all values of the table, each a finite number."""
        return {key: self.number(key) for key in self}

    def settings(self) -> dict[str, Setting]:
        """Return all values of the table, each plain."""
        for key in self:
            if not isinstance(self.value(key), str | int | float | bool):
                raise self.wrong(key=key, expected="a string, a number or a truth value", found=self.value(key))
        return dict(self._values)

    def file_names(self, key: str) -> tuple[str, ...]:
        """Return a list of files in the same directory."""
        value = self.value(key)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.wrong(key=key, expected="a list of file names", found=value)
        return tuple(self._inside(key, name) for name in value)

    def file_name(self, key: str) -> str | None:
        """Return a file in the same directory; None: none is named."""
        name = self.text(key, "")
        return self._inside(key, name) if name else None

    def path(self, key: str, folder: Path) -> Path:
        """Return a path: relative to `folder`, or to where we are if it begins with a variable."""
        return self._expanded(key, self.text(key, least=1), folder)

    def paths(self, key: str, folder: Path) -> tuple[Path, ...]:
        """Return a list of paths; empty if there is none."""
        return tuple(self._expanded(key, text, folder) for text in self.texts(key, least=1))

    def place(self, key: str = "") -> str:
        """Return where a value stands, or the table itself."""
        return f"{self._place}.{key}" if self._place and key else self._place or key

    def wrong(self, *, key: str, expected: str, found: object) -> DataError:
        """Return the error for a value that cannot be used."""
        return self.problem(
            key=key, what=f"expected {expected}, found {'nothing' if found is None else f'{found!r:.60}'}"
        )

    def problem(self, *, key: str, what: str) -> DataError:
        """Return the error for anything else that is wrong at a key."""
        return DataError(f"{self._path}: {self.place(key)}: {what}")

    def _expanded(self, key: str, text: str, folder: Path) -> Path:
        def value_of(variable: re.Match[str]) -> str:
            name = variable[1] or variable[2]
            value = os.environ.get(name)
            if value is None:
                what = f"the variable {name} is not set; set it, or give --set {self.place(key)}"
                raise self.problem(key=key, what=what)
            return value

        try:
            expanded = Path(_VARIABLE.sub(value_of, text)).expanduser()
        except RuntimeError as error:  # no such user
            raise self.problem(key=key, what=f"{text!r:.60} cannot be a path ({error})") from None
        return (Path.cwd() if text.startswith("$") else folder) / expanded

    def _inner(self, value: object, place: str) -> TableReader:
        if not isinstance(value, dict):
            msg = f"{self._path}: {place}: expected a table, found {value!r:.60}"
            raise DataError(msg)
        if any("\0" in key for key in value):
            msg = f"{self._path}: {place}: expected text for a name, found a NUL character in it"
            raise DataError(msg)
        return TableReader(self._path, value, place)

    def _list(self, key: str) -> list[Any]:
        value = self.value(key, [])
        if not isinstance(value, list):
            raise self.wrong(key=key, expected="a list", found=value)
        return value

    def _text(self, key: str, value: object, least: int, most: int | None) -> str:
        if not isinstance(value, str):
            raise self.wrong(key=key, expected="text", found=value)
        if "\0" in value:
            raise self.problem(key=key, what="expected text, found a NUL character in it")
        if len(value) < least or (most is not None and len(value) > most):
            raise self.wrong(
                key=key,
                expected=f"text of {least} to {most} characters" if value else "text that is not empty",
                found=value,
            )
        return value

    def _inside(self, key: str, name: str) -> str:
        if PurePosixPath(name).name != name:
            raise self.wrong(key=key, expected="names of files in the same directory", found=name)
        return name


def _change(values: dict[str, Any], key: str, value: str) -> None:
    section, dot, name = key.partition(".")
    if not dot or not name or not isinstance(values.setdefault(section, {}), dict):
        msg = f"--set: expected SECTION.KEY=VALUE, as in train.steps=100, found {key!r}"
        raise DataError(msg)
    if not value:
        values[section].pop(name, None)
        return
    try:
        parsed = parse_toml(f"value = {value}")["value"]
    except ValueError:
        parsed = value
    was_text = isinstance(values[section].get(name), str)
    values[section][name] = value if was_text and not isinstance(parsed, str) else parsed  # text needs no quotes


def _range(low: float, high: float) -> str:
    """The limits of a number, in words; none if there are none that anybody would meet."""
    above = f" from {low:g}" if low > -_LARGEST else ""
    return above + (f" to {high:,}" if high < _LARGEST - 1 else "")


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
