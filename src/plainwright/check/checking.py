"""From a text, or from the blocks of a document, to a report."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path

from plainwright.arguments import as_texts, check_instance, check_paths, refuse
from plainwright.arguments import check_text as check_is_text
from plainwright.check.level import level_values
from plainwright.check.passage import Passage, Span, read_passage
from plainwright.check.registry import chosen_checks
from plainwright.check.result import CheckedSentence, Report, RuleCard
from plainwright.check.types import TITLES, Check, Finding, Prose, Settings
from plainwright.errors import DataError, MissingExtraError
from plainwright.text import ReadabilityCounts, readability_counts_lines
from plainwright.text.grades import grades
from plainwright.text.parser import check_english_model

__all__ = ["check_blocks", "check_text"]

_MOST = 5_000_000  # characters, ten novels; what is found in more, nobody reads
_BETWEEN = "\n\n"


def check_text(
    text: str,
    *,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] = (),
    sentence_words: int = 25,
    words: Iterable[str | Path] = (),
    keep: Iterable[str] = (),
) -> Report:
    """Say what makes a text hard, and change nothing.

    `select` names the rules to check, otherwise all but those in `ignore`. `words` are files with lists of hard words
    and plain ones, which come before ours; words and phrases in `keep` are not found fault with.
    """
    check_is_text(text, "check_text", "text", way_out="for several texts call it for each")
    _check_size(len(text))
    settings = _settings("check_text", sentence_words, words, keep)
    checks = _checks("check_text", select, ignore, settings)
    return _report(read_passage(text, keep=settings.keep), [(0, len(text))], checks)


def check_blocks(
    blocks: Sequence[Prose],
    *,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] = (),
    sentence_words: int = 25,
    words: Iterable[str | Path] = (),
    keep: Iterable[str] = (),
) -> Report:
    """Check the same in the blocks of a document, whose headings and code are no sentences."""
    if isinstance(blocks, str | bytes) or not isinstance(blocks, Sequence):
        refuse(blocks, "check_blocks", "blocks", "a list of blocks", "for a text call check_text")
    _check_size(sum(len(block.text) for block in blocks))
    settings = _settings("check_blocks", sentence_words, words, keep)
    checks = _checks("check_blocks", select, ignore, settings)
    ends = list(accumulate((len(block.text) + len(_BETWEEN) for block in blocks), initial=0))
    spans = [(start, start + len(block.text)) for start, block in zip(ends, blocks, strict=False)]
    fixed = [(at + start, at + end) for (at, _), block in zip(spans, blocks, strict=True) for start, end in block.fixed]
    titles = [span for span, block in zip(spans, blocks, strict=True) if block.kind in TITLES]
    text = _BETWEEN.join(block.text for block in blocks)
    return _report(read_passage(text, fixed=fixed, titles=titles, keep=settings.keep), spans, checks)


def _check_size(characters: int) -> None:
    if characters > _MOST:
        msg = f"expected a text of at most {_MOST:,} characters, found {characters:,}; check it in parts"
        raise DataError(msg)


def _settings(function: str, sentence_words: int, words: Iterable[str | Path], keep: Iterable[str]) -> Settings:
    check_instance(sentence_words, int, function, "sentence_words", "a number of words")
    kept = as_texts([keep] if isinstance(keep, str) else keep, function, "keep")
    files = [words] if isinstance(words, str | Path) else words
    check_paths(files, function, "words")
    return Settings(sentence_words=sentence_words, words=tuple(map(Path, files)), keep=tuple(filter(str.strip, kept)))


def _checks(function: str, select: Iterable[str] | None, ignore: Iterable[str], settings: Settings) -> list[Check]:
    selected = None if select is None else as_texts(select, function, "select")
    return chosen_checks(selected, as_texts(ignore, function, "ignore"), settings)


def _report(passage: Passage, blocks: Sequence[Span], checks: Sequence[Check]) -> Report:
    missing = _missing() if any(check.parses for check in checks) else ""
    made = [check for check in checks if not (missing and check.parses)]
    numbers = list(passage.prose)
    counts = readability_counts_lines([passage.counted[number] for number in numbers]).sum(axis=0).astype(int)
    # Every sentence is one, whatever counting finds in it.
    total = ReadabilityCounts(
        sentences=sum(passage.words[number] > 0 for number in numbers),
        words=int(counts[1]),
        syllables=int(counts[2]),
        characters=int(counts[3]),
        letters=int(counts[4]),
        polysyllables=int(counts[5]),
    )
    return Report(
        text=passage.text,
        blocks=tuple(blocks),
        sentences=_sentences(passage, numbers),
        words=total.words,
        grades=grades(total),
        findings=_findings(passage, made),
        rules=[RuleCard.of(check) for check in made],
        left_out=[check.rule for check in checks if check not in made],
        note=missing,
    )


def _missing() -> str:
    try:
        check_english_model("analysing sentences")
    except MissingExtraError as error:
        return str(error)
    return ""


def _sentences(passage: Passage, numbers: Sequence[int]) -> list[CheckedSentence]:
    numbers = [number for number in numbers if passage.words[number]]
    own = [passage.sentences[number] for number in numbers]
    return [
        CheckedSentence(
            start=sentence.start,
            end=sentence.start + len(sentence.text),
            words=passage.words[number],
            level=float(level),
        )
        for number, sentence, level in zip(numbers, own, level_values(own), strict=True)
    ]


def _findings(passage: Passage, checks: Sequence[Check]) -> list[Finding]:
    """What all checks find, by place; of two about the same words, the first is heard."""
    heard: list[Finding] = []
    taken: list[Span] = []
    for check in checks:
        new = list(check.findings(passage))
        if check.scope != "sentence":
            new = [own for own in new if not _overlaps(own, passage.fixed) and not _is_kept(own, passage)]
        if check.scope == "structure":
            new = [own for own in new if not _lies_within(own, taken)]
        if check.scope == "wording":
            new = [own for own in new if not _overlaps(own, taken) and not _lies_within(own, passage.quoted)]
            taken = sorted((*taken, *((own.start, own.end) for own in new)))
        heard += new
    return sorted(heard, key=lambda own: (own.start, -own.end, own.rule))


def _overlaps(finding: Finding, spans: Sequence[Span]) -> bool:
    """Whether a finding shares characters with one of the spans, which are in order and do not overlap."""
    after = bisect_left(spans, (finding.end, 0))
    return after > 0 and spans[after - 1][1] > finding.start


def _lies_within(finding: Finding, spans: Sequence[Span]) -> bool:
    """Whether one of the spans, which are in order and do not overlap, holds a finding."""
    after = bisect_left(spans, (finding.start + 1, 0))
    return after > 0 and spans[after - 1][1] >= finding.end


def _is_kept(finding: Finding, passage: Passage) -> bool:
    """Whether the user said that these words are right."""
    words = " ".join(finding.text.casefold().split())
    phrases = (re.escape(" ".join(phrase.casefold().split())) for phrase in passage.keep)
    return any(re.search(rf"(?<!\w){phrase}(?!\w)", words) for phrase in phrases)
