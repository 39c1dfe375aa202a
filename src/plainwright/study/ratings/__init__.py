"""What people said of outputs: one long table, whatever file it came from."""

from plainwright.study.ratings.reading import LAYOUTS, read_ratings
from plainwright.study.ratings.standard import Unspread, standardised, unspread
from plainwright.study.ratings.table import Cube, Rating, Ratings, Scale, Values

__all__ = [
    "LAYOUTS",
    "Cube",
    "Rating",
    "Ratings",
    "Scale",
    "Unspread",
    "Values",
    "read_ratings",
    "standardised",
    "unspread",
]
