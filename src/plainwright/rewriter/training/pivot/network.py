"""The network while it is trained, in torch: encoder and decoder of Marian, with packed rows.

Weights have names like `3.qkv`: layers of the encoder come first, those of the decoder go on counting.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plainwright.rewriter.training.pivot.batches import PackedArrays
from plainwright.rewriter.training.pivot.marian import Sizes

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["PivotNetwork"]

_ATTENTION = ("qkv", "qkv_bias", "o", "o_bias", "n1", "n1_bias")
_CROSS = ("q", "q_bias", "kv", "kv_bias", "c", "c_bias", "n3", "n3_bias")
_FEED = ("up", "up_bias", "down", "down_bias", "n2", "n2_bias")
_ENCODER_PARTS = (*_ATTENTION, *_FEED)
_DECODER_PARTS = (*_ATTENTION, *_CROSS, *_FEED)
_EPSILON = 1e-5  # of torch's layer norm, which Marian has
_ROWS_AT_ONCE = 256  # of logits: so many stay in the caches


def _sinusoids(positions: int, width: int) -> Tensor:
    """Return the positions of Marian: sines in the first half of each vector, cosines in the second."""
    import torch

    steps = torch.arange(width // 2).double() * 2 / width
    angles = torch.arange(positions).double()[:, None] / torch.pow(torch.tensor(10_000.0).double(), steps)
    return torch.cat([angles.sin(), angles.cos()], 1).float()


@dataclass(frozen=True, slots=True)
class PivotNetwork:
    """Finds the loss of packed pairs."""

    sizes: Sizes
    frozen_layers: int
    positions: Tensor
    read: Callable[..., Tensor]
    write: Callable[..., Tensor]

    @classmethod
    def build(
        cls, sizes: Sizes, *, frozen_layers: int, positions: int, dropout: float = 0.0, compiled: bool = False
    ) -> PivotNetwork:
        """Prepare a network; a compiled one is faster once it is compiled, which takes a minute."""
        import torch

        def read(*arguments: Any) -> Tensor:
            return _encoder_layer(sizes.heads, dropout, *arguments)

        def write(*arguments: Any) -> Tensor:
            return _decoder_layer(sizes.heads, dropout, *arguments)

        if compiled:
            read, write = torch.compile(read, dynamic=False), torch.compile(write, dynamic=False)
        return cls(sizes, frozen_layers, _sinusoids(positions, sizes.width), read, write)

    def loss(self, weights: Mapping[str, Tensor], batch: PackedArrays) -> tuple[Tensor, int]:
        """Return the sum of the losses of all tokens that are to be written, and how many these are."""
        import torch

        targets = torch.from_numpy(batch.targets)
        hidden = self.hidden(weights, batch)[torch.from_numpy(batch.learnt)]
        loss: Tensor = _summed_loss(hidden, weights["written"], weights["written_bias"], targets)
        return loss, len(targets)

    def hidden(self, weights: Mapping[str, Tensor], batch: PackedArrays) -> Tensor:
        """Return the vectors of the last layer."""
        memory, hidden = self.memory(weights, batch), self.begun(weights, batch)
        writes, crosses = self.mask(weights, batch.writes), self.mask(weights, batch.crosses)
        for number in range(self.sizes.encoder_layers, self.sizes.layers):
            hidden = self.write(hidden, memory, writes, crosses, *self.parts(weights, number))
        return hidden

    def memory(self, weights: Mapping[str, Tensor], batch: PackedArrays) -> Tensor:
        """Return the vectors of the sources."""
        import torch

        frozen = min(self.frozen_layers, self.sizes.encoder_layers)
        with torch.no_grad():
            hidden = self._embedded(weights["read"], batch.sources, batch.source_positions)
            reads = self.mask(weights, batch.reads)
            for number in range(frozen):
                hidden = self.read(hidden, reads, *self.parts(weights, number))
        for number in range(frozen, self.sizes.encoder_layers):
            hidden = self.read(hidden, reads, *self.parts(weights, number))
        return hidden

    def begun(self, weights: Mapping[str, Tensor], batch: PackedArrays) -> Tensor:
        """Return what the first layer of the decoder reads."""
        return self._embedded(weights["written"], batch.written, batch.written_positions)

    def mask(self, weights: Mapping[str, Tensor], seen: Any) -> Tensor:
        """Return what is added to the scores of an attention."""
        import torch

        allowed = torch.from_numpy(seen)[:, None]
        return torch.zeros(allowed.shape, dtype=weights["written"].dtype).masked_fill_(~allowed, float("-inf"))

    def parts(self, weights: Mapping[str, Tensor], number: int) -> list[Tensor]:
        """Return the weights of a layer in the order in which it takes them."""
        names = _ENCODER_PARTS if number < self.sizes.encoder_layers else _DECODER_PARTS
        return [weights[f"{number}.{name}"] for name in names]

    def _embedded(self, table: Tensor, ids: Any, positions: Any) -> Tensor:
        import torch
        from torch.nn import functional

        vectors = functional.embedding(torch.from_numpy(ids), table).float() * math.sqrt(self.sizes.width)
        return (vectors + self.positions[torch.from_numpy(positions)]).to(table.dtype)


def _heads(values: Tensor, heads: int) -> Tensor:
    rows, columns, width = values.shape
    return values.view(rows, columns, heads, width // heads).transpose(1, 2)


def _attended(query: Tensor, key: Tensor, value: Tensor, mask: Tensor, heads: int) -> Tensor:
    """Return the mixtures of values that queries look at; torch's own function takes longer to go back."""
    import torch

    query_heads, key_heads, value_heads = (_heads(one, heads) for one in (query, key, value))
    scores = torch.matmul(query_heads * query_heads.shape[-1] ** -0.5, key_heads.transpose(2, 3)) + mask
    weighed = torch.matmul(scores.softmax(-1), value_heads)
    return weighed.transpose(1, 2).reshape(query.shape)


def _added(hidden: Tensor, change: Tensor, dropout: float, norm: Tensor, norm_bias: Tensor) -> Tensor:
    """Return what a part of a layer makes of vectors; while it learns, some of the change is left out."""
    import torch
    from torch.nn import functional

    kept = functional.dropout(change, dropout) if dropout and torch.is_grad_enabled() else change
    return functional.layer_norm(hidden + kept, (hidden.shape[-1],), norm, norm_bias, _EPSILON)


def _self_attention(
    heads: int,
    dropout: float,
    hidden: Tensor,
    mask: Tensor,
    qkv: Tensor,
    qkv_b: Tensor,
    o: Tensor,
    o_b: Tensor,
    n: Tensor,
    n_b: Tensor,
) -> Tensor:
    """Return what tokens are after they have looked at each other."""
    from torch.nn import functional

    query, key, value = functional.linear(hidden, qkv, qkv_b).chunk(3, -1)
    weighed = functional.linear(_attended(query, key, value, mask, heads), o, o_b)
    return _added(hidden, weighed, dropout, n, n_b)


def _fed(
    dropout: float, hidden: Tensor, up: Tensor, up_b: Tensor, down: Tensor, down_b: Tensor, n: Tensor, n_b: Tensor
) -> Tensor:
    from torch.nn import functional

    inner = functional.silu(functional.linear(hidden, up, up_b))
    return _added(hidden, functional.linear(inner, down, down_b), dropout, n, n_b)


def _encoder_layer(heads: int, dropout: float, hidden: Tensor, mask: Tensor, *parts: Tensor) -> Tensor:
    return _fed(dropout, _self_attention(heads, dropout, hidden, mask, *parts[:6]), *parts[6:])


def _decoder_layer(
    heads: int, dropout: float, hidden: Tensor, memory: Tensor, writes: Tensor, crosses: Tensor, *parts: Tensor
) -> Tensor:
    from torch.nn import functional

    hidden = _self_attention(heads, dropout, hidden, writes, *parts[:6])
    q, q_b, kv, kv_b, o, o_b, n, n_b = parts[6:14]
    key, value = functional.linear(memory, kv, kv_b).chunk(2, -1)
    weighed = functional.linear(_attended(functional.linear(hidden, q, q_b), key, value, crosses, heads), o, o_b)
    return _fed(dropout, _added(hidden, weighed, dropout, n, n_b), *parts[14:])


def _summed_loss(hidden: Tensor, table: Tensor, bias: Tensor, targets: Tensor) -> Tensor:
    """Return the sum of cross-entropies; logits and their gradient exist for a few rows at a time."""
    import torch

    class Loss(torch.autograd.Function):  # type: ignore[misc]
        """The gradient for the vectors is found together with the loss; the table is not trained."""

        @staticmethod
        def forward(context: Any, vectors: Tensor) -> Tensor:
            total = torch.zeros((), dtype=torch.float64)
            gradient = torch.empty_like(vectors)
            for first in range(0, len(vectors), _ROWS_AT_ONCE):
                some = slice(first, first + _ROWS_AT_ONCE)
                logits = (vectors[some] @ table.T).float().add_(bias)
                wanted = targets[some, None]
                highest = logits.amax(1, keepdim=True)
                chosen = logits.gather(1, wanted) - highest
                exponents = logits.sub_(highest).exp_()
                sums = exponents.sum(1, keepdim=True)
                total += (sums.log() - chosen).sum()
                shares = exponents.div_(sums)
                shares.scatter_add_(1, wanted, torch.full_like(chosen, -1.0))
                gradient[some] = shares.to(vectors.dtype) @ table
            context.save_for_backward(gradient)
            return total.float()

        @staticmethod
        def backward(context: Any, scale: Tensor) -> Tensor:
            (gradient,) = context.saved_tensors
            return gradient * scale.to(gradient.dtype)

    result: Tensor = Loss.apply(hidden)
    return result
