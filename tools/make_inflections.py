"""Write src/plainwright/text/inflections.tsv: the common verbs, and all forms of words that no rule gives.

    python tools/make_inflections.py

The forms are those of lemminflect (MIT licence), ordered by the frequencies of wordfreq. Verbs come by falling
frequency, with their forms if the rules of `plainwright.text.inflection` get any of them wrong; nouns, adjectives and
adverbs come only if they do.
"""

from __future__ import annotations

import csv
import gzip
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

from plainwright.files import atomic_write
from plainwright.text.frequencies import zipf
from plainwright.text.inflection import MODALS, WordKind, regular_forms

TABLE = Path(__file__).resolve().parents[1] / "src" / "plainwright" / "text" / "inflections.tsv"
HEADER = "# Made by tools/make_inflections.py: kind, word, and its forms by tag where a rule gets any of them wrong.\n"
KINDS: dict[str, tuple[WordKind, tuple[str, ...]]] = {
    "verb": ("verb", ("VBD", "VBN", "VBG", "VBZ")),
    "noun": ("noun", ("NNS",)),
    "adj": ("adjective", ("JJR", "JJS")),
    "adv": ("adverb", ("RBR", "RBS")),
}
LEAST = {"verb": 2.2, "noun": 2.3, "adjective": 2.5, "adverb": 2.5}  # Zipf frequency of a word that is listed
LEAST_OF_FORM = 1.5  # of a form beside the usual one
LEAST_UNCOUNTABLE = 3.0  # of a noun that has no plural
SHARE = 1.3  # by how much, in powers of ten, a form may be rarer than the usual one
DOUBLES = re.compile(r"[aeiou][bcdgklmnprst]$")
# Where the lexicon lacks what people write, or has what few do. Written by hand.
CORRECTED: dict[tuple[WordKind, str], dict[str, tuple[str, ...]]] = {
    ("verb", "be"): {"VBP": ("are", "am"), "VBZ": ("is",), "VBD": ("was", "were"), "VBN": ("been",), "VBG": ("being",)},
    ("verb", "lie"): {"VBD": ("lay", "lied"), "VBN": ("lain", "lied")},
    ("verb", "bear"): {"VBN": ("borne", "born")},
    ("verb", "get"): {"VBD": ("got",), "VBN": ("got", "gotten")},
    ("verb", "hang"): {"VBD": ("hung", "hanged"), "VBN": ("hung", "hanged")},
    ("verb", "run"): {"VBN": ("run",)},
    ("verb", "spring"): {"VBD": ("sprang", "sprung")},
    ("verb", "fit"): {"VBD": ("fitted", "fit"), "VBN": ("fitted", "fit")},
    ("verb", "bust"): {"VBD": ("busted", "bust"), "VBN": ("busted", "bust")},
    ("verb", "dive"): {"VBD": ("dived", "dove"), "VBN": ("dived",)},
    ("verb", "spit"): {"VBD": ("spat", "spit"), "VBN": ("spat", "spit")},
    ("verb", "tear"): {"VBD": ("tore",)},
    ("verb", "plead"): {"VBD": ("pleaded", "pled"), "VBN": ("pleaded", "pled")},
    ("verb", "prove"): {"VBN": ("proved", "proven")},
    ("verb", "disprove"): {"VBN": ("disproved", "disproven")},
    ("verb", "forbid"): {"VBN": ("forbidden",)},
    ("verb", "forgo"): {"VBD": ("forwent",), "VBN": ("forgone",), "VBG": ("forgoing",), "VBZ": ("forgoes",)},
    ("verb", "wake"): {"VBN": ("woken",)},
    ("verb", "strike"): {"VBN": ("struck",)},
    ("verb", "fulfill"): {"VBZ": ("fulfills",)},
    ("verb", "instill"): {"VBZ": ("instills",)},
    ("verb", "distill"): {"VBZ": ("distills",)},
    ("noun", "person"): {"NNS": ("people", "persons")},
    ("noun", "staff"): {"NNS": ("staff",)},
    ("noun", "fish"): {"NNS": ("fish",)},
    ("noun", "penny"): {"NNS": ("pennies", "pence")},
}
# Words whose forms are the regular ones, whatever the lexicon has besides.
REGULAR = frozenset(
    # One string reads better than fifty.
    "abide anus apologia aqua beef bias bide billy blend bless blusher callous cloth crow daylight diva heave "  # noqa: SIM905
    "gonorrhoea influenza jell joyride libido lightning mamma means momento opus outlay overlay pal pars pneumonia "
    "proof pus real refocus regale relay roof shave stamen stave stay talc tar taxis thrive torpedo turf via wrought "
    "zinc".split()
)
# Adjectives that the lexicon lets take an ending, and that people put "more" before.
NO_ENDING = frozenset(
    (
        "able",
        "aware",
        "common",
        "complete",
        "correct",
        "clever",
        "often",
        "pleasant",
        "polite",
        "right",
        "real",
        "wrong",
    )
) | {
    "certain",
    "honest",
    "likely",
    "main",
    "open",
    "own",
    "secret",
    "serious",
    "silent",
    "stupid",
    "sure",
    "true",
    "usual",
}


def lexicon() -> Iterator[tuple[WordKind, str, dict[str, tuple[str, ...]]]]:
    """Yield the words of lemminflect's table with their forms, the usual one first."""
    package = importlib.util.find_spec("lemminflect")
    assert package is not None
    [folder] = package.submodule_search_locations or []
    with gzip.open(Path(folder) / "resources" / "infl_lu.csv.gz", "rt", encoding="utf-8") as stream:
        for word, pos, *forms in csv.reader(stream):
            if pos not in KINDS or not re.fullmatch(r"[a-z]+", word) or word in MODALS:
                continue
            kind, tags = KINDS[pos]
            spelt = [[form for form in own.split("/") if form] for own in forms]
            yield kind, word, with_usual_first(word, kind, dict(zip(tags, spelling(kind, spelt), strict=False)))


def spelling(kind: WordKind, spelt: list[list[str]]) -> list[list[str]]:
    """The columns of a verb are the past (and participle), the -ing form and the -s form."""
    if kind != "verb":
        return spelt
    past, participle, ing, s = spelt if len(spelt) == 4 else (spelt[0], spelt[0], *spelt[1:3])
    return [past, participle or past, ing, s]


def with_usual_first(word: str, kind: WordKind, forms: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    """Order spellings by frequency; add doubled letters that are written and the lexicon lacks; drop rare ones."""
    found = {}
    for tag, own in forms.items():
        spelt = {form for form in own if re.fullmatch(r"[a-z]+", form)}
        if kind == "verb" and tag in ("VBD", "VBN", "VBG") and DOUBLES.search(word) and len(word) > 4:
            ending = "ing" if tag == "VBG" else "ed"
            doubled = word + word[-1] + ending
            spelt |= {doubled} if word + ending in spelt and zipf(doubled) >= LEAST_OF_FORM else set()
        if tag == "VBN":
            spelt |= {form for form in found.get("VBD", ()) if form.endswith("ed")}
        if kind == "noun" and len(spelt) > 1:
            spelt -= {word}
        ordered = sorted(spelt, key=lambda form: (-zipf(form), form))
        if ordered:
            found[tag] = tuple(form for form in ordered if zipf(form) >= zipf(ordered[0]) - SHARE)
    return found


def rows() -> Iterator[tuple[WordKind, str, dict[str, tuple[str, ...]], float]]:
    """Yield what is listed: kind, word, the forms that the rules lack, and how frequent the word is."""
    known = list(lexicon())
    lacking = {*CORRECTED} - {(kind, word) for kind, word, _ in known}
    for kind, word, own in (*known, *((kind, word, {}) for kind, word in sorted(lacking))):
        forms = {**own, **CORRECTED.get((kind, word), {})}
        regular = regular_forms(word, kind)
        if zipf(word) < LEAST[kind] or (kind in ("adjective", "adverb") and word in NO_ENDING):
            continue
        if word in REGULAR or (forms.get("NNS") == (word,) and zipf(word) < LEAST_UNCOUNTABLE):
            forms = {}
        irregular = {tag: spelt for tag, spelt in forms.items() if regular.get(tag) != spelt}
        if kind in ("adjective", "adverb") and any(zipf(spelt[0]) < LEAST_OF_FORM for spelt in irregular.values()):
            continue
        if irregular or kind == "verb":
            yield kind, word, irregular, zipf(word)


def main() -> None:
    """Write the table: verbs by falling frequency, then the others by name."""
    found = sorted(rows(), key=lambda row: (row[0] != "verb", row[0], -row[3] if row[0] == "verb" else 0.0, row[1]))
    with atomic_write(TABLE) as stream:
        stream.write(HEADER)
        for kind, word, forms, _ in found:
            columns = [f"{tag}={','.join(spelt)}" for tag, spelt in forms.items()]
            stream.write("\t".join([kind, word, *columns]) + "\n")


if __name__ == "__main__":
    main()
