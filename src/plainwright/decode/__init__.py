"""The Python face of the decoder and its k-best lists."""

from __future__ import annotations

from plainwright.decode.decoder import (
    Analysis,
    Candidate,
    Decoder,
    Result,
    Settings,
    Step,
    analyses_of_tags,
    word_analyses,
)

__all__ = [
    "Analysis",
    "Candidate",
    "Decoder",
    "Result",
    "Settings",
    "Step",
    "analyses_of_tags",
    "word_analyses",
]
