"""Rules from aligned sentence pairs: phrase pairs, and rules with up to two nonterminals (Chiang 2007).

A pair of phrases belongs together if no word of either is aligned to a word outside the other. Where such a pair holds
smaller ones, these may become nonterminals. Labels come from the analysis of one side, see `plainwright.learn.syntax`.
Rules are counted once for each occurrence, and come out as lines of PPDB 1.0, sorted by source, target and label, with
all features that counts can give. `e` is the target, `f` the source, as in PPDB.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from plainwright import _core
from plainwright.errors import DataError, LengthMismatchError, UnknownNameError
from plainwright.files import atomic_write_text, check_writable
from plainwright.grammar.features import FeatureMaker
from plainwright.grammar.rules import parse_rule
from plainwright.learn.parallel import MAX_TOKENS, Skips, read_batches
from plainwright.learn.syntax import Analysis, Parser, encode, read_analysis_lines

__all__ = ["ExtractOptions", "ExtractResult", "Side", "extract", "extract_files"]

Side = Literal["none", "source", "target"]
Progress = Callable[[str, int, int], None]  # what is being done, how much of it, of how much

_RULES_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractOptions:
    """Says which rules to extract, and which to write."""

    labels: Side = "none"  # the side whose analysis gives the labels
    max_span: int = 10  # words of an initial phrase, on either side
    max_symbols: int = 5  # words and nonterminals of a rule's source
    nonterminals: int = 2
    loose: bool = False  # phrases may begin and end with words that are not aligned
    adjacent: bool = False  # nonterminals may stand side by side in the source
    deletions: bool = False  # phrases of words that went become rules without a target
    identity: bool = True  # write rules that change nothing
    min_count: int = 1
    max_targets: int = 0  # rules written for each source, the most frequent ones; 0 for all
    computed: bool = True  # add the features that follow from the rule itself
    features: tuple[str, ...] = ()  # those written; none named: all
    max_tokens: int = MAX_TOKENS
    threads: int = 1  # results do not depend on it
    memory: int = 512  # megabytes of counts before they move to files

    def check(self) -> None:
        """A `DataError` says which option is out of range."""
        ranges = {
            "max_span": (1, 40),
            "max_symbols": (1, 40),
            "nonterminals": (0, 2),
            "min_count": (1, 2**31),
            "max_targets": (0, 2**31),
            "max_tokens": (1, 1000),
            "threads": (1, 1024),
            "memory": (1, 2**20),
        }
        for name, (low, high) in ranges.items():
            if not low <= getattr(self, name) <= high:
                msg = f"{name} must be from {low} to {high}, got {getattr(self, name)}"
                raise DataError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractResult:
    """Counts what was found and what was written."""

    pairs: int
    occurrences: int  # of rules
    distinct: int
    written: int
    skips: Skips


def extract(
    sources: Sequence[str],
    targets: Sequence[str],
    alignments: Sequence[str],
    options: ExtractOptions | None = None,
    *,
    analyses: Sequence[Analysis | None] | None = None,
) -> list[str]:
    """The rules of tokenised, aligned sentences as lines; `analyses` are those of the side that gives the labels."""
    options = ExtractOptions() if options is None else options
    options.check()
    counts = [len(sources), len(targets), len(alignments), *([] if analyses is None else [len(analyses)])]
    if len(set(counts)) > 1:
        msg = f"extraction needs one entry per pair of sources, targets, alignments and analyses, got {counts}"
        raise LengthMismatchError(msg)
    if options.labels != "none" and analyses is None:
        analyses = list(Parser().parse(sources if options.labels == "source" else targets, longest=options.max_tokens))
    extractor = _core.RuleExtractor(options.max_tokens, options.labels)
    encoded = None if analyses is None else [encode(known) if known else "" for known in analyses]
    if (problem := extractor.add(sources, targets, alignments, encoded)[2]) is not None:
        msg = f"pair {problem[0] + 1}: {problem[1]}"
        raise DataError(msg)
    _count(extractor, options, Path(), None)
    return list(_lines(extractor, options))


def extract_files(
    source: str | Path,
    target: str | Path,
    alignment: str | Path,
    output: str | Path,
    options: ExtractOptions | None = None,
    *,
    analysis: str | Path | None = None,
    progress: Progress | None = None,
) -> ExtractResult:
    """Extract from files with one tokenised sentence a line, and write rules as text, packed if the name ends in .gz.

    `analysis` keeps the analyses of the labelled side: read if the file exists, otherwise written.
    """
    options = ExtractOptions() if options is None else options
    options.check()
    check_writable(output)
    if analysis is not None and options.labels == "none":
        msg = "an analysis needs a side that gets its labels from it; choose the labels of source or target"
        raise DataError(msg)
    extractor = _core.RuleExtractor(options.max_tokens, options.labels)
    skips = Skips()
    with ExitStack() as stack:
        files = [source, target, alignment]
        analyse = _Analyses(options, analysis, stack)
        if analyse.known:
            files.append(str(analysis))
        for sources, targets, points, *rest in read_batches(*files):
            done = extractor.sentences
            sides = {"source": sources, "target": targets}
            encoded = analyse.encode(sides[options.labels], rest, done) if options.labels != "none" else None
            empty, too_long, problem = extractor.add(sources, targets, points, encoded)
            if problem is not None:
                where = analysis if "analysis" in problem[1] and analyse.known else alignment
                msg = f"{where}:{done + problem[0] + 1}: {problem[1]}"
                raise DataError(msg)
            skips.add(done, empty, too_long)
            if progress is not None:
                progress("reading" if analyse.known or encoded is None else "analysing", done + len(sources), 0)
    occurrences, distinct, written = _count(extractor, options, Path(output).parent, progress)
    with atomic_write_text(output) as stream:
        for number, line in enumerate(_lines(extractor, options), start=1):
            stream.write(line + "\n")
            if progress is not None and number % _RULES_AT_ONCE == 0:
                progress("writing", number, written)
    return ExtractResult(
        pairs=extractor.sentences, occurrences=occurrences, distinct=distinct, written=written, skips=skips
    )


class _Analyses:
    """Analyses of the labelled side: from a file, or from a parser, whose results may be kept in a file."""

    def __init__(self, options: ExtractOptions, path: str | Path | None, stack: ExitStack) -> None:
        self.path = path
        self.known = path is not None and Path(path).exists()
        self._longest = options.max_tokens
        self._parser = Parser() if options.labels != "none" and not self.known else None
        self._kept = stack.enter_context(atomic_write_text(path)) if path is not None and not self.known else None

    def encode(self, sentences: list[str], lines: list[list[str]], done: int) -> list[str]:
        """As the core reads them; `lines` holds those of the file, if there is one."""
        found: Iterable[Analysis | None]
        if self._parser is None:
            found = self._checked(sentences, lines[0], done)
        else:
            found = self._parser.parse(sentences, longest=self._longest)
        encoded = []
        for known in found:
            if self._kept is not None:
                self._kept.write(f"{known or ''}\n")
            encoded.append(encode(known) if known else "")
        return encoded

    def _checked(self, sentences: list[str], lines: list[str], done: int) -> Iterator[Analysis | None]:
        analyses = read_analysis_lines(lines, name=str(self.path), first=done + 1)
        for number, (sentence, known) in enumerate(zip(sentences, analyses, strict=True), start=done + 1):
            tokens = sentence.split()
            if known is None and 0 < len(tokens) <= self._longest:
                msg = f"{self.path}:{number}: an analysis expected, found an empty line; delete the file"
                raise DataError(msg)
            if known is not None and list(known.tokens) != tokens:
                msg = (
                    f"{self.path}:{number}: the analysis of {sentence[:60]!r} expected, found that of "
                    f"{' '.join(known.tokens)[:60]!r}; delete the file to make it anew"
                )
                raise DataError(msg)
            yield known


def _count(
    extractor: _core.RuleExtractor, options: ExtractOptions, directory: Path, progress: Progress | None
) -> tuple[int, int, int]:
    try:
        return extractor.run(
            max_span=options.max_span,
            max_symbols=options.max_symbols,
            nonterminals=options.nonterminals,
            loose=options.loose,
            adjacent=options.adjacent,
            identity=options.identity,
            deletions=options.deletions,
            min_count=options.min_count,
            max_targets=options.max_targets,
            threads=options.threads,
            memory=options.memory << 20,
            directory=str(directory),
            progress=progress,
        )
    except RuntimeError as error:  # no room for temporary files
        raise DataError(str(error)) from None


def _lines(extractor: _core.RuleExtractor, options: ExtractOptions) -> Iterator[str]:
    maker = FeatureMaker()
    while lines := extractor.next(_RULES_AT_ONCE):
        if options.computed:
            lines = [str(maker.complete(parse_rule(line))) for line in lines]
        yield from lines if not options.features else (_with_only(options.features, line) for line in lines)


def _with_only(names: Sequence[str], line: str) -> str:
    *sides, features, rest = line.split(" |||", 4)
    known = dict(feature.split("=", 1) for feature in features.split())
    for name in names:
        if name not in known:
            kind, listing = "feature of a rule", f"choose among {', '.join(known)}"
            raise UnknownNameError.suggest(kind, name, tuple(known), listing=listing)
    return " |||".join([*sides, "".join(f" {name}={known[name]}" for name in names), rest])
