"""An encoder that is trained with a head: its top layers, or all of it, as in section 3.2 and Appendix A of the paper.

What comes of it is an encoder; the head that was trained with it knows H alone. Other members, and heads with features,
are then trained on what the tuned encoder gives, as they are on a frozen one.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from plainwright.encoders.local import LocalModel
from plainwright.errors import DataError
from plainwright.lens.features import readable
from plainwright.lens.head import BLOCKS, Network
from plainwright.lens.training.folds import Indices
from plainwright.lens.training.heads import HeadSettings
from plainwright.lens.training.inputs import Inputs, Triple
from plainwright.lens.training.loop import History, Schedule, fit
from plainwright.lens.training.network import HeadModule, Moments, moments_of, reference_loss, torch_module

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["PRECISIONS", "Precision", "Tuned", "Tuning", "tune_encoder"]

Precision = Literal["float32", "bfloat16"]
PRECISIONS: tuple[Precision, ...] = get_args(Precision)

Array = npt.NDArray[np.float64]

_TOP = re.compile(r"top:([1-9][0-9]{0,2})")
_BLOCK = 32  # texts that are encoded at once where nothing is learnt


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """Says which layers learn, how fast, and for how long the encoder waits for the head."""

    layers: int | None  # the number of top ones; None: all, embeddings too
    rate: float = 3e-5  # of the encoder; the paper's, as are the next two
    head_rate: float = 1e-5
    frozen_epochs: int = 1
    standardised: bool = False  # whether the head sees H less its mean and in units of its deviation before tuning
    precision: Precision = "float32"  # of the products of matrices in the encoder while it is trained

    @classmethod
    def parse(cls, text: str, **rates: float | int | str) -> Tuning | None:
        """Read `none`, `all`, or the top layers, as in `top:2`."""
        if text == "none":
            return None
        found = _TOP.fullmatch(text)
        if text != "all" and found is None:
            msg = f"expected none, all or top:N as the layers to tune, found {text!r:.40}"
            raise DataError(msg)
        return cls(layers=int(found[1]) if found else None, **rates)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuned:
    """Holds what a tuning has made."""

    encoder: LocalModel
    network: Network  # the head that was trained with it
    history: History


def tune_encoder(
    model: LocalModel,
    examples: Sequence[Triple],
    z: Array,
    training: Indices,
    validation: Indices,
    tuning: Tuning,
    head: HeadSettings,
    schedule: Schedule,
    *,
    weights: Array | None = None,
    seed: int,
    threads: int = 1,
    checkpoint: Path | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> Tuned:
    """Encoder and head in the state of the epoch with the least loss on `validation`; `model` itself is changed."""
    torch = torch_module()
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    trainee = _Joint(model, examples, z, training, tuning, head, weights=weights, seed=seed)
    sources = np.array([readable(one.source) for one in examples])
    history = fit(trainee, training, validation, schedule, seed=seed, sources=sources, checkpoint=checkpoint, tell=tell)
    model.transformer.eval()
    return Tuned(encoder=replace(model, digest=_digest(model)), network=trainee.head.network(), history=history)


class _Joint:
    """An encoder and a head as the loop sees them."""

    def __init__(
        self,
        model: LocalModel,
        examples: Sequence[Triple],
        z: Array,
        training: Indices,
        tuning: Tuning,
        head: HeadSettings,
        *,
        weights: Array | None,
        seed: int,
    ) -> None:
        torch = torch_module()
        self._transformer: Any = model.transformer
        self._tokenizer = model.tokenizer
        self._padding = int(getattr(self._transformer.config, "pad_token_id", None) or 0)
        self._examples, self._tuning, self._k = examples, tuning, head.k
        self._known: dict[str, npt.NDArray[np.int64]] = {}  # pieces of the texts that were met
        self._frozen = True  # so far nothing of the encoder has changed
        self._first: dict[str, Tensor] = {}  # vectors of texts before anything has
        self._z = torch.tensor(z, dtype=torch.float32)
        self._weights = torch.tensor(np.ones(len(z)) if weights is None else weights, dtype=torch.float32)
        self._generator = torch.Generator().manual_seed(seed)
        moments, gain = (self._first_moments(training), head.gain_alone) if tuning.standardised else (self._none(), 1.0)
        self.head = HeadModule(moments, hidden=head.hidden, dropout=head.dropout, gain=gain, generator=self._generator)
        self._learning = _learning_parameters(self._transformer, tuning.layers, model.name)
        self._optimiser = torch.optim.Adam(
            [
                {"params": [tensor for _, tensor in self._learning], "lr": tuning.rate},
                {"params": self.head.parameters, "lr": tuning.head_rate},
            ],
            fused=True,  # one pass over the weights, not eight
        )

    def _none(self) -> Moments:
        width = BLOCKS * int(self._transformer.config.hidden_size)
        return Moments(mean=np.zeros(width), scale=np.ones(width), feature_mean=np.zeros(0), feature_scale=np.zeros(0))

    def _first_moments(self, training: Indices) -> Moments:
        """Those of H before anything is learnt; the vectors move, but not far."""
        chosen = [self._examples[row] for row in training.tolist()]
        texts, at = _places(chosen)
        vectors = self._in_blocks(texts).numpy()
        inputs = Inputs(
            vectors=vectors,
            source=at.source,
            output=at.output,
            references=at.references,
            features=None,
            pair_features=None,
        )
        return moments_of(inputs)

    def begin(self, epoch: int, seed: int) -> None:
        """See `Trainee`."""
        chance = int(np.random.default_rng([seed, epoch, 1]).integers(2**62))
        self._generator.manual_seed(chance)
        torch_module().manual_seed(chance)  # the encoder's own dropout
        self._frozen = epoch < self._tuning.frozen_epochs
        for _, tensor in self._learning:
            tensor.requires_grad_(not self._frozen)

    def step(self, rows: Indices) -> None:
        """See `Trainee`."""
        self._transformer.train(not self._frozen)
        loss = self._losses(rows, training=True).mean()
        self._optimiser.zero_grad()
        loss.backward()
        self._optimiser.step()

    def loss(self, rows: Indices) -> float:
        """See `Trainee`."""
        self._transformer.eval()
        with torch_module().no_grad():
            return float(self._losses(rows, training=False).mean())

    def state(self) -> Mapping[str, Any]:
        """See `Trainee`."""
        encoder = {f"encoder.{name}": tensor.detach().clone() for name, tensor in self._learning}
        return {**encoder, **{f"head.{name}": tensor for name, tensor in self.head.state().items()}}

    def load(self, state: Mapping[str, Any]) -> None:
        """See `Trainee`."""
        with torch_module().no_grad():
            for name, tensor in self._learning:
                tensor.copy_(state[f"encoder.{name}"])
        head = {name.removeprefix("head."): tensor for name, tensor in state.items() if name.startswith("head.")}
        self.head.load(head)

    def optimiser_state(self) -> Any:
        """See `Trainee`."""
        return self._optimiser.state_dict()

    def load_optimiser(self, state: Any) -> None:
        """See `Trainee`."""
        self._optimiser.load_state_dict(state)

    def _losses(self, rows: Indices, *, training: bool) -> Tensor:
        torch = torch_module()
        chosen = [self._examples[row] for row in rows.tolist()]
        texts, places = _places(chosen)
        vectors = self._encoded(texts) if training and not self._frozen else self._in_blocks(texts)
        z = self.head.values(
            vectors[torch.from_numpy(places.source)],
            vectors[torch.from_numpy(places.output)],
            vectors[torch.from_numpy(np.maximum(places.references, 0))],
            None,
            training=training,
        )
        at, present = torch.from_numpy(rows), torch.from_numpy(places.references >= 0)
        return reference_loss(z, self._z[at], present, self._k) * self._weights[at]

    def _in_blocks(self, texts: Sequence[str]) -> Tensor:
        """Vectors of texts that teach the encoder nothing: a few of like length at a time, and kept while it waits."""
        torch = torch_module()
        if not self._frozen:
            self._first.clear()
        order = sorted((text for text in texts if text not in self._first), key=lambda text: len(self._pieces(text)))
        found = dict(self._first)
        with torch.no_grad():
            for start in range(0, len(order), _BLOCK):
                block = order[start : start + _BLOCK]
                found.update(zip(block, self._encoded(block), strict=True))
        if self._frozen:
            self._first = found
        return torch.stack([found[text] for text in texts])

    def _pieces(self, text: str) -> npt.NDArray[np.int64]:
        if text not in self._known:
            self._known[text] = self._tokenizer(readable(text)).ids
        return self._known[text]

    def _encoded(self, texts: Sequence[str]) -> Tensor:
        """Mean vectors of the last layer over all pieces, as the encoder that scores has them."""
        torch = torch_module()
        pieces = [self._pieces(text) for text in texts]
        longest = max(map(len, pieces))
        ids = np.full((len(texts), longest), self._padding, dtype=np.int64)
        mask = np.zeros((len(texts), longest), dtype=np.int64)
        for row, numbers in enumerate(pieces):
            ids[row, : len(numbers)] = numbers
            mask[row, : len(numbers)] = 1
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self._tuning.precision == "bfloat16"):
            output = self._transformer(input_ids=torch.from_numpy(ids), attention_mask=torch.from_numpy(mask))
        weights = torch.from_numpy(mask)[..., None].to(torch.float32)
        return (output.last_hidden_state.float() * weights).sum(dim=1) / weights.sum(dim=1)


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """Where the texts of examples stand in a list; behind the last reference of an example stands -1."""

    source: Indices
    output: Indices
    references: Indices


def _places(examples: Sequence[Triple]) -> tuple[list[str], _Places]:
    """The different texts of some examples, and where each is."""
    texts = list(dict.fromkeys(text for one in examples for text in (one.source, one.output, *one.references)))
    place = {text: at for at, text in enumerate(texts)}
    references = np.full((len(examples), max(len(one.references) for one in examples)), -1, dtype=np.int64)
    for row, one in enumerate(examples):
        references[row, : len(one.references)] = [place[text] for text in one.references]
    source, output = (np.array([place[getattr(one, name)] for one in examples]) for name in ("source", "output"))
    return texts, _Places(source, output, references)


def _learning_parameters(transformer: Any, layers: int | None, name: str) -> list[tuple[str, Tensor]]:
    """The parameters that learn, by name; all others are frozen for good."""
    everything = list(transformer.named_parameters())
    stack = transformer.encoder.layer
    if layers is not None and layers > len(stack):
        msg = f"{name} has {len(stack)} layers, so the top {layers} cannot be tuned; give top:{len(stack)} or all"
        raise DataError(msg)
    if layers is None:
        return everything
    top = {id(tensor) for layer in stack[-layers:] for tensor in layer.parameters()}
    for _, tensor in everything:
        tensor.requires_grad_(id(tensor) in top)
    return [(name, tensor) for name, tensor in everything if id(tensor) in top]


def _digest(model: LocalModel) -> str:
    """Of the weights as they are now."""
    digest = hashlib.sha256(model.digest.encode())
    for name, tensor in sorted(model.transformer.named_parameters()):
        digest.update(name.encode())
        digest.update(tensor.detach().contiguous().numpy().tobytes())
    return digest.hexdigest()
