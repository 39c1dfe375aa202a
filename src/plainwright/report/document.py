"""The report as one HTML document that needs nothing but itself.

Style and script stand inline, and a content security policy admits exactly these two by their digests, so
that a sentence which slipped through as markup could still neither run nor load anything.
"""

from __future__ import annotations

import base64
import hashlib
from importlib import resources

from plainwright.evaluate.result import Evaluation

__all__ = ["render"]


def render(evaluation: Evaluation, *, title: str | None = None) -> str:
    """One self-contained HTML document; the same evaluation gives the same bytes."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    from plainwright.report import charts, data, names, summary, svg

    style, script = _asset("report.css"), _asset("report.js")
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    environment.filters["show"] = names.show
    page = environment.from_string(_asset("report.html.jinja")).render(
        title=title or f"Simplification report{f': {evaluation.dataset}' if evaluation.dataset else ''}",
        evaluation=evaluation,
        segments=data.segment_count(evaluation),
        references=_reference_count(evaluation),
        intervals=any(score.interval for system in evaluation.systems for score in system.scores.values()),
        policy=_policy(style, script),
        style=Markup(style),
        script=Markup(script),
        payload=Markup(data.payload(evaluation)),
        summary=summary.summary_table(evaluation),
        profiles=summary.profile_tables(evaluation),
        tests=summary.tests_table(evaluation),
        signatures=summary.signatures(evaluation),
        charts=charts.all_charts(evaluation),
        scatter=len(data.segment_keys(evaluation)) > 1,
        svg=svg,
        Markup=Markup,
    )
    # File names may carry bytes that are no UTF-8; such a character must not make the page unwritable.
    return page.encode("utf-8", "replace").decode("utf-8")


def _asset(name: str) -> str:
    return resources.files("plainwright.report").joinpath(name).read_text("utf-8")


def _policy(style: str, script: str) -> str:
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)]
    return (
        f"default-src 'none'; style-src 'sha256-{digests[0]}'; script-src 'sha256-{digests[1]}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _reference_count(evaluation: Evaluation) -> str:
    counts = {len(references) for references in evaluation.references}
    if not counts or counts == {0}:
        return "none"
    return f"{min(counts)} to {max(counts)}" if len(counts) > 1 else str(counts.pop())
