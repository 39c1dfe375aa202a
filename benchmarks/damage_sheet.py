"""Draw changed sentences for reading, and count how many sentences with a hard word were changed.

    python benchmarks/damage_sheet.py draw --model DIR --seed 1 -o sheet.txt      # what a reader gets
    python benchmarks/damage_sheet.py count benchmarks/damage/sheet.tsv           # what the verdicts say

A hard word is a word in small letters, not protected, that is not among the 3,000 most frequent ones. What is drawn is
not committed: `benchmarks/damage/sheet.tsv` has the place of a sentence, its edits, the verdict and the reason;
`second.tsv` a second reading of the same, drawn with `--seed 2030`; `bold.tsv` that of a draw with `--strength 1` and
seed 2028. `wider.tsv` (2028) and `earlier.tsv` (2029) are of the model before it learnt from slower verdicts, with a
`sentence_risk` of 0.3 and of 0.15.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from pathlib import Path

import plainwright
from plainwright.evaluation import load_set
from plainwright.rewrite import load
from plainwright.rewrite.protect import Protection, protected_tokens
from plainwright.text import ptb_tokenize
from plainwright.text.frequencies import common_words

OWN = Path(__file__).parent / "damage" / "sentences.txt"
TOTAL = 120
TUNED_ON = 1500  # segments of TurkCorpus tune that weights were tuned on


def sources() -> dict[str, list[tuple[str, str]]]:
    """Name and text of the sentences to draw from; ASSET's are TurkCorpus's, so only those not tuned on."""
    tune = load_set("turkcorpus/tune.detok").sources or ()
    asset = load_set("asset/valid").sources or ()
    seen = {letters(text) for text in tune[:TUNED_ON]}
    return {
        "own": [(f"own:{n}", text) for n, text in enumerate(OWN.read_text(encoding="utf-8").splitlines(), 1)],
        "asset": [(f"asset/valid:{n}", text) for n, text in enumerate(asset, 1) if letters(text) not in seen],
        "tune": [(f"turkcorpus/tune.detok:{n}", text) for n, text in enumerate(tune, 1) if n > TUNED_ON],
    }


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def has_hard_word(text: str) -> bool:
    tokens = ptb_tokenize(text)
    reasons = protected_tokens(text, tokens, Protection())
    return any(
        reason is None and token.text.isalpha() and token.text.islower() and token.text not in common_words()
        for token, reason in zip(tokens, reasons, strict=True)
    )


def draw(arguments: argparse.Namespace) -> None:
    simplifier = load(arguments.model, engine="rules", strength=arguments.strength)
    generator = random.Random(arguments.seed)
    drawn: list[tuple[str, plainwright.SimplifiedText]] = []
    taken: set[str] = set()
    for name, sentences in sources().items():
        results = list(simplifier.stream((text + "\n" for _, text in sentences), lines=True, alternatives=0))
        changed = [result.text != result.source for result in results]
        hard = [flag for flag, (_, text) in zip(changed, sentences, strict=True) if has_hard_word(text)]
        print(
            f"{name}\t{len(sentences)} sentences\t{sum(changed)} changed\twith a hard word: {sum(hard)} of {len(hard)}"
        )
        pool = [
            (place, result)
            for (place, text), result, flag in zip(sentences, results, changed, strict=True)
            if flag and letters(text) not in taken
        ]
        wanted = TOTAL - len(drawn) if name == "tune" else min(len(pool), 40)
        picked = sorted(generator.sample(range(len(pool)), wanted))
        taken |= {letters(pool[number][1].source) for number in picked}
        drawn += [pool[number] for number in picked]
    with arguments.output.open("w", encoding="utf-8") as stream:
        for number, (place, result) in enumerate(drawn, 1):
            edits = [edit for sentence in result.sentences for edit in sentence.edits]
            stream.write(f"{number}\t{place}\nBEFORE: {result.source.strip()}\nAFTER:  {result.text.strip()}\n")
            stream.write("EDITS:  " + "; ".join(f"{e.source_text} -> {e.target_text}" for e in edits) + "\n\n")


def count(arguments: argparse.Namespace) -> None:
    rows = [line.split("\t") for line in arguments.sheet.read_text(encoding="utf-8").splitlines()[1:]]
    for name in ("turkcorpus", "asset", "own", ""):
        verdicts = Counter(row[2] for row in rows if row[0].startswith(name))
        total = sum(verdicts.values())
        shares = "\t".join(f"{verdict} {verdicts[verdict]}" for verdict in ("good", "acceptable", "damaged"))
        print(f"{name or 'all'}\t{total}\t{shares}\tdamaged {100 * verdicts['damaged'] / max(1, total):.1f} %")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("--model", type=Path, default=None)
    drawing.add_argument("--strength", type=float, default=0.0)
    drawing.add_argument("--seed", type=int, default=1)
    drawing.add_argument("-o", "--output", type=Path, required=True)
    drawing.set_defaults(run=draw)
    counting = commands.add_parser("count")
    counting.add_argument("sheet", type=Path)
    counting.set_defaults(run=count)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
