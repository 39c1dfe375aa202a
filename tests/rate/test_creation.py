"""Making a study is all or nothing, in both databases."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")

from tests.rate.studies import small_study

from plainwright.errors import DataError
from plainwright.rate.creation import BuiltStudy, save_built, write_texts
from plainwright.rate.store.database import Database
from plainwright.rate.store.engines import file_of, parse_url
from plainwright.rate.store.organisers import check_password
from plainwright.rate.store.studies import load_items, load_settings
from plainwright.rate.study_file import StudyFile, read_study_file

NOW = 1_700_000_000.0


def test_a_study_that_failed_can_be_made_again(database_url):
    settings, items = small_study()
    built = BuiltStudy(settings=settings, items=items)
    with pytest.raises(DataError, match="password"):  # which comes last
        save_built(built, database_url, organiser="ann", password="short", now=NOW)
    path = file_of(parse_url(database_url))
    assert path is None or not path.exists()
    save_built(built, database_url, organiser="ann", password="correct horse", now=NOW)
    database = Database.open(database_url)
    with database.reading() as connection:
        assert load_settings(connection) == settings
        assert len(load_items(connection)) == len(items)
        check_password(connection, "ann", "correct horse")
    database.close()


def test_a_study_is_never_replaced(database_url):
    settings, items = small_study()
    built = BuiltStudy(settings=settings, items=items)
    save_built(built, database_url, organiser="ann", password="correct horse", now=NOW)
    with pytest.raises(DataError, match="already holds a study"):
        save_built(built, database_url, organiser="eve", password="correct horse", now=NOW)
    database = Database.open(database_url)
    with database.reading() as connection:
        check_password(connection, "ann", "correct horse")
    database.close()


def study_in(folder: Path) -> StudyFile:
    settings, _ = small_study(consent="# Yes?\n")
    return StudyFile(path=folder / "study.toml", settings=settings, database="")


def test_texts_go_again_with_what_failed(tmp_path):
    (tmp_path / "consent.md").write_text("mine", encoding="utf-8")
    seen = []

    def stopped_by_hand():
        with write_texts(study_in(tmp_path), "study.db") as written:
            seen.extend(path.name for path in written if path.exists())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped_by_hand()
    assert set(seen) == {"study.toml", "instructions.md"}
    assert [path.name for path in tmp_path.iterdir()] == ["consent.md"]
    assert (tmp_path / "consent.md").read_text(encoding="utf-8") == "mine"


def test_texts_stay_with_what_went_well(tmp_path):
    with write_texts(study_in(tmp_path), "study.db"):
        pass
    assert read_study_file(tmp_path / "study.toml").settings == study_in(tmp_path).settings
