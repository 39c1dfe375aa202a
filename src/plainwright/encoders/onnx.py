"""An encoder that onnxruntime runs: a directory with `encoder.onnx`, `tokenizer.json` and `encoder.toml`.

The graph takes `ids` of one text, shape (1, pieces), and gives `tokens` and `vector`. Texts are encoded one by one,
each in one thread: quantised activations share one scale for a whole tensor, so a text would change with its
neighbours in a batch. Several threads take several texts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from plainwright.encoders.base import Encoded
from plainwright.encoders.pieces import PieceTokenizer
from plainwright.encoders.threads import for_each
from plainwright.errors import DataError
from plainwright.extras import extra_for
from plainwright.files import atomic_write, check_directory, read_bytes
from plainwright.tables import TableReader, write_tables

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

__all__ = ["CARD_FILE", "GRAPH_FILE", "TOKENIZER_FILE", "EncoderCard", "OnnxEncoder", "open_session"]

GRAPH_FILE = "encoder.onnx"
TOKENIZER_FILE = "tokenizer.json"
CARD_FILE = "encoder.toml"
_FORMAT = 1
_MOST_BYTES = 1 << 31  # of a graph: protocol buffers hold no more


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderCard:
    """Holds what `encoder.toml` says of the graph beside it."""

    name: str
    width: int
    max_pieces: int
    layer: int  # whose vectors `tokens` are; 0 are the embeddings
    precision: str  # of the weights
    format: int = _FORMAT

    @classmethod
    def load(cls, path: Path) -> EncoderCard:
        """Read and check the file."""
        table = TableReader.read(path).section("encoder")
        if table.value("format") != _FORMAT:
            raise table.wrong(
                key="format", expected=f"{_FORMAT}; a newer plainwright may read others", found=table.value("format")
            )
        return cls(
            name=table.text("name"),
            width=table.whole("width", low=1),
            max_pieces=table.whole("max_pieces", low=2),
            layer=table.whole("layer", low=0),
            precision=table.text("precision"),
        )

    def save(self, path: Path) -> None:
        """Write the file."""
        with atomic_write(path) as stream:
            write_tables(stream, {"encoder": asdict(self)})


class OnnxEncoder:
    """Turns text into vectors with onnxruntime and tokenizers alone."""

    def __init__(self, session: InferenceSession, tokenizer: PieceTokenizer, card: EncoderCard, *, digest: str) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._digest = digest
        self.card = card

    @classmethod
    def open(cls, directory: str | Path) -> OnnxEncoder:
        """Open what `export_encoder` wrote; the digest covers all three files."""
        directory = Path(directory)
        check_directory(directory, of="an encoder")
        card = EncoderCard.load(directory / CARD_FILE)
        tokenizer = PieceTokenizer.open(directory / TOKENIZER_FILE, max_pieces=card.max_pieces)
        digest = hashlib.sha256()
        for name in (CARD_FILE, TOKENIZER_FILE):
            digest.update((directory / name).read_bytes())
        graph = read_bytes(directory / GRAPH_FILE, most=_MOST_BYTES)
        digest.update(graph)
        session = open_session(graph, directory / GRAPH_FILE, inputs=("ids",), outputs=("tokens", "vector"))
        return cls(session, tokenizer, card, digest=digest.hexdigest())

    def __repr__(self) -> str:
        return f"OnnxEncoder({self.name!r}, width={self.width})"

    @property
    def name(self) -> str:
        """For signatures and messages."""
        return self.card.name

    @property
    def digest(self) -> str:
        """SHA-256 of the directory's files."""
        return self._digest

    @property
    def width(self) -> int:
        """Length of the vectors."""
        return self.card.width

    @property
    def max_pieces(self) -> int:
        """How many pieces of a text are read, special ones counted."""
        return self.card.max_pieces

    @property
    def layer(self) -> int:
        """Whose vectors the tokens have; 0 are the embeddings."""
        return self.card.layer

    def encode(self, texts: Sequence[str], *, threads: int = 1) -> list[Encoded]:
        """Return each text by itself, in the order given."""
        return for_each(texts, self._encode, size=len, threads=threads)

    def _encode(self, text: str) -> Encoded:
        pieces = self._tokenizer(text)
        tokens, vector = self._session.run(["tokens", "vector"], {"ids": pieces.ids[np.newaxis]})
        return Encoded(vector=vector, tokens=tokens, ids=pieces.ids, special=pieces.special, truncated=pieces.truncated)


def open_session(graph: bytes, path: Path, *, inputs: Sequence[str], outputs: Sequence[str]) -> InferenceSession:
    """Open a graph that runs in the thread that asks it; `path` is what errors call it."""
    with extra_for("encoding text", "lens"):
        import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4  # what goes wrong is raised; a library prints nothing
    try:
        session = onnxruntime.InferenceSession(
            graph,
            options,
            providers=["CPUExecutionProvider"],
            # The fused operator takes a tenth longer than an addition and a layer norm (version 1.31, AVX2).
            disabled_optimizers=["SkipLayerNormFusion"],
        )
    except Exception as error:  # onnxruntime has a class for each status, and no base of its own
        first_line = str(error).partition("\n")[0].strip()
        msg = f"{path}: expected an ONNX graph, found something else ({first_line})"
        raise DataError(msg) from None
    names = [sorted(value.name for value in side) for side in (session.get_inputs(), session.get_outputs())]
    if names != [sorted(inputs), sorted(outputs)]:
        expected, found = (" to ".join(map(", ".join, sides)) for sides in ([sorted(inputs), sorted(outputs)], names))
        msg = f"{path}: expected a graph from {expected}, found one from {found}"
        raise DataError(msg)
    return session
