"""How to spend the ratings of a study to come: its power over sentences and raters, with the recommended design."""

from __future__ import annotations

from plainwright.report import names, plots
from plainwright.report.figures import Chart, Panel, Part, Section, Table
from plainwright.report.study import words
from plainwright.report.study.results import StudyReport
from plainwright.study.plan_result import Design, Plan, PowerCurve

__all__ = ["section"]

_READING = (
    "Power is the probability that a true difference of the size given is found. The dashed line is the power asked "
    "for, the ring is the recommended design; a curve that has become flat says that more of the same buys little. "
    "Bands and brackets are 95 % intervals over the sentences of the pilot, if there was one."
)

_DOMAIN = (0.0, 1.04)  # room for a ring around 1


def section(results: StudyReport) -> Section | None:
    """Show the answer, the curves behind it, and what they assume."""
    plan = results.plan
    if plan is None:
        return None
    parts: list[Part] = [_chart(plan), _designs(plan)]
    if plan.public:
        parts.append(_public(plan))
    return Section(
        findings=(plan.statement,),
        parts=tuple(parts),
        notes=plan.assumptions,
        notes_title="What this assumes",
    )


def _chart(plan: Plan) -> Chart:
    best, goal = plan.recommended, plan.goal
    wanted = (f"power asked for: {_percent(goal.power)}", goal.power)
    sentences = [
        plots.Curve(_raters(curve.fixed), place, _points(curve)) for place, curve in enumerate(plan.sentence_curves)
    ]
    panels = (
        Panel(
            "Power over sentences",
            plots.curves(
                sentences,
                "Power over sentences",
                across="sentences",
                up="power",
                domain=_DOMAIN,
                level=wanted,
                chosen=(f"{best.sentences:,} sentences × {best.raters}", best.sentences, best.power),
            ),
        ),
        Panel(
            f"Power over raters, {best.sentences:,} sentences",
            plots.curves(
                [plots.Curve("power", len(sentences), _points(plan.rater_curve))],
                f"Power over raters with {best.sentences:,} sentences",
                across="ratings of each output",
                up="power",
                domain=_DOMAIN,
                level=wanted,
                chosen=(_raters(best.raters), best.raters, best.power),
            ),
        ),
        Panel(f"{goal.budget:,} ratings, spent on sentences or raters", _budget(plan, wanted, len(sentences) + 1)),
    )
    legend = tuple((curve.index, f"{curve.name} an output") for curve in sentences)
    return Chart("power", "Power", _READING, panels, _numbers(plan), legend=legend)


def _budget(plan: Plan, wanted: tuple[str, float], mark: int) -> str:
    best, designs = plan.recommended, plan.designs
    band = [words.ends(design.power_interval) for design in designs]
    known = [ends for ends in band if ends is not None]
    curve = plots.Curve(
        "power",
        mark,
        [(design.raters, design.power) for design in designs],
        known if len(known) == len(designs) else (),
    )
    return plots.curves(
        [curve],
        f"Power of {plan.goal.budget:,} ratings by raters of an output",
        across="ratings of each output",
        up="power",
        domain=_DOMAIN,
        level=wanted,
        chosen=(f"{best.sentences:,} sentences × {best.raters}", best.raters, best.power),
    )


def _points(curve: PowerCurve) -> list[tuple[float, float]]:
    return [(float(size), power) for size, power in zip(curve.sizes, curve.powers, strict=True)]


def _raters(number: int) -> str:
    return f"{number} rater" + ("" if number == 1 else "s")


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _numbers(plan: Plan) -> Table:
    over_sentences = [(curve.fixed, size, power) for curve in plan.sentence_curves for size, power in _points(curve)]
    over_raters = [(int(size), plan.rater_curve.fixed, power) for size, power in _points(plan.rater_curve)]
    rows = [
        (_raters(raters), f"{sentences:,.0f}", _percent(power))
        for raters, sentences, power in [*over_sentences, *over_raters]
    ]
    return Table("Power by raters of an output and sentences", ("Raters", "Sentences", "Power"), tuple(rows))


def _designs(plan: Plan) -> Table:
    header = (
        "Raters of an output",
        "Sentences",
        "Ratings",
        "Power",
        "Smallest difference found",
        f"Sentences for {_percent(plan.goal.power)}",
        f"Ratings for {_percent(plan.goal.power)}",
    )
    return Table(
        f"Ways to spend {plan.goal.budget:,} ratings",
        header,
        tuple(_design(plan, design) for design in plan.designs),
    )


def _design(plan: Plan, design: Design) -> tuple[str, ...]:
    power, spread = _percent(design.power), design.power_interval
    if spread is not None:
        power += f" [{_percent(spread.low)}, {_percent(spread.high)}]"
    smallest = names.show(design.detectable)
    if design.detectable_interval is not None:
        smallest += f" {words.interval(design.detectable_interval)}"
    name = f"{design.raters} (recommended)" if design == plan.recommended else str(design.raters)
    needed = (
        "out of reach" if number is None else f"{number:,}"
        for number in (design.needed_sentences, design.needed_ratings)
    )
    return name, f"{design.sentences:,}", f"{design.ratings:,}", power, smallest, *needed


def _public(plan: Plan) -> Table:
    rows = tuple((name, _percent(power)) for name, power in plan.public.items())
    return Table("Power of the recommended design if ratings spread as in public data", ("Ratings", "Power"), rows)
