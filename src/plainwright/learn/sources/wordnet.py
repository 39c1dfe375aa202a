"""Synonyms of WordNet 3.0 (Fellbaum, 1998) in every inflection that both words have.

The files `data.noun`, `data.verb`, `data.adj` and `data.adv` have one synset a line:

    offset file type count word id [word id ...] pointers [symbol offset type numbers ...] [frames] | gloss

Words of one synset are synonyms. A rule replaces a form of the one by the same form of the other, and its label says
which: `[VBD] purchased` becomes `bought`. Names (anything in capitals) never enter a rule, nor do words that WordNet
calls antonyms elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import permutations
from pathlib import Path

from plainwright.errors import DataError
from plainwright.extras import extra_for
from plainwright.files import atomic_write_text, check_writable
from plainwright.grammar.rules import format_value
from plainwright.learn.parallel import read_text_lines
from plainwright.learn.sources.result import ImportResult, rule_line
from plainwright.text.frequencies import frequency_list
from plainwright.text.wordnet import wordnet_directory

__all__ = ["TAGS", "WordNet", "forms", "import_wordnet", "inflector", "wordnet_directory"]

# Each part of speech and its Penn tags, that of the lemma first.
TAGS: dict[str, tuple[str, ...]] = {
    "noun": ("NN", "NNS"),
    "verb": ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"),
    "adj": ("JJ", "JJR", "JJS"),
    "adv": ("RB", "RBR", "RBS"),
}
_TYPES = {"noun": "n", "verb": "v", "adj": "as", "adv": "r"}
_MARK = re.compile(r"\((?:a|p|ip)\)$")  # where an adjective may stand
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*(?: [a-z]+(?:-[a-z]+)*)*")
_CLEARLY = 200  # a hundred times as frequent
_BEHIND_THE_HEAD = frozenset(("of", "in", "to", "on", "for", "from", "at", "by", "with", "and", "as"))

_Synset = tuple[str, str]  # type and offset
_Pair = frozenset[str]
Progress = Callable[[str, int, int], None]  # what is being done, how much of it, of how much


@dataclass(slots=True)
class WordNet:
    """Holds the synonyms of each part of speech, as lemmas in lower case."""

    synonyms: dict[str, set[tuple[str, str]]] = field(default_factory=lambda: {pos: set() for pos in TAGS})
    senses: Counter[tuple[str, str]] = field(default_factory=Counter)  # synsets of (part of speech, lemma)
    antonyms: set[_Pair] = field(default_factory=set)
    synsets: int = 0

    @classmethod
    def read(cls, directory: str | Path, *, progress: Progress | None = None) -> WordNet:
        """Read the four files of a directory; a `DataError` names the file and line that cannot be used."""
        paths = {pos: Path(directory) / f"data.{pos}" for pos in TAGS}
        for path in paths.values():
            if not path.is_file():
                wanted = "data.noun, data.verb, data.adj and data.adv"
                msg = f"{directory}: expected a directory with WordNet's {wanted}, found no {path.name}"
                raise DataError(msg)
        reader = _Reader()
        for done, (pos, path) in enumerate(paths.items()):
            reader.read(path, pos)
            if progress is not None:
                progress("reading", done + 1, len(paths))
        return reader.finish()

    def pairs(self, pos: str) -> list[tuple[str, str]]:
        """Ordered pairs of synonyms that are no antonyms, sorted."""
        return sorted(pair for pair in self.synonyms[pos] if frozenset(pair) not in self.antonyms)


class _Reader:
    """Antonyms point to synsets that may come later, even in other files; so they wait."""

    def __init__(self) -> None:
        self.known = WordNet()
        self._words: dict[_Synset, list[str]] = {}
        self._opposites: list[tuple[str, _Synset, int]] = []  # a word, and which word of which synset

    def read(self, path: Path, pos: str) -> None:
        for number, line in enumerate(read_text_lines(path), start=1):
            if line.startswith("  "):  # the licence
                continue
            try:
                self._add(line, pos)
            except (ValueError, IndexError):
                msg = f"{path}:{number}: a synset of WordNet 3.0 expected, got {line[:60]!r}"
                raise DataError(msg) from None

    def _add(self, line: str, pos: str) -> None:
        items = line.partition(" | ")[0].split(" ")
        offset, kind, count = items[0], items[2], int(items[3], 16)
        pointers = 4 + 2 * count
        if kind not in _TYPES[pos] or not offset.isdecimal() or count < 1 or len(items) <= pointers:
            raise ValueError
        words = [_MARK.sub("", word).replace("_", " ") for word in items[4:pointers:2]]
        self._words[_synset(kind, offset)] = words
        for first in range(pointers + 1, pointers + 1 + 4 * int(items[pointers]), 4):
            symbol, other, other_kind, numbers = items[first : first + 4]
            if symbol == "!":
                word = words[int(numbers[:2], 16) - 1]
                self._opposites.append((word.lower(), _synset(other_kind, other), int(numbers[2:], 16) - 1))
        lower = sorted({word.lower() for word in words})
        self.known.senses.update((pos, word) for word in lower)
        self.known.synonyms[pos].update(permutations(filter(_WORD.fullmatch, dict.fromkeys(words)), 2))
        self.known.synsets += 1

    def finish(self) -> WordNet:
        for word, synset, place in self._opposites:
            words = self._words.get(synset, [])
            self.known.antonyms.update(frozenset((word, other.lower())) for other in words[place : place + 1])
        return self.known


def import_wordnet(
    directory: str | Path | None, output: str | Path, *, max_words: int = 5, progress: Progress | None = None
) -> ImportResult:
    """Write rules of the synonyms of WordNet, sorted by source, target and label.

    `directory` None means where Debian has them; `max_words` is the most that either side may have.
    """
    check_writable(output)
    inflect = inflector()
    known = WordNet.read(wordnet_directory() if directory is None else directory, progress=progress)
    shares: dict[tuple[str, str, str], float] = {}
    for done, pos in enumerate(TAGS):
        if progress is not None:
            progress("inflecting", done, len(TAGS))
        for source, target, tag, share in _rules(known, pos, inflect):
            if max(source.count(" "), target.count(" ")) < max_words:
                shares[source, target, tag] = max(share, shares.get((source, target, tag), 0.0))
    with atomic_write_text(output) as stream:
        for (source, target, tag), share in sorted(shares.items()):
            features = f"WordNet=1 SenseShare={format_value(round(share, 5))}"
            stream.write(rule_line(tag, source, target, features))
    return ImportResult(read=known.synsets, written=len(shares))


_Inflect = Callable[[str, str], Sequence[str]]  # forms of a lemma that have a tag


def _rules(known: WordNet, pos: str, inflect: _Inflect) -> Iterator[tuple[str, str, str, float]]:
    """Source, target, tag, and the share of the source's senses that one synset is."""
    every_form = cache(lambda lemma: forms(lemma, pos, inflect))
    for one, other in known.pairs(pos):
        share = 1 / known.senses[pos, one]
        after = every_form(other)
        for tag, sources in every_form(one).items():
            for source in sources:
                # All spellings are understood; one is written.
                for target in after.get(tag, ())[:1]:
                    if source != target:
                        yield source, target, tag, share


def forms(lemma: str, pos: str, inflect: _Inflect) -> dict[str, tuple[str, ...]]:
    """The forms of a lemma by tag, the usual one first; in phrases the head changes."""
    words = lemma.split(" ")
    head = _head(words, pos)
    base, *others = TAGS[pos]
    found: dict[str, tuple[str, ...]] = {base: (lemma,)}
    if len(words) > 1 and pos in ("adj", "adv"):
        return found
    for tag in others:
        if inflected := _usual_first(inflect(words[head], tag), words[head], tag):
            found[tag] = tuple(" ".join([*words[:head], form, *words[head + 1 :]]) for form in inflected)
    return found


def _usual_first(inflected: Sequence[str], lemma: str, tag: str) -> list[str]:
    """By falling frequency; a plural spelt as the singular only where it is clearly the usual one, as aircraft."""
    ranks, unseen = _ranks()

    def rank(form: str) -> int:
        return ranks.get(form, unseen) + (_CLEARLY if tag == "NNS" and form == lemma else 0)

    ordered = sorted(inflected, key=rank)
    return [form for form in ordered if tag != "NNS" or form != lemma or form == ordered[0]]


@cache
def _ranks() -> tuple[dict[str, int], int]:
    """Hundredths of a power of ten that a word is rarer than the most frequent one, and those of words not seen."""
    buckets = frequency_list()
    return {word: rank for rank, bucket in enumerate(buckets) for word in bucket}, len(buckets)


def _head(words: Sequence[str], pos: str) -> int:
    if pos != "noun":
        return 0
    behind = (place for place, word in enumerate(words) if place > 0 and word in _BEHIND_THE_HEAD)
    return next(behind, len(words)) - 1


def inflector() -> _Inflect:
    """Return all forms of a lemma that have a tag, from lemminflect."""
    with extra_for("inflection", "learn"):
        from lemminflect import getInflection

    def inflect(lemma: str, tag: str) -> Sequence[str]:
        # Rules for unknown words are right for nouns and verbs, but make "beautifuler".
        return tuple(getInflection(lemma, tag, inflect_oov=tag[0] in "NV"))

    return inflect


def _synset(kind: str, offset: str) -> _Synset:
    return ("a" if kind == "s" else kind), offset
