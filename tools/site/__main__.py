"""Command line of the site builder."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tools.site.build import build
from tools.site.pages import gather

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Gather the pages and build the site; a link that leads nowhere is an error."""
    parser = argparse.ArgumentParser(prog="python -m tools.site", description="Build the documentation site.")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "docs", help="folder for pages and site")
    parser.add_argument("--pages", action="store_true", help="only gather the Markdown pages")
    parser.add_argument("--run-tutorials", action="store_true", help="run the notebooks and store what they print")
    arguments = parser.parse_args()
    if arguments.run_tutorials:
        from tools.site.tutorials import run_all

        run_all(ROOT)
        return 0
    gather(ROOT, arguments.output / "pages")
    if arguments.pages:
        return 0
    if problems := build(ROOT, arguments.output):
        sys.stderr.write(problems)
        return 1
    sys.stdout.write(f"{arguments.output / 'site' / 'index.html'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
