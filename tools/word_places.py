"""Have the entries of the word list read in the places where they fire, and put what readers say into the list.

    python tools/word_places.py draw FOLDER --data DIR --sheets 8
    python tools/word_places.py apply FOLDER

`draw` applies the lists under `packages/plainwright-en/words` to all sources of the written corpus and to texts under
DIR (nothing that is measured on), and writes sheets with the entries that fired often enough and that
`benchmarks/words/frequent.tsv` does not have, each with a few of its places. Whoever reads them follows
`benchmarks/words/BRIEF.md` and writes `sheet-N.verdicts.tsv` beside `sheet-N.txt`: a line for each entry with its
number, the places read, the places found wrong, and keep, drop or change; after change come the new lines of the list,
each behind a plus sign and a tab. `apply` changes the lists, once, as long as nothing else has changed them, and adds
the entries to the table of those that were read.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from plainwright import models
from plainwright.rewrite import Protection
from plainwright.rewrite.propose.wordlist import Worded, WordlistProposer
from plainwright.rewrite.sentences import sentences_of
from plainwright.rewrite.types import Edit
from plainwright.rewrite.wordlist import WordList, read_entries
from plainwright.text.tagging import Tagger

ROOT = Path(__file__).resolve().parents[1]
WORDS = ROOT / "packages" / "plainwright-en" / "words"
CORPUS = ROOT / "packages" / "plainwright-en" / "data"
READ = ROOT / "benchmarks" / "words" / "frequent.tsv"
ORDER = ("words", "phrases", "further", "general", "official", "frames", "collocations")  # earlier lists win
TEXTS = (
    "rewrites/pairs.tsv.gz",
    "monolingual/us-presidential-speeches.txt.gz",
    "monolingual/wikitext-2-raw.valid.txt.gz",
    "monolingual/wikitext-2-raw.test.txt.gz",
    "bisect/valid.src.gz",
    "bilingual/wmt-sample10k.en-de.tok.tsv.gz",
)
AT_ONCE = 2000
Place = tuple[str, str]  # the sentence with the hard words marked, and what the tool wrote with the plain ones marked
Key = tuple[str, int]  # a list and a line in it


def texts(data: Path) -> Iterator[str]:
    """Yield all texts to look in, each once."""
    seen: set[bytes] = set()
    for text in _texts(data):
        digest = hashlib.sha256(text.encode()).digest()
        if digest not in seen:
            seen.add(digest)
            yield text


def _texts(data: Path) -> Iterator[str]:
    for path in sorted(CORPUS.glob("*.tsv.gz")):
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                if not row["source"].startswith("sha256:"):
                    yield row["source"]
    for name in TEXTS:
        with gzip.open(data / name, "rt", encoding="utf-8") as file:
            for line in file:
                yield _without_tokens(line.rstrip("\n").split("\t")[0])


def _without_tokens(text: str) -> str:
    """Return tokenised text as it is usually written."""
    text = re.sub(r" @(.)@ ", r"\1", text)
    text = re.sub(r" ([,.;:?!)%])| (n?'(?:s|re|ve|ll|d|m|t)\b)", lambda found: found[1] or found[2], text)
    return re.sub(r"([($]) ", r"\1", text).strip()


def places(data: Path, proposer: WordlistProposer, most: int, least: int) -> dict[Key, list[Place]]:
    """Return up to `most` places, drawn by chance, of each entry that fires at least `least` times."""
    tagger, chance = Tagger.open(models.find("default") / "tagger.pack"), random.Random(1)
    found: dict[Key, list[Place]] = defaultdict(list)
    counts: dict[Key, int] = defaultdict(int)
    for some in _in_parts(texts(data)):
        sentences = [one for text in some for one in sentences_of(text, Protection())]
        tags = tagger.tag_many([[token.text for token in one.tokens] for one in sentences], threads=2)
        tagged = [replace(one, tags=own, memo={}) for one, own in zip(sentences, tags, strict=True)]
        tagged = [replace(one, fixed=proposer.fixed_for_lists(one)) for one in tagged]
        for sentence, own in zip(tagged, proposer.propose(tagged, limit=1, threads=1), strict=True):
            for proposal in own:
                groups: dict[int, list[Edit]] = defaultdict(list)
                for edit in proposal.edits:
                    groups[edit.group].append(edit)
                for edits in groups.values():
                    key = _key(edits[0])
                    counts[key] += 1
                    place = _marked(sentence.text, proposal.text, edits)
                    # Each place is as likely to stay as any other.
                    if len(found[key]) < most:
                        found[key].append(place)
                    elif (spot := chance.randrange(counts[key])) < most:
                        found[key][spot] = place
    return {key: own for key, own in found.items() if counts[key] >= least}


def _in_parts(found: Iterable[str]) -> Iterator[list[str]]:
    part: list[str] = []
    for text in found:
        part.append(text)
        if len(part) == AT_ONCE:
            yield part
            part = []
    if part:
        yield part


def _key(edit: Edit) -> Key:
    [evidence] = edit.evidence
    assert isinstance(evidence, Worded)
    return evidence.entry.source, evidence.entry.line


def _marked(source: str, text: str, edits: list[Edit]) -> Place:
    """Mark what an entry changed on both sides."""
    for edit in sorted(edits, key=lambda one: one.source_span, reverse=True):
        for_source, for_text = edit.source_span, edit.target_span
        source = f"{source[: for_source[0]]}[{source[slice(*for_source)]}]{source[for_source[1] :]}"
        text = f"{text[: for_text[0]]}[{text[slice(*for_text)]}]{text[for_text[1] :]}"
    return source, text


def draw(arguments: argparse.Namespace) -> None:
    """Write sheets and their key."""
    lists = [(name, read_entries(WORDS / f"{name}.tsv")) for name in ORDER]
    proposer = WordlistProposer([WordList.of_entries([entry for _, own in lists for entry in own])])
    lines = {f"{name}.tsv": (WORDS / f"{name}.tsv").read_text(encoding="utf-8").splitlines() for name in ORDER}
    with READ.open(encoding="utf-8") as file:
        known = {tuple(row[:3]) for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}
    by_hard: dict[str, list[str]] = defaultdict(list)
    for own in lines.values():
        for line in own:
            by_hard[line.split("\t")[0]].append(line)
    found = places(arguments.data, proposer, arguments.places, arguments.least)
    wanted = sorted(key for key in found if tuple((lines[key[0]][key[1] - 1] + "\t\t").split("\t")[:3]) not in known)
    if arguments.only:
        wanted = [key for key in wanted if key[0] == f"{arguments.only}.tsv"]
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with (arguments.folder / "key.tsv").open("w", encoding="utf-8") as file:
        file.writelines(f"E{number}\t{name}\t{line}\n" for number, (name, line) in enumerate(wanted))
    for sheet in range(arguments.sheets):
        blocks = []
        for number in range(sheet, len(wanted), arguments.sheets):
            name, place = wanted[number]
            line = lines[name][place - 1]
            others = [f"   also: {other}" for other in by_hard[line.split("\t")[0]] if other != line]
            pairs = [f"   S: {source}\n   P: {text}" for source, text in found[wanted[number]]]
            blocks.append("\n".join([f"E{number}\t{line}", *others, *pairs, ""]))
        (arguments.folder / f"sheet-{sheet}.txt").write_text("\n".join(blocks), encoding="utf-8")
    print(f"{len(wanted)} entries, {sum(len(found[key]) for key in wanted)} places")


def apply(arguments: argparse.Namespace) -> None:
    """Change the lists, and say what was done."""
    key = {}
    for line in (arguments.folder / "key.tsv").read_text(encoding="utf-8").splitlines():
        number, name, place = line.split("\t")
        key[number] = (name, int(place))
    lists = {
        name: (WORDS / name).read_text(encoding="utf-8").splitlines() for name in {name for name, _ in key.values()}
    }
    news: dict[Key, list[str]] = {}
    rows = []
    judged: set[Key] = set()
    for path in sorted(arguments.folder.glob("sheet-*.verdicts.tsv")):
        current: list[str] = []
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("+\t"):
                current.append(line[2:].rstrip())
                continue
            number, read, wrong, action, *_ = line.split("\t")
            name, place = key[number]
            if action not in ("keep", "drop", "change") or (name, place) in judged:
                msg = f"{path}: expected one verdict of keep, drop or change for each entry, found {line!r:.60}"
                raise SystemExit(msg)
            judged.add((name, place))
            hard, kind, plain, *_ = (lists[name][place - 1] + "\t\t").split("\t")
            rows.append("\t".join((hard, kind, plain, read, wrong, action)))
            current = []
            if action != "keep":
                news[name, place] = current
    if missing := [number for number, spot in key.items() if spot not in judged]:
        print(f"{len(missing)} entries without a verdict stay as they are")
    for name, lines in lists.items():
        kept = []
        for place, line in enumerate(lines, start=1):
            kept += news.get((name, place), [line])
        (WORDS / name).write_text("\n".join(kept) + "\n", encoding="utf-8")
    with READ.open("a", encoding="utf-8") as file:
        file.writelines(f"{row}\n" for row in rows)
    actions = [row.rpartition("\t")[2] for row in rows]
    print({action: actions.count(action) for action in ("keep", "change", "drop")})


def main() -> None:
    """Read the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("draw")
    one.add_argument("folder", type=Path)
    one.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    one.add_argument("--sheets", type=int, default=8)
    one.add_argument("--only", choices=ORDER, help="a list; without it, all")
    one.add_argument("--least", type=int, default=2, help="times that an entry fired")
    one.add_argument("--places", type=int, default=5, help="of an entry, at the most")
    one.set_defaults(run=draw)
    one = commands.add_parser("apply")
    one.add_argument("folder", type=Path)
    one.set_defaults(run=apply)
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
