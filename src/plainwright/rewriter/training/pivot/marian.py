"""The models to begin with: Marian from English to French, which translates, and back, which learns to write plainly.

Both have one vocabulary, in the order of how frequent its pieces are (Tiedemann and Thottingal, 2020).
"""

from __future__ import annotations

import json
import pickle
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plainwright.errors import DataError
from plainwright.files import check_directory, read_text

__all__ = ["Marian", "Sizes", "open_marian"]

Matrix = npt.NDArray[np.float32]
_MOST_BYTES = 1 << 24
_Parts = tuple[tuple[str, tuple[str, ...]], ...]
_ATTENTION: _Parts = (("qkv", ("q_proj", "k_proj", "v_proj")), ("o", ("out_proj",)))
_CROSS: _Parts = (("q", ("q_proj",)), ("kv", ("k_proj", "v_proj")), ("c", ("out_proj",)))
_FEED = (("up", "fc1"), ("down", "fc2"), ("n2", "final_layer_norm"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """The sizes of encoder and decoder, without their vocabulary."""

    encoder_layers: int
    decoder_layers: int
    width: int
    heads: int

    @property
    def layers(self) -> int:
        """Layers of both; those of the encoder come first."""
        return self.encoder_layers + self.decoder_layers


@dataclass(frozen=True, slots=True, kw_only=True)
class Marian:
    """A translation model: weights under the names of `PivotNetwork`, and the vocabulary of both languages."""

    sizes: Sizes
    weights: dict[str, Matrix]
    ids: dict[str, int]
    source_pieces: Path
    target_pieces: Path


def open_marian(folder: Path, pieces: int) -> Marian:
    """Read a folder of a Marian model as transformers writes it, with so many of its most frequent pieces."""
    import torch

    check_directory(folder, of="a Marian model")
    try:
        config = json.loads(read_text(folder / "config.json"))
        ids = json.loads(read_text(folder / "vocab.json", most=_MOST_BYTES))
        found = torch.load(folder / "pytorch_model.bin", map_location="cpu", weights_only=True)
        sizes = Sizes(
            encoder_layers=config["encoder_layers"],
            decoder_layers=config["decoder_layers"],
            width=config["d_model"],
            heads=config["encoder_attention_heads"],
        )
        weights = _renamed({name: value.float().numpy() for name, value in found.items()}, sizes, pieces)
    except (KeyError, ValueError, RuntimeError, OSError, pickle.UnpicklingError, zipfile.BadZipFile) as error:
        what = f"{type(error).__name__}: {str(error).partition(chr(10))[0]:.100}"
        msg = f"{folder}: expected a Marian model as transformers writes it, found something else ({what})"
        raise DataError(msg) from None
    kept = {piece: number for piece, number in ids.items() if number < pieces}
    return Marian(
        sizes=sizes,
        weights=weights,
        ids=kept,
        source_pieces=folder / "source.spm",
        target_pieces=folder / "target.spm",
    )


def _renamed(found: Mapping[str, Matrix], sizes: Sizes, pieces: int) -> dict[str, Matrix]:
    weights = {
        "words": np.ascontiguousarray(found["model.shared.weight"][:pieces]),
        "words_bias": np.ascontiguousarray(found["final_logits_bias"][0, :pieces]),
    }
    for number in range(sizes.layers):
        in_encoder = number < sizes.encoder_layers
        place = number if in_encoder else number - sizes.encoder_layers
        before = f"model.{'encoder' if in_encoder else 'decoder'}.layers.{place}."
        parts: dict[str, Any] = {}
        for name, each in _ATTENTION:
            parts |= _joined(found, f"{before}self_attn.", name, each)
        parts |= _joined(found, before, "n1", ("self_attn_layer_norm",))
        if not in_encoder:
            for name, each in _CROSS:
                parts |= _joined(found, f"{before}encoder_attn.", name, each)
            parts |= _joined(found, before, "n3", ("encoder_attn_layer_norm",))
        for short, long in _FEED:
            parts |= _joined(found, before, short, (long,))
        weights |= {f"{number}.{name}": value for name, value in parts.items()}
    return weights


def _joined(found: Mapping[str, Matrix], before: str, name: str, parts: Sequence[str]) -> dict[str, Matrix]:
    return {
        name: np.concatenate([found[f"{before}{part}.weight"] for part in parts]),
        f"{name}_bias": np.concatenate([found[f"{before}{part}.bias"] for part in parts]),
    }
