"""Options that `evaluate` and `report` share, and how they become library calls."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

if TYPE_CHECKING:
    from plainwright.evaluate import Evaluation

__all__ = [
    "ALLOW_EMPTY",
    "ALLOW_REFERENCE",
    "DATA",
    "LOWERCASE",
    "METRICS",
    "MULTIPLE",
    "OUTPUTS",
    "REFERENCES",
    "RESAMPLES",
    "SEED",
    "SET",
    "SOURCE",
    "TEST",
    "THREADS",
    "TOKENIZER",
    "VARIANT",
    "Test",
    "Tokenizer",
    "check_output",
    "expand_multiple",
    "run_evaluation",
]

# Options that take any number of values after one flag: `--outputs a.txt b.txt`.
MULTIPLE = ("--outputs", "--references", "--metrics", "--variant", "--prune", "--fallback")

_MAX_RESAMPLES = 1_000_000  # more take minutes and change no digit that is printed
_MAX_THREADS = 1024

Tokenizer = Literal["auto", "none", "13a", "intl"]
Test = Literal["bootstrap", "randomisation"]

SET = typer.Argument(
    None,
    metavar="SET",
    help="A registered set (see `plainwright corpora list`), or a .tsv or .jsonl file with a source and any "
    "number of references on each line.",
    show_default=False,
)
OUTPUTS = typer.Option(
    None,
    "--outputs",
    metavar="FILE…",
    help="Outputs to score, one file per system (also NAME=FILE, - for standard input, source for the unchanged "
    "input, or the name of a system or collection that comes with the set). Default: all systems of the set.",
    show_default=False,
)
SOURCE = typer.Option(None, "--source", metavar="FILE", help="Source segments, one per line.", show_default=False)
REFERENCES = typer.Option(None, "--references", metavar="FILE…", help="References, one file each.", show_default=False)
METRICS = typer.Option(
    None,
    "--metrics",
    metavar="NAME…",
    help="sari, bleu, fk, fkbleu, ibleu, ld, tbleu, profile. Default: sari bleu fk fkbleu profile.",
    show_default=False,
)
VARIANT = typer.Option(
    None,
    "--variant",
    metavar="VARIANT…",
    help="A SARI variant (xu2016, equations, easse, huggingface), or METRIC=VARIANT, as in fk=plain.",
    show_default=False,
)
TOKENIZER = typer.Option(
    "auto", "--tokenizer", help="auto: whitespace for tokenised text and 13a for raw text in SARI."
)
LOWERCASE = typer.Option(False, "--lowercase", help="Ignore case in BLEU and its kin (SARI always does).")
ALLOW_EMPTY = typer.Option(False, "--allow-empty", help="Score empty output lines.")
ALLOW_REFERENCE = typer.Option(False, "--allow-reference", help="Score an output that is a reference.")
RESAMPLES = typer.Option(1000, "--resamples", help="For intervals and tests; 0 leaves both out.")
TEST = typer.Option("randomisation", "--test", help="Test against the best system.")
SEED = typer.Option(12345, "--seed", help="Seed of the resampling.")
THREADS = typer.Option(1, "--threads", help="Threads; the numbers do not depend on it.")
DATA = typer.Option(None, "--data", metavar="DIR", help="Data directory to search first.", show_default=False)


def expand_multiple(arguments: Sequence[str]) -> list[str]:
    """`--outputs a b` as `--outputs a --outputs b`, which is all that the parser understands."""
    expanded: list[str] = []
    option: str | None = None
    values = 0
    for argument in arguments:
        if argument.startswith("-") and argument != "-":
            option = argument if argument in MULTIPLE else None
            values = 0
            expanded.append(argument)
        elif option is not None and values > 0:
            expanded += [option, argument]
            values += 1
        else:
            expanded.append(argument)
            values += 1
    return expanded


def check_output(
    output: Path, outputs: Sequence[str] | None, source: Path | None, references: Sequence[Path] | None
) -> None:
    """Refuse to write the result over a file that it is made from."""
    from plainwright.errors import DataError

    inputs = [*(item.rpartition("=")[2] for item in outputs or []), *map(str, [source, *(references or [])])]
    if output.exists() and any(Path(name).exists() and output.samefile(name) for name in inputs):
        msg = f"{output}: the result would replace one of the inputs; give -o another name"
        raise DataError(msg)


def run_evaluation(
    *,
    set_name: str | None,
    outputs: Sequence[str] | None,
    source: Path | None,
    references: Sequence[Path] | None,
    metrics: Sequence[str] | None,
    variant: Sequence[str] | None,
    tokenizer: Tokenizer,
    lowercase: bool,
    allow_empty: bool,
    allow_reference: bool,
    resamples: int,
    test: Test,
    seed: int,
    threads: int,
    data: Path | None,
) -> Evaluation:
    """Read, check and score, as the options say."""
    from plainwright import evaluate as library
    from plainwright.errors import DataError

    _check_range("--resamples", resamples, 0, _MAX_RESAMPLES)
    _check_range("--seed", seed, 0, None)
    _check_range("--threads", threads, 1, _MAX_THREADS)
    streams = [*(item.rpartition("=")[2] for item in outputs or []), *map(str, [source, *(references or [])])]
    if streams.count("-") > 1:
        msg = "standard input (-) can be read only once; give files for the others"
        raise DataError(msg)
    if set_name is not None and (source is not None or references):
        msg = f"give either the set {set_name!r} or --source and --references, not both"
        raise DataError(msg)
    if set_name is not None:
        target = library.load_set(set_name, data=data)
    else:
        target = library.read_set_files(source, references or [])
    if outputs:
        systems = library.read_outputs(outputs, target, data=data)
    else:
        systems = dict(target.systems)
    library.check_outputs(systems, target, allow_empty=allow_empty, allow_reference=allow_reference or not outputs)
    settings = library.Settings(
        metrics=_metric_names(metrics),
        variants=_variants(variant or []),
        tokenizer=tokenizer,
        lowercase=lowercase,
        intervals=resamples > 0,
        resamples=resamples,
        test=test,
        seed=seed,
        threads=threads,
    )
    return library.evaluate(target, systems, settings)


def _check_range(option: str, value: int, low: int, high: int | None) -> None:
    from plainwright.errors import DataError

    if value < low or (high is not None and value > high):
        upper = "" if high is None else f" to {high:,}"
        msg = f"{option}: expected a number from {low}{upper}, found {value}"
        raise DataError(msg)


def _metric_names(given: Sequence[str] | None) -> tuple[str, ...] | None:
    """Both `--metrics sari bleu` and `--metrics sari,bleu`."""
    names = tuple(name.strip() for item in given or () for name in item.split(",") if name.strip())
    return names or None


def _variants(given: Sequence[str]) -> dict[str, str]:
    pairs = (item.partition("=") for item in given)
    return {name if equals else "sari": value if equals else name for name, equals, value in pairs}
