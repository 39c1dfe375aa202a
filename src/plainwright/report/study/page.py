"""The sections of a study page, put together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from plainwright import __version__
from plainwright.arguments import check_instance
from plainwright.report import page
from plainwright.report.figures import Section
from plainwright.report.study import agreement, correlation, overview, planning, resampling, tradeoffs
from plainwright.report.study.results import StudyReport

__all__ = ["render"]

# Key, title, and what makes the section; in the order of the page.
_SECTIONS: tuple[tuple[str, str, Callable[[StudyReport], Section | None]], ...] = (
    ("ratings", "Ratings", overview.section),
    ("agreement", "Agreement", agreement.section),
    ("correlation", "Metrics against people", correlation.section),
    ("tradeoffs", "Trade-offs", tradeoffs.section),
    ("resampling", "Resampling", resampling.section),
    ("plan", "Plan", planning.section),
)


def render(results: StudyReport) -> str:
    """One self-contained HTML document without any script; the same results give the same bytes."""
    check_instance(results, StudyReport, "render", "results", "a StudyReport, as gather returns it")
    sections = [section for section in (_section(results, *made) for made in _SECTIONS) if section is not None]
    return page.compose(
        "study.html.jinja",
        styles=("page.css", "study.css"),
        title=results.title,
        version=__version__,
        results=sections[0].key if sections else "",
        navigation=len(sections) > 1,
        facts=overview.facts(results),
        sections=sections,
    )


def _section(
    results: StudyReport, key: str, title: str, make: Callable[[StudyReport], Section | None]
) -> Section | None:
    problem, section = results.problems.get(key, ""), make(results)
    if section is None:
        return Section(key=key, title=title, problem=problem) if problem else None
    return replace(section, key=key, title=title, problem=problem)
