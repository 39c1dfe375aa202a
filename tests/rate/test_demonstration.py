"""The study of `rate demo` has something of everything."""

from __future__ import annotations

import pytest

pytest.importorskip("sqlalchemy")

from plainwright.rate.demonstration import make_demo
from plainwright.rate.settings import FORMS
from plainwright.rate.store.database import Database
from plainwright.rate.store.studies import load_items, load_settings
from plainwright.rate.study_file import read_study_file
from plainwright.study.operations import OPERATIONS


def made(folder, form="rank"):
    study = make_demo(folder, form, organiser="organiser", password="correct horse", now=1.0)
    database = Database.open(study.database)
    with database.reading() as connection:
        settings, items = load_settings(connection), load_items(connection)
    database.close()
    return settings, items


def test_every_group_duplicates_controls_and_training(tmp_path):
    settings, items = made(tmp_path)
    main = [item for item in items if not item.training]
    assert len(main) == 8
    for item in main:
        assert {card.card.group for card in item.cards} == set(OPERATIONS)
        assert len(item.cards) >= 9
        assert any(len(card.card.candidates) > 1 for card in item.cards)
    kinds = {card.card.edits[0].kind for item in items for card in item.cards if card.card.edits}
    assert kinds == {"deletion", "paraphrase", "split"}
    assert (
        sum(maker.control == "degraded" for item in main for card in item.cards for maker in card.card.candidates) == 2
    )
    assert len(settings.training) == 2
    assert all(output.why for item in settings.training for output in item.outputs)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_can_be_shown(form, tmp_path):
    settings, _ = made(tmp_path, form)
    assert settings.form == form
    assert read_study_file(tmp_path / "study.toml").settings == settings
