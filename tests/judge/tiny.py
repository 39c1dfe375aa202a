"""A judge that is made in a moment, without torch: the real files, run by the real onnxruntime, at a tiny size.

Its scores can be worked out by hand: each word of a few is worth something, the others nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from tests.lens.tiny import VOCABULARY, tokenizer

from plainwright.files import file_digest
from plainwright.judge.finding import SETTINGS
from plainwright.judge.model import ASPECTS, FILES
from plainwright.tables import write_tables

MAX_PIECES = 40
# What a piece of the output adds to the logit of each score, as far as it is not in the source's part.
WORTH = {"car": (-2.0, 0.0, 0.0, -2.0), "cat": (0.0, -3.0, 0.0, -1.0), "bought": (0.0, 0.0, 1.0, 1.0)}
CURVE = {"intercept": 6.0, "meaning": -0.06, "grammar": -0.04}


def pair_tokenizer() -> Any:
    """The tokenizer of the tiny LENS model, which knows pairs, too."""
    from tokenizers import processors

    made = tokenizer()
    special = [(name, VOCABULARY.index(name)) for name in ("[CLS]", "[SEP]")]
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=special
    )
    return made


def save_tiny_judge(directory: Path, *, max_pieces: int = MAX_PIECES, start: float = 2.0) -> Path:
    """A judge whose logits are `start` plus the worth of all words of the output."""
    import onnx

    directory.mkdir(parents=True)
    onnx.save(_graph(start), str(directory / FILES["graph"]))
    pair_tokenizer().save(str(directory / FILES["tokenizer"]))
    sizes = {kind: (directory / name).stat().st_size for kind, name in FILES.items()}
    about = {"format": 1, "name": "tiny", "version": "1", "max_pieces": max_pieces}
    with (directory / SETTINGS).open("w") as stream:
        write_tables(stream, {"judge": about, "files": FILES, "sizes": sizes, "risk": CURVE})
    return directory


def score(*worths: float, start: float = 2.0) -> float:
    """By hand: the logistic curve of the sum, in percent."""
    return float(100 / (1 + np.exp(-(start + sum(worths)))))


def _graph(start: float) -> Any:
    from onnx import TensorProto, checker, helper, numpy_helper

    worth = np.zeros((len(VOCABULARY), len(ASPECTS)), dtype=np.float32)
    for word, values in WORTH.items():
        worth[VOCABULARY.index(word)] = values
    nodes = [
        helper.make_node("Gather", ["worth", "ids"], ["each"]),
        helper.make_node("Cast", ["types"], ["output"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["output", "last"], ["mask"]),
        helper.make_node("Mul", ["each", "mask"], ["counted"]),
        helper.make_node("ReduceSum", ["counted", "pieces"], ["sum"], keepdims=0),
        helper.make_node("Add", ["sum", "start"], ["logits"]),
        helper.make_node("Sigmoid", ["logits"], ["scores"]),
    ]
    constants = {
        "worth": worth,
        "last": np.array([2]),
        "pieces": np.array([1]),
        "start": np.array(start, dtype=np.float32),
    }
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, [1, "n"]) for name in ("ids", "types")],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, len(ASPECTS)])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    # Versions that every onnxruntime of the extra reads.
    model = helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 13)])
    checker.check_model(model)
    return model


def digests(directory: Path) -> dict[str, str]:
    """Of all files of a directory, by name."""
    return {path.name: file_digest(path) for path in sorted(directory.iterdir())}
