"""Packs whose checksums are right whatever they hold: what a forger would make.

The formats and their checksums are written down here a second time, from core/src/grammar_format.hpp, lm_format.hpp and
tagger_format.hpp.
"""

from __future__ import annotations

import struct

__all__ = ["GRAMMAR_HEADER", "LM_HEADER", "TAGGER_HEADER", "repaired", "sections"]

GRAMMAR_HEADER = 368  # bytes
LM_HEADER = 200
TAGGER_HEADER = 48

_MASK = (1 << 64) - 1
_GRAMMAR_MAGIC = b"PWGRAM\r\n"
_LM_MAGIC = b"PW-LM\r\n\x1a"
_TAGGER_MAGIC = b"PW-TAG\n\x1a"
_VERSION = struct.pack("<II", 1, 0x01020304)
_ODD = 0x9E3779B97F4A7C15
_OTHER_ODD = 0xD6E8FEB86659FD93
_SECTIONS = 72  # where the table of the 18 sections of a grammar starts
_SECTION_NAMES = (
    *("word offsets", "words", "label offsets", "labels", "alignment offsets", "alignments"),
    *("entailment offsets", "entailments", "name offsets", "names", "symbols", "first child", "first rule"),
    *("target offsets", "targets", "columns", "tables", "records"),
)


def sections(grammar: bytes) -> dict[str, tuple[int, int]]:
    """Where each section of a packed grammar starts, and its size."""
    numbers = struct.unpack_from(f"<{2 * len(_SECTION_NAMES)}Q", grammar, _SECTIONS)
    return dict(zip(_SECTION_NAMES, zip(numbers[::2], numbers[1::2], strict=True), strict=True))


def repaired(pack: bytes) -> bytes:
    """The same pack with the right magic, version, size and checksums; its kind is told by how it starts."""
    kinds = (
        (_GRAMMAR_MAGIC, GRAMMAR_HEADER, _grammar),
        (_LM_MAGIC, LM_HEADER, _lm),
        (_TAGGER_MAGIC, TAGGER_HEADER, _tagger),
    )
    for magic, header, repair in kinds:
        if pack[:5] == magic[:5] and len(pack) >= header:
            return repair(magic + _VERSION + struct.pack("<Q", len(pack)) + pack[24:])
    return pack


def _grammar(pack: bytes) -> bytes:
    pack = pack[:24] + struct.pack("<Q", _lanes(pack[GRAMMAR_HEADER:])) + pack[32:]
    end = GRAMMAR_HEADER - 8
    return pack[:end] + struct.pack("<Q", _lanes(pack[:end])) + pack[GRAMMAR_HEADER:]


def _lm(pack: bytes) -> bytes:
    body = struct.pack("<Q", _chain(pack[LM_HEADER:]))
    blank = pack[:24] + bytes(8) + body + pack[40:LM_HEADER]
    return blank[:24] + struct.pack("<Q", _chain(blank)) + blank[32:] + pack[LM_HEADER:]


def _tagger(pack: bytes) -> bytes:
    blank = pack[:24] + bytes(8) + pack[32:]
    return blank[:24] + struct.pack("<Q", _chain(blank)) + blank[32:]


def _lanes(data: bytes) -> int:
    """The checksum of grammars."""
    words = struct.unpack(f"<{len(data) // 8}Q", data[: len(data) // 8 * 8])
    lanes = list(range(1, 9))
    whole = len(words) // 8 * 8
    for lane in range(8):
        value = lanes[lane]
        for word in (*words[lane:whole:8], *(words[whole:] if lane == 0 else ())):
            value ^= word
            value = ((value << 29 | value >> 35) & _MASK) * _ODD & _MASK
        lanes[lane] = value
    total = len(data)
    for value in lanes:
        total = ((total << 17 | total >> 47) & _MASK ^ value) * _ODD & _MASK
    return total ^ total >> 29


def _chain(data: bytes) -> int:
    """The checksum of language models and taggers."""
    whole = len(data) // 8 * 8
    words = list(struct.unpack(f"<{whole // 8}Q", data[:whole]))
    if rest := data[whole:]:
        words.append(int.from_bytes(rest, "little") ^ len(rest) << 56)
    value = _OTHER_ODD
    for word in words:
        value = (value ^ word) * _ODD & _MASK
        value ^= value >> 32
        value = value * _OTHER_ODD + 1 & _MASK
    return value
