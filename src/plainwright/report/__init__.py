"""One self-contained HTML page from an `Evaluation`: summary, charts, every sentence with its differences."""

from plainwright.report.document import render

__all__ = ["render"]
