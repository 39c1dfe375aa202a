"""A component for spaCy: `nlp.add_pipe("plainwright")` puts the plainer text into `doc._.plainwright`.

spaCy finds the factory by an entry point. Edits also become spans in `doc.spans["plainwright"]`, labelled with their
kind, and `span._.plainwright` has the edits that touch a span.
"""

from __future__ import annotations

import functools
import itertools
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import srsly
from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc, Span

from plainwright.errors import DataError
from plainwright.rewrite import Edit, Protection, SimplifiedSentence, SimplifiedText, Simplifier, load
from plainwright.rewrite.paragraphs import paragraphs

__all__ = ["PlainwrightComponent", "StoredEvidence", "make_component"]

_NAME = "plainwright"
_LANGUAGES = ("en", "xx")  # xx: pipelines for several languages
_MARK = "__plainwright__"  # in bytes, says that a mapping is a result of ours
_LISTS = "words"  # the folder of lists in a pipeline on disk


@Language.factory(
    _NAME,
    assigns=["doc._.plainwright", "doc.spans"],
    default_config={
        "model": None,
        "engine": "best",
        "level": "plain",
        "shorter": False,
        "strength": 0.0,
        "keep": [],
        "words": [],
        "max_grade": None,
        "quotes": False,
        "threads": 1,
    },
)
def make_component(
    nlp: Language,
    name: str,
    model: str | None,
    engine: Literal["best", "rewriter", "rules"],
    level: Literal["light", "plain", "easy"],
    shorter: bool,
    strength: float,
    keep: list[str],
    words: list[str],
    max_grade: float | None,
    quotes: bool,
    threads: int,
) -> PlainwrightComponent:
    """Make the component of a pipeline; the settings are those of `plainwright.load` and `plainwright.simplify`."""
    if nlp.lang not in _LANGUAGES:
        msg = f"expected a pipeline for English ('en'), which is all that plainwright simplifies, found {nlp.lang!r}"
        raise DataError(msg)
    settings = {
        "model": model,
        "engine": engine,
        "level": level,
        "shorter": shorter,
        "strength": strength,
        "words": words,
        "max_grade": max_grade,
    }
    return PlainwrightComponent(name, settings, keep=keep, quotes=quotes, threads=threads)


class PlainwrightComponent(Pipe):
    """Simplifies the text of each document; the model is opened with the first."""

    def __init__(
        self,
        name: str,
        settings: Mapping[str, Any],
        *,
        keep: Sequence[str] = (),
        quotes: bool = False,
        threads: int = 1,
    ) -> None:
        self.name = name
        self.settings = dict(settings)
        self.protection = Protection(keep=tuple(keep), quotations=not quotes)
        self.threads = threads
        self._simplifier: Simplifier | None = None

    def __repr__(self) -> str:
        return f"PlainwrightComponent({self.settings!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        protection = self.protection
        options: dict[str, Any] = {
            "keep": protection.keep,
            "quotes": not protection.quotations,
            "threads": self.threads,
        }
        return functools.partial(type(self), self.name, self.settings, **options), ()

    def __call__(self, doc: Doc) -> Doc:
        """Simplify one document."""
        self._annotate([doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Simplify documents, so many at a time."""
        on_error = self.get_error_handler()
        left = iter(stream)
        while docs := list(itertools.islice(left, batch_size)):
            try:
                self._annotate(docs)
            except Exception as error:
                on_error(self.name, self, docs, error)
            else:
                yield from docs

    def _annotate(self, docs: Sequence[Doc]) -> None:
        if self._simplifier is None:
            self._simplifier = load(**self.settings)
        parts = [list(paragraphs([doc.text])) for doc in docs]
        done = self._simplifier.simplify_each(
            itertools.chain.from_iterable(parts), protection=self.protection, threads=self.threads
        )
        for doc, own in zip(docs, parts, strict=True):
            result = SimplifiedText.joined(itertools.islice(done, len(own)))
            doc._.plainwright = result
            doc.spans[_NAME] = list(_spans(doc, result.edits))

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Put copies of the lists of words beside the pipeline; its config has the other settings."""
        lists = [(Path(file).name, Path(file).read_bytes()) for file in self.settings[_LISTS]]
        folder = Path(path) / _LISTS
        if folder.is_dir():
            shutil.rmtree(folder)
        for number, (name, content) in enumerate(lists):
            own = folder / str(number)
            own.mkdir(parents=True)
            (own / name).write_bytes(content)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> PlainwrightComponent:
        """Take the lists of words that lie beside the pipeline, if there are any."""
        folders = (own for own in (Path(path) / _LISTS).glob("*") if own.name.isdecimal())
        lists = [file for own in sorted(folders, key=lambda own: int(own.name)) for file in sorted(own.iterdir())]
        if lists:
            self.settings = {**self.settings, _LISTS: [str(file) for file in lists]}
            self._simplifier = None
        return self


def _spans(doc: Doc, edits: Iterable[Edit]) -> Iterator[Span]:
    """Yield the words of the document that each edit changes; what only adds words has none."""
    for edit in edits:
        start, end = edit.source_span
        span = doc.char_span(start, end, label=edit.kind, alignment_mode="expand") if start < end else None
        if span is not None:
            yield span


def _edits_in(span: Span) -> tuple[Edit, ...]:
    result = span.doc._.plainwright
    if result is None:
        return ()
    first, last = span.start_char, span.end_char
    return tuple(edit for edit in result.edits if edit.source_span[0] < last and edit.source_span[1] > first)


@dataclass(frozen=True, slots=True)
class StoredEvidence:
    """Is what remains of the evidence for an edit in a document that was written to bytes."""

    why: str
    data: Mapping[str, object]

    def __str__(self) -> str:
        return self.why

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return dict(self.data)


def _encode(value: Any, chain: Callable[[Any], Any] | None = None) -> Any:
    """Make a result of ours a mapping, which spaCy can write to bytes."""
    if isinstance(value, SimplifiedText):
        reasons = [[str(evidence) for evidence in edit.evidence] for edit in value.edits]
        return {_MARK: 1, **value.to_dict(), "why": reasons}
    return value if chain is None else chain(value)


def _decode(value: Any, chain: Callable[[Any], Any] | None = None) -> Any:
    """Make the mapping a result again."""
    if not (isinstance(value, dict) and _MARK in value):
        return value if chain is None else chain(value)
    reasons = iter(value["why"])
    sentences = (
        SimplifiedSentence(
            source=own["source"],
            text=own["text"],
            score=own["score"],
            edits=tuple(_edit(edit, next(reasons)) for edit in own["edits"]),
            others=tuple(own["others"]),
            note=own["note"],
        )
        for own in value["sentences"]
    )
    return SimplifiedText(source=value["source"], text=value["text"], sentences=tuple(sentences))


def _edit(data: Mapping[str, Any], reasons: Sequence[str]) -> Edit:
    return Edit(
        kind=data["kind"],
        source_span=(data["source_span"][0], data["source_span"][1]),
        target_span=(data["target_span"][0], data["target_span"][1]),
        source_text=data["source"],
        target_text=data["target"],
        group=data["group"],
        origin=data["origin"],
        evidence=tuple(StoredEvidence(why, own) for why, own in zip(reasons, data["evidence"], strict=True)),
    )


Doc.set_extension(_NAME, default=None, force=True)
Span.set_extension(_NAME, getter=_edits_in, force=True)
srsly.msgpack_encoders.register(_NAME, func=_encode)
srsly.msgpack_decoders.register(_NAME, func=_decode)
