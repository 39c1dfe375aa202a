"""Gather everything that the site shows in one folder, with links that lead there.

Pages of `docs/` keep their places. A page or file elsewhere in the repository that one of them links to is copied below
`project/`, and so on from there, so the site needs no repository and no network. Notebooks become pages, formulas
become MathML, and the public names of each package become the Python reference.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from latex2mathml.converter import convert
from tools.site.notebooks import as_markdown
from tools.site.reference import reference_pages

ASSETS = Path(__file__).parent / "assets"

_FENCE = re.compile(r"(^```.*?^```$)", flags=re.MULTILINE | re.DOTALL)
_NOTES = re.compile(r"\A(```\w+) .*")
# Code within a line is matched first, and left alone.
_LINK = re.compile(r"`[^`\n]*`|(?P<before>\]\()(?P<link>[^)\s]+)(?P<after>\))")
_FORMULA = re.compile(r"`[^`\n]*`|\$\$(?P<display>[^$]+)\$\$|(?<![\w$])\$(?P<inline>[^\s$][^$\n]*)\$(?![\w$])")


def gather(root: Path, output: Path) -> list[Path]:
    """Write all pages and files of the site; returns them as paths below `output`."""
    shutil.rmtree(output, ignore_errors=True)
    waiting = [path for path in sorted((root / "docs").rglob("*")) if path.is_file()]
    waiting.append(root / "README.md")
    done: dict[Path, Path] = {}
    while waiting:
        source = waiting.pop()
        if source not in done:
            done[source] = place(source, root)
            waiting += copy(source, output / done[source], root)
    for name, text in reference_pages(root / "src"):
        write(output / name, text)
    shutil.copytree(ASSETS, output / "assets", dirs_exist_ok=True)
    return sorted(done.values())


def place(source: Path, root: Path) -> Path:
    """Where a file or folder of the repository stands on the site."""
    inside = source.relative_to(root)
    if source.is_dir():
        return place(source / "README.md", root)
    if inside.parts[0] == "docs":
        inside = Path(*inside.parts[1:])
        return inside.with_suffix(".md") if inside.suffix == ".ipynb" else inside
    return Path("project", *(part.lstrip(".") for part in inside.parts))  # hidden folders are not built


def copy(source: Path, target: Path, root: Path) -> list[Path]:
    """Copy one file, or list one folder; returns what it links to."""
    if source.is_dir():
        if (source / "README.md").exists():
            return [source / "README.md"]
        text = listing(source, root)
    elif source.suffix == ".ipynb":
        text = as_markdown(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target.with_suffix(".ipynb"))
    elif source.suffix == ".md":
        text = source.read_text(encoding="utf-8")
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
        return []
    found: list[Path] = []
    write(target, outside_code(text, lambda part: with_formulas(relinked(part, source, root, found))))
    return found


def listing(folder: Path, root: Path) -> str:
    """A page that lists the files of a folder."""
    files = sorted(path.name for path in folder.iterdir() if path.is_file())
    rows = "".join(f"- [{name}]({folder.name}/{name})\n" for name in files)
    return f"# {folder.relative_to(root)}\n\n{rows}"


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Change everything but fenced code, of which only notes for the tests go (```console exit=1)."""
    parts = _FENCE.split(text)
    return "".join(_NOTES.sub(r"\1", part) if part.startswith("```") else change(part) for part in parts)


def relinked(text: str, page: Path, root: Path, found: list[Path]) -> str:
    """Let the links of a page lead to where files stand on the site; `found` receives the files."""

    def replace(match: re.Match[str]) -> str:
        link = match["link"]
        if link is None or link.startswith("#") or re.match(r"[a-z]+:", link):
            return match[0]
        file, _, anchor = link.partition("#")
        target = Path(os.path.normpath(page.parent / file))
        if not target.exists() or not target.is_relative_to(root):
            return match[0]  # Zensical says that it leads nowhere
        found.append(target)
        relative = os.path.relpath(place(target, root), place(page, root).parent)
        return f"{match['before']}{relative}{'#' + anchor if anchor else ''}{match['after']}"

    return _LINK.sub(replace, text)


def with_formulas(text: str) -> str:
    """Formulas as MathML, which browsers show without a script."""

    def replace(match: re.Match[str]) -> str:
        if match["display"]:
            return mathml(match["display"], display="block")
        return mathml(match["inline"], display="inline") if match["inline"] else match[0]

    return _FORMULA.sub(replace, text)


def mathml(formula: str, *, display: str) -> str:
    """One formula; words set upright stay whole words."""
    formula = re.sub(r"\\mathrm\{(\w+)\}", r"\\text{\1}", formula)
    return str(convert(formula, display=display))


def write(target: Path, text: str) -> None:
    """Write a page, with the folders it needs."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")


def navigation(entries: object) -> Iterator[str]:
    """The pages that a `nav` of zensical.toml names."""
    if isinstance(entries, str):
        yield entries
    elif isinstance(entries, dict):
        for entry in entries.values():
            yield from navigation(entry)
    elif isinstance(entries, list):
        for entry in entries:
            yield from navigation(entry)
