"""Tables 3 and 4 of Maddela et al. (2023) in kind: tiny rewriters and a tiny LENS, and a reading that is blind."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests import in_process
from tests.lens.tiny import save_tiny_model
from tests.rewriter.tiny import write_tiny_rewriter

from plainwright import corpora
from plainwright.errors import DataError
from plainwright.metrics import BLEU, FK
from plainwright.reproduce import Generation, Reproduction, Sampling, reproduce
from plainwright.reproduce.blind import read_sheets, write_sheets
from plainwright.reproduce.lens2023_generation import Pool, Sentences, _finding, table3
from plainwright.reproduce.table import Block, Cell
from plainwright.rewriter.model import Rewriter
from plainwright.study.estimate import Interval

FEW = Sampling(resamples=30, seed=1)
SOURCES = ("The cat sat on the mat.", "The dog ran and the cat sat.", "It was a big dog.")


@pytest.fixture(scope="module")
def directories(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    pytest.importorskip("onnxruntime")
    folder = tmp_path_factory.mktemp("generation")
    save_tiny_model(folder / "lens")
    mle, mrt = (write_tiny_rewriter(folder / name, seed=seed) for name, seed in (("mle", 1), ("mrt", 2)))
    return mle, mrt, folder / "lens"


def computed(name: str, directories: tuple[Path, Path, Path], data: Path, **options: object) -> Reproduction:
    mle, mrt, lens = directories
    generation = Generation(**({"mle": mle, "mrt": mrt, "sentences": 6, "candidates": 3} | options))  # type: ignore[arg-type]
    return reproduce(name, data=data, sampling=FEW, lens_model=lens, generation=generation)


def test_few_candidates_are_the_first_of_many(directories: tuple[Path, Path, Path]) -> None:
    rewriter = Rewriter(directories[0])
    pool = Pool(rewriter, SOURCES, 1)
    many = pool._of(14)
    assert [[one.text for one in own] for own in many] == [
        list(dict.fromkeys(one.text for one in own)) for own in rewriter.rewrite(SOURCES, candidates=14)
    ]
    for few, own, text in zip(pool._of(3), many, pool.likeliest(14), strict=True):
        assert few == own[: len(few)]
        assert text == (max(own, key=lambda one: one.score).text if own else None) or not own
    assert len(pool._asked) == 4  # 0-1, 1-10, 10-14 and, for three of them, 1-3


def test_without_a_candidate_the_sentence_stays(directories: tuple[Path, Path, Path]) -> None:
    long = "The cat " * 60
    pool = Pool(Rewriter(directories[0]), [long], 1)
    assert pool.first(1) == pool.likeliest(2) == pool.agreed(2, BLEU()) == [long]


@pytest.mark.slow
def test_table_3_compares_three_systems(directories: tuple[Path, Path, Path], data_dir: Path, tmp_path: Path) -> None:
    result = computed("lens2023-table3", directories, data_dir, sheets=tmp_path / "sheets")
    values, differences = result.blocks
    assert values.rows == ("MLE", "MRT-LENS", "MBR-LENS")
    assert values.columns == ("LENS", "SARI", "BLEU", "FK", "self-BLEU")
    for cell in differences.cells:
        first, second = (values.cell(row, cell.column).ours for row in cell.row.split(" - "))
        assert first is not None
        assert second is not None
        assert cell.ours == pytest.approx(first - second)
        assert cell.intervals["sources"].low <= cell.intervals["sources"].high
    assert [finding.claim for finding in result.findings][2] == "MRT-LENS raises LENS"
    assert all(f"MBR-LENS - {other}," in result.findings[1].answer for other in ("MLE", "MRT-LENS"))
    assert (tmp_path / "sheets" / "key.json").is_file()
    again = computed("lens2023-table3", directories, data_dir)
    assert again.to_dict() == result.to_dict()


@pytest.mark.slow
def test_columns_are_what_they_say(directories: tuple[Path, Path, Path], data_dir: Path) -> None:
    result = computed("lens2023-table3", directories, data_dir, sentences=30, candidates=1, mrt=None)
    assert "MRT-LENS is left out: name its directory with --mrt." in result.notes
    sources = Sentences.drawn(data_dir, 30, FEW.seed).sources
    outputs = Pool(Rewriter(directories[0]), sources, 1).first(1)
    values = result.blocks[0]
    own = BLEU(lowercase=True).corpus_score(sources, outputs, [[source] for source in sources]).value
    assert values.cell("MLE", "self-BLEU").ours == pytest.approx(own)
    assert values.cell("MLE", "FK").ours == pytest.approx(FK(variant="plain").corpus_score(None, outputs, None).value)
    # One candidate leaves nothing to choose.
    assert values.cell("MBR-LENS", "LENS").ours == values.cell("MLE", "LENS").ours


@pytest.mark.slow
def test_table_4_compares_few_and_many(directories: tuple[Path, Path, Path], data_dir: Path) -> None:
    result = computed("lens2023-table4", directories, data_dir, candidates=12)
    choices = ("likeliest of 1", "likeliest of 10", "likeliest of 12", "MBR-LENS of 12")
    assert result.blocks[0].rows == tuple(f"{name}, {choice}" for name in ("MLE", "MRT-LENS") for choice in choices)
    assert len(result.findings) == 2
    assert result.findings[1].claim.startswith("MBR-LENS with 12 candidates (the paper: 100) is over 11 points")


def found(rows: dict[str, tuple[float, float]], *, sign: int, over: float = 0) -> str:
    cells = [
        Cell(row=row, column="c", paper=None, ours=(low + high) / 2, intervals={"sources": Interval(low, high)})
        for row, (low, high) in rows.items()
    ]
    finding = _finding(Block(cells=tuple(cells)), "c", "a claim", *rows, sign=sign, over=over)
    assert finding is not None
    return finding.answer.partition(":")[0]


def test_a_claim_holds_by_as_much_as_it_says_and_against_every_row() -> None:
    verdicts = [found({"a - b": bounds}, sign=1, over=11) for bounds in ((11.5, 14), (3, 9), (5, 12))]
    assert verdicts == ["holds", "fails", "open"]
    assert found({"a - b": (-3, -1), "a - c": (-2, -1)}, sign=-1) == "holds"
    assert found({"a - b": (-3, -1), "a - c": (-2, 1)}, sign=-1) == "open"
    assert found({"a - b": (-3, -1), "a - c": (1, 2)}, sign=-1) == "fails"


@pytest.mark.slow
def test_no_sentence_is_a_source_of_the_written_corpus(data_dir: Path) -> None:
    folder = Path(__file__).parents[2] / "packages" / "plainwright-en" / "data"
    sources = {" ".join(source.split()) for source in corpora.load("asset/valid", data=data_dir).sources}
    names = sources | {f"sha256:{hashlib.sha256(source.encode()).hexdigest()}" for source in sources}
    for path in folder.glob("*.tsv.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            assert names.isdisjoint(line.split("\t")[4] for line in stream)


SYSTEMS = {"MLE": ["a", "b", "c"], "MRT": ["a", "x", "y"], "MBR": ["=1", "b", "z"]}


def fill(folder: Path, reader: str, ratings: dict[str, int]) -> None:
    path = folder / f"{reader}.tsv"
    with path.open(encoding="utf-8", newline="") as stream:
        heading, *rows = csv.reader(stream, delimiter="\t")
    with path.open("w", encoding="utf-8", newline="") as stream:
        sheet = csv.writer(stream, delimiter="\t", lineterminator="\n")
        sheet.writerows([heading, *([*row[:3], str(ratings[row[2]])] for row in rows)])


def written(folder: Path, systems: dict[str, list[str]] = SYSTEMS, sources: Sequence[str] = SOURCES) -> Path:
    write_sheets(folder, sources, systems, seed=1)
    return folder


def test_sheets_hide_who_wrote_what_and_come_back(tmp_path: Path) -> None:
    folder = written(tmp_path / "sheets")
    sheets = [(folder / f"{reader}.tsv").read_text(encoding="utf-8") for reader in ("reader1", "reader2")]
    assert sheets[0] != sheets[1]
    assert not any(name in sheet for name in SYSTEMS for sheet in sheets)
    assert all(len(sheet.splitlines()) == 1 + 2 + 2 + 3 for sheet in sheets)  # outputs that two wrote stand there once
    ratings = {"a": 50, "'=1": 90, "b": 40, "x": 44, "c": 10, "y": 20, "z": 30}
    fill(folder, "reader1", ratings)
    fill(folder, "reader2", ratings | {"x": 0})
    result = read_sheets(folder, name="n", title="t", sampling=FEW)
    means, pairs, readers = result.blocks
    # By hand: MLE (50 + 40 + 10) / 3; MRT (50 + 22 + 20) / 3, x having 44 and 0.
    assert means.cell("MLE", "mean").ours == pytest.approx(100 / 3)
    assert means.cell("MRT", "mean").ours == pytest.approx(92 / 3)
    shares = [pairs.cell("MLE - MRT", column).ours for column in ("better", "equal", "worse")]
    assert shares == pytest.approx([100 / 3] * 3)  # b over x, a is a, y over c
    # Readers: a is a for both, y over c for both; b and x are equal for one only.
    assert readers.cell("MLE - MRT", "same order, %").ours == pytest.approx(200 / 3)


def test_at_most_50_sentences_are_read(tmp_path: Path) -> None:
    systems = {name: [f"{name}{n}" for n in range(60)] for name in ("one", "two")}
    folder = written(tmp_path / "sheets", systems, [f"s{n}" for n in range(60)])
    key = json.loads((folder / "key.json").read_text(encoding="utf-8"))["key"]
    assert {reader: len(rows) for reader, rows in key.items()} == {"reader1": 100, "reader2": 100}
    assert key["reader1"].keys() == key["reader2"].keys()
    assert key["reader1"] != key["reader2"]


def test_sheets_that_are_unfinished_or_spoilt_are_named(tmp_path: Path) -> None:
    folder = written(tmp_path / "sheets")
    with pytest.raises(DataError, match=r"reader1\.tsv:2: expected a rating, a whole number from 0 to 100, found ''"):
        read_sheets(folder, name="n", title="t", sampling=FEW)
    fill(folder, "reader1", dict.fromkeys(("a", "'=1", "b", "x", "c", "y", "z"), 1))
    lines = (folder / "reader1.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "reader1.tsv").write_text("".join(lines[:-1]), encoding="utf-8")
    with pytest.raises(DataError, match="expected 7 rows, found 6"):
        read_sheets(folder, name="n", title="t", sampling=FEW)
    (folder / "reader1.tsv").write_text("".join([*lines, lines[-1]]), encoding="utf-8")
    with pytest.raises(DataError, match="each once"):
        read_sheets(folder, name="n", title="t", sampling=FEW)
    with pytest.raises(DataError, match="expected no sheets yet"):
        written(folder)
    with pytest.raises(DataError, match="expected no sheets yet"):  # before data or models are looked for
        table3(tmp_path / "nothing", generation=Generation(mle=tmp_path / "nothing", sheets=folder))


@pytest.mark.parametrize("text", ["[]", "3", '{"key": {}}', '{"systems": ["MLE"], "key": {"reader1": {}}}'])
def test_a_key_that_is_none_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "key.json").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=r"key\.json: expected the systems and the key of a blind reading"):
        read_sheets(tmp_path, name="n", title="t", sampling=FEW)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("xu2016-table5", "--mrt", "x"), "only for lens2023-table3, lens2023-table4"),
        (("lens2023-table3", "--candidates", "0"), "--candidates: expected a number from 1"),
        (("lens2023-table3", "--sentences", "0"), "--sentences: expected a number from 1 to 2,000"),
        (("lens2023-table4", "--readings", "x"), "lens2023-table4 has no blind reading"),
        (("lens2023-table3", "--readings", "x"), "key.json"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    data_dir: Path, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    done = in_process.run("reproduce", *arguments, "--data", data_dir, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    [sentence] = done.stderr.splitlines()
    assert said in sentence
