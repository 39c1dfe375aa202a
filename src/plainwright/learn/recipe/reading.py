"""From a TOML file to a `Recipe`: every key, name, reference, option and value is checked before any work.

[recipe]          name, description, results
[inputs]          NAME = "path", "corpus:NAME" or "package:NAME/path"
[stages.NAME]     command, arguments, options, saves, needs, version
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from plainwright import corpora
from plainwright.errors import DataError, PlainwrightError, UnknownNameError
from plainwright.files import is_there
from plainwright.learn.recipe.commands import WITHOUT_EFFECT, Commands, CommandShape, Option
from plainwright.learn.recipe.inputs import Input
from plainwright.learn.recipe.model import OptionValue, Recipe, Stage
from plainwright.learn.recipe.references import NAME, Reference, Template
from plainwright.tables import TableReader, parse_toml

__all__ = ["load"]

_PART_OF_SET = re.compile(r":\d+-\d+$")


def load(path: str | Path, commands: Commands, *, changes: Mapping[str, str] | None = None) -> Recipe:
    """Read a recipe and check all that can be checked without its inputs.

    `changes` are other values for `inputs.NAME` and `stages.NAME.options.OPTION`; paths among them are relative to the
    current directory.
    """
    path = Path(path)
    table = TableReader.read(path, of="a recipe in TOML")
    return _Reader(path, table, commands, changes or {}).recipe()


class _Reader:
    def __init__(self, path: Path, table: TableReader, commands: Commands, changes: Mapping[str, str]) -> None:
        self._path = path
        self._table = table
        self._commands = commands
        self._changes = changes

    def recipe(self) -> Recipe:
        self._table.check_keys("recipe", "inputs", "stages")
        head = self._table.section("recipe")
        head.check_keys("name", "description", "results")
        stages = self._table.section("stages")
        if not [*stages]:
            raise self._table.wrong(key="stages", expected="at least one stage", found={})
        inputs = self._inputs(self._table.section("inputs"))
        options = self._changed(inputs, stages)
        recipe = Recipe(
            path=self._path,
            name=_name(head, "name", head.value("name", self._path.stem)),
            description=head.text("description", ""),
            inputs=inputs,
            stages={
                _name(self._table, "stages", name): self._stage(name, stages.section(name), options.get(name, {}))
                for name in stages
            },
        )
        results = head.texts("results")
        _check_references(recipe)
        _check_files(recipe)
        _check_use(recipe, results)
        return recipe

    def _inputs(self, table: TableReader) -> dict[str, Input]:
        folder = self._path.absolute().parent
        return {
            _name(self._table, "inputs", name): Input(name=name, given=table.text(name), folder=folder)
            for name in table
        }

    def _changed(self, inputs: dict[str, Input], stages: TableReader) -> dict[str, dict[str, object]]:
        """Put the caller's inputs into what was read; the options that the caller sets, by stage."""
        options: dict[str, dict[str, object]] = {}
        for key, value in self._changes.items():
            match key.split("."):
                case ["inputs", name]:
                    self._check_known(self._table, "inputs", "input", name, inputs)
                    inputs[name] = Input(name=name, given=value, folder=Path.cwd())
                case ["stages", name, "options", option]:
                    self._check_known(self._table, "stages", "stage", name, [*stages])
                    options.setdefault(name, {})[option] = _toml_value(value)
                case _:
                    msg = f"{key!r} cannot be set; expected inputs.NAME or stages.NAME.options.OPTION"
                    raise DataError(msg)
        return options

    def _stage(self, name: str, table: TableReader, changed: Mapping[str, object]) -> Stage:
        table.check_keys("command", "arguments", "options", "saves", "needs", "version")
        command = tuple(table.text("command").split())
        try:
            shape = self._commands.find(command)
        except PlainwrightError as error:
            raise table.problem(key="command", what=str(error)) from None
        own = table.section("options")
        given = {**{key: own.value(key) for key in own}, **changed}
        arguments = table.value("arguments", [])
        if not isinstance(arguments, list):
            raise table.wrong(key="arguments", expected="a list", found=arguments)
        found = {key: self._option(own, shape, key) for key in given}
        stage = Stage(
            name=name,
            command=command,
            arguments=tuple(_template(table, "arguments", argument) for argument in arguments),
            options={found[key]: _option_value(own, key, found[key], given[key]) for key in given},
            saves=_saves(table),
            version=table.whole("version", 1),
            needs=table.texts("needs"),
            defaults={},
            checkpoint="checkpoint" in shape.options and "checkpoint" not in given,
        )
        return self._parsed(table, shape, self._with_save(table, shape, stage))

    def _with_save(self, table: TableReader, shape: CommandShape, stage: Stage) -> Stage:
        """A single result that no `{out}` places goes to the option --save of the command."""
        written = {reference.name for reference in stage.references if reference.kind == "out"}
        for name in written:
            if name not in stage.saves:
                self._check_known(table, "saves", "result", name, [name for name in stage.saves if name])
        if missing := [name for name in stage.saves if name and name not in written]:
            raise table.problem(key="saves", what=f"expected {{out.{missing[0]}}} in the command, found it nowhere")
        if "" not in stage.saves or "" in written:
            return stage
        if "save" not in shape.options:
            raise table.problem(key="saves", what="this command has no --save; write {out} where the name belongs")
        return replace(stage, options={**stage.options, shape.options["save"]: (Template((Reference(kind="out"),)),)})

    def _parsed(self, table: TableReader, shape: CommandShape, stage: Stage) -> Stage:
        """The stage with the defaults of its command, which has seen all values but those of references."""
        line = stage.command_line(str)[len(stage.command) :]
        try:
            parsed = shape.parse(line)
        except PlainwrightError as error:
            raise table.problem(key="", what=str(error)) from None
        for parameter, value in (*parsed.files, *parsed.texts):
            if value == "-":
                raise table.problem(key=parameter, what="a stage cannot read standard input; name a file")
        for parameter, value in parsed.files:
            if "{" not in value and parameter not in WITHOUT_EFFECT:
                raise _undeclared(table, parameter, value)
        for parameter, value in parsed.texts:
            if "{" not in value and self._names_data(value):
                raise _undeclared(table, parameter, value)
        known = {name: value for name, value in parsed.defaults.items() if name not in WITHOUT_EFFECT}
        return replace(stage, defaults=known)

    def _names_data(self, value: str) -> bool:
        """Whether a string is the name of a registered set, or that of a file as in NAME=FILE."""
        name = _PART_OF_SET.sub("", value.rpartition("=")[2])
        if name in corpora.names():
            return True
        return ("/" in name or "." in name) and is_there(self._path.parent / name)

    def _option(self, options: TableReader, shape: CommandShape, name: str) -> Option:
        self._check_known(options, "", "option", name, sorted(shape.options))
        return shape.options[name]

    def _check_known(self, table: TableReader, key: str, kind: str, name: str, known: Collection[str]) -> None:
        if name not in known:
            kind = f"{kind} in {self._path}: {table.place(key)}:"
            raise UnknownNameError.suggest(kind, name, known, listing=_listing(known))


def _name(table: TableReader, key: str, value: object) -> str:
    if not isinstance(value, str) or NAME.fullmatch(value) is None:
        raise table.wrong(key=key, expected="a name of letters, digits, - and _", found=value)
    return value


def _undeclared(table: TableReader, key: str, value: str) -> DataError:
    name = f'"corpus:{value}"' if value in corpora.names() else repr(value)
    return table.problem(
        key=key, what=f"{value!r} is data; name it under [inputs] as {name} and write {{inputs.NAME}} here"
    )


def _option_value(options: TableReader, key: str, option: Option, value: object) -> OptionValue:
    if isinstance(value, bool):
        if option.takes_value:
            raise options.wrong(key=key, expected="a value", found=value)
        return value
    if not option.takes_value:
        raise options.wrong(key=key, expected="true or false", found=value)
    if isinstance(value, list) and not option.repeatable:
        raise options.wrong(key=key, expected="a single value", found=value)
    values = value if isinstance(value, list) else [value]
    return tuple(_template(options, key, item) for item in values)


def _template(table: TableReader, key: str, value: object) -> Template:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise table.wrong(key=key, expected="a string or a number", found=value)
    try:
        return Template.parse(str(value))
    except DataError as error:
        raise table.problem(key=key, what=str(error)) from None


def _saves(table: TableReader) -> dict[str, str]:
    value = table.value("saves")
    if isinstance(value, dict) and value:
        files = {_name(table, "saves", name): file for name, file in value.items()}
    else:
        files = {"": value}
    for file in files.values():
        if not isinstance(file, str) or not _is_plain_name(file):
            raise table.wrong(
                key="saves", expected="the name of a file, without folders, or a table of them", found=file
            )
    return files


def _toml_value(text: str) -> object:
    """A number, a truth value or a list, as TOML writes them; anything else is a string."""
    try:
        return parse_toml(f"value = {text}")["value"]
    except ValueError:
        return text


def _is_plain_name(name: str) -> bool:
    return bool(name) and Path(name).name == name and name[0] not in ".-" and "\0" not in name


def _listing(names: Collection[str]) -> str:
    return f"there are {', '.join(names)}" if names else "there are none"


def _check_references(recipe: Recipe) -> None:
    """References lead to inputs and to results of stages, and never in a circle."""
    for stage in recipe.stages.values():
        for reference in stage.reads:
            place = f"{recipe.path}: stages.{stage.name}: {reference}:"
            known: Collection[str] = recipe.inputs if reference.kind == "inputs" else recipe.stages
            if reference.name not in known:
                kind, listing = f"{reference.kind[:-1]} in {place}", _listing(known)
                raise UnknownNameError.suggest(kind, reference.name, known, listing=listing)
            if reference.kind == "stages":
                _check_result(recipe.stages[reference.name], reference, place)
    recipe.chosen(())


def _check_result(stage: Stage, reference: Reference, place: str) -> None:
    if reference.output in stage.saves:
        return
    several = ", ".join(f"{{stages.{stage.name}.{name}}}" for name in stage.saves if name)
    msg = f"{place} expected {several or f'{{stages.{stage.name}}}'}, found {reference}"
    raise DataError(msg)


def _check_files(recipe: Recipe) -> None:
    """No two stages save the same file."""
    owners: dict[str, str] = {}
    for stage in recipe.stages.values():
        for file in stage.saves.values():
            if file in owners:
                msg = f"{recipe.path}: stages.{stage.name}.saves: {file!r} is saved by {owners[file]!r} already"
                raise DataError(msg)
            owners[file] = stage.name


def _check_use(recipe: Recipe, results: Collection[str]) -> None:
    """Every input is used, and every stage leads to a result where results are named."""
    used = {
        reference.name for stage in recipe.stages.values() for reference in stage.reads if reference.kind == "inputs"
    }
    if idle := [name for name in recipe.inputs if name not in used]:
        msg = f"{recipe.path}: inputs.{idle[0]}: no stage uses it; remove it, or write {{inputs.{idle[0]}}} somewhere"
        raise DataError(msg)
    leading = {stage.name for stage in recipe.chosen(results)}
    if idle := [name for name in recipe.stages if name not in leading]:
        msg = (
            f"{recipe.path}: stages.{idle[0]}: leads to none of the results ({', '.join(results)}); "
            "add it to `results`, or remove it"
        )
        raise DataError(msg)
