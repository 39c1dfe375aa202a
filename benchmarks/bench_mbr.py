"""Minimum Bayes risk decoding with LENS against the model's first choice, on sentences that no weight was tuned on.

    python benchmarks/bench_mbr.py --folder outputs [--strength 0.5] [--sharpness 0]
    python benchmarks/blind_sheet.py draw asset/valid:1501-1800 first=outputs/first.txt mbr=outputs/mbr-lens.txt \
        --sheet sheet.txt --key key.tsv

ASSET's sentences are those of TurkCorpus tune, of which the default model's weights know the first 1,500. A value has
behind it the p-value of its difference from the first choice (paired bootstrap). The outputs in the folder are the
corpus's sentences, and not committed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from plainwright.evaluation import EvaluationSet, load_set
from plainwright.metrics import Metric, create, paired_bootstrap
from plainwright.rewrite import chooser, load
from timing import processor_time

FIRST = "first"
RERANKED: dict[str, tuple[str, str]] = {
    "mbr-lens": ("mbr", "lens"),
    "metric-lens": ("metric", "lens"),
    "mbr-sari": ("mbr", "sari"),
}
METRICS: dict[str, dict[str, str]] = {
    "lens": {},
    "sari": {"variant": "easse"},
    "bleu": {},
    "fk": {"variant": "plain"},
}


def outputs(texts: Sequence[str], arguments: argparse.Namespace, how: tuple[str, str] | None) -> list[str]:
    chosen = None
    if how is not None:
        chosen = chooser(
            how[0],
            utility=how[1],
            pseudo_references=arguments.pseudo_references,
            sharpness=arguments.sharpness,
            wants=arguments.candidates,
        )
    simplifier = load(arguments.model, engine="rules", strength=arguments.strength)
    lines = (text + "\n" for text in texts)
    parts = simplifier.stream(lines, lines=True, edits=False, rerank=chosen)
    return [part.text.strip() for part in parts]


def table(corpus: EvaluationSet, systems: dict[str, list[str]], seconds: dict[str, float]) -> None:
    metrics = {name: create(name, **options) for name, options in METRICS.items()}
    print(f"| {len(systems[FIRST])} sentences | changed | not as the first | {' | '.join(metrics)} | CPU seconds |")
    print("|---|---:|---:|" + "---:|" * (len(metrics) + 1))
    for name, texts in systems.items():
        changed = sum(text != source for text, source in zip(texts, corpus.sources or (), strict=True))
        moved = sum(text != other for text, other in zip(texts, systems[FIRST], strict=True))
        cells = [cell(metric, corpus, texts, systems[FIRST]) for metric in metrics.values()]
        print(f"| {name} | {changed} | {moved} | {' | '.join(cells)} | {seconds.get(name, 0):.1f} |")


def cell(metric: Metric, corpus: EvaluationSet, texts: list[str], first: list[str]) -> str:
    own, other = (metric.corpus_stats(corpus.sources, lines, corpus.references) for lines in (texts, first))
    value = metric.score_from_stats(own.sum(axis=0)).value
    if texts == first:
        return f"{value:.2f}"
    return f"{value:.2f} (p {paired_bootstrap(metric, own, other).p_value:.3f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", default="asset/valid:1501-1800")
    parser.add_argument("--model", type=Path, default=None)
    parser.add_argument("--strength", type=float, default=0.0)
    parser.add_argument("--candidates", type=int, default=100)
    parser.add_argument("--pseudo-references", type=int, default=8)
    parser.add_argument("--sharpness", type=float, default=1.0)
    parser.add_argument("--folder", type=Path, required=True, help="where the outputs go")
    arguments = parser.parse_args()
    corpus = load_set(arguments.set)
    texts = corpus.sources or ()
    systems: dict[str, list[str]] = {"input": list(texts)}
    seconds = {}
    for name, how in {FIRST: None, **RERANKED}.items():
        start = processor_time()
        systems[name] = outputs(texts, arguments, how)
        seconds[name] = processor_time() - start
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for name, lines in systems.items():
        (arguments.folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    table(corpus, systems, seconds)


if __name__ == "__main__":
    main()
