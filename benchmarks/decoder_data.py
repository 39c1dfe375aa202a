"""What the decoder is timed with: a grammar, a language model, weights and sentences, real as far as they can be had.

`paraphrases` needs the data directory. Real are: the sentences (TurkCorpus tune); the pairs of words and phrases with
their p(e|f) (METEOR's table, 2.2 million); the text of the language model (Wikipedia and MASC, without any line of
tune, its references included); the weights (those that Xu et al. started tuning from, and those that they found).
PPDB itself cannot be had, so these are made up, from fixed hashes and a seed:

- labels: a source side has one (half of them), two (three in ten), three or four, out of 28 for words and 62 for
  phrases, the slashed ones included; a pair belongs to one of them;
- 400,000 rules with gaps: a window of two to six words of the model's text in which one or two stretches became gaps
  with a label of theirs, and up to three frequent words stayed. More than a quarter of them (111,693) swap gaps;
- of the 42 features, those that are not counts of words or characters.

`made_up` needs no data: its sentences come from a chain in which each of 20,000 words has 30 successors, both drawn by
Zipf's law, and its rules are random in the same proportions as far as that makes sense.
"""

from __future__ import annotations

import gzip
import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from zlib import crc32

from plainwright import _core
from plainwright.grammar.features import PPDB_FEATURES, RELEASED_FEATURES
from plainwright.learn.lm import estimate

SEED = 20161
ORDER = 5
GAP_RULES = 400_000
FREQUENT = 1000  # words that stay beside gaps
FEATURES = (*PPDB_FEATURES, *RELEASED_FEATURES)
NODES = ("NP", "VP", "PP", "S", "SBAR", "ADJP", "ADVP")
WORD_LABELS = (
    *("NN", "NN", "NN", "NP", "NP", "NNS", "NNS", "JJ", "JJ", "VB", "VB", "VBD", "VBN", "VBG", "VBZ", "VBP", "VP"),
    *("RB", "ADVP", "ADJP", "IN", "PP", "DT", "CD", "NNP", "MD", "CC", "TO", "PRP", "PRN", "JJR", "WHNP", "QP", "X"),
)
PHRASE_LABELS = (
    *(label for label in (*NODES, "QP", "WHNP", "PRN") for _ in range(4)),
    *(f"{node}/{lacking}" for node in NODES for lacking in ("NN", "NNS", "NP", "PP", "VP")),
    *(f"{node}\\{lacking}" for node in NODES[:6] for lacking in ("NN", "DT", "NP")),
)
HOW_MANY_LABELS = (1, 1, 1, 1, 1, 2, 2, 2, 3, 4)
MODEL_TEXTS = (
    *(f"coster_kauchak_v2/slice_{name}.simple.gz" for name in ("a", "b", "c_normalised")),
    *(f"monolingual/wikitext-2-raw.{part}.txt.gz" for part in ("valid", "test")),
    "monolingual/masc.tok.txt.gz",
)

Sentence = list[str]
Weights = dict[str, float]


@dataclass(frozen=True)
class Setup:
    grammar: Path
    model: Path
    sentences: list[Sentence]
    weights: dict[str, Weights]  # by name; the first is the one that counts

    def of_length(self, length: int, count: int) -> list[Sentence]:
        """Running text of all sentences, cut into pieces of equal length."""
        tokens = [token for sentence in self.sentences for token in sentence]
        return [tokens[i * length : (i + 1) * length] for i in range(min(count, len(tokens) // length))]


def paraphrases(data: Path, folder: Path) -> Setup:
    """Packs what is not yet in `folder`."""
    grammar, model = folder / "paraphrases.pack", folder / "wikipedia.lm"
    tune = (data / "turkcorpus/tok_lower/tune.norm").read_text(encoding="utf-8").splitlines()
    if not (grammar.exists() and model.exists()):
        seen = {
            line
            for part in ("norm", "simp", *(f"turk.{i}" for i in range(8)))
            for line in (data / f"turkcorpus/tok_lower/tune.{part}").read_text(encoding="utf-8").splitlines()
        }
        text = [line for name in MODEL_TEXTS for line in lower_lines(data / name) if line not in seen]
        estimate(text, order=ORDER).save(model)
        pack_grammar(paraphrase_lines(data, text), grammar)
    return Setup(grammar, model, [line.split() for line in tune], released_weights(data))


def lower_lines(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        yield from (" ".join(line.lower().split()) for line in stream if line.strip())


def released_weights(data: Path) -> dict[str, Weights]:
    """The released system's, plus one for words that stay: its grammar had rules for that, ours has none."""
    rows = (data / "paraphrase/sbmt-sari-feature-weights.tsv").read_text(encoding="utf-8").splitlines()[1:]
    columns = [row.split("\t") for row in rows]
    weights = {name: {row[0]: float(row[column]) for row in columns} for name, column in (("initial", 2), ("tuned", 3))}
    for chosen in weights.values():
        chosen["IdentityRule"] = sum(chosen[name] for name in ("Identity", "PhrasePenalty", "Lexical", "Monotonic"))
        chosen["IdentityRule"] += chosen["SourceWords"] + chosen["TargetWords"]
    return weights


def labels_of(phrase: str) -> list[str]:
    """The same for the same words wherever they are met: as a source side, or as what became a gap."""
    kinds = PHRASE_LABELS if " " in phrase else WORD_LABELS
    count = HOW_MANY_LABELS[crc32(phrase.encode()) % len(HOW_MANY_LABELS)]
    return list(dict.fromkeys(kinds[crc32(f"{i} {phrase}".encode()) % len(kinds)] for i in range(count)))


class FeatureWriter:
    """Counts as they are, probabilities and the like from one of 4,000 rows drawn once."""

    COUNTS = ("Adjacent", "CharCountDiff", "ContainsX", "Lexical", "Monotonic", "PhrasePenalty")
    COUNTS += ("SourceWords", "TargetWords", "WordCountDiff", "p(e|f)")
    NEVER = ("Abstract", "GlueRule", "Identity", "SourceTerminalsButNoTarget", "TargetTerminalsButNoSource")

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        free = [name for name in FEATURES if name not in (*self.COUNTS, *self.NEVER)]
        self.rows = [" ".join(f"{name}={self._value(name)}" for name in free) for _ in range(4000)]
        self.never = " ".join(f"{name}=0" for name in self.NEVER)

    def _value(self, name: str) -> str:
        if name.startswith(("p(", "Lex(")):
            return f"{self.draw.expovariate(1 / 4):.5f}"
        if name in ("AGigaSim", "GoogleNgramSim", "RarityPenalty"):
            return f"{self.draw.random():.5f}"
        if "Giga" in name:
            return f"{self.draw.gauss(-4, 2):.5f}"
        if name.endswith("LogCR"):
            return f"{self.draw.gauss(0, 0.4):.5f}"
        return f"{self.draw.randint(-1, 2)}"

    def line(self, label: str, source: str, target: str, gaps: int, swapped: bool, surprise: float) -> str:
        before, after = source.count(" ") + 1 - gaps, target.count(" ") + 1 - gaps
        adjacent = gaps == 2 and "] [" in source
        return (
            f"[{label}] ||| {source} ||| {target} ||| Adjacent={adjacent:d} CharCountDiff={len(target) - len(source)}"
            f" ContainsX={label == 'X':d} Lexical={gaps == 0:d} Monotonic={not swapped:d} PhrasePenalty=1"
            f" SourceWords={before} TargetWords={after} WordCountDiff={after - before} p(e|f)={surprise:.5f}"
            f" {self.never} {self.draw.choice(self.rows)} ||| \n"
        )


def paraphrase_lines(data: Path, text: list[str]) -> Iterator[str]:
    writer = FeatureWriter(random.Random(SEED))
    with gzip.open(data / "paraphrase/meteor-1.5-paraphrase-en.filtered.tsv.gz", "rt", encoding="utf-8") as stream:
        for row in stream:
            source, target, probability = row.rstrip("\n").split("\t")
            labels = labels_of(source)
            label = labels[crc32(target.encode()) % len(labels)]
            yield writer.line(label, source, target, 0, False, -math.log(float(probability)))
    made = set()
    for rule in gap_rules(text, writer.draw):
        if rule in made:
            continue
        made.add(rule)
        yield writer.line(*rule, writer.draw.expovariate(1 / 3))
        if len(made) == GAP_RULES:
            return


def gap_rules(text: list[str], draw: random.Random) -> Iterator[tuple[str, str, str, int, bool]]:
    """Label, source, target, gaps, whether these change places; without end."""
    counts = Counter(word for line in text for word in line.split())
    frequent = [word for word, _ in counts.most_common(FREQUENT) if "[" not in word and "|" not in word]
    kept = set(frequent)
    while True:
        words = draw.choice(text).split()
        size = draw.randint(2, 6)
        if len(words) < size:
            continue
        at = draw.randrange(len(words) - size + 1)
        source = with_gaps(words[at : at + size], draw)
        terminals = [word for word in source if not word.startswith("[")]
        gaps = len(source) - len(terminals)
        if gaps == 0 or not 1 <= len(terminals) <= 3 or not kept.issuperset(terminals):
            continue
        target = [word for word in (changed(symbol, frequent, draw) for symbol in source) if word]
        swapped = gaps == 2 and draw.random() < 0.4
        if swapped:
            first, second = (i for i, symbol in enumerate(target) if symbol.startswith("["))
            target[first], target[second] = target[second], target[first]
        if target != source:
            yield draw.choice(labels_of(" ".join(source))), " ".join(source), " ".join(target), gaps, swapped


def with_gaps(words: Sentence, draw: random.Random) -> Sentence:
    """One or two stretches of up to three words, which do not overlap, become gaps."""
    wanted = draw.choice((1, 2))
    cuts = sorted(draw.sample(range(len(words) + 1), min(2 * wanted, len(words) + 1)))
    stretches = [(begin, end) for begin, end in list(pairwise(cuts))[::2] if end - begin <= 3]
    source = list(words)
    for number, (begin, end) in reversed(list(enumerate(stretches, start=1))):
        label = draw.choice(labels_of(" ".join(words[begin:end])))
        source[begin:end] = [f"[{label},{number}]"]
    return source


def changed(symbol: str, frequent: Sentence, draw: random.Random) -> str:
    kind = draw.random()
    if symbol.startswith("[") or kind < 0.5:
        return symbol
    return draw.choice(frequent) if kind < 0.8 else ""


def pack_grammar(lines: Iterator[str], path: Path) -> None:
    packer = _core.GrammarPacker()
    block: list[str] = []
    for line in lines:
        block.append(line)
        if len(block) == 50_000:
            packer.feed("".join(block).encode())
            block.clear()
    packer.feed("".join(block).encode())
    path.write_bytes(packer.finish().tobytes())


WORDS = 20_000
SUCCESSORS = 30
LABELS = [f"L{i}" for i in range(39)] + ["X"]


class Language:
    """A chain of words; `sentence(n)` walks it."""

    def __init__(self) -> None:
        self.random = random.Random(SEED)
        self.zipf = list(accumulate(1 / (rank + 1) for rank in range(WORDS)))
        self.next_zipf = list(accumulate(1 / (rank + 1) for rank in range(SUCCESSORS)))
        self.successors = [self.random.choices(range(WORDS), cum_weights=self.zipf, k=SUCCESSORS) for _ in range(WORDS)]

    def sentence(self, length: int) -> Sentence:
        word = self.random.choices(range(WORDS), cum_weights=self.zipf)[0]
        words = [word]
        while len(words) < length:
            word = self.random.choices(self.successors[word], cum_weights=self.next_zipf)[0]
            words.append(word)
        return [f"w{word}" for word in words]


def made_up(folder: Path, rules: int, sentences: int) -> Setup:
    language = Language()
    corpus = [language.sentence(language.random.randint(8, 36)) for _ in range(10_000)]
    asked = [language.sentence(language.random.randint(8, 36)) for _ in range(sentences)]
    grammar, model = folder / f"made-up-{rules}.pack", folder / "made-up.lm"
    if not (grammar.exists() and model.exists()):
        pack_grammar(made_up_lines(language, corpus, rules), grammar)
        estimate((" ".join(sentence) for sentence in corpus), order=ORDER).save(model)
    draw = random.Random(SEED)
    weights = {f"f{i}": draw.gauss(0, 0.2) for i in range(len(FEATURES))}
    weights |= {"lm_0": 1.0, "WordPenalty": -0.5, "OOVPenalty": -1.0, "tm_glue_0": -0.1, "IdentityRule": 2.0}
    return Setup(grammar, model, asked, {"random": weights})


def made_up_lines(language: Language, corpus: list[Sentence], rules: int) -> Iterator[str]:
    draw = language.random
    numbered = range(len(FEATURES))
    values = [
        " ".join(f"f{i}={draw.gauss(2, 1):.2f}" if i < 8 else f"f{i}={draw.randrange(3)}" for i in numbered)
        for _ in range(4000)
    ]

    def line(source: str, target: str) -> str:
        rank = draw.choices((0, 1, 2), (80, 15, 5))[0]
        label = LABELS[crc32(f"{rank} {source}".encode()) % len(LABELS)]
        return f"[{label}] ||| {source} ||| {target} ||| {draw.choice(values)} ||| \n"

    def word() -> str:
        return f"w{draw.choices(range(WORDS), cum_weights=language.zipf)[0]}"

    for _ in range(rules * 6 // 10):
        source = word() if draw.random() < 0.7 else f"w{draw.randrange(WORDS)}"
        yield line(source, " ".join(word() for _ in range(draw.choice((1, 1, 1, 2)))))
    made = rules * 6 // 10
    while made < rules * 9 // 10:
        sentence = draw.choice(corpus)
        at, size = draw.randrange(len(sentence)), draw.choice((2, 2, 2, 3, 3, 4, 5))
        for _ in range(8):
            target = " ".join(word() for _ in range(draw.randint(max(1, size - 2), size)))
            yield line(" ".join(sentence[at : at + size]), target)
            made += 1
    while made < rules:
        gaps = [f"[{draw.choice(LABELS)},{i + 1}]" for i in range(draw.choice((1, 1, 2)))]
        source, target = list(gaps), gaps[::-1] if draw.random() < 0.2 else list(gaps)
        for side in (source, target):
            for _ in range(draw.choice((1, 1, 2))):
                side.insert(draw.randint(0, len(side)), f"w{draw.randrange(60)}")
        yield line(" ".join(source), " ".join(target))
        made += 1
