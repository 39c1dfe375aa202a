"""What a rewriter reads before it writes: its own prompt of tokens, or a template for models that others made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from plainwright.errors import DataError
from plainwright.rewriter.controls import Controls, PromptTokens

__all__ = ["LEVEL_PLACE", "SOURCE_PLACE", "PromptFormat", "TemplatePrompt", "TokenPrompt", "check_template"]

SOURCE_PLACE = "{source}"
LEVEL_PLACE = "{level}"


class PromptFormat(Protocol):
    """Turns texts into tokens and back."""

    @property
    def has_levels(self) -> bool:
        """Whether another level is another prompt."""
        ...

    def check(self, controls: Controls) -> None:
        """Refuse controls that the model would not follow."""
        ...

    def source(self, text: str) -> Sequence[int]:
        """Return the tokens of a text alone; none if it cannot be asked for."""
        ...

    def prompt(self, text: str, ids: Sequence[int], controls: Controls) -> tuple[int, ...]:
        """Return what is read before a rewrite of the text, whose tokens are `ids`."""
        ...

    def target(self, text: str) -> Sequence[int]:
        """Return the tokens of a rewrite."""
        ...

    def text(self, ids: Sequence[int]) -> str:
        """Return what was written."""
        ...


@dataclass(frozen=True, slots=True)
class TokenPrompt:
    """The prompt of models that were trained here: the source, then a token for each thing that is asked for."""

    tokenizer: Any
    tokens: PromptTokens

    @property
    def has_levels(self) -> bool:
        """Whether another level is another prompt."""
        return True

    def check(self, controls: Controls) -> None:
        """Take all controls."""

    def source(self, text: str) -> Sequence[int]:
        """Return the tokens of a text alone."""
        ids: list[int] = self.tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def prompt(self, text: str, ids: Sequence[int], controls: Controls) -> tuple[int, ...]:
        """Return source and controls."""
        return self.tokens.prompt(ids, controls)

    def target(self, text: str) -> Sequence[int]:
        """Return the tokens of a rewrite."""
        return self.source(f" {text}")

    def text(self, ids: Sequence[int]) -> str:
        """Return what was written."""
        return str(self.tokenizer.decode(list(ids), skip_special_tokens=False)).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplatePrompt:
    """A prompt in words, with places for the source and, where the model knows levels, for the level."""

    name: str  # of the model, for messages
    tokenizer: Any
    template: str
    adds_special: bool  # whether the tokenizer puts tokens of its own around a prompt
    continues: bool  # whether the rewrite goes on where the prompt ends
    special: tuple[str, ...]  # tokens that no text has

    @classmethod
    def of(cls, name: str, tokenizer: Any, template: str, *, adds_special: bool, continues: bool) -> TemplatePrompt:
        """Take the special tokens from the tokenizer."""
        added = tokenizer.get_added_tokens_decoder().values()
        return cls(
            name=name,
            tokenizer=tokenizer,
            template=template,
            adds_special=adds_special,
            continues=continues,
            special=tuple(token.content for token in added if token.special),
        )

    @property
    def has_levels(self) -> bool:
        """Whether another level is another prompt."""
        return LEVEL_PLACE in self.template

    def check(self, controls: Controls) -> None:
        """Refuse a level or ratios for which the prompt has no place."""
        if ratios := ", ".join(controls.ratios()):
            msg = (
                f"{self.name}: a model that was converted takes no ratios, got {ratios}; omit them (--shorter sets one)"
            )
            raise DataError(msg)
        if controls.level != "plain" and not self.has_levels:
            msg = (
                f"{self.name}: its prompt has no place for a level, got {controls.level!r}; omit the level, or convert "
                f"the model again with {LEVEL_PLACE} in --prompt"
            )
            raise DataError(msg)

    def source(self, text: str) -> Sequence[int]:
        """Return the tokens of a text alone; none if it has a token that means something else in a prompt."""
        if any(token in text for token in self.special):
            return ()
        ids: list[int] = self.tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def prompt(self, text: str, ids: Sequence[int], controls: Controls) -> tuple[int, ...]:
        """Return the tokens of the filled template."""
        filled = self.template.replace(LEVEL_PLACE, controls.level).replace(SOURCE_PLACE, text)
        return tuple(self.tokenizer.encode(filled, add_special_tokens=self.adds_special).ids)

    def target(self, text: str) -> Sequence[int]:
        """Return the tokens of a rewrite; after a template that ends in a word or a colon, it begins with a space."""
        space = " " if self.continues and not self.template[-1].isspace() else ""
        return list(self.tokenizer.encode(space + text, add_special_tokens=False).ids)

    def text(self, ids: Sequence[int]) -> str:
        """Return what was written, up to a line feed."""
        return str(self.tokenizer.decode(list(ids), skip_special_tokens=True)).partition("\n")[0].strip()


def check_template(template: str) -> None:
    """Refuse a template without exactly one place for the source, or with more than one for the level."""
    sources, levels = template.count(SOURCE_PLACE), template.count(LEVEL_PLACE)
    if sources != 1 or levels > 1:
        msg = (
            f"the prompt: expected {SOURCE_PLACE} once and {LEVEL_PLACE} at most once, found {sources} and {levels} of "
            f"them in {template!r:.60}"
        )
        raise DataError(msg)
