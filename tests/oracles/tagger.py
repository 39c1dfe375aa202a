"""The tagger as its description says, one feature after the other: slow, and written from `core/src/tagger_*.hpp`.

The features are written down a second time, as tuples of what they look at; only their hash is the core's.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

_MASK = 2**64 - 1
_A, _B = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
_HEADER = struct.Struct("=8sIIQQIIII")
_BRACKETS = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}"}
_LOWER, _INITIAL, _ALL_CAPITALS, _MIXED, _UNKNOWN = range(1, 6)
_NO_TAG = 255


def _mix(value: int) -> int:
    value = value * _A & _MASK
    return (value ^ value >> 32) * _B & _MASK


def _join(a: int, b: int) -> int:
    return _mix(a ^ (b + _B) & _MASK)


def _hash(text: bytes) -> int:
    value = _B
    for start in range(0, len(text), 8):
        piece = text[start : start + 8]
        word = int.from_bytes(piece, "little") ^ (0 if len(piece) == 8 else len(piece) << 56)
        value = (_mix(value ^ word) + 1) & _MASK
    return value


def _key(*values: int) -> int:
    joined = values[0]
    for value in values[1:]:
        joined = _join(joined, value)
    return _mix(joined) >> 32


class _Token(NamedTuple):
    word: int = 0
    lower: int = 0
    endings: tuple[int, ...] = (0,) * 5
    beginning: int = 0
    shape: int = 0
    casing: int = 0


def _is_upper(character: str) -> bool:
    return character.isupper() or character.istitle()


def _shape(word: str) -> str:
    shape = ""
    for character in word:
        if _is_upper(character):
            kind = "X"
        elif character.isalpha():
            kind = "x"
        elif not character.isascii():
            kind = "?"
        else:
            kind = "0" if character.isdigit() else character
        shape += "" if shape.endswith(kind) else kind
    return shape


def _casing(word: str) -> int:
    letters = [character for character in word if character.isalpha()]
    capitals = sum(map(_is_upper, letters))
    if capitals == 0:
        return _LOWER
    if capitals == len(letters) > 1:
        return _ALL_CAPITALS
    return _INITIAL if capitals == 1 and _is_upper(letters[0]) else _MIXED


def _token(word: str, caseless: bool) -> _Token:
    word = _BRACKETS.get(word.lower(), word)
    lower = "".join("0" if c in "0123456789" else c for c in word.lower())
    text = lower.encode()
    casing = _UNKNOWN if caseless else _casing(word)
    return _Token(
        word=_join(_hash(text), casing),
        lower=_hash(text),
        endings=tuple(_join(_hash(text[-n:]), int(len(text) <= n)) for n in range(1, 6)),
        beginning=_hash(text[:3]),
        shape=_join(_hash(_shape(lower if caseless else word).encode()), casing),
        casing=casing,
    )


class TaggerOracle:
    """Reads the bytes of a tagger and tags with them."""

    def __init__(self, content: bytes) -> None:
        *_, name_bytes, words, features, weights = _HEADER.unpack_from(content)
        at = _HEADER.size

        def section(form: str, count: int) -> tuple[int, ...]:
            nonlocal at
            values = struct.unpack_from(f"={count}{form}", content, at)
            at += (struct.calcsize(f"={count}{form}") + 7) // 8 * 8
            return values

        self.tags = bytes(section("B", name_bytes)).decode().split(" ")
        word_keys = section("I", words)
        self.dictionary = dict(zip(word_keys, section("B", words), strict=True))
        keys, counts = section("I", features), section("B", features)
        pairs = iter(list(zip(section("B", weights), section("b", weights), strict=True)))
        self.weights = {key: [next(pairs) for _ in range(count)] for key, count in zip(keys, counts, strict=True)}

    def tag(self, words: list[str]) -> list[str]:
        letters = "".join(word for word in words if word.lower() not in _BRACKETS)
        caseless = not (any(map(_is_upper, letters)) and any(map(str.islower, letters)))
        tokens = [_Token(), _Token(), *(_token(word, caseless) for word in words), _Token(), _Token()]
        found: list[int] = []
        for i in range(len(words)):
            known = self.dictionary.get(_key(0, tokens[i + 2].word))
            found.append(self._best(tokens[i : i + 5], [_NO_TAG, _NO_TAG, *found][-2:]) if known is None else known)
        return [self.tags[tag] for tag in found]

    def _best(self, around: list[_Token], tags_before: list[int]) -> int:
        scores = [0] * len(self.tags)
        for feature in _features(around, tags_before):
            for tag, weight in self.weights.get(_key(*feature), ()):
                scores[tag] += weight
        return scores.index(max(scores))


def _features(around: list[_Token], tags_before: list[int]) -> Iterator[tuple[int, ...]]:
    before2, before, here, after, after2 = around
    one = tags_before[1] + 1
    two = one << 8 | tags_before[0] + 1
    suffix = here.endings[2]
    yield from ((1, here.word), (2, here.lower), *((3 + n, ending) for n, ending in enumerate(here.endings)))
    yield from ((8, here.beginning), (9, here.shape), (10, before.casing, here.casing, after.casing))
    yield from ((11, before.lower), (12, after.lower), (13, before2.lower), (14, after2.lower))
    yield from ((15, before.lower, here.lower), (16, here.lower, after.lower), (17, before.lower, after.lower))
    yield from ((18, before.endings[2]), (19, after.endings[2]), (20, after.lower, after2.lower))
    yield from ((21, suffix, before.lower), (22, suffix, after.lower), (23, suffix, here.casing, before.casing))
    yield (24, here.lower, before2.lower, before.lower)
    yield from ((32, one), (33, two), (34, one, here.lower), (35, one, after.lower), (36, one, suffix))
    yield from ((37, two, here.lower), (38, one, here.casing, after.casing), (39, one, after.endings[1]))
    yield (40, two, here.endings[1])
