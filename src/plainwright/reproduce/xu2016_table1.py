"""Xu et al. (2016), Table 1: example rules of PPDB, each at work in a sentence of ours.

The table has no numbers. What can be shown is that rules of every kind in it are read, packed and applied: words,
phrases, and rules with labelled gaps, which words of the input fill by the labels that an analysis gives them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plainwright.decode import Analysis, Decoder
from plainwright.grammar import PackedGrammar, parse_rule
from plainwright.grammar.rules import Rule, Symbol
from plainwright.reproduce.table import Block, Cell, Reproduction
from plainwright.reproduce.xu2016 import CITATION

__all__ = ["TABLE_1", "table1"]

TABLE_1 = "Xu et al. (2016), Table 1: rules of the Paraphrase Database at work"

# Kind, rule as printed, and a sentence of ours with the tags of its words.
_RULES = (
    ("lexical", "[RB] ||| solely ||| only", "It/PRP is/VBZ solely/RB theirs/PRP"),
    ("lexical", "[NN] ||| objective ||| goal", "Our/PRP$ objective/NN is/VBZ clear/JJ"),
    ("lexical", "[JJ] ||| undue ||| unnecessary", "They/PRP left/VBD without/IN undue/JJ haste/NN"),
    ("phrasal", "[VP] ||| accomplished ||| carried out", "The/DT plan/NN was/VBD accomplished/VBN"),
    (
        "phrasal",
        "[VP/PP] ||| make a significant contribution ||| contribute greatly",
        "Bees/NNS make/VBP a/DT significant/JJ contribution/NN to/IN farms/NNS",
    ),
    (
        "phrasal",
        "[VP/S] ||| is generally acknowledged that ||| is widely accepted that",
        "It/PRP is/VBZ generally/RB acknowledged/VBN that/IN sleep/NN helps/VBZ",
    ),
    (
        "syntactic",
        "[NP/VP] ||| the manner in which [NN,1] ||| the way [NN,1]",
        "She/PRP likes/VBZ the/DT manner/NN in/IN which/WDT tea/NN is/VBZ served/VBN",
    ),
    (
        "syntactic",
        "[NP] ||| [NNP,1] 's population ||| the people of [NNP,1]",
        "Half/NN of/IN Norway/NNP 's/POS population/NN skis/VBZ",
    ),
    (
        "syntactic",
        "[NP] ||| [NNP,1] 's [JJ,2] legislation ||| the [JJ,2] law of [NNP,1]",
        "Peru/NNP 's/POS new/JJ legislation/NN is/VBZ strict/JJ",
    ),
)
_WEIGHTS: Mapping[str, float] = {"Rule": 1.0, "IdentityRule": 0.1}


def table1() -> Reproduction:
    """Apply each rule of the table to a sentence."""
    rules = [parse_rule(f"{text} ||| Rule=1 ||| ") for _, text, _ in _RULES]
    grammar = PackedGrammar.from_rules(rules)
    decoder = Decoder([grammar], weights=_WEIGHTS)
    cells, texts = [], []
    for (kind, _, tagged), rule in zip(_RULES, rules, strict=True):
        words, analysis = _analysed(tagged)
        best = decoder.decode([words], analyses=[analysis])[0][0]
        own = grammar.find(_side(rule.source))  # each source of the table has one rule
        used = sum(step.kind == "rule" and step.rule in own for step in best.derivation)
        cells.append(Cell(row=_shown(rule), column=kind, paper=None, ours=used, digits=0))
        texts.append(f"{' '.join(words)} → {best.text}")
    return Reproduction(
        name="xu2016-table1",
        title=TABLE_1,
        citation=CITATION,
        blocks=(
            Block(
                cells=tuple(cells),
                methods={
                    "lexical, phrasal, syntactic": "how often the decoder applied the rule in the sentence below, with "
                    "the tags of its words given"
                },
            ),
        ),
        notes=(
            "The rules are the nine of the table; PPDB itself, 220 million rules, is no longer offered for download.",
            "Sentences of ours, and what the decoder makes of them with these rules alone:",
            *texts,
        ),
    )


def _analysed(tagged: str) -> tuple[list[str], Analysis]:
    pairs = [word.rsplit("/", 1) for word in tagged.split()]
    return [word.lower() for word, _ in pairs], [(at, at + 1, tag) for at, (_, tag) in enumerate(pairs)]


def _shown(rule: Rule) -> str:
    return f"[{rule.lhs}] {_side(rule.source)} → {_side(rule.target)}"


def _side(symbols: Sequence[Symbol]) -> str:
    return " ".join(map(str, symbols))
