"""Text as the rest of the package needs it: tokens, sentences, syllables, readability counts, parts of speech."""

from __future__ import annotations

from plainwright.text.articles import takes_an
from plainwright.text.ptb import Token, ptb_detokenize, ptb_tokenize
from plainwright.text.quotations import quotation_spans
from plainwright.text.readability import (
    READABILITY_MODES,
    ReadabilityCounts,
    readability_counts,
    readability_counts_lines,
)
from plainwright.text.sentences import sentence_spans, split_sentences
from plainwright.text.syllables import SYLLABLE_METHODS, count_line_syllables, count_syllables
from plainwright.text.tokens import TOKENIZERS, tokenize, tokenize_lines

__all__ = [
    "READABILITY_MODES",
    "SYLLABLE_METHODS",
    "TOKENIZERS",
    "ReadabilityCounts",
    "Token",
    "count_line_syllables",
    "count_syllables",
    "ptb_detokenize",
    "ptb_tokenize",
    "quotation_spans",
    "readability_counts",
    "readability_counts_lines",
    "sentence_spans",
    "split_sentences",
    "takes_an",
    "tokenize",
    "tokenize_lines",
]
