"""Text to vectors, by models that lie on this machine: nothing is ever downloaded."""

from __future__ import annotations

from plainwright.lens.encoders.base import Encoded, Encoder, Vectors
from plainwright.lens.encoders.named import NAMES, encoder_folder, open_encoder
from plainwright.lens.encoders.onnx import OnnxEncoder

__all__ = ["NAMES", "Encoded", "Encoder", "OnnxEncoder", "Vectors", "encoder_folder", "open_encoder"]
