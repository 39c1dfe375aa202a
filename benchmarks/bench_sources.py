"""What each source of rules adds: the default recipe with one, two, three sources, then with lists as evidence.

All else is as in recipes/default.toml, and read from there: rules for words, language model, tagger, objective. But
judgements are left out, and with them the cost of risk, which they tell; and tuning is shorter. TurkCorpus test goes
from raw text through `plainwright simplify`. Needs the data directory and the work folder of the recipe; what is in
--folder is used again.

    plainwright learn run recipes/default.toml
    python benchmarks/bench_sources.py [--work build/default] [--folder build/sources]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from plainwright import corpora

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

RECIPE = Path(__file__).parents[1] / "recipes/default.toml"
TEST = "turkcorpus/test.detok"
SOURCES = ("meteor", "wordnet", "wikipedia")
# Less than in the recipe, to be done in minutes: models without judgements have many more rules.
TUNING = (
    "turkcorpus/tune.detok:1-500",
    *("--held-out", "turkcorpus/tune.detok:1501-2000"),
    *("--candidates", 50, "--iterations", 5),
)
METRICS = ("fk", "bleu", "sari", "profile")


def plainwright(*arguments: object) -> None:
    subprocess.run([sys.executable, "-m", "plainwright", *map(str, arguments)], check=True)


def make(result: Path, *command: object) -> Path:
    """Run a command that saves this result, unless it is there."""
    if not result.exists():
        plainwright(*command, "-o", result)
    return result


class Sources:
    """The default recipe without its judgements."""

    def __init__(self, work: Path, data: Path) -> None:
        self.stages: dict[str, dict[str, Any]] = tomllib.loads(RECIPE.read_text(encoding="utf-8"))["stages"]
        self.work = work
        self.data = data

    def tuned(self, folder: Path, sources: Iterable[str], *, evidence: bool) -> Path:
        """A model of these sources, tuned to what the recipe is tuned to."""
        folder.mkdir(parents=True, exist_ok=True)
        tables = [f"{name}={self._made(name)}" for name in sources]
        lists = [str(entry).replace("{inputs.data}", str(self.data)) for entry in self._option("combined", "evidence")]
        known = ("--evidence", *lists) if evidence else ()
        combined = make(folder / "combined.gz", "learn", "combine", *tables, *known)
        untuned = self._untuned(folder, combined)
        how = ("--objective", self._option("tuned", "objective"), "--optimiser", self._option("tuned", "optimiser"))
        return make(folder / "tuned", "tune", *TUNING, "--model", untuned, *how, "--data", self.data)

    def _untuned(self, folder: Path, combined: Path) -> Path:
        pairs = self.stages["pairs"]["saves"]
        texts = ("--normal", self.work / pairs["normal"], "--simple", self.work / pairs["simple"])
        words = make(folder / "words.gz", "learn", "lexicon", combined, "--tagged", self._made("tagged"), *texts)
        grammar = make(folder / "grammar.pack", "grammar", "pack", words)
        parts = ("--lm", self._made("lm"), "--tagger", self._made("tagger"))
        start = ("--weights", RECIPE.parent / "weights.txt", "--setting", *self._option("untuned", "setting"))
        return make(folder / "untuned", "learn", "model", grammar, *parts, *start)

    def _made(self, stage: str) -> Path:
        return self.work / self.stages[stage]["saves"]

    def _option(self, stage: str, name: str) -> Any:
        return self.stages[stage]["options"][name]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared/data")
    parser.add_argument(
        "--work", type=Path, default=Path("build/default"), help="where `learn run` left the default model"
    )
    parser.add_argument("--folder", type=Path, default=Path("build/sources"))
    options = parser.parse_args()
    recipe = Sources(options.work, options.data)
    variants = [(SOURCES[:count], False) for count in range(1, len(SOURCES) + 1)] + [(SOURCES, True)]
    models = {}
    for sources, evidence in variants:
        name = "+".join((*sources, *(("lists",) if evidence else ())))
        models[name] = recipe.tuned(options.folder / name, sources, evidence=evidence)
    test = options.folder / "test.txt"
    test.write_text("".join(f"{line}\n" for line in corpora.load(TEST, data=options.data).sources), encoding="utf-8")
    outputs = [
        f"{name}={make(model.with_name('test.txt'), 'simplify', test, '--lines', '--quiet', '--model', model)}"
        for name, model in models.items()
    ]
    for variant in ("xu2016", "easse"):
        evaluate = ("evaluate", TEST, "--outputs", "source", *outputs, "--metrics", *METRICS)
        plainwright(*evaluate, "--variant", variant, "--data", options.data)


if __name__ == "__main__":
    main()
