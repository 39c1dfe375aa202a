"""A form of a stranger: one file in a package of its own, known from `rate init` to `rate export`."""

from __future__ import annotations

import ast
import csv
import html
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import httpx2 as httpx
import pytest

pytest.importorskip("sqlalchemy")

from tests.in_process import run
from tests.rate.browser import Browser, Clock, cards_and_version, personal_link
from tests.rate.conftest import NOW
from tests.rate.running import invite, serving
from tests.rate.studies import SOURCES, small_study

from plainwright.errors import DataError, UnknownNameError
from plainwright.rate.forms.base import Form
from plainwright.rate.forms.pairwise import Pairwise
from plainwright.rate.forms.rank import Rank
from plainwright.rate.forms.registry import FORMS, form_named
from plainwright.rate.results.loading import load_record
from plainwright.rate.results.table import comparisons_of, judgements_of
from plainwright.rate.settings import Aspect
from plainwright.rate.store.database import Database
from plainwright.rate.store.studies import save_study
from plainwright.rate.study_file import DATABASE_VARIABLE, read_study_file
from plainwright.rate.web.app import create_app
from plainwright.study.ratings import Scale

SRC = Path(__file__).resolve().parents[2] / "src" / "plainwright"

TONE = '''
"""Tone: how friendly an output sounds, and how many words in it are rude."""

from plainwright.errors import DataError
from plainwright.rate.forms.base import Form
from plainwright.rate.settings import Aspect
from plainwright.study.ratings import Scale


class Tone(Form):
    """Two questions of our own."""

    name = "tone"
    aspects = (
        Aspect(name="friendliness", question="How friendly does it sound?", scale=Scale(1, 3, 1)),
        Aspect(name="rudeness", question="How many of its words are rude?", scale=Scale(0, 30, 1)),
    )
    instructions = "# How to hear a tone\\n\\nRead it aloud."
    page_name = "Utterance"

    def check(self, settings):
        if settings.controls.degraded:
            msg = "controls.degraded: expected none, for a damaged copy has no tone"
            raise DataError(msg)

    def units(self, cards, settings):
        return (tuple(range(len(cards))),)  # all outputs of a sentence on one page

    def widget(self, aspect):
        return "stepper" if aspect.name == "rudeness" else "radios"


form = Tone()
'''


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files of outputs, and an installed package that offers the form `tone` and one that is none."""
    package = tmp_path / "site"
    (package / "tone-1.0.dist-info").mkdir(parents=True)
    (package / "tone.py").write_text(TONE, encoding="utf-8")
    (package / "tone-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: tone\nVersion: 1.0\n")
    (package / "tone-1.0.dist-info" / "entry_points.txt").write_text(
        "[plainwright.forms]\ntone = tone:form\nother = tone:Tone\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(package), os.environ.get("PYTHONPATH")))))
    monkeypatch.delenv(DATABASE_VARIABLE, raising=False)
    files = {"source": SOURCES[:2], "ours": [s.replace(",", "") for s in SOURCES[:2]], "theirs": ["So.", "Thus."]}
    for name, lines in files.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path


def plainwright(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "plainwright", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)


def init(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    outputs = ("--outputs", "ours=ours.txt", "theirs=theirs.txt")
    return plainwright(folder, "rate", "init", "study.toml", "--source", "source.txt", *outputs, *options)


def test_a_form_from_outside_goes_from_init_over_the_server_to_the_export(stranger: Path) -> None:
    done = init(stranger, "--form", "tone", "--raters", "1")
    assert done.returncode == 0, done.stderr
    assert "2 sentences, 2 systems, 4 outputs, all different; 2 pages" in done.stdout
    assert (stranger / "instructions.md").read_text(encoding="utf-8") == "# How to hear a tone\n\nRead it aloud."
    written = (stranger / "study.toml").read_text(encoding="utf-8")
    assert re.search(
        r'^form = "tone" +# rank, .* write, write-split, tone or other$',
        written,
        re.M,
    )
    [link] = invite(f"sqlite:///{stranger / 'study.db'}", 1)

    with serving(stranger) as server:
        page, refused = answer_a_page(f"http://127.0.0.1:{server.port}", link)
    assert "Utterance 1" in page
    assert page.count('class="answer radios"') == page.count('class="answer stepper"') == 2  # of each output
    assert refused == "expected a score on 1..3 by 1 for friendliness, found 4"

    done = plainwright(stranger, "rate", "export", "study.toml", "-o", "ratings.csv")
    assert done.returncode == 0, done.stderr
    with (stranger / "ratings.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    found = {(row["system"], row["aspect"], float(row["score"]), row["scale"]) for row in rows}
    assert found == {
        ("ours", "friendliness", 3.0, "1..3 by 1"),
        ("ours", "rudeness", 0.0, "0..30 by 1"),
        ("theirs", "friendliness", 3.0, "1..3 by 1"),
        ("theirs", "rudeness", 0.0, "0..30 by 1"),
    }


def answer_a_page(address: str, link: str) -> tuple[str, str]:
    """Open a link, answer the first page in full; the page, and what a score outside the scale was told."""
    with httpx.Client(base_url=address, follow_redirects=True, headers={"Origin": address}) as client:
        reply = client.get(link)
        for path in (link, "/consent", "/instructions"):
            reply = client.post(path, data={"csrf": token_in(reply.text)})
        page = reply.text
        assert reply.status_code == 200, page
        data = json.loads(re.search(r'id="task-data">(.*?)</script>', page, re.S)[1])  # type: ignore[index]
        cards = [card["id"] for card in data["cards"]]

        def send(*events: dict[str, object]) -> httpx.Response:
            sent = [{"key": f"key-{n:012d}", "at": 1_700_000_000_000, "event": event} for n, event in enumerate(events)]
            headers = {"X-CSRF-Token": token_in(page)}
            return client.post(data["urls"]["events"], json={"base": 0, "events": sent}, headers=headers)

        def score(card: str, aspect: str, value: float) -> dict[str, object]:
            return {"kind": "score", "card": card, "aspect": aspect, "value": value}

        refused = send(score(cards[0], "friendliness", 4))
        assert refused.status_code == 422
        scores = [
            score(card, aspect, value) for card in cards for aspect, value in (("friendliness", 3), ("rudeness", 0))
        ]
        done = send({"kind": "show"}, *scores, {"kind": "finish"})
        assert done.status_code == 200, done.text
        assert done.json()["work"]["finished"]
        return page, refused.json()["error"]


def token_in(page: str) -> str:
    found = re.search(r'<meta name="csrf-token" content="([^"]*)">', page)
    assert found, page
    return html.unescape(found[1])


class Taste(Pairwise):
    """A choice by another question."""

    name = "taste"
    aspects = (Aspect(name="taste", question="Which would you rather read?", scale=Pairwise.scale),)
    instructions = "# How to choose"


class Shelf(Rank):
    """An order by another question."""

    name = "shelf"
    aspects = (Aspect(name="use", question="How useful is it?", scale=Scale(0, 10)),)
    instructions = "# How to order"


@pytest.mark.parametrize(
    ("form", "answer", "shown"),
    [
        (Taste(), {"kind": "prefer", "aspect": "taste"}, "Which would you rather read?"),
        (Shelf(), {"kind": "score", "aspect": "use", "value": 7}, "How useful is it?"),
    ],
)
def test_a_form_that_builds_on_ours_has_its_page_and_its_rows(
    form: Form, answer: dict[str, object], shown: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FORMS.parts, form.name, form)
    settings, items = small_study(form.name, items=1, outputs=2)
    with database.writing() as connection:
        save_study(connection, settings, items, NOW)
    browser = Browser(create_app(database, now=Clock(NOW)))
    task = browser.begin(personal_link(database, NOW)[1])
    page = browser.get(task).text
    assert shown in page
    assert ("data-ordered" in page) == form.ordered
    cards, version = cards_and_version(database, task)
    answers = [{**answer, "card": card} for card in (cards[:1] if form.compares else cards)]
    assert browser.send(task, {"kind": "show"}, *answers, {"kind": "finish"}, base=version).status_code == 200
    with database.reading() as connection:
        record = load_record(connection)
    found = sorted((row.score, row.rank is not None) for row in judgements_of(record))
    assert found == ([(0.0, False), (1.0, False)] if form.compares else [(7.0, True), (7.0, True)])
    assert len(comparisons_of(record)) == (1 if form.compares else 0)


def test_what_a_form_from_outside_refuses_is_one_sentence(stranger: Path) -> None:
    done = init(stranger, "--form", "tone", "--degraded", "0.5")
    assert (done.returncode, done.stdout) == (2, "")
    assert "controls.degraded: expected none, for a damaged copy has no tone" in done.stderr


def test_what_is_offered_as_a_form_and_is_none_is_named(stranger: Path) -> None:
    done = init(stranger, "--form", "other")
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        "form 'other': expected a plainwright.rate.forms.base.Form of that name, found <class 'tone.Tone'"
        in done.stderr
    )


def test_a_form_without_questions_or_instructions_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Half(Form):
        name = "half"
        aspects = Taste.aspects

    monkeypatch.setitem(FORMS.parts, "half", Half())
    with pytest.raises(DataError, match="form 'half': expected its instructions, found none"):
        form_named("half")


def test_a_study_whose_form_is_not_installed_says_so(stranger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert init(stranger, "--form", "tone").returncode == 0
    monkeypatch.delenv("PYTHONPATH")
    done = plainwright(stranger, "rate", "status", "study.toml")
    assert done.returncode == 2
    assert "study.toml: study.form: unknown form 'tone'" in done.stderr
    with pytest.raises(DataError, match=r"study\.form: unknown form 'tone'"):
        read_study_file(stranger / "study.toml")


def test_the_help_names_every_form_of_the_package() -> None:
    for command in ("init", "demo"):
        done = run("rate", command, "--help")
        assert ", ".join(FORMS.names()) in " ".join(done.stdout.replace("│", " ").split())


def test_an_unknown_form_suggests_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown form 'pairwize'; did you mean pairwise\?"):
        form_named("pairwize")


def test_no_code_compares_the_name_of_a_form() -> None:
    names = set(FORMS.names())
    compared = []
    for path in [*SRC.glob("rate/**/*.py"), *SRC.glob("cli/rate/*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            parts = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
            parts += [node.value] if isinstance(node, ast.MatchValue) else []
            constants = {part.value for whole in parts for part in ast.walk(whole) if isinstance(part, ast.Constant)}
            compared += [f"{path.name}:{node.lineno}" for _ in [0] if constants & names]
    for path in [*SRC.glob("rate/web/templates/*.jinja"), *SRC.glob("rate/web/static/*")]:
        text = path.read_text(encoding="utf-8")
        compared += [path.name for name in names if re.search(rf"(=|\bin)\W*[\"']?{name}\b[\"']", text)]
    assert compared == []
