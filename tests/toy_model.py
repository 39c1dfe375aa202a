"""A model directory with a few rules written by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plainwright.decode.bundle import ModelBundle
from plainwright.grammar import PackedGrammar, pack_files
from plainwright.rewrite import Simplifier, scfg_pipeline

WEIGHTS = {"good": 1.0, "IdentityRule": 0.5}


def write_model(folder: Path, rules: str, *, weights: Mapping[str, float] = WEIGHTS, **settings: int) -> Path:
    """Pack the rules, write `model.toml` beside them, and return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "rules.txt").write_text(rules, encoding="utf-8")
    pack_files([folder / "rules.txt"], folder / "rules.pack")
    ModelBundle(
        name="toy",
        version="1",
        licence="CC0-1.0",
        grammars=("rules.pack",),
        language_model=None,
        weights=weights,
        settings=settings,
    ).save(folder)
    return folder


def simplifier_of(grammars: Sequence[PackedGrammar], **options: Any) -> Simplifier:
    """A simplifier that asks these rules; `scfg_pipeline` has the options."""
    return Simplifier(scfg_pipeline(grammars, **options))
