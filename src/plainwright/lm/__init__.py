"""Language models: how likely is a sentence? All scores are logarithms to base 10.

This package asks models and converts their files; `plainwright.learn.lm` makes them from text.
"""

from __future__ import annotations

from plainwright.lm.convert import pack, read_arpa, unpack, write_model
from plainwright.lm.model import LanguageModel, Perplexity, State, WordScore

__all__ = ["LanguageModel", "Perplexity", "State", "WordScore", "pack", "read_arpa", "unpack", "write_model"]
