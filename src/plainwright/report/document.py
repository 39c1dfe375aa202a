"""The report on an evaluation as one HTML document that needs nothing but itself."""

from __future__ import annotations

from plainwright.evaluation.result import Evaluation

__all__ = ["render"]


def render(evaluation: Evaluation, *, title: str | None = None) -> str:
    """One self-contained HTML document; the same evaluation gives the same bytes."""
    from markupsafe import Markup

    from plainwright.arguments import check_instance
    from plainwright.report import charts, data, page, summary

    check_instance(evaluation, Evaluation, "render", "evaluation", "an Evaluation, as evaluate returns it")
    intervals = any(score.interval for system in evaluation.systems for score in system.scores.values())
    return page.compose(
        "report.html.jinja",
        styles=("page.css", "controls.css", "report.css"),
        scripts=(
            "tools.js",
            "report.js",
            "report_sentences.js",
            "report_scatter.js",
        ),  # one after the other, as one script
        title=title or f"Simplification report{f': {evaluation.dataset}' if evaluation.dataset else ''}",
        version=evaluation.version,
        results="summary",
        navigation=True,
        facts=_facts(evaluation, data.segment_count(evaluation), intervals=intervals),
        evaluation=evaluation,
        intervals=intervals,
        payload=Markup(data.payload(evaluation)),
        summary=summary.summary_table(evaluation),
        profiles=summary.profile_tables(evaluation),
        tests=summary.tests_table(evaluation),
        signatures=summary.signatures(evaluation),
        charts=charts.all_charts(evaluation),
        scatter=len(data.segment_keys(evaluation)) > 1,
    )


def _facts(evaluation: Evaluation, segments: int, *, intervals: bool) -> list[tuple[str, str]]:
    facts = [
        ("Set", evaluation.dataset or "files"),
        ("Sentences", f"{segments:,}"),
        ("References", _reference_count(evaluation)),
        ("Systems", str(len(evaluation.systems))),
        ("Seed", str(evaluation.seed)),
        ("plainwright", evaluation.version),
    ]
    if intervals:
        facts.insert(4, ("Resamples", f"{evaluation.resamples:,}"))
    return facts


def _reference_count(evaluation: Evaluation) -> str:
    counts = {len(references) for references in evaluation.references}
    if not counts or counts == {0}:
        return "none"
    return f"{min(counts)} to {max(counts)}" if len(counts) > 1 else str(counts.pop())
