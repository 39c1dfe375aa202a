"""From names of metrics and files of references to what metrics say of rated outputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from plainwright.errors import DataError, LengthMismatchError, UnknownNameError
from plainwright.evaluation import EvaluationSettings, TextKind, detect, load_set, metrics_for
from plainwright.files import read_lines
from plainwright.metrics.base import Metric
from plainwright.study.ratings.table import Ratings
from plainwright.study.scores import MetricScores, RatedOutputs, read_scores, references_for, score_outputs

__all__ = ["DEFAULT_METRICS", "read_references", "reference_systems", "score_ratings"]

DEFAULT_METRICS = ("sari", "bleu", "fk", "ld")

_TABLES = (".tsv", ".jsonl")


def read_references(
    named: Sequence[str | Path], outputs: RatedOutputs, *, data: Path | None = None
) -> dict[str, tuple[str, ...]]:
    """Read references by item: from registered sets and tables by source, from other files line by line.

    A file of lines has one for each rated item, in the order in which items first appear in the ratings.
    """
    found: dict[str, tuple[str, ...]] = {}
    for name in map(str, named):
        for item, group in _references_in(name, outputs, data).items():
            found[item] = (*found.get(item, ()), *group)
    if not found:
        sources = [source for source in outputs.sources if source]
        shown = f"the sources of the ratings, such as {sources[0][:60]!r}" if sources else "the items of the ratings"
        msg = (
            f"{', '.join(map(str, named))}: expected references for {shown}, found none of them; "
            "give a set with the same sentences in the same tokens"
        )
        raise DataError(msg)
    return found


def score_ratings(
    ratings: Ratings,
    *,
    metrics: Sequence[str] | None = None,
    references: Sequence[str | Path] = (),
    scores: Sequence[str | Path] = (),
    lower_is_better: Sequence[str] = (),
    settings: EvaluationSettings | None = None,
    data: Path | None = None,
) -> tuple[list[MetricScores], list[str]]:
    """Score the rated outputs with every metric, all pointing the same way (`-fk` for FK); return notes, too.

    Without names, `DEFAULT_METRICS` as far as texts and references allow; values from the files `scores` join them.
    `lower_is_better` names those of the given metrics that are to be turned round.
    """
    settings = settings or EvaluationSettings()
    settings.check_variants()
    settings.check_options()
    given = [metric for file in scores for metric in read_scores(file, ratings)]
    names = [metric.name for metric in given]
    for name in lower_is_better:
        if name not in names:
            listing = f"metrics that were given: {', '.join(names) or 'none'}"
            raise UnknownNameError.suggest(kind="given metric", name=name, known=names, listing=listing)
    turned = [MetricScores.oriented(_lower(one) if one.name in lower_is_better else one) for one in given]
    computed, notes = _computed(ratings, metrics, references, settings, data, needed=not given)
    return [*computed, *turned], notes


def reference_systems(outputs: RatedOutputs, references: Mapping[str, Sequence[str]]) -> list[str]:
    """Systems whose every output is one of the references of its item, and whose scores therefore mean nothing."""
    return [
        system
        for column, system in enumerate(outputs.systems)
        if all(
            row[column] is None or row[column] in references.get(item, ())
            for item, row in zip(outputs.items, outputs.outputs, strict=True)
        )
    ]


def _computed(
    ratings: Ratings,
    names: Sequence[str] | None,
    references: Sequence[str | Path],
    settings: EvaluationSettings,
    data: Path | None,
    *,
    needed: bool,
) -> tuple[list[MetricScores], list[str]]:
    if names is None and not needed and not any(row.output for row in ratings):
        return [], ["no texts in these ratings: only the given values are compared"]
    outputs = RatedOutputs.of(ratings)
    found = read_references(references, outputs, data=data) if references else None
    sources = [source for source in outputs.sources if source is not None]
    kind = detect(sources or [text for row in outputs.outputs for text in row if text is not None])
    results, notes, cased = [], [], []
    for name, metric in metrics_for(DEFAULT_METRICS if names is None else names, settings, kind).items():
        lacking = "references" if metric.needs_references and found is None else ""
        lacking = "sources" if metric.needs_source and len(sources) < len(outputs.items) else lacking
        if names is None and lacking:
            notes.append(f"{name} is left out: it needs {lacking}")
            continue
        results.append(score_outputs(outputs, metric, found, name=name, threads=settings.threads).oriented())
        notes += _remarks(metric, outputs, found)
        cased += [name] if metric.config().get("case") == "mixed" else []
    if outputs.reworded:
        notes.append(
            f"{len(outputs.reworded)} of {len(outputs.items)} items have their source in different words (the first is "
            f"{outputs.reworded[0]!r}); metrics take those of most ratings"
        )
    notes += _note_on_case(outputs, kind, cased)
    notes += [
        f"system {system!r} is a reference on every item, so metrics that use references overrate it; "
        "leave it out of the systems or of the references"
        for system in (reference_systems(outputs, found) if found else [])
    ]
    return results, notes


def _remarks(metric: Metric, outputs: RatedOutputs, references: Mapping[str, Sequence[str]] | None) -> Iterator[str]:
    """What a metric has to say of the texts, each remark once."""
    texts = {
        "the sources": [source or "-" for source in outputs.sources],
        "the references": [text for group in (references or {}).values() for text in group],
        "the outputs": [text for row in outputs.outputs for text in row if text is not None],
    }
    yield from dict.fromkeys(remark for label, lines in texts.items() for remark in metric.remarks(lines, label=label))
    yield from metric.remarks_on_sources([source for source in outputs.sources if source is not None])


def _note_on_case(outputs: RatedOutputs, kind: TextKind, metrics: Sequence[str]) -> list[str]:
    """Sources and outputs that were published in unlike case, which is not what people judged."""
    columns = zip(outputs.systems, zip(*outputs.outputs, strict=True), strict=True)
    texts = {name: [text for text in column if text] for name, column in columns}
    unlike = [name for name, lines in texts.items() if lines and detect(lines).case != kind.case]
    if not (metrics and unlike and any(outputs.sources)):
        return []
    return [
        f"the sources are {'lower-cased' if kind.case == 'lower' else 'cased'}, and the outputs of {len(unlike)} of "
        f"{len(outputs.systems)} systems are not ({unlike[0]} is the first); case counts in {', '.join(metrics)}, pass "
        "--lowercase to compare without it"
    ]


def _references_in(name: str, outputs: RatedOutputs, data: Path | None) -> Mapping[str, Sequence[str]]:
    path = Path(name)
    if not path.is_file() or path.name.removesuffix(".gz").endswith(_TABLES):
        return references_for(outputs, load_set(name, data=data))
    lines = read_lines(path)
    if len(lines) != len(outputs.items):
        msg = (
            f"{name}: expected one reference a line for each of the {len(outputs.items)} rated items, found "
            f"{len(lines)} lines; give a .tsv file with each source and its references instead"
        )
        raise LengthMismatchError(msg)
    return {item: (line,) for item, line in zip(outputs.items, lines, strict=True)}


def _lower(metric: MetricScores) -> MetricScores:
    from dataclasses import replace

    return replace(metric, higher_is_better=False)
