"""Section 4.2 of Sulem et al. (2018), sentence by sentence: three claims that the paper makes without a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from plainwright.metrics.base import Array
from plainwright.reproduce.choices import SULEM2018_SENTENCES
from plainwright.reproduce.sulem2018 import texts
from plainwright.reproduce.sulem2018.cells import correlation_cell
from plainwright.reproduce.sulem2018.findings import difference, in_words, shown, survivors
from plainwright.reproduce.sulem2018.measures import first, sentence_measures
from plainwright.reproduce.sulem2018.resampling import Sampled, Setting, correlated
from plainwright.reproduce.sulem2018.splitting import CITATION
from plainwright.reproduce.table import Block, Finding, Reproduction, Sampling
from plainwright.study.levels import SentenceLevel
from plainwright.study.scores import MetricScores

__all__ = ["SENTENCES_42", "sentences42"]

SENTENCES_42 = "Sulem et al. (2018), section 4.2: sentence-level Spearman correlation with the standard references"
_WITHOUT = "Systems/corpora without splits: 7 systems, 490 outputs"
_ALL = "All systems/corpora: 12 systems, 840 outputs"
_BLEU = ("BLEU-1ref", "BLEU-8ref")
_SYSTEMS = {**texts.WITHOUT_SPLITS, **texts.HSPLIT}
_NOTES = (
    "The paper prints no number for these claims, so there is nothing to compare with; the claims are tested instead.",
    "The twelfth system is the mean of four others, sentence by sentence, so the twelve are not independent.",
)


def sentences42(data: Path | None = None, sampling: Sampling | None = None) -> Reproduction:
    """Compute what section 4.2 says of sentences, from the released outputs and ratings."""
    sampling = sampling or Sampling()
    chosen, other = (
        _settings(texts.load_texts(_SYSTEMS, data=data, prepare=prepare), data, sampling)
        for prepare in (texts.lowered, texts.joined)
    )
    return Reproduction(
        name="sulem2018-section4.2-sentences",
        title=SENTENCES_42,
        citation=CITATION,
        protocol=SULEM2018_SENTENCES,
        blocks=tuple(map(_block, chosen)),
        notes=_NOTES,
        findings=(
            _simplicity(chosen),
            _meaning(chosen),
            _grammar(chosen),
            _lower_than_distance(chosen),
            _on_other_text(_lower_than_distance(other)),
        ),
        sampling=sampling,
    )


def _settings(loaded: texts.Texts, data: Path | None, sampling: Sampling) -> tuple[Setting, Setting]:
    """Return the correlations of the seven without splits, and those of all twelve."""
    measured = _measures(loaded)
    sums = texts.score_sums(texts.ratings(data), _SYSTEMS, loaded.items)
    seven = len(texts.WITHOUT_SPLITS)
    without = {name: first(scores, seven) for name, scores in measured.items()}
    everything = {name: _with_average(scores) for name, scores in measured.items()}
    return (
        correlated(_WITHOUT, SentenceLevel, without, _columns(sums, seven), sampling),
        correlated(
            _ALL, SentenceLevel, everything, {key: texts.with_average(table) for key, table in sums.items()}, sampling
        ),
    )


def _measures(loaded: texts.Texts) -> dict[str, MetricScores]:
    rated = loaded.rated()
    one = sentence_measures(rated, [[line] for line in loaded.simple])
    eight = sentence_measures(rated, loaded.references)
    return {
        "BLEU-1ref": one["BLEU"],
        "BLEU-8ref": eight["BLEU"],
        "iBLEU-1ref": one["iBLEU"],
        "iBLEU-8ref": eight["iBLEU"],
        "SARI-8ref": eight["SARI"],
        "-LD": eight["-LD"],
    }


def _with_average(scores: MetricScores) -> MetricScores:
    """Return the same with the mean of the HSplit corpora as a further system: of each sentence, its four values."""
    values = texts.with_average(scores.values_from_stats(scores.stats))
    stats = np.stack([values, np.ones_like(values)], axis=-1)
    return replace(
        scores,
        systems=(*scores.systems, "average"),
        stats=stats,
        values_from_stats=lambda sums: sums[..., 0] / sums[..., 1],
    )


def _columns(sums: Mapping[str, Array], systems: int) -> dict[str, Array]:
    return {key: table[:, :systems] for key, table in sums.items()}


def _block(setting: Setting) -> Block:
    cells = [
        correlation_cell(setting.correlations[metric, aspect], row=metric, column=aspect)
        for metric in setting.metrics
        for aspect in texts.ASPECTS
    ]
    return Block(title=setting.title, cells=tuple(cells))


def _simplicity(settings: Sequence[Setting]) -> Finding:
    parts = []
    for setting in settings:
        metrics = [metric for metric in setting.metrics if "BLEU" in metric]
        found = {f"{m} {a}": setting.correlations[m, a] for m in metrics for a in ("S", "StS")}
        numbers = [in_words(f"{m} with {a}", setting.correlations[m, a]) for m in _BLEU for a in ("S", "StS")]
        parts.append(f"With {_systems(setting)}, {survivors(found, 'below')}: {', '.join(numbers)}.")
    return Finding("as of systems, BLEU and iBLEU of sentences correlate negatively with S and StS", " ".join(parts))


def _meaning(settings: Sequence[Setting]) -> Finding:
    return Finding(
        "as of systems, BLEU's correlation with M falls where splits are evaluated as well", _moves(settings, "M")
    )


def _grammar(settings: Sequence[Setting]) -> Finding:
    return Finding("G sometimes benefits from including HSplit", _moves(settings, "G"))


def _moves(settings: Sequence[Setting], aspect: str) -> str:
    """Say how each correlation moves from the systems without splits to all."""
    without, everything = (
        {metric: setting.correlations[metric, aspect].value for metric in setting.metrics} for setting in settings
    )
    moved = [f"{metric} {without[metric]:.2f} to {everything[metric]:.2f}" for metric in without]
    risen = sum(everything[metric] > without[metric] for metric in without)
    return f"{risen} of {len(without)} rise: {', '.join(moved)}."


def _lower_than_distance(settings: Sequence[Setting]) -> Finding:
    parts = []
    for setting in settings:
        for aspect in ("G", "M"):
            parts += [_gain(setting, metric, aspect) for metric in _BLEU]
    claim = "for G and M, the correlation with BLEU is lower than that with -LD, without splits and with all"
    return Finding(claim, f"-LD less BLEU: {', '.join(parts)} (inputs and systems resampled).")


def _on_other_text(finding: Finding) -> Finding:
    return Finding(f"the same, on text with entities decoded and 's joined: {finding.claim}", finding.answer)


def _gain(setting: Setting, metric: str, aspect: str) -> str:
    gain: Sampled = difference(setting.correlations["-LD", aspect], setting.correlations[metric, aspect])
    verdict = "shown" if shown(gain, "above") else "refuted" if shown(gain, "below") else "open"
    return f"{in_words(f'{metric} with {aspect} ({_systems(setting)})', gain)} {verdict}"


def _systems(setting: Setting) -> str:
    return "7 systems" if setting.title == _WITHOUT else "12 systems"
