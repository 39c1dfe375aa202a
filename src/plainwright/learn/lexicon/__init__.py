"""From what several sources say about words to rules that keep part of speech, inflection and meaning.

Pairs of words are looked at as lemmas: what is known about "obtained" and "got" is known about "obtain" and "get". What
people said about pairs after reading them decides about those, and teaches a classifier about the others; then every
form of the one becomes a rule to the same form of the other.
"""

from plainwright.learn.lexicon.evidence import Evidence, LemmaPair, gather
from plainwright.learn.lexicon.job import LexiconOptions, LexiconResult, lexicon_files
from plainwright.learn.lexicon.judged import Judgements
from plainwright.learn.lexicon.words import WordTable

__all__ = [
    "Evidence",
    "Judgements",
    "LemmaPair",
    "LexiconOptions",
    "LexiconResult",
    "WordTable",
    "gather",
    "lexicon_files",
]
