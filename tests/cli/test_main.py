"""The command as a whole: help, version, usage errors in one sentence, streams that end or are closed."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Run

from plainwright import __version__
from plainwright.cli import options
from plainwright.cli.options import expand_multiple

EVALUATE = ("evaluate", "--source", "source.txt", "--outputs", "careful.txt", "--metrics", "fk")


def test_version(process: Run) -> None:
    done = process("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"plainwright {__version__}\n", "")


def test_the_installed_command_is_the_module() -> None:
    script = Path(sys.executable).with_name("plainwright")
    if not script.exists():
        pytest.skip("not installed as a command")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == f"plainwright {__version__}\n"


@pytest.mark.parametrize("flag", ["-h", "--help"])
@pytest.mark.parametrize("command", [(), ("evaluate",), ("report",), ("reproduce",), ("corpora",)])
def test_help_goes_to_standard_output_and_fits_eighty_columns(
    plainwright: Run, command: tuple[str, ...], flag: str
) -> None:
    done = plainwright(*command, flag)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(" ".join(["Usage: plainwright", *command]))
    assert max(map(len, done.stdout.splitlines())) <= 80


TOP = ("study", "rate", "lens", "corpora", "grammar", "lm", "learn")


@pytest.mark.parametrize("group", [(), *((name,) for name in TOP), ("learn", "import")], ids=" ".join)
def test_help_tells_each_command_in_a_whole_line(plainwright: Run, group: tuple[str, ...]) -> None:
    _, _, listed = plainwright(*group, "--help").stdout.partition("Commands:\n")
    lines = listed.splitlines()
    assert lines
    assert [line for line in lines if not line.endswith((".", "?")) or line.endswith("..")] == []


@pytest.mark.parametrize("command", ["evaluate", "report"])
def test_help_shows_examples_line_by_line(plainwright: Run, command: str) -> None:
    lines = plainwright(command, "--help").stdout.splitlines()
    [example] = [line for line in lines if "turkcorpus/test --outputs" in line]
    assert example.strip().startswith(f"plainwright {command} turkcorpus/test --outputs mine.txt theirs.txt")


def test_without_arguments_the_help_is_shown_as_an_error(plainwright: Run) -> None:
    done = plainwright()
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Usage: plainwright [OPTIONS] COMMAND")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("evalute",), "no such command 'evalute'; did you mean 'evaluate'?"),
        (("xyz",), "no such command 'xyz'; see `plainwright --help`"),
        (("--nope",), "no such option: --nope; see `plainwright --help`"),
        (("evaluate", "--nope"), "no such option: --nope; see `plainwright evaluate --help`"),
        (("evaluate", "--seeed", "1"), "--seeed"),
        (("evaluate", "--outputs"), "option '--outputs' requires an argument; see `plainwright evaluate --help`"),
        (("simplify", "--keep"), "option '--keep' requires an argument; see `plainwright simplify --help`"),
        (("simplify", "--max-grade", "A2"), "--max-grade: expected a number such as 8, found 'A2'; see `plainwright s"),
        (("evaluate", "a", "b"), "unexpected extra argument"),
        (("evaluate", "--seed", "x"), "--seed: expected a whole number, found 'x'"),
        ((*EVALUATE, "--seed", "-1"), "--seed: expected a number from 0, found -1"),
        ((*EVALUATE, "--threads", "0"), "--threads: expected a number from 1 to 1,024, found 0"),
        ((*EVALUATE, "--threads", "99999999999"), "--threads: expected a number from 1 to 1,024, found 99999999999"),
        ((*EVALUATE, "--resamples", "-1"), "--resamples: expected a number from 0 to 1,000,000, found -1"),
        (
            (*EVALUATE, "--resamples", "9999999999"),
            "--resamples: expected a number from 0 to 1,000,000, found 9999999999",
        ),
        ((*EVALUATE, "--tokenizer", "13b"), "'13b' is not one of 'auto', 'none', '13a', 'intl'"),
        ((*EVALUATE, "--test", "t"), "'t' is not one of 'bootstrap', 'randomisation'"),
        (("corpora", "show"), "missing argument"),
        (("corpora", "lst"), "no such command 'lst'; did you mean 'list'?"),
    ],
    ids=lambda value: " ".join(value)[-40:] if isinstance(value, tuple) else "",
)
def test_a_usage_error_is_one_sentence(plainwright: Run, arguments: tuple[str, ...], expected: str) -> None:
    done = plainwright(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert line.startswith("plainwright: ")
    assert expected in line
    assert not line.endswith(".")


def test_a_reader_that_goes_away_is_no_error(toy: Path) -> None:
    command = [sys.executable, "-m", "plainwright", "evaluate", "--source", "source.txt", "--references"]
    command += ["reference.0.txt", "--outputs", "careful.txt", "--metrics", "fk"]
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        done = subprocess.run(command, cwd=toy, stdout=closed, stderr=subprocess.PIPE, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="needs the device /dev/full")
def test_a_full_disk_is_one_sentence(process: Run) -> None:
    with Path("/dev/full").open("w") as full:
        done = process(*EVALUATE, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (2, "plainwright: standard output: no space left on device\n")


def test_a_narrow_encoding_of_the_terminal_does_not_stop_the_table(process: Run) -> None:
    done = process(*EVALUATE, env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "FK ↓" in done.stdout  # pipes and files are UTF-8 on every system


def test_a_closed_standard_input_is_one_sentence(toy: Path) -> None:
    script = f"exec {sys.executable} -m plainwright evaluate --source source.txt --outputs - <&-"
    done = subprocess.run(["sh", "-c", script], cwd=toy, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("plainwright: standard input: ")


def test_options_with_many_values_are_repeated_for_the_parser() -> None:
    given = ["evaluate", "x", "--outputs", "a", "-", "b=c", "--seed", "1", "--metrics", "sari", "bleu", "--json"]
    assert expand_multiple(given) == [
        *("evaluate", "x", "--outputs", "a", "--outputs", "-", "--outputs", "b=c", "--seed", "1"),
        *("--metrics", "sari", "--metrics", "bleu", "--json"),
    ]


@pytest.mark.parametrize("file", sorted(Path(options.__file__).parent.rglob("*.py")), ids=lambda file: file.stem)
def test_options_stand_in_the_type_of_a_parameter_and_not_in_its_default(file: Path) -> None:
    functions = [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)]
    defaults = [
        node for function in functions for node in (*function.args.defaults, *function.args.kw_defaults) if node
    ]
    assert [ast.unparse(node) for node in defaults if "typer." in ast.unparse(node)] == []


def test_the_help_of_simplify_has_what_writers_need_first(plainwright: Run) -> None:
    shown = plainwright("simplify", "--help").stdout
    writing, research = shown.split("\nModels and research:\n")
    assert "plainwright simplify letter.docx -o plain.docx --track-changes\n" in writing
    assert all(f" {option} " in writing for option in ("--save", "--level", "--comments", "--keep", "--help"))
    assert all(f" {option} " in research for option in ("--engine", "--proposers", "--rerank", "--sharpness"))
