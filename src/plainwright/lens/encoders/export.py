"""From a torch encoder to the directory that `OnnxEncoder` opens: traced, fused, smoothed, and its weights in 8 bits.

Weights take 7 of the 8 bits, with one scale for each column. Processors without instructions for 8-bit products add
two of them in 16 bits, where 8-bit weights overflow; with 7 bits none does, so all processors give the same sums.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from plainwright.errors import DataError
from plainwright.extras import check_extra
from plainwright.lens.encoders.calibration import SENTENCES
from plainwright.lens.encoders.local import LocalModel, TorchEncoder
from plainwright.lens.encoders.onnx import CARD_FILE, GRAPH_FILE, TOKENIZER_FILE, EncoderCard
from plainwright.lens.encoders.smoothing import smooth

__all__ = ["export_encoder"]

_OPSET = 18


def export_encoder(
    model: LocalModel,
    directory: str | Path,
    *,
    layer: int = -1,
    quantise: bool = True,
    calibration: Sequence[str] = SENTENCES,
) -> None:
    """Write `encoder.onnx`, `tokenizer.json` and `encoder.toml` into a new or empty directory.

    `layer` gives `tokens`, what BERTScore matches; `vector` is always the mean of the last layer. `calibration` are
    texts of the kind that will be encoded.
    """
    directory = Path(directory)
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        msg = f"{directory}: expected a new or empty directory to write to, found something in it"
        raise DataError(msg)
    encoder = TorchEncoder(model, layer=layer)
    directory.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=directory.parent, prefix=".plainwright.") as scratch, _quiet():
        ready = Path(scratch) / "ready"
        ready.mkdir()
        plain = _traced(encoder, Path(scratch) / "plain.onnx")
        fused = _fused(plain, model, Path(scratch) / "fused.onnx")
        if quantise:
            smoothed = Path(scratch) / "smoothed.onnx"
            smooth(fused, smoothed, [model.tokenizer(text).ids for text in calibration])
            _quantised(smoothed, ready / GRAPH_FILE)
        else:
            shutil.move(fused, ready / GRAPH_FILE)
        _strip(ready / GRAPH_FILE)
        model.tokenizer.save(ready / TOKENIZER_FILE)
        EncoderCard(
            name=model.name,
            width=encoder.width,
            max_pieces=model.max_pieces,
            layer=encoder.layer,
            precision="int8" if quantise else "float32",
        ).save(ready / CARD_FILE)
        if directory.exists():
            directory.rmdir()
        ready.rename(directory)


def _traced(encoder: TorchEncoder, path: Path) -> Path:
    """The graph as torch exports it, for one text of any length."""
    check_extra("exporting an encoder", "train", "onnxscript", "torch")  # torch asks for onnxscript half way through
    import torch

    class OneText(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.transformer = encoder.model.transformer

        def forward(self, ids: Any) -> tuple[Any, Any]:
            output = self.transformer(input_ids=ids, output_hidden_states=True)
            return output.hidden_states[encoder.layer][0], output.last_hidden_state[0].mean(0)

    example = torch.from_numpy(encoder.model.tokenizer("A text of a few words.").ids[None])
    pieces = torch.export.Dim("pieces", min=2, max=encoder.max_pieces)
    program = torch.onnx.export(
        OneText().eval(),
        (example,),
        dynamo=True,
        dynamic_shapes={"ids": {1: pieces}},
        input_names=["ids"],
        output_names=["tokens", "vector"],
        opset_version=_OPSET,
        verbose=False,
    )
    program.save(path, external_data=False)
    return path


def _fused(graph: Path, model: LocalModel, path: Path) -> Path:
    """The same graph with each activation function as a single operator, which onnxruntime has in a faster form."""
    from onnxruntime.transformers import optimizer
    from onnxruntime.transformers.fusion_options import FusionOptions

    options = FusionOptions("bert")
    options.enable_skip_layer_norm = False  # see `OnnxEncoder`
    options.enable_bias_skip_layer_norm = False
    options.enable_embed_layer_norm = False  # in 8 bits it forgets given positions, which MPNet and RoBERTa have
    settings = model.transformer.config
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
    from onnx import TensorProto
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(
        graph,
        path,
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
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
