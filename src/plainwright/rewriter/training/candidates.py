"""What a model in training would write: candidates from a graph of its present weights.

The graph keeps what it has read, guesses ahead, and multiplies with 4 bits, so on a processor it writes many times as
fast as the network in torch, which reads a whole text again for every token. Its weights are those that the network
runs with in the end, rounded as they will be kept.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from plainwright.rewriter.controls import Controls
from plainwright.rewriter.decoding import Decoder, Generated, Prompt, most_written
from plainwright.rewriter.finding import Level
from plainwright.rewriter.graph import Shape, write_graph
from plainwright.rewriter.training.layout import Matrices
from plainwright.rewriter.training.loop import TrainingJob
from plainwright.rewriter.training.vocabulary import SmallVocabulary

__all__ = ["Candidate", "Drawn", "Sampler"]

_GRAPH = "candidates.onnx"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rewrite as text and as tokens, the end among them, and the mean log-probability of these."""

    text: str
    target: tuple[int, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Drawn:
    """The prompt of a source, and different rewrites of it, the likeliest wording first."""

    prompt: tuple[int, ...]
    candidates: tuple[Candidate, ...]


class Sampler:
    """Draws from the weights of a job; the graph lies in a folder for as long as it is needed."""

    def __init__(self, job: TrainingJob, weights: Matrices, vocabulary: SmallVocabulary, folder: Path) -> None:
        from tokenizers import Tokenizer

        self._vocabulary = vocabulary
        self._tokenizer = Tokenizer.from_str(vocabulary.tokenizer)
        self._threads = job.training.processes
        shape = Shape(**asdict(job.sizes), vocabulary=len(vocabulary.rows))
        bits = {place.name: place.bits or 8 for place in (*job.layout.trained, *job.layout.frozen)}
        write_graph(weights, shape, bits, folder / _GRAPH)
        tokens = vocabulary.tokens
        self._decoder = Decoder(folder / _GRAPH, end=tokens.end, unwritten=tokens.read_only())
        for path in (folder / _GRAPH, (folder / _GRAPH).with_suffix(".weights")):
            path.unlink()  # it has been read

    def draw(
        self, sources: Sequence[tuple[Level, str]], *, count: int, temperature: float, seed: str, longest: int
    ) -> list[Drawn]:
        """Return up to `count` candidates for each source that are no longer, with their prompt, than `longest`."""
        tokens = self._vocabulary.tokens
        encoded = self._vocabulary.encode([text for _, text in sources])
        prompts = [tokens.prompt(ids, Controls(level=level)) for (level, _), ids in zip(sources, encoded, strict=True)]
        asked, owners = [], []
        for owner, (prompt, ids, (_, text)) in enumerate(zip(prompts, encoded, sources, strict=True)):
            most = min(most_written(len(ids)), longest - len(prompt) - 1)
            for number in range(count if ids and most > 0 else 0):
                chance = zlib.crc32(f"{seed} {number}\t{text}".encode()) if number else None
                asked.append(Prompt(prompt, most, seed=chance, temperature=temperature))
                owners.append(owner)
        found: list[dict[str, Candidate]] = [{} for _ in sources]
        for owner, generated in zip(owners, self._decoder.generate(asked, threads=self._threads), strict=True):
            if generated.finished and (candidate := self._candidate(generated)).text:
                found[owner].setdefault(candidate.text, candidate)
        return [Drawn(prompt, tuple(own.values())) for prompt, own in zip(prompts, found, strict=True)]

    def _candidate(self, generated: Generated) -> Candidate:
        text = self._tokenizer.decode(list(generated.ids), skip_special_tokens=False).strip()
        score = sum(generated.log_probabilities) / len(generated.log_probabilities)
        return Candidate(text, (*generated.ids, self._vocabulary.tokens.end), score)
