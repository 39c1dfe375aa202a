"""`plainwright simplify`: make text plainer, and show why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from plainwright.cli import options
from plainwright.cli.diff import Diff
from plainwright.cli.documents import AsFormat, InPlace, Quotes, check_in_place, fitting_targets, formats_of
from plainwright.cli.page import Html, RewritingPage
from plainwright.cli.reranking import pseudo_references_from, reference_groups, reranker
from plainwright.cli.showing import Showing
from plainwright.cli.targets import STANDARD_INPUT, targets_in_place, targets_of
from plainwright.cli.tracking import Author, Comments, Date, TrackChanges, tracking_of
from plainwright.cli.work import Work

if TYPE_CHECKING:
    from plainwright.rewrite import Endpoint

__all__ = ["simplify"]

Rerank = Literal["dissimilar", "judge", "mbr", "mbr-lens", "metric"]
Engine = Literal["best", "split", "rewriter", "rules", "prompt"]
Level = Literal["light", "plain", "easy"]
_RESEARCH = "Models and research"  # what most writers never need stands last in the help


def simplify(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="Text or documents, also .gz. Default: standard input (-)."),
    ] = None,
    save: Annotated[
        str | None,
        typer.Option(
            "--save",
            "-o",
            metavar="PATH",
            help="Write to a file, or several files into a directory. Default: all to standard output.",
        ),
    ] = None,
    level: Annotated[
        Level,
        typer.Option(
            "--level",
            "-l",
            metavar="LEVEL",
            help="How much to change: light (hard words only), plain, or easy (short sentences). Default: plain.",
            show_default=False,
        ),
    ] = "plain",
    max_grade: Annotated[
        float | None,
        typer.Option(metavar="GRADE", help="Leave sentences alone that are no harder than this Flesch-Kincaid grade."),
    ] = None,
    track_changes: TrackChanges = False,
    comments: Comments = False,
    author: Author = None,
    date: Date = None,
    in_place: InPlace = False,
    keep: Annotated[
        list[str] | None,
        typer.Option("--keep", "-k", metavar="WORDS", help="Leave this word or phrase alone; may be repeated."),
    ] = None,
    keep_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Leave the words and phrases in this file alone, one per line.")
    ] = None,
    words: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Replace hard words with the plain ones in this list; may be repeated."),
    ] = None,
    quotes: Quotes = False,
    as_format: AsFormat = None,
    explain: Annotated[
        bool, typer.Option("--explain", "-e", help="Show each edit, its rule, and the alternatives.")
    ] = False,
    diff: Diff = False,
    html: Html = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print edits, one JSON object per paragraph.")] = False,
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
    quiet: options.Quiet = False,
    engine: Annotated[
        Engine,
        typer.Option(
            metavar="NAME",
            help="What suggests wordings: split (splits sentences and changes nothing else), rules (words and phrases, "
            "learnt from data), rewriter (whole sentences), or prompt (a language model at --endpoint). Default: best, "
            "which splits sentences and uses the model's list of words, or asks a rewriter if you have one.",
            show_default=False,
            rich_help_panel=_RESEARCH,
        ),
    ] = "best",
    split: Annotated[
        bool,
        typer.Option("--split", help="Split long sentences first, whatever the engine.", rich_help_panel=_RESEARCH),
    ] = False,
    split_all: Annotated[
        bool,
        typer.Option(
            "--split-all", help="The same wherever grammar allows, even in short sentences.", rich_help_panel=_RESEARCH
        ),
    ] = False,
    model: Annotated[
        Path | None,
        typer.Option(
            "--model",
            "-m",
            metavar="DIR",
            help="The model. Default: $PLAINWRIGHT_MODEL, or the one that comes with plainwright.",
            rich_help_panel=_RESEARCH,
        ),
    ] = None,
    shorter: Annotated[
        bool,
        typer.Option(
            "--shorter", help="Ask the rewriter for about three quarters of the length.", rich_help_panel=_RESEARCH
        ),
    ] = False,
    endpoint: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="With --engine prompt: where sentences are sent, such as http://127.0.0.1:8080/v1; the key is in "
            "$OPENAI_API_KEY, if one is needed.",
            rich_help_panel=_RESEARCH,
        ),
    ] = None,
    endpoint_model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="With --engine prompt: what the model is called there.", rich_help_panel=_RESEARCH
        ),
    ] = None,
    prompt_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="With --engine prompt: a prompt of your own, with {input} where the sentence goes.",
            rich_help_panel=_RESEARCH,
        ),
    ] = None,
    proposers: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES",
            help="Proposers to ask, such as wordlist,scfg; repeat the option for another pass. Default: the model's.",
            rich_help_panel=_RESEARCH,
        ),
    ] = None,
    lines: Annotated[
        bool,
        typer.Option("--lines", help="Treat each line as a text of its own, as in corpora.", rich_help_panel=_RESEARCH),
    ] = False,
    n_best: Annotated[
        int,
        typer.Option(
            "--n-best",
            "-n",
            metavar="N",
            min=1,
            max=1000,
            help="Show the N best ways to put each sentence.",
            show_default=False,
            rich_help_panel=_RESEARCH,
        ),
    ] = 1,
    rerank: Annotated[
        Rerank | None,
        typer.Option(
            metavar="HOW",
            help="Rerank the best candidates: dissimilar takes the one least like the input (PBMT-R), mbr the one "
            "the others agree with most, mbr-lens the same by LENS as in its paper, metric the one a metric scores "
            "highest with the others as references, judge the one the judge likes best beside the source.",
            rich_help_panel=_RESEARCH,
        ),
    ] = None,
    utility: Annotated[
        str | None,
        typer.Option(
            metavar="METRIC",
            help="Metric for mbr and metric, such as lens. Default: sari.",
            show_default=False,
            rich_help_panel=_RESEARCH,
        ),
    ] = None,
    candidates: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=1000,
            help="Rerank N candidates. Default: 10 for dissimilar, else 100.",
            rich_help_panel=_RESEARCH,
        ),
    ] = None,
    pseudo_references: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Compare with the N best candidates, or with all. Default: 8 for lens and bertscore, else all.",
            rich_help_panel=_RESEARCH,
        ),
    ] = None,
    sharpness: Annotated[
        float | None,
        typer.Option(
            metavar="NUMBER",
            min=0,
            max=1000,
            help="Weight of the model's scores in mbr; with 0, all pseudo-references count alike. Default: 1.",
            rich_help_panel=_RESEARCH,
        ),
    ] = None,
    references: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE…",
            help="With --rerank metric and --lines: references to compare with, such as outputs of other systems.",
            rich_help_panel=_RESEARCH,
        ),
    ] = None,
    lens_model: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Model for lens. Default: the one that comes with plainwright.",
            rich_help_panel=_RESEARCH,
        ),
    ] = None,
    threads: Annotated[
        int,
        typer.Option(
            "--threads",
            "-t",
            metavar="N",
            min=1,
            max=1024,
            help="Use N threads; this does not change the text.",
            show_default=False,
            rich_help_panel=_RESEARCH,
        ),
    ] = 1,
) -> None:
    """Make English easier to read.

    Spaces, line breaks and everything else that needs no change stay exactly as they are. Web and mail addresses,
    figures, names, quotations and words in other scripts are left alone. Documents (Word, Markdown, HTML and others)
    come back in the format they came in, and only their prose changes.

    \b
    Examples:
      plainwright simplify letter.txt
      plainwright simplify letter.txt --explain
      plainwright simplify letter.docx -o plain.docx --track-changes
      plainwright simplify letter.txt --html changes.html
      plainwright simplify guide.md page.html --save plain/
      plainwright simplify *.txt --save plain/ --keep "principal investigator"
      cat source.txt | plainwright simplify --lines > output.txt
    """
    from plainwright.decode.bundle import passes_of
    from plainwright.rewrite import Protection, load

    inputs = files or [STANDARD_INPUT]
    shown = Showing(explain=explain, n_best=n_best, as_json=as_json, diff=diff, html=html, saved=save is not None)
    pseudo = pseudo_references_from(pseudo_references)
    groups = reference_groups(references or (), rerank, utility, lines=lines, inputs=inputs, pseudo_references=pseudo)
    chosen = reranker(
        rerank,
        utility=utility,
        lens_model=lens_model,
        pseudo_references=pseudo,
        sharpness=sharpness,
        candidates=candidates,
        threads=threads,
    )
    if in_place:
        check_in_place(shown, save)
    targets = targets_in_place(inputs) if in_place else targets_of(inputs, save)
    formats = formats_of(inputs, as_format, lines=lines)
    targets = fitting_targets(inputs, targets, formats, shown=shown)
    page = RewritingPage(html, inputs, targets)
    tracking = tracking_of(
        inputs, formats, shown=shown, track_changes=track_changes, comments=comments, author=author, date=date
    )
    simplifier = load(
        model,
        engine=engine,
        level=level,
        shorter=shorter,
        strength=strength,
        proposers=passes_of(proposers) or None,
        split="all" if split_all else "helpful" if split else None,
        endpoint=_endpoint(engine, endpoint, endpoint_model, prompt_file),
        words=words or (),
        max_grade=max_grade,
    )
    if simplifier.note and not quiet:
        typer.echo(f"plainwright: {simplifier.note}", err=True)
    work = Work(
        simplifier=simplifier,
        protection=Protection(keep=(*(keep or ()), *options.phrases(keep_file)), quotations=not quotes),
        shown=shown,
        page=page,
        n_best=n_best,
        rerank=chosen,
        threads=threads,
        lines=lines,
        references=groups,
        several=len(inputs) > 1,
        in_place=in_place,
        tracking=tracking,
        quiet=quiet,
    )
    for file, target, known in zip(inputs, targets, formats, strict=True):
        work.do(file, target, known)
    page.write()


def _endpoint(engine: str, url: str | None, name: str | None, prompt_file: Path | None) -> Endpoint | None:
    from plainwright.errors import DataError
    from plainwright.rewrite import Endpoint

    given = {"--endpoint": url, "--endpoint-model": name, "--prompt-file": prompt_file}
    if engine == "prompt":
        return Endpoint(url, name, None if prompt_file is None else str(prompt_file))
    for option, value in given.items():
        if value is not None:
            msg = f"{option}: expected --engine prompt with it, found {engine}"
            raise DataError(msg)
    return None
