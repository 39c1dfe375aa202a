"""From links between words to changes: what was left out, put otherwise, or split.

The links cut both texts into gaps. In a gap, phrases of the source go to the new phrases of the output in order, each
to one of about its size; a phrase that finds none was left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from plainwright.rate.material import EditKind
from plainwright.text.edits import Link, Word

__all__ = ["Change", "Comparison"]

_NOTHING = range(0)
_MOST_PHRASES = 4  # of the source that one new phrase stands for
_UNPAIRED = 2  # words that it costs, besides its own, to leave a phrase without a partner
_JOINTS = frozenset({"and"})  # what a full stop may stand for
_EMPTY = frozenset({"a", "the", "and", "or", "that", "which", "who"})  # what never stands for a word of content
_PREPOSITIONS = frozenset(("about", "after", "at", "before", "by", "during", "for", "from", "in", "of", "on", "to"))
_OPENERS = _PREPOSITIONS | {"as", "because", "than", "that", "when", "where", "which", "while", "who", "with"}
_LEANING = _PREPOSITIONS | {"a", "and", "between", "into", "the", "with", "'s", "'"}  # what needs the words beside it


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
        self._stayed = {link.output for link in links if link.same and not link.moved}
        self._came_changed = {link.output: link.source for link in links if link.moved and not link.same}

    def changes(self) -> list[Change]:
        """All changes, from left to right."""
        in_order = sorted(self._all(), key=lambda change: (change.output.start, change.output.stop, change.kind))
        joined: list[Change] = []
        for change in in_order:
            both = self._as_one(joined[-1], change) if joined else None
            if both is None:
                joined.append(change)
            else:
                joined[-1] = both
        return joined

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
        new = _phrases(self._output, [j for j in output if j not in self._came])
        old = _phrases(self._source, [i for i in gone if i not in joints])
        short = all(len(phrase) == 1 for phrase in new)
        old = [
            part for phrase in old if not self._went_along(phrase) for part in self._without_asides(phrase, short=short)
        ]
        yield from self._paired(old, new, output, stops)

    def _is_joint(self, number: int, gap: range) -> bool:
        """Whether it joins two clauses rather than two words: a comma or the edge of the gap is beside it."""
        at_edge = number in (gap.start, gap.stop - 1) or not self._source[number - 1].is_word
        return at_edge and self._source[number].form in _JOINTS

    def _went_along(self, phrase: range) -> bool:
        """Whether it is but an "of the" beside a word that moved."""
        leans = all(self._source[i].form in _LEANING for i in phrase)
        return leans and not self._went.isdisjoint((phrase.start - 1, phrase.stop))

    def _without_asides(self, phrase: range, *, short: bool) -> Iterator[range]:
        """The phrase cut before "of 2022": a name or number does not get lost in other words, but with its phrase.

        Where new phrases are `short`, single words, also before "during the long winter", which says too much for them.
        """
        start = phrase.start
        for number in phrase[1:]:
            if self._source[number].form in _OPENERS and self._is_aside(range(number, phrase.stop), short=short):
                yield range(start, number)
                start = number
        yield range(start, phrase.stop)

    def _is_aside(self, phrase: range, *, short: bool) -> bool:
        after = [self._source[i] for i in phrase[1:]]
        ends = next((k for k, word in enumerate(after) if word.form in _OPENERS), len(after))
        named = any(word.special for word in after[: min(ends, 2)])
        return named or (short and sum(word.kind == "content" for word in after[:ends]) > 1)

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
            # "because" that went with a split would have opened the second sentence.
            stop = next((stop for stop in stops if stop >= at and not self._content(phrase)), at - 1)
            yield Change("deletion", range(stop + 1, stop + 1), phrase)

    def _together(self, phrases: Sequence[range]) -> list[range]:
        """Phrases with nothing but marks between them as one."""
        joined: list[range] = []
        for phrase in phrases:
            if joined and not self._between(joined[-1], phrase):
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
                        (self._misfit(self._hull(old, a, a + k), new[b]), k, 1)
                        for k in range(1, min(_MOST_PHRASES, len(old) - a) + 1)
                        if not self._follows(old, a) and self._may_become(self._hull(old, a, a + k), new[b])
                    ]
                    ways.append((_count(self._output, new[b]) + _UNPAIRED, 0, 1))
                if a < len(old):
                    ways.append((1 if self._goes_easily(old, a) else len(old[a]) + _UNPAIRED, 1, 0))
                if ways:
                    totals = [(cost + costs[a + k, b + uses][0], k, uses) for cost, k, uses in ways]
                    # Of two ways as good, the one that says "replaced" rather than "left out", and as early as can be.
                    costs[a, b] = min(totals, key=lambda way: (way[0], -way[2], -way[1]))
        return costs

    def _may_become(self, phrase: range, new: range) -> bool:
        """Not if some of it went elsewhere, nor if it says far more."""
        if any(i in self._went for i in phrase):
            return False
        content = self._content(phrase)
        if self._has_date(phrase) and not any(self._output[j].special for j in new):
            return False
        if all(self._output[j].form in _EMPTY for j in new):
            return content == 0
        small = all(self._output[j].kind != "content" for j in new)
        return content <= (1 if small else 2) * _count(self._output, new) + 1

    def _misfit(self, phrase: range, new: range) -> int:
        """How far two phrases are from having the same length, weight and place."""
        misfit = abs(_count(self._source, phrase) - _count(self._output, new))
        weight_differs = bool(self._content(phrase)) != any(self._output[j].kind == "content" for j in new)
        return misfit + weight_differs + (_after_mark(self._source, phrase) != _after_mark(self._output, new))

    def _goes_easily(self, phrases: Sequence[range], number: int) -> bool:
        """Whether it is an aside, or has a name or number, which survives when a phrase is put otherwise."""
        phrase = phrases[number]
        named = len(phrase) > 1 and any(self._source[i].special for i in phrase)
        return named or self._follows(phrases, number)

    def _follows(self, phrases: Sequence[range], number: int) -> bool:
        """Whether it was cut off the phrase before: an aside, which is not replaced alone."""
        return number > 0 and phrases[number - 1].stop == phrases[number].start

    def _as_one(self, left: Change, right: Change) -> Change | None:
        """Neighbours as one paraphrase: new words in a row, and small words that went right beside them."""
        kinds = {left.kind, right.kind}
        if "split" in kinds or kinds == {"deletion"} or not self._touch(left, right):
            return None
        for change in (left, right):
            if change.kind == "deletion" and self._content(change.source):
                return None
        if not left.source or not right.source:
            both = left.source or right.source
        elif left.source.stop <= right.source.start and not self._between(left.source, right.source):
            both = range(left.source.start, right.source.stop)
        else:
            return None
        return Change("paraphrase", range(left.output.start, right.output.stop), both)

    def _touch(self, left: Change, right: Change) -> bool:
        """Whether nothing is between them in the output, or for two paraphrases nothing but a new comma."""
        between = range(left.output.stop, right.output.start)
        if left.kind != right.kind:
            return not between
        return all(self._output[j].kind == "mark" and j not in self._stayed for j in between)

    def _between(self, left: range, right: range) -> int:
        return _count(self._source, range(left.stop, right.start))

    def _has_date(self, phrase: range) -> bool:
        special = [self._source[i].form for i in phrase if self._source[i].special]
        return len(special) > 1 and any(form[0].isdigit() for form in special)

    def _content(self, phrase: range) -> int:
        return sum(self._source[i].kind == "content" for i in phrase)

    def _hull(self, phrases: Sequence[range], first: int, last: int) -> range:
        return range(phrases[first].start, phrases[last - 1].stop)


def _count(words: Sequence[Word], run: range) -> int:
    return sum(words[number].is_word for number in run)


def _phrases(words: Sequence[Word], numbers: Sequence[int]) -> list[range]:
    """Words in a row, without marks."""
    phrases: list[range] = []
    for number in numbers:
        if not words[number].is_word:
            continue
        if phrases and phrases[-1].stop == number:
            phrases[-1] = range(phrases[-1].start, number + 1)
        else:
            phrases.append(range(number, number + 1))
    return phrases


def _after_mark(words: Sequence[Word], run: range) -> bool:
    """Whether a clause may begin here."""
    before = words[run.start - 1] if run.start > 0 else None
    return before is not None and (not before.is_word or before.form in _JOINTS)
