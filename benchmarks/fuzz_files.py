"""Forged files against everything that reads them: each is read or refused in one sentence, soon and in little memory.

Run: python benchmarks/fuzz_files.py [--packs 200000] [--files 20000] [--seed 1] [--processes 2]
Packs are grammars, language models and taggers with a few changes and repaired checksums, as `tests/forging.py` makes
them. Files are `.npz` (second look, head and companion of LENS) and TOML (models, studies, recipes, weights, encoders).
Each is opened, asked for all that it can give, and used to decode or to simplify; of some the commands are run, too.
Every process may take 2 GB of memory (--memory), every file 20 s (--seconds). A case depends on the seed, its kind and
its number alone: `--only lm:1234` runs it again by itself.
"""

from __future__ import annotations

import os

os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

import argparse
import functools
import io
import json
import multiprocessing
import random
import resource
import shutil
import struct
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from tests.forging import GRAMMAR_HEADER, LM_HEADER, TAGGER_HEADER, repaired
from tests.toy_model import WHOLE_TEXT, write_whole_model
from tests.toy_tags import SENTENCES

from plainwright.arrays import read_arrays
from plainwright.boosted import BoostedTrees
from plainwright.decode import Decoder, DecoderSettings, word_analyses
from plainwright.decode.bundle import ModelBundle
from plainwright.encoders.onnx import EncoderCard
from plainwright.errors import PlainwrightError
from plainwright.grammar import PackedGrammar, pack_files
from plainwright.grammar.inspection import rank_candidates, read_weights
from plainwright.learn.lm import estimate
from plainwright.learn.tagger import TaggerOptions, learn_tagger
from plainwright.lens.head import Head, Layer, Network
from plainwright.lm import LanguageModel
from plainwright.rewrite import load
from plainwright.rewrite.judge import SecondLook
from plainwright.rewrite.models import open_bundle
from plainwright.text.tagging import Tagger

PACKS = ("grammar", "lm", "tagger")
FILES = ("second_look", "head", "companion", "model", "study", "recipe", "weights", "encoder")
TEXT = "He will purchase the residence of Ann. The edifice is rather large.\n"
WORDS = [["he", "will", "purchase", "the", "residence", "of", "ann"], ["the", "edifice", "is", "rather", "large"]]
COMMANDS_EVERY = 200  # cases of which the commands are run, too
NUMBERS = (0, 1, 2, 3, 7, 8, 255, 256, 65535, 65536, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF)
FLOATS = (float("nan"), float("inf"), -float("inf"), 3.4e38, -3.4e38, 1e-45, -0.0, 0.0, -99.0)


# Packs


def forged_pack(rng: random.Random, base: bytes, header: int) -> bytes:
    data = bytearray(base)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        rng.choice(PACK_CHANGES)(rng, data, header)
    return repaired(bytes(data)) if rng.random() < 0.98 else bytes(data)


def change_header(rng: random.Random, data: bytearray, header: int) -> None:
    _put(data, rng.randrange(16, header, 4), _number(rng, data))


def change_number(rng: random.Random, data: bytearray, header: int) -> None:
    _put(data, rng.randrange(header, max(header + 1, len(data) - 3), 4), _number(rng, data))


def change_long_number(rng: random.Random, data: bytearray, header: int) -> None:
    at = rng.randrange(header, max(header + 1, len(data) - 7), 4)
    _put(data, at, struct.pack("<Q", rng.choice([0, 1, len(data), 2**63, 2**64 - 1, 2**64 - 2, rng.getrandbits(64)])))


def change_float(rng: random.Random, data: bytearray, header: int) -> None:
    _put(data, rng.randrange(header, max(header + 1, len(data) - 3), 4), struct.pack("<f", rng.choice(FLOATS)))


def change_byte(rng: random.Random, data: bytearray, header: int) -> None:
    if len(data) > header:
        data[rng.randrange(header, len(data))] = rng.choice(
            [0, 9, 10, 13, 32, 124, 128, 195, 237, 255, rng.getrandbits(8)]
        )


def change_bit(rng: random.Random, data: bytearray, header: int) -> None:
    if len(data) > 16:
        data[rng.randrange(16, len(data))] ^= 1 << rng.randrange(8)


def move_piece(rng: random.Random, data: bytearray, header: int) -> None:
    size = rng.choice([4, 8, 16, 64])
    start, end = (rng.randrange(0, max(1, len(data) - size), 4) for _ in range(2))
    data[end : end + size] = data[start : start + size]


def change_size(rng: random.Random, data: bytearray, header: int) -> None:
    step = 8 * rng.randint(1, 40)
    if rng.random() < 0.5:
        data += bytes(step)
    else:
        del data[max(16, len(data) - step) :]


PACK_CHANGES = (
    *(change_header, change_number, change_number, change_long_number, change_float),
    *(change_byte, change_byte, change_bit, change_bit, move_piece, change_size),
)


def _number(rng: random.Random, data: bytearray) -> bytes:
    near = [len(data), rng.randrange(64), rng.randrange(1 << 32), rng.choice([-2, -1]) % (1 << 32)]
    return struct.pack("<I", rng.choice([*NUMBERS, *near]))


def _put(data: bytearray, at: int, content: bytes) -> None:
    if at + len(content) <= len(data):
        data[at : at + len(content)] = content


# Archives of arrays


def forged_archive(rng: random.Random, arrays: Mapping[str, Any]) -> bytes:
    members = [(name, np.asarray(array)) for name, array in arrays.items()]
    for _ in range(rng.choice([0, 1, 1, 2])):
        change_array(rng, members)
    method = rng.choice([zipfile.ZIP_DEFLATED] * 36 + [zipfile.ZIP_STORED] * 2 + [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
    packed = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that occur twice
        with zipfile.ZipFile(packed, "w") as archive:
            for name, array in members:
                archive.writestr(f"{name}.npy", _member(rng, array), method)
    data = bytearray(packed.getvalue())
    for _ in range(rng.choice([0, 0, 1, 2])):
        rng.choice([change_directory, change_archive_byte, change_archive_byte, cut])(rng, data)
    return bytes(data)


def change_array(rng: random.Random, members: list[tuple[str, Any]]) -> None:
    at = rng.randrange(len(members))
    name, array = members[at]
    match rng.randrange(8):
        case 0:
            members.pop(at)
            members.append(("extra", np.zeros(1)))
        case 1:
            members.append((name, array[::-1].copy() if array.ndim else array))
        case 2:
            kinds = ["<f2", "<f4", "<f8", "<i1", "<i8", "<u8", "|b1", "<U3"]
            with np.errstate(all="ignore"):
                members[at] = (
                    name,
                    array.astype(rng.choice(kinds)) if array.dtype.kind != "U" else array.astype("<U1"),
                )
        case 3:
            members[at] = (name, array[None] if rng.random() < 0.5 else array.ravel()[: rng.randrange(4)])
        case 4 if array.dtype.kind == "U":
            raw = bytearray(array.tobytes() or bytes(4))
            raw[rng.randrange(len(raw))] = 255
            members[at] = (name, np.frombuffer(bytes(raw[: array.nbytes]), array.dtype).reshape(array.shape))
        case 5 if array.dtype.kind == "f" and array.size:
            changed = array.copy()
            changed.ravel()[rng.randrange(array.size)] = rng.choice(FLOATS)
            members[at] = (name, changed)
        case 6 if array.dtype.kind in "iu" and array.size:
            changed = array.astype(np.int64)
            changed.ravel()[rng.randrange(array.size)] = rng.choice([-1, 0, 1, array.size, 2**31, 2**62, -(2**62)])
            members[at] = (name, changed)
        case _ if 0 < array.size < 10_000:
            members[at] = (name, np.repeat(array.ravel(), rng.choice([2, 50, 1000])))
        case _:
            pass


def _member(rng: random.Random, array: Any) -> bytes:
    packed = io.BytesIO()
    np.lib.format.write_array(packed, array, version=(1, 0), allow_pickle=False)
    data = packed.getvalue()
    if rng.random() < 0.05:
        old, new = rng.choice(
            [
                (b"(", b"(9999999999, "),
                (b"False", b"True "),
                (b"<", b">"),
                (b"descr", b"desct"),
                (b"\x01\x00", b"\x02\x00"),
            ]
        )
        data = data.replace(old, new, 1)
    return data


def change_directory(rng: random.Random, data: bytearray) -> None:
    places = [at for at in range(len(data) - 46) if data[at : at + 4] == b"PK\x01\x02"]
    if places:
        field = rng.choice(
            [8, 10, 16, 20, 24, 28, 42]
        )  # flags, method, checksum, both sizes, length of the name, place
        _put(data, rng.choice(places) + field, _number(rng, data)[: 2 if field in (8, 10, 28) else 4])


def change_archive_byte(rng: random.Random, data: bytearray) -> None:
    if data:
        data[rng.randrange(len(data))] = rng.getrandbits(8)


def cut(rng: random.Random, data: bytearray) -> None:
    del data[rng.randrange(len(data) + 1) :]


# Tables

VALUES = (
    *("0", "-1", "1e400", "-1e308", "1.7e308", "nan", "-inf", "true", "9223372036854775807", "-9223372036854775808"),
    *(
        "0x" + "f" * 5000,
        "9" * 5000,
        "9" * 20,
        "1979-05-27T07:32:00Z",
        "07:32:00",
        "[]",
        "[[[[]]]]",
        "{}",
        "{a = {b = 1}}",
    ),
    *(
        '""',
        '"\\u0000"',
        '"\\U0010FFFF"',
        '"\\u001b[31m"',
        "'../../etc/passwd'",
        '"' + "x" * 100_000 + '"',
        "'''a\nb'''",
    ),
    *("[" * 40 + "]" * 40, "[" * 3000, "[1, 'a', true]", '["a", "a"]', "x", "= =", '"open', "'\x7f'"),
)


def forged_table(rng: random.Random, text: str) -> bytes:
    lines = text.split("\n")
    for _ in range(rng.choice([1, 1, 2, 3])):
        at = rng.randrange(len(lines))
        match rng.randrange(10):
            case 0:
                lines.insert(at, rng.choice(lines))
            case 1:
                lines.pop(at) if len(lines) > 1 else None
            case 2:
                lines.insert(at, ".".join(["a"] * rng.choice([3, 15, 17, 500, 20_000])) + " = 1")
            case 3:
                lines.insert(
                    at,
                    rng.choice(["[", "[[", "["]) + ".".join(["a"] * rng.choice([1, 2, 20])) + rng.choice(["]", "]]"]),
                )
            case 4:
                lines[at] = lines[at] * rng.choice([2, 100])
            case 5:
                place = rng.randrange(len(lines[at]) + 1)
                lines[at] = lines[at][:place] + rng.choice("\"'\\=[]{}.#\t\x00\x1b\ufeff\u2028é,") + lines[at][place:]
            case _:
                key, equals, _ = lines[at].partition("=")
                lines[at] = f"{key}= {rng.choice(VALUES)}" if equals else lines[at] + f"\nodd = {rng.choice(VALUES)}"
    data = bytearray("\n".join(lines).encode())
    if rng.random() < 0.1:
        change_archive_byte(rng, data)
    return bytes(data)


# What is done with them


class Bench:
    """Honest files of every kind in a directory of their own, and a model into which forged ones are put."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        honest = write_whole_model(folder / "honest")
        self.model = folder / "model"
        shutil.copytree(honest, self.model)
        self.parts = {path.name: path.read_bytes() for path in self.model.iterdir()}
        self.grammar = PackedGrammar(honest / "rules.pack")
        self.lm = LanguageModel.open(honest / "lm.pack", verify=True)
        self.tagger = Tagger.open(honest / "tagger.pack")
        self.bases: dict[str, Sequence[bytes]] = {
            "grammar": [self.parts["rules.pack"], *self._grammars()],
            "lm": [self.parts["lm.pack"], *self._lms()],
            "tagger": [self.parts["tagger.pack"], *self._taggers()],
        }
        self.arrays = {
            "second_look": read_arrays(honest / "second_look.npz"),
            "head": _head().arrays(),
            "companion": {**SecondLook.open(honest / "second_look.npz").trees.arrays(), **_LINEAR},
        }
        self.tables = {
            "model": (self.parts["model.toml"].decode(), "model.toml"),
            "study": (STUDY, "study.toml"),
            "recipe": (RECIPE, "recipe.toml"),
            "weights": ('[weights]\n"good" = 1.5\n"Risk" = -2\n', "weights.toml"),
            "encoder": (ENCODER, "encoder.toml"),
        }
        (folder / "how.md").write_text("# How\n", encoding="utf-8")
        for kind, (text, name) in self.tables.items():
            self._use_table(kind, name, text.encode(), commands=True)  # what nobody has changed is read

    def _grammars(self) -> Iterator[bytes]:
        many = "".join(f"[X] ||| w{i} [NP,1] ||| v{i % 7} [NP,1] ||| p={i / 7} q={i} ||| 0-0 1-1\n" for i in range(40))
        for name, rules, bits in (
            ("grid", many, 3),
            ("small", "[X] ||| a ||| b ||| p=1 ||| 0-0\n", 16),
            ("none", "", 16),
        ):
            path = self.folder / f"{name}.txt"
            path.write_text(rules, encoding="utf-8")
            pack_files([path], path.with_suffix(".pack"), bits=bits)
            yield path.with_suffix(".pack").read_bytes()

    def _lms(self) -> Iterator[bytes]:
        for order in (1, 2, 5):
            path = self.folder / f"order{order}.pack"
            estimate(WHOLE_TEXT, order=order).save(path)
            yield path.read_bytes()

    def _taggers(self) -> Iterator[bytes]:
        yield learn_tagger(SENTENCES[:1], TaggerOptions(passes=1, min_count=1)).content

    def case(self, kind: str, number: int, seed: int) -> str:
        """Forge one file and use it: "read" or "refused"; anything else is raised."""
        rng = random.Random(f"{seed}/{kind}/{number}")
        try:
            if kind in PACKS:
                header = {"grammar": GRAMMAR_HEADER, "lm": LM_HEADER, "tagger": TAGGER_HEADER}[kind]
                own, *others = self.bases[kind]
                base = own if rng.random() < 0.5 else rng.choice(others)
                forged = forged_pack(rng, base, header)
                # A second look belongs to the rules of its own model.
                fits = kind != "grammar" or base is own
                self._use_pack(kind, forged, rng, commands=number % COMMANDS_EVERY == 0, simplifies=fits)
            elif kind in self.arrays:
                self._use_arrays(kind, forged_archive(rng, self.arrays[kind]))
            else:
                text, name = self.tables[kind]
                self._use_table(kind, name, forged_table(rng, text), commands=number % COMMANDS_EVERY == 0)
        except PlainwrightError:
            return "refused"
        return "read"

    def _use_pack(self, kind: str, content: bytes, rng: random.Random, *, commands: bool, simplifies: bool) -> None:
        name = {"grammar": "rules.pack", "lm": "lm.pack", "tagger": "tagger.pack"}[kind]
        path = self._put(self.model, name, content)
        try:
            if commands:
                self._commands(kind, path)
            {"grammar": self._use_grammar, "lm": self._use_lm, "tagger": self._use_tagger}[kind](path)
            if simplifies:
                load(self.model, strength=rng.choice([-1.0, 0.0, 1.0])).simplify(TEXT, n_best=2, alternatives=2)
        finally:
            self._put(self.model, name, self.parts[name])

    def _use_grammar(self, path: Path) -> None:
        for verify in (False, True):
            try:
                grammar = PackedGrammar(path, verify=verify)
                grammar.info()
                names = grammar.feature_names
                rules = range(min(len(grammar), 50))
                grammar.features(rules)
                list(islice(grammar.lines(), 50))
                for source in ("residence", "[X,1] of [X,2]", "w3 [NP,1]", "a"):
                    rank_candidates(grammar, source, dict.fromkeys(names, 1.0))
                self._decode([grammar], self.lm, dict.fromkeys(names, 1.5))
            except PlainwrightError:
                if verify:
                    raise

    def _use_lm(self, path: Path) -> None:
        for verify in (False, True):
            try:
                lm = LanguageModel.open(path, verify=verify)
                repr((lm, lm.counts, lm.bytes, "house" in lm))
                lm.score_lines(list(WHOLE_TEXT))
                lm.perplexity(WHOLE_TEXT)
                lm.word_scores(WHOLE_TEXT[1])
                state = lm.begin_state()
                for word in ("the", "house", "of", "nobody", "</s>"):
                    _, state = lm.score_word(state, word)
                    lm.state_words(state)
                self._decode([self.grammar], lm, {"good": 1.0, "lm_0": 1.0})
                lm.unpacked().write_arpa(io.BytesIO().write)
            except PlainwrightError:
                if verify:
                    raise

    def _use_tagger(self, path: Path) -> None:
        tagger = Tagger.open(path)
        repr((tagger, tagger.tags))
        tagger.tag_many([["The", "dog", "can", "bark", "."], [], ["", "x" * 100, "é"]])
        word_analyses(tagger, WORDS)

    def _decode(self, grammars: Sequence[PackedGrammar], lm: LanguageModel, weights: Mapping[str, float]) -> None:
        decoder = Decoder(grammars, lm=lm, weights=weights, settings=DecoderSettings(candidates=5, pop_limit=20))
        for result in decoder.decode(WORDS, analyses=word_analyses(self.tagger, WORDS)):
            repr((result.texts, result.scores, list(result)))
            result.features.sum()
        decoder.forest(WORDS[1])

    def _use_arrays(self, kind: str, content: bytes) -> None:
        path = self._put(self.model, "second_look.npz", content)
        try:
            if kind == "second_look":
                SecondLook.open(path)
                load(self.model).simplify(TEXT)
            elif kind == "head":
                head = Head.from_arrays(read_arrays(path))
                if head.width < 1000 and head.features < 1000:
                    vector, rows = np.zeros(head.width), np.zeros((1, head.width))
                    head.values(vector, vector, rows, np.zeros((1, head.features)))
            else:
                trees = BoostedTrees.from_arrays(read_arrays(path))
                if trees.features < 100_000:
                    trees.predict(np.zeros((2, trees.features)))
        finally:
            self._put(self.model, "second_look.npz", self.parts["second_look.npz"])

    def _use_table(self, kind: str, name: str, content: bytes, *, commands: bool) -> None:
        from plainwright.learn import recipe
        from plainwright.rate.study_file import read_study_file

        if kind == "model":
            self._put(self.model, name, content)
            try:
                if commands:
                    _command("simplify", "-q", "-m", self.model, data=TEXT.encode())
                bundle = ModelBundle.load(self.model)
                open_bundle(bundle).simplify(TEXT, alternatives=1)
            finally:
                self._put(self.model, name, self.parts[name])
            return
        path = self._put(self.folder, name, content)
        if kind == "study":
            read_study_file(path)
        elif kind == "recipe":
            recipe.load(path, _command_line())
        elif kind == "weights":
            read_weights(path)
        else:
            EncoderCard.load(path)

    def _commands(self, kind: str, path: Path) -> None:
        if kind == "grammar":
            _command("grammar", "info", path)
            _command("grammar", "unpack", path)
        elif kind == "lm":
            _command("lm", "info", path)
            _command("lm", "unpack", path, "-o", self.folder / "out.arpa")
        _command("simplify", "-q", "--json", "-m", self.model, data=TEXT.encode())

    @staticmethod
    def _put(folder: Path, name: str, content: bytes) -> Path:
        """Under its name, but never over a file that is still mapped into memory."""
        fresh = folder / "fresh.part"
        fresh.write_bytes(content)
        return fresh.replace(folder / name)


def _command(*arguments: object, data: bytes = b"") -> None:
    from tests.in_process import run_bytes

    done = run_bytes(*arguments, data=data)
    assert done.returncode in (0, 2), f"{arguments}: status {done.returncode}"
    assert b"Traceback" not in done.stderr, done.stderr.decode()


@functools.cache
def _command_line() -> Any:
    from plainwright.cli.commands import CommandLine
    from plainwright.cli.main import app

    return CommandLine(app)


def _head() -> Head:
    rng = np.random.default_rng(1)
    layers = (
        Layer(weight=rng.normal(size=(3, 6 * 2 + 1)), bias=np.zeros(3), activation="tanh"),
        Layer(weight=rng.normal(size=(1, 3)), bias=np.zeros(1)),
    )
    network = Network(layers=layers, norm=(np.ones(12), np.zeros(12)), standard=(np.zeros(1), np.ones(1)))
    return Head(networks=(network, network))


_LINEAR = {"linear": np.array([[1.0, 2.0], [-1.0, -1.0], [1.0, 1.0]]), "intercept": np.array(0.5)}

STUDY = """\
[study]
title = "Which is easier?"
instructions = "how.md"
form = "rank"
raters_per_unit = 3
units_per_rater = 10
seed = 7
database = "study.db"

[page]
groups = true
edits = true
cards_per_page = "one"
lease_hours = 1.5

[controls]
source = true
repeats = 0.1

[material]
simpeval = ""
source = "source.txt"
references = ["reference.txt"]

[material.outputs]
"a system" = "a.txt"

[[aspects]]
name = "simplicity"
question = "How easy is it?"
scale = "0..100"

[training]
pass_share = 0.5

[[training.items]]
source = "A residence."
[[training.items.outputs]]
text = "A house."
low = 50
high = 100
"""

RECIPE = """\
[recipe]
name = "small"
results = ["lm"]

[inputs]
text = "text.txt"

[stages.lm]
command = "lm build"
arguments = ["{inputs.text}"]
options = { order = 2, save = ["{out.packed}", "{out.arpa}"] }
saves = { packed = "text.lm", arpa = "text.arpa" }
"""

ENCODER = (
    '[encoder]\n"name" = "tiny"\n"width" = 4\n"max_pieces" = 16\n"layer" = 2\n"precision" = "int8"\n"format" = 1\n'
)


# The run


def work(job: Job, jobs: Sequence[tuple[str, int]], first: int, step: int, findings: Path) -> None:
    """Every `step`th case from the `first`; told to the parent: which one is going on, and since when."""
    resource.setrlimit(resource.RLIMIT_AS, (job.memory, job.memory))
    with tempfile.TemporaryDirectory(dir=job.folder) as folder:
        bench = Bench(Path(folder))
        for at in range(first, len(jobs), step):
            kind, number = jobs[at]
            job.started[first % step] = time.monotonic()
            job.current[first % step] = at
            try:
                outcome = bench.case(kind, number, job.seed)
            except BaseException:
                outcome = "traceback"
                _tell(findings, kind, number, traceback.format_exc())
            place = job.kinds.index(kind) * len(OUTCOMES) + OUTCOMES.index(outcome)
            with job.counts.get_lock():
                job.counts[place] += 1
            job.peak[first % step] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        job.current[first % step] = len(jobs)


OUTCOMES = ("read", "refused", "traceback", "hang", "crash")


class Job:
    """What parent and workers share."""

    def __init__(self, arguments: argparse.Namespace, folder: str) -> None:
        self.seed: int = arguments.seed
        self.memory = int(arguments.memory * (1 << 30))
        self.folder = folder
        self.kinds = (*PACKS, *FILES)
        self.counts: Synchronized[Any] = multiprocessing.Array("q", len(self.kinds) * len(OUTCOMES))
        self.current = multiprocessing.Array("q", arguments.processes, lock=False)
        self.started = multiprocessing.Array("d", arguments.processes, lock=False)
        self.peak = multiprocessing.Array("q", arguments.processes, lock=False)

    def count(self, kind: str, outcome: str) -> None:
        with self.counts.get_lock():
            self.counts[self.kinds.index(kind) * len(OUTCOMES) + OUTCOMES.index(outcome)] += 1

    def of(self, kind: str) -> dict[str, int]:
        start = self.kinds.index(kind) * len(OUTCOMES)
        return dict(zip(OUTCOMES, self.counts[start : start + len(OUTCOMES)], strict=True))


def supervise(job: Job, jobs: Sequence[tuple[str, int]], processes: int, seconds: float, findings: Path) -> None:
    """Start the workers, end one that hangs, and go on behind the case at which one hung or crashed."""
    context = multiprocessing.get_context("fork")

    def start(worker: int, first: int) -> Any:
        job.current[worker], job.started[worker] = -1, time.monotonic()
        process = context.Process(target=work, args=(job, jobs, first, processes, findings))
        process.start()
        return process

    running = {worker: start(worker, worker) for worker in range(processes)}
    while running:
        time.sleep(0.2)
        for worker, process in list(running.items()):
            patience = seconds if job.current[worker] >= 0 else 120
            hangs = process.is_alive() and time.monotonic() - job.started[worker] > patience
            if process.is_alive() and not hangs:
                continue
            process.kill()
            process.join()
            at = job.current[worker]
            del running[worker]
            if at >= len(jobs):
                continue
            if at < 0:
                sys.exit("fuzz_files: a worker could not start")
            outcome = "hang" if hangs else "crash"
            job.count(jobs[at][0], outcome)
            _tell(findings, *jobs[at], f"{outcome}, status {process.exitcode}")
            if at + processes < len(jobs):
                running[worker] = start(worker, at + processes)


def _tell(findings: Path, kind: str, number: int, what: str) -> None:
    with findings.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps([f"{kind}:{number}", what]) + "\n")


def cases(packs: int, files: int) -> list[tuple[str, int]]:
    return [
        *((PACKS[number % len(PACKS)], number // len(PACKS)) for number in range(packs)),
        *((FILES[number % len(FILES)], number // len(FILES)) for number in range(files)),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Forge files and read them.")
    parser.add_argument("--packs", type=int, default=200_000)
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20, help="that one file may take")
    parser.add_argument("--memory", type=float, default=2, help="GB of addresses for each process")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", metavar="KIND:NUMBER", help="one case, in this process")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # of numpy: infinite values in forged arrays
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        if arguments.only:
            kind, _, number = arguments.only.partition(":")
            print(Bench(Path(folder)).case(kind, int(number), arguments.seed))
            return
        run(arguments, Path(folder))


def run(arguments: argparse.Namespace, folder: Path) -> None:
    begun = time.monotonic()
    jobs = cases(arguments.packs, arguments.files)
    job, findings = Job(arguments, str(folder)), folder / "findings.jsonl"
    supervise(job, jobs, arguments.processes, arguments.seconds, findings)
    print(f"{'kind':<12}" + "".join(f"{outcome:>11}" for outcome in OUTCOMES))
    for kind in job.kinds:
        print(f"{kind:<12}" + "".join(f"{count:>11,}" for count in job.of(kind).values()))
    if findings.exists():
        for line in islice(findings.read_text(encoding="utf-8").splitlines(), 10):
            case, what = json.loads(line)
            shown = "\n".join(line[:300] for line in what.splitlines())
            print(f"\n--only {case} --seed {arguments.seed}\n{shown}")
    totals = {outcome: sum(job.of(kind)[outcome] for kind in job.kinds) for outcome in OUTCOMES}
    assert sum(totals.values()) == len(jobs), "cases were lost"
    peak = max(job.peak[:]) / 1024
    print(f"{len(jobs):,} files in {time.monotonic() - begun:.0f} s, at most {peak:.0f} MB in a process")
    print(f"{totals['traceback']} tracebacks, {totals['hang']} hangs, {totals['crash']} crashes")
    sys.exit(1 if totals["traceback"] + totals["hang"] + totals["crash"] else 0)


if __name__ == "__main__":
    main()
