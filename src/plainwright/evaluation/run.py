"""Score systems on a set: values, intervals, comparisons with the best, and warnings about doubtful text."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from plainwright import __version__, metrics
from plainwright.arguments import as_texts, check_choice, check_instance
from plainwright.errors import DataError, UnknownNameError
from plainwright.evaluation.outputs import checked_outputs
from plainwright.evaluation.pseudo import pseudo_references
from plainwright.evaluation.result import Comparison, Evaluation, SystemResult
from plainwright.evaluation.sets import EvaluationSet
from plainwright.evaluation.textkind import TextKind, detect
from plainwright.metrics.base import Array, Metric
from plainwright.metrics.remarks import remarks_on_texts

__all__ = ["DEFAULT_METRICS", "EvaluationSettings", "evaluate", "metrics_for"]

_References = tuple[tuple[str, ...], ...] | None

DEFAULT_METRICS = ("sari", "bleu", "fk", "fkbleu", "profile")


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSettings:
    """Says how to score. `tokenizer` "auto" takes whitespace tokens for tokenised text and 13a for raw text."""

    metrics: tuple[str | Metric, ...] | None = None  # names or objects; None: the default ones that the data allow
    variants: Mapping[str, str | Sequence[str]] = field(default_factory=dict)  # metric -> its variant, or several
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # metric -> further arguments of its class
    tokenizer: str = "auto"
    lowercase: bool = False
    intervals: bool = True
    confidence: float = 0.95
    resamples: int = 1000
    test: Literal["bootstrap", "randomisation"] = "randomisation"
    seed: int = 12345
    threads: int = 1
    lens_model: Path | None = None  # None: the one that comes with the package

    def check_variants(self) -> None:
        """Refuse a variant of a metric that has none."""
        for name in self.variants:
            if name not in metrics.metric_names() or metrics.metric_class(name).variant_option is None:
                known = [own for own, kind in metrics.METRICS.items() if kind.variant_option is not None]
                listing = f"metrics with variants: {', '.join(known)}"
                raise UnknownNameError.suggest(kind="metric in --variant", name=name, known=known, listing=listing)

    def check_options(self) -> None:
        """Refuse further options of metrics that are not there."""
        for name in self.options:
            check_choice(name, metrics.metric_names(), "metric in --metric-option")


def evaluate(
    target: EvaluationSet,
    outputs: Mapping[str, Sequence[str]],
    settings: EvaluationSettings | None = None,
    *,
    warnings: Sequence[str] = (),
) -> Evaluation:
    """Score every system with every metric. Input is taken as checked (`evaluation.sets`, `evaluation.outputs`)."""
    settings = settings or EvaluationSettings()
    outputs = checked_outputs(outputs, target, "evaluate")
    if not outputs:
        msg = "no outputs to score; give --outputs with one file per system"
        raise DataError(msg)
    if target.segments == 1:
        settings = replace(settings, intervals=False)  # one segment drawn again and again is always the same
    kind, others = _kinds(target, outputs)
    chosen, left_out = _choose_metrics(target, settings, kind)
    warnings = (*warnings, *left_out, *_text_warnings(kind, others, chosen, settings))
    references = {
        name: pseudo_references(name, lines, target.pseudo) if target.pseudo else target.references
        for name, lines in outputs.items()
    }
    stats = {column: _stats(metric, target, outputs, references, settings) for column, metric in chosen.items()}
    judges = list(zip(*target.pseudo.values(), strict=True)) or target.references
    remarks = remarks_on_texts(list(chosen.values()), sources=target.sources, references=judges, outputs=outputs)
    warnings = (*warnings, *remarks)
    intervals = _intervals(chosen, stats, settings)
    comparisons = {column: _compare(metric, stats[column], settings) for column, metric in chosen.items()}
    systems = tuple(
        SystemResult(
            name=name,
            outputs=lines,
            scores={
                column: replace(
                    _score(metric, stats[column][name], references[name]), interval=intervals.get((column, name))
                )
                for column, metric in chosen.items()
            },
            segments=_segment_values(chosen, {column: stats[column][name] for column in chosen}),
            comparisons={column: comparisons[column][name] for column in chosen if name in comparisons[column]},
        )
        for name, lines in outputs.items()
    )
    return Evaluation(
        dataset=target.name,
        sources=target.sources or (),
        references=target.references or (),
        systems=systems,
        kinds={column: type(metric) for column, metric in chosen.items()},
        warnings=warnings,
        confidence=settings.confidence,
        resamples=settings.resamples if settings.intervals else 0,
        seed=settings.seed,
        version=__version__,
    )


def metrics_for(names: Iterable[str | Metric], settings: EvaluationSettings, kind: TextKind) -> dict[str, Metric]:
    """Return the metrics by the names of their columns, with the options asked for, else those that suit the text.

    A metric of which several variants were asked for has a column for each, called as in "sari=easse". One that is
    given as an object is taken as it is.
    """
    found: dict[str, Metric] = {}
    check_instance(settings, EvaluationSettings, "metrics_for", "settings", "EvaluationSettings")
    if isinstance(names, Iterable) and not isinstance(names, str):
        names = list(names)
        found_names = [name for name in names if not isinstance(name, Metric)]
        as_texts(found_names, "metrics_for", "names")
    else:
        names = as_texts(names, "metrics_for", "names")
    for name in dict.fromkeys(names):  # keeps the order, drops repeats
        if isinstance(name, Metric):
            found[_free_column(name.name, found)] = name
            continue
        given = settings.variants.get(name, ())
        variants = dict.fromkeys([given] if isinstance(given, str) else given)
        for variant in variants or [None]:
            column = f"{name}={variant}" if len(variants) > 1 else name
            found[column] = metrics.create(name, **_options(name, variant, settings, kind))
    return found


def _free_column(name: str, taken: Mapping[str, Metric]) -> str:
    """The name, or for a further metric of that name the name with a number."""
    names = itertools.chain([name], (f"{name}={number}" for number in itertools.count(2)))
    return next(column for column in names if column not in taken)


def _choose_metrics(
    target: EvaluationSet, settings: EvaluationSettings, kind: TextKind
) -> tuple[dict[str, Metric], list[str]]:
    settings.check_variants()
    settings.check_options()
    chosen: dict[str, Metric] = {}
    left_out: list[str] = []
    for column, metric in metrics_for(settings.metrics or DEFAULT_METRICS, settings, kind).items():
        missing = _missing(metric, target)
        if missing is None:
            chosen[column] = metric
        elif settings.metrics is None:
            left_out.append(f"{column} is left out: it needs {missing}")
        else:
            msg = f"{column} needs {missing}; {target.label} has none{_way_out(metric, target)}"
            raise DataError(msg)
    return chosen, left_out


def _missing(metric: Metric, target: EvaluationSet) -> str | None:
    if metric.needs_source and target.sources is None:
        return "sources"
    if metric.needs_references and target.references is None and not target.pseudo:
        return "references"
    return None


def _way_out(metric: Metric, target: EvaluationSet) -> str:
    if target.sources is None and target.references is None:
        return "; name a set before the options, or give --source and --references"
    lacks_references = target.references is None and metric.without_references
    return f"; {metric.without_references}" if lacks_references else ""


def _kinds(target: EvaluationSet, outputs: Mapping[str, Sequence[str]]) -> tuple[TextKind, dict[str, TextKind]]:
    """Detect what the set looks like, from the first texts that it has, and what everything compared with it does."""
    columns = list(zip(*target.references, strict=False)) if target.references else []
    kind = detect(target.sources or next(iter([*columns, *outputs.values()])))
    if target.tokens is not None:
        kind = replace(kind, tokens=target.tokens)
    others = {f"reference {number}": detect(lines) for number, lines in enumerate(columns)}
    others.update({f"output {name!r}": detect(lines) for name, lines in outputs.items()})
    return kind, others


def _options(name: str, variant: str | None, settings: EvaluationSettings, kind: TextKind) -> dict[str, Any]:
    found: dict[str, Any] = metrics.metric_class(name).options_for(
        raw=kind.tokens != "tokenised",  # in doubt raw: 13a hardly changes text that is tokenised already
        tokenizer=None if settings.tokenizer == "auto" else settings.tokenizer,
        lowercase=settings.lowercase,
        variant=variant,
        model=settings.lens_model,
    )
    return {**found, **settings.options.get(name, {})}


def _text_warnings(
    kind: TextKind, others: Mapping[str, TextKind], chosen: Mapping[str, Metric], settings: EvaluationSettings
) -> list[str]:
    warnings = []
    if kind.tokens == "unclear" and kind.attached + kind.separate > 0 and settings.tokenizer == "auto":
        warnings.append(
            f"raw or tokenised text? {kind.evidence}; it is taken as raw, pass --tokenizer none if it is tokenised"
        )
    unlike = [(name, other) for name, other in others.items() if {kind.tokens, other.tokens} == {"raw", "tokenised"}]
    if unlike:
        name, other = unlike[0]
        warnings.append(
            f"the set looks {kind.tokens} ({kind.evidence}) but {name}{_more(unlike)} looks {other.tokens} "
            f"({other.evidence}); scores will be too low unless all are prepared alike"
        )
    cased = [column for column, metric in chosen.items() if metric.config().get("case") == "mixed"]
    other_case = [(name, other) for name, other in others.items() if other.case != kind.case]
    if cased and other_case:
        name, other = other_case[0]
        warnings.append(
            f"the set is {_case(kind)} but {name}{_more(other_case)} is {_case(other)}; "
            f"case counts in {', '.join(cased)}, pass --lowercase to compare without it"
        )
    for column, metric in chosen.items():
        warnings += _metric_warnings(column, metric, kind)
    return warnings


def _metric_warnings(column: str, metric: Metric, kind: TextKind) -> Iterator[str]:
    config = metric.config()
    if config.get("tok") == "none" and kind.tokens == "raw":
        yield f"{column} reads whitespace tokens, but the text looks raw ({kind.evidence}); pass --tokenizer 13a"
    variant = config.get("fk") or (config.get("variant") if metric.name == "fk" else None)
    if variant == "plain" and kind.tokens == "tokenised":
        yield (
            f"{metric.name} variant plain is for raw text, but the text looks tokenised "
            f"({kind.evidence}); choose the variant paper or released"
        )
    if variant in ("paper", "released") and kind.tokens == "raw":
        yield (
            f"{metric.name} variant {variant} is for tokenised text, but the text looks raw "
            f"({kind.evidence}); choose the variant plain"
        )


def _more(found: Sequence[object]) -> str:
    return f" (and {len(found) - 1} more)" if len(found) > 1 else ""


def _case(kind: TextKind) -> str:
    return "lower-cased" if kind.case == "lower" else "cased"


def _stats(
    metric: Metric,
    target: EvaluationSet,
    outputs: Mapping[str, Sequence[str]],
    references: Mapping[str, _References],
    settings: EvaluationSettings,
) -> dict[str, Array]:
    """Statistics of every system; all together where the references are the same for all."""
    if not target.pseudo:
        return metric.stats_of_systems(target.sources, outputs, target.references, threads=settings.threads)
    return {
        name: metric.corpus_stats(target.sources, lines, references[name], threads=settings.threads)
        for name, lines in outputs.items()
    }


def _score(metric: Metric, stats: Array, references: _References) -> metrics.Score:
    return metric.score_from_stats(stats.sum(axis=0), references if metric.needs_references else None)


def _intervals(
    chosen: Mapping[str, Metric], stats: Mapping[str, Mapping[str, Array]], settings: EvaluationSettings
) -> dict[tuple[str, str], tuple[float, float]]:
    """The interval of every column and system, all from the same resamples."""
    if not settings.intervals:
        return {}
    keys = [(column, name) for column in chosen for name in stats[column]]
    found = metrics.bootstrap_intervals(
        [(chosen[column], stats[column][name]) for column, name in keys],
        confidence=settings.confidence,
        resamples=settings.resamples,
        seed=settings.seed,
    )
    return dict(zip(keys, found, strict=True))


def _compare(metric: Metric, stats: Mapping[str, Array], settings: EvaluationSettings) -> Mapping[str, Comparison]:
    """Every other system against the best one."""
    if metric.higher_is_better is None or len(stats) < 2 or not settings.intervals:
        return {}
    sign = 1 if metric.higher_is_better else -1

    def value(name: str) -> float:
        return sign * float(metric.values_from_stats(stats[name].sum(axis=0)))

    best = max(stats, key=value)
    compared = {}
    for name, own in stats.items():
        if name == best:
            continue
        if settings.test == "bootstrap":
            result = metrics.paired_bootstrap(
                metric, own, stats[best], resamples=settings.resamples, seed=settings.seed
            )
        else:
            result = metrics.randomisation(metric, own, stats[best], trials=settings.resamples, seed=settings.seed)
        compared[name] = Comparison(best=best, difference=result.difference, p_value=result.p_value, test=result.test)
    return compared


def _segment_values(chosen: Mapping[str, Metric], stats: Mapping[str, Array]) -> dict[str, Array]:
    values: dict[str, Array] = {}
    for column, metric in chosen.items():
        parts = metric.parts_from_stats(stats[column])
        values[column] = parts.pop(metric.name)
        values.update({f"{column}.{part}": numbers for part, numbers in parts.items()})
    return values
