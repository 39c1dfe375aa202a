"""`plainwright simplify` with a small model written by hand."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from tests import in_process
from tests.toy_model import write_model

from plainwright.decode.bundle import ModelBundle
from plainwright.learn.lm import estimate

RULES = """\
[JJ] ||| principal ||| main ||| good=3 ||| 0-0
[JJ] ||| principal ||| chief ||| good=2 ||| 0-0
[VB] ||| purchase ||| buy ||| good=3 ||| 0-0
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("model"), RULES)


def run(*arguments: str, text: str = "") -> CompletedProcess[str]:
    return in_process.run("simplify", *arguments, text=text, env={"PLAINWRIGHT_MODEL": None})


def run_bytes(*arguments: str, data: bytes = b"", **environment: str) -> CompletedProcess[bytes]:
    return in_process.run_bytes("simplify", *arguments, data=data, env={"PLAINWRIGHT_MODEL": None, **environment})


def test_standard_input_becomes_standard_output(model: Path) -> None:
    text, expected = b"They purchase it.\n\nThe principal gate.\n", b"They buy it.\n\nThe main gate.\n"
    command = [sys.executable, "-m", "plainwright", "simplify", "--model", str(model)]
    done = subprocess.run(command, input=text, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, expected, b"")
    assert run_bytes("--model", str(model), data=text).stdout == expected


def test_words_can_be_kept(model: Path) -> None:
    assert run("--model", str(model), "--keep", "principal", text="The principal gate.").stdout == "The principal gate."


def test_explanations_name_rules_and_candidates(model: Path) -> None:
    printed = run("--model", str(model), "--explain", text="The principal gate.").stdout
    assert printed == (
        "- The principal gate.\n"
        "+ The main gate.\n"
        "  replace  principal → main\n"
        "     rule  [JJ] principal → main  3.000\n"
        "   ranked  main 3.000 · chief 2.000\n"
        "\n"
    )


def test_sentences_without_edits_are_shown_once(model: Path) -> None:
    assert run("--model", str(model), "--explain", text="Nothing here.").stdout == "= Nothing here.\n\n"


def test_colour_is_for_terminals_and_for_those_who_ask(model: Path) -> None:
    text = b"The principal gate."
    assert b"\x1b[" not in run_bytes("-m", str(model), "-e", data=text).stdout
    assert b"\x1b[" in run_bytes("-m", str(model), "-e", data=text, FORCE_COLOR="1").stdout
    assert b"\x1b[" not in run_bytes("-m", str(model), "-e", data=text, FORCE_COLOR="1", NO_COLOR="1").stdout


def test_json_holds_every_edit(model: Path) -> None:
    result = json.loads(run("--model", str(model), "--json", text="The principal gate.").stdout)
    assert result["text"] == "The main gate."
    assert result["sentences"][0]["edits"][0]["source"] == "principal"


def test_n_best_lists_other_ways(model: Path) -> None:
    assert run("--model", str(model), "--n-best", "2", text="The principal gate.").stdout == (
        "- The principal gate.\n+ The main gate.\n2 The chief gate.\n\n"
    )


def test_json_texts_joined_are_the_text(model: Path) -> None:
    text = "They purchase it.\n\nThe principal gate.\n"
    lines = run("--model", str(model), "--json", text=text).stdout.splitlines()
    assert "".join(json.loads(line)["text"] for line in lines) == run("--model", str(model), text=text).stdout
    assert len(lines) == 2


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfA gate.\r\n\r\n\tA door.  \r\n",
        b"",
        b" \n\t\n",
        "Это текст. 日本語 👩\u200d👩\u200d👧 שלום\u00a0\u00ad\x0b\x0c\x85\u2028".encode(),
        b"no end",
    ],
)
def test_untouched_text_comes_back_byte_for_byte(model: Path, data: bytes, tmp_path: Path) -> None:
    assert run_bytes("-m", str(model), data=data).stdout == data
    (tmp_path / "in.txt").write_bytes(data)
    saved = run_bytes("-m", str(model), str(tmp_path / "in.txt"), "-o", str(tmp_path / "out.txt"))
    assert (saved.returncode, saved.stdout, saved.stderr) == (0, b"", b"")
    assert (tmp_path / "out.txt").read_bytes() == data


def test_many_files_go_to_standard_output_in_order_or_into_a_directory(model: Path, tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt"):
        (tmp_path / name).write_text(f"Purchase {name[0]}.\n", encoding="utf-8")
    files = [str(tmp_path / "b.txt"), str(tmp_path / "a.txt")]
    assert run("-m", str(model), *files).stdout == "Buy b.\nBuy a.\n"
    assert run("-m", str(model), *files, "--save", str(tmp_path / "plain")).returncode == 0
    assert (tmp_path / "plain" / "a.txt").read_text(encoding="utf-8") == "Buy a.\n"
    assert (tmp_path / "plain" / "b.txt").read_text(encoding="utf-8") == "Buy b.\n"


def test_results_never_replace_inputs_or_one_another(model: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    for place in (tmp_path / "a.txt", tmp_path / "other" / "a.txt", tmp_path / "b.txt"):
        place.write_text("Purchase it.", encoding="utf-8")
    a, b, other = str(tmp_path / "a.txt"), str(tmp_path / "b.txt"), str(tmp_path / "other" / "a.txt")
    for arguments, message in [
        ((a, "-o", a), "would replace one of the inputs"),
        ((a, b, "-o", str(tmp_path)), "would replace one of the inputs"),
        ((a, other, "-o", str(tmp_path / "plain")), "would both become 'a.txt'"),
        ((a, b, "-o", b), "expected a directory for 2 results, found a file"),
        (("-", a, "-o", str(tmp_path / "plain")), "standard input has no name"),
        (("-", "-"), "can be read only once"),
        ((a, str(tmp_path / "absent.txt")), "absent.txt: no such file"),
        ((a, "-o", str(tmp_path / "none" / "x.txt")), "does not exist"),
    ]:
        done = run("-m", str(model), *arguments)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert message in done.stderr
    assert Path(a).read_text(encoding="utf-8") == "Purchase it."


def test_an_input_that_turns_out_bad_leaves_nothing_behind(model: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    for data, message in [
        (b"fine\n" * 50_000 + b"\xff", "bad.txt:50001: expected UTF-8 text, found byte 0xff"),
        (b"fine\n\0", "bad.txt:2: expected text, found a NUL byte"),
        ("é".encode() * 70_000 + b"\xc3", "bad.txt:1: expected UTF-8 text, found byte 0xc3"),
        ("fine".encode("utf-16"), "found UTF-16"),
    ]:
        bad.write_bytes(data)
        done = run("-m", str(model), str(bad), "-o", str(tmp_path / "out.txt"))
        assert done.returncode == 2
        assert message in done.stderr
        assert [path.name for path in tmp_path.iterdir()] == ["bad.txt"]


def test_compressed_text_is_read(model: Path, tmp_path: Path) -> None:
    (tmp_path / "in.txt.gz").write_bytes(gzip.compress(b"Purchase it.\n"))
    assert run("-m", str(model), str(tmp_path / "in.txt.gz")).stdout == "Buy it.\n"


def test_words_to_keep_come_from_a_file_too(model: Path, tmp_path: Path) -> None:
    (tmp_path / "keep.txt").write_text("principal gate\n\npurchase\n", encoding="utf-8")
    text = "They purchase the principal gate."
    assert run("-m", str(model), "--keep-file", str(tmp_path / "keep.txt"), text=text).stdout == text


def test_the_environment_names_the_model(model: Path) -> None:
    assert run_bytes(data=b"Purchase it.", PLAINWRIGHT_MODEL=str(model)).stdout == b"Buy it."
    assert run_bytes(data=b"They purchased it.").stdout == b"They bought it."  # the model that ships


def test_endless_sentences_pass_with_one_notice(model: Path) -> None:
    long = "word " * 5000
    done = run("-m", str(model), text=f"{long}\n\nPurchase it.\n\n{long}")
    assert done.stdout == f"{long}\n\nBuy it.\n\n{long}"
    assert done.stderr.count("\n") == 1
    assert "a sentence was left as it is: more than 300 tokens ('word word" in done.stderr
    assert "and 1 more" in done.stderr
    assert run("-m", str(model), "--quiet", text=long).stderr == ""


def test_weights_that_name_no_feature_are_told(tmp_path: Path) -> None:
    model = write_model(tmp_path, RULES, weights={"god": 1.0})
    done = run("-m", str(model), text="x")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("plainwright: ")
    assert "unknown feature 'god'; did you mean good?" in done.stderr


@pytest.mark.parametrize("cut", [0, 8, 100, -1])
def test_a_damaged_model_is_told(tmp_path: Path, cut: int) -> None:
    model = write_model(tmp_path, RULES)
    packed = model / "rules.pack"
    packed.write_bytes(packed.read_bytes()[:cut])
    done = run("-m", str(model), text="x")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "rules.pack: " in done.stderr


def test_a_flipped_bit_in_the_language_model_is_told(tmp_path: Path) -> None:
    model = write_model(tmp_path, RULES)
    estimate(["a b", "a"], order=2).save(model / "lm.pack")
    replace(ModelBundle.load(model), language_model="lm.pack").save(model)
    assert run("-m", str(model), text="x").returncode == 0
    damaged = bytearray((model / "lm.pack").read_bytes())
    damaged[-20] ^= 1
    (model / "lm.pack").write_bytes(damaged)
    done = run("-m", str(model), text="x")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "lm.pack: damaged" in done.stderr


def test_candidates_can_be_reranked(model: Path) -> None:
    text = "The principal gate."
    assert run("-m", str(model), "--rerank", "mbr", "--utility", "bleu", text=text).returncode == 0
    assert run("-m", str(model), "--rerank", "dissimilar", "--candidates", "3", text=text).stdout == "The main gate."
    assert "expected --rerank with it" in run("-m", str(model), "--candidates", "3", text=text).stderr


def test_mbr_takes_pseudo_references_and_sharpness(model: Path) -> None:
    options = ("-m", str(model), "--rerank", "mbr", "--utility", "bleu")
    # With one pseudo-reference, the model's choice is nearest to itself.
    assert run(*options, "--pseudo-references", "1", text="The principal gate.").stdout == "The main gate."
    assert run(*options, "--sharpness", "0", text="The principal gate.").returncode == 0
    assert run(*options, "--pseudo-references", "all", text="The principal gate.").returncode == 0


def test_mbr_lens_is_one_name_for_three_options(model: Path) -> None:
    pytest.importorskip("onnxruntime")
    whole = ("--rerank", "mbr", "--utility", "lens", "--pseudo-references", "all", "--sharpness", "0")
    text = "The principal gate. They purchase it."
    named = run("-m", str(model), "--rerank", "mbr-lens", "--candidates", "20", text=text)
    assert (named.returncode, named.stderr) == (0, "")
    assert named.stdout == run("-m", str(model), *whole, "--candidates", "20", text=text).stdout


def test_lines_are_compared_with_those_of_other_systems(model: Path, tmp_path: Path) -> None:
    (tmp_path / "one").write_text("The chief gate.\nBuy it.\n")
    (tmp_path / "two").write_text("The chief gate.\nPurchase it.\n")
    files = (str(tmp_path / "one"), str(tmp_path / "two"))
    options = ("-m", str(model), "--lines", "--rerank", "metric", "--utility", "bleu", "--references")
    done = run(*options, *files, text="The principal gate.\nPurchase it.\n")
    assert (done.stdout, done.stderr) == ("The chief gate.\nBuy it.\n", "")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--pseudo-references 3", "--pseudo-references: expected --rerank mbr or metric with it, found none"),
        ("--rerank dissimilar --pseudo-references 3", "mbr or metric with it, found dissimilar"),
        ("--rerank judge --utility lens", "--utility: expected --rerank mbr or metric with it, found judge"),
        ("--utility lens", "--utility: expected --rerank mbr or metric with it, found none"),
        ("--rerank metric --utility judge --pseudo-references 3", "looks at references with it, found --utility judge"),
        ("--lines --rerank metric --utility judge --references ONE", "--references: expected a metric that looks at"),
        ("--rerank metric --sharpness 0", "--sharpness: expected --rerank mbr with it, found metric"),
        ("--rerank mbr --sharpness nan", "sharpness"),
        ("--rerank mbr-lens --sharpness 0", "--sharpness: expected --rerank mbr with it, found mbr-lens"),
        ("--rerank mbr-lens --utility bleu", "--utility: expected --rerank mbr or metric with it, found mbr-lens"),
        ("--rerank mbr-lens --pseudo-references 3", "--pseudo-references: expected --rerank mbr or metric with it"),
        (
            "--rerank mbr --pseudo-references 0",
            "--pseudo-references: expected a number from 1 to 1000, or all, found '0'",
        ),
        ("--rerank mbr --pseudo-references few", "or all, found 'few'"),
        ("--lines --rerank mbr --references ONE", "found --rerank mbr, --lines and 1 inputs"),
        ("--rerank metric --references ONE", "found --rerank metric, no --lines and 1 inputs"),
        ("--lines --rerank metric --pseudo-references 3 --references ONE", "choose one of"),
        ("--lines --rerank metric --references ONE TWO", "as many lines as one another, found {'"),
        ("--lines --rerank metric --references TWO", "those of more than the 1 that there are"),
        ("--lines --rerank metric --references nowhere.txt", "nowhere.txt: no such file"),
    ],
)
def test_mistakes_in_reranking_leave_nothing(model: Path, tmp_path: Path, options: str, message: str) -> None:
    (tmp_path / "ONE").write_text("a\n")
    (tmp_path / "TWO").write_text("a\nb\n")
    (tmp_path / "in.txt").write_text("The principal gate.\n")
    named = [str(tmp_path / item) if item in ("ONE", "TWO") else item for item in options.split()]
    done = run(str(tmp_path / "in.txt"), "-m", str(model), "-o", str(tmp_path / "out.txt"), *named)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert message in done.stderr
    assert not (tmp_path / "out.txt").exists()


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


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_command_that_is_ended_leaves_no_unfinished_file(model: Path, tmp_path: Path, end: signal.Signals) -> None:
    target = tmp_path / "results"
    target.mkdir()
    command = [sys.executable, "-m", "plainwright", "simplify", "-q", "-m", str(model), "-o", str(target / "plain.txt")]

    def heard() -> None:  # a test run in the background may have been told to ignore them
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)

    # Its text never ends: nobody writes any.
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heard) as process:
        assert process.stderr is not None
        while not list(target.iterdir()):
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.01)
        process.send_signal(end)
        assert process.wait(60) == (130 if end == signal.SIGINT else -end)
        assert process.stderr.read() == b""
    assert list(target.iterdir()) == []


def test_a_signal_that_is_ignored_stays_ignored(model: Path, tmp_path: Path) -> None:
    """As `nohup` has it."""
    command = [
        sys.executable,
        "-m",
        "plainwright",
        "simplify",
        "-q",
        "-m",
        str(model),
        "-o",
        str(tmp_path / "plain.txt"),
    ]
    ignore = partial(signal.signal, signal.SIGHUP, signal.SIG_IGN)
    with subprocess.Popen(command, stdin=subprocess.PIPE, preexec_fn=ignore) as process:
        while not list(tmp_path.glob(".plainwright.*")):
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGHUP)
        process.communicate(b"They purchase it.\n", timeout=60)
    assert process.returncode == 0
    assert (tmp_path / "plain.txt").is_file()
