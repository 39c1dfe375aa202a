"""The model that comes with plainwright, as it lies in the package."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainwright.lens.features import resources_digest
from plainwright.lens.metric import LENS
from plainwright.lens.model import LensModel
from plainwright.models import find

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str) -> list[str]:
    return (EXAMPLES / f"{name}.txt").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def shipped() -> LensModel:
    return LensModel.open(find("lens"))


def test_it_learnt_with_the_resources_of_this_version(shipped):
    assert shipped.features.resources == resources_digest()


def test_card_and_readme_say_how_much_of_it_is_the_network_of_the_paper(shipped):
    share = f"{100 * shipped.mix.neural:.0f} %"
    assert share == "12 %"
    assert f"The network that Maddela et al. (2023) describe is {share} of this mix; trees" in shipped.card
    readme = (EXAMPLES.parent / "README.md").read_text(encoding="utf-8")
    assert f"The paper's network is only {share} of this model; trees" in readme


def test_it_is_small_enough_to_ship():
    assert sum(path.stat().st_size for path in find("lens").iterdir()) < 30_000_000


def test_better_examples_have_higher_values_with_any_number_of_threads(shipped):
    sources = example("source")
    references = list(zip(*(example(f"reference.{number}") for number in range(3)), strict=True))
    means = []
    for name in ("careful", "cautious", "hasty"):
        alone, together = (
            LENS(model=shipped).sentence_scores(sources, example(name), references, threads=threads)
            for threads in (1, 2)
        )
        assert alone.tolist() == together.tolist()
        means.append(float(alone.mean()))
    careful, cautious, hasty = means
    assert careful > cautious + 5 > hasty + 10
    # As this model first gave them (0.1.0): nobody who changes how features are computed may move them.
    assert means == pytest.approx([83.778009, 65.622634, 34.440389], abs=1e-4)
