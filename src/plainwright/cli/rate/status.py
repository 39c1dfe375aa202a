"""`plainwright rate status`: how far a study is, and who needs attention."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plainwright.cli.options import AsJson
from plainwright.cli.rate.options import StudyArgument, opened
from plainwright.cli.study.text import aligned, echo_json, wrapped
from plainwright.cli.terminal import bare

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from plainwright.rate.overview import Advice, Overview, RaterStatus
    from plainwright.rate.results.quality import RaterQuality

__all__ = ["status"]

_PAUSE = 5.0  # seconds between two looks


def status(
    study: StudyArgument,
    as_json: AsJson = False,
    watch: Annotated[bool, typer.Option("--watch", help="Refresh every 5 seconds, until Ctrl+C.")] = False,
) -> None:
    """Show the progress of a study: pages done and left, how long that takes, each rater, and what to do next."""
    from plainwright.errors import DataError

    if watch and as_json:
        msg = "give either --json or --watch, not both"
        raise DataError(msg)
    with opened(study) as database:
        from plainwright.rate.overview import advise, overview_of

        finished, quality = -1, None
        while True:
            with database.reading() as connection:
                view = overview_of(connection, time.time())
                # Quality reads the whole log: only when there is something new in it.
                if view.demand.finished != finished:
                    finished, quality = view.demand.finished, _quality(connection)
            advice = advise(view, quality)
            if as_json:
                echo_json(_document(view, advice))
                return
            if watch:
                _clear_screen()
            typer.echo("\n".join(_lines(view, advice)))
            if not watch:
                return
            time.sleep(_PAUSE)


def _quality(connection: Connection) -> dict[str, RaterQuality]:
    from plainwright.rate.results.loading import load_record
    from plainwright.rate.results.quality import quality_of

    return {found.rater: found for found in quality_of(load_record(connection))}


def _clear_screen() -> None:
    from rich.console import Console

    Console(file=bare(sys.stdout)).clear()


def _lines(view: Overview, advice: tuple[Advice, ...]) -> Iterator[str]:
    from plainwright.rate.overview import time_left
    from plainwright.rate.overview.phrases import counted

    demand = view.demand
    each = f"{counted(demand.units, 'unit')} for {counted(view.settings.raters_per_unit, 'rater')} each"
    yield f"{view.settings.title}: {'open' if view.open else 'closed'}"
    yield ""
    yield (
        f"{demand.finished:,} of {counted(demand.needed, 'page')} done ({100 * demand.share:.0f} %), "
        f"{demand.under_way:,} under way; {each}"
    )
    yield wrapped(time_left(view))
    if view.raters:
        yield ""
        yield from aligned(("rater", "note", "state", "pages", "more", "last seen"), _rows(view), left=3)
    if advice:
        yield ""
    for entry in advice:
        who = "" if entry.rater is None else f"{entry.rater.label or entry.rater.public} "
        yield wrapped(f"! {who}{entry.sentence}")


def _rows(view: Overview) -> list[list[str]]:
    return [_row(rater, view.now) for rater in view.raters if rater.state != "removed"]


def _row(rater: RaterStatus, now: float) -> list[str]:
    from plainwright.rate.overview.phrases import ago

    seen = "" if rater.last_seen is None else ago(rater.last_seen, now)
    return [rater.public, rater.label, rater.state, f"{rater.finished:,}", f"{rater.available:,}", seen]


def _document(view: Overview, advice: tuple[Advice, ...]) -> dict[str, Any]:
    demand = view.demand
    return {
        "title": view.settings.title,
        "form": view.settings.form,
        "open": view.open,
        "pages": {
            "needed": demand.needed,
            "finished": demand.finished,
            "under_way": demand.under_way,
            "left": demand.left,
            "units": demand.units,
            "raters_per_unit": view.settings.raters_per_unit,
        },
        "more_raters": demand.more_raters,
        "open_invitations": view.open_uses,
        "seconds_per_page": view.pace.seconds.to_dict(),
        "seconds_left": view.pace.time_for(view.pages_to_rate).to_dict(),
        "finished_last_day": view.pace.last_day,
        "raters": [{key: value for key, value in asdict(rater).items() if key != "id"} for rater in view.raters],
        "advice": [
            {"sentence": entry.sentence, "rater": None if entry.rater is None else entry.rater.public}
            for entry in advice
        ],
    }
