"""All that decides what a model of substitution learns, read from a TOML file with every value checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from plainwright.tables import TableReader

__all__ = ["SubstitutionData", "SubstitutionRecipe", "SubstitutionTraining", "read_recipe"]

Precision = Literal["bfloat16", "float32"]
_MOST_STEPS = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SubstitutionData:
    """Where the candidates, the written corpus and the readers' choices are, and which share of sources is held out."""

    candidates: tuple[Path, ...]  # lists as people write them, to learn from
    approved: tuple[Path, ...]  # those to choose from in the end
    tagger: Path
    corpus: Path
    texts: Path | None  # of sources that are named by their digest
    choices: tuple[Path, ...]
    held_out: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SubstitutionTraining:
    """How fast and how long the network is trained: first on what writers did, then on what readers found right."""

    corpus_passes: float
    corpus_rate: float
    passes: float
    rate: float
    warm_up: int  # steps of either part
    weight_decay: float
    pieces: int  # that make a step
    precision: Precision
    threads: int
    seed: int
    save_every: int

    def decisive(self) -> dict[str, Any]:
        """Return what decides the weights."""
        return {name: value for name, value in asdict(self).items() if name != "save_every"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SubstitutionRecipe:
    """Holds a whole recipe."""

    name: str
    version: str
    licence: str
    description: str
    encoder: str | Path  # a name that `encoders` knows, or the folder of a BERT
    max_pieces: int
    threshold: float  # how likely a candidate must be right to be proposed
    data: SubstitutionData
    training: SubstitutionTraining


def read_recipe(path: str | Path, changes: Mapping[str, str] | None = None) -> SubstitutionRecipe:
    """Read a recipe; `changes` override values, as in `{"train.passes": "2"}`, or remove them ("")."""
    path = Path(path)
    table = TableReader.read(path, of="a recipe", changes=changes)
    table.check_keys("recipe", "encoder", "data", "train")
    about, encoder = table.section("recipe"), table.section("encoder")
    about.check_keys("name", "version", "licence", "description", "threshold")
    encoder.check_keys("name", "folder", "max_pieces")
    name = about.text("name", least=1, most=60)
    if Path(name).name != name or name in (".", ".."):
        raise about.wrong(key="name", expected="a name without slashes", found=name)
    return SubstitutionRecipe(
        name=name,
        version=about.text("version", "1"),
        licence=about.text("licence", ""),
        description=about.text("description", ""),
        threshold=about.number("threshold", 0.8, low=0, high=1),
        encoder=encoder.path("folder", path.parent) if "folder" in encoder else encoder.text("name", "minilm", least=1),
        max_pieces=encoder.whole("max_pieces", 220, low=16, high=500),
        data=_data(table.section("data"), path.parent),
        training=_training(table.section("train")),
    )


def _data(table: TableReader, folder: Path) -> SubstitutionData:
    table.check_keys(*SubstitutionData.__dataclass_fields__)
    paths = {key: table.paths(key, folder) for key in ("candidates", "choices")}
    for key, found in paths.items():
        if not found:
            raise table.wrong(key=key, expected="files", found=[])
    return SubstitutionData(
        candidates=paths["candidates"],
        approved=table.paths("approved", folder) or paths["candidates"],
        tagger=table.path("tagger", folder),
        corpus=table.path("corpus", folder),
        texts=table.path("texts", folder) if table.text("texts", "") else None,
        choices=paths["choices"],
        held_out=table.number("held_out", 0.1, low=0.001, high=0.5),
    )


def _training(table: TableReader) -> SubstitutionTraining:
    table.check_keys(*SubstitutionTraining.__dataclass_fields__)
    return SubstitutionTraining(
        corpus_passes=table.number("corpus_passes", 1.5, low=0, high=1000),
        corpus_rate=table.number("corpus_rate", 1.5e-4, low=0, high=1),
        passes=table.number("passes", 6.0, low=0, high=1000),
        rate=table.number("rate", 1e-4, low=0, high=1),
        warm_up=table.whole("warm_up", 50, low=1, high=_MOST_STEPS),
        weight_decay=table.number("weight_decay", 0.01, low=0, high=1),
        pieces=table.whole("pieces", 2200, low=16, high=1_000_000),
        precision=table.choice("precision", get_args(Precision), "bfloat16"),
        threads=table.whole("threads", 2, low=1, high=1024),
        seed=table.whole("seed", 1, low=0),
        save_every=table.whole("save_every", 100, low=1, high=_MOST_STEPS),
    )
