"""Published tables, computed again: the paper's value, ours, the difference and, where there is one, its cause."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from plainwright import corpora
from plainwright.errors import UnknownNameError
from plainwright.study.reproduce import human_evaluation, lens2023, sulem2018, xu2016, xu2016_figure2, xu2016_figure3
from plainwright.study.reproduce.table import Block, Cell, Finding, Reproduction, Sampling

__all__ = ["REPRODUCTIONS", "Block", "Cell", "Finding", "Recipe", "Reproduction", "Sampling", "reproduce"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """What can be computed again, and how."""

    title: str
    compute: Callable[[Path | None, Sampling], Reproduction]
    needs: tuple[str, ...]  # registered corpora


REPRODUCTIONS: Mapping[str, Recipe] = MappingProxyType(
    {
        "xu2016-table5": Recipe(xu2016.TABLE_5, lambda data, _: xu2016.table5(data), xu2016.NEEDS),
        "xu2016-figure2": Recipe(xu2016_figure2.TITLE, xu2016_figure2.figure2, xu2016_figure2.NEEDS),
        "xu2016-figure3": Recipe(xu2016_figure3.TITLE, xu2016_figure3.figure3, xu2016_figure3.NEEDS),
        "sulem2018-table1": Recipe(sulem2018.TABLE_1, sulem2018.table1, sulem2018.NEEDS["table1"]),
        "sulem2018-section4.2": Recipe(sulem2018.SECTION_42, sulem2018.section42, sulem2018.NEEDS["section4.2"]),
        "sulem2018-table2": Recipe(sulem2018.TABLE_2, sulem2018.table2, sulem2018.NEEDS["table2"]),
        "sulem2018-table3": Recipe(sulem2018.TABLE_3, sulem2018.table3, sulem2018.NEEDS["table3"]),
        "lens2023-table2": Recipe(lens2023.TITLE, lens2023.table2, lens2023.NEEDS),
        "human-evaluation": Recipe(human_evaluation.TITLE, human_evaluation.findings, human_evaluation.NEEDS),
    }
)


def reproduce(name: str, *, data: Path | None = None, sampling: Sampling | None = None) -> Reproduction:
    """Compute the table called `name` from the registered corpora."""
    if name not in REPRODUCTIONS:
        listing = f"choose one of {', '.join(REPRODUCTIONS)}"
        raise UnknownNameError.suggest(kind="table", name=name, known=REPRODUCTIONS, listing=listing)
    recipe = REPRODUCTIONS[name]
    for needed in recipe.needs:  # all before any work, and none left out in silence
        corpora.locate(needed, data=data)
    return recipe.compute(data, sampling or Sampling())
