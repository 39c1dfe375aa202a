"""How metrics and their parts are called in the report; unknown ones appear under their own name."""

from __future__ import annotations

import math
import re

from plainwright.evaluation.result import metric_and_variant
from plainwright.metrics import Metric, metric_class, metric_names

__all__ = ["arrow", "direction", "meaning", "metric_name", "p_relation", "part_name", "show", "typeset"]


def metric_name(metric: str) -> str:
    """The name in headings: "sari" becomes SARI, and "sari=easse" SARI easse."""
    name, variant = metric_and_variant(metric)
    kind = _kind(name)
    return metric if kind is None else f"{kind.title or kind.heading or name} {variant}".rstrip()


def part_name(part: str) -> str:
    """The name of a part: "sentence_splits" becomes sentence splits."""
    return part.replace("_", " ").replace("levenshtein", "Levenshtein")


def meaning(metric: str) -> str:
    """Return one clause on what the metric measures, empty if we have none."""
    kind = _kind(metric_and_variant(metric)[0])
    return "" if kind is None else kind.meaning


def _kind(name: str) -> type[Metric] | None:
    """The class of a metric, None for one that nobody registered."""
    return metric_class(name) if name in metric_names() else None


def arrow(higher_is_better: bool | None) -> str:
    """Return the direction in which a metric improves, as a sign."""
    return {True: "↑", False: "↓", None: ""}[higher_is_better]


def direction(higher_is_better: bool | None) -> str:
    """Return the direction in which a metric improves, in words."""
    return {True: "higher is better", False: "lower is better", None: "neither high nor low is better"}[
        higher_is_better
    ]


def show(value: float | None, digits: int = 2) -> str:
    """Return a number for people: a true minus sign, a dash where there is none."""
    if value is None or not math.isfinite(value):
        return "–"
    text = f"{value:.{digits}f}"
    return (text[1:] if float(text) == 0 else "−" + text[1:]) if text.startswith("-") else text


def typeset(sentence: str) -> str:
    """Return a sentence with true minus and times signs, and percent signs that stand apart but never break off."""
    signed = re.sub(r"(?<![^\s(\[])-(?=\d)", "−", sentence)
    return re.sub(r"(?<=\d) ?%", "\u00a0%", re.sub(r"(?<=\w) x (?=\d)", " × ", signed))


def p_relation(value: float) -> str:
    """Return what stands behind "p": "= 0.031", or "< 0.001" where more digits would pretend to be exact."""
    return "< 0.001" if value < 0.001 else f"= {show(value, 3)}"
