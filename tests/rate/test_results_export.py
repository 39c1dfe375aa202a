"""Exports in all formats: read back by `study` as they are, whatever the texts."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rate.simulated_pages import (
    OVERALL,
    SimulatedStudy,
    card,
    honest,
    page,
    settings_of,
)

from plainwright.errors import DataError, UnknownNameError
from plainwright.rate.material import Candidate
from plainwright.rate.results.export import COLUMNS, CONTROL_COLUMNS, ExportOptions, write_export
from plainwright.rate.results.normalisation import beside, normalised, read_normalisation
from plainwright.rate.results.record import Record
from plainwright.rate.results.simpeval import SENTENCE_TYPES, released_scales
from plainwright.rate.results.table import judgements_of, main_rows, ratings_of
from plainwright.rate.settings import Aspect
from plainwright.study.ratings import Scale, read_ratings, standardised
from plainwright.study.ratings.raw import read_table

FORMATS = ("csv", "tsv", "jsonl", "parquet", "csv.gz")
# What a text may hold: everything but NUL and lone surrogates, which the database refuses.
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=40)
HARD = (
    "=1+1",
    '"quoted", twice ""',
    "two\nlines",
    "a\r\nb\rc",
    "tab\there",
    "emoji 🧑‍🚀 é",
    "-5",
    "@x",
    "' '",
    "'=1",
    "''@",
    "نص",
)


def record_of(texts: tuple[str, ...], source: str, comment: str = "", system: str = "system") -> Record:
    cards = [card(k, text, f"{system} {k}") for k, text in enumerate(texts)]
    pages = [
        page(
            number=number,
            rater=f"rater {number}",
            source=source,
            cards=cards,
            scores={c.id: {"overall": float(10 * number + k)} for k, c in enumerate(cards)},
            comment=comment,
        )
        for number in (1, 2)
    ]
    return Record(settings=settings_of(), pages=tuple(pages))


def column(path: Path, name: str) -> list[object]:
    return [row.cells.get(name) for row in read_table(path).rows]


@pytest.mark.parametrize("extension", FORMATS)
def test_every_format_is_read_by_study_as_it_is(extension, tmp_path):
    record = SimulatedStudy(items=4, raters=honest(3)).record(1)
    path = tmp_path / f"ratings.{extension}"
    written = write_export(record, path)
    expected = standardised(ratings_of(main_rows(judgements_of(record))))
    assert read_ratings(path).rows == expected.rows
    assert (written.rows, written.what) == (len(expected), "ratings")
    assert tuple(read_table(path).columns)[: len(COLUMNS)] == tuple(COLUMNS) or extension == "jsonl"


@pytest.mark.parametrize("extension", FORMATS)
def test_texts_come_back_exactly(extension, tmp_path):
    record = record_of(HARD, source='=cmd|"/c calc"!A0')
    path = tmp_path / f"r.{extension}"
    write_export(record, path)
    rows = read_ratings(path)
    assert tuple(dict.fromkeys(row.output for row in rows)) == HARD
    assert {row.source for row in rows} == {'=cmd|"/c calc"!A0'}


@given(st.lists(TEXTS, min_size=1, max_size=4, unique=True), TEXTS, TEXTS, st.sampled_from(FORMATS[:4]))
@settings(max_examples=60)
def test_any_text_comes_back_exactly(tmp_path_factory, texts, source, comment, extension):
    record = record_of(tuple(texts), source, comment)
    path = tmp_path_factory.mktemp("any") / f"r.{extension}"
    write_export(record, path)
    rows = read_ratings(path)
    assert [row.output for row in rows] == [text for text in texts for _ in (1, 2)]
    assert {row.source for row in rows} == {source}
    [kept] = set(column(path, "comment"))
    assert kept == comment


@pytest.mark.parametrize(
    ("extension", "delimiter", "layout"), [("csv", ",", "long"), ("tsv", "\t", "long"), ("csv", ",", "simpeval")]
)
def test_no_name_text_or_comment_becomes_a_formula_in_a_spreadsheet(tmp_path, extension, delimiter, layout):
    formula = '=HYPERLINK("http://evil","click")'
    record = record_of((formula, "-LRB- x"), source="@s", comment=formula, system="=1+1")
    write_export(record, tmp_path / f"r.{extension}", ExportOptions(layout=layout))
    with (tmp_path / f"r.{extension}").open(encoding="utf-8", newline="") as stream:
        _, *rows = csv.reader(stream, delimiter=delimiter)
    cells = {cell for row in rows for cell in row}
    assert {f"'{formula}", "'-LRB- x", "'@s", "'=1+1 0", "'=1+1 1"} <= cells
    starts = {cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))}
    assert all(isinstance(float(cell), float) for cell in starts)  # z-scores below 0 stay numbers


def test_a_formula_is_whole_where_no_spreadsheet_would_compute_it(tmp_path):
    record = record_of(("x",), "s", comment='=HYPERLINK("http://evil","click")')
    write_export(record, tmp_path / "r.jsonl")
    assert column(tmp_path / "r.jsonl", "comment")[0] == '=HYPERLINK("http://evil","click")'


@pytest.mark.parametrize("extension", FORMATS)
def test_what_no_file_can_hold_is_replaced_in_comments_and_refused_in_texts(extension, tmp_path):
    path = tmp_path / f"r.{extension}"
    write_export(record_of(("x",), "s", comment="a\0b\ud800c"), path)
    assert column(path, "comment")[0] == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c"
    before = path.read_bytes()
    with pytest.raises(DataError, match="found a NUL or half a character"):
        write_export(record_of(("x\0y",), "s"), path)
    assert path.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([path.name, "r.normalisation.json"])


def test_everything_has_controls_second_times_and_training_with_columns_that_say_so(tmp_path):
    record = SimulatedStudy(items=4, raters=honest(2), repeats=1).record(1)
    record = replace(record, pages=(*record.pages, replace(record.pages[0], number=99, place=99, training=True)))
    write_export(record, tmp_path / "all.csv", ExportOptions(everything=True))
    rows = read_table(tmp_path / "all.csv").rows
    assert len(rows) == len(judgements_of(record))
    assert set(CONTROL_COLUMNS) <= set(rows[0].cells)
    assert {row.cells["repeat"] for row in rows} == {"true", "false"}
    assert {row.cells["training"] for row in rows} == {"true", "false"}
    assert {row.cells["control"] for row in rows} == {None, "degraded"}


@given(st.integers(0, 500), st.sampled_from([0, 1]))
@settings(max_examples=20)
def test_z_scores_are_those_of_study_and_follow_from_what_stands_beside_them(tmp_path_factory, seed, ddof):
    record = SimulatedStudy(items=3, raters=honest(2), repeats=1).record(seed)
    path = tmp_path_factory.mktemp("z") / "r.csv"
    write_export(record, path, ExportOptions(everything=True, ddof=ddof))
    scales = {scale.rater: scale for scale in read_normalisation(beside(path))}
    expected = standardised(ratings_of(main_rows(judgements_of(record))), ddof=ddof)
    main = {(row.item, row.system, row.rater): row.z for row in expected}
    for row in read_table(path).rows:
        cells = row.cells
        z = (float(cells["score"]) - scales[cells["rater"]].mean) / scales[cells["rater"]].deviation
        assert float(cells["z"]) == pytest.approx(z, abs=1e-12)
        if cells["control"] is None and cells["repeat"] == "false":
            assert float(cells["z"]) == main[cells["item"], cells["system"], cells["rater"]]
    for scale in scales.values():
        own = [row.score for row in expected if row.rater == scale.rater]
        assert (scale.mean, scale.deviation) == pytest.approx((np.mean(own), np.std(own, ddof=ddof)))
        assert scale.ratings == len(own)


def test_who_always_gave_the_same_score_has_z_0(tmp_path):
    pages = [
        page(number=n, place=n, item=str(n), cards=[card(n, "x", "a")], scores={f"card-{n}": {"overall": 42.1}})
        for n in (1, 2, 3)
    ]
    write_export(Record(settings=settings_of(), pages=tuple(pages)), tmp_path / "r.csv")
    assert set(column(tmp_path / "r.csv", "z")) == {"0"}
    [scale] = read_normalisation(tmp_path / "r.normalisation.json")
    assert (scale.mean, scale.deviation, scale.z(99.0)) == (42.1, 0.0, 0.0)


def test_scales_of_an_earlier_round_can_be_used_again(tmp_path):
    study = SimulatedStudy(items=4, raters=honest(2), degraded=0, repeats=0)
    write_export(study.record(1), tmp_path / "first.csv")
    options = ExportOptions(normalisation=tmp_path / "first.normalisation.json")
    write_export(study.record(2), tmp_path / "second.csv", options)
    scales = {scale.rater: scale for scale in read_normalisation(tmp_path / "first.normalisation.json")}
    for row in read_table(tmp_path / "second.csv").rows:
        assert float(row.cells["z"]) == scales[row.cells["rater"]].z(float(row.cells["score"]))
    document = json.loads((tmp_path / "second.normalisation.json").read_text())
    assert document["ddof"] is None
    with pytest.raises(DataError, match="found none of rater 'rater 2'"):
        write_export(replace(study, raters=honest(3)).record(1), tmp_path / "third.csv", options)
    assert not (tmp_path / "third.csv").exists()


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"study": 1}', "null", "\0", "{", '{"raters": [{"rater": 1}]}'])
def test_a_foreign_file_of_scales_is_one_sentence(content, tmp_path):
    path = tmp_path / "n.json"
    path.write_text(content)
    with pytest.raises(DataError, match=r"n\.json"):
        read_normalisation(path)


def test_the_layout_of_simpeval_has_a_row_an_output_and_a_column_a_rating(tmp_path):
    a, b = card(1, "one", "a"), card(2, "two. three.", "b")
    groups = [{"split": ("card-2",), "paraphrase": ("card-1",)}, {"split": (), "paraphrase": ("card-2", "card-1")}]
    pages = tuple(
        page(
            number=number,
            rater=rater,
            cards=[a, b],
            scores={"card-1": {"overall": 10.0 * number}, "card-2": {"overall": 50.5}},
            groups=groups[min(number - 1, 1)],
        )
        for number, rater in enumerate(("x", "y", "z"), start=1)
    )
    record = Record(settings=settings_of(), pages=pages)
    written = write_export(record, tmp_path / "s.csv", ExportOptions(layout="simpeval"))
    with (tmp_path / "s.csv").open(newline="") as stream:
        first, second = csv.DictReader(stream)
    assert (written.rows, written.what) == (2, "outputs")
    assert list(first)[:5] == ["original_id", "original", "generation", "system", "sentence_type"]
    assert [first[f"rating_{k}"] for k in (1, 2, 3)] == ["10.0", "20.0", "30.0"]
    assert first["sentence_type"] == "Paraphrases"
    assert second["sentence_type"] == "Paraphrases"  # two of three moved it there
    z = {(row.system, row.rater): row.z for row in normalised(judgements_of(record))[0]}
    assert float(second["rating_3_zscore"]) == z["b", "z"]
    assert set(SENTENCE_TYPES) == {"split", "deletion", "paraphrase"}


@given(st.integers(0, 300))
@settings(max_examples=15)
def test_simpeval_is_read_back_with_the_same_scores_and_its_scales_are_found(tmp_path_factory, seed):
    record = SimulatedStudy(items=5, raters=honest(3), degraded=0, repeats=0).record(seed)
    path = tmp_path_factory.mktemp("s") / "s.csv"
    write_export(record, path, ExportOptions(layout="simpeval"))
    rows = judgements_of(record)
    back = read_ratings(path)
    assert [(row.item, row.system, row.score, row.output) for row in back] == [
        (row.item, row.system, row.score, row.output) for row in rows
    ]
    found = {scale.rater: scale for scale in released_scales(rows, path)}
    for scale in normalised(rows)[1]:
        assert found[scale.rater].mean == pytest.approx(scale.mean)
        assert found[scale.rater].deviation == pytest.approx(scale.deviation)


def test_z_scores_that_no_rater_explains_are_refused(tmp_path):
    record = SimulatedStudy(items=5, raters=honest(2), degraded=0, repeats=0).record(1)
    path = tmp_path / "s.csv"
    write_export(record, path, ExportOptions(layout="simpeval"))
    with path.open(newline="") as stream:
        header, *lines = csv.reader(stream)
    lines[3][-1] = "9.5"
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows([header, *lines])
    with pytest.raises(DataError, match="expected z-scores that one mean and deviation of rater"):
        released_scales(judgements_of(record), path)
    lines[0][5] = "3.0"
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows([header, *lines])
    with pytest.raises(DataError, match="name the file that the study was made from"):
        released_scales(judgements_of(record), path)


def pairs_record() -> Record:
    a, b = card(1, "one", "a", "twin"), card(2, "two", Candidate(system="b"))
    pages = (
        page(number=1, cards=[a, b], preferences={"overall": "card-1"}, comment="-1"),
        page(number=2, cards=[b, a], preferences={"overall": None}, place=2, repeat=True),
    )
    return Record(settings=settings_of("pairwise"), pages=pages)


def test_pairs_are_shares_or_single_comparisons(tmp_path):
    write_export(pairs_record(), tmp_path / "shares.csv")
    assert {row.system: row.score for row in read_ratings(tmp_path / "shares.csv")} == {"a": 1, "b": 0, "twin": 1}
    written = write_export(pairs_record(), tmp_path / "pairs.csv", ExportOptions(pairs=True))
    assert (written.rows, written.what, written.normalisation) == (2, "comparisons", None)
    assert column(tmp_path / "pairs.csv", "first") == ["a", "twin"]
    assert column(tmp_path / "pairs.csv", "comment") == ["-1", "-1"]  # a number is no formula
    assert write_export(pairs_record(), tmp_path / "all.jsonl", ExportOptions(pairs=True, everything=True)).rows == 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (ExportOptions(pairs=True), "expected a study of pairs"),
        (ExportOptions(layout="simpeval", everything=True), "has no place for them"),
        (ExportOptions(aspects=("fluncy",)), "did you mean fluency"),
        (ExportOptions(layout="simpeval"), "name one with --aspect"),
        (ExportOptions(layout="simpeval", aspects=("fluency",)), "the scale 1..5 by 1; leave out --layout"),
    ],
)
def test_what_cannot_be_exported_is_said_before_anything_is_written(options, message, tmp_path):
    fluency = Aspect(name="fluency", question="?", scale=Scale(1, 5, 1))
    done = page(cards=[card(1, "x", "a")], scores={"card-1": {"overall": 1.0, "fluency": 2.0}})
    record = Record(settings=settings_of("likert", OVERALL, fluency), pages=(done,))
    with pytest.raises((DataError, UnknownNameError), match=message):
        write_export(record, tmp_path / "r.csv", options)
    assert list(tmp_path.iterdir()) == []


def test_nothing_finished_and_no_such_folder_are_one_sentence(tmp_path):
    empty = Record(settings=settings_of(), pages=())
    with pytest.raises(DataError, match="no page is finished yet"):
        write_export(empty, tmp_path / "r.csv")
    with pytest.raises(DataError, match=r"expected a name that ends in \.csv"):
        write_export(empty, tmp_path / "r.xlsx")
    with pytest.raises(DataError, match="does not exist"):
        write_export(pairs_record(), tmp_path / "none" / "r.csv")
    with pytest.raises(DataError, match=r"expected a name that ends in \.csv, as the layout of SimpEval"):
        write_export(record_of(("x",), "s"), tmp_path / "r.tsv", ExportOptions(layout="simpeval"))
    assert list(tmp_path.iterdir()) == []


def test_one_aspect_alone_can_be_exported(tmp_path):
    fluency = Aspect(name="fluency", question="?", scale=Scale(1, 5, 1))
    done = page(cards=[card(1, "x", "a")], scores={"card-1": {"overall": 1.0, "fluency": 2.0}})
    record = Record(settings=settings_of("likert", OVERALL, fluency), pages=(done,))
    write_export(record, tmp_path / "r.csv", ExportOptions(aspects=("fluency",)))
    assert column(tmp_path / "r.csv", "aspect") == ["fluency"]
    write_export(record, tmp_path / "s.csv", ExportOptions(aspects=("overall",), layout="simpeval"))
    assert column(tmp_path / "s.csv", "rating_1") == ["1.0"]


def test_shares_that_were_won_do_not_fit_the_layout_of_simpeval(tmp_path):
    with pytest.raises(DataError, match=r"expected scores on 0\.\.100, .*, found the scale 0\.\.1; leave out --layout"):
        write_export(pairs_record(), tmp_path / "s.csv", ExportOptions(layout="simpeval"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("r.csv", "r.normalisation.json"),
        ("a.b.jsonl.gz", "a.b.normalisation.json"),
        ("r.parquet", "r.normalisation.json"),
    ],
)
def test_the_name_of_the_file_beside(name, expected):
    assert beside(Path("x") / name) == Path("x") / expected
