"""Notebooks as pages: text, code, and what the code printed when it was last run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_TERMINAL = re.compile(r"\x1b\[[0-9;]*m")


def as_markdown(path: Path) -> str:
    """The page of one notebook, with a link to the notebook itself below its title."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    text = "\n\n".join(part for cell in notebook["cells"] for part in cell_parts(cell))
    title, _, rest = text.partition("\n")
    return f"{title}\n\n[Download this page as a notebook]({path.name}){{ .notebook download }}\n{rest}\n"


def cell_parts(cell: dict[str, Any]) -> Iterator[str]:
    """A cell, then its outputs."""
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    language = "python"
    if source.startswith("%%bash\n"):
        language, source = "bash", source.removeprefix("%%bash\n")
    yield f"```{language}\n{source}\n```"
    for output in cell["outputs"]:
        yield from output_parts(output)


def output_parts(output: dict[str, Any]) -> Iterator[str]:
    """Printed text as a block, a table as HTML."""
    data = output.get("data", {})
    if "text/html" in data:
        lines = "".join(data["text/html"]).splitlines()
        body = "\n".join(line for line in lines if line.strip())  # an empty line would end the block
        body = re.sub(r"<style.*?</style>", "", body, flags=re.DOTALL).replace("<th></th>", "<td></td>")
        yield f'<div class="output" tabindex="0">\n{body}\n</div>'
    elif text := "".join(output.get("text", data.get("text/plain", ""))):
        yield f"```text\n{_TERMINAL.sub('', text).rstrip()}\n```"
