"""A few words in the files of WordNet, written by hand."""

from __future__ import annotations

from pathlib import Path

LONG = "decorated " + "word " * 40
SENSES = {
    "noun": {
        "bailiff": ["one who guards a court", "one who manages an estate"],
        "culvert": ["a drain under a road"],
        "harbour": ["a place for ships"],
        "ovum": ["an egg cell"],
    },
    "verb": {"converge": ['come together; "the roads converge"', "meet"]},
    "adj": {"arid": ['with little rain; "an arid land"'], "ornate": [LONG]},
    "adv": {"aridly": ["in an arid way"]},
}
LICENCE = "  1 Made for tests.  \n"


def write_glosses(folder: Path) -> Path:
    """Write the files, with synsets where the index says, and return the folder."""
    for part, lemmas in SENSES.items():
        data, index = LICENCE, LICENCE
        for lemma, glosses in sorted(lemmas.items()):
            places = []
            for gloss in glosses:
                places.append(f"{len(data):08d}")
                data += f"{places[-1]} 00 {part[0]} 01 {lemma} 0 000 | {gloss}  \n"
            index += f"{lemma} {part[0]} {len(glosses)} 2 @ ~ {len(glosses)} 1 {' '.join(places)}  \n"
        (folder / f"data.{part}").write_text(data)
        (folder / f"index.{part}").write_text(index)
    (folder / "noun.exc").write_text("ova ovum\n")
    return folder
