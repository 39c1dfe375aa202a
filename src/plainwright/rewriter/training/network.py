"""The network while it is trained, in torch: a decoder of the Llama family, with logits only where it learns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plainwright.rewriter.training.base import Sizes
from plainwright.rewriter.training.batches import NO_TARGET, BatchArrays

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["LAYER_PARTS", "Network"]

LAYER_PARTS = ("n1", "n2", "qkv", "o", "gu", "d")


@dataclass(frozen=True, slots=True)
class Network:
    """The sizes of a decoder, and how far up from below its layers are frozen."""

    sizes: Sizes
    frozen_layers: int
    written: int  # tokens that can be written: those of controls, the last ones, begin with the vectors of others
    layer: Callable[..., Tensor]
    cosines: Tensor
    sines: Tensor

    @classmethod
    def build(
        cls, sizes: Sizes, *, frozen_layers: int, written: int, positions: int, compiled: bool = False
    ) -> Network:
        """Prepare a network; a compiled one is faster once it is compiled, which takes a minute."""
        import torch

        def layer(*arguments: Any) -> Tensor:
            return _layer(sizes, *arguments)

        steps = 1.0 / sizes.theta ** (torch.arange(0, sizes.head_width, 2).double() / sizes.head_width)
        angles = torch.outer(torch.arange(positions).double(), steps).repeat(1, 2)
        run = torch.compile(layer, dynamic=False) if compiled else layer
        return cls(sizes, frozen_layers, written, run, angles.cos().float(), angles.sin().float())

    def loss(self, weights: Mapping[str, Tensor], batch: BatchArrays) -> tuple[Tensor, int]:
        """Return the sum of the losses of all tokens that are to be written, and how many these are."""
        from torch.nn import functional

        logits, targets = self._logits(weights, batch)
        return functional.cross_entropy(logits, targets, reduction="sum"), len(targets)

    def token_losses(self, weights: Mapping[str, Tensor], batch: BatchArrays) -> Tensor:
        """Return the loss of each of them, row by row."""
        from torch.nn import functional

        return functional.cross_entropy(*self._logits(weights, batch), reduction="none")

    def _logits(self, weights: Mapping[str, Tensor], batch: BatchArrays) -> tuple[Tensor, Tensor]:
        """Return the logits where a token is to be written, and these tokens."""
        import torch
        from torch.nn import functional

        kind = weights["norm"].dtype
        positions = torch.from_numpy(batch.positions)
        turns = [table[positions][:, None].to(kind) for table in (self.cosines, self.sines)]
        seen = torch.from_numpy(batch.seen)[:, None]
        mask = torch.zeros(seen.shape, dtype=kind).masked_fill_(~seen, float("-inf"))
        trains_embeddings = weights["embeddings"].requires_grad
        with torch.set_grad_enabled(torch.is_grad_enabled() and (self.frozen_layers == 0 or trains_embeddings)):
            hidden = functional.embedding(torch.from_numpy(batch.ids), weights["embeddings"])
            for number in range(self.frozen_layers):
                hidden = self._through(hidden, number, weights, turns, mask)
        for number in range(self.frozen_layers, self.sizes.layers):
            hidden = self._through(hidden, number, weights, turns, mask)
        targets = torch.from_numpy(batch.targets)
        learnt = targets != NO_TARGET
        wanted = functional.rms_norm(hidden[learnt], (self.sizes.width,), weights["norm"], self.sizes.epsilon)
        logits = functional.linear(wanted, weights["embeddings"][: self.written]).float()
        return logits, targets[learnt]

    def _through(
        self, hidden: Tensor, number: int, weights: Mapping[str, Tensor], turns: list[Tensor], mask: Tensor
    ) -> Tensor:
        return self.layer(hidden, *(weights[f"{number}.{part}"] for part in LAYER_PARTS), *turns, mask)


def _layer(
    sizes: Sizes,
    hidden: Tensor,
    n1: Tensor,
    n2: Tensor,
    qkv: Tensor,
    o: Tensor,
    gu: Tensor,
    d: Tensor,
    cosines: Tensor,
    sines: Tensor,
    mask: Tensor,
) -> Tensor:
    from torch.nn import functional

    rows, columns, width = hidden.shape
    heads, key_heads, head_width = sizes.heads, sizes.key_heads, sizes.head_width
    normed = functional.rms_norm(hidden, (width,), n1, sizes.epsilon)
    parts = functional.linear(normed, qkv).split([count * head_width for count in (heads, key_heads, key_heads)], -1)
    query, key, value = (part.view(rows, columns, -1, head_width).transpose(1, 2) for part in parts)
    query, key = _turned(query, cosines, sines), _turned(key, cosines, sines)
    shared = (rows, key_heads, heads // key_heads, columns, head_width)
    key, value = (one[:, :, None].expand(shared).reshape(rows, heads, columns, head_width) for one in (key, value))
    weighed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    hidden = hidden + functional.linear(weighed.transpose(1, 2).reshape(rows, columns, width), o)
    gate, up = functional.linear(functional.rms_norm(hidden, (width,), n2, sizes.epsilon), gu).chunk(2, -1)
    result: Tensor = hidden + functional.linear(functional.silu(gate) * up, d)
    return result


def _turned(values: Tensor, cosines: Tensor, sines: Tensor) -> Tensor:
    import torch

    left, right = values.chunk(2, -1)
    return values * cosines + torch.cat([-right, left], -1) * sines
