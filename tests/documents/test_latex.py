r"""LaTeX: the prose of the document is found to the byte; commands, formulas and listings stay."""

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.documents.independent import assert_read_or_refused, marked

from plainwright.documents import Change, format_named, parse_document
from plainwright.errors import DataError


def document(source):
    return parse_document(source.encode(), format_named("latex"), "paper.tex")


def texts(source):
    return [(block.kind, block.text) for block in document(source).blocks]


def replaced(source, *pairs):
    own = document(source)
    changes = [
        [
            Change(block.text.index(old), block.text.index(old) + len(old), new)
            for old, new in pairs
            if old in block.text
        ]
        for block in own.blocks
    ]
    return own.changed(changes).decode()


def test_paragraphs_headings_items_notes_captions_and_quotations_are_blocks():
    source = r"""\documentclass{article}
\title{Not \emph{read}}
\begin{document}
\section[Short]{A \emph{long} title}
A line % said aside
  and another\footnote{A note.}.

Next.
\begin{itemize}
  \item first
  \item[x] second
\end{itemize}
\begin{quote} Said. \end{quote}
\begin{figure}\includegraphics{prior}\caption{A picture.}\end{figure}
\end{document}
Not read.
"""
    assert texts(source) == [
        ("heading", "A long title"),
        ("note", "A note."),
        ("paragraph", "A line and another."),
        ("paragraph", "Next."),
        ("item", "first"),
        ("item", "second"),
        ("quotation", "Said."),
        ("caption", "A picture."),
    ]


@pytest.mark.parametrize(
    "source",
    [
        "% prior to\n",
        r"\begin{lstlisting} prior { $ to \end{lstlisting}",
        r"\begin{verbatim} prior to \end{verbatim}",
        r"\begin{tabular}{ll} prior & to \end{tabular}",
        r"\begin{unknown} prior to \end{unknown}",
        r"\begin{equation} prior \end{equation}",
        r"\unknown[prior]{to}{noon}",
        r"\cite[prior to]{noon}",
        r"\url{prior%20to}",
    ],
)
def test_what_is_no_prose_is_no_block(source):
    assert texts(source) == []


def test_commands_are_read_as_what_they_print():
    source = r"``Caf\'e'' r\'esum\'e~5\% \& a--b, $x^2$, \cite{k} and \href{a%b}{link text} in \LaTeX{}."
    [block] = document(source).blocks
    assert block.text == "“Café” résumé\u00a05% & a–b, $x^2$, \ufffc and link text in LaTeX."
    assert [block.text[start:end] for start, end in block.fixed] == ["$x^2$", "\ufffc", "LaTeX"]


def test_changes_keep_everything_around_them_and_are_escaped():
    source = "We \\textbf{utilise} it\r\n  prior to $noon$ \\unknown{prior to}.\r\n"
    expected = "We \\textbf{use 5\\% \\& \\_ ``x''} it\r\n  before $noon$ \\unknown{prior to}.\r\n"
    assert replaced(source, ("utilise", "use 5% & _ “x”"), ("prior to", "before")) == expected


def test_a_quoted_term_is_read_with_its_marks():
    assert texts(r"The term \enquote{prior to} is long.") == [("paragraph", "The term “prior to” is long.")]


def test_nesting_beyond_reason_is_refused_in_a_sentence():
    with pytest.raises(DataError, match=r"paper\.tex: expected LaTeX, found more nesting"):
        document("{" * 5000 + "a" + "}" * 5000)


@pytest.mark.parametrize("source", ["a" + " " * 300_000 + "b", "\\begin{verbatim}" * 40_000, "\\x{a}" * 10_000])
def test_hostile_papers_take_no_time(source):
    with suppress(DataError):
        own = document(source)
        assert own.changed([()] * len(own.blocks)) == source.encode()


COMMANDS = re.compile(r"\\(?:[A-Za-z]+|.)|[{}$%&~\[\]\n]", re.DOTALL)
# fmt: off
PIECES = st.sampled_from([
    "word", " some words ", "\\emph{", "}", "{", "$", "$x$", "\\section{", "\\item ", "\\begin{itemize}",
    "\\end{itemize}", "% note\n", "\n\n", "\n", "\\unknown{", "[a]", "``", "''", "~", "--", "\\&", "\\'e", "\\\\",
    "\\end{verbatim}", "\\footnote{", "é", "😀", "\\", "\\[", "\\]", "&", "\\begin{document}", "\\end{document}",
    "\r\n", "\\begin{verbatim}",
])
# fmt: on


@given(st.lists(PIECES, max_size=20).map("".join))
def test_any_mixture_comes_back_and_changes_only_where_it_should(source):
    own = document(source)
    assert own.changed([()] * len(own.blocks)) == source.encode()
    changed = own.changed(marked(own, 1)).decode()
    assert [block.kind for block in document(changed).blocks] == [block.kind for block in own.blocks]
    assert COMMANDS.findall(changed) == COMMANDS.findall(source)


@given(st.binary(max_size=100))
def test_any_bytes_are_read_or_refused_in_a_sentence(data):
    assert_read_or_refused(data, "latex")
