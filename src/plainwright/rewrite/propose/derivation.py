"""Which words of the output stand for which of the input, as the derivation tells it.

A derivation is a tree of rules. Where the parts of a rule keep their order, the words between them pair up, so every
change is as small as the rules allow. Where they trade places, the whole of the rule is one block. So are phrases that
trade places with one another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plainwright.decode import Step
from plainwright.rewrite.surface import Block
from plainwright.rewrite.types import Span

__all__ = ["blocks_of"]


@dataclass(slots=True)
class _Node:
    position: int  # in the derivation
    step: Step
    parts: list[_Node]


def blocks_of(derivation: Sequence[Step]) -> list[Block]:
    """Return blocks that cover input and output, both from left to right."""
    blocks: list[Block] = []
    for first, *others in _in_order(_trees(derivation)):
        if others:
            blocks.append(_reordered([first, *others], derivation))
        elif first.step.kind == "rule":
            blocks += _blocks(first)
        else:  # most of them
            blocks.append(Block("copy", first.step.source, first.step.target))
    return blocks


def _in_order(nodes: Sequence[_Node]) -> Iterator[list[_Node]]:
    """Group neighbours of the output so that the groups follow one another in the input, too."""
    group: list[_Node] = []
    start = end = words = 0
    for node in nodes:
        group.append(node)
        end = max(end, node.step.source[1])
        words += node.step.source[1] - node.step.source[0]
        if words == end - start:
            yield group
            group, start, words = [], end, 0


def _reordered(nodes: Sequence[_Node], derivation: Sequence[Step]) -> Block:
    rules = tuple(rule for node in nodes for rule in _rules(node))
    if not rules:  # words that no rule knows traded places: the rule next to them answers for it
        near = (position for position, step in enumerate(derivation) if step.kind == "rule")
        rules = (min(near, key=lambda position: abs(position - nodes[0].position)),)
    begins, ends = zip(*(node.step.source for node in nodes), strict=True)
    source, target = (min(begins), max(ends)), (nodes[0].step.target[0], nodes[-1].step.target[1])
    return Block("reorder", source, target, rules)


def _trees(derivation: Sequence[Step]) -> list[_Node]:
    tops: list[_Node] = []
    path: list[_Node] = []
    for position, step in enumerate(derivation):
        node = _Node(position, step, [])
        del path[step.depth :]
        (path[-1].parts if path else tops).append(node)
        path.append(node)
    return tops


def _blocks(node: _Node) -> Iterator[Block]:
    step = node.step
    if step.kind != "rule":
        yield Block("copy", step.source, step.target)
        return
    # The steps of a derivation come in the order of the output.
    starts = [part.step.source[0] for part in node.parts]
    if starts != sorted(starts):
        yield Block("reorder", step.source, step.target, tuple(_rules(node)))
        return
    source, target = step.source[0], step.target[0]
    for part in node.parts:
        yield from _written(node.position, (source, part.step.source[0]), (target, part.step.target[0]))
        yield from _blocks(part)
        source, target = part.step.source[1], part.step.target[1]
    yield from _written(node.position, (source, step.source[1]), (target, step.target[1]))


def _written(rule: int, source: Span, target: Span) -> Iterator[Block]:
    if source[0] < source[1] or target[0] < target[1]:
        yield Block("write", source, target, (rule,))


def _rules(node: _Node) -> Iterator[int]:
    if node.step.kind == "rule":
        yield node.position
    for part in node.parts:
        yield from _rules(part)
