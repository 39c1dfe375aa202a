"""`plainwright study plan`: how to spend ratings, and what they will be able to show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from plainwright.cli import options
from plainwright.cli.study import options as study_options
from plainwright.cli.study.page import check_page, write_page
from plainwright.cli.study.text import aligned, echo_json, wrapped

if TYPE_CHECKING:
    from plainwright.study.components import ComponentsEstimate
    from plainwright.study.estimate import Interval
    from plainwright.study.plan_result import Goal, Plan

__all__ = ["plan"]

_MAX_SYSTEMS = 1000
_MAX_BUDGET = 100_000_000
_MAX_RATERS = 100
_MAX_DEVIATION = 1_000_000
_CURVE_COLUMNS = 10

_Systems = Annotated[int, typer.Option(metavar="N", help="Number of systems to compare.")]
_Difference = Annotated[float, typer.Option(metavar="POINTS", help="Difference to detect, on the scale.")]
_Budget = Annotated[
    int, typer.Option(metavar="N", help="Number of ratings to spend: outputs x raters, over all systems.")
]
_Power = Annotated[float, typer.Option(help="Probability of detecting it.")]
_Alpha = Annotated[float, typer.Option(help="Level of the test.")]
_Correction = Annotated[
    Literal["holm", "bonferroni", "none"], typer.Option(help="How several comparisons share the level.")
]
_Compare = Annotated[
    Literal["all", "baseline"], typer.Option(help="Compare every pair of systems, or each with one baseline.")
]
_Raters = Annotated[
    Literal["same", "different"],
    typer.Option(help="same: whoever rates a sentence rates the outputs of all systems for it."),
]
_Limit = Annotated[int, typer.Option(help="Maximum number of raters per output.")]
_Sentences = Annotated[int | None, typer.Option(metavar="N", help="Number of sentences available.")]
_Pilot = Annotated[
    str | None, typer.Option("--from", metavar="RATINGS", help="Pilot ratings from which to estimate the spread.")
]
_Scale = Annotated[
    str | None, typer.Option(metavar="SCALE", help='Scale, such as "1..5 by 1". Default: the pilot\'s, or 1..5.')
]
_ItemSd = Annotated[
    float | None, typer.Option(metavar="SD", help="Standard deviation between sentences, whatever the system.")
]
_InteractionSd = Annotated[
    float | None, typer.Option(metavar="SD", help="Standard deviation of a system from sentence to sentence.")
]
_RaterSd = Annotated[float | None, typer.Option(metavar="SD", help="Standard deviation between raters.")]
_NoiseSd = Annotated[
    float | None, typer.Option(metavar="SD", help="Standard deviation of a single rating, all else being equal.")
]


def plan(
    systems: _Systems,
    difference: _Difference,
    budget: _Budget,
    power: _Power = 0.8,
    alpha: _Alpha = 0.05,
    correction: _Correction = "holm",
    compare: _Compare = "all",
    raters: _Raters = "same",
    max_raters: _Limit = 10,
    max_sentences: _Sentences = None,
    pilot: _Pilot = None,
    aspect: study_options.Aspect = None,
    values: study_options.Values = "raw",
    layout: study_options.Layout = None,
    columns: study_options.Columns = None,
    scores_in: study_options.ScoresIn = None,
    ddof: study_options.Ddof = 0,
    scale: _Scale = None,
    item_sd: _ItemSd = None,
    interaction_sd: _InteractionSd = None,
    rater_sd: _RaterSd = None,
    noise_sd: _NoiseSd = None,
    resamples: study_options.Resamples = 1000,
    seed: study_options.Seed = 12345,
    as_json: options.AsJson = False,
    html: study_options.Html = None,
    data: options.Data = None,
) -> None:
    """Plan how to spend ratings: sentences, raters, and the probability of detecting a difference.

    \b
    Examples:
      plainwright study plan --systems 4 --difference 0.2 --budget 1200
      plainwright study plan --systems 4 --difference 5 --budget 1200 \\
        --from pilot.csv --aspect simplicity
    """
    from plainwright.study import plan as library
    from plainwright.study.plan_result import Goal
    from plainwright.study.ratings import Scale

    _check_ranges(systems, budget, max_raters)
    study_options.check_resampling(resamples=resamples, seed=seed)
    goal = Goal(
        systems=systems,
        difference=difference,
        budget=budget,
        power=power,
        alpha=alpha,
        correction=correction,
        compare=compare,
        same_raters=raters == "same",
        max_raters=max_raters,
        max_sentences=max_sentences,
    )
    deviations = {"item": item_sd, "system_item": interaction_sd, "rater": rater_sd, "residual": noise_sd}
    _check_deviations(deviations)
    stated = None if scale is None else Scale.parse(scale)
    check_page(html, None if pilot is None else study_options.RatingsOptions(ratings=pilot))
    if pilot is None:
        _refuse_without_pilot(aspect, values)
        result = library.plan_from_public(goal, stated or Scale(1, 5), deviations=deviations)
        estimate = None
    else:
        given = study_options.RatingsOptions(
            ratings=pilot, layout=layout, columns=columns, scores_in=scores_in, ddof=ddof, scale=scale, data=data
        )
        ratings = given.load()
        result, estimate = library.plan_from_ratings(
            goal,
            ratings,
            _only_aspect(ratings, aspect),
            name=pilot,
            values=values,
            scale=stated,
            deviations=deviations,
            resamples=resamples,
            seed=seed,
        )
    write_page(html, title="Plan of a study", plan=result)
    if as_json:
        pilot_part = {} if estimate is None else {"pilot": {"ratings_file": pilot, "deviations": estimate.to_dict()}}
        echo_json({**result.to_dict(), **pilot_part})
    else:
        typer.echo("\n".join(_lines(result, estimate)))


def _check_ranges(systems: int, budget: int, max_raters: int) -> None:
    options.check_range("--systems", systems, 2, _MAX_SYSTEMS)
    options.check_range("--budget", budget, 1, _MAX_BUDGET)
    options.check_range("--max-raters", max_raters, 1, _MAX_RATERS)


def _check_deviations(deviations: dict[str, float | None]) -> None:
    from plainwright.errors import DataError

    names = {"item": "--item-sd", "system_item": "--interaction-sd", "rater": "--rater-sd", "residual": "--noise-sd"}
    for name, value in deviations.items():
        if value is not None and not 0 <= value <= _MAX_DEVIATION:
            msg = f"{names[name]}: expected a standard deviation from 0 to {_MAX_DEVIATION:,}, found {value:g}"
            raise DataError(msg)


def _refuse_without_pilot(aspect: str | None, values: str) -> None:
    from plainwright.errors import DataError

    if aspect is not None or values != "raw":
        msg = f"{'--aspect' if aspect is not None else '--values z'} needs ratings to take it from; give --from RATINGS"
        raise DataError(msg)


def _only_aspect(ratings: Any, wanted: str | None) -> str:
    from plainwright.errors import DataError

    names = study_options.chosen_aspects(ratings, None if wanted is None else [wanted])
    if len(names) > 1:
        msg = f"these ratings have {len(names)} aspects, {', '.join(names)}; choose one with --aspect"
        raise DataError(msg)
    return names[0]


_EFFECTS = {
    "item": "sentence, whatever the system",
    "system_item": "system from sentence to sentence",
    "rater": "rater, kind or harsh",
    "item_rater": "rater's view of a sentence",
    "system_rater": "rater's view of a system",
    "residual": "single rating",
}

_SPREAD_HEADER = ("from", "in a comparison of systems", "sd")


def _lines(result: Plan, estimate: ComponentsEstimate | None) -> Iterator[str]:
    goal = result.goal
    scale = "" if result.scale is None else f" on {result.scale}"
    yield f"{goal.systems} systems, a difference of {goal.difference:g}{scale}, {goal.budget:,} ratings"
    yield ""
    yield wrapped(result.statement)
    yield ""
    yield from _designs(result)
    yield ""
    yield "Power by sentences (across) and raters an output (down), whatever it costs"
    yield from (f"  {line}" for line in _curves(result))
    yield ""
    yield f"Spread of ratings ({result.origin})"
    yield from (f"  {line}" for line in aligned(_SPREAD_HEADER, _spread(result, estimate), left=2))
    if result.public:
        yield ""
        yield f"Power of {result.recommended.sentences:,} x {result.recommended.raters} if ratings spread as in"
        rows = [(name, f"{power:.0%}") for name, power in result.public.items()]
        yield from (f"  {line}" for line in aligned(("public ratings", "power"), rows))
    yield ""
    yield "What this assumes"
    yield from (wrapped(sentence, indent=2) for sentence in result.assumptions)


def _designs(result: Plan) -> Iterator[str]:
    wanted = f"{result.goal.power:.0%}"
    header = (
        "raters",
        "sentences",
        "ratings",
        "power",
        f"difference found at {wanted}",
        f"ratings for {wanted}",
        f"sentences for {wanted}",
    )
    rows = [
        (
            f"{'* ' if design == result.recommended else ''}{design.raters}",
            f"{design.sentences:,}",
            f"{design.ratings:,}",
            f"{design.power:.0%}" + _interval(design.power_interval, "{:.0%}"),
            f"{design.detectable:.3g}" + _interval(design.detectable_interval, "{:.3g}"),
            _counted(design.needed_ratings),
            _counted(design.needed_sentences),
        )
        for design in result.designs
    ]
    yield from aligned(header, rows, left=0)


def _curves(result: Plan) -> Iterator[str]:
    sizes = result.sentence_curves[0].sizes
    # As many as fit beside each other, evenly spaced, the last among them.
    chosen = range(len(sizes) - 1, 0, -max(1, -(-len(sizes) // _CURVE_COLUMNS)))[::-1] or range(1)
    rows = [(str(curve.fixed), *(f"{curve.powers[place]:.0%}" for place in chosen)) for curve in result.sentence_curves]
    yield from aligned(("", *(f"{sizes[place]:,}" for place in chosen)), rows)


def _spread(result: Plan, estimate: ComponentsEstimate | None) -> list[tuple[str, str, str]]:
    roles = _roles(result.goal)
    deviations = result.components.deviations()
    rows = []
    for name, words in _EFFECTS.items():
        found = None if estimate is None else estimate.deviations[name]
        if found is not None and found.value is None:
            rows.append((words, found.problem, "-"))
        else:
            interval = None if found is None else found.interval
            rows.append((words, roles[name], f"{deviations[name]:.3g}" + _interval(interval, "{:.3g}")))
    return rows


def _roles(goal: Goal) -> dict[str, str]:
    cancels, shrinks = "cancels", "shrinks with sentences and raters"
    return {
        "item": cancels,
        "system_item": "shrinks with sentences",
        "rater": cancels if goal.same_raters else shrinks,
        "item_rater": cancels if goal.same_raters else shrinks,
        "system_rater": shrinks,
        "residual": shrinks,
    }


def _interval(interval: Interval | None, form: str) -> str:
    return "" if interval is None else f" [{form.format(interval.low)}, {form.format(interval.high)}]"


def _counted(number: int | None) -> str:
    return "none" if number is None else f"{number:,}"
