"""A rewriter as a directory: `rewriter.toml`, the graph with its weights, a tokenizer, and a card for people."""

from __future__ import annotations

import functools
import hashlib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from plainwright.errors import DataError
from plainwright.extras import extra_for
from plainwright.files import check_directory, file_digest
from plainwright.rewriter.controls import Controls, PromptTokens
from plainwright.rewriter.decoding import Decoder, Prompt, most_written
from plainwright.rewriter.finding import SETTINGS
from plainwright.rewriter.risk import RewriteReader
from plainwright.tables import TableReader

__all__ = ["READER", "Rewrite", "Rewriter"]

READER = "reader.toml"  # what `plainwright learn rewriter-risk` puts beside the others

_FILES = ("graph", "weights", "tokenizer")
_TEMPERATURE = 0.5  # of candidates after the first


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A text in other words, and how sure the model is of it: the log-probability of each of its tokens."""

    text: str
    log_probabilities: tuple[float, ...]

    @property
    def score(self) -> float:
        """Return the mean log-probability of a token."""
        return sum(self.log_probabilities) / len(self.log_probabilities)


class Rewriter:
    """Puts texts in plainer words; safe to use from several threads."""

    def __init__(self, directory: str | Path) -> None:
        directory = Path(directory)
        check_directory(directory, of="a rewriter")
        table = TableReader.read(directory / SETTINGS)
        self.directory = directory
        self.name = table.section("rewriter").text("name")
        self.version = table.section("rewriter").text("version")
        self._files = {kind: _file(table, directory, kind) for kind in _FILES}
        self._tokens = PromptTokens.read(table.section("tokens"))
        self.most_tokens = table.section("tokens").whole("most", 300, low=1)
        with extra_for("rewriting sentences", "rewriter"):
            from tokenizers import Tokenizer

            self._decoder = _opened(self._files["graph"], self._tokens)
        try:
            self._tokenizer = Tokenizer.from_file(str(self._files["tokenizer"]))
        except Exception as error:  # the library raises nothing narrower
            msg = f"{self._files['tokenizer']}: expected a tokenizer, found something else ({error})"
            raise DataError(msg) from None

    @functools.cached_property
    def reader(self) -> RewriteReader | None:
        """Return who reads its rewrites, if one was taught."""
        path = self.directory / READER
        return RewriteReader.read(TableReader.read(path)) if path.is_file() else None

    def __repr__(self) -> str:
        return f"Rewriter({str(self.directory)!r})"

    @functools.cached_property
    def digest(self) -> str:
        """Return the SHA-256 of all that decides what is written."""
        each = (bytes.fromhex(file_digest(path)) for path in self._files.values())
        return hashlib.sha256(b"".join(each)).hexdigest()

    def rewrite(
        self,
        texts: Sequence[str],
        *,
        controls: Controls | None = None,
        candidates: int = 1,
        first: int = 0,
        threads: int = 1,
    ) -> list[list[Rewrite]]:
        """Rewrite each text, `candidates` times: the likeliest wording, then samples; `first` skips so many of them.

        A text that is too long has none, and neither has a candidate that came to no end.
        """
        controls = controls or Controls()
        prompts, owners = [], []
        for number, text in enumerate(texts):
            ids = self._tokenizer.encode(text, add_special_tokens=False).ids
            if not ids or len(ids) > self.most_tokens:
                continue
            for sample in range(first, candidates):
                prompts.append(self._prompt(ids, controls, text, sample))
                owners.append(number)
        results: list[list[Rewrite]] = [[] for _ in texts]
        for owner, generated in zip(owners, self._decoder.generate(prompts, threads=threads), strict=True):
            text = self._tokenizer.decode(list(generated.ids), skip_special_tokens=False).strip()
            if generated.finished and text and all(text != one.text for one in results[owner]):
                results[owner].append(Rewrite(text, generated.log_probabilities))
        return results

    def judge(self, source: str, text: str, *, controls: Controls | None = None) -> Rewrite:
        """Return how sure the model is of a text that somebody else wrote."""
        ids = self._tokenizer.encode(source, add_special_tokens=False).ids
        written = self._tokenizer.encode(f" {text}", add_special_tokens=False).ids
        prompt = self._prompt(ids, controls or Controls(), source, 0)
        return Rewrite(text, self._decoder.judged(prompt, written).log_probabilities)

    def _prompt(self, ids: Sequence[int], controls: Controls, text: str, sample: int) -> Prompt:
        tokens = self._tokens.prompt(ids, controls)
        most = most_written(len(ids))
        if sample == 0:
            return Prompt(tokens, most)
        seed = zlib.crc32(f"{sample}\t{text}".encode(errors="replace"))
        return Prompt(tokens, most, seed=seed, temperature=_TEMPERATURE)


def _file(table: TableReader, directory: Path, kind: str) -> Path:
    files = table.section("files")
    name = files.file_name(kind)
    if name is None or not (directory / name).is_file():
        raise files.wrong(key=kind, expected="the name of a file beside it", found=name)
    path = directory / name
    size = path.stat().st_size
    if (expected := table.section("sizes").whole(kind, size)) != size:
        msg = f"{path}: expected {expected:,} bytes, found {size:,}; install or make the rewriter again"
        raise DataError(msg)
    return path


def _opened(graph: Path, tokens: PromptTokens) -> Decoder:
    from onnxruntime.capi.onnxruntime_pybind11_state import Fail, InvalidGraph, InvalidProtobuf, NoSuchFile

    try:
        return Decoder(graph, end=tokens.end, unwritten=tokens.read_only())
    except (Fail, InvalidGraph, InvalidProtobuf, NoSuchFile, RuntimeError, KeyError, IndexError, ValueError) as error:
        msg = f"{graph}: expected the graph of a rewriter, found something else ({str(error).splitlines()[0]:.120})"
        raise DataError(msg) from None
