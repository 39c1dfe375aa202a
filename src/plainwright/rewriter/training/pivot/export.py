"""Writes models for CTranslate2, rounded to 6 bits, and the directory that `PivotRewriter` opens."""

from __future__ import annotations

import json
import shutil
import tempfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plainwright.files import atomic_write, atomic_write_bytes
from plainwright.rewriter.controls import CONTROL_TOKENS
from plainwright.rewriter.finding import SETTINGS
from plainwright.rewriter.pivot import FILES, PivotModels, PivotRewriter
from plainwright.rewriter.training.pivot.marian import Marian, Sizes
from plainwright.rewriter.training.pivot.pieces import END, UNKNOWN, Pieces, cut_down
from plainwright.rewriter.training.pivot.recipe import PivotRecipe
from plainwright.tables import write_tables

__all__ = ["PivotFacts", "export_pivot", "export_translator"]

Matrices = Mapping[str, npt.NDArray[np.float32]]
_POSITIONS = 512
_NEVER = -100.0
_BITS = 6  # in which matrices are kept
_SHARES = (1.0, 0.94, 0.88, 0.82, 0.76, 0.7)  # of the furthest value of a row that the scale may reach
_MOST_TOKENS = 120  # of a source in English


@dataclass(frozen=True, slots=True, kw_only=True)
class PivotFacts:
    """What a card says of a training."""

    pairs: int
    held_out_pairs: int
    steps: int
    held_out_loss: float | None
    recipe: str  # digest of all that decided the weights


def export_translator(folder: Path, model: Marian, bits: int = 8) -> PivotModels:
    """Write the model that translates, as it is but for rounding and the pieces that were left out, and open it."""
    folder.mkdir(parents=True, exist_ok=True)
    tokens = [*sorted(model.ids, key=model.ids.__getitem__), *CONTROL_TOKENS]
    words, bias = model.weights["words"], model.weights["words_bias"]
    unused = np.zeros((len(CONTROL_TOKENS), words.shape[1]), dtype=np.float32)
    never = np.full(len(CONTROL_TOKENS), _NEVER, dtype=np.float32)
    _write_model(
        folder / FILES["translator"],
        model.weights,
        model.sizes,
        tokens,
        np.concatenate([words, unused]),
        np.concatenate([bias, never]),
        bits,
    )
    with atomic_write_bytes(folder / FILES["english"]) as stream:
        stream.write(cut_down(model.source_pieces, model.ids))
    with atomic_write(folder / FILES["vocabulary"]) as stream:
        json.dump(tokens, stream, ensure_ascii=False)
    return PivotModels(folder)


def export_pivot(
    folder: Path, translator: Marian, writer: Marian, trained: Matrices, recipe: PivotRecipe, facts: PivotFacts
) -> PivotRewriter:
    """Write both models, what splits texts, settings and card, and open the result."""
    unfinished = folder.with_suffix(".part")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    export_translator(unfinished, translator, _BITS)
    pieces = Pieces.of(writer)
    tokens = [*sorted(writer.ids, key=writer.ids.__getitem__), *CONTROL_TOKENS]
    words = np.concatenate([writer.weights["words"], writer.weights["words"][pieces.rows[-len(CONTROL_TOKENS) :]]])
    bias = np.full(len(tokens), _NEVER, dtype=np.float32)
    english = [pieces.rows[number] for piece, number in pieces.written.items() if piece != UNKNOWN]
    bias[english] = writer.weights["words_bias"][english]
    _write_model(unfinished / FILES["writer"], trained, writer.sizes, tokens, words, bias, _BITS)
    tables = _tables(unfinished, recipe, facts)
    _write_settings(unfinished, tables)
    digest = PivotRewriter(unfinished).digest  # what cannot be opened never gets its name
    _write_settings(unfinished, {**tables, "rewriter": {**tables["rewriter"], "digest": digest}})
    with atomic_write(unfinished / "CARD.md") as stream:
        stream.write(_card(recipe, facts, digest))
    shutil.rmtree(folder, ignore_errors=True)
    unfinished.rename(folder)
    return PivotRewriter(folder)


def _write_model(
    path: Path, weights: Matrices, sizes: Sizes, tokens: Sequence[str], words: Any, bias: Any, bits: int
) -> None:
    from ctranslate2.specs import TransformerSpec
    from ctranslate2.specs.common_spec import Activation

    spec = TransformerSpec.from_config(
        (sizes.encoder_layers, sizes.decoder_layers), sizes.heads, pre_norm=False, activation=Activation.SWISH
    )
    spec.decoder.start_from_zero_embedding = True
    encodings = _positions(sizes.width)
    for half in (spec.encoder, spec.decoder):
        half.scale_embeddings = float(np.sqrt(sizes.width))
        half.position_encodings.encodings = encodings
    words = _rounded(words, bits)
    spec.encoder.embeddings[0].weight = spec.decoder.embeddings.weight = words
    spec.decoder.projection.weight, spec.decoder.projection.bias = words, bias
    for number, layer in enumerate([*spec.encoder.layer, *spec.decoder.layer]):
        own = {
            name.partition(".")[2]: _rounded(value, bits) if value.ndim == 2 else value
            for name, value in weights.items()
            if name.startswith(f"{number}.")
        }
        _set_attention(layer.self_attention, own, ("qkv", "o"), "n1")
        if number >= sizes.encoder_layers:
            _set_attention(layer.attention, own, ("q", "kv", "c"), "n3")
        _set_linear(layer.ffn.linear_0, own, "up")
        _set_linear(layer.ffn.linear_1, own, "down")
        _set_norm(layer.ffn.layer_norm, own, "n2")
    spec.register_source_vocabulary(list(tokens))
    spec.register_target_vocabulary(list(tokens))
    spec.config.unk_token, spec.config.eos_token, spec.config.decoder_start_token = UNKNOWN, END, END
    spec.validate()
    spec.optimize(quantization="int8")
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        spec.save(folder)
        packed = _packed((Path(folder) / "model.bin").read_bytes())
    with atomic_write_bytes(path) as stream:
        stream.write(packed)


def _packed(data: bytes) -> bytes:
    """Return data as zlib packs what has no repetitions."""
    packer = zlib.compressobj(strategy=zlib.Z_HUFFMAN_ONLY)
    return packer.compress(data) + packer.flush()


def _rounded(matrix: npt.NDArray[np.float32], bits: int) -> npt.NDArray[np.float32]:
    """Return a near matrix of which each row has few values, evenly spaced around 0.

    What lies far out is moved in where that brings all others nearer to what they were. CTranslate2 does 8 bits itself,
    and changes what it is given.
    """
    if bits == 8:
        return matrix.copy()
    most = (1 << (bits - 1)) - 1
    furthest = np.abs(matrix).max(1, keepdims=True)
    best = np.zeros_like(matrix)
    least = np.square(matrix).sum(1, keepdims=True)
    for share in _SHARES:
        scale = furthest * np.float32(share / most)
        values = np.clip(np.rint(matrix / np.where(scale == 0, 1, scale)), -most, most) * scale
        error = np.square(values - matrix).sum(1, keepdims=True)
        best, least = np.where(error < least, values, best), np.minimum(error, least)
    return best


def _set_attention(spec: Any, own: Matrices, names: Sequence[str], norm: str) -> None:
    for linear, name in zip(spec.linear, names, strict=True):
        _set_linear(linear, own, name)
    _set_norm(spec.layer_norm, own, norm)


def _set_linear(spec: Any, own: Matrices, name: str) -> None:
    spec.weight, spec.bias = own[name], own[f"{name}_bias"]


def _set_norm(spec: Any, own: Matrices, name: str) -> None:
    spec.gamma, spec.beta = own[name], own[f"{name}_bias"]


def _positions(width: int) -> npt.NDArray[np.float32]:
    """Return the positions of Marian: sines in the first half of each vector, cosines in the second."""
    angles = np.arange(_POSITIONS)[:, None] / np.power(10_000.0, np.arange(width // 2) * 2 / width)
    return np.concatenate([np.sin(angles), np.cos(angles)], 1).astype(np.float32)


def _write_settings(folder: Path, tables: Mapping[str, Mapping[str, Any]]) -> None:
    with atomic_write(folder / SETTINGS) as stream:
        write_tables(stream, tables)


def _tables(folder: Path, recipe: PivotRecipe, facts: PivotFacts) -> dict[str, Mapping[str, Any]]:
    training = {name: getattr(facts, name) for name in facts.__dataclass_fields__}
    return {
        "rewriter": asdict(recipe.about),
        "runtime": {"kind": "pivot"},
        "files": FILES,
        "sizes": {kind: (folder / name).stat().st_size for kind, name in FILES.items()},
        "tokens": {"most": _MOST_TOKENS},
        "training": {name: value for name, value in training.items() if value is not None},
    }


def _card(recipe: PivotRecipe, facts: PivotFacts, digest: str) -> str:
    about, base, training = recipe.about, recipe.base, recipe.training
    lines = [f"# {about.name} {about.version}", ""]
    lines += [about.description, ""] if about.description else []
    lines += [
        "| | |",
        "|---|---|",
        f"| licence | {about.licence or 'not named'} |",
        f"| translator | {base.translator.name}, SHA-256 {base.translator_sha256} |",
        f"| writer begun from | {base.writer.name}, SHA-256 {base.writer_sha256} |",
        f"| pieces kept | {base.pieces:,} |",
        f"| pairs learnt from | {facts.pairs:,}; held out: {facts.held_out_pairs:,} |",
        f"| steps | {facts.steps:,}, the last {min(training.decay_steps, facts.steps):,} at a falling rate |",
    ]
    if facts.held_out_loss is not None:
        lines.append(f"| loss on held-out pairs | {facts.held_out_loss:.4f} |")
    lines += [f"| recipe | {facts.recipe} |", f"| digest | {digest} |"]
    return "\n".join([*lines, "", "Made by `plainwright learn rewriter`.", ""])
