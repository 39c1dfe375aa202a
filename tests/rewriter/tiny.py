"""A rewriter of two layers: with weights drawn by chance it writes nonsense, but it runs as a real one does.

With `says_sentence` its layers add nothing, and each embedding leads to the next of a chain: whatever it reads, it
writes `SENTENCE` at level plain.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

WORDS = ("The", " cat", " sat", " on", " the", " mat", " and", " a", " dog", " ran", ".", " It", " was", " big")
_FIRST_WORD = 2
_TOKENS = _FIRST_WORD + len(WORDS)
SENTENCE = "The cat sat on the mat and a dog ran."
_END, _PLAIN = 1, _TOKENS + 1
SIZE = 128
WIDTH = 64


def write_tiny_rewriter(directory: Path, *, seed: int = 1, says_sentence: bool = False) -> Path:
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
    if says_sentence:
        weights |= {name: 0 * value for name, value in weights.items() if name.endswith((".o", ".d"))}
        weights["embeddings"] = _chain(weights["embeddings"])
    floats = {name: value.astype(np.float32) for name, value in weights.items()}
    bits = {name: 4 if name.startswith("1.") else 8 for name in weights}
    directory.mkdir()
    write_graph(floats, shape, bits, directory / "rewriter.onnx")
    words = {"<begin>": 0, "<end>": _END, **{word: _FIRST_WORD + n for n, word in enumerate(WORDS)}}
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


def _chain(embeddings: np.ndarray) -> np.ndarray:
    """Embeddings where the likeliest token after each of the chain is the next: similar, and three times as long."""
    spoken = range(_FIRST_WORD, _FIRST_WORD + WORDS.index(".") + 1)
    chain = [_PLAIN, *spoken, _END]
    made = embeddings / 1000
    for place, token in enumerate(chain):
        made[token] = 0
        made[token, [place, place + 1]] = 3.0**place * np.array([0.8, 0.6])
    return made
