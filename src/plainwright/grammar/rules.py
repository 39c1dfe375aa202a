"""Rules as text: the lines of PPDB 1.0 and 2.0, and of our own grammars.

    [LHS] ||| source ||| target ||| Name=value Name=value ... ||| alignment
    [LHS] ||| source ||| target ||| Name=value Name=value ... ||| alignment ||| entailment

Nonterminals are `[LABEL,k]` with k 1 or 2; both sides have the same ones. `str(parse_rule(line)) == line`: even the
spelling of numbers is kept. Everything that can be wrong with a line is a `DataError`.
"""

from __future__ import annotations

import gzip
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, cast

from plainwright.arguments import check_instance, check_path, check_text, refuse
from plainwright.errors import DataError
from plainwright.files import explain_reading

__all__ = [
    "MAX_LINE_BYTES",
    "Nonterminal",
    "Progress",
    "Rule",
    "Skipped",
    "Spelt",
    "Symbol",
    "decode_line",
    "format_value",
    "parse_lines",
    "parse_rule",
    "parse_source",
    "read_blocks",
    "read_rules",
    "write_rules",
]

MAX_LINE_BYTES = 100_000
MAX_SIDE = 300  # words and nonterminals

# Called with the bytes read so far and the size of the file (compressed, if it is).
Progress = Callable[[int, int], None]

_SEPARATOR = " ||| "
_NUMBER = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_POSITION = re.compile(r"0|[1-9][0-9]*")
_LARGEST = 3.4e38  # just inside the range of a 32-bit float, which packed grammars use
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Nonterminal:
    """Stands for a gap of a rule: its label, and the index that ties the two sides together."""

    label: str
    index: int

    def __str__(self) -> str:
        return f"[{self.label},{self.index}]"


Symbol = str | Nonterminal


class Spelt(float):
    """Remembers the unusual spelling of a number, as "2.00000"."""

    __slots__ = ("text",)
    text: str

    @classmethod
    def parse(cls, text: str) -> float:
        """Return the number; a plain float where `format_value` gives its spelling back."""
        value = float(text)
        if format_value(value) == text:
            return value
        spelt = cls(value)
        spelt.text = text
        return spelt


def format_value(value: float | None) -> str:
    """A feature's value as text; None, a value that is not available, is NA."""
    if value is None:
        return "NA"
    if isinstance(value, Spelt):
        return value.text
    if float(value).is_integer() and abs(value) < 1e15:
        return str(int(value))
    return repr(float(value))


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a synchronous grammar; `features` may hold None for NA."""

    lhs: str
    source: tuple[Symbol, ...]
    target: tuple[Symbol, ...]
    features: Mapping[str, float | None] = field(default_factory=dict)
    alignment: tuple[tuple[int, int], ...] = ()
    entailment: str | None = None

    def __str__(self) -> str:
        """The line, without line end."""
        fields = [
            f"[{self.lhs}]",
            " ".join(map(str, self.source)),
            " ".join(map(str, self.target)),
            " ".join(f"{name}={format_value(value)}" for name, value in self.features.items()),
            " ".join(f"{i}-{j}" for i, j in self.alignment),
        ]
        if self.entailment is not None:
            fields.append(self.entailment)
        return _SEPARATOR.join(fields)

    @property
    def source_words(self) -> list[str]:
        """The words of the source side, without nonterminals."""
        return [symbol for symbol in self.source if isinstance(symbol, str)]

    @property
    def target_words(self) -> list[str]:
        """The words of the target side, without nonterminals."""
        return [symbol for symbol in self.target if isinstance(symbol, str)]


@dataclass
class Skipped:
    """Counts the lines that a lenient reader left out, and keeps the first few problems."""

    count: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, problem: str) -> None:
        """Count one line."""
        self.count += 1
        if len(self.examples) < 5:
            self.examples.append(problem)


def parse_rule(line: str) -> Rule:
    """The rule of one line; a `DataError` says what is wrong with it."""
    check_text(line, "parse_rule", "line")
    if len(line) > MAX_LINE_BYTES // 4 and len(line.encode("utf-8", "surrogatepass")) > MAX_LINE_BYTES:
        _fail(f"a line of at most {MAX_LINE_BYTES:,} bytes expected, got {len(line):,} characters")
    if any(mark in line for mark in "\r\n\0"):
        _fail("one line of text expected, found a line end or a NUL character inside")
    fields = (line + " " if line.endswith(" |||") else line).split(_SEPARATOR)
    if len(fields) not in (5, 6):
        _fail(f"5 or 6 fields expected, separated by ' ||| ', got {len(fields)}: {_short(line)}")
    lhs = _parse_lhs(fields[0])
    source, target = _parse_side(fields[1], "source"), _parse_side(fields[2], "target")
    if not source:
        _fail("the source is empty; a rule needs something to match")
    _check_sides(source, target)
    features = _parse_features(fields[3])
    alignment = _parse_alignment(fields[4], len(source), len(target))
    if len(fields) == 6 and (not fields[5] or " " in fields[5]):
        _fail(f"one word expected as entailment, got {_short(fields[5])}")
    return Rule(lhs, source, target, features, alignment, fields[5] if len(fields) == 6 else None)


def parse_source(text: str) -> tuple[Symbol, ...]:
    """Return the symbols of a source side: words and nonterminals, separated by spaces."""
    check_text(text, "parse_source", "text")
    return _parse_side(" ".join(text.split()), "source")


def read_rules(
    path: str | Path,
    *,
    lenient: bool = False,
    skipped: Skipped | None = None,
    progress: Progress | None = None,
) -> Iterator[Rule]:
    """The rules of a file, one by one; gzip is undone for names ending in .gz.

    With `lenient`, lines that are no rules are left out and counted in `skipped`; otherwise the first one is a
    `DataError` that names file and line.
    """
    check_path(path, "read_rules", "path")
    return parse_lines(path, parse_rule, lenient=lenient, skipped=skipped, progress=progress)


def parse_lines(
    path: str | Path,
    parse: Callable[[str], Rule],
    *,
    lenient: bool,
    skipped: Skipped | None,
    progress: Progress | None,
) -> Iterator[Rule]:
    """Yield what `parse` makes of each line of a file; its errors become those of the file, or are counted."""
    skipped = Skipped() if skipped is None else skipped
    number = 0
    for block in read_blocks(path, progress=progress):
        for raw in block.split(b"\n")[: -1 if block.endswith(b"\n") else None]:
            number += 1
            try:
                yield parse(decode_line(raw))
            except DataError as error:
                problem = f"{path}:{number}: {error}"
                if not lenient:
                    raise DataError(problem) from None
                skipped.add(problem)


def write_rules(stream: IO[str], rules: Iterable[Rule]) -> int:
    """Write one line for each rule and return their number."""
    count = 0
    for rule in checked_rules(rules, "write_rules"):
        line = str(rule)
        if parse_rule(line) != rule:  # a word with a space in it would come back as two
            _fail(f"words without spaces expected, got {_short(line)}")
        stream.write(line + "\n")
        count += 1
    return count


def checked_rules(rules: Iterable[Rule], function: str) -> Iterator[Rule]:
    """The rules one by one; what is none is refused."""
    if not isinstance(rules, Iterable):
        refuse(rules, function, "rules", "a list of rules")
    for rule in rules:
        check_instance(rule, Rule, function, "each rule", "a Rule, as parse_rule returns it")
        yield rule


def read_blocks(path: str | Path, *, progress: Progress | None = None) -> Iterator[bytes]:
    """Yield the bytes of a file in blocks of whole lines, gzip undone for names ending in .gz."""
    path = Path(path)
    with explain_reading(path), path.open("rb") as raw:
        total = path.stat().st_size
        stream = cast("IO[bytes]", gzip.GzipFile(fileobj=raw) if path.suffix == ".gz" else raw)
        for block in _whole_lines(stream, path):
            yield block
            if progress is not None:
                progress(min(raw.tell(), total), total)


def _whole_lines(stream: IO[bytes], path: Path) -> Iterator[bytes]:
    rest = b""
    first = True
    while chunk := stream.read(_BLOCK):
        if first:
            if chunk.startswith((b"\xff\xfe", b"\xfe\xff")):
                msg = f"{path}: expected UTF-8 text, found UTF-16; convert it with `iconv -f UTF-16 -t UTF-8`"
                raise DataError(msg)
            chunk = chunk.removeprefix(b"\xef\xbb\xbf")
            first = False
        lines, end, tail = chunk.rpartition(b"\n")
        if end:
            yield rest + lines + end
            rest = tail
        else:
            rest += tail
            if len(rest) > 64 * _BLOCK:
                msg = f"{path}: expected one rule per line, found {len(rest):,} bytes without a line end"
                raise DataError(msg)
    if rest:
        yield rest


def decode_line(raw: bytes) -> str:
    """Return one line as text, without a carriage return at its end."""
    try:
        return raw.removesuffix(b"\r").decode("utf-8")
    except UnicodeDecodeError as error:
        return _fail(f"UTF-8 text expected, found byte 0x{raw[error.start]:02x}")


def _fail(message: str) -> str:
    raise DataError(message)


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _parse_lhs(text: str) -> str:
    if len(text) < 3 or text[0] != "[" or text[-1] != "]" or " " in text:
        _fail(f"a left-hand side [LABEL] expected, got {_short(text)}")
    return text[1:-1]


def _pieces(text: str, what: str) -> list[str]:
    pieces = text.split(" ") if text else []
    if "" in pieces:
        _fail(f"one space between the parts of the {what} expected, found more in {_short(text)}")
    return pieces


def _parse_side(text: str, side: str) -> tuple[Symbol, ...]:
    pieces = _pieces(text, side)
    if len(pieces) > MAX_SIDE:
        _fail(f"at most {MAX_SIDE} words and nonterminals expected in the {side}, got {len(pieces):,}")
    return tuple(_parse_symbol(piece, side) for piece in pieces)


def _parse_symbol(text: str, side: str) -> Symbol:
    if text == "|||":
        _fail(f"two spaces between the bars of an empty field expected, found one after the {side}")
    if text[0] != "[" or text[-1] != "]" or "," not in text:
        return text
    label, _, index = text[1:-1].rpartition(",")
    if not label:
        _fail(f"a label expected in the nonterminal {text!r} of the {side}")
    if index not in ("1", "2"):
        _fail(f"nonterminal index 1 or 2 expected, got {_short(text)} in the {side}")
    return Nonterminal(label, int(index))


def _check_sides(source: tuple[Symbol, ...], target: tuple[Symbol, ...]) -> None:
    sides = []
    for name, side in (("source", source), ("target", target)):
        gaps = [symbol for symbol in side if isinstance(symbol, Nonterminal)]
        if len({gap.index for gap in gaps}) < len(gaps):
            _fail(f"each nonterminal index once expected, got {' '.join(map(str, gaps))} in the {name}")
        sides.append(gaps)
    if set(sides[0]) != set(sides[1]):
        shown = [" ".join(map(str, gaps)) or "none" for gaps in sides]
        _fail(f"the same nonterminals on both sides expected, got {shown[0]} in the source, {shown[1]} in the target")


def _parse_features(text: str) -> dict[str, float | None]:
    features: dict[str, float | None] = {}
    for piece in _pieces(text, "features"):
        name, equals, value = piece.rpartition("=")
        if not equals or not name:
            _fail(f"features as Name=value expected, got {_short(piece)}")
        if name in features:
            _fail(f"each feature once expected, got {name!r} twice")
        features[name] = None if value == "NA" else _parse_number(name, value)
    return features


def _parse_number(name: str, text: str) -> float:
    if not _NUMBER.fullmatch(text) or not math.isfinite(value := float(text)) or abs(value) > _LARGEST:
        _fail(f"a number or NA expected for the feature {name!r}, got {_short(text)}")
    return Spelt.parse(text)


def _parse_alignment(text: str, source: int, target: int) -> tuple[tuple[int, int], ...]:
    points = []
    for piece in _pieces(text, "alignment"):
        i, _, j = piece.partition("-")
        good = _POSITION.fullmatch(i) and _POSITION.fullmatch(j) and len(piece) < 20
        if not good or int(i) >= source or int(j) >= target:
            _fail(f"alignment points i-j with i below {source} and j below {target} expected, got {_short(piece)}")
        points.append((int(i), int(j)))
    return tuple(points)
