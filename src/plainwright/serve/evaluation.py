"""Scores of texts that come with a request, as `plainwright.evaluate` gives them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain
from typing import Annotated, Any

import msgspec

from plainwright.errors import PlainwrightError
from plainwright.evaluation import EvaluationSettings
from plainwright.evaluation.texts import score_texts
from plainwright.metrics.base import Metric
from plainwright.web.replies import Refusal

__all__ = ["EvaluateRequest", "check_size", "scores"]

Texts = Annotated[list[str], msgspec.Meta(min_length=1)]
_OPTION = re.compile(r"--(tokenizer|lowercase|variant)\b")  # of the command, in what it says of texts


class EvaluateRequest(msgspec.Struct, forbid_unknown_fields=True):
    """The outputs of a system to score; `references[i]` belongs to segment i."""

    sources: Texts
    outputs: Texts
    references: list[list[str]] | None = None
    metrics: Texts | None = None
    variants: dict[str, str | list[str]] = {}
    tokenizer: str = "auto"
    lowercase: bool = False
    intervals: bool = True
    per_sentence: bool = False


def check_size(asked: EvaluateRequest, limit: int) -> None:
    """Refuse texts that are too long together; an empty one counts as a character, for it is work, too."""
    texts: Iterable[str] = chain(asked.sources, asked.outputs, *(asked.references or ()))
    size = sum(max(1, len(text)) for text in texts)
    if size > limit:
        raise Refusal(413, "large", f"the texts have {size:,} characters together; at most {limit:,} are taken at once")


def scores(asked: EvaluateRequest) -> dict[str, Any]:
    """Return what `plainwright evaluate --json` shows, or refuse with what is wrong."""
    try:
        settings = EvaluationSettings(
            metrics=None if asked.metrics is None else tuple(map(_forgetful, dict.fromkeys(asked.metrics))),
            variants=asked.variants,
            tokenizer=asked.tokenizer,
            lowercase=asked.lowercase,
            intervals=asked.intervals,
        )
        found = score_texts(
            asked.outputs,
            references=asked.references,
            sources=asked.sources,
            settings=settings,
            label="the request",
        ).to_dict(per_sentence=asked.per_sentence)
    except PlainwrightError as error:
        raise Refusal(400, "input", _with_fields(str(error))) from None
    return {**found, "warnings": [_with_fields(own) for own in found["warnings"]]}  # type: ignore[attr-defined]


def _forgetful(name: str) -> str | Metric:
    """LENS remembers the texts that it has read, for the next call; here it forgets them, and keeps only its model."""
    if name != "lens":
        return name
    from plainwright.lens.metric import LENS
    from plainwright.lens.scorer import open_scorer

    return LENS(model=open_scorer(None).model)


def _with_fields(sentence: str) -> str:
    """Name the fields of a request instead of the options of the command."""
    return _OPTION.sub(lambda found: "`variants`" if found[1] == "variant" else f"`{found[1]}`", sentence)
