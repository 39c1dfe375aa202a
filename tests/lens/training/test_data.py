from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.lens.training.rated import SYSTEMS, toy_ratings

from plainwright.errors import DataError, UnknownNameError
from plainwright.lens.training.data import training_set
from plainwright.study.ratings import Rating, Ratings, Scale


def test_the_target_is_the_mean_of_the_raters_z_scores():
    rows = [
        Rating(
            item=item, system="a", rater=rater, aspect="overall", score=score, source=f"s {item}", output=f"o {item}"
        )
        for rater, scores in {"r": (0, 100), "q": (40, 60)}.items()
        for item, score in zip(("1", "2"), scores, strict=True)
    ]
    found = training_set(Ratings(tuple(rows)), {"1": ["x"], "2": ["y"]})
    # By hand: both raters give -1 to the first and 1 to the second, in units of their own deviation.
    assert found.z.tolist() == [-1.0, 1.0]


def test_another_scale_gives_the_same_targets_and_is_said():
    ratings, references = toy_ratings()
    smaller = Ratings(tuple(replace(row, score=row.score / 20, scale=Scale(0, 5)) for row in ratings))
    first, second = training_set(ratings, references), training_set(smaller, references)
    assert np.allclose(first.z, second.z)
    assert first.notes == ()
    assert "0..5" in second.notes[0]


def test_a_rater_who_gives_one_score_is_left_out_and_named():
    ratings, references = toy_ratings(raters=3)
    dull = Ratings(tuple(replace(row, score=70.0) if row.rater == "r1" else row for row in ratings))
    found = training_set(dull, references)
    assert found.ratings.raters == ("r0", "r2")
    assert "'r1' with 70" in found.notes[0]
    others = training_set(ratings.where(raters=["r0", "r2"]), references)
    assert np.allclose(found.z, others.z)


def test_ratings_that_tell_nothing_apart_are_refused():
    ratings, references = toy_ratings()
    with pytest.raises(DataError, match="nothing to learn"):
        training_set(Ratings(tuple(replace(row, score=1.0) for row in ratings)), references)


def test_ratings_without_texts_are_refused():
    ratings, references = toy_ratings()
    with pytest.raises(DataError, match="without the texts"):
        training_set(Ratings(tuple(replace(row, output=None) for row in ratings)), references)
    with pytest.raises(DataError, match="column `source`"):
        training_set(Ratings(tuple(replace(row, source=None) for row in ratings)), references)


def test_items_without_references_are_refused_and_named():
    ratings, references = toy_ratings()
    del references["s3"]
    with pytest.raises(DataError, match="none for 's3' of 12 items"):
        training_set(ratings, references)


def test_several_aspects_need_a_choice():
    ratings, references = toy_ratings()
    two = Ratings((*ratings, *(replace(row, aspect="meaning") for row in ratings)))
    with pytest.raises(DataError, match="overall, meaning"):
        training_set(two, references)
    assert training_set(two, references, aspect="meaning").aspect == "meaning"
    with pytest.raises(UnknownNameError, match="did you mean meaning"):
        training_set(two, references, aspect="meanin")


def test_an_output_that_is_a_reference_is_compared_with_the_others():
    ratings, references = toy_ratings(sources=3)
    first = next(row for row in ratings if row.system == "half" and row.item == "s0")
    references["s0"] = (str(first.output).upper(), "another one .")
    found = training_set(ratings, references)
    example = next(one for one in found.examples if (one.item, one.system) == ("s0", "half"))
    assert example.references == ("another one .",)
    assert example.like == "reference"
    assert "1 of 15 outputs are themselves references" in found.notes[0]
    kept = training_set(ratings, references, own_references="keep")
    assert all(len(one.references) == 2 for one in kept.examples)


def test_an_only_reference_stays():
    ratings, references = toy_ratings(sources=2)
    first = next(row for row in ratings if row.system == "half" and row.item == "s0")
    found = training_set(ratings, {**references, "s0": (str(first.output),)})
    assert all(one.references for one in found.examples)


def test_copies_are_known_and_the_digest_covers_texts_and_targets():
    ratings, references = toy_ratings()
    found = training_set(ratings, references)
    assert {one.system for one in found.examples if one.like == "source"} == {"copy"}
    assert len(found.examples) == 12 * len(SYSTEMS)
    changed = [replace(row, score=row.score + 1) if row.item == "s0" else row for row in ratings]
    assert training_set(ratings, references).digest == found.digest
    assert training_set(Ratings(tuple(changed)), references).digest != found.digest
