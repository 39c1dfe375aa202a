"""The directory in which a training keeps what it has computed, so that it can go on after it was stopped."""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plainwright.arrays import read_arrays, write_arrays
from plainwright.errors import DataError
from plainwright.files import atomic_write
from plainwright.tables import read_json

__all__ = ["Work", "digest_of"]

_JOB = "job.json"
_FITS = "fits"


def digest_of(*parts: object) -> str:
    """Return the SHA-256 of what these values look like."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


class Work:
    """`job.json` says what is trained; `fits/` has a file for every training that is done.

    Vectors and features are kept under the digest of all that decides them and serve whoever asks for the same. Fits
    are taken up only by a training that says so and has the same settings.
    """

    def __init__(self, folder: Path, job: Mapping[str, Any], *, resume: bool) -> None:
        self.folder = folder
        described = json.loads(json.dumps(job, default=str))
        path = folder / _JOB
        if folder.exists() and not path.is_file() and any(folder.iterdir()):
            msg = f"{folder}: expected nothing or the working directory of a training, found something else"
            raise DataError(msg)
        if resume:
            _check_same(path, described)
        else:
            shutil.rmtree(folder / _FITS, ignore_errors=True)
        try:
            (folder / _FITS).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            msg = f"{folder}: cannot be written ({(error.strerror or str(error)).lower()})"
            raise DataError(msg) from None
        with atomic_write(path) as stream:
            json.dump(described, stream, indent=1)

    def fit_path(self, name: str, suffix: str) -> Path:
        """Return where a fit, or its checkpoint, is kept."""
        return self.folder / _FITS / f"{name}{suffix}"

    def load(self, name: str) -> dict[str, npt.NDArray[Any]] | None:
        """Return a fit that is done, or None."""
        path = self.fit_path(name, ".npz")
        return read_arrays(path) if path.is_file() else None

    def save(self, name: str, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Keep a fit; its checkpoint is not needed any more."""
        write_arrays(self.fit_path(name, ".npz"), arrays)
        self.fit_path(name, ".pt").unlink(missing_ok=True)

    def inputs_path(self, digest: str) -> Path:
        """Return where vectors and features are kept under that digest."""
        return self.folder / f"inputs-{digest[:32]}.npz"

    def cached(self, digest: str) -> dict[str, npt.NDArray[Any]] | None:
        """Vectors and features kept under that digest; what cannot be read is computed again."""
        path = self.inputs_path(digest)
        if not path.is_file():
            return None
        try:
            with np.load(path, allow_pickle=False) as stored:
                return {name: stored[name] for name in stored.files}
        except (OSError, ValueError, KeyError, EOFError, MemoryError, zipfile.BadZipFile, zlib.error):
            return None

    def keep(self, digest: str, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Keep vectors and features."""
        path = self.inputs_path(digest)
        temporary = path.with_suffix(".part.npz")
        np.savez(temporary, **arrays)  # type: ignore[arg-type]
        temporary.replace(path)

    def remove(self) -> None:
        """Remove all of it."""
        shutil.rmtree(self.folder, ignore_errors=True)


def _check_same(path: Path, job: Mapping[str, Any]) -> None:
    if not path.is_file():
        msg = f"{path.parent}: expected a training to go on with, found none; train without --resume"
        raise DataError(msg)
    before = read_json(path, of="the description of a training")
    if not isinstance(before, dict):
        msg = f"{path}: expected the description of a training, found something else; train without --resume"
        raise DataError(msg)
    changed = [name for name in dict.fromkeys([*before, *job]) if before.get(name) != job.get(name)]
    if changed:
        shown = "; ".join(f"{name} was {before.get(name)!r:.40}, is {job.get(name)!r:.40}" for name in changed[:3])
        msg = f"{path.parent}: only the same training can go on ({shown}); train without --resume"
        raise DataError(msg)
