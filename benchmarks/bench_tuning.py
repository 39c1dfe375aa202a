"""What tuning to each of the paper's three objectives does on sentences it has not seen, and how long it takes.

Rules: METEOR's table with the features that follow from a rule. Language model: the simple side of Coster and Kauchak's
pairs and MASC, without any sentence of TurkCorpus tune or its references. Tuned on segments 1-500 of turkcorpus/tune,
measured on 501-1000. Then one iteration over all 2,000 segments with 8 references. Needs the data directory.

    python benchmarks/bench_tuning.py [--data DIR] [--folder DIR]
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from timing import machine

METEOR = "paraphrase/meteor-1.5-paraphrase-en.filtered.tsv.gz"
TEXTS = (
    "coster_kauchak_v2/slice_a.simple.gz",
    "coster_kauchak_v2/slice_b.simple.gz",
    "coster_kauchak_v1/tuning.simple.gz",
    "monolingual/masc.tok.txt.gz",
)
RUNS = (("sari", "pro"), ("fkbleu", "pro"), ("bleu", "pro"), ("sari", "risk"))


def plainwright(*arguments: object) -> str:
    command = [sys.executable, "-m", "plainwright", *map(str, arguments)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def letters(line: str) -> str:
    """The sentence without what differs between tokenisations."""
    return re.sub("[^a-z0-9]", "", re.sub("-[lr][rsc]b-", "", line.lower()))


def model_text(data: Path) -> Iterator[str]:
    from plainwright.text import ptb_tokenize

    tune = [path for path in sorted((data / "turkcorpus/tok_lower").iterdir()) if path.name.startswith("tune.")]
    seen = {letters(line) for path in tune for line in path.read_text(encoding="utf-8").splitlines()}
    for name in TEXTS:
        with gzip.open(data / name, "rt", encoding="utf-8") as stream:
            for line in stream:
                if letters(line) in seen:
                    continue
                seen.add(letters(line))
                yield " ".join(token.text.lower() for token in ptb_tokenize(line.strip())) + "\n"


def prepare(data: Path, folder: Path) -> tuple[Path, Path]:
    grammar, model = folder / "meteor.pack", folder / "simple.lm"
    if not grammar.exists():
        plainwright("grammar", "pack", data / METEOR, "--from", "meteor", "--families", "-o", grammar)
    if not model.exists():
        text = folder / "simple.txt"
        with text.open("w", encoding="utf-8") as stream:
            stream.writelines(model_text(data))
        plainwright("lm", "build", text, "--prune", 0, 0, 1, "-o", model)
    return grammar, model


def tune(folder: Path, grammar: Path, model: Path, *options: object) -> list[dict[str, object]]:
    with tempfile.TemporaryDirectory(dir=folder) as run:
        save = ("-o", Path(run) / "tuned", "--json")
        lines = plainwright("tune", *options, "--grammar", grammar, "--lm", model, *save).splitlines()
    return [json.loads(line) for line in lines]


def objectives(folder: Path, grammar: Path, model: Path) -> None:
    print("| objective | optimiser | input | before | after | unchanged | iterations | seconds each |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for objective, optimiser in RUNS:
        sets = ("turkcorpus/tune:1-500", "--held-out", "turkcorpus/tune:501-1000")
        first, *iterations, result = tune(
            folder, grammar, model, *sets, "--objective", objective, "--optimiser", optimiser, "--iterations", 15
        )
        best = iterations[result["best"] - 1]
        seconds = sum(line["seconds"] for line in iterations) / len(iterations)
        values = (first["input"]["held_out"], iterations[0]["held_out"], best["held_out"])
        print(
            f"| `{objective}` | `{optimiser}` | {' | '.join(f'{value:.2f}' for value in values)} "
            f"| {100 * best['unchanged']:.0f} % | {len(iterations)} | {seconds:.1f} |"
        )


def whole_set(folder: Path, grammar: Path, model: Path, name: str) -> None:
    _, iteration, _ = tune(folder, grammar, model, "turkcorpus/tune", "--iterations", 1)
    print(
        f"{name}: 2,000 segments, {iteration['candidates']:,} candidates: {iteration['seconds']:.1f} s (target 240 s)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared/data")
    parser.add_argument("--folder", type=Path, help="keep the packed files here and use them again")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        grammar, model = prepare(options.data, folder)
        print(machine("plainwright", "scikit-learn"))
        objectives(folder, grammar, model)
        whole_set(folder, grammar, model, "METEOR's rules")


if __name__ == "__main__":
    main()
