"""Ratings from files: every format, every mistake with its place, and bytes that nobody meant as ratings."""

from __future__ import annotations

import gzip
import io
import json
import math
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pyarrow
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pyarrow import parquet

from plainwright.errors import DataError, MissingExtraError, PlainwrightError, UnknownNameError
from plainwright.study.ratings import LAYOUTS, Rating, Ratings, Scale, read_ratings, write_ratings
from plainwright.study.ratings.layout import COLUMNS

HEADER = "item,system,rater,aspect,score"
FORMATS = ("csv", "tsv", "jsonl", "parquet", "csv.gz", "jsonl.gz")
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "ratings.csv"


@pytest.fixture
def file(tmp_path: Path):
    def write(text: str | bytes, name: str = "r.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
        return path

    return write


def refused(path: Path, **options) -> str:
    """What a file is refused with; it names the file."""
    with pytest.raises(PlainwrightError) as caught:
        read_ratings(path, **options)
    assert str(path) in str(caught.value)
    return str(caught.value).removeprefix(str(path))


# What is read.


def test_all_columns_of_the_long_table_arrive(file) -> None:
    path = file(
        "item,source,system,output,rater,aspect,scale,score,z,order,time,colour\n"
        '7,"A big, red cat.",short,A cat.,ann,simplicity,1..5 by 1,4,0.5,12,2024-05-06T09:00:00+02:00,red\n'
    )
    (rating,) = read_ratings(path)
    assert rating == Rating(
        item="7",
        source="A big, red cat.",
        system="short",
        output="A cat.",
        rater="ann",
        aspect="simplicity",
        scale=Scale(1, 5, 1),
        score=4,
        z=0.5,
        order=12,
        time=1714978800.0,
    )


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("1714978800", 1714978800.0),
        ("2024-05-06T07:00:00Z", 1714978800.0),
        ("2024-05-06 07:00:00", 1714978800.0),
        ("2024-05-06T09:00:00.5+02:00", 1714978800.5),
        ("2024-05-06", 1714953600.0),
        ("", None),
    ],
)
def test_times_are_seconds_or_dates_in_utc(file, written: str, seconds: float | None) -> None:
    (rating,) = read_ratings(file(f"{HEADER},time\n1,a,x,s,1,{written}\n"))
    assert rating.time == seconds


def test_names_lose_spaces_around_them_and_numbers_become_names(file) -> None:
    lines = [
        {"item": 7, "system": " a ", "rater": 2.0, "aspect": "structural  simplicity", "score": 3},
        {"item": "7", "system": "a", "rater": 3, "aspect": "structural simplicity", "score": 3},
    ]
    ratings = read_ratings(file("\n".join(map(json.dumps, lines)), "r.jsonl"))
    assert (ratings.items, ratings.systems, ratings.raters) == (("7",), ("a",), ("2", "3"))
    assert ratings.aspects == ("structural simplicity",)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", [True, False])
def test_line_ends_and_byte_order_marks_of_any_editor_are_understood(file, mark: str, end: str, last: bool) -> None:
    text = mark + end.join([HEADER, '1,a,x,s,"2"', "", "2,a,x,s,3,,"]) + (end if last else "")
    assert [row.score for row in read_ratings(file(text))] == [2, 3]


def test_a_quoted_text_may_hold_separators_quotes_and_line_breaks(file) -> None:
    path = file(f'{HEADER},output\n1,a,x,s,2,"one,\n""two"""\n2,a,x,s,oops,t\n')
    assert refused(path) == ":4: expected a number for 'score', found 'oops'"  # the second record starts at line 4


def test_tabs_separate_a_tsv_file(file) -> None:
    (rating,) = read_ratings(file("item\tsystem\trater\taspect\tscore\n1\ta, b\tx\ts\t2\n", "r.tsv"))
    assert rating.system == "a, b"


def test_columns_can_be_called_anything(file) -> None:
    path = file("sent_id,system,who,aspect,score,item\n1,a,x,s,2,not this\n")
    (rating,) = read_ratings(path, columns={"item": "sent_id", "rater": "who"})
    assert (rating.item, rating.rater) == ("1", "x")


def test_two_columns_can_change_places(file) -> None:
    path = file("item,system,rater,aspect,score\n1,x,a,s,2\n")
    (rating,) = read_ratings(path, columns={"system": "rater", "rater": "system"})
    assert (rating.system, rating.rater) == ("a", "x")


def test_a_row_may_hold_several_aspects(file) -> None:
    path = file("id,system,rater,ease,sense,note\n1,a,x,4,5,nice\n2,a,x,,3,\n")
    ratings = read_ratings(path, columns={"item": "id"}, scores_in=("ease", "sense"))
    assert [(row.item, row.aspect, row.score) for row in ratings] == [
        ("1", "ease", 4),
        ("1", "sense", 5),
        ("2", "sense", 3),
    ]
    assert "name the columns that hold the scores, as in --scores-in" in refused(path, columns={"item": "id"})
    assert "expected the column 'eas' (is it 'ease'?)" in refused(path, columns={"item": "id"}, scores_in=("eas",))
    wrong = file("item,system,rater,ease\n1,a,x,4\n2,a,x,so-so\n")
    assert refused(wrong, scores_in=("ease",)) == ":3: expected a number for 'score', found 'so-so'"


def test_a_given_scale_is_for_rows_that_state_none(file) -> None:
    path = file(f"{HEADER},scale\n1,a,x,s,2,\n2,a,x,s,90,0..100\n")
    assert [row.scale for row in read_ratings(path, scale=Scale(1, 5, 1))] == [Scale(1, 5, 1), Scale(0, 100)]


def test_standard_input_is_csv(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{HEADER}\n1,a,x,s,2\n".encode())))
    assert len(read_ratings("-")) == 1


def test_numbers_that_data_frames_leave_out_are_absent(tmp_path: Path) -> None:
    path = tmp_path / "r.parquet"
    columns = {"item": ["1", "2"], "system": ["a", "a"], "rater": ["x", "x"], "aspect": ["s", "s"], "score": [1, 2]}
    parquet.write_table(pyarrow.table({**columns, "order": [1.0, math.nan], "z": [None, 0.5]}), path)
    assert [(row.order, row.z) for row in read_ratings(path)] == [(1, None), (None, 0.5)]


# What is refused.


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", ": expected a table of ratings, found an empty file"),
        ("\n\n", ": expected a table of ratings, found an empty file"),
        (HEADER, ": expected a table of ratings, found only a header"),
        (f"{HEADER}\n1,a,x,s,\n", ":2: expected a number for 'score', found nothing; leave out the rows"),
        (f"{HEADER}\n1,a,x,s,good\n", ":2: expected a number for 'score', found 'good'"),
        (f'{HEADER}\n1,a,x,s,"4,5"\n', ":2: expected a number for 'score', found '4,5'"),
        (f"{HEADER}\n1,a,x,s,nan\n", ":2: expected a number for 'score', found 'nan'"),
        (f"{HEADER}\n1,a,x,s,1_000\n", ":2: expected a number for 'score', found '1_000'"),
        (f"{HEADER}\n1,a,x,s,1e999\n", ":2: expected a number for 'score', found '1e999'"),
        (f"{HEADER}\n1,a,,s,4\n", ":2: expected a value for 'rater', found nothing"),
        (f"{HEADER}\n1,a, ,s,4\n", ":2: expected a value for 'rater', found nothing"),
        (f"{HEADER}\n1,a,x,s,4\n1,a,x,4\n", ":3: expected 5 cells as in the header, found 4"),
        (f"{HEADER}\n1,a,x,s,4,5\n", ":2: expected 5 cells as in the header, found 6; put a text that holds"),
        (f'{HEADER}\n1,a,x,s,4\n2,"a,x,s,4\n', ":3: expected a row of the table, found one that cannot be read"),
        (f"{HEADER},score\n1,a,x,s,4,5\n", ":1: expected every column once, found 'score' 2 times"),
        (f"{HEADER},order\n1,a,x,s,4,0\n", ":2: expected a whole number from 1 for 'order', found '0'"),
        (f"{HEADER},order\n1,a,x,s,4,1.5\n", ":2: expected a whole number from 1 for 'order', found '1.5'"),
        (f"{HEADER},time\n1,a,x,s,4,noon\n", ":2: expected seconds since 1970 or a time such as 2024"),
        (f"{HEADER},scale\n1,a,x,s,4,1-5\n", ":2: expected a scale such as '1..5 by 1' or '0..100', found '1-5'"),
        (f"{HEADER},scale\n1,a,x,s,4,5..1\n", ":2: expected a scale from a lower to a higher score"),
        (f"{HEADER},scale\n1,a,x,s,4,1..5 by 0\n", ":2: expected a scale from a lower to a higher score"),
        ("item;system;rater;aspect;score\n1;a;x;s;4\n", "its cells are separated by semicolons"),
        ("item\tsystem\trater\taspect\tscore\n1\ta\tx\ts\t4\n", "its cells are separated by tabs"),
        (f"{HEADER}\n1,a,x,s,4\n".encode("utf-16"), ": expected UTF-8 text, found UTF-16"),
        (f"{HEADER}\n1,a,x,s,4\0\n", ":2: expected text, found a NUL byte"),
        (f"{HEADER}\n1,a,x\xe9,s,4\n".encode("latin-1"), ":2: expected UTF-8 text, found byte 0xe9"),
        (f"{HEADER}\n1,a,{'x' * 100_001},s,4\n", ":2: expected cells of at most 100,000 characters, found 100,001"),
        (f"{HEADER}\n1,a,{'x' * 200_000},s,4\n", ":2: expected a row of the table, found one that cannot be read"),
    ],
)
def test_a_mistake_is_told_with_its_line(file, text: str | bytes, problem: str) -> None:
    assert problem in refused(file(text))


@pytest.mark.parametrize(
    ("header", "problem"),
    [
        (
            "item,system,annotator,aspect,score",
            ": expected the column 'rater', found item, system, annotator, aspect, score; say what",
        ),
        ("Item,System,Rater,Aspect,Scores", "'item' (is it 'Item'?), 'system' (is it 'System'?)"),
        ("item,system,rater,aspect,scores", ": expected the column 'score' (is it 'scores'?), found"),
        ("a,b,c,d,e", ": expected the columns 'item', 'system', 'rater', 'aspect', 'score', found a, b, c, d, e; say"),
        (
            "system,sent_id,G,M,S",
            ": expected the columns 'annotator', 'StS', found system, sent_id, G, M, S; for the la",
        ),
    ],
)
def test_a_missing_column_is_named_with_what_was_found_and_what_may_be_meant(file, header: str, problem: str) -> None:
    assert problem in refused(file(f"{header}\n1,1,1,1,1\n"))


def test_a_layout_that_is_named_must_fit(file) -> None:
    path = file(f"{HEADER}\n1,a,x,s,4\n")
    assert refused(path, layout="samsa2018").startswith(": expected the columns 'sent_id', 'annotator', 'qa'")
    with pytest.raises(UnknownNameError, match="did you mean samsa2018"):
        read_ratings(path, layout="samsa")


def test_names_given_for_columns_are_checked(file) -> None:
    path = file(f"{HEADER}\n1,a,x,s,4\n")
    assert "expected the column 'raters', found item," in refused(path, columns={"rater": "raters"})
    with pytest.raises(UnknownNameError, match="unknown column 'ratr'; did you mean rater"):
        read_ratings(path, columns={"ratr": "rater"})


def test_the_same_judgement_twice_is_refused_with_both_lines(file) -> None:
    path = file(f"{HEADER}\n1,a,x,s,4\n1,b,x,s,4\n1,a,x,s,5\n1,b,x,s,4\n")
    assert refused(path) == (
        ": expected one rating of an output by a rater and aspect, found the same again in lines 2 and 4, 3 and 5 "
        "(the first: item '1', system 'a', rater 'x', aspect 's'); keep one of each"
    )


def test_scores_out_of_scale_are_refused_with_the_first_lines_and_their_number(file) -> None:
    rows = "".join(f"{number},a,x,s,{number},1..3 by 1\n" for number in range(1, 9))
    assert refused(file(f"{HEADER},scale\n{rows}")) == (
        ": expected scores on their scale, found 4 in line 5 (1..3 by 1), 5 in line 6 (1..3 by 1), "
        "6 in line 7 (1..3 by 1) and 2 more, 5 of 8 ratings; correct these rows or the scale"
    )


def test_a_score_between_the_steps_is_out_of_scale(file) -> None:
    path = file(f"{HEADER}\n1,a,x,s,2.5\n")
    assert "found 2.5 in line 2 (1..5 by 1), 1 of 1 ratings" in refused(path, scale=Scale(1, 5, 1))
    assert len(read_ratings(path, scale=Scale(1, 5))) == 1


def test_two_outputs_of_one_system_for_one_item_are_refused(file) -> None:
    path = file(f"{HEADER},output\n1,a,x,s,4,A cat.\n1,a,y,s,4,A dog.\n")
    assert "found two different ones in lines 2 and 3; give different outputs different systems" in refused(path)


def test_rows_without_any_answer_are_no_ratings(file) -> None:
    path = file("system,sent_id,annotator,G,M,S,StS\na,1,x,,,,\n")
    assert refused(path) == ": expected ratings, found no row with a score"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", ":1: expected one JSON object per line, found something else"),
        ("[1, 2]", ":1: expected an object with a value for each column, found '[1, 2]'"),
        ('{"item": 1}', ": expected the columns 'system', 'rater', 'aspect', 'score', found item; say"),
        (
            '{"item": [1], "system": "a", "rater": "x", "aspect": "s", "score": 1}',
            "expected text for 'item', found [1]",
        ),
        (
            '{"item": 1, "system": "a", "rater": "x", "aspect": "s", "score": true}',
            "expected a number for 'score', found True",
        ),
        (
            '{"item": 1, "system": "a", "rater": "x", "aspect": "s", "score": NaN}',
            "expected a number for 'score', found nan",
        ),
        ('{"item": "\\ud800", "system": "a", "rater": "x", "aspect": "s", "score": 1}', "found half a character"),
        ('{"item": "\\u0000", "system": "a", "rater": "x", "aspect": "s", "score": 1}', "found a NUL character"),
        ("[" * 100_000, ":1: expected one JSON object per line, found something else"),
        ('{"item": ' + "9" * 5000 + "}", ":1: expected one JSON object per line, found something else"),
        ('{"item": 1, "system": "a", "rater": "x", "aspect": "s", "score": 1' + "0" * 400 + "}", "expected a number"),
    ],
)
def test_json_lines_are_checked_as_closely(file, line: str, problem: str) -> None:
    assert problem in refused(file(line, "r.jsonl"))


def test_a_row_of_parquet_is_named_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "r.parquet"
    columns = {"item": ["1", "2"], "system": ["a", None], "rater": ["x", "x"], "aspect": ["s", "s"], "score": [1, 2]}
    parquet.write_table(pyarrow.table(columns), path)
    assert refused(path) == ": row 2: expected a value for 'system', found nothing"


def test_what_is_no_parquet_is_told_in_one_sentence(file) -> None:
    assert refused(file(b"item,system\n", "r.parquet")).startswith(": expected a Parquet table, found something else (")
    assert refused(file(b"", "r.parquet")).startswith(": expected a Parquet table, found something else (")


@pytest.mark.parametrize("work", [read_ratings, lambda path: write_ratings(Ratings(()), path)])
def test_parquet_without_pyarrow_names_the_extra(work, file, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"needs pyarrow; install it with `pip install 'plainwright\[study\]'`"):
        work(file(b"", "r.parquet"))


@pytest.mark.parametrize("name", ["r.txt", "r", "r.parquet.gz", "r.csv.zip"])
def test_a_name_with_another_ending_is_refused(file, name: str) -> None:
    path = file(f"{HEADER}\n1,a,x,s,4\n", name)
    assert refused(path).startswith(": expected a name that ends in .csv, .tsv, .jsonl or .parquet")


def test_what_is_packed_badly_is_no_surprise(file) -> None:
    assert "expected gzip data, found something else" in refused(file(f"{HEADER}\n1,a,x,s,4\n", "r.csv.gz"))


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("no/such.csv", "no/such.csv: no such file"),
        ("hsplit/rating", "unknown file or ratings 'hsplit/rating'; did you mean hsplit/ratings"),
        ("hsplit/outputs", "hsplit/outputs: expected a file of ratings or registered ratings, found outputs"),
        (str(Path(__file__).parent), "expected a file of ratings or registered ratings, found a folder"),
        (Path(__file__).parent, "expected a name that ends in .csv"),
        ("mine", "give a file, or see `plainwright corpora list --kind ratings`"),
    ],
)
def test_a_name_that_is_nothing_is_told_so(name: str | Path, problem: str) -> None:
    with pytest.raises(PlainwrightError) as caught:
        read_ratings(name)
    assert problem in str(caught.value)


def test_a_damaged_copy_of_registered_ratings_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "samsa2018"
    folder.mkdir()
    (folder / "human_ratings.csv").write_text("system,sent_id,annotator,qa,qb,qc,qd\na,1,A,1,1,1,1\n")
    with pytest.raises(DataError, match=r"human_ratings\.csv: expected [\d,]+ bytes, found 51"):
        read_ratings("samsa2018/ratings", data=tmp_path)


# There and back.

names = st.text("aB7é漢,;\"' ", min_size=1, max_size=6).map(lambda text: " ".join(text.split())).filter(bool)
texts = st.none() | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=20)
numbers = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def tables(draw: st.DrawFn) -> Ratings:
    keys = draw(st.lists(st.tuples(names, names, names, names), min_size=1, max_size=6, unique=True))
    outputs = {key[:2]: draw(texts) for key in keys}
    rows = []
    for item, system, rater, aspect in keys:
        score = draw(numbers)
        scale = draw(
            st.none() | st.just(score).filter(lambda x: abs(x) < 1e300).map(lambda x: Scale(x - abs(x) - 1, x))
        )
        rows.append(
            Rating(
                item=item,
                system=system,
                rater=rater,
                aspect=aspect,
                score=score,
                z=draw(st.none() | numbers),
                scale=scale,
                source=draw(texts),
                output=outputs[item, system],
                order=draw(st.none() | st.integers(1, 2**52)),
                time=draw(st.none() | numbers),
            )
        )
    return Ratings(tuple(rows))


@given(ending=st.sampled_from(FORMATS), ratings=tables())
def test_what_is_written_is_read_again(ending: str, ratings: Ratings) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"r.{ending}"
        write_ratings(ratings, path)
        assert read_ratings(path) == ratings
        assert [entry.name for entry in Path(folder).iterdir()] == [path.name]


@pytest.mark.parametrize("ending", FORMATS)
def test_the_same_ratings_give_the_same_bytes(tmp_path: Path, ending: str) -> None:
    ratings = read_ratings(EXAMPLE)
    for name in ("one", "two"):
        write_ratings(ratings, tmp_path / f"{name}.{ending}")
    assert (tmp_path / f"one.{ending}").read_bytes() == (tmp_path / f"two.{ending}").read_bytes()


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_an_empty_output_is_told_from_an_unknown_one(tmp_path: Path, ending: str) -> None:
    known = Rating(item="1", system="a", rater="x", aspect="s", score=1, output="")
    ratings = Ratings((known, replace(known, item="2", output=None)))
    write_ratings(ratings, tmp_path / f"r.{ending}")
    assert [row.output for row in read_ratings(tmp_path / f"r.{ending}")] == ["", None]


def test_the_columns_are_written_in_their_documented_order(tmp_path: Path) -> None:
    write_ratings(Ratings((Rating(item="1", system="a", rater="x", aspect="s", score=1.5),)), tmp_path / "r.csv")
    assert (tmp_path / "r.csv").read_text() == f"{','.join(COLUMNS)}\n1,,a,,x,s,,1.5,,,\n"


def test_nothing_is_left_behind_by_a_write_that_fails(tmp_path: Path) -> None:
    broken = Rating(item="1", system="a", rater="x", aspect="s", score=math.nan)
    with pytest.raises(ValueError, match="JSON"):
        write_ratings(Ratings((broken,)), tmp_path / "r.jsonl")
    assert list(tmp_path.iterdir()) == []


# Anything at all.


def _survives(data: bytes, ending: str, **options) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"r.{ending}"
        path.write_bytes(data)
        try:
            ratings = read_ratings(path, **options)
        except PlainwrightError:
            return
        assert len(ratings) > 0
        assert all(math.isfinite(row.score) for row in ratings)


@given(ending=st.sampled_from(FORMATS), data=st.binary(max_size=200))
def test_any_bytes_are_ratings_or_an_error_of_ours(ending: str, data: bytes) -> None:
    _survives(data, ending)


@given(name=st.text() | st.text("a./", min_size=1) | st.just("a" * 5000))
def test_any_name_is_ratings_or_an_error_of_ours(name: str) -> None:
    assume(name != "-")
    with pytest.raises(PlainwrightError):
        read_ratings(name)


HEADERS = [HEADER, ",".join(COLUMNS), *(",".join(layout.columns) for layout in LAYOUTS.values())]
cells = st.sampled_from(
    ["", "1", "2", "-2", "100", "5", "a", "x", "0..5", "1..5 by 1", "nan", '"', '"a"', "1e400", "é", "\r"]
)


@given(header=st.sampled_from(HEADERS), rows=st.lists(st.lists(cells, min_size=3, max_size=12), max_size=5))
def test_any_cells_under_a_known_header_are_ratings_or_an_error_of_ours(header: str, rows: list[list[str]]) -> None:
    wide = header.count(",") + 1
    text = "\n".join([header, *(",".join((row * wide)[:wide]) for row in rows)])
    _survives(text.encode("utf-8"), "csv")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=4,
)


@given(header=st.sampled_from(HEADERS), rows=st.lists(st.lists(json_values, min_size=4, max_size=12), max_size=4))
def test_any_json_under_known_names_is_ratings_or_an_error_of_ours(header: str, rows: list[list[object]]) -> None:
    columns = header.split(",")
    lines = [json.dumps(dict(zip(columns, row * len(columns), strict=False))) for row in rows]
    _survives("\n".join(lines).encode("utf-8"), "jsonl")


parquet_columns = st.sampled_from(
    [
        pyarrow.array([1, 2]),
        pyarrow.array([1.5, math.nan]),
        pyarrow.array(["1", ""]),
        pyarrow.array([b"\xff", None]),
        pyarrow.array([True, False]),
        pyarrow.array([[1], []]),
        pyarrow.array([{"a": 1}, None]),
        pyarrow.array([0, 1], pyarrow.timestamp("ns")),
        pyarrow.array([2**52, -(2**52)], pyarrow.timestamp("s")),
        pyarrow.array([0, 1], pyarrow.date32()),
        pyarrow.array([None, None]),
        pyarrow.array(["a", "a"]).dictionary_encode(),
    ]
)


@given(columns=st.lists(parquet_columns, min_size=6, max_size=6))
def test_any_types_of_parquet_are_ratings_or_an_error_of_ours(columns: list[pyarrow.Array]) -> None:
    stream = io.BytesIO()
    parquet.write_table(pyarrow.table(dict(zip([*HEADER.split(","), "time"], columns, strict=True))), stream)
    _survives(stream.getvalue(), "parquet")


def _example_parquet() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "r.parquet"
        write_ratings(Ratings(read_ratings(EXAMPLE).rows[:5]), path)
        return path.read_bytes()


PACKED = _example_parquet()


@given(place=st.integers(0, len(PACKED) - 1), byte=st.integers(0, 255), cut=st.integers(0, len(PACKED)))
def test_damaged_parquet_is_ratings_or_an_error_of_ours(place: int, byte: int, cut: int) -> None:
    _survives(PACKED[:place] + bytes([byte]) + PACKED[place + 1 :], "parquet")
    _survives(PACKED[:cut], "parquet")


@given(place=st.integers(0, 400), byte=st.integers(0, 255))
def test_damaged_gzip_is_ratings_or_an_error_of_ours(place: int, byte: int) -> None:
    packed = gzip.compress("".join(EXAMPLE.read_text().splitlines(keepends=True)[:6]).encode(), mtime=0)
    place %= len(packed)
    _survives(packed[:place] + bytes([byte]) + packed[place + 1 :], "csv.gz")
