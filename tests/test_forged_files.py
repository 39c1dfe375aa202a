"""Files with right checksums and wrong content: one sentence that names the file, whoever asks for what in it."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import numpy as np
import pytest
from tests.forging import LM_HEADER, TAGGER_HEADER, repaired, sections
from tests.in_process import run
from tests.toy_model import write_whole_model

from plainwright.arrays import read_arrays, write_arrays
from plainwright.decode import Decoder
from plainwright.errors import DataError
from plainwright.grammar import PackedGrammar, parse_rule
from plainwright.lm import LanguageModel
from plainwright.text.tagging import Tagger

ROOT = Path(__file__).parents[1]
SENTENCE = "He will purchase the residence of Ann."


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return write_whole_model(tmp_path / "model")


def forge(path: Path, at: int, content: bytes) -> None:
    data = bytearray(path.read_bytes())
    data[at : at + len(content)] = content
    path.write_bytes(repaired(bytes(data)))


def with_odd_feature_name(model: Path) -> Path:
    path = model / "rules.pack"
    forge(path, sections(path.read_bytes())["names"][0], b"\xff")
    return path


def with_odd_label(model: Path) -> Path:
    path = model / "rules.pack"
    forge(path, sections(path.read_bytes())["labels"][0], b"\xc3")
    return path


def with_label_out_of_range(model: Path) -> Path:
    """Five labels take three bits of a record, which can say 7 as well."""
    path = model / "rules.pack"
    start, size = sections(path.read_bytes())["records"]
    rules = len(PackedGrammar(path))
    record = (size - 8) // rules
    for rule in range(rules):
        at = start + rule * record
        forge(path, at, bytes([path.read_bytes()[at] | 0b111]))
    return path


def with_odd_tag(model: Path) -> Path:
    forge(model / "tagger.pack", TAGGER_HEADER, b"\xff")
    return model / "tagger.pack"


def with_ngram_out_of_range(model: Path) -> Path:
    """The first n-gram of the highest order says that it follows one that is not there."""
    path = model / "lm.pack"
    header = struct.unpack_from("<8s2I3Q6I2Q5Q5Q5Q", path.read_bytes())
    order, slots = header[6], header[19:24]
    # Tables lie at the end: blanks of both orders take 4 bytes each and are none here.
    last = len(path.read_bytes()) - -(-slots[order - 1] * 12 // 8) * 8
    data = path.read_bytes()
    keys = [struct.unpack_from("<Q", data, last + slot * 12)[0] for slot in range(slots[order - 1])]
    slot = next(slot for slot, key in enumerate(keys) if key != 2**64 - 1)
    forge(path, last + slot * 12, struct.pack("<Q", keys[slot] ^ 1))
    return path


def with_odd_second_look(model: Path) -> Path:
    path = model / "second_look.npz"
    arrays = dict(read_arrays(path))
    names = arrays["rule_features"]
    arrays["rule_features"] = np.frombuffer(b"\xff" * names.nbytes, names.dtype)
    write_arrays(path, arrays)
    return path


def is_refused(done: CompletedProcess[str], path: Path) -> None:
    assert (done.returncode, done.stdout) == (2, "")
    [sentence] = done.stderr.splitlines()
    assert sentence.startswith(f"plainwright: {path}: ")


def test_the_whole_toy_model_works(model: Path) -> None:
    done = run("simplify", "-q", "-m", model, text=SENTENCE)
    assert (done.returncode, done.stdout) == (0, "He will buy the house of Ann.")


@pytest.mark.parametrize(
    "forged", [with_odd_feature_name, with_odd_label, with_odd_tag, with_odd_second_look, with_label_out_of_range]
)
@pytest.mark.parametrize("options", [(), ("--explain",), ("--json",)])
def test_simplify_refuses_forged_models(model: Path, forged: Callable[[Path], Path], options: tuple[str, ...]) -> None:
    path = forged(model)
    done = run("simplify", "-m", model, *options, text=SENTENCE)
    assert done.returncode == 2
    assert "damaged" in done.stderr or "characters that do not exist" in done.stderr
    assert str(path) in done.stderr


@pytest.mark.parametrize("forged", [with_odd_feature_name, with_odd_label, with_label_out_of_range])
@pytest.mark.parametrize("command", [("info",), ("info", "--json"), ("unpack",)])
def test_grammar_commands_refuse_forged_packs(
    model: Path, forged: Callable[[Path], Path], command: tuple[str, ...]
) -> None:
    path = forged(model)
    is_refused(run("grammar", command[0], path, *command[1:]), path)


def test_tags_that_are_no_text_are_refused(model: Path) -> None:
    with pytest.raises(DataError, match="the name of a tag is not UTF-8 text"):
        Tagger.open(with_odd_tag(model))


def test_lm_unpack_refuses_ngrams_of_nothing_and_leaves_no_file(model: Path, tmp_path: Path) -> None:
    path = with_ngram_out_of_range(model)
    is_refused(run("lm", "unpack", path, "-o", tmp_path / "out.arpa"), path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["model"]


def test_words_of_a_state_that_are_no_text_are_refused(model: Path) -> None:
    path = model / "lm.pack"
    lm = LanguageModel.open(path)
    _, state = lm.score_word(lm.begin_state(), "house")
    assert "house" in lm.state_words(state)
    text = path.read_bytes().index(b"house", LM_HEADER)
    forge(path, text, b"\xff")
    lm = LanguageModel.open(path)
    with pytest.raises(DataError, match=r"lm.pack: damaged: a word is not UTF-8 text"):
        lm.state_words(state)


def test_a_decoder_refuses_a_record_out_of_range(model: Path) -> None:
    sound = PackedGrammar.from_rules([parse_rule("[NN] ||| residence ||| home ||| good=1 ||| 0-0")])
    path = with_label_out_of_range(model)
    decoder = Decoder([sound, (PackedGrammar(path), "")], weights={"good": 1.0})
    sentence = f"{path}: damaged: a rule's record is out of range; pack it again"
    for ask in (lambda: decoder.decode([["residence"]]), lambda: decoder.forest(["residence"])):
        with pytest.raises(DataError, match=f"^{re.escape(sentence)}$"):
            ask()


def test_lines_come_whole_however_long_they_are_together(tmp_path: Path) -> None:
    """By hand: 400 rules share a target of 300 words of 200 letters; their lines have 24 million of them."""
    target = " ".join("x" * 200 for _ in range(300))
    rules = tmp_path / "rules.txt"
    rules.write_text("".join(f"[X] ||| a{i} ||| {target} ||| p=1 ||| \n" for i in range(400)), encoding="utf-8")
    assert run("grammar", "pack", "-q", rules, "-o", tmp_path / "rules.pack").returncode == 0
    grammar = PackedGrammar(tmp_path / "rules.pack")
    assert (tmp_path / "rules.pack").stat().st_size < 100_000
    assert sum(target in line for line in grammar.lines()) == len(list(grammar.lines(range(390, 400)))) * 40 == 400


def test_a_slice_of_the_fuzz_run_finds_nothing() -> None:
    """Its 200,000 packs and 20,000 files take minutes: see benchmarks/RESULTS.md."""
    done = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "fuzz_files.py", "--packs", "600", "--files", "400"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "0 tracebacks, 0 hangs, 0 crashes"
