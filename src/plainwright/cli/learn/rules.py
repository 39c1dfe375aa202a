"""`plainwright learn align`, `extract` and `tagger`: from text to rules and their tagger."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from plainwright.cli import options
from plainwright.cli.progress import progress_bar, stages

if TYPE_CHECKING:
    from plainwright.learn.parallel import Skips

__all__ = ["align", "extract", "tagger"]

_Source = Annotated[Path, typer.Argument(metavar="SOURCE", help="Tokenised sentences, one per line, also .gz.")]
_Target = Annotated[Path, typer.Argument(metavar="TARGET", help="Their counterparts, line by line.")]
_MaxTokens = Annotated[int, typer.Option(min=1, max=1000, help="Skip pairs in which a side has more tokens than this.")]
_Threads = Annotated[int, typer.Option(min=1, max=1024, help="Number of threads; it does not change the result.")]


def align(
    source: _Source,
    target: _Target,
    output: Annotated[Path, typer.Option("--save", "-o", metavar="FILE", help="The alignment to write, also .gz.")],
    monolingual: Annotated[
        bool,
        typer.Option(
            "--monolingual", help="Both sides are in one language: expect words to stay, or to change only in form."
        ),
    ] = False,
    heuristic: Annotated[
        Literal["grow-diag-final-and", "grow-diag-final", "grow-diag", "intersection", "union", "forward", "backward"],
        typer.Option(help="How to merge the two directions into one alignment."),
    ] = "grow-diag-final-and",
    aligner: Annotated[
        Literal["native", "eflomal"],
        typer.Option(help="What estimates both directions; eflomal must be installed separately."),
    ] = "native",
    iterations: Annotated[int, typer.Option(min=1, max=1000, help="Passes over the text for each direction.")] = 5,
    null: Annotated[float, typer.Option(min=0, max=0.99, help="Probability that a word comes from nothing.")] = 0.08,
    tension: Annotated[float, typer.Option(min=0.1, max=14, help="Initial pull towards the diagonal.")] = 4.0,
    keep_tension: Annotated[bool, typer.Option("--keep-tension", help="Do not fit the tension to the text.")] = False,
    alpha: Annotated[float, typer.Option(min=0, max=100, help="Dirichlet prior; 0 for maximum likelihood.")] = 0.01,
    likeness: Annotated[
        float, typer.Option(min=0, max=1e6, help="With --monolingual: pseudo-counts of a word with itself.")
    ] = 4.0,
    max_tokens: _MaxTokens = 200,
    threads: _Threads = 1,
    as_json: options.JsonForText = False,
    quiet: options.Quiet = False,
) -> None:
    """Align the words of sentence pairs; writes one line of points such as `0-0 1-2` per pair.

    \b
    Examples:
      plainwright learn align normal.txt simple.txt --monolingual -o points.txt
      plainwright learn align english.txt.gz german.txt.gz -o points.txt
    """
    from plainwright.learn.align import AlignOptions, align_files

    settings = AlignOptions(
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
        result = align_files(source, target, output, settings, progress=stages(report))
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


def extract(
    source: _Source,
    target: _Target,
    alignment: Annotated[
        Path, typer.Argument(metavar="ALIGNMENT", help="Alignment points of each pair, as `learn align` writes them.")
    ],
    output: options.RulesToWrite,
    labels: Annotated[
        Literal["none", "source", "target"],
        typer.Option(help="English side whose analysis gives the labels; with none, all labels are [X]."),
    ] = "none",
    analysis: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Analyses of that side: read if the file exists, otherwise written."),
    ] = None,
    max_span: Annotated[
        int, typer.Option(min=1, max=40, help="Maximum number of words in a phrase, before gaps are cut.")
    ] = 10,
    max_symbols: Annotated[
        int, typer.Option(min=1, max=40, help="Maximum number of words and nonterminals in the source of a rule.")
    ] = 5,
    nonterminals: Annotated[
        int, typer.Option(min=0, max=2, help="Maximum number of nonterminals; 0 for phrase pairs only.")
    ] = 2,
    loose: Annotated[
        bool, typer.Option("--loose", help="Phrases may begin and end with words that are not aligned.")
    ] = False,
    adjacent: Annotated[
        bool, typer.Option("--adjacent", help="Nonterminals may stand side by side in the source.")
    ] = False,
    deletions: Annotated[
        bool, typer.Option("--deletions", help="Phrases that were deleted become rules without a target.")
    ] = False,
    no_identity: Annotated[
        bool, typer.Option("--no-identity", help="Leave out rules that change nothing (they still count).")
    ] = False,
    min_count: Annotated[int, typer.Option(min=1, help="Write only rules that occur at least this often.")] = 1,
    max_targets: Annotated[
        int, typer.Option(min=0, help="Write only the N most frequent rules of each source; 0 for all.")
    ] = 0,
    plain: Annotated[
        bool,
        typer.Option("--plain", help="Write only features from counts; `grammar pack --compute` can add the others."),
    ] = False,
    features: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME…", help='Write only these features, such as "p(e|f)". Default: all.'),
    ] = None,
    max_tokens: _MaxTokens = 200,
    threads: _Threads = 1,
    memory: Annotated[
        int, typer.Option(min=1, max=2**20, metavar="MB", help="Memory for counts; the rest move to temporary files.")
    ] = 512,
    as_json: options.JsonForText = False,
    quiet: options.Quiet = False,
) -> None:
    """Extract rules from aligned sentence pairs, with all features that can be computed from counts.

    \b
    Examples:
      plainwright learn extract normal.txt simple.txt points.txt -o rules.gz
      plainwright learn extract normal.txt simple.txt points.txt \\
        --labels target --analysis simple.parsed.gz -o rules.gz
    """
    from plainwright.learn.extract import ExtractOptions, extract_files

    settings = ExtractOptions(
        labels=labels,
        max_span=max_span,
        max_symbols=max_symbols,
        nonterminals=nonterminals,
        loose=loose,
        adjacent=adjacent,
        deletions=deletions,
        identity=not no_identity,
        min_count=min_count,
        max_targets=max_targets,
        computed=not plain,
        features=tuple(features or ()),
        max_tokens=max_tokens,
        threads=threads,
        memory=memory,
    )
    with progress_bar("reading", quiet=quiet) as report:
        progress_stages = stages(report)
        result = extract_files(source, target, alignment, output, settings, analysis=analysis, progress=progress_stages)
    _tell_skips(result.skips, max_tokens, quiet=quiet)
    if as_json:
        typer.echo(json.dumps({"output": str(output), **_plain(result)}))
        return
    typer.echo(
        f"{output}\t{result.written:,} rules\tof {result.distinct:,} distinct ones in {result.pairs:,} pairs"
        f"\t{result.occurrences:,} occurrences"
    )


def tagger(
    tagged: Annotated[
        list[Path],
        typer.Argument(metavar="TAGGED...", help="Sentences of word_TAG tokens, or kept analyses, also .gz."),
    ],
    output: Annotated[Path, typer.Option("--save", "-o", metavar="FILE", help="The tagger to write.")],
    passes: Annotated[int, typer.Option(min=1, max=1000, help="Passes over the text.")] = 8,
    min_count: Annotated[int, typer.Option(min=1, max=10**6, help="Minimum occurrences of a feature.")] = 2,
    max_bytes: Annotated[
        int, typer.Option(min=10_000, max=10**9, help="Maximum size of the file; the least useful weights are dropped.")
    ] = 2_000_000,
    lower_share: Annotated[
        float, typer.Option(min=0, max=1, help="Share of the sentences to learn from in lower case, too.")
    ] = 0.3,
    held_out: Annotated[
        int, typer.Option(min=0, metavar="N", help="Hold out every N-th sentence for measuring; 0 for none.")
    ] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Seed for the order of the sentences.")] = 1,
    as_json: options.JsonForText = False,
    quiet: options.Quiet = False,
) -> None:
    """Learn a part-of-speech tagger from tagged sentences.

    \b
    Examples:
      plainwright learn tagger tagged.txt.gz -o english.tagger
      plainwright learn tagger simple.parsed.gz --held-out 10 -o english.tagger
    """
    from plainwright.files import check_writable
    from plainwright.learn.tagger import TaggerOptions, learn_tagger_files

    check_writable(output)
    settings = TaggerOptions(
        passes=passes,
        min_count=min_count,
        max_bytes=max_bytes,
        lower_share=lower_share,
        held_out=held_out,
        seed=seed,
    )
    with progress_bar("reading", quiet=quiet) as report:
        result = learn_tagger_files(tagged, settings, progress=stages(report))
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
