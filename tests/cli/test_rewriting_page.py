"""`plainwright simplify --html`: one page on disk, its name on the screen."""

from __future__ import annotations

from pathlib import Path
from subprocess import CompletedProcess

import pytest
from tests import in_process
from tests.toy_model import write_model

RULES = "[VB] ||| purchase ||| buy ||| good=3 ||| 0-0\n"


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    write_model(tmp_path / "model", RULES)
    path = tmp_path / "letter.txt"
    path.write_text("They purchase it.\n\nNothing here.\n")
    return path


def run(letter: Path, *arguments: str, text: str = "") -> CompletedProcess[str]:
    model = ("--model", str(letter.parent / "model"))
    return in_process.run("simplify", *model, *arguments, text=text, env={"PLAINWRIGHT_MODEL": None})


def test_the_page_is_written_and_named(letter: Path) -> None:
    page = letter.parent / "page.html"
    done = run(letter, str(letter), "--html", str(page))
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{page}\n", "")
    written = page.read_text()
    assert "<title>Changes in letter.txt</title>" in written
    assert '"source":"purchase","target":"buy"' in written


def test_the_text_can_be_saved_beside_it(letter: Path) -> None:
    page, plain = letter.parent / "page.html", letter.parent / "plain.txt"
    run(letter, "-", "--html", str(page), "-o", str(plain), text="They purchase it.")
    assert plain.read_text() == "They buy it."
    assert "<title>Changes in a text</title>" in page.read_text()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("LETTER", "LETTER", "--html", "p.html"), "--html: expected one input for one page, found 2"),
        (("LETTER", "--html", "LETTER"), "LETTER: the page would replace another file of this command"),
        (("LETTER", "--html", "p.html", "-o", "p.html"), "p.html: the page would replace another file"),
        (("LETTER", "--html", "p.html", "--json"), "--html and --json are two ways to show the same text"),
        (("LETTER", "--html", "no/p.html"), "no/p.html"),
    ],
)
def test_mistakes_leave_nothing(
    letter: Path, arguments: tuple[str, ...], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(letter.parent)
    before = sorted(letter.parent.iterdir())
    done = run(letter, *(argument.replace("LETTER", str(letter)) for argument in arguments))
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence.replace("LETTER", str(letter)) in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(letter.parent.iterdir()) == before
