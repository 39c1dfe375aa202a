"""Judging the judges: ratings, agreement, correlation, planning, and published tables computed again."""
