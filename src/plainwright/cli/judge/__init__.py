"""`plainwright judge`: a network that reads source and rewrite: score with it, ask why."""

from __future__ import annotations

from plainwright.cli.lazy import lazy_group

__all__ = ["app"]

_COMMANDS = {
    "score": ("plainwright.cli.judge.score:score", "Score outputs beside their sources, without references."),
    "explain": ("plainwright.cli.judge.explain:explain", "Show which words lowered the scores of an output."),
}

app = lazy_group(_COMMANDS, help="Judge meaning, grammar and simplicity of outputs, without references.")
