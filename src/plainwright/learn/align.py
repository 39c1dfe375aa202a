"""Word alignment of parallel text, bilingual or in one language.

The model is IBM Model 2 with one parameter for distortion (Dyer, Chahuneau and Smith 2013), estimated in both
directions and joined. For text in one language, the prior expects a word to be rendered by itself, by a form of its
lemma, or by a word of similar spelling, in this order; so unchanged words align from the first iteration on.

Alignments are text, one line a pair: `0-0 1-2` says that the source's first word goes with the target's first, and its
second with the target's third.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from plainwright import _core
from plainwright.errors import DataError, LengthMismatchError
from plainwright.files import atomic_write_text, check_writable
from plainwright.learn.eflomal import align_with_eflomal
from plainwright.learn.lemmas import lemma_numbers
from plainwright.learn.parallel import LINES_AT_ONCE, MAX_TOKENS, Skips, read_batches

__all__ = ["HEURISTICS", "AlignOptions", "AlignResult", "DirectionReport", "Heuristic", "align", "align_files"]

Heuristic = Literal[
    "grow-diag-final-and", "grow-diag-final", "grow-diag", "intersection", "union", "forward", "backward"
]
HEURISTICS: tuple[Heuristic, ...] = get_args(Heuristic)

Progress = Callable[[str, int, int], None]  # what is being done, how much of it, of how much


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignOptions:
    """Says how to align."""

    monolingual: bool = False
    heuristic: Heuristic = "grow-diag-final-and"
    iterations: int = 5
    null_probability: float = 0.08
    tension: float = 4.0
    fit_tension: bool = True
    alpha: float = 0.01  # of the Dirichlet prior; 0 for plain maximum likelihood
    likeness: float = 4.0  # pseudo-counts of a word with itself, for monolingual text
    max_tokens: int = MAX_TOKENS
    threads: int = 1  # results do not depend on it
    aligner: Literal["native", "eflomal"] = "native"

    def check(self) -> None:
        """A `DataError` says which option is out of range."""
        ranges: Mapping[str, tuple[float, float]] = {
            "iterations": (1, 1000),
            "null_probability": (0, 0.99),
            "tension": (0.1, 14),
            "alpha": (0, 100),
            "likeness": (0, 1e6),
            "max_tokens": (1, 1000),
            "threads": (1, 1024),
        }
        for name, (low, high) in ranges.items():
            if not low <= getattr(self, name) <= high:
                msg = f"{name} must be from {low:g} to {high:g}, got {getattr(self, name)}"
                raise DataError(msg)
        if self.heuristic not in HEURISTICS:
            msg = f"heuristic must be one of {', '.join(HEURISTICS)}, got {self.heuristic!r}"
            raise DataError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectionReport:
    """Says how one direction went."""

    log_likelihoods: tuple[float, ...]  # natural, before each iteration
    tension: float
    entries: int  # pairs of words that occur in one sentence pair
    tokens: int  # that are explained


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignResult:
    """Says what was aligned, and how well the model explains it."""

    pairs: int
    source_tokens: int
    target_tokens: int
    points: int
    skips: Skips
    forward: DirectionReport | None  # none from an aligner that is not ours
    backward: DirectionReport | None


def align(sources: Sequence[str], targets: Sequence[str], options: AlignOptions | None = None) -> list[str]:
    """Align tokenised sentences; a pair with an empty side, or one that is too long, gets an empty line."""
    if len(sources) != len(targets):
        msg = f"alignment needs one source per target, got {len(sources):,} sources and {len(targets):,} targets"
        raise LengthMismatchError(msg)
    options = AlignOptions() if options is None else options
    options.check()
    if options.aligner == "eflomal":
        return list(align_with_eflomal(sources, targets, options.heuristic, max_tokens=options.max_tokens))
    aligner = _core.Aligner(options.max_tokens)
    aligner.add(sources, targets)
    _run(aligner, options, None)
    return list(aligner.lines(0, aligner.sentences, options.heuristic))


def align_files(
    source: str | Path,
    target: str | Path,
    output: str | Path,
    options: AlignOptions | None = None,
    *,
    progress: Progress | None = None,
) -> AlignResult:
    """Align two files with one tokenised sentence a line, and write one line of points for each pair, also .gz."""
    options = AlignOptions() if options is None else options
    options.check()
    check_writable(output)
    aligner = _core.Aligner(options.max_tokens)
    skips = Skips()
    texts: tuple[list[str], list[str]] = ([], [])  # for an aligner that is not ours
    for sources, targets in read_batches(source, target):
        done = aligner.sentences
        skips.add(done, *aligner.add(sources, targets))
        if options.aligner == "eflomal":
            texts[0].extend(sources)
            texts[1].extend(targets)
        if progress is not None:
            progress("reading", done + len(sources), 0)
    forward = backward = None
    if options.aligner == "eflomal":
        lines = align_with_eflomal(*texts, options.heuristic, max_tokens=options.max_tokens)
    else:
        forward, backward = _run(aligner, options, progress)
        lines = _lines(aligner, options.heuristic)
    points = 0
    with atomic_write_text(output) as stream:
        for line in lines:
            points += line.count("-")
            stream.write(line + "\n")
    source_tokens, target_tokens = aligner.tokens
    return AlignResult(
        pairs=aligner.sentences,
        source_tokens=source_tokens,
        target_tokens=target_tokens,
        points=points,
        skips=skips,
        forward=forward,
        backward=backward,
    )


def _run(
    aligner: _core.Aligner, options: AlignOptions, progress: Progress | None
) -> tuple[DirectionReport, DirectionReport]:
    if options.monolingual:
        aligner.set_lemmas(*lemma_numbers(aligner.source_words(), aligner.target_words()))
    forward, backward = aligner.run(
        iterations=options.iterations,
        null_probability=options.null_probability,
        tension=options.tension,
        fit_tension=options.fit_tension,
        alpha=options.alpha,
        likeness=options.likeness if options.monolingual else 0.0,
        threads=options.threads,
        progress=None if progress is None else lambda done, total: progress("aligning", done, total),
    )
    source_tokens, target_tokens = aligner.tokens
    return _report(forward, target_tokens), _report(backward, source_tokens)


def _report(row: tuple[list[float], float, int], tokens: int) -> DirectionReport:
    return DirectionReport(log_likelihoods=tuple(row[0]), tension=row[1], entries=row[2], tokens=tokens)


def _lines(aligner: _core.Aligner, heuristic: Heuristic) -> Iterator[str]:
    for first in range(0, aligner.sentences, LINES_AT_ONCE):
        yield from aligner.lines(first, first + LINES_AT_ONCE, heuristic)
