"""Learned metrics: an encoder in 8 bits by onnxruntime against the same in float32 by torch, and what LENS adds to it.

Run: python benchmarks/bench_lens.py [--texts 60] [--lens-model DIR]
Sentences of asset/valid with 18 to 32 words, where it is at hand, else sentences of our own. One thread each; processor
time, the fastest of several runs that take turns. torch runs twice: one text at a time, as plainwright does so that a
text does not depend on its neighbours, and in batches of 32 sorted by length, its fastest way.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is imported

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch

from plainwright import corpora
from plainwright.encoders import Encoded, OnnxEncoder, encoder_folder
from plainwright.encoders.calibration import SENTENCES
from plainwright.encoders.export import export_encoder
from plainwright.encoders.local import LocalModel, TorchEncoder, load_local_model
from plainwright.errors import PlainwrightError
from plainwright.lens.metric import LENS
from plainwright.lens.model import LensModel, find_model
from plainwright.rewrite import load
from plainwright.rewrite.choose import minimum_bayes_risk
from timing import machine

RUNS, BATCH = 3, 32
OUTPUTS, REFERENCES = 200, 3
LISTS, CANDIDATES, PSEUDO_REFERENCES = 5, 100, 8


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=60)
    parser.add_argument("--lens-model", type=Path, help="a model other than the one that comes with plainwright")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    print(machine("plainwright", "onnxruntime", "torch", "transformers"), "| one core, processor time")
    texts = sentences(chosen.texts)
    show_encoders(texts)
    show_lens(texts, chosen.lens_model)
    show_mbr(chosen.lens_model)
    show_differences(chosen.lens_model)


def sentences(number: int) -> list[str]:
    try:
        lines: Sequence[str] = corpora.load("asset/valid").sources
    except PlainwrightError:
        lines = SENTENCES * (1 + number // len(SENTENCES))
    return [line for line in lines if 18 <= len(line.split()) <= 32][:number]


def show_encoders(texts: Sequence[str]) -> None:
    name, folder = encoder_folder("minilm")
    model = load_local_model(folder, name=name)
    with tempfile.TemporaryDirectory() as directory:
        export_encoder(model, Path(directory) / "int8")
        export_encoder(model, Path(directory) / "float32", quantise=False)
        small, plain = (OnnxEncoder.open(Path(directory) / kind) for kind in ("int8", "float32"))
        size = sum(path.stat().st_size for path in (Path(directory) / "int8").iterdir()) / 1e6
    original = TorchEncoder(model)
    jobs: dict[str, Callable[[], Sequence[Encoded] | np.ndarray]] = {
        "torch float32, one by one": lambda: original.encode(texts),
        f"torch float32, batches of {BATCH}": lambda: in_batches(model, texts),
        "onnxruntime float32": lambda: plain.encode(texts),
        "onnxruntime int8": lambda: small.encode(texts),
    }
    times, results = timed(jobs)
    peer, batched, _, ours = times.values()
    exact = results["torch float32, one by one"]
    print(f"{len(texts)} texts of {np.mean([len(text.split()) for text in texts]):.0f} words; int8: {size:.1f} MB")
    print(f"{'encoder':32}{'ms a text':>10}{'texts a second':>16}{'cosine':>9}{'least':>9}")
    for label, seconds in times.items():
        cosines = likeness(results[label], exact)
        print(
            f"{label:32}{1000 * seconds / len(texts):>10.2f}{len(texts) / seconds:>16.0f}"
            f"{cosines.mean():>9.4f}{cosines.min():>9.4f}"
        )
    print(f"int8 against torch: {peer / ours:.1f}x one by one (target 2x), {batched / ours:.1f}x in batches")


def show_lens(texts: Sequence[str], model: Path | None) -> None:
    """Candidates a second with references that are known already; the candidates are new, and all are read."""
    try:
        metric = LENS(model=model)
        references = [f"It is said that {text}" for text in texts[:8]]
        prepared = metric.prepare(texts[0], references)
        prepared.score_many([texts[1]])
    except PlainwrightError as error:
        print(f"LENS: {error}")
        return
    best = float("inf")
    for run in range(RUNS):
        fresh = [f"{text} {run}" for text in texts]
        start = time.process_time()
        prepared.score_many(fresh)
        best = min(best, time.process_time() - start)
    print(f"LENS, 8 references known: {len(texts) / best:.0f} candidates a second (target 100)")


def show_mbr(model: Path | None) -> None:
    """Minimum Bayes risk over lists of the default model at its boldest; every list is new to the metric."""
    try:
        opened = LensModel.open(find_model(model))
        sources = corpora.load("asset/valid").sources
    except PlainwrightError as error:
        print(f"MBR: {error}")
        return
    parts = load(engine="rules", strength=1).stream(
        (f"{line}\n" for line in sources), lines=True, n_best=CANDIDATES, alternatives=0
    )
    lists = [
        (sentence.source, [sentence.text, *sentence.others])
        for part in parts
        for sentence in part.sentences
        if len(sentence.others) == CANDIDATES - 1
    ][:LISTS]
    LENS(model=opened).pairwise(sources[0], [sources[1]], [sources[2]])  # opens the encoder
    times = []
    for source, texts in lists:
        metric = LENS(model=opened)
        start = time.process_time()
        minimum_bayes_risk(source, texts, [0.0] * CANDIDATES, utility=metric, pseudo_references=PSEUDO_REFERENCES)
        times.append(time.process_time() - start)
    words = np.mean([len(source.split()) for source, _ in lists])
    print(
        f"MBR, {CANDIDATES} candidates with {PSEUDO_REFERENCES} pseudo-references, {len(lists)} sentences of "
        f"{words:.0f} words: {np.mean(times):.2f} s each, {max(times):.2f} s the slowest (target 2 s)"
    )


def show_differences(model: Path | None) -> None:
    """How far values are from those of the same model with its encoder in float32, for people's simplifications."""
    try:
        opened = LensModel.open(find_model(model))
        corpus = corpora.load("asset/valid")
        name, folder = encoder_folder(opened.encoder.name)
    except PlainwrightError as error:
        print(f"LENS with both encoders: {error}")
        return
    step = len(corpus.sources) // OUTPUTS
    sources = corpus.sources[::step][:OUTPUTS]
    groups = [group[: 1 + REFERENCES] for group in corpus.references[::step]][:OUTPUTS]
    exact = LensModel.open(opened.directory)
    vars(exact)["encoder"] = TorchEncoder(load_local_model(folder, name=name))  # a cached property
    small, plain = (
        LENS(model=one).sentence_scores(sources, [group[0] for group in groups], [group[1:] for group in groups])
        for one in (opened, exact)
    )
    differences = np.abs(small - plain)
    print(
        f"LENS of {len(sources)} outputs with {REFERENCES} references, int8 against float32: {differences.mean():.2f} "
        f"points apart on average (target 1), {differences.max():.2f} at most, means {small.mean():.2f} and "
        f"{plain.mean():.2f}, correlation {np.corrcoef(small, plain)[0, 1]:.4f}"
    )


def timed(jobs: dict[str, Callable[[], object]]) -> tuple[dict[str, float], dict[str, object]]:
    times = dict.fromkeys(jobs, float("inf"))
    results = {}
    for _ in range(RUNS):
        for label, job in jobs.items():
            start = time.process_time()
            results[label] = job()
            times[label] = min(times[label], time.process_time() - start)
    return times, results


def in_batches(model: LocalModel, texts: Sequence[str]) -> np.ndarray:
    """The vectors of all texts, as most programs make them."""
    ids = [torch.from_numpy(model.tokenizer(text).ids) for text in texts]
    order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
    vectors = np.empty((len(ids), model.transformer.config.hidden_size), dtype=np.float32)
    for start in range(0, len(order), BATCH):
        rows = order[start : start + BATCH]
        padded = torch.nn.utils.rnn.pad_sequence([ids[i] for i in rows], batch_first=True)
        mask = torch.nn.utils.rnn.pad_sequence([torch.ones_like(ids[i]) for i in rows], batch_first=True)
        with torch.inference_mode():
            hidden = model.transformer(input_ids=padded, attention_mask=mask).last_hidden_state
            means = (hidden * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)
        vectors[rows] = means.numpy()
    return vectors


def likeness(found: Sequence[Encoded] | np.ndarray, exact: Sequence[Encoded]) -> np.ndarray:
    left = found if isinstance(found, np.ndarray) else np.stack([one.vector for one in found])
    right = np.stack([one.vector for one in exact])
    return (left * right).sum(1) / np.linalg.norm(left, axis=1) / np.linalg.norm(right, axis=1)


if __name__ == "__main__":
    main()
