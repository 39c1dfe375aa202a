"""A text as clients send it: plain, or with markup between its parts; and places in it as they count them.

They count UTF-16 units of all they sent, markup included; we count characters of the text alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from plainwright.documents import Block
from plainwright.rewrite.paragraphs import paragraphs
from plainwright.web.replies import Refusal

__all__ = ["AnnotatedText", "units"]


def units(text: str) -> int:
    """Return the length of a text in UTF-16 units."""
    return len(text) if text.isascii() else len(text) + sum(character > "\uffff" for character in text)


class _Part(msgspec.Struct, rename="camel"):
    """One annotation; keys that we do not know are passed over, as the original does."""

    text: str | None = None
    markup: str | None = None
    interpret_as: str | None = None


class _Data(msgspec.Struct):
    text: str | None = None
    annotation: list[_Part] | None = None


@dataclass(frozen=True, slots=True)
class AnnotatedText:
    """The text that is read, where each of its characters stands for the client, and what is no text of theirs."""

    text: str
    places: Sequence[int]  # UTF-16 units before each character, and in all
    fixed: tuple[tuple[int, int], ...] = ()  # what a client had us read in place of markup
    joints: tuple[int, ...] = ()  # where markup stands

    @classmethod
    def plain(cls, text: str) -> AnnotatedText:
        """Return a text without markup."""
        if text.isascii():
            return cls(text, range(len(text) + 1))
        return cls(text, list(itertools.accumulate((1 + (c > "\uffff") for c in text), initial=0)))

    @classmethod
    def parse(cls, data: str) -> AnnotatedText:
        """Read the JSON of the parameter `data`."""
        try:
            parsed = msgspec.json.decode(data, type=_Data)
        except (msgspec.ValidationError, msgspec.DecodeError):
            raise Refusal(400, "malformed", "Could not parse JSON from 'data' parameter") from None
        if (parsed.text is None) == (parsed.annotation is None):
            what = (
                "requires either 'text' or 'annotation' key, not both"
                if parsed.text is not None
                else "requires 'text' or 'annotation' key"
            )
            raise Refusal(400, "malformed", f"'data' key in JSON {what}")
        return cls.plain(parsed.text) if parsed.text is not None else cls._joined(parsed.annotation or [])

    @classmethod
    def _joined(cls, parts: Sequence[_Part]) -> AnnotatedText:
        texts: list[str] = []
        places: list[int] = []
        fixed, joints = [], []
        length = at = 0
        for part in parts:
            if (part.text is None) == (part.markup is None):
                raise Refusal(400, "malformed", "Each annotation needs either 'text' or 'markup'")
            if part.text is not None:
                places += [at + place for place in cls.plain(part.text).places[:-1]]
                texts.append(part.text)
            else:
                read = part.interpret_as or ""
                places += [at] * len(read)
                texts.append(read)
                joints.append(length)
                if read:
                    fixed.append((length, length + len(read)))
                    joints.append(length + len(read))
            length += len(texts[-1])
            at += units(part.text if part.text is not None else part.markup or "")
        return cls("".join(texts), [*places, at], tuple(fixed), tuple(joints))

    def blocks(self) -> Iterator[tuple[int, Block]]:
        """Yield the paragraphs, with where each begins in the text."""
        start = 0
        for own in paragraphs([self.text]):
            end = start + len(own)
            fixed = tuple((max(a, start) - start, min(b, end) - start) for a, b in self.fixed if a < end and b > start)
            joints = tuple(joint - start for joint in self.joints if start < joint < end)
            yield start, Block(own, "paragraph", fixed, joints)
            start = end

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where characters stand for the client: offset and length. They begin and end in text of theirs."""
        last = self.text[end - 1 : end]
        first = self.places[start]
        behind = self.places[end - 1] + units(last) if end > start else first
        return first, behind - first
