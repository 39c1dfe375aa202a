"""Write src/plainwright/corpora/files.tsv: size, line count and digest of every file that a card names.

    python tools/make_corpora_registry.py DATA

DATA holds the files themselves, UPSTREAM.tsv (what is published where) and MANIFEST.tsv (what each file was
made from). Where a file differs from its published form, the step that leads from one to the other is found
by undoing each known step and comparing digests. No text is written.
"""

from __future__ import annotations

import csv
import hashlib
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plainwright.corpora.card import FileEntry
from plainwright.corpora.prepare import STEPS, content
from plainwright.corpora.registry import COLUMNS, FACTS
from plainwright.corpora.table import read_cards

# Files that are published but not in DATA, and one that DATA took from elsewhere.
PUBLISHED = {
    "asset/human_ratings/asset_pairwise_comparisons_with_turkcorpus_and_hsplit.csv": (
        "facebookresearch/asset",
        "human_ratings/asset_pairwise_comparisons_with_turkcorpus_and_hsplit.csv",
    ),
    "hsplit/test.src": ("cocoxu/simplification", "data/turkcorpus/GEM/test.8turkers.tok.norm"),
    "paraphrase/sbmt-sari-feature-weights.tsv": (
        "Sanqiang/text_simplification",
        "script/ppdb-simplification-release-joshua5.0/params.txt",
    ),
    **{f"asset/test.{kind}": ("facebookresearch/asset", f"dataset/asset.test.{kind}") for kind in
       ["orig", *[f"simp.{k}" for k in range(10)]]},
    **{f"metaeval/{name}.csv": ("feralvam/metaeval-simplification", f"data/{name}.csv") for name in
       ["simplicity_DA", "structural_simplicity"]},
    **{f"metaeval/{name}_ratings.csv":
       ("feralvam/metaeval-simplification", f"data/ratings_per_annotator/{name}_ratings.csv") for name in
       ["simplicity_DA", "structural_simplicity"]},
}  # fmt: skip
LOWER_OF = {"hsplit/test.src": "turkcorpus/tok_truecased_gem/test.norm"}


def main() -> None:
    """Write the table."""
    data = Path(sys.argv[1])
    upstream = {(row["repository"], row["path"]): row for row in _table(data / "UPSTREAM.tsv")}
    made_from = {row["file"]: (row["source_repo"], row["source_path"]) for row in _table(data / "MANIFEST.tsv")}
    with FACTS.open("w", encoding="utf-8", newline="\n") as stream:
        print(*COLUMNS, sep="\t", file=stream)
        for path in sorted(_paths()):
            source = PUBLISHED.get(path) or made_from[path]
            print(*_facts(data, path, source, upstream.get(source)), sep="\t", file=stream)


def _paths() -> set[str]:
    paths = set()

    def entry(path: str, **labels: Any) -> FileEntry:
        paths.add(path)
        return FileEntry(path=path, bytes=0, sha256="", **labels)

    list(read_cards(entry))
    return paths


def _facts(data: Path, path: str, source: tuple[str, str], published: dict[str, str] | None) -> list[object]:
    pinned = (
        [published["commit"], source[1], published["bytes"], published["sha256"]]
        if published
        else ["", source[1], "", ""]
    )
    if not (data / path).exists():
        assert published, f"{path}: neither in DATA nor published"
        return [path, published["bytes"], "", published["sha256"], "", source[0], *pinned]
    text = content(path, (data / path).read_bytes())
    lines = text.count(b"\n") + (not text.endswith(b"\n"))
    step = _step(data, path, text, published["sha256"]) if published else ""
    return [path, len(text), lines, _digest(text), step, source[0], *pinned]


def _step(data: Path, path: str, text: bytes, published: str) -> str:
    if path.endswith(".gz"):
        assert _digest(text) == published, path
        return "gzip"
    for step, before in _undone(data, path, text):
        if _digest(before) == published and STEPS[step](before) == text:
            return step
    message = f"{path}: no known step leads from the published file to this one"
    raise SystemExit(message)


def _undone(data: Path, path: str, text: bytes) -> Iterator[tuple[str, bytes]]:
    yield "", text
    yield "unix-line-ends", text.replace(b"\n", b"\r\n")
    for length in range(4):
        for end in itertools.product(b" \n", repeat=length):
            yield "one-line-end", text.rstrip() + bytes(end)
    if path in LOWER_OF:
        yield "lower", (data / LOWER_OF[path]).read_bytes()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


if __name__ == "__main__":
    main()
