"""Rules that others found: METEOR's table, WordNet, PPDB and Simple PPDB become lines of PPDB 1.0.

Each importer reads one resource line by line, leaves out what cannot be a rule, and writes what it knows of each rule
as features. `plainwright.learn.combine` makes one table of several.
"""

from __future__ import annotations

from plainwright.learn.sources.meteor import MeteorOptions, import_meteor, meteor_table
from plainwright.learn.sources.ppdb import import_ppdb, import_simple_ppdb
from plainwright.learn.sources.result import ImportResult
from plainwright.learn.sources.wordnet import WordNet, import_wordnet, wordnet_directory

__all__ = [
    "ImportResult",
    "MeteorOptions",
    "WordNet",
    "import_meteor",
    "import_ppdb",
    "import_simple_ppdb",
    "import_wordnet",
    "meteor_table",
    "wordnet_directory",
]
