"""The options of `simplify` that choose again among the best candidates."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from plainwright.metrics.base import Metric
    from plainwright.rewrite import Chooser

__all__ = ["PseudoReferences", "pseudo_references_from", "reference_groups", "reranker"]

PseudoReferences = int | Literal["all"] | None
_MOST = 1000


def pseudo_references_from(text: str | None) -> PseudoReferences:
    """`--pseudo-references 8` or `--pseudo-references all`."""
    from plainwright.errors import DataError

    if text is None:
        return None
    if text == "all":
        return "all"
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= _MOST:
        msg = f"--pseudo-references: expected a number from 1 to {_MOST}, or all, found {text!r}"
        raise DataError(msg)
    return int(text)


def _check_use(
    rerank: str | None,
    *,
    utility: str | None,
    candidates: int | None,
    pseudo_references: PseudoReferences,
    sharpness: float | None,
) -> None:
    from plainwright.errors import DataError

    if candidates is not None and rerank is None:
        msg = "--candidates: expected --rerank with it, found none; --n-best shows several ways to put a sentence"
        raise DataError(msg)
    if utility is not None and rerank not in ("mbr", "metric"):
        msg = f"--utility: expected --rerank mbr or metric with it, found {rerank or 'none'}"
        raise DataError(msg)
    if pseudo_references is not None and utility == "judge":
        msg = "--pseudo-references: expected a metric that looks at references with it, found --utility judge"
        raise DataError(msg)
    if pseudo_references is not None and rerank not in ("mbr", "metric"):
        msg = f"--pseudo-references: expected --rerank mbr or metric with it, found {rerank or 'none'}"
        raise DataError(msg)
    if sharpness is not None and rerank != "mbr":
        msg = f"--sharpness: expected --rerank mbr with it, found {rerank or 'none'}"
        raise DataError(msg)


def _check_references(
    rerank: str | None, utility: str | None, *, lines: bool, inputs: Sequence[Path], pseudo_references: PseudoReferences
) -> None:
    from plainwright.errors import DataError

    if rerank != "metric" or not lines or len(inputs) != 1:
        msg = (
            "--references: expected --rerank metric, --lines and one input, so that each line has its own; found "
            f"--rerank {rerank or 'none'}, {'' if lines else 'no '}--lines and {len(inputs)} inputs"
        )
        raise DataError(msg)
    if utility == "judge":
        msg = "--references: expected a metric that looks at references with it, found --utility judge"
        raise DataError(msg)
    if pseudo_references is not None:
        msg = "choose one of --references and --pseudo-references"
        raise DataError(msg)


def _utility(name: str | None, lens_model: Path | None) -> str | Metric | None:
    from plainwright.metrics import create

    return create(name, model=lens_model) if name == "lens" else name


def reference_groups(
    files: Sequence[Path],
    rerank: str | None,
    utility: str | None,
    *,
    lines: bool,
    inputs: Sequence[Path],
    pseudo_references: PseudoReferences,
) -> list[tuple[str, ...]] | None:
    """Return the references of every line, if there are any; refuse them where nobody would look at them."""
    if not files:
        return None
    _check_references(rerank, utility, lines=lines, inputs=inputs, pseudo_references=pseudo_references)
    from plainwright.errors import LengthMismatchError
    from plainwright.files import read_lines

    columns = [read_lines(file) for file in files]
    sizes = {str(file): len(column) for file, column in zip(files, columns, strict=True)}
    if len(set(sizes.values())) > 1:
        msg = f"--references: expected files with as many lines as one another, found {sizes}"
        raise LengthMismatchError(msg)
    return list(zip(*columns, strict=True))


def reranker(
    rerank: str | None,
    *,
    utility: str | None,
    lens_model: Path | None,
    pseudo_references: PseudoReferences,
    sharpness: float | None,
    candidates: int | None,
    threads: int,
) -> Chooser | None:
    """Return the chooser that was asked for, if any; refuse options that say something of another one."""
    from plainwright.rewrite import chooser

    _check_use(rerank, utility=utility, candidates=candidates, pseudo_references=pseudo_references, sharpness=sharpness)
    if rerank is None:
        return None
    return chooser(
        rerank,
        utility=_utility("lens" if rerank == "mbr-lens" else utility, lens_model),
        pseudo_references=pseudo_references,
        sharpness=sharpness,
        wants=candidates,
        threads=threads,
    )
