"""All that decides what a rewriter learns that reads by way of French, from a TOML file with every value checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from plainwright.rewriter.training.recipe import (
    About,
    Corpus,
    Training,
    read_about,
    read_corpus_part,
    read_digest,
    read_training,
)
from plainwright.tables import TableReader

__all__ = ["PivotRecipe", "Translations", "is_pivot_recipe", "read_pivot_recipe"]

_MOST_PIECES = 1 << 17


@dataclass(frozen=True, slots=True, kw_only=True)
class Translations:
    """The folders of the models from English to French and back, and how many pieces of their vocabulary are kept."""

    translator: Path
    translator_sha256: str
    writer: Path
    writer_sha256: str
    pieces: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PivotRecipe:
    """Holds a whole recipe."""

    about: About
    base: Translations
    corpus: Corpus
    training: Training

    @property
    def name(self) -> str:
        """Return the name of what is made."""
        return self.about.name


def is_pivot_recipe(path: str | Path, changes: Mapping[str, str] | None = None) -> bool:
    """Return whether a recipe begins with translation models."""
    return "translator" in TableReader.read(Path(path), of="a recipe", changes=changes).section("base")


def read_pivot_recipe(path: str | Path, changes: Mapping[str, str] | None = None) -> PivotRecipe:
    """Read a recipe; `changes` override values, as in `{"train.steps": "100"}`, or remove them ("")."""
    path = Path(path)
    table = TableReader.read(path, of="a recipe", changes=changes)
    table.check_keys("recipe", "base", "corpus", "train")
    base = table.section("base")
    base.check_keys(*Translations.__dataclass_fields__)
    return PivotRecipe(
        about=read_about(table.section("recipe")),
        base=Translations(
            translator=base.path("translator", path.parent),
            translator_sha256=read_digest(base, "translator_sha256"),
            writer=base.path("writer", path.parent),
            writer_sha256=read_digest(base, "writer_sha256"),
            pieces=base.whole("pieces", 48_000, low=1_000, high=_MOST_PIECES),
        ),
        corpus=read_corpus_part(table.section("corpus"), path.parent),
        training=read_training(table.section("train")),
    )
