"""The addresses under `/v2` that clients ask."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from plainwright import __version__
from plainwright.rewrite.types import without_surrogates
from plainwright.serve.api import work_of
from plainwright.serve.languagetool.annotated import AnnotatedText
from plainwright.serve.languagetool.matches import matches_of
from plainwright.serve.languagetool.parameters import parameters_of, rules_wanted
from plainwright.text import sentence_spans
from plainwright.text.frequencies import zipf
from plainwright.web.replies import Refusal, json_reply

__all__ = ["languagetool_routes"]

_VARIANTS = {
    "en": "English",
    "en-AU": "English (Australian)",
    "en-CA": "English (Canadian)",
    "en-GB": "English (GB)",
    "en-NZ": "English (New Zealand)",
    "en-ZA": "English (South African)",
    "en-US": "English (US)",
}
_COMMON = 4.0  # on the Zipf scale: about the 7,000 most frequent words
_WORDS_READ = 200
_ENGLISH = 0.45  # share of common words; other languages have about a fifth
_FEW = 8  # words that are too few to tell
_WORD = re.compile(r"[^\W\d_]{3,}")  # shorter ones are common in too many languages
_BY_CASE = {code.lower(): code for code in _VARIANTS}


async def _check(request: Request) -> Response:
    parameters, work = parameters_of(request), work_of(request)
    if not (request.state.admitted or request.app.state.keys.admits(parameters.get("apiKey", ""))):
        raise Refusal(403, "key", "This server needs a key as 'apiKey' parameter")
    annotated, limit = _text(parameters), work.settings.characters
    code, confidence = _language(parameters, annotated.text)
    if len(annotated.text) > limit:
        sentence = f"Your text exceeds the limit of {limit} characters (it's {len(annotated.text)} characters)."
        raise Refusal(413, "large", f"{sentence} Please submit a shorter text.")
    matches: list[dict[str, Any]] = []
    if code in _VARIANTS and confidence >= _ENGLISH:
        starts, blocks = zip(*annotated.blocks(), strict=True) if annotated.text else ((), ())
        places = iter(starts)
        async for step in work.simplified(blocks):
            matches += [match for own in step for match in matches_of(annotated, next(places), own.result)]
    wanted = [own for own in matches if rules_wanted(parameters, own["rule"]["id"], own["rule"]["category"]["id"])]
    return json_reply(_answer(annotated, code, confidence, wanted))


def _text(parameters: Mapping[str, str]) -> AnnotatedText:
    if "text" in parameters and "data" in parameters:
        raise Refusal(400, "malformed", "Set only 'text' or 'data' parameter, not both")
    if "text" in parameters:
        return AnnotatedText.plain(parameters["text"])
    if "data" in parameters:
        return AnnotatedText.parse(parameters["data"])
    raise Refusal(400, "malformed", "Missing 'text' or 'data' parameter")


def _language(parameters: Mapping[str, str], text: str) -> tuple[str, float]:
    """Return the language by its code, and how sure that is; one that is not English is passed through."""
    given = parameters.get("language", "")
    if not given:
        raise Refusal(400, "malformed", "Missing 'language' parameter, e.g. 'language=en-US'")
    if given == "auto":
        preferred = [own.strip() for own in parameters.get("preferredVariants", "").split(",")]
        code = next((_BY_CASE[own.lower()] for own in preferred if own.lower() in _BY_CASE), "en-US")
        return code, _common_share(text)
    return _BY_CASE.get(given.lower(), given[:20]), 1.0


def _common_share(text: str) -> float:
    """Return how many of the first words are common in English: most in English text, few in any other."""
    words = [word.lower() for word in itertools.islice(_WORD.findall(text), _WORDS_READ)]
    share = sum(zipf(word) >= _COMMON for word in words) / max(1, len(words))
    return round(share if len(words) >= _FEW else max(share, 0.5), 2)


def _answer(annotated: AnnotatedText, code: str, confidence: float, matches: list[dict[str, Any]]) -> dict[str, Any]:
    name = _VARIANTS.get(code, code)
    spans = [annotated.span(*span) for span in sentence_spans(without_surrogates(annotated.text))]
    ranges = [[offset, offset + length] for offset, length in spans]
    return {
        "software": {**_SOFTWARE, "apiVersion": 1, "premiumHint": "", "status": ""},
        "warnings": {"incompleteResults": False},
        "language": {
            "name": name,
            "code": code,
            "detectedLanguage": {"name": name, "code": code, "confidence": confidence, "source": "words"},
        },
        "matches": matches,
        "sentenceRanges": ranges,
        "extendedSentenceRanges": [
            {"from": start, "to": end, "detectedLanguages": [{"language": code[:2], "rate": 1.0}]}
            for start, end in ranges
        ],
    }


_SOFTWARE = {"name": "plainwright", "version": __version__, "buildDate": "", "commit": "", "premium": False}


async def _languages(request: Request) -> Response:
    return json_reply([{"name": name, "code": code[:2], "longCode": code} for code, name in _VARIANTS.items()])


async def _info(request: Request) -> Response:
    return json_reply({"software": _SOFTWARE})


async def _most_characters(request: Request) -> Response:
    return PlainTextResponse(str(work_of(request).settings.characters))


async def _healthy(request: Request) -> Response:
    return PlainTextResponse("OK")


languagetool_routes: list[Any] = [
    Route("/v2/check", _check, methods=["GET", "POST"]),
    Route("/v2/languages", _languages),
    Route("/v2/info", _info),
    Route("/v2/maxtextlength", _most_characters),
    Route("/v2/healthcheck", _healthy),
]
