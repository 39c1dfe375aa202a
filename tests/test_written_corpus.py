"""The rewrites that were written for this project: well-formed, and none for what is kept for measuring."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools import written_corpus


@pytest.fixture(autouse=True)
def corpus() -> None:
    if not any(written_corpus.FOLDER.glob("*.tsv.gz")):
        pytest.skip("installed without the source")


def test_rows_are_well_formed_and_no_source_is_kept_for_measuring(data_dir: Path) -> None:
    assert list(written_corpus.problems(data_dir)) == []


def test_the_card_counts_what_is_there() -> None:
    card = (written_corpus.FOLDER / "README.md").read_text(encoding="utf-8")
    for line in filter(None, written_corpus.counted()):
        assert line in card
