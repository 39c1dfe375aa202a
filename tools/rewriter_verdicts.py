"""Have rewrites of a rewriter read one by one, for `plainwright learn rewriter-risk`.

    python tools/rewriter_verdicts.py sources --number 1200 -o sources.txt
    python tools/rewriter_verdicts.py draw REWRITER sources.txt -o FOLDER --sheets 8
    python tools/rewriter_verdicts.py join FOLDER -o packages/plainwright-en/ratings/verdicts.tsv.gz
    python tools/rewriter_verdicts.py count packages/plainwright-en/ratings/verdicts.tsv.gz

`sources` draws sentences that no rewriter learns from: those of `benchmarks/reading`, what the written corpus holds
out, and sentences of WikiText-2. `draw` writes sheets, a block for each source with up to four of its rewrites, none of
which the judge of fidelity refuses. Whoever reads them follows `packages/plainwright-en/ratings/VERDICTS.md` and writes
`sheet-N.verdicts.tsv` beside `sheet-N.txt`: number and letter, damage, ease, cause, separated by tabs. `join` puts the
verdicts into the form of ratings, with a number for each word (DAMAGE and EASE below).
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import io
import itertools
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from plainwright.rewrite.judge.fidelity import broken_promise
from plainwright.rewrite.propose.whole import is_prose
from plainwright.rewriter.controls import Controls
from plainwright.rewriter.pivot import PivotRewriter
from plainwright.text import split_sentences

ROOT = Path(__file__).resolve().parents[1]
READING = ROOT / "benchmarks" / "reading"
CORPUS = ROOT / "packages" / "plainwright-en" / "data"
DAMAGE = {"ok": (96, 96), "minor": (75, 85), "damaged": (30, 60)}  # as meaning and grammar
EASE = {"much": 92, "noticeably": 80, "slightly": 62, "same": 50, "harder": 35}  # as simplicity
COLUMNS = ("id", "origin", "system", "source", "output", "meaning", "grammar", "simplicity", "overall", "cause")
MOST = 4  # rewrites in a block
FEWEST_WORDS = 12  # of a sentence that is worth reading
HELD_OUT = 0.012  # of the sources of the corpus, as in the recipe


def digest_place(source: str) -> float:
    """Return where a source falls between 0 and 1, as the corpus of the training has it."""
    return int(hashlib.sha256(source.encode()).hexdigest(), 16) % 1000 / 1000


def corpus_sources() -> Iterator[tuple[str, str]]:
    """Yield origin and text of all sources of the written corpus that have a text."""
    for path in sorted(CORPUS.glob("*.tsv.gz")):
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                if row["unit"] == "sentence" and not row["source"].startswith("sha256:"):
                    yield row["origin"], " ".join(row["source"].split())


def sources(data: Path) -> dict[str, list[tuple[str, str]]]:
    """Return origin and text of what can be drawn, by where it comes from."""
    own = [("composed", line) for line in (READING / "sentences.txt").read_text(encoding="utf-8").splitlines()]
    documents = [
        ("composed", sentence)
        for path in sorted((READING / "documents").glob("*.txt"))
        for paragraph in path.read_text(encoding="utf-8").splitlines()
        for sentence in split_sentences(paragraph)
    ]
    known = dict.fromkeys(corpus_sources())
    held_out = [(origin, text) for origin, text in known if digest_place(text) < HELD_OUT]
    texts = {text for _, text in known}
    with gzip.open(data / "monolingual" / "wikitext-2-raw.valid.txt.gz", "rt", encoding="utf-8") as file:
        lines = [re.sub(r" @(.)@ ", r"\1", line.strip()) for line in file if line.strip() and line[1] != "="]
    wiki = [
        ("wikipedia-wikitext", sentence)
        for line in lines
        for sentence in split_sentences(re.sub(r" ([,.;:)'])", r"\1", line).replace("( ", "("))
        if sentence not in texts and " ' " not in sentence and '"' not in sentence and "<unk>" not in sentence
    ]
    return {"sentences": own, "documents": documents, "held out": held_out, "wikipedia": wiki}


def drawn(data: Path, number: int, seed: int) -> list[tuple[str, str]]:
    """Return so many sentences, a quarter from each place."""
    chance = random.Random(seed)
    found: list[tuple[str, str]] = []
    for own in sources(data).values():
        worth = [one for one in own if is_prose(one[1]) and len(one[1].split()) >= FEWEST_WORDS]
        found += chance.sample(worth, min(len(worth), number // 4))
    chance.shuffle(found)
    return found


def rewritten(
    rewriter: PivotRewriter, texts: Sequence[str], seed: int, threads: int
) -> Iterator[list[tuple[str, str]]]:
    """Yield up to `MOST` rewrites of each text with their level: the likeliest plain one, and others by chance."""
    chance = random.Random(seed)
    by_level = {
        level: rewriter.rewrite(texts, controls=[Controls(level=level)], candidates=most, threads=threads)
        for level, most in (("plain", 4), ("light", 2))  # type: ignore[arg-type]
    }
    for number, text in enumerate(texts):
        found = {one.text: level for level, some in by_level.items() for one in some[number]}
        kept = [(level, own) for own, level in found.items() if own != text and broken_promise(text, own) is None]
        yield kept[:1] + chance.sample(kept[1:], min(MOST - 1, len(kept[1:])))


def draw(arguments: argparse.Namespace) -> None:
    """Write sheets and their key."""
    rows = [tuple(line.split("\t")) for line in arguments.sources.read_text(encoding="utf-8").splitlines()]
    rewriter = PivotRewriter(arguments.rewriter)
    blocks = zip(rows, rewritten(rewriter, [text for _, text in rows], arguments.seed, arguments.threads), strict=True)
    wanted = [(row, own) for row, own in blocks if own]
    arguments.output.mkdir(parents=True, exist_ok=True)
    with (arguments.output / "key.tsv").open("w", encoding="utf-8") as key:
        for sheet in range(arguments.sheets):
            lines = []
            for number, ((origin, source), own) in itertools.islice(enumerate(wanted), sheet, None, arguments.sheets):
                random.Random(number).shuffle(own)
                lines.append(f"S{number}\t{source}")
                for letter, (level, text) in zip("abcd", own, strict=False):
                    lines.append(f"{number}.{letter}\t{text}")
                    key.write("\t".join((f"{number}.{letter}", origin, f"rewriter {level}", source, text)) + "\n")
                lines.append("")
            (arguments.output / f"sheet-{sheet}.txt").write_text("\n".join(lines), encoding="utf-8")


def join(arguments: argparse.Namespace) -> None:
    """Put all verdicts beside what they are of."""
    key = {}
    for line in (arguments.folder / "key.tsv").read_text(encoding="utf-8").splitlines():
        place, *rest = line.split("\t")
        key[place] = rest
    rows = {}
    for path in sorted(arguments.folder.glob("sheet-*.verdicts.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            place, damage, ease, *cause = line.split("\t")
            origin, system, source, output = key[place]
            meaning, grammar = DAMAGE[damage]
            overall = min(meaning, EASE[ease])
            numbers = (meaning, grammar, EASE[ease], overall)
            rows[place] = (f"V{place}", origin, system, source, output, *map(str, numbers), " ".join(cause) or "-")
    buffer = io.StringIO()
    buffer.write("\t".join(COLUMNS) + "\n")
    for place in key:
        if place in rows:
            buffer.write("\t".join(rows[place]) + "\n")
    with gzip.GzipFile(arguments.output, "wb", mtime=0) as stream:
        stream.write(buffer.getvalue().encode())
    print(f"{len(rows)} of {len(key)} have a verdict")


def count(arguments: argparse.Namespace) -> None:
    """Say how many of each system are damaged or clearly easier."""
    found: dict[str, Counter[str]] = {}
    with gzip.open(arguments.table, "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            own = found.setdefault(row["system"], Counter())
            own["all"] += 1
            own["damaged"] += row["meaning"] == str(DAMAGE["damaged"][0])
            own["easier"] += int(row["simplicity"]) >= EASE["noticeably"]
    for system, own in sorted(found.items()):
        shares = (f"{name} {own[name] / own['all']:.0%}" for name in ("damaged", "easier"))
        print(f"{system}\t{own['all']}\t" + "\t".join(shares))


def main() -> None:
    """Read the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("sources")
    one.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    one.add_argument("--number", type=int, default=1200)
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("-o", "--output", type=Path, required=True)
    one.set_defaults(
        run=lambda given: given.output.write_text(
            "".join("\t".join(row) + "\n" for row in drawn(given.data, given.number, given.seed)), encoding="utf-8"
        )
    )
    one = commands.add_parser("draw")
    one.add_argument("rewriter", type=Path)
    one.add_argument("sources", type=Path)
    one.add_argument("-o", "--output", type=Path, required=True)
    one.add_argument("--sheets", type=int, default=8)
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--threads", type=int, default=2)
    one.set_defaults(run=draw)
    one = commands.add_parser("join")
    one.add_argument("folder", type=Path)
    one.add_argument("-o", "--output", type=Path, required=True)
    one.set_defaults(run=join)
    one = commands.add_parser("count")
    one.add_argument("table", type=Path)
    one.set_defaults(run=count)
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
