"""Pages of the Python reference: one for each package, from its docstrings."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

# Package or module, and what people look for in it.
PACKAGES = {
    "plainwright": "Rewrite and score in one call",
    "plainwright.rewrite": "Simplify text",
    "plainwright.check": "Find what makes a text hard",
    "plainwright.documents": "Read and write documents",
    "plainwright.text": "Tokens, sentences, syllables",
    "plainwright.evaluation": "Score systems",
    "plainwright.metrics": "Metrics",
    "plainwright.report": "Reports",
    "plainwright.corpora": "Test sets",
    "plainwright.reproduce": "Published tables",
    "plainwright.study.ratings": "Ratings",
    "plainwright.study.agreement": "Agreement of raters",
    "plainwright.decode": "The decoder",
    "plainwright.grammar": "Rules",
    "plainwright.lm": "Language models",
    "plainwright.tune": "Tuning",
    "plainwright.judge": "The judge",
    "plainwright.encoders": "Sentence encoders",
    "plainwright.errors": "Errors",
    "plainwright.files": "Files",
}


def reference_pages(sources: Path) -> Iterator[tuple[Path, str]]:
    """Path and text of each page; the blocks that start with `:::` are filled by mkdocstrings."""
    rows = [f"| [`{name}`]({name}.md) | {purpose} |" for name, purpose in PACKAGES.items()]
    index = (
        "# Python reference\n\nAll public names, with their docstrings. Other names may change at any time.\n\n"
        "| package | purpose |\n|---|---|\n" + "\n".join(rows) + "\n"
    )
    yield Path("api") / "index.md", index
    for name, purpose in PACKAGES.items():
        names = [public for public in public_names(sources, name) if not public.startswith("__")]
        blocks = "\n".join(f"::: {name}.{public}\n" for public in names)
        yield Path("api") / f"{name}.md", f"# {name}\n\n{purpose}.\n\n{blocks}"


def public_names(sources: Path, package: str) -> list[str]:
    """What `__all__` lists; read, not imported."""
    path = sources.joinpath(*package.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    msg = f"{path}: no __all__"
    raise ValueError(msg)
