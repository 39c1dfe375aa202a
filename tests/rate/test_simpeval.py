"""Tables of SimpEval as studies: the outputs, the groups and the ratings that they hold."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")

from sqlalchemy import select
from tests.in_process import run

from plainwright import corpora
from plainwright.errors import CorpusMissingError, DataError
from plainwright.rate.creation import build_study
from plainwright.rate.forms.registry import FORMS
from plainwright.rate.settings import Settings
from plainwright.rate.simpeval import import_ratings, read_simpeval
from plainwright.rate.store import log
from plainwright.rate.store.database import Database
from plainwright.rate.store.people import raters_of
from plainwright.rate.store.schema import assignments, units
from plainwright.rate.store.studies import load_items, load_unit, save_study
from plainwright.rate.study_file import Material, read_study_file
from plainwright.study.ratings import read_ratings

NOW = 1_700_000_000.0
HEADER = ["original_id", "original", "generation", "system", "sentence_type", "rating_1", "rating_2"]
# Rows of an item need not stand together. The second output of 7 is a deletion by our rule.
ROWS = [
    ["7", "He slept, as he was tired.", "He was tired. He slept.", "a", "Splittings", "90", "70"],
    ["9", "It rained a lot.", "It rained.", "a", "Deletions", "50", "60"],
    ["7", "He slept, as he was tired.", "He slept.", "b", "Paraphrases", "40", "80"],
    ["9", "It rained a lot.", "It rained much.", "b", "Paraphrases", "55.5", "60"],
]


def table(folder: Path, rows=ROWS, header=HEADER) -> Path:
    path = folder / "table.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([header, *rows])
    return path


def settings_of(form="rank", **others) -> Settings:
    return Settings(title="x", form=form, aspects=FORMS[form].aspects, **others)


def made(connection, path, **others):
    settings = settings_of(**others)
    built = build_study(settings, Material(simpeval=str(path), with_ratings=True))
    save_study(connection, settings, built.items, NOW)
    import_ratings(connection, built.table, settings, NOW)


def test_outputs_keep_their_names_texts_and_rows(tmp_path):
    built = build_study(settings_of(), Material(simpeval=str(table(tmp_path))))
    assert [(item.name, item.source) for item in built.items] == [("7", ROWS[0][1]), ("9", ROWS[1][1])]
    cards = [
        (card.text, maker.system, maker.row) for item in built.items for card in item.cards for maker in card.candidates
    ]
    assert cards == [(ROWS[row][2], ROWS[row][3], row) for row in (0, 2, 1, 3)]
    assert (built.sentences, built.systems, built.outputs) == (2, ("a", "b"), 4)
    assert built.table is not None
    assert built.table.ratings is None


@pytest.mark.parametrize("groups", [True, False])
def test_ratings_become_pages_that_are_done(database, tmp_path, groups):
    with database.writing() as connection:
        made(connection, table(tmp_path), groups=groups)
        assert [rater.left for rater in raters_of(connection)] == [NOW, NOW]
        found = connection.execute(select(assignments, units.c.item).join(units).order_by(assignments.c.id)).all()
        names = {item.id: item for item in load_items(connection)}
        assert [(names[row.item].name, row.state) for row in found] == 2 * [("7", "finished"), ("9", "finished")]
        scores = []
        for row in found:
            work = log.work_of(connection, row.id)
            view = load_unit(connection, row.id)
            scores.append([work.answers.scores[card.id]["overall"] for card in view.cards])
            assert (work.missing, work.contradictions, work.finished) == ((), (), True)
        assert scores == [[90, 40], [50, 55.5], [70, 80], [60, 60]]  # the first column, then the second
        first = log.work_of(connection, found[0].id).answers.groups
        second = [card.id for card in load_unit(connection, found[0].id).cards][1]
        assert second in first["paraphrase" if groups else "all"]
        assert log.audit(connection) == []


def test_the_best_score_stands_first(database, tmp_path):
    with database.writing() as connection:
        made(connection, table(tmp_path), groups=False)
        last = connection.execute(select(assignments.c.id).order_by(assignments.c.id)).scalars().all()[2]
        order = log.work_of(connection, last).answers.groups["all"]
        assert list(order) == [card.id for card in load_unit(connection, last).cards][::-1]  # 70 and 80


def test_an_empty_output_is_no_output(tmp_path):
    rows = [*ROWS[:3], [*ROWS[3][:2], " ", *ROWS[3][3:5], "0", "0"]]
    found = read_simpeval(str(table(tmp_path, rows)), with_ratings=True)
    assert found.outputs["b"] == ("He slept.", None)
    assert found.missing == 1
    assert found.ratings is not None
    assert len(found.ratings) == 6
    done = run("rate", "init", tmp_path / "study.toml", "--simpeval", tmp_path / "table.csv", "--with-ratings")
    assert done.stderr == "plainwright: warning: 1 empty outputs of the table left out\n"


@pytest.mark.parametrize(("with_ratings", "cards"), [(False, 1), (True, 2)])
def test_identical_outputs_that_were_rated_apart_stay_apart(with_ratings, cards, tmp_path):
    rows = [ROWS[0], [*ROWS[0][:3], "b", "Splittings", "88", "71"]]
    built = build_study(settings_of(), Material(simpeval=str(table(tmp_path, rows)), with_ratings=with_ratings))
    assert len(built.items[0].cards) == cards


def test_pages_of_many_outputs_need_several_batches(database, tmp_path):
    rows = [
        ["1", "One two three.", f"One {number}.", f"s{number}", "Splittings", str(number), ""] for number in range(40)
    ]
    with database.writing() as connection:
        made(connection, table(tmp_path, rows))
        (only,) = connection.execute(select(assignments)).all()
        assert only.state == "finished"
        assert only.version == 40 + 40 + 3 + 1  # moves, scores, sorts, the end


@pytest.mark.parametrize(
    ("rows", "header", "sentence"),
    [
        (ROWS, ["id", *HEADER[1:]], "expected the columns original_id, original, generation, system, found no"),
        ([*ROWS, ROWS[0]], HEADER, "table.csv:6: expected one output of a system for an item, found another of 'a'"),
        (
            [ROWS[0], ["7", "Other.", *ROWS[2][2:]]],
            HEADER,
            "table.csv:3: expected the source of item '7' to be as before",
        ),
        ([["7", " ", *ROWS[0][2:]]], HEADER, "source, line 1: expected text to rate, found an empty line"),
    ],
)
def test_what_is_wrong_with_a_table_is_one_sentence(rows, header, sentence, tmp_path):
    with pytest.raises(DataError) as error:
        build_study(settings_of(), Material(simpeval=str(table(tmp_path, rows, header))))
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("simpeval/2023", "did you mean simpeval/2022"),
        ("nothing-like-it", "give a file, or one of `plainwright corpora list`"),
        ("gone.csv", "gone.csv: no such file"),
    ],
)
def test_a_name_that_nobody_knows_leads_to_those_that_are_known(name, hint, tmp_path):
    done = run("rate", "init", "study.toml", "--simpeval", name, cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert hint in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_rating_that_is_missing_is_named(tmp_path):
    rows = [*ROWS[:2], [*ROWS[2][:6], " "], ROWS[3]]
    done = run("rate", "init", tmp_path / "study.toml", "--simpeval", table(tmp_path, rows), "--with-ratings")
    assert done.returncode == 2
    assert (
        "table.csv:4: expected a rating of item '7', system 'b' in 'rating_2', which has one of other outputs of the "
        "item, found nothing; fill it in, empty the column for the whole item, or leave out --with-ratings"
    ) in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]


def test_items_may_have_more_or_fewer_ratings(database, tmp_path):
    rows = [[*row[:6], "" if row[0] == "9" else row[6]] for row in ROWS]
    with database.writing() as connection:
        made(connection, table(tmp_path, rows))
        assert len(connection.execute(select(assignments)).all()) == 3


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["--control-source"], "controls.source; leave out --control-source, or --with-ratings"),
        (["--control-reference"], "controls.reference; leave out --control-reference, or --with-ratings"),
        (["--degraded", "0.5"], "controls.degraded; leave out --degraded, or --with-ratings"),
    ],
)
@pytest.mark.parametrize("draft", [(), ("--draft",)])
def test_controls_that_nobody_has_rated_are_refused(options, found, draft, tmp_path):
    given = ("--simpeval", table(tmp_path), "--with-ratings", *options, *draft)
    done = run("rate", "init", tmp_path / "study.toml", *given)
    assert done.returncode == 2
    assert f"expected no controls, which nobody in the table has rated, found {found}" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]


def test_other_forms_have_no_place_for_the_ratings(tmp_path):
    options = ("--simpeval", table(tmp_path), "--with-ratings", "--form", "likert")
    done = run("rate", "init", tmp_path / "study.toml", *options)
    assert done.returncode == 2
    assert "with_ratings: expected a form with an order, as 'rank' has, found 'likert'" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]


def test_simpeval_2022_is_a_study(tmp_path, data_dir, monkeypatch):
    monkeypatch.setenv("PLAINWRIGHT_DATA", str(data_dir))
    try:
        corpora.locate("simpeval/2022")
    except CorpusMissingError as error:
        pytest.skip(str(error))
    done = run("rate", "init", tmp_path / "study.toml", "--simpeval", "simpeval/2022", "--with-ratings")
    assert (done.returncode, done.stderr) == (0, "")
    assert "60 sentences, 6 systems, 360 outputs, all different; 60 pages" in done.stdout
    assert "1080 ratings by 5 raters taken over" in done.stdout
    published = read_ratings("simpeval/2022")
    database = Database.open(read_study_file(tmp_path / "study.toml").database)
    with database.reading() as connection:
        items = {item.id: item for item in load_items(connection)}
        systems = {card.id: card.card.candidates[0].system for item in items.values() for card in item.cards}
        texts = {(item.name, systems[card.id]): card.card.text for item in items.values() for card in item.cards}
        assert texts == {(rating.item, rating.system): rating.output for rating in published}
        found = Counter()
        for row in connection.execute(select(assignments, units.c.item).join(units)):
            work = log.work_of(connection, row.id)
            for card, shown in zip(json.loads(row.order), load_unit(connection, row.id).cards, strict=True):
                found[items[row.item].name, systems[card], work.answers.scores[shown.id]["overall"]] += 1
        assert log.audit(connection) == []
    database.close()
    assert found == Counter((rating.item, rating.system, rating.score) for rating in published)
