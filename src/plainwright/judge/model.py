"""A judge as a directory: `judge.toml`, the graph with its weights, a tokenizer, and a card for people.

The graph reads one pair at a time, each in one thread: quantised activations share one scale for a whole tensor, so a
score would change with its neighbours in a batch. Several threads take several pairs. A score therefore depends on its
own source and output alone, to the last bit.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from plainwright.encoders.onnx import open_session
from plainwright.encoders.threads import for_each
from plainwright.errors import DataError, LengthMismatchError
from plainwright.extras import check_extra
from plainwright.files import check_directory, read_bytes
from plainwright.judge.finding import SETTINGS, find_judge
from plainwright.judge.windows import PairTokenizer
from plainwright.tables import TableReader

__all__ = ["ASPECTS", "FILES", "FORMAT", "JudgeModel", "RiskCurve", "open_judge"]

ASPECTS = ("meaning", "grammar", "simplicity", "overall")
FILES = {"graph": "judge.onnx", "tokenizer": "tokenizer.json"}
FORMAT = 1
_HIGHEST = 100
_MOST_BYTES = 1 << 31  # of a graph: protocol buffers hold no more

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskCurve:
    """How likely a reader finds a rewrite damaged, by the judge's scores: a logistic curve."""

    intercept: float
    meaning: float
    grammar: float

    def risks(self, scores: Array) -> Array:
        """Return the probability for each row of scores in the order of `ASPECTS`."""
        logits = self.intercept + self.meaning * scores[:, 0] + self.grammar * scores[:, 1]
        result: Array = 1 / (1 + np.exp(-np.clip(logits, -50, 50)))
        return result

    def table(self) -> dict[str, float]:
        """Return the numbers by name."""
        return asdict(self)


class JudgeModel:
    """Reads pairs of a source and an output; safe to use from several threads."""

    def __init__(self, directory: str | Path) -> None:
        directory = Path(directory)
        check_directory(directory, of="a judge")
        table = TableReader.read(directory / SETTINGS)
        about = table.section("judge")
        if about.value("format") != FORMAT:
            expected = f"{FORMAT}; a newer plainwright may read others"
            raise about.wrong(key="format", expected=expected, found=about.value("format"))
        self.directory = directory
        self.name = about.text("name")
        self.version = about.text("version")
        risk = table.section("risk")
        self.curve = RiskCurve(**{name: risk.number(name) for name in ("intercept", "meaning", "grammar")})
        check_extra("the judge", "judge", "onnxruntime", "tokenizers")
        graph, tokenizer = (table.file_beside(kind, of="judge") for kind in ("graph", "tokenizer"))
        self.tokenizer = PairTokenizer.open(tokenizer, max_pieces=about.whole("max_pieces", low=16, high=1 << 16))
        data = read_bytes(graph, most=_MOST_BYTES)
        self._session = open_session(data, graph, inputs=("ids", "types"), outputs=("scores",))
        # Of all that decides scores; the number of pieces decides the windows.
        pieces = str(self.tokenizer.max_pieces).encode()
        self.digest = hashlib.sha256(hashlib.sha256(data).digest() + pieces + tokenizer.read_bytes()).hexdigest()

    def __repr__(self) -> str:
        return f"JudgeModel({str(self.directory)!r})"

    @property
    def label(self) -> str:
        """What signatures and messages call it."""
        return f"{self.name}-{self.version}@{self.digest[:8]}"

    def scores(self, sources: Sequence[str], outputs: Sequence[str], *, threads: int = 1) -> Array:
        """Return the scores of every output, 0 to 100 in the order of `ASPECTS`; equal pairs are read once.

        Where a text is empty there is nothing to judge: all scores are 0.
        """
        if len(sources) != len(outputs):
            msg = f"expected a source for every output, found {len(sources)} sources and {len(outputs)} outputs"
            raise LengthMismatchError(msg)
        pairs = list(zip(sources, outputs, strict=True))
        read = [pair for pair in dict.fromkeys(pairs) if pair[0].strip() and pair[1].strip()]
        found = for_each(read, self._read, size=lambda pair: len(pair[0]) + len(pair[1]), threads=threads)
        known = dict(zip(read, found, strict=True))
        nothing = np.zeros(len(ASPECTS))
        return np.array([known.get(pair, nothing) for pair in pairs]).reshape(-1, len(ASPECTS))

    def risks(self, sources: Sequence[str], outputs: Sequence[str], *, threads: int = 1) -> Array:
        """Return how likely a reader finds each output damaged."""
        return self.curve.risks(self.scores(sources, outputs, threads=threads))

    def _read(self, pair: tuple[str, str]) -> Array:
        windows = self.tokenizer.windows(*pair)
        values = [self._session.run(["scores"], window.inputs)[0][0] for window in windows]
        if np.shape(values) != (len(windows), len(ASPECTS)):
            msg = f"{self.directory}: expected a graph with {len(ASPECTS)} scores; install or make the judge again"
            raise DataError(msg)
        mean: Array = np.average(np.array(values, dtype=np.float64), axis=0, weights=[len(one) for one in windows])
        return mean * _HIGHEST


def open_judge(directory: str | Path | None = None) -> JudgeModel:
    """Return the judge of a directory, kept open for the next call until its `judge.toml` is written again."""
    folder = find_judge(directory).absolute()
    try:
        stamp = (folder / SETTINGS).stat().st_mtime_ns
    except OSError:
        stamp = 0  # opening it says what is wrong
    return _kept(folder, stamp)


@functools.lru_cache(maxsize=2)
def _kept(directory: Path, _stamp: int) -> JudgeModel:
    return JudgeModel(directory)
