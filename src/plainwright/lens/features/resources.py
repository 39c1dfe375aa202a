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

__all__ = ["grammar_model", "language_model", "resources_digest", "tagger"]

_MODELS = Path(__file__).resolve().parents[2] / "models"
_LANGUAGE_MODEL = _MODELS / "default" / "lm.pack"
_TAGGER = _MODELS / "default" / "tagger.pack"
_GRAMMAR_MODEL = _MODELS / "patterns" / "lm.pack"


@cache
def language_model() -> LanguageModel:
    """Return the language model of words."""
    return LanguageModel.open(_LANGUAGE_MODEL)


@cache
def grammar_model() -> LanguageModel:
    """The language model of patterns: see `plainwright.lens.features.classes`."""
    return LanguageModel.open(_GRAMMAR_MODEL)


@cache
def tagger() -> Tagger:
    """Return the tagger of the package."""
    return Tagger.open(_TAGGER)


@cache
def resources_digest() -> str:
    """SHA-256 of the three files: features made with others are others."""
    digest = hashlib.sha256()
    for path in (_LANGUAGE_MODEL, _GRAMMAR_MODEL, _TAGGER):
        with explain_reading(path):
            digest.update(path.read_bytes())
    return digest.hexdigest()
