"""The systems of recipes/xu2016.toml on TurkCorpus test, beside Table 5 of Xu et al. (2016).

Text is tokenised and in lower case, and metrics have the settings of `plainwright reproduce xu2016-table5`, as in the
paper. PBMT-R is the one among the ten best that differs most from its input. Then intervals and tests for two variants
of SARI, with the released outputs on the same segments, and what choosing again does to every model. Needs the data
directory and the work folder of the recipe.

    plainwright learn run recipes/xu2016.toml
    plainwright learn run recipes/pbmt-r.toml
    python benchmarks/bench_xu2016.py [--work build/xu2016] [--data DIR]
"""

from __future__ import annotations

import argparse
import gzip
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from plainwright import corpora
from plainwright.decode import Decoder, SyntaxLabels
from plainwright.decode.bundle import ModelBundle
from plainwright.grammar import PackedGrammar
from plainwright.lm import LanguageModel
from plainwright.metrics import BLEU, FK, FKBLEU, IBLEU, SARI, Metric
from plainwright.reproduce import reproduce
from plainwright.rewrite.choose import most_dissimilar

TEST = "turkcorpus/test"
# Ours, and the row of the paper that it corresponds to, if there is one.
SYSTEMS = {
    "pbmt-r": "PBMT-R",
    "phrases-only": "",
    "bleu": "SBMT (PPDB + BLEU)",
    "fkbleu": "SBMT (PPDB + FKBLEU)",
    "sari": "SBMT (PPDB + SARI)",
}
RELEASED = ("PBMT-R", "SBMT-FKBLEU", "SBMT-SARI")
METRICS: dict[str, Metric] = {
    "FK": FK(variant="released"),
    "BLEU": BLEU(average="sentence"),
    "iBLEU": IBLEU(),
    "FKBLEU": FKBLEU(),
    "SARI": SARI(),
}
RERANKED = 10
HELD_OUT = slice(1500, 2000)
RUN = 10


def outputs(model: Path, sources: Sequence[str], *, dissimilar: bool) -> list[str]:
    bundle = ModelBundle.load(model)
    grammars = [PackedGrammar.of_model(path) for path in bundle.grammar_paths]
    lm = None if bundle.language_model_path is None else LanguageModel.open(bundle.language_model_path)
    settings = replace(bundle.decoder_settings(), candidates=RERANKED, derivations=0)
    decoder = Decoder(grammars, lm=lm, weights=bundle.weights, settings=settings)
    words = [source.split() for source in sources]
    analyses = SyntaxLabels().analyses(words) if bundle.syntax else None
    results = decoder.decode(words, analyses=analyses, threads=2)
    return [
        result.texts[most_dissimilar(source, result.texts, best=RERANKED) if dissimilar else 0]
        for source, result in zip(sources, results, strict=True)
    ]


def table(corpus: corpora.Corpus, systems: dict[str, list[str]], data: Path) -> None:
    [paper] = reproduce("xu2016-table5", data=data).blocks
    print(f"| | {' | '.join(METRICS)} | unchanged |\n|---|{'---:|' * (len(METRICS) + 1)}")
    for name, texts in systems.items():
        if SYSTEMS[name]:
            published = " | ".join(f"{paper.cell(SYSTEMS[name], column).paper:.2f}" for column in METRICS)
            print(f"| {SYSTEMS[name]}, published | {published} | |")
        values = (metric.corpus_score(corpus.sources, texts, corpus.references).value for metric in METRICS.values())
        unchanged = sum(map(str.__eq__, texts, corpus.sources)) / len(texts)
        print(f"| `{name}` | {' | '.join(f'{value:.2f}' for value in values)} | {100 * unchanged:.0f} % |")


def reranking(models: dict[str, Path], data: Path) -> None:
    """What choosing again does to each model, on sentences that chose the iteration of tuning."""
    corpus = corpora.load("turkcorpus/tune", data=data)
    sources, references = corpus.sources[HELD_OUT], corpus.references[HELD_OUT]
    print(
        "\n| turkcorpus/tune:1501-2000 | SARI | its delete | SARI, reranked | its delete |\n|---|---:|---:|---:|---:|"
    )
    for name, model in models.items():
        texts = [outputs(model, sources, dissimilar=dissimilar) for dissimilar in (False, True)]
        scores = [METRICS["SARI"].corpus_score(sources, chosen, references) for chosen in texts]
        cells = " | ".join(f"{score.value:.2f} | {score.parts['delete']:.2f}" for score in scores)
        print(f"| `{name}` | {cells} |")


def word_runs(line: str) -> set[tuple[str, ...]]:
    words = re.findall("[a-z0-9]+", line.lower())
    return {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}


def without_seen_text(work: Path, corpus: corpora.Corpus, systems: dict[str, list[str]]) -> None:
    """SARI of the sentences that share no run of words with the pairs that PBMT-R learnt from."""
    seen: set[tuple[str, ...]] = set()
    for side in ("normal.gz", "simple.gz"):
        with gzip.open(work / side, "rt", encoding="utf-8") as lines:
            seen.update(*map(word_runs, lines))
    new = [at for at, source in enumerate(corpus.sources) if seen.isdisjoint(word_runs(source))]
    print(f"\nSARI of the {len(new)} test sentences that share no {RUN} words in a row with the pairs:")
    for name, texts in systems.items():
        columns = ([values[at] for at in new] for values in (corpus.sources, texts, corpus.references))
        print(f"{name}\t{METRICS['SARI'].corpus_score(*columns).value:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared/data")
    parser.add_argument("--work", type=Path, default=Path("build/xu2016"), help="where `learn run` left the models")
    parser.add_argument("--pbmt-r", type=Path, default=Path("build/pbmt-r/pbmt-r"), metavar="MODEL", help="its model")
    options = parser.parse_args()
    corpus = corpora.load(TEST, data=options.data)
    models = {name: options.work / name for name in SYSTEMS} | {"pbmt-r": options.pbmt_r}
    systems, files = {}, []
    for name in SYSTEMS:
        reranked = name == "pbmt-r"
        if not models[name].is_dir():
            print(f"{models[name]}: not made, left out")
            continue
        systems[name] = outputs(models[name], corpus.sources, dissimilar=reranked)
        file = options.work / f"{name}.test.txt"
        file.write_text("".join(f"{text}\n" for text in systems[name]), encoding="utf-8")
        files.append(f"{name}={file}")
    table(corpus, systems, options.data)
    evaluate = ("evaluate", TEST, "--data", options.data, "--metrics", "sari", "--outputs", *files, *RELEASED)
    for variant in ("xu2016", "easse"):
        command = [sys.executable, "-m", "plainwright", *map(str, evaluate), "--variant", variant]
        subprocess.run(command, check=True)
    reranking({name: model for name, model in models.items() if model.is_dir()}, options.data)
    if (options.work / "normal.gz").is_file():
        without_seen_text(options.work, corpus, systems)


if __name__ == "__main__":
    main()
