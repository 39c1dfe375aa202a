"""Words of a text for comparing two texts of one language: where they stand, what they count as, what they resemble."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Literal, NamedTuple

from plainwright import _core
from plainwright.arguments import check_text
from plainwright.text.lemmas import lemmas_by_ending
from plainwright.text.ptb import ptb_tokenize
from plainwright.text.sentences import sentence_spans

__all__ = ["STOPS", "Word", "alike", "sentences_of", "words_of"]

# A mark is punctuation; a stop ends a sentence before another one, an end the last one.
WordKind = Literal["content", "function", "mark", "stop", "end"]

# Common enough to stand anywhere: that two texts share one says little.
_FUNCTION_WORDS = frozenset(
    # One string reads better than a hundred and fifty.
    "a an the this that these those my your his her its our their some any no every each all both either neither such "  # noqa: SIM905
    "in on at by for from of to with into onto upon over under about above below between among through against within "
    "without after before since until during as while when where if because although though unless whereas than like "
    "but and or nor so yet he she it we they you i him them us me who whom whose what which how why there here then "
    "now is are was were be been being am 's 're 'm 've 'd 'll has have had having do does did will would can could "
    "may might must shall should not n't 't also too very just only even more most other others another one ones out "
    "up off down itself himself herself themselves themself own via per well prior".split()
)
_SAME_WORD = {
    "an": "a", "n't": "not", "ca": "can", "wo": "will", "'re": "are", "'m": "am", "'ve": "have", "'ll": "will",
    "-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "``": '"', "''": '"', "--": "-",
}  # fmt: skip
_PLAIN = str.maketrans("’‘`“”„–—‑‐", "'''\"\"\"----")
_SPOKEN_OUT = {"n't", "ca", "wo", "'re", "'m", "'ve", "'ll"}  # whoever writes them out has changed the text
_SURROGATE = re.compile("[\ud800-\udfff]")  # no valid text, but text that people have
_LINE_BREAK = re.compile("[\n\r\v\f\x85\u2028\u2029]")
STOPS = ".!?…。？！؟۔।"
_SHARED_START = 4  # letters that words of similar spelling begin with
_LIKE = 0.6  # likeness of spelling, from 0 to 1; found by reading pairs of texts


class Word(NamedTuple):
    """Stands for a word or a mark: `text[start:end]`."""

    start: int
    end: int
    form: str  # without case and other differences that nobody would call a change
    kind: WordKind
    special: bool  # a number, or a name as far as capitals tell
    beginning: str  # what only words that share it can be alike in; saves comparing all with all

    @property
    def is_word(self) -> bool:
        """Whether it is more than punctuation."""
        return self.kind in ("content", "function")


def words_of(text: str) -> tuple[Word, ...]:
    """Return all words and marks of `text` from left to right."""
    check_text(text, "words_of", "text")
    return _words_of(text)


@lru_cache(maxsize=1 << 8)  # a source has many outputs
def _words_of(text: str) -> tuple[Word, ...]:
    text = _SURROGATE.sub("\ufffd", text)
    sentences = sentences_of(text)
    openings = {start for start, _ in sentences}
    words = [
        Word(start, end, *_facts(text[start:end], start in openings))
        for _, start, end in ptb_tokenize(text, quotes="keep")
    ]
    for number, (_, end) in enumerate(sentences, start=1):
        stop = _stop_before(words, end)
        if stop is not None:
            kind: WordKind = "end" if number == len(sentences) else "stop"
            words[stop] = words[stop]._replace(form=".", kind=kind)
    return tuple(words)


def sentences_of(text: str) -> list[tuple[int, int]]:
    """The spans of all sentences; a line break alone is no edit, so it ends none that a space would not end."""
    return sentence_spans(_LINE_BREAK.sub(" ", _SURROGATE.sub("\ufffd", text)))


def _stop_before(words: Sequence[Word], end: int) -> int | None:
    """The mark that ends the sentence; quotes and brackets may follow it."""
    place = bisect_right(words, end, key=attrgetter("end")) - 1
    while place >= 0 and words[place].kind == "mark":
        if words[place].form[-1] in STOPS:
            return place
        place -= 1
    return None


def alike(left: Word, right: Word) -> bool:
    """Return whether two different words may well be forms of one: of one lemma, or of similar spelling."""
    if not (left.is_word and right.is_word):
        return False
    if left.kind == right.kind == "function":
        return _written_out(left.form) == _written_out(right.form)
    return _similar(left.form, right.form)


@lru_cache(maxsize=1 << 16)
def _facts(token: str, opens_sentence: bool) -> tuple[str, WordKind, bool, str]:
    form = _form(token)
    return form, _kind(form), _is_special(token, opens_sentence), _written_out(form)[:2]


def _form(token: str) -> str:
    folded = unicodedata.normalize("NFC", token).casefold().translate(_PLAIN)
    return folded if folded in _SPOKEN_OUT else _SAME_WORD.get(folded, folded)


def _written_out(form: str) -> str:
    return _SAME_WORD.get(form, form)


def _kind(form: str) -> WordKind:
    if form in _FUNCTION_WORDS or form in _SPOKEN_OUT:
        return "function"
    return "content" if any(map(_says_something, form)) else "mark"


def _is_special(token: str, opens_sentence: bool) -> bool:
    return any(character.isdigit() or (character.isupper() and not opens_sentence) for character in token)


def _says_something(character: str) -> bool:
    """Letters, digits, and symbols such as emoji or currencies; not punctuation and what modifies other characters."""
    return unicodedata.category(character)[0] in "LNS" and character not in "`^~|<>=+"


@lru_cache(maxsize=1 << 14)
def _similar(left: str, right: str) -> bool:
    if not _lemmas(left).isdisjoint(_lemmas(right)):
        return True
    return left[:_SHARED_START] == right[:_SHARED_START] and _core.spelling_likeness(left, right) >= _LIKE


_lemmas = lru_cache(maxsize=1 << 14)(lemmas_by_ending)
