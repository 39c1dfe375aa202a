"""Maddela et al. (2023), Figure 4: how well does LENS agree with people when it has fewer references?

The models are trained beforehand and lie in a folder (`trained_models`); the one that comes with plainwright stands
beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt

from plainwright import models as shipped
from plainwright.arrays import read_arrays, write_arrays
from plainwright.lens.model import LensModel, rescale
from plainwright.lens.scorer import Scorer
from plainwright.lens.seen import SOURCE_MARKS, count_seen
from plainwright.lens.training.data import Example
from plainwright.lens.training.work import digest_of
from plainwright.metrics.base import Array
from plainwright.reproduce.choices import LENS2023_FIGURE4
from plainwright.reproduce.lens2023_table6 import Measured, drawn_weights, held_out, past_examples
from plainwright.reproduce.rated_sets import ASSET, RatedSet, asset
from plainwright.reproduce.table import Block, Cell, Finding, Reproduction, Sampling
from plainwright.reproduce.trained_models import VALUES, TrainedModels
from plainwright.study.weighted import weighted_correlations

__all__ = ["NEEDS", "TITLE", "figure4", "highest_of_first"]

TITLE = "Maddela et al. (2023), Figure 4: agreement of LENS with people by the number of references"
NEEDS = (*ASSET, "simpeval/past")

_ORDERS = 10  # of the references of a source
_SHIPPED = "plainwright's LENS"
_MAIN = "simplicity"
_DIFFERENCE = "1 less all"


@dataclass(frozen=True, kw_only=True)
class _Rated:
    """Outputs beside references in several orders, and what people think of them."""

    examples: tuple[Example, ...]
    human: Mapping[str, Array]  # by aspect
    orders: tuple[tuple[npt.NDArray[np.int64], ...], ...]  # of each order: of each output, its references

    @classmethod
    def of(cls, examples: Sequence[Example], human: Mapping[str, Array], *, seed: int) -> _Rated:
        """Outputs of one source have the same orders, whatever references each lacks."""
        texts = list(dict.fromkeys(text for example in examples for text in example.references))
        at = {text: place for place, text in enumerate(texts)}
        orders = []
        for number in range(_ORDERS):
            rank = np.random.default_rng([seed, 3, number]).permutation(len(texts))
            orders.append(tuple(np.argsort([rank[at[text]] for text in one.references]) for one in examples))
        return cls(examples=tuple(examples), human=human, orders=tuple(orders))

    @property
    def most(self) -> int:
        """The number of references of most outputs."""
        return max(len(example.references) for example in self.examples)

    def weights(self, sampling: Sampling) -> Array:
        """How often each output counts: as it is, and in every resample of the sources."""
        names, sources = np.unique([example.source for example in self.examples], return_inverse=True)
        return drawn_weights(sources, len(names), sampling)


def figure4(
    data: Path | None = None, sampling: Sampling | None = None, *, models: Path, threads: int = 1
) -> Reproduction:
    """Agreement with people of the models of a folder, and of the shipped one, by the number of references."""
    sampling = sampling or Sampling()
    trained = TrainedModels.read(models)
    rated = _unseen(asset(data), [*(one.model for one in trained.all()), _shipped_model()], seed=sampling.seed)
    past = _of_past(trained, past_examples(data), sampling, threads=threads)
    of_asset = _of_asset(rated, trained, models, sampling, threads=threads)
    blocks = [
        _block("SimpEval_past, sources left out: Pearson", past, sampling),
        _block(f"ASSET's ratings, {_MAIN}: Pearson", of_asset[_MAIN], sampling),
    ]
    for aspect, measured in of_asset.items():
        if aspect != _MAIN:
            ends = {label: (numbers[0], numbers[-1]) for label, numbers in measured.items()}
            blocks.append(_block(f"ASSET's ratings, {aspect}: Pearson", ends, sampling))
    return Reproduction(
        name="lens2023-figure4",
        title=TITLE,
        citation="Maddela, Dou, Heineman and Xu (2023), ACL",
        protocol=LENS2023_FIGURE4,
        blocks=tuple(blocks),
        findings=tuple(_findings(blocks)),
        notes=(
            f"ASSET's ratings: {len(rated.examples)} outputs of as many sources that no model learnt from; the paper's "
            "Wiki-DA is kept for a blind measurement.",
            f"{_SHIPPED} mixes networks with trees that look at all references at once, and saw each output beside "
            "one, three and all references when it learnt; the others are the paper's model alone.",
            "The digits of the figure are not in our copy of the paper, which says in words what it shows.",
        ),
        sampling=sampling,
    )


def highest_of_first(z: Array, orders: Sequence[npt.NDArray[np.int64]], count: int) -> Array:
    """Return the highest z of each output over the first references of its order; `z` has a column for each."""
    return np.array([row[order[:count]].max() for row, order in zip(z, orders, strict=True)])


def _shipped_model() -> LensModel:
    return LensModel.open(shipped.find("lens"))


def _unseen(rated: RatedSet, learnt: Sequence[LensModel], *, seed: int) -> _Rated:
    """The outputs whose source no model learnt from."""
    marks = " ".join(str(model.provenance.get(SOURCE_MARKS, "")) for model in learnt)
    sources = dict(zip(rated.outputs.items, map(str, rated.outputs.sources), strict=True))
    texts = {(row.item, row.system): row.output for row in rated.ratings if row.output is not None}
    cubes = {aspect: rated.ratings.cube(aspect) for aspect in rated.ratings.aspects}
    means = {
        aspect: dict(zip(product(cube.items, cube.systems), cube.means.ravel().tolist(), strict=True))
        for aspect, cube in cubes.items()
    }
    unseen = {item for item, source in sources.items() if not count_seen(marks, [source])}
    places = [
        place
        for place in texts
        if place[0] in unseen and all(np.isfinite(found.get(place, np.nan)) for found in means.values())
    ]
    examples = [
        Example(
            item=item,
            system=system,
            source=sources[item],
            output=texts[item, system],
            references=tuple(dict.fromkeys(rated.references[item])),
            z=0.0,
        )
        for item, system in places
    ]
    human = {aspect: np.array([found[place] for place in places]) for aspect, found in means.items()}
    return _Rated.of(examples, human, seed=seed)


def _of_asset(
    rated: _Rated, trained: TrainedModels, folder: Path, sampling: Sampling, *, threads: int
) -> dict[str, dict[str, list[Measured]]]:
    """Of each aspect and kind of model, Pearson for each number of references."""
    values = {
        kind.label: [_by_number(one.pairwise(rated.examples, threads=threads), rated) for one in folds.values()]
        for kind, folds in trained.models.items()
    }
    values[_SHIPPED] = [_shipped(rated, folder / VALUES, threads=threads)]
    weights = rated.weights(sampling)
    return {
        aspect: {label: _pearson(rescale(np.stack(z)), human, weights) for label, z in values.items()}
        for aspect, human in rated.human.items()
    }


def _by_number(z: Array, rated: _Rated) -> Array:
    """Shape (numbers of references, orders, outputs)."""
    return np.array(
        [[highest_of_first(z, order, count) for order in rated.orders] for count in range(1, rated.most + 1)]
    )


def _shipped(rated: _Rated, folder: Path, *, threads: int) -> Array:
    """The same of the shipped model, which looks at all references at once; read if it was computed before."""
    model = _shipped_model()
    groups = [
        [one.references[at] for at in sorted(order[:count].tolist())]
        for count in range(1, rated.most + 1)
        for orders in rated.orders
        for one, order in zip(rated.examples, orders, strict=True)
    ]
    times = rated.most * len(rated.orders)
    sources, outputs = ([one.source for one in rated.examples] * times, [one.output for one in rated.examples] * times)
    path = folder / f"{digest_of(model.digest, sources, outputs, groups)[:32]}.npz"
    if not path.is_file():
        path.parent.mkdir(exist_ok=True)
        write_arrays(path, {"z": Scorer(model).scores(sources, outputs, groups, threads=threads)})
    return read_arrays(path)["z"].reshape(rated.most, len(rated.orders), -1)


def _pearson(z: Array, human: Array, weights: Array) -> list[Measured]:
    """Of values of shape (models, numbers, orders, outputs) for each number the mean over orders of every model."""
    found = []
    for number in range(z.shape[1]):
        models, orders, outputs = z[:, number].shape
        drawn = weighted_correlations(z[:, number].reshape(-1, outputs), human, weights, "pearson")
        drawn = drawn.reshape(models, orders, -1).mean(axis=1)
        found.append(Measured(name=str(number + 1), values=drawn[:, 0], drawn=drawn[:, 1:], n=outputs))
    return found


def _of_past(
    trained: TrainedModels, examples: Sequence[Example], sampling: Sampling, *, threads: int
) -> dict[str, list[Measured]]:
    """Of each kind of model the same on SimpEval_past, each output judged by the one that left its source out."""
    found = {}
    for kind, folds in trained.models.items():
        rows = [held_out(one, examples) for one in folds.values()]
        judged = [examples[row] for row in np.concatenate(rows)]
        rated = _Rated.of(judged, {"overall": np.array([one.z for one in judged])}, seed=sampling.seed)
        z = np.full((len(judged), rated.most), np.nan)
        start = 0
        for one, own in zip(folds.values(), rows, strict=True):
            said = one.pairwise([examples[row] for row in own], threads=threads)
            z[start : start + len(own), : said.shape[1]] = said
            start += len(own)
        found[kind.label] = _pearson(_by_number(z, rated)[None], rated.human["overall"], rated.weights(sampling))
    return found


def _block(title: str, found: Mapping[str, Sequence[Measured]], sampling: Sampling) -> Block:
    cells = []
    for label, numbers in found.items():
        first, last = numbers[0], numbers[-1]
        less = Measured(name=_DIFFERENCE, values=first.values - last.values, drawn=first.drawn - last.drawn, n=last.n)
        for one in (*numbers, less):
            everyone = range(len(one.values))
            cells.append(
                Cell(
                    row=label,
                    column=one.name,
                    paper=None,
                    ours=one.mean(everyone),
                    digits=3,
                    intervals=one.intervals(everyone, seed=sampling.seed),
                    n=one.n,
                )
            )
    return Block(title=title, cells=tuple(cells))


def _findings(blocks: Sequence[Block]) -> Iterator[Finding]:
    for block in blocks:
        said = []
        for cell in block.cells:
            if cell.column == _DIFFERENCE:
                interval = cell.intervals.get("both") or cell.intervals["sources"]
                verdict = "open" if 0.0 in interval else "lower" if interval.high < 0 else "higher"
                said.append(f"{cell.row} {cell.ours:+.3f} [{interval.low:+.3f} {interval.high:+.3f}], {verdict}")
        yield Finding(
            "with one reference there is only a slight drop from all (section 5)",
            f"{block.title}, one reference less all: {'; '.join(said)}.",
        )
