"""What an installation weighs: the files of both distributions, and an environment for each extra.

    make dist
    python benchmarks/sizes.py dist [--python PATH] [--extras en rate …]

Every environment is new; what is counted are the files of its site-packages, as pip unpacks them, without pip itself
and without compiled modules, which Python writes later.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

EXTRAS = ("", "en", "documents", "lens", "rate", "serve", "study", "en,documents,rate,serve", "learn")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--extras", nargs="*", default=EXTRAS)
    arguments = parser.parse_args()
    print("| file | MB |\n|---|---:|")
    for path in sorted(arguments.folder.iterdir()):
        kind = "wheel" if path.suffix == ".whl" else "sources"
        print(f"| {path.name.split('-')[0]}, {kind} | {path.stat().st_size / 1e6:.1f} |")
    [code] = arguments.folder.glob("plainwright-*.whl")
    [models] = arguments.folder.glob("plainwright_en-*.whl")
    print("\n| installed | packages | MB |\n|---|---:|---:|")
    for extra in arguments.extras:
        packages, size = weigh(arguments.python, code.resolve(), models.resolve(), extra)
        name = f"plainwright[{extra}]" if extra else "plainwright"
        print(f"| `{name}` | {packages} | {size / 1e6:.0f} |", flush=True)


def weigh(python: str, code: Path, models: Path, extra: str) -> tuple[int, int]:
    """Packages and bytes of an environment with these extras."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
        inside = Path(folder) / "bin" / "python"
        pip = [sys.executable, "-m", "pip", "--python", str(inside), "install", "--quiet", "--no-compile"]
        # pip takes the models from the folder only if something asks for them
        wanted = [f"{code}[{extra}]" if extra else str(code), "--find-links", str(models.parent)]
        subprocess.run([*pip, "--disable-pip-version-check", *wanted], check=True)
        [site] = Path(folder).glob("lib/python*/site-packages")
        files = [path for path in site.rglob("*") if path.is_file() and not path.is_symlink()]
        return len(list(site.glob("*.dist-info"))), sum(path.stat().st_size for path in files)


if __name__ == "__main__":
    main()
