"""`/v1/evaluate` over HTTP."""

from __future__ import annotations

import json
import threading
import warnings
from typing import ClassVar

import pytest
from tests.serve.conftest import LIMIT

import plainwright
from plainwright import metrics
from plainwright.errors import PlainwrightError
from plainwright.extras import extra_for
from plainwright.serve import api

SOURCES = ["The ferry, which was old, departed at noon.", "We utilise it prior to lunch.", "Dogs bark."]
OUTPUTS = ["The old ferry left at noon.", "We use it before lunch.", "Dogs bark."]
REFERENCES = [["The old ferry left at noon.", "The ferry was old. It left at noon."], ["We use it."], ["Dogs bark."]]
TEXTS = {"sources": SOURCES, "outputs": OUTPUTS}
ALL = {**TEXTS, "references": REFERENCES}


def evaluate(client, **asked):
    done = client.post("/v1/evaluate", json=asked)
    assert done.status_code == 200, done.text
    return done.json()


def refused(client, **asked) -> str:
    done = client.post("/v1/evaluate", json=asked)
    assert done.status_code == 400
    return done.json()["error"]["message"]


@pytest.mark.parametrize("chosen", [None, ["sari", "ld", "tbleu"]])
def test_scores_are_those_of_the_library(client, chosen):
    answer = evaluate(client, **ALL, metrics=chosen, per_sentence=True)
    expected = plainwright.evaluate(OUTPUTS, sources=SOURCES, references=REFERENCES, metrics=chosen)
    assert answer == expected.to_dict(per_sentence=True)
    [system] = answer["systems"]
    assert system["scores"]["sari"]["value"] == expected.systems[0].scores["sari"].value
    assert system["scores"]["sari"]["signature"].startswith("sari|variant:xu2016|")


def test_scores_of_segments_and_intervals_come_if_asked_for(client):
    [plain] = evaluate(client, **ALL, metrics=["sari"], intervals=False)["systems"]
    assert "per_sentence" not in plain
    assert plain["scores"]["sari"]["interval"] is None
    [whole] = evaluate(client, **ALL, metrics=["sari"], per_sentence=True)["systems"]
    assert len(whole["per_sentence"]["sari"]) == 3
    assert whole["scores"]["sari"]["interval"] is not None


def test_a_request_says_the_variant_the_tokens_and_the_case(client):
    [system] = evaluate(client, **ALL, metrics=["sari"], variants={"sari": ["easse", "equations"]})["systems"]
    easse = metrics.create("sari", variant="easse", tokenizer="13a").corpus_score(SOURCES, OUTPUTS, REFERENCES)
    assert list(system["scores"]) == ["sari=easse", "sari=equations"]
    assert system["scores"]["sari=easse"]["value"] == easse.value
    [system] = evaluate(client, **ALL, metrics=["bleu"], tokenizer="none", lowercase=True)["systems"]
    assert "|case:lc|tok:none|" in f"|{system['scores']['bleu']['signature']}"


def test_without_references_the_default_is_what_can_do_without(client):
    answer = evaluate(client, **TEXTS)
    assert list(answer["systems"][0]["scores"]) == ["fk", "profile"]
    assert "sari is left out: it needs references" in answer["warnings"]


def test_warnings_name_fields_and_are_told_to_the_client_alone(client):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a warning would end up in the log of the server
        shouted = {**ALL, "outputs": [text.lower() for text in OUTPUTS]}
        [warning] = evaluate(client, **shouted, metrics=["bleu"])["warnings"]
    assert "pass `lowercase` to compare" in warning


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({**ALL, "outputs": OUTPUTS[:2]}, "evaluate needs one entry per segment; got 2 outputs and 3 sources"),
        ({**ALL, "references": REFERENCES[:1]}, "evaluate needs one entry per segment; got 3 outputs and 1 references"),
        ({**ALL, "references": [["a"], [], ["b"]]}, "sari: references[1] is empty; every segment needs at least one"),
        ({**TEXTS, "metrics": ["sari"]}, "sari needs references; the request has none"),
        ({**ALL, "metrics": ["saro"]}, "unknown metric 'saro'; did you mean sari?"),
        ({**ALL, "variants": {"sari": "eese"}}, "unknown variant of sari 'eese'; did you mean easse?"),
        ({**ALL, "variants": {"bleu": "easse"}}, "unknown metric in `variants` 'bleu'; did you mean"),
        ({**ALL, "tokenizer": "moses"}, "unknown tokenizer of sari 'moses'; choose one of none, 13a, intl"),
        ({**ALL, "sources": []}, "takes: expected `array` of length >= 1 - at `$.sources`"),
        ({**ALL, "outputs": []}, "takes: expected `array` of length >= 1 - at `$.outputs`"),
        ({**ALL, "metrics": []}, "takes: expected `array` of length >= 1 - at `$.metrics`"),
        ({"outputs": OUTPUTS}, "takes: `sources` is missing; /v1/openapi.json says what to send"),
        ({**TEXTS, "references": SOURCES}, "takes: expected `array`, got `str` - at `$.references[0]`"),
        ({**ALL, "metric": "sari"}, "takes: object contains unknown field `metric`"),
    ],
)
def test_what_cannot_be_scored_is_told_in_a_sentence(client, asked, sentence):
    message = refused(client, **asked)
    assert sentence in message
    assert "\n" not in message


class Needy(metrics.FK):
    name: ClassVar[str] = "needy"

    def __init__(self, **options: str) -> None:
        with extra_for("needy", "lens"):
            import no_such_package  # noqa: F401


def test_models_and_extras_that_are_missing_are_named(client, monkeypatch, tmp_path):
    monkeypatch.setenv("PLAINWRIGHT_JUDGE", str(tmp_path / "nothing"))
    assert "judge" in refused(client, **ALL, metrics=["judge"])
    monkeypatch.setitem(metrics._REGISTRY.parts, "needy", Needy)
    message = refused(client, **ALL, metrics=["needy"])
    assert message == "needy needs no_such_package; install it with `pip install 'plainwright[lens]'`"


def test_a_learned_metric_gives_its_values_and_keeps_no_text(client):
    lens = pytest.importorskip("plainwright.lens.scorer")
    try:
        lens.open_scorer(None)
    except PlainwrightError as error:
        pytest.skip(str(error))
    lens._kept.cache_clear()
    answer = evaluate(client, **ALL, metrics=["lens", "lens"], per_sentence=True)
    scorer = lens.open_scorer(None)
    assert scorer._store is None
    expected = plainwright.evaluate(OUTPUTS, sources=SOURCES, references=REFERENCES, metrics=["lens"])
    assert scorer._store is not None  # the library remembers
    assert answer == expected.to_dict(per_sentence=True)


def test_texts_are_limited_together_and_empty_ones_count(client):
    for sources in (["a" * (LIMIT - 10), "b" * 10], [""] * LIMIT):
        done = client.post("/v1/evaluate", json={"sources": sources, "outputs": ["a"] * len(sources)})
        assert (done.status_code, done.json()["error"]["reason"]) == (413, "large")
    fits = {"sources": ["a" * (LIMIT - 1)], "outputs": ["a"]}
    assert client.post("/v1/evaluate", json=fits).status_code == 200
    assert client.post("/v1/evaluate", json={**fits, "references": [["a"]]}).status_code == 413


def test_others_are_answered_while_texts_are_scored(client, monkeypatch):
    begun, go_on = threading.Event(), threading.Event()

    def slow(asked):
        begun.set()
        return {"in_time": go_on.wait(20)}

    monkeypatch.setattr(api, "scores", slow)
    answers = []
    asking = threading.Thread(target=lambda: answers.append(evaluate(client, **ALL)))
    asking.start()
    assert begun.wait(20)
    assert client.get("/health", timeout=10).status_code == 200
    go_on.set()
    asking.join()
    assert answers == [{"in_time": True}]


def test_the_description_has_what_is_asked(client):
    described = client.get("/v1/openapi.json").json()
    schema = described["components"]["schemas"]["EvaluateRequest"]
    assert schema["required"] == ["sources", "outputs"]
    assert set(schema["properties"]) == set(api.EvaluateRequest.__struct_fields__)
    answer = described["paths"]["/v1/evaluate"]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
    assert set(answer["properties"]) <= set(json.loads(json.dumps(evaluate(client, **ALL))))
