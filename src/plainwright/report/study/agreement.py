"""Whether raters agree, aspect by aspect, and whether one of them stands out."""

from __future__ import annotations

import math
from collections.abc import Sequence

from plainwright.report import names
from plainwright.report.figures import Chart, HeatCell, HeatMap, Panel, Part, Section, Square, Table
from plainwright.report.panels import row_panel
from plainwright.report.study import words
from plainwright.report.study.results import StudyReport
from plainwright.study.agreement import AspectAgreement, RepeatedKappa
from plainwright.study.agreement.summary import TENTATIVE
from plainwright.study.estimate import Estimate
from plainwright.study.raters import RaterReport

__all__ = ["section"]

_MOST_IN_SQUARE = 12  # raters of whom all pairs are shown
_READING = (
    "1 is perfect agreement, 0 is what chance would give. The mark is the value, its line the 95 % interval over "
    f"sentences; the dashed line in the first panel is {TENTATIVE:.3f}, from where on single ratings allow tentative "
    "conclusions (Krippendorff, 2004)."
)
_RATERS_READING = (
    "How far each rater goes with the mean of the others on the same outputs; below 0 the scale may have been turned "
    "round."
)
_DRIFT_READING = (
    "Drift: how much the difference from the others changes from the rater's first output to the last, in points of "
    "the scale."
)
_PAIRS_READING = "Pearson's correlation of each two raters over the outputs that both rated."
_SHADES = ((3, "0.7 or more"), (2, "0.4 or more"), (1, "0.2 or more"), (0, "less, or none"))


def section(results: StudyReport) -> Section | None:
    """Show coefficients of all aspects together, then the raters of each."""
    found = results.agreement
    if not found:
        return None
    parts: list[Part] = [_coefficients(found)]
    for number, agreement in enumerate(found, start=1):
        if agreement.raters:
            parts.append(_raters(agreement, number))
    squares = tuple(_pairs(agreement) for agreement in found if 2 < len(agreement.raters) <= _MOST_IN_SQUARE)
    if squares:
        parts.append(HeatMap("Pairs of raters", _PAIRS_READING, squares, _SHADES))
    return Section(
        findings=tuple(f"{words.capital(agreement.aspect)}: {agreement.statement}" for agreement in found),
        warnings=tuple(_warnings(found)),
        parts=tuple(parts),
        notes=_notes(found),
    )


def _warnings(found: Sequence[AspectAgreement]) -> list[str]:
    return [
        f"{agreement.aspect}: {finding.sentence}"
        for agreement in found
        for report in agreement.raters
        for finding in report.findings
    ]


def _coefficients(found: Sequence[AspectAgreement]) -> Chart:
    kinds = (
        (f"Krippendorff's alpha ({found[0].level})", [agreement.alpha for agreement in found]),
        ("Kappa (quadratic weights)", [agreement.kappa_estimate for agreement in found]),
        ("Mean correlation of two raters", [agreement.correlations.mean for agreement in found]),
    )
    lows = [part.interval.low for _, estimates in kinds for part in estimates if part.interval]
    domain = (min([0.0, *(math.floor(10 * low) / 10 for low in lows)]), 1.0)
    panels: list[Panel] = []
    for title, estimates in kinds:
        rows = [
            words.row(one.aspect, place, part) for place, (one, part) in enumerate(zip(found, estimates, strict=True))
        ]
        reference = ("", TENTATIVE) if not panels else None
        panels.append(Panel(title, row_panel(rows, title, domain=domain, reference=reference)))
    columns = [[words.value_with_interval(part) for part in estimates] for _, estimates in kinds]
    counts = [(f"{one.outputs:,}", f"{one.ratings:,}", f"{len(one.raters):,}") for one in found]
    rows_of_table = zip((one.aspect for one in found), *columns, *zip(*counts, strict=True), strict=True)
    header = ("Aspect", *(title for title, _ in kinds), "Outputs", "Ratings", "Raters")
    table = Table("Agreement by aspect", header, tuple(rows_of_table))
    return Chart("coefficients", "How far raters agree", _READING, tuple(panels), table, table_open=True)


def _raters(agreement: AspectAgreement, number: int) -> Chart:
    reports = agreement.raters
    drifting = any(report.drift.value is not None for report in reports)
    together = [words.row(report.rater, place, report.with_others) for place, report in enumerate(reports)]
    panels = [
        Panel("With the mean of the others", row_panel(together, "Correlation", domain=(-1, 1), reference=("", 0)))
    ]
    header = ["Rater", "Ratings", "Mean", "Deviation", "Most used", "Range", "r with the others"]
    reading = _RATERS_READING if number == 1 else ""
    if drifting:
        drifts = [words.row(report.rater, place, report.drift) for place, report in enumerate(reports)]
        panels.append(Panel("Drift", row_panel(drifts, "Drift from first to last", reference=("", 0))))
        header.append("Drift")
        reading += f" {_DRIFT_READING}" if number == 1 else ""
    else:
        reading += f" No drift is shown: {reports[0].drift.problem}."
    return Chart(
        f"raters-{number}",
        f"Raters: {agreement.aspect}",
        reading.strip(),
        tuple(panels),
        Table(
            f"Raters of {agreement.aspect}",
            (*header, "To look at"),
            tuple(_rater(report, drifting=drifting) for report in reports),
        ),
        table_open=True,
    )


def _rater(report: RaterReport, *, drifting: bool) -> tuple[str, ...]:
    return (
        report.rater,
        f"{report.ratings:,}",
        names.show(report.mean),
        names.show(report.deviation),
        f"{report.most_used:g} ({100 * report.most_used_share:.0f} %)",
        f"{report.lowest:g} to {report.highest:g}",
        words.value_with_interval(report.with_others),
        *([words.value_with_interval(report.drift)] if drifting else []),
        ", ".join(finding.kind for finding in report.findings) or "–",
    )


def _pairs(agreement: AspectAgreement) -> Square:
    raters = tuple(report.rater for report in agreement.raters)
    found = {frozenset((pair.first, pair.second)): pair.correlation for pair in agreement.correlations.pairs}
    cells = tuple(tuple(_pair(found.get(frozenset((one, other)))) for other in raters) for one in raters)
    return Square(agreement.aspect, raters, cells)


def _pair(correlation: Estimate | None) -> HeatCell:
    if correlation is None:
        return HeatCell("–")
    if correlation.value is None:
        return HeatCell("none", note=correlation.problem)
    shade = sum(correlation.value >= least for least in (0.2, 0.4, 0.7))
    interval = words.interval(correlation.interval)
    return HeatCell(names.show(correlation.value), shade, f"95 % interval {interval}, n {correlation.n:,}")


def _notes(found: Sequence[AspectAgreement]) -> tuple[str, ...]:
    one = found[0]
    scores = (
        "scores as given" if one.values == "raw" else "z-scores; kappa, means and deviations are of scores as given"
    )
    notes = [
        f"Raters are compared by {scores}. Intervals hold 95 % of {one.resamples:,} resamples of sentences, all "
        f"outputs of a sentence together (seed {one.seed}).",
        "Nobody is left out: a warning says what stands out, and somebody who knows the rater decides.",
    ]
    drawn = next((agreement.kappa for agreement in found if isinstance(agreement.kappa, RepeatedKappa)), None)
    if drawn is not None:
        notes.append(
            f"Kappa is the median of {drawn.draws:,} draws of one rater for each output against the rounded mean of "
            "the others (Sulem et al., 2018)."
        )
    return tuple(notes)
