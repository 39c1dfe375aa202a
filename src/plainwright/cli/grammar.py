"""`plainwright grammar`: pack rules, look into packed ones, and write them out again."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from plainwright.cli import options
from plainwright.cli.lazy import lazy_group
from plainwright.cli.progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plainwright.grammar.features import FeatureMaker
    from plainwright.grammar.inspection import Candidate
    from plainwright.grammar.rules import Progress, Skipped

__all__ = ["app"]

_COMMANDS = {
    "pack": ("plainwright.cli.grammar:pack", "Pack rules into one file that the decoder maps into memory."),
    "info": ("plainwright.cli.grammar:info", "Show sizes, labels and features of a packed grammar."),
    "lookup": ("plainwright.cli.grammar:lookup", "Show what a phrase may become, ranked by the weights."),
    "unpack": ("plainwright.cli.grammar:unpack", "Write a packed grammar as PPDB text, sorted by source."),
}

app = lazy_group(_COMMANDS, help="Pack, inspect and unpack paraphrase grammars.")

_Grammar = Annotated[Path, typer.Argument(metavar="GRAMMAR", help="A packed grammar.")]


def pack(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Rules as text, also .gz.")],
    output: Annotated[Path, typer.Option("--save", "-o", metavar="GRAMMAR", help="The file to write.")],
    kind: Annotated[
        Literal["ppdb", "meteor"],
        typer.Option("--from", help="ppdb: lines of PPDB 1.0 or 2.0; meteor: METEOR's table, source TAB target TAB p."),
    ] = "ppdb",
    compute: Annotated[
        bool, typer.Option("--compute", help="Add the features that can be computed from a rule (slower).")
    ] = False,
    families: Annotated[
        bool, typer.Option("--families", help="With computed features: also the paper's families.")
    ] = False,
    lm: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With computed features: also the scores of a packed language model."),
    ] = None,
    simple_lm: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With computed features: also the scores of a model of simple English."),
    ] = None,
    bits: Annotated[int, typer.Option(min=1, max=16, help="Maximum number of bits per feature of a rule.")] = 16,
    lenient: Annotated[bool, typer.Option("--lenient", help="Skip malformed lines and count them.")] = False,
    as_json: options.JsonForText = False,
    quiet: options.Quiet = False,
) -> None:
    """Pack rules into one file that the decoder maps into memory.

    \b
    Examples:
      plainwright grammar pack ppdb-1.0-l-all.gz -o ppdb.pack
      plainwright grammar pack paraphrase-en.tsv.gz --from meteor -o meteor.pack
    """
    from plainwright.grammar.packed import PackedGrammar, pack_blocks, pack_files
    from plainwright.grammar.rules import Skipped

    skipped = Skipped()
    computes = compute or kind == "meteor"
    maker = _feature_maker(lm, simple_lm, families=families, used=computes)
    with progress_bar("packing", quiet=quiet) as report:
        if computes:
            blocks = _computed_blocks(files, kind, maker, lenient=lenient, skipped=skipped, progress=report)
            pack_blocks(blocks, output, bits=bits)
        else:
            pack_files(files, output, bits=bits, lenient=lenient, skipped=skipped, progress=report)
    if not quiet:
        _tell_skipped(skipped)
    info = {**PackedGrammar(output).info(), "skipped": skipped.count}
    if as_json:
        typer.echo(json.dumps(info, ensure_ascii=False))
    else:
        typer.echo(
            f"{output}\t{_counted(info['rules'])}\t{info['bytes']:,} bytes\t{info['bytes_per_rule']} bytes a rule"
        )


def info(
    grammar: _Grammar,
    as_json: options.JsonForText = False,
) -> None:
    """Show the sizes, labels and features of a packed grammar."""
    from plainwright.grammar.packed import PackedGrammar

    found = PackedGrammar(grammar).info()
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False))
        return
    for name in ("rules", "words", "nodes", "bytes", "bytes_per_rule"):
        value = found[name]
        typer.echo(f"{name.replace('_', ' ') + ':':<16}{value if value is None else format(value, ',')}")
    labels = [f"{label} {count:,}" for label, count in list(found["labels"].items())[:10]]
    more = len(found["labels"]) - len(labels)
    typer.echo(f"{'labels:':<16}{', '.join(labels)}" + (f", and {more} more" if more > 0 else ""))
    typer.echo(f"\n{'feature':<28}{'bits':>5}{'values':>8}  kept")
    for row in found["features"]:
        kept = "exactly" if row["exact"] else f"to ±{row['step'] / 2:.2g}"
        missing = ", some missing" if row["has_missing"] else ""
        typer.echo(f"{row['name']:<28}{row['bits']:>5}{row['distinct']:>8}  {kept}{missing}")


def lookup(
    grammar: _Grammar,
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help='Source side of rules, such as "principal" or "the [NN,1] of".')
    ],
    weights: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A model.toml, JSON, or lines of names and weights.")
    ] = None,
    label: Annotated[str | None, typer.Option(help="Only rules with this left-hand side.")] = None,
    most: Annotated[int, typer.Option(min=1, help="Number of candidates to show.")] = 20,
    reasons: Annotated[int, typer.Option(min=0, help="Number of features to name for each candidate.")] = 3,
    as_json: options.JsonForText = False,
) -> None:
    """Show what a phrase may become, ranked by the weights, with the features that made the difference.

    Each candidate is compared with the rule that changes nothing or, if there is none, with the next candidate.
    Without --weights, candidates are ranked by the probability of the target given the source.
    """
    from plainwright.grammar.inspection import rank_candidates
    from plainwright.grammar.packed import PackedGrammar

    opened = PackedGrammar(grammar)
    used = _weights(weights, opened)
    candidates = rank_candidates(opened, source, used, label=label, reasons=reasons)
    if as_json:
        shown = [candidate.to_dict() for candidate in candidates[:most]]
        typer.echo(json.dumps({"source": source, "candidates": shown}, ensure_ascii=False))
    elif candidates:
        for line in _table(source, candidates[:most]):
            typer.echo(line)
    if not candidates:
        typer.echo(f"plainwright: no rule has the source {source!r}", err=True)
        raise typer.Exit(1)


def unpack(
    grammar: _Grammar,
    output: Annotated[
        Path | None,
        typer.Option("--save", "-o", metavar="FILE", help="Write to this file (also .gz) instead of the screen."),
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Write a packed grammar as PPDB text, rules sorted by their source."""
    from plainwright.files import atomic_write_text
    from plainwright.grammar.packed import PackedGrammar

    opened = PackedGrammar(grammar)
    if output is None:
        for line in opened.lines():
            sys.stdout.write(line + "\n")
        return
    with progress_bar("unpacking", quiet=quiet) as report, atomic_write_text(output) as stream:
        for number, line in enumerate(opened.lines(), start=1):
            stream.write(line + "\n")
            if report is not None and number % 10_000 == 0:
                report(number, len(opened))
    typer.echo(f"{output}\t{_counted(len(opened))}")


def _feature_maker(lm: Path | None, simple_lm: Path | None, *, families: bool, used: bool) -> FeatureMaker:
    from plainwright.errors import DataError
    from plainwright.grammar.features import FeatureMaker, PhraseScorer
    from plainwright.lm import LanguageModel

    named = (("--lm", lm is not None), ("--simple-lm", simple_lm is not None), ("--families", families))
    for option, given in named:
        if given and not used:
            msg = f"{option}: expected --compute with it, found none; features are then only carried"
            raise DataError(msg)
    scorers = [None if path is None else PhraseScorer(LanguageModel.open(path)) for path in (lm, simple_lm)]
    return FeatureMaker(language_model=scorers[0], simple_language_model=scorers[1], families=families)


def _computed_blocks(
    files: list[Path],
    kind: str,
    maker: FeatureMaker,
    *,
    lenient: bool,
    skipped: Skipped,
    progress: Progress | None,
) -> Iterator[tuple[str, bytes]]:
    from plainwright.grammar.convert import read_meteor
    from plainwright.grammar.rules import read_rules

    for path in files:
        if kind == "meteor":
            rules = read_meteor(path, maker=maker, lenient=lenient, skipped=skipped, progress=progress)
        else:
            given = read_rules(path, lenient=lenient, skipped=skipped, progress=progress)
            rules = map(maker.complete, given)
        for rule in rules:
            yield str(path), f"{rule}\n".encode()


def _counted(rules: int) -> str:
    return f"{rules:,} rule{'' if rules == 1 else 's'}"


def _tell_skipped(skipped: Skipped) -> None:
    if skipped.count == 0:
        return
    for example in skipped.examples:
        typer.echo(f"plainwright: warning: skipped {example}", err=True)
    lines = "line" if skipped.count == 1 else "lines"
    typer.echo(f"plainwright: warning: {skipped.count:,} malformed {lines} skipped", err=True)


def _weights(path: Path | None, grammar: Any) -> dict[str, float]:
    from plainwright.errors import DataError
    from plainwright.grammar.features import missing_name
    from plainwright.grammar.inspection import read_weights, usable_weights

    if path is not None:
        usable, lacking = usable_weights(read_weights(path), grammar)
        if lacking:
            typer.echo(f"plainwright: note: this grammar has no {', '.join(lacking)}", err=True)
        return usable
    for name in ("p(e|f)", "-logp(e2|e1)"):
        if name in grammar.feature_names:
            typer.echo(f"plainwright: note: no --weights, ranked by {name} alone", err=True)
            # A rule without this probability is not a sure one: it comes last.
            return {name: -1.0, missing_name(name): -100.0}
    msg = "this grammar has no p(e|f) to rank by; give --weights"
    raise DataError(msg)


def _table(source: str, candidates: list[Candidate]) -> Iterator[str]:
    names = [f"{source} → {candidate.target or '(nothing)'}" for candidate in candidates]
    wide, labels = max(map(len, names)), max(len(candidate.lhs) for candidate in candidates)
    other = {"identity": "against no change: ", "next": "against the next: ", "none": ""}
    for name, candidate in zip(names, candidates, strict=True):
        why = ", ".join(f"{reason.feature} {reason.effect:+.3f}" for reason in candidate.reasons)
        line = f"{name:<{wide}}  {candidate.lhs:<{labels}}  {candidate.score:9.3f}"
        yield f"{line}  {other[candidate.against]}{why}" if why else line
