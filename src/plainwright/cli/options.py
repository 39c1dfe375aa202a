"""Options that commands share, and how those of `evaluate` and `report` become library calls."""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol, get_type_hints

import typer

from plainwright.escaping import printable

if TYPE_CHECKING:
    from plainwright.evaluation import Evaluation
    from plainwright.metrics import Metric

__all__ = [
    "MULTIPLE",
    "AsJson",
    "Data",
    "EvaluationOptions",
    "JsonForText",
    "JsonLines",
    "LensModel",
    "MetricOption",
    "Quiet",
    "RulesToWrite",
    "Threads",
    "check_output",
    "check_range",
    "check_threads",
    "expand_multiple",
    "metric_names",
    "metric_options",
    "phrases",
    "run_evaluation",
    "takes_evaluation_options",
    "takes_options",
    "variants",
]

# Options that take any number of values after one flag: `--outputs a.txt b.txt`.
MULTIPLE = (
    "--outputs",
    "--references",
    "--metrics",
    "--variant",
    "--metric-option",
    "--prune",
    "--fallback",
    "--grammar",
    "--text",
    "--evidence",
    "--tagged",
    "--judged",
    "--sources",
    "--columns",
    "--targets",
    "--without",
    "--setting",
    "--features",
    "--pseudo",
)

_MAX_RESAMPLES = 1_000_000  # more take minutes and change no digit that is printed
_MAX_THREADS = 1024

Tokenizer = Literal["auto", "none", "13a", "intl"]
Test = Literal["bootstrap", "randomisation"]
Threads = Annotated[int, typer.Option(help="Number of threads; it does not change the results.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Hide progress and notes.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
JsonForText = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
JsonLines = Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")]
RulesToWrite = Annotated[
    Path, typer.Option("--save", "-o", metavar="FILE", help="The rules to write, PPDB text, also .gz.")
]
LensModel = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Model for lens. Default: the one that comes with plainwright.")
]
MetricOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="METRIC.OPTION=VALUE…",
        help="Further settings of metrics, such as sari.weights=1,1,2, sari.max_order=2, bleu.max_order=2 or "
        "ibleu.alpha=0.8.",
    ),
]
Data = Annotated[Path | None, typer.Option(metavar="DIR", help="Data directory to search first.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationOptions:
    """What to score and how; the parameters that `takes_evaluation_options` gives to a command."""

    set_name: Annotated[
        str | None,
        typer.Argument(
            metavar="SET",
            help="A registered set (see `plainwright corpora list`), or a .tsv or .jsonl file with a source and any "
            "number of references on each line; SET:1-500 takes only these segments.",
        ),
    ] = None
    outputs: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE…",
            help="Outputs to score, one file per system (also NAME=FILE, - for standard input, source for the "
            "unchanged input, or the name of a system or collection that comes with the set). Default: all systems "
            "of the set.",
        ),
    ] = None
    source: Annotated[Path | None, typer.Option(metavar="FILE", help="Source segments, one per line.")] = None
    references: Annotated[list[Path] | None, typer.Option(metavar="FILE…", help="References, one file each.")] = None
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME…",
            help="sari, bleu, fk, fkbleu, ibleu, ld, tbleu, self-bleu, splits, profile, lens, bertscore, judge. "
            "Default: sari bleu fk fkbleu profile.",
        ),
    ] = None
    variant: Annotated[
        list[str] | None,
        typer.Option(
            metavar="VARIANT…",
            help="A SARI variant (xu2016, equations, easse, huggingface), or METRIC=VARIANT, as in fk=plain. Several "
            "of one metric are scored side by side.",
        ),
    ] = None
    metric_option: MetricOption = None
    tokenizer: Annotated[
        Tokenizer, typer.Option(help="auto: whitespace for tokenised text and 13a for raw text in SARI.")
    ] = "auto"
    lowercase: Annotated[
        bool, typer.Option("--lowercase", help="Ignore case in BLEU and related metrics (SARI always does).")
    ] = False
    resamples: Annotated[int, typer.Option(help="Number of resamples for intervals and tests; 0 turns both off.")] = (
        1000
    )
    test: Annotated[Test, typer.Option(help="Test for comparing systems with the best one.")] = "randomisation"
    seed: Annotated[int, typer.Option(help="Seed of the resampling.")] = 12345
    threads: Threads = 1
    allow_empty: Annotated[
        bool, typer.Option("--allow-empty", help="Score empty output lines instead of refusing them.")
    ] = False
    allow_reference: Annotated[
        bool, typer.Option("--allow-reference", help="Score an output that is identical to a reference.")
    ] = False
    lens_model: LensModel = None
    data: Data = None

    @property
    def files(self) -> list[str]:
        """Whatever may name a file to read: also a system of the set, or "-"."""
        outputs = [item.rpartition("=")[2] for item in self.outputs or []]
        return [*outputs, *map(str, [*([self.source] if self.source else []), *(self.references or [])])]


def takes_options(*kinds: type, without: Collection[str] = ()) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give the command line every field of dataclasses of options, and the command an object of each, before the rest.

    Fields in `without` keep their defaults.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        shared = {
            kind: [field for field in inspect.signature(kind).parameters.values() if field.name not in without]
            for kind in kinds
        }
        own = list(inspect.signature(command).parameters.values())[len(kinds) :]

        @functools.wraps(command)
        def with_options(**given: Any) -> None:
            objects = [kind(**{field.name: given.pop(field.name) for field in shared[kind]}) for kind in kinds]
            command(*objects, **given)

        # Typer looks for parameters in the signature, and wants types there, not their names.
        hints = {name: hint for known in (*kinds, command) for name, hint in _hints(known).items()}
        parameters = [
            parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[parameter.name])
            for parameter in (*itertools.chain.from_iterable(shared.values()), *own)
        ]
        vars(with_options)["__signature__"] = inspect.Signature(parameters)
        with_options.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return with_options

    return decorate


def _hints(known: Any) -> dict[str, Any]:
    return get_type_hints(known, include_extras=True)


takes_evaluation_options = takes_options(EvaluationOptions)


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


class ReadsFiles(Protocol):
    """Options that name files to read."""

    @property
    def files(self) -> list[str]:
        """Whatever may name one."""


def check_output(output: Path, options: ReadsFiles) -> None:
    """Refuse to write the result over a file that it is made from, or where it cannot be written."""
    from plainwright.errors import DataError
    from plainwright.files import check_writable

    if output.exists() and any(Path(name).exists() and output.samefile(name) for name in options.files):
        msg = f"{output}: the result would replace one of the inputs; give it another name"
        raise DataError(msg)
    check_writable(output)


def run_evaluation(
    options: EvaluationOptions, *, metrics: tuple[Metric, ...] | None = None, pseudo: Sequence[str] = ()
) -> Evaluation:
    """Read, check and score, as the options say; warnings go to standard error.

    `metrics` are scored in place of those that the options name. `pseudo` names outputs that stand in for references.
    """
    from plainwright import evaluation as library

    _check(options, pseudo)
    warnings: list[str] = []
    if options.set_name is None and options.source is None and not options.references:
        target, outputs, warnings = library.read_texts(options.outputs or [], data=options.data)
    else:
        if options.set_name is not None:
            target = library.load_set(options.set_name, data=options.data)
        else:
            target = library.read_set_files(options.source, options.references or [])
        outputs = library.read_outputs(options.outputs or None, target, data=options.data)
    warnings += library.check_outputs(
        outputs,
        target,
        allow_empty=options.allow_empty,
        allow_reference=options.allow_reference or not options.outputs,
        may_be_empty=outputs.registered,
    )
    if pseudo:
        others = library.read_outputs(pseudo, target, data=options.data)
        library.check_outputs(others, target, allow_empty=True, allow_reference=True)
        target = replace(target, references=None, pseudo=others)
    settings = library.EvaluationSettings(
        metrics=metrics or metric_names(options.metrics),
        variants=variants(options.variant or []),
        options=metric_options(options.metric_option or []),
        tokenizer=options.tokenizer,
        lowercase=options.lowercase,
        intervals=options.resamples > 0,
        resamples=options.resamples,
        test=options.test,
        seed=options.seed,
        threads=options.threads,
        lens_model=options.lens_model,
    )
    evaluation = library.evaluate(target, outputs, settings, warnings=warnings)
    for warning in evaluation.warnings:
        typer.echo(f"plainwright: warning: {printable(warning)}", err=True)
    return evaluation


def _check(options: EvaluationOptions, pseudo: Sequence[str]) -> None:
    from plainwright.errors import DataError

    check_range("--resamples", options.resamples, 0, _MAX_RESAMPLES)
    check_range("--seed", options.seed, 0, None)
    check_threads(options.threads)
    if options.references and pseudo:
        msg = "choose one of --references and --pseudo"
        raise DataError(msg)
    if [*options.files, *pseudo].count("-") > 1:
        msg = "standard input (-) can be read only once; give files for the others"
        raise DataError(msg)
    if options.set_name is not None and (options.source is not None or options.references):
        msg = f"give either the set {options.set_name!r} or --source and --references, not both"
        raise DataError(msg)


def check_range(option: str, value: int, low: int, high: int | None) -> None:
    """Refuse a number outside of what the option takes."""
    from plainwright.errors import DataError

    if value < low or (high is not None and value > high):
        upper = "" if high is None else f" to {high:,}"
        msg = f"{option}: expected a number from {low}{upper}, found {value}"
        raise DataError(msg)


def check_threads(threads: int) -> None:
    """Refuse a number of threads that no machine has."""
    check_range("--threads", threads, 1, _MAX_THREADS)


def phrases(file: Path | None) -> list[str]:
    """Return the words and phrases of a file, one per line; none without a file."""
    from plainwright.files import read_lines

    return [] if file is None else [line.strip() for line in read_lines(file) if line.strip()]


def metric_names(given: Sequence[str] | None) -> tuple[str, ...] | None:
    """Both `--metrics sari bleu` and `--metrics sari,bleu`."""
    names = tuple(name.strip() for item in given or () for name in item.split(",") if name.strip())
    return names or None


def variants(given: Sequence[str]) -> dict[str, list[str]]:
    """`--variant easse xu2016 fk=plain` as variants by metric."""
    found: dict[str, list[str]] = {}
    for item in given:
        name, equals, value = item.partition("=")
        found.setdefault(name if equals else "sari", []).append(value if equals else name)
    return found


def metric_options(given: Sequence[str]) -> dict[str, dict[str, Any]]:
    """`--metric-option sari.max_order=2 ibleu.alpha=0.8` as arguments by metric."""
    from plainwright.arguments import check_choice
    from plainwright.errors import DataError
    from plainwright.metrics import metric_class

    found: dict[str, dict[str, Any]] = {}
    for item in given:
        place, equals, text = item.partition("=")
        name, dot, option = place.partition(".")
        if not (dot and equals):
            msg = f"--metric-option: expected METRIC.OPTION=VALUE, as in sari.max_order=2, found {item!r}"
            raise DataError(msg)
        readers = metric_class(name).further_options
        check_choice(option, readers, f"option of {name}", listing="it has" if readers else "it has none")
        try:
            found.setdefault(name, {})[option] = readers[option](text)
        except ValueError:
            msg = f"--metric-option: expected a number, or numbers with commas, for {place}, found {text!r}"
            raise DataError(msg) from None
    return found
