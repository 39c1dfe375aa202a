"""Build the site from the pages that were gathered, and look for links that lead nowhere."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_EMPTY_HEADER = re.compile(r"<th[^>]*></th>")  # a screen reader would announce it


def build(root: Path, output: Path) -> str:
    """Build `output`/site from `output`/pages; returns what is wrong, or an empty string."""
    settings = (root / "zensical.toml").read_text(encoding="utf-8")
    for name, place in {"build/docs/pages": "pages", "build/docs/site": "site", "src": str(root / "src")}.items():
        settings = settings.replace(f'"{name}"', f'"{place}"')
    (output / "zensical.toml").write_text(settings, encoding="utf-8")
    program = Path(sys.executable).parent / "zensical"
    if not program.exists():
        return "the site needs zensical: pip install 'plainwright[docs]' with Python 3.11 or newer\n"
    done = subprocess.run(
        [str(program), "build", "--clean", "--strict"], cwd=output, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        return re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)
    for path in (output / "site").rglob("*.html"):
        path.write_text(_EMPTY_HEADER.sub("<td></td>", path.read_text(encoding="utf-8")), encoding="utf-8")
    return "".join(f"{problem}\n" for problem in problems(output / "site"))


class Links(HTMLParser):
    """The names on a page that links may lead to, what it links to, and what a browser loads for it."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note one element."""
        attributes = {name: value or "" for name, value in attrs}
        self.names |= {attributes[name] for name in ("id", "name") if attributes.get(name)}
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        elif tag == "link" and attributes.get("rel") in {"stylesheet", "icon", "preconnect", "preload"}:
            self.loaded.append(attributes["href"])
        elif tag in {"img", "script", "iframe", "source"} and "src" in attributes:
            self.loaded.append(attributes["src"])


def problems(site: Path) -> Iterator[str]:
    """Links that lead nowhere, and files that a browser would fetch from elsewhere."""
    pages = {path: read(path) for path in sorted(site.rglob("*.html")) if path.name != "404.html"}
    for path, page in pages.items():
        for link in [*page.links, *page.loaded]:
            parts = urlsplit(link)
            if parts.scheme in {"http", "https"} and link in page.loaded:
                yield f"{path.relative_to(site)}: loads {link}"
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                yield f"{path.relative_to(site)}: {link} leads nowhere"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].names:
                yield f"{path.relative_to(site)}: {link} is not on that page"


def read(path: Path) -> Links:
    """Parse one page."""
    links = Links()
    links.feed(path.read_text(encoding="utf-8"))
    return links
