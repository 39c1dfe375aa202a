"""Paste what commands and Python snippets print today into the documentation.

    python tools/refresh_transcripts.py [PAGE…]

Console blocks are touched if they show some output; write a single "…" below a new command to have it filled in.
Read the difference before you commit it: a changed number belongs in CHANGELOG.md.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests import test_documentation as documentation


def refreshed_console(block: documentation.Block) -> str:
    parts = []
    for command, written, _ in documentation.commands(block):
        _, printed = documentation.run(command)
        parts.append(f"$ {written}\n{printed.rstrip()}\n" if printed.strip() else f"$ {written}\n")
    return "".join(parts)


def refreshed_python(block: documentation.Block, names: dict[str, object]) -> str:
    parts = []
    for piece in doctest.DocTestParser().parse(block.text):
        if isinstance(piece, str):
            parts.append(piece)
            continue
        first, *rest = piece.source.rstrip("\n").split("\n")
        parts += [f">>> {first}\n", *(f"... {line}".rstrip() + "\n" for line in rest)]
        if piece.exc_msg is not None:
            parts.append(piece.want)
            continue
        stream = io.StringIO()
        with contextlib.redirect_stdout(stream):
            exec(compile(piece.source, str(block), "single"), names)
        parts.append(stream.getvalue())
    return "".join(parts)


def main(pages: list[Path]) -> None:
    for page in pages:
        text, names = page.read_text(encoding="utf-8"), {"__name__": "__main__"}
        for block in documentation.blocks(page):
            if block in documentation.TRANSCRIPTS:
                new = refreshed_console(block)
            elif block.info == "python" and ">>>" in block.text:
                new = refreshed_python(block, names)
            else:
                continue
            text = text.replace(f"```{block.info}\n{block.text}```", f"```{block.info}\n{new}```")
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    chosen = [Path(name).resolve() for name in sys.argv[1:]] or documentation.PAGES
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "examples").symlink_to(documentation.ROOT / "examples")
        os.chdir(place)
        main(chosen)
