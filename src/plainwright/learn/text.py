"""Text to learn from: one sentence a line, without repetitions and without anything that is measured on.

Corpora overlap. A sentence that also stands in a test set, or among its references, would let a model learn what it is
then asked; so sentences are compared by their letters and digits alone, whatever their case, tokens and brackets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from plainwright.errors import DataError
from plainwright.evaluation import load_set
from plainwright.files import atomic_write_text, check_writable
from plainwright.learn.parallel import read_batches, read_text_lines
from plainwright.text import ptb_tokenize, split_sentences

__all__ = ["Overlap", "TextOptions", "TextResult", "pair_files", "tag_files", "text_files"]

Progress = Callable[[str, int, int], None]  # what is being done, how much of it, of how much

_BRACKETS = re.compile("-[lr][rsc]b-")
_OTHER = re.compile(r"[^a-z0-9]+")
_TOLD = 20_000
_TOLD_TAGGED = 1_000  # tagging is slow
_MAX_CHARACTERS = 1_000_000  # of a line; more is no text


@dataclass(frozen=True, slots=True, kw_only=True)
class TextOptions:
    """Says how lines become sentences."""

    column: int = 1  # of lines with tabs
    pair_columns: tuple[int, int] | None = None  # of source and target, in tables of pairs; None: lines have no columns
    sentences: bool = False  # lines are paragraphs, to be split
    tokens: bool = False  # text is tokenised already
    lower: bool = False
    max_tokens: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class TextResult:
    """Counts the lines or pairs that were read and written, and says what became of the others."""

    read: int
    written: int
    repeated: int  # or empty
    overlapping: int
    too_long: int


class Overlap:
    """Holds sentences that must not be learnt from."""

    def __init__(self, sentences: Iterable[str] = ()) -> None:
        self._keys = set(map(key, sentences)) - {""}

    @classmethod
    def of_sets(cls, names: Sequence[str], *, data: Path | None = None) -> Overlap:
        """Return all sources and references of some sets."""
        sets = (load_set(name, data=data) for name in names)
        columns = (lines for known in sets for lines in (known.sources, *(known.references or ())))
        return cls(line for lines in columns for line in lines or ())

    def __contains__(self, sentence: str) -> bool:
        return key(sentence) in self._keys


def key(sentence: str) -> str:
    """Return what two sentences have in common that differ in case, tokens or punctuation only."""
    return _OTHER.sub("", _BRACKETS.sub("", sentence.lower()))


class _Sieve:
    """Lets everything through once."""

    def __init__(self, without: Overlap, options: TextOptions) -> None:
        self._without = without
        self.options = options
        self._seen: set[tuple[str, ...]] = set()
        self.read = self.written = self.repeated = self.overlapping = self.too_long = 0

    def passes(self, *sides: list[str]) -> bool:
        """Whether these tokens are to be learnt from."""
        self.read += 1
        texts = [" ".join(tokens) for tokens in sides]
        if max(map(len, sides)) > self.options.max_tokens:
            self.too_long += 1
            return False
        if any(text in self._without for text in texts):
            self.overlapping += 1
            return False
        letters = tuple(map(key, texts))
        if letters in self._seen or not all(texts):
            self.repeated += 1
            return False
        self._seen.add(letters)
        self.written += 1
        return True

    def result(self) -> TextResult:
        return TextResult(
            read=self.read,
            written=self.written,
            repeated=self.repeated,
            overlapping=self.overlapping,
            too_long=self.too_long,
        )


def text_files(
    paths: Sequence[str | Path],
    output: str | Path,
    options: TextOptions | None = None,
    *,
    without: Overlap | None = None,
    progress: Progress | None = None,
) -> TextResult:
    """Write the sentences of all files, tokenised, one a line."""
    sieve = _Sieve(without or Overlap(), options or TextOptions())
    rows = ((path, (tokens,)) for path in paths for tokens in _sentences(path, sieve.options))
    return _sift(rows, sieve, [output], progress)


def pair_files(
    sources: Sequence[str | Path],
    targets: Sequence[str | Path],
    source_output: str | Path,
    target_output: str | Path,
    options: TextOptions | None = None,
    *,
    table: str | Path | None = None,
    without: Overlap | None = None,
    progress: Progress | None = None,
) -> TextResult:
    """Write sentence pairs that stand line by line in files that go together, tokenised, into two such files.

    `table` has both sides on each line, as sets for tuning and measuring do.
    """
    if len(sources) != len(targets):
        msg = f"as many files with targets as with sources expected, got {len(targets)} and {len(sources)}"
        raise DataError(msg)
    if Path(source_output).resolve() == Path(target_output).resolve():
        msg = f"two files to write expected, one for each side, got {source_output} twice"
        raise DataError(msg)
    sieve = _Sieve(without or Overlap(), options or TextOptions())
    files = zip(sources, targets, strict=True)
    rows = ((source, pair) for source, target in files for pair in _pairs(source, target, sieve.options))
    return _sift(rows, sieve, [source_output, target_output], progress, table=table)


def _sift(
    rows: Iterable[tuple[str | Path, tuple[list[str], ...]]],
    sieve: _Sieve,
    outputs: Sequence[str | Path],
    progress: Progress | None,
    *,
    table: str | Path | None = None,
) -> TextResult:
    """Write what passes, each side of it into a file of its own; `rows` also say which file they are from."""
    for output in (*outputs, *(() if table is None else (table,))):
        check_writable(output)
    with ExitStack() as stack:
        streams = [stack.enter_context(atomic_write_text(output)) for output in outputs]
        both = None if table is None else stack.enter_context(atomic_write_text(table))
        for path, sides in rows:
            if sieve.passes(*sides):
                for stream, tokens in zip(streams, sides, strict=True):
                    stream.write(" ".join(tokens) + "\n")
                if both is not None:
                    both.write("\t".join(map(" ".join, sides)) + "\n")
            if progress is not None and sieve.read % _TOLD == 0:
                progress(Path(path).name, sieve.read, 0)
        _refuse_nothing(sieve.read, sieve.written, outputs[0])
    return sieve.result()


def tag_files(
    paths: Sequence[str | Path], output: str | Path, *, longest: int = 80, progress: Progress | None = None
) -> TextResult:
    """Write the tokenised sentences of files with spaCy's tags, as `learn tagger` reads them."""
    from plainwright.learn.syntax import tag_sentences

    check_writable(output)
    read = written = 0
    with atomic_write_text(output) as stream:
        for path in paths:
            for tokens, tags in tag_sentences(read_text_lines(path), longest=longest):
                read += 1
                if tokens:
                    stream.write(" ".join(map("_".join, zip(tokens, tags, strict=True))) + "\n")
                    written += 1
                if progress is not None and read % (_TOLD_TAGGED) == 0:
                    progress(f"tagging {Path(path).name}", read, 0)
        _refuse_nothing(read, written, output)
    return TextResult(read=read, written=written, repeated=0, overlapping=0, too_long=read - written)


def _sentences(path: str | Path, options: TextOptions) -> Iterator[list[str]]:
    for number, line in enumerate(read_text_lines(path), start=1):
        text = _field(line, options.column, path, number)
        if not text:
            continue
        _refuse_endless(text, path, number)
        for sentence in split_sentences(text) if options.sentences else (text,):
            yield _tokens(sentence, options)


def _pairs(source: str | Path, target: str | Path, options: TextOptions) -> Iterator[tuple[list[str], list[str]]]:
    lines = (pair for batch in read_batches(source, target) for pair in zip(*batch, strict=True))
    for number, (one, other) in enumerate(lines, start=1):
        if options.pair_columns is not None:
            one = _field(one, options.pair_columns[0], source, number)
            other = _field(other, options.pair_columns[1], target, number)
        _refuse_endless(one, source, number)
        _refuse_endless(other, target, number)
        yield _tokens(one, options), _tokens(other, options)


def _field(line: str, column: int, path: str | Path, number: int) -> str:
    fields = line.split("\t")
    if len(fields) < column:
        msg = f"{path}:{number}: {column} columns expected, got {len(fields)}"
        raise DataError(msg)
    return fields[column - 1].strip()


def _tokens(text: str, options: TextOptions) -> list[str]:
    if options.lower:
        text = text.lower()
    return text.split() if options.tokens else [token.text for token in ptb_tokenize(text)]


def _refuse_endless(text: str, path: str | Path, number: int) -> None:
    if len(text) > _MAX_CHARACTERS:
        msg = f"{path}:{number}: a sentence or paragraph expected, got a line of {len(text):,} characters"
        raise DataError(msg)


def _refuse_nothing(read: int, written: int, output: str | Path) -> None:
    if written == 0:
        msg = f"{output}: nothing would be left to learn from: of {read:,} lines none is new, short and allowed"
        raise DataError(msg)
