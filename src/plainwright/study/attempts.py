"""Many analyses of one table: one that cannot be made is no reason to leave out the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from plainwright.errors import DataError

__all__ = ["attempt_each"]

Result = TypeVar("Result")


def attempt_each(
    analyse: Callable[..., Result], cases: Iterable[tuple[str, ...]], *, at_least_one: bool = True
) -> tuple[list[Result], dict[tuple[str, ...], str]]:
    """Return the results of `analyse(*case)`, and why there is none for the other cases.

    With `at_least_one` it is an error if there is none at all.
    """
    results: list[Result] = []
    problems: dict[tuple[str, ...], DataError] = {}
    for case in cases:
        try:
            results.append(analyse(*case))
        except DataError as error:
            problems[case] = error
    if at_least_one and problems and not results:
        raise next(iter(problems.values()))
    return results, {case: str(error) for case, error in problems.items()}
