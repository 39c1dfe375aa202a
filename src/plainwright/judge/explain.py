"""Which words lowered a score: each edit undone in turn, or each word of the output left out.

Undoing an edit puts the words of the source back, so what a score gains by it is what the edit cost. Where the whole
output is one edit, or a copy, there is nothing to undo; then words are left out one by one, which says less, since a
sentence suffers from that by itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from plainwright.errors import DataError
from plainwright.judge.model import ASPECTS, JudgeModel
from plainwright.text.edits import TextEdit, apply_edits, edits_between

__all__ = ["Blame", "Explanation", "Method", "explain"]

Method = Literal["edits", "words"]
_WORD = re.compile(r"\S+\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Blame:
    """Some words, and what each score would gain if they were put back or left out."""

    source: str  # what stood there before; for a word that is left out the same
    output: str
    source_spans: tuple[tuple[int, int], ...]  # in characters
    output_spans: tuple[tuple[int, int], ...]
    gains: dict[str, float]

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "source": self.source,
            "output": self.output,
            "source_spans": [list(span) for span in self.source_spans],
            "output_spans": [list(span) for span in self.output_spans],
            "gains": self.gains,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """The scores of an output, and what lowered them, the worst for `overall` first."""

    scores: dict[str, float]
    risk: float
    by: Method
    blames: tuple[Blame, ...]
    model: str

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        blames = [blame.to_dict() for blame in self.blames]
        return {"scores": self.scores, "risk": self.risk, "by": self.by, "blames": blames, "model": self.model}


def explain(judge: JudgeModel, source: str, output: str, *, by: Method | None = None, threads: int = 1) -> Explanation:
    """Return the scores of an output with what each edit, or each word, takes from them.

    Without `by`, edits are undone if there are at least two groups of them.
    """
    for name, text in (("source", source), ("output", output)):
        if not text.strip():
            msg = f"expected a {name} to explain, found one without a word"
            raise DataError(msg)
    edits = edits_between(source, output)
    groups = sorted({edit.group for edit in edits})
    by = by or ("edits" if len(groups) > 1 else "words")
    parts = [_group(edits, group, source) for group in groups] if by == "edits" else _words(output)
    texts = [output, *(text for _, text in parts)]
    rows = judge.scores([source] * len(texts), texts, threads=threads)
    blames = [
        Blame(**words, gains=dict(zip(ASPECTS, map(float, row - rows[0]), strict=True)))
        for (words, _), row in zip(parts, rows[1:], strict=True)
    ]
    return Explanation(
        scores=dict(zip(ASPECTS, map(float, rows[0]), strict=True)),
        risk=float(judge.curve.risks(rows[:1])[0]),
        by=by,
        blames=tuple(sorted(blames, key=lambda blame: -blame.gains["overall"])),
        model=judge.label,
    )


def _group(edits: Sequence[TextEdit], group: int, source: str) -> tuple[dict[str, Any], str]:
    """The words of a group of edits, and the output without it."""
    own = [edit for edit in edits if edit.group == group]
    words: dict[str, Any] = {
        "source": " … ".join(filter(None, (edit.source_text.strip() for edit in own))),
        "output": " … ".join(filter(None, (edit.target_text.strip() for edit in own))),
        "source_spans": tuple(edit.source_span for edit in own),
        "output_spans": tuple(edit.target_span for edit in own),
    }
    return words, apply_edits(source, edits, without={n for n, edit in enumerate(edits) if edit.group == group})


def _words(output: str) -> list[tuple[dict[str, Any], str]]:
    """Each word of the output, and the output without it."""
    found: list[tuple[dict[str, Any], str]] = []
    for match in _WORD.finditer(output):
        word = match[0].strip()
        span = (match.start(), match.start() + len(word))
        words: dict[str, Any] = {"source": word, "output": word, "source_spans": (), "output_spans": (span,)}
        found.append((words, output[: match.start()] + output[match.end() :]))
    return found
