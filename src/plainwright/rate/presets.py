"""Set-ups of papers by name: the form, the questions and the number of raters that a published study had."""

from __future__ import annotations

from dataclasses import dataclass

from plainwright.arguments import check_choice
from plainwright.rate.forms.base import packaged_text
from plainwright.rate.forms.questions import (
    ADEQUACY,
    CHANGE,
    CHANGE_LABELS,
    FIVE,
    FLUENCY,
    LANGUAGE_LABELS,
    MEANING_LABELS,
    SIMPLER,
)
from plainwright.rate.settings import Aspect, CardsPerPage, Writing

__all__ = ["PRESETS", "Preset", "preset_named"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """What `rate init --preset` puts into a study file; everything can be changed there."""

    name: str = ""
    form: str
    raters: int = 3  # that each page had in the paper
    title: str = "Which is easier to read?"
    aspects: tuple[Aspect, ...] = ()  # none: those of the form
    instructions: str = ""  # "": those of the form
    cards_per_page: CardsPerPage = "one"
    edits: bool = True
    writing: Writing | None = None  # None: the limits of the form


_SIMPLICITY_GAIN = Preset(
    name="xu2016-simplicity-gain",  # Xu et al. (2016), section 4.2: a set of outputs in random order, five judges
    form="gain",
    raters=5,
    instructions=packaged_text("instructions-gain-all.md"),
    cards_per_page="all",
    edits=False,  # judges counted changes themselves
)

_HUMAN_EVALUATION = Preset(
    name="human-evaluation",  # the short paper on simplicity and adequacy: three questions, ten annotators
    form="likert",
    raters=10,
    aspects=(
        Aspect(name="fluency", question=FLUENCY, scale=FIVE, labels=LANGUAGE_LABELS),
        Aspect(name="adequacy", question=ADEQUACY, scale=FIVE, labels=MEANING_LABELS),
        Aspect(name="simplicity", question=SIMPLER, scale=CHANGE, labels=CHANGE_LABELS),
    ),
    instructions=packaged_text("instructions-human-evaluation.md"),
    edits=False,
)

_REFERENCES = Preset(
    name="xu2016-references",  # Xu et al. (2016), section 3.4: eight paraphrases, nothing lost, no sentence split
    form="write",
    raters=8,
    title="Write it in simpler words",
    instructions=packaged_text("instructions-write-paraphrase.md"),
    writing=Writing(splitting="refuse"),
)

_SPLITS = Preset(
    name="sulem2018-splits",  # HSplit (Sulem et al., 2018), section 3: as many splits as possible, two annotators
    form="write-split",
    raters=2,
    title="Split it into shorter sentences",
)

_SIMPLER_SPLITS = Preset(
    name="sulem2018-simpler-splits",  # the second set of guidelines of HSplit: only where it makes the sentence simpler
    form="write-split",
    raters=2,
    title="Split it into simpler sentences",
    instructions=packaged_text("instructions-split-simpler.md"),
)

_OURS = (_SIMPLICITY_GAIN, _HUMAN_EVALUATION, _REFERENCES, _SPLITS, _SIMPLER_SPLITS)

PRESETS = {preset.name: preset for preset in _OURS}


def preset_named(name: str) -> Preset:
    """Return the preset of that name; `UnknownNameError` if there is none."""
    check_choice(name, PRESETS, "preset")
    return PRESETS[name]
