r"""Names and texts that are not ours, on their way to a spreadsheet or onto a terminal: one rule for each.

A spreadsheet that opens CSV or TSV computes a cell that starts like a formula, however harmless it is as text. So an
apostrophe goes in front of it, as OWASP recommends, unless it is a number, and also in front of one that starts so
behind apostrophes of its own: that way one apostrophe can be taken off again when a table is read, and texts come back
as they were.

A terminal obeys control characters. Each becomes U+FFFD, and so does what reorders the text around it and what is no
character at all.
"""

from __future__ import annotations

import re

__all__ = ["plain_cell", "printable", "spreadsheet_cell"]

# With the wide forms, which spreadsheets in East Asian languages take for the same.
_FORMULA = re.compile("'*[=+\\-@\t\r\n＝＋－＠]")
_GUARDED = re.compile(f"'(?={_FORMULA.pattern})")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)

# C0, DEL, C1, line and paragraph separator, what overrides the direction of text, halves of characters.
_CONTROL = "[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
_IN_A_NAME = re.compile(_CONTROL)
_IN_A_TEXT = re.compile(rf"(\r?\n|\t)|{_CONTROL}")
_IN_COLOUR = re.compile(rf"(\x1b\[[0-9;]*m|\r?\n|\t)|{_CONTROL}")
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def spreadsheet_cell(text: str) -> str:
    """Return the text as a cell of CSV or TSV that no spreadsheet computes."""
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def plain_cell(cell: str) -> str:
    """Return the text that `spreadsheet_cell` was given."""
    return cell[1:] if _GUARDED.match(cell) else cell


def printable(text: str, *, layout: bool = False, colours: bool = False) -> str:
    """Return the text without what a terminal would obey.

    With `layout`, line ends and tabs stay; with `colours` also colours, which are for text that we made ourselves.
    """
    if layout or colours:
        pattern = _IN_COLOUR if colours else _IN_A_TEXT
        return pattern.sub(lambda match: match[1] or _REPLACEMENT, text)
    return _IN_A_NAME.sub(_REPLACEMENT, text)
