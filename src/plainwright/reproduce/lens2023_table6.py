"""Maddela et al. (2023), Table 6 and the k of Table 2: which encoder, and which references to learn from.

The models are trained beforehand, five of each kind, and lie in a folder; see `trained_models`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from plainwright import corpora
from plainwright.errors import DataError
from plainwright.lens.training.data import Example, training_set
from plainwright.metrics.base import Array
from plainwright.reproduce.choices import LENS2023_TABLE6
from plainwright.reproduce.lens2023 import published_kinds
from plainwright.reproduce.table import Block, Cell, Finding, Reproduction, Sampling
from plainwright.reproduce.trained_models import Kind, TrainedModel, TrainedModels
from plainwright.study.draws import draws
from plainwright.study.estimate import Interval
from plainwright.study.levels import Comparison, PairLevel
from plainwright.study.ratings import read_ratings
from plainwright.study.scores import MetricScores, RatedOutputs, given_scores
from plainwright.study.scoring import read_references
from plainwright.study.taulike import CONVENTIONS, Pairs
from plainwright.study.weighted import weighted_correlations

__all__ = ["NEEDS", "TITLE", "Measured", "drawn_weights", "held_out", "past_examples", "table6"]

TITLE = "Maddela et al. (2023), Table 6: LENS over other encoders, and learnt from all references or the nearest"
NEEDS = ("simpeval/past", "simpeval/2022")

_WRITER = "Human 1 Writing"  # of the reference
_PAST_REFERENCES = "past_references.tsv"  # beside the ratings of SimpEval_past
_PROTOCOLS = {"Released": ("lens2023-code", True), "Stated": ("lens2023", False)}  # and whether the writer competes
_COLUMNS = ("paraphrase", "split", "all")
_PAPER_ENCODER, _PAPER_TAU = "RoBERTa-large, the paper's", 0.331
_NOT_HAD = "RoBERTa and BERT could not be had; of Table 6 our copy of the paper has no digits but these of Table 2"
_FEW_MODELS = 5


@dataclass(frozen=True, kw_only=True)
class Measured:
    """Holds one number of every model, and the same in every resample of the sources."""

    name: str
    values: Array  # (models,)
    drawn: Array  # (models, resamples)
    n: int

    def mean(self, places: Sequence[int]) -> float:
        """Return the mean over models."""
        return float(self.values[list(places)].mean())

    def intervals(self, places: Sequence[int], less: Sequence[int] | None = None, *, seed: int) -> dict[str, Interval]:
        """Intervals of that mean, or of the mean difference from other models, one to one."""
        drawn = self.drawn[list(places)] - (0.0 if less is None else self.drawn[list(less)])
        found = {"sources": Interval.of(drawn.mean(axis=0))}
        if len(places) > 1:
            models = np.random.default_rng([seed, 2]).integers(0, len(places), size=drawn.shape)
            found["both"] = Interval.of(np.take_along_axis(drawn, models, axis=0).mean(axis=0))
        return {name: interval for name, interval in found.items() if interval is not None}


def table6(
    data: Path | None = None, sampling: Sampling | None = None, *, models: Path, threads: int = 1
) -> Reproduction:
    """Compare the models of a folder on SimpEval_2022 and on the sources of SimpEval_past that each left out."""
    sampling = sampling or Sampling()
    trained = TrainedModels.read(models)
    taus = _taus(trained, data, sampling, threads=threads)
    past = _Past.of(trained, past_examples(data), threads=threads)
    blocks = [
        *(_tau_block(trained, title, measured, sampling) for title, measured in taus.items()),
        _past_block(trained, past, sampling),
        _differences(trained, [taus[title][-1] for title in _PROTOCOLS], past, sampling),
    ]
    return Reproduction(
        name="lens2023-table6",
        title=TITLE,
        citation="Maddela, Dou, Heineman and Xu (2023), ACL",
        protocol=LENS2023_TABLE6,
        blocks=tuple(blocks),
        findings=tuple(_findings(trained, blocks[-1])),
        notes=tuple(_notes(trained)),
        sampling=sampling,
    )


def _taus(trained: TrainedModels, data: Path | None, sampling: Sampling, *, threads: int) -> dict[str, list[Measured]]:
    """Of each protocol the tau of every model, for each kind of output and for all."""
    ratings, kinds = read_ratings("simpeval/2022", data=data), published_kinds(data)
    scores = [_scores(one, RatedOutputs.of(ratings), threads=threads) for one in trained.all()]
    found: dict[str, list[Measured]] = {}
    for title, (convention, writer_competes) in _PROTOCOLS.items():
        systems = [system for system in ratings.systems if writer_competes or system != _WRITER]
        cube = ratings.where(systems=systems).cube("overall")
        pairs = Pairs.of(cube, CONVENTIONS[convention], kinds)
        comparison = Comparison(
            aspect="overall",
            items=cube.items,
            systems=cube.systems,
            human=cube.means,
            metrics=tuple(metric.arranged(cube.items, cube.systems) for metric in scores),
        )
        found[title] = [
            _tau(comparison, pairs if column == "all" else pairs.of_operation(column), convention, column, sampling)
            for column in _COLUMNS
        ]
    return found


def _scores(one: TrainedModel, outputs: RatedOutputs, *, threads: int) -> MetricScores:
    """What a model says of SimpEval_2022, whose sources it must not have met."""
    sources = dict(zip(outputs.items, map(str, outputs.sources), strict=True))
    if any(map(one.learnt_from, sources.values())):
        msg = f"{one.model.directory}: expected a model that learnt from SimpEval_past, found one that knows the test"
        raise DataError(msg)
    texts = {
        (item, system): text
        for item, row in zip(outputs.items, outputs.outputs, strict=True)
        for system, text in zip(outputs.systems, row, strict=True)
        if text is not None
    }
    rated = [
        Example(item=item, system=system, source=sources[item], output=text, references=(texts[item, _WRITER],), z=0.0)
        for (item, system), text in texts.items()
    ]
    z = one.pairwise(rated, threads=threads)[:, 0]
    return given_scores(
        str(one.fold), dict(zip(texts, z.tolist(), strict=True)), items=outputs.items, systems=outputs.systems
    )


def _tau(comparison: Comparison, pairs: Pairs, convention: str, name: str, sampling: Sampling) -> Measured:
    level = PairLevel(
        Comparison(
            aspect=comparison.aspect,
            items=comparison.items,
            systems=comparison.systems,
            human=comparison.human,
            metrics=comparison.metrics,
            pairs=pairs,
        ),
        CONVENTIONS[convention].metric_ties,
    )
    estimates = [level.estimate(at, "two-sided") for at in range(len(comparison.metrics))]
    blocks = draws(
        len(comparison.items),
        len(comparison.systems),
        resampled="inputs",
        resamples=sampling.resamples,
        seed=sampling.seed,
        cells=level.cells,
    )
    return Measured(
        name=name,
        values=np.array([np.nan if one.value is None else one.value for one in estimates]),
        drawn=np.concatenate([level.resampled(block) for block in blocks], axis=1),
        n=estimates[0].n,
    )


def past_examples(data: Path | None) -> tuple[Example, ...]:
    """The rated outputs of SimpEval_past beside their ten references of ASSET, as in training."""
    ratings = read_ratings("simpeval/past", data=data)
    path = Path(corpora.locate("simpeval/past", data=data)[0]).with_name(_PAST_REFERENCES)
    if not path.is_file():
        msg = f"{path}: expected the sources of SimpEval_past with their references of ASSET's test set, found nothing"
        raise DataError(msg)
    return training_set(ratings, read_references([path], RatedOutputs.of(ratings))).examples


def held_out(one: TrainedModel, examples: Sequence[Example]) -> npt.NDArray[np.int64]:
    """Which examples are of sources that a model never saw."""
    known = {source: one.learnt_from(source) for source in {example.source for example in examples}}
    rows = np.array([at for at, example in enumerate(examples) if not known[example.source]], dtype=np.int64)
    if not 0 < len(rows) < len(examples):
        msg = f"{one.model.directory}: expected a model that learnt from some sources of SimpEval_past, found another"
        raise DataError(msg)
    return rows


@dataclass(frozen=True, kw_only=True)
class _Past:
    """What models say of the outputs of SimpEval_past that they left out; NaN elsewhere."""

    z: Array  # (models, outputs)
    human: Array
    sources: npt.NDArray[np.int64]  # of each output

    @classmethod
    def of(cls, trained: TrainedModels, examples: Sequence[Example], *, threads: int) -> _Past:
        found = np.full((len(trained.all()), len(examples)), np.nan)
        for at, one in enumerate(trained.all()):
            rows = held_out(one, examples)
            found[at, rows] = np.nanmax(one.pairwise([examples[row] for row in rows], threads=threads), axis=1)
        _, sources = np.unique([example.source for example in examples], return_inverse=True)
        return cls(z=found, human=np.array([example.z for example in examples]), sources=sources)

    def pearson(self, *places: Sequence[int], sampling: Sampling) -> tuple[Array, Array, int]:
        """Of each group of models, pooled: Pearson, the same in resamples, and over how many outputs."""
        pooled = np.stack([np.fmax.reduce(self.z[list(group)], axis=0) for group in places])
        rows = np.isfinite(pooled).all(axis=0)
        names, sources = np.unique(self.sources[rows], return_inverse=True)
        weights = drawn_weights(sources, len(names), sampling)
        found = weighted_correlations(pooled[:, rows], self.human[rows], weights, "pearson")
        return found[:, 0], found[:, 1:], int(rows.sum())


def drawn_weights(sources: npt.NDArray[np.int64], number: int, sampling: Sampling) -> Array:
    """How often outputs of these sources count: as they are, and then in every resample of the sources."""
    blocks = draws(number, 1, resampled="inputs", resamples=sampling.resamples, seed=sampling.seed, cells=len(sources))
    return np.concatenate([np.ones((1, len(sources))), *(block.inputs[:, sources] for block in blocks)])


def _tau_block(trained: TrainedModels, title: str, measured: Sequence[Measured], sampling: Sampling) -> Block:
    cells = [
        Cell(
            row=kind.label,
            column=one.name,
            paper=None,
            ours=one.mean(trained.places(kind)),
            digits=3,
            intervals=one.intervals(trained.places(kind), seed=sampling.seed),
            n=one.n,
        )
        for kind in trained.models
        for one in measured
    ]
    cells.append(Cell(row=_PAPER_ENCODER, column="all", paper=_PAPER_TAU, ours=None, digits=3, note=_NOT_HAD))
    spread = {kind.label: _spread(trained, kind, measured[-1]) for kind in trained.models}
    return Block(
        title=f"{title} protocol: tau on SimpEval_2022, mean of the models", cells=tuple(cells), methods=spread
    )


def _spread(trained: TrainedModels, kind: Kind, measured: Measured) -> str:
    values = measured.values[trained.places(kind)]
    each = ", ".join(f"{value:.3f}" for value in values)
    return f"{len(values)} model{'s' * (len(values) > 1)}, tau of all pairs by fold: {each}"


def _past_block(trained: TrainedModels, past: _Past, sampling: Sampling) -> Block:
    cells = []
    for kind in trained.models:
        value, drawn, n = past.pearson(trained.places(kind), sampling=sampling)
        cells.append(_cell(kind.label, "Pearson", float(value[0]), {"sources": drawn[0]}, n))
    return Block(title="SimpEval_past: Pearson with people's z, sources that the model left out", cells=tuple(cells))


def _cell(row: str, column: str, ours: float, drawn: Mapping[str, Array], n: int) -> Cell:
    intervals = {name: interval for name, values in drawn.items() if (interval := Interval.of(values))}
    return Cell(row=row, column=column, paper=None, ours=ours, digits=3, intervals=intervals, n=n)


def _differences(trained: TrainedModels, taus: Sequence[Measured], past: _Past, sampling: Sampling) -> Block:
    """Kinds that differ in one thing, model by model of the same fold."""
    cells = []
    for better, other in trained.pairs():
        folds = [fold for fold in trained.models[better] if fold in trained.models[other]]
        if not folds:
            continue
        row = f"{better.label} less {other.label}"
        first, second = trained.places(better, folds), trained.places(other, folds)
        for title, one in zip(_PROTOCOLS, taus, strict=True):
            cells.append(
                Cell(
                    row=row,
                    column=f"tau, {title.lower()}",
                    paper=None,
                    ours=one.mean(first) - one.mean(second),
                    digits=3,
                    intervals=one.intervals(first, second, seed=sampling.seed),
                    n=len(folds),
                )
            )
        values, drawn, _ = past.pearson(first, second, sampling=sampling)
        cells.append(
            _cell(row, "Pearson, past", float(values[0] - values[1]), {"sources": drawn[0] - drawn[1]}, len(folds))
        )
    return Block(title="Differences, over models of the same folds", cells=tuple(cells))


_CLAIMS = (
    ("learning from the k nearest references improves tau over all of them (section 4.1)", "k"),
    ("the larger encoder has the highest tau over all outputs (section 5)", "encoder"),
    ("the encoder is fine-tuned (Appendix A)", "tuned"),
)


def _findings(trained: TrainedModels, block: Block) -> Iterator[Finding]:
    for claim, what in _CLAIMS:
        rows = [
            f"{better.label} less {other.label}"
            for better, other in trained.pairs()
            if getattr(better, what) != getattr(other, what)
        ]
        cells = [cell for cell in block.cells if cell.row in rows]
        if cells:
            yield Finding(claim, "; ".join(map(_said, cells)) + ".")


def _said(cell: Cell) -> str:
    interval = cell.intervals.get("both") or cell.intervals["sources"]
    verdict = "open" if 0.0 in interval else "higher" if interval.low > 0 else "lower"
    if cell.n == 1:
        verdict = "one model alone, which says little"
    return f"{cell.row}: {cell.column} {cell.ours:+.3f} [{interval.low:+.3f} {interval.high:+.3f}], {verdict}"


def _notes(trained: TrainedModels) -> Iterator[str]:
    for kind, folds in trained.models.items():
        first = next(iter(folds.values())).model.settings
        how = f"{first.get('schedule_epochs')} epochs at most, batches of {first.get('schedule_batch')}"
        if kind.tuned:
            how += f", rates {first.get('tuning_rate')} and {first.get('tuning_head_rate')}"
        few = "" if len(folds) >= _FEW_MODELS else f"; only {len(folds)} of {_FEW_MODELS} folds were trained"
        yield f"{kind.label}: {how}{few}."
