"""What people said of outputs: one long table, whatever file it came from."""

from plainwright.study.ratings.raw import file_format
from plainwright.study.ratings.reading import LAYOUTS, read_ratings
from plainwright.study.ratings.standard import OwnScale, Unspread, own_scales, standardised, unspread
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
    "Unspread",
    "Values",
    "file_format",
    "own_scales",
    "read_ratings",
    "standardised",
    "summarise",
    "unspread",
    "write_ratings",
    "write_table",
]
