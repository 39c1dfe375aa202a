"""How a study stands: what the organiser's page and `rate status` tell.

phrases    counts, durations and moments as people say them
pace       how long a page takes, and what that means for the rest
demand     pages wanted and done, and how many more raters they need
status     all of a study and each rater, from a few queries
waiting    raters who wait for a review, and what they did in training
advice     what needs somebody's attention now, in plain sentences, with what to do about it
"""

from __future__ import annotations

from plainwright.rate.overview.advice import Action, Advice, advise, findings_of, time_left
from plainwright.rate.overview.demand import Demand
from plainwright.rate.overview.pace import Pace
from plainwright.rate.overview.status import OpenPage, Overview, RaterStatus, State, overview_of

__all__ = [
    "Action",
    "Advice",
    "Demand",
    "OpenPage",
    "Overview",
    "Pace",
    "RaterStatus",
    "State",
    "advise",
    "findings_of",
    "overview_of",
    "time_left",
]
