"""`/v2`, LanguageTool's interface, over HTTP."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.report.rewriting_examples import TEXT, rewritten
from tests.serve.conftest import LIMIT

from plainwright.rewrite import Edit, SimplifiedSentence, SimplifiedText
from plainwright.serve.languagetool.annotated import AnnotatedText, units
from plainwright.serve.languagetool.matches import matches_of

EMOJI = "🙂🙂 They purchase the principal gate."


def check(client, **parameters):
    done = client.post("/v2/check", data={"language": "en-US", **parameters})
    assert done.status_code == 200, done.text
    return done.json()


def marked(sent: str, match) -> str:
    """The words that a match marks, counted in UTF-16 as its clients count."""
    raw = sent.encode("utf-16-le")
    return raw[2 * match["offset"] : 2 * (match["offset"] + match["length"])].decode("utf-16-le")


def test_offsets_count_utf_16_units(client):
    matches = check(client, text=EMOJI)["matches"]
    assert [(marked(EMOJI, own), own["replacements"]) for own in matches] == [
        ("purchase", [{"value": "buy"}]),
        ("principal", [{"value": "main"}]),
    ]
    assert matches[0]["offset"] == 10  # two emoji of two units each, a space, "They", a space


def test_every_field_is_there(client):
    answer = check(client, text=EMOJI)
    assert set(answer) == {
        "software",
        "warnings",
        "language",
        "matches",
        "sentenceRanges",
        "extendedSentenceRanges",
    }
    assert set(answer["software"]) >= {"name", "version", "buildDate", "apiVersion", "premium", "premiumHint", "status"}
    assert answer["language"]["detectedLanguage"]["code"] == "en-US"
    first = answer["matches"][0]
    assert first == {
        "message": "Plainer words: [VB] purchase → buy",
        "shortMessage": "Plainer words",
        "replacements": [{"value": "buy"}],
        "offset": 10,
        "length": 8,
        "context": {"text": EMOJI, "offset": 10, "length": 8},
        "sentence": EMOJI,
        "type": {"typeName": "Hint"},
        "rule": {
            "id": "PLAINWRIGHT_WORDS",
            "subId": "1",
            "sourceFile": "",
            "description": "Hard or wordy phrases with plainer ones",
            "issueType": "style",
            "urls": [],
            "category": {"id": "STYLE", "name": "Style"},
            "isPremium": False,
        },
        "ignoreForIncompleteSentence": False,
        "contextForSureMatch": 0,
    }
    assert answer["sentenceRanges"] == [[0, 38]]  # 36 characters, two of them of two units


def test_context_is_cut_as_the_original_cuts_it(client):
    text = "One two three four five six seven eight nine. They purchase it.\nThen they rest for a long while indeed."
    context = check(client, text=text)["matches"][0]["context"]
    assert context["text"].startswith("...")
    assert context["text"].endswith("...")
    assert context["text"][context["offset"] :][: context["length"]] == "purchase"
    assert "\n" not in context["text"]


def test_get_works_as_post_does(client):
    done = client.get("/v2/check", params={"language": "en-US", "text": EMOJI}).json()
    assert done["matches"] == check(client, text=EMOJI)["matches"]


@pytest.mark.parametrize(
    "body",
    [
        "text=They purchase 100 % of it & more; a=b+c 🙂.&language=en-US",
        "text=They purchase 100 % of it & more; a=b+c 🙂.&language=en-US&level=picky",
        "text=They purchase it.\nThe & gate.\n&language=en-US",
    ],
)
def test_bodies_that_nobody_encoded_are_read(client, body):
    sent = body.removeprefix("text=").partition("&language")[0]
    done = client.post(
        "/v2/check", content=body.encode(), headers={"content-type": "application/x-www-form-urlencoded"}
    )
    assert done.status_code == 200
    assert [marked(sent, own) for own in done.json()["matches"]] == ["purchase"]


# LTeX says that its forms are JSON.
@pytest.mark.parametrize(
    "kind", ["text/plain", "application/json", "application/x-www-form-urlencoded; charset=UTF-8", None]
)
def test_the_type_of_a_body_does_not_matter(client, kind):
    headers = {} if kind is None else {"content-type": kind}
    done = client.post("/v2/check", content=b"text=They+purchase+it.&language=en-US", headers=headers)
    assert len(done.json()["matches"]) == 1


def annotation(*parts) -> str:
    return json.dumps({"annotation": list(parts)})


def test_markup_counts_but_is_not_read(client):
    parts = ({"text": "🙂 They "}, {"markup": "<b>"}, {"text": "purchase"}, {"markup": "</b>"}, {"text": " it."})
    matches = check(client, data=annotation(*parts))["matches"]
    sent = "🙂 They <b>purchase</b> it."
    assert [marked(sent, own) for own in matches] == ["purchase"]


def test_what_reaches_across_markup_is_left_alone(client):
    parts = ({"text": "Go there in "}, {"markup": "<i>"}, {"text": "order"}, {"markup": "</i>"}, {"text": " to rest."})
    assert check(client, data=annotation(*parts))["matches"] == []


def test_what_stands_for_markup_is_read_but_never_marked(client):
    parts = (
        {"text": "They "},
        {"markup": "`x()`", "interpretAs": "purchase"},
        {"text": " it."},
        {"markup": "<br>", "interpretAs": "\n\n"},
        {"text": "They purchase it."},
    )
    sent = "They `x()` it.<br>They purchase it."
    assert [marked(sent, own) for own in check(client, data=annotation(*parts))["matches"]] == ["purchase"]


def test_keys_that_we_do_not_know_are_passed_over(client):
    data = json.dumps({"annotation": [{"text": "They purchase it.", "offset": {"x": 1}}], "metaData": {"title": ""}})
    assert len(check(client, data=data)["matches"]) == 1
    assert len(check(client, text=EMOJI, useragent="x", motherTongue="de", level="picky", mode="all")["matches"]) == 2


def test_rules_and_categories_can_be_switched_off(client):
    assert check(client, text=EMOJI, disabledRules="A,PLAINWRIGHT_WORDS")["matches"] == []
    assert check(client, text=EMOJI, disabledCategories="STYLE")["matches"] == []
    assert check(client, text=EMOJI, enabledOnly="true", enabledRules="OTHER")["matches"] == []
    assert len(check(client, text=EMOJI, enabledOnly="true", enabledCategories="STYLE")["matches"]) == 2


def test_languages(client):
    assert check(client, text=EMOJI, language="auto", preferredVariants="de-AT,en-GB")["language"]["code"] == "en-GB"
    german = "Die Ärztin kam vor dem Treffen an, und danach bekam sie alle Unterlagen. They purchase."
    assert check(client, text=german, language="auto")["matches"] == []
    assert check(client, text=EMOJI, language="de-DE")["matches"] == []
    listed = client.get("/v2/languages").json()
    assert {"name": "English (US)", "code": "en", "longCode": "en-US"} in listed
    assert client.get("/v2/info").json()["software"]["name"] == "plainwright"
    assert client.get("/v2/maxtextlength").text == str(LIMIT)
    assert client.get("/v2/healthcheck").text == "OK"


@pytest.mark.parametrize(
    ("parameters", "status", "message"),
    [
        ({"language": "en-US"}, 400, "Error: Missing 'text' or 'data' parameter"),
        ({"text": "a"}, 400, "Error: Missing 'language' parameter, e.g. 'language=en-US'"),
        ({"text": "a", "data": "{}", "language": "en"}, 400, "Error: Set only 'text' or 'data' parameter, not both"),
        ({"data": "{", "language": "en"}, 400, "Error: Could not parse JSON from 'data' parameter"),
        ({"data": "{}", "language": "en"}, 400, "Error: 'data' key in JSON requires 'text' or 'annotation' key"),
        (
            {"data": '{"annotation": [{}]}', "language": "en"},
            400,
            "Error: Each annotation needs either 'text' or 'markup'",
        ),
        (
            {"text": "a" * (LIMIT + 1), "language": "en"},
            413,
            "Error: Your text exceeds the limit of 5000 characters (it's 5001 characters). "
            "Please submit a shorter text.",
        ),
    ],
)
def test_mistakes_are_told_as_the_original_tells_them(client, parameters, status, message):
    done = client.post("/v2/check", data=parameters)
    assert (done.status_code, done.text) == (status, message)
    assert done.headers["content-type"].startswith("text/plain")


def test_empty_text_has_no_matches(client):
    assert check(client, text="")["matches"] == []


def test_deletions_take_a_word_along(client):
    [match] = check(client, text="Go there in order to rest.")["matches"]
    assert (match["replacements"], match["length"]) == ([{"value": "to"}], len("in order to"))


def edit(source: str, words: str, target: str, group: int, kind: str = "replace") -> Edit:
    start = source.index(words)
    return Edit(
        kind=kind,
        source_span=(start, start + len(words)),
        target_span=(0, 0),
        source_text=words,
        target_text=target,
        group=group,
    )


def result_of(source: str, *edits: Edit) -> SimplifiedText:
    sentence = SimplifiedSentence(source=source, text="", score=None, edits=edits)
    return SimplifiedText(source=source, text="", sentences=(sentence,))


def test_groups_that_overlap_are_one_match_with_all_of_them_first():
    source = "The gate, which is principal, is red."
    edits = (
        edit(source, ", which", "", 0, "delete"),
        edit(source, "principal", "main", 1),
        edit(source, ", is red", ". It is red", 0, "split"),
    )
    [match] = matches_of(AnnotatedText.plain(source), 0, result_of(source, *edits))
    assert marked(source, match) == ", which is principal, is red"
    assert [own["value"] for own in match["replacements"]] == [
        " is main. It is red",
        " is principal. It is red",
        ", which is main, is red",
    ]
    assert match["rule"]["id"] == "PLAINWRIGHT_SPLIT"


def test_what_would_leave_nothing_takes_the_next_word_or_the_one_before():
    source = "Go there really now."
    [match] = matches_of(AnnotatedText.plain(source), 0, result_of(source, edit(source, " really", "", 0, "delete")))
    assert (marked(source, match), match["replacements"]) == ("really now.", [{"value": "now."}])
    source = "Go there now"
    [match] = matches_of(AnnotatedText.plain(source), 0, result_of(source, edit(source, " now", "", 0, "delete")))
    assert (marked(source, match), match["replacements"]) == ("there now", [{"value": "there"}])


@pytest.mark.parametrize("text", [TEXT, TEXT * 3, f"🙂{TEXT}"])
def test_taking_the_first_suggestion_everywhere_gives_the_simplified_text(text):
    annotated, parts, at = AnnotatedText.plain(text), rewritten(text), 0
    found = []
    for part in parts:
        found += matches_of(annotated, at, part)
        at += len(part.source)
    raw = text.encode("utf-16-le")
    for match in sorted(found, key=lambda own: -own["offset"]):
        start, end = 2 * match["offset"], 2 * (match["offset"] + match["length"])
        raw = raw[:start] + match["replacements"][0]["value"].encode("utf-16-le") + raw[end:]
    assert raw.decode("utf-16-le") == "".join(part.text for part in parts) != text


@given(st.lists(st.tuples(st.sampled_from(["text", "markup", "as"]), st.text(max_size=5)), max_size=8))
def test_places_of_characters_are_where_the_client_put_them(parts):
    sent, read, annotations = "", "", []
    for kind, text in parts:
        sent += text
        read += text if kind != "markup" else ""
        key = {"as": {"markup": text, "interpretAs": text}}.get(kind, {kind: text})
        annotations.append(key)
    annotated = AnnotatedText.parse(json.dumps({"annotation": annotations}))
    assert annotated.text == read
    assert annotated.places[-1] == units(sent)
    assert len(annotated.places) == len(read) + 1
    assert list(annotated.places) == sorted(annotated.places)
    assert "".join(block.text for _, block in annotated.blocks()) == read
