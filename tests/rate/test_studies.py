"""A study in the database: what is saved is loaded, wording may change, pages know nothing of systems."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

pytest.importorskip("sqlalchemy")

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, select
from tests.rate.studies import RATING_FORMS, small_study

from plainwright.errors import DataError
from plainwright.rate.building import build_items
from plainwright.rate.material import Candidate
from plainwright.rate.settings import Controls, Settings
from plainwright.rate.store import studies
from plainwright.rate.store.assignment import next_assignment
from plainwright.rate.store.choosing import card_order
from plainwright.rate.store.database import Database
from plainwright.rate.store.people import add_rater, new_public_id
from plainwright.rate.store.schema import assignments, units
from plainwright.study.ratings import Scale

NOW = 1_700_000_000.0


def saved(connection, **study):
    settings, items = small_study(**study)
    studies.save_study(connection, settings, items, NOW)
    return settings, items


def assigned(connection, unit, order) -> int:
    rater = add_rater(connection, "", NOW)
    values = {"public": new_public_id(), "rater": rater.id, "unit": unit, "place": 1, "order": json.dumps(order)}
    times = {"assigned": NOW, "touched": NOW}
    row = insert(assignments).values(**values, **times, repeat=False, state="open", version=0)
    return connection.execute(row.returning(assignments.c.id)).scalar_one()


@pytest.mark.parametrize("form", RATING_FORMS)
def test_what_is_saved_is_loaded(database, form):
    with database.writing() as connection:
        settings, items = saved(connection, form=form, training=1, controls=Controls(source=True, degraded=0.5))
        assert studies.load_settings(connection) == settings
        loaded = studies.load_items(connection)
        assert [(item.name, item.source, item.training) for item in loaded] == [
            (item.name, item.source, item.training) for item in items
        ]
        assert [[card.card for card in item.cards] for item in loaded] == [list(item.cards) for item in items]
        publics = [card.public for item in loaded for card in item.cards]
        assert len(set(publics)) == len(publics)


def test_rows_of_tables_are_kept(database):
    settings, (item, *_) = small_study(items=1, outputs=1)
    marked = replace(item, cards=(replace(item.cards[0], candidates=(Candidate(system="a", row=7),)),))
    with database.writing() as connection:
        studies.save_study(connection, settings, [marked], NOW)
        assert studies.load_items(connection)[0].cards[0].card.candidates[0].row == 7


TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1).filter(str.strip)


@given(sources=st.lists(TEXT, min_size=1, max_size=3), data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
def test_any_text_is_kept_to_the_letter(database, sources, data):
    outputs = {name: [data.draw(TEXT) for _ in sources] for name in ("a", "b")}
    made = build_items(sources, outputs, small_study(edits=True)[0])
    with database.writing() as connection, connection.begin_nested() as attempt:
        studies.save_study(connection, small_study()[0], made, NOW)
        loaded = studies.load_items(connection)
        assert [item.source for item in loaded] == sources
        assert [tuple(card.card for card in item.cards) for item in loaded] == [item.cards for item in made]
        attempt.rollback()


def test_units_name_the_cards_of_their_item(database):
    with database.writing() as connection:
        saved(connection, form="pairwise", items=2, outputs=3, training=1)
        cards = {item.id: {card.id for card in item.cards} for item in studies.load_items(connection)}
        found = connection.execute(select(units)).all()
        assert [unit.training for unit in found] == [True] + 6 * [False]  # one pair, then three pairs of two items
        assert all(set(json.loads(unit.cards)) <= cards[unit.item] for unit in found)


def test_nothing_that_can_be_computed_leads_from_an_order_back_to_the_systems(tmp_path):
    """Rater, page and seed are small numbers: who guesses them can undo the shuffling, down to what was shuffled."""
    undone = set()
    for number in range(8):
        database = Database.create(f"sqlite:///{tmp_path / f'{number}.sqlite'}")
        study, (item, *_) = small_study(outputs=6)
        other = replace(item.cards[0], text=f"What only the organiser has read, no. {number // 2}.")
        with database.writing() as connection:
            studies.save_study(connection, study, [replace(item, cards=(other, *item.cards[1:]))], NOW)
            cards = [card.id for card in studies.load_items(connection)[0].cards]
            page = next_assignment(connection, add_rater(connection, "", NOW).id, NOW)
            shuffled = card_order(range(6), seed=study.seed, rater_id=page.rater, unit=page.unit, repeat=False)
            undone.add(tuple(cards.index(page.order[shuffled.index(place)]) for place in range(6)))
        database.close()
    assert len(undone) == 4  # the same for the same study
    assert tuple(range(6)) not in undone


def test_a_page_shows_its_cards_in_their_order_and_nothing_of_who_made_them(database):
    with database.writing() as connection:
        saved(connection, items=1, training=1)
        item = studies.load_items(connection)[1]
        unit = connection.execute(select(units.c.id).where(units.c.item == item.id)).scalar_one()
        order = [item.cards[place].id for place in (3, 0, 4, 2, 1)]
        assignment = assigned(connection, unit, order)
        view = studies.load_unit(connection, assignment)
        assert view.source == item.source
        assert [card.text for card in view.cards] == [item.cards[place].card.text for place in (3, 0, 4, 2, 1)]
        assert view.cards[0].id == item.cards[3].public
        assert view.cards[0].edits == item.cards[3].card.edits
        assert set(view.cards[0].__slots__) == {"id", "text", "group", "edits"}
        assert studies.expectations_of(connection, assignment) == {}


def test_training_pages_know_what_is_expected(database):
    with database.writing() as connection:
        settings, _ = saved(connection, items=1, training=1)
        item = studies.load_items(connection)[0]
        assignment = assigned(connection, 1, [card.id for card in item.cards])
        expected = studies.expectations_of(connection, assignment)
        assert [expected[card.public] for card in item.cards] == list(settings.training[0].outputs)


def test_a_study_opens_and_closes(study_database):
    with study_database.writing() as connection:
        assert studies.is_open(connection)
        studies.set_open(connection, False)
        assert not studies.is_open(connection)


def test_one_database_holds_one_study(study_database):
    with study_database.writing() as connection, pytest.raises(DataError, match="without a study, found one in it"):
        saved(connection)


def test_an_empty_database_has_no_study(database):
    with database.reading() as connection, pytest.raises(DataError, match="`plainwright rate init`"):
        studies.load_settings(connection)


def test_wording_may_change(study_database):
    with study_database.writing() as connection:
        stored = studies.load_settings(connection)
        changed = replace(stored, title="New", instructions="Other", consent="Yes", raters_per_unit=9)
        studies.update_wording(connection, changed)
        assert studies.load_settings(connection) == changed


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"form": "likert"}, "form: expected 'rank' as when the study was made, found 'likert'; set it back"),
        ({"seed": 1}, "seed: expected 2023"),
        ({"controls": Controls(repeats=0.5)}, "controls: expected what it was when the study was made, found some"),
    ],
)
def test_what_scores_mean_may_not_change(study_database, change, sentence):
    with study_database.writing() as connection:
        stored = studies.load_settings(connection)
        with pytest.raises(DataError) as error:
            studies.update_wording(connection, replace(stored, title="New", **change))
        assert sentence in str(error.value)
        assert studies.load_settings(connection) == stored


def test_scales_are_kept_to_the_digit(database):
    settings, items = small_study()
    aspect = replace(settings.aspects[0], scale=Scale(0.1, 0.7, 0.1))
    exact: Settings = replace(settings, aspects=(aspect,), lease_hours=1 / 3)
    with database.writing() as connection:
        studies.save_study(connection, exact, items, NOW)
        assert studies.load_settings(connection) == exact
