"""How `plainwright study correlate` prints its results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from plainwright.cli.study.text import aligned, wrapped

if TYPE_CHECKING:
    from plainwright.study.correlation import Correlation, CorrelationStudy, Protocol

__all__ = ["lines_of", "sentence"]

_NAMES = {"pearson": "Pearson's r", "spearman": "Spearman's rho", "kendall": "Kendall's tau-b", "tau-like": "Tau-like"}
_OF = {"system": "of systems", "sentence": "of outputs", "item": "of outputs, mean over items", "pairs": "of pairs"}
_EXCHANGED = {"inputs": "items", "systems": "systems", "both": "single outputs"}
_DRAWN = {"inputs": "items", "systems": "systems", "both": "items and systems"}


def lines_of(name: str, study: CorrelationStudy) -> Iterator[str]:
    """All that is printed about a comparison of metrics with the ratings called `name`."""
    counted = f"{len(study.metrics)} metric{'' if len(study.metrics) == 1 else 's'}"
    yield f"{name}: {counted} against people's ratings"
    yield from map(wrapped, _heading(study.protocol))
    for operation in study.operations:
        yield ""
        if len(study.operations) > 1:
            yield "all outputs" if operation is None else f"{operation} only"
        yield from _tables(study, operation)
    yield ""
    yield from (wrapped(sentence(conclusion)) for conclusion in study.conclusions)
    yield ""
    yield from (wrapped(line) for line in _footnotes(study))


def _tables(study: CorrelationStudy, operation: str | None) -> Iterator[str]:
    if all(study.best(aspect, operation) is None for aspect in study.aspects):
        yield "nothing can be computed, see below"
        return
    yield from _values(study, operation)
    if study.protocol.level == "pairs":
        yield ""
        yield from _counts(study, operation)
    if study.differences and len(study.metrics) > 1:
        yield ""
        yield from _tests(study, operation)


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:]}."


def _heading(protocol: Protocol) -> Iterator[str]:
    line = f"{_NAMES[protocol.coefficient_name]} {_OF[protocol.level]}, {protocol.values} ratings"
    if protocol.resamples:
        line += (
            f"; {100 * protocol.confidence:g} % intervals from {protocol.resamples} resamples of "
            f"{_DRAWN[protocol.resampled]}, seed {protocol.seed}"
        )
    yield line
    if protocol.level == "pairs":
        convention = protocol.convention
        whose = "the mean" if "mean" in (convention.raters, convention.difference) else "each"
        least = f"{'at least' if convention.at_least else 'above'} {convention.min_difference:g}"
        scope = "any two outputs" if convention.pairs == "any" else "two outputs of the same operation"
        yield (
            f"pairs: {scope} of a source; raters: {convention.raters}, difference of {whose} {least}; "
            f"metric ties: {convention.metric_ties}"
        )


def _values(study: CorrelationStudy, operation: str | None) -> Iterator[str]:
    header = ["metric"]
    for aspect in study.aspects:
        sizes = {study.correlation(metric, aspect, operation).estimate.n for metric in study.metrics}
        number = "-".join(map(str, sorted({min(sizes), max(sizes)})))
        header.append(f"{aspect} ({number} {study.unit.removesuffix('s') if number == '1' else study.unit}) ")
    rows = [
        [metric, *(_cell(study, study.correlation(metric, aspect, operation)) for aspect in study.aspects)]
        for metric in study.metrics
    ]
    yield from aligned(header, rows)


def _cell(study: CorrelationStudy, found: Correlation) -> str:
    estimate = found.estimate
    if estimate.value is None:
        return "– "
    shown = _two_digits(estimate.value)
    if estimate.interval is not None:
        low, high = map(_two_digits, (estimate.interval.low, estimate.interval.high))
        shown += f" [{low:>5}, {high:>5}]"
    best = study.best(found.aspect, found.operation)
    test = None if best is None else study.difference(best.metric, found.metric, found.aspect, found.operation)
    return shown + ("*" if test is not None and test.significant else " ")


def _two_digits(number: float) -> str:
    return f"{round(number, 2) + 0.0:.2f}"  # never -0.00


def _counts(study: CorrelationStudy, operation: str | None) -> Iterator[str]:
    rows = []
    for metric in study.metrics:
        row = [metric]
        for aspect in study.aspects:
            counts = study.correlation(metric, aspect, operation).counts
            assert counts is not None
            row.append(f"{counts.concordant} / {counts.discordant} / {counts.tied}")
        rows.append(row)
    yield from aligned(["pairs: concordant / discordant / tied", *study.aspects], rows)


def _tests(study: CorrelationStudy, operation: str | None) -> Iterator[str]:
    rows = []
    for metric in study.metrics:
        row = [metric]
        for aspect in study.aspects:
            best = study.best(aspect, operation)
            test = None if best is None else study.difference(metric, best.metric, aspect, operation)
            if best is not None and best.metric == metric:
                row.append("best")
            elif test is None or test.difference is None or test.adjusted is None:
                row.append("–")
            else:
                row.append(f"{_two_digits(test.difference)}  p {test.adjusted:.3f}")
        rows.append(row)
    yield from aligned(["below the best", *study.aspects], rows)


def _footnotes(study: CorrelationStudy) -> Iterator[str]:
    protocol = study.protocol
    if any(found.adjusted is not None for found in study.differences):
        yield (
            f"* significantly below the best metric of its column: permutation test that exchanges "
            f"{_EXCHANGED[protocol.exchange]}, two-sided, p < 0.05 after correction for all pairs of metrics "
            f"({protocol.correction})."
        )
    yield from _problems(study)
    yield from map(sentence, study.notes)
    yield from (signature or f"{name}: values as given" for name, signature in study.signatures.items())


def _problems(study: CorrelationStudy) -> Iterator[str]:
    """What could not be computed, each reason once, and none that a conclusion has said."""
    from plainwright.study.correlation_result import named_group

    reasons: dict[tuple[str, str], list[str]] = {}
    left_out: dict[str, int] = {}
    for found in study.correlations:
        where = named_group(found.aspect, found.operation)
        interval = found.estimate.interval
        if found.estimate.problem:
            reasons.setdefault((where, found.estimate.problem), []).append(found.metric)
        elif interval is not None and interval.undefined:
            left_out[where] = max(left_out.get(where, 0), interval.undefined)
    for (where, problem), names in reasons.items():
        if len(names) < len(study.metrics):
            yield f"{where}, {', '.join(names)}: {problem}."
    if left_out:
        shown = "; ".join(f"{where} {number}" for where, number in left_out.items())
        yield f"Left out of intervals, of {study.protocol.resamples} resamples, because nothing varied: {shown}."
