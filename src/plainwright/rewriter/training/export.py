"""Writes a trained rewriter as the directory that `plainwright.rewriter.model.Rewriter` opens."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plainwright.files import atomic_write
from plainwright.rewriter.finding import SETTINGS
from plainwright.rewriter.graph import Shape, write_graph
from plainwright.rewriter.model import Rewriter
from plainwright.rewriter.training.base import Base
from plainwright.rewriter.training.batches import longest
from plainwright.rewriter.training.recipe import RewriterRecipe
from plainwright.rewriter.training.vocabulary import SmallVocabulary
from plainwright.tables import write_tables

__all__ = ["TrainingFacts", "export_rewriter"]

_FILES = {"graph": "rewriter.onnx", "weights": "rewriter.weights", "tokenizer": "tokenizer.json"}
_MOST_TOKENS = 300  # of a source


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingFacts:
    """What a card says of a training."""

    base: str
    base_licence: str
    base_sha256: str
    pairs: int
    held_out_pairs: int
    steps: int
    held_out_loss: float | None
    held_out_loss_as_kept: float | None
    recipe: str  # digest of all that decided the weights
    self_pairs: int | None = None
    risk_steps: int | None = None


def export_rewriter(
    folder: Path,
    weights: Mapping[str, npt.NDArray[np.float32]],
    base: Base,
    vocabulary: SmallVocabulary,
    recipe: RewriterRecipe,
    facts: TrainingFacts,
) -> Rewriter:
    """Write graph, weights, tokenizer, settings and card, and open the result."""
    unfinished = folder.with_suffix(".part")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    shape = Shape(**asdict(base.sizes), vocabulary=len(vocabulary.rows))
    bits = {name: recipe.bits.of(name, recipe.training.frozen_layers) for name in weights}
    write_graph(weights, shape, bits, unfinished / _FILES["graph"])
    with atomic_write(unfinished / _FILES["tokenizer"]) as stream:
        stream.write(vocabulary.tokenizer)
    shutil.copymode(unfinished / _FILES["tokenizer"], unfinished / _FILES["weights"])  # onnx hides it from others
    tables = _tables(unfinished, vocabulary, recipe, facts)
    _write_settings(unfinished, tables)
    digest = Rewriter(unfinished).digest  # what cannot be opened never gets its name
    _write_settings(unfinished, {**tables, "rewriter": {**tables["rewriter"], "digest": digest}})
    with atomic_write(unfinished / "CARD.md") as stream:
        stream.write(_card(recipe, facts, digest))
    shutil.rmtree(folder, ignore_errors=True)
    unfinished.rename(folder)
    return Rewriter(folder)


def _write_settings(folder: Path, tables: Mapping[str, Mapping[str, Any]]) -> None:
    with atomic_write(folder / SETTINGS) as stream:
        write_tables(stream, tables)


def _tables(
    folder: Path, vocabulary: SmallVocabulary, recipe: RewriterRecipe, facts: TrainingFacts
) -> dict[str, Mapping[str, Any]]:
    about = {name: getattr(recipe, name) for name in ("name", "version", "licence", "description")}
    most = min(_MOST_TOKENS, longest(recipe.training) * 3 // 5)
    return {
        "rewriter": about,
        "files": _FILES,
        "sizes": {kind: (folder / name).stat().st_size for kind, name in _FILES.items()},
        "tokens": {**vocabulary.tokens.table(), "most": most},
        "training": {name: value for name, value in asdict(facts).items() if value is not None},
    }


def _card(recipe: RewriterRecipe, facts: TrainingFacts, digest: str) -> str:
    training, bits = recipe.training, recipe.bits
    lines = [f"# {recipe.name} {recipe.version}", ""]
    lines += [recipe.description, ""] if recipe.description else []
    lines += [
        "| | |",
        "|---|---|",
        f"| licence | {recipe.licence or 'not named'} |",
        f"| begun from | {facts.base} ({facts.base_licence}), SHA-256 {facts.base_sha256} |",
        f"| pairs learnt from | {facts.pairs:,}; held out: {facts.held_out_pairs:,} |",
        f"| steps | {facts.steps:,}, the last {min(training.decay_steps, facts.steps):,} at a falling rate |",
        f"| bits | frozen layers {bits.frozen}, attention {bits.attention}, feed-forward {bits.feedforward} |",
    ]
    if facts.self_pairs is not None:
        lines.append(f"| pairs of its own, chosen by judges | {facts.self_pairs:,} |")
    if facts.risk_steps is not None:
        lines.append(f"| steps of minimum-risk training | {facts.risk_steps:,} |")
    if facts.held_out_loss is not None:
        lines.append(
            f"| loss on held-out pairs | {facts.held_out_loss:.4f}; as kept {facts.held_out_loss_as_kept:.4f} |"
        )
    lines += [f"| recipe | {facts.recipe} |", f"| digest | {digest} |"]
    return "\n".join([*lines, "", "Made by `plainwright learn rewriter`.", ""])
