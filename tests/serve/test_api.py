"""`/v1` over HTTP."""

from __future__ import annotations

import json
import logging

import httpx2 as httpx
import pytest
from tests.asynchronous import run_async
from tests.serve.conftest import LIMIT

import plainwright
from plainwright.errors import DataError
from plainwright.serve import api, documents
from plainwright.serve.app import create_app, serve
from plainwright.serve.limits import RateLimit
from plainwright.serve.settings import ServeSettings
from plainwright.serve.work import Work

TEXT = "They purchase it.\n\nThe principal 🙂 gate.\n"


def test_a_text_comes_back_in_plainer_words(client, model):
    done = client.post("/v1/simplify", json={"text": TEXT})
    assert done.status_code == 200
    answer = done.json()
    expected = plainwright.load(model).simplify(TEXT)
    assert {key: answer[key] for key in ("source", "text", "sentences")} == json.loads(json.dumps(expected.to_dict()))
    assert answer["text"] == "They buy it.\n\nThe main 🙂 gate.\n"
    assert answer["grade"]["after"] < answer["grade"]["before"]


def test_the_grade_is_the_one_that_a_check_gives(client):
    text = "Bring these:\n- the form\n- a purchase order\n"
    simplified, checked = (client.post(f"/v1/{name}", json={"text": text}).json() for name in ("simplify", "check"))
    assert simplified["grade"]["before"] == pytest.approx(checked["grade"], abs=0.01)


def test_the_request_says_what_stays(client):
    kept = client.post("/v1/simplify", json={"text": TEXT, "keep": ["principal"]}).json()
    assert kept["text"] == "They buy it.\n\nThe principal 🙂 gate.\n"
    plain = client.post("/v1/simplify", json={"text": TEXT, "max_grade": 30}).json()
    assert plain["text"] == TEXT


def test_the_request_says_how_bold(client):
    texts = {own: client.post("/v1/simplify", json={"text": "ample", "strength": own}).json()["text"] for own in (0, 1)}
    assert texts == {0: "ample", 1: "enough"}


def test_a_server_keeps_few_of_the_simplifiers_that_were_asked_for(model):
    work = Work(ServeSettings(model=model))
    for tenth in range(20):
        work._simplifier("plain", tenth / 20)
        work._simplifier("plain", 0.0)
    assert len(work._simplifiers) == 8
    assert ("plain", 0.0) in work._simplifiers
    work.close()


def test_long_texts_stream_paragraph_by_paragraph(client, model):
    text = TEXT * 60  # several steps
    with client.stream("POST", "/v1/simplify", json={"text": text, "stream": True}) as done:
        assert done.headers["content-type"] == "application/x-ndjson"
        lines = [json.loads(line) for line in done.iter_lines()]
    assert lines[-1] == {"done": True}
    assert "".join(line["source"] for line in lines[:-1]) == text
    assert "".join(line["text"] for line in lines[:-1]) == plainwright.simplify(text, model)
    assert len(lines) == 62  # a single line break ends no paragraph


def test_a_text_is_checked_without_changing_it(client):
    answer = client.post("/v1/check", json={"text": "The utilisation was commenced by the committee."}).json()
    assert answer["words"] == 7
    assert any(finding["rule"] for finding in answer["findings"])
    kept = client.post("/v1/check", json={"text": "We utilise it.", "keep": ["utilise"]}).json()
    assert kept["findings"] == []


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({}, "`text` is missing; /v1/openapi.json says what to send"),
        ({"text": 3}, "expected `str`, got `int` - at `$.text`"),
        ({"text": "a", "level": "hard"}, "`level`: expected one of light, plain, easy, found 'hard'"),
        ({"text": "a", "strength": 2}, "expected `float` <= 1.0 - at `$.strength`"),
        ({"text": "a", "txet": "b"}, "object contains unknown field `txet`"),
        ([], "expected `object`, got `array`"),
    ],
)
def test_malformed_requests_are_told_what_is_wrong(client, body, sentence):
    done = client.post("/v1/simplify", json=body)
    assert done.status_code == 400
    assert done.json()["error"] == {
        "reason": "malformed",
        "message": f"the body is not what this address takes: {sentence}",
    }


def test_messages_name_json_and_the_method_that_fits(client):
    broken = client.post("/v1/simplify", content=b"{", headers={"content-type": "application/json"})
    assert "takes: " in broken.json()["error"]["message"]
    broken = client.post("/v1/simplify", content=b"{'a'}", headers={"content-type": "application/json"})
    assert ": JSON is malformed" in broken.json()["error"]["message"]
    assert client.get("/v1/simplify").json()["error"]["message"] == "this address takes POST, not GET"
    assert client.post("/v1/openapi.json").json()["error"]["message"] == "this address takes GET, not POST"


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b'{"text": "\xff"}', b"[" * 100_000])
def test_bodies_that_are_no_json_are_refused(client, body):
    done = client.post("/v1/simplify", content=body, headers={"content-type": "application/json"})
    assert done.status_code in (400, 413, 415)
    assert "error" in done.json()


def test_texts_and_bodies_that_are_too_long_are_refused(client):
    done = client.post("/v1/simplify", json={"text": "a" * (LIMIT + 1)})
    assert (done.status_code, done.json()["error"]["reason"]) == (413, "large")
    giant = client.post("/v1/simplify", json={"text": "a" * 1_000_000})
    assert (giant.status_code, giant.json()["error"]["reason"]) == (413, "large")
    assert client.post("/v1/simplify", json={"text": "a" * LIMIT}).status_code == 200


@pytest.mark.parametrize(
    "text",
    ["", " \n", "\u202e<script>", "a\x00b", "\ud83d".encode("utf-8", "surrogatepass").decode("utf-8", "replace")],
)
def test_odd_texts_come_back_as_they_are(client, text):
    assert client.post("/v1/simplify", json={"text": text}).json()["text"] == text


def test_a_lone_surrogate_in_json_does_no_harm(client):
    done = client.post("/v1/simplify", content=b'{"text": "a \\ud800 b"}', headers={"content-type": "application/json"})
    assert done.status_code in (200, 400)


def test_the_description_names_every_path(client):
    described = client.get("/v1/openapi.json").json()
    assert described["openapi"] == "3.1.0"
    paths = {route.path for route in (*api.api_routes, *documents.document_routes)}
    assert set(described["paths"]) == (paths | {"/health"}) - {"/v1/openapi.json", "/review/document"}
    named = [own["name"] for own in described["paths"]["/v1/documents"]["post"]["parameters"]]
    assert named == list(documents.DocumentRequest.__struct_fields__)
    schema = described["components"]["schemas"]["SimplifyRequest"]
    assert set(schema["properties"]) == {"text", "level", "strength", "max_grade", "keep", "stream"}
    assert schema["required"] == ["text"]


def test_health_and_unknown_addresses(client):
    assert client.get("/health").json() == {"status": "ok", "version": plainwright.__version__}
    assert client.get("/nothing").json()["error"]["reason"] == "unknown"
    assert client.get("/v1/simplify").status_code == 405


def test_answers_are_not_kept_and_load_nothing(client):
    headers = client.get("/health").headers
    assert headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in client.get("/health", headers={"origin": "https://a.example"}).headers


def ask(work: Work, path: str, *, address: str = "203.0.113.5", **options) -> httpx.Response:
    """A request from another machine."""

    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(create_app(work), client=(address, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            return await client.request("POST", path, **options)

    return run_async(send())


def test_other_sites_may_ask_if_they_are_named(model):
    work = Work(ServeSettings(model=model, origins=("https://a.example",)))
    named = ask(work, "/v1/simplify", json={"text": "a"}, headers={"origin": "https://a.example"})
    other = ask(work, "/v1/simplify", json={"text": "a"}, headers={"origin": "https://b.example"})
    assert named.headers["access-control-allow-origin"] == "https://a.example"
    for site, status in (("https://a.example", 200), ("https://b.example", 403)):
        headers = {"origin": site, "sec-fetch-site": "cross-site"}
        assert ask(work, "/v2/check", data={"text": "a", "language": "en"}, headers=headers).status_code == status
    assert "access-control-allow-origin" not in other.headers


def test_a_text_that_takes_too_long_is_given_up(model):
    work = Work(ServeSettings(model=model, seconds=1e-9))
    done = ask(work, "/v1/simplify", json={"text": TEXT * 200})
    assert (done.status_code, done.json()["error"]["reason"]) == (503, "slow")
    assert work.under_way == 0


def test_an_error_of_ours_is_logged_without_the_text(model, caplog, monkeypatch):
    work = Work(ServeSettings(model=model))

    def fail(*_, **__):
        raise ValueError("".join(reversed("terces")))

    monkeypatch.setattr(work, "simplified", fail)
    with caplog.at_level(logging.DEBUG):
        done = ask(work, "/v1/simplify", json={"text": "secret"})
    assert (done.status_code, done.json()["error"]["reason"]) == (500, "bug")
    assert "ValueError in /v1/simplify" in caplog.text
    assert "secret" not in caplog.text


def test_addresses_have_a_minute_s_requests_and_this_machine_any_number():
    time = [0.0]
    limit = RateLimit(3, now=lambda: time[0])
    assert [limit.wait("203.0.113.5") for _ in range(4)] == [0, 0, 0, 20]
    assert limit.wait("203.0.113.6") == 0
    assert [limit.wait("127.0.0.1") for _ in range(99)] == [0] * 99
    time[0] = 20.0
    assert limit.wait("203.0.113.5") == 0
    assert limit.wait("203.0.113.5") == 20


def test_requests_that_come_too_fast_are_told_when_to_come_back(model):
    work = Work(ServeSettings(model=model, per_minute=1))
    app = create_app(work)

    async def send() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app, client=("203.0.113.5", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            return [await client.post("/v2/check", data={"text": "a", "language": "en-US"}) for _ in range(2)]

    first, second = run_async(send())
    assert (first.status_code, second.status_code) == (200, 429)
    assert second.headers["retry-after"] == "60"
    assert second.text == "Error: Too many requests in a minute"


def test_other_machines_need_https_or_a_word():
    with pytest.raises(DataError, match=r"--host 0\.0\.0\.0: expected HTTPS"):
        serve(ServeSettings(), host="0.0.0.0")


def test_limits_are_above_nothing():
    with pytest.raises(DataError, match="characters must be above 0; got 0"):
        ServeSettings(characters=0)
