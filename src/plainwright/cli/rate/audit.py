"""`plainwright rate audit` and `rate replay`: is the log what it was when it was written, and what does it say?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from plainwright.cli import options
from plainwright.cli.rate.options import StudyArgument, opened
from plainwright.cli.study.text import echo_json
from plainwright.escaping import printable

if TYPE_CHECKING:
    from plainwright.rate.store.replay import PageLog

__all__ = ["audit", "replay"]


def audit(
    study: StudyArgument,
    as_json: options.AsJson = False,
) -> None:
    """Check that nothing in the log of a study was changed, dropped or inserted, and that all else follows from it.

    Every chain of digests is recomputed and every page replayed from its first event. The exit status is 1
    if anything is wrong. The digest at the end stands for the whole log: write it down when the study is over, and
    anybody can see later that the log is still the same.
    """
    with opened(study) as database:
        from plainwright.rate.store.audit import audit as audited
        from plainwright.rate.store.audit import log_digest, log_size

        with database.reading() as connection:
            problems = audited(connection)
            size = log_size(connection)
            digest = log_digest(connection)
    if as_json:
        echo_json({"pages": size.pages, "events": size.events, "digest": digest, "problems": problems})
    else:
        verdict = f"{len(problems)} problems" if len(problems) != 1 else "1 problem"
        typer.echo(f"pages    {size.pages}")
        typer.echo(f"events   {size.events}")
        typer.echo(f"digest   {digest}")
        typer.echo(f"verdict  {verdict if problems else 'sound'}")
        for problem in problems:
            typer.echo(f"  {printable(problem)}")
    if problems:
        raise typer.Exit(1)


def replay(
    study: StudyArgument,
    assignment: Annotated[str | None, typer.Option(metavar="ID", help="Only this page of one rater.")] = None,
    rater: Annotated[str | None, typer.Option(metavar="ID", help="Only the pages of this rater.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per event, one per line.")] = False,
) -> None:
    """Print the log of a study as sentences, page by page: what was shown, and what the rater did when."""
    with opened(study) as database:
        from plainwright.rate.store.replay import page_logs

        with database.reading() as connection:
            for log in page_logs(connection, assignment=assignment, rater=rater):
                if as_json:
                    _print_json(log)
                else:
                    _print_page(log)


def _print_json(log: PageLog) -> None:
    import json

    import msgspec

    for kept in log.events:
        typer.echo(
            json.dumps(
                {
                    "rater": log.rater,
                    "assignment": log.assignment,
                    "number": kept.number,
                    "at": kept.at,
                    "sent": kept.sent,
                    "key": kept.key,
                    "event": msgspec.to_builtins(kept.event),
                    "digest": kept.digest,
                },
                ensure_ascii=False,
            )
        )


def _print_page(log: PageLog) -> None:
    from datetime import datetime, timezone

    from plainwright.rate.telling import told

    again = ", for the second time" if log.repeat else ""
    typer.echo(f"rater {log.rater}, page {log.place}{again}: assignment {log.assignment}, {log.state}")
    typer.echo(f"  source  {printable(log.unit.source)}")
    for number, card in enumerate(log.unit.cards, start=1):
        typer.echo(f"  {number:>6}  {printable(card.text)}")
    shown = [card.id for card in log.unit.cards]
    for kept in log.events:
        time = datetime.fromtimestamp(kept.at, timezone.utc).strftime("%Y-%m-%d %H:%M:%S")
        since = kept.sent - log.events[0].sent
        typer.echo(f"  {time}  {since:+8.1f} s  {printable(told(kept.event, shown))}")
    typer.echo("")
