"""What people said of outputs: one long table, whatever file it came from."""

from plainwright.study.ratings.table import Cube, Rating, Ratings, Scale

__all__ = ["Cube", "Rating", "Ratings", "Scale"]
