"""Pairs that are no paraphrases by their looks, as conditions on columns of text.

The regular expressions mean the same to RE2 (DuckDB) and to Java (Spark); keep it so.
"""

from __future__ import annotations

from typing import Any

__all__ = ["STOP_WORDS", "differ_in_content", "is_phrase", "similar_length", "words"]

# Words that say little alone. Conjunctions and adverbs such as "but", "while" or "often" are not among them: how to
# replace these is worth knowing.
STOP_WORDS = (
    *("a", "an", "the", "this", "that", "these", "those", "some", "any"),
    *("of", "to", "in", "on", "at", "for", "by", "with", "from", "as", "into", "up", "out"),
    *("and", "or", "not", "n't", "no", "there"),
    *("i", "you", "he", "she", "it", "we", "they", "me", "him", "her", "us", "them"),
    *("my", "your", "his", "its", "our", "their", "who", "which", "what"),
    *("be", "is", "are", "was", "were", "been", "being", "am", "'s", "'re", "'m", "'ll", "'ve", "'d"),
    *("do", "does", "did", "have", "has", "had", "will", "would", "can", "could"),
)

_GAP = r"\[[^ ]+,[12]\]"
_NO_CONTENT = r"[^\p{L}\p{N}\[\], ']+"


def words(phrase: Any) -> Any:
    """Return words and gaps of a phrase."""
    return phrase.length() - phrase.replace(" ", "").length() + 1


def is_phrase(phrase: Any) -> Any:
    """Return whether there is a letter outside the gaps, and no symbol that is all punctuation.

    Numbers and punctuation alone are nothing to paraphrase, and phrases across quotes, brackets or the ends of
    sentences are what alignments get wrong.
    """
    return phrase.re_replace(_GAP, "").re_search(r"\p{L}") & ~phrase.re_search(r"(?:^| )[^\p{L}\p{N} ]+(?: |$)")


def similar_length(one: Any, other: Any, ratio: float) -> Any:
    """Return whether neither has more than `ratio` times the words of the other, and one."""
    return (words(one) <= words(other) * ratio + 1) & (words(other) <= words(one) * ratio + 1)


def differ_in_content(one: Any, other: Any) -> Any:
    """Return whether both have more than stop words that differ by more than case and punctuation; numbers agree."""
    contents = _content(one), _content(other)
    some = (contents[0] != " ") & (contents[1] != " ")
    return some & (contents[0] != contents[1]) & (_digits(one) == _digits(other))


def _content(phrase: Any) -> Any:
    spaced = " " + phrase.lower().re_replace(_NO_CONTENT, " ").re_replace(" ", "  ") + " "
    kept = spaced.re_replace(f" (?:{'|'.join(STOP_WORDS)}) ", " ")
    return kept.re_replace("[ ,']+", " ")


def _digits(phrase: Any) -> Any:
    return phrase.re_replace(_GAP, "").re_replace("[^0-9]+", " ").strip()
