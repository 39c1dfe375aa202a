"""`plainwright study resample`: how many sentences and raters would have been enough?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from plainwright.cli import options
from plainwright.cli.study import options as study_options
from plainwright.cli.study.page import check_page, write_page
from plainwright.cli.study.text import aligned, echo_json, shown_estimate, wrapped

if TYPE_CHECKING:
    from plainwright.study.resample_result import Curve, CurvePoint, Resampling

__all__ = ["resample"]

_MAX_SAMPLES = 100_000
_MAX_BUDGET = 100_000
_MAX_SIZE = 10_000

_Sizes = Annotated[
    str | None,
    typer.Option(metavar="N,…", help="Test-set sizes in sentences. Default: 10,20 … 100, no more than there are."),
]
_Budget = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Number of ratings to split into sentences and raters. Default: one for each of 100 sentences, or of all.",
    ),
]
_BudgetOf = Annotated[
    Literal["system", "study"], typer.Option(help="Whether the budget is per system or for the whole study.")
]
_Samples = Annotated[int, typer.Option(help="Number of studies to draw for each size.")]
_Alpha = Annotated[float, typer.Option(help="Level of the paired t-test.")]
_Decision = Annotated[
    Literal["t-test", "mean"], typer.Option(help="mean: the higher mean is better, whatever a test says.")
]
_Agreement = Annotated[
    Literal["tau-b", "tau-a", "matching", "outcomes"],
    typer.Option(help="How to compare verdicts on pairs of systems with those of all ratings."),
]
_Undefined = Annotated[Literal["zero", "omit"], typer.Option(help="How to count a study that finds no differences.")]
_Draw = Annotated[
    Literal["output", "source"], typer.Option(help="Whether raters are drawn for each output or once for each source.")
]
_Sentences = Annotated[
    Literal["kept", "drawn"], typer.Option(help="Whether sentences are drawn as well when raters are studied.")
]
_Gain = Annotated[float, typer.Option(help="A curve has levelled off when no further step adds this much.")]


@study_options.takes_ratings
def resample(
    given: study_options.RatingsOptions,
    *,
    aspect: study_options.Aspects = None,
    values: study_options.Values = "raw",
    sizes: _Sizes = None,
    budget: _Budget = None,
    budget_of: _BudgetOf = "system",
    samples: _Samples = 1000,
    alpha: _Alpha = 0.01,
    decision: _Decision = "t-test",
    agreement: _Agreement = "tau-b",
    undefined: _Undefined = "zero",
    draw: _Draw = "output",
    sentences: _Sentences = "kept",
    gain: _Gain = 0.02,
    seed: study_options.Seed = 12345,
    as_json: options.AsJson = False,
    html: study_options.Html = None,
) -> None:
    """Find out how many sentences and raters would have been enough, by drawing smaller studies from the ratings.

    \b
    Examples:
      plainwright study resample simpeval/past
      plainwright study resample mine.csv --aspect meaning --budget 200
    """
    from plainwright.study import resample as library
    from plainwright.study.attempts import attempt_each
    from plainwright.study.resample_result import Protocol

    options.check_range("--samples", samples, 2, _MAX_SAMPLES)
    options.check_range("--seed", seed, 0, None)
    if budget is not None:
        options.check_range("--budget", budget, 2, _MAX_BUDGET)
    protocol = Protocol(
        samples=samples,
        alpha=alpha,
        decision=decision,
        agreement=agreement,
        undefined=undefined,
        draw=draw,
        sentences=sentences,
        budget_of=budget_of,
        gain=gain,
        seed=seed,
    )
    wanted = _sizes(sizes)
    check_page(html, given)
    ratings = given.load()

    def curves(name: str) -> Resampling:
        return library.resample(ratings, name, values=values, protocol=protocol, sizes=wanted, budget=budget)

    results, problems = attempt_each(curves, [(name,) for name in study_options.chosen_aspects(ratings, aspect)])
    write_page(
        html, title=f"Resampling: {given.display_name}", resampling=tuple(results), missing={"resampling": problems}
    )
    if as_json:
        failed = [{"aspect": name, "problem": problem} for (name,), problem in problems.items()]
        echo_json({"ratings_file": given.ratings, "aspects": [*(result.to_dict() for result in results), *failed]})
    else:
        typer.echo("\n".join(_lines(given.ratings, results, problems)))


def _sizes(text: str | None) -> list[int] | None:
    from plainwright.errors import DataError

    if text is None:
        return None
    try:
        sizes = [int(size) for size in text.split(",")]
    except ValueError:
        msg = f"--sizes: expected whole numbers with commas between them, as in 10,20,50, found {text!r}"
        raise DataError(msg) from None
    for size in sizes:
        options.check_range("--sizes", size, 2, _MAX_SIZE)
    return sorted(set(sizes))


_SHARES = ("same", "missed", "invented", "reversed")


def _lines(name: str, results: Sequence[Resampling], problems: Mapping[tuple[str, ...], str]) -> Iterator[str]:
    for result in results:
        yield (
            f"{name}, {result.aspect}: {len(result.systems)} systems, {result.items} sources, up to {result.raters} "
            "ratings an output"
        )
        differing = sum(map(abs, result.reference))
        yield f"With all ratings {differing} of {len(result.reference)} pairs of systems differ."
        per = "a system" if result.protocol.budget_of == "system" else "in all"
        yield from _table("Sentences, with all their raters", result.sizes)
        yield from _table("Raters, with all sentences", result.rater_counts)
        yield from _table(f"{result.budget.budget:,} ratings {per}", result.budget)
        yield ""
        yield wrapped(result.statement)
        yield ""
    for (aspect,), problem in problems.items():
        yield wrapped(f"{name}, {aspect}: {problem}")
        yield ""
    yield "How this was done"
    yield from (wrapped(f"{choice}", indent=2) for choice in results[0].protocol.choices)
    yield wrapped(
        "tau: mean over samples, and the interval that holds 95 % of them. same, missed, invented, reversed: of all "
        "pairs of systems, those with the verdict of all ratings, without a difference that all ratings show, with one "
        "that they do not show, and with the opposite.",
        indent=2,
    )


def _table(title: str, curve: Curve) -> Iterator[str]:
    yield ""
    if curve.problem:
        yield wrapped(f"{title}: not studied, {curve.problem}")
        return
    yield title
    header = ("sentences", "raters", "tau", *_SHARES)
    yield from (f"  {line}" for line in aligned(header, [_row(point) for point in curve.points], left=0))


def _row(point: CurvePoint) -> tuple[str, ...]:
    shares = (f"{100 * getattr(point, share):.1f} %" for share in _SHARES)
    return (str(point.sentences), str(point.raters), shown_estimate(point.tau), *shares)
