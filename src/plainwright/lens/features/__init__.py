"""What overlap, edits, frequency, a language model and an encoder's vectors say of an output.

- `words`: the words that all of it rests on; `passage`: a text with everything that is computed once: its `profile`,
  and how it sounds to language models (`fluency`), one of which knows patterns of grammar alone (`classes`).
- `edits`: what the output did to the source; `agreement`: what it shares with the references; `matching`: vectors.
- `table`: the features of many outputs, one row each.

No feature depends on the order of the references, on case, or on whether the text was tokenised.
"""

from __future__ import annotations

from plainwright.lens.features.passage import Passage
from plainwright.lens.features.resources import resources_digest
from plainwright.lens.features.table import (
    DESCRIPTIONS,
    FEATURES,
    PAIR_FEATURES,
    Row,
    SourcePairs,
    feature_matrix,
    pair_features,
    set_features,
)
from plainwright.lens.features.words import readable

__all__ = [
    "DESCRIPTIONS",
    "FEATURES",
    "PAIR_FEATURES",
    "Passage",
    "Row",
    "SourcePairs",
    "feature_matrix",
    "pair_features",
    "readable",
    "resources_digest",
    "set_features",
]
