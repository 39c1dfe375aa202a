"""A list as the matcher asks it, and the file that ships.

Surface forms are kept as text by their first word, and what stands there is read when a sentence has that word. So a
list of many thousand forms opens in a few milliseconds. The file is msgpack, packed by zlib, behind a line that names
it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from plainwright.errors import DataError
from plainwright.files import atomic_write_bytes, read_bytes
from plainwright.rewrite.wordlist.conditions import Condition, parse_conditions
from plainwright.rewrite.wordlist.expansion import surfaces
from plainwright.rewrite.wordlist.written import GAP, Entry, read_entries, slot_tag
from plainwright.text.spelling import common_spelling

__all__ = ["ListedEntry", "PackResult", "Pattern", "Traits", "WordList", "pack_files"]

_MAGIC = b"plainwright wordlist 1\n"
_MOST_PACKED = 1 << 24  # bytes
_MOST = 1 << 26
_LEVEL = 9


class ListedEntry(NamedTuple):
    """An entry as people wrote it, and where."""

    hard: str
    kind: str
    plain: str
    when: str
    source: str
    line: int

    @property
    def protects(self) -> bool:
        """Whether its words are to be left alone."""
        return self.hard == self.plain

    @property
    def conditions(self) -> Sequence[Condition]:
        """Return what must hold where it is used."""
        return parse_conditions(self.when)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Hard words as they stand in text, and what to write for each tag of the word at `head`."""

    words: tuple[str, ...]
    head: int
    entry: ListedEntry
    plain: Mapping[str, tuple[str, ...]]


class Traits(NamedTuple):
    """Tells what entries a list has, since most have none of these."""

    protects: bool  # some leave words alone
    names: bool  # some have names or abbreviations on the hard side


Patterns = Mapping[str, Sequence[Pattern]]  # of one first word, by the word after it; "" for any other
_NO_PATTERNS: Patterns = {}


class WordList:
    """Finds the patterns that begin with a word; safe to use from several threads."""

    def __init__(self, entries: Sequence[str], rows: Mapping[str, str], *, traits: Traits, name: str) -> None:
        self._entries = entries
        self._rows = rows
        self._patterns: dict[str, Patterns] = {}
        self.traits = traits
        self.name = name

    @classmethod
    def of_entries(cls, entries: Sequence[Entry], *, name: str = "words") -> WordList:
        """Make a list of entries, the first ones first."""
        lines = list(map(_line, entries))
        rows: dict[str, list[str]] = {}
        for number, entry in enumerate(entries):
            for words, head, plain in surfaces(entry):
                forms = (part for tag, written in plain.items() for part in (tag, " ".join(written)))
                rows.setdefault(common_spelling(words[0].lower()), []).append(
                    "\t".join((" ".join(words), str(head), str(number), *forms))
                )
        joined = {first: "\n".join(own) for first, own in sorted(rows.items())}
        traits = Traits(any(entry.protects for entry in entries), any(entry.names for entry in entries))
        return cls(lines, joined, traits=traits, name=name)

    @classmethod
    def read(cls, path: str | Path) -> WordList:
        """Read a list as people write it."""
        if Path(path).is_file() and read_bytes(path, most=_MOST_PACKED).startswith(_MAGIC):
            msg = f"{path}: expected a list as people write it, found a packed one; name it under [files] in model.toml"
            raise DataError(msg)
        return cls.of_entries(read_entries(path), name=str(path))

    @classmethod
    def open(cls, path: str | Path) -> WordList:
        """Read a file made by `plainwright learn wordlist`; a damaged one is a `DataError`."""
        content = read_bytes(path, most=_MOST_PACKED)
        if not content.startswith(_MAGIC):
            msg = f"{path}: expected a word list made by `plainwright learn wordlist`, found another file"
            raise DataError(msg)
        try:
            entries, rows, traits = _unpacked(content[len(_MAGIC) :])
        except ValueError as error:
            raise _damaged(path, str(error)) from None
        return cls(entries, rows, traits=traits, name=str(path))

    def save(self, path: str | Path) -> None:
        """Write the file; the same list gives the same bytes."""
        import msgpack

        packed = zlib.compress(msgpack.packb([list(self._entries), dict(self._rows), list(self.traits)]), _LEVEL)
        with atomic_write_bytes(path) as stream:
            stream.write(_MAGIC + packed)

    def __repr__(self) -> str:
        return f"WordList({self.name!r}, entries={len(self._entries)})"

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def forms(self) -> int:
        """How many surface forms it has."""
        return sum(rows.count("\n") + 1 for rows in self._rows.values())

    def patterns(self, first: str) -> Patterns:
        """Return the patterns that begin with a word by the word after it, the longest ones first."""
        found = self._patterns.get(first)
        if found is None:
            rows = self._rows.get(first)
            found = _NO_PATTERNS if rows is None else self._read(rows)
            if rows is not None:  # other words would fill the memory
                self._patterns[first] = found
        return found

    def _read(self, rows: str) -> Patterns:
        patterns = sorted(map(self._pattern, rows.split("\n")), key=lambda own: -len(own.words))
        seconds = {own.words[1] for own in patterns if len(own.words) > 1 and not _is_open(own.words[1])}
        return {
            second: [own for own in patterns if len(own.words) == 1 or _is_open(own.words[1]) or own.words[1] == second]
            for second in ("", *sorted(seconds))
        }

    def _entry(self, number: int) -> ListedEntry:
        if not 0 <= number < len(self):
            raise ValueError
        hard, kind, plain, when, source, line = self._entries[number].split("\t")
        return ListedEntry(hard, kind, plain, when, source, int(line))

    def _pattern(self, row: str) -> Pattern:
        try:
            words, head, number, *forms = row.split("\t")
            plain = {tag: tuple(written.split()) for tag, written in zip(forms[::2], forms[1::2], strict=True)}
            pattern = Pattern(tuple(words.split(" ")), int(head), self._entry(int(number)), plain)
            parse_conditions(pattern.entry.when)
            if not _is_sound(pattern):
                raise ValueError
        except ValueError:
            raise _damaged(self.name, "a form that cannot be read") from None
        return pattern


class PackResult(NamedTuple):
    """Counts what was packed."""

    entries: int
    forms: int
    bytes: int


def pack_files(paths: Iterable[str | Path], output: str | Path) -> PackResult:
    """Write one packed list of several written ones; those of the first come first."""
    entries = [entry for path in paths for entry in read_entries(path)]
    packed = WordList.of_entries(entries)
    packed.save(output)
    return PackResult(len(packed), packed.forms, Path(output).stat().st_size)


def _line(entry: Entry) -> str:
    """An entry as the file has it; sides that mean the same are written alike."""
    hard, plain = entry.written
    plain = hard if entry.protects else plain
    return "\t".join((hard, entry.kind, plain, entry.when, entry.source, str(entry.line)))


def _is_sound(pattern: Pattern) -> bool:
    """Whether a pattern has what the matcher relies on, as all have that come from entries."""
    words, head = pattern.words, pattern.head
    gaps = words.count(GAP)
    if not all(words) or gaps > 1 or GAP in (words[0], words[-1]) or not -1 <= head < len(words):
        return False
    slots = any(map(slot_tag, words))
    written = pattern.plain.values()
    fits = all(own.count(GAP) == gaps and (slots or not any(map(slot_tag, own))) for own in written)
    return fits and (head < 0 or words[head] != GAP) and not (gaps and {"JJ", "RB"} & pattern.plain.keys())


def _is_open(word: str) -> bool:
    """Whether many words may stand there."""
    return word == GAP or slot_tag(word) is not None


def _unpacked(content: bytes) -> tuple[list[str], dict[str, str], Traits]:
    import msgpack

    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(content, _MOST)
        whole = unpacker.eof and not unpacker.unused_data
        document: Any = msgpack.unpackb(data) if whole else None
    except (zlib.error, ValueError, msgpack.UnpackException, RecursionError) as error:
        raise ValueError(str(error) or type(error).__name__) from None
    if not isinstance(document, list) or len(document) != 3:
        msg = "it does not hold entries and their forms"
        raise ValueError(msg)
    entries, rows, traits = document
    texts = isinstance(entries, list) and isinstance(rows, dict)
    if not texts or not all(isinstance(text, str) for text in (*entries, *rows, *rows.values())):
        msg = "its entries or forms are no text"
        raise ValueError(msg)
    if (
        not isinstance(traits, list)
        or len(traits) != len(Traits._fields)
        or not all(type(one) is bool for one in traits)
    ):
        msg = "it does not say what it holds"
        raise ValueError(msg)
    return entries, rows, Traits(*traits)


def _damaged(name: str | Path, reason: str) -> DataError:
    return DataError(f"{name}: damaged ({reason}); make it again with `plainwright learn wordlist`")
