"""`plainwright rate serve`: the pages of a study."""

from __future__ import annotations

from typing import Annotated

import typer

from plainwright.cli.rate.options import StudyArgument, needs_rate

__all__ = ["serve"]


def serve(
    study: StudyArgument,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Listen on this address of the machine.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="PORT", help="Listen on this port; 0 takes a free one.")] = 8765,
    prefix: Annotated[str, typer.Option(metavar="PATH", help="Serve all pages under this path, such as /study.")] = "",
    https: Annotated[
        bool,
        typer.Option("--https", help="Raters connect over HTTPS through a proxy, so send cookies over HTTPS only."),
    ] = False,
    proxy: Annotated[
        bool, typer.Option("--proxy", help="Trust the client addresses that a proxy reports (X-Forwarded-…).")
    ] = False,
    insecure_http: Annotated[
        bool, typer.Option("--insecure-http", help="Serve other machines without HTTPS, on a network that you trust.")
    ] = False,
) -> None:
    """Serve the pages of a study until Ctrl+C.

    Raters use their links (`rate invite`), you use /organiser. Title, instructions, consent and the number of
    raters are read from study.toml at each start. For access from other machines, put a web server
    with HTTPS in front of it: docs/rate/security.md shows how.
    """
    with needs_rate():
        from plainwright.rate.study_file import read_study_file
        from plainwright.rate.web.serving import serve as serve_study
    _log_to_screen()
    serve_study(
        read_study_file(study),
        host=host,
        port=port,
        prefix=prefix,
        https=https,
        proxy=proxy,
        insecure_http=insecure_http,
        on_ready=_show,
    )
    typer.echo("Stopped. Everything is saved.")


def _show(address: str) -> None:
    typer.echo(f"Raters' pages:  {address}")
    typer.echo(f"Your page:      {address}organiser")
    typer.echo("Stop with Ctrl+C.")


def _log_to_screen() -> None:
    """What was refused and what went wrong, one line each with the time."""
    import logging

    logging.basicConfig(format="%(asctime)s %(name)s: %(message)s", level=logging.WARNING)
