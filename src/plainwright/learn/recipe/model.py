"""A recipe as data: inputs, stages, and the order that their references make."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from plainwright.arguments import check_choice
from plainwright.errors import DataError
from plainwright.learn.recipe.commands import Option
from plainwright.learn.recipe.inputs import Input
from plainwright.learn.recipe.references import Reference, Template

__all__ = ["OptionValue", "Recipe", "Stage"]

OptionValue = bool | tuple[Template, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Runs one command, which saves files or directories."""

    name: str
    command: tuple[str, ...]
    arguments: tuple[Template, ...]
    options: Mapping[Option, OptionValue]
    saves: Mapping[str, str]  # name in references -> name in the work folder; the name of a single one is empty
    version: int  # to be raised when the result shall be made anew for a reason that nothing else tells
    needs: tuple[str, ...]  # Python packages whose version matters
    defaults: Mapping[str, str]  # of all parameters that the recipe leaves alone
    checkpoint: bool  # whether the command can go on where it was stopped

    @property
    def templates(self) -> tuple[Template, ...]:
        """All text in which references may stand."""
        values = (value for value in self.options.values() if not isinstance(value, bool))
        return (*(template for value in values for template in value), *self.arguments)

    @property
    def references(self) -> tuple[Reference, ...]:
        """Each once, in the order of the command."""
        return tuple(dict.fromkeys(reference for template in self.templates for reference in template.references))

    @property
    def reads(self) -> tuple[Reference, ...]:
        """Inputs and results of other stages."""
        return tuple(reference for reference in self.references if reference.kind != "out")

    @property
    def after(self) -> tuple[str, ...]:
        """The stages that must be done before."""
        return tuple(dict.fromkeys(reference.name for reference in self.reads if reference.kind == "stages"))

    def command_line(self, replace: Callable[[Reference], str]) -> list[str]:
        """Return the words of the command, with something in place of each reference."""
        arguments = [template.fill(replace) for template in self.arguments]
        # What begins with a dash would be taken for an option.
        mark = ["--"] if any(argument.startswith("-") for argument in arguments) else []
        return [*self.command, *self._options(replace), *mark, *arguments]

    def _options(self, replace: Callable[[Reference], str]) -> Iterator[str]:
        for option, value in self.options.items():
            if not isinstance(value, bool):
                yield from (f"--{option.name}={template.fill(replace)}" for template in value)
            elif value or option.negative:
                yield f"--{option.name if value else option.negative}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Everything a recipe says, checked; its files are not looked for before `plan` or `run`."""

    path: Path
    name: str
    description: str
    inputs: Mapping[str, Input]
    stages: Mapping[str, Stage]  # in the order of the file

    def chosen(self, names: Collection[str]) -> tuple[Stage, ...]:
        """Return these stages and all that they need, or all if none is named; each after those it depends on."""
        wanted = set(names) or set(self.stages)
        for name in wanted:
            self.check_stage(name)
        todo = list(wanted)
        while todo:
            new = set(self.stages[todo.pop()].after) - wanted
            wanted |= new
            todo += new
        return tuple(stage for stage in _in_order(self) if stage.name in wanted)

    def check_stage(self, name: str) -> None:
        """Refuse the name of a stage that does not exist."""
        check_choice(name, self.stages, f"stage of {self.path}:", listing="there are")


def _in_order(recipe: Recipe) -> list[Stage]:
    """Stages that could run, in the order of the file; a circle of references is an error."""
    order: dict[str, Stage] = {}
    while len(order) < len(recipe.stages):
        rest = [stage for name, stage in recipe.stages.items() if name not in order]
        ready = next((stage for stage in rest if all(name in order for name in stage.after)), None)
        if ready is None:
            circle = " needs ".join(_circle(recipe, rest[0].name, order))
            msg = f"{recipe.path}: expected stages that can run one after another, found a circle: {circle}"
            raise DataError(msg)
        order[ready.name] = ready
    return list(order.values())


def _circle(recipe: Recipe, name: str, done: Collection[str]) -> list[str]:
    path: list[str] = []
    while name not in path:
        path.append(name)
        name = next(other for other in recipe.stages[name].after if other not in done)
    return [*path[path.index(name) :], name]
