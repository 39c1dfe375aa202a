"""How well a model of substitution chooses on sentences that it did not learn from, and its card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from plainwright.encoders import encoder_folder
from plainwright.learn.substitution.examples import Example
from plainwright.learn.substitution.recipe import SubstitutionRecipe

__all__ = ["Frontier", "Kept", "card_of", "frontier", "frontier_lines"]

_THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)


class Kept(NamedTuple):
    """Says what is proposed at a threshold: candidates a sentence, and which share of them is right."""

    threshold: float
    proposed: float
    right: float


@dataclass(frozen=True, slots=True)
class Frontier:
    """Says how well right candidates are told from others, and what is kept at each threshold."""

    auc: float | None
    kept: tuple[Kept, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the figures by name."""
        return asdict(self)


def frontier(examples: Sequence[Example], scores: Sequence[Sequence[float]]) -> Frontier:
    """Compare scores with what readers said; of candidates for the same words, the likeliest is proposed."""
    from sklearn.metrics import roc_auc_score

    right = [value for example in examples for value in example.right]
    flat = [score for own in scores for score in own]
    best: dict[tuple[int, int, int], tuple[float, float]] = {}
    for number, (example, own) in enumerate(zip(examples, scores, strict=True)):
        for candidate, value, score in zip(example.candidates, example.right, own, strict=True):
            place = (number, candidate.start, candidate.end)
            best[place] = max(best.get(place, (0.0, 0.0)), (score, value))
    kept = []
    for threshold in _THRESHOLDS:
        taken = [value for score, value in best.values() if score >= threshold]
        share = sum(taken) / len(taken) if taken else 0.0
        kept.append(Kept(threshold, len(taken) / max(1, len(examples)), share))
    return Frontier(float(roc_auc_score(right, flat)) if len(set(right)) == 2 else None, tuple(kept))


def frontier_lines(figures: Mapping[str, Any]) -> list[str]:
    """Return the table of thresholds in Markdown."""
    lines = ["| threshold | proposed in a sentence | of these right |", "|---:|---:|---:|"]
    lines += [f"| {threshold:g} | {proposed:.2f} | {right:.0%} |" for threshold, proposed, right in figures["kept"]]
    if figures["auc"] is not None:
        lines += ["", f"Right against wrong, AUC: {figures['auc']:.3f}."]
    return lines


def card_of(recipe: SubstitutionRecipe, facts: Mapping[str, Any]) -> str:
    """Return the card in Markdown."""
    encoder, _ = encoder_folder(recipe.encoder)
    lines = [f"# {recipe.name} {recipe.version}", ""]
    lines += [recipe.description, ""] if recipe.description else []
    lines += [
        "| | |",
        "|---|---|",
        f"| licence | {recipe.licence or 'not named'} |",
        f"| encoder | {encoder}, all weights trained; {recipe.max_pieces} pieces of a sentence |",
        f"| candidates | {facts['approved']:,} of {facts['candidates']:,} that it learnt from |",
        f"| choices learnt from | {facts['choices']:,} in {facts['sentences']:,} sentences |",
        f"| held out | {facts['held_out_choices']:,} in {facts['held_out_sentences']:,} sentences |",
        f"| steps | {facts['steps']:,} |",
        f"| proposed from | {recipe.threshold:g} |",
        f"| digest | {facts['digest']} |",
        "",
        "## On sentences that it did not see",
        "",
        *frontier_lines(facts["held_out"]),
        "",
        "Made by `plainwright learn substitution`.",
        "",
    ]
    return "\n".join(lines)
