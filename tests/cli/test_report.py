"""`plainwright report`: one page on disk, its name on the screen, and nothing at all when the input is bad."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Run
from tests.toy_set import CAREFUL, REFERENCES, write_lines

SET = ("--source", "source.txt", "--references", "reference.0.txt", "reference.1.txt")


def test_writes_one_page_and_prints_its_name(plainwright: Run, toy: Path) -> None:
    done = plainwright("report", *SET, "--outputs", "careful.txt", "hasty.txt", "-o", "page.html", "--title", "A <b>")
    assert (done.returncode, done.stdout, done.stderr) == (0, "page.html\n", "")
    page = (toy / "page.html").read_text(encoding="utf-8")
    assert page.lower().startswith("<!doctype html>")
    assert "A &lt;b&gt;" in page
    assert "careful" in page
    assert not list(toy.glob(".*"))


def test_the_page_is_called_report_html_unless_told_otherwise(plainwright: Run, toy: Path) -> None:
    done = plainwright("report", *SET, "--outputs", "careful.txt", "--resamples", "0")
    assert (done.returncode, done.stdout) == (0, "report.html\n")
    assert (toy / "report.html").stat().st_size > 1000


def test_the_same_input_gives_the_same_bytes(plainwright: Run, toy: Path) -> None:
    for name in ("one.html", "two.html"):
        plainwright("report", *SET, "--outputs", "careful.txt", "hasty.txt", "-o", name, "--metrics", "sari", "fk")
    assert (toy / "one.html").read_bytes() == (toy / "two.html").read_bytes()


def test_variants_of_a_metric_are_columns_and_panels_of_their_own(plainwright: Run, toy: Path) -> None:
    variants = ("--variant", "easse", "xu2016", "fk=paper", "fk=released")
    done = plainwright("report", *SET, "--outputs", "careful.txt", "-o", "page.html", "--resamples", "0", *variants)
    assert (done.returncode, done.stderr) == (0, "")
    page = (toy / "page.html").read_text(encoding="utf-8")
    for heading in ("SARI easse", "SARI xu2016", "FK grade paper", "FK grade released"):
        assert f">{heading}&nbsp;<span" in page  # in the summary
        assert f'<td class="words">{heading}' in page  # in the table below a chart
    for panel in ("SARI easse: add", "SARI xu2016: add", "Grade level (paper) by sentence"):
        assert f"<figcaption>{panel}</figcaption>" in page


@pytest.mark.parametrize("options", [("--source", "source.txt"), ("--references", "reference.0.txt"), ()])
def test_works_without_references_or_without_a_source(plainwright: Run, toy: Path, options: tuple[str, ...]) -> None:
    done = plainwright("report", *options, "--outputs", "careful.txt", "hasty.txt", "-o", "page.html")
    assert done.returncode == 0
    assert all(line.startswith("plainwright: warning: ") for line in done.stderr.splitlines())
    assert (toy / "page.html").exists()


def test_text_that_looks_like_markup_stays_text(plainwright: Run, toy: Path) -> None:
    write_lines(toy / "<script>.txt", [*CAREFUL[:3], "</script><script>alert(1)</script> ."])
    done = plainwright("report", *SET, "--outputs", "<script>.txt", "-o", "page.html")
    assert done.returncode == 0
    assert "<script>alert" not in (toy / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((*SET, "--outputs", "short.txt"), "output 'short' has 3 lines, source.txt has 4 segments"),
        ((*SET, "--outputs", "latin1.txt"), "latin1.txt:1: expected UTF-8 text, found byte 0xe9"),
        ((*SET, "--outputs", "wrong.txt"), "output 'wrong' equals reference 0 in every line"),
        ((*SET, "--outputs", "careful.txt", "--metrics", "sary"), "unknown metric 'sary'; did you mean sari?"),
        (("turkcorpus/tset",), "did you mean turkcorpus/test"),
        ((*SET, "--outputs", "absent.txt"), "absent.txt: no such file"),
        ((*SET, "--outputs", "careful.txt", "-o", "absent/page.html"), "'absent' does not exist"),
        ((*SET, "--outputs", "careful.txt", "-o", "careful.txt"), "would replace one of the inputs"),
        ((*SET, "--outputs", "careful.txt", "--threads", "0"), "--threads: expected a number from 1"),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)
def test_bad_input_is_one_sentence_status_2_and_nothing_written(
    plainwright: Run, toy: Path, arguments: tuple[str, ...], expected: str
) -> None:
    write_lines(toy / "short.txt", CAREFUL[:3])
    write_lines(toy / "wrong.txt", [group[0] for group in REFERENCES])
    (toy / "latin1.txt").write_bytes("café\n".encode("latin-1") * 4)
    before = {path: path.read_bytes() for path in toy.iterdir()}
    done = plainwright("report", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    [sentence] = done.stderr.splitlines()
    assert sentence.startswith("plainwright: ")
    assert expected in sentence
    assert {path: path.read_bytes() for path in toy.iterdir()} == before
