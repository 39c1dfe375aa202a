"""From edits to matches, as LanguageTool calls its findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from plainwright.rewrite import Edit, SimplifiedText
from plainwright.rewrite.documents import reason_for_writers
from plainwright.serve.languagetool.annotated import AnnotatedText, units

__all__ = ["RULES", "matches_of"]

# By kind of edit: what the rule is called, what it says in short, and what it is about.
RULES = {
    "replace": ("PLAINWRIGHT_WORDS", "Plainer words", "Hard or wordy phrases with plainer ones"),
    "delete": ("PLAINWRIGHT_DELETE", "Fewer words", "Words that can be left out"),
    "insert": ("PLAINWRIGHT_INSERT", "Clearer with more words", "Words that make a sentence clearer"),
    "split": ("PLAINWRIGHT_SPLIT", "Shorter sentences", "Long sentences that can be split"),
    "join": ("PLAINWRIGHT_JOIN", "One sentence", "Sentences that read better as one"),
    "reorder": ("PLAINWRIGHT_ORDER", "Plainer order", "Words in an order that is easier to follow"),
}
_ORDER = ("split", "join", "reorder", "replace", "delete", "insert")
_CONTEXT = 40  # characters on each side, as the original shows them
_MOST_REPLACEMENTS = 5


@dataclass(frozen=True, slots=True)
class _Cluster:
    """Edits of groups that overlap, and from where to where they reach in a paragraph."""

    start: int
    end: int
    edits: tuple[Edit, ...]

    def text(self, source: str, groups: set[int]) -> str:
        """What stands there with these groups applied."""
        pieces, at = [], self.start
        for edit in self.edits:
            if edit.group in groups:
                pieces += [source[at : edit.source_span[0]], edit.target_text]
                at = edit.source_span[1]
        return "".join([*pieces, source[at : self.end]])

    def replacements(self, source: str) -> list[str]:
        """Everything applied, then each group alone."""
        groups = dict.fromkeys(edit.group for edit in self.edits)
        texts = [self.text(source, set(groups)), *(self.text(source, {group}) for group in groups)]
        return list(dict.fromkeys(texts))[:_MOST_REPLACEMENTS]


def matches_of(annotated: AnnotatedText, start: int, result: SimplifiedText) -> Iterator[dict[str, Any]]:
    """Yield the matches of a paragraph that begins at `start` of a text."""
    bounds = _sentence_bounds(result)
    for cluster in _clusters(result.edits):
        sentence = next((own for own in bounds if own[0] <= cluster.start < own[1]), (0, len(result.source)))
        wider = _widened(cluster, result.source, sentence, annotated, start)
        if wider is not None:
            yield _match(annotated, start, result.source, wider, sentence)


def _clusters(edits: Sequence[Edit]) -> Iterator[_Cluster]:
    groups: dict[int, list[Edit]] = {}
    for edit in edits:
        groups.setdefault(edit.group, []).append(edit)
    found: list[_Cluster] = []
    for own in groups.values():
        new = _Cluster(own[0].source_span[0], own[-1].source_span[1], tuple(own))
        while found and new.start < found[-1].end:
            last = found.pop()
            together = sorted((*last.edits, *new.edits), key=lambda edit: edit.source_span)
            new = _Cluster(min(last.start, new.start), max(last.end, new.end), tuple(together))
        found.append(new)
        found.sort(key=lambda cluster: cluster.start)
    yield from found


def _sentence_bounds(result: SimplifiedText) -> list[tuple[int, int]]:
    bounds, at = [], 0
    for sentence in result.sentences:
        start = result.source.index(sentence.source, at)
        at = start + len(sentence.source)
        bounds.append((start, at))
    return bounds


def _widened(
    cluster: _Cluster, source: str, sentence: tuple[int, int], annotated: AnnotatedText, shift: int
) -> _Cluster | None:
    """Take in a neighbouring word where nothing would be marked or nothing put in its place; editors show neither."""
    start, end = cluster.start, cluster.end
    everything = {edit.group for edit in cluster.edits}
    if start == end or not cluster.text(source, everything).strip():
        end = _word_end(source, end, sentence[1])
        if end == cluster.end:
            start = _word_start(source, start, sentence[0])
    inside = range(shift + start + 1, shift + end)
    if start == end or any(joint in inside for joint in annotated.joints):
        return None
    return _Cluster(start, end, cluster.edits)


def _word_end(source: str, at: int, limit: int) -> int:
    while at < limit and source[at].isspace():
        at += 1
    while at < limit and not source[at].isspace():
        at += 1
    return at


def _word_start(source: str, at: int, limit: int) -> int:
    while at > limit and source[at - 1].isspace():
        at -= 1
    while at > limit and not source[at - 1].isspace():
        at -= 1
    return at


def _match(
    annotated: AnnotatedText, shift: int, source: str, cluster: _Cluster, sentence: tuple[int, int]
) -> dict[str, Any]:
    start, end, replacements = _trimmed(cluster.start, cluster.end, source, cluster.replacements(source))
    offset, length = annotated.span(shift + start, shift + end)
    kinds = {edit.kind for edit in cluster.edits}
    rule, short, about = RULES[next(kind for kind in _ORDER if kind in kinds)]
    reasons = list(dict.fromkeys(reason_for_writers(evidence) for edit in cluster.edits for evidence in edit.evidence))
    return {
        "message": f"{short}: {'; '.join(reasons)}" if reasons else f"{short}.",
        "shortMessage": short,
        "replacements": [{"value": text} for text in replacements],
        "offset": offset,
        "length": length,
        "context": _context(annotated.text, shift + start, shift + end),
        "sentence": source[slice(*sentence)],
        "type": {"typeName": "Hint"},
        "rule": {
            "id": rule,
            "subId": "1",
            "sourceFile": "",
            "description": about,
            "issueType": "style",
            "urls": [],
            "category": {"id": "STYLE", "name": "Style"},
            "isPremium": False,
        },
        "ignoreForIncompleteSentence": False,
        "contextForSureMatch": 0,
    }


def _trimmed(start: int, end: int, source: str, replacements: list[str]) -> tuple[int, int, list[str]]:
    """Leave out white space that stands at both ends of the words and of all that may take their place."""
    while start < end - 1 and source[start].isspace() and all(text[:1] == source[start] for text in replacements):
        replacements = [text[1:] for text in replacements]
        start += 1
    while start < end - 1 and source[end - 1].isspace() and all(text[-1:] == source[end - 1] for text in replacements):
        replacements = [text[:-1] for text in replacements]
        end -= 1
    return start, end, replacements


def _context(text: str, start: int, end: int) -> dict[str, Any]:
    first, last = max(0, start - _CONTEXT), min(len(text), end + _CONTEXT)
    before = ("..." if first else "") + text[first:start]
    after = text[end:last] + ("..." if last < len(text) else "")
    shown = before + text[start:end] + after
    flat = "".join(" " if character in "\r\n\t" else character for character in shown)
    return {"text": flat, "offset": units(before), "length": units(text[start:end])}
