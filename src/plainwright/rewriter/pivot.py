"""A rewriter that reads each sentence twice: as it stands, and in French.

A translation model puts the sentence into French, and what it has understood is then there in other words. A second
model, begun from the one that translates back, reads both and writes plain English. The first one also reads the
result: where its French translation of the source does not follow from the rewrite, the rewrite has lost something.
Both models are kept in 6 bits and packed, and run on CTranslate2 in 8.
"""

from __future__ import annotations

import functools
import hashlib
import json
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from plainwright.errors import DataError
from plainwright.extras import extra_for
from plainwright.files import check_directory, file_digest
from plainwright.rewriter.controls import Controls, control_names
from plainwright.rewriter.finding import READER, SETTINGS, Level
from plainwright.rewriter.pivot_risk import PIVOT_FEATURES, pivot_features
from plainwright.rewriter.risk import RewriteReader
from plainwright.tables import TableReader

__all__ = ["FILES", "PivotModels", "PivotRewrite", "PivotRewriter"]

FILES = {
    "translator": "translator.bin.z",
    "writer": "writer.bin.z",
    "vocabulary": "vocabulary.json",
    "english": "english.spm",
}
_END = "</s>"
_LARGEST = 1 << 28  # bytes of a model for CTranslate2
_AT_ONCE = 16  # texts of like length that are read together
_SPARE = 12  # pieces that a rewrite of a short sentence may have beyond twice its source
_CONFIG = {
    "add_source_bos": False,
    "add_source_eos": False,
    "bos_token": "<s>",
    "decoder_start_token": _END,
    "eos_token": _END,
    "layer_norm_epsilon": None,
    "multi_query_attention": False,
    "unk_token": "<unk>",
}


class _Written(NamedTuple):
    """A rewrite, and what it was made from."""

    source: str
    french: list[str]
    controls: Controls
    text: str


_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class PivotRewrite:
    """A text in other words, and what both models make of it: one log-probability for each piece, and for each end."""

    text: str
    log_probabilities: tuple[float, ...]
    before: tuple[float, ...]  # of the source's French translation after the source
    after: tuple[float, ...]  # of the same after the rewrite
    own: tuple[float, ...]  # of the rewrite's French translation after the rewrite
    other: tuple[float, ...]  # of the same after the source

    @property
    def score(self) -> float:
        """Return the mean log-probability of a piece."""
        return sum(self.log_probabilities) / len(self.log_probabilities)

    def features(self, source: str, level: Level) -> dict[str, float]:
        """Return what tells how a reader would take it."""
        lost, added = (self.before, self.after), (self.own, self.other)
        return pivot_features(source, self.text, self.log_probabilities, lost, added, level)


class PivotRewriter:
    """Puts texts in plainer words by way of French; safe to use from several threads."""

    has_levels = True

    def __init__(self, directory: str | Path) -> None:
        directory = Path(directory)
        check_directory(directory, of="a rewriter")
        table = TableReader.read(directory / SETTINGS)
        self.directory = directory
        self.name = table.section("rewriter").text("name")
        self.version = table.section("rewriter").text("version")
        self._files = {kind: table.file_beside(kind, of="rewriter") for kind in FILES}
        self.most_tokens = table.section("tokens").whole("most", 120, low=1)
        with extra_for("rewriting sentences", "rewriter"):
            self.models = PivotModels(directory)

    @functools.cached_property
    def reader(self) -> RewriteReader | None:
        """Return who reads its rewrites, if one was taught."""
        path = self.directory / READER
        return RewriteReader.read(TableReader.read(path), PIVOT_FEATURES) if path.is_file() else None

    def __repr__(self) -> str:
        return f"PivotRewriter({str(self.directory)!r})"

    @functools.cached_property
    def digest(self) -> str:
        """Return the SHA-256 of all that decides what is written."""
        each = (bytes.fromhex(file_digest(path)) for path in self._files.values())
        return hashlib.sha256(b"".join(each)).hexdigest()

    def check(self, controls: Controls) -> None:
        """Take all controls."""

    def rewrite(
        self,
        texts: Sequence[str],
        *,
        controls: Sequence[Controls] = (Controls(),),
        candidates: int = 4,
        threads: int = 1,
    ) -> list[list[PivotRewrite]]:
        """Rewrite each text with each of the controls, `candidates` times: the likeliest wordings.

        A text that is too long has none, and neither has a candidate that came to no end.
        """
        fitting = [number for number, text in enumerate(texts) if 0 < len(self.models.pieces(text)) <= self.most_tokens]
        own = [texts[number] for number in fitting]
        french = self.models.translate(own, threads=threads)
        written: list[list[tuple[Controls, str]]] = [[] for _ in own]
        for one in controls:
            found = self.models.write(own, french, control_names(one), candidates=candidates, threads=threads)
            for place, some in enumerate(found):
                known = {text for _, text in written[place]}
                each = dict.fromkeys(self.models.text(pieces) for pieces in some)
                written[place] += [(one, text) for text in each if text and text not in known]
        flat = [(place, each) for place, some in enumerate(written) for each in some]
        read = self._read([_Written(own[place], french[place], *each) for place, each in flat], threads)
        results: list[list[PivotRewrite]] = [[] for _ in texts]
        for (place, _), rewrite in zip(flat, read, strict=True):
            results[fitting[place]].append(rewrite)
        return results

    def judge(self, pairs: Sequence[tuple[str, str]], *, controls: Controls, threads: int = 1) -> list[PivotRewrite]:
        """Return what both models make of rewrites that somebody else wrote, each with its source."""
        french = self.models.translate([source for source, _ in pairs], threads=threads)
        items = [_Written(source, pivot, controls, text) for (source, text), pivot in zip(pairs, french, strict=True)]
        return self._read(items, threads)

    def _read(self, items: Sequence[_Written], threads: int) -> list[PivotRewrite]:
        """Have both models read what was written."""
        models = self.models
        sources, rewrites = [item.source for item in items], [item.text for item in items]
        french, asked = [item.french for item in items], [control_names(item.controls) for item in items]
        sure = models.certainty(sources, french, asked, [models.pieces(text) for text in rewrites], threads=threads)
        own_french = models.translate(rewrites, threads=threads)
        readings = [
            models.understood(texts, pivots, threads=threads)
            for texts, pivots in (
                (sources, french),
                (rewrites, french),
                (rewrites, own_french),
                (sources, own_french),
            )
        ]
        return [PivotRewrite(*one) for one in zip(rewrites, sure, *readings, strict=True)]


class PivotModels:
    """Both models and what splits texts into pieces; safe to use from several threads."""

    def __init__(self, directory: Path) -> None:
        from sentencepiece import SentencePieceProcessor

        paths = {kind: directory / name for kind, name in FILES.items()}
        vocabulary = paths["vocabulary"].read_bytes()
        try:
            self._english = SentencePieceProcessor(str(paths["english"]))
        except (OSError, RuntimeError) as error:
            raise _foreign(paths["english"], "a model of sentencepiece", error) from None
        with ThreadPoolExecutor(1) as pool:
            writer = pool.submit(_opened, paths["writer"], vocabulary) if paths["writer"].is_file() else None
            self._translator = _opened(paths["translator"], vocabulary)
            self._writer = None if writer is None else writer.result()

    def pieces(self, text: str) -> list[str]:
        """Split an English text."""
        found: list[str] = self._english.encode(text, out_type=str)
        return found

    def text(self, pieces: Sequence[str]) -> str:
        """Join the pieces of an English text."""
        return str(self._english.decode(list(pieces))).strip()

    def translate(self, texts: Sequence[str], *, threads: int = 1) -> list[list[str]]:
        """Return the pieces of each text in French."""

        def translated(some: Sequence[list[str]]) -> list[list[str]]:
            results = self._translator.translate_batch(
                [[*one, _END] for one in some],
                beam_size=1,
                max_input_length=0,
                max_decoding_length=max(map(_most, some)),
            )
            # What never ends is cut at a length of its own, so that it does not depend on its neighbours.
            return [one.hypotheses[0][: _most(own)] for one, own in zip(results, some, strict=True)]

        return _in_batches([self.pieces(text) for text in texts], len, translated, threads)

    def write(
        self,
        texts: Sequence[str],
        french: Sequence[Sequence[str]],
        asked: Sequence[str],
        *,
        candidates: int = 1,
        threads: int = 1,
    ) -> list[list[list[str]]]:
        """Return the pieces of the likeliest rewrites of each text, as far as they come to an end."""
        writer, prefix = self._writer, list(asked)
        assert writer is not None

        def written(some: Sequence[tuple[list[str], list[str]]]) -> list[list[list[str]]]:
            most = [_most(pieces) for pieces, _ in some]
            found = writer.translate_batch(
                [_read(*one) for one in some],
                target_prefix=[prefix] * len(some),
                beam_size=candidates,
                num_hypotheses=candidates,
                max_input_length=0,
                max_decoding_length=max(most) + len(prefix),
            )
            return [
                [tokens[len(prefix) :] for tokens in one.hypotheses if len(tokens) - len(prefix) < own]
                for one, own in zip(found, most, strict=True)
            ]

        items = [(self.pieces(text), list(pivot)) for text, pivot in zip(texts, french, strict=True)]
        return _in_batches(items, lambda item: len(item[0]) + len(item[1]), written, threads)

    def certainty(
        self,
        texts: Sequence[str],
        french: Sequence[Sequence[str]],
        asked: Sequence[Sequence[str]],
        rewrites: Sequence[Sequence[str]],
        *,
        threads: int = 1,
    ) -> list[tuple[float, ...]]:
        """Return how likely each piece of a rewrite is, and its end."""
        writer = self._writer
        assert writer is not None

        def scored(some: Sequence[tuple[list[str], list[str], list[str]]]) -> list[tuple[float, ...]]:
            # Of what is asked for nothing is asked how likely it is.
            found = writer.score_batch(
                [read for read, _, _ in some], [[*prefix, *own] for _, prefix, own in some], max_input_length=0
            )
            return [tuple(one.log_probs[len(prefix) :]) for one, (_, prefix, _) in zip(found, some, strict=True)]

        items = [
            (_read(self.pieces(text), pivot), list(prefix), list(own))
            for text, pivot, prefix, own in zip(texts, french, asked, rewrites, strict=True)
        ]
        return _in_batches(items, lambda item: len(item[0]) + len(item[2]), scored, threads)

    def understood(
        self, texts: Sequence[str], french: Sequence[Sequence[str]], *, threads: int = 1
    ) -> list[tuple[float, ...]]:
        """Return how likely each piece of a French text is as the translation of an English one, and its end."""

        def scored(some: Sequence[tuple[list[str], list[str]]]) -> list[tuple[float, ...]]:
            found = self._translator.score_batch(
                [read for read, _ in some], [own for _, own in some], max_input_length=0
            )
            return [tuple(one.log_probs) for one in found]

        items = [([*self.pieces(text), _END], list(pivot)) for text, pivot in zip(texts, french, strict=True)]
        return _in_batches(items, lambda item: len(item[0]) + len(item[1]), scored, threads)


def _most(pieces: Sequence[str]) -> int:
    """Return how many pieces may be written for so many."""
    return 2 * len(pieces) + _SPARE


def _read(pieces: Sequence[str], pivot: Sequence[str]) -> list[str]:
    """Return what the writer reads: the French text, then the English one."""
    return [*pivot, *pieces, _END]


def _in_batches(
    items: Sequence[_Item],
    length: Callable[[_Item], int],
    work: Callable[[Sequence[_Item]], list[_Result]],
    threads: int,
) -> list[_Result]:
    """Do some work on items, those of like length together, and return the results in the order of the items."""
    order = sorted(range(len(items)), key=lambda number: length(items[number]))
    runs = [order[first : first + _AT_ONCE] for first in range(0, len(order), _AT_ONCE)]
    with ThreadPoolExecutor(max(1, threads)) as pool:
        found = pool.map(lambda run: work([items[number] for number in run]), runs)
        results = {
            number: one for run, own in zip(runs, found, strict=True) for number, one in zip(run, own, strict=True)
        }
    return [results[number] for number in range(len(items))]


def _opened(path: Path, vocabulary: bytes) -> Any:
    import os

    import ctranslate2

    files = {
        "model.bin": _inflated(path),
        "config.json": json.dumps(_CONFIG).encode(),
        "shared_vocabulary.json": vocabulary,
    }
    try:
        # Callers bound how many of these run at once; weights are shared.
        return ctranslate2.Translator(str(path), "cpu", intra_threads=1, inter_threads=os.cpu_count() or 1, files=files)
    except (RuntimeError, TypeError, IndexError, ValueError) as error:
        raise _foreign(path, "an encoder-decoder of CTranslate2", error) from None


def _inflated(path: Path) -> bytes:
    inflater = zlib.decompressobj()
    try:
        found = inflater.decompress(path.read_bytes(), _LARGEST)
    except zlib.error as error:
        raise _foreign(path, "data that zlib packed", error) from None
    if not inflater.eof:
        msg = f"{path}: expected at most {_LARGEST:,} bytes that zlib packed, found more, or no end; get the file again"
        raise DataError(msg)
    return found


def _foreign(path: Path, expected: str, error: Exception) -> DataError:
    return DataError(f"{path}: expected {expected}, found something else ({str(error).partition(chr(10))[0]:.120})")
