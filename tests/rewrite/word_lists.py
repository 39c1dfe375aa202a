"""Lists written by hand, and the simplifier that asks them alone."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

from plainwright.models import find
from plainwright.rewrite import Pipeline, Simplifier
from plainwright.rewrite.propose.wordlist import WordlistProposer
from plainwright.rewrite.wordlist import WordList
from plainwright.text.tagging import Tagger

__all__ = ["simplifier_of", "tagger", "word_list", "write_list"]


def write_list(path: Path, entries: Sequence[str]) -> Path:
    """Write a list; fields are separated by " | "."""
    path.write_text("".join("\t".join(field.strip() for field in line.split("|")) + "\n" for line in entries), "utf-8")
    return path


def word_list(folder: Path, *entries: str, name: str = "words.tsv") -> WordList:
    return WordList.read(write_list(folder / name, entries))


@functools.cache
def tagger() -> Tagger:
    return Tagger.open(find("default") / "tagger.pack")


def simplifier_of(*lists: WordList) -> Simplifier:
    """A simplifier that asks nobody but these lists."""
    proposer = WordlistProposer(lists)
    return Simplifier(Pipeline([proposer], tagger=tagger(), fixing=proposer.fixed_for_lists))
