"""The organiser's pages through their HTTP surface, in process: doors, what they tell, what their buttons do."""

from __future__ import annotations

import csv
import html
import io
import re
import sys
import threading
from collections.abc import Iterator
from urllib.parse import unquote

import httpx2 as httpx
import pytest
from starlette.testclient import TestClient
from tests.rate.acting import DAY, finish_page, join, start_page
from tests.rate.studies import small_study

from plainwright.rate.settings import Controls
from plainwright.rate.store import organisers, people
from plainwright.rate.store.database import Database
from plainwright.rate.store.studies import is_open, save_study
from plainwright.rate.web.app import create_app
from plainwright.rate.web.organising import cache

NOW = 1_700_000_000.0
PASSWORD = "correct horse battery"
HERE = "http://localhost"
RATER_PAGES = ("/organiser", "/organiser/results", "/organiser/log", "/organiser/export/ratings.csv")


class Clock:
    """The time that the pages believe in."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


class Desk:
    """A browser at the organiser's pages."""

    def __init__(self, client: TestClient, database: Database, clock: Clock) -> None:
        self.client, self.database, self.clock = client, database, clock

    def log_in(self, name: str = "organiser", password: str = PASSWORD, **fields: str) -> httpx.Response:
        page = self.client.get("/organiser/login")
        return self.client.post(
            "/organiser/login", data={"csrf": csrf_of(page), "name": name, "password": password, **fields}
        )

    def post(self, path: str, **fields: str) -> httpx.Response:
        return self.client.post(path, data={"csrf": csrf_of(self.client.get("/organiser")), **fields})

    def text(self, path: str) -> str:
        reply = self.client.get(path)
        assert reply.status_code == 200
        return words(reply)

    def ask(self, question, *arguments):
        with self.database.reading() as connection:
            return question(connection, *arguments)

    def tell(self, change, *arguments, **named):
        with self.database.writing() as connection:
            return change(connection, *arguments, **named)


def csrf_of(page: httpx.Response) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', page.text)
    assert found is not None
    return found[1]


def words(page: httpx.Response) -> str:
    """What a reader sees, on one line."""
    body = re.sub(r"<(script|style).*?</\1>", " ", page.text, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", body)).split())


@pytest.fixture(autouse=True)
def numbers_of_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine: pages wait for their numbers, and compute them again when the log has grown."""
    monkeypatch.setattr(cache, "_PATIENCE", 60.0)
    monkeypatch.setattr(cache, "_REST", 0.0)


@pytest.fixture
def outside(database: Database) -> Iterator[Desk]:
    """Not logged in; the study is small, and Ann has rated a page."""
    clock = Clock()
    with database.writing() as connection:
        settings, items = small_study(raters_per_unit=2, title="Plain <b>words</b>?", controls=Controls(source=True))
        save_study(connection, settings, items, NOW - DAY)
        organisers.set_password(connection, "organiser", PASSWORD)
        finish_page(connection, join(connection, "Ann", NOW - 2 * 3600).id, NOW - 3600)
    with TestClient(create_app(database, now=clock, elapsed=clock), base_url=HERE) as client:
        yield Desk(client, database, clock)


@pytest.fixture
def desk(outside: Desk) -> Desk:
    assert outside.log_in().url == f"{HERE}/organiser"
    return outside


@pytest.fixture
def ann(outside: Desk) -> people.Rater:
    return outside.ask(people.raters_of)[0]


# The door


@pytest.mark.parametrize("path", [*RATER_PAGES, "/organiser/raters/abc", "/organiser/export/no.such"])
def test_every_page_asks_who_is_there(outside, path):
    reply = outside.client.get(path, follow_redirects=False)
    assert reply.status_code == 303
    assert reply.headers["location"].startswith("/organiser/login")


@pytest.mark.parametrize(
    "path", ["/organiser/invite", "/organiser/study", "/organiser/logout", "/organiser/raters/abc/remove"]
)
def test_nothing_is_done_for_strangers(outside, path):
    csrf = csrf_of(outside.client.get("/organiser/login"))
    reply = outside.client.post(path, data={"csrf": csrf, "number": "3"}, follow_redirects=False)
    assert reply.status_code == 401
    assert len(outside.ask(people.raters_of)) == 1


def test_a_rater_is_no_organiser(outside):
    token = outside.tell(people.invite, rater_id=None, uses=1, expires=NOW + DAY, now=NOW)
    session, _ = outside.tell(people.accept, token, NOW)
    for name in outside.client.app.state.site.cookies.values():
        outside.client.cookies.set(name, session)
    for path in RATER_PAGES:
        assert outside.client.get(path, follow_redirects=False).status_code == 303
    page = outside.client.get("/organiser/login")
    reply = outside.client.post("/organiser/invite", data={"csrf": csrf_of(page)}, follow_redirects=False)
    assert reply.status_code == 401


def test_an_organiser_is_no_rater(desk):
    cookie = desk.client.cookies.get(desk.client.app.state.site.cookies["organiser"])
    assert desk.client.get("/organiser").status_code == 200
    desk.client.cookies.set(desk.client.app.state.site.cookies["rater"], cookie)
    for path in ("/work", "/mine", "/task/abc"):
        assert desk.client.get(path, follow_redirects=False).status_code in (303, 401, 403, 404)


def test_one_comes_back_to_the_page_that_was_wanted(outside, ann):
    wanted = f"/organiser/raters/{ann.public}"
    login = outside.client.get(wanted)
    assert login.url == f"{HERE}/organiser/login?to={wanted}"
    assert f'name="to" value="{wanted}"' in login.text
    assert outside.log_in(to=wanted).url == f"{HERE}{wanted}"


@pytest.mark.parametrize("target", ["//evil.example", "https://evil.example", "/organiser/../../x", "/organiser/login"])
def test_one_is_never_sent_elsewhere(outside, target):
    assert outside.log_in(to=target).url == f"{HERE}/organiser"


def test_a_wrong_password_tells_nothing(outside):
    for name in ("organiser", "nobody", "x" * 100, "'; drop table raters; --"):
        reply = outside.log_in(name=name, password="wrong password")
        assert reply.status_code == 401
        assert "Name or password is wrong" in words(reply)
    assert outside.client.get("/organiser", follow_redirects=False).status_code == 303


def test_guessing_has_to_wait(outside):
    replies = [outside.log_in(password=f"guess {number}") for number in range(7)]
    assert [reply.status_code for reply in replies] == [401] * 5 + [429] * 2
    assert int(replies[-1].headers["retry-after"]) >= 1
    assert outside.log_in().status_code == 429  # also with the right one
    outside.clock.now += 20
    assert outside.log_in().status_code == 200


def test_a_clock_that_is_set_back_locks_nobody_out(outside):
    app = create_app(outside.database, now=outside.clock)
    desk = Desk(TestClient(app, base_url=HERE), outside.database, outside.clock)
    for number in range(5):
        assert desk.log_in(password=f"guess {number}").status_code == 401
    outside.clock.now -= DAY
    refused = desk.log_in()
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) <= 3  # seconds: the first wait is 2, rounded up


def test_a_stranger_elsewhere_cannot_lock_the_organiser_out(outside):
    """Whoever guesses from many networks at once; the organiser comes from another one."""
    app = outside.client.app
    addresses = [f"2001:db8:0:{number:x}::1" for number in range(12)]
    strangers = [
        Desk(TestClient(app, base_url=HERE, client=(address, 1)), outside.database, outside.clock)
        for address in addresses
    ]
    for stranger in strangers:
        assert [stranger.log_in(password="guess").status_code for _ in range(6)] == [401] * 5 + [429]
    outside.clock.now += 2  # their own wait is over, that of the name is not
    refused = strangers[0].log_in(password="guess")
    assert refused.status_code == 429
    assert 2 < int(refused.headers["retry-after"]) <= 31
    assert outside.log_in().status_code == 200


def test_a_wrong_password_of_who_is_logged_in_already_is_only_wrong(desk):
    csrf = csrf_of(desk.client.get("/organiser"))
    reply = desk.client.post("/organiser/login", data={"csrf": csrf, "name": "organiser", "password": "wrong one"})
    assert reply.status_code == 401
    assert "Name or password is wrong" in words(reply)


def test_a_password_of_a_megabyte_is_not_hashed(outside):
    assert outside.log_in(password="x" * 60_000).status_code == 401
    assert outside.log_in(password="x" * 70_000).status_code == 413


def test_a_session_ends(desk):
    desk.clock.now += 13 * 3600
    assert desk.client.get("/organiser", follow_redirects=False).status_code == 303


def test_logging_out_ends_the_session_for_whoever_kept_the_cookie(desk):
    name = desk.client.app.state.site.cookies["organiser"]
    cookie = desk.client.cookies.get(name)
    assert desk.post("/organiser/logout").url == f"{HERE}/organiser/login"
    assert desk.client.cookies.get(name) is None
    desk.client.cookies.set(name, cookie, path="/organiser")
    assert desk.client.get("/organiser", follow_redirects=False).status_code == 303


def test_logged_in_there_is_no_need_to_log_in(desk):
    assert desk.client.get("/organiser/login").url == f"{HERE}/organiser"


@pytest.mark.parametrize("path", ["/organiser/invite", "/organiser/study", "/organiser/logout"])
def test_forms_of_others_do_nothing(desk, path):
    assert desk.client.post(path, data={"csrf": "forged", "open": "no"}).status_code == 403
    csrf = csrf_of(desk.client.get("/organiser"))
    reply = desk.client.post(path, data={"csrf": csrf, "open": "no"}, headers={"sec-fetch-site": "cross-site"})
    assert reply.status_code == 403
    assert desk.ask(is_open)
    assert len(desk.ask(people.raters_of)) == 1


# What it tells


def test_the_overview_tells_how_far_and_who(desk, ann):
    text = desk.text("/organiser")
    assert "16 % done" in text
    assert "Pages done 1 of 6" in text
    assert f"Ann {ann.public} away 1 + up to 2" in text
    assert "The raters of now cannot finish what is left: invite at least 1 more." in text


def test_the_title_of_a_study_is_text(desk):
    page = desk.client.get("/organiser").text
    assert "Plain &lt;b&gt;words&lt;/b&gt;?" in page
    assert "<b>words" not in page


def test_the_overview_changes_with_the_work(desk, ann):
    desk.tell(start_page, ann.id, NOW)
    text = desk.text("/organiser")
    assert "Under way 1" in text
    assert "At work now 1 rater" in text
    assert "at work on page 2" in text
    desk.tell(finish_page, ann.id, NOW)
    assert "Pages done 2 of 6" in desk.text("/organiser")


def test_a_label_cannot_be_markup(desk):
    desk.post("/organiser/invite", names='<script>alert("x")</script>')
    page = desk.client.get("/organiser").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_one_rater_with_every_page(desk, ann):
    text = desk.text(f"/organiser/raters/{ann.public}")
    assert "Ann" in text
    assert "Page 1" in text
    assert "Take Ann out" in text
    assert "Release" not in text
    desk.tell(start_page, ann.id, NOW)
    assert "Release page 2" in desk.text(f"/organiser/raters/{ann.public}")


@pytest.mark.parametrize("public", ["nobody", "1", "%2e%2e", "%27%20or%201=1", "x" * 500])
def test_a_rater_who_does_not_exist(desk, public):
    assert desk.client.get(f"/organiser/raters/{public}").status_code == 404
    assert desk.post(f"/organiser/raters/{public}/release").status_code == 404


def test_the_log_reads_backwards(desk, ann):
    text = desk.text("/organiser/log")
    assert re.search(r"Ann 1 \S+ finished the page, contradictions confirmed", text)
    assert text.index("finished the page") < text.index("scored output 1") < text.index("looked at the page")
    assert "What Ann did" in desk.text(f"/organiser/log?rater={ann.public}")
    assert "Nothing older" in desk.text("/organiser/log?before=1")
    for wrong in ("before=x", "before=-1", "before=1e9", f"before={10**20}"):
        assert desk.client.get(f"/organiser/log?{wrong}").status_code == 400
    assert desk.client.get("/organiser/log?rater=nobody").status_code == 404


def test_a_long_log_has_pages(desk, ann):
    ben = desk.tell(join, "Ben", NOW)
    for rater in (ann, ann, ben, ben, ben):
        desk.tell(finish_page, rater.id, NOW)
    seen = 0
    path: str | None = "/organiser/log"
    while path:
        page = desk.client.get(path)
        seen += page.text.count('data-label="Did"')
        found = re.search(r'href="(/organiser/log\?before=\d+)">Older', page.text)
        path = found[1] if found else None
    # Six pages: a look, five or six scores, the end.
    with desk.database.reading() as connection:
        assert seen == connection.exec_driver_sql("select count(*) from events").scalar_one()


def test_results_before_the_first_page_and_after(database, monkeypatch):
    monkeypatch.setattr(cache, "_REST", 1e9)  # that nothing was to be found is not remembered
    with database.writing() as connection:
        settings, items = small_study()
        save_study(connection, settings, items, NOW)
        organisers.set_password(connection, "organiser", PASSWORD)
    with TestClient(create_app(database, now=Clock()), base_url=HERE) as client:
        desk = Desk(client, database, Clock())
        desk.log_in()
        assert "No page is finished yet" in desk.text("/organiser/results")
        assert client.get("/organiser/export/ratings.csv").status_code == 409
        for label in ("Ann", "Ben"):
            rater = desk.tell(join, label, NOW)
            for _ in range(3):
                desk.tell(finish_page, rater.id, NOW)
        text = desk.text("/organiser/results")
        assert "Krippendorff's alpha" in text
        assert "From 6 pages" in text


def test_ratings_are_collected_without_the_packages_that_analyse_them(desk, ann, monkeypatch):
    for module in ("scipy", "scipy.special", "scipy.stats", "pyarrow"):
        monkeypatch.setitem(sys.modules, module, None)
    assert "Ann" in desk.text("/organiser")
    assert desk.client.get("/organiser/export/ratings.csv").status_code == 200
    for path, needed in (("results", "scipy"), ("export/ratings.parquet", "pyarrow")):
        refused = desk.client.get(f"/organiser/{path}")
        assert refused.status_code == 501
        assert f"needs {needed}; install it with" in words(refused)


def test_what_takes_long_is_told_later(desk, ann, monkeypatch):
    """Pages do not wait for numbers that read the whole log."""
    ready = threading.Event()

    def slow(connection):
        assert ready.wait(20)
        return real(connection)

    real = cache._quality
    shelf = cache._Shelf(slow)
    desk.client.app.state.desk.quality = shelf
    monkeypatch.setattr(cache, "_PATIENCE", 0.05)
    assert "being computed" in desk.text("/organiser")
    assert "Being computed" in desk.text(f"/organiser/raters/{ann.public}")
    ready.set()
    monkeypatch.setattr(cache, "_PATIENCE", 60.0)
    assert "being computed" not in desk.text("/organiser")
    assert shelf.kept is not None


def test_nothing_is_computed_twice(desk, ann, monkeypatch):
    counted = []
    desk.client.app.state.desk.quality = cache._Shelf(lambda connection: counted.append(1) or {})
    for _ in range(3):
        desk.text("/organiser")
    assert len(counted) == 1
    desk.tell(start_page, ann.id, NOW)
    desk.text("/organiser")
    assert len(counted) == 2
    monkeypatch.setattr(cache, "_REST", 1e9)
    desk.tell(finish_page, ann.id, NOW)
    desk.text("/organiser")
    desk.tell(start_page, ann.id, NOW)
    desk.text("/organiser")
    assert len(counted) == 3  # the log grew again, but the last time was just now


# What its buttons do


def links_in(page: httpx.Response) -> list[str]:
    return re.findall(rf'value="({HERE}/join/[A-Za-z0-9_-]{{43}})"', page.text)


def test_personal_links_for_names(desk):
    page = desk.post("/organiser/invite", names="Ben\r\n\r\n  Cleo ", days="7")
    assert len(links_in(page)) == 2
    assert [rater.label for rater in desk.ask(people.raters_of)] == ["Ann", "Ben", "Cleo"]
    for link in links_in(page):
        token = link.rpartition("/")[2]
        assert desk.ask(people.invitation_state, token, NOW + 6.9 * DAY) == "valid"
        assert desk.ask(people.invitation_state, token, NOW + 7.1 * DAY) == "expired"
    table = unquote(re.search(r'href="data:text/csv;charset=utf-8,([^"]*)"', page.text)[1])
    assert [row["link"] for row in csv.DictReader(io.StringIO(table))] == links_in(page)


def test_links_are_shown_once(desk):
    token = links_in(desk.post("/organiser/invite", number="1"))[0].rpartition("/")[2]
    for path in ("/organiser", "/organiser/log"):
        assert token not in desk.client.get(path).text


def test_so_many_links_without_names_and_an_open_one(desk):
    assert len(links_in(desk.post("/organiser/invite", number="5"))) == 5
    assert len(desk.ask(people.raters_of)) == 6
    [link] = links_in(desk.post("/organiser/invite", kind="open", uses="30"))
    assert len(desk.ask(people.raters_of)) == 6
    assert "30 more people may join by open links" in desk.text("/organiser")
    assert desk.ask(people.invitation_state, link.rpartition("/")[2], NOW) == "valid"


@pytest.mark.parametrize(
    "fields",
    [
        {"number": "0"},
        {"number": "501"},
        {"number": "999999999"},
        {"number": "1.5"},
        {"number": "-1"},
        {"number": "many"},
        {"days": "0"},
        {"days": "366"},
        {"days": "٣"},
        {"kind": "open", "uses": "0"},
        {"kind": "open", "uses": "10001"},
        {"names": "x" * 201},
        {"names": "\n".join("x" for _ in range(501))},
    ],
)
def test_numbers_that_make_no_sense_invite_nobody(desk, fields):
    assert desk.post("/organiser/invite", **fields).status_code == 422
    assert len(desk.ask(people.raters_of)) == 1


def test_a_new_link_for_a_rater(desk, ann):
    [link] = links_in(desk.post(f"/organiser/raters/{ann.public}/invite"))
    _, rater = desk.tell(people.accept, link.rpartition("/")[2], NOW)
    assert rater.public == ann.public


def test_a_page_is_released(desk, ann):
    given = desk.tell(start_page, ann.id, NOW)
    assert f'name="page" value="{given.public}"' in desk.client.get(f"/organiser/raters/{ann.public}").text
    page = desk.post(f"/organiser/raters/{ann.public}/release", page=given.public)
    assert page.url == f"{HERE}/organiser/raters/{ann.public}?done=released"
    assert "The page was released" in words(page)
    assert "Under way 0" in desk.text("/organiser")
    again = desk.post(f"/organiser/raters/{ann.public}/release", page=given.public)
    assert again.status_code == 409
    assert "not open any more" in words(again)
    assert 'href="/organiser"' in again.text


def test_a_rater_is_taken_out_and_gets_no_link(desk, ann):
    page = desk.post(f"/organiser/raters/{ann.public}/leave")
    assert "The rater was taken out" in words(page)
    assert desk.ask(people.raters_of)[0].left == NOW
    assert desk.post(f"/organiser/raters/{ann.public}/invite").status_code == 422
    assert "Pages done 1 of 6" in desk.text("/organiser")


def test_erasing_needs_the_id(desk, ann):
    for typed in ("", "Ann", ann.public[:-1], ann.public.upper()):
        page = desk.post(f"/organiser/raters/{ann.public}/remove", confirm=typed)
        assert page.status_code == 422
        assert "Nothing was erased" in words(page)
        assert desk.ask(people.raters_of)[0].removed is None
    page = desk.post(f"/organiser/raters/{ann.public}/remove", confirm=f" {ann.public} ")
    assert page.url == f"{HERE}/organiser?done=removed"
    assert desk.ask(people.raters_of)[0].removed == NOW
    text = words(page)
    assert "1 rater erased" in text
    assert "Pages done 0 of 6" in text
    assert "Ann" not in text
    assert "were erased on" in desk.text(f"/organiser/raters/{ann.public}")


def test_a_study_is_closed_and_opened(desk):
    assert "nothing that raters send is kept now" in words(desk.post("/organiser/study", open="no"))
    assert not desk.ask(is_open)
    assert "The study is closed" in desk.text("/organiser")
    desk.post("/organiser/study", open="yes")
    assert desk.ask(is_open)
    assert desk.post("/organiser/study", open="perhaps").status_code == 422


# Downloads


@pytest.mark.parametrize("extension", ["csv", "tsv", "jsonl", "parquet"])
@pytest.mark.parametrize("kind", ["ratings", "all"])
def test_downloads_have_safe_names(desk, kind, extension):
    reply = desk.client.get(f"/organiser/export/{kind}.{extension}")
    assert reply.status_code == 200
    assert reply.headers["content-disposition"] == f'attachment; filename="plain-b-words-b-{kind}.{extension}"'
    assert reply.headers["cache-control"] == "no-store"
    assert len(reply.content) > 500


def test_a_download_is_what_was_rated(desk, ann):
    rows = list(csv.DictReader(io.StringIO(desk.client.get("/organiser/export/ratings.csv").text)))
    assert {row["rater"] for row in rows} == {ann.public}
    assert {row["system"] for row in rows} == set("abcde")
    everything = list(csv.DictReader(io.StringIO(desk.client.get("/organiser/export/all.csv").text)))
    assert {row["control"] for row in everything} == {"", "source"}


@pytest.mark.parametrize(
    "path", ["secret.csv", "ratings.exe", "ratings.db", "pairs.csv", "..%2Fratings.csv", "ratings.csv%00", "%2Fetc.csv"]
)
def test_there_are_no_other_downloads(desk, path):
    assert desk.client.get(f"/organiser/export/{path}").status_code == 404


def test_downloads_leave_nothing_behind(desk, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    kept = set(tmp_path.iterdir())
    assert desk.client.get("/organiser/export/ratings.csv").status_code == 200
    assert set(tmp_path.iterdir()) == kept


def test_pages_work_under_a_prefix(database):
    with database.writing() as connection:
        settings, items = small_study()
        save_study(connection, settings, items, NOW)
        organisers.set_password(connection, "organiser", PASSWORD)
    with TestClient(create_app(database, prefix="/study", now=Clock()), base_url=HERE) as client:
        login = client.get("/study/organiser")
        assert login.url == f"{HERE}/study/organiser/login"
        data = {"csrf": csrf_of(login), "name": "organiser", "password": PASSWORD}
        page = client.post("/study/organiser/login", data=data)
        assert page.url == f"{HERE}/study/organiser"
        assert not re.search(r'(?:href|src|action)="/(?!study/)', page.text)
        links = client.post("/study/organiser/invite", data={"csrf": csrf_of(page), "number": "1"})
        assert f"{HERE}/study/join/" in links.text
