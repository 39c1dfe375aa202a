"""The Python face of the decoder and its k-best lists."""

from __future__ import annotations

from plainwright.decode.decoder import (
    Analysis,
    Candidate,
    Decoder,
    DecoderSettings,
    Result,
    Step,
    analyses_of_tags,
    word_analyses,
)
from plainwright.decode.syntax import SyntaxLabels

__all__ = [
    "Analysis",
    "Candidate",
    "Decoder",
    "DecoderSettings",
    "Result",
    "Step",
    "SyntaxLabels",
    "analyses_of_tags",
    "word_analyses",
]
