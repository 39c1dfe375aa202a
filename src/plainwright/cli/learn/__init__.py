"""`plainwright learn`: from text to rules, and to the tagger that protects their meaning."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import typer

from plainwright.cli.learn.combine import combine
from plainwright.cli.learn.imports import app as import_app
from plainwright.cli.learn.lexicon import lexicon
from plainwright.cli.learn.model import model
from plainwright.cli.learn.pivot import pivot
from plainwright.cli.learn.run import run
from plainwright.cli.learn.second_look import second_look
from plainwright.cli.learn.text import pairs, tags, text
from plainwright.cli.progress import progress_bar, stages

if TYPE_CHECKING:
    from plainwright.learn.parallel import Skips

__all__ = ["app"]

app = typer.Typer(
    help="Learn rules from parallel text or take them from others, and a tagger from tagged text.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("pivot")(pivot)
app.command("combine")(combine)
app.command("run")(run)
app.command("lexicon")(lexicon)
app.command("second-look")(second_look)
app.command("text")(text)
app.command("pairs")(pairs)
app.command("tags")(tags)
app.command("model")(model)
app.add_typer(import_app, name="import")

_SOURCE = typer.Argument(..., metavar="SOURCE", help="Tokenised sentences, one a line, also .gz.", show_default=False)
_TARGET = typer.Argument(..., metavar="TARGET", help="Their counterparts, line by line.", show_default=False)
_MAX_TOKENS = typer.Option(200, "--max-tokens", min=1, max=1000, help="Pairs with a longer side are skipped.")
_THREADS = typer.Option(1, "--threads", min=1, max=1024, help="Threads; the result does not depend on it.")
_JSON = typer.Option(False, "--json", help="JSON instead of text.")
_QUIET = typer.Option(False, "--quiet", "-q", help="No progress, no notes.")


@app.command()
def align(
    source: Path = _SOURCE,
    target: Path = _TARGET,
    output: Path = typer.Option(..., "--save", "-o", metavar="FILE", help="The alignment to write, also .gz."),
    monolingual: bool = typer.Option(
        False, "--monolingual", help="One language: expect words to stay, or to change their form only."
    ),
    heuristic: Literal[
        "grow-diag-final-and", "grow-diag-final", "grow-diag", "intersection", "union", "forward", "backward"
    ] = typer.Option("grow-diag-final-and", "--heuristic", help="How the two directions become one alignment."),
    aligner: Literal["native", "eflomal"] = typer.Option(
        "native", "--aligner", help="eflomal, if you installed it, estimates both directions in our place."
    ),
    iterations: int = typer.Option(5, "--iterations", min=1, max=1000, help="Passes over the text for each direction."),
    null: float = typer.Option(0.08, "--null", min=0, max=0.99, help="Probability that a word comes from nothing."),
    tension: float = typer.Option(4.0, "--tension", min=0.1, max=14, help="First guess of the pull to the diagonal."),
    keep_tension: bool = typer.Option(False, "--keep-tension", help="Do not fit the tension to the text."),
    alpha: float = typer.Option(0.01, "--alpha", min=0, max=100, help="Dirichlet prior; 0 for maximum likelihood."),
    likeness: float = typer.Option(
        4.0, "--likeness", min=0, max=1e6, help="With --monolingual: pseudo-counts of a word with itself."
    ),
    max_tokens: int = _MAX_TOKENS,
    threads: int = _THREADS,
    as_json: bool = _JSON,
    quiet: bool = _QUIET,
) -> None:
    """Align the words of sentence pairs; one line of points such as `0-0 1-2` for each pair.

    \b
    Examples:
      plainwright learn align normal.txt simple.txt --monolingual -o points.txt
      plainwright learn align english.txt.gz german.txt.gz -o points.txt
    """
    from plainwright.learn.align import AlignOptions, align_files

    options = AlignOptions(
        monolingual=monolingual,
        heuristic=heuristic,
        aligner=aligner,
        iterations=iterations,
        null_probability=null,
        tension=tension,
        fit_tension=not keep_tension,
        alpha=alpha,
        likeness=likeness,
        max_tokens=max_tokens,
        threads=threads,
    )
    with progress_bar("reading", quiet=quiet) as report:
        result = align_files(source, target, output, options, progress=stages(report))
    _tell_skips(result.skips, max_tokens, quiet=quiet)
    if as_json:
        typer.echo(json.dumps({"output": str(output), **_plain(result)}))
        return
    typer.echo(f"{output}\t{result.pairs:,} pairs\t{result.points:,} points")
    for name, direction in (("forward", result.forward), ("backward", result.backward)):
        if direction is not None:
            per_token = [value / max(1, direction.tokens) for value in direction.log_likelihoods]
            typer.echo(
                f"  {name}\ttension {direction.tension:.2f}\tlog-likelihood a token "
                f"{per_token[0]:.3f} -> {per_token[-1]:.3f}"
            )


@app.command()
def extract(
    source: Path = _SOURCE,
    target: Path = _TARGET,
    alignment: Path = typer.Argument(
        ..., metavar="ALIGNMENT", help="Points of each pair, as `learn align` writes them.", show_default=False
    ),
    output: Path = typer.Option(..., "--save", "-o", metavar="FILE", help="The rules to write, PPDB text, also .gz."),
    labels: Literal["none", "source", "target"] = typer.Option(
        "none", "--labels", help="The English side whose analysis gives the labels; none: all are [X]."
    ),
    analysis: Path | None = typer.Option(
        None,
        "--analysis",
        metavar="FILE",
        help="Analyses of that side: read if the file exists, otherwise written.",
        show_default=False,
    ),
    max_span: int = typer.Option(10, "--max-span", min=1, max=40, help="Words of a phrase, before gaps are cut."),
    max_symbols: int = typer.Option(
        5, "--max-symbols", min=1, max=40, help="Words and nonterminals of a rule's source."
    ),
    nonterminals: int = typer.Option(2, "--nonterminals", min=0, max=2, help="At most; 0 for phrase pairs only."),
    loose: bool = typer.Option(False, "--loose", help="Phrases may begin and end with words that are not aligned."),
    adjacent: bool = typer.Option(False, "--adjacent", help="Nonterminals may stand side by side in the source."),
    no_identity: bool = typer.Option(
        False, "--no-identity", help="Leave out rules that change nothing (they still count)."
    ),
    min_count: int = typer.Option(1, "--min-count", min=1, help="Occurrences that a rule needs to be written."),
    max_targets: int = typer.Option(
        0, "--max-targets", min=0, help="The most frequent rules of each source that are written; 0 for all."
    ),
    plain: bool = typer.Option(
        False, "--plain", help="Only features from counts; `grammar pack --compute` can add the others."
    ),
    max_tokens: int = _MAX_TOKENS,
    threads: int = _THREADS,
    memory: int = typer.Option(
        512, "--memory", min=1, max=2**20, metavar="MB", help="Counts beyond that move to temporary files."
    ),
    as_json: bool = _JSON,
    quiet: bool = _QUIET,
) -> None:
    """Extract rules from aligned sentence pairs, with all features that counts can give.

    \b
    Examples:
      plainwright learn extract normal.txt simple.txt points.txt -o rules.gz
      plainwright learn extract normal.txt simple.txt points.txt \\
        --labels target --analysis simple.parsed.gz -o rules.gz
    """
    from plainwright.learn.extract import ExtractOptions, extract_files

    options = ExtractOptions(
        labels=labels,
        max_span=max_span,
        max_symbols=max_symbols,
        nonterminals=nonterminals,
        loose=loose,
        adjacent=adjacent,
        identity=not no_identity,
        min_count=min_count,
        max_targets=max_targets,
        computed=not plain,
        max_tokens=max_tokens,
        threads=threads,
        memory=memory,
    )
    with progress_bar("reading", quiet=quiet) as report:
        told = stages(report)
        result = extract_files(source, target, alignment, output, options, analysis=analysis, progress=told)
    _tell_skips(result.skips, max_tokens, quiet=quiet)
    if as_json:
        typer.echo(json.dumps({"output": str(output), **_plain(result)}))
        return
    typer.echo(
        f"{output}\t{result.written:,} rules\tof {result.distinct:,} distinct ones in {result.pairs:,} pairs"
        f"\t{result.occurrences:,} occurrences"
    )


@app.command()
def tagger(
    tagged: list[Path] = typer.Argument(
        ..., metavar="TAGGED...", help="Sentences of word_TAG tokens, or kept analyses, also .gz.", show_default=False
    ),
    output: Path = typer.Option(..., "--save", "-o", metavar="FILE", help="The tagger to write."),
    passes: int = typer.Option(8, "--passes", min=1, max=1000, help="Passes over the text."),
    min_count: int = typer.Option(2, "--min-count", min=1, max=10**6, help="Occurrences that a feature needs."),
    max_bytes: int = typer.Option(
        2_000_000, "--max-bytes", min=10_000, max=10**9, help="Of the file: the weights that are worth least go."
    ),
    lower_share: float = typer.Option(
        0.3, "--lower-share", min=0, max=1, help="Of the sentences, also learnt from in lower case."
    ),
    held_out: int = typer.Option(
        0, "--held-out", min=0, metavar="N", help="Keep every N-th sentence to measure on; 0 for none."
    ),
    seed: int = typer.Option(1, "--seed", min=0, help="Order of the sentences."),
    as_json: bool = _JSON,
    quiet: bool = _QUIET,
) -> None:
    """Learn a tagger for parts of speech from tagged sentences.

    \b
    Examples:
      plainwright learn tagger tagged.txt.gz -o english.tagger
      plainwright learn tagger simple.parsed.gz --held-out 10 -o english.tagger
    """
    from plainwright.files import check_writable
    from plainwright.learn.tagger import TaggerOptions, learn_tagger_files

    check_writable(output)
    options = TaggerOptions(
        passes=passes,
        min_count=min_count,
        max_bytes=max_bytes,
        lower_share=lower_share,
        held_out=held_out,
        seed=seed,
    )
    with progress_bar("reading", quiet=quiet) as report:
        result = learn_tagger_files(tagged, options, progress=stages(report))
    result.save(output)
    agreement = result.agreement
    if as_json:
        described = {"output": str(output), "bytes": len(result.content), "seed": seed}
        counted = {"sentences": result.sentences, "tokens": result.tokens}
        held = None if agreement is None else dataclasses.asdict(agreement)
        typer.echo(json.dumps({**described, **counted, "held_out": held}))
        return
    typer.echo(
        f"{output}\t{len(result.content):,} bytes\tfrom {result.tokens:,} tokens in {result.sentences:,} sentences"
    )
    if agreement is not None:
        for name, equal in (("as it is", agreement.cased), ("lower-cased", agreement.lower)):
            typer.echo(f"  {name}\t{100 * equal / agreement.tokens:.2f} % of {agreement.tokens:,} held-out tokens")


def _plain(result: Any) -> dict[str, Any]:
    described = dataclasses.asdict(result)
    skips = described.pop("skips")
    return {**described, "empty": skips["empty"], "too_long": skips["too_long"]}


def _tell_skips(skips: Skips, limit: int, *, quiet: bool) -> None:
    for note in [] if quiet else skips.notes(limit):
        typer.echo(f"plainwright: note: {note}", err=True)
