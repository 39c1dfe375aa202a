"""Texts for the page about a simplified text, and a simplifier that splits sentences and replaces words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from plainwright.rewrite import Passes, Pipeline, Proposal, Sentence, SimplifiedText, Simplifier

TEXT = (
    "Dear Ms Okafor,\n\nThe principal gate, which opened in 1962, is red, and the residents 🙂 purchase tickets "
    "there.  Kindly\nutilise it subsequently!\n\nThey purchase the edifice in order to reside there.\n"
)
HOSTILE = (
    "They purchase </script><script>alert(1)</script> and <img src=x onerror=alert(1)>.\n\n"
    + "x" * 30_000
    + ". הם purchase לחם \u202e\u2028 היום.\n\nThe principal <b>gate</b> & \x00 \ud800."
)

_SPLITS = {", which opened": " opened", ", is red": ". It is red", ", and the residents": ". The residents"}
_WORDS = {
    " principal": " main",
    " purchase": " buy",
    "utilise": "use",
    "subsequently": "later",
    "edifice": "building",
    "in order to": "to",
    " reside ": " live ",
}


@dataclass(frozen=True)
class _Reason:
    """Says which words became which."""

    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.before} → {self.after}"

    def to_dict(self) -> dict[str, object]:
        return {"kind": "example", "before": self.before, "after": self.after}


class _Replacing:
    """Proposes one rewrite, with texts in the place of others; `together` makes one group of all edits."""

    def __init__(self, name: str, table: dict[str, str], *, together: bool) -> None:
        self.name = name
        self._table = table
        self._together = together

    def propose(self, sentences: Sequence[Sentence], *, limit: int, threads: int) -> list[list[Proposal]]:
        return [[self._proposal(sentence)] for sentence in sentences]

    def _proposal(self, sentence: Sentence) -> Proposal:
        text = sentence.text
        for before, after in self._table.items():
            text = text.replace(before, after)
        edits = [
            replace(
                edit,
                group=0 if self._together else edit.group,
                evidence=(_Reason(edit.source_text.strip(), edit.target_text.strip()),),
            )
            for edit in Proposal(sentence, text, origin=self.name).edits
        ]
        return Proposal(sentence, text, origin=self.name, edits=edits)


def simplifier() -> Simplifier:
    """A simplifier of two passes."""
    splitting, wording = _Replacing("split", _SPLITS, together=True), _Replacing("words", _WORDS, together=False)
    return Simplifier(Passes([Pipeline([splitting]), Pipeline([wording])]))


def rewritten(text: str) -> list[SimplifiedText]:
    """The parts of a text, simplified."""
    return list(simplifier().stream([text]))
