"""From a torch module to a graph for onnxruntime: traced, fused, smoothed, and its weights in 8 bits.

Weights take 7 of the 8 bits, with one scale for each column. Processors without instructions for 8-bit products add
two of them in 16 bits, where 8-bit weights overflow; with 7 bits none does, so all processors give the same sums.
"""

from __future__ import annotations

import logging
import shutil
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from plainwright.encoders.smoothing import GraphInput, smooth
from plainwright.extras import check_extra

__all__ = ["write_graph"]

_OPSET = 18


def write_graph(
    module: Any,
    path: Path,
    *,
    scratch: Path,
    settings: Any,
    inputs: Sequence[GraphInput],
    outputs: Sequence[str],
    max_pieces: int,
    quantise: bool = True,
) -> None:
    """Write the graph of a module that reads one text of any length, shape (1, pieces).

    `settings` are those of its transformer. `inputs` are what `forward` takes, by name, for texts of the kind that
    will be read: the first is the example that is traced, and on all of them the ranges of values are found.
    """
    # torch asks for onnxscript half way through.
    check_extra("exporting an encoder", "train", "onnx", "onnxruntime", "onnxscript", "torch")
    with _quiet():
        traced = _traced(module, inputs[0], outputs, max_pieces, scratch / "plain.onnx")
        fused = _fused(traced, settings, scratch / "fused.onnx")
        if quantise:
            smooth(fused, scratch / "smoothed.onnx", inputs)
            _quantised(scratch / "smoothed.onnx", path)
        else:
            shutil.move(fused, path)
        _strip(path)


def _traced(module: Any, example: GraphInput, outputs: Sequence[str], max_pieces: int, path: Path) -> Path:
    """The graph as torch exports it."""
    import torch

    pieces = torch.export.Dim("pieces", min=2, max=max_pieces)
    program = torch.onnx.export(
        module.eval(),
        tuple(torch.from_numpy(value) for value in example.values()),
        dynamo=True,
        dynamic_shapes={name: {1: pieces} for name in example},
        input_names=list(example),
        output_names=list(outputs),
        opset_version=_OPSET,
        verbose=False,
    )
    program.save(path, external_data=False)
    return path


def _fused(graph: Path, settings: Any, path: Path) -> Path:
    """The same graph with each activation function as a single operator, which onnxruntime has in a faster form."""
    from onnxruntime.transformers import optimizer
    from onnxruntime.transformers.fusion_options import FusionOptions

    options = FusionOptions("bert")
    options.enable_skip_layer_norm = False  # see `open_session`
    options.enable_bias_skip_layer_norm = False
    options.enable_embed_layer_norm = False  # in 8 bits it forgets given positions, which MPNet and RoBERTa have
    optimised = optimizer.optimize_model(
        str(graph),
        model_type="bert",
        num_heads=settings.num_attention_heads,
        hidden_size=settings.hidden_size,
        opt_level=0,
        optimization_options=options,
    )
    optimised.save_model_to_file(str(path))
    return path


def _quantised(graph: Path, path: Path) -> None:
    """Round the matrices of the transformer; those of a head, whose inputs are vectors (Gemm), are small and stay."""
    import onnx
    from onnx import TensorProto
    from onnxruntime.quantization import QuantType, quantize_dynamic

    model = onnx.load(graph)
    heads = [node for node in model.graph.node if node.op_type == "Gemm"]
    # The quantiser turns each into a product and an addition, with the weights transposed but not their known shape.
    turned = {name for node in heads for name in node.input}
    known = [value for value in model.graph.value_info if value.name not in turned]
    del model.graph.value_info[:]
    model.graph.value_info.extend(known)
    quantize_dynamic(
        model,
        path,
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
        nodes_to_exclude=[f"{node.name}_MatMul" for node in heads],
        # Of the outputs of fused operators, whose types onnx cannot infer.
        extra_options={"DefaultTensorType": TensorProto.FLOAT},
    )


def _strip(graph_file: Path) -> None:
    """Leave out what torch notes of every operator: it names files of this machine, so digests would depend on it."""
    import onnx

    model = onnx.load(graph_file)
    graph = model.graph
    for part in (model, graph, *graph.node, *graph.value_info, *graph.input, *graph.output, *graph.initializer):
        part.ClearField("metadata_props")
        part.ClearField("doc_string")
    onnx.save(model, graph_file)


@contextmanager
def _quiet() -> Iterator[None]:
    """Exporters speak of their progress and of packages that they would like; a library prints nothing."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
