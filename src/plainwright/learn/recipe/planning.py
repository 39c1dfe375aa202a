"""Which stages must run and why; the same judgement serves the dry run and the run.

A stage is kept if the digest of its ingredients is the one on its receipt, and what it saved is still there.
Ingredients are contents, never times or histories: a stage that is made anew with the same bytes lets all that follow
rest.
"""

from __future__ import annotations

import importlib.metadata
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from plainwright import __version__
from plainwright.errors import DataError
from plainwright.learn.recipe.commands import WITHOUT_EFFECT
from plainwright.learn.recipe.digests import Content, Digests, digest_of
from plainwright.learn.recipe.model import Recipe, Stage
from plainwright.learn.recipe.receipts import Receipt
from plainwright.learn.recipe.references import Reference

__all__ = ["Plan", "Read", "Step", "WorkFolder", "check_start", "judge", "plan"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """Names what a stage reads; the content of what is yet to be made is unknown."""

    label: str
    text: str  # as it stands in the command
    content: Content | None

    @property
    def is_input(self) -> bool:
        """Whether it was there before the recipe."""
        return self.label.startswith("inputs.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Places a stage in a plan."""

    stage: Stage
    state: Literal["run", "kept"]
    reason: str
    reads: tuple[Read, ...]
    before: Receipt | None  # of the last time that the stage was done
    ingredients: Mapping[str, Any] | None  # None while a stage before it is not done

    @property
    def key(self) -> str:
        """Digest of the ingredients."""
        return digest_of(json.dumps(self.ingredients, sort_keys=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Lists all chosen stages, in an order in which they could run."""

    recipe: Recipe
    work: WorkFolder
    steps: tuple[Step, ...]

    @property
    def input_bytes(self) -> int:
        """Of all inputs, each counted once."""
        inputs = {read.text: read.content for step in self.steps for read in step.reads if read.is_input}
        return sum(content.bytes for content in inputs.values() if content is not None)

    @property
    def to_run(self) -> int:
        """How many stages must run, as far as can be told now."""
        return sum(step.state == "run" for step in self.steps)


class WorkFolder:
    """Knows where results lie, and beside them what is known of them."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.state = self.folder / ".recipe"
        self.digests = Digests(self.state / "digests.json")

    def receipt_path(self, stage: str) -> Path:
        """Return where the receipt of a finished stage lies."""
        return self.state / "receipts" / f"{stage}.json"

    def made(self) -> set[str]:
        """Return all files that some stage made."""
        receipts = map(Receipt.read, (self.state / "receipts").glob("*.json"))
        return {saved.file for receipt in receipts if receipt is not None for saved in receipt.saved.values()}

    def unfinished(self, stage: str) -> Path:
        """Return where a stage works until it is done."""
        return self.state / "unfinished" / stage


def plan(recipe: Recipe, work: str | Path, *, stages: Collection[str] = (), force: Collection[str] = ()) -> Plan:
    """Plan what `run` would do now; nothing is written."""
    folder = WorkFolder(work)
    chosen = recipe.chosen(stages)
    check_start(recipe, folder, chosen, force)
    done: dict[str, Receipt] = {}
    steps = []
    for stage in chosen:
        step = judge(recipe, folder, stage, done, forced=stage.name in force)
        steps.append(step)
        if step.state == "kept" and step.before is not None:
            done[stage.name] = step.before
    return Plan(recipe=recipe, work=folder, steps=tuple(steps))


def judge(recipe: Recipe, work: WorkFolder, stage: Stage, done: Mapping[str, Receipt], *, forced: bool = False) -> Step:
    """Return whether a stage must run, given the receipts of those stages before it that are done."""
    before = Receipt.read(work.receipt_path(stage.name))
    reads = tuple(_read(recipe, work, reference, done) for reference in stage.reads)
    known = all(name in done for name in stage.after)
    ingredients = _ingredients(recipe, stage, reads) if known else None
    reason = "forced" if forced else _reason(work, stage, before, ingredients, reads, done)
    return Step(
        stage=stage,
        state="run" if reason else "kept",
        reason=reason,
        reads=reads,
        before=before,
        ingredients=ingredients,
    )


def check_start(recipe: Recipe, work: WorkFolder, stages: Sequence[Stage], force: Collection[str]) -> None:
    """Refuse to start if something is missing, or would be lost."""
    for name in force:
        recipe.check_stage(name)
    if work.folder.exists() and not work.folder.is_dir():
        msg = f"{work.folder}: expected a work folder, found a file; give another --work"
        raise DataError(msg)
    problems = [problem for stage in stages for problem in _problems(recipe, stage)]
    if problems:
        way = "; --set inputs.NAME=PATH names another place" if any("inputs." in text for text in problems) else ""
        msg = f"{recipe.path}: {'; '.join(dict.fromkeys(problems))}{way}"
        raise DataError(msg)
    made = work.made()
    for stage in stages:
        _check_results(recipe, work, stage, made)
        _check_place(recipe, work, stage)


def _problems(recipe: Recipe, stage: Stage) -> Iterator[str]:
    for reference in stage.reads:
        if reference.kind == "inputs" and (problem := recipe.inputs[reference.name].problem(reference.tail)):
            yield f"inputs.{reference.name}: {problem}"
    for package in stage.needs:
        try:
            importlib.metadata.version(package)
        except (importlib.metadata.PackageNotFoundError, ValueError):
            yield f"stages.{stage.name}.needs: the package {package!r} is not installed (`pip install {package}`)"


def _check_results(recipe: Recipe, work: WorkFolder, stage: Stage, made: Collection[str]) -> None:
    """A file that no run made is never replaced, nor is an input."""
    for file in stage.saves.values():
        place = work.folder / file
        if not place.exists():
            continue
        if file not in made and not work.unfinished(stage.name).exists():
            msg = f"{place}: stage {stage.name!r} would replace it, which no stage made; move it or give another --work"
            raise DataError(msg)
        for other in recipe.inputs.values():
            if other.corpus is None and not other.problem() and place.samefile(other.path()):
                msg = f"{place}: stage {stage.name!r} would replace inputs.{other.name}; give another --work"
                raise DataError(msg)


def _check_place(recipe: Recipe, work: WorkFolder, stage: Stage) -> None:
    """A folder in which we work would be another one each time that it is read."""
    for reference in stage.reads:
        if reference.kind == "inputs" and recipe.inputs[reference.name].corpus is None:
            path = recipe.inputs[reference.name].path(reference.tail).resolve()
            if path.is_dir() and work.folder.resolve().is_relative_to(path):
                msg = f"{work.folder}: expected a work folder outside {reference.label}; give another --work"
                raise DataError(msg)


def _read(recipe: Recipe, work: WorkFolder, reference: Reference, done: Mapping[str, Receipt]) -> Read:
    if reference.kind == "inputs":
        source = recipe.inputs[reference.name]
        content = source.content(work.digests, reference.tail)
        return Read(label=reference.label, text=source.text(reference.tail), content=content)
    file = recipe.stages[reference.name].saves[reference.output]
    receipt = done.get(reference.name)
    if receipt is None:
        made = None
    elif reference.tail:
        made = work.digests.of(Path(f"{work.folder / file}{reference.tail}"))
    else:
        made = receipt.saved[reference.output].content
    return Read(label=reference.label, text=file + reference.tail, content=made)


def _ingredients(recipe: Recipe, stage: Stage, reads: Sequence[Read]) -> dict[str, Any]:
    by_label = {read.label: read for read in reads}

    def content_of(reference: Reference) -> str:
        if reference.kind == "out":
            return str(reference)
        read = by_label[reference.label]
        # Names of files may find their way into a result, those of folders do not.
        return f"<{read.content.sha256 if read.content else ''} {_last_name(recipe, reference, read)}>"

    return {
        "plainwright": __version__,
        "command": " ".join(stage.command),
        "arguments": [template.fill(content_of) for template in stage.arguments],
        "options": {
            option.name: value if isinstance(value, bool) else [template.fill(content_of) for template in value]
            for option, value in stage.options.items()
            if option.name not in WITHOUT_EFFECT
        },
        "defaults": dict(stage.defaults),
        "saves": dict(stage.saves),
        "packages": {package: importlib.metadata.version(package) for package in stage.needs},
        "version": stage.version,
    }


def _last_name(recipe: Recipe, reference: Reference, read: Read) -> str:
    is_set = reference.kind == "inputs" and recipe.inputs[reference.name].corpus is not None
    return read.text if is_set else Path(read.text).name


def _reason(
    work: WorkFolder,
    stage: Stage,
    before: Receipt | None,
    ingredients: Mapping[str, Any] | None,
    reads: Sequence[Read],
    done: Mapping[str, Receipt],
) -> str:
    """Why a stage must run; nothing if it need not."""
    if before is None:
        return "never finished" if work.unfinished(stage.name).exists() else "never run"
    if ingredients is None:
        return f"after {', '.join(name for name in stage.after if name not in done)}"
    if changed := _changed(before, ingredients, reads):
        return changed
    if {name: saved.file for name, saved in before.saved.items()} != stage.saves:
        return "saves changed"
    for saved in before.saved.values():
        place = work.folder / saved.file
        if not place.exists():
            return f"{saved.file} is missing"
        if work.digests.of(place) != saved.content:
            return f"{saved.file} was changed"
    return ""


def _changed(before: Receipt, ingredients: Mapping[str, Any], reads: Sequence[Read]) -> str:
    if ingredients == before.ingredients:
        return ""
    for read in reads:
        if read.content is not None and before.reads.get(read.label, read.content.sha256) != read.content.sha256:
            return f"{read.label} changed"
    for name, value in ingredients.items():
        was = before.ingredients.get(name)
        if isinstance(value, dict) and isinstance(was, dict):
            for inner in (*value, *was):
                if value.get(inner) != was.get(inner):
                    return f"{_SINGULAR.get(name, name)} {inner}".strip() + " changed"
        if value != was:
            return f"{name} changed"
    return "made by another version"


_SINGULAR = {"options": "option", "defaults": "default of", "packages": "package"}
