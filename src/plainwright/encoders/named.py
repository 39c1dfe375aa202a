"""Encoders by name, or from a folder."""

from __future__ import annotations

from pathlib import Path

from plainwright.encoders.base import Encoder
from plainwright.encoders.onnx import CARD_FILE, OnnxEncoder
from plainwright.encoders.packages import minilm_folder, mpnet_folder
from plainwright.errors import DataError, UnknownNameError

__all__ = ["NAMES", "encoder_folder", "open_encoder"]

_FOLDERS = {"minilm": minilm_folder, "mpnet": mpnet_folder}
NAMES = tuple(_FOLDERS)


def encoder_folder(name_or_path: str | Path) -> tuple[str, Path]:
    """Return the name for signatures, and the Hugging Face folder that the encoder lies in."""
    if name_or_path in _FOLDERS:
        name = str(name_or_path)
        return name, _FOLDERS[name]()
    folder = Path(name_or_path)
    if not folder.exists() and folder.parent == Path() and folder.suffix == "":
        raise UnknownNameError.suggest(
            kind="encoder", name=str(name_or_path), known=NAMES, listing=f"choose {' or '.join(NAMES)}, or a folder"
        )
    if not folder.is_dir():
        msg = f"{folder}: expected the folder of an encoder, found {'a file' if folder.exists() else 'nothing'}"
        raise DataError(msg)
    return folder.name, folder


def open_encoder(name_or_path: str | Path) -> Encoder:
    """Return a name of `NAMES`, a folder that `export_encoder` wrote (needs no torch), or any Hugging Face folder."""
    name, folder = encoder_folder(name_or_path)
    if (folder / CARD_FILE).is_file():
        return OnnxEncoder.open(folder)
    from plainwright.encoders.local import TorchEncoder

    return TorchEncoder.open(folder, name=name)
