"""The list of every table and figure of the four papers: complete, and true of the commands that it names."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer

from plainwright.cli import main as cli
from plainwright.cli.options import expand_multiple
from plainwright.reproduce import INVENTORY, REPRODUCTIONS, Listed
from plainwright.reproduce.inventory import PAPERS

# Counted in the papers themselves, apart from the list in the package: (tables, figures).
PRINTED = {"xu2016": (7, 3), "sulem2018": (3, 0), "lens2023": (7, 5), "human-evaluation": (0, 2)}
# The files of our copies, for whoever has them beside the data.
COPIES = {
    "xu2016": "xu2016-optimizing-smt-for-simplification.md",
    "sulem2018": "sulem2018-bleu-not-suitable.txt",
    "lens2023": "maddela2023-lens.txt",
    "human-evaluation": "human-evaluation-simplicity-adequacy.txt",
}
RUNS = re.compile(r"plainwright reproduce ([\w.-]+)")


def places(paper: str) -> set[str]:
    return {listed.place for listed in INVENTORY if listed.paper == paper}


def name_of(listed: Listed) -> str:
    return f"{listed.paper} {listed.place}"


@pytest.mark.parametrize("paper", PRINTED)
def test_every_numbered_table_and_figure_is_listed(paper: str) -> None:
    tables, figures = PRINTED[paper]
    numbered = {f"Table {number}" for number in range(1, tables + 1)}
    numbered |= {f"Figure {number}" for number in range(1, figures + 1)}
    assert {place for place in places(paper) if place.startswith(("Table", "Figure"))} == numbered


@pytest.mark.parametrize("paper", COPIES)
def test_every_table_and_figure_that_the_paper_speaks_of_is_listed(paper: str, data_dir: Path) -> None:
    copy = data_dir.parent / "papers" / COPIES[paper]
    if not copy.exists():
        pytest.skip(f"no copy of {paper} beside the data")
    spoken_of = set(re.findall(r"(?:Table|Figure) \d+", copy.read_text(encoding="utf-8")))
    assert spoken_of
    assert spoken_of <= places(paper)


def test_nothing_is_listed_twice_or_for_a_paper_that_is_not_there() -> None:
    assert len({(listed.paper, listed.place) for listed in INVENTORY}) == len(INVENTORY)
    assert {listed.paper for listed in INVENTORY} == set(PAPERS) == set(PRINTED)


@pytest.mark.parametrize("listed", INVENTORY, ids=name_of)
def test_each_entry_has_a_command_or_says_why_there_is_none(listed: Listed) -> None:
    assert bool(listed.command) == (listed.status != "not possible")
    if listed.status != "reproduced":
        assert listed.remark  # which other data, or why it is not possible


def test_every_reproduction_is_listed_and_every_listed_one_is_there() -> None:
    listed = {match[1] for entry in INVENTORY if (match := RUNS.fullmatch(entry.command))}
    assert listed == set(REPRODUCTIONS)


@pytest.mark.parametrize("listed", [one for one in INVENTORY if one.command], ids=name_of)
def test_every_command_is_well_formed(listed: Listed) -> None:
    program, *words = shlex.split(listed.command)
    assert program == "plainwright"
    command, arguments = typer.main.get_command(cli.app), expand_multiple(words)
    while arguments and arguments[0] in getattr(command, "commands", {}):
        command, arguments = command.commands[arguments[0]], arguments[1:]
    command.make_context(listed.command, arguments)  # an unknown option or a missing argument is an error
