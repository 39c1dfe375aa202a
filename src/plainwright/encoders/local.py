"""Encoders in a local folder of the Hugging Face form (BERT, RoBERTa, MPNet, …), run by torch.

For training, for export, and for comparisons; scoring needs neither torch nor this module.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from plainwright.encoders.base import Encoded
from plainwright.encoders.pieces import PieceTokenizer
from plainwright.encoders.threads import for_each
from plainwright.errors import DataError
from plainwright.extras import check_extra
from plainwright.tables import read_json

if TYPE_CHECKING:
    from transformers import PreTrainedModel

__all__ = ["LocalModel", "TorchEncoder", "load_local_model"]

# In these families the first positions are taken by the padding piece.
_SHIFTED_POSITIONS = ("camembert", "mpnet", "roberta", "xlm-roberta")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LocalModel:
    """Holds a transformer and its tokenizer, in evaluation mode."""

    name: str
    transformer: PreTrainedModel
    tokenizer: PieceTokenizer
    max_pieces: int
    digest: str  # SHA-256 of the weights, the configuration and the tokenizer


def load_local_model(folder: str | Path, *, name: str | None = None) -> LocalModel:
    """Read a folder with config.json, weights and a tokenizer; nothing is looked for anywhere else."""
    folder = Path(folder)
    settings = _settings(folder)
    check_extra(
        "a Hugging Face folder", "train", "torch", "transformers"
    )  # which imports without torch, and fails later
    from transformers import AutoModel

    max_pieces = _max_pieces(folder, settings)
    try:
        # Eager attention: the exporter sees plain products of matrices.
        with _no_progress_bar():
            transformer = AutoModel.from_pretrained(folder, local_files_only=True, attn_implementation="eager")
    except Exception as error:
        first_line = str(error).partition("\n")[0].strip()
        msg = f"{folder}: the weights cannot be loaded ({first_line})"
        raise DataError(msg) from None
    # Nobody reads it, and folders without one would get a random one.
    if getattr(transformer, "pooler", None) is not None:
        transformer.pooler = None
    return LocalModel(
        name=name or folder.name,
        transformer=transformer.eval(),
        tokenizer=_tokenizer(folder, max_pieces),
        max_pieces=max_pieces,
        digest=_digest(folder),
    )


class TorchEncoder:
    """Text to vectors with torch, one text at a time; `layer` counts from the embeddings, and from the end below 0."""

    def __init__(self, model: LocalModel, *, layer: int = -1) -> None:
        layers = int(model.transformer.config.num_hidden_layers)
        if not -layers - 1 <= layer <= layers:
            msg = f"{model.name} has layers 0 to {layers}, got layer {layer}"
            raise DataError(msg)
        self.model = model
        self.layer = layer if layer >= 0 else layers + 1 + layer
        self._digest = hashlib.sha256(f"{model.digest} layer {self.layer}".encode()).hexdigest()

    @classmethod
    def open(cls, folder: str | Path, *, name: str | None = None, layer: int = -1) -> TorchEncoder:
        """Read a Hugging Face folder."""
        return cls(load_local_model(folder, name=name), layer=layer)

    def __repr__(self) -> str:
        return f"TorchEncoder({self.name!r}, width={self.width}, layer={self.layer})"

    @property
    def name(self) -> str:
        """For signatures and messages."""
        return self.model.name

    @property
    def digest(self) -> str:
        """SHA-256 of the folder's files and the layer."""
        return self._digest

    @property
    def width(self) -> int:
        """Length of the vectors."""
        return int(self.model.transformer.config.hidden_size)

    @property
    def max_pieces(self) -> int:
        """How many pieces of a text are read, special ones counted."""
        return self.model.max_pieces

    def encode(self, texts: Sequence[str], *, threads: int = 1) -> list[Encoded]:
        """Each text by itself, in the order given; torch has threads of its own beside these."""
        return for_each(texts, self._encode, size=len, threads=threads)

    def _encode(self, text: str) -> Encoded:
        import torch

        pieces = self.model.tokenizer(text)
        with torch.inference_mode():
            output = self.model.transformer(
                input_ids=torch.from_numpy(pieces.ids[np.newaxis]), output_hidden_states=True
            )
        return Encoded(
            vector=output.last_hidden_state[0].mean(0).numpy(),
            tokens=output.hidden_states[self.layer][0].numpy(),
            ids=pieces.ids,
            special=pieces.special,
            truncated=pieces.truncated,
        )


@contextmanager
def _no_progress_bar() -> Iterator[None]:
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


def _settings(folder: Path) -> dict[str, Any]:
    path = folder / "config.json"
    if not path.is_file():
        found = "nothing" if not folder.exists() else "no config.json" if folder.is_dir() else "a file"
        msg = f"{folder}: expected a Hugging Face folder with config.json and weights, found {found}"
        raise DataError(msg)
    return _json(path)


def _json(path: Path) -> dict[str, Any]:
    settings = read_json(path)
    if not isinstance(settings, dict):
        msg = f"{path}: expected a JSON object, found {type(settings).__name__}"
        raise DataError(msg)
    return settings


def _max_pieces(folder: Path, settings: dict[str, Any]) -> int:
    """The positions that the model has, or fewer if its tokenizer says so."""
    positions = int(settings.get("max_position_embeddings", 512))
    if settings.get("model_type") in _SHIFTED_POSITIONS:
        positions -= int(settings.get("pad_token_id", 1)) + 1
    path = folder / "tokenizer_config.json"
    stated = _json(path).get("model_max_length") if path.is_file() else None
    # Tokenizers without a limit state 10^30.
    return min(positions, int(stated)) if stated else positions


def _tokenizer(folder: Path, max_pieces: int) -> PieceTokenizer:
    if (folder / "tokenizer.json").is_file():
        return PieceTokenizer.open(folder / "tokenizer.json", max_pieces=max_pieces)
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, use_fast=True)
        return PieceTokenizer(tokenizer.backend_tokenizer, max_pieces=max_pieces)
    except Exception as error:
        first_line = str(error).partition("\n")[0].strip()
        msg = f"{folder}: expected a tokenizer.json or the files of a fast tokenizer ({first_line})"
        raise DataError(msg) from None


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    files = sorted(path for path in folder.iterdir() if path.suffix in (".safetensors", ".bin", ".json", ".txt"))
    for path in files:
        digest.update(f"{path.name}\n".encode())
        with path.open("rb") as stream:
            while chunk := stream.read(1 << 20):
                digest.update(chunk)
    return digest.hexdigest()
