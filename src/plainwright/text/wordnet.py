"""Glosses of WordNet 3.0 (Fellbaum, 1998): what words mean, in a line.

`index.noun` and its like have a line for each lemma, whose synsets stand at its end, that of the commonest sense first;
`data.noun` has a synset at each of these places, with its gloss after a bar. `noun.exc` has irregular forms.
"""

from __future__ import annotations

import mmap
import re
from functools import lru_cache
from pathlib import Path

from plainwright.errors import DataError, MissingExtraError
from plainwright.text.lemmas import lemmas_by_ending

__all__ = ["PARTS_OF_SPEECH", "Glosses", "wordnet_directory"]

PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
_PLACES = (Path("/usr/share/wordnet"), Path("/usr/local/share/wordnet"), Path("/usr/share/wordnet-3.0/dict"))
_EXAMPLE = re.compile(r'[;:,]?\s*"')
_LONGEST = 120  # characters of a gloss
_REMEMBERED = 10_000  # words


def wordnet_directory() -> Path:
    """Return where Debian's package `wordnet-base` puts its files."""
    for place in _PLACES:
        if (place / "data.noun").is_file():
            return place
    msg = (
        "WordNet's files are not in the usual places; `apt-get install wordnet-base`, "
        "or name the directory of data.noun, data.verb, data.adj and data.adv"
    )
    raise MissingExtraError(msg)


class Glosses:
    """Looks words up in the files of a directory, which stay where they are; safe to use from several threads."""

    def __init__(self, directory: str | Path) -> None:
        self._files = {
            f"{kind}.{pos}": _mapped(Path(directory) / f"{kind}.{pos}")
            for kind in ("index", "data")
            for pos in PARTS_OF_SPEECH
        }
        self._irregular = {pos: _irregular(Path(directory) / f"{pos}.exc") for pos in PARTS_OF_SPEECH}
        self.find = lru_cache(_REMEMBERED)(self._find)

    def _find(self, word: str, pos: str) -> tuple[str, str] | None:
        """Return the lemma of a word in lower case and its first gloss; None without one that says something."""
        endings = sorted(lemmas_by_ending(word), key=lambda lemma: (-len(lemma), lemma))
        for lemma in (word, *self._irregular[pos].get(word, ()), *endings):
            if (place := self._first_sense(lemma, pos)) is not None:
                gloss = self._gloss(place, pos)
                return None if _is_circular(gloss, lemma) else (lemma, gloss)
        return None

    def _first_sense(self, lemma: str, pos: str) -> int | None:
        line = _line_of(self._files[f"index.{pos}"], f"{lemma} ".encode()) if lemma else None
        if line is None:
            return None
        fields = line.split()  # lemma pos synsets pointers [symbols] senses tagged [places]
        return int(fields[6 + int(fields[3])])

    def _gloss(self, place: int, pos: str) -> str:
        data = self._files[f"data.{pos}"]
        line = data[place : data.find(b"\n", place)].decode("utf-8", "replace")
        return _shortened(line.partition(" | ")[2])


def _line_of(lines: mmap.mmap, opening: bytes) -> bytes | None:
    """Search sorted lines for the one that begins so."""
    low, high = 0, len(lines)
    while low < high:
        start = lines.rfind(b"\n", 0, (low + high) // 2) + 1
        end = lines.find(b"\n", start)
        line = lines[start : end if end >= 0 else len(lines)]
        if line.startswith(opening):
            return line
        if line < opening:
            low = start + len(line) + 1
        else:
            high = start
    return None


def _shortened(gloss: str) -> str:
    """Return the definition without examples, at most one line."""
    definition = _EXAMPLE.split(gloss, maxsplit=1)[0].strip(" ;")
    first = definition
    while len(first) > _LONGEST and ";" in first:
        first = first.rpartition(";")[0].strip()
    return first if len(first) <= _LONGEST else first[:_LONGEST].rpartition(" ")[0] + " …"


def _is_circular(gloss: str, lemma: str) -> bool:
    """Return whether a gloss only sends to a word of the same stem: remuneration is "something that remunerates"."""
    stem = lemma[: max(4, len(lemma) - 5)]
    return not gloss or any(word.startswith(stem) for word in gloss.lower().split())


def _mapped(path: Path) -> mmap.mmap:
    try:
        with path.open("rb") as stream:
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):  # absent or empty
        msg = f"{path.parent}: expected a directory with the files of WordNet 3.0, found no {path.name} in it"
        raise DataError(msg) from None


def _irregular(path: Path) -> dict[str, tuple[str, ...]]:
    if not path.is_file():
        return {}
    rows = (line.split() for line in path.read_text("utf-8").splitlines())
    return {row[0]: tuple(row[1:]) for row in rows if row}
