"""The long table of ratings and its array."""

import numpy as np
import pytest

from plainwright.errors import DataError, UnknownNameError
from plainwright.study.ratings import Rating, Ratings, Scale


def _rating(item: str, system: str, rater: str, score: float, aspect: str = "simplicity") -> Rating:
    return Rating(item=item, system=system, rater=rater, aspect=aspect, score=score)


def test_names_stand_in_order_of_appearance() -> None:
    ratings = Ratings((_rating("2", "b", "x", 1), _rating("1", "a", "x", 2), _rating("2", "a", "y", 3)))
    assert (ratings.items, ratings.systems, ratings.raters) == (("2", "1"), ("b", "a"), ("x", "y"))


def test_a_cube_has_a_gap_where_nobody_rated_and_means_over_those_who_did() -> None:
    ratings = Ratings((_rating("1", "a", "x", 1), _rating("1", "a", "y", 4), _rating("1", "b", "x", 3)))
    cube = ratings.cube("simplicity")
    np.testing.assert_array_equal(cube.scores, [[[1, 4], [3, np.nan]]])
    np.testing.assert_array_equal(cube.means, [[2.5, 3]])


def test_the_same_rating_twice_is_refused_with_its_place() -> None:
    with pytest.raises(DataError, match="item '1', system 'a', rater 'x', aspect 'simplicity'"):
        Ratings((_rating("1", "a", "x", 1), _rating("1", "a", "x", 1)))


def test_an_unknown_aspect_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(UnknownNameError, match="did you mean simplicity"):
        Ratings((_rating("1", "a", "x", 1),)).cube("simplcity")


@pytest.mark.parametrize(("score", "inside"), [(1, True), (2.5, False), (6, False)])
def test_a_scale_with_steps_knows_its_scores(score: float, inside: bool) -> None:
    assert (score in Scale(1, 5, 1)) is inside
