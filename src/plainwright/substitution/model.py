"""A model of substitution as a directory: `substitution.toml`, a graph, a tokenizer, candidates, a card for people.

The graph reads one sentence at a time with all its candidates, in one thread: quantised activations share one scale
for a whole tensor. Several threads take several sentences. What comes out depends on the sentence and its candidates
alone, to the last bit.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from pathlib import Path

from plainwright.encoders.onnx import open_session
from plainwright.encoders.threads import for_each
from plainwright.extras import check_extra
from plainwright.files import check_directory, read_bytes
from plainwright.substitution.finding import SETTINGS, find_substitution
from plainwright.substitution.pieces import INPUTS, Candidate, CandidateTokenizer
from plainwright.tables import TableReader

__all__ = ["FILES", "FORMAT", "SubstitutionModel", "open_substitution"]

FILES = {"graph": "substitution.onnx", "tokenizer": "tokenizer.json", "candidates": "candidates.pack"}
FORMAT = 1
_MOST_BYTES = 1 << 31  # of a graph: protocol buffers hold no more

Asked = tuple[str, Sequence[Candidate]]  # a sentence and what might stand in it


class SubstitutionModel:
    """Says how likely an editor finds each candidate right in its sentence; safe to use from several threads."""

    def __init__(self, directory: str | Path) -> None:
        directory = Path(directory)
        check_directory(directory, of="a model of substitution")
        table = TableReader.read(directory / SETTINGS)
        about = table.section("substitution")
        if about.value("format") != FORMAT:
            expected = f"{FORMAT}; a newer plainwright may read others"
            raise about.wrong(key="format", expected=expected, found=about.value("format"))
        self.directory = directory
        self.name = about.text("name")
        self.version = about.text("version")
        self.threshold = about.number("threshold", low=0, high=1)
        check_extra("choosing words by their sentence", "substitution", "onnxruntime", "tokenizers")
        graph, tokenizer, candidates = (table.file_beside(kind, of="substitution") for kind in FILES)
        self.tokenizer = CandidateTokenizer.open(tokenizer, max_pieces=about.whole("max_pieces", low=16, high=512))
        self.candidates = candidates  # the file with the words to choose from
        data = read_bytes(graph, most=_MOST_BYTES)
        self._session = open_session(data, graph, inputs=INPUTS, outputs=("scores",))
        parts = (data, tokenizer.read_bytes(), candidates.read_bytes())
        self.digest = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()

    def __repr__(self) -> str:
        return f"SubstitutionModel({str(self.directory)!r})"

    @property
    def label(self) -> str:
        """What messages call it."""
        return f"{self.name}-{self.version}@{self.digest[:8]}"

    def scores(self, asked: Sequence[Asked], *, threads: int = 1) -> list[list[float]]:
        """Return how likely each candidate of each sentence is right, from 0 to 1; 0 in a sentence that is too long."""
        return for_each(asked, self._read, size=lambda one: len(one[0]), threads=threads)

    def _read(self, asked: Asked) -> list[float]:
        sentence, candidates = asked
        if not candidates:
            return []
        layout = self.tokenizer(sentence, candidates)
        if layout is None:
            return [0.0] * len(candidates)
        [scores] = self._session.run(["scores"], layout.inputs)
        return [float(score) for score in scores[0][layout.begins]]


def open_substitution(directory: str | Path | None = None) -> SubstitutionModel:
    """Return the model of a directory, kept open for the next call until its settings are written again."""
    folder = find_substitution(directory).absolute()
    try:
        stamp = (folder / SETTINGS).stat().st_mtime_ns
    except OSError:
        stamp = 0  # opening it says what is wrong
    return _kept(folder, stamp)


@functools.lru_cache(maxsize=2)
def _kept(directory: Path, _stamp: int) -> SubstitutionModel:
    return SubstitutionModel(directory)
