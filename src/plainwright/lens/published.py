"""The authors' own checkpoint: a PyTorch-Lightning file in the manner of COMET, for those who have it.

    hparams.yaml            the settings, among them the encoder's name, `pool`, `layer`, `hidden_sizes`, `activations`
    checkpoints/NAME.ckpt   `state_dict`: `encoder.model.*`, `estimator.ff.*`, `layerwise_attention.*`

The released model differs from the paper in two points that its weights decide: its head sees c beside H, in the order
[c; s; r; s*r; |s-r|; s*c; |s-c|], and all texts are in lower case. Layers are mixed with learnt weights, each layer
normalised over all numbers of a text. What scores is torch, one text at a time, so no text changes with its neighbours.
The vocabulary is not in the file: the tokenizer and the shape of the encoder come from a local Hugging Face folder.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plainwright.encoders.local import LocalModel, load_local_model
from plainwright.errors import DataError, ReferenceShapeError
from plainwright.extras import extra_for
from plainwright.files import read_text

__all__ = ["PublishedLens", "read_hparams"]

Array = npt.NDArray[np.float64]

_POOLS = ("avg", "cls", "max")
_ENCODER, _HEAD, _MIX = "encoder.model.", "estimator.ff.", "layerwise_attention."
_NORM_EPSILON = 1e-12  # COMET's
_ACTIVATIONS = ("Tanh", "Sigmoid", "ReLU", "LeakyReLU", "GELU", "Identity")
_PARTS = (6, 7)  # vectors side by side in H: without c itself, and with it
_KEPT = 4096  # vectors of texts: sources and references come again
_ENTRY = re.compile(r"(?P<name>[A-Za-z_][A-Za-z0-9_]*):\s*(?P<value>.*?)\s*(?:#.*)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class _PublishedSettings:
    pool: str
    layer: int | None  # None: all, mixed
    activation: str
    final: str | None


class PublishedLens:
    """Scores with a published checkpoint: the highest value over the references, as z."""

    def __init__(self, model: LocalModel, state: Mapping[str, Any], settings: _PublishedSettings) -> None:
        import torch

        self._model, self._settings, self._torch = model, settings, torch
        width = int(model.transformer.config.hidden_size)
        self._layers = _head_layers(state, width)
        self._mix = _layer_weights(torch, state, settings, int(model.transformer.config.num_hidden_layers) + 1)
        self._parts = int(self._layers[0][0].shape[1]) // width
        self._vector = lru_cache(maxsize=_KEPT)(self._encoded)

    @classmethod
    def open(cls, checkpoint: str | Path, *, encoder: str | Path) -> PublishedLens:
        """Read a `.ckpt` file with its `hparams.yaml`; `encoder` is the folder of the encoder that it was trained from.

        The folder gives the tokenizer and the shape; all weights come from the checkpoint.
        """
        checkpoint = Path(checkpoint)
        settings = _settings(read_hparams(_hparams_beside(checkpoint)))
        state = _state(checkpoint)
        model = load_local_model(encoder)
        _load_weights(checkpoint, model, state)
        try:
            return cls(model, state, settings)
        except DataError as error:
            msg = f"{checkpoint}: {error}"
            raise DataError(msg) from None

    def scores(self, sources: Sequence[str], outputs: Sequence[str], references: Sequence[Sequence[str]]) -> Array:
        """Return the z of every output, with `references[i]` those of segment i."""
        return np.array(
            [
                max(self.values(source, output, group))
                for source, output, group in zip(sources, outputs, references, strict=True)
            ]
        )

    def values(self, source: str, output: str, references: Sequence[str]) -> list[float]:
        """Return the z of an output beside each reference alone."""
        if not references:
            msg = "LENS needs at least one reference for every output"
            raise ReferenceShapeError(msg)
        torch = self._torch
        with torch.inference_mode():
            c, s = self._vector(source), self._vector(output)
            return [float(self._value(c, s, self._vector(reference))) for reference in references]

    def _value(self, c: Any, s: Any, r: Any) -> Any:
        torch = self._torch
        x = torch.cat([*([c] if self._parts == _PARTS[1] else []), s, r, s * r, (s - r).abs(), s * c, (s - c).abs()])
        for number, (weight, bias) in enumerate(self._layers):
            x = weight @ x + bias
            last = number == len(self._layers) - 1
            name = self._settings.final if last else self._settings.activation
            x = x if name is None else getattr(torch.nn, name)()(x)
        return x[0]

    def _encoded(self, text: str) -> Any:
        ids = self._torch.from_numpy(self._model.tokenizer(text.lower()).ids[np.newaxis])
        layers = self._model.transformer(input_ids=ids, output_hidden_states=True).hidden_states
        if self._settings.layer is not None:
            pieces = layers[self._settings.layer][0]
        else:
            assert self._mix is not None
            weights, gamma = self._mix
            pieces = gamma * sum(weight * _normalised(layer[0]) for weight, layer in zip(weights, layers, strict=True))
        if self._settings.pool == "cls":
            return pieces[0]
        return pieces.mean(dim=0) if self._settings.pool == "avg" else pieces.max(dim=0).values


def read_hparams(path: str | Path) -> dict[str, Any]:
    """Return the flat settings of an `hparams.yaml`: numbers, words, true, false, null and lists of numbers."""
    found: dict[str, Any] = {}
    last = ""
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        text = line.rstrip()
        if not text.strip() or text.lstrip().startswith(("#", "---")):
            continue
        if text.lstrip().startswith("- ") and last:
            entries = found[last] if isinstance(found[last], list) else []
            found[last] = [*entries, _scalar(text.lstrip()[2:].strip())]
            continue
        entry = _ENTRY.fullmatch(text)
        if entry is None:
            msg = f"{path}:{number}: expected `name: value`, found {text!r:.60}"
            raise DataError(msg)
        last = entry["name"]
        value = entry["value"]
        if value.startswith("[") and value.endswith("]"):
            found[last] = [_scalar(item.strip()) for item in value[1:-1].split(",") if item.strip()]
        else:
            found[last] = _scalar(value)
    return found


def _scalar(text: str) -> Any:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    known = {"true": True, "false": False, "null": None, "~": None, "": None}
    if text.lower() in known:
        return known[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _hparams_beside(checkpoint: Path) -> Path:
    """In the directory above that of the checkpoint, as released, or beside it."""
    for folder in (checkpoint.parent.parent, checkpoint.parent):
        if (folder / "hparams.yaml").is_file():
            return folder / "hparams.yaml"
    msg = f"{checkpoint}: expected hparams.yaml beside it or in the directory above, found none"
    raise DataError(msg)


def _settings(given: Mapping[str, Any]) -> _PublishedSettings:
    kind = given.get("class_identifier", "regression_metric_multi_ref")
    if kind not in ("regression_metric_multi_ref", "regression_metric"):
        msg = f"hparams.yaml: expected class_identifier regression_metric_multi_ref, found {kind!r}"
        raise DataError(msg)
    pool, layer = given.get("pool", "avg"), given.get("layer", "mix")
    if pool not in _POOLS:
        msg = f"hparams.yaml: expected pool {', '.join(_POOLS)}, found {pool!r}"
        raise DataError(msg)
    if layer != "mix" and not isinstance(layer, int):
        msg = f"hparams.yaml: expected layer mix or a number, found {layer!r}"
        raise DataError(msg)
    activation, final = given.get("activations", "Tanh"), given.get("final_activation")
    for name in (activation, final):
        if name is not None and name not in _ACTIVATIONS:
            msg = f"hparams.yaml: expected an activation among {', '.join(_ACTIVATIONS)}, found {name!r}"
            raise DataError(msg)
    return _PublishedSettings(pool=pool, layer=None if layer == "mix" else layer, activation=activation, final=final)


def _state(checkpoint: Path) -> Mapping[str, Any]:
    with extra_for("a published checkpoint", "train"):
        import torch
    if not checkpoint.is_file():
        msg = f"{checkpoint}: no such file"
        raise DataError(msg)
    try:
        # Tensors and plain values only: a checkpoint from elsewhere must not run code.
        content = torch.load(checkpoint, map_location="cpu", weights_only=True)
    except Exception as error:
        first_line = str(error).partition("\n")[0].strip()
        msg = f"{checkpoint}: expected a PyTorch-Lightning checkpoint of plain weights ({first_line:.120})"
        raise DataError(msg) from None
    state = content.get("state_dict") if isinstance(content, Mapping) else None
    if not isinstance(state, Mapping) or not any(str(name).startswith(_HEAD) for name in state):
        msg = f"{checkpoint}: expected `state_dict` with {_ENCODER}* and {_HEAD}*, found something else"
        raise DataError(msg)
    return state


def _load_weights(checkpoint: Path, model: LocalModel, state: Mapping[str, Any]) -> None:
    weights = {name.removeprefix(_ENCODER): tensor for name, tensor in state.items() if name.startswith(_ENCODER)}
    # The pooler is not used, and counts of positions were kept in some versions of transformers.
    ignored = ("pooler.", "embeddings.position_ids", "embeddings.token_type_ids")
    weights = {name: tensor for name, tensor in weights.items() if not name.startswith(ignored)}
    wanted = {name: tensor for name, tensor in model.transformer.state_dict().items() if not name.startswith(ignored)}
    missing = sorted(set(wanted) - set(weights))
    unlike = [name for name in sorted(wanted) if name in weights and weights[name].shape != wanted[name].shape]
    if missing or unlike or set(weights) - set(wanted):
        name = (missing or unlike or sorted(set(weights) - set(wanted)))[0]
        msg = (
            f"{checkpoint}: its encoder does not fit the folder {model.name} ({name} is "
            f"{'missing' if missing else 'of another shape' if unlike else 'unknown there'}); "
            "name the folder of the encoder that it was trained from"
        )
        raise DataError(msg)
    model.transformer.load_state_dict(weights, strict=False)


def _head_layers(state: Mapping[str, Any], width: int) -> list[tuple[Any, Any]]:
    """Weights and biases in their order; activations and dropout between them have numbers, and no weights."""
    numbers = sorted(
        int(name[len(_HEAD) :].split(".")[0]) for name in state if name.startswith(_HEAD) and name.endswith(".weight")
    )
    layers = [(state[f"{_HEAD}{number}.weight"].float(), state[f"{_HEAD}{number}.bias"].float()) for number in numbers]
    parts = layers[0][0].shape[1] / width
    if parts not in _PARTS:
        msg = f"expected a head over 6 or 7 vectors of {width} numbers, found {layers[0][0].shape[1]}"
        raise DataError(msg)
    sizes = [tuple(weight.shape) for weight, _ in layers]
    if any(before[0] != after[1] for before, after in pairwise(sizes)) or sizes[-1][0] != 1:
        msg = f"expected layers of the head that fit each other and end in one value, found {sizes}"
        raise DataError(msg)
    return layers


def _layer_weights(
    torch: Any, state: Mapping[str, Any], settings: _PublishedSettings, layers: int
) -> tuple[Any, Any] | None:
    if settings.layer is not None:
        if not 0 <= settings.layer < layers:
            msg = f"expected a layer from 0 to {layers - 1}, found {settings.layer}"
            raise DataError(msg)
        return None
    names = [f"{_MIX}scalar_parameters.{number}" for number in range(layers)]
    if any(name not in state for name in (*names, f"{_MIX}gamma")):
        msg = f"expected weights of {layers} layers in {_MIX}scalar_parameters.*, and {_MIX}gamma"
        raise DataError(msg)
    weights = torch.softmax(torch.cat([state[name].float() for name in names]), dim=0)
    return weights, state[f"{_MIX}gamma"].float()


def _normalised(layer: Any) -> Any:
    """Over all numbers of a text, which is how COMET normalises a layer."""
    centred = layer - layer.mean()
    return centred / (centred.square().mean() + _NORM_EPSILON).sqrt()
