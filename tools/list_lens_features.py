"""Write the tables of docs/lens-features.md and docs/lens-features-references.md: each feature with its meaning.

Run: .venv/bin/python tools/list_lens_features.py
"""

from __future__ import annotations

from pathlib import Path

from plainwright.files import atomic_write
from plainwright.lens.features import DESCRIPTIONS

DOCS = Path(__file__).resolve().parents[1] / "docs"
BESIDE_THE_SOURCE = {"source_difference", "edit", "source"}
HEADER = "| feature | meaning |\n|---|---|\n"


def main() -> None:
    """Replace everything from the table on: it ends each page."""
    beside_source = {name for name in DESCRIPTIONS if name.partition(".")[0] in BESIDE_THE_SOURCE}
    write("lens-features.md", [name for name in DESCRIPTIONS if name in beside_source])
    write("lens-features-references.md", [name for name in DESCRIPTIONS if name not in beside_source])


def write(page: str, names: list[str]) -> None:
    """Write one page's table."""
    text, _, _ = (DOCS / page).read_text(encoding="utf-8").partition(HEADER)
    rows = (f"| `{name}` | {DESCRIPTIONS[name]} |\n" for name in names)
    with atomic_write(DOCS / page) as stream:
        stream.write(text + HEADER + "".join(rows))


if __name__ == "__main__":
    main()
