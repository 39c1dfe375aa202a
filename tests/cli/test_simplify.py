"""`plainwright simplify` with a small model written by hand."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from plainwright.decode.bundle import ModelBundle
from plainwright.grammar import pack_files

RULES = """\
[JJ] ||| principal ||| main ||| good=3 ||| 0-0
[JJ] ||| principal ||| chief ||| good=2 ||| 0-0
[VB] ||| purchase ||| buy ||| good=3 ||| 0-0
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    (folder / "rules.txt").write_text(RULES, encoding="utf-8")
    pack_files([folder / "rules.txt"], folder / "rules.pack")
    ModelBundle(
        name="toy",
        version="1",
        licence="CC0-1.0",
        grammars=("rules.pack",),
        language_model=None,
        weights={"good": 1.0, "IdentityRule": 0.5},
    ).save(folder)
    return folder


def run(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "plainwright", "simplify", *arguments]
    return subprocess.run(command, input=text, capture_output=True, encoding="utf-8", check=False)


def test_standard_input_becomes_standard_output(model: Path) -> None:
    done = run("--model", str(model), text="They purchase it.\n\nThe principal gate.\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "They buy it.\n\nThe main gate.\n"


def test_words_can_be_kept(model: Path) -> None:
    assert run("--model", str(model), "--keep", "principal", text="The principal gate.").stdout == "The principal gate."


def test_explanations_name_rules_and_candidates(model: Path) -> None:
    printed = run("--model", str(model), "--explain", text="The principal gate.").stdout
    assert "replace: principal → main" in printed
    assert "rule: [JJ] principal → main" in printed
    assert "candidates: main 3.000, chief 2.000" in printed


def test_json_holds_every_edit(model: Path) -> None:
    result = json.loads(run("--model", str(model), "--json", text="The principal gate.").stdout)
    assert result["text"] == "The main gate."
    assert result["sentences"][0]["edits"][0]["source"] == "principal"


def test_n_best_lists_other_ways(model: Path) -> None:
    assert "2. The chief gate." in run("--model", str(model), "--n-best", "2", text="The principal gate.").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--model", "nowhere"), "plainwright: nowhere: expected the directory of a model, found nothing\n"),
        (("--strength", "3", "--model", "x"), None),
        (("absent.txt", "--model", "MODEL"), "plainwright: absent.txt: no such file\n"),
    ],
)
def test_mistakes_end_in_one_sentence(model: Path, arguments: tuple[str, ...], message: str | None) -> None:
    done = run(*(str(model) if argument == "MODEL" else argument for argument in arguments))
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert message is None or done.stderr == message
