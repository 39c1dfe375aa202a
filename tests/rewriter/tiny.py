"""A rewriter of two layers with weights drawn by chance: it writes nonsense, but it runs as a real one does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

WORDS = ("The", " cat", " sat", " on", " the", " mat", " and", " a", " dog", " ran", ".", " It", " was", " big")
_FIRST_WORD = 2
_TOKENS = _FIRST_WORD + len(WORDS)
SIZE = 128
WIDTH = 64


def write_tiny_rewriter(directory: Path, *, seed: int = 1) -> Path:
    """Write a whole rewriter."""
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    tokenizers = pytest.importorskip("tokenizers")
    from plainwright.rewriter.graph import Shape, write_graph

    shape = Shape(
        layers=2, width=WIDTH, heads=2, key_heads=1, head_width=32, inner=WIDTH, vocabulary=SIZE, positions=256
    )
    draw = np.random.default_rng(seed)
    weights = {"embeddings": draw.normal(size=(SIZE, WIDTH)), "norm": np.ones(WIDTH)}
    for layer in range(shape.layers):
        sizes = {"qkv": (128, WIDTH), "o": (WIDTH, WIDTH), "gu": (2 * WIDTH, WIDTH), "d": (WIDTH, WIDTH)}
        weights |= {f"{layer}.{name}": draw.normal(size=size) / 8 for name, size in sizes.items()}
        weights |= {f"{layer}.{name}": np.ones(WIDTH) for name in ("n1", "n2")}
    floats = {name: value.astype(np.float32) for name, value in weights.items()}
    bits = {name: 4 if name.startswith("1.") else 8 for name in weights}
    directory.mkdir()
    write_graph(floats, shape, bits, directory / "rewriter.onnx")
    words = {"<begin>": 0, "<end>": 1, **{word: _FIRST_WORD + n for n, word in enumerate(WORDS)}}
    words |= {f"<{n}>": n for n in range(len(words), SIZE)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="<end>"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Split(tokenizers.Regex(r" ?\w+|[^\w\s]"), behavior="isolated")
    tokenizer.decoder = tokenizers.decoders.Fuse()
    tokenizer.save(str(directory / "tokenizer.json"))
    levels = {name: _TOKENS + n for n, name in enumerate(("light", "plain", "easy"))}
    controls = {name: _TOKENS + 3 + 12 * n for n, name in enumerate(("length", "similarity", "rank", "depth"))}
    lines = [f"{name} = {number}" for name, number in (levels | controls).items()]
    files = {"graph": "rewriter.onnx", "weights": "rewriter.weights", "tokenizer": "tokenizer.json"}
    table = ['[rewriter]\nname = "tiny"\nversion = "1"\n\n[files]']
    table += [f'{kind} = "{name}"' for kind, name in files.items()]
    table += ["\n[sizes]", *(f"{kind} = {(directory / name).stat().st_size}" for kind, name in files.items())]
    table += ["\n[tokens]\nbegin = 0\nend = 1\nmost = 40", *lines]
    (directory / "rewriter.toml").write_text("\n".join(table) + "\n", encoding="utf-8")
    return directory
