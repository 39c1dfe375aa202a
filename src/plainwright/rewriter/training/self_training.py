"""Self-training: the model rewrites new sentences, judges choose among its candidates, and it learns from the chosen.

A judge forbids first what says something else than its source. Of what is left, the candidate is chosen that the reward
prefers beside all of them, or that the model itself is surest of. A sentence of which only a copy is left teaches
nothing, and is left out.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import random
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path

from plainwright.errors import DataError
from plainwright.files import atomic_write, iter_lines
from plainwright.rewriter.training.batches import longest
from plainwright.rewriter.training.candidates import Candidate, Sampler
from plainwright.rewriter.training.corpus import Row
from plainwright.rewriter.training.layout import Matrices
from plainwright.rewriter.training.loop import TrainingJob
from plainwright.rewriter.training.pairs import Pairs, encoded_pairs
from plainwright.rewriter.training.recipe import OWN_SCORE, SelfTraining
from plainwright.rewriter.training.rewards import Reward, make_reward
from plainwright.rewriter.training.vocabulary import SmallVocabulary
from plainwright.text import split_sentences

__all__ = ["choose_pairs", "make_judge", "merged_pairs", "new_sentences"]

TextJudge = Callable[[str, str], object]  # of a source and a rewrite; anything true forbids it

_JUDGES = {"fidelity": "plainwright.rewrite.judge.fidelity:broken_promise"}
_CHOSEN = "chosen.jsonl"
_FEWEST_WORDS, _MOST_WORDS = 6, 80
_BLOCK = 32  # sentences between two looks at the disk


def make_judge(name: str) -> TextJudge:
    """Return the judge of that name, or a function as `package.module:function`; no name, no judge."""
    if not name:
        return lambda source, text: None
    module, _, attribute = _JUDGES.get(name, name).partition(":")
    try:
        judge: TextJudge = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError):
        msg = f"self.judge: expected {', '.join(_JUDGES)} or package.module:function, found {name!r}"
        raise DataError(msg) from None
    return judge


def new_sentences(section: SelfTraining, known: set[str]) -> list[str]:
    """Return so many sentences of the texts that are not known yet, drawn by their digest with the seed."""

    def place(sentence: str) -> str:
        return hashlib.sha256(f"{section.seed}\t{sentence}".encode()).hexdigest()

    found = {sentence for path in section.texts for sentence in _sentences(path) if sentence not in known}
    if not found:
        msg = f"self.texts: expected sentences of {_FEWEST_WORDS} to {_MOST_WORDS} words, found none that are new"
        raise DataError(msg)
    return heapq.nsmallest(section.sentences, found, key=place)


def _sentences(path: Path) -> Iterator[str]:
    for line in iter_lines(path):
        for sentence in split_sentences(line):
            words = sentence.split()
            if _FEWEST_WORDS <= len(words) <= _MOST_WORDS:
                yield " ".join(words)


def choose_pairs(
    job: TrainingJob,
    weights: Matrices,
    section: SelfTraining,
    sentences: Sequence[str],
    vocabulary: SmallVocabulary,
    *,
    progress: Callable[[int, int], None],
) -> list[Row]:
    """Rewrite the sentences and return the chosen pairs; sentences that were done before are not done again."""
    judge = make_judge(section.judge)
    reward = None if section.reward == OWN_SCORE else make_reward(section.reward)
    path = job.folder / _CHOSEN
    done = _read_chosen(path)
    sampler = Sampler(job, weights, vocabulary, job.folder) if len(done) < len(sentences) else None
    with atomic_write(path) as stream:
        stream.writelines(json.dumps(target) + "\n" for target in done)  # without what was cut off
    with path.open("a", encoding="utf-8", newline="\n") as stream:
        while sampler is not None and len(done) < len(sentences):
            progress(len(done), len(sentences))
            block = sentences[len(done) : len(done) + _BLOCK]
            drawn = sampler.draw(
                [(section.level, sentence) for sentence in block],
                count=section.candidates,
                temperature=section.temperature,
                seed=f"{section.seed} self",
                longest=longest(job.training),
            )
            chosen = [
                _chosen(sentence, one.candidates, judge, reward) for sentence, one in zip(block, drawn, strict=True)
            ]
            stream.writelines(json.dumps(target) + "\n" for target in chosen)
            stream.flush()
            done += chosen
    rows = zip(sentences, done, strict=True)
    return [Row(section.level, sentence, target, held_out=False) for sentence, target in rows if target is not None]


def _chosen(source: str, candidates: Sequence[Candidate], judge: TextJudge, reward: Reward | None) -> str | None:
    allowed = [one for one in candidates if one.text != source and not judge(source, one.text)]
    if not allowed:
        return None
    texts = [one.text for one in allowed]
    values = [one.score for one in allowed] if reward is None else reward.consensus(source, texts)
    return texts[values.index(max(values))]


def _read_chosen(path: Path) -> list[str | None]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    except OSError:
        return []
    return [json.loads(line) for line in lines if line.endswith("\n")]


def merged_pairs(written: Pairs, rows: Sequence[Row], vocabulary: SmallVocabulary, section: SelfTraining) -> Pairs:
    """Put the chosen pairs beside written ones, so that the chosen have their share; held-out pairs stay."""
    if not rows:
        msg = "self: expected pairs that the judges let pass, found none; give more sentences or candidates"
        raise DataError(msg)
    held_out = [pair for pair in written if pair.held_out]
    others = [pair for pair in written if not pair.held_out]
    wanted = round(len(rows) * (1 - section.share) / section.share)
    if wanted > len(others):
        wanted = len(others)
        rows = rows[: max(1, round(wanted * section.share / (1 - section.share)))]
    kept = random.Random(f"{section.seed} merged").sample(others, wanted)
    return Pairs.of([*held_out, *kept, *encoded_pairs(rows, vocabulary)])
