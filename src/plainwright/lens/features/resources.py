"""What the features of fluency ask: the language model and the tagger that come with the package.

Always those, whatever model a user simplifies with: a metric whose values moved with the system that it judges would
be no metric.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from plainwright.files import explain_reading
from plainwright.lm import LanguageModel
from plainwright.text.tagging import Tagger

__all__ = ["language_model", "resources_digest", "tagger"]

_FOLDER = Path(__file__).resolve().parents[2] / "models" / "default"


@cache
def language_model() -> LanguageModel:
    """The language model of the package."""
    return LanguageModel.open(_FOLDER / "lm.pack")


@cache
def tagger() -> Tagger:
    """The tagger of the package."""
    return Tagger.open(_FOLDER / "tagger.pack")


@cache
def resources_digest() -> str:
    """SHA-256 of both files: features made with others are others."""
    digest = hashlib.sha256()
    for name in ("lm.pack", "tagger.pack"):
        with explain_reading(_FOLDER / name):
            digest.update((_FOLDER / name).read_bytes())
    return digest.hexdigest()
