"""The network in torch: a BERT over a sentence and its candidates, and a head that says of each whether it fits.

It first learns whether whoever rewrote a sentence wrote a candidate there, which is plentiful and teaches what words
mean in their sentences, and then what counts: whether a reader found it right.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from plainwright.encoders import encoder_folder
from plainwright.encoders.local import load_local_model
from plainwright.errors import DataError
from plainwright.substitution.pieces import INPUTS, CandidateTokenizer, Layout

__all__ = ["OneSentence", "SubstitutionNetwork", "as_batch", "open_network"]

_NEVER = -1e4  # added to the attention for pieces that must not be read
_PADDING = -1  # owner of pieces that only fill a row


class SubstitutionNetwork(torch.nn.Module):  # type: ignore[misc]
    """Gives a logit for every piece; that of the first piece of a candidate is the candidate's."""

    def __init__(self, transformer: Any) -> None:
        super().__init__()
        settings = transformer.config
        self.transformer = transformer
        self.dropout = torch.nn.Dropout(settings.hidden_dropout_prob)
        self.hidden = torch.nn.Linear(3 * settings.hidden_size, settings.hidden_size)
        self.logit = torch.nn.Linear(settings.hidden_size, 1)

    def forward(self, ids: Any, types: Any, positions: Any, owners: Any, first: Any, last: Any) -> Any:
        """Return logits, shape (sentences, pieces)."""
        same = owners[:, :, None] == owners[:, None, :]
        may_read = same | (owners[:, None, :] == 0)
        mask = torch.where(may_read, 0.0, _NEVER)[:, None]
        read = self.transformer.embeddings(input_ids=ids, token_type_ids=types, position_ids=positions)
        for layer in self.transformer.encoder.layer:
            read = layer(read, mask)
            read = read[0] if isinstance(read, tuple) else read
        share = same.to(read.dtype)
        plain = (share @ read) / share.sum(-1, keepdim=True)
        hard = (_at(read, first) + _at(read, last)) / 2
        both = torch.cat([plain, hard, plain * hard], dim=-1)
        return self.logit(torch.tanh(self.hidden(self.dropout(both)))).squeeze(-1)


class OneSentence(torch.nn.Module):  # type: ignore[misc]
    """The network as its graph is: one sentence, how likely each piece's candidate is right."""

    def __init__(self, network: SubstitutionNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, ids: Any, types: Any, positions: Any, owners: Any, first: Any, last: Any) -> Any:
        """Return scores from 0 to 1, shape (1, pieces)."""
        return torch.sigmoid(self.network(ids, types, positions, owners, first, last))


def _at(read: Any, places: Any) -> Any:
    """The vectors at places of each row."""
    return torch.gather(read, 1, places[..., None].expand(-1, -1, read.shape[-1]))


def open_network(encoder: str | Path, *, max_pieces: int, seed: int) -> tuple[SubstitutionNetwork, CandidateTokenizer]:
    """Return a network that has learnt nothing yet, and its tokenizer."""
    name, folder = encoder_folder(encoder)
    local = load_local_model(folder, name=name)
    settings = local.transformer.config
    if getattr(settings, "type_vocab_size", 0) < 2 or settings.model_type != "bert":
        msg = f"{folder}: expected an encoder of the BERT family that tells two texts apart, as MiniLM does, found none"
        raise DataError(msg)
    if settings.max_position_embeddings < max_pieces:
        msg = f"encoder.max_pieces: expected at most {settings.max_position_embeddings}, which {name} reads"
        raise DataError(msg)
    tokenizer = CandidateTokenizer(local.tokenizer.tokenizer, max_pieces=max_pieces)
    torch.manual_seed(seed)
    return SubstitutionNetwork(local.transformer), tokenizer


def as_batch(layouts: Sequence[Layout]) -> dict[str, Any]:
    """Return layouts of any lengths as one batch with padding."""
    shape = (len(layouts), max(map(len, layouts)))
    batch = {name: np.full(shape, _PADDING if name == "owners" else 0, dtype=np.int64) for name in INPUTS}
    for row, layout in enumerate(layouts):
        for name in INPUTS:
            batch[name][row, : len(layout)] = getattr(layout, name)
    return {name: torch.from_numpy(values) for name, values in batch.items()}
