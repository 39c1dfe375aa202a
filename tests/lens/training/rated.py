"""Ratings made by rule: the more words of the source an output repeats, the better raters like it."""

from __future__ import annotations

import numpy as np

from plainwright.study.ratings import Rating, Ratings, Scale

_SENTENCE = "the big cat sat on a red mat in an old house near some cold lake while it was raining again today"
SYSTEMS = ("copy", "half", "other", "short", "long")


def toy_ratings(
    *, sources: int = 12, raters: int = 3, scale: Scale | None = None, seed: int = 3
) -> tuple[Ratings, dict[str, tuple[str, ...]]]:
    """Ratings of `SYSTEMS`, and two references of every item."""
    rng = np.random.default_rng(seed)
    rows, references = [], {}
    for number in range(sources):
        item = f"s{number}"
        words = [str(word) for word in rng.permutation(_SENTENCE.split())[:10]]
        source = " ".join(words).capitalize() + " ."
        references[item] = tuple(" ".join(words[start : start + 8]).capitalize() + " ." for start in (0, 2))
        for system in SYSTEMS:
            output, quality = _output(system, words, rng)
            for rater in range(raters):
                score = float(np.clip(round(50 + 8 * quality + 2 * rater + rng.normal() * 3), 0, 100))
                if scale is not None:
                    score = scale.low + round((scale.high - scale.low) * score / 100)
                rows.append(
                    Rating(
                        item=item,
                        system=system,
                        rater=f"r{rater}",
                        aspect="overall",
                        score=score,
                        scale=scale or Scale(0, 100),
                        source=source,
                        output=source if system == "copy" else output,
                    )
                )
    return Ratings(tuple(rows)), references


def _output(system: str, words: list[str], rng: np.random.Generator) -> tuple[str, float]:
    kept = {"copy": words, "half": words[:5], "short": words[:2], "long": words + words[:3], "other": []}[system]
    strange = [str(word) for word in rng.choice(["xylem", "quartz", "zephyr"], size=6)]
    chosen = strange if system == "other" else kept
    quality = {"copy": 2.0, "half": 1.0, "other": -3.0, "short": -1.0, "long": 0.5}[system]
    return " ".join(chosen).capitalize() + " .", quality
