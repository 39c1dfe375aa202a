"""The `plainwright` command: dispatch to one module per sub-command, errors to one line and a status.

Exit status: 0 done, 1 the check asked for failed, 2 wrong input. Only `PlainwrightError` and `OSError` are
caught; anything else is our bug and shows its traceback.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Annotated, TextIO

import typer
from typer.main import get_command

from plainwright import __version__
from plainwright.cli import options
from plainwright.cli.lazy import lazy_group
from plainwright.cli.terminal import Terminal
from plainwright.cli.usage import UsageError, usage_message
from plainwright.errors import PlainwrightError
from plainwright.escaping import printable

__all__ = ["app", "main"]

_COMMANDS = {
    "simplify": ("plainwright.cli.simplify:simplify", "Make English easier to read."),
    "check": ("plainwright.cli.check:check", "Say what makes a text hard to read: grade, level, findings."),
    "serve": ("plainwright.cli.serve:serve", "Serve simplification to editors and programs."),
    "evaluate": ("plainwright.cli.evaluate:evaluate", "Score outputs: SARI, BLEU, readability, edit profile."),
    "batch": ("plainwright.cli.batch:app", "Simplify, score or check tables and folders of any size."),
    "report": ("plainwright.cli.report:report", "Write an HTML page about one or many systems."),
    "reproduce": ("plainwright.cli.reproduce:reproduce", "Recompute published tables beside the original numbers."),
    "tune": ("plainwright.cli.tune:tune", "Find weights that raise a metric."),
    "study": ("plainwright.cli.study:app", "Analyse ratings by people: agreement, metrics, study size."),
    "rate": ("plainwright.cli.rate:app", "Have people rate outputs: create, serve and analyse studies."),
    "lens": ("plainwright.cli.lens:app", "Score with a metric learned from people's ratings."),
    "judge": ("plainwright.cli.judge:app", "Judge meaning, grammar and simplicity, without references."),
    "corpora": ("plainwright.cli.corpora:app", "List, inspect, check and download corpora."),
    "grammar": ("plainwright.cli.grammar:app", "Pack, inspect and unpack paraphrase grammars."),
    "lm": ("plainwright.cli.lm:app", "Build, convert and query language models."),
    "rewriter": ("plainwright.cli.rewriter:app", "Use language models of your own to rewrite sentences."),
    "learn": ("plainwright.cli.learn:app", "Learn rules, language models and taggers from text."),
}

app = lazy_group(
    _COMMANDS,
    name="plainwright",
    help="Make English easier to read, and measure whether it worked.",
    add_completion=True,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def _top(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if version:
        typer.echo(f"plainwright {__version__}")
        raise typer.Exit


_COMPLETION = "_PLAINWRIGHT_COMPLETE"  # set by shells that ask how a line may go on; what `--show-completion` prints


class _Ended(SystemExit):
    """A signal that ends the process has arrived; on its way up all that is unfinished is cleared away."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        self.number = number


def main() -> None:
    """Run the command line."""
    _prepare_streams()
    _prepare_warnings()
    try:
        with _raising_signals():
            _run()
    except _Ended as ended:
        # What started us shall see that it was the signal.
        signal.signal(ended.number, signal.SIG_DFL)
        os.kill(os.getpid(), ended.number)


@contextmanager
def _raising_signals() -> Iterator[None]:
    """Within the block SIGTERM and SIGHUP are exceptions, as SIGINT always is; what is ignored stays ignored."""

    def end(number: int, _: FrameType | None) -> None:
        signal.signal(number, signal.SIG_IGN)  # once is enough: clearing away must not be interrupted
        raise _Ended(number)

    is_main = threading.current_thread() is threading.main_thread()  # no other one may handle signals
    # Windows has no SIGHUP.
    known = (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)) if is_main else ()
    taken = [number for number in known if signal.getsignal(number) == signal.SIG_DFL]
    for number in taken:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in taken:
            if signal.getsignal(number) is end:
                signal.signal(number, signal.SIG_DFL)


def _run() -> None:
    command = get_command(app)
    if asked := os.environ.get(_COMPLETION):
        from typer.completion import shell_complete

        sys.exit(shell_complete(command, {}, "plainwright", _COMPLETION, asked))
    try:
        # With `color`, echo leaves text for pipes as it is; what goes onto a terminal, `Terminal` looks after.
        with command.make_context("plainwright", options.expand_multiple(sys.argv[1:]), color=True) as context:
            command.invoke(context)
    except typer.Exit as stop:
        sys.exit(stop.exit_code)
    except UsageError as error:
        _fail_usage(error)
    except PlainwrightError as error:
        _fail(str(error))
    except BrokenPipeError:
        # The reader (head, less) went away; that is its right.
        _drop_output()
        sys.exit(0)
    except OSError as error:
        if error.filename is None:
            _drop_output()
        _fail(f"{error.filename or 'standard output'}: {(error.strerror or str(error)).lower()}")
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(130)


def _prepare_streams() -> None:
    """UTF-8 for files and pipes everywhere; terminals show text, and what they cannot show is no reason to stop."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if not isinstance(stream, io.TextIOWrapper) or isinstance(stream, Terminal):
            continue
        if stream.isatty():
            setattr(sys, name, Terminal(stream))
        else:
            stream.reconfigure(encoding="utf-8", errors="replace")


def _prepare_warnings() -> None:
    """What was left out is said in one line, once; other warnings are for those who write programs."""
    import warnings

    from plainwright.errors import PlainwrightWarning

    shown = warnings.showwarning

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if issubclass(category, PlainwrightWarning):
            typer.echo(f"plainwright: {printable(' '.join(str(message).splitlines()))}", err=True)
        else:
            shown(message, category, filename, lineno, file, line)

    warnings.simplefilter("once", PlainwrightWarning)
    warnings.showwarning = show


def _drop_output() -> None:
    """Keep Python from trying once more, at its end, to write what could not be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail_usage(error: Exception) -> None:
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError" and context is not None:
        typer.echo(context.get_help(), err=True)
        sys.exit(2)
    message = usage_message(error)
    if "did you mean" not in message:
        named = [name for name in sys.argv[1:2] if name in _COMMANDS]
        path = context.command_path if context is not None else " ".join(["plainwright", *named])
        message += f"; see `{path} --help`"
    _fail(message)


def _fail(message: str) -> None:
    # A line break can only come from the name of a file; the message stays one line.
    typer.echo(f"plainwright: {printable(' '.join(message.splitlines()))}", err=True)
    sys.exit(2)
