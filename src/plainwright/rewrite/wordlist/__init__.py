"""Lists of hard words and wordy phrases with plain ones, applied wherever they fit, with the grammar right.

`written.py` reads a list as people write it, `conditions.py` says where an entry may be used, `expansion.py` inflects
both sides, `wordlist.py` is the list that the matcher asks and the file that ships, and `matching.py` finds entries in
a sentence. The proposer that writes them is `plainwright.rewrite.propose.wordlist`.
"""

from __future__ import annotations

from plainwright.rewrite.wordlist.matching import Match, matches
from plainwright.rewrite.wordlist.reading import Part
from plainwright.rewrite.wordlist.wordlist import WordList, pack_files
from plainwright.rewrite.wordlist.written import Entry, read_entries

__all__ = ["Entry", "Match", "Part", "WordList", "matches", "pack_files", "read_entries"]
