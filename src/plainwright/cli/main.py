"""The `plainwright` command: dispatch to one module per sub-command, errors to one line and a status.

Exit status: 0 done, 1 the check asked for failed, 2 wrong input. Only `PlainwrightError` and `OSError` are
caught; anything else is our bug and shows its traceback.
"""

from __future__ import annotations

import os
import sys

import typer

from plainwright import __version__
from plainwright.cli import corpora, evaluate, options, report, reproduce
from plainwright.errors import PlainwrightError

__all__ = ["app", "main"]

# Plain help: rich's would double the time that --help takes.
app = typer.Typer(
    name="plainwright",
    help="Make English easier to read, and measure honestly whether you did.",
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("evaluate")(evaluate.evaluate)
app.command("report", short_help="Write an HTML page about one or many systems.")(report.report)
app.command("reproduce", short_help="Compute a published table again, beside its own numbers.")(reproduce.reproduce)
app.add_typer(corpora.app, name="corpora")


@app.callback(invoke_without_command=True)
def _top(version: bool = typer.Option(False, "--version", help="Print the version and exit.")) -> None:
    if version:
        typer.echo(f"plainwright {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command line."""
    try:
        app(options.expand_multiple(sys.argv[1:]))
    except PlainwrightError as error:
        _fail(str(error))
    except BrokenPipeError:
        # The reader (head, less) went away; that is its right.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        _fail(f"{error.filename or 'file'}: {(error.strerror or str(error)).lower()}")


def _fail(message: str) -> None:
    typer.echo(f"plainwright: {message}", err=True)
    sys.exit(2)
