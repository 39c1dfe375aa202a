"""A tagger from tagged text.

Text has a sentence a line, in one of two forms, which may also be mixed: `word_TAG` tokens between spaces, or the lines
of analyses that `plainwright learn extract --analysis` keeps (tokens, tags, heads and relations between tabs). The
result depends on the text and the options alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from plainwright import _core
from plainwright.errors import DataError
from plainwright.files import atomic_write_bytes
from plainwright.learn.parallel import LINES_AT_ONCE, read_text_lines
from plainwright.learn.syntax import parse_analysis
from plainwright.text.tagging import MAX_TAGGER, Tagger

__all__ = ["Agreement", "LearntTagger", "TaggedSentence", "TaggerOptions", "learn_tagger", "learn_tagger_files"]

Progress = Callable[[str, int, int], None]  # what is being done, how much is done, of how much
TaggedSentence = tuple[list[str], list[str]]  # tokens and their tags


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggerOptions:
    """Says how a tagger is learnt."""

    passes: int = 8  # over the text
    min_count: int = 2  # features that occur less often are not learnt
    max_bytes: int = 2_000_000  # of the file; the weights that are worth least go
    lower_share: float = 0.3  # of the sentences, also learnt from in lower case
    held_out: int = 0  # every so many-th sentence is kept to measure on; 0 for none
    seed: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Counts the tokens that got the tag that the text has: as it is, and in lower case."""

    tokens: int
    cased: int
    lower: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LearntTagger:
    """Holds a tagger as the bytes of its file, with how it came about."""

    content: bytes
    sentences: int
    tokens: int
    agreement: Agreement | None  # on the held-out sentences

    @property
    def tagger(self) -> Tagger:
        """Ready for use."""
        return Tagger(self.content)

    def save(self, path: str | Path) -> None:
        """Write the file that `Tagger.open` reads."""
        with atomic_write_bytes(path) as stream:
            stream.write(self.content)


def learn_tagger(
    sentences: Iterable[TaggedSentence], options: TaggerOptions | None = None, *, progress: Progress | None = None
) -> LearntTagger:
    """Learn from sentences, each a list of tokens and a list of as many tags."""
    options = options or TaggerOptions()
    _check(options)
    trainer = _core.TaggerTrainer()
    kept: list[TaggedSentence] = []
    for number, (tokens, tags) in enumerate(sentences):
        if options.held_out and number % options.held_out == 0:
            kept.append((tokens, tags))
            continue
        try:
            trainer.add([tokens], [tags])
        except (TypeError, ValueError) as error:
            msg = f"sentence {number + 1}: {error}"
            raise DataError(msg) from None
    if trainer.tokens == 0:
        msg = "a tagger needs tagged sentences, got none"
        raise DataError(msg)
    content = trainer.train(
        passes=options.passes,
        min_count=options.min_count,
        max_bytes=options.max_bytes,
        lower_share=options.lower_share,
        seed=options.seed,
        report=None if progress is None else lambda done, total: progress("learning", done, total),
    )
    return LearntTagger(
        content=content,
        sentences=trainer.sentences,
        tokens=trainer.tokens,
        agreement=measure(Tagger(content), kept) if kept else None,
    )


def learn_tagger_files(
    paths: Iterable[str | Path], options: TaggerOptions | None = None, *, progress: Progress | None = None
) -> LearntTagger:
    """Learn from files of tagged sentences, gzip undone for names ending in .gz."""
    return learn_tagger((sentence for path in paths for sentence in read_tagged(path)), options, progress=progress)


def read_tagged(path: str | Path) -> Iterator[TaggedSentence]:
    """The sentences of a file; empty lines are left out, anything else that is no tagged sentence is a `DataError`."""
    for number, line in enumerate(read_text_lines(path), start=1):
        if not line.strip():
            continue
        try:
            yield _parse_tagged(line)
        except DataError as error:
            msg = f"{path}:{number}: {error}"
            raise DataError(msg) from None


def measure(tagger: Tagger, sentences: Iterable[TaggedSentence]) -> Agreement:
    """Compare a tagger with the tags of sentences that it has not seen."""
    tokens = cased = lower = 0
    rest = iter(sentences)
    while some := list(islice(rest, LINES_AT_ONCE)):
        wanted = [tag for _, tags in some for tag in tags]
        tokens += len(wanted)
        cased += _equal(tagger.tag_many([words for words, _ in some]), wanted)
        lower += _equal(tagger.tag_many([[word.lower() for word in words] for words, _ in some]), wanted)
    return Agreement(tokens=tokens, cased=cased, lower=lower)


def _equal(found: list[list[str]], wanted: list[str]) -> int:
    flat = (tag for tags in found for tag in tags)
    return sum(a == b for a, b in zip(flat, wanted, strict=True))


def _parse_tagged(line: str) -> TaggedSentence:
    if "\t" in line:
        analysis = parse_analysis(line)
        return (list(analysis.tokens), list(analysis.tags)) if analysis else ([], [])
    tokens, tags = [], []
    for item in line.split():
        word, _, tag = item.rpartition("_")
        if not word or not tag:
            msg = f"word_TAG expected, got {item[:60]!r}"
            raise DataError(msg)
        tokens.append(word)
        tags.append(tag)
    return tokens, tags


def _check(options: TaggerOptions) -> None:
    limits = {"passes": (1, 1000), "min_count": (1, 10**6), "max_bytes": (10_000, MAX_TAGGER), "held_out": (0, 10**9)}
    for name, (least, most) in limits.items():
        if not least <= (value := getattr(options, name)) <= most:
            msg = f"{name} must be from {least:,} to {most:,}, got {value}"
            raise DataError(msg)
    if options.held_out == 1:
        msg = "held_out must be 0 or at least 2, got 1: nothing would be left to learn from"
        raise DataError(msg)
    if not 0 <= options.lower_share <= 1:
        msg = f"lower_share must be from 0 to 1, got {options.lower_share}"
        raise DataError(msg)
