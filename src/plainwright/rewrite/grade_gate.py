"""A target for a text: sentences that are plain enough already do not enter the pipeline."""

from __future__ import annotations

import math
from collections.abc import Sequence

from plainwright.arguments import check_instance
from plainwright.errors import DataError
from plainwright.metrics.fk import grade_levels
from plainwright.rewrite.passes import Passes
from plainwright.rewrite.pipeline import Candidates, Pipeline
from plainwright.rewrite.types import Proposal, Sentence, without_surrogates

__all__ = ["GradeGate"]


class GradeGate:
    """Asks a pipeline only for sentences whose Flesch-Kincaid grade is above `max_grade`; the others stay."""

    def __init__(self, pipeline: Pipeline | Passes | GradeGate, max_grade: float) -> None:
        check_instance(max_grade, (int, float), "load", "max_grade", "a number, a grade of school")
        if not math.isfinite(max_grade):
            msg = f"max_grade must be a number, a grade of school; got {max_grade!r}"
            raise DataError(msg)
        self.pipeline = pipeline
        self.max_grade = max_grade

    def __repr__(self) -> str:
        return f"GradeGate({self.pipeline!r}, above grade {self.max_grade:g})"

    def candidates(self, sentences: Sequence[Sentence], *, limit: int = 1, threads: int = 1) -> list[Candidates]:
        """Do as `Pipeline.candidates`; a sentence that is plain enough has itself as its only candidate."""
        texts = [without_surrogates(sentence.text) for sentence in sentences]
        is_hard = (grade_levels(texts, variant="plain", threads=threads) > self.max_grade).tolist()
        hard = [sentence for sentence, above in zip(sentences, is_hard, strict=True) if above]
        found = iter(self.pipeline.candidates(hard, limit=limit, threads=threads))
        return [
            next(found) if above else Candidates(sentence, [Proposal(sentence, sentence.text, score=math.nan)])
            for sentence, above in zip(sentences, is_hard, strict=True)
        ]
