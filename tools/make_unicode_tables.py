# ruff: noqa: T201
"""Write core/src/unicode_tables.inc: the character facts that the native text layer needs.

Punctuation, symbols and numbers come from the `regex` module, because sacreBLEU's `intl` tokeniser asks it;
casing and white space come from Python's own `str`, by asking it about every code point. So the tables equal
what those two say on the machine that ran this script; the versions are written into the file.

Run: .venv/bin/python tools/make_unicode_tables.py > core/src/unicode_tables.inc
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable, Iterator

import regex

CODE_POINTS = 0x110000
BLOCK = 128
PUNCTUATION, SYMBOL, NUMBER, CASED, CASE_IGNORABLE, LETTER, UPPER = (1 << bit for bit in range(7))


def main() -> None:
    """Print the tables."""
    characters = [chr(code) for code in range(CODE_POINTS)]
    traits = [_traits(character) for character in characters]
    blocks: dict[bytes, int] = {}
    index = [
        blocks.setdefault(bytes(traits[first : first + BLOCK]), len(blocks)) for first in range(0, CODE_POINTS, BLOCK)
    ]
    print("// Made by tools/make_unicode_tables.py; do not edit.")
    python = f"Python {sys.version.split()[0]}, Unicode {unicodedata.unidata_version}"
    print(f"// regex {regex.__version__}; {python}.")
    print(f"constexpr unsigned kBlock = {BLOCK};")
    _array("std::uint8_t", "kBlockIndex", index)
    _array("std::uint8_t", "kTraits", (trait for block in blocks for trait in block))
    ranges = list(_lower_ranges(characters))
    print("struct LowerRange {\n    char32_t first, last;\n    std::int32_t delta;\n    char32_t step;\n};")
    print(f"constexpr LowerRange kLowerRanges[{len(ranges)}] = {{")
    for first, last, delta, step in ranges:
        print(f"    {{{first:#x}, {last:#x}, {delta}, {step}}},")
    print("};")


def _traits(character: str) -> int:
    code = ord(character)
    if 0xD800 <= code < 0xE000:
        return 0
    # str.lower makes a capital sigma final after a cased letter, looking through case-ignorable characters.
    cased = (character + "Σ").lower()[-1] == "ς"
    seen_through = ("A" + character + "Σ").lower()[-1] == "ς"
    facts = {
        PUNCTUATION: regex.match(r"\p{P}", character) is not None,
        SYMBOL: regex.match(r"\p{S}", character) is not None,
        NUMBER: regex.match(r"\p{N}", character) is not None,
        CASED: cased,
        CASE_IGNORABLE: seen_through and not cased,
        LETTER: character.isalpha(),
        UPPER: character.isupper() or character.istitle(),
    }
    return sum(bit for bit, holds in facts.items() if holds)


def _lower_ranges(characters: Iterable[str]) -> Iterator[tuple[int, int, int, int]]:
    """Runs (first, last, delta, step) of characters whose lower case is `delta` away."""
    run: tuple[int, int, int, int] | None = None
    for character in characters:
        lower = character.lower()
        if len(lower) != 1 and character != "\u0130":  # the only longer one; unicode.cpp knows it
            msg = f"unexpected long lower case of {character!r}"
            raise SystemExit(msg)
        if lower == character or len(lower) != 1:
            continue
        code, delta = ord(character), ord(lower) - ord(character)
        if run is not None and run[2] == delta:
            first, last, _, step = run
            if code - last == step or (first == last and code - last <= 2):
                run = (first, code, delta, code - last)
                continue
        if run is not None:
            yield run
        run = (code, code, delta, 1)
    if run is not None:
        yield run


def _array(kind: str, name: str, values: Iterable[int]) -> None:
    values = list(values)
    if max(values) > 255:
        msg = f"{name} needs a wider type"
        raise SystemExit(msg)
    print(f"constexpr {kind} {name}[{len(values)}] = {{")
    for first in range(0, len(values), 32):
        print("    " + ",".join(map(str, values[first : first + 32])) + ",")
    print("};")


if __name__ == "__main__":
    main()
