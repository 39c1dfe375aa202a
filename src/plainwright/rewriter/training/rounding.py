"""Weights rounded while they are trained, as they will be kept: the twin in torch of `graph.quantised`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plainwright.rewriter.graph import BLOCK

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["rounded"]


def rounded(values: Tensor, bits: int) -> Tensor:
    """Return the values that stand for some after they were kept in so many bits; whole blocks, in any shape."""
    import torch

    blocks = values.reshape(-1, BLOCK)
    middle = 1 << (bits - 1)
    furthest = blocks.gather(1, blocks.abs().argmax(1, keepdim=True))
    scales = furthest / -middle
    divisors = torch.where(scales == 0, 1.0, scales)
    numbers = (torch.round(blocks / divisors) + middle).clamp_(0, 2 * middle - 1)
    return numbers.sub_(middle).mul_(scales).reshape(values.shape)
