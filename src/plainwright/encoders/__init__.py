"""Text to vectors, by models that lie on this machine: nothing is ever downloaded."""

from __future__ import annotations

from plainwright.encoders.base import Encoded, Encoder, Vectors
from plainwright.encoders.named import NAMES, encoder_folder, open_encoder
from plainwright.encoders.onnx import OnnxEncoder

__all__ = ["NAMES", "Encoded", "Encoder", "OnnxEncoder", "Vectors", "encoder_folder", "open_encoder"]
