"""`plainwright lens`: the learned metric: score with it, ask what it is, train it."""

from __future__ import annotations

from plainwright.cli.lazy import lazy_group

__all__ = ["app"]

_COMMANDS = {
    "score": ("plainwright.cli.lens.score:score", "Score outputs with LENS, with or without references."),
    "info": ("plainwright.cli.lens.info:info", "Show what a model is made of: encoder, members, features."),
    "train": ("plainwright.cli.lens.train:train", "Learn to judge from people's ratings."),
}

app = lazy_group(_COMMANDS, help="Score with a metric learned from people's ratings.")
