"""The cross-encoder in torch: a BERT over source and output as one sequence, and a small head for the four scores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from plainwright.encoders import encoder_folder
from plainwright.encoders.local import load_local_model
from plainwright.errors import DataError
from plainwright.judge.model import ASPECTS
from plainwright.judge.windows import PairPieces, PairTokenizer

__all__ = ["JudgeNetwork", "OnePair", "as_batch", "open_network"]


class JudgeNetwork(torch.nn.Module):  # type: ignore[misc]
    """Gives the logits of all scores of a batch of pairs."""

    def __init__(self, transformer: Any) -> None:
        super().__init__()
        settings = transformer.config
        self.transformer = transformer
        self.dropout = torch.nn.Dropout(settings.hidden_dropout_prob)
        self.hidden = torch.nn.Linear(2 * settings.hidden_size, settings.hidden_size)
        self.scores = torch.nn.Linear(settings.hidden_size, len(ASPECTS))

    def forward(self, ids: Any, types: Any, mask: Any = None) -> Any:
        """Return logits, shape (pairs, scores); `mask` says which pieces are no padding."""
        read = self.transformer(input_ids=ids, token_type_ids=types, attention_mask=mask).last_hidden_state
        # The first piece has read both texts; the mean is that of the output.
        own = types.to(read.dtype).unsqueeze(-1)
        output = (read * own).sum(1) / own.sum(1)
        pooled = self.dropout(torch.cat([read[:, 0], output], dim=-1))
        return self.scores(torch.tanh(self.hidden(pooled)))


class OnePair(torch.nn.Module):  # type: ignore[misc]
    """The network as its graph is: one pair, scores from 0 to 1."""

    def __init__(self, network: JudgeNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, ids: Any, types: Any) -> Any:
        """Return the scores."""
        return torch.sigmoid(self.network(ids, types))


def open_network(encoder: str | Path, *, max_pieces: int, seed: int) -> tuple[JudgeNetwork, PairTokenizer]:
    """Return a network that has learnt nothing yet, and its tokenizer."""
    name, folder = encoder_folder(encoder)
    local = load_local_model(folder, name=name)
    settings = local.transformer.config
    tokenizer = PairTokenizer(local.tokenizer.tokenizer, max_pieces=max_pieces)
    if getattr(settings, "type_vocab_size", 0) < 2 or not tokenizer("a", "b").types.any():
        msg = f"{folder}: expected an encoder that tells two texts apart, as BERT and MiniLM do, found none"
        raise DataError(msg)
    if settings.max_position_embeddings < max_pieces:
        msg = f"encoder.max_pieces: expected at most {settings.max_position_embeddings}, which {name} reads"
        raise DataError(msg)
    torch.manual_seed(seed)
    return JudgeNetwork(local.transformer), tokenizer


def as_batch(pairs: Sequence[PairPieces]) -> dict[str, Any]:
    """Return pairs of any lengths as one batch with padding."""
    shape = (len(pairs), max(map(len, pairs)))
    batch = {name: np.zeros(shape, dtype=np.int64) for name in ("ids", "types", "mask")}
    for row, pair in enumerate(pairs):
        batch["ids"][row, : len(pair)] = pair.ids
        batch["types"][row, : len(pair)] = pair.types
        batch["mask"][row, : len(pair)] = 1
    return {name: torch.from_numpy(values) for name, values in batch.items()}
