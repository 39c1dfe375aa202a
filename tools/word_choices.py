"""Have readers say which candidates fit their sentences, and add what they say to the choices that are learnt from.

    python -m tools.word_choices draw FOLDER --data DIR --sheets 8
    python -m tools.word_choices collect FOLDER --data DIR
    python -m tools.word_choices draw-places FOLDER --data DIR
    python -m tools.word_choices approve FOLDER

`draw` takes sentences of the written corpus that no reader has seen, drops what the word list replaces, has the network
score the candidates for the rest, and writes sheets with those that it does not rule out (`--least`; 0 shows all).
Whoever reads a sheet follows `packages/plainwright-en/words/CHOICES.md` and writes `sheet-N.answers.tsv` beside
`sheet-N.txt`: a line for each sentence with its number, a tab, and the numbers of what is right. `collect` adds all
answers to `choices.tsv.gz`; sentences whose text may not stand there are named by their digest.

`draw-places` has the network choose in texts that no reader has seen, and writes sheets with the candidates that it
chose most often, each in some of its places. Whoever reads one follows `packages/plainwright-en/words/APPROVED.md` and
writes `places-N.answers.tsv`. `approve` adds the answers to `benchmarks/words/approvals.tsv`, and writes the list of
those candidates that were right wherever they were read.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tools import word_places

from plainwright import models
from plainwright.rewrite import Protection
from plainwright.rewrite.propose.substitution import SubstitutionProposer
from plainwright.rewrite.sentences import sentences_of
from plainwright.rewrite.types import Sentence
from plainwright.rewrite.wordlist import WordList
from plainwright.rewrite.wordlist.matching import matches
from plainwright.substitution.pieces import Candidate
from plainwright.text.tagging import Tagger

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT / "packages" / "plainwright-en" / "data"
WORDS = ROOT / "packages" / "plainwright-en" / "words"
CHOICES = WORDS / "choices.tsv.gz"
APPROVALS = ROOT / "benchmarks" / "words" / "approvals.tsv"
COLUMNS = ("source", "start", "end", "plain", "right")
KEY = "key.tsv"
LENGTHS = range(12, 46)  # words of a sentence
MOST_PLACES, MOST_PLAIN = 11, 5  # of a sentence, and of a place
Row = tuple[str, int, int, str, int]


def sources(data: Path) -> Iterator[tuple[str, bool]]:
    """Yield the sources of the written corpus, and whether their text may stand in a table of ours."""
    texts = {}
    with gzip.open(data / "rewrites" / "pairs.tsv.gz", "rt", encoding="utf-8") as file:
        for line in file:
            text = " ".join(line.partition("\t")[0].split())
            texts[named(text)] = text
    for path in sorted(CORPUS.glob("*.tsv.gz")):
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                text = texts.get(row["source"], row["source"])
                if row["unit"] == "sentence" and not text.startswith("sha256:"):
                    yield " ".join(text.split()), text == row["source"]


def named(text: str) -> str:
    """Return a text as the tables name it that may not have it."""
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def read_choices() -> set[Row]:
    """Return what readers said so far."""
    if not CHOICES.is_file():
        return set()
    with gzip.open(CHOICES, "rt", encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {(r["source"], int(r["start"]), int(r["end"]), r["plain"], int(r["right"])) for r in rows}


def tagged(texts: Sequence[str]) -> list[Sentence]:
    """Return texts that are one sentence each, with their tags."""
    cut = [sentences_of(text, Protection()) for text in texts]
    whole = [own[0] for own in cut if len(own) == 1]
    tagger = Tagger.open(models.find("default") / "tagger.pack")
    tags = tagger.tag_many([[token.text for token in one.tokens] for one in whole], threads=2)
    return [replace(one, tags=own, memo={}) for one, own in zip(whole, tags, strict=True)]


def draw(arguments: argparse.Namespace) -> None:
    """Write sheets for readers."""
    known = {row[0] for row in read_choices()}
    own = sorted({text for text, _ in sources(arguments.data) if len(text.split()) in LENGTHS})
    unread = [text for text in own if text not in known and named(text) not in known]
    chance = random.Random(arguments.seed)
    chance.shuffle(unread)
    wanted = arguments.sheets * arguments.sentences
    listed = WordList.open(models.find("default") / "wordlist.pack")
    proposer = SubstitutionProposer(threshold=arguments.least)
    sheets: list[list[tuple[str, list[Candidate]]]] = []
    for sentence in tagged(unread[: 2 * wanted]):
        found = places(sentence, proposer, listed, chance)
        if not found:
            continue
        if not sheets or len(sheets[-1]) == arguments.sentences:
            if len(sheets) == arguments.sheets:
                break
            sheets.append([])
        sheets[-1].append((sentence.text, found))
    write(arguments.folder, sheets)
    print(f"{sum(map(len, sheets))} sentences in {len(sheets)} sheets, of {len(unread):,} that nobody has read")


def places(
    sentence: Sentence, proposer: SubstitutionProposer, listed: WordList, chance: random.Random
) -> list[Candidate]:
    """Return the candidates to show, in the order of the sentence."""
    taken = [part.source for match in matches(sentence, [listed]) for part in match.parts]
    free = sentence.protecting({token for span in taken for token in range(*span)})
    by_place: dict[tuple[int, int], list[tuple[float, Candidate]]] = defaultdict(list)
    for score, _, candidate in proposer.rated(free):
        if score >= proposer.threshold:
            by_place[candidate.start, candidate.end].append((score, candidate))
    shown = sorted(chance.sample(sorted(by_place), min(MOST_PLACES, len(by_place))))
    return [
        candidate
        for place in shown
        for candidate in sorted(one for _, one in sorted(by_place[place], reverse=True)[:MOST_PLAIN])
    ]


def write(folder: Path, sheets: Sequence[Sequence[tuple[str, Sequence[Candidate]]]]) -> None:
    """Write the sheets, and what their numbers mean."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / KEY).open("w", encoding="utf-8") as key:
        for number, sheet in enumerate(sheets):
            lines = []
            for place, (text, candidates) in enumerate(sheet, start=1):
                lines.append(f"#{place}\t{text}")
                shown: dict[tuple[int, int], list[str]] = {}
                for own, candidate in enumerate(candidates, start=1):
                    words = f"{own} {candidate.plain or '(nothing)'}"
                    shown.setdefault((candidate.start, candidate.end), []).append(words)
                    key.write("\t".join(map(str, (number, place, own, text, *candidate))) + "\n")
                lines += [f"{text[start:end]}: {' | '.join(words)}" for (start, end), words in shown.items()]
            (folder / f"sheet-{number}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def collect(arguments: argparse.Namespace) -> None:
    """Add what readers answered to the choices."""
    public = {text for text, may_stand in sources(arguments.data) if may_stand}
    asked: dict[tuple[int, int], dict[int, tuple[str, int, int, str]]] = defaultdict(dict)
    for line in (arguments.folder / KEY).read_text(encoding="utf-8").splitlines():
        sheet, place, own, text, start, end, plain = line.split("\t")
        asked[int(sheet), int(place)][int(own)] = (text, int(start), int(end), plain)
    rows = read_choices()
    before = len(rows)
    for path in sorted(arguments.folder.glob("sheet-*.answers.tsv")):
        sheet = int(path.name.removeprefix("sheet-").removesuffix(".answers.tsv"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            place, _, right = line.partition("\t")
            candidates = asked.get((sheet, int(place))) if place.strip().isdigit() else None
            if candidates is None:
                msg = f"{path}:{number}: expected the number of a sentence of the sheet, found {place!r}"
                raise SystemExit(msg)
            chosen = {int(one) for one in re.findall(r"\d+", right)}
            for own, (text, start, end, plain) in candidates.items():
                rows.add((text if text in public else named(text), start, end, plain, int(own in chosen)))
    with CHOICES.open("wb") as file, gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as stream:
        lines = ["\t".join(COLUMNS), *("\t".join(map(str, row)) for row in sorted(rows))]
        stream.write(("\n".join(lines) + "\n").encode())
    print(f"{len(rows) - before:,} choices more, {len(rows):,} in all, {sum(row[4] for row in rows):,} of them right")


def draw_places(arguments: argparse.Namespace) -> None:
    """Write sheets with the candidates that are chosen most often, each with some of its places."""
    chance = random.Random(arguments.seed)
    known = {row[0] for row in read_choices()}
    own = sorted({text for text, _ in sources(arguments.data)} | set(word_places.texts(arguments.data)))
    unread = [text for text in own if text not in known and named(text) not in known]
    found: dict[int, list[tuple[str, Candidate]]] = defaultdict(list)
    listed = WordList.open(models.find("default") / "wordlist.pack")
    proposer = SubstitutionProposer(threshold=arguments.least)
    for sentence in tagged(chance.sample(unread, min(len(unread), arguments.texts))):
        for line, candidate in chosen(sentence, proposer, listed):
            found[line].append((sentence.text, candidate))
    lines = (WORDS / "candidates.tsv").read_text(encoding="utf-8").splitlines()
    new = set(lines) - set(read_approvals())
    often = sorted((line for line in found if lines[line - 1] in new), key=lambda line: (-len(found[line]), line))
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for number in range(arguments.sheets):
        sheet = []
        for line in often[: arguments.entries][number :: arguments.sheets]:
            sheet.append(f"E{line}\t{lines[line - 1]}")
            shown = chance.sample(found[line], min(arguments.places, len(found[line])))
            sheet += [f"  {place}: {marked(*one)}" for place, one in enumerate(shown, start=1)]
        (arguments.folder / f"places-{number}.txt").write_text("\n".join(sheet) + "\n", encoding="utf-8")


def chosen(sentence: Sentence, proposer: SubstitutionProposer, listed: WordList) -> Iterator[tuple[int, Candidate]]:
    """Yield what the network would write into a sentence, with the line of the candidate in its list."""
    taken = [part.source for match in matches(sentence, [listed]) for part in match.parts]
    free = sentence.protecting({token for span in taken for token in range(*span)})
    used: set[int] = set()
    for score, line, candidate in sorted(proposer.rated(free), key=lambda one: -one[0]):
        characters = set(range(candidate.start, candidate.end))
        if score >= proposer.threshold and not used & characters:
            used |= characters
            yield line, candidate


def marked(text: str, candidate: Candidate) -> str:
    """Return a sentence with a change in brackets."""
    start, end, plain = candidate
    return f"{text[:start]}[{text[start:end]} → {plain or '(nothing)'}]{text[end:]}"


def read_approvals() -> dict[str, tuple[int, int, str]]:
    """Return the places read and found wrong of each candidate, and what readers said of it."""
    if not APPROVALS.is_file():
        return {}
    rows = (line.split("\t") for line in APPROVALS.read_text(encoding="utf-8").splitlines()[1:])
    return {"\t".join(row[:3]): (int(row[3]), int(row[4]), row[5]) for row in rows}


def approve(arguments: argparse.Namespace) -> None:
    """Add what readers said of places to the approvals, and write the list of what they found right."""
    lines = (WORDS / "candidates.tsv").read_text(encoding="utf-8").splitlines()
    approvals = read_approvals()
    for path in sorted(arguments.folder.glob("places-*.txt")):
        written = path.with_suffix(".answers.tsv").read_text(encoding="utf-8").splitlines()
        answers = {line: said for line, _, said in (own.partition("\t") for own in written)}
        for block in re.split(r"^E", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            line, read = block.partition("\t")[0], block.count("\n") - 1
            said = answers[line].strip()
            approvals[lines[int(line) - 1]] = (read, len(re.findall(r"\d+", said)), "keep" if said == "-" else "drop")
    rows = ["\t".join((entry, *map(str, own))) for entry, own in sorted(approvals.items())]
    APPROVALS.write_text("\n".join(("hard\tkind\tplain\tread\twrong\tsaid", *rows)) + "\n", encoding="utf-8")
    kept = sorted(entry for entry, (read, _, said) in approvals.items() if said == "keep" and read >= arguments.read)
    (WORDS / "approved.tsv").write_text("".join(f"{entry}\n" for entry in kept), encoding="utf-8")
    read, wrong = (sum(own[column] for own in approvals.values()) for column in (0, 1))
    print(f"{wrong:,} of {read:,} places wrong; {len(kept):,} of {len(approvals):,} candidates approved")


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for name, run in (("draw", draw), ("collect", collect), ("draw-places", draw_places), ("approve", approve)):
        command = commands.add_parser(name)
        command.add_argument("folder", type=Path)
        command.set_defaults(run=run)
        if name != "approve":
            command.add_argument("--data", type=Path, required=True)
        if name.startswith("draw"):
            command.add_argument("--sheets", type=int, default=8)
            command.add_argument("--least", type=float, default=0.25 if name == "draw" else 0.8)
            command.add_argument("--seed", type=int, default=1)
        if name == "draw":
            command.add_argument("--sentences", type=int, default=450)
        if name == "draw-places":
            command.add_argument("--texts", type=int, default=35_000)
            command.add_argument("--entries", type=int, default=1900)
            command.add_argument("--places", type=int, default=4)
        if name == "approve":
            command.add_argument("--read", type=int, default=2, help="fewest places of an approved candidate")
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
