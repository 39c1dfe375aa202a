"""plainwright as a model of `llm`, the command-line tool: `llm -m plainwright < letter.txt`.

`llm` finds it by an entry point. It follows no instructions: it makes the text plainer that it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

import llm
from pydantic import Field

from plainwright.errors import PlainwrightError
from plainwright.rewrite import Protection, load_once

__all__ = ["Plainwright", "register_models"]


class Plainwright(llm.Model):  # type: ignore[misc]
    """Makes English easier to read, on this machine."""

    model_id = "plainwright"
    can_stream = True

    class Options(llm.Options):  # type: ignore[misc]
        """How much to change."""

        level: Literal["light", "plain", "easy"] = Field(default="plain", description="How much to change.")
        keep: str = Field(default="", description="Words and phrases to leave alone, with commas between.")

    def execute(self, prompt: Any, stream: bool, response: Any, conversation: Any) -> Iterator[str]:
        """Yield the plainer text, paragraph by paragraph."""
        keep = tuple(filter(None, map(str.strip, prompt.options.keep.split(","))))
        try:
            simplifier = load_once(level=prompt.options.level)
            for part in simplifier.stream([prompt.prompt], protection=Protection(keep=keep), edits=False):
                yield part.text
        except PlainwrightError as error:
            raise llm.ModelError(str(error)) from None


@llm.hookimpl  # type: ignore[untyped-decorator]
def register_models(register: Callable[..., None]) -> None:
    """Tell `llm` the model."""
    register(Plainwright())
