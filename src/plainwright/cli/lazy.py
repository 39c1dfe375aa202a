"""Commands whose modules load when they run: what `--help` lists, it lists from a table.

A group is a Typer application made by `lazy_group`. Its table has a name, where the command is ("module:function", or
"module:app" for a group of its own) and one line of help for each command.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

__all__ = ["SETTINGS", "lazy_group"]

# Plain help: rich's would double the time that --help takes.
SETTINGS: dict[str, Any] = {
    "add_completion": False,
    "no_args_is_help": True,
    "rich_markup_mode": None,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}

Table = Mapping[str, tuple[str, str]]


class _Commands(dict[str, Any]):
    """The commands of a group by name; each is loaded when it is first asked for."""

    def __init__(self, table: Table) -> None:
        super().__init__(dict.fromkeys(table))
        self.table = table

    def __getitem__(self, name: str) -> Any:
        command = super().__getitem__(name)
        if command is None:
            command = self[name] = _loaded(name, *self.table[name])
        return command

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self.table else default

    def values(self) -> ValuesView[Any]:  # type: ignore[override]
        return {name: self[name] for name in self}.values()

    def items(self) -> ItemsView[str, Any]:  # type: ignore[override]
        return {name: self[name] for name in self}.items()


class _SectionedCommand(TyperCommand):
    """Shows options with a panel under a heading of their own, behind all others, in plain help too."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write a section for arguments, for options, and for each panel."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                usual = "Arguments" if param.param_type_name == "argument" else "Options"
                sections.setdefault(getattr(param, "rich_help_panel", None) or usual, []).append(record)
        for heading, records in sections.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


def _loaded(name: str, place: str, short_help: str) -> Any:
    module, _, attribute = place.partition(":")
    found = getattr(import_module(module), attribute)
    if not isinstance(found, typer.Typer):
        alone = typer.Typer(**SETTINGS)
        alone.command(name, cls=_SectionedCommand, short_help=short_help)(found)
        found = alone
    command = get_command(found)
    command.name = name
    return command


def lazy_group(table: Table, **settings: Any) -> typer.Typer:
    """A Typer application with these commands."""

    class LazyGroup(TyperGroup):
        """Commands from the table."""

        def __init__(self, **attributes: Any) -> None:
            super().__init__(**attributes)
            self.commands = _Commands(table)

        def format_commands(self, ctx: Any, formatter: Any) -> None:
            """The table, with every line whole."""
            with formatter.section("Commands"):
                formatter.write_dl(list(_rows(table)))

    app = typer.Typer(cls=LazyGroup, **{**SETTINGS, **settings})

    @app.callback()
    def _group() -> None:
        """Without a callback, an application without commands of its own is an error."""

    return app


def _rows(table: Table) -> Iterator[tuple[str, str]]:
    for name, (_, short_help) in table.items():
        yield name, short_help
