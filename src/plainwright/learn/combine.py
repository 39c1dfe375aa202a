"""One table from the rules of several sources, with features that say who proposes each of them.

That two sources agree on a rule is the best sign that it is right. So rules with the same sides become one, whatever
their labels; it has `NAME` (1 or 0) for each source, `NAME:feature` for what that source knows of it, and `Sources`,
how many propose it. What a source does not know stays missing. Lists of word pairs count as sources too, but never
make a rule.

All entries are sorted by their sides, in memory as far as it reaches and then in files without names, so sources of
any size can be combined. The result depends on the sources and their order alone.
"""

from __future__ import annotations

import heapq
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import IO, Literal, NamedTuple

from plainwright.errors import DataError
from plainwright.files import atomic_write_text, check_writable
from plainwright.grammar.features import FEATURES
from plainwright.grammar.rules import MAX_LINE_BYTES, format_value, parse_rule
from plainwright.learn.parallel import read_text_lines

__all__ = ["CombineOptions", "CombineResult", "Source", "combine_files"]

Progress = Callable[[str, int, int], None]  # what is being done, how much of it, of how much

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
_COUNT = "Sources"
_COMPUTED = frozenset(name for name, note in FEATURES.items() if note.computed)
_MOST_RUNS = 64  # sorted files that are open at once
_OVERHEAD = 48  # bytes that Python needs for an entry besides its text
_MEGABYTE = 1 << 20
_TOLD = 100_000


@dataclass(frozen=True, slots=True)
class Source:
    """Names a file and the prefix that its features get."""

    name: str
    path: Path

    @classmethod
    def parse(cls, text: str) -> Source:
        """Read `NAME=FILE`."""
        name, _, path = text.partition("=")
        if not path or not _NAME.fullmatch(name):
            msg = f"NAME=FILE expected, with letters, digits and -_. in the name, got {text[:60]!r}"
            raise DataError(msg)
        return cls(name, Path(path))


@dataclass(frozen=True, slots=True, kw_only=True)
class CombineOptions:
    """Says how sources become one table."""

    labels: Literal["one", "each"] = "one"  # a rule for each pair, or for each pair and label
    min_sources: int = 1  # that must propose a pair, lists included
    memory: int = 512  # megabytes of entries before they move to files

    def check(self) -> None:
        """A `DataError` says which option is out of range."""
        for name, least in (("min_sources", 1), ("memory", 1)):
            if getattr(self, name) < least:
                msg = f"{name} must be at least {least}, got {getattr(self, name)}"
                raise DataError(msg)
        if self.labels not in ("one", "each"):
            msg = f"labels must be 'one' or 'each', got {self.labels!r}"
            raise DataError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class CombineResult:
    """Counts what went in and what came out."""

    read: Mapping[str, int]  # rules, or pairs of a list, by source
    pairs: int  # that some source has a rule for
    written: int  # rules
    agreed: int  # pairs that are written and that two or more propose


def combine_files(
    sources: Sequence[Source],
    output: str | Path,
    options: CombineOptions | None = None,
    *,
    evidence: Sequence[Source] = (),
    progress: Progress | None = None,
) -> CombineResult:
    """Write the rules of all `sources` as one table; `evidence` are lists of word pairs that go together."""
    options = CombineOptions() if options is None else options
    options.check()
    check_writable(output)
    _check_names([*sources, *evidence])
    read: dict[str, int] = {}
    table = _Table(sources, evidence, options)
    with ExitStack() as stack:
        stream = stack.enter_context(atomic_write_text(output))
        entries = _Sorter(Path(output).resolve().parent, options.memory * _MEGABYTE, stack)
        for number, source in enumerate([*sources, *evidence]):
            reader = _rule_entries if number < len(sources) else _list_entries
            read[source.name] = 0
            for entry in reader(source.path, number):
                entries.add(entry)
                read[source.name] += 1
                if progress is not None and read[source.name] % _TOLD == 0:
                    progress(f"reading {source.name}", read[source.name], 0)
        for line in table.lines(entries.sorted()):
            stream.write(line)
            if progress is not None and table.written % _TOLD == 0:
                progress("writing", table.written, 0)
    return CombineResult(read=read, pairs=table.pairs, written=table.written, agreed=table.agreed)


def _check_names(sources: Sequence[Source]) -> None:
    names = [source.name for source in sources]
    if not names:
        msg = "at least one source expected, got none"
        raise DataError(msg)
    for name in names:
        if names.count(name) > 1:
            msg = f"each source needs a name of its own, got {name!r} twice"
            raise DataError(msg)
        if name == _COUNT or name in FEATURES:
            msg = f"the name {name!r} belongs to another feature; choose another one for this source"
            raise DataError(msg)


# An entry is one line: source, target, number of the source, label, features and alignment, with NUL between them.
# Rules have no NUL, and it sorts before all else; so entries of a pair come together, in the order of the sources.


def _rule_entries(path: Path, number: int) -> Iterator[bytes]:
    line_number = 0
    for line in read_text_lines(path):
        line_number += 1
        try:
            source, target, label, known, alignment = _plain_fields(line) or _parsed_fields(line)
        except DataError as error:
            msg = f"{path}:{line_number}: {error}"
            raise DataError(msg) from None
        yield f"{source}\0{target}\0{number:04}\0{label}\0{known}\0{alignment}\n".encode()
    if line_number == 0:
        msg = f"{path}: expected rules, found an empty file"
        raise DataError(msg)


_Fields = tuple[str, str, str, str, str]  # source, target, label, features that cannot be computed, alignment

_WORDS = r"[^ \[|\r\n\0]+(?: [^ \[|\r\n\0]+)*"
_FEATURE = r"[^ =\r\n\0]+=-?[0-9]{1,15}(?:\.[0-9]{1,15})?"
_PLAIN_RULE = re.compile(
    rf"\[([^ \[\]|\r\n\0]+)\] \|\|\| ({_WORDS}) \|\|\| ({_WORDS}) \|\|\| ({_FEATURE}(?: {_FEATURE})*) \|\|\| ((?:0-0)?)"
)


def _plain_fields(line: str) -> _Fields | None:
    """What `_parsed_fields` gives, but faster; None for all but the plainest of rules."""
    found = _PLAIN_RULE.fullmatch(line) if len(line) < MAX_LINE_BYTES // 4 else None
    if found is None:
        return None
    label, source, target, features, alignment = found.groups()
    pieces = {piece.rpartition("=")[0]: piece for piece in features.split(" ")}
    if len(pieces) <= features.count(" "):  # a feature that comes twice
        return None
    if not _COMPUTED.isdisjoint(pieces):
        features = " ".join(piece for name, piece in pieces.items() if name not in _COMPUTED)
    return source, target, label, features, alignment


def _parsed_fields(line: str) -> _Fields:
    rule = parse_rule(line)
    source, target = line.split(" ||| ", 3)[1:3]
    known = (f"{name}={format_value(value)}" for name, value in rule.features.items() if name not in _COMPUTED)
    alignment = " ".join(f"{i}-{j}" for i, j in rule.alignment)
    return source, target, rule.lhs, " ".join(known), alignment


def _list_entries(path: Path, number: int) -> Iterator[bytes]:
    """Both directions of each pair: a list has no order."""
    empty = True
    for line in read_text_lines(path):
        items = line.split("\t") if "\t" in line else line.split()
        first, *others = (" ".join(item.split()) for item in items or [""])
        for other in filter(None, others):
            if first and first != other:
                empty = False
                yield f"{first}\0{other}\0{number:04}\0\0\0\n".encode()
                yield f"{other}\0{first}\0{number:04}\0\0\0\n".encode()
    if empty:
        msg = f"{path}: expected lines of two or more words, found none"
        raise DataError(msg)


class _Sorter:
    """Sorts more lines than memory holds."""

    def __init__(self, directory: Path, memory: int, stack: ExitStack) -> None:
        self._directory = directory
        self._memory = memory
        self._stack = stack
        self._held: list[bytes] = []
        self._size = 0
        self._runs: list[IO[bytes]] = []

    def add(self, line: bytes) -> None:
        self._held.append(line)
        self._size += len(line) + _OVERHEAD
        if self._size > self._memory:
            self._move()

    def sorted(self) -> Iterator[bytes]:
        self._held.sort()
        return heapq.merge(*self._runs, self._held)

    def _move(self) -> None:
        self._held.sort()
        self._runs.append(self._written(self._held))
        self._held, self._size = [], 0
        if len(self._runs) == _MOST_RUNS:
            merged = self._written(heapq.merge(*self._runs))
            for run in self._runs:
                run.close()
            self._runs = [merged]

    def _written(self, lines: Iterable[bytes]) -> IO[bytes]:
        run: IO[bytes] = tempfile.TemporaryFile(dir=self._directory)  # noqa: SIM115  # the stack closes it
        self._stack.enter_context(run)
        run.writelines(lines)
        run.seek(0)
        return run


class _Proposal(NamedTuple):
    """What one source says about a pair under one label."""

    label: str
    features: str
    alignment: str


class _Table:
    """Makes rules of sorted entries, and counts them."""

    def __init__(self, sources: Sequence[Source], evidence: Sequence[Source], options: CombineOptions) -> None:
        self._names = [source.name for source in (*sources, *evidence)]
        self._ruling = len(sources)
        self._options = options
        self.pairs = self.written = self.agreed = 0

    def lines(self, entries: Iterable[bytes]) -> Iterator[str]:
        for (source, target), group in groupby(map(_fields, entries), key=itemgetter(0, 1)):
            proposals: dict[int, list[_Proposal]] = {}
            for _, _, number, *said in group:
                proposals.setdefault(int(number), []).append(_Proposal(*said))
            ruling = [proposal for number in proposals if number < self._ruling for proposal in proposals[number]]
            self.pairs += bool(ruling)
            if not ruling or len(proposals) < self._options.min_sources:
                continue
            self.agreed += len(proposals) > 1
            alignment = next((proposal.alignment for proposal in ruling if proposal.alignment), "")
            for label in self._labels(ruling):
                features = self._features(proposals, label)
                self.written += 1
                yield f"[{label}] ||| {source} ||| {target} ||| {features} ||| {alignment}\n"

    def _labels(self, proposals: Sequence[_Proposal]) -> list[str]:
        """X says nothing, so it gives way to labels that do."""
        specific = sorted({proposal.label for proposal in proposals} - {"X"})
        if self._options.labels == "each":
            return specific or ["X"]
        return specific if len(specific) == 1 else ["X"]

    def _features(self, proposals: Mapping[int, list[_Proposal]], label: str) -> str:
        features = []
        for number, name in enumerate(self._names):
            own = proposals.get(number, [])
            features.append(f"{name}={int(bool(own))}")
            if self._options.labels == "each":
                own = [proposal for proposal in own if proposal.label == label] or own
            known = own[0].features if len(own) == 1 else _averaged(own)
            features += [f"{name}:{piece}" for piece in known.split(" ") if piece]
        features.append(f"{_COUNT}={len(proposals)}")
        return " ".join(features)


def _fields(entry: bytes) -> list[str]:
    return entry[:-1].decode().split("\0")


def _averaged(proposals: Iterable[_Proposal]) -> str:
    """The mean of each feature over the rules that have it."""
    values: dict[str, list[str]] = {}
    for proposal in proposals:
        for piece in filter(None, proposal.features.split(" ")):
            name, _, value = piece.rpartition("=")
            values.setdefault(name, []).append(value)
    return " ".join(f"{name}={_mean(spelt)}" for name, spelt in values.items())


def _mean(values: Sequence[str]) -> str:
    """The mean of what is known, spelt as it was if there is nothing to average."""
    known = [value for value in dict.fromkeys(values) if value != "NA"]
    if len(known) < 2:
        return known[0] if known else "NA"
    numbers = [float(value) for value in values if value != "NA"]
    return format_value(round(sum(numbers) / len(numbers), 5))
