"""Writes a decoder of the Llama family as an ONNX graph with quantised matrices, to be run by onnxruntime.

The graph reads the next tokens of one text, their positions and the keys and values of earlier tokens, and gives the
logits where they are asked for. It reads one text at a time, so that no value depends on what else is being rewritten.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import TensorProto, helper, numpy_helper, save_model

__all__ = ["Matrices", "Shape", "quantised", "write_graph"]

Matrices = Mapping[str, npt.NDArray[np.float32]]
BLOCK = 64  # weights that share a scale
_CONTRIB = "com.microsoft"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The sizes of a decoder."""

    layers: int
    width: int
    heads: int
    key_heads: int
    head_width: int
    inner: int
    vocabulary: int
    theta: float = 100_000.0
    epsilon: float = 1e-5
    positions: int = 1024


def quantised(matrix: npt.NDArray[np.float32], bits: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """Return whole numbers from 0 and a scale for each block of a row; the middle of the numbers stands for 0."""
    rows, columns = matrix.shape
    blocks = matrix.reshape(rows, columns // BLOCK, BLOCK)
    middle = 1 << (bits - 1)
    # The value furthest from 0 gets the one number that has no mirror image, so that no step is lost.
    furthest = np.take_along_axis(blocks, np.abs(blocks).argmax(axis=2)[..., None], axis=2)[..., 0]
    scales = (furthest / -middle).astype(np.float32)
    divisors = np.where(scales == 0, 1, scales)[..., None]
    numbers = np.clip(np.rint(blocks / divisors) + middle, 0, 2 * middle - 1).astype(np.uint8)
    if bits == 4:
        numbers = numbers[..., 0::2] | (numbers[..., 1::2] << 4)
    return np.ascontiguousarray(numbers), np.ascontiguousarray(scales)


class _Graph:
    """Nodes and weights that are added one after another."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.weights: list[Any] = []
        self._count = 0

    def constant(self, name: str, value: npt.NDArray[Any]) -> str:
        self.weights.append(numpy_helper.from_array(value, name))
        return name

    def add(self, kind: str, *inputs: str, outputs: int = 1, names: tuple[str, ...] = (), **attributes: Any) -> Any:
        if not names:
            names = tuple(f"{kind}_{self._count}_{n}" for n in range(outputs))
        self._count += 1
        self.nodes.append(helper.make_node(kind, list(inputs), list(names), **attributes))
        return names[0] if len(names) == 1 else names

    def matrix(self, name: str, value: npt.NDArray[np.float32], bits: int) -> tuple[str, str]:
        numbers, scales = quantised(value, bits)
        return self.constant(name, numbers), self.constant(f"{name}.scales", scales)

    def product(self, x: str, matrix: tuple[str, str], shape: tuple[int, int], bits: int, name: str = "") -> str:
        rows, columns = shape
        result: str = self.add(
            "MatMulNBits",
            x,
            *matrix,
            names=(name,) if name else (),
            domain=_CONTRIB,
            N=rows,
            K=columns,
            bits=bits,
            block_size=BLOCK,
            accuracy_level=4,
        )
        return result


def write_graph(weights: Matrices, shape: Shape, bits: Mapping[str, int], path: Path) -> None:
    """Write the graph and, beside it, one file with its weights; `bits` are given for each matrix, 4 or 8."""
    graph = _Graph()
    hidden = _embedded(graph, weights["embeddings"], bits["embeddings"])
    inputs = [
        helper.make_tensor_value_info("ids", TensorProto.INT64, [1, "new"]),
        helper.make_tensor_value_info("positions", TensorProto.INT64, [1, "new"]),
        helper.make_tensor_value_info("mask", TensorProto.FLOAT, ["queries", "columns"]),
        helper.make_tensor_value_info("wanted", TensorProto.INT64, ["wanted"]),
    ]
    outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["wanted", shape.vocabulary])]
    _rotations(graph, shape)
    for number in range(shape.layers):
        for kind in ("keys", "values"):
            dimensions: list[str | int | None] = [1, shape.key_heads, "past", shape.head_width]
            inputs.append(helper.make_tensor_value_info(f"{kind}.{number}", TensorProto.FLOAT, dimensions))
            dimensions = [1, shape.key_heads, "columns", shape.head_width]
            outputs.append(helper.make_tensor_value_info(f"all_{kind}.{number}", TensorProto.FLOAT, dimensions))
        hidden = _layer(graph, hidden, number, weights, shape, bits)
    _head(graph, hidden, weights, shape, bits["embeddings"])
    model = helper.make_model(
        helper.make_graph(graph.nodes, "rewriter", inputs, outputs, graph.weights),
        opset_imports=[helper.make_opsetid("", 20), helper.make_opsetid(_CONTRIB, 1)],
        ir_version=10,
    )
    helper.set_model_props(model, {"heads_per_key": str(shape.heads // shape.key_heads)})
    data = path.with_suffix(".weights")
    data.unlink(missing_ok=True)
    save_model(model, path, save_as_external_data=True, location=data.name, size_threshold=1024)


def _embedded(graph: _Graph, embeddings: npt.NDArray[np.float32], bits: int) -> str:
    """The rows of the embeddings for the tokens; the same numbers serve as the matrix of the logits."""
    if bits != 8:
        msg = f"embeddings are kept in 8 bits, got {bits}"
        raise ValueError(msg)
    numbers, scales = graph.matrix("embeddings", embeddings, bits)
    graph.constant("middle", np.array(128, dtype=np.float32))
    graph.constant("flat", np.array([0, 0, -1], dtype=np.int64))
    graph.constant("one_column", np.array([-1], dtype=np.int64))
    found = graph.add("Cast", graph.add("Gather", numbers, "ids"), to=TensorProto.FLOAT)
    scale = graph.add("Unsqueeze", graph.add("Gather", scales, "ids"), "one_column")
    result: str = graph.add("Reshape", graph.add("Mul", graph.add("Sub", found, "middle"), scale), "flat")
    return result


def _rotations(graph: _Graph, shape: Shape) -> None:
    half = shape.head_width // 2
    steps = 1.0 / shape.theta ** (np.arange(half, dtype=np.float64) * 2 / shape.head_width)
    angles = np.outer(np.arange(shape.positions), steps)
    graph.constant("cosines", np.cos(angles).astype(np.float32))
    graph.constant("sines", np.sin(angles).astype(np.float32))
    graph.constant(
        "split", np.array([shape.heads, shape.key_heads, shape.key_heads], dtype=np.int64) * shape.head_width
    )
    graph.constant("to_heads", np.array([0, 0, -1, shape.head_width], dtype=np.int64))
    graph.constant("to_groups", np.array([0, shape.key_heads, -1, shape.head_width], dtype=np.int64))
    graph.constant("from_groups", np.array([0, shape.heads, -1, shape.head_width], dtype=np.int64))
    graph.constant("to_width", np.array([0, 0, shape.width], dtype=np.int64))
    graph.constant("rows_of_width", np.array([-1, shape.width], dtype=np.int64))


def _normed(graph: _Graph, x: str, name: str, weight: npt.NDArray[np.float32], epsilon: float) -> str:
    result: str = graph.add(
        "SimplifiedLayerNormalization", x, graph.constant(name, weight), axis=-1, epsilon=epsilon, stash_type=1
    )
    return result


def _layer(graph: _Graph, x: str, number: int, weights: Matrices, shape: Shape, bits: Mapping[str, int]) -> str:
    def product(y: str, name: str) -> str:
        key = f"{number}.{name}"
        return graph.product(y, graph.matrix(key, weights[key], bits[key]), weights[key].shape, bits[key])

    normed = _normed(graph, x, f"{number}.n1", weights[f"{number}.n1"], shape.epsilon)
    parts = graph.add("Split", product(normed, "qkv"), "split", outputs=3, axis=-1)
    query, key, value = (
        graph.add("Transpose", graph.add("Reshape", part, "to_heads"), perm=[0, 2, 1, 3]) for part in parts
    )
    query, key = (
        graph.add("RotaryEmbedding", part, "positions", "cosines", "sines", domain=_CONTRIB) for part in (query, key)
    )
    key = graph.add("Concat", f"keys.{number}", key, names=(f"all_keys.{number}",), axis=2)
    value = graph.add("Concat", f"values.{number}", value, names=(f"all_values.{number}",), axis=2)
    # Heads that share keys are rows of one product.
    query = graph.add("Reshape", query, "to_groups")
    scores = graph.add("FusedMatMul", query, key, domain=_CONTRIB, transB=1, alpha=shape.head_width**-0.5)
    weighed = graph.add("MatMul", graph.add("Softmax", graph.add("Add", scores, "mask"), axis=-1), value)
    heads = graph.add("Transpose", graph.add("Reshape", weighed, "from_groups"), perm=[0, 2, 1, 3])
    x = graph.add("Add", x, product(graph.add("Reshape", heads, "to_width"), "o"))
    normed = _normed(graph, x, f"{number}.n2", weights[f"{number}.n2"], shape.epsilon)
    gate, up = graph.add("Split", product(normed, "gu"), outputs=2, axis=-1, num_outputs=2)
    active = graph.add("Mul", gate, graph.add("Sigmoid", gate))
    result: str = graph.add("Add", x, product(graph.add("Mul", active, up), "d"))
    return result


def _head(graph: _Graph, x: str, weights: Matrices, shape: Shape, bits: int) -> None:
    rows = graph.add("Gather", graph.add("Reshape", x, "rows_of_width"), "wanted")
    normed = _normed(graph, rows, "norm", weights["norm"], shape.epsilon)
    matrix = ("embeddings", "embeddings.scales")
    graph.product(normed, matrix, (shape.vocabulary, shape.width), bits, name="logits")
