"""What metrics have to say of the texts that they scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from plainwright.metrics.base import Metric

__all__ = ["places", "remarks_on_texts"]

_SILENT = "-"  # stands where a segment has no text: no metric has anything to say of it


def remarks_on_texts(
    metrics: Sequence[Metric],
    *,
    sources: Sequence[str] | None,
    references: Sequence[Sequence[str]] | None,
    outputs: Mapping[str, Sequence[str]],
) -> Iterator[str]:
    """Each remark once; `references[i]` belongs to segment i, an empty text among them is none."""
    columns = zip_longest(*references, fillvalue=_SILENT) if references else ()
    texts = {
        **({"the sources": sources} if sources else {}),
        **{f"reference {number}": [text or _SILENT for text in column] for number, column in enumerate(columns)},
        **{f"output {name!r}": lines for name, lines in outputs.items()},
    }
    said = (
        remark for metric in metrics for label, lines in texts.items() for remark in metric.remarks(lines, label=label)
    )
    yield from dict.fromkeys(said)
    if sources:
        yield from (remark for metric in metrics for remark in metric.remarks_on_sources(sources))


def places(numbers: Sequence[int]) -> str:
    """Return the first of some lines, and how many more there are."""
    return f"line {numbers[0]}" + (f" (and {len(numbers) - 1} more)" if len(numbers) > 1 else "")
