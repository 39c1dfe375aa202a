"""The card of a judge: what it was made of, and how it agrees with ratings that it did not learn from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plainwright.encoders import encoder_folder
from plainwright.judge.model import ASPECTS
from plainwright.judge.training.recipe import JudgeRecipe

__all__ = ["agreement_lines", "card_of"]


def card_of(recipe: JudgeRecipe, facts: Mapping[str, Any]) -> str:
    """Return the card in Markdown."""
    encoder, _ = encoder_folder(recipe.encoder)
    lines = [f"# {recipe.name} {recipe.version}", ""]
    lines += [recipe.description, ""] if recipe.description else []
    lines += [
        "| | |",
        "|---|---|",
        f"| licence | {recipe.licence or 'not named'} |",
        f"| encoder | {encoder}, all weights trained; {recipe.max_pieces} pieces at once |",
        f"| ratings learnt from | {facts['ratings']:,}; held out, by source: {facts['held_out_ratings']:,} |",
        f"| risk calibrated on | {facts['calibration_ratings']:,} ratings of other sources |",
        f"| steps | {facts['steps']:,}; {recipe.training.passes:g} passes |",
        f"| digest | {facts['digest']} |",
        "",
        "## On sources that it did not see",
        "",
        *agreement_lines(facts),
        "",
        "Pearson is over all rewrites, Kendall over pairs of rewrites of one source. *Exact* is the network before its "
        "weights were rounded to 8 bits; *points* is by how much rounding moves a score in the mean.",
        "",
        "Made by `plainwright learn judge`.",
        "",
    ]
    return "\n".join(lines)


def agreement_lines(facts: Mapping[str, Any]) -> list[str]:
    """Return tables of agreement in Markdown."""
    kept, exact = facts["held_out"], facts["held_out_exact"]
    lines = ["| score | Pearson | exact | Kendall | exact | points |", "|---|---:|---:|---:|---:|---:|"]
    for name in ASPECTS:
        figures = (kept["pearson"][name], exact["pearson"][name], kept["kendall"][name], exact["kendall"][name])
        lines.append(f"| {name} | {' | '.join(map(_shown, figures))} | {facts['rounding'][name]:.2f} |")
    lines += ["", f"Damaged against whole, AUC: {_shown(kept['auc_damaged'])} (exact {_shown(exact['auc_damaged'])})."]
    lines += ["", "| made error | number | below the best rewrite | exact |", "|---|---:|---:|---:|"]
    for cause, (number, share) in kept["errors"].items():
        lines.append(f"| {cause} | {number:,} | {share:.0%} | {exact['errors'][cause][1]:.0%} |")
    return lines


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
