"""How metrics and their parts are called in the report; unknown ones appear under their own name."""

from __future__ import annotations

import math
import re

from plainwright.evaluate.result import metric_and_variant

__all__ = ["arrow", "direction", "meaning", "metric_name", "p_relation", "part_name", "show", "typeset"]

_NAMES = {
    "sari": "SARI",
    "bleu": "BLEU",
    "ibleu": "iBLEU",
    "tbleu": "T-BLEU",
    "fk": "FK grade",
    "fkbleu": "FKBLEU",
    "ld": "−LD",
    "lens": "LENS",
    "bertscore": "BERTScore",
    "profile": "Edit profile",
}

_MEANINGS = {
    "sari": "how well words are added, kept and deleted, given source and references (Xu et al., 2016)",
    "bleu": "n-gram overlap with the references; an unchanged source scores high (Papineni et al., 2002)",
    "ibleu": "BLEU against the references minus a share of BLEU against the source (Sun and Zhou, 2012)",
    "fk": "Flesch-Kincaid grade level: long sentences and long words raise it (Kincaid et al., 1975)",
    "fkbleu": "iBLEU combined with the gain in readability (Xu et al., 2016)",
    "lens": "learned from human ratings of simplifications (Maddela et al., 2023)",
    "bertscore": "likeness of pieces of words in the eyes of an encoder (Zhang et al., 2020)",
    "profile": "what was done to the source, without a judgement and without references",
}


def metric_name(metric: str) -> str:
    """The name in headings: "sari" becomes SARI, and "sari=easse" SARI easse."""
    name, variant = metric_and_variant(metric)
    return f"{_NAMES[name]} {variant}".rstrip() if name in _NAMES else metric


def part_name(part: str) -> str:
    """The name of a part: "sentence_splits" becomes sentence splits."""
    return part.replace("_", " ").replace("levenshtein", "Levenshtein")


def meaning(metric: str) -> str:
    """One clause on what the metric measures, empty if we have none."""
    return _MEANINGS.get(metric_and_variant(metric)[0], "")


def arrow(higher_is_better: bool | None) -> str:
    """The direction in which a metric improves, as a sign."""
    return {True: "↑", False: "↓", None: ""}[higher_is_better]


def direction(higher_is_better: bool | None) -> str:
    """The direction in which a metric improves, in words."""
    return {True: "higher is better", False: "lower is better", None: "neither high nor low is better"}[
        higher_is_better
    ]


def show(value: float | None, digits: int = 2) -> str:
    """A number for people: a true minus sign, a dash where there is none."""
    if value is None or not math.isfinite(value):
        return "–"
    text = f"{value:.{digits}f}"
    return (text[1:] if float(text) == 0 else "−" + text[1:]) if text.startswith("-") else text


def typeset(sentence: str) -> str:
    """A sentence with true minus and times signs, and percent signs that stand apart but never break off."""
    signed = re.sub(r"(?<![^\s(\[])-(?=\d)", "−", sentence)
    return re.sub(r"(?<=\d) ?%", "\u00a0%", re.sub(r"(?<=\w) x (?=\d)", " × ", signed))


def p_relation(value: float) -> str:
    """What stands behind "p": "= 0.031", or "< 0.001" where more digits would pretend to be exact."""
    return "< 0.001" if value < 0.001 else f"= {show(value, 3)}"
