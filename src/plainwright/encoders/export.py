"""From a torch encoder to the directory that `OnnxEncoder` opens."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from plainwright.encoders.calibration import SENTENCES
from plainwright.encoders.graphs import write_graph
from plainwright.encoders.local import LocalModel, TorchEncoder
from plainwright.encoders.onnx import CARD_FILE, GRAPH_FILE, TOKENIZER_FILE, EncoderCard
from plainwright.errors import DataError

__all__ = ["export_encoder"]


def export_encoder(
    model: LocalModel,
    directory: str | Path,
    *,
    layer: int = -1,
    quantise: bool = True,
    calibration: Sequence[str] = SENTENCES,
) -> None:
    """Write `encoder.onnx`, `tokenizer.json` and `encoder.toml` into a new or empty directory.

    `layer` gives `tokens`, what BERTScore matches; `vector` is always the mean of the last layer. `calibration` are
    texts of the kind that will be encoded.
    """
    directory = Path(directory)
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        msg = f"{directory}: expected a new or empty directory to write to, found something in it"
        raise DataError(msg)
    encoder = TorchEncoder(model, layer=layer)
    directory.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=directory.parent, prefix=".plainwright.") as scratch:
        ready = Path(scratch) / "ready"
        ready.mkdir()
        write_graph(
            _one_text(encoder),
            ready / GRAPH_FILE,
            scratch=Path(scratch),
            settings=model.transformer.config,
            inputs=[{"ids": model.tokenizer(text).ids[np.newaxis]} for text in calibration],
            outputs=("tokens", "vector"),
            max_pieces=model.max_pieces,
            quantise=quantise,
        )
        model.tokenizer.save(ready / TOKENIZER_FILE)
        EncoderCard(
            name=model.name,
            width=encoder.width,
            max_pieces=model.max_pieces,
            layer=encoder.layer,
            precision="int8" if quantise else "float32",
        ).save(ready / CARD_FILE)
        if directory.exists():
            directory.rmdir()
        ready.rename(directory)


def _one_text(encoder: TorchEncoder) -> Any:
    """The encoder as a module that reads one text."""
    import torch

    class OneText(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.transformer = encoder.model.transformer

        def forward(self, ids: Any) -> tuple[Any, Any]:
            output = self.transformer(input_ids=ids, output_hidden_states=True)
            return output.hidden_states[encoder.layer][0], output.last_hidden_state[0].mean(0)

    return OneText()
