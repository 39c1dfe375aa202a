"""Trainings that go on from trained weights, each in a folder of its own inside that of the recipe."""

from __future__ import annotations

import shutil
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from plainwright.files import atomic_write
from plainwright.rewriter.training.loop import TrainingJob
from plainwright.rewriter.training.recipe import Risk, SelfTraining

__all__ = ["continued", "folder_for"]

_KEY = "key"


def continued(job: TrainingJob, section: Risk | SelfTraining, folder: Path, key: str, *, every: int) -> dict[str, Any]:
    """Return what a job has that goes on from another: a rate that falls from the start, and rounded weights.

    It keeps a state `every` so many steps; `key` is the digest of all that decides its weights.
    """
    training = replace(
        job.training,
        rate=section.rate,
        warm_up=section.warm_up,
        seed=section.seed,
        decay_steps=section.steps,
        average=1,
        save_every=every,
    )
    changed = {"folder": folder, "training": training, "steps": section.steps, "stable": key, "schedule": key}
    return {field.name: getattr(job, field.name) for field in fields(TrainingJob)} | changed


def folder_for(folder: Path, key: str) -> Path:
    """Return a folder for work under a key; what another key left there goes."""
    try:
        is_own = (folder / _KEY).read_text(encoding="utf-8") == key
    except OSError:
        is_own = False
    if not is_own:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        with atomic_write(folder / _KEY) as stream:
            stream.write(key)
    return folder
