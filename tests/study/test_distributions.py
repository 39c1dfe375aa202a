"""Without scipy, studies name the extra that brings it."""

import sys

import pytest

from plainwright.errors import MissingExtraError
from plainwright.study.distributions import scipy_special, scipy_stats


@pytest.mark.parametrize(("name", "door"), [("scipy.stats", scipy_stats), ("scipy.special", scipy_special)])
def test_without_scipy_the_extra_is_named(name: str, door: object, monkeypatch: pytest.MonkeyPatch) -> None:
    assert callable(door)
    assert door().__name__ == name
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(
        MissingExtraError, match=r"^this analysis needs scipy; install it with `pip install 'plainwright\[study\]'`$"
    ):
        door()
