"""Would a learned model choose better where to split, and what to call the subject, than the rules of the splitter?

    python benchmarks/split_points.py

Candidates are all changes that `simplify --split-all` looks at, those that it drops after parsing them again among
them. A candidate is right if both of its parts share most words with the two sides of a split of the corpus. A logistic
regression learns that from WikiSplit tune, MinWiki train, BiSECT valid and DeSSE train; all figures are of pairs that
it never saw. Precision: how many of the splits made are right; recall: in how many pairs a right one was made.
"""

from __future__ import annotations

import argparse
import gzip
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from plainwright.corpora import directories
from plainwright.rewrite.propose.syntax import SyntaxProposer
from plainwright.rewrite.propose.syntax.changes import Change, pieces_of
from plainwright.rewrite.propose.syntax.tree import Tree

TRAINING = ("wiki_split/tune", "minwiki/train", "bisect/valid", "desse/train")
HELD_OUT = ("wiki_split/test", "minwiki/train", "bisect/test", "desse/test")
PRONOUNS = frozenset("he she it they this these we you i his her its their".split())  # noqa: SIM905
ALIKE = 0.75  # F1 of words between a part and its side of the corpus, at least
WORD = re.compile(r"\w+")
STOP = re.compile(r"(?<=[.!?])\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One change of a sentence, its features, and whether the corpus splits there."""

    pair: int
    order: int
    features: tuple[str, ...]
    sound: bool
    cautious: bool
    right: bool
    ours_pronoun: bool | None = None  # what the second part opens with, where a subject is named again
    gold_pronoun: bool | None = None


def pairs_of(name: str, root: Path, number: int, *, held_out: bool) -> list[tuple[str, list[str]]]:
    """Return so many sources and the sentences that the corpus makes of them."""
    corpus, part = name.split("/")
    rows = list(_rows(root / corpus, part))
    if name == "minwiki/train":  # its test files are not aligned
        rows = rows[-3000:] if held_out else rows[:-3000]
    random.Random(7).shuffle(rows)
    return [row for row in rows if len(row[1]) > 1][:number]


def _rows(folder: Path, part: str) -> Iterator[tuple[str, list[str]]]:
    if folder.name == "wiki_split":
        for line in _lines(folder / f"{part}.tsv.gz"):
            source, target = line.split("\t")
            yield source, target.split("<::::>")
    else:
        sides = ("src", "dst") if folder.name == "bisect" else ("complex", "simple")
        files = [_lines(folder / f"{part}.{side}.gz") for side in sides]
        for source, target in zip(*files, strict=True):
            mark = "<SEP>" if "<SEP>" in target else None
            parts = target.split(mark) if mark else STOP.split(target.replace(" ..", " ."))
            yield source if source.rstrip().endswith(".") else f"{source.rstrip()}.", parts


def _lines(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return file.read().rstrip("\n").split("\n")


def candidates_of(pairs: Sequence[tuple[str, list[str]]]) -> list[Candidate]:
    """Return all that could be split in these sources."""
    bold, careful = SyntaxProposer(everywhere=True, rewords=False), SyntaxProposer(level="easy", rewords=False)
    found: list[tuple[int, Tree, Change]] = []
    cautious = set()
    trees = bold.trees([source for source, _ in pairs])
    for number, tree in enumerate(trees):
        if tree is None:
            continue
        cautious |= {(number, change.splices) for change in careful.changes(tree)}
        unique = {change.splices: change for change in bold.changes(tree) if change.splits}
        found += [(number, tree, change) for change in unique.values()]
    sound = bold.are_sound([one[1:] for one in found])
    seen: Counter[int] = Counter()
    result = []
    for (number, tree, change), stays in zip(found, sound, strict=True):
        parts = [piece.text for piece in pieces_of(tree.text, [change])]
        side = _right_side(parts, pairs[number][1])
        own = (number, change.splices) in cautious
        features = tuple(_features(tree, change, parts, sound=stays, cautious=own))
        forms = _forms(parts, side) if change.reason.operation in ("verbs", "relative", "doing", "described") else None
        result.append(Candidate(number, seen[number], features, stays, own, side is not None, *(forms or (None, None))))
        seen[number] += 1
    return result


def _words(text: str) -> Counter[str]:
    return Counter(WORD.findall(text.lower()))


def _alike(first: Counter[str], second: Counter[str]) -> float:
    shared = (first & second).total()
    return 2 * shared / max(1, first.total() + second.total())


def _right_side(parts: Sequence[str], gold: Sequence[str]) -> tuple[str, str] | None:
    """Return the two sides of the corpus that a change comes near, None if it splits elsewhere."""
    left, right = _words(parts[0]), _words(" ".join(parts[1:]))
    for cut in range(1, len(gold)):
        sides = " ".join(gold[:cut]), " ".join(gold[cut:])
        if min(_alike(left, _words(sides[0])), _alike(right, _words(sides[1]))) >= ALIKE:
            return sides
    return None


def _forms(parts: Sequence[str], sides: tuple[str, str] | None) -> tuple[bool, bool] | None:
    """Return whether our second part, and that of the corpus, opens with a pronoun."""
    if sides is None:
        return None
    ours, gold = (WORD.findall(text.lower())[:1] for text in (parts[1], sides[1]))
    return (ours[0] in PRONOUNS, gold[0] in PRONOUNS) if ours and gold else None


def _features(tree: Tree, change: Change, parts: Sequence[str], *, sound: bool, cautious: bool) -> Iterator[str]:
    sizes = [len(WORD.findall(part)) for part in parts]
    operation = change.reason.operation
    yield operation
    yield f"sound={sound}"
    yield f"cautious={cautious}"
    yield f"{operation} sound={sound}"
    yield f"words={min(sum(sizes) // 8, 6)}"
    yield f"shorter={min(min(sizes) // 3, 5)}"
    yield f"second={min(sizes[1] // 4, 5)}"
    yield f"balance={round(4 * sizes[0] / sum(sizes))}"
    splice = next(one for one in change.splices if one.stop is not None)
    yield f"mark={tree.text[splice.span[0] : splice.span[0] + 2].strip()[:1]}"
    opening = WORD.findall(parts[1].lower())[:1]
    yield f"opening={opening[0] if opening and opening[0] in PRONOUNS | {'but', 'there', 'so'} else 'other'}"
    finite = tree.finite(tree.root)
    yield f"tense={finite.tag if finite is not None else 'none'}"
    subject = tree.subject(tree.root)
    yield f"subject={subject.tag if subject is not None else 'none'}"
    yield f"verbs={min(sum(word.tag.startswith('VB') for word in tree.words), 8)}"


class Logistic:
    """Logistic regression on features that are there or not, with a ridge."""

    def __init__(self, rows: Sequence[Sequence[str]], labels: Sequence[bool], *, ridge: float = 3.0) -> None:
        names = sorted({name for row in rows for name in row})
        self._places = {name: place for place, name in enumerate(names, start=1)}
        matrix, target = self._matrix(rows), np.asarray(labels, dtype=np.float64)
        self._weights = np.zeros(len(names) + 1)
        for _ in range(25):  # Newton's method
            chance = 1 / (1 + np.exp(-matrix @ self._weights))
            gradient = matrix.T @ (target - chance) - ridge * self._weights
            hessian = (matrix * (chance * (1 - chance))[:, None]).T @ matrix + ridge * np.eye(matrix.shape[1])
            self._weights += np.linalg.solve(hessian, gradient)

    def _matrix(self, rows: Sequence[Sequence[str]]) -> np.ndarray:
        matrix = np.zeros((len(rows), len(self._places) + 1))
        matrix[:, 0] = 1
        for line, row in zip(matrix, rows, strict=True):
            line[[self._places[name] for name in row if name in self._places]] = 1
        return matrix

    def chances(self, rows: Sequence[Sequence[str]]) -> np.ndarray:
        """Return the probability of each row."""
        return 1 / (1 + np.exp(-self._matrix(rows) @ self._weights)) if len(rows) else np.zeros(0)


def chosen(candidates: Sequence[Candidate], worth: np.ndarray) -> list[Candidate]:
    """Return the best candidate of each pair, of those that are worth more than 0."""
    best: dict[int, tuple[float, Candidate]] = {}
    for one, value in zip(candidates, worth, strict=True):
        if value > 0 and (one.pair not in best or value > best[one.pair][0]):
            best[one.pair] = (value, one)
    return [one for _, one in best.values()]


def scores(taken: Sequence[Candidate], pairs: int) -> tuple[float, float, float]:
    """Return precision, recall and F1 in percent."""
    right = sum(one.right for one in taken)
    precision, recall = 100 * right / max(1, len(taken)), 100 * right / pairs
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None, help="data directory; default: where corpora look")
    parser.add_argument("--training", type=int, default=2000, help="pairs of each corpus to learn from")
    parser.add_argument("--held-out", type=int, default=1000, help="other pairs of each corpus, to measure with")
    arguments = parser.parse_args()
    root = arguments.data or next(path for path in directories() if (path / "wiki_split").is_dir())
    training = [
        one for name in TRAINING for one in candidates_of(pairs_of(name, root, arguments.training, held_out=False))
    ]
    point = Logistic([one.features for one in training], [one.right for one in training])
    formed = [one for one in training if one.gold_pronoun is not None]
    form = Logistic([one.features for one in formed], [bool(one.gold_pronoun) for one in formed])
    right = sum(one.right for one in training)
    print(f"{len(training)} candidates to learn from, {right} of them right; {len(formed)} subjects\n")
    print("| held-out pairs | chosen by | precision | recall | F1 | subject as in the corpus |")
    print("|---|---|---:|---:|---:|---:|")
    for name in HELD_OUT:
        pairs = pairs_of(name, root, arguments.held_out, held_out=True)
        found = candidates_of(pairs)
        order = np.array([1 / (1 + one.order) for one in found])
        rules = {
            "rules, easy": order * [one.sound and one.cautious for one in found],
            "rules, --split-all": order * [one.sound for one in found],
        }
        chances = point.chances([one.features for one in found])
        learned = {f"learned, above {limit}": (chances > limit) * chances for limit in (0.3, 0.4, 0.5)}
        both = {"learned, among sound ones": chances * [one.sound for one in found]}
        known = [one for one in found if one.gold_pronoun is not None and one.sound]
        guessed = form.chances([one.features for one in known]) > 0.5
        by_rules = sum(one.ours_pronoun == one.gold_pronoun for one in known)
        by_model = sum(guess == one.gold_pronoun for guess, one in zip(guessed, known, strict=True))
        for who, worth in {**rules, **learned, **both}.items():
            numbers = " | ".join(f"{number:.1f}" for number in scores(chosen(found, worth), len(pairs)))
            subject = by_model if "learned" in who else by_rules
            print(f"| {name}, {len(pairs)} | {who} | {numbers} | {subject} of {len(known)} |")


if __name__ == "__main__":
    main()
