"""A model of LENS as a directory: `model.toml` beside the files that it vouches for.

    encoder.onnx     text to vectors, with tokenizer.json and encoder.toml (see `encoders.onnx`)
    head.npz         the networks over the vectors, if the model has that member
    companion.npz    the trees over the features, if it has that one
    CARD.md          for people

`model.toml` says how they go together:

    [model]        kind = "lens", format, name, version, licence, description
    [files]        the SHA-256 digest of every file
    [features]     pair: those beside the vectors in the head; set: those of the companion; resources: the digest of
                   the language model and the tagger that they were made with
    [mix]          intercept, neural, companion: z = intercept + neural * head + companion * trees
    [settings]     how it was trained, for people
    [provenance]   what it was trained on, for people

Every file is compared with its digest when a model is opened, so a damaged one is an error and never a wrong number.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from plainwright import models
from plainwright.arrays import Arrays, read_arrays, write_arrays
from plainwright.boosted import BoostedTrees
from plainwright.encoders.onnx import CARD_FILE, GRAPH_FILE, TOKENIZER_FILE, EncoderCard, OnnxEncoder
from plainwright.errors import DataError
from plainwright.files import atomic_write, check_directory, explain_reading
from plainwright.lens.head import Head
from plainwright.tables import Setting, TableReader, write_tables

__all__ = [
    "FORMAT",
    "LIMIT",
    "MODEL_VARIABLE",
    "Features",
    "LensModel",
    "Mix",
    "check_replaceable",
    "find_model",
    "rescale",
]

MODEL_VARIABLE = "PLAINWRIGHT_LENS_MODEL"
FORMAT = 1
LIMIT = 5.0  # of z on both sides: beyond it there is nothing to tell apart, 100 * Phi(-5) is 0.00003

Array = npt.NDArray[np.float64]
_Member = TypeVar("_Member")

_HEAD, _COMPANION, _CARD = "head.npz", "companion.npz", "CARD.md"
_ENCODER_FILES = (GRAPH_FILE, TOKENIZER_FILE, CARD_FILE)
_FILES = (*_ENCODER_FILES, _HEAD, _COMPANION, _CARD)
_TABLE = "model.toml"
_DIGEST = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mix:
    """Makes one z of the members: `intercept + neural * head + companion * trees`."""

    intercept: float = 0.0
    neural: float = 1.0
    companion: float = 0.0

    def z(self, neural: Array | None, companion: Array | None) -> Array:
        """Mix the members that there are, within the limits of z."""
        total: Array = np.asarray(self.intercept)
        if neural is not None:
            total = total + self.neural * neural
        if companion is not None:
            total = total + self.companion * companion
        return np.clip(total, -LIMIT, LIMIT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """Names the features that the members take, in their order."""

    pair: tuple[str, ...] = ()  # of an output and one reference: the head's
    set: tuple[str, ...] = ()  # of an output and all references: the companion's
    resources: str = ""  # digest of what they were made with; empty: unknown


@dataclass(frozen=True, kw_only=True, eq=False)
class LensModel:
    """Holds the model of a directory; the encoder is opened when it is first asked for."""

    name: str
    version: str
    licence: str
    mix: Mix
    features: Features
    head: Head | None
    companion: BoostedTrees | None
    directory: Path
    digest: str  # SHA-256 of all that decides a value
    description: str = ""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    provenance: Mapping[str, Setting] = field(default_factory=dict)

    @classmethod
    def open(cls, directory: str | Path) -> LensModel:
        """Read and check a model; every file must be the one that it was saved with."""
        directory = Path(directory)
        check_directory(directory, of="a LENS model")
        path = directory / _TABLE
        table = TableReader.read(path)
        model, taken = table.section("model"), table.section("features")
        _check_format(path, model)
        digests = _check_files(path, table.section("files"))
        mix = _read_mix(table)
        features = Features(pair=taken.texts("pair"), set=taken.texts("set"), resources=taken.text("resources", ""))
        return cls(
            name=model.text("name"),
            version=model.text("version"),
            licence=model.text("licence"),
            description=model.text("description", ""),
            mix=mix,
            features=features,
            head=_member(directory / _HEAD, digests, Head.from_arrays),
            companion=_member(directory / _COMPANION, digests, BoostedTrees.from_arrays),
            settings=table.section("settings").settings(),
            provenance=table.section("provenance").settings(),
            directory=directory,
            digest=_digest_of_values(digests, mix, features),
        )

    def __post_init__(self) -> None:
        problem = self._disagreement()
        if problem:
            msg = f"{self.directory / _TABLE}: {problem}"
            raise DataError(msg)

    def _disagreement(self) -> str:
        """What does not fit together; empty if all does."""
        if self.head is None and self.companion is None:
            return f"expected at least one of {_HEAD} and {_COMPANION}, found neither"
        pair, whole = len(self.features.pair), len(self.features.set)
        if self.head is not None and self.head.width != self.encoder_card.width:
            return f"expected a head for vectors of {self.encoder_card.width}, found one for {self.head.width}"
        if self.head is not None and self.head.features != pair:
            return f"features.pair: expected {self.head.features} names, as {_HEAD} takes, found {pair}"
        if self.companion is not None and self.companion.features > whole:
            return f"features.set: expected {self.companion.features} names, as {_COMPANION} takes, found {whole}"
        return ""

    @classmethod
    def save(
        cls,
        directory: str | Path,
        *,
        encoder: Path,
        head: Head | None,
        companion: BoostedTrees | None,
        mix: Mix,
        features: Features,
        name: str,
        version: str,
        licence: str,
        card: str,
        description: str = "",
        settings: Mapping[str, Setting] | None = None,
        provenance: Mapping[str, Setting] | None = None,
    ) -> LensModel:
        """Write a model, whole or not at all, in the place of one that may be there, and open it.

        `encoder` is a directory as `export_encoder` writes it, whose files are copied.
        """
        directory = Path(directory)
        check_replaceable(directory)
        with _staged(directory) as staged:
            for file in _ENCODER_FILES:
                with explain_reading(encoder / file):
                    shutil.copyfile(encoder / file, staged / file)
            for file, member in ((_HEAD, head), (_COMPANION, companion)):
                if member is not None:
                    write_arrays(staged / file, member.arrays())
            (staged / _CARD).write_text(card, encoding="utf-8")
            described = {"name": name, "version": version, "licence": licence, "description": description}
            tables: dict[str, Mapping[str, object]] = {
                "model": {"kind": "lens", "format": FORMAT, **described},
                "files": {file: _digest(staged / file) for file in _FILES if (staged / file).exists()},
                "features": asdict(features),
                "mix": asdict(mix),
                "settings": settings or {},
                "provenance": provenance or {},
            }
            with atomic_write(staged / _TABLE) as stream:
                write_tables(stream, tables)
            cls.open(staged)  # what cannot be read again must not replace what can
        return cls.open(directory)

    @cached_property
    def encoder(self) -> OnnxEncoder:
        """Text to vectors."""
        return OnnxEncoder.open(self.directory)

    @cached_property
    def encoder_card(self) -> EncoderCard:
        """What the encoder says of itself, without opening it."""
        return EncoderCard.load(self.directory / CARD_FILE)

    @property
    def card(self) -> str:
        """What it says of itself; empty if it has no card."""
        path = self.directory / _CARD
        return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""

    @property
    def bytes(self) -> int:
        """Of all its files."""
        return sum(path.stat().st_size for path in self.directory.iterdir() if path.is_file())

    @property
    def label(self) -> str:
        """For signatures: name, version and the start of the digest."""
        return f"{self.name}-{self.version}@{self.digest[:8]}"


def rescale(z: Array) -> Array:
    """Map z to 0 to 100: the percentage of the area under the normal curve up to it."""
    return np.array([50.0 * math.erfc(-value / math.sqrt(2.0)) for value in np.ravel(z)]).reshape(np.shape(z))


def find_model(model: str | Path | None = None) -> Path:
    """Find the directory of the model: the one named, else that of `$PLAINWRIGHT_LENS_MODEL`, else the shipped one."""
    if model is not None:
        return Path(model)
    if named := os.environ.get(MODEL_VARIABLE):
        if not Path(named).is_dir():
            msg = f"{MODEL_VARIABLE}: expected the directory of a LENS model, found {named!r}"
            raise DataError(msg)
        return Path(named)
    otherwise = f"or name another one (--lens-model DIR, model= from Python, {MODEL_VARIABLE})"
    return models.find("lens", otherwise=otherwise)


def check_replaceable(directory: Path) -> None:
    """Refuse to write a model over something that is none."""
    if not directory.parent.is_dir():
        what = "is not a directory" if directory.parent.exists() else "does not exist"
        msg = f"{directory}: cannot be written, {str(directory.parent)!r} {what}"
        raise DataError(msg)
    if directory.is_dir() and not any(directory.iterdir()):
        return
    if directory.exists() and not (directory / _TABLE).is_file():
        msg = f"{directory}: expected nothing or a model to replace, found something else; choose another name"
        raise DataError(msg)


@contextmanager
def _staged(directory: Path) -> Iterator[Path]:
    """A new directory beside `directory`, which takes its place when the block ends without an error."""
    try:
        temporary = Path(tempfile.mkdtemp(dir=directory.parent, prefix=".plainwright.", suffix=".part"))
        old = temporary.with_suffix(".old")
        try:
            yield temporary
            temporary.chmod(0o755)
            if directory.exists():
                directory.rename(old)
            temporary.rename(directory)
        finally:
            if old.exists() and not directory.exists():
                old.rename(directory)
            shutil.rmtree(temporary, ignore_errors=True)
            shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        msg = f"{directory}: cannot be written ({(error.strerror or str(error)).lower()})"
        raise DataError(msg) from None


def _check_format(path: Path, model: TableReader) -> None:
    if model.value("kind") != "lens":
        msg = f"{path}: expected a LENS model, found {'another kind of model' if [*model] else 'no [model]'}"
        raise DataError(msg)
    version = model.whole("format", low=1)
    if version > FORMAT:
        msg = (
            f"{path}: expected a model of format {FORMAT}, found format {version}, "
            "which a newer plainwright wrote; update plainwright"
        )
        raise DataError(msg)


def _check_files(path: Path, files: TableReader) -> dict[str, str]:
    """The digests that the table gives, all of them right."""
    named = files.settings()
    for name, digest in named.items():
        if name not in _FILES:
            raise files.wrong(key="", expected=f"only {', '.join(_FILES)}", found=name)
        if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
            raise files.wrong(key=name, expected="a SHA-256 digest", found=digest)
        file = path.with_name(name)
        if not file.is_file() or _digest(file) != digest:
            ships = models.is_installed("lens") and path.parent == models.find("lens")
            way_out = "install plainwright-en again" if ships else "copy or train the model again"
            found = f"damaged, or not the file that {path.name} was written for" if file.exists() else "no such file"
            msg = f"{file}: {found}; {way_out}"
            raise DataError(msg)
    for name in _ENCODER_FILES:
        if name not in named:
            raise files.wrong(key="", expected=name, found=", ".join(named))
    return {name: str(digest) for name, digest in named.items()}


def _digest(path: Path) -> str:
    with explain_reading(path):
        return hashlib.sha256(path.read_bytes()).hexdigest()


def _read_mix(table: TableReader) -> Mix:
    weights = table.section("mix").numbers()
    names = [entry.name for entry in fields(Mix)]
    if sorted(weights) != sorted(names):
        raise table.wrong(key="mix", expected=", ".join(names), found=", ".join(weights))
    return Mix(**weights)


def _member(path: Path, digests: Mapping[str, str], read: Callable[[Arrays], _Member]) -> _Member | None:
    if path.name not in digests:
        return None
    arrays = read_arrays(path)
    try:
        return read(arrays)
    except DataError as error:
        msg = f"{path}: {error}"
        raise DataError(msg) from None


def _digest_of_values(digests: Mapping[str, str], mix: Mix, features: Features) -> str:
    """Of all that decides a value; the card and what is there for people do not."""
    deciding = {name: digest for name, digest in digests.items() if name != _CARD}
    described = [FORMAT, sorted(deciding.items()), asdict(mix), asdict(features)]
    return hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()
