"""Split the sources of HSplit in every way that `simplify` has, and say how fast.

    python benchmarks/bench_split.py --folder outputs

Writes one file for each way, for `plainwright evaluate hsplit/test --outputs outputs/*.txt --lowercase`. The sources
are those of HSplit with their capitals (turkcorpus/test.tok_cased), which the parser needs.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from plainwright import corpora
from plainwright.rewrite import load
from timing import fastest, machine

WAYS: dict[str, dict[str, Any]] = {
    "split": {"engine": "split"},
    "split-easy": {"engine": "split", "level": "easy"},
    "split-all": {"engine": "split", "split": "all"},
    "split-all-then-rules": {"engine": "rules", "split": "all"},
    "split-all-then-list": {"proposers": [["syntax"], ["wordlist"]], "split": "all"},
}


def main() -> None:
    """Write and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("outputs"))
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    sources = corpora.load("turkcorpus/test.tok_cased").sources
    print(machine("plainwright", "spacy"))
    for name, options in WAYS.items():
        simplifier = load(**options)
        outputs = simplifier.simplify_all(sources)
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in outputs), encoding="utf-8")
        taken = fastest(partial(simplifier.simplify_all, sources))
        print(f"{name}: {len(sources) / taken:,.0f} sentences a second and core")


if __name__ == "__main__":
    main()
