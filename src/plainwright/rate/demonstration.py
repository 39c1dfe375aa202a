"""A small study to try everything with: eight sentences in nine versions, controls, and a training with feedback."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from plainwright.errors import DataError
from plainwright.rate.creation import build_study, save_built, write_texts
from plainwright.rate.forms.base import Form, packaged_text
from plainwright.rate.forms.registry import form_named
from plainwright.rate.settings import Controls
from plainwright.rate.study_file import Material, StudyFile, database_url, read_study_file
from plainwright.rate.study_writing import CONSENT_FILE

__all__ = ["make_demo", "open_demo"]

_FILES = Path(__file__).resolve().parent / "demo"
_DATABASE = "study.db"


def open_demo(folder: Path, form: str | None = None, *, organiser: str, password: str, now: float) -> StudyFile:
    """The demonstration that was left in a folder, or a new one in a new or empty folder, "rank" unless told."""
    path = folder / "study.toml"
    if path.exists():
        ours, study = read_study_file(_FILES / path.name), read_study_file(path)
        # Nobody's own study is to be mistaken for a toy.
        systems = set() if form_named(study.settings.form).writes else set(ours.material.outputs)
        if study.settings.title == ours.settings.title and set(study.material.outputs) == systems:
            if form not in (None, study.settings.form):
                msg = (
                    f"{folder}: expected a demonstration of the form {form!r}, found one of {study.settings.form!r}; "
                    "leave out --form to go on with it, or name another directory"
                )
                raise DataError(msg)
            return replace(study, database=database_url(_DATABASE, folder))
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        msg = f"{folder}: expected a new or empty directory, or one with an earlier demonstration, found something else"
        raise DataError(msg)
    folder.mkdir(parents=True, exist_ok=True)
    return make_demo(folder, form or "rank", organiser=organiser, password=password, now=now)


def _for_writing(form: Form) -> dict[str, Any]:
    """Return what is different where there are no outputs."""
    return {"writing": form.writing, "edits": False, "controls": Controls()} if form.writes else {}


def make_demo(folder: Path, form: str = "rank", *, organiser: str, password: str, now: float) -> StudyFile:
    """Make the study in an existing folder, as `rate init` would; there is training if the form can use ours."""
    asked = form_named(form)
    ours = read_study_file(_FILES / "study.toml")
    settings = replace(
        ours.settings,
        form=form,
        aspects=asked.aspects,
        training=ours.settings.training if asked.demo_training else (),
        **_for_writing(asked),
        instructions=asked.instructions,
        consent=packaged_text(CONSENT_FILE),
    )
    systems = () if asked.writes else ours.material.outputs
    shown = replace(ours.material, outputs={system: ours.material.outputs[system] for system in systems})
    built = build_study(settings, shown)
    material = Material(source=folder / "source.txt", outputs={system: folder / f"{system}.txt" for system in systems})
    study = StudyFile(
        path=folder / "study.toml", settings=settings, database=database_url(_DATABASE, folder), material=material
    )
    with write_texts(study, _DATABASE):
        for path in _FILES.glob("*.txt"):
            shutil.copyfile(path, folder / path.name)
        save_built(built, study.database, organiser=organiser, password=password, now=now)
    return study
