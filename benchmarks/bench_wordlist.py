"""Processor time of a list of words: opening the pack, and what it adds to a sentence beyond tagging.

    python benchmarks/bench_wordlist.py WORDS.tsv TEXT      # a written list, and text with one sentence a line

The list is repeated with other first words until it has 60,000 forms, so that opening shows what a large one takes.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path

from plainwright.models import find
from plainwright.rewrite import Protection
from plainwright.rewrite.propose.wordlist import WordlistProposer
from plainwright.rewrite.sentences import sentences_of
from plainwright.rewrite.wordlist import Entry, WordList, read_entries
from plainwright.text.tagging import Tagger
from timing import fastest, machine

DEFAULT_MODEL = find("default")

FORMS = 60_000


def enlarged(entries: list[Entry]) -> WordList:
    """The list with as many copies under other words as make it large."""
    words, copies = WordList.of_entries(entries), list(entries)
    for number in range(FORMS // words.forms):
        copies += [
            replace(own, hard=replace(own.hard, words=(f"q{number}{own.hard.words[0]}", *own.hard.words[1:])))
            for own in entries
        ]
    return WordList.of_entries(copies)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("words", type=Path)
    parser.add_argument("text", type=Path)
    arguments = parser.parse_args()
    words = enlarged(read_entries(arguments.words))
    with tempfile.TemporaryDirectory() as folder:
        pack = Path(folder) / "words.pack"
        words.save(pack)
        opening, size = fastest(lambda: WordList.open(pack), runs=20), pack.stat().st_size
        words = WordList.open(pack)
    lines = arguments.text.read_text(encoding="utf-8").splitlines()
    sentences = [sentence for line in lines for sentence in sentences_of(line, Protection())]
    tagger, proposer = Tagger.open(DEFAULT_MODEL / "tagger.pack"), WordlistProposer([words])
    tags = tagger.tag_many([[token.text for token in sentence.tokens] for sentence in sentences])
    tagged = [replace(sentence, tags=own) for sentence, own in zip(sentences, tags, strict=True)]
    proposer.propose(tagged, limit=1, threads=1)  # what is read once
    proposing = fastest(lambda: proposer.propose(tagged, limit=1, threads=1))
    changed = sum(map(len, proposer.propose(tagged, limit=1, threads=1)))
    print(machine("plainwright"))
    print(f"{words.forms:,} forms, {size:,} bytes: opened in {1000 * opening:.1f} ms")
    print(f"{len(tagged):,} sentences, {changed:,} changed: {1000 * proposing / len(tagged):.3f} ms a sentence")


if __name__ == "__main__":
    main()
