"""Published tables, computed again: the paper's value, ours, the difference and, where there is one, its cause."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from plainwright import corpora
from plainwright.arguments import check_choice, check_text
from plainwright.errors import DataError
from plainwright.reproduce import (
    human_evaluation,
    lens2023,
    lens2023_figure2,
    lens2023_figure4,
    lens2023_generation,
    lens2023_ratings,
    lens2023_table6,
    sulem2018,
    xu2016,
    xu2016_figure2,
    xu2016_figure3,
    xu2016_systems,
    xu2016_table1,
    xu2016_table3,
)
from plainwright.reproduce.inventory import INVENTORY, Listed
from plainwright.reproduce.lens2023_generation import Generation
from plainwright.reproduce.metric_rows import check_names
from plainwright.reproduce.table import Block, Cell, Finding, Reproduction, Sampling

__all__ = [
    "INVENTORY",
    "REPRODUCTIONS",
    "Block",
    "Cell",
    "Finding",
    "Generation",
    "Listed",
    "Recipe",
    "Reproduction",
    "Sampling",
    "reproduce",
]


@dataclass(frozen=True, slots=True)
class Recipe:
    """Says what can be computed again, and how."""

    title: str
    compute: Callable[..., Reproduction]  # of a data directory and a `Sampling`; of `metrics` if there are any
    needs: tuple[str, ...]  # registered corpora
    metrics: tuple[str, ...] = ()  # among which there is a choice
    generates: bool = False  # whether rewriters write first: `compute` takes a `Generation`, too
    ranks: bool = False  # whether rules are ranked: `compute` takes the directory of a `model`, too
    compares: bool = False  # whether trained models are compared: `compute` takes their folder and `threads`


REPRODUCTIONS: Mapping[str, Recipe] = MappingProxyType(
    {
        "xu2016-table1": Recipe(xu2016_table1.TABLE_1, lambda *_: xu2016_table1.table1(), ()),
        "xu2016-table2": Recipe(xu2016_systems.TABLE_2, lambda data, _: xu2016_systems.table2(data), xu2016.NEEDS),
        "xu2016-table3": Recipe(
            xu2016_table3.TABLE_3,
            lambda data, _, model=None: xu2016_table3.table3(data, model=model),
            xu2016_table3.NEEDS,
            ranks=True,
        ),
        "xu2016-table4": Recipe(xu2016_systems.TABLE_4, lambda data, _: xu2016_systems.table4(data), xu2016.NEEDS),
        "xu2016-table5": Recipe(xu2016.TABLE_5, lambda data, _: xu2016.table5(data), xu2016.NEEDS),
        "xu2016-table6": Recipe(xu2016_systems.TABLE_6, lambda data, _: xu2016_systems.table6(data), xu2016.NEEDS),
        "xu2016-figure2": Recipe(xu2016_figure2.TITLE, xu2016_figure2.figure2, xu2016_figure2.NEEDS),
        "xu2016-figure3": Recipe(xu2016_figure3.TITLE, xu2016_figure3.figure3, xu2016_figure3.NEEDS),
        "sulem2018-table1": Recipe(sulem2018.TABLE_1, sulem2018.table1, sulem2018.NEEDS["table1"]),
        "sulem2018-section4.2": Recipe(sulem2018.SECTION_42, sulem2018.section42, sulem2018.NEEDS["section4.2"]),
        "sulem2018-section4.2-sentences": Recipe(
            sulem2018.SENTENCES_42, sulem2018.sentences42, sulem2018.NEEDS["section4.2-sentences"]
        ),
        "sulem2018-table2": Recipe(sulem2018.TABLE_2, sulem2018.table2, sulem2018.NEEDS["table2"]),
        "sulem2018-table3": Recipe(sulem2018.TABLE_3, sulem2018.table3, sulem2018.NEEDS["table3"]),
        "lens2023-figure2": Recipe(
            lens2023_figure2.TITLE,
            lens2023_figure2.figure2,
            lens2023_figure2.NEEDS,
            metrics=tuple(lens2023_figure2.METRICS),
        ),
        "lens2023-table1": Recipe(
            lens2023_ratings.TABLE_1, lambda data, _: lens2023_ratings.table1(data), lens2023_ratings.NEEDS_1
        ),
        "lens2023-table2": Recipe(lens2023.TITLE, lens2023.table2, lens2023.NEEDS, metrics=tuple(lens2023.METRICS)),
        "lens2023-table3": Recipe(
            lens2023_generation.TABLE_3,
            lens2023_generation.table3,
            lens2023_generation.NEEDS,
            metrics=tuple(lens2023_generation.METRICS),
            generates=True,
        ),
        "lens2023-table4": Recipe(
            lens2023_generation.TABLE_4,
            lens2023_generation.table4,
            lens2023_generation.NEEDS,
            metrics=tuple(lens2023_generation.METRICS),
            generates=True,
        ),
        "lens2023-table6": Recipe(lens2023_table6.TITLE, lens2023_table6.table6, lens2023_table6.NEEDS, compares=True),
        "lens2023-figure4": Recipe(
            lens2023_figure4.TITLE, lens2023_figure4.figure4, lens2023_figure4.NEEDS, compares=True
        ),
        "lens2023-table7": Recipe(lens2023_ratings.TABLE_7, lens2023_ratings.table7, lens2023_ratings.NEEDS_7),
        "human-evaluation": Recipe(human_evaluation.TITLE, human_evaluation.findings, human_evaluation.NEEDS),
    }
)


def reproduce(
    name: str,
    *,
    data: Path | None = None,
    sampling: Sampling | None = None,
    metrics: Sequence[str] | None = None,
    threads: int = 1,
    lens_model: Path | None = None,
    generation: Generation | None = None,
    model: Path | None = None,
    models: Path | None = None,
) -> Reproduction:
    """Compute the table called `name` from the registered corpora.

    `metrics` and `lens_model` only where there is a choice of metrics, `generation` where rewriters write first,
    `model` where rules are ranked, `models` where trained ones are compared. The numbers do not depend on `threads`.
    """
    check_text(name, "reproduce", "name")
    check_choice(name, REPRODUCTIONS, "table")
    recipe = REPRODUCTIONS[name]
    if (metrics is not None or lens_model is not None) and not recipe.metrics:
        choice = ", ".join(other for other, one in REPRODUCTIONS.items() if one.metrics)
        msg = f"{name} has always the metrics of the paper; those to compute can be chosen only for {choice}"
        raise DataError(msg)
    if generation is not None and not recipe.generates:
        choice = ", ".join(other for other, one in REPRODUCTIONS.items() if one.generates)
        msg = f"{name} needs no rewriter; who writes, and how much, can be chosen only for {choice}"
        raise DataError(msg)
    if model is not None and not recipe.ranks:
        choice = ", ".join(other for other, one in REPRODUCTIONS.items() if one.ranks)
        msg = f"{name} ranks no rules; the model whose rules are ranked can be chosen only for {choice}"
        raise DataError(msg)
    _check_models(name, models, recipe)
    check_names(metrics or (), recipe.metrics)
    for needed in recipe.needs:  # all before any work, and none left out in silence
        corpora.locate(needed, data=data)
    if recipe.metrics:
        more = {"generation": generation} if recipe.generates else {}
        return recipe.compute(
            data, sampling or Sampling(), metrics=metrics, threads=threads, lens_model=lens_model, **more
        )
    if recipe.ranks:
        return recipe.compute(data, sampling or Sampling(), model=model)
    if recipe.compares:
        return recipe.compute(data, sampling or Sampling(), models=models, threads=threads)
    return recipe.compute(data, sampling or Sampling())


def _check_models(name: str, models: Path | None, recipe: Recipe) -> None:
    if recipe.compares and models is None:
        msg = f"{name} compares LENS models that were trained before; name their folder (--models DIR)"
        raise DataError(msg)
    if models is not None and not recipe.compares:
        choice = ", ".join(other for other, one in REPRODUCTIONS.items() if one.compares)
        msg = f"{name} compares no trained models; a folder of them is only for {choice}"
        raise DataError(msg)
