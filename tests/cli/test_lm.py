"""`plainwright lm` through the real command."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest


@pytest.fixture
def text(toy: Path) -> Path:
    (toy / "text.txt").write_text("the cat sat .\nthe cat slept .\na dog sat .\n", encoding="utf-8")
    return toy / "text.txt"


def test_build_says_what_it_found_and_writes_both_forms(plainwright, toy, text):
    done = plainwright("lm", "build", text, "--order", 3, "--prune", 0, 0, 1, "-o", "m.arpa.gz", "-o", "m.lm")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == "3 sentences, 12 tokens, 10 words"
    assert "fall-back" in done.stdout
    assert gzip.decompress((toy / "m.arpa.gz").read_bytes()).startswith(b"\\data\\\nngram 1=10\n")

    assert plainwright("lm", "verify", "m.lm").stdout == "m.lm\tok\n"
    described = json.loads(plainwright("lm", "info", "m.lm", "--json").stdout)
    assert described["order"] == 3
    assert described["ngrams"][0] == 10

    plainwright("lm", "pack", "m.arpa.gz", "-o", "again.lm")
    assert (toy / "again.lm").read_bytes() == (toy / "m.lm").read_bytes()
    assert plainwright("lm", "unpack", "m.lm", "-o", "again.arpa").stdout == "again.arpa\n"
    assert plainwright("lm", "pack", "again.arpa", "-o", "third.lm").returncode == 0
    assert (toy / "third.lm").read_bytes() == (toy / "m.lm").read_bytes()


def test_score_and_perplexity_read_files_and_standard_input(plainwright, text):
    plainwright("lm", "build", text, "-o", "m.lm", "--fallback", 0.4, 0.9, 1.4)
    from_file = plainwright("lm", "score", "m.lm", text)
    from_input = plainwright("lm", "score", "m.lm", text=text.read_text(encoding="utf-8"))
    assert from_file.stdout == from_input.stdout
    assert len(from_file.stdout.splitlines()) == 3
    worded = plainwright("lm", "score", "m.lm", "--words", "--json", text="the zebra sat .\n")
    (document,) = map(json.loads, worded.stdout.splitlines())
    assert [word["known"] for word in document["words"]] == [True, False, True, True, True]
    assert document["log10"] == pytest.approx(sum(word["log10"] for word in document["words"]), abs=1e-5)
    result = json.loads(plainwright("lm", "perplexity", "m.lm", "--json", text="the zebra sat .\n").stdout)
    assert (result["tokens"], result["unknown"]) == (5, 1)
    assert result["value"] == pytest.approx(10 ** (-document["log10"] / 5))


def test_a_damaged_model_fails_verification_with_one_sentence(plainwright, toy, text):
    plainwright("lm", "build", text, "-o", "m.lm")
    content = bytearray((toy / "m.lm").read_bytes())
    content[210] ^= 1  # in the first section behind the header
    (toy / "m.lm").write_bytes(content)
    done = plainwright("lm", "verify", "m.lm")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "plainwright: m.lm: damaged: the checksum of the content is wrong\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lm", "info", "text.txt"], "text.txt: expected a packed language model, found"),
        (["lm", "pack", "text.txt", "-o", "x.lm"], "text.txt:3: expected an ARPA file, found no line `\\data\\`"),
        (["lm", "build", "none.txt", "-o", "x.lm"], "none.txt: no such file"),
        (["lm", "build", "text.txt", "-o", "no/x.lm"], "no/x.lm: cannot be written, 'no' does not exist"),
        (["lm", "build", "text.txt", "-o", "x.lm", "--prune", "1"], "thresholds that start with 0"),
        (["lm", "build", "text.txt", "-o", "/dev/full"], "/dev/full: cannot be written (no space left on device)"),
    ],
)
def test_wrong_input_is_one_sentence_and_status_2(plainwright, toy, text, arguments, message):
    done = plainwright(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (toy / "x.lm").exists()
