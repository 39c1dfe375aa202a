"""Recipes of both kinds: those that begin with a language model, and those that begin with translation models."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from plainwright.rewriter.training.pivot.recipe import PivotRecipe, is_pivot_recipe, read_pivot_recipe
from plainwright.rewriter.training.pivot.run import learn_pivot_rewriter, pivot_status
from plainwright.rewriter.training.recipe import RewriterRecipe, read_recipe
from plainwright.rewriter.training.run import Outcome, Progress, learn_rewriter, training_status
from plainwright.stages import Status

__all__ = ["AnyRecipe", "learn", "read_any_recipe", "status_of"]

AnyRecipe = RewriterRecipe | PivotRecipe


def read_any_recipe(path: str | Path, changes: Mapping[str, str] | None = None) -> AnyRecipe:
    """Read a recipe of either kind; `changes` override values."""
    return read_pivot_recipe(path, changes) if is_pivot_recipe(path, changes) else read_recipe(path, changes)


def learn(recipe: AnyRecipe, work: str | Path, *, progress: Progress | None = None) -> Outcome:
    """Do all stages of a recipe that are not done yet."""
    if isinstance(recipe, PivotRecipe):
        return learn_pivot_rewriter(recipe, work, progress=progress)
    return learn_rewriter(recipe, work, progress=progress)


def status_of(recipe: AnyRecipe, work: str | Path) -> Status:
    """Return which stages are done, and the last figures that the training wrote down."""
    return pivot_status(recipe, work) if isinstance(recipe, PivotRecipe) else training_status(recipe, work)
