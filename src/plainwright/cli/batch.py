"""`plainwright batch`: tables and folders of documents of any size."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from plainwright.cli import options
from plainwright.cli.documents import Quotes
from plainwright.cli.lazy import lazy_group
from plainwright.cli.progress import Report, progress_bar
from plainwright.escaping import printable

if TYPE_CHECKING:
    from plainwright.batch import Job, Spark, Summary, Task

__all__ = ["app"]

_COMMANDS = {
    "simplify": ("plainwright.cli.batch:simplify", "Make the texts in a column, or a folder of documents, plainer."),
    "evaluate": ("plainwright.cli.batch:evaluate", "Score the outputs in a column, row by row and all together."),
    "check": ("plainwright.cli.batch:check", "Report how hard the texts in a column, or documents, are to read."),
}

app = lazy_group(_COMMANDS, help="Simplify, score or check tables and folders of any size.")

Engine = Literal["local", "spark"]
Level = Literal["light", "plain", "easy"]

_Inputs = Annotated[
    list[Path],
    typer.Argument(
        metavar="INPUT…", help="Tables (.parquet, .jsonl, .csv, .tsv), or a folder of them or of documents."
    ),
]
_Tables = Annotated[
    list[Path], typer.Argument(metavar="INPUT…", help="Tables (.parquet, .jsonl, .csv, .tsv), or a folder of them.")
]
_Save = Annotated[
    Path,
    typer.Option("--save", "-o", metavar="PATH", help="A folder for the result, or one table of the same format."),
]
_Ids = Annotated[
    str | None, typer.Option("--id", metavar="NAME", help="The column with an id that is unique to each row.")
]
_Rows = Annotated[
    int,
    typer.Option(metavar="N", min=1, max=10_000_000, help="Rows in a shard. Default: 2,000.", show_default=False),
]
_Processes = Annotated[
    int,
    typer.Option(
        "--processes",
        "-p",
        metavar="N",
        min=1,
        max=1024,
        help="Use N processes; the result stays the same.",
        show_default=False,
    ),
]
_Engine = Annotated[
    Engine,
    typer.Option(metavar="NAME", help="Work here (local) or on Spark (spark). Default: local.", show_default=False),
]
_Master = Annotated[
    str | None,
    typer.Option(
        metavar="URL", help="With --engine spark: where it runs, such as spark://host:7077, local[8] or yarn."
    ),
]
_Settings = Annotated[
    list[str] | None,
    typer.Option("--setting", metavar="NAME=VALUE…", help="With --engine spark: Spark settings."),
]
_Column = Annotated[
    str,
    typer.Option(
        "--column", "-c", metavar="NAME", help="The column with the texts. Default: text.", show_default=False
    ),
]
_Keep = Annotated[
    list[str] | None,
    typer.Option("--keep", "-k", metavar="WORDS", help="Leave this word or phrase alone; may be repeated."),
]
_KeepFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Leave the words and phrases in this file alone, one per line.")
]
_Words = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="A list of hard words and plain ones, beside ours; may be repeated."),
]


def simplify(
    inputs: _Inputs,
    save: _Save,
    column: _Column = "text",
    new_column: Annotated[
        str, typer.Option(metavar="NAME", help="The column to add. Default: plain.", show_default=False)
    ] = "plain",
    edits: Annotated[bool, typer.Option("--edits", help="Add a column with the edits, as JSON.")] = False,
    ids: _Ids = None,
    level: Annotated[
        Level,
        typer.Option(
            "--level", "-l", metavar="LEVEL", help="light, plain or easy. Default: plain.", show_default=False
        ),
    ] = "plain",
    max_grade: Annotated[
        float | None,
        typer.Option(metavar="GRADE", help="Leave sentences alone that are no harder than this Flesch-Kincaid grade."),
    ] = None,
    keep: _Keep = None,
    keep_file: _KeepFile = None,
    words: _Words = None,
    quotes: Quotes = False,
    strength: Annotated[
        float,
        typer.Option(
            "--strength",
            "-s",
            metavar="NUMBER",
            min=-1,
            max=1,
            help="From -1 (careful) to 1 (bold). Default: 0.",
            show_default=False,
        ),
    ] = 0.0,
    model: Annotated[
        Path | None, typer.Option("--model", "-m", metavar="DIR", help="The model. Default: ours.")
    ] = None,
    processes: _Processes = 1,
    rows: _Rows = 2_000,
    engine: _Engine = "local",
    master: _Master = None,
    settings: _Settings = None,
    quiet: options.Quiet = False,
) -> None:
    """Make the texts in a column plainer, or all documents of a folder.

    What is done stays done: run the same command again after a crash, and it goes on where it stopped. Rows that cannot
    be read go to rejects.jsonl, with the reason; manifest.json has the settings and the digest of each file.

    \b
    Examples:
      plainwright batch simplify letters.parquet -o plain/ --column body --processes 8
      plainwright batch simplify letters.csv -o plain.csv --edits
      plainwright batch simplify documents/ -o plain/
    """
    from plainwright.batch import SimplifyTask

    task = SimplifyTask(
        column=column,
        new_column=new_column,
        edits=edits,
        model=None if model is None else str(model.absolute()),
        level=level,
        strength=strength,
        words=_absolute(words),
        max_grade=max_grade,
        keep=(*(keep or ()), *options.phrases(keep_file)),
        quotes=quotes,
    )
    spark = _spark(engine, master, settings)
    _run(_job(task, inputs, save, rows, ids), processes, spark, quiet=quiet)


def evaluate(
    inputs: _Tables,
    save: _Save,
    source_column: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The column with the sources. Default: source.", show_default=False),
    ] = None,
    output_column: Annotated[
        str, typer.Option(metavar="NAME", help="The column with the outputs. Default: output.", show_default=False)
    ] = "output",
    reference_column: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A column with references, one or a list in each row; may be repeated."),
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME,…", help="Metrics. Default: sari, bleu and fk, as far as the columns allow."),
    ] = None,
    tokenised: Annotated[
        bool, typer.Option("--tokenised", help="The texts are tokens between spaces. Default: raw text.")
    ] = False,
    lens_model: options.LensModel = None,
    ids: _Ids = None,
    processes: _Processes = 1,
    rows: _Rows = 2_000,
    engine: _Engine = "local",
    master: _Master = None,
    settings: _Settings = None,
    quiet: options.Quiet = False,
) -> None:
    """Score the outputs in a column: a value for each row, and the scores of all rows as one set.

    \b
    Examples:
      plainwright batch evaluate outputs.parquet -o scored/ --reference-column references
      plainwright batch evaluate outputs.jsonl -o scored.jsonl --metrics fk,lens
    """
    from plainwright.batch import EvaluateTask
    from plainwright.metrics import metric_class

    chosen = _chosen(metrics, bool(reference_column))
    compared = any(metric_class(name).needs_source for name in chosen)
    task = EvaluateTask(
        source=source_column or ("source" if compared else None),
        output=output_column,
        references=tuple(reference_column or ()),
        metrics=chosen,
        tokenised=tokenised,
        lens_model=None if lens_model is None else str(lens_model.absolute()),
    )
    spark = _spark(engine, master, settings)
    _run(_job(task, inputs, save, rows, ids), processes, spark, quiet=quiet)


def check(
    inputs: _Inputs,
    save: _Save,
    column: _Column = "text",
    findings: Annotated[bool, typer.Option("--findings", help="Add a column with all findings, as JSON.")] = False,
    select: Annotated[
        list[str] | None,
        typer.Option("--select", metavar="RULES", help="Check these rules alone, such as passive,hard-word."),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", metavar="RULES", help="Leave these rules out.")
    ] = None,
    sentence_words: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, max=1000, help="Longest sentence allowed, in words. Default: 25.", show_default=False
        ),
    ] = 25,
    words: _Words = None,
    keep: _Keep = None,
    keep_file: _KeepFile = None,
    ids: _Ids = None,
    processes: _Processes = 1,
    rows: _Rows = 2_000,
    engine: _Engine = "local",
    master: _Master = None,
    settings: _Settings = None,
    quiet: options.Quiet = False,
) -> None:
    """Report how hard the texts in a column are to read, or all documents of a folder.

    \b
    Examples:
      plainwright batch check letters.parquet -o checked/ --column body
      plainwright batch check documents/ -o checked/ --findings
    """
    from plainwright.batch import CheckTask

    task = CheckTask(
        column=column,
        findings=findings,
        select=_names(select) or None,
        ignore=_names(ignore),
        sentence_words=sentence_words,
        words=_absolute(words),
        keep=(*(keep or ()), *options.phrases(keep_file)),
    )
    spark = _spark(engine, master, settings)
    _run(_job(task, inputs, save, rows, ids), processes, spark, quiet=quiet)


def _names(given: list[str] | None) -> tuple[str, ...]:
    return tuple(name.strip() for item in given or () for name in item.split(",") if name.strip())


def _chosen(metrics: list[str] | None, references: bool) -> tuple[str, ...]:
    if metrics:
        return tuple(dict.fromkeys(_names(metrics)))
    return ("sari", "bleu", "fk") if references else ("fk",)


def _absolute(files: list[Path] | None) -> tuple[str, ...]:
    """Workers may be in another folder."""
    return tuple(str(file.absolute()) for file in files or ())


def _job(task: Task, inputs: list[Path], save: Path, rows: int, ids: str | None) -> Job:
    from plainwright.batch import CheckTask, DocumentsJob, SimplifyTask, TableJob
    from plainwright.batch.finding import tables_in
    from plainwright.errors import DataError

    tables = tables_in(inputs)
    if tables:
        return TableJob(task, tables, save, rows=rows, ids=ids)
    if not isinstance(task, SimplifyTask | CheckTask):
        msg = f"{inputs[0]}: expected tables with outputs to score, found a folder of documents"
        raise DataError(msg)
    return DocumentsJob(task, inputs[0], save)


def _spark(engine: Engine, master: str | None, given: list[str] | None) -> Spark | None:
    from plainwright.errors import DataError

    if engine == "local":
        if master is not None or given:
            msg = f"--{'master' if master else 'setting'}: expected --engine spark with it, found --engine local"
            raise DataError(msg)
        return None
    from plainwright.batch import Spark

    settings = {}
    for setting in given or ():
        name, equals, value = setting.partition("=")
        if not (name and equals):
            msg = f"--setting: expected NAME=VALUE, such as spark.executor.memory=4g, found {setting!r}"
            raise DataError(msg)
        settings[name] = value
    return Spark(master or "local[2]", settings)


def _run(job: Job, processes: int, spark: Spark | None, *, quiet: bool) -> None:
    from plainwright.batch import run_batch

    with progress_bar(job.doing, quiet=quiet) as report:
        rate = None if report is None else _Rate(report, job)
        summary = run_batch(job, processes=processes, spark=spark, progress=rate)
    if not quiet:
        _tell(summary, job)
    for name, total in summary.totals.items():
        typer.echo(f"{name}\t{total['value']:.2f}\t{total['signature']}")
    if not summary.done:
        raise typer.Exit(1)


class _Rate:
    """Moves the bar, and says how many units are done in a second."""

    def __init__(self, report: Report, job: Job) -> None:
        self._report = report
        self._job = job
        self._begun: tuple[float, int] | None = None

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if self._begun is None:
            self._begun = (now, done)
        begun, before = self._begun
        rate = (done - before) / (now - begun) if now > begun else 0.0
        self._report(done, total, f"{self._job.doing}, {rate:,.0f} {self._job.unit}s a second")


def _tell(summary: Summary, job: Job) -> None:
    rejected = f", {summary.rejected:,} rejected" if summary.rejected else ""
    plural = "" if summary.done == 1 else "s"
    typer.echo(f"{printable(str(summary.place))}: {summary.done:,} {job.unit}{plural}{rejected}", err=True)
