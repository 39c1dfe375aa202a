"""LENS (Maddela et al., 2023): a metric that was learnt from people's ratings of simplifications.

A model gives every output a z, the rating that a person would give it, in standard deviations from that person's mean.
The value is z on the scale of the normal curve, 0 to 100, or z itself; a set has the mean of its outputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from plainwright.lens.model import LensModel, rescale
from plainwright.lens.scorer import Scorer, open_scorer
from plainwright.lens.seen import SOURCE_MARKS, count_seen
from plainwright.metrics.base import Array, Metric, Prepared, References, Texts, as_data_error, mean_stats
from plainwright.metrics.remarks import places

__all__ = ["LENS"]


class LENS(Metric):
    """Learnt from ratings; 0 to 100, higher is better.

    `model` is a directory, an open model, or None for the one that comes with the package. `rescale=False` gives z as
    the model makes it. `pseudo_references=True` says that the references are outputs of systems and not people's; it
    changes the signature and nothing else.
    """

    name: ClassVar[str] = "lens"
    stat_names = ("lens", "segments")
    heading = "LENS"
    meaning = "learned from human ratings of simplifications (Maddela et al., 2023)"
    model_option = "model"
    costly: ClassVar[bool] = True
    reads_raw_text: ClassVar[bool] = True
    without_references: ClassVar[str] = (
        "outputs of other systems can stand in for them: `plainwright lens score --pseudo FILE…`"
    )

    def __init__(
        self,
        *,
        model: str | Path | LensModel | None = None,
        rescale: bool = True,
        pseudo_references: bool = False,
    ) -> None:
        self.model = model
        self.rescale = rescale
        self.pseudo_references = pseudo_references

    @cached_property
    def scorer(self) -> Scorer:
        """The model at work, shared by all metrics of that model."""
        return open_scorer(self.model)

    def config(self) -> Mapping[str, str | int | float]:
        """See `Metric.config`."""
        model = self.scorer.model
        settings: dict[str, str | int | float] = {
            "model": model.label,
            "encoder": model.encoder_card.name,
            "scale": "0-100" if self.rescale else "z",
        }
        if self.scorer.resources_changed:
            settings["resources"] = self.scorer.resources[:8]
        if self.pseudo_references:
            settings["references"] = "pseudo"
        return settings

    def parts_from_stats(self, stats: Array) -> dict[str, Array]:
        """See `Metric.parts_from_stats`."""
        return {"lens": stats[..., 0] / stats[..., 1]}

    @as_data_error
    def prepare(self, source: str | None, references: Sequence[str] | None) -> Prepared:
        """See `Metric.prepare`; what is known of the source and the references is kept by the scorer."""
        self._check(None if source is None else [source], [""], None if references is None else [references])
        return super().prepare(source, references)

    @as_data_error
    def pairwise(
        self, source: str | None, candidates: Sequence[str], references: Sequence[str], *, threads: int = 1
    ) -> Array:
        """See `Metric.pairwise`: every text is read once, and all pairs go through the model together."""
        if source is None:
            return super().pairwise(source, candidates, references, threads=threads)
        return self._scaled(self.scorer.pairwise(source, candidates, references, threads=threads))

    def remarks(self, texts: Sequence[str], *, label: str) -> list[str]:
        """See `Metric.remarks`: what was cut off, and what had no words."""
        found = []
        cut = [number for number, text in enumerate(texts, start=1) if self.scorer.was_truncated(text)]
        if cut:
            pieces = self.scorer.model.encoder_card.max_pieces
            found.append(
                f"lens: {places(cut)} of {label} is longer than the encoder reads ({pieces} pieces of words); "
                "the rest counts in words, not in vectors"
            )
        empty = [number for number, text in enumerate(texts, start=1) if not text.strip()]
        if empty:
            found.append(f"lens: {places(empty)} of {label} is empty; it gets the lowest value")
        if self.scorer.resources_changed:
            found.append(
                f"lens: {self.scorer.model.label} was trained with another language model than this version has, so "
                "its values may be a little off; train it again"
            )
        return found

    def remarks_on_sources(self, sources: Sequence[str]) -> list[str]:
        """See `Metric.remarks_on_sources`: whether this is a test or the training set."""
        model = self.scorer.model
        seen = count_seen(str(model.provenance.get(SOURCE_MARKS, "")), sources)
        if not seen:
            return []
        return [
            f"lens: {model.label} learnt from {seen} of these {len(set(sources))} sources, so it knows what people "
            "thought of outputs such as these; its card has results on sources that it had not seen"
        ]

    def _corpus_stats(self, sources: Texts, outputs: Texts, references: References, threads: int) -> Array:
        return mean_stats(self._scaled(self.scorer.scores(sources, outputs, references, threads=threads)))

    def _scaled(self, z: Array) -> Array:
        return rescale(z) if self.rescale else z
