"""plainwright makes English easier to read, and measures honestly whether it did.

Importing this package is cheap: nothing heavy is loaded until it is used. `simplify` and `load` make text plainer. The
other parts are `plainwright.text`, `plainwright.metrics`, `plainwright.corpora`, `plainwright.evaluate` and
`plainwright.report`; the command line is `plainwright --help`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from plainwright.rewrite import Simplifier

__version__ = "0.1.0"

__all__ = ["__version__", "load", "simplify"]


def simplify(
    text: str,
    model: str | Path | None = None,
    *,
    strength: float = 0.0,
    keep: Iterable[str] = (),
    threads: int = 1,
) -> str:
    """The text, a string, in plainer words.

    `model` is the directory of a model; otherwise `$PLAINWRIGHT_MODEL` names it, or it is the one that comes with
    plainwright. `strength` goes from -1 (careful) to 1 (bold); words and phrases in `keep` are left alone. The model
    stays open for the next call.
    """
    from plainwright.arguments import as_texts, check_text
    from plainwright.rewrite import Protection, load_once

    check_text(text, "simplify", "text", way_out="for several texts call it once for each: the model stays open")
    _check_model("simplify", model, strength)
    simplifier = load_once(model, strength=strength)
    kept = as_texts([keep] if isinstance(keep, str) else keep, "simplify", "keep")
    protection = Protection(keep=tuple(kept))
    return simplifier.simplify(text, protection=protection, edits=False, threads=threads).text


def load(model: str | Path | None = None, *, strength: float = 0.0) -> Simplifier:
    """A model ready for text; its `simplify` returns the text with every edit and the rules behind it."""
    from plainwright.rewrite import load as load_model

    _check_model("load", model, strength)
    return load_model(model, strength=strength)


def _check_model(function: str, model: object, strength: object) -> None:
    from plainwright.arguments import check_instance, check_path

    if model is not None:
        check_path(model, function, "model")
    check_instance(strength, (int, float), function, "strength", "a number from -1 to 1")
