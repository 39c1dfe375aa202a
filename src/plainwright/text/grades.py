"""School grades of a text by the formulas of the field, all from one set of counts.

Sources: Flesch (1948); Kincaid et al. (1975); Gunning (1952), whose hard words are here all those of three syllables or
more; McLaughlin (1969), SMOG; Coleman and Liau (1975); Senter and Smith (1967), ARI. Dale and Chall's needs a list of
words that we cannot pass on.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

from plainwright.text.readability import ReadabilityCounts

__all__ = ["Grades", "grades", "reading_age"]

_AGE_IN_FIRST_GRADE = 6  # when American children start grade 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Grades:
    """Holds what each formula says; all are years of school, but `flesch`, which is 100 for easy and 0 for hard."""

    flesch_kincaid: float
    flesch: float
    gunning_fog: float
    smog: float
    coleman_liau: float
    ari: float

    def to_dict(self) -> dict[str, float]:
        """Return the values by name."""
        return asdict(self)


def grades(counts: ReadabilityCounts) -> Grades | None:
    """Return the grades of a text with these counts; None for a text without words."""
    if not counts.words or not counts.sentences:
        return None
    length, syllables = counts.words / counts.sentences, counts.syllables / counts.words
    hard, letters = counts.polysyllables / counts.words, counts.letters / counts.words
    return Grades(
        flesch_kincaid=0.39 * length + 11.8 * syllables - 15.59,
        flesch=206.835 - 1.015 * length - 84.6 * syllables,
        gunning_fog=0.4 * (length + 100 * hard),
        smog=1.0430 * math.sqrt(30 * counts.polysyllables / counts.sentences) + 3.1291,
        coleman_liau=5.88 * letters - 29.6 / length - 15.8,
        ari=4.71 * counts.characters / counts.words + 0.5 * length - 21.43,
    )


def reading_age(grade: float) -> int:
    """Return the age of a pupil in the middle of a grade, in whole years."""
    return max(_AGE_IN_FIRST_GRADE - 1, _AGE_IN_FIRST_GRADE - 1 + round(grade))
