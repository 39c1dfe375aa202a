"""An encoder that onnxruntime runs: a directory with `encoder.onnx`, `tokenizer.json` and `encoder.toml`.

The graph takes `ids` of one text, shape (1, pieces), and gives `tokens` and `vector`. Texts are encoded one by one,
each in one thread: quantised activations share one scale for a whole tensor, so a text would change with its
neighbours in a batch. Several threads take several texts.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from plainwright.errors import DataError, MissingExtraError
from plainwright.files import atomic_write, explain_reading, read_text
from plainwright.lens.encoders.base import Encoded
from plainwright.lens.encoders.pieces import PieceTokenizer
from plainwright.lens.encoders.threads import for_each

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["CARD_FILE", "GRAPH_FILE", "TOKENIZER_FILE", "EncoderCard", "OnnxEncoder"]

GRAPH_FILE = "encoder.onnx"
TOKENIZER_FILE = "tokenizer.json"
CARD_FILE = "encoder.toml"
_FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderCard:
    """What `encoder.toml` says of the graph beside it."""

    name: str
    width: int
    max_pieces: int
    layer: int  # whose vectors `tokens` are; 0 are the embeddings
    precision: str  # of the weights
    format: int = _FORMAT

    @classmethod
    def load(cls, path: Path) -> EncoderCard:
        """Read and check the file."""
        try:
            table = tomllib.loads(read_text(path)).get("encoder")
        except tomllib.TOMLDecodeError as error:
            msg = f"{path}: expected TOML, found something else ({error})"
            raise DataError(msg) from None
        if not isinstance(table, dict):
            msg = f"{path}: expected a table [encoder], found none"
            raise DataError(msg)
        if table.get("format") != _FORMAT:
            msg = f"{path}: expected format {_FORMAT}, found {table.get('format')!r}; a newer plainwright may read it"
            raise DataError(msg)
        return cls(**{field.name: _entry(path, table, field.name, field.type) for field in fields(cls)})

    def save(self, path: Path) -> None:
        """Write the file."""
        with atomic_write(path) as stream:
            stream.write("[encoder]\n")
            stream.writelines(f"{key} = {json.dumps(value)}\n" for key, value in asdict(self).items())


class OnnxEncoder:
    """Text to vectors with onnxruntime and tokenizers alone."""

    def __init__(self, session: InferenceSession, tokenizer: PieceTokenizer, card: EncoderCard, *, digest: str) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._digest = digest
        self.card = card

    @classmethod
    def open(cls, directory: str | Path) -> OnnxEncoder:
        """Open what `export_encoder` wrote; the digest covers all three files."""
        directory = Path(directory)
        if not directory.is_dir():
            found = "a file" if directory.exists() else "nothing"
            msg = f"{directory}: expected the directory of an encoder, found {found}"
            raise DataError(msg)
        card = EncoderCard.load(directory / CARD_FILE)
        tokenizer = PieceTokenizer.open(directory / TOKENIZER_FILE, max_pieces=card.max_pieces)
        digest = hashlib.sha256()
        for name in (CARD_FILE, TOKENIZER_FILE):
            digest.update((directory / name).read_bytes())
        with explain_reading(directory / GRAPH_FILE):
            graph = (directory / GRAPH_FILE).read_bytes()
        digest.update(graph)
        session = _opened_session(graph, directory / GRAPH_FILE)
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

    def encode(self, texts: Sequence[str], *, threads: int = 1) -> list[Encoded]:
        """Each text by itself, in the order given."""
        return for_each(texts, self._encode, threads=threads)

    def _encode(self, text: str) -> Encoded:
        pieces = self._tokenizer(text)
        tokens, vector = self._session.run(["tokens", "vector"], {"ids": pieces.ids[np.newaxis]})
        return Encoded(vector=vector, tokens=tokens, ids=pieces.ids, special=pieces.special, truncated=pieces.truncated)


def _entry(path: Path, table: dict[str, Any], key: str, kind: Any) -> Any:
    value = table.get(key)
    wanted: type = {"int": int, "str": str}[kind]
    if type(value) is not wanted or (isinstance(value, int) and value < 0):
        what = "text" if wanted is str else "a whole number"
        msg = f"{path}: [encoder] {key} must be {what}, got {value!r}"
        raise DataError(msg)
    return value


def _opened_session(graph: bytes, path: Path) -> InferenceSession:
    try:
        import onnxruntime
    except ImportError:
        msg = "encoding text needs onnxruntime; install it with `pip install plainwright[lens]`"
        raise MissingExtraError(msg) from None
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
    names = ({value.name for value in session.get_inputs()}, {value.name for value in session.get_outputs()})
    if names != ({"ids"}, {"tokens", "vector"}):
        found = " to ".join(", ".join(sorted(side)) for side in names)
        msg = f"{path}: expected a graph from ids to tokens, vector, found one from {found}"
        raise DataError(msg)
    return session
