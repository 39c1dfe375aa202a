"""Evaluations for the report's tests: a small one written by hand, a large one made up."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from plainwright.evaluation.result import Comparison, Evaluation, SystemResult
from plainwright.metrics import METRICS
from plainwright.metrics.result import Score

SOURCES = (
    "About 95 species are currently accepted .",
    "The committee, which was established in 1994, subsequently relinquished its authority.",
    "He resided in Lisbon until his demise .",
    "Photosynthesis is the process by which plants utilise sunlight to manufacture nutrients.",
    "The bridge was closed because it was considered unsafe, and it was demolished in 1961.",
)
REFERENCES = (
    ("About 95 species are now known .", "About 95 species are currently known ."),
    ("The committee was set up in 1994. It later gave up its power.",),
    ("He lived in Lisbon until he died .", "He lived in Lisbon until his death ."),
    ("Photosynthesis is how plants use sunlight to make food.",),
    ("The bridge was unsafe. It was closed, and pulled down in 1961.",),
)
OUTPUTS = {
    "identity": SOURCES,
    "rules": (
        "About 95 species are now accepted .",
        "The committee was established in 1994. It later gave up its authority.",
        "He lived in Lisbon until his death .",
        "Photosynthesis is the process by which plants use sunlight to make nutrients.",
        "The bridge was closed because it was seen as unsafe. It was demolished in 1961.",
    ),
    "short": (
        "About 95 species .",
        "The committee relinquished its authority.",
        "He resided in Lisbon .",
        "Plants utilise sunlight.",
        "",
    ),
}
SARI = {"identity": (22, 20, 21, 24, 25), "rules": (75.94, 61, 70, 66, 58), "short": (30, 35, 28, 41, np.nan)}
BLEU = {"identity": (60, 22, 48, 31, 44), "rules": (70, 38, 80, 52, 47), "short": (18, 9, 25, 4, 0)}
GRADE = {
    "identity": (7.1, 14.2, 5.0, 15.5, 8.4),
    "rules": (6.2, 7.7, 3.1, 12.0, 5.6),
    "short": (3.0, 11.1, 4.2, 6.8, np.nan),
}

KINDS = {name: METRICS[name] for name in ("sari", "bleu", "fk", "fkbleu", "profile")}


def system(
    name: str, outputs: Sequence[str], segments: dict[str, np.ndarray], *, best: str | None = None
) -> SystemResult:
    """A system whose corpus scores are the means of its segment scores."""
    metrics = dict.fromkeys(key.split(".")[0] for key in segments)
    scores = {metric: _score(metric, segments) for metric in metrics}
    compared = {
        metric: Comparison(best=best, difference=-3.2, p_value=0.004 if metric == "sari" else 0.31, test="bootstrap")
        for metric in scores
        if best and metric in KINDS and KINDS[metric].higher_is_better is not None
    }
    return SystemResult(name=name, outputs=tuple(outputs), scores=scores, segments=segments, comparisons=compared)


def _score(metric: str, segments: dict[str, np.ndarray]) -> Score:
    parts = {key.split(".")[1]: float(np.nanmean(segments[key])) for key in segments if key.startswith(metric + ".")}
    values = segments.get(metric)
    value = next(iter(parts.values())) if values is None else float(np.nanmean(values))
    interval = None if values is None else (value - 1.1, value + 1.3)
    return Score(
        metric=metric,
        value=value,
        signature=f"{metric}|case:lc|tok:13a|variant:plain|v:0.1.0",
        parts=parts,
        interval=interval,
    )


def evaluation(systems: Iterable[SystemResult], **changes: object) -> Evaluation:
    """An evaluation of the five sentences above; any field can be replaced."""
    fields: dict[str, object] = {
        "dataset": "handmade/test",
        "sources": SOURCES,
        "references": REFERENCES,
        "systems": tuple(systems),
        "kinds": KINDS,
        "warnings": (),
        "confidence": 0.95,
        "resamples": 1000,
        "seed": 12345,
        "version": "0.1.0",
    }
    return Evaluation(**{**fields, **changes})  # type: ignore[arg-type]


def small(**changes: object) -> Evaluation:
    """Three systems on five sentences, with every default metric."""
    systems = []
    for name, outputs in OUTPUTS.items():
        segments = {
            "sari": np.array(SARI[name], dtype=float),
            "sari.add": np.array(SARI[name]) / 4,
            "sari.keep": np.array(SARI[name]) * 0.9,
            "sari.delete": np.array(SARI[name]) * 0.8,
            "bleu": np.array(BLEU[name], dtype=float),
            "fk": np.array(GRADE[name]),
            "profile.compression": np.array([len(out) / len(src) for out, src in zip(outputs, SOURCES, strict=True)]),
            "profile.exact_copies": np.array([float(out == src) for out, src in zip(outputs, SOURCES, strict=True)]),
        }
        systems.append(system(name, outputs, segments, best=None if name == "rules" else "rules"))
    return replace(evaluation(systems), **changes)


def large(segments: int = 2000, systems: int = 10, references: int = 8, *, seed: int = 7) -> Evaluation:
    """Made-up sentences of 10 to 40 words and systems that change more and more of them."""
    chooser = random.Random(seed)
    words = ["".join(chooser.choice("aeinorstlcdmup") for _ in range(chooser.randint(2, 9))) for _ in range(3000)]
    sources = [" ".join(chooser.choices(words, k=chooser.randint(10, 40))) + " ." for _ in range(segments)]

    def edit(text: str, rate: float) -> str:
        kept = (token if chooser.random() > rate else chooser.choice(words) for token in text.split())
        return " ".join(token for token in kept if chooser.random() > rate / 3)

    numbers = np.random.default_rng(seed)
    results = []
    for index in range(systems):
        outputs = [edit(source, 0.06 * index) for source in sources]
        sari = np.clip(numbers.normal(30 + index, 12, segments), 0, 100)
        columns = {
            "sari": sari,
            **{
                f"sari.{part}": np.clip(sari + numbers.normal(0, 9, segments), 0, 100)
                for part in ("add", "keep", "delete")
            },
            "bleu": np.clip(110 - sari + numbers.normal(0, 20, segments), 0, 100),
            "fk": numbers.normal(12 - index / 2, 3, segments),
            "fkbleu": np.clip(numbers.normal(50, 10, segments), 0, 100),
            "profile.compression": np.array([len(o) / len(s) for o, s in zip(outputs, sources, strict=True)]),
            "profile.sentence_splits": numbers.integers(1, 3, segments).astype(float),
            "profile.exact_copies": np.array([float(o == s) for o, s in zip(outputs, sources, strict=True)]),
            "profile.additions": numbers.random(segments),
            "profile.deletions": numbers.random(segments),
            "profile.levenshtein_similarity": numbers.random(segments),
            "profile.lexical_complexity": numbers.normal(8, 1, segments),
        }
        results.append(
            system(
                f"system-{index}",
                outputs,
                columns,
                best=None if index == systems - 1 else f"system-{systems - 1}",
            )
        )
    return evaluation(
        results,
        dataset="made-up/large",
        sources=tuple(sources),
        references=tuple(tuple(edit(source, 0.2) for _ in range(references)) for source in sources),
    )
