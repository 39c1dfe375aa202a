"""From links between words to changes: what was left out, put otherwise, or split.

The links cut both texts into gaps. In a gap, phrases of the source go to the new phrases of the output in order, each
to one of about its size; a phrase that finds none was left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from plainwright.rate.alignment import Link
from plainwright.rate.material import EditKind
from plainwright.rate.words import Word

__all__ = ["Change", "Comparison"]

_NOTHING = range(0)
_MOST_PHRASES = 4  # of the source that one new phrase stands for
_UNPAIRED = 2  # words that it costs, besides its own, to leave a phrase without a partner
_JOINTS = frozenset({"and"})  # what a full stop may stand for
_EMPTY = frozenset({"a", "an", "the", "and", "or"})  # what never stands for more than itself
_BEFORE_NAMES = frozenset(
    ("about", "after", "at", "before", "by", "during", "for", "from", "in", "of", "on", "since", "to")
)


@dataclass(frozen=True, slots=True)
class Change:
    """An edit in words, by their numbers; `output` is empty, but has its place, for a deletion and a split."""

    kind: EditKind
    output: range
    source: range = _NOTHING


class Comparison:
    """Two texts whose words are linked."""

    def __init__(self, source: Sequence[Word], output: Sequence[Word], links: Sequence[Link]) -> None:
        self._source = source
        self._output = output
        self._chain = [link for link in links if not link.moved]
        self._went = {link.source for link in links if link.moved}
        self._came = {link.output for link in links if link.moved and link.same}
        self._came_changed = {link.output: link.source for link in links if link.moved and not link.same}

    def changes(self) -> list[Change]:
        """All changes, from left to right."""
        return _joined(list(self._all()), self._source, self._output)

    def _all(self) -> Iterator[Change]:
        end = Link(len(self._source), len(self._output), same=True)
        for left, right in pairwise([Link(-1, -1, same=True), *self._chain, end]):
            gap = range(left.source + 1, right.source), range(left.output + 1, right.output)
            yield from self._in_gap(*gap)
            if not right.same:
                here = range(right.output, right.output + 1)
                yield Change("paraphrase", here, range(right.source, right.source + 1))

    def _in_gap(self, source: range, output: range) -> Iterator[Change]:
        stops = [j for j in output if self._output[j].kind == "stop"]
        gone = [i for i in source if i not in self._went]
        joints = [i for i in gone if stops and self._is_joint(i, source)][: len(stops)]
        for number, stop in enumerate(stops):
            joint = range(joints[number], joints[number] + 1) if number < len(joints) else _NOTHING
            yield Change("split", range(stop + 1, stop + 1), joint)
        old = self._phrases(self._source, [i for i in gone if i not in joints], cut_at=("mark", "stop", "end"))
        new = self._phrases(self._output, [j for j in output if j not in self._came], cut_at=("stop", "end"))
        yield from self._paired(old, new, output, stops)

    def _is_joint(self, number: int, gap: range) -> bool:
        """Whether it joins two clauses rather than two words: a comma or the edge of the gap is beside it."""
        at_edge = number in (gap.start, gap.stop - 1) or not self._source[number - 1].is_word
        return at_edge and self._source[number].form in _JOINTS

    def _phrases(self, words: Sequence[Word], numbers: Sequence[int], cut_at: Sequence[str]) -> list[range]:
        """Words in a row, without marks at their ends."""
        phrases: list[range] = []
        for number in numbers:
            if not words[number].is_word:
                continue
            before = range(phrases[-1].stop, number) if phrases else None
            apart = before is None or any(
                words[between].is_word or words[between].kind in cut_at or between not in numbers for between in before
            )
            apart = apart or ("mark" in cut_at and self._names_something(number, numbers))
            if apart:
                phrases.append(range(number, number + 1))
            else:
                phrases[-1] = range(phrases[-1].start, number + 1)
        return phrases

    def _names_something(self, number: int, numbers: Sequence[int]) -> bool:
        """Whether "of 2022", "in the North" begins here."""
        if self._source[number].form not in _BEFORE_NAMES:
            return False
        following = [self._source[i] for i in range(number + 1, min(number + 3, len(self._source))) if i in numbers]
        return any(word.special for word in following)

    def _paired(
        self, old: Sequence[range], new: Sequence[range], output: range, stops: Sequence[int]
    ) -> Iterator[Change]:
        at = output.start
        left_out: list[range] = []
        for first, last, target in self._pairing(old, new):
            phrase = range(old[first].start, old[last - 1].stop) if first < last else _NOTHING
            if target is None:
                left_out.append(phrase)
                continue
            yield from self._left_out(left_out, at, stops)
            left_out = []
            yield Change("paraphrase", new[target], phrase or self._from_elsewhere(new[target]))
            at = new[target].stop
        yield from self._left_out(left_out, at, stops)

    def _from_elsewhere(self, new: range) -> range:
        """The word that became the new one, where it is a changed word from another place."""
        origins = [self._came_changed[j] for j in new if j in self._came_changed]
        return range(origins[0], origins[0] + 1) if len(origins) == 1 else _NOTHING

    def _left_out(self, phrases: Sequence[range], at: int, stops: Sequence[int]) -> Iterator[Change]:
        for phrase in self._together(phrases):
            small = not self._content(phrase)
            if small and not self._went.isdisjoint((phrase.start - 1, phrase.stop)):
                continue  # "of" goes with the word that moved
            # "because" that went with a split would have opened the second sentence.
            stop = next((stop for stop in stops if stop >= at and small), at - 1)
            yield Change("deletion", range(stop + 1, stop + 1), phrase)

    def _together(self, phrases: Sequence[range]) -> list[range]:
        """Phrases with nothing but marks between them as one."""
        joined: list[range] = []
        for phrase in phrases:
            if joined and not any(self._source[i].is_word for i in range(joined[-1].stop, phrase.start)):
                joined[-1] = range(joined[-1].start, phrase.stop)
            else:
                joined.append(phrase)
        return joined

    def _pairing(self, old: Sequence[range], new: Sequence[range]) -> Iterator[tuple[int, int, int | None]]:
        """Which phrases of the source, from first to before last, go to which new one; the cheapest way, in order."""
        costs = self._costs(old, new)
        a = b = 0
        while a < len(old) or b < len(new):
            _, taken, uses = costs[a, b]
            yield a, a + taken, b if uses else None
            a, b = a + taken, b + uses

    def _costs(self, old: Sequence[range], new: Sequence[range]) -> dict[tuple[int, int], tuple[int, int, int]]:
        """By what is left of both: the cost, how many old phrases are taken now, and whether a new one is."""
        costs = {(len(old), len(new)): (0, 0, 0)}
        for a in range(len(old), -1, -1):
            for b in range(len(new), -1, -1):
                ways = []
                if b < len(new):
                    ways += [
                        (abs(self._words(self._hull(old, a, a + k)) - _count(self._output, new[b])), k, 1)
                        for k in range(1, min(_MOST_PHRASES, len(old) - a) + 1)
                        if self._may_become(self._hull(old, a, a + k), new[b])
                    ]
                    ways.append((_count(self._output, new[b]) + _UNPAIRED, 0, 1))
                if a < len(old):
                    ways.append((1 if self._has_name(old[a]) else self._words(old[a]) + _UNPAIRED, 1, 0))
                if ways:
                    costs[a, b] = min((cost + costs[a + k, b + uses][0], k, uses) for cost, k, uses in ways)
        return costs

    def _may_become(self, phrase: range, new: range) -> bool:
        """Not if some of it went elsewhere, nor if it says far more."""
        if any(i in self._went for i in phrase):
            return False
        if self._content(phrase) and all(self._output[j].form in _EMPTY for j in new):
            return False
        return self._content(phrase) <= 2 * _count(self._output, new) + 1

    def _has_name(self, phrase: range) -> bool:
        """Names and numbers survive being put otherwise; a longer phrase without its name was left out."""
        return len(phrase) > 1 and any(self._source[i].special for i in phrase)

    def _words(self, phrase: range) -> int:
        return _count(self._source, phrase)

    def _content(self, phrase: range) -> int:
        return sum(self._source[i].kind == "content" for i in phrase)

    def _hull(self, phrases: Sequence[range], first: int, last: int) -> range:
        return range(phrases[first].start, phrases[last - 1].stop)


def _count(words: Sequence[Word], run: range) -> int:
    return sum(words[number].is_word for number in run)


def _joined(changes: list[Change], source: Sequence[Word], output: Sequence[Word]) -> list[Change]:
    """Neighbours as one paraphrase: new words in a row, and small words that went right beside them."""
    joined: list[Change] = []
    for change in changes:
        both = _as_one(joined[-1], change, source, output) if joined else None
        if both is None:
            joined.append(change)
        else:
            joined[-1] = both
    return joined


def _as_one(left: Change, right: Change, source: Sequence[Word], output: Sequence[Word]) -> Change | None:
    kinds = {left.kind, right.kind}
    if "split" in kinds or kinds == {"deletion"} or right.output.start != left.output.stop:
        return None
    if not left.source or not right.source:
        both = left.source or right.source
    elif left.source.stop <= right.source.start and not _count(source, range(left.source.stop, right.source.start)):
        both = range(left.source.start, right.source.stop)
    else:
        return None
    for change in (left, right):
        if change.kind == "deletion" and any(source[i].kind == "content" for i in change.source):
            return None
    return replace(left, kind="paraphrase", output=range(left.output.start, right.output.stop), source=both)
