# ruff: noqa: T201
"""Install what `make dist` built, as strangers would, and see whether it works there.

    python tools/try_distributions.py dist [--python PATH …]

Every environment is new, lies outside the clone, and has an empty home. With each Python from 3.10 to 3.13 that this
machine has, the wheel of the code comes first, alone: it must score, and say what is missing for the rest. Then come
the models: `simplify`, `check`, `evaluate`, `report` and `rate demo` must answer. The first Python also builds both
from their source distributions.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

VERSIONS = ("3.10", "3.11", "3.12", "3.13")
EXTRAS = "[documents,en,rate]"
LARGEST = 100_000_000  # bytes of a file that PyPI takes
SOURCE = (
    "The physician, who had arrived prior to the meeting, subsequently obtained the requisite documents, and the "
    "patient was discharged."
)
OUTPUT = "The doctor came before the meeting and got the papers. The patient was discharged."
REFERENCE = "The doctor came before the meeting. Later the doctor got the papers, and the patient went home."
TEXTS = ("--source", "source.txt", "--references", "reference.txt", "--outputs", "output.txt")
ADVICE = "install it with `pip install 'plainwright[en]'`"
PATTERNS = {
    "code": "plainwright-*.whl",
    "models": "plainwright_en-*.whl",
    "code sources": "plainwright-*.tar.gz",
    "model sources": "plainwright_en-*.tar.gz",
}


def main() -> None:
    """Try the files in the folder that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", type=Path, action="append", help="use these instead of looking for all versions")
    arguments = parser.parse_args()
    files = {kind: only(arguments.folder, pattern) for kind, pattern in PATTERNS.items()}
    for path in files.values():
        print(f"{path.name}\t{path.stat().st_size:,} bytes")
        if path.stat().st_size > LARGEST:
            sys.exit(f"{path}: larger than {LARGEST:,} bytes, which is what PyPI takes")
    pythons = arguments.python or list(installed_pythons())
    for python in pythons:
        try_wheels(python, files["code"], files["models"])
    try_sources(pythons[0], files["code sources"], files["model sources"])


def only(folder: Path, pattern: str) -> Path:
    """Return the one file of this kind."""
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        sys.exit(f"{folder}: expected one {pattern}, found {len(found)}; run `make dist`")
    return found[0].resolve()


def installed_pythons() -> Iterator[Path]:
    """Find the interpreters on the path, and those of pyenv, which are often not on it."""
    for version in VERSIONS:
        name = f"python{version}"
        named = [shutil.which(name), *sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/{name}"))]
        for path in filter(None, named):
            if subprocess.run([path, "-c", ""], capture_output=True).returncode == 0:
                yield Path(path)
                break
        else:
            print(f"Python {version}: not on this machine, left out")


class Environment:
    """A new environment with an empty home; `run` runs a command of ours there."""

    def __init__(self, python: Path, place: Path) -> None:
        self.place = place
        self.home = place / "home"
        self.home.mkdir()
        subprocess.run([python, "-m", "venv", "--without-pip", place / "env"], check=True)
        self.python = place / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
        self.variables = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TMPDIR") if name in os.environ}
        self.variables |= {"HOME": str(self.home), "PYTHONUTF8": "1", "COLUMNS": "120"}

    def install(self, *requirements: str | Path) -> None:
        """Install with the pip that runs this script, and its settings."""
        pip = [sys.executable, "-m", "pip", "--python", self.python, "install", "--quiet"]
        subprocess.run([*map(str, pip), "--disable-pip-version-check", *map(str, requirements)], check=True)

    def command(self, *arguments: str) -> list[str]:
        """Return the command line of ours."""
        return [str(self.python.with_name("plainwright")), *arguments]

    def run(self, *arguments: str, text: str = "", status: int = 0) -> subprocess.CompletedProcess[str]:
        """Run it; another status than the expected one ends this script."""
        done = subprocess.run(
            self.command(*arguments), env=self.variables, cwd=self.place, input=text, capture_output=True, text=True
        )
        if done.returncode != status:
            sys.exit(f"plainwright {' '.join(arguments)}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done


@contextmanager
def environment(python: Path) -> Iterator[Environment]:
    """Make an environment that is gone when the block ends, with three texts to score."""
    with tempfile.TemporaryDirectory(prefix="plainwright-dist-") as folder:
        place = Path(folder)
        for name, text in (("source", SOURCE), ("output", OUTPUT), ("reference", REFERENCE)):
            (place / f"{name}.txt").write_text(f"{text}\n", encoding="utf-8")
        yield Environment(python, place)


def try_wheels(python: Path, code: Path, models: Path) -> None:
    """Install the code alone, then the models beside it."""
    with environment(python) as clean:
        clean.install(code)
        expect_scores(clean)
        for command in ("simplify", "check"):
            failed = clean.run(command, text=SOURCE, status=2)
            expect(ADVICE in failed.stderr and failed.stderr.count("\n") == 1, command, failed.stderr)
        print(f"{version_of(clean)}: the code alone scores, and names what is missing for the rest")
        clean.install(f"{code}{EXTRAS}", models)
        expect_scores(clean)
        expect_rewriting(clean)
        expect_rating(clean)
        expect(not any(clean.home.iterdir()), "home", "nothing may be written to the home directory")
        print(f"{version_of(clean)}: simplify, check, evaluate, report and rate demo answer")


def try_sources(python: Path, code: Path, models: Path) -> None:
    """Build both from their source distributions."""
    with environment(python) as clean:
        clean.install(code, models)
        clean.run("--version")
        scored = clean.run("check", "--json", text=SOURCE).stdout
        expect(bool(json.loads(scored)), "check --json", scored)
        expect_scores(clean)
        print(f"{version_of(clean)}: both can be built from their sources")


def expect_scores(clean: Environment) -> None:
    """Score the texts, and write the page about them."""
    found = json.loads(clean.run("evaluate", *TEXTS, "--json").stdout)
    expect(bool(found), "evaluate --json", found)
    clean.run("report", *TEXTS, "-o", "report.html")
    page = (clean.place / "report.html").read_text(encoding="utf-8")
    expect("SARI" in page, "report", page[:200])


def expect_rewriting(clean: Environment) -> None:
    """Simplify a sentence, with the list of words and with the parser, and say what makes it hard."""
    plain = clean.run("simplify", text=SOURCE)
    worked = "before the meeting" in plain.stdout and plain.stdout.count(".") > 1 and not plain.stderr
    expect(worked, "simplify", plain.stdout + plain.stderr)
    found = clean.run("check", text=SOURCE)
    expect("hard-word" in found.stdout, "check", found.stdout)


def expect_rating(clean: Environment) -> None:
    """Start the demonstration, and follow the link of a rater."""
    command = clean.command("rate", "demo", "--no-browser", "--port", "0")
    server = subprocess.Popen(
        command, env=clean.variables, cwd=clean.place, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        said = server.stdout.readline() if server.stdout else ""
        link = re.search(r"https?://\S+", said)
        if link is None:
            sys.exit(f"plainwright rate demo: expected a link, found {said!r}")
        with urllib.request.urlopen(link[0], timeout=30) as answer:
            page = answer.read().decode("utf-8")
        expect("<html" in page, "rate demo", page[:200])
    finally:
        server.terminate()
        server.wait(30)


def version_of(clean: Environment) -> str:
    """Return the version of the environment's Python."""
    return subprocess.run([clean.python, "--version"], capture_output=True, text=True, check=True).stdout.strip()


def expect(fine: bool, what: str, found: object) -> None:
    """End this script if something is not as it should be."""
    if not fine:
        sys.exit(f"{what}: not what was expected:\n{found}")


if __name__ == "__main__":
    main()
