"""Show what writers replaced and the word list leaves: hard words with the places where they still stand.

    python tools/word_gaps.py FOLDER --sheets 8

Applies the lists under `packages/plainwright-en/words` to the sources of the written corpus, compares the result with
what was written, and gathers, for each word that was replaced or left out often enough (`--least`), the places where
that happened and some where it did not. Whoever reads a sheet writes new entries for these words, by
`packages/plainwright-en/words/COLLOCATIONS.md`; new entries are then read where they fire (`tools/word_places.py`).
"""

from __future__ import annotations

import argparse
import csv
import gzip
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from plainwright import models
from plainwright.rewrite import Protection
from plainwright.rewrite.propose.wordlist import WordlistProposer
from plainwright.rewrite.sentences import sentences_of
from plainwright.rewrite.types import Sentence
from plainwright.rewrite.wordlist import WordList, read_entries
from plainwright.text.edits import edits_between
from plainwright.text.frequencies import zipf
from plainwright.text.inflection import base_of
from plainwright.text.lemmas import lemmas_by_ending
from plainwright.text.tagging import Tagger

ROOT = Path(__file__).resolve().parents[1]
WORDS = ROOT / "packages" / "plainwright-en" / "words"
CORPUS = ROOT / "packages" / "plainwright-en" / "data"
ORDER = ("words", "phrases", "further", "general", "official", "frames", "collocations")
LONGEST = 6  # words that one edit replaces
BESIDE = 90  # characters shown on either side
KINDS = {"NN": "noun", "VB": "verb", "JJ": "adjective", "RB": "adverb", "IN": "preposition"}
COMMON = 5.3  # zipf above which a word is as easy as a word can be


@dataclass(slots=True)
class Gap:
    """Holds where a word was replaced, and where it stayed."""

    replaced: list[str] = field(default_factory=list)
    stayed: list[str] = field(default_factory=list)


def pairs(level: str) -> Iterator[tuple[str, str]]:
    """Yield sources and rewrites of a level."""
    for path in sorted(CORPUS.glob("*.tsv.gz")):
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                if row["level"] == level and row["unit"] == "sentence" and not row["source"].startswith("sha256:"):
                    yield row["source"], row["target"]


def gaps() -> dict[str, Gap]:
    """Return the words that were replaced, each by its base and kind."""
    entries = [entry for name in ORDER for entry in read_entries(WORDS / f"{name}.tsv")]
    proposer = WordlistProposer([WordList.of_entries(entries)])
    tagger = Tagger.open(models.find("default") / "tagger.pack")
    found: dict[str, Gap] = defaultdict(Gap)
    for level in ("light", "plain"):
        every = list(pairs(level))
        for some in (every[start : start + 2000] for start in range(0, len(every), 2000)):
            whole = [sentences_of(source, Protection()) for source, _ in some]
            kept = [(own[0], target) for own, (_, target) in zip(whole, some, strict=True) if len(own) == 1]
            sentences = _tagged(tagger, [sentence for sentence, _ in kept])
            sentences = [replace(one, fixed=proposer.fixed_for_lists(one)) for one in sentences]
            proposals = [
                next((proposal.text for proposal in own), one.text)
                for one, own in zip(sentences, proposer.propose(sentences, limit=1, threads=1), strict=True)
            ]
            again = _tagged(tagger, [sentences_of(text, Protection())[0] for text in proposals])
            for sentence, (_, target) in zip(again, kept, strict=True):
                _gather(sentence, target, found)
    return found


def _tagged(tagger: Tagger, sentences: list[Sentence]) -> list[Sentence]:
    tags = tagger.tag_many([[token.text for token in one.tokens] for one in sentences], threads=2)
    return [replace(one, tags=own, memo={}) for one, own in zip(sentences, tags, strict=True)]


def _gather(sentence: Sentence, target: str, found: dict[str, Gap]) -> None:
    text, written = sentence.text, set(re.findall(r"[a-z]+", target.lower()))
    edits = [edit for edit in edits_between(text, target) if len(edit.source_text.split()) <= LONGEST]
    for token, tag in zip(sentence.tokens, sentence.tags or (), strict=True):
        word, start, end = token.text, token.start, token.end
        if (
            not word.isascii()
            or not word.isalpha()
            or not word.islower()
            or zipf(word) > COMMON
            or tag[:2] not in KINDS
        ):
            continue
        gap = found[f"{_base(word, tag)} {KINDS[tag[:2]]}"]
        shown = f"{text[max(0, start - BESIDE) : start]}[{word}]{text[end : end + BESIDE]}"
        own = [edit for edit in edits if edit.source_span[0] <= start and end <= edit.source_span[1]]
        if own and word not in written:
            gap.replaced.append(
                f"{shown}  =>  {own[0].source_text.strip()} → {own[0].target_text.strip() or '(nothing)'}"
            )
        elif word in written:
            gap.stayed.append(shown)


def _base(word: str, tag: str) -> str:
    if tag.startswith("VB"):
        return base_of(word, tag) or word
    return max(lemmas_by_ending(word), key=zipf, default=word) if tag == "NNS" else word


def main() -> None:
    """Read the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sheets", type=int, default=8)
    parser.add_argument("--least", type=int, default=4, help="times that a word was replaced")
    given = parser.parse_args()
    chance = random.Random(1)
    found = {key: gap for key, gap in gaps().items() if len(gap.replaced) >= given.least}
    wanted = sorted(found, key=lambda key: (-len(found[key].replaced), key))
    by_word: dict[str, list[str]] = defaultdict(list)
    for name in ORDER:
        for line in (WORDS / f"{name}.tsv").read_text(encoding="utf-8").splitlines()[1:]:
            for word in set(re.findall(r"[a-z]+", line.split("\t")[0])):
                by_word[word].append(line)
    given.folder.mkdir(parents=True, exist_ok=True)
    for sheet in range(given.sheets):
        with (given.folder / f"gaps-{sheet}.txt").open("w", encoding="utf-8") as file:
            for key in wanted[sheet :: given.sheets]:
                gap = found[key]
                file.write(f"## {key}: replaced {len(gap.replaced)} times, stayed {len(gap.stayed)} times\n")
                own = by_word[key.split()[0]]
                file.writelines(f"   has: {line}\n" for line in own[:25])
                file.writelines(f"   R: {one}\n" for one in chance.sample(gap.replaced, min(12, len(gap.replaced))))
                file.writelines(f"   K: {one}\n" for one in chance.sample(gap.stayed, min(4, len(gap.stayed))))
                file.write("\n")
    counts = Counter(min(len(gap.replaced), 50) // 5 * 5 for gap in found.values())
    print(len(found), sum(len(gap.replaced) for gap in found.values()), sorted(counts.items()))


if __name__ == "__main__":
    main()
