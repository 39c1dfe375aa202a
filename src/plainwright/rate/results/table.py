"""The rows of a study: one per judgement and, where raters chose between two, one per comparison."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields

from plainwright.rate.forms.registry import form_of
from plainwright.rate.results.record import Record
from plainwright.rate.results.rows import Comparison, Judgement
from plainwright.study.ratings import Rating, Ratings

__all__ = ["comparisons_of", "judgements_of", "main_rows", "ratings_of"]


def judgements_of(record: Record) -> tuple[Judgement, ...]:
    """A row for each answer about each system, in the order of the material, then as raters were given an item."""
    rows = form_of(record.settings).judgements(record)
    return tuple(row for _, row in sorted(rows, key=lambda placed: placed[0]))


def comparisons_of(record: Record) -> tuple[Comparison, ...]:
    """A row for each choice between outputs of two systems, in the order in which pages were given out."""
    pages = sorted(record.pages, key=lambda page: (page.training, page.number))
    form = form_of(record.settings)
    return tuple(row for page in pages for row in form.comparisons(record.settings.title, page))


def main_rows(rows: Iterable[Judgement]) -> tuple[Judgement, ...]:
    """What systems are judged by: without training, controls and second times."""
    return tuple(row for row in rows if row.is_main)


def ratings_of(rows: Iterable[Judgement]) -> Ratings:
    """Rows as the ratings that `plainwright.study` computes with."""
    shared = [field.name for field in fields(Rating)]
    return Ratings(tuple(Rating(**{name: getattr(row, name) for name in shared}) for row in rows))
