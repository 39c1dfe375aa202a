"""Text to vectors, by models that lie on this machine: nothing is ever downloaded."""

from __future__ import annotations

from plainwright.lens.encoders.base import Encoded, Encoder

__all__ = ["Encoded", "Encoder"]
