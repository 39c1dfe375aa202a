"""`plainwright lm`: make, convert and ask language models."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plainwright.cli import options
from plainwright.cli.lazy import lazy_group
from plainwright.cli.progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Callable

    from plainwright.cli.progress import Report
    from plainwright.learn.lm import EstimatedModel
    from plainwright.lm import LanguageModel

__all__ = ["app"]

_COMMANDS = {
    "build": ("plainwright.cli.lm:build", "Estimate a model from text (modified Kneser-Ney)."),
    "pack": ("plainwright.cli.lm:pack", "Turn an ARPA file into a packed model."),
    "unpack": ("plainwright.cli.lm:unpack", "Turn a packed model back into an ARPA file."),
    "info": ("plainwright.cli.lm:info", "Show order, n-grams and size of a packed model."),
    "verify": ("plainwright.cli.lm:verify", "Read every byte of a packed model; check its checksum."),
    "score": ("plainwright.cli.lm:score", "Print the log10 probability of each sentence."),
    "perplexity": ("plainwright.cli.lm:perplexity", "Compute perplexity, with and without unknown words."),
}

app = lazy_group(_COMMANDS, help="Build, convert and query language models.")

_Model = Annotated[Path, typer.Argument(metavar="MODEL", help="A packed model.")]
_Text = Annotated[
    list[Path] | None,
    typer.Argument(metavar="TEXT…", help="Tokenised sentences, one per line, also .gz. Default: standard input."),
]
_NO_PRUNING = [0]
_DISCOUNTS = [0.5, 1.0, 1.5]
_Threads = Annotated[int, typer.Option(min=1, help="Number of threads; it does not change the results.")]


def build(
    texts: Annotated[
        list[Path],
        typer.Argument(metavar="TEXT…", help="Tokenised sentences, one per line, also .gz; - for standard input."),
    ],
    output: Annotated[
        list[Path],
        typer.Option(
            "--save",
            "-o",
            metavar="FILE",
            help="model.arpa, model.arpa.gz, or any other name for a packed model; may be repeated.",
        ),
    ],
    order: Annotated[int, typer.Option(min=1, max=5, help="Length of the longest n-grams, in words.")] = 5,
    prune: Annotated[
        list[int],
        typer.Option(
            metavar="COUNT…", min=0, help="Leave out n-grams seen at most this often, by order (such as 0 0 1)."
        ),
    ] = _NO_PRUNING,
    fallback: Annotated[
        list[float],
        typer.Option(metavar="D1 D2 D3", help="Discounts to use where the text is too small to estimate them."),
    ] = _DISCOUNTS,
    as_json: options.JsonLines = False,
    quiet: options.Quiet = False,
) -> None:
    """Estimate a model from text, with interpolated modified Kneser-Ney smoothing.

    \b
    Examples:
      plainwright lm build simple.txt -o simple.lm
      plainwright lm build a.txt.gz b.txt.gz --prune 0 0 1 -o simple.arpa.gz -o simple.lm
    """
    from plainwright.errors import DataError
    from plainwright.files import check_writable
    from plainwright.learn.lm import estimate_files

    if len(fallback) != 3:
        msg = f"--fallback needs three discounts, got {len(fallback)}"
        raise DataError(msg)
    for path in output:
        check_writable(path)
    discounts = (fallback[0], fallback[1], fallback[2])
    with progress_bar("counting", quiet=quiet) as report:
        tell = _by_stage(report)
        model = estimate_files(texts, order=order, prune=prune, fallback=discounts, progress=tell)
        for path in output:
            tell(f"writing {path}", 0, 0)
            model.save(path)
    _tell_estimate(model, output, as_json=as_json)


def pack(
    arpa: Annotated[Path, typer.Argument(metavar="ARPA", help="An ARPA file, also .gz; - for standard input.")],
    output: Annotated[Path, typer.Option("--save", "-o", metavar="MODEL", help="The packed model to write.")],
    quiet: options.Quiet = False,
) -> None:
    """Turn an ARPA file into a packed model."""
    from plainwright import lm

    with progress_bar(f"reading {arpa}", quiet=quiet) as report:
        lm.pack(arpa, output, progress=report)
    typer.echo(_summary(lm.LanguageModel.open(output)))


def unpack(
    model: _Model,
    output: Annotated[Path, typer.Option("--save", "-o", metavar="ARPA", help="The ARPA file to write, also .gz.")],
) -> None:
    """Turn a packed model back into an ARPA file."""
    from plainwright import lm

    lm.unpack(model, output)
    typer.echo(str(output))


def info(
    model: _Model,
    as_json: options.JsonLines = False,
) -> None:
    """Show the order, n-grams and size of a packed model."""
    from plainwright import lm

    opened = lm.LanguageModel.open(model)
    if as_json:
        described = {"model": str(model), "order": opened.order, "ngrams": opened.counts, "bytes": opened.bytes}
        typer.echo(json.dumps(described))
        return
    typer.echo(_summary(opened))
    for n, count in enumerate(opened.counts, start=1):
        typer.echo(f"  {n}-grams\t{count:,}")


def verify(
    model: _Model,
) -> None:
    """Read every byte of a packed model and check its checksum; exit status 1 if it is damaged."""
    from plainwright import lm
    from plainwright.errors import DataError

    try:
        lm.LanguageModel.open(model, verify=True)
    except DataError as error:
        if not model.is_file():
            raise
        typer.echo(f"plainwright: {error}", err=True)
        raise typer.Exit(1) from None
    typer.echo(f"{model}\tok")


def score(
    model: _Model,
    texts: _Text = None,
    words: Annotated[
        bool, typer.Option("--words", help="Also print each word, its log10 and the length of the n-gram found.")
    ] = False,
    as_json: options.JsonLines = False,
    threads: _Threads = 1,
) -> None:
    """Print the total log10 probability of each sentence."""
    from plainwright import lm

    opened = lm.LanguageModel.open(model)
    lines = _read(texts)
    for line, total in zip(lines, opened.score_lines(lines, threads=threads), strict=True):
        scores = opened.word_scores(line) if words else []
        if as_json:
            document = {"sentence": line, "log10": total}
            if words:
                document["words"] = [word._asdict() for word in scores]
            typer.echo(json.dumps(document, ensure_ascii=False))
            continue
        typer.echo(f"{total:.4f}\t{line}")
        for word in scores:
            note = "" if word.known else "\tunknown"
            typer.echo(f"  {word.word}\t{word.log10:.4f}\t{word.ngram_length}{note}")


def perplexity(
    model: _Model,
    texts: _Text = None,
    as_json: options.JsonLines = False,
    threads: _Threads = 1,
) -> None:
    """Compute the perplexity of text, with and without words that the model does not know."""
    from plainwright import lm

    result = lm.LanguageModel.open(model).perplexity(_read(texts), threads=threads)
    if as_json:
        typer.echo(json.dumps(dataclasses.asdict(result)))
        return
    typer.echo(f"perplexity\t{result.value:.2f}")
    typer.echo(f"without unknown words\t{result.without_unknown:.2f}")
    typer.echo(f"sentences\t{result.sentences:,}")
    typer.echo(f"tokens, with ends of sentences\t{result.tokens:,}")
    typer.echo(f"unknown\t{result.unknown:,}")


def _by_stage(report: Report | None) -> Callable[[str, int, int], None]:
    """The bar for work in named stages."""

    def tell(stage: str, done: int, total: int) -> None:
        if report is not None:
            report(done, total, stage)

    return tell


def _read(texts: list[Path] | None) -> list[str]:
    from plainwright.files import read_lines

    return [line for path in texts or [Path("-")] for line in read_lines(path)]


def _summary(model: LanguageModel) -> str:
    ngrams = sum(model.counts)
    return f"{model.path}\torder {model.order}\t{ngrams:,} n-grams\t{model.bytes:,} bytes"


def _tell_estimate(model: EstimatedModel, output: list[Path], *, as_json: bool) -> None:
    if as_json:
        described = {name: getattr(model, name) for name in ("sentences", "tokens", "types")}
        orders = [dataclasses.asdict(order) for order in model.orders]
        typer.echo(json.dumps({"output": [str(path) for path in output], **described, "orders": orders}))
        return
    typer.echo(f"{model.sentences:,} sentences, {model.tokens:,} tokens, {model.types:,} words")
    for order in model.orders:
        shown = " ".join(f"{discount:.4f}" for discount in order.discounts)
        note = "\t(fall-back: the text is too small for its own)" if order.fallback else ""
        typer.echo(f"  {order.order}-grams\t{order.kept:,} of {order.counted:,}\tdiscounts {shown}{note}")
    for path in output:
        typer.echo(str(path))
