"""The rewriter: its graph on onnxruntime, the same weights on CTranslate2 and llama.cpp, and what users wait for.

    python benchmarks/bench_rewriter.py                          # the installed rewriter
    python benchmarks/bench_rewriter.py --rewriter build/mine/rewriter --sentences letters.txt --number 40
    python benchmarks/bench_rewriter.py --only commands          # the pipeline alone

Processor time, the fastest of several runs that take turns. All read the same prompts and write the likeliest tokens,
one thread each. The peers start from the weights that the graph has, rounded once more to their own kind of 8 or 4
bits, so their texts may differ; the share of equal ones is told. Needs the extras train and convert; llama.cpp is left
out where xllamacpp is not installed. Sentences are those of a file, or sources that were written for this project.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is imported

import argparse
import gzip
import importlib.util
import json
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path

from tokenizers import Tokenizer

from llama_weights import LlamaWeights, read_weights, write_folder, write_gguf
from plainwright.rewriter.controls import Controls
from plainwright.rewriter.decoding import Decoder, Prompt, most_written
from plainwright.rewriter.finding import REWRITER_VARIABLE, find_rewriter
from timing import fastest_each, machine, run_quietly

ROOT = Path(__file__).resolve().parents[1]
WRITTEN = ROOT / "packages" / "plainwright-en" / "data" / "composed.tsv.gz"
BATCH = 24
LENGTHS = (10, 20, 40, 80, 160)  # tokens of a source
PARTS = ("engines", "lengths", "commands")
Job = Callable[[], list[tuple[int, ...]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rewriter", type=Path, help="the directory; default: the one that simplify uses")
    parser.add_argument("--sentences", type=Path, help="one sentence per line; default: sources of our own corpus")
    parser.add_argument("--number", type=int, default=40, help="of sentences")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", choices=PARTS, nargs="+", default=PARTS)
    chosen = parser.parse_args()
    rewriter = find_rewriter(chosen.rewriter)
    texts = sentences(chosen.sentences, chosen.number)
    print(machine("plainwright", "onnxruntime", "numpy"), "| one thread, processor time")
    print(f"{rewriter.name}: {size_of(rewriter):.1f} MB; {len(texts)} sentences")
    if "engines" in chosen.only:
        show_engines(rewriter, texts, chosen.runs)
    if "lengths" in chosen.only:
        show_lengths(rewriter, texts, chosen.runs)
    if "commands" in chosen.only:
        show_commands(rewriter, texts, chosen.runs)


def sentences(file: Path | None, number: int) -> list[str]:
    if file is not None:
        lines = file.read_text(encoding="utf-8").splitlines()
    else:
        with gzip.open(WRITTEN, "rt", encoding="utf-8") as stream:
            rows = (line.rstrip("\n").split("\t") for line in stream)
            lines = [row[4] for row in rows if row[2] == "sentence"]
    return [line for line in lines[:: max(1, len(lines) // number)] if line.strip()][:number]


def size_of(path: Path) -> float:
    files = [path] if path.is_file() else [one for one in path.rglob("*") if one.is_file()]
    return sum(one.stat().st_size for one in files) / 1e6


class Prompts:
    """The prompts of all sentences, and the tokenizer."""

    def __init__(self, rewriter: Path, weights: LlamaWeights, texts: Sequence[str]) -> None:
        self.tokenizer = Tokenizer.from_file(str(rewriter / "tokenizer.json"))
        self.weights = weights
        read = [self.tokenizer.encode(text, add_special_tokens=False).ids for text in texts]
        self.each = [Prompt(weights.tokens.prompt(ids, Controls()), most_written(len(ids))) for ids in read]

    def tokens(self, ids: Sequence[int]) -> list[str]:
        return [self.tokenizer.id_to_token(number) for number in ids]


def show_engines(rewriter: Path, texts: Sequence[str], runs: int) -> None:
    weights = read_weights(rewriter)
    prompts = Prompts(rewriter, weights, texts)
    tokens = weights.tokens
    decoder = Decoder(rewriter / "rewriter.onnx", end=tokens.end, unwritten=tokens.read_only())
    with tempfile.TemporaryDirectory() as folder:
        jobs: dict[str, tuple[Job, float]] = {
            "plainwright, onnxruntime": (lambda: [one.ids for one in decoder.generate(prompts.each)], size_of(rewriter))
        }
        jobs |= ctranslate_jobs(prompts, Path(folder))
        jobs |= llama_jobs(prompts, Path(folder))
        results = {label: job() for label, (job, _) in jobs.items()}
        seconds = fastest_each(*(job for job, _ in jobs.values()), runs=runs)
    ours = results["plainwright, onnxruntime"]
    print(f"\n{'engine':32}{'sentences a second':>20}{'tokens a second':>17}{'MB':>8}{'equal texts':>13}")
    for (label, (_, size)), taken in zip(jobs.items(), seconds, strict=True):
        same = sum(a == b for a, b in zip(results[label], ours, strict=True)) / len(ours)
        written = sum(map(len, results[label]))
        print(f"{label:32}{len(ours) / taken:>20.2f}{written / taken:>17.0f}{size:>8.1f}{same:>13.0%}")


def ctranslate_jobs(prompts: Prompts, folder: Path) -> dict[str, tuple[Job, float]]:
    if importlib.util.find_spec("ctranslate2") is None:
        print("CTranslate2: not installed")
        return {}
    import ctranslate2
    from ctranslate2.converters import TransformersConverter

    original = write_folder(prompts.weights, folder / "llama")
    converted = folder / "ctranslate2"
    TransformersConverter(str(original)).convert(str(converted), quantization="int8")
    generator = ctranslate2.Generator(str(converted), intra_threads=1, inter_threads=1)
    # The prompts hold tokens that are never written; CTranslate2 is told so, as our decoder is.
    unwritten = [[token] for token in prompts.tokens(prompts.weights.tokens.read_only()) if token is not None]

    def written(batch: int) -> list[tuple[int, ...]]:
        found: list[tuple[int, ...]] = []
        order = sorted(range(len(prompts.each)), key=lambda number: len(prompts.each[number].ids))
        for start in range(0, len(order), batch):
            chosen = [prompts.each[number] for number in order[start : start + batch]]
            results = generator.generate_batch(
                [prompts.tokens(prompt.ids) for prompt in chosen],
                include_prompt_in_result=False,
                max_length=max(prompt.most for prompt in chosen),
                end_token=[prompts.weights.tokens.end],
                suppress_sequences=unwritten,
            )
            found += [tuple(one.sequences_ids[0][: prompt.most]) for one, prompt in zip(results, chosen, strict=True)]
        return [ids for _, ids in sorted(zip(order, found, strict=True))]

    size = size_of(converted)
    return {
        "CTranslate2 int8, one by one": (lambda: written(1), size),
        f"CTranslate2 int8, batches of {BATCH}": (lambda: written(BATCH), size),
    }


def llama_jobs(prompts: Prompts, folder: Path) -> dict[str, tuple[Job, float]]:
    if importlib.util.find_spec("xllamacpp") is None:
        print("llama.cpp: xllamacpp is not installed")
        return {}
    import xllamacpp

    jobs: dict[str, tuple[Job, float]] = {}
    for kind in ("Q8_0", "Q4_0"):
        path = write_gguf(prompts.weights, folder / f"{kind}.gguf", kind)
        options = xllamacpp.CommonParams()
        options.model.path = str(path)
        options.hostnames = ["127.0.0.1"]
        options.port = 0
        options.n_ctx = 1024
        options.n_parallel = 1
        options.cpuparams.n_threads = options.cpuparams_batch.n_threads = 1
        options.warmup = False
        options.verbosity = 0
        server = xllamacpp.Server(options)
        jobs[f"llama.cpp {kind}, one by one"] = (lambda server=server: served(server, prompts), size_of(path))
    return jobs


def served(server: object, prompts: Prompts) -> list[tuple[int, ...]]:
    found = []
    for prompt in prompts.each:
        question = {
            "prompt": list(prompt.ids),
            "n_predict": prompt.most,
            "temperature": 0,
            "cache_prompt": False,
            "return_tokens": True,
            "repeat_penalty": 1.0,
            "samplers": ["temperature"],
            "logit_bias": [[number, False] for number in prompts.weights.tokens.read_only()],
        }
        request = urllib.request.Request(
            f"{server.listening_address}/completion",  # type: ignore[attr-defined]
            data=json.dumps(question).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request) as reply:
            tokens = json.loads(reply.read())["tokens"]
        end = prompts.weights.tokens.end
        found.append(tuple(tokens[: tokens.index(end)] if end in tokens else tokens))
    return found


def show_lengths(rewriter: Path, texts: Sequence[str], runs: int) -> None:
    """Sources of so many tokens, cut from all sentences in a row."""
    weights = read_weights(rewriter)
    tokens = weights.tokens
    tokenizer = Tokenizer.from_file(str(rewriter / "tokenizer.json"))
    decoder = Decoder(rewriter / "rewriter.onnx", end=tokens.end, unwritten=tokens.read_only())
    row = tokenizer.encode(" ".join(texts), add_special_tokens=False).ids
    print(f"\n{'tokens of a source':>18}{'written':>9}{'ms a sentence':>15}{'ms a token written':>20}")
    for length in LENGTHS:
        starts = range(0, len(row) - length + 1, length)[:4]
        asked = [Prompt(tokens.prompt(row[at : at + length], Controls()), most_written(length)) for at in starts]
        if not asked:
            break
        written = sum(len(one.ids) for one in decoder.generate(asked)) / len(asked)
        [taken] = fastest_each(lambda asked=asked: decoder.generate(asked), runs=runs)
        each = 1000 * taken / len(asked)
        print(f"{length:>18}{written:>9.0f}{each:>15.1f}{each / max(1, written):>20.2f}")


def show_commands(rewriter: Path, texts: Sequence[str], runs: int) -> None:
    """What a user waits for: a file, one sentence in a program that runs, one sentence from the shell; and memory."""
    os.environ[REWRITER_VARIABLE] = str(rewriter)
    from plainwright.rewrite import load

    program = str(Path(sys.executable).parent / "plainwright")
    with tempfile.TemporaryDirectory() as folder:
        files = {"all": Path(folder) / "all.txt", "one": Path(folder) / "one.txt"}
        files["all"].write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        files["one"].write_text(f"{texts[0]}\n", encoding="utf-8")
        command = {
            name: [program, "simplify", "--lines", "--engine", "rewriter", str(path)] for name, path in files.items()
        }
        run_quietly(command["one"])  # modules are compiled, the disk is warm
        whole, cold = fastest_each(lambda: run_quietly(command["all"]), lambda: run_quietly(command["one"]), runs=runs)
        memory = peak_memory(command["all"])
    simplifier = load(engine="rewriter")
    simplifier.simplify(texts[0])
    [warm] = fastest_each(lambda: simplifier.simplify(texts[0]), runs=runs)
    rate = len(texts) / whole
    print(f"\nplainwright simplify, {len(texts)} sentences: {rate:.2f} a second, peak memory {memory:.0f} MB")
    print(f"one sentence: {1000 * warm:.0f} ms in a program that runs, {cold:.2f} s from the shell")


def peak_memory(command: Sequence[str]) -> float:
    """Megabytes that a command had at most; in a process of its own, since the figure is that of all children."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, capture_output=True); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", code, *command], check=True, capture_output=True, text=True)
    return int(done.stdout) / (1e6 if sys.platform == "darwin" else 1e3)


if __name__ == "__main__":
    main()
