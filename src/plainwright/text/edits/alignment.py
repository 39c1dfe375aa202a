"""Which words of an output stand for which words of its source, without anything learnt from data.

First the best chain of links that keeps the order: words that are the same or alike, where a word that has its
neighbours with it counts more, and words such as "the" hardly count alone. Of what is left, words that went somewhere
else are linked, the longest phrases first. Everything else is for the reader of the links to judge by its place.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from plainwright.arguments import check_instances
from plainwright.text.edits.blocks import Block, word_blocks
from plainwright.text.edits.words import Word, alike

__all__ = ["Link", "align_words"]

# What a link is worth. Only their proportions matter; whole numbers, so that sums are equal on every machine.
_SAME = {"content": 40, "function": 4, "stop": 12, "end": 30, "mark": 2}
_ALIKE = {"content": 18, "function": 3}
_TOGETHER = 16  # added if the word before is linked, too; so that what is alike never beats what is the same,
_LESS_TOGETHER = 8  # ... if one of the two links is between words that are only alike,
_AFTER_MARK = 4  # ... if only a comma is before
_ARTICLES = frozenset({"a", "the"})  # stand everywhere
_NEARBY = 3  # steps to a linked word, on both sides together
_SURELY = 1 << 20
_MOST_CELLS = 1 << 18  # words of one text times words of the other that are compared at once; 512 with 512
_ANCHOR = 8  # words in a row that are the same, and hardly by chance
_SHORT_GAP = 3  # words around a lonely "the" that may well have been replaced one by one


class Link(NamedTuple):
    """Word number `source` of the source became word number `output` of the output."""

    source: int
    output: int
    same: bool  # unchanged but for case
    moved: bool = False  # to another place among the others


def align_words(source: Sequence[Word], output: Sequence[Word]) -> list[Link]:
    """Links by place in the source; every word has at most one, those that are not moved are in order."""
    for words, name in ((source, "source"), (output, "output")):
        check_instances(words, Word, "align_words", name, "Words, as words_of returns them")
    if len(source) * len(output) > _MOST_CELLS:
        return list(_piece_by_piece(source, output))
    if _only_leaves_out(source, output):
        return _best_chain(source, output, keep_all=True)
    chain = _without_lonely(_best_chain(source, output), source, output)
    links = chain + list(_moved(chain, source, output))
    links += list(_carried_along(links, source, output))
    return sorted(links + list(_moved_and_changed(links, source, output)))


def _piece_by_piece(source: Sequence[Word], output: Sequence[Word]) -> Iterator[Link]:
    """Links in texts too long to compare each word with each: cut where many words in a row are the same."""
    i = j = 0
    blocks = word_blocks([word.form for word in source], [word.form for word in output])
    same = [block for block in blocks if block.kind == "equal"]
    end = Block("equal", range(len(source), len(source)), range(len(output), len(output)))
    for block in [*(block for block in same if len(block.source) >= _ANCHOR), end]:
        piece = source[i : block.source.start], output[j : block.output.start]
        if len(piece[0]) * len(piece[1]) > _MOST_CELLS:
            inside = [b for b in same if i <= b.source.start < block.source.start]
            yield from (Link(*pair, same=True) for b in inside for pair in zip(b.source, b.output, strict=True))
        else:
            for link in align_words(*piece):
                yield link._replace(source=link.source + i, output=link.output + j)
        yield from (Link(*pair, same=True) for pair in zip(block.source, block.output, strict=True))
        i, j = block.source.stop, block.output.stop


def _only_leaves_out(source: Sequence[Word], output: Sequence[Word]) -> bool:
    """Whether the output has no word but those of the source, in their order."""
    left = iter([word.form for word in source if word.is_word])
    return all(word.form in left for word in output if word.is_word)


def _candidates(source: Sequence[Word], output: Sequence[Word]) -> Iterator[list[tuple[int, int, bool]]]:
    """For each word of the source: where it may be in the output, what that is worth, and whether it is the same."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    related: defaultdict[str, list[int]] = defaultdict(list)
    for j, word in enumerate(output):
        places[word.form].append(j)
        related[word.beginning].append(j)
    found: dict[tuple[str, str], list[tuple[int, int, bool]]] = {}
    for word in source:
        candidates = found.get((word.form, word.kind))
        if candidates is None:
            candidates = [(j, _SAME[word.kind], True) for j in places.get(word.form, ()) if _may_stay(word, output[j])]
            like = [
                (j, _ALIKE[word.kind], False)
                for j in related.get(word.beginning, ())
                if output[j].form != word.form and alike(word, output[j])
            ]
            candidates = found[word.form, word.kind] = sorted(candidates + like) if like else candidates
        yield candidates


def _may_stay(word: Word, other: Word) -> bool:
    """Whether a word of the source and one of the output with the same form are the same.

    The full stop at the end of the source is not the one that a split put in.
    """
    return word.kind == other.kind or (word.kind == "stop" and other.kind == "end")


def _best_chain(source: Sequence[Word], output: Sequence[Word], *, keep_all: bool = False) -> list[Link]:
    """The links in order that are worth most together, by dynamic programming.

    To `keep_all`, words that are the same are worth more than all else could be.

    `best[i][j]` is the most that the first i and j words can give; it only changes at candidates and rises with j.
    """
    best = [[0] * (len(output) + 1)]
    ending: list[dict[int, tuple[int, bool, bool]]] = [{}]  # worth of the chain that ends here, same, after a link
    for i, candidates in enumerate(_candidates(source, output)):
        above, row, ends = best[-1], best[-1], {}
        after_word = i > 0 and source[i - 1].is_word
        for j, worth, same in candidates:
            before, same_before, _ = ending[-1].get(j, (-_TOGETHER, False, False))
            together = before + (
                _AFTER_MARK if not after_word else _TOGETHER if same and same_before else _LESS_TOGETHER
            )
            total = worth + max(above[j], together) + (_SURELY if keep_all and same and source[i].is_word else 0)
            ends[j + 1] = (total, same, together > above[j])
            if total > row[j + 1]:
                row = row[:] if row is above else row
                end = bisect_left(row, total, j + 1)
                row[j + 1 : end] = [total] * (end - j - 1)
        best.append(row)
        ending.append(ends)
    return _trace(best, ending)


def _trace(best: list[list[int]], ending: list[dict[int, tuple[int, bool, bool]]]) -> list[Link]:
    chain = []
    i, j = len(best) - 1, len(best[0]) - 1
    inside = False  # a run whose worth counts on the link before
    while i and j:
        if not inside and best[i][j] == best[i - 1][j]:
            i -= 1
        elif not inside and best[i][j] == best[i][j - 1]:
            j -= 1
        else:
            _, same, inside = ending[i][j]
            i, j = i - 1, j - 1
            chain.append(Link(i, j, same))
    return chain[::-1]


def _without_lonely(chain: list[Link], source: Sequence[Word], output: Sequence[Word]) -> list[Link]:
    """Without words such as "the" that stand alone in text that is otherwise rewritten: they are there by chance."""
    kept: list[Link] = []
    runs = _runs(chain)
    for number, run in enumerate(runs):
        if all(link.same and source[link.source].kind in ("function", "mark") for link in run):
            before = kept[-1] if kept else Link(-1, -1, True)
            after = runs[number + 1][0] if number + 1 < len(runs) else Link(len(source), len(output), True)
            left = _gap(before, run[0], source, output)
            right = _gap(run[-1], after, source, output)
            by_chance = _rewritten if any(source[link.source].is_word for link in run) else _not_replaced
            if (by_chance(left) and _changed(right)) or (by_chance(right) and _changed(left)):
                continue
        kept += run
    return kept


def _runs(chain: list[Link]) -> list[list[Link]]:
    runs = [chain[:1]] if chain else []
    for before, link in pairwise(chain):
        if (link.source, link.output) == (before.source + 1, before.output + 1):
            runs[-1].append(link)
        else:
            runs.append([link])
    return runs


def _gap(left: Link, right: Link, source: Sequence[Word], output: Sequence[Word]) -> tuple[int, int]:
    """How many words lie between two links on both sides."""
    return (
        sum(word.is_word for word in source[left.source + 1 : right.source]),
        sum(word.is_word for word in output[left.output + 1 : right.output]),
    )


def _changed(gap: tuple[int, int]) -> bool:
    """Whether something is new there, or so much gone that what is beyond is no neighbour any more."""
    return gap[1] > 0 or gap[0] > _SHORT_GAP


def _rewritten(gap: tuple[int, int]) -> bool:
    """Whether there are words on both sides, and more than could have been replaced one by one."""
    return min(gap) > 0 and _not_replaced(gap)


def _not_replaced(gap: tuple[int, int]) -> bool:
    """Whether a gap cannot be a few words in the place of a few others."""
    return not (min(gap) > 0 and max(gap) <= _SHORT_GAP and abs(gap[0] - gap[1]) <= 1)


def _moved(links: list[Link], source: Sequence[Word], output: Sequence[Word]) -> Iterator[Link]:
    """Words of content that stand elsewhere, with the words around them; the longest phrases first."""
    from_free, to_free = _free(links, source, output)
    places: defaultdict[str, list[int]] = defaultdict(list)
    for j in to_free:
        places[output[j].form].append(j)
    starts = [(i, j) for i in from_free for j in places[source[i].form]]
    while starts:
        phrases = [(i, j, _shared(i, j, from_free, to_free, source, output)) for i, j in starts]
        phrases = [phrase for phrase in phrases if _weight(source, phrase[0], phrase[2])]
        if not phrases:
            return
        # All at once that do not stand in each other's way; what they cut short is looked at again.
        phrases.sort(key=lambda p: (-_weight(source, p[0], p[2]), -p[2], abs(p[0] - p[1]), p))
        for i, j, length in phrases:
            if all(i + k in from_free and j + k in to_free for k in range(length)):
                for k in range(length):
                    from_free.discard(i + k)
                    to_free.discard(j + k)
                    yield Link(i + k, j + k, same=True, moved=True)
        starts = [(i, j) for i, j, _ in phrases if i in from_free and j in to_free]


def _free(links: list[Link], source: Sequence[Word], output: Sequence[Word]) -> tuple[set[int], set[int]]:
    from_free = set(range(len(source))) - {link.source for link in links}
    return from_free, set(range(len(output))) - {link.output for link in links}


def _shared(
    i: int, j: int, from_free: set[int], to_free: set[int], source: Sequence[Word], output: Sequence[Word]
) -> int:
    """How many words in a row are the same from here on; a phrase ends with its sentence."""
    length = 0
    while (
        i + length in from_free
        and j + length in to_free
        and source[i + length].form == output[j + length].form
        and source[i + length].kind not in ("stop", "end")
    ):
        length += 1
    return length


def _weight(source: Sequence[Word], start: int, length: int) -> int:
    return sum(word.kind == "content" for word in source[start : start + length])


def _carried_along(links: list[Link], source: Sequence[Word], output: Sequence[Word]) -> Iterator[Link]:
    """Small words that are still near the same word as before, if on its other side: "in late May", "late in May"."""
    from_free, to_free = _free(links, source, output)
    places = {link.source: link.output for link in links}
    pairs = [
        (abs(i - beside) + abs(j - places[beside]), i, j)
        for i in from_free
        if source[i].kind == "function" and source[i].form not in _ARTICLES
        for beside in range(i - _NEARBY, i + _NEARBY + 1)
        if beside in places
        for j in range(places[beside] - _NEARBY, places[beside] + _NEARBY + 1)
        if j in to_free and output[j].form == source[i].form and abs(i - beside) + abs(j - places[beside]) <= _NEARBY
    ]
    yield from _nearest(pairs, from_free, to_free, same=True)


def _nearest(
    pairs: list[tuple[int, int, int]], from_free: set[int], to_free: set[int], *, same: bool
) -> Iterator[Link]:
    """Each word once, the pairs with the smallest distance first."""
    for _, i, j in sorted(pairs):
        if i in from_free and j in to_free:
            from_free.discard(i)
            to_free.discard(j)
            yield Link(i, j, same=same, moved=True)


def _moved_and_changed(links: list[Link], source: Sequence[Word], output: Sequence[Word]) -> Iterator[Link]:
    from_free, to_free = _free(links, source, output)
    pairs = [
        (abs(i - j), i, j)
        for i in from_free
        for j in to_free
        if source[i].kind == "content" and source[i].beginning == output[j].beginning and alike(source[i], output[j])
    ]
    yield from _nearest(pairs, from_free, to_free, same=False)
