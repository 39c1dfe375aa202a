"""Models that ship apart from the code: where they are, and the one sentence for those that are missing.

The distribution `plainwright-en` carries them, each in a folder of its own with its card. In a source checkout the
ones beside the code are used; everywhere else those that pip installed. Looking costs nothing and opens no model.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from plainwright.errors import ModelMissingError
from plainwright.extras import install_command

__all__ = ["Name", "find", "folder", "is_installed"]

Name = Literal["default", "judge", "lens", "patterns", "rewriter"]
_MEANINGS: dict[Name, str] = {
    "default": "the model with the rules and the list of words",
    "judge": "the judge",
    "lens": "the LENS model",
    "patterns": "the language model of grammatical patterns",
    "rewriter": "the rewriter",
}
_PACKAGE = "plainwright_en"
_CHECKOUT = Path(__file__).resolve().parents[2] / "packages" / "plainwright-en" / "src" / _PACKAGE


def folder() -> Path | None:
    """Return the folder that holds the models, or None where plainwright-en is not installed."""
    if _CHECKOUT.is_dir():
        return _CHECKOUT
    spec = find_spec(_PACKAGE)
    return Path(spec.origin).parent if spec is not None and spec.origin is not None else None


def is_installed(name: Name) -> bool:
    """Return whether plainwright-en is installed and carries this model."""
    return (where := folder()) is not None and (where / name).is_dir()


def find(name: Name, *, otherwise: str = "") -> Path:
    """Return the folder of a model that ships; a `ModelMissingError` names the command, and `otherwise` more ways."""
    if (where := folder()) is not None and (where / name).is_dir():
        return where / name
    ending = f", {otherwise}" if otherwise else ""
    command = install_command("en")
    msg = f"{_MEANINGS[name]} comes with plainwright-en, which is not installed; install it with `{command}`{ending}"
    raise ModelMissingError(msg)
