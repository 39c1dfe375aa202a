"""What changed between a source and an output: the one diff of this package.

Both texts are cut into units, each a token with the white space before it. Units that were kept are stable; what lies
between two stable units is an edit. Applying all edits to the source gives the output to the byte, and since an edit
brings its own space, capital and punctuation, a text with only some of them applied still reads.
"""

from __future__ import annotations

from plainwright.text.edits.alignment import Link, align_words
from plainwright.text.edits.blocks import Block, word_blocks
from plainwright.text.edits.differences import edits_between, edits_of_alignment
from plainwright.text.edits.edit import EditKind, TextEdit, apply_edits, undo_edits
from plainwright.text.edits.words import Word, words_of

__all__ = [
    "Block",
    "EditKind",
    "Link",
    "TextEdit",
    "Word",
    "align_words",
    "apply_edits",
    "edits_between",
    "edits_of_alignment",
    "undo_edits",
    "word_blocks",
    "words_of",
]
