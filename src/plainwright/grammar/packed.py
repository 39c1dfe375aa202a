"""Packed grammars: one memory-mapped file, made from rules as text, opened in milliseconds.

`docs/grammar.md` describes the file. A file that is damaged, truncated, foreign or of another version is a
`DataError`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

from plainwright import _core
from plainwright.arguments import check_path, check_paths
from plainwright.errors import DataError
from plainwright.files import atomic_write, check_writable, read_text
from plainwright.grammar.rules import (
    Nonterminal,
    Progress,
    Rule,
    Skipped,
    Symbol,
    checked_rules,
    decode_line,
    parse_rule,
    parse_source,
    read_blocks,
    read_rules,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["FeatureStorage", "PackedGrammar", "pack_blocks", "pack_files", "pack_rules"]

_BATCH = 10_000
_SURROGATE = re.compile("[\ud800-\udfff]")  # what stands for bytes of a command line that are not UTF-8


@dataclass(frozen=True, slots=True)
class FeatureStorage:
    """Says how a packed file keeps a feature; a value is off by at most half of `step`, which is 0 if it is exact."""

    name: str
    exact: bool
    bits: int
    distinct: int
    step: float
    has_missing: bool


class PackedGrammar:
    """A grammar in one file; `native` is what the decoder takes."""

    def __init__(self, path: str | Path, *, verify: bool = True) -> None:
        """Open the file. Without `verify` the checksum of the whole file is not compared."""
        check_path(path, "PackedGrammar", "path")
        self.path = Path(path)
        if self.path.is_dir():
            msg = f"{self.path}: expected a packed grammar, found a directory"
            raise DataError(msg)
        try:
            self.native = _core.PackedGrammar.open(str(self.path), verify=verify)
        except RuntimeError as error:
            raise DataError(_opening_problem(self.path, str(error))) from None

    @classmethod
    def of_model(cls, path: str | Path) -> PackedGrammar:
        """Return a grammar of a model directory: packed, or text if its name ends in .txt or .txt.gz."""
        return cls.from_text(path) if str(path).endswith((".txt", ".txt.gz")) else cls(path)

    @classmethod
    def from_text(cls, path: str | Path) -> PackedGrammar:
        """Rules as text, packed in memory; a grammar of many rules is better packed once, into a file."""
        grammar = cls.__new__(cls)
        grammar.path = Path(path)
        try:
            grammar.native = _core.MemoryGrammar(read_text(path).replace("\r\n", "\n"))
        except ValueError as error:
            for _ in read_rules(path):  # says which line is wrong, and why
                pass
            msg = f"{path}: {error}"
            raise DataError(msg) from None
        return grammar

    @classmethod
    def from_rules(cls, rules: Iterable[Rule]) -> PackedGrammar:
        """Rules packed in memory, for a grammar of a few."""
        grammar = cls.__new__(cls)
        grammar.path = Path("rules")
        grammar.native = _core.MemoryGrammar("".join(f"{rule}\n" for rule in checked_rules(rules, "from_rules")))
        return grammar

    def __len__(self) -> int:
        return len(self.native)

    @property
    def feature_names(self) -> list[str]:
        """Names of the columns of `features`, those of missing values at the end."""
        return self.native.feature_names

    @property
    def gap_labels(self) -> list[str]:
        """The labels that gaps of source sides have."""
        return self.native.gap_labels

    def storage(self) -> list[FeatureStorage]:
        """Return how each feature is kept."""
        return [FeatureStorage(*row) for row in self.native.storage()]

    def find(self, source: str | Sequence[Symbol]) -> range:
        """Return the numbers of the rules with this source side, a line of words and nonterminals."""
        symbols = parse_source(source) if isinstance(source, str) else source
        gaps = [isinstance(symbol, Nonterminal) for symbol in symbols]
        texts = [symbol.label if isinstance(symbol, Nonterminal) else symbol for symbol in symbols]
        if not symbols or _SURROGATE.search(" ".join(texts)):  # no grammar holds what is not text
            return range(0)
        return range(*self._ask("find", texts, gaps))

    def rules(self, numbers: range | None = None) -> Iterator[Rule]:
        """Yield the rules as text gives them, or those with consecutive `numbers`."""
        return map(parse_rule, self.lines(numbers))

    def lines(self, numbers: range | None = None) -> Iterator[str]:
        """Yield the same as lines of PPDB text."""
        numbers = range(len(self)) if numbers is None else numbers
        first = numbers.start
        while first < numbers.stop:
            lines = self._ask("lines", first, min(first + _BATCH, numbers.stop))
            yield from lines
            first += len(lines)

    def check_rules(self) -> None:
        """Read every rule; a damaged one is a `DataError` that names the file."""
        for _ in self.lines():
            pass

    def features(self, numbers: range) -> NDArray[np.float32]:
        """Return one row of values for each of the rules with consecutive `numbers`."""
        return cast("NDArray[np.float32]", self._ask("features", numbers.start, numbers.stop))

    def info(self) -> dict[str, Any]:
        """Return sizes, labels and features, ready for JSON."""
        native, rules = self.native, len(self)
        counts = dict(zip(native.labels, self._ask("label_counts"), strict=True))
        return {
            "path": str(self.path),
            "rules": rules,
            "bytes": native.bytes,
            "bytes_per_rule": round(native.bytes / rules, 2) if rules else None,
            "record_bytes": native.record_bytes,
            "nodes": native.nodes,
            "words": native.words,
            "labels": dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))),
            "features": [asdict(feature) for feature in self.storage()],
        }

    def _ask(self, method: str, *arguments: Any) -> Any:
        try:
            return getattr(self.native, method)(*arguments)
        except RuntimeError as error:
            msg = f"{self.path}: {error}; pack it again"
            raise DataError(msg) from None


def pack_files(
    paths: Iterable[str | Path],
    output: str | Path,
    *,
    bits: int = 16,
    lenient: bool = False,
    skipped: Skipped | None = None,
    progress: Progress | None = None,
) -> int:
    """Pack files of PPDB text into one file and return the number of rules.

    A feature with at most 2 ** `bits` different values keeps them exactly; others are rounded to a grid of that
    many points. With `lenient`, malformed lines are left out and counted in `skipped`.
    """
    check_paths(paths, "pack_files", "paths")
    blocks = ((str(path), block) for path in paths for block in read_blocks(path, progress=progress))
    return pack_blocks(blocks, output, bits=bits, lenient=lenient, skipped=skipped)


def pack_rules(rules: Iterable[Rule], output: str | Path, *, bits: int = 16) -> int:
    """Pack rules and return their number."""
    lines = (f"{rule}\n".encode() for rule in checked_rules(rules, "pack_rules"))
    return pack_blocks((("rules", line) for line in lines), output, bits=bits)


def pack_blocks(
    blocks: Iterable[tuple[str, bytes]],
    output: str | Path,
    *,
    bits: int = 16,
    lenient: bool = False,
    skipped: Skipped | None = None,
) -> int:
    """Pack blocks of whole lines, each with the name of where it is from."""
    check_writable(output)
    if not 1 <= bits <= 16:
        msg = f"bits must be from 1 to 16; got {bits}"
        raise DataError(msg)
    skipped = Skipped() if skipped is None else skipped
    packer = _core.GrammarPacker(bits=bits)
    current, before = None, 0
    for name, block in blocks:
        if name != current:
            current, before = name, packer.lines
        for number, line in packer.feed(block, lenient=lenient):
            problem = f"{name}:{number - before}: {_problem(line)}"
            if not lenient:
                raise DataError(problem)
            skipped.add(problem)
    rules = len(packer)
    data = packer.finish()
    with atomic_write(output) as stream:
        cast("TextIO", stream).buffer.write(data.data)
    return rules


def _problem(line: bytes) -> str:
    """What is wrong with a line, in the words of the reader in Python."""
    try:
        parse_rule(decode_line(line))
    except DataError as error:
        return str(error)
    return "more than 1,000 different features in one grammar"


def _opening_problem(path: Path, problem: str) -> str:
    if not path.exists():
        return f"{path}: no such file"
    hint = "; make one with `plainwright grammar pack`" if problem == "not a packed grammar" else ""
    return f"{path}: {problem}{hint}"
