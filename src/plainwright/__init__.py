"""plainwright makes English easier to read, and measures honestly whether it did.

Importing this package is cheap: nothing heavy is loaded until it is used. `simplify` and `load` make text plainer,
`evaluate` scores what any system made of it. The other parts load when they are asked for, as `plainwright.metrics`,
`plainwright.corpora`, `plainwright.text` or `plainwright.report`; the command line is `plainwright --help`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path
    from types import ModuleType

    from plainwright.evaluation import Evaluation
    from plainwright.metrics import Metric
    from plainwright.rewrite import Simplifier
    from plainwright.rewrite.models import Engine, Split, Words
    from plainwright.rewriter.finding import Level

__version__ = "0.2.0"

__all__ = ["__version__", "evaluate", "load", "simplify"]

_PACKAGES = frozenset(
    ("check", "corpora", "decode", "evaluation", "grammar", "judge", "learn", "lens", "lm", "metrics", "models")
) | {"rate", "report", "reproduce", "rewrite", "study", "text", "tune"}


def __getattr__(name: str) -> ModuleType:
    if name in _PACKAGES:
        return import_module(f"plainwright.{name}")
    msg = f"module 'plainwright' has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return sorted({*__all__, *_PACKAGES})


@overload
def simplify(  # type: ignore[overload-overlap]
    text: str,
    model: str | Path | None = None,
    *,
    engine: Engine = "best",
    level: Level = "plain",
    shorter: bool = False,
    strength: float = 0.0,
    split: Split | None = None,
    keep: Iterable[str] = (),
    quotes: bool = False,
    words: Words = (),
    max_grade: float | None = None,
    threads: int = 1,
) -> str: ...
@overload
def simplify(
    text: Iterable[str],
    model: str | Path | None = None,
    *,
    engine: Engine = "best",
    level: Level = "plain",
    shorter: bool = False,
    strength: float = 0.0,
    split: Split | None = None,
    keep: Iterable[str] = (),
    quotes: bool = False,
    words: Words = (),
    max_grade: float | None = None,
    threads: int = 1,
) -> list[str]: ...
def simplify(
    text: str | Iterable[str],
    model: str | Path | None = None,
    *,
    engine: Engine = "best",
    level: Level = "plain",
    shorter: bool = False,
    strength: float = 0.0,
    split: Split | None = None,
    keep: Iterable[str] = (),
    quotes: bool = False,
    words: Words = (),
    max_grade: float | None = None,
    threads: int = 1,
) -> Any:
    """Put text into plainer words: a string for a string, a list for a list, a Series for a pandas Series.

    `model` is the directory of a model; otherwise `$PLAINWRIGHT_MODEL` names it, or it is the one that comes with
    plainwright, with the rewriter if that is installed; `engine="rules"` does without. The `level` is what the rewriter
    aims at: "light", "plain" or "easy"; `shorter` asks it for fewer words. `strength` goes from -1 (careful) to 1
    (bold); `split` splits sentences first, "helpful" where that helps a reader and "all" wherever grammar allows
    (`engine="split"` does nothing else); words and phrases in `keep` are left alone, and so are quotations unless
    `quotes` is true; `words` are files with lists of hard words and plain ones; sentences whose Flesch-Kincaid grade is
    not above `max_grade` stay as they are. The model stays open for the next call.
    """
    from collections.abc import Iterable

    from plainwright.arguments import as_texts, refuse
    from plainwright.rewrite import Protection, load_once

    if isinstance(text, bytes) or not isinstance(text, Iterable):
        refuse(text, "simplify", "text", "a string or a list of strings")
    texts = [text] if isinstance(text, str) else as_texts(text, "simplify", "text")
    _check_model("simplify", model, strength)
    simplifier = load_once(
        model,
        engine=engine,
        level=level,
        shorter=shorter,
        strength=strength,
        split=split,
        words=words,
        max_grade=max_grade,
    )
    kept = as_texts([keep] if isinstance(keep, str) else keep, "simplify", "keep")
    plain = simplifier.simplify_all(
        texts, protection=Protection(keep=tuple(kept), quotations=not quotes), threads=threads
    )
    if isinstance(text, str):
        return plain[0]
    return _like(text, plain)


def load(
    model: str | Path | None = None,
    *,
    engine: Engine = "best",
    level: Level = "plain",
    shorter: bool = False,
    strength: float = 0.0,
    split: Split | None = None,
    words: Words = (),
    max_grade: float | None = None,
) -> Simplifier:
    """A model ready for text; its `simplify` returns the text with every edit and the reasons for it."""
    from plainwright.rewrite import load as load_model

    _check_model("load", model, strength)
    return load_model(
        model,
        engine=engine,
        level=level,
        shorter=shorter,
        strength=strength,
        split=split,
        words=words,
        max_grade=max_grade,
    )


def evaluate(
    outputs: Sequence[str] | Mapping[str, Sequence[str]],
    *,
    references: Sequence[str | Sequence[str]] | None = None,
    sources: Sequence[str] | None = None,
    metrics: Iterable[str | Metric] | None = None,
    intervals: bool = True,
    seed: int = 12345,
    threads: int = 1,
) -> Evaluation:
    """Scores of one system, or of several by name, on texts as the command line scores them.

    `references[i]` belongs to segment i: one string, or a list of them. Without `metrics`, the default ones that the
    texts allow. Raw and tokenised text are told apart; what looks wrong is a `PlainwrightWarning`.
    """
    from plainwright.evaluation import evaluate_texts

    return evaluate_texts(
        outputs,
        references=references,
        sources=sources,
        metrics=metrics,
        intervals=intervals,
        seed=seed,
        threads=threads,
    )


def _like(given: object, plain: list[str]) -> object:
    """A pandas Series with the index of the one that was given, else the list."""
    if type(given).__name__ == "Series" and hasattr(given, "index"):
        return type(given)(plain, index=given.index, name=getattr(given, "name", None))  # type: ignore[call-arg]
    return plain


def _check_model(function: str, model: object, strength: object) -> None:
    from plainwright.arguments import check_instance, check_path

    if model is not None:
        check_path(model, function, "model")
    check_instance(strength, (int, float), function, "strength", "a number from -1 to 1")
