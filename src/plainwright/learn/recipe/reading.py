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
from typing import Any

from plainwright import corpora
from plainwright.errors import DataError, PlainwrightError, UnknownNameError
from plainwright.files import is_there
from plainwright.learn.recipe.commands import WITHOUT_EFFECT, Commands, CommandShape, Option
from plainwright.learn.recipe.inputs import Input
from plainwright.learn.recipe.model import OptionValue, Recipe, Stage
from plainwright.learn.recipe.references import NAME, Reference, Template
from plainwright.tables import parse_toml, read_toml

__all__ = ["load"]

_KEYS = {
    "": ("recipe", "inputs", "stages"),
    "recipe": ("name", "description", "results"),
    "stage": ("command", "arguments", "options", "saves", "needs", "version"),
}
_PART_OF_SET = re.compile(r":\d+-\d+$")


def load(path: str | Path, commands: Commands, *, changes: Mapping[str, str] | None = None) -> Recipe:
    """Read a recipe and check all that can be checked without its inputs.

    `changes` are other values for `inputs.NAME` and `stages.NAME.options.OPTION`; paths among them are relative to the
    current directory.
    """
    path = Path(path)
    table = read_toml(path, of="a recipe in TOML")
    return _Reader(path, table, commands, changes or {}).recipe()


class _Reader:
    def __init__(self, path: Path, table: dict[str, Any], commands: Commands, changes: Mapping[str, str]) -> None:
        self._path = path
        self._table = table
        self._commands = commands
        self._changes = changes

    def recipe(self) -> Recipe:
        self._check_keys("", self._table, _KEYS[""])
        head = self._section("recipe")
        self._check_keys("[recipe]", head, _KEYS["recipe"])
        tables = {name: self._mapping(f"[stages.{name}]", table) for name, table in self._section("stages").items()}
        if not tables:
            raise self._wrong(place="[stages]", expected="at least one stage", found={})
        inputs = self._inputs()
        self._change(inputs, tables)
        recipe = Recipe(
            path=self._path,
            name=self._name("[recipe] name", head.get("name", self._path.stem)),
            description=self._text("[recipe] description", head.get("description", "")),
            inputs=inputs,
            stages={self._name("[stages]", name): self._stage(name, table) for name, table in tables.items()},
        )
        results = self._texts("[recipe] results", head.get("results", []))
        _check_references(recipe)
        _check_files(recipe)
        _check_use(recipe, results)
        return recipe

    def _inputs(self) -> dict[str, Input]:
        folder = self._path.absolute().parent
        return {
            self._name("[inputs]", name): Input(name=name, given=self._text(f"[inputs] {name}", given), folder=folder)
            for name, given in self._section("inputs").items()
        }

    def _change(self, inputs: dict[str, Input], tables: dict[str, dict[str, Any]]) -> None:
        """Put the changes of the caller into what was read."""
        for key, value in self._changes.items():
            match key.split("."):
                case ["inputs", name]:
                    self._check_known("input", name, inputs)
                    inputs[name] = Input(name=name, given=value, folder=Path.cwd())
                case ["stages", name, "options", option]:
                    self._check_known("stage", name, tables)
                    options = self._mapping(f"[stages.{name}] options", tables[name].get("options", {}))
                    tables[name] = {**tables[name], "options": {**options, option: _toml_value(value)}}
                case _:
                    msg = f"{key!r} cannot be set; expected inputs.NAME or stages.NAME.options.OPTION"
                    raise DataError(msg)

    def _stage(self, name: str, table: dict[str, Any]) -> Stage:
        place = f"[stages.{name}]"
        self._check_keys(place, table, _KEYS["stage"])
        command = tuple(self._text(f"{place} command", table.get("command")).split())
        try:
            shape = self._commands.find(command)
        except PlainwrightError as error:
            raise self._problem(place=f"{place} command", what=str(error)) from None
        given = self._mapping(f"{place} options", table.get("options", {}))
        arguments = self._list(f"{place} arguments", table.get("arguments", []))
        found = {key: self._option(place, shape, key) for key in given}
        stage = Stage(
            name=name,
            command=command,
            arguments=tuple(self._template(f"{place} arguments", argument) for argument in arguments),
            options={found[key]: self._value(f"{place} options.{key}", found[key], given[key]) for key in given},
            saves=self._saves(place, table.get("saves")),
            version=self._number(f"{place} version", table.get("version", 1)),
            needs=self._texts(f"{place} needs", table.get("needs", [])),
            defaults={},
            checkpoint="checkpoint" in shape.options and "checkpoint" not in given,
        )
        return self._parsed(place, shape, self._with_save(place, shape, stage))

    def _with_save(self, place: str, shape: CommandShape, stage: Stage) -> Stage:
        """A single result that no `{out}` places goes to the option --save of the command."""
        written = {reference.name for reference in stage.references if reference.kind == "out"}
        for name in written:
            if name not in stage.saves:
                self._check_known(f"result of {place}", name, [name for name in stage.saves if name])
        if missing := [name for name in stage.saves if name and name not in written]:
            raise self._problem(
                place=f"{place} saves", what=f"expected {{out.{missing[0]}}} in the command, found it nowhere"
            )
        if "" not in stage.saves or "" in written:
            return stage
        if "save" not in shape.options:
            raise self._problem(
                place=f"{place} saves", what="this command has no --save; write {out} where the name belongs"
            )
        return replace(stage, options={**stage.options, shape.options["save"]: (Template((Reference(kind="out"),)),)})

    def _parsed(self, place: str, shape: CommandShape, stage: Stage) -> Stage:
        """The stage with the defaults of its command, which has seen all values but those of references."""
        line = stage.command_line(str)[len(stage.command) :]
        try:
            parsed = shape.parse(line)
        except PlainwrightError as error:
            raise self._problem(place=place, what=str(error)) from None
        for parameter, value in (*parsed.files, *parsed.texts):
            if value == "-":
                raise self._problem(
                    place=f"{place} {parameter}", what="a stage cannot read standard input; name a file"
                )
        for parameter, value in parsed.files:
            if "{" not in value and parameter not in WITHOUT_EFFECT:
                raise self._undeclared(place=f"{place} {parameter}", value=value)
        for parameter, value in parsed.texts:
            if "{" not in value and self._names_data(value):
                raise self._undeclared(place=f"{place} {parameter}", value=value)
        known = {name: value for name, value in parsed.defaults.items() if name not in WITHOUT_EFFECT}
        return replace(stage, defaults=known)

    def _names_data(self, value: str) -> bool:
        """Whether a string is the name of a registered set, or that of a file as in NAME=FILE."""
        name = _PART_OF_SET.sub("", value.rpartition("=")[2])
        if name in corpora.names():
            return True
        return ("/" in name or "." in name) and is_there(self._path.parent / name)

    def _undeclared(self, *, place: str, value: str) -> DataError:
        name = f'"corpus:{value}"' if value in corpora.names() else repr(value)
        return self._problem(
            place=place, what=f"{value!r} is data; name it under [inputs] as {name} and write {{inputs.NAME}} here"
        )

    def _option(self, place: str, shape: CommandShape, name: str) -> Option:
        if name not in shape.options:
            kind = f"option in {self._path}: {place}"
            raise UnknownNameError.suggest(kind, name, shape.options, listing=_listing(sorted(shape.options)))
        return shape.options[name]

    def _value(self, place: str, option: Option, value: object) -> OptionValue:
        if isinstance(value, bool):
            if option.takes_value:
                raise self._wrong(place=place, expected="a value", found=value)
            return value
        if not option.takes_value:
            raise self._wrong(place=place, expected="true or false", found=value)
        if isinstance(value, list) and not option.repeatable:
            raise self._wrong(place=place, expected="a single value", found=value)
        values = value if isinstance(value, list) else [value]
        return tuple(self._template(place, item) for item in values)

    def _template(self, place: str, value: object) -> Template:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise self._wrong(place=place, expected="a string or a number", found=value)
        try:
            return Template.parse(str(value))
        except DataError as error:
            raise self._problem(place=place, what=str(error)) from None

    def _saves(self, place: str, value: object) -> dict[str, str]:
        if isinstance(value, dict) and value:
            files = {self._name(f"{place} saves", name): file for name, file in value.items()}
        else:
            files = {"": value}
        for file in files.values():
            if not isinstance(file, str) or not _is_plain_name(file):
                raise self._wrong(
                    place=f"{place} saves",
                    expected="the name of a file, without folders, or a table of them",
                    found=file,
                )
        return files

    def _section(self, name: str) -> dict[str, Any]:
        return self._mapping(f"[{name}]", self._table.get(name, {}))

    def _mapping(self, place: str, value: object) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self._wrong(place=place, expected="a table", found=value)
        return value

    def _list(self, place: str, value: object) -> list[Any]:
        if not isinstance(value, list):
            raise self._wrong(place=place, expected="a list", found=value)
        return value

    def _text(self, place: str, value: object) -> str:
        if not isinstance(value, str):
            raise self._wrong(place=place, expected="a string", found=value)
        return value

    def _texts(self, place: str, value: object) -> tuple[str, ...]:
        return tuple(self._text(place, item) for item in self._list(place, value))

    def _number(self, place: str, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._wrong(place=place, expected="a whole number", found=value)
        return value

    def _name(self, place: str, value: object) -> str:
        if not isinstance(value, str) or NAME.fullmatch(value) is None:
            raise self._wrong(place=place, expected="a name of letters, digits, - and _", found=value)
        return value

    def _check_keys(self, place: str, table: Mapping[str, object], known: Collection[str]) -> None:
        for key in table:
            self._check_known("key", key, known, place=place)

    def _check_known(self, kind: str, name: str, known: Collection[str], *, place: str = "") -> None:
        if name not in known:
            where = " ".join(part for part in (f"{kind} in {self._path}:", place) if part)
            raise UnknownNameError.suggest(where, name, known, listing=_listing(known))

    def _problem(self, *, place: str, what: str) -> DataError:
        return DataError(f"{self._path}: {place}: {what}")

    def _wrong(self, *, place: str, expected: str, found: object) -> DataError:
        shown = "nothing" if found is None else f"{found!r:.60}"
        return self._problem(place=place, what=f"expected {expected}, found {shown}")


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
            place = f"{recipe.path}: [stages.{stage.name}] {reference}:"
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
                msg = f"{recipe.path}: [stages.{stage.name}] saves: {file!r} is saved by {owners[file]!r} already"
                raise DataError(msg)
            owners[file] = stage.name


def _check_use(recipe: Recipe, results: Collection[str]) -> None:
    """Every input is used, and every stage leads to a result where results are named."""
    used = {
        reference.name for stage in recipe.stages.values() for reference in stage.reads if reference.kind == "inputs"
    }
    if idle := [name for name in recipe.inputs if name not in used]:
        msg = f"{recipe.path}: [inputs] {idle[0]}: no stage uses it; remove it, or write {{inputs.{idle[0]}}} somewhere"
        raise DataError(msg)
    leading = {stage.name for stage in recipe.chosen(results)}
    if idle := [name for name in recipe.stages if name not in leading]:
        msg = (
            f"{recipe.path}: [stages.{idle[0]}] leads to none of the results ({', '.join(results)}); "
            "add it to `results`, or remove it"
        )
        raise DataError(msg)
