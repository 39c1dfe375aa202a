"""Published layouts: small files of the same shape, and the real ones where they are."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from plainwright import corpora
from plainwright.errors import DataError
from plainwright.study.ratings import Rating, Ratings, Scale, read_ratings, standardised, zero_variance_raters

PERCENT = Scale(0, 100)
LIKERT = Scale(1, 5, 1)
CHANGE = Scale(-2, 2, 1)


def _file(tmp_path: Path, text: str, name: str = "table.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def _facts(rating: Rating) -> tuple[str, str, str, str, float, Scale | None]:
    return rating.item, rating.system, rating.rater, rating.aspect, rating.score, rating.scale


def test_sulem_layout_has_two_kinds_of_scale(tmp_path: Path) -> None:
    path = _file(tmp_path, "system,sent_id,annotator,G,M,S,StS\nDSS,7,2,5,4,-1,0\n")
    ratings = read_ratings(path)
    assert [_facts(row) for row in ratings] == [
        ("7", "DSS", "2", "grammaticality", 5, LIKERT),
        ("7", "DSS", "2", "meaning", 4, LIKERT),
        ("7", "DSS", "2", "simplicity", -1, CHANGE),
        ("7", "DSS", "2", "structural simplicity", 0, CHANGE),
    ]
    assert ratings.rows[0].output is None


def test_samsa_layout_has_four_questions_and_an_empty_cell_is_no_answer(tmp_path: Path) -> None:
    path = _file(tmp_path, 'system,sent_id,annotator,qa,qb,qc,qd\n"TSM (Zhu et al., 2010)",1,A,3,1,,2\n')
    ratings = read_ratings(path)
    assert {row.aspect: row.score for row in ratings} == {
        "grammaticality": 3,
        "information added": 1,
        "structural simplicity": 2,
    }
    assert ratings.systems == ("TSM (Zhu et al., 2010)",)


def test_asset_layout_has_one_system_because_the_file_does_not_name_them(tmp_path: Path) -> None:
    path = _file(
        tmp_path,
        "original,simplification,original_sentence_id,aspect,worker_id,rating\nA big cat.,A cat.,7,meaning,3,55\n",
    )
    (rating,) = read_ratings(path)
    assert _facts(rating) == ("7", "sampled", "3", "meaning", 55, PERCENT)
    assert (rating.source, rating.output) == ("A big cat.", "A cat.")


WORKERS = (
    "WorkerId,Input.id,Input.original,Input.simplified,Input.system,Answer.adequacy,Answer.fluency,Answer.simplicity"
)


@pytest.mark.parametrize(
    ("scores", "scales"),
    [
        ("5,4,-2", {"adequacy": LIKERT, "fluency": LIKERT, "simplicity": CHANGE}),
        ("5,4,91", {"adequacy": PERCENT, "fluency": PERCENT, "simplicity": PERCENT}),
    ],
)
def test_scores_tell_the_two_kinds_of_workers_tables_apart(
    tmp_path: Path, scores: str, scales: dict[str, Scale]
) -> None:
    path = _file(tmp_path, f"{WORKERS}\n0,40,A big cat.,A cat.,T5,{scores}\n")
    assert {row.aspect: row.scale for row in read_ratings(path)} == scales


# The shape that the notebooks published with Alva-Manchego et al. 2021 read: texts and type may be there or not.
SIMPLICITY_DA = """\
sent_id,orig_sent,simp_sent,sys_name,sys_type,rater_id,fluency,meaning,simplicity
3,The feline sat.,The cat sat.,words,lexical,11,90,80,70
3,The feline sat.,The cat sat.,words,lexical,12,60,100,20
4,It rained heavily.,It rained.,short,deletion,11,95,40,85
"""


def test_simplicity_da_has_three_aspects_of_each_rater(tmp_path: Path) -> None:
    ratings = read_ratings(_file(tmp_path, SIMPLICITY_DA))
    assert (len(ratings), ratings.aspects) == (9, ("fluency", "meaning", "simplicity"))
    assert _facts(ratings.rows[5]) == ("3", "words", "12", "simplicity", 20, PERCENT)
    assert ratings.rows[8].source == "It rained heavily."
    assert ratings.rows[8].output == "It rained."


def test_simplicity_da_without_texts_and_other_aspects_is_read_too(tmp_path: Path) -> None:
    ratings = read_ratings(_file(tmp_path, "sent_id,sys_name,rater_id,simplicity\n3,words,11,70\n"))
    assert [_facts(row) for row in ratings] == [("3", "words", "11", "simplicity", 70, PERCENT)]


def test_structural_simplicity_is_a_change_from_the_source(tmp_path: Path) -> None:
    ratings = read_ratings(_file(tmp_path, "sent_id,sys_name,rater_id,structural_simplicity\n3,words,1,-2\n"))
    assert [_facts(row) for row in ratings] == [("3", "words", "1", "structural simplicity", -2, CHANGE)]


def test_means_over_raters_are_refused_with_the_way_to_the_ratings(tmp_path: Path) -> None:
    path = _file(tmp_path, "sent_id,sys_name,simplicity,simplicity_zscore\n3,words,70,0.1\n")
    with pytest.raises(DataError, match=r"found means over raters .* ratings per annotator"):
        read_ratings(path)


def _simpeval(people: dict[tuple[str, int], str], scores: dict[tuple[str, str, int], float]) -> str:
    """A table like SimpEval's: `people` says who gave the ratings of an item in a column."""
    by_person: dict[str, list[float]] = {}
    for (item, _, column), score in scores.items():
        by_person.setdefault(people[item, column], []).append(score)
    lines = ["original_id,original,generation,system,rating_1,rating_2,rating_1_zscore,rating_2_zscore"]
    for item, system in dict.fromkeys((item, system) for item, system, _ in scores):
        raw = [scores[item, system, column] for column in (1, 2)]
        own = [by_person[people[item, column]] for column in (1, 2)]
        z = [(x - np.mean(mine)) / np.std(mine) for x, mine in zip(raw, own, strict=True)]
        lines.append(",".join([item, "A cat.", f"{system} of {item}", system, *map(repr, map(float, [*raw, *z]))]))
    return "\n".join(lines) + "\n"


def test_two_people_in_one_column_are_told_apart_by_their_z_scores(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    items, systems = [str(i) for i in range(6)], ["a", "b", "c"]
    scores = {(i, s, c): float(rng.integers(0, 101)) for i in items for s in systems for c in (1, 2)}
    # Ann rates all in column 1; in column 2 Ben is replaced by Cleo for the last two items.
    people = {(i, 1): "Ann" for i in items} | {(i, 2): "Cleo" if i in "45" else "Ben" for i in items}
    scores["5", "a", 2] = scores["5", "b", 2] = scores["5", "c", 2] = 50.0  # and gives one item nothing but 50
    ratings = standardised(read_ratings(_file(tmp_path, _simpeval(people, scores))))
    assert Counter(row.rater for row in ratings) == {"1": 18, "2": 12, "3": 6}
    assert {row.rater for row in ratings if row.item in "45"} == {"1", "3"}


def test_without_z_scores_every_column_is_a_rater(tmp_path: Path) -> None:
    path = _file(
        tmp_path, "original_id,original,generation,system,rating_1,rating_2\n0,Cats sat.,Cat,a,40,60\n1,Hm.,Ha,a,,5\n"
    )
    ratings = read_ratings(path)
    assert {(row.item, row.rater, row.score) for row in ratings} == {("0", "1", 40), ("0", "2", 60), ("1", "2", 5)}
    assert {row.aspect for row in ratings} == {"overall"}


def test_z_scores_that_no_person_can_have_tell_nobody_apart(tmp_path: Path) -> None:
    rows = "0,S,G,a,0,1e300\n0,S,H,b,5e-324,1e305\n1,S,I,a,5e-324,1\n"  # the deviation would be 0
    path = _file(tmp_path, f"original_id,original,generation,system,rating_1,rating_1_zscore\n{rows}")
    assert read_ratings(path).raters == ("1",)


# From here on the real files.


@pytest.mark.parametrize(
    ("name", "rows", "items", "systems", "raters", "aspects"),
    [  # counts from the papers and the table of shared corpora
        ("simpeval/past", 2400 * 5, 100, 24, 5, 1),
        ("simpeval/2022", 360 * 3, 60, 6, 5, 1),
        ("simpeval/simpDA_2022", 1080 * 3, 60, 6, 11, 3),
        ("simpeval/simplikert_2022", 1080 * 3, 60, 6, 13, 3),
        ("sulem2018/ratings", 5880 * 4, 70, 28, 3, 4),
        ("hsplit/ratings", 840 * 4, 70, 4, 4, 4),
        ("samsa2018/ratings", 3500 * 4, 100, 7, 5, 4),
        ("asset/ratings", 4500, 100, 1, 31, 3),
    ],
)
def test_registered_ratings_have_the_published_counts(
    data_dir: Path, name: str, rows: int, items: int, systems: int, raters: int, aspects: int
) -> None:
    ratings = read_ratings(name, data=data_dir)
    found = (len(ratings), len(ratings.items), len(ratings.systems), len(ratings.raters), len(ratings.aspects))
    assert found == (rows, items, systems, raters, aspects)


@pytest.mark.parametrize("name", ["sulem2018/ratings", "hsplit/ratings"])
def test_texts_are_joined_and_belong_to_their_ratings(data_dir: Path, name: str) -> None:
    ratings = read_ratings(name, data=data_dir)
    assert all(row.source and row.output for row in ratings)
    meaning = ratings.cube("meaning")
    texts = {(row.item, row.system): (row.source or "", row.output or "") for row in ratings}

    def kept(source: str, output: str) -> float:
        words = set(source.lower().split())
        return len(words & set(output.lower().split())) / len(words)

    for place, system in enumerate(meaning.systems):
        shares = np.array([kept(*texts[item, system]) for item in meaning.items])
        scores = meaning.means[:, place]
        if min(shares.std(), scores.std()) > 0:  # all but Identity, where every word is kept
            # Where words are lost, meaning is: in each system alone, so that no line is off by one.
            assert np.corrcoef(shares, scores)[0, 1] > 0.1, system


def test_an_output_that_is_empty_is_kept_as_such(data_dir: Path) -> None:
    empty = [row for row in read_ratings("simpeval/past", data=data_dir) if not row.output]
    assert {(row.system, row.output) for row in empty} == {("UNTS", "")}
    assert len(empty) == 5


def _published_z(path: Path, suffix: str) -> dict[tuple[str, str, float], set[float]]:
    found: dict[tuple[str, str, float], set[float]] = {}
    with path.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            for column in row:
                if column.endswith(suffix):
                    raw = float(row[column.removesuffix(suffix)])
                    found.setdefault((row["original_id"], row["system"], raw), set()).add(float(row[column]))
    return found


def _off(ratings: Ratings, published: dict[tuple[str, str, float], set[float]]) -> dict[str, float]:
    """By rater, how far our z-scores are at most from the published ones."""
    off: dict[str, float] = {}
    for row in ratings:
        assert row.z is not None
        nearest = min(abs(row.z - z) for z in published[row.item, row.system, row.score])
        off[row.rater] = max(off.get(row.rater, 0.0), nearest)
    return off


def test_z_scores_of_simpeval_2022_are_the_published_ones_for_four_of_five_raters(data_dir: Path) -> None:
    (path,) = corpora.locate("simpeval/2022", data=data_dir)
    published = _published_z(path, "_zscore")
    off = _off(standardised(read_ratings("simpeval/2022", data=data_dir), ddof=0), published)
    assert {rater: off[rater] for rater in "1235"} == pytest.approx(dict.fromkeys("1235", 0), abs=1e-12)
    # Theirs rest on other ratings than the ones that were released.
    assert 0.05 < off["4"] < 0.06
    with_one = _off(standardised(read_ratings("simpeval/2022", data=data_dir), ddof=1), published)
    assert min(with_one.values()) > 1e-4


def test_z_scores_of_simpeval_past_are_those_of_2500_ratings_and_ddof_0(data_dir: Path) -> None:
    """The file has 2,400 outputs, its z-scores have the mean and the deviation of 2,500: a system is left out of it."""
    (path,) = corpora.locate("simpeval/past", data=data_dir)
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for number in range(1, 6):
        scores = np.array([float(row[f"rating_{number}"]) for row in rows])
        z = np.array([float(row[f"rating_{number}_z_score"]) for row in rows])
        slope, intercept = np.polyfit(scores, z, 1)
        deviation, mean = 1 / slope, -intercept / slope
        np.testing.assert_allclose((scores - mean) / deviation, z, atol=1e-10)
        # Scores are whole numbers, so their sum and the sum of their squares are; only these settings make both so.
        total, squares = mean * 2500, (deviation**2 + mean**2) * 2500
        assert abs(total - round(total)) < 1e-5
        assert abs(squares - round(squares)) < 1e-3
        with_one = deviation**2 * 2499 + mean**2 * 2500
        assert abs(with_one - round(with_one)) > 0.01
    ours = standardised(read_ratings("simpeval/past", data=data_dir))
    # Close, not equal, since the hundred ratings that are missing cannot be had.
    assert max(_off(ours, _published_z(path, "_z_score")).values()) == pytest.approx(0.062, abs=0.001)


def test_workers_who_always_gave_the_same_are_known(data_dir: Path) -> None:
    flat = zero_variance_raters(read_ratings("simpeval/simpDA_2022", data=data_dir))
    assert all(entry.ratings >= 1 for entry in flat)
    ratings = read_ratings("simpeval/simpDA_2022", data=data_dir)
    for entry in flat:
        scores = {row.score for row in ratings if (row.rater, row.aspect) == (entry.rater, entry.aspect)}
        assert scores == {entry.score}
