"""The card of a trained model: what it learnt from, how well it judges, and what it is not for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from plainwright.lens.training.data import TrainingSet
from plainwright.lens.training.results import Agreement
from plainwright.lens.training.stacking import Weights
from plainwright.study.estimate import Estimate

if TYPE_CHECKING:
    from plainwright.lens.training.job import Description
    from plainwright.lens.training.settings import TrainingSettings

__all__ = ["card_text", "result_rows"]

_KINDS = {
    "neural": "networks over the vectors of source, output and reference",
    "trees": "gradient-boosted trees on features",
    "linear": "ridge regression on features",
    "mix": "all of them, weighted",
}

_OTHERS = {"trees": "trees", "linear": "a linear function"}


def card_text(
    description: Description,
    training: TrainingSet,
    settings: TrainingSettings,
    weights: Weights,
    found: Sequence[Agreement],
    *,
    encoder: str,
) -> str:
    """Write the card as Markdown, for people."""
    counts = [len(example.references) for example in training.examples]
    low, high = min(counts), max(counts)
    references = f"{low}" if low == high else f"{low} to {high}"
    lines = [
        f"# {description.name}",
        "",
        "A LENS model: it predicts how good people find an English simplification, beside its source and references.",
        f"Made by `plainwright lens train`. Licence: {description.licence}.",
        "",
        "## Data",
        "",
        f"- Ratings: {description.ratings or 'not named'} ({training.aspect}), licence: {description.ratings_licence}.",
        f"- References: {description.references or 'not named'}; {references} for each output.",
        f"- {len(training.examples)} outputs of {len(training.ratings.systems)} systems for "
        f"{len(set(training.groups))} sources, judged by {len(training.ratings.raters)} raters. The target is the mean "
        "of the raters' z-scores.",
        *(f"- {note[:1].upper()}{note[1:]}." for note in training.notes),
        "",
        "## Results",
        "",
        _judged(settings),
        "",
        *_table(result_rows(found, weights)),
        "",
        "## Model",
        "",
        f"- Encoder: {encoder}, {_tuned(settings)}, 8-bit weights.",
        *(f"- {name}: {_KINDS[name]}; weight {weight:.3f}." for name, weight in weights.members.items()),
        *_share_of_the_paper(weights),
        *_averaged(settings),
        *_fewer(settings),
        *_perturbed(settings),
        "",
        "## Limits",
        "",
        "- English sentences and short passages of the kind it was trained on; other kinds of text were not tested.",
        "- With fewer references its values are less reliable; the results above say by how much.",
        "- It judges outputs. A system tuned towards it may learn what it overlooks: let people judge the result.",
        "",
    ]
    return "\n".join(lines)


def result_rows(found: Sequence[Agreement], weights: Weights) -> list[tuple[str, ...]]:
    """Return a table with a header, for the card and for the screen."""
    rows: list[tuple[str, ...]] = [("member", "weight", "Pearson", "Spearman", "error")]
    for one in found:
        weight = weights.members.get(one.name)
        shown = "" if weight is None else f"{weight:.3f}"
        rows.append((one.name, shown, _estimate(one.pearson), _estimate(one.spearman), f"{one.error:.3f}"))
    return rows


def _estimate(estimate: Estimate) -> str:
    if estimate.value is None:
        return "-"
    interval = estimate.interval
    return f"{estimate.value:.3f}" + ("" if interval is None else f" [{interval.low:.3f}, {interval.high:.3f}]")


def _table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    header, *rest = (f"| {' | '.join(row)} |" for row in rows)
    return [header, "|" + "---|" * len(rows[0]), *rest]


def _judged(settings: TrainingSettings) -> str:
    drawn = "Intervals (95 %) come from drawing sources again."
    if settings.fold is not None:
        left_out = f"fold {settings.fold} of {settings.folds} folds by source (the first is 0)"
        return f"Every figure is of outputs whose source was left out of all training: {left_out}. {drawn}"
    system = " and system" if settings.folds_by == "source-system" else ""
    return (
        f"Every figure is of outputs whose source{system} was not trained on: {settings.folds} folds by "
        f"{settings.folds_by.replace('-', ' and ')}. {drawn} The weights of "
        "the mix were found on other folds than the one they are judged on."
    )


def _share_of_the_paper(weights: Weights) -> list[str]:
    """Say how much of the mix is the network that the paper describes, where it is not all."""
    others = [_OTHERS[name] for name in weights.members if name in _OTHERS]
    if "neural" not in weights.members or not others:
        return []
    share = f"{100 * weights.members['neural']:.0f} %"
    return [
        f"- The network that Maddela et al. (2023) describe is {share} of this mix; {' and '.join(others)} over "
        "features of words, edits and overlap do the rest."
    ]


def _averaged(settings: TrainingSettings) -> list[str]:
    kinds = {"neural": "networks", "trees": "sets of trees"}
    averaged = " and ".join(kind for member, kind in kinds.items() if member in settings.members)
    if not averaged or settings.seeds == 1:
        return []
    return [f"- {settings.seeds} {averaged}, each with another part of the sources left out to stop by."]


def _fewer(settings: TrainingSettings) -> list[str]:
    if not settings.fewer:
        return []
    return [f"- It saw each output beside all its references, and beside {' and '.join(map(str, settings.fewer))}."]


def _tuned(settings: TrainingSettings) -> str:
    if settings.tuning is None:
        return "frozen"
    return "all layers tuned" if settings.tuning.layers is None else f"top {settings.tuning.layers} layers tuned"


def _perturbed(settings: TrainingSettings) -> list[str]:
    if settings.corruptions == "none":
        return []
    what = "sources and references" if settings.corruptions == "both" else settings.corruptions
    return [
        f"- Beside rated outputs it saw {what} spoilt on purpose (words dropped or scrambled, a period in the middle), "
        f"with a target {settings.margin:g} below that of what was spoilt."
    ]
