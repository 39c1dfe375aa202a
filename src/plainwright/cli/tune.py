"""`plainwright tune`: weights that raise a metric, found from sentences with references."""

from __future__ import annotations

import functools
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from plainwright.cli.options import Data, LensModel

if TYPE_CHECKING:
    from plainwright.tune import Iteration, Optimiser, TuningResult

__all__ = ["tune"]

_COLUMNS = ("iteration", "tuning", "held-out", "unchanged", "candidates", "new", "seconds")


def tune(
    tuning: Annotated[
        str,
        typer.Argument(
            metavar="SET",
            help="A registered set, or a .tsv or .jsonl file with a source and references on each line; SET:1-500 "
            "takes only these segments.",
        ),
    ],
    save: Annotated[Path, typer.Option("--save", "-o", metavar="DIR", help="The model directory to write.")],
    model: Annotated[Path | None, typer.Option(metavar="DIR", help="Model directory to start from.")] = None,
    grammar: Annotated[
        list[Path] | None, typer.Option(metavar="FILE…", help="Packed grammars, instead of --model.")
    ] = None,
    lm: Annotated[Path | None, typer.Option(metavar="FILE", help="Packed language model, with --grammar.")] = None,
    tagger: Annotated[Path | None, typer.Option(metavar="FILE", help="Tagger for the input, with --grammar.")] = None,
    syntax: Annotated[
        bool,
        typer.Option("--syntax", help="Parse the input, for rules whose gaps have labels, with --grammar."),
    ] = False,
    weights: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Weights to start from: a model.toml, JSON, or lines of names and weights."),
    ] = None,
    held_out: Annotated[
        str | None,
        typer.Option(
            metavar="SET", help="Choose the iteration that does best on this set, such as turkcorpus/tune:501-1000."
        ),
    ] = None,
    objective: Annotated[
        str, typer.Option(help='A metric or a mix, such as lens or "0.5*lens+0.3*sari:easse+0.2*bleu".')
    ] = "sari",
    optimiser: Annotated[
        Literal["pro", "mert", "risk"], typer.Option(help="Optimiser that finds the weights.")
    ] = "pro",
    cost: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FEATURE=COST…",
            help="With risk: cost per unit of a feature, subtracted from the objective (0 to 1), such as Risk=0.05.",
        ),
    ] = None,
    iterations: Annotated[int, typer.Option(min=1, help="Maximum number of iterations.")] = 30,
    patience: Annotated[int, typer.Option(min=1, help="Stop after this many iterations without a better value.")] = 5,
    candidates: Annotated[int, typer.Option(min=2, help="Length of the k-best lists.")] = 300,
    pop_limit: Annotated[int | None, typer.Option(min=1, help="Pop limit of the search. Default: the model's.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the sampling.")] = 12345,
    threads: Annotated[
        int | None,
        typer.Option(min=1, max=1024, help="Number of threads; it does not change the weights. Default: all cores."),
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Directory for the iterations. Default: DIR.tuning.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per iteration and one for the result.")
    ] = False,
    lens_model: LensModel = None,
    data: Data = None,
) -> None:
    """Tune the weights of a model towards a metric.

    Every iteration is saved. To resume a run that was stopped, give the same command again.

    \b
    Examples:
      plainwright tune turkcorpus/tune:1-500 --held-out turkcorpus/tune:501-1000 \\
        --grammar meteor.pack --lm simple.lm -o tuned
      plainwright tune mine.tsv --model tuned --objective fkbleu -o plainer
    """
    from plainwright import tune as library
    from plainwright.evaluation import load_set
    from plainwright.rewrite.tuning import pipeline_factory
    from plainwright.tune import job

    start = job.open_start(model=model, grammars=grammar or [], lm=lm, tagger=tagger, syntax=syntax, weights=weights)
    _tell_unfilled(start.unfilled_labels())
    job.check_destination(save, model)
    sets = [load_set(name, data=data) for name in (tuning, held_out) if name is not None]
    kind = job.text_kind(sets)
    chosen = job.parse_objective(objective, kind, lens_model=lens_model)
    tuning_set, *others = [job.tuning_set(given) for given in sets]
    workers = threads or os.cpu_count() or 1
    make = start.decoder if kind == "tokenised" else functools.partial(pipeline_factory, start)
    decode = make(candidates=candidates, pop_limit=pop_limit, threads=workers)
    first = decode.start(start.weights)
    costs = job.parse_costs(cost or (), decode.feature_names, optimiser)
    out = _Printer(as_json=as_json, held_out=bool(others))
    out.copies(*(library.objective_of(given.sources, given, chosen) for given in (tuning_set, *others)))
    result = library.tune(
        decode,
        tuning_set,
        objective=chosen,
        optimiser=_optimiser(optimiser, costs),
        features=decode.feature_names,
        weights=first,
        held_out=others[0] if others else None,
        costs=costs or None,
        iterations=iterations,
        patience=patience,
        seed=seed,
        checkpoint=checkpoint or save.with_name(f"{save.name}.tuning"),
        model=start.digest(decode.settings),
        threads=workers,
        progress=out.iteration,
    )
    names = [name for name in (tuning, held_out) if name is not None]
    # Where a file lies on this machine says nothing to those who get the model.
    shown = [Path(name).name if Path(name).is_absolute() else name for name in names]
    job.save_model(start, result, save, sets=shown)
    out.result(result, save)


def _tell_unfilled(labels: list[str]) -> None:
    if labels:
        named = ", ".join(labels[:3]) + (f" and {len(labels) - 3:,} more" if len(labels) > 3 else "")
        note = f"gaps with the labels {named} are filled by rules alone; give --syntax to parse the input"
        typer.echo(f"plainwright: note: {note}", err=True)


def _optimiser(name: str, costs: tuple[float, ...]) -> Optimiser:
    from plainwright.tune import MERT, PRO, MinimumRisk

    optimisers: dict[str, Optimiser] = {"pro": PRO(), "mert": MERT(), "risk": MinimumRisk(costs=costs)}
    return optimisers[name]


class _Printer:
    """A line for each iteration as it ends, or JSON."""

    def __init__(self, *, as_json: bool, held_out: bool) -> None:
        self._json = as_json
        self._columns = tuple(name for name in _COLUMNS if held_out or name != "held-out")
        if not as_json:
            typer.echo("  ".join(f"{name:>10}" for name in self._columns))

    def copies(self, tuning: float, held_out: float | None = None) -> None:
        if self._json:
            typer.echo(json.dumps({"input": {"tuning": 100 * tuning, "held_out": _percent(held_out)}}))
            return
        self._row(
            {"iteration": "input", "tuning": _number(tuning), "held-out": _number(held_out), "unchanged": "100 %"}
        )

    def iteration(self, iteration: Iteration) -> None:
        if self._json:
            typer.echo(json.dumps({"iteration": iteration.number, **_values(iteration)}))
            return
        self._row(
            {
                "iteration": str(iteration.number),
                "tuning": _number(iteration.tuning_value),
                "held-out": _number(iteration.held_out_value),
                "unchanged": f"{100 * iteration.unchanged:.0f} %",
                "candidates": f"{iteration.candidates:,}",
                "new": f"{iteration.new_candidates:,}",
                "seconds": f"{iteration.seconds:.1f}",
            }
        )

    def result(self, result: TuningResult, save: Path) -> None:
        best = result.iterations[result.best - 1]
        if self._json:
            weights = dict(zip(result.features, result.weights, strict=True))
            typer.echo(json.dumps({"best": result.best, "model": str(save), "weights": weights}))
            return
        value = best.tuning_value if best.held_out_value is None else best.held_out_value
        typer.echo(f"{save}\t{result.objective} {_number(value)} with the weights of iteration {result.best}")

    def _row(self, cells: dict[str, str]) -> None:
        typer.echo("  ".join(f"{cells.get(name, ''):>10}" for name in self._columns))


def _values(iteration: Iteration) -> dict[str, object]:
    return {
        "tuning": 100 * iteration.tuning_value,
        "held_out": _percent(iteration.held_out_value),
        "unchanged": iteration.unchanged,
        "candidates": iteration.candidates,
        "new": iteration.new_candidates,
        "seconds": round(iteration.seconds, 2),
    }


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value


def _number(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.2f}"
