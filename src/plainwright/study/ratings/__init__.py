"""What people said of outputs: one long table, whatever file it came from."""

from plainwright.study.ratings.raw import file_format
from plainwright.study.ratings.reading import LAYOUTS, read_ratings
from plainwright.study.ratings.standard import Unspread, standardised, unspread
from plainwright.study.ratings.summary import AspectSummary, Summary, summarise
from plainwright.study.ratings.table import Cube, Rating, Ratings, Scale, Values
from plainwright.study.ratings.writing import write_ratings

__all__ = [
    "LAYOUTS",
    "AspectSummary",
    "Cube",
    "Rating",
    "Ratings",
    "Scale",
    "Summary",
    "Unspread",
    "Values",
    "file_format",
    "read_ratings",
    "standardised",
    "summarise",
    "unspread",
    "write_ratings",
]
