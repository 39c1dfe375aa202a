"""Texts that are scored by themselves, with neither source nor references: letters, articles, books.

A line is a segment, as everywhere; but empty lines only part paragraphs, and where lines were broken at a width, a
sentence goes on in the next one, so that only whole paragraphs can be segments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path

from plainwright.arguments import as_texts
from plainwright.errors import DataError, LengthMismatchError
from plainwright.evaluation.outputs import Outputs, read_outputs
from plainwright.evaluation.sets import EvaluationSet
from plainwright.evaluation.textkind import detect

__all__ = ["read_texts"]

_CLEAR = 0.1  # share of line ends inside paragraphs that a sentence crosses: most where lines are broken, else none
_FINAL = (".", "!", "?", ":", ";", '"', "'", "”", "’", ")", "]")


@dataclass(frozen=True, slots=True)
class _Text:
    segments: tuple[str, ...]
    layout: tuple[bool, ...] | int  # which lines have text, or how many paragraphs there are
    warnings: tuple[str, ...] = ()


def read_texts(named: Sequence[str], *, data: Path | None = None) -> tuple[EvaluationSet, Outputs, list[str]]:
    """Return what `read_outputs` reads where there is nothing to compare with, as a set of its own; and warnings.

    Several texts must have their segments at the same places, because tests compare them segment by segment.
    """
    named = as_texts(named, "read_texts", "named")
    if not named:
        msg = "nothing to score; name a set before the options, or give --outputs"
        raise DataError(msg)
    nothing = EvaluationSet(name=None, label="a text by itself", segments=0)
    outputs = read_outputs(named, nothing, data=data)
    texts = {name: _text(name, lines) for name, lines in outputs.items() if name not in outputs.registered}
    outputs.update({name: text.segments for name, text in texts.items()})
    for (first, one), (second, other) in pairwise(texts.items()):
        if one.layout != other.layout:
            msg = (
                f"texts that are scored side by side need the same lines filled, or the same number of paragraphs; "
                f"{first!r} has {_shape(one)}, {second!r} has {_shape(other)}; score them one at a time"
            )
            raise LengthMismatchError(msg)
    target = EvaluationSet(name=None, label=nothing.label, segments=len(next(iter(outputs.values()))))
    return target, outputs, [warning for text in texts.values() for warning in text.warnings]


def _text(name: str, lines: Sequence[str]) -> _Text:
    filled = tuple(bool(line.strip()) for line in lines)
    if not any(filled):
        msg = f"output {name!r}: expected text, found only empty lines"
        raise DataError(msg)
    inside = [(line, following) for line, following in pairwise(lines) if line.strip() and following.strip()]
    crossed = sum(not line.rstrip().endswith(_FINAL) and following.lstrip()[0].islower() for line, following in inside)
    # In text without capitals a small letter says nothing.
    if crossed <= _CLEAR * len(inside) or detect(lines).case == "lower":
        return _Text(tuple(line for line in lines if line.strip()), filled)
    groups = groupby(zip(filled, lines, strict=True), key=lambda pair: pair[0])
    paragraphs = tuple(" ".join(line.strip() for _, line in group) for has_text, group in groups if has_text)
    warning = (
        f"output {name!r}: sentences go on after {crossed} of {len(inside)} line breaks, so each of its "
        f"{len(paragraphs)} paragraphs is taken as one segment, not each line"
    )
    return _Text(paragraphs, len(paragraphs), (warning,))


def _shape(text: _Text) -> str:
    if isinstance(text.layout, int):
        return f"{text.layout} paragraphs"
    return f"{len(text.segments)} of {len(text.layout)} lines filled"
