"""Proposers and judges by name, for `model.toml` and the command line.

What is registered is called with the options of its table in `model.toml` and returns the part.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from plainwright.decode.bundle import RULES
from plainwright.errors import DataError, PlainwrightError
from plainwright.registry import Registry
from plainwright.rewrite.judge.fidelity import Fidelity
from plainwright.rewrite.judge.repetition import Repetition
from plainwright.rewrite.types import Judge, Proposer

__all__ = [
    "FIDELITY",
    "JUDGES",
    "PROMPT",
    "PROPOSERS",
    "REWRITER",
    "REWRITE_RISK",
    "SYNTAX",
    "WORDLIST",
    "Endpoint",
    "make_judges",
    "make_proposer",
]

PROMPT = "prompt"
REWRITER = "rewriter"
SYNTAX = "syntax"
WORDLIST = "wordlist"  # the proposer of the lists of a model and of the user
FIDELITY = "fidelity"  # the judge that every rewriter has
REWRITE_RISK = "rewrite_risk"  # the judge of ours


class Endpoint(NamedTuple):
    """Names a language model for the proposer `prompt`; what is None is as `model.toml` has it."""

    base_url: str | None = None
    model: str | None = None
    prompt: str | None = None  # the name of a prompt, or a file

    def over(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options of `prompt` with these in place of those of the model."""
        # A key that the model keeps for its own address is not meant for another one.
        own = {name: value for name, value in options.items() if name != "key_variable" or self.base_url is None}
        found = {**own, **{name: value for name, value in self._asdict().items() if value is not None}}
        if missing := [name for name in ("base_url", "model") if name not in found]:
            msg = (
                "engine 'prompt': expected where a language model is and what it is called there (--endpoint URL "
                "--endpoint-model NAME, or base_url and model in [proposers.prompt] of model.toml), found no "
                f"{' and no '.join(missing)}"
            )
            raise DataError(msg)
        return found


def _rewriter(
    directory: str | None = None,
    *,
    level: str = "plain",
    length: float | None = None,
    similarity: float | None = None,
    rank: float | None = None,
    depth: float | None = None,
) -> Proposer:
    """Make the proposer that asks a rewriter; what it needs is loaded then, and not before."""
    from plainwright.rewrite.propose.rewriter import RewriterProposer

    return RewriterProposer(directory, level=level, length=length, similarity=similarity, rank=rank, depth=depth)  # type: ignore[arg-type]


def _syntax(
    *, level: str = "plain", longest: int | None = None, everywhere: bool = False, rewords: bool = True
) -> Proposer:
    """Make the proposer that splits sentences; spaCy is loaded then, and not before."""
    from plainwright.rewrite.propose.syntax import SyntaxProposer

    return SyntaxProposer(level=level, longest=longest, everywhere=everywhere, rewords=rewords)


def _prompt(base_url: str, model: str, **options: Any) -> Proposer:
    """Make the proposer that asks a language model elsewhere."""
    from plainwright.rewrite.propose.prompt import PromptProposer

    return PromptProposer(base_url, model, **options)


def _rewrite_risk(**options: Any) -> Judge:
    """Make the judge that asks the reader of a rewriter."""
    from plainwright.rewrite.judge.rewrite_risk import RewriteRisk

    return RewriteRisk(**options)


def _learned(directory: str | None = None, **options: Any) -> Judge:
    """Make the judge that asks a network which reads source and rewrite."""
    from plainwright.rewrite.judge.learned import LearnedJudge

    return LearnedJudge(directory, **options)


PROPOSERS: Registry[Callable[..., Proposer]] = Registry(
    "proposer",
    "plainwright.proposers",
    {PROMPT: _prompt, REWRITER: _rewriter},
    reserved=[RULES, SYNTAX, WORDLIST],
)
JUDGES: Registry[Callable[..., Judge]] = Registry(
    "judge",
    "plainwright.judges",
    {FIDELITY: Fidelity, "judge": _learned, "repetition": Repetition, REWRITE_RISK: _rewrite_risk},
)


def make_proposer(name: str, options: Mapping[str, Any]) -> Proposer:
    """Make the proposer of that name."""
    # Ours, made for nearly every text, so nobody looks through all packages for another one of that name.
    factory = _syntax if name == SYNTAX else PROPOSERS[name]
    proposer: Proposer = _made("proposer", factory, name, options, Proposer)
    return proposer


def make_judges(names: Sequence[str], options: Mapping[str, Mapping[str, Any]]) -> list[Judge]:
    """Make the judges of these names."""
    return [_made("judge", JUDGES[name], name, options.get(name, {}), Judge) for name in names]


def _made(kind: str, factory: Callable[..., Any], name: str, options: Mapping[str, Any], protocol: type) -> Any:
    table = f"[{kind}s.{name}] of model.toml"
    if not callable(factory):
        msg = f"{kind} {name!r}: expected a class or a function that makes one, found {factory!r:.60}; register that"
        raise DataError(msg)
    taken = inspect.signature(factory)
    try:
        taken.bind(**options)
    except TypeError as error:
        given, known = ", ".join(options) or "none", ", ".join(taken.parameters) or "none"
        msg = f"{kind} {name!r} does not take the options {given} ({error}); it takes {known}, in {table}"
        raise DataError(msg) from None
    try:
        part = factory(**options)
    except (PlainwrightError, MemoryError):
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        msg = f"{kind} {name!r} cannot be made ({reason}); change its options in {table}, or do without it"
        raise DataError(msg) from error
    if not isinstance(part, protocol):
        expected = f"a {kind} (plainwright.rewrite.{kind.capitalize()})"
        msg = f"{kind} {name!r}: expected {expected}, found {part!r:.60}; give it a name and the method of a {kind}"
        raise DataError(msg)
    return part
