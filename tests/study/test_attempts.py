"""One analysis that fails leaves the others; if all fail, the first reason is the error."""

import pytest

from plainwright.errors import DataError
from plainwright.study.attempts import attempt_each


def _short(word: str) -> str:
    if len(word) > 3:
        msg = f"{word} is too long"
        raise DataError(msg)
    return word.upper()


def test_what_fails_is_explained_beside_what_succeeds() -> None:
    assert attempt_each(_short, [("one",), ("three",), ("two",)]) == (["ONE", "TWO"], {("three",): "three is too long"})


def test_if_nothing_succeeds_the_first_reason_is_raised() -> None:
    with pytest.raises(DataError, match="three is too long"):
        attempt_each(_short, [("three",), ("seven",)])
