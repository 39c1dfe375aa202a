"""The ratings of rewrites: well-formed, and counted in their README as they are."""

from __future__ import annotations

import pytest
from tools import rewrite_ratings


@pytest.fixture(autouse=True)
def ratings() -> None:
    if not (rewrite_ratings.FOLDER / "ratings.tsv.gz").is_file():
        pytest.skip("installed without the source")


def test_every_rating_is_well_formed() -> None:
    assert list(rewrite_ratings.problems()) == []


def test_the_readme_counts_what_is_there() -> None:
    readme = (rewrite_ratings.FOLDER / "README.md").read_text(encoding="utf-8")
    for line in filter(None, rewrite_ratings.counted()):
        assert line in readme


def test_what_was_written_by_editors_is_better_than_what_was_spoilt() -> None:
    rows = rewrite_ratings.read()
    shares = {
        system: sum(map(rewrite_ratings.damaged, own)) / len(own)
        for system in ("written plain", "spoilt")
        if (own := [row for row in rows if row["system"] == system])
    }
    assert shares["written plain"] < 0.02
    assert shares["spoilt"] > 0.8  # a slip of grammar damages less than a lost negation
