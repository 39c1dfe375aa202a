"""`plainwright serve`: simplification for editors and programs, over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

__all__ = ["serve"]

Level = Literal["light", "plain", "easy"]


def serve(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Listen on this address of the machine.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="PORT", help="Listen on this port; 0 takes a free one.")] = 8766,
    model: Annotated[
        Path | None, typer.Option("--model", "-m", metavar="DIR", help="The model, as for simplify.")
    ] = None,
    level: Annotated[
        Level,
        typer.Option("--level", "-l", metavar="LEVEL", help="How much to change unless a request says otherwise."),
    ] = "plain",
    strength: Annotated[
        float, typer.Option("--strength", "-s", metavar="NUMBER", min=-1, max=1, help="From -1 (careful) to 1 (bold).")
    ] = 0.0,
    words: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="A word list of your own; may be repeated.")
    ] = None,
    wordnet: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="WordNet's files, for the page's glossary, if elsewhere than usual."),
    ] = None,
    max_characters: Annotated[
        int, typer.Option(metavar="N", min=1, max=10_000_000, help="Refuse texts with more characters than this.")
    ] = 200_000,
    max_seconds: Annotated[
        float, typer.Option(metavar="N", min=0.1, max=3600, help="Give up on a request after this many seconds.")
    ] = 60.0,
    per_minute: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, help="Requests per minute from one address; this machine may send any number."
        ),
    ] = 120,
    workers: Annotated[int, typer.Option(metavar="N", min=1, max=1024, help="Work on N texts at once.")] = 2,
    keys: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Answer only clients with a key from this file.")
    ] = None,
    new_key: Annotated[
        str | None, typer.Option(metavar="NAME", help="Add a key for NAME to the --keys file, show it, and exit.")
    ] = None,
    cors: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ORIGIN", help="Let pages of this site send requests, such as https://example.org; may be repeated."
        ),
    ] = None,
    https: Annotated[bool, typer.Option("--https", help="Clients connect over HTTPS, through a proxy.")] = False,
    proxy: Annotated[
        bool, typer.Option("--proxy", help="Trust the client addresses that a proxy reports (X-Forwarded-For).")
    ] = False,
    insecure_http: Annotated[
        bool, typer.Option("--insecure-http", help="Serve other machines without HTTPS, on a network that you trust.")
    ] = False,
) -> None:
    """Serve simplification to people, editors and programs until Ctrl+C.

    Open the address that is printed, paste a text, and accept or refuse each edit. Editors that can ask a LanguageTool
    server show our suggestions, and programs call /v1/simplify, /v1/check and /v1/evaluate. Nothing is kept, and
    no text is logged.

    \b
    Example:
      plainwright serve
      curl -d language=en-US -d 'text=We utilise it.' http://127.0.0.1:8766/v2/check
    """
    from plainwright.extras import extra_for

    with extra_for("serving", "serve"):
        from plainwright.serve.app import serve as serve_work
        from plainwright.serve.keys import add_key
        from plainwright.serve.settings import ServeSettings
    if new_key is not None:
        typer.echo(add_key(_keys_file(keys), new_key))
        return
    _log_to_screen()
    settings = ServeSettings(
        model=model,
        level=level,
        strength=strength,
        words=tuple(words or ()),
        wordnet=wordnet,
        characters=max_characters,
        seconds=max_seconds,
        per_minute=per_minute,
        workers=workers,
        keys=keys,
        origins=tuple(cors or ()),
        https=https,
        proxy=proxy,
    )
    serve_work(settings, host=host, port=port, insecure_http=insecure_http, on_ready=_show)
    typer.echo("Stopped.")


def _keys_file(keys: Path | None) -> Path:
    from plainwright.errors import DataError

    if keys is None:
        msg = "--new-key: expected --keys FILE with it, found none"
        raise DataError(msg)
    return keys


def _show(address: str, note: str) -> None:
    if note:
        typer.echo(f"plainwright: {note}", err=True)
    typer.echo(f"To write:      {address}")
    typer.echo(f"For programs:  {address}v1/openapi.json")
    typer.echo(f"For editors:   {address}v2 (as a LanguageTool server)")
    typer.echo("Stop with Ctrl+C.")


def _log_to_screen() -> None:
    """What went wrong, one line each with the time; never a text."""
    import logging

    logging.basicConfig(format="%(asctime)s %(name)s: %(message)s", level=logging.WARNING)
