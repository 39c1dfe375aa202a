"""What must be installed for a training: asked before the work, so that nothing is left behind if it is not."""

from __future__ import annotations

from plainwright.encoders import encoder_folder
from plainwright.encoders.onnx import CARD_FILE
from plainwright.extras import check_extra
from plainwright.lens.training.settings import TrainingSettings

__all__ = ["check_installed"]


def check_installed(settings: TrainingSettings) -> None:
    """Refuse a training that would stop for want of a package, or of its encoder."""
    _, folder = encoder_folder(settings.encoder)
    needed = ["onnxruntime", "tokenizers", "scipy"]
    if "trees" in settings.members:
        needed.append("sklearn")
    if "neural" in settings.members or settings.tuning is not None:
        needed.append("torch")
    if not (folder / CARD_FILE).is_file():  # it is exported first
        needed += ["torch", "transformers", "safetensors", "onnx", "onnxscript"]
    check_extra("training", "train", *needed)
