"""Make and measure the estimate of a sentence's level (CEFR) that `plainwright check` gives.

    python tools/cefr_level.py train DATA/cefr_sp -o src/plainwright/check/level.tsv
    python tools/cefr_level.py measure DATA/cefr_sp DATA/onestop_english

`train` learns from the Wiki-Auto part of CEFR-SP alone (CC BY-SA 3.0); the SCoRE part is not for commercial use, and
serves as a test. `measure` compares the estimate with the labels of both teachers on the test parts, and sees whether
grade and estimate put pages of OneStopEnglish in the order of their three levels. The corpus here has aligned
sentences, so a page is a run of about twenty of them, in the words of either level.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from plainwright.check.features import FEATURES, features
from plainwright.check.level import LEVELS, level_values
from plainwright.check.passage import read_passage
from plainwright.rewrite.types import Sentence
from plainwright.text import ptb_detokenize

PENALTY = 10.0  # of ridge regression; 1 and 100 are no better on the dev part
PAGES = 100
CARD = f"""# The level of a sentence as a weighted sum of its features; A1 is 1, C2 is 6.
# Learnt by tools/cefr_level.py from {{sentences:,}} sentences: Wiki-Auto train of CEFR-SP (Arase, Uchida and Kajiwara,
# EMNLP 2022), text of Wikipedia under CC BY-SA 3.0. Columns: feature, weight, lowest and highest value that counts.
# Ridge regression with a penalty of {PENALTY:g} on standardised features; the target is the mean of both labels.
"""


def one_sentence(text: str) -> Sentence:
    """The text as one sentence, tagged, whatever is found in it."""
    sentences = read_passage(" ".join(text.split())).sentences
    return max(sentences, key=lambda own: len(own.tokens))


def labelled(path: Path) -> tuple[list[Sentence], np.ndarray]:
    """Sentences and the two labels of each."""
    rows = [line.split("\t") for line in path.read_text("utf-8").split("\n") if line]
    return [one_sentence(ptb_detokenize(text)) for text, *_ in rows], np.array([[int(a), int(b)] for _, a, b in rows])


def train(folder: Path, output: Path) -> None:
    """Write the weights."""
    sentences, labels = labelled(folder / "CEFR-SP_Wikiauto_train.txt")
    rows = np.array([features(sentence) for sentence in sentences])
    low, high = rows.min(axis=0), rows.max(axis=0)
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    scaled, target = (rows - mean) / spread, labels.mean(axis=1)
    weights = np.linalg.solve(scaled.T @ scaled + PENALTY * np.eye(len(FEATURES)), scaled.T @ (target - target.mean()))
    weights = weights / spread
    lines = [f"intercept\t{target.mean() - mean @ weights:.6g}"]
    lines += [
        "\t".join([name, *(f"{n:.6g}" for n in own)]) for name, *own in zip(FEATURES, weights, low, high, strict=True)
    ]
    output.write_text(CARD.format(sentences=len(rows)) + "\n".join(lines) + "\n", encoding="utf-8")


def measure_sentences(path: Path) -> None:
    """Print how near the estimate is to the labels."""
    sentences, labels = labelled(path)
    values = level_values(sentences)
    found = np.clip(np.floor(values + 0.5), 1, len(LEVELS))
    near = np.abs(found[:, None] - labels) <= 1
    guess = np.abs(np.median(labels) - labels) <= 1
    print(
        f"{path.stem}: {len(labels)} sentences; within one level of both labels {near.all(1).mean():.1%}, of either "
        f"{near.any(1).mean():.1%} (always the middle level: {guess.all(1).mean():.1%}); one of the labels itself "
        f"{(found[:, None] == labels).any(1).mean():.1%}; r = {np.corrcoef(values, labels.mean(1))[0, 1]:.2f}"
    )
    for number, name in enumerate(LEVELS, start=1):
        own = labels[:, 0] == number
        if own.any():
            print(f"  first label {name}: {own.sum():4d} sentences, within one level {near[own].all(1).mean():.1%}")


def pairs(path: Path) -> Iterator[tuple[str, str]]:
    """Aligned sentences of a file, the harder first."""
    for block in path.read_text("utf-8").split("*******"):
        both = block.strip("\n").split("\n")
        if len(both) == 2:
            yield (both[1], both[0]) if path.stem == "ELE-INT" else (both[0], both[1])


def values_of(page: Sequence[str]) -> tuple[float, float]:
    """The Flesch-Kincaid grade of a page and the mean level of its sentences, as `check` gives them."""
    from plainwright.check import check_text

    report = check_text("\n\n".join(page), select=())
    assert report.grades is not None
    assert report.level is not None
    return report.grades.flesch_kincaid, report.level


def in_order(path: Path) -> tuple[float, float]:
    """How often the harder version of a page gets the higher grade, and the higher level."""
    aligned = list(pairs(path))
    right = np.zeros(2)
    for start, end in pairwise(np.linspace(0, len(aligned), PAGES + 1).astype(int)):
        hard, easy = (values_of(page) for page in zip(*aligned[start:end], strict=True))
        right += [hard[0] > easy[0], hard[1] > easy[1]]
    grade, level = right / PAGES
    return float(grade), float(level)


def main() -> None:
    """Train or measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    training = commands.add_parser("train")
    training.add_argument("cefr_sp", type=Path)
    training.add_argument("-o", "--output", type=Path, required=True)
    measuring = commands.add_parser("measure")
    measuring.add_argument("cefr_sp", type=Path)
    measuring.add_argument("onestop_english", type=Path)
    given = parser.parse_args()
    if given.command == "train":
        train(given.cefr_sp, given.output)
        return
    for part in ("Wikiauto_dev", "Wikiauto_test", "SCoRE_test"):
        measure_sentences(given.cefr_sp / f"CEFR-SP_{part}.txt")
    for name in ("ADV-INT", "ADV-ELE", "ELE-INT"):
        grade, level = in_order(given.onestop_english / f"{name}.txt")
        print(f"{name}: {PAGES} pages in both levels; in order by grade {grade:.0%}, by level {level:.0%}")


if __name__ == "__main__":
    main()
