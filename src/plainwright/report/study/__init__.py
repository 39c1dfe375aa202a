"""One self-contained HTML page about a study: who agreed, which metric follows people, and what more would show."""

from plainwright.report.study.gathering import gather, reasons
from plainwright.report.study.page import render
from plainwright.report.study.results import StudyReport

__all__ = ["StudyReport", "gather", "reasons", "render"]
