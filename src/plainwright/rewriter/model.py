"""A rewriter as a directory: `rewriter.toml`, weights, a tokenizer, and a card for people.

Models that were trained here run on onnxruntime, converted ones on CTranslate2; `[runtime]` says which.
"""

from __future__ import annotations

import functools
import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plainwright.errors import DataError
from plainwright.extras import extra_for
from plainwright.files import check_directory, file_digest, read_text
from plainwright.rewriter.controls import Controls, PromptTokens
from plainwright.rewriter.decoding import Decoder, Generator, Prompt, most_written
from plainwright.rewriter.finding import SETTINGS, Runtime, runtime_of
from plainwright.rewriter.prompts import PromptFormat, TemplatePrompt, TokenPrompt, check_template
from plainwright.rewriter.risk import RewriteReader
from plainwright.tables import TableReader

__all__ = ["READER", "Rewrite", "Rewriter"]

READER = "reader.toml"  # what `plainwright learn rewriter-risk` puts beside the others

_FILES: dict[Runtime, tuple[str, ...]] = {
    "onnx": ("graph", "weights", "tokenizer"),
    "ctranslate2": ("weights", "settings", "vocabulary", "tokenizer"),
}
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
        runtime = runtime_of(table)
        self._files = {kind: table.file_beside(kind, of="rewriter") for kind in _FILES[runtime]}
        asked = table.section("prompt")
        settings = {key: asked.value(key) for key in asked}
        self._prompt_settings = json.dumps(settings, sort_keys=True) if settings else ""
        self.most_tokens = table.section("tokens").whole("most", 300, low=1)
        self._format: PromptFormat
        self.generator: Generator
        if runtime == "onnx":
            with extra_for("rewriting sentences", "rewriter"):
                self._format, self.generator = _trained(table, self._files)
        else:
            with extra_for("rewriting sentences", "ctranslate2"):
                self._format, self.generator = _converted(table, self._files)

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
        return hashlib.sha256(b"".join(each) + self._prompt_settings.encode()).hexdigest()

    @property
    def has_levels(self) -> bool:
        """Whether it rewrites otherwise at another level."""
        return self._format.has_levels

    def check(self, controls: Controls) -> None:
        """Refuse controls that the model would not follow."""
        self._format.check(controls)

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
        self.check(controls)
        prompts, owners = [], []
        for number, text in enumerate(texts):
            ids = self._format.source(text)
            if not ids or len(ids) > self.most_tokens:
                continue
            for sample in range(first, candidates):
                prompts.append(self._prompt(ids, controls, text, sample))
                owners.append(number)
        results: list[list[Rewrite]] = [[] for _ in texts]
        for owner, generated in zip(owners, self.generator.generate(prompts, threads=threads), strict=True):
            text = self._format.text(generated.ids)
            if generated.finished and text and all(text != one.text for one in results[owner]):
                results[owner].append(Rewrite(text, generated.log_probabilities))
        return results

    def judge(self, source: str, text: str, *, controls: Controls | None = None) -> Rewrite:
        """Return how sure the model is of a text that somebody else wrote."""
        controls = controls or Controls()
        self.check(controls)
        prompt = self._prompt(self._format.source(source), controls, source, 0)
        return Rewrite(text, self.generator.judged(prompt, self._format.target(text)).log_probabilities)

    def _prompt(self, ids: Sequence[int], controls: Controls, text: str, sample: int) -> Prompt:
        tokens = self._format.prompt(text, ids, controls)
        most = most_written(len(ids))
        if sample == 0:
            return Prompt(tokens, most)
        seed = zlib.crc32(f"{sample}\t{text}".encode(errors="replace"))
        return Prompt(tokens, most, seed=seed, temperature=_TEMPERATURE)


def _tokenizer(path: Path) -> Any:
    from tokenizers import Tokenizer

    try:
        return Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing narrower
        msg = f"{path}: expected a tokenizer, found something else ({error})"
        raise DataError(msg) from None


def _trained(table: TableReader, files: Mapping[str, Path]) -> tuple[TokenPrompt, Decoder]:
    from onnxruntime.capi.onnxruntime_pybind11_state import Fail, InvalidGraph, InvalidProtobuf, NoSuchFile

    tokenizer = _tokenizer(files["tokenizer"])
    tokens = PromptTokens.read(table.section("tokens"))
    try:
        decoder = Decoder(files["graph"], end=tokens.end, unwritten=tokens.read_only())
    except (Fail, InvalidGraph, InvalidProtobuf, NoSuchFile, RuntimeError, KeyError, IndexError, ValueError) as error:
        raise _foreign(files["graph"], "the graph of a rewriter", error) from None
    return TokenPrompt(tokenizer, tokens), decoder


def _converted(table: TableReader, files: Mapping[str, Path]) -> tuple[TemplatePrompt, Generator]:
    from plainwright.rewriter.ctranslate import SHAPES, CTranslateGenerator, Vocabulary

    tokenizer = _tokenizer(files["tokenizer"])
    shape = table.section("runtime").choice("shape", SHAPES)
    prompt = table.section("prompt")
    template = prompt.text("template", least=1)
    check_template(template)
    ends = prompt.texts("ends", least=1)
    template_prompt = TemplatePrompt.of(
        table.section("rewriter").text("name"),
        tokenizer,
        template,
        adds_special=prompt.flag("adds_special", True),
        continues=shape == "decoder",
    )
    try:
        vocabulary = Vocabulary.of(json.loads(read_text(files["vocabulary"])), tokenizer, ends)
        begin = prompt.texts("begin")
        return template_prompt, CTranslateGenerator(
            files["weights"].parent, tokenizer, vocabulary, shape=shape, ends=ends, begin=begin
        )
    except (RuntimeError, TypeError, IndexError, ValueError) as error:
        raise _foreign(files["weights"], f"a {shape} of CTranslate2", error) from None


def _foreign(path: Path, expected: str, error: Exception) -> DataError:
    return DataError(f"{path}: expected {expected}, found something else ({str(error).partition(chr(10))[0]:.120})")
