"""What a recipe starts from: files and directories, registered sets, and files of installed packages.

"pairs.tsv"                       relative to the recipe
"$PLAINWRIGHT_DATA/pairs.tsv"     variables and ~ are expanded
"corpus:turkcorpus/tune"          a registered set, wherever its files lie
"package:NAME/data/table.gz"      a file of a Python package, which is found but never imported
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from plainwright import corpora
from plainwright.errors import DataError, PlainwrightError
from plainwright.learn.recipe.digests import Content, Digests, digest_of

__all__ = ["Input", "shown"]

_CORPUS, _PACKAGE = "corpus:", "package:"
_VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+)\})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """Stands for one entry of [inputs]."""

    name: str
    given: str  # as written
    folder: Path  # what relative paths are relative to

    @property
    def corpus(self) -> str | None:
        """The name of a registered set, if it is one."""
        return self.given.removeprefix(_CORPUS) if self.given.startswith(_CORPUS) else None

    def text(self, tail: str = "") -> str:
        """Return what stands for it in a command."""
        return str(self.path(tail)) if self.corpus is None else self.corpus + tail

    def path(self, tail: str = "") -> Path:
        """Return where it lies; `tail` leads to something in a directory."""
        if self.given.startswith(_PACKAGE):
            return Path(f"{_in_package(self.given.removeprefix(_PACKAGE))}{tail}")
        expanded = Path(_VARIABLE.sub(_value_of, self.given)).expanduser()
        # Whoever set a variable to a relative path meant it from here. Links stay as they are: what they lead to may
        # have a name that tells less.
        folder = Path.cwd() if self.given.startswith("$") else self.folder
        return Path(f"{(folder / expanded).absolute()}{tail}")

    def problem(self, tail: str = "") -> str:
        """Return why it cannot be read, or nothing."""
        try:
            return self._problem_of_set(tail) if self.corpus is not None else _problem_of_path(self.path(tail))
        except PlainwrightError as error:
            return str(error)
        except (OSError, ValueError, RuntimeError) as error:  # a name that no file can have, or no such user
            return f"{self.given!r:.60} cannot be a path ({error})"

    def _problem_of_set(self, tail: str) -> str:
        corpora.locate(self.corpus or "")
        return f"a set has no {tail!r}; name the file by its path" if tail else ""

    def content(self, digests: Digests, tail: str = "") -> Content:
        """Return what it holds. The files of a set are compared with the digests on its card when they are read."""
        if self.corpus is None:
            return digests.of(self.path(tail))
        card = corpora.get(self.corpus)
        listing = json.dumps([[entry.path, entry.sha256] for entry in card.files])
        return Content(digest_of(listing), sum(path.stat().st_size for path in corpora.locate(card)))


def shown(path: str | Path) -> str:
    """As people would write it: relative to where they are, if it lies below."""
    return str(path).removeprefix(f"{Path.cwd()}{os.sep}")


def _problem_of_path(path: Path) -> str:
    if not path.exists():
        return f"{shown(path)} does not exist"
    if not path.is_file() and not path.is_dir():
        return f"{shown(path)} is neither a file nor a directory"
    return "" if os.access(path, os.R_OK) else f"{shown(path)} cannot be read (permission denied)"


def _value_of(variable: re.Match[str]) -> str:
    name = variable[1] or variable[2]
    value = os.environ.get(name)
    if value is None:
        msg = f"the variable {name} is not set"
        raise DataError(msg)
    return value


def _in_package(name: str) -> Path:
    package, _, member = name.partition("/")
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        spec = None
    places = (spec.submodule_search_locations if spec is not None else None) or []
    if not places:
        msg = f"the package {package!r} is not installed"
        raise DataError(msg)
    found = [path for place in places if (path := Path(place, member)).exists()]
    return found[0] if found else Path(places[0], member)
