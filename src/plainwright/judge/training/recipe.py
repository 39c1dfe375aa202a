"""All that decides what a judge learns, read from a TOML file with every value checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from plainwright.tables import TableReader

__all__ = ["JudgeRecipe", "JudgeTraining", "RatingTables", "read_recipe"]

Precision = Literal["bfloat16", "float32"]
_MOST_STEPS = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingTables:
    """Where the ratings are, which share of the sources is held out, and which calibrates the risk."""

    tables: tuple[Path, ...]
    held_out: float
    calibration: float
    weights: Mapping[str, float]  # by the beginning of a system's name, the longest that fits; others count 1


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeTraining:
    """How fast, for how long, and on what beside the ratings the network is trained."""

    passes: float
    rate: float
    warm_up: float  # share of the steps
    weight_decay: float
    blocks: int  # sources whose rewrites make a step
    ranking: float  # weight of the order of rewrites of one source, beside the scores themselves
    copies: float  # weight of each source as a rewrite of itself; 0: none
    strangers: float  # weight of a rewrite of another source; 0: none
    precision: Precision
    threads: int
    seed: int
    save_every: int

    def decisive(self) -> dict[str, Any]:
        """Return what decides the weights."""
        return {name: value for name, value in asdict(self).items() if name != "save_every"}


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRecipe:
    """Holds a whole recipe."""

    name: str
    version: str
    licence: str
    description: str
    encoder: str | Path  # a name that `encoders` knows, or the folder of a BERT
    max_pieces: int
    ratings: RatingTables
    training: JudgeTraining


def read_recipe(path: str | Path, changes: Mapping[str, str] | None = None) -> JudgeRecipe:
    """Read a recipe; `changes` override values, as in `{"train.passes": "2"}`, or remove them ("")."""
    path = Path(path)
    table = TableReader.read(path, of="a recipe", changes=changes)
    table.check_keys("recipe", "encoder", "ratings", "weights", "train")
    about, encoder = table.section("recipe"), table.section("encoder")
    about.check_keys("name", "version", "licence", "description")
    encoder.check_keys("name", "folder", "max_pieces")
    name = about.text("name", least=1, most=60)
    if Path(name).name != name or name in (".", ".."):
        raise about.wrong(key="name", expected="a name without slashes", found=name)
    return JudgeRecipe(
        name=name,
        version=about.text("version", "1"),
        licence=about.text("licence", ""),
        description=about.text("description", ""),
        encoder=encoder.path("folder", path.parent) if "folder" in encoder else encoder.text("name", "minilm", least=1),
        max_pieces=encoder.whole("max_pieces", 256, low=16, high=512),
        ratings=_ratings(table.section("ratings"), table.section("weights"), path.parent),
        training=_training(table.section("train")),
    )


def _ratings(table: TableReader, weights: TableReader, folder: Path) -> RatingTables:
    table.check_keys("tables", "held_out", "calibration")
    paths = table.paths("tables", folder)
    if not paths:
        raise table.wrong(key="tables", expected="tables of ratings", found=[])
    return RatingTables(
        tables=paths,
        held_out=table.number("held_out", 0.1, low=0.001, high=0.5),
        calibration=table.number("calibration", 0.05, low=0.001, high=0.4),
        weights={name: weights.number(name, low=0, high=1000) for name in weights},
    )


def _training(table: TableReader) -> JudgeTraining:
    table.check_keys(*JudgeTraining.__dataclass_fields__)
    return JudgeTraining(
        passes=table.number("passes", 3.0, low=0.001, high=1000),
        rate=table.number("rate", 1e-4, low=0, high=1),
        warm_up=table.number("warm_up", 0.06, low=0, high=1),
        weight_decay=table.number("weight_decay", 0.01, low=0, high=1),
        blocks=table.whole("blocks", 4, low=1, high=4096),
        ranking=table.number("ranking", 0.5, low=0, high=100),
        copies=table.number("copies", 0.5, low=0, high=100),
        strangers=table.number("strangers", 0.3, low=0, high=100),
        precision=table.choice("precision", get_args(Precision), "bfloat16"),
        threads=table.whole("threads", 2, low=1, high=1024),
        seed=table.whole("seed", 1, low=0),
        save_every=table.whole("save_every", 100, low=1, high=_MOST_STEPS),
    )
