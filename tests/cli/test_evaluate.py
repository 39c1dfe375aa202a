"""`plainwright evaluate` as its users call it: results, and every kind of bad input in one sentence."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Run
from tests.toy_set import CAREFUL, RAW, REFERENCES, SOURCES, write_lines

from plainwright.metrics import SARI

SET = ("--source", "source.txt", "--references", "reference.0.txt", "reference.1.txt")
FAST = ("--resamples", "0")


def test_scores_two_systems_on_plain_files(plainwright: Run) -> None:
    done = plainwright("evaluate", *SET, "--outputs", "careful.txt", "mine=hasty.txt")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("your files: 4 segments, 2 references\n")
    value = SARI().corpus_score(SOURCES, CAREFUL, REFERENCES).value
    assert re.search(rf"^careful +{value:.2f}", done.stdout, flags=re.MULTILINE)
    assert re.search(r"^mine +\d", done.stdout, flags=re.MULTILINE)


def test_reads_standard_input(plainwright: Run) -> None:
    text = "\n".join(CAREFUL)
    done = plainwright("evaluate", *SET, "--outputs", "-", "--json", *FAST, text=text)
    [system] = json.loads(done.stdout)["systems"]
    assert system["name"] == "stdin"
    assert system["scores"]["sari"]["value"] == SARI().corpus_score(SOURCES, CAREFUL, REFERENCES).value


def test_json_and_csv_hold_the_same_numbers(plainwright: Run) -> None:
    arguments = ("evaluate", *SET, "--outputs", "careful.txt", "--metrics", "sari,bleu", "--resamples", "20")
    document = json.loads(plainwright(*arguments, "--json").stdout)
    rows = list(csv.DictReader(io.StringIO(plainwright(*arguments, "--csv").stdout)))
    scores = document["systems"][0]["scores"]
    assert {row["metric"]: float(row["value"]) for row in rows if not row["part"]} == {
        name: score["value"] for name, score in scores.items()
    }


def test_weights_and_order_of_sari_can_be_chosen(plainwright: Run) -> None:
    chosen = ("--metric-option", "sari.weights=1,1,2", "sari.max_order=2")
    done = plainwright("evaluate", *SET, "--outputs", "careful.txt", "--metrics", "sari", *chosen, *FAST, "--json")
    score = json.loads(done.stdout)["systems"][0]["scores"]["sari"]
    expected = SARI(weights=(1, 1, 2), max_order=2).corpus_score(SOURCES, CAREFUL, REFERENCES)
    assert (score["value"], score["signature"]) == (expected.value, expected.signature)


def test_self_bleu_needs_no_references_and_has_no_arrow(plainwright: Run) -> None:
    arguments = ("--source", "source.txt", "--outputs", "careful.txt", "source", "--metrics", "self-bleu", *FAST)
    done = plainwright("evaluate", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"^system +self-BLEU$", done.stdout, flags=re.MULTILINE)
    assert re.search(r"^source +100.00$", done.stdout, flags=re.MULTILINE)


def test_two_variants_of_a_metric_are_both_scored(plainwright: Run) -> None:
    arguments = ("evaluate", *SET, "--outputs", "careful.txt", "--metrics", "sari", *FAST, "--json")
    both = json.loads(plainwright(*arguments, "--variant", "easse", "sari=xu2016").stdout)["systems"][0]["scores"]
    for variant in ("easse", "xu2016"):
        alone = json.loads(plainwright(*arguments, "--variant", variant).stdout)["systems"][0]["scores"]
        assert both[f"sari={variant}"] == alone["sari"]
    assert len(both) == 2


# By hand, 0.39 x words / sentences + 11.8 x syllables / words - 15.59 with the syllables of the CMU dictionary:
# "The cat sat." 3, 1, 3; "It ate a bun." 4, 1, 4; together 7 words, 2 sentences and 7 syllables.
GRADE = 0.39 * 7 / 2 + 11.8 * 7 / 7 - 15.59


@pytest.mark.parametrize(
    ("text", "segments"),
    [
        ("The cat sat.\nIt ate a bun.\n", 2),
        ("\nThe cat sat.\n\n  \nIt ate a bun.\n\n", 2),  # empty lines are no segments
        ("The cat\nsat.\n\nIt ate a\nbun.\n", 2),  # broken at a width: paragraphs are segments
        ("the cat sat\nit ate a bun\n", 2),  # without capitals nothing tells broken lines
        ("The cat sat. It ate a bun.", 1),
    ],
)
def test_a_text_is_graded_by_itself(plainwright: Run, toy: Path, text: str, segments: int) -> None:
    (toy / "text.txt").write_text(text, encoding="utf-8")
    done = plainwright("evaluate", "--metrics", "fk", "--outputs", "text.txt", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    score = result["systems"][0]["scores"]["fk"]
    assert result["segments"] == segments
    assert score["value"] == pytest.approx(GRADE)
    assert (score["interval"] is None) == (segments == 1)


def test_lines_that_were_joined_are_told_of(plainwright: Run) -> None:
    done = plainwright("evaluate", "--metrics", "fk", "--outputs", "-", *FAST, text="The cat\nsat.\n\nIt ate a bun.\n")
    assert done.stderr == (
        "plainwright: warning: output 'stdin': sentences go on after 1 of 1 line breaks, so each of its 2 "
        "paragraphs is taken as one segment, not each line\n"
    )


def test_by_itself_a_text_gets_the_metrics_that_need_nothing_else(plainwright: Run) -> None:
    done = plainwright("evaluate", "--outputs", "careful.txt", "hasty.txt", "--json", *FAST)
    assert [list(system["scores"]) for system in json.loads(done.stdout)["systems"]] == [["fk"], ["fk"]]
    assert [line.split()[2] for line in done.stderr.splitlines()] == ["sari", "bleu", "fkbleu", "profile"]


def test_seed_is_echoed_and_repeats_the_result(plainwright: Run) -> None:
    arguments = (
        "evaluate",
        *SET,
        "--outputs",
        "careful.txt",
        "hasty.txt",
        "--metrics",
        "sari",
        "--resamples",
        "50",
        "--json",
    )
    first, again, other = (plainwright(*arguments, "--seed", seed).stdout for seed in (7, 7, 8))
    assert json.loads(first)["seed"] == 7
    assert first == again != other


def test_per_sentence_is_csv_unless_json_is_asked_for(plainwright: Run) -> None:
    arguments = ("evaluate", *SET, "--outputs", "careful.txt", "--per-sentence", "--metrics", "sari", *FAST)
    rows = list(csv.DictReader(io.StringIO(plainwright(*arguments).stdout)))
    assert [row["segment"] for row in rows] == ["1", "2", "3", "4"]
    document = json.loads(plainwright(*arguments, "--json").stdout)
    assert [float(row["sari"]) for row in rows] == document["systems"][0]["per_sentence"]["sari"]


def test_output_goes_to_the_file_alone(plainwright: Run, toy: Path) -> None:
    done = plainwright("evaluate", *SET, "--outputs", "careful.txt", "--json", "-o", "result.json", *FAST)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert json.loads((toy / "result.json").read_text())["segments"] == 4
    assert not list(toy.glob(".*"))
    umask = os.umask(0)
    os.umask(umask)
    assert (toy / "result.json").stat().st_mode & 0o777 == 0o666 & ~umask


def test_output_through_a_link_keeps_the_link(plainwright: Run, toy: Path) -> None:
    (toy / "link.json").symlink_to("real.json")
    plainwright("evaluate", *SET, "--outputs", "careful.txt", "--json", "-o", "link.json", *FAST)
    assert (toy / "link.json").is_symlink()
    assert json.loads((toy / "real.json").read_text())["segments"] == 4


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes")
def test_output_to_a_pipe_is_written_there_and_replaces_nothing(plainwright: Run, toy: Path) -> None:
    # As /dev/null and /dev/stdout are: a file that must never be replaced by another.
    os.mkfifo(toy / "pipe")
    reader = os.open(toy / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    done = plainwright("evaluate", *SET, "--outputs", "careful.txt", "--json", "-o", "pipe", "--metrics", "fk", *FAST)
    text = os.read(reader, 1 << 16)
    os.close(reader)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(text)["segments"] == 4
    assert (toy / "pipe").is_fifo()


def test_a_table_on_a_pipe_is_wide_and_plain(plainwright: Run) -> None:
    text = plainwright("evaluate", *SET, "--outputs", "careful.txt", "hasty.txt").stdout
    assert "\x1b" not in text
    assert "…" not in text
    [header] = [line for line in text.splitlines() if line.startswith("system")]
    assert [word for word in header.split() if word.isupper()] == ["SARI", "BLEU", "FK", "FKBLEU"]


def test_jsonl_with_outputs_needs_no_other_file(plainwright: Run, toy: Path) -> None:
    rows = [
        {"source": source, "references": list(references)[: 1 + i % 2], "outputs": {"mine": output}}
        for i, (source, references, output) in enumerate(zip(SOURCES, REFERENCES, CAREFUL, strict=True))
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (toy / "set.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    document = json.loads(plainwright("evaluate", "set.jsonl.gz", "--json", *FAST).stdout)
    assert [system["name"] for system in document["systems"]] == ["mine"]
    assert "|refs:1-2|" in document["systems"][0]["scores"]["sari"]["signature"]


def test_without_references_the_rest_is_scored_with_a_note(plainwright: Run) -> None:
    done = plainwright("evaluate", "--source", "source.txt", "--outputs", "careful.txt", "--json", *FAST)
    assert done.returncode == 0
    assert set(json.loads(done.stdout)["systems"][0]["scores"]) == {"fk", "profile"}
    assert done.stderr.splitlines()[0] == "plainwright: warning: sari is left out: it needs references"


@pytest.mark.parametrize(
    ("option", "evidence"),
    [
        (("--outputs", "raw.txt"), "9 are attached to words"),
        (("--outputs", "careful.txt", "--variant", "fk=plain"), "9 punctuation marks stand alone"),
    ],
)
def test_text_of_the_other_kind_is_a_warning_with_the_evidence(
    plainwright: Run, toy: Path, option: tuple[str, ...], evidence: str
) -> None:
    write_lines(toy / "raw.txt", RAW)
    done = plainwright("evaluate", *SET, *option, *FAST)
    assert done.returncode == 0
    [warning] = done.stderr.splitlines()
    assert warning.startswith("plainwright: warning: ")
    assert evidence in warning


def test_raw_text_scored_as_tokenised_is_a_warning_with_the_evidence(plainwright: Run, toy: Path) -> None:
    write_lines(toy / "raw.txt", RAW)
    write_lines(toy / "raw.reference.txt", [line.replace("big", "huge") for line in RAW])
    files = ("--source", "raw.txt", "--references", "raw.reference.txt", "--outputs", "raw.txt")
    done = plainwright("evaluate", *files, "--tokenizer", "none", "--metrics", "sari", *FAST)
    assert done.returncode == 0
    assert "sari reads whitespace tokens, but the text looks raw (0 punctuation marks stand alone, 9" in done.stderr


def test_line_ends_and_marks_of_other_systems_change_no_number(plainwright: Run, toy: Path) -> None:
    (toy / "windows.txt").write_bytes(b"\xef\xbb\xbf" + "\r\n".join(CAREFUL).encode())
    names = ("careful.txt", "windows.txt")
    document = json.loads(
        plainwright("evaluate", *SET, "--outputs", *names, "--json", "--metrics", "sari", "fk", *FAST).stdout
    )
    first, second = (system["scores"] for system in document["systems"])
    assert first == second


def test_warnings_do_not_mix_with_the_result(plainwright: Run) -> None:
    done = plainwright("evaluate", "--source", "source.txt", "--outputs", "careful.txt", "--csv", *FAST)
    assert "warning" not in done.stdout
    assert "warning" in done.stderr


def test_a_registered_set_scores_its_own_systems(plainwright: Run, data_dir: Path) -> None:
    arguments = ("turkcorpus/test", "--outputs", "PBMT-R", "--metrics", "sari", "--json", "--data", data_dir)
    document = json.loads(plainwright("evaluate", *arguments).stdout)
    assert document["dataset"] == "turkcorpus/test"
    # Xu et al. (2016), Table 5.
    assert round(document["systems"][0]["scores"]["sari"]["value"], 2) == 33.77


def test_empty_lines_of_a_registered_collection_are_a_warning_in_the_result(plainwright: Run, data_dir: Path) -> None:
    arguments = ("turkcorpus/test.detok", "--outputs", "turkcorpus/outputs.detok", "--metrics", "fk", "--json")
    done = plainwright("evaluate", *arguments, *FAST, "--data", data_dir)
    assert done.returncode == 0
    [warning] = json.loads(done.stdout)["warnings"]
    assert warning.startswith("output 'UNTS' was released with nothing in 3 lines")
    assert done.stderr == f"plainwright: warning: {warning}\n"


# Bad input: how it is made, the arguments, and what the one sentence must say.

Make = Callable[[Path], object]
OUTPUT = ("--outputs", "mine.txt")


def lines(*text: str) -> Make:
    return lambda toy: write_lines(toy / "mine.txt", text)


def data(content: bytes) -> Make:
    return lambda toy: (toy / "mine.txt").write_bytes(content)


def transposed(toy: Path) -> None:
    for number, group in enumerate(REFERENCES):
        write_lines(toy / f"t{number}.txt", group)


TRANSPOSED = ("--references", "t0.txt", "t1.txt", "t2.txt", "t3.txt", "--outputs", "careful.txt")
LATIN1 = "\n".join([*CAREFUL[:2], "She lived in a café .", CAREFUL[3]]).encode("latin-1")
BAD: dict[str, tuple[Make, tuple[str, ...], str]] = {
    "too few output lines": (
        lines(*CAREFUL[:3]),
        (*SET, *OUTPUT),
        r"output 'mine' has 3 lines, source.txt has 4 segments; give one line per segment",
    ),
    "too few reference lines": (
        lines(*CAREFUL[:3]),
        ("--source", "source.txt", "--references", "reference.0.txt", "mine.txt", "--outputs", "careful.txt"),
        r"need the same number of lines, one per segment; found source.txt 4 lines, .*mine.txt 3 lines",
    ),
    "empty output": (data(b""), (*SET, *OUTPUT), r"mine.txt: expected one segment per line, found an empty file"),
    "empty source": (
        data(b""),
        ("--source", "mine.txt", "--references", "reference.0.txt", "--outputs", "careful.txt"),
        r"mine.txt: expected one segment per line, found an empty file",
    ),
    "empty line in the output": (
        lines(CAREFUL[0], "", *CAREFUL[2:]),
        (*SET, *OUTPUT),
        r"output 'mine': expected text in every line, line 2 is empty; pass --allow-empty",
    ),
    "empty line in the source": (
        lines(CAREFUL[0], " \t", *CAREFUL[2:]),
        ("--source", "mine.txt", "--references", "reference.0.txt", "--outputs", "careful.txt"),
        r"mine.txt: expected text in every line, line 2 is empty; every segment needs a text",
    ),
    "Latin-1": (data(LATIN1), (*SET, *OUTPUT), r"mine.txt:3: expected UTF-8 text, found byte 0xe9; .*iconv -f LATIN1"),
    "UTF-16": (
        data("\n".join(CAREFUL).encode("utf-16")),
        (*SET, *OUTPUT),
        r"mine.txt: expected UTF-8 text, found UTF-16; convert it with `iconv -f UTF-16 -t UTF-8`",
    ),
    "UTF-16 without a mark": (
        data("\n".join(CAREFUL).encode("utf-16-le")),
        (*SET, *OUTPUT),
        r"mine.txt:1: expected text, found a NUL byte; is this a binary file, or UTF-16\?",
    ),
    "a NUL byte": (
        data("\n".join(CAREFUL).replace("bike", "bi\0ke").encode()),
        (*SET, *OUTPUT),
        r"mine.txt:2: expected text, found a NUL byte",
    ),
    "a line of 1 MB": (
        lines(CAREFUL[0], "word " * 200_000, *CAREFUL[2:]),
        (*SET, *OUTPUT),
        r"mine.txt:2: expected one segment per line, found a line of more than 100,000 characters",
    ),
    "a reference given as output": (
        lines(*(group[1] for group in REFERENCES)),
        (*SET, *OUTPUT),
        r"output 'mine' equals reference 1 in every line, so its scores mean nothing; name the output file",
    ),
    "transposed references": (
        transposed,
        ("--source", "source.txt", *TRANSPOSED),
        r"references look transposed: 4 segments but 4 reference files of 2 lines; give one file per reference",
    ),
    "transposed references without a source": (transposed, TRANSPOSED, r"references look transposed: output 'careful'"),
    "an unknown set": (lines(), ("turkcorpus/tset", *OUTPUT), r"unknown corpus .*did you mean turkcorpus/test"),
    "an unknown metric": (
        lines(*CAREFUL),
        (*SET, *OUTPUT, "--metrics", "sary"),
        r"unknown metric 'sary'; did you mean sari\?",
    ),
    "an unknown variant": (
        lines(*CAREFUL),
        (*SET, *OUTPUT, "--variant", "xu2106"),
        r"unknown variant of sari 'xu2106'; did you mean xu2016\?",
    ),
    "a variant of an unknown metric": (
        lines(*CAREFUL),
        (*SET, *OUTPUT, "--variant", "sary=easse"),
        r"unknown metric in --variant 'sary'; did you mean sari\?",
    ),
    "an option without a metric": (
        lines(*CAREFUL),
        (*SET, *OUTPUT, "--metric-option", "max_order=2"),
        r"--metric-option: expected METRIC.OPTION=VALUE, as in sari.max_order=2, found 'max_order=2'",
    ),
    "an option of an unknown metric": (
        lines(*CAREFUL),
        (*SET, *OUTPUT, "--metric-option", "sary.max_order=2"),
        r"unknown metric 'sary'; did you mean sari\?",
    ),
    "an unknown option of a metric": (
        lines(*CAREFUL),
        (*SET, *OUTPUT, "--metric-option", "sari.weight=1,1,2"),
        r"unknown option of sari 'weight'; did you mean weights\?",
    ),
    "an option of a metric that has none": (
        lines(*CAREFUL),
        (*SET, *OUTPUT, "--metric-option", "fk.max_order=2"),
        r"unknown option of fk 'max_order'; it has none",
    ),
    "an option that is no number": (
        lines(*CAREFUL),
        (*SET, *OUTPUT, "--metric-option", "sari.max_order=two"),
        r"--metric-option: expected a number, or numbers with commas, for sari.max_order, found 'two'",
    ),
    "two weights": (
        lines(*CAREFUL),
        (*SET, *OUTPUT, "--metric-option", "sari.weights=1,2"),
        r"sari: weights must be three numbers from 0, of add, keep and delete",
    ),
    "a metric without its references": (
        lines(*CAREFUL),
        ("--source", "source.txt", *OUTPUT, "--metrics", "bleu"),
        r"bleu needs references; source.txt has none",
    ),
    "a directory as output": (
        lambda toy: (toy / "mine.txt").mkdir(),
        (*SET, *OUTPUT),
        r"mine.txt: expected a file, found a directory",
    ),
    "a directory as set": (lines(), (".", *OUTPUT), r"\.: expected a registered set .*found a directory"),
    "a plain file as set": (
        lines(),
        ("source.txt", "--metrics", "fk"),
        r"grade a text by itself with `--outputs source.txt`, or give --source and --references",
    ),
    "a mistyped output": (
        lambda toy: None,
        (*SET, "--outputs", "carful.txt"),
        r"no such file; did you mean careful.txt\?",
    ),
    "outputs of another preparation": (
        lambda toy: write_lines(toy / "set.tsv", ["a\tb"]),
        ("turkcorpus/test.detok", "--outputs", "xu2016/outputs"),
        r"holds outputs for turkcorpus/test, .*; evaluate turkcorpus/test instead",
    ),
    "a missing output": (lambda toy: None, (*SET, *OUTPUT), r"mine.txt: no such file"),
    "a missing named output": (lambda toy: None, (*SET, "--outputs", "x=mine.txt"), r"plainwright: mine.txt: no such"),
    "a missing source": (
        lines(*CAREFUL),
        ("--source", "absent.txt", *OUTPUT),
        r"absent.txt: no such file",
    ),
    "a damaged archive": (
        lambda toy: (toy / "mine.txt.gz").write_bytes(gzip.compress(b"text")[:-6]),
        (*SET, "--outputs", "mine.txt.gz"),
        r"mine.txt.gz: expected gzip data",
    ),
    "a set and files": (lines(*CAREFUL), ("turkcorpus/test", *SET, *OUTPUT), r"give either the set .* not both"),
    "nothing to compare with": (
        lines(*CAREFUL),
        (*OUTPUT, "--metrics", "fk", "sari"),
        r"sari needs sources; a text by itself has none; name a set before the options, or give --source and",
    ),
    "nothing at all": (lines(), (), r"nothing to score; name a set before the options, or give --outputs"),
    "a text of empty lines": (lines("", " "), OUTPUT, r"output 'mine': expected text, found only empty lines"),
    "texts of unlike shape by themselves": (
        lines(*CAREFUL, "", CAREFUL[0]),
        ("--outputs", "mine.txt", "careful.txt"),
        r"'mine' has 5 of 6 lines filled, 'careful' has 4 of 4 lines filled; score them one at a time",
    ),
    "no outputs": (lines(), SET, r"no outputs to score; give --outputs"),
    "standard input twice": (lines(), (*SET, "--outputs", "-", "x=-"), r"can be read only once"),
    "both formats": (lines(*CAREFUL), (*SET, *OUTPUT, "--csv"), r"choose one of --json and --csv"),
    "two outputs of one name": (
        lines(*CAREFUL),
        (*SET, "--outputs", "x=mine.txt", "x=careful.txt"),
        r"two outputs are called 'x'; give each its own name",
    ),
    "a file name with a line break": (lambda toy: None, (*SET, "--outputs", "a\nb.txt"), r"a b.txt: no such file"),
    "a file name that is too long": (lambda toy: None, (*SET, "--outputs", "x" * 5000), r"file name too long"),
    "a broken line of JSON": (
        lambda toy: write_lines(toy / "mine.jsonl", ['{"source": "a"}', "{"]),
        ("mine.jsonl", "--outputs", "careful.txt"),
        r"mine.jsonl:2: expected one JSON object per line",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_sentence_status_2_and_nothing_written(plainwright: Run, toy: Path, case: str) -> None:
    make, arguments, expected = BAD[case]
    make(toy)
    before = sorted(toy.rglob("*"))
    done = plainwright("evaluate", *arguments, "--json", "-o", "result.json", text="")
    assert done.returncode == 2
    assert done.stdout == ""
    [sentence] = done.stderr.splitlines()
    assert sentence.startswith("plainwright: ")
    assert re.search(expected, sentence)
    assert not sentence.endswith(".")
    assert sorted(toy.rglob("*")) == before


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("absent/result.json", "absent/result.json: cannot be written, 'absent' does not exist"),
        ("source.txt/result.json", "source.txt/result.json: cannot be written, 'source.txt' is not a directory"),
        (".", ".: expected a file name to write to, found a directory"),
        ("careful.txt", "careful.txt: the result would replace one of the inputs; give it another name"),
    ],
)
def test_a_result_that_cannot_be_written_is_known_before_the_work(
    plainwright: Run, toy: Path, target: str, expected: str
) -> None:
    before = {path: path.read_bytes() for path in toy.iterdir()}
    done = plainwright("evaluate", *SET, "--outputs", "careful.txt", "-o", target)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"plainwright: {expected}\n")
    assert {path: path.read_bytes() for path in toy.iterdir()} == before


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that exists and cannot be read")
def test_an_unreadable_file_is_one_sentence(plainwright: Run) -> None:
    done = plainwright("evaluate", *SET, "--outputs", "/proc/self/mem")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "plainwright: /proc/self/mem: cannot be read (input/output error)\n"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read and write everything")
def test_a_file_without_permission_is_one_sentence(plainwright: Run, toy: Path) -> None:
    (toy / "careful.txt").chmod(0)
    done = plainwright("evaluate", *SET, "--outputs", "careful.txt")
    assert done.stderr == "plainwright: careful.txt: cannot be read (permission denied)\n"
    toy.chmod(0o500)
    done = plainwright("evaluate", *SET, "--outputs", "hasty.txt", "-o", "result.json")
    toy.chmod(0o700)
    assert done.stderr == "plainwright: result.json: cannot be written (permission denied)\n"


def test_what_is_refused_can_be_allowed(plainwright: Run, toy: Path) -> None:
    write_lines(toy / "gaps.txt", [CAREFUL[0], "", *CAREFUL[2:]])
    allowed = ("gaps.txt", "reference.0.txt", "--allow-empty", "--allow-reference", *FAST, "--json")
    done = plainwright("evaluate", *SET, "--outputs", *allowed)
    assert done.returncode == 0
    assert [system["name"] for system in json.loads(done.stdout)["systems"]] == ["gaps", "reference.0"]
