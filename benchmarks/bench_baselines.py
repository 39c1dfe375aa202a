"""The baselines of the papers, made by our recipes, on TurkCorpus test beside what is published of them.

Text is tokenised and in lower case, and metrics have the settings of `plainwright reproduce xu2016-table5`. Tokens and
edit distance (in words) are those of Table 4. A model that has not been made yet is left out. Needs the data directory
and the work folders of the recipes.

    plainwright learn run recipes/pbmt-r.toml        (also moses-del, simplett)
    python benchmarks/bench_baselines.py [--work build] [--data DIR]
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rapidfuzz.distance import Levenshtein

from plainwright import corpora
from plainwright.metrics import BLEU, FK, FKBLEU, IBLEU, SARI, Metric, bootstrap_interval
from plainwright.reproduce import reproduce
from plainwright.rewrite.choose import most_dissimilar
from plainwright.tune.job import open_start

TEST = "turkcorpus/test"
RERANKED = 10
# Name, model in the work folder, whether the most dissimilar candidate is the output.
SYSTEMS = (
    ("PBMT-R", "pbmt-r/pbmt-r", True),
    ("PBMT-R, weights of Moses", "pbmt-r/moses", True),
    ("its best candidate", "pbmt-r/pbmt-r", False),
    ("Moses, not tuned: best candidate", "pbmt-r/moses", False),
    ("Moses-Del", "moses-del/moses-del", False),
    ("Moses-Del, not tuned", "moses-del/untuned", False),
    ("SimpleTT", "simplett/simplett", False),
)
METRICS: dict[str, Metric] = {
    "FK": FK(variant="released"),
    "BLEU": BLEU(average="sentence"),
    "iBLEU": IBLEU(),
    "FKBLEU": FKBLEU(),
    "SARI": SARI(),
}
COLUMNS = (*METRICS, "95 %", "copies", "tokens", "edits")


def k_best(model: Path, sources: Sequence[str]) -> list[tuple[str, ...]]:
    start = open_start(model=model, grammars=[])
    decode = start.decoder(candidates=RERANKED, pop_limit=None, threads=1)
    lists = decode(np.array(decode.start(start.weights)), sources, best_only=False)
    return [found.texts for found in lists]


def outputs(model: Path, sources: Sequence[str], *, dissimilar: bool) -> list[str]:
    pairs = zip(sources, k_best(model, sources), strict=True)
    return [texts[most_dissimilar(source, texts, best=RERANKED) if dissimilar else 0] for source, texts in pairs]


def row(corpus: corpora.Corpus, texts: Sequence[str]) -> list[str]:
    sources = corpus.sources
    scores = [metric.corpus_score(sources, texts, corpus.references).value for metric in METRICS.values()]
    low, high = bootstrap_interval(METRICS["SARI"], METRICS["SARI"].corpus_stats(sources, texts, corpus.references))
    copies = sum(map(str.__eq__, texts, sources)) / len(sources)
    tokens = sum(len(text.split()) for text in texts) / len(texts)
    edits = sum(Levenshtein.distance(a.split(), b.split()) for a, b in zip(sources, texts, strict=True)) / len(texts)
    numbers = [f"{score:.2f}" for score in scores]
    return [*numbers, f"{low:.1f} to {high:.1f}", f"{100 * copies:.0f} %", f"{tokens:.1f}", f"{edits:.2f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared/data")
    parser.add_argument("--work", type=Path, default=Path("build"), help="folder with the work folders of the recipes")
    options = parser.parse_args()
    corpus = corpora.load(TEST, data=options.data)
    [paper] = reproduce("xu2016-table5", data=options.data).blocks
    print(f"| | {' | '.join(COLUMNS)} |\n|---|{'---:|' * len(COLUMNS)}")
    published = [f"{paper.cell('PBMT-R', name).paper:.2f}" for name in METRICS]
    print(f"| PBMT-R, Tables 4 and 5 | {' | '.join(published)} | | | 20 | 5.96 |")
    print(f"| PBMT-R, released outputs | {' | '.join(row(corpus, corpus.systems['PBMT-R']))} |")
    for name, model, dissimilar in SYSTEMS:
        if (options.work / model).is_dir():
            texts = outputs(options.work / model, corpus.sources, dissimilar=dissimilar)
            print(f"| {name} | {' | '.join(row(corpus, texts))} |", flush=True)


if __name__ == "__main__":
    main()
