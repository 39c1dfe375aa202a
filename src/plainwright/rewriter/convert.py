"""Turns language models that others made into rewriters: Hugging Face folders and GGUF files, run by CTranslate2.

What comes out is tried before it gets its name: CTranslate2 and transformers must agree about how likely a sentence is.
So an architecture that CTranslate2 reads in another way than transformers is refused, and does not write nonsense.
"""

from __future__ import annotations

import io
import secrets
import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from plainwright.errors import DataError
from plainwright.extras import check_extra
from plainwright.files import atomic_write
from plainwright.rewriter.controls import Controls
from plainwright.rewriter.ctranslate import Shape
from plainwright.rewriter.decoding import most_written
from plainwright.rewriter.finding import SETTINGS
from plainwright.rewriter.model import Rewriter
from plainwright.rewriter.prompts import SOURCE_PLACE, TemplatePrompt, check_template
from plainwright.tables import read_json, write_tables

__all__ = ["PROMPTS", "Converted", "Precision", "convert_rewriter"]

Precision = Literal["int8", "float32"]

PROMPTS: dict[str, str] = {
    "decoder": f"Hard: {SOURCE_PLACE}\nPlain:",
    "encoder-decoder": SOURCE_PLACE,
    "chat": "Rewrite this sentence in plain English. Keep its meaning, its names and its numbers. Answer with the "
    f"rewritten sentence alone.\n\n{SOURCE_PLACE}",
}
_MODULES = ("accelerate", "ctranslate2", "gguf", "sentencepiece", "tokenizers", "torch", "transformers")
_VOCABULARIES = ("vocabulary.json", "shared_vocabulary.json")  # of decoders, of others
_MOST_TOKENS = 300  # of a source
_PROBE = "The committee, which met on 3 May, did not approve the purchase of the building."
_REWRITE = "The group met on 3 May. It did not agree to buy the building."
# Of log-probabilities, on average; SmolLM2-135M in int8 is 0.18 apart, and exact ones less than 0.001.
_TOLERANCE: dict[Precision, float] = {"int8": 0.5, "float32": 0.05}
# What transformers no longer keeps in the configuration of these, and CTranslate2 asks for.
_NORMS = {"bart": (False, True), "mbart": (True, True), "pegasus": (True, False)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """What was made."""

    directory: Path
    architecture: str
    shape: Shape
    prompt: str
    size: int  # bytes


def convert_rewriter(
    source: str | Path,
    out: str | Path,
    *,
    prompt: str | None = None,
    chat: bool = False,
    precision: Precision = "int8",
    name: str | None = None,
) -> Converted:
    """Write a rewriter's directory from a Hugging Face folder or a GGUF file; nothing is looked for anywhere else.

    The `prompt` has a place for {source} and may have one for {level}; with `chat` it is what the user says.
    """
    source, out = Path(source), Path(out)
    if out.exists() or out.is_symlink():
        msg = f"{out}: expected a name that is free, found {'a directory' if out.is_dir() else 'a file'}; give another"
        raise DataError(msg)
    if not out.absolute().parent.is_dir():
        msg = f"{out}: expected a directory to write into, found no {out.absolute().parent}"
        raise DataError(msg)
    if prompt is not None:
        check_template(prompt)
    _check_source(source)
    check_extra("converting a language model", "convert", *_MODULES)
    unfinished = out.absolute().parent / f".plainwright.{secrets.token_hex(8)}.part"
    try:
        unfinished.mkdir()
        made = _Conversion(source, unfinished, precision).run(
            prompt=prompt, chat=chat, name=name or source.resolve().with_suffix("").name
        )
        unfinished.rename(out)
    except OSError as error:
        if error.filename is None:
            raise
        msg = f"{out}: cannot be written ({(error.strerror or str(error)).lower()})"
        raise DataError(msg) from None
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return Converted(directory=out, **made)


def _check_source(source: Path) -> None:
    if source.is_file():
        with source.open("rb") as stream:
            if stream.read(4) != b"GGUF":
                msg = f"{source}: expected a GGUF file or a Hugging Face folder, found another file"
                raise DataError(msg)
    elif not (source / "config.json").is_file():
        found = "a folder without config.json" if source.is_dir() else "nothing"
        msg = f"{source}: expected a Hugging Face folder with config.json and weights, or a GGUF file, found {found}"
        raise DataError(msg)
    elif not isinstance(settings := read_json(source / "config.json"), dict) or "model_type" not in settings:
        found = f"keys {', '.join(list(settings)[:3])}" if isinstance(settings, dict) else type(settings).__name__
        msg = f"{source / 'config.json'}: expected the model_type of a language model, found {found}"
        raise DataError(msg)


class _Conversion:
    """One conversion, into a directory that nobody knows yet."""

    def __init__(self, source: Path, directory: Path, precision: Precision) -> None:
        from transformers import AutoConfig, AutoTokenizer

        from plainwright.rewriter.tokenizing import fast_tokenizer

        self.source, self.directory, self.precision = source, directory, precision
        # A GGUF file is read beside its name, a folder as it is.
        self.place: tuple[Path, dict[str, Any]] = (
            (source.parent, {"gguf_file": source.name}) if source.is_file() else (source, {})
        )
        with self._explained("the configuration cannot be read"):
            self.config: Any = self._loaded(AutoConfig)
        with self._explained("expected a tokenizer beside the weights, found none that can be read"):
            self.tokenizer: Any = self._loaded(AutoTokenizer)
        self.shape: Shape = "encoder-decoder" if self.config.is_encoder_decoder else "decoder"
        with self._explained("its tokenizer cannot be converted"):
            self.fast_tokenizer = fast_tokenizer(self.tokenizer)

    def run(self, *, prompt: str | None, chat: bool, name: str) -> dict[str, Any]:
        """Write everything."""
        asked = prompt or PROMPTS["chat" if chat else self.shape]
        template = self._chat_prompt(asked) if chat else asked
        self.fast_tokenizer.save(str(self.directory / "tokenizer.json"))
        self.prompt = TemplatePrompt.of(
            name, self.fast_tokenizer, template, adds_special=not chat, continues=self.shape == "decoder"
        )
        most = self._most_tokens()
        self._write_weights()
        self._write_settings(most)
        self._check()
        size = sum(path.stat().st_size for path in self.directory.iterdir())
        return {"architecture": self.config.model_type, "shape": self.shape, "prompt": template, "size": size}

    def _loaded(self, kind: Any, **options: Any) -> Any:
        folder, extra = self.place
        return kind.from_pretrained(folder, local_files_only=True, **extra, **options)

    def _write_weights(self) -> None:
        from ctranslate2.converters import TransformersConverter

        conversion = self

        class Converter(TransformersConverter):  # type: ignore[misc]
            """Takes from us what it would load itself."""

            def load_model(self, model_class: Any, *_: Any, **__: Any) -> Any:
                return conversion._load_model(model_class)

            def load_tokenizer(self, *_: Any, **__: Any) -> Any:
                return conversion.tokenizer

        settings = self.directory / "settings"
        self.config.save_pretrained(settings)
        with self._explained("CTranslate2 does not convert it"):
            Converter(str(settings)).convert(str(self.directory / "model"), quantization=self.precision)
        shutil.rmtree(settings)
        for path in (self.directory / "model").iterdir():
            path.rename(self.directory / path.name)
        (self.directory / "model").rmdir()

    def _load_model(self, model_class: Any) -> Any:
        import torch

        model, report = self._loaded(model_class, config=self.config, dtype=torch.float32, output_loading_info=True)
        if missing := sorted(report["missing_keys"]):
            msg = f"{self.source}: expected all weights of a {self.config.model_type}, found no {missing[0]}"
            raise DataError(msg)
        if self.source.is_file():
            del model.config.quantization_config  # its weights were, and are floats now
        if self.config.model_type in _NORMS:
            before, embedding = _NORMS[self.config.model_type]
            model.config.normalize_before, model.config.normalize_embedding = before, embedding
        self.generation = model.generation_config
        self.ends, self.begin = self._ends(), self._begin()
        self.probabilities = self._judged(model.eval())  # now: what was converted is taken out of it
        return model

    def _chat_prompt(self, asked: str) -> str:
        if not getattr(self.tokenizer, "chat_template", None):
            msg = f"{self.source}: --chat expects a tokenizer with a chat template, found none; give --prompt alone"
            raise DataError(msg)
        said = [{"role": "user", "content": asked}]
        with self._explained("its chat template cannot be filled"):
            template: str = self.tokenizer.apply_chat_template(said, tokenize=False, add_generation_prompt=True)
        check_template(template)
        return template

    def _ends(self) -> list[str]:
        found: list[Any] = []
        for settings in (self.generation, self.config, self.tokenizer):
            ids = getattr(settings, "eos_token_id", None)
            found += ids if isinstance(ids, list) else [ids]
        ends: list[str] = [self.tokenizer.convert_ids_to_tokens(one) for one in dict.fromkeys(found) if one is not None]
        if not ends:
            msg = f"{self.source}: expected a token that ends a text (eos_token), found none"
            raise DataError(msg)
        return ends

    def _begin(self) -> list[str]:
        """What the model is made to write first, such as a language."""
        forced = getattr(self.generation, "forced_bos_token_id", None)
        return [] if forced is None or self.shape == "decoder" else [self.tokenizer.convert_ids_to_tokens(forced)]

    def _most_tokens(self) -> int:
        # T5 has no table of positions, and its n_positions binds nobody.
        limited = getattr(self.config, "relative_attention_num_buckets", None) is None
        positions = int(getattr(self.config, "max_position_embeddings", 1 << 20)) if limited else 1 << 20
        around = len(self.prompt.prompt("", (), Controls()))
        # A decoder reads prompt and rewrite, which may be twice the source, in one row.
        room = (positions - around - most_written(0)) // (3 if self.shape == "decoder" else 2)
        if room < 1:
            msg = (
                f"{self.source}: expected room for a prompt of {around} tokens and a rewrite, found {positions} "
                "positions; give a shorter --prompt"
            )
            raise DataError(msg)
        return min(_MOST_TOKENS, room)

    def _write_settings(self, most: int) -> None:
        name, description = self.prompt.name, f"Converted from {self.source.name}."
        prompt = {"template": self.prompt.template, "adds_special": self.prompt.adds_special}
        vocabulary = next((name for name in _VOCABULARIES if (self.directory / name).is_file()), "")
        if not vocabulary:
            msg = f"{self.source}: expected a language model that writes text, found {self.config.model_type}"
            raise DataError(msg)
        files = {
            "weights": "model.bin",
            "settings": "config.json",
            "vocabulary": vocabulary,
            "tokenizer": "tokenizer.json",
        }
        tables: dict[str, dict[str, Any]] = {
            "rewriter": {"name": name, "version": "1", "description": description},
            "runtime": {"kind": "ctranslate2", "shape": self.shape},
            "files": files,
            "sizes": {kind: (self.directory / name).stat().st_size for kind, name in files.items()},
            "prompt": {**prompt, "ends": self.ends, "begin": self.begin},
            "tokens": {"most": most},
        }
        with atomic_write(self.directory / SETTINGS) as stream:
            write_tables(stream, tables)
        with atomic_write(self.directory / "CARD.md") as stream:
            stream.write(
                f"# {name}\n\n{description} A {self.config.model_type} ({self.shape}) in "
                f"{self.precision} for CTranslate2. The licence is that of the original.\n\n"
                "Made by `plainwright rewriter convert`.\n"
            )

    def _judged(self, model: Any) -> list[float]:
        """Return the log-probability of each token of a rewrite, as transformers has it."""
        import torch

        prompt = self.prompt.prompt(_PROBE, (), Controls())
        written = self.prompt.target(_REWRITE)
        target = torch.tensor([*written, *self.tokenizer.convert_tokens_to_ids(self.ends[:1])])
        with torch.inference_mode():
            if self.shape == "decoder":
                logits = model(input_ids=torch.tensor([[*prompt, *written]])).logits[0]
            else:
                begin = [self.config.decoder_start_token_id, *self.tokenizer.convert_tokens_to_ids(self.begin)]
                read, known = torch.tensor([prompt]), torch.tensor([[*begin, *written]])
                logits = model(input_ids=read, decoder_input_ids=known).logits[0]
        logits = logits[-len(target) :]
        found: list[float] = logits.log_softmax(-1)[torch.arange(len(target)), target].tolist()
        return found

    def _check(self) -> None:
        """Refuse what CTranslate2 reads in another way than transformers."""
        ours = Rewriter(self.directory).judge(_PROBE, _REWRITE).log_probabilities
        apart = sum(abs(a - b) for a, b in zip(ours, self.probabilities, strict=True)) / len(ours)
        if not apart <= _TOLERANCE[self.precision]:
            msg = (
                f"{self.source}: CTranslate2 reads this {self.config.model_type} in another way than transformers: "
                f"log-probabilities are {apart:.2f} apart, expected {_TOLERANCE[self.precision]} at most"
            )
            raise DataError(msg)

    @contextmanager
    def _explained(self, problem: str) -> Iterator[None]:
        """Within the block, whatever other libraries raise is one sentence, and they are silent."""
        from transformers.utils import logging

        verbosity = logging.get_verbosity()
        logging.set_verbosity(logging.CRITICAL)
        try:
            with redirect_stderr(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield
        except (DataError, MemoryError):
            raise
        except Exception as error:  # these libraries raise anything
            reason = str(error).strip().partition("\n")[0] or type(error).__name__
            msg = f"{self.source}: {problem} ({reason:.160})"
            raise DataError(msg) from None
        finally:
            logging.set_verbosity(verbosity)
