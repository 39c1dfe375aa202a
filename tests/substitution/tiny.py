"""A model of substitution made in a moment, without torch: the real files and the real onnxruntime, at a tiny size.

Its scores can be worked out by hand: the first piece of a candidate is worth something, and so is the first piece of
what it would replace.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from tests.lens.tiny import VOCABULARY, tokenizer
from tests.rewrite.word_lists import write_list

from plainwright.rewrite.wordlist import pack_files
from plainwright.substitution.finding import SETTINGS
from plainwright.substitution.model import FILES
from plainwright.substitution.pieces import INPUTS
from plainwright.tables import write_tables

MAX_PIECES = 40
# What the first piece of a candidate adds to its logit, and what the first piece of the hard words does.
PLAIN = {"bought": 2.0, "mat": 1.0, "cat": -3.0, "[MASK]": 3.0, "g": 0.5}
HARD = {"purchased": 0.5, "car": 0.2}
CANDIDATES = ("purchase | verb | buy", "purchase | verb | get", "car | noun | mat", "car | noun | cat")


def save_tiny_substitution(
    directory: Path, *, threshold: float = 0.6, candidates: tuple[str, ...] = CANDIDATES, max_pieces: int = MAX_PIECES
) -> Path:
    """Write a model with these candidates."""
    import onnx

    directory.mkdir(parents=True)
    onnx.save(_graph(), str(directory / FILES["graph"]))
    tokenizer().save(str(directory / FILES["tokenizer"]))
    pack_files([write_list(directory / "candidates.tsv", candidates)], directory / FILES["candidates"])
    sizes = {kind: (directory / name).stat().st_size for kind, name in FILES.items()}
    about = {"format": 1, "name": "tiny", "version": "1", "max_pieces": max_pieces, "threshold": threshold}
    with (directory / SETTINGS).open("w") as stream:
        write_tables(stream, {"substitution": about, "files": FILES, "sizes": sizes})
    return directory


def score(plain: str, hard: str) -> float:
    """By hand: the logistic curve of both worths."""
    return 1 / (1 + math.exp(-(PLAIN.get(plain, 0.0) + HARD.get(hard, 0.0))))


def _worths(values: Mapping[str, float]) -> Any:
    worth = np.zeros(len(VOCABULARY), dtype=np.float32)
    for word, value in values.items():
        worth[VOCABULARY.index(word)] = value
    return worth


def _graph() -> Any:
    from onnx import TensorProto, checker, helper, numpy_helper

    nodes = [
        helper.make_node("Gather", ["plain", "ids"], ["own"]),
        helper.make_node("Squeeze", ["ids", "rows"], ["row"]),
        helper.make_node("Gather", ["row", "first"], ["replaced"]),
        helper.make_node("Gather", ["hard", "replaced"], ["theirs"]),
        helper.make_node("Add", ["own", "theirs"], ["logits"]),
        helper.make_node("Sigmoid", ["logits"], ["scores"]),
    ]
    constants = {"plain": _worths(PLAIN), "hard": _worths(HARD), "rows": np.array([0])}
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, [1, "n"]) for name in INPUTS],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, "n"])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    # Versions that every onnxruntime of the extra reads.
    model = helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 13)])
    checker.check_model(model)
    return model
