"""What the levels of `simplify` do to 500 sentences: grade, length, words changed, and how long it takes.

    python benchmarks/levels.py
    python benchmarks/levels.py --documents    # our own documents of offices and firms instead

The sentences are lines 1,001 to 1,500 of ASSET valid. Time is that of the processor, on one thread, parser loaded.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Sequence

from plainwright.check import check_text
from plainwright.rewrite import load
from plainwright.rewriter.finding import LEVELS
from plainwright.text import split_sentences
from reading_sheet import texts

SENTENCES = 500


def words_changed(edits: Sequence[object], source: str) -> float:
    """Return how many words of a source edits touch, by a hundred."""
    touched = sum(len(edit.source_text.split()) for edit in edits)
    return 100 * touched / len(source.split())


def row(level: str, sources: Sequence[str]) -> str:
    """Return a row of the table for a level, or for the sources themselves."""
    results, seconds = [], 0.0
    if level != "source":
        simplifier = load(level=level)
        simplifier.simplify("The old bridge, which was built in 1911, was closed in May, and the river rose again.")
        before = time.process_time()
        results = [simplifier.simplify(source) for source in sources]
        seconds = time.process_time() - before
    outputs = [result.text for result in results] or list(sources)
    text = "\n\n".join(outputs)
    sentences = [one for output in outputs for one in split_sentences(output)]
    changed = sum(words_changed(result.edits, result.source) for result in results) / len(sources)
    cells = [
        level,
        f"{check_text(text).grades.flesch_kincaid:.2f}",
        f"{sum(len(one.split()) for one in sentences) / len(sentences):.1f}",
        f"{sum(output != source for output, source in zip(outputs, sources, strict=True)) / len(sources):.0%}",
        f"{changed:.1f}",
        f"{len(sources) / seconds:.0f}" if seconds else "–",
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", action="store_true", help="our own documents instead of ASSET")
    arguments = parser.parse_args()
    if arguments.documents:
        sources = [text for _, text in texts("documents")]
    else:
        sources = [text for _, text in texts("asset")][:SENTENCES]
    print("| level | FK grade | words a sentence | changed | words changed, % | a second |")
    print("|---|---:|---:|---:|---:|---:|")
    for level in ("source", *LEVELS):
        print(row(level, sources), flush=True)
    print(f"\nLargest memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
