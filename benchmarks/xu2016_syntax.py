"""What syntax does in a model of recipes/xu2016.toml: its features with their weights, and edits of rules with gaps.

    plainwright learn run recipes/xu2016.toml
    python benchmarks/xu2016_syntax.py features build/xu2016/sari
    python benchmarks/xu2016_syntax.py edits build/xu2016/sari sentences.txt [--most 20] [--seed 20]

The first prints a table of the 33 features of PPDB 1.0 and the 9 that Xu et al. (2016) released: where the values come
from, and the weight after tuning. The second decodes sentences, one a line, in lower case, and prints a sample of what
rules with gaps changed, one rule of each sentence at most: number, label, rule, words before and after, sentence.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from plainwright.decode import Candidate, Decoder, SyntaxLabels
from plainwright.decode.bundle import ModelBundle
from plainwright.files import read_text
from plainwright.grammar import PackedGrammar
from plainwright.grammar.features import FEATURES, PPDB_FEATURES, RELEASED_FEATURES, missing_name
from plainwright.lm import LanguageModel
from plainwright.text import ptb_tokenize


class Edit(NamedTuple):
    label: str
    rule: str
    before: str
    after: str
    sentence: str


def features(model: Path) -> None:
    """Print the table; a feature that no grammar has is missing."""
    bundle = ModelBundle.load(model)
    grammars = [PackedGrammar.of_model(path) for path in bundle.grammar_paths]
    known, weights = {name for grammar in grammars for name in grammar.feature_names}, bundle.weights
    print("| feature | grammars | weight | weight where missing |\n|---|---|---:|---:|")
    for name in (*PPDB_FEATURES, *RELEASED_FEATURES):
        having = [grammar.path.stem for grammar in grammars if name in grammar.feature_names]
        origin = "computed" if FEATURES[name].computed else "carried"
        where = f"{origin}: {', '.join(having)}" if name in known else "missing"
        other = weights.get(missing_name(name))
        shown = [f"{weights.get(name, 0.0):.4f}" if name in known else "", "" if other is None else f"{other:.4f}"]
        print(f"| `{name.replace('|', chr(92) + '|')}` | {where} | {' | '.join(shown)} |")


def edits(model: Path, sentences: Path, most: int, seed: int) -> None:
    """Print a sample of changes by rules with gaps."""
    bundle = ModelBundle.load(model)
    grammars = [PackedGrammar.of_model(path) for path in bundle.grammar_paths]
    lm = None if bundle.language_model_path is None else LanguageModel.open(bundle.language_model_path)
    words = [[token.text.lower() for token in ptb_tokenize(line)] for line in read_text(sentences).splitlines()]
    decoder = Decoder(grammars, lm=lm, weights=bundle.weights, settings=bundle.decoder_settings())
    results = decoder.decode(words, analyses=SyntaxLabels().analyses(words), threads=2)
    changed = sum(result[0].tokens != tuple(own) for result, own in zip(results, words, strict=True) if len(result))
    found = []
    for result, own in zip(results, words, strict=True):
        every = list(_edits(grammars, result[0], own)) if len(result) else []
        if every:
            found.append(random.Random(f"{seed} {' '.join(own)}").choice(every))
    print(f"{len(words)} sentences, {changed} changed, {len(found)} by a rule with gaps", file=sys.stderr)
    random.Random(seed).shuffle(found)
    for number, edit in enumerate(found[:most], start=1):
        print(number, *edit, sep="\t")


def _edits(grammars: Sequence[PackedGrammar], best: Candidate, words: list[str]) -> Iterator[Edit]:
    for step in best.derivation:
        if step.kind != "rule":
            continue
        assert step.grammar is not None
        assert step.rule is not None
        [line] = grammars[step.grammar].lines(range(step.rule, step.rule + 1))
        label, source, target, _ = line.split(" ||| ", 3)
        if "[" in source and source != target:
            before, after = words[slice(*step.source)], best.tokens[slice(*step.target)]
            yield Edit(label, f"{source} → {target}", " ".join(before), " ".join(after), " ".join(words))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("features").add_argument("model", type=Path)
    sheet = commands.add_parser("edits")
    sheet.add_argument("model", type=Path)
    sheet.add_argument("sentences", type=Path)
    sheet.add_argument("--most", type=int, default=20)
    sheet.add_argument("--seed", type=int, default=20)
    given = parser.parse_args()
    if given.command == "features":
        features(given.model)
    else:
        edits(given.model, given.sentences, given.most, given.seed)


if __name__ == "__main__":
    main()
