"""`rate init` as an organiser meets it: a study in one command, one sentence for what is wrong, nothing half done."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")

from tests.in_process import run
from tests.rate.studies import RATING_FORMS, SOURCES

from plainwright.errors import AccessError
from plainwright.rate.forms.base import packaged_text
from plainwright.rate.forms.registry import FORMS
from plainwright.rate.store.database import Database
from plainwright.rate.store.organisers import check_password
from plainwright.rate.store.studies import load_items, load_settings, update_wording
from plainwright.rate.study_file import DATABASE_VARIABLE, read_study_file


@pytest.fixture(autouse=True)
def _no_database_by_variable(monkeypatch):
    monkeypatch.delenv(DATABASE_VARIABLE, raising=False)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A source, two systems and a reference, in a folder of their own."""
    folder = tmp_path / "files"
    folder.mkdir()
    for name, lines in {
        "source.txt": SOURCES,
        "ours.txt": [source.replace(",", "") for source in SOURCES],
        "theirs.txt": [source.split(",")[0] for source in SOURCES],
        "reference.txt": [f"In short, {source}" for source in SOURCES],
        "short.txt": SOURCES[:2],
        "holes.txt": [*SOURCES[:5], ""],
        "password.txt": ["correct horse battery"],
        "nothing.txt": [""],
    }.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder


def init(files: Path, *options: object, outputs=("ours=files/ours.txt", "theirs=files/theirs.txt")):
    folder = files.parent
    return run(
        "rate", "init", "study.toml", "--source", "files/source.txt", "--outputs", *outputs, *options, cwd=folder
    )


def opened(folder: Path) -> Database:
    return Database.open(read_study_file(folder / "study.toml").database)


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_study_is_made_in_one_command(files, tmp_path):
    done = init(files)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(
        "study.toml: 6 sentences, 2 systems, 12 outputs, 10 of them different; 6 pages, each for 3"
    )
    assert left_in(tmp_path) == ["consent.md", "files", "instructions.md", "study.db", "study.toml"]
    assert "plainwright rate serve study.toml" in done.stdout
    study = read_study_file(tmp_path / "study.toml")
    assert study.settings.instructions == FORMS["rank"].instructions
    assert study.settings.consent == packaged_text("consent.md")
    database = opened(tmp_path)
    with database.writing() as connection:
        assert load_settings(connection) == study.settings
        update_wording(connection, study.settings)  # as `serve` does
        assert len(load_items(connection)) == 6
    database.close()


def test_controls_are_counted_among_the_outputs(files):
    assert ", 18 outputs with controls, " in init(files, "--control-source").stdout


def test_the_source_is_no_output_of_a_system(files, tmp_path):
    done = init(files, outputs=("files/ours.txt", "files/../files/source.txt"))
    assert done.returncode == 2
    assert "expected what systems made, found the source" in done.stderr
    assert "--control-source" in done.stderr
    assert left_in(tmp_path) == ["files"]


def test_the_password_that_is_shown_opens_the_organisers_door(files, tmp_path):
    done = init(files, "--organiser", "ann")
    password = re.search(r"the name ann and the password\n  (\S+)\n", done.stdout)
    assert password is not None
    database = opened(tmp_path)
    with database.reading() as connection:
        assert check_password(connection, "ann", password[1]).name == "ann"
        with pytest.raises(AccessError):
            check_password(connection, "ann", password[1][:-1])
    database.close()


def test_a_password_from_a_file_is_not_shown(files, tmp_path):
    done = init(files, "--password-file", "files/password.txt")
    assert "password\n" not in done.stdout
    assert "correct horse" not in done.stdout
    database = opened(tmp_path)
    with database.reading() as connection:
        check_password(connection, "organiser", "correct horse battery")
    database.close()


@pytest.mark.parametrize("form", RATING_FORMS)
def test_every_form_can_be_made_with_every_control(files, form, tmp_path):
    controls = ("--control-source", "--control-reference", "--degraded", "0.5", "--repeats", "0.2")
    done = init(files, "--form", form, "--references", "files/reference.txt", *controls, "--raters", "2")
    assert (done.returncode, done.stderr) == (0, "")
    settings = read_study_file(tmp_path / "study.toml").settings
    assert (settings.form, settings.raters_per_unit, settings.controls.repeats) == (form, 2, 0.2)
    assert settings.instructions == FORMS[form].instructions
    database = opened(tmp_path)
    with database.reading() as connection:
        makers = [maker for item in load_items(connection) for card in item.cards for maker in card.card.candidates]
    database.close()
    counts = [sum(maker.control == kind for maker in makers) for kind in (None, "source", "reference", "degraded")]
    assert counts == [12, 6, 6, 3]


def test_pairs_that_are_identical_are_counted(files, tmp_path):
    # `ours` only drops commas, and two sources have none: there it is `theirs`. `again` is `ours` throughout.
    outputs = ("ours=files/ours.txt", "theirs=files/theirs.txt", "again=files/ours.txt")
    done = init(files, "--form", "pairwise", "--control-source", outputs=outputs)
    assert done.stdout.splitlines()[1] == (
        "10 of 18 pairs of outputs are identical, and nobody compares them; so are all outputs of 2 of 6 sentences, "
        "which say nothing."
    )
    (tmp_path / "study.toml").unlink()
    assert "identical" not in init(files, "--database", "other.db", outputs=outputs).stdout


def test_a_draft_becomes_the_same_study_later(files, tmp_path):
    assert init(files, "--draft", "--title", "Mine").returncode == 0
    assert left_in(tmp_path) == ["consent.md", "files", "instructions.md", "study.toml"]
    path = tmp_path / "study.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("groups = true", "groups = false"), encoding="utf-8")
    done = run("rate", "init", "study.toml", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    database = opened(tmp_path)
    with database.reading() as connection:
        settings = load_settings(connection)
    database.close()
    assert (settings.title, settings.groups) == ("Mine", False)


def test_texts_that_are_there_are_used_and_kept(files, tmp_path):
    (tmp_path / "instructions.md").write_text("# Mine\n", encoding="utf-8")
    assert init(files).returncode == 0
    assert (tmp_path / "instructions.md").read_text(encoding="utf-8") == "# Mine\n"
    database = opened(tmp_path)
    with database.reading() as connection:
        assert load_settings(connection).instructions == "# Mine\n"
    database.close()


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_consent_is_no_page_in_the_file_and_in_the_database(files, text, tmp_path):
    (tmp_path / "consent.md").write_text(text, encoding="utf-8")
    done = init(files)
    assert done.returncode == 0
    assert "there is no page of consent, for there is no text\n" in done.stdout
    study = read_study_file(tmp_path / "study.toml")
    database = opened(tmp_path)
    with database.writing() as connection:
        assert load_settings(connection).consent == study.settings.consent == ""
        assert load_settings(connection).instructions == FORMS["rank"].instructions
        update_wording(connection, study.settings)  # as `serve` does
    database.close()
    assert (tmp_path / "consent.md").read_text(encoding="utf-8") == text


def test_a_consent_that_was_emptied_in_a_draft_is_no_page(files, tmp_path):
    assert init(files, "--draft").returncode == 0
    (tmp_path / "consent.md").write_text("\n", encoding="utf-8")
    done = run("rate", "init", "study.toml", cwd=tmp_path)
    assert "there is no page of consent" in done.stdout
    assert read_study_file(tmp_path / "study.toml").settings.consent == ""


def test_a_file_without_a_name_is_called_by_its_own(files, tmp_path):
    assert init(files, outputs=("files/ours.txt", "files/theirs.txt")).returncode == 0
    assert set(read_study_file(tmp_path / "study.toml").material.outputs) == {"ours", "theirs"}


def test_names_of_files_may_be_odd(files, tmp_path):
    odd = tmp_path / "a folder? 100% #1"
    odd.mkdir()
    done = run(
        "rate", "init", odd / "study.toml", "--source", files / "source.txt", "--outputs", f"x={files / 'ours.txt'}",
        "--database", "my study?.db",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert (odd / "my study?.db").is_file()
    database = opened(odd)
    database.close()


def test_the_variable_names_the_database(files, tmp_path, monkeypatch):
    monkeypatch.setenv(DATABASE_VARIABLE, f"sqlite:///{tmp_path / 'elsewhere.db'}")
    assert init(files).returncode == 0
    assert "elsewhere.db" in left_in(tmp_path)
    assert "study.db" not in left_in(tmp_path)
    opened(tmp_path).close()


@pytest.mark.parametrize("name", ["gone/study.toml", "files", "files/source.txt/study.toml"])
def test_a_study_needs_a_place(files, name, tmp_path):
    done = run("rate", "init", name, "--source", "files/source.txt", "--outputs", "a=files/ours.txt", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert left_in(tmp_path) == ["files"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--outputs", "short=files/short.txt"], "files/short.txt: expected 6 lines, as in files/source.txt, found 2"),
        (
            ["--outputs", "ours=files/theirs.txt"],
            "--outputs: expected systems with names that differ, found 'ours' twice",
        ),
        (["--outputs", "=files/ours.txt"], "--outputs: expected NAME=FILE, found '=files/ours.txt'"),
        (["--outputs", "x="], "--outputs: expected NAME=FILE, found 'x='"),
        (["--outputs", "gone=files/gone.txt"], "files/gone.txt: no such file"),
        (
            ["--outputs", "holes=files/holes.txt"],
            "output of 'holes', line 6: expected text to rate, found an empty line",
        ),
        (["--outputs", "control-source=files/ours.txt"], "found 'control-source', which is ours; give it another"),
        (["--outputs", "other=-"], "-: expected files, of which the study can be made again, found standard input"),
        (["--references", "files/short.txt"], "files/short.txt: expected 6 lines"),
        (["--control-reference"], "controls.reference: expected references, found none; give --references"),
        (["--degraded", "1.2"], "--degraded: expected a share from 0 to 1, found 1.2"),
        (["--degraded", "nan"], "--degraded: expected a share from 0 to 1, found nan"),
        (["--degraded", "0.01"], "controls.degraded: expected a share of at least 0.083 of 6 items, found 0.01"),
        (["--repeats", "-1"], "--repeats: expected a share from 0 to 1, found -1"),
        (["--raters", "0"], "--raters: expected a number from 1 to 1,000, found 0"),
        (["--units-per-rater", "-1"], "--units-per-rater: expected a number from 0 to 1,000,000, found -1"),
        (["--seed", "-1"], "--seed: expected a number from 0"),
        (["--title", " "], "study.title: expected one line of text, found ''"),
        (["--title", "a\nb"], "study.title: expected one line of text, found 'a\\nb'"),
        (["--form", "lickert"], "unknown form 'lickert'; did you mean likert?"),
        (["--with-ratings"], "--with-ratings: expected --simpeval, whose ratings they are, found none"),
        (["--simpeval", "table.csv"], "expected either a table of SimpEval or a source and outputs, found both"),
        (["--password-file", "files/gone.txt"], "files/gone.txt: no such file"),
        (["--password-file", "files/nothing.txt"], "files/nothing.txt: expected a password on the first line"),
        (["--organiser", ""], "the name of an organiser has 1 to 64 printable characters"),
        (["--database", "gone/study.db"], "gone"),
        (["--database", "mysql://localhost/x"], "mysql"),
    ],
)
def test_what_is_wrong_is_one_sentence_and_nothing_is_written(files, options, sentence, tmp_path):
    done = init(files, *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert left_in(tmp_path) == ["files"]


def test_a_study_file_that_is_there_is_not_replaced(files, tmp_path):
    (tmp_path / "study.toml").write_text("mine", encoding="utf-8")
    done = init(files)
    assert done.returncode == 2
    assert "study.toml: expected the name of a new study, found a file; choose another" in done.stderr
    assert (tmp_path / "study.toml").read_text(encoding="utf-8") == "mine"


def test_a_database_with_a_study_is_not_replaced(files, tmp_path):
    assert init(files).returncode == 0
    before = (tmp_path / "study.db").read_bytes()
    again = run("rate", "init", "study.toml", cwd=tmp_path)
    assert again.returncode == 2
    assert "already holds a study" in again.stderr
    (tmp_path / "study.toml").unlink()
    assert init(files).returncode == 2
    assert not (tmp_path / "study.toml").exists()
    assert (tmp_path / "study.db").read_bytes() == before


def test_settings_beside_a_study_file_are_refused(files, tmp_path):
    assert init(files, "--draft").returncode == 0
    done = run("rate", "init", "study.toml", "--form", "likert", cwd=tmp_path)
    assert done.returncode == 2
    assert "--form: expected no settings beside study.toml, which has them all; change it there" in done.stderr


def test_nothing_to_make_a_study_from(tmp_path):
    done = run("rate", "init", "study.toml", cwd=tmp_path)
    assert done.returncode == 2
    assert "study.toml: no such file; for a new study, give --source and --outputs, or --simpeval" in done.stderr


@pytest.mark.parametrize(("material", "missing"), [("", "source"), ('source = "files/source.txt"', "outputs")])
def test_a_study_file_without_material_says_what_it_lacks(files, material, missing, tmp_path):
    (tmp_path / "study.toml").write_text(f'[study]\ntitle = "x"\n[material]\n{material}\n', encoding="utf-8")
    done = run("rate", "init", "study.toml", cwd=tmp_path)
    assert done.returncode == 2
    assert f"outputs of at least one system, found no {missing}; give --source and --outputs" in done.stderr
    assert left_in(tmp_path) == ["files", "study.toml"]
