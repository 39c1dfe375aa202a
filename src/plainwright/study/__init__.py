"""Judging the judges: reproductions of published tables."""
