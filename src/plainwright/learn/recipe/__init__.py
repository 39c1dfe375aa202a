"""Recipes: from data to a model in stages, each run only when something that it depends on has changed.

`load` reads and checks a recipe, `plan` says what must be done and why, `run` does it. The stages are plainwright's
own commands; whoever calls says which there are (`plainwright.cli.commands.CommandLine`).
"""

from __future__ import annotations

from plainwright.learn.recipe.commands import Commands, CommandShape, Option, Parsed
from plainwright.learn.recipe.digests import Content
from plainwright.learn.recipe.inputs import Input, shown
from plainwright.learn.recipe.model import Recipe, Stage
from plainwright.learn.recipe.planning import Plan, Read, Step, plan
from plainwright.learn.recipe.processes import PROGRESS_MARK
from plainwright.learn.recipe.reading import load
from plainwright.learn.recipe.receipts import Receipt, Saved
from plainwright.learn.recipe.references import Reference, Template
from plainwright.learn.recipe.running import Outcome, Result, Watcher, run

__all__ = [
    "PROGRESS_MARK",
    "CommandShape",
    "Commands",
    "Content",
    "Input",
    "Option",
    "Outcome",
    "Parsed",
    "Plan",
    "Read",
    "Receipt",
    "Recipe",
    "Reference",
    "Result",
    "Saved",
    "Stage",
    "Step",
    "Template",
    "Watcher",
    "load",
    "plan",
    "run",
    "shown",
]
