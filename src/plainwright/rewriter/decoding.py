"""Continues prompts, several at once on as many threads, each as if it were alone.

Most of a rewrite is copied from its source. So after each token the next few are guessed from the source and read in
one step together with it, and they stay as far as the model would have written the same. That takes half of the steps.
Samples come from noise that depends on the seed and the position alone, so the same guesses serve them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

__all__ = [
    "NEVER",
    "Decoder",
    "Draft",
    "Generated",
    "Generator",
    "Prompt",
    "Scores",
    "generate_each",
    "log_probability",
    "most_written",
]

Scores = npt.NDArray[np.float32]
_GUESSES = (0, 3, 5, 7)  # tokens that are read ahead after a match of so many tokens
NEVER = np.float32(-1e9)
_TOP = 40  # tokens among which one is sampled
_SPARE = 12  # tokens that a rewrite of a short sentence may have beyond twice its source


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is read before the first token is written."""

    ids: tuple[int, ...]
    most: int  # tokens that may be written
    seed: int | None = None  # for a sample; without it, the likeliest token is taken each time
    temperature: float = 1.0


@dataclass(frozen=True, slots=True)
class Generated:
    """The tokens that were written, the log-probability of each, and whether the model came to an end.

    If it did, the last log-probability is that of the end.
    """

    ids: tuple[int, ...]
    log_probabilities: tuple[float, ...]
    finished: bool


def most_written(read: int) -> int:
    """Return how many tokens a rewrite of a source of so many may have."""
    return 2 * read + _SPARE


class Generator(Protocol):
    """Continues prompts; safe to use from several threads, and no result depends on neighbours or threads."""

    def generate(self, prompts: Sequence[Prompt], *, threads: int = 1) -> list[Generated]:
        """Continue each prompt."""
        ...

    def judged(self, prompt: Prompt, ids: Sequence[int]) -> Generated:
        """Return how likely these tokens and the end are after the prompt."""
        ...


def generate_each(
    prompts: Sequence[Prompt], generate_one: Callable[[Prompt], Generated], *, threads: int
) -> list[Generated]:
    """Continue each prompt by itself, on as many threads."""
    if threads == 1 or len(prompts) < 2:
        return [generate_one(prompt) for prompt in prompts]
    with ThreadPoolExecutor(threads) as pool:
        # The longest first, so that no thread is left alone with one at the end.
        order = sorted(range(len(prompts)), key=lambda n: -len(prompts[n].ids))
        done = dict(zip(order, pool.map(generate_one, [prompts[n] for n in order]), strict=True))
    return [done[number] for number in range(len(prompts))]


class Decoder:
    """Runs the graph of a rewriter; safe to use from several threads."""

    def __init__(self, path: Path, *, end: int, unwritten: Sequence[int] = ()) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self._end = end
        self._unwritten = list(unwritten)
        self._heads_per_key = int(self._session.get_modelmeta().custom_metadata_map["heads_per_key"])
        inputs = {one.name: one.shape for one in self._session.get_inputs()}
        self._caches = [name for name in inputs if name.startswith(("keys.", "values."))]
        _, key_heads, _, head_width = inputs[self._caches[0]]
        self._empty = np.zeros((1, key_heads, 0, head_width), dtype=np.float32)

    def generate(self, prompts: Sequence[Prompt], *, threads: int = 1) -> list[Generated]:
        """Continue each prompt."""
        return generate_each(prompts, self._continued, threads=threads)

    def judged(self, prompt: Prompt, ids: Sequence[int]) -> Generated:
        """Return how likely these tokens and the end are after the prompt."""
        written = (*ids, self._end)
        read = (*prompt.ids, *ids)
        scores, _ = self._read(read, 0, [self._empty] * len(self._caches), wanted=len(written))
        own = tuple(log_probability(one, token) for one, token in zip(scores, written, strict=True))
        return Generated(tuple(ids), own, finished=True)

    def _continued(self, prompt: Prompt) -> Generated:
        text = Draft(prompt)
        scores, caches = self._read(prompt.ids, 0, [self._empty] * len(self._caches), wanted=1)
        self._take(text, scores, ())
        while not text.finished and len(text.written) < prompt.most:
            guesses = text.guesses(prompt.most - len(text.written) - 1)
            start = len(prompt.ids) + len(text.written) - 1
            caches = [cache[:, :, :start] for cache in caches]  # without the guesses that were wrong
            read = (text.written[-1], *guesses)
            scores, caches = self._read(read, start, caches, wanted=len(read))
            self._take(text, scores, guesses)
        return Generated(tuple(text.written), tuple(text.log_probabilities), text.finished)

    def _read(self, ids: Sequence[int], start: int, caches: Sequence[Any], *, wanted: int) -> tuple[Scores, list[Any]]:
        """Read tokens; return the logits after the last `wanted` of them, and what later tokens look at."""
        new = len(ids)
        mask = np.zeros((new, start + new), dtype=np.float32)
        mask[:, start:] = np.triu(np.full((new, new), NEVER), 1)
        feeds = {
            "ids": np.array([ids], dtype=np.int64),
            "positions": np.arange(start, start + new, dtype=np.int64)[None],
            "mask": np.tile(mask, (self._heads_per_key, 1)),
            "wanted": np.arange(new - wanted, new, dtype=np.int64),
        }
        feeds |= {name: np.ascontiguousarray(cache) for name, cache in zip(self._caches, caches, strict=True)}
        logits, *kept = self._session.run(None, feeds)
        logits[:, self._unwritten] = NEVER
        return logits, kept

    def _take(self, text: Draft, scores: Scores, guesses: Sequence[int]) -> None:
        """Write the next tokens for as long as the guesses were right."""
        for at, own in enumerate(scores):
            token = text.next_token(own)
            if token == self._end:
                text.finished = True
                return
            text.written.append(token)
            if at >= len(guesses) or guesses[at] != token:
                return


def log_probability(scores: Scores, token: int) -> float:
    """Return the log-probability of a token among these logits."""
    highest = scores.max()
    return float(scores[token] - highest) - float(np.log(np.exp(scores - highest).sum()))


class Draft:
    """A text in the making."""

    def __init__(self, prompt: Prompt) -> None:
        self.prompt = prompt
        self.written: list[int] = []
        self.log_probabilities: list[float] = []
        self.finished = False
        self._at = 0  # where in the prompt copying went on last

    def next_token(self, scores: Scores) -> int:
        """Choose the next token, and count its probability."""
        if self.prompt.seed is None:
            token = int(scores.argmax())
        else:
            top = np.sort(np.argpartition(scores, -_TOP)[-_TOP:])
            noise = np.random.default_rng((self.prompt.seed, len(self.written))).gumbel(size=_TOP)
            token = int(top[(scores[top] / self.prompt.temperature + noise).argmax()])
        self.log_probabilities.append(log_probability(scores, token))
        return token

    def guesses(self, most: int) -> tuple[int, ...]:
        """Return what follows in the prompt where the last tokens stand in it: the longest match, then the next."""
        source = self.prompt.ids
        for length in range(min(len(_GUESSES) - 1, len(self.written)), 0, -1):
            tail = tuple(self.written[-length:])
            found = [at + length for at in range(len(source) - length) if source[at : at + length] == tail]
            if found:
                at = next((at for at in found if at > self._at), found[-1])
                self._at = at
                return source[at : at + min(most, _GUESSES[length])]
        return ()
