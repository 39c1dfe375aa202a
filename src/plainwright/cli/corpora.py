"""`plainwright corpora`: what there is, where it lies, whether it is intact, and getting it."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from plainwright.cli import options
from plainwright.cli.explain import colour_wanted
from plainwright.cli.lazy import lazy_group
from plainwright.cli.progress import progress_bar
from plainwright.cli.terminal import echo_coloured

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from plainwright.corpora import Card, FileStatus
    from plainwright.corpora.download import Progress

__all__ = ["app"]

_COMMANDS = {
    "list": ("plainwright.cli.corpora:list_corpora", "List all corpora, with counts, licence and location."),
    "show": ("plainwright.cli.corpora:show", "Show the card of a corpus, with citation and files."),
    "path": ("plainwright.cli.corpora:path", "Print the paths of a corpus on this machine."),
    "verify": ("plainwright.cli.corpora:verify", "Check the digests of the files."),
    "fetch": ("plainwright.cli.corpora:fetch", "Download corpora, check their digests, and print where they are."),
}

app = lazy_group(_COMMANDS, help="List, inspect, check and download corpora.")

_Kind = Literal["set", "outputs", "ratings", "words"]
_COLUMNS = ("segments", "refs", "text", "licence", "where")
_Name = Annotated[str, typer.Argument(metavar="NAME", help="A name from `corpora list`.")]


def list_corpora(
    kind: Annotated[_Kind | None, typer.Option(help="Only corpora of this kind.")] = None,
    data: options.Data = None,
    as_json: options.JsonLines = False,
) -> None:
    """List all corpora, with counts, licence and location."""
    from plainwright import corpora

    listed = [(card, _where(card, data)) for card in corpora.cards(kind=kind)]
    if as_json:
        for card, where in listed:
            summary = {key: value for key, value in card.to_dict().items() if key not in ("citation", "files")}
            typer.echo(json.dumps({**summary, "where": where}, ensure_ascii=False))
    elif sys.stdout.isatty():
        _print_sections(listed)
    else:
        typer.echo("\t".join(("name", "kind", *_COLUMNS)))
        for card, where in listed:
            typer.echo("\t".join((card.name, card.kind, *_row(card), where)))


def show(
    name: _Name,
    data: options.Data = None,
    as_json: options.JsonLines = False,
) -> None:
    """Show the whole card of a corpus, with citation and files."""
    from plainwright import corpora

    card = corpora.get(name)
    places = {entry.path: corpora.find(entry, data=data) for entry in card.files}
    if as_json:
        document = card.to_dict()
        for entry in document["files"]:
            place = places[entry["path"]]
            entry["found"] = None if place is None else str(place)
        typer.echo(json.dumps(document, ensure_ascii=False))
        return
    for label, value in _described(card):
        if value:
            typer.echo(f"{label + ':':<12}{value}")
    typer.echo(f"{'where:':<12}{_where(card, data)}")
    typer.echo("\nfiles:")
    for entry in card.files:
        state = "found" if places[entry.path] else "missing"
        size = f"{entry.bytes:,} bytes" + ("" if entry.lines is None else f", {entry.lines:,} lines")
        typer.echo(f"  {entry.path}  ({_role(entry)}, {size}, {state})")
        source = entry.upstream.url() if entry.upstream else f"{entry.origin}: copy it by hand"
        typer.echo(f"    from {source}" + (f", then {entry.prepare}" if entry.prepare else ""))
        typer.echo(f"    sha256 {entry.sha256}")
    typer.echo(f"\ncitation:\n{card.citation}")


def path(
    name: _Name,
    data: options.Data = None,
) -> None:
    """Print the files of a corpus on this machine, one path per line."""
    from plainwright import corpora

    for place in corpora.locate(name, data=data):
        typer.echo(str(place))


def verify(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Corpora to check.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Check every corpus that is on this machine.")] = False,
    data: options.Data = None,
    as_json: options.JsonLines = False,
) -> None:
    """Check the digests of the files.

    Exit status 1 if a file is damaged, or if a corpus that was named is missing or incomplete.
    """
    from plainwright import corpora
    from plainwright.corpora.lookup import way_out
    from plainwright.errors import DataError

    if bool(names) == everything:
        msg = "name the corpora to verify, or give --all" if not names else "give names or --all, not both"
        raise DataError(msg)
    chosen = corpora.cards() if everything else [corpora.get(name) for name in names or ()]
    failed = False
    for card in chosen:
        statuses = corpora.verify(card, data=data)
        state = _overall(statuses)
        failed |= state == "damaged" or (state != "ok" and not everything)
        if as_json:
            typer.echo(json.dumps(_verified(card, state, statuses), ensure_ascii=False))
        else:
            typer.echo(f"{card.name}\t{state}\t{sum(s.state == 'ok' for s in statuses)}/{len(statuses)} files")
        for status in statuses:
            if status.state == "damaged" and status.path is not None:
                way = way_out(card, status.entry, status.path)
                typer.echo(f"plainwright: {status.path}: {status.problem}; {way}", err=True)
    if failed:
        raise typer.Exit(1)


def fetch(
    names: Annotated[list[str], typer.Argument(metavar="NAME", help="Corpora to download.")],
    directory: Annotated[
        Path | None,
        typer.Option(
            "--directory",
            "--data",
            metavar="DIR",
            help="Data directory to download to [default: the user's cache directory].",
        ),
    ] = None,
    mirror: Annotated[
        str | None, typer.Option(metavar="URL", help="Mirror to use instead of https://raw.githubusercontent.com.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Download again even if a file is already there.")] = False,
    quiet: options.Quiet = False,
) -> None:
    """Download corpora, check their digests, and print where they are."""
    from plainwright import corpora

    cards = [corpora.get(name) for name in names or ()]
    for card in cards:
        with _progress(card, quiet=quiet) as report:
            files = corpora.fetch(card, directory=directory, base_url=mirror, progress=report, force=force)
        got = sum(file.downloaded for file in files)
        if not quiet:
            note = f"{got} of {len(files)} files downloaded" if got else "all files were there already"
            typer.echo(f"{card.name}: {note}; licence: {_licence(card)}", err=True)
        homes = {str(file.path.parents[file.entry.path.count("/")]) for file in files}
        typer.echo(f"{card.name}\t{' + '.join(sorted(homes))}")


@contextmanager
def _progress(card: Card, *, quiet: bool) -> Iterator[Progress | None]:
    """A bar on a terminal, one line before a download elsewhere."""
    begun: list[str] = []

    def tell_once(_: str, __: int, total: int) -> None:
        if not begun:
            begun.append(card.name)
            typer.echo(f"{card.name}: downloading {total:,} bytes", err=True)

    with progress_bar(card.name, quiet=quiet, unit="bytes") as report:
        if report is not None:
            yield lambda _, done, total: report(done, total)
        else:
            yield None if quiet else tell_once


def _described(card: Card) -> Iterable[tuple[str, str]]:
    yield "name", card.name
    yield "also", ", ".join(card.aliases)
    yield "title", card.title
    yield "kind", card.kind
    yield "belongs to", card.of or ""
    yield "segments", "not counted" if card.segments is None else str(card.segments)
    yield "references", str(card.references or "")
    yield "text", card.text or ""
    yield "licence", _licence(card)
    yield "note", card.note


def _licence(card: Card) -> str:
    return card.licence + (" (non-commercial use only)" if card.non_commercial else "")


def _role(entry: Any) -> str:
    if entry.role == "reference":
        return f"reference {entry.reference}"
    return f"output of {entry.system}" if entry.role == "output" else str(entry.role)


def _where(card: Card, data: Path | None) -> str:
    """The directory that has all files, by name and size; otherwise what is wrong or how to get them."""
    from plainwright import corpora

    found = [(entry, corpora.find(entry, data=data)) for entry in card.files]
    homes = {str(place.parents[entry.path.count("/")]) for entry, place in found if place is not None}
    here = sum(place is not None for _, place in found)
    for entry, place in found:
        if place is not None and not entry.path.endswith(".gz") and place.stat().st_size != entry.bytes:
            return "damaged"
    if here == len(found):
        return " + ".join(sorted(homes))
    missing = "fetch" if card.fetchable else "by hand"
    return missing if here == 0 else f"{missing} ({here}/{len(found)} here)"


def _overall(statuses: Sequence[FileStatus]) -> str:
    states = {status.state for status in statuses}
    if "damaged" in states:
        return "damaged"
    if states == {"ok"}:
        return "ok"
    return "missing" if states == {"missing"} else "incomplete"


def _verified(card: Card, state: str, statuses: Sequence[FileStatus]) -> dict[str, Any]:
    files = [
        {
            "path": status.entry.path,
            "found": None if status.path is None else str(status.path),
            "state": status.state,
            "problem": status.problem or None,
        }
        for status in statuses
    ]
    return {"name": card.name, "state": state, "files": files}


def _row(card: Card) -> tuple[str, ...]:
    return (
        "?" if card.segments is None else str(card.segments),
        str(card.references or ""),
        card.text or "",
        card.licence.partition(":")[0].partition(" (")[0],
    )


def _print_sections(listed: Sequence[tuple[Card, str]]) -> None:
    """One block per kind, at most 80 columns wide."""
    homes: dict[str, None] = {}
    previous = ""
    for card, where in sorted(listed, key=lambda pair: ("set", "outputs", "ratings", "words").index(pair[0].kind)):
        if card.kind != previous:
            heading = f"{card.kind:<29}  {'segments':>8}  {'refs':>4}  {'text':<9}  {'licence':<12}  where"
            if previous:
                typer.echo()
            echo_coloured(f"{typer.style(heading, bold=True) if colour_wanted() else heading}\n")
            previous = card.kind
        if Path(where).is_absolute():
            homes[where] = None
        segments, references, text, licence = _row(card)
        place = "here" if where in homes else where
        short = text.replace("tokenised-", "tok ")
        typer.echo(f"{card.name:<29}  {segments:>8}  {references:>4}  {short:<9}  {licence:<12}  {place}")
    typer.echo()
    for home in homes:
        typer.echo(f"here: {home}")
    typer.echo("`plainwright corpora show NAME` prints a card, `plainwright corpora fetch NAME` downloads.")
