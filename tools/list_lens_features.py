"""Write the table of docs/lens-features.md: every feature of the learned metric with its meaning.

Run: .venv/bin/python tools/list_lens_features.py
"""

from __future__ import annotations

from pathlib import Path

from plainwright.files import atomic_write
from plainwright.lens.features import DESCRIPTIONS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "lens-features.md"
HEADER = "| feature | meaning |\n|---|---|\n"


def main() -> None:
    """Replace everything from the table on: it ends the page."""
    text, _, _ = PAGE.read_text(encoding="utf-8").partition(HEADER)
    rows = (f"| `{name}` | {meaning} |\n" for name, meaning in DESCRIPTIONS.items())
    with atomic_write(PAGE) as stream:
        stream.write(text + HEADER + "".join(rows))


if __name__ == "__main__":
    main()
