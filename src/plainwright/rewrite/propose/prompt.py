"""A language model behind an OpenAI-compatible address as a proposer.

Nothing is sent before `propose` is called, and the first time it says where. What came back is kept on disk by the
digest of what was asked, so a run that was stopped goes on for free. The key comes from the environment alone.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import re
import threading
import time
import urllib.error
import urllib.request
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from plainwright.errors import DataError, PlainwrightWarning
from plainwright.files import atomic_write, read_text
from plainwright.rewrite.propose.whole import WholeProposal, is_prose
from plainwright.rewrite.types import Proposals, Sentence

__all__ = ["PROMPTS", "PromptProposer", "Prompted"]

PROMPTS = ("zero-shot", "few-shot")
_PLACE = "{input}"
_LARGEST_ANSWER = 1 << 20
_FAILURES_IN_A_ROW = 3  # after which nothing more is sent
_WAITS = (0.5, 2.0, 8.0)  # seconds before another try
_WORTH_ANOTHER_TRY = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
_LEAD = re.compile(
    r"^(?:(?:simplified|plain|output|rewritten|rewrite|sentence|version|answer)\b[^:\n]{0,30}:\s*)+", re.I
)
_QUOTES = (('"', '"'), ("“", "”"), ("'", "'"))


@dataclass(frozen=True, slots=True)
class Prompted:
    """Evidence: the model that wrote a sentence, and where it runs."""

    model: str
    host: str

    def __str__(self) -> str:
        return f"{self.model} at {self.host}"

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return {"kind": "prompt", "model": self.model, "host": self.host}


class _EndpointError(Exception):
    """The endpoint gave no answer that can be used."""


class PromptProposer:
    """Asks a language model to rewrite each sentence."""

    name = "prompt"

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        prompt: str = "zero-shot",
        key_variable: str = "OPENAI_API_KEY",
        timeout: float = 60.0,
        retries: int = 2,
        concurrency: int = 4,
        temperature: float = 0.0,
        cache: str | None = None,
    ) -> None:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            msg = f"base_url: expected an address such as http://127.0.0.1:8080/v1, got {base_url!r:.80}"
            raise DataError(msg)
        if not (timeout > 0 and 0 <= retries <= len(_WAITS) and 1 <= concurrency <= 64 and 0 <= temperature <= 2):
            msg = (
                f"expected timeout above 0, retries from 0 to {len(_WAITS)}, concurrency from 1 to 64 and temperature "
                f"from 0 to 2; got {timeout}, {retries}, {concurrency} and {temperature}"
            )
            raise DataError(msg)
        self._url = base_url.rstrip("/") + "/chat/completions"
        self._host = parts.netloc.rpartition("@")[2]
        self._model = model
        self._prompt = _read_prompt(prompt)
        self._key = os.environ.get(key_variable, "")
        self._timeout, self._retries, self._concurrency = timeout, retries, concurrency
        self._temperature = temperature
        self._cache = Path(cache) if cache is not None else _cache_directory()
        self._said_where = False
        self._failures = 0
        self._lock = threading.Lock()

    def propose(self, sentences: Sequence[Sentence], *, limit: int, threads: int) -> list[Proposals]:
        """Return at most `limit` rewrites of each sentence; none where the endpoint has no answer."""
        del threads  # what takes time happens elsewhere; `concurrency` bounds it
        asked = [(n, sample) for n, one in enumerate(sentences) if is_prose(one.text) for sample in range(limit)]
        if asked and not self._said_where:
            self._said_where = True
            warnings.warn(PlainwrightWarning(f"sentences are sent to {self._host} ({self._model})"), stacklevel=2)
        with ThreadPoolExecutor(self._concurrency) as pool:
            answers = list(pool.map(lambda pair: self._answer(sentences[pair[0]].text, pair[1]), asked))
        texts: list[dict[str, None]] = [{} for _ in sentences]
        for (number, _), answer in zip(asked, answers, strict=True):
            if answer:
                texts[number][answer] = None
        return [Proposals(self._proposal(one, text) for text in own) for one, own in zip(sentences, texts, strict=True)]

    def _proposal(self, sentence: Sentence, text: str) -> WholeProposal:
        return WholeProposal(sentence, text, origin=self.name, evidence=(Prompted(self._model, self._host),))

    def _answer(self, sentence: str, sample: int) -> str:
        question: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": "user", "content": self._prompt.replace(_PLACE, sentence)}],
            "temperature": self._temperature if sample == 0 else max(self._temperature, 0.7),
            "max_tokens": 64 + len(sentence),  # a token has more than one character
            "seed": sample,
        }
        data = json.dumps(question, sort_keys=True).encode()
        kept = self._cache / f"{hashlib.sha256(self._url.encode() + data).hexdigest()}.json"
        try:
            answer = json.loads(kept.read_text(encoding="utf-8"))["answer"]
            return str(answer)
        except (OSError, ValueError, KeyError, TypeError):
            pass
        if self._failures >= _FAILURES_IN_A_ROW:
            return ""
        try:
            answer = cleaned(self._asked(data))
        except _EndpointError as error:
            self._failed(str(error))
            return ""
        self._failures = 0
        self._cache.mkdir(parents=True, exist_ok=True)
        with atomic_write(kept, private=True) as stream:
            json.dump({"answer": answer}, stream)
        return answer

    def _asked(self, data: bytes) -> str:
        for wait in (*_WAITS[: self._retries], None):
            try:
                return self._once(data)
            except urllib.error.HTTPError as error:
                problem = f"it answered {error.code} ({error.reason})"
                if error.code not in _WORTH_ANOTHER_TRY:
                    break
            except TimeoutError:
                problem = f"no answer within {self._timeout:g} s"
            except (OSError, http.client.HTTPException) as error:
                reason = getattr(error, "reason", error)
                timed_out = isinstance(reason, TimeoutError)
                problem = f"no answer within {self._timeout:g} s" if timed_out else f"{reason}"
            except (ValueError, KeyError, IndexError, TypeError):
                problem = "expected a chat completion, found something else"
                break
            if wait is not None:
                time.sleep(wait)
        raise _EndpointError(problem)

    def _once(self, data: bytes) -> str:
        headers = {"Content-Type": "application/json", "User-Agent": "plainwright"}
        request = urllib.request.Request(self._url, data=data, headers=headers)
        if self._key:  # not for whoever the address may lead on to
            request.add_unredirected_header("Authorization", f"Bearer {self._key}")
        with urllib.request.urlopen(request, timeout=self._timeout) as reply:
            answer = json.loads(reply.read(_LARGEST_ANSWER))
        return str(answer["choices"][0]["message"]["content"] or "")

    def _failed(self, problem: str) -> None:
        with self._lock:
            self._failures += 1
            given_up = "; nothing more is sent" if self._failures == _FAILURES_IN_A_ROW else ""
        msg = f"prompt: {self._host} gave nothing to use: {problem}; the text passes without it{given_up}"
        warnings.warn(PlainwrightWarning(msg), stacklevel=2)


def cleaned(answer: str) -> str:
    """Return the sentence in an answer: its first paragraph without a lead such as "Output:" and without quotes."""
    text = _LEAD.sub("", answer.strip())
    text = " ".join(text.split("\n\n", 1)[0].split())
    for opening, closing in _QUOTES:
        inner = text[1:-1]
        if len(text) > 1 and text[0] == opening and text[-1] == closing and opening not in inner:
            return inner.strip()
    return text


def _read_prompt(prompt: str) -> str:
    path = Path(__file__).parent / "prompts" / f"{prompt}.txt" if prompt in PROMPTS else Path(prompt)
    text = read_text(path).rstrip()
    if text.count(_PLACE) != 1:
        msg = f"{path}: expected {_PLACE} once, where the sentence goes, found it {text.count(_PLACE)} times"
        raise DataError(msg)
    return text


def _cache_directory() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("plainwright") / "prompts"
