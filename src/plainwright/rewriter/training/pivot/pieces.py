"""The vocabulary of both translation models, cut down to what is frequent, with tokens that say what is asked for.

What is read may be French or English. What is written is English alone, and has numbers of its own while it is learnt.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plainwright.errors import DataError
from plainwright.rewriter.controls import CONTROL_TOKENS, HIGHEST_RATIO, PromptTokens, measured
from plainwright.rewriter.training.corpus import Row
from plainwright.rewriter.training.pairs import Pair, Pairs
from plainwright.rewriter.training.pivot.marian import Marian

__all__ = ["END", "UNKNOWN", "Pieces", "cut_down", "encoded_pairs"]

END, UNKNOWN = "</s>", "<unk>"
_NAMESAKES = ("▁light", "▁plain", "▁easy")  # of the first controls


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """What may be read and what may be written; `rows` says where the vector of each written token stands."""

    ids: Mapping[str, int]  # of what is read
    written: Mapping[str, int]
    rows: npt.NDArray[np.int64]
    prompt: PromptTokens

    @classmethod
    def of(cls, writer: Marian) -> Pieces:
        """Choose what a model may write: the pieces of its target language, and the controls."""
        english = {piece.piece for piece in _model(writer.target_pieces).pieces}
        kept = [END, UNKNOWN, *sorted(english.intersection(writer.ids) - {END, UNKNOWN}, key=writer.ids.__getitem__)]
        written = {piece: number for number, piece in enumerate(kept)}
        first = len(kept)
        models = _models_of_controls(kept)
        rows = [writer.ids[piece] for piece in (*kept, *models)]
        prompt = PromptTokens.numbered(first, begin=first + len(CONTROL_TOKENS), end=written[END])
        return cls(ids=writer.ids, written=written, rows=np.array(rows), prompt=prompt)

    def weights(self, writer: Marian) -> dict[str, npt.NDArray[np.float32]]:
        """Return all weights of a model that begins as this one does; it writes neither controls nor the beginning."""
        words, bias = writer.weights["words"], writer.weights["words_bias"]
        begin = np.zeros((1, words.shape[1]), dtype=np.float32)
        written_bias = np.concatenate([bias[self.rows], np.zeros(1, dtype=np.float32)])
        written_bias[self.written[UNKNOWN]] = written_bias[self.prompt.first_control :] = -100.0
        layers = {name: value for name, value in writer.weights.items() if "." in name}
        written = np.concatenate([words[self.rows], begin])
        return {**layers, "read": words, "written": written, "written_bias": written_bias}


def cut_down(path: Path, ids: Mapping[str, int]) -> bytes:
    """Return a model of sentencepiece without the pieces that were left out."""
    model = _model(path)
    kept = [piece for piece in model.pieces if piece.type != piece.NORMAL or piece.piece in ids]
    del model.pieces[:]
    model.pieces.extend(kept)
    serialised: bytes = model.SerializeToString()
    return serialised


def encoded_pairs(
    rows: Sequence[Row],
    french: Mapping[str, Sequence[str]],
    pieces: Pieces,
    writer: Marian,
    progress: Callable[[int, int], None],
) -> Pairs:
    """Turn rows of texts into what is read, what is written, and ratios."""
    from sentencepiece import SentencePieceProcessor

    english = SentencePieceProcessor(model_proto=cut_down(writer.target_pieces, writer.ids))
    pairs: list[Pair] = []
    for number, row in enumerate(rows, start=1):
        read = [*french[row.source], *english.encode(row.source, out_type=str)]
        source = [pieces.ids.get(piece, pieces.ids[UNKNOWN]) for piece in read]
        written = english.encode(row.target, out_type=str)
        target = [pieces.written.get(piece, pieces.written[UNKNOWN]) for piece in written]
        ratios = {name: min(HIGHEST_RATIO, ratio) for name, ratio in measured(row.source, row.target).items()}
        pairs.append(Pair(row.level, source, target, ratios, row.held_out))
        progress(number, len(rows))
    return Pairs.of(pairs)


def _model(path: Path) -> Any:
    import sentencepiece.sentencepiece_model_pb2 as protocol

    model: Any = protocol.ModelProto()  # type: ignore[attr-defined]
    try:
        model.ParseFromString(path.read_bytes())
    except Exception as error:  # protobuf's own errors have no common ancestor
        msg = f"{path}: expected a model of sentencepiece, found something else ({error})"
        raise DataError(msg) from None
    return model


def _models_of_controls(pieces: Sequence[str]) -> list[str]:
    """Return the piece whose vector each control has: its namesake, or some word; small vocabularies have few."""
    words = [piece for piece in pieces if piece[0] == "▁" and len(piece) > 5 and piece[1:].islower()]
    others = [piece for piece in words if piece not in _NAMESAKES] or list(pieces)
    wanted = len(CONTROL_TOKENS) - len(_NAMESAKES)
    spread = others[len(others) // 2 :: max(1, len(others) // 2 // wanted)]
    named = [piece if piece in pieces else spread[0] for piece in _NAMESAKES]
    return [*named, *itertools.islice(itertools.cycle(spread), wanted)]
