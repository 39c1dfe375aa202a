"""How `simplify` shows its results: the text alone, with explanations, with changes in place, as JSON, or as a page."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from plainwright.cli.diff import word_diff
from plainwright.cli.explain import colour_wanted, explained

if TYPE_CHECKING:
    from plainwright.rewrite import SimplifiedText

__all__ = ["Showing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """The options that say how results are shown."""

    explain: bool
    n_best: int
    as_json: bool
    diff: bool
    html: Path | None
    saved: bool

    def __post_init__(self) -> None:
        from plainwright.errors import DataError

        new = {"--diff": self.diff, "--html": self.html is not None}
        forms = {**new, "--json": self.as_json, "--explain": self.explain, "--n-best": self.n_best > 1}
        wanted = [name for name, is_wanted in forms.items() if is_wanted]
        if len(wanted) > 1 and wanted[0] in new:
            msg = f"{wanted[0]} and {wanted[1]} are two ways to show the same text; choose one of them"
            raise DataError(msg)

    @property
    def edits(self) -> bool:
        """Whether edits are needed."""
        return self._marked or self.as_json or self.html is not None

    @property
    def coloured(self) -> bool:
        """Whether colours are shown."""
        return self._marked and not self.as_json and not self.saved and colour_wanted()

    @property
    def headings(self) -> bool:
        """Whether each of several files needs a heading."""
        return self._marked and not self.as_json and not self.saved

    @property
    def result_only(self) -> bool:
        """Whether nothing but the result is shown, if not a page."""
        return not self._marked and not self.as_json

    @property
    def _marked(self) -> bool:
        return self.explain or self.n_best > 1 or self.diff

    def text(self, part: SimplifiedText, file: Path) -> str:
        """Return a part as it is shown; nothing where only the page is asked for."""
        if self.as_json:
            return json.dumps({"file": str(file), **part.to_dict()}, ensure_ascii=False) + "\n"
        if self.diff:
            return word_diff(part, colour=self.coloured)
        if self._marked:
            return explained(part, edits=self.explain, colour=self.coloured)
        return part.text if self.html is None or self.saved else ""
