"""Finished pages from the log of a real database, on both kinds of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from statistics import median

import pytest

pytest.importorskip("sqlalchemy")

from sqlalchemy import select
from tests.rate.acting import finish_page, join, start_page
from tests.rate.busy_study import save_busy_study
from tests.rate.playing import NOW, batch, sent, whole_page
from tests.rate.studies import small_study

from plainwright.rate.building import build_items
from plainwright.rate.creation import build_study
from plainwright.rate.events import Batch, Comment, Finish, Mark, Move, Prefer, Reopen, Score, Sent, Show
from plainwright.rate.forms.registry import FORMS
from plainwright.rate.identical import Identical, identical_outputs
from plainwright.rate.material import Edit
from plainwright.rate.results import loading
from plainwright.rate.results.analysis import analyse
from plainwright.rate.results.loading import load_record
from plainwright.rate.results.quality import quality_of
from plainwright.rate.results.table import comparisons_of, judgements_of, main_rows
from plainwright.rate.settings import Controls, Settings
from plainwright.rate.simpeval import import_ratings, key_of_import
from plainwright.rate.store import log, people, schema
from plainwright.rate.store.assignment import assignments_of, next_assignment
from plainwright.rate.store.studies import load_unit, save_study
from plainwright.rate.study_file import Material


def rows_in(connection):
    return judgements_of(load_record(connection))


def fill(database, **options):
    with database.writing() as connection:
        settings, items = small_study(**options)
        save_study(connection, settings, items, NOW)
    return settings, items


def test_what_a_rater_did_arrives_in_the_rows(study_database):
    with study_database.writing() as connection:
        rater = join(connection, "Ann", NOW)
        assignment = start_page(connection, rater.id, NOW)
        cards = load_unit(connection, assignment.id).cards
        edit = Edit(kind="paraphrase", start=0, end=3)
        events = [
            Move(cards[2].id, "deletion", 0),
            Mark(cards[1].id, [edit]),
            Comment("the third is =good"),
        ]
        log.append(connection, assignment.id, batch(1, *events, at=NOW + 1), NOW + 1)
        finish_page(connection, rater.id, NOW + 10, seconds=50, score=lambda card: 90.0 - 10 * cards.index(card))
        rows = {row.card: row for row in rows_in(connection)}
    assert len(rows) == len(cards)
    third, second = rows[cards[2].id], rows[cards[1].id]
    assert (third.score, third.position, third.group, third.rank) == (70.0, 3, "deletion", 1)
    assert third.overall_rank == 3
    assert '"kind":"paraphrase"' in second.edits
    assert third.edits is None
    assert {row.comment for row in rows.values()} == {"the third is =good"}
    assert {row.rater for row in rows.values()} == {rater.public}
    assert {row.time for row in rows.values()} == {NOW + 60}
    assert third.seconds == pytest.approx(60)
    assert {row.study for row in rows.values()} == {"A small study"}
    assert sorted(row.system for row in rows.values()) == ["a", "b", "c", "d", "e"]


def test_reading_speed_counts_no_more_time_than_passed_by_our_clock(study_database):
    """Each page is answered in one request, one second after it was handed out, with events stamped 100 s apart."""
    with study_database.writing() as connection:
        rater = join(connection, "Ann", NOW)
        now = NOW
        while assignment := next_assignment(connection, rater.id, now):
            deeds = whole_page(connection, assignment.id)
            stamped = [sent(deed, now + 100 * k) for k, deed in enumerate(deeds)]
            now += 1
            log.append(connection, assignment.id, Batch(0, stamped), now)
        record = load_record(connection)
    assert {page.work.seconds for page in record.pages} == {1.0}
    words = [len(page.source.split()) + sum(len(card.text.split()) for card in page.cards) for page in record.pages]
    [quality] = quality_of(record)
    assert quality.seconds_per_word == pytest.approx(median(1 / count for count in words))


def test_the_order_is_that_in_which_this_rater_was_shown_the_cards(study_database):
    with study_database.writing() as connection:
        for label in ("Ann", "Ben"):
            rater = join(connection, label, NOW)
            assignment = finish_page(connection, rater.id, NOW)
            shown = [card.id for card in load_unit(connection, assignment.id).cards]
            rows = [row for row in rows_in(connection) if row.rater == rater.public]
            placed = {row.position: row.card for row in rows}  # two systems may share a card
            assert [placed[place] for place in range(1, len(shown) + 1)] == shown


def test_only_finished_pages_count(study_database):
    with study_database.writing() as connection:
        rater = join(connection, "Ann", NOW)
        assignment = finish_page(connection, rater.id, NOW)
        start_page(connection, rater.id, NOW + 100)
        assert len(load_record(connection).pages) == 1
        version = log.work_of(connection, assignment.id).version
        log.append(connection, assignment.id, batch(version, Reopen(), at=NOW + 200), NOW + 200)
        assert load_record(connection).pages == ()


def test_a_page_that_was_changed_and_finished_again_has_its_new_scores(study_database):
    with study_database.writing() as connection:
        rater = join(connection, "Ann", NOW)
        assignment = finish_page(connection, rater.id, NOW, score=lambda card: 50.0)
        assert {row.score for row in rows_in(connection)} == {50.0}
        card = load_unit(connection, assignment.id).cards[0].id
        version = log.work_of(connection, assignment.id).version
        log.append(connection, assignment.id, batch(version, Reopen(), Score(card, "overall", 99.0)), NOW + 200)
        finish_page(connection, rater.id, NOW + 300, score=lambda other: 99.0 if other.id == card else 50.0)
        assert Counter(row.score for row in rows_in(connection)) == {50.0: 4, 99.0: 1}


def test_who_left_stays_in_the_results_and_who_was_erased_does_not(study_database):
    with study_database.writing() as connection:
        ann, ben = join(connection, "Ann", NOW), join(connection, "Ben", NOW)
        for rater in (ann, ben):
            finish_page(connection, rater.id, NOW)
            people.leave(connection, rater.id, NOW + 100)
        assert {row.rater for row in rows_in(connection)} == {ann.public, ben.public}
        people.erase(connection, ben.id, NOW + 200)
        assert {row.rater for row in rows_in(connection)} == {ann.public}


def test_a_page_is_played_once_and_again_only_after_it_changed(study_database, monkeypatch):
    played = []
    real = loading.Page.start
    monkeypatch.setattr(loading.Page, "start", lambda *given: played.append(given) or real(*given))
    with study_database.writing() as connection:
        rater = join(connection, "Ann", NOW)
        finish_page(connection, rater.id, NOW)
        played.clear()
        first = load_record(connection)
        assert len(played) == 1
        assert load_record(connection) == first
        assert len(played) == 1
        finish_page(connection, rater.id, NOW + 100)
        played.clear()
        assert len(load_record(connection).pages) == 2
        assert len(played) == 1


def test_training_controls_and_repeats_are_told_apart(database):
    fill(database, items=12, outputs=4, training=1, controls=Controls(source=True, degraded=0.5, repeats=0.4))
    with database.writing() as connection:
        rater = join(connection, "Ann", NOW)
        now = NOW
        while next_assignment(connection, rater.id, now) is not None:
            finish_page(connection, rater.id, now)
            now += 100
        rows = rows_in(connection)
        given = assignments_of(connection, rater.id)
    assert sum(assignment.repeat for assignment in given) > 0
    assert {row.training for row in rows} == {True, False}
    assert {row.repeat for row in rows} == {True, False}
    assert {row.control for row in rows} == {None, "source", "degraded"}
    assert all(row.of in ("a", "b", "c", "d") for row in rows if row.control == "degraded")
    assert len(main_rows(rows)) == 12 * 4


def test_pairs_become_comparisons(database):
    fill(database, form="pairwise", items=2, outputs=3)
    with database.writing() as connection:
        rater = join(connection, "Ann", NOW)
        now = NOW
        while (assignment := next_assignment(connection, rater.id, now)) is not None:
            cards = load_unit(connection, assignment.id).cards
            best = min(cards, key=lambda card: card.text)
            events = [Prefer("overall", best.id), Finish(confirmed=True)]
            log.append(connection, assignment.id, batch(0, *events, at=now), now)
            now += 10
        record = load_record(connection)
    comparisons = comparisons_of(record)
    assert len(comparisons) == 2 * 3
    for row in comparisons:
        assert row.score == float(row.first_output < row.second_output)
    shares = judgements_of(record)
    assert len(shares) == 2 * 3
    assert sorted(row.score for row in shares) == [0, 0, 0.5, 0.5, 1, 1]


@pytest.mark.parametrize("form", ["likert", "direct", "sulem", "gain"])
def test_forms_with_aspects_have_all_of_them(database, form):
    settings, _ = fill(database, form=form, items=2, outputs=3)
    middle = {aspect.name: aspect.scale.low for aspect in settings.aspects}
    with database.writing() as connection:
        rater = join(connection, "Ann", NOW)
        now = NOW
        while (assignment := next_assignment(connection, rater.id, now)) is not None:
            cards = load_unit(connection, assignment.id).cards
            events = [Score(card.id, name, low) for card in cards for name, low in middle.items()]
            log.append(connection, assignment.id, batch(0, *events, Finish(confirmed=True), at=now), now)
            now += 10
        rows = rows_in(connection)
    assert Counter(row.aspect for row in rows) == {aspect.name: 6 for aspect in settings.aspects}
    assert {(row.group, row.rank) for row in rows} == {(None, None)}


def test_a_busy_study_is_analysed_and_its_careless_rater_found(database):
    with database.writing() as connection:
        raters = save_busy_study(connection, NOW)
        record = load_record(connection)
        finished = connection.execute(select(schema.assignments).where(schema.assignments.c.state == "finished")).all()
    assert len(record.pages) == len(finished)
    findings = {quality.rater: {f.kind for f in quality.findings} for quality in quality_of(record)}
    assert {"hurried", "unrelated"} <= findings[raters["Emil"].public]
    careful = [findings[raters[label].public] for label in ("Ann", "Ben", "Cleo", "Dora")]
    assert not any(kinds & {"degraded", "repeats", "hurried", "unrelated", "contrary"} for kinds in careful)
    analysis = analyse(record, resamples=100, trials=500)
    [aspect] = analysis.aspects
    assert {system.system for system in aspect.systems.systems} == {"a", "b", "c", "d", "e"}
    # By the truth of that study; what a made is the source, and shares its card and truth.
    assert {system.system for system in aspect.systems.systems[:2]} == {"b", "c"}
    assert aspect.position.overall.change.value is not None


def test_of_pairs_it_is_told_what_nobody_could_compare(database):
    settings = Settings(title="x", form="pairwise", aspects=FORMS["pairwise"].aspects, controls=Controls(source=True))
    systems = {"a": ["One.", "Two.", "Three."], "b": ["One.", "Two.", "3."], "c": ["One .", "2.", "Three."]}
    items = build_items(["One!", "Two!", "Three!"], systems, settings)
    with database.writing() as connection:
        save_study(connection, settings, items, NOW)
        record = load_record(connection)
    # Of each sentence one pair is the same: a space before the stop makes another output.
    assert record.identical == Identical(pairs=3, all_pairs=9, sentences=0, all_sentences=3)
    everywhere = identical_outputs([items[0].cards[:1], items[1].cards])
    assert everywhere == Identical(pairs=2, all_pairs=4, sentences=1, all_sentences=2)
    assert everywhere.statement == (
        "2 of 4 pairs of outputs are identical, and nobody compares them; so are all outputs of 1 of 2 sentences, "
        "which say nothing."
    )
    assert identical_outputs([items[2].cards[1:]]).statement == ""


def imported(database, folder, ratings):
    """A study of eight sentences by three systems, the later the better, with so many columns of ratings."""
    columns = [f"rating_{number}" for number in range(1, ratings + 1)]
    lines = [",".join(["original_id", "original", "generation", "system", *columns])]
    for item, system in product(range(8), range(3)):
        scores = [str(40 + 20 * system + item)] * ratings
        lines.append(",".join([f"i{item}", f"Source {item}.", f"Output {system} of {item}.", f"s{system}", *scores]))
    path = folder / "table.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    settings = Settings(title="Imported", form="rank", aspects=FORMS["rank"].aspects, raters_per_unit=5)
    built = build_study(settings, Material(simpeval=str(path), with_ratings=True))
    with database.writing() as connection:
        save_study(connection, settings, built.items, NOW)
        import_ratings(connection, built.table, settings, NOW)


@pytest.mark.parametrize("ratings", [1, 2])
def test_of_imported_ratings_nothing_is_said_about_places(database, tmp_path, ratings):
    imported(database, tmp_path, ratings)
    with database.reading() as connection:
        record = load_record(connection)
    assert {page.imported for page in record.pages} == {True}
    assert {row.position for row in judgements_of(record)} == {None}
    position = analyse(record, resamples=5, trials=5).aspects[0].position
    assert position.overall.change.value is None
    assert "nobody knows in what order outputs were shown" in position.statement
    assert (position.raters, position.places) == ((), ())


def test_live_pages_beside_imported_ones_are_judged_alone(database, tmp_path):
    imported(database, tmp_path, 2)
    with database.writing() as connection:
        for number, label in enumerate(("Ann", "Ben")):
            rater = join(connection, label, NOW)
            for page in range(8):
                # The same moment throughout: what tells an imported page is not the time alone.
                finish_page(connection, rater.id, NOW, seconds=0, score=lambda card, n=number + page: _taste(card, n))
        record = load_record(connection)
    live = tuple(page for page in record.pages if not page.imported)
    assert (len(live), len(record.pages)) == (16, 32)
    both, alone = (
        analyse(replace(record, pages=pages), resamples=5, trials=5).aspects[0].position
        for pages in (record.pages, live)
    )
    assert both == alone
    assert both.overall.pages == 16


def _taste(card, number):
    return float((len(card.text) * 7 + ord(card.text[7]) * 13 * number + 29 * number) % 101)


def test_a_rater_who_calls_events_imported_stays_in(study_database):
    with study_database.writing() as connection:
        rater = join(connection, "Ann", NOW)
        assignment = next_assignment(connection, rater.id, NOW)
        first = Sent(key_of_import(assignment.id, 0), int(NOW * 1000), Show())
        log.append(connection, assignment.id, Batch(0, [first]), NOW + 1)
        finish_page(connection, rater.id, NOW + 10)
        assert [page.imported for page in load_record(connection).pages] == [False]
