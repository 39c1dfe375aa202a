"""What the features of fluency ask: the language models and the tagger of plainwright-en.

Always those, whatever model a user simplifies with: a metric whose values moved with the system that it judges would
be no metric.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from plainwright import models
from plainwright.files import explain_reading
from plainwright.lm import LanguageModel
from plainwright.text.tagging import Tagger

__all__ = ["grammar_model", "language_model", "resources_digest", "tagger"]


def _language_model_path() -> Path:
    return models.find("default") / "lm.pack"


def _grammar_model_path() -> Path:
    return models.find("patterns") / "lm.pack"


def _tagger_path() -> Path:
    return models.find("default") / "tagger.pack"


@cache
def language_model() -> LanguageModel:
    """Return the language model of words."""
    return LanguageModel.open(_language_model_path())


@cache
def grammar_model() -> LanguageModel:
    """The language model of patterns: see `plainwright.lens.features.classes`."""
    return LanguageModel.open(_grammar_model_path())


@cache
def tagger() -> Tagger:
    """Return the tagger of plainwright-en."""
    return Tagger.open(_tagger_path())


@cache
def resources_digest() -> str:
    """SHA-256 of the three files: features made with others are others."""
    digest = hashlib.sha256()
    for path in (_language_model_path(), _grammar_model_path(), _tagger_path()):
        with explain_reading(path):
            digest.update(path.read_bytes())
    return digest.hexdigest()
