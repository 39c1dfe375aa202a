"""`plainwright tune` with rules and sentences written by hand."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests import in_process

from plainwright.decode.bundle import ModelBundle
from plainwright.grammar import pack_files
from plainwright.learn.lm import estimate
from plainwright.learn.tagger import TaggerOptions, learn_tagger

# Each hard word has a plain one and a wrong one; `good` and `bad` tell them apart, the start weights do not.
RULES = """\
[X] ||| purchase ||| buy ||| good=1 bad=0 p(e|f)=1.2 ||| 0-0
[X] ||| purchase ||| sell ||| good=0 bad=1 p(e|f)=0.9 ||| 0-0
[X] ||| commence ||| start ||| good=1 bad=0 p(e|f)=1.2 ||| 0-0
[X] ||| commence ||| end ||| good=0 bad=1 p(e|f)=0.9 ||| 0-0
[X] ||| residence ||| home ||| good=1 bad=0 p(e|f)=1.2 ||| 0-0
[X] ||| residence ||| moon ||| good=0 bad=1 p(e|f)=0.9 ||| 0-0
"""
PLAIN = {"purchase": "buy", "commence": "start", "residence": "home"}
NAMES = ("ann", "bob", "cy", "dee", "eve", "flo")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rules.txt").write_text(RULES, encoding="utf-8")
    pack_files([tmp_path / "rules.txt"], tmp_path / "rules.pack")
    sources = [f"they {verb} the residence of {name} ." for name in NAMES for verb in ("purchase", "commence")]
    references = [" ".join(PLAIN.get(word, word) for word in source.split()) for source in sources]
    rows = [f"{source}\t{reference}\n" for source, reference in zip(sources, references, strict=True)]
    (tmp_path / "set.tsv").write_text("".join(rows), encoding="utf-8")
    (tmp_path / "text.txt").write_text("\n".join([*sources, *references]) + "\n", encoding="utf-8")
    estimate([*sources, *references], order=3).save(tmp_path / "text.lm")
    return tmp_path


def run(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    return in_process.run("tune", *arguments, cwd=folder)


def test_tuning_to_sari_finds_the_plain_words(folder: Path) -> None:
    files = ("--grammar", "rules.pack", "--lm", "text.lm")
    done = run(folder, "set.tsv:1-8", "--held-out", "set.tsv:9-12", *files, "-o", "tuned", "--iterations", 6)
    assert (done.returncode, done.stderr) == (0, "")
    header, copies, *_, last = done.stdout.splitlines()
    assert header.split() == ["iteration", "tuning", "held-out", "unchanged", "candidates", "new", "seconds"]
    assert copies.split()[0] == "input"
    # The references themselves score 11/12: no 4-gram of the source stays, and SARI counts 0/0 as 0.
    assert last.startswith("tuned\tsari 91.67 with the weights of iteration")
    bundle = ModelBundle.load(folder / "tuned")
    assert bundle.weights["good"] > bundle.weights.get("bad", 0)
    assert bundle.provenance["tuned_on"] == "set.tsv:1-8"
    assert bundle.provenance["held_out"] == "set.tsv:9-12"
    shown = in_process.run("simplify", "--model", "tuned", cwd=folder, text="They purchase the residence.")
    assert shown.stdout == "They buy the home."


def test_a_model_can_be_tuned_again_in_place(folder: Path) -> None:
    files = ("--grammar", "rules.pack")
    assert run(folder, "set.tsv", *files, "-o", "first", "--iterations", 1).returncode == 0
    done = run(folder, "set.tsv", "--model", "first", "-o", "first", "--objective", "bleu", "--optimiser", "mert",
               "--iterations", 3, "--checkpoint", "again")  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert ModelBundle.load(folder / "first").provenance["objective"] == "bleu"


def test_a_model_with_rules_as_text_can_be_tuned(folder: Path) -> None:
    """`simplify` takes such a model, so tuning has to."""
    bundle = ModelBundle(
        name="toy", version="1", licence="CC0-1.0", grammars=(), language_model=None, weights={"good": 1.0}
    )
    bundle.create(folder / "model", grammars=[folder / "rules.txt"], language_model=None)
    done = run(folder, "set.tsv", "--model", "model", "-o", "tuned", "--iterations", 1)
    assert done.returncode == 0, done.stderr
    assert ModelBundle.load(folder / "tuned").grammars == ("rules.txt",)


@pytest.mark.parametrize("optimiser", ["mert", "pro"])
def test_a_phrase_table_is_tuned_with_phrases_that_move(folder: Path, optimiser: str) -> None:
    # The first weights like words that move; in the references none has moved.
    weights = {"lm_0": 0.1, "p(e|f)": -0.5, "Distortion": 0.5}
    (folder / "weights.json").write_text(json.dumps(weights), encoding="utf-8")
    made = in_process.run(
        *("learn", "model", "rules.pack", "--lm", "text.lm", "--weights", "weights.json", "-o", "moses"),
        *("--setting", "search=phrases", "distortion_limit=3"),
        cwd=folder,
    )
    assert (made.returncode, made.stderr) == (0, "")
    options = ("--model", "moses", "--objective", "bleu", "--optimiser", optimiser, "--candidates", 50)
    done = run(folder, "set.tsv", *options, "--iterations", 8, "-o", "tuned")
    assert (done.returncode, done.stderr) == (0, "")
    _, _, first, *_, last = done.stdout.splitlines()
    assert float(first.split()[1]) < 50
    assert last.startswith("tuned\tbleu 100.00 with the weights of iteration")
    bundle = ModelBundle.load(folder / "tuned")
    assert bundle.decoder_settings().search == "phrases"
    assert bundle.decoder_settings().distortion_limit == 3


def test_json_has_a_line_for_each_iteration_and_one_for_the_result(folder: Path) -> None:
    done = run(folder, "set.tsv", "--grammar", "rules.pack", "-o", "tuned", "--iterations", 2, "--json",
               "--optimiser", "risk", "--objective", "0.6*sari+0.4*sari:easse")  # fmt: skip
    assert done.returncode == 0, done.stderr
    first, *iterations, result = map(json.loads, done.stdout.splitlines())
    assert set(first) == {"input"}
    assert [line["iteration"] for line in iterations] == list(range(1, len(iterations) + 1))
    assert result["best"] in range(1, len(iterations) + 1)
    assert "good" in result["weights"]


# The whole run takes less than a second: whoever watches it from outside may come too late.
KILLED = """
import os, signal
from plainwright.cli.main import main
from plainwright.tune import loop

save = loop._save

def save_and_die(*arguments):
    save(*arguments)
    os.kill(os.getpid(), signal.SIGKILL)

loop._save = save_and_die
main()
"""


def test_a_run_that_was_killed_goes_on_and_ends_the_same(folder: Path) -> None:
    options = ("set.tsv", "--grammar", "rules.pack", "--lm", "text.lm", "--iterations", 5, "--patience", 9)
    assert run(folder, *options, "-o", "whole").returncode == 0
    command = [sys.executable, "-c", KILLED, "tune", *map(str, options), "-o", "killed"]
    assert subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == -signal.SIGKILL
    assert run(folder, *options, "-o", "killed").returncode == 0
    whole, killed = (ModelBundle.load(folder / name) for name in ("whole", "killed"))
    assert killed.weights == whole.weights


def test_threads_change_no_weight(folder: Path) -> None:
    options = ("set.tsv", "--grammar", "rules.pack", "--lm", "text.lm", "--iterations", 3)
    for threads in (1, 3):
        assert run(folder, *options, "-o", f"with{threads}", "--threads", threads).returncode == 0
    one, three = (ModelBundle.load(folder / name) for name in ("with1", "with3"))
    assert one.weights == three.weights


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["set.tsv", "-o", "new"], "give either --model or --grammar"),
        (["set.tsv:0-3", "--grammar", "rules.pack", "-o", "new"], "has segments 1 to 12; found the range 0-3"),
        (["set.tsv:5-13", "--grammar", "rules.pack", "-o", "new"], "has segments 1 to 12; found the range 5-13"),
        (["set.tsv", "--grammar", "rules.pack", "-o", "rules.txt"], "exists already"),
        (["set.tsv", "--grammar", "rules.pack", "-o", "no/where"], "'no' is not a directory"),
        (["set.tsv", "--grammar", "rules.pack", "-o", "new", "--objective", "x*sari"], "expected a number before '*'"),
        (["set.tsv", "--grammar", "rules.pack", "-o", "new", "--objective", "sary"], "did you mean sari"),
        (["set.tsv", "--grammar", "rules.pack", "-o", "new", "--objective", "profile"], "cannot be an objective"),
        (["set.tsv", "--grammar", "text.txt", "-o", "new"], "text.txt: not a packed grammar"),
        (["set.tsv", "--grammar", "rules.pack", "--weights", "odd.txt", "-o", "new"], "unknown feature 'god'"),
        (["bare.tsv", "--grammar", "rules.pack", "-o", "new"], "needs a source and at least one reference"),
        (["set.tsv", "--model", "rules.pack", "-o", "new"], "expected the directory of a model"),
    ],
)
def test_bad_input_is_one_sentence_and_leaves_nothing(folder: Path, arguments: list[str], message: str) -> None:
    (folder / "odd.txt").write_text("god 1.0\n", encoding="utf-8")
    (folder / "bare.tsv").write_text("only a source .\n", encoding="utf-8")
    done = run(folder, *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (folder / "new").exists()
    assert not list(folder.glob(".plainwright*"))


def test_a_run_with_other_options_does_not_go_on_from_a_checkpoint(folder: Path) -> None:
    options = ("set.tsv", "--grammar", "rules.pack", "--iterations", 1, "--checkpoint", "kept")
    assert run(folder, *options, "-o", "one").returncode == 0
    for option, value, what in (("--objective", "bleu", "objective"), ("--candidates", 7, "model")):
        done = run(folder, *options, "-o", "two", option, value)
        assert done.returncode == 2
        assert f"belongs to another run ({what} differs)" in done.stderr


def test_gaps_that_nothing_in_the_input_can_fill_are_told(folder: Path) -> None:
    (folder / "gaps.txt").write_text("[NP] ||| [NP,1] 's law ||| the law of [NP,1] ||| p=1 ||| \n", encoding="utf-8")
    pack_files([folder / "gaps.txt"], folder / "gaps.pack")
    done = run(folder, "set.tsv", "--grammar", "gaps.pack", "--iterations", 1, "-o", "tuned")
    assert "gaps with the labels NP are filled by rules alone; give --syntax to parse the input" in done.stderr
    done = run(folder, "set.tsv", "--grammar", "rules.pack", "--iterations", 1, "-o", "other")
    assert "note" not in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--model", "m", "--syntax"), "a model directory has its own"),
        (("--grammar", "rules.pack", "--syntax", "--tagger", "t"), "give either --tagger or --syntax"),
    ],
)
def test_what_does_not_go_with_syntax_is_refused(folder: Path, options: tuple[str, ...], message: str) -> None:
    done = run(folder, "set.tsv", *options, "-o", "tuned")
    assert (done.returncode, message in done.stderr) == (2, True)


def test_a_tagger_goes_with_the_model(folder: Path) -> None:
    tagged = [(["they", "purchase", "the", "residence", "."], ["PRP", "VBP", "DT", "NN", "."])]
    learn_tagger(tagged * 3, TaggerOptions(min_count=1)).save(folder / "tags.pack")
    options = ("set.tsv", "--grammar", "rules.pack", "--tagger", "tags.pack", "--iterations", 1)
    assert run(folder, *options, "-o", "tuned").returncode == 0
    assert ModelBundle.load(folder / "tuned").tagger == "tags.pack"
    done = run(folder, "set.tsv", "--model", "tuned", "--tagger", "tags.pack", "-o", "again")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "a model directory has its own" in done.stderr


def test_raw_text_is_judged_as_it_will_be_written(folder: Path) -> None:
    lines = (folder / "set.tsv").read_text(encoding="utf-8").splitlines()
    raw = ["\t".join(side.capitalize().replace(" .", ".") for side in line.split("\t")) + "\n" for line in lines]
    (folder / "raw.tsv").write_text("".join(raw), encoding="utf-8")
    files = ("--grammar", "rules.pack", "--lm", "text.lm")
    done = run(folder, "raw.tsv:1-8", "--held-out", "raw.tsv:9-12", *files, "-o", "tuned", "--iterations", 6)
    assert (done.returncode, done.stderr) == (0, "")
    # As for tokenised text: the references themselves score 11/12.
    assert done.stdout.splitlines()[-1].startswith("tuned\tsari 91.67 with the weights of iteration")
    mixed = run(folder, "raw.tsv", "--held-out", "set.tsv", *files, "-o", "other")
    assert (mixed.returncode, mixed.stderr.count("\n")) == (2, 1)
    assert "expected all sets raw or all tokenised" in mixed.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--optimiser", "risk", "--cost", "god=1"], "unknown feature 'god'; did you mean good?"),
        (
            ["--optimiser", "risk", "--cost", "good=much"],
            "--cost good=much: expected a number behind '=', found 'much'",
        ),
        (["--optimiser", "risk", "--cost", "good"], "--cost good: expected FEATURE=COST, as in good=0.05"),
        (["--optimiser", "pro", "--cost", "good=1"], "costs need the optimiser risk, got pro"),
    ],
)
def test_costs_that_cannot_be_taken_are_explained(folder: Path, options: list[str], message: str) -> None:
    done = run(folder, "set.tsv", "--grammar", "rules.pack", "-o", "tuned", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert not (folder / "tuned").exists()
