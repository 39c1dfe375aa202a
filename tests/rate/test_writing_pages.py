"""Raters who write: from the study file over the page to references that `evaluate` reads, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from tests.in_process import run
from tests.rate.browser import Browser, Clock, cards_and_version, personal_link
from tests.rate.studies import SOURCES, writing_study

from plainwright.errors import DataError, RefusedError
from plainwright.rate.events import Finish, Score, Undo, Write
from plainwright.rate.forms.page import Page
from plainwright.rate.material import UnitView
from plainwright.rate.results.analysis import analyse
from plainwright.rate.results.loading import load_record
from plainwright.rate.results.quality import quality_of
from plainwright.rate.results.references import references_of, texts_of, write_references
from plainwright.rate.settings import Writing
from plainwright.rate.store.database import Database
from plainwright.rate.store.log import audit
from plainwright.rate.store.studies import save_study
from plainwright.rate.study_file import DATABASE_VARIABLE, Material, read_study_file
from plainwright.rate.study_writing import write_study_file
from plainwright.rate.web.app import create_app

NOW = 1_700_000_000.0


def simpler(source: str) -> str:
    """Not well, but differently."""
    return source.replace("The", "Our").replace("Although", "While").replace("Her", "My")


@pytest.fixture
def started(tmp_path: Path):
    """Starts studies of writing, of two raters a sentence."""
    databases = []

    def start(form: str = "write", **options: object) -> tuple[Database, Browser, Clock]:
        settings, items = writing_study(form, **{"raters_per_unit": 2, **options})
        database = Database.create(f"sqlite:///{tmp_path / f'{len(databases)}.db'}")
        databases.append(database)
        with database.writing() as connection:
            save_study(connection, settings, items, NOW)
        clock = Clock(NOW)
        return database, Browser(create_app(database, now=clock)), clock

    yield start
    for database in databases:
        database.close()


def begin(database: Database, browser: Browser, name: str = "Ann") -> str:
    return browser.begin(personal_link(database, NOW, name)[1])


def source_on(browser: Browser, task: str) -> str:
    return re.search(r'id="source-text"[^>]*>([^<]*)<', browser.get(task).text)[1].replace("&#39;", "'")


def write(database: Database, browser: Browser, task: str, text: str, *, unchanged: bool = False):
    browser.get(task)
    version = cards_and_version(database, task)[1]
    event = {"kind": "write", "text": text, "unchanged": unchanged}
    return browser.send(task, {"kind": "show"}, event, {"kind": "finish"}, base=version)


def write_all(database: Database, browser: Browser, make=simpler) -> None:
    task = begin(database, browser)
    while browser.path.startswith("/task/"):
        assert write(database, browser, task, make(source_on(browser, task))).status_code == 200
        task = browser.visit("/work") and browser.path


# The page


def test_the_page_shows_the_sentence_the_limits_and_the_draft(started):
    database, browser, _ = started()
    task = begin(database, browser)
    page = browser.get(task).text
    assert "Your simpler version" in page
    assert re.search(r"<li>Write \d+ to \d+ words; the original has \d+\.</li><li>Change at least 1 word\.</li>", page)
    assert "The original is already as simple as it can be." in page
    draft = {"kind": "write", "text": "Half a </textarea><script> thought"}
    reply = browser.send(task, draft, base=0).json()
    assert reply["work"]["answers"]["text"] == draft["text"]
    assert reply["work"]["problems"] == [
        "it has 4 words, and needs at least " + reply["work"]["problems"][0].split()[-1]
    ]
    assert "\nHalf a &lt;/textarea&gt;&lt;script&gt; thought</textarea>" in browser.get(task).text


def test_a_field_for_splits_begins_with_the_sentence(started):
    database, browser, _ = started("write-split")
    task = begin(database, browser)
    source = source_on(browser, task)
    assert f"\n{source}</textarea>" in browser.get(task).text.replace("&#39;", "'")
    assert "The original cannot be split." in browser.get(task).text


def test_what_breaks_a_limit_cannot_be_finished_and_stays_a_draft(started):
    database, browser, _ = started()
    task = begin(database, browser)
    source = source_on(browser, task)
    for text, sentence in (
        ("", "nothing is written yet"),
        (source, "it is the original again"),
        ("No.", "it has 1 word"),
    ):
        reply = write(database, browser, task, text)
        assert (reply.status_code, reply.json()["reason"]) == (422, "refused")
        assert sentence in reply.json()["error"]
    assert cards_and_version(database, task)[1] == 0  # a batch is kept whole or not at all
    assert write(database, browser, task, simpler(source)).json()["next"] == "/work"


def test_a_rater_may_say_that_nothing_is_to_be_done_if_the_study_lets_them(started):
    database, browser, _ = started()
    assert write(database, browser, begin(database, browser), "", unchanged=True).status_code == 200
    database, browser, _ = started(writing=Writing(allow_unchanged=False))
    task = begin(database, browser)
    assert 'id="unchanged"' not in browser.get(task).text
    reply = write(database, browser, task, "", unchanged=True)
    assert (reply.status_code, reply.json()["error"]) == (422, "this study asks for another text for every sentence")


@pytest.mark.parametrize(
    ("event", "status"),
    [
        ({"kind": "write", "text": "a" * 10_001}, 400),
        ({"kind": "write", "text": 7}, 400),
        ({"kind": "write"}, 400),
        ({"kind": "write", "text": "a", "unchanged": "yes"}, 400),
        ({"kind": "write", "text": "a", "rater": "x"}, 400),
        ({"kind": "score", "card": "x", "aspect": "overall", "value": 1}, 422),
        ({"kind": "prefer", "aspect": "overall", "card": None}, 422),
        ({"kind": "move", "card": "x", "group": "all", "place": 0}, 422),
        ({"kind": "mark", "card": "x", "edits": []}, 422),
        ({"kind": "sort", "group": "all"}, 422),
    ],
)
def test_events_that_make_no_sense_are_refused(started, event, status):
    database, browser, _ = started()
    task = begin(database, browser)
    browser.get(task)
    assert browser.send(task, event, base=0).status_code == status
    assert cards_and_version(database, task)[1] == 0


def test_a_page_of_ratings_takes_no_text(study_database):
    browser = Browser(create_app(study_database, now=lambda: NOW))
    task = begin(study_database, browser)
    browser.get(task)
    reply = browser.send(task, {"kind": "write", "text": "Simpler."}, base=0)
    assert (reply.status_code, reply.json()["error"]) == (422, "this page asks for no text; say it in a comment")


def test_nobody_writes_on_the_page_of_somebody_else(started):
    database, browser, _ = started()
    task = begin(database, browser)
    other = Browser(create_app(database, now=lambda: NOW))
    begin(database, other, "Ben")
    assert other.send(task, {"kind": "write", "text": "Mine."}, base=0).status_code == 404


def test_writing_can_be_undone_and_a_finished_text_is_a_whole():
    settings, _ = writing_study()
    page = Page.start(UnitView(source=SOURCES[0], cards=()), settings)
    first = page.apply(Write("One."), 1)
    second = first.apply(Write(simpler(SOURCES[0])), 2)
    assert second.apply(Undo(), 3).answers.text == "One."
    with pytest.raises(RefusedError, match="it has 1 word, and needs at least"):
        first.apply(Finish(), 3)
    with pytest.raises(RefusedError, match="asks for a text, not for scores"):
        second.apply(Score("x", "overall", 1.0), 3)
    assert not second.apply(Finish(), 3).work.can_undo


# Results


def test_texts_become_references_in_the_order_of_the_sources(started, tmp_path):
    database, browser, clock = started()
    write_all(database, browser)
    clock.now += 60
    second = Browser(create_app(database, now=clock))
    write_all(database, second, lambda source: f"In short, {simpler(source)}")
    with database.reading() as connection:
        record = load_record(connection)
        assert audit(connection) == []
    found = references_of(record, fewest=2, most=2)
    assert found.sources == SOURCES[:3]
    assert found.references == tuple((simpler(source), f"In short, {simpler(source)}") for source in SOURCES[:3])
    files = write_references(found, tmp_path / "references")
    assert [file.name for file in files] == ["source.txt", "reference.0.txt", "reference.1.txt"]
    assert files[1].read_text(encoding="utf-8").splitlines() == [simpler(source) for source in SOURCES[:3]]
    texts = texts_of(record)
    assert [text.item for text in texts] == ["1", "1", "2", "2", "3", "3"]
    assert {text.time for text in texts} == {NOW, NOW + 60}
    assert len({text.rater for text in texts}) == 2


def test_a_text_that_was_left_unchanged_is_the_source(started):
    database, browser, _ = started(items=1)
    write(database, browser, begin(database, browser), "half a thought", unchanged=True)
    with database.reading() as connection:
        [text] = texts_of(load_record(connection))
    assert (text.text, text.unchanged) == (SOURCES[0], True)


def test_a_study_of_writing_has_no_ratings_but_raters_who_worked(started):
    database, browser, _ = started()
    write_all(database, browser)
    with database.reading() as connection:
        record = load_record(connection)
    with pytest.raises(DataError, match="raters wrote texts, and there are no ratings to analyse"):
        analyse(record)
    [quality] = quality_of(record)
    assert (quality.pages, quality.outputs) == (3, 0)


# Commands


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.delenv(DATABASE_VARIABLE, raising=False)
    (tmp_path / "source.txt").write_text("".join(f"{line}\n" for line in SOURCES[:3]), encoding="utf-8")
    return tmp_path


def written_study(folder: Path, *options: str, raters: int = 2) -> None:
    """A study made by `rate init`, in which every rater has written everything."""
    source = ("--source", "source.txt", "--raters", str(raters))
    done = run("rate", "init", "study.toml", *source, *(options or ("--form", "write")), cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    database = Database.open(read_study_file(folder / "study.toml").database)
    for number in range(raters):
        browser = Browser(create_app(database, now=lambda: NOW))
        write_all(database, browser, lambda source, number=number: f"{'So, ' * number}{simpler(source)}")
    database.close()


def test_references_go_from_init_to_evaluate(folder):
    written_study(folder, "--preset", "xu2016-references")
    done = run("rate", "export", "study.toml", "--layout", "references", "-o", "refs", cwd=folder)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == (
        "Saved 3 sources with 2 references each as refs/source.txt, refs/reference.0.txt, refs/reference.1.txt.\n"
    )
    references = ("--references", "refs/reference.0.txt", "refs/reference.1.txt")
    scored = run(
        "evaluate",
        "--source",
        "refs/source.txt",
        *references,
        "--outputs",
        "source",
        "--metrics",
        "sari,bleu",
        cwd=folder,
    )
    assert (scored.returncode, "your files: 3 segments, 2 references" in scored.stdout) == (0, True)
    for name in ("set.tsv", "set.jsonl"):
        assert run("rate", "export", "study.toml", "--layout", "references", "-o", name, cwd=folder).returncode == 0
        again = run("evaluate", name, "--outputs", "source", "--metrics", "sari,bleu", cwd=folder)
        assert again.stdout == scored.stdout


def test_texts_are_exported_with_who_wrote_them_and_when(folder):
    written_study(folder)
    assert run("rate", "export", "study.toml", "-o", "texts.jsonl", cwd=folder).returncode == 0
    rows = [json.loads(line) for line in (folder / "texts.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["item"] for row in rows] == ["1", "1", "2", "2", "3", "3"]
    assert set(rows[0]) >= {"source", "text", "unchanged", "rater", "time", "seconds"}
    assert run("rate", "export", "study.toml", "-o", "texts.csv", cwd=folder).returncode == 0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ["--layout", "references", "--count", "3", "-o", "r"],
            "expected a source with 3 finished references, found at m",
        ),
        (["--layout", "references", "--count", "0", "-o", "r"], "--count: expected a number from 1 to 1,000, found 0"),
        (["--layout", "references", "-o", "source.txt"], "the result would replace one of the inputs"),
        (
            ["--layout", "references", "-o", "other.txt"],
            "expected a folder for references, or a name that ends in .tsv",
        ),
        (["--layout", "simpeval", "-o", "r.csv"], "--layout simpeval: expected --layout references, or none"),
        (["--count", "2", "-o", "r.csv"], "--count: expected --layout references, or none"),
    ],
)
def test_what_cannot_be_exported_is_one_sentence(folder, options, sentence):
    written_study(folder)
    (folder / "other.txt").write_text("mine", encoding="utf-8")
    done = run("rate", "export", "study.toml", *options, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_sources_that_lack_references_are_left_out_and_counted(started, tmp_path):
    database, browser, _ = started()
    write_all(database, browser)
    other = Browser(create_app(database, now=lambda: NOW))
    task = begin(database, other)
    write(database, other, task, simpler(source_on(other, task)))
    with database.reading() as connection:
        record = load_record(connection)
    assert (len(references_of(record, fewest=2).sources), references_of(record, fewest=2).left_out) == (1, 2)
    ragged = references_of(record)
    assert ragged.per_source == (1, 2)
    with pytest.raises(DataError, match="expected as many references for every source, found 1 to 2"):
        write_references(ragged, tmp_path / "references")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--outputs", "ours=source2.txt"], "expected a source alone with the form 'write'"),
        (["--control-source"], "controls: expected none with the form 'write', which shows no outputs"),
        (["--repeats", "0.5"], "controls: expected none with the form 'write', which shows no outputs"),
    ],
)
def test_what_a_study_of_writing_cannot_have_is_one_sentence(folder, options, sentence):
    (folder / "source2.txt").write_text((folder / "source.txt").read_text(encoding="utf-8"), encoding="utf-8")
    done = run("rate", "init", "study.toml", "--source", "source.txt", "--form", "write", *options, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (folder / "study.toml").exists()


@pytest.mark.parametrize(
    ("line", "sentence"),
    [("", "source, line 2: expected text to rate"), ("...", "source, line 2: expected words to simplify, found '...'")],
)
def test_sources_without_words_are_refused(folder, line, sentence):
    (folder / "source.txt").write_text(f"{SOURCES[0]}\n{line}\n", encoding="utf-8")
    done = run("rate", "init", "study.toml", "--source", "source.txt", "--form", "write", cwd=folder)
    assert done.returncode == 2
    assert sentence in done.stderr


@pytest.mark.parametrize("form", ["write", "write-split"])
def test_the_study_file_is_written_and_read_again(form, tmp_path):
    settings, _ = writing_study(form, training=1, pass_share=0.5, instructions="")
    write_study_file(tmp_path / "study.toml", settings, material=Material(source=tmp_path / "s.txt"))
    assert read_study_file(tmp_path / "study.toml").settings == settings


HEAD = '[study]\ntitle = "x"\nform = "write"\n'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (f"{HEAD}[writing]\nshortest = 2\n", "writing.shortest: expected a finite number from 0 to 1, found 2"),
        (f"{HEAD}[writing]\nlongest = 0.5\n", "writing.longest: expected a finite number from 1 to 10, found 0.5"),
        (f"{HEAD}[writing]\nlonger = 2\n", "writing.longer: no such setting; did you mean longest?"),
        (f'{HEAD}[writing]\nsplitting = "never"\n', "writing.splitting: expected"),
        (f'{HEAD}[writing]\nsplitting = "require"\n', "found one of splits; use the form 'write-split'"),
        (f"{HEAD}[writing]\nmost_added = 2\n", "found one of splits; use the form 'write-split'"),
        (f"{HEAD}[page]\nedits = true\n", "page.edits: expected false with the form 'write'"),
        (f'{HEAD}[[aspects]]\nname = "x"\nquestion = "y"\n', "aspects: expected no questions with the form 'write'"),
        (
            '[study]\ntitle = "x"\n[writing]\nshortest = 1\n',
            "writing: expected no limits of texts with the form 'rank'",
        ),
        (
            '[study]\ntitle = "x"\nform = "write-split"\n[writing]\nsplitting = "allow"\n',
            "writing.splitting: expected sentences that are split",
        ),
        (
            f'{HEAD}[[training.items]]\nsource = "It was very late."\nexample = "It was very late."\n',
            "training.items 1.example: expected a text that the study would take, found one with a fault: it is",
        ),
        (
            f'{HEAD}[[training.items]]\nsource = "a b"\n[[training.items]]\nsource = "a b"\n',
            "training.items 2: expected sources that differ, found 'a b' twice",
        ),
        (f'{HEAD}[[training.items]]\nsource = "a"\noutputs = []\n', "training.items 1.outputs: no such setting"),
    ],
)
def test_what_is_wrong_with_the_file_is_one_sentence(text, sentence, tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as error:
        read_study_file(path)
    assert sentence in str(error.value)


# Qualifying


def test_whoever_writes_the_qualifying_item_well_goes_on(started):
    database, browser, _ = started(training=1, pass_share=1.0)
    task = begin(database, browser)
    good = "The doctor, who was very tired, gave the vaccine to all of the children."
    reply = write(database, browser, task, good)
    assert reply.json()["next"] == f"{task}/feedback"
    page = browser.get(f"{task}/feedback").text
    assert "As expected" in page
    assert "The words are plain, and nothing is lost." in page
    assert browser.visit("/work").status_code == 200
    assert browser.path.startswith("/task/")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("The physician, who was tired, gave the vaccine to the children.", "It still has: physician."),
        ("The doctor, who was tired, gave the medicine to the children.", "It no longer has: vaccine."),
    ],
)
def test_whoever_does_not_gets_no_sentences_and_is_told_why(started, text, fault):
    database, browser, _ = started(training=1, pass_share=1.0)
    task = begin(database, browser)
    assert write(database, browser, task, text).status_code == 200
    page = browser.get(f"{task}/feedback").text
    assert "Not as expected" in page
    assert fault in page
    assert "so it ends here for you" in browser.visit("/work").text


def test_saying_that_nothing_is_to_be_done_is_no_way_around_the_qualifying_item(started):
    database, browser, _ = started("write-split", training=1, pass_share=1.0)
    task = begin(database, browser)
    assert write(database, browser, task, "", unchanged=True).status_code == 200
    assert "It has 1 sentence, and could have 2." in browser.get(f"{task}/feedback").text
    assert "so it ends here for you" in browser.visit("/work").text


def test_qualifying_texts_are_no_references(started):
    database, browser, _ = started(items=1, training=1)
    task = begin(database, browser)
    write(database, browser, task, "The doctor, who was very tired, gave the vaccine to all of the children.")
    browser.visit("/work")
    write(database, browser, browser.path, simpler(SOURCES[0]))
    with database.reading() as connection:
        record = load_record(connection)
    assert [text.text for text in texts_of(record)] == [simpler(SOURCES[0])]
    assert [text.training for text in texts_of(record, everything=True)] == [False, True]
