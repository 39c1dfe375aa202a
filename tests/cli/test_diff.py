"""`plainwright simplify --diff` and `--max-grade`."""

from __future__ import annotations

from pathlib import Path
from subprocess import CompletedProcess

import pytest
from tests import in_process
from tests.toy_model import write_model

RULES = """\
[JJ] ||| principal ||| main ||| good=3 ||| 0-0
[VB] ||| purchase ||| buy ||| good=3 ||| 0-0
[IN] ||| in order to ||| to ||| good=3 ||| 2-0
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_model(tmp_path_factory.mktemp("model"), RULES))


def run(*arguments: str, text: str, **environment: str | None) -> CompletedProcess[str]:
    return in_process.run("simplify", *arguments, text=text, env={"PLAINWRIGHT_MODEL": None, **environment})


def test_changes_stand_in_their_places(model: str) -> None:
    text = "The gate is red.\n\nThey purchase the  principal gate,\nin order to go.\n"
    expected = (
        "The gate is red.\n\nThey [-purchase-]{+buy+} the  [-principal-]{+main+} gate,\n[-in order to-]{+to+} go.\n"
    )
    assert run("-m", model, "--diff", text=text).stdout == expected


def test_a_text_without_changes_comes_back_as_it_is(model: str) -> None:
    text = "A [-b-] c. {+d+}\r\n\r\n\tNothing here."
    assert run("-m", model, "--diff", text=text).stdout == text


def test_on_a_terminal_what_went_is_struck_through(model: str) -> None:
    painted = run("-m", model, "--diff", text="They purchase it.", FORCE_COLOR="1", NO_COLOR=None).stdout
    assert painted == "They \x1b[31m\x1b[9mpurchase\x1b[0m\x1b[32mbuy\x1b[0m it."
    plain = run("-m", model, "--diff", text="They purchase it.", FORCE_COLOR="1", NO_COLOR="1").stdout
    assert plain == "They [-purchase-]{+buy+} it."


def test_text_has_no_colours_of_its_own_among_ours(model: str) -> None:
    painted = run("-m", model, "--diff", text="They purchase \x1b[41mit.", FORCE_COLOR="1", NO_COLOR=None).stdout
    assert "\x1b[41m" not in painted


def test_a_diff_can_be_saved(model: str, tmp_path: Path) -> None:
    target = tmp_path / "changes.txt"
    run("-m", model, "--diff", "-o", str(target), text="They purchase it.", FORCE_COLOR="1", NO_COLOR=None)
    assert target.read_text() == "They [-purchase-]{+buy+} it."


@pytest.mark.parametrize("other", [("--json",), ("--explain",), ("--n-best", "2"), ("--html", "p.html")])
def test_a_text_is_shown_in_one_way(model: str, other: tuple[str, ...]) -> None:
    done = run("-m", model, "--diff", *other, text="They purchase it.")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"plainwright: --diff and {other[0]} are two ways to show the same text; choose one of them\n"


def test_sentences_that_are_plain_enough_stay(model: str) -> None:
    # FK 0.39 * 4 + 11.8 * 5/4 - 15.59 = 0.72, and 0.39 * 7 + 11.8 * 17/7 - 15.59 = 15.8, counted by hand.
    text = "They may purchase it. The inexperienced tourists purchase principal historical accommodation."
    kept = run("-m", model, "--max-grade", "8", text=text).stdout
    assert kept == "They may purchase it. The inexperienced tourists buy main historical accommodation."
    assert run("-m", model, "--max-grade", "30", text=text).stdout == text
    assert "They may buy it." in run("-m", model, "--max-grade", "-5", text=text).stdout


def test_a_grade_is_a_number(model: str) -> None:
    done = run("-m", model, "--max-grade", "nan", text="They purchase it.")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "plainwright: max_grade must be a number, a grade of school; got nan\n"
