"""What people said of outputs: one long table, whatever file it came from."""

from plainwright.study.ratings.raw import file_format
from plainwright.study.ratings.reading import LAYOUTS, read_ratings
from plainwright.study.ratings.standard import (
    OwnScale,
    ZeroVarianceRater,
    own_scales,
    standardised,
    zero_variance_raters,
)
from plainwright.study.ratings.summary import AspectSummary, Summary, summarise
from plainwright.study.ratings.table import Cube, Rating, Ratings, Scale, Values
from plainwright.study.ratings.writing import LONG_COLUMNS, write_ratings, write_table

__all__ = [
    "LAYOUTS",
    "LONG_COLUMNS",
    "AspectSummary",
    "Cube",
    "OwnScale",
    "Rating",
    "Ratings",
    "Scale",
    "Summary",
    "Values",
    "ZeroVarianceRater",
    "file_format",
    "own_scales",
    "read_ratings",
    "standardised",
    "summarise",
    "write_ratings",
    "write_table",
    "zero_variance_raters",
]
