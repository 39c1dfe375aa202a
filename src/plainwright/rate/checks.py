"""Whether the settings of a study fit together; `study.toml` and the command line both come by here."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from plainwright.errors import DataError
from plainwright.rate.forms.limits import faults_of, problems_of
from plainwright.rate.forms.registry import form_of
from plainwright.rate.settings import Aspect, Expectation, Settings, Writing
from plainwright.study.ratings import Scale

__all__ = ["check_settings"]

_LIMIT = 1000.0  # of scores on both sides: what an event can carry
_MOST_STEPS = 101  # of a scale whose steps are shown one by one


def check_settings(settings: Settings) -> None:
    """DataError if something does not fit."""
    form_of(settings).check(settings)
    _check_aspects(settings)
    _check_training(settings)
    if not settings.title.strip() or any(unicodedata.category(character) == "Cc" for character in settings.title):
        msg = f"study.title: expected one line of text, found {settings.title!r:.60}"
        raise DataError(msg)


def _check_aspects(settings: Settings) -> None:
    names = [aspect.name for aspect in settings.aspects]
    if twice := [name for name in names if names.count(name) > 1]:
        msg = f"aspects: expected names that differ, found {twice[0]!r} twice"
        raise DataError(msg)
    for number, name in enumerate(names, start=1):
        # Tables of ratings are read with single spaces, and two names could become one.
        if not name or name != " ".join(name.split()):
            msg = f"aspects {number}.name: expected a name with single spaces, and none around it, found {name!r}"
            raise DataError(msg)
    for number, aspect in enumerate(settings.aspects, start=1):
        if problem := _problem_of(aspect):
            msg = f"aspects {number}.{problem}"
            raise DataError(msg)


def _problem_of(aspect: Aspect) -> str:
    """What is wrong with a question; empty if nothing is."""
    scale, labels = aspect.scale, len(aspect.labels)
    if not -_LIMIT <= scale.low <= scale.high <= _LIMIT:
        return f"scale: expected scores from {-_LIMIT:g} to {_LIMIT:g}, found {scale}"
    if scale.step is None:
        return "labels: expected at least two, of both ends, found one" if labels == 1 else ""
    if scale.high not in scale:
        return f"scale: expected whole steps from one end to the other, found {scale}"
    steps = round((scale.high - scale.low) / scale.step) + 1
    if steps > _MOST_STEPS:
        return f"scale: expected at most {_MOST_STEPS} steps, found {steps} in {scale}; leave 'by …' out for a slider"
    if labels not in (0, steps):
        return f"labels: expected {steps}, one for each step of {scale}, found {labels}"
    return ""


def _check_training(settings: Settings) -> None:
    if settings.review and not settings.training:
        msg = "training.review: expected training items to review, found none; add some, or set it to false"
        raise DataError(msg)
    if settings.pass_share and not settings.training:
        msg = f"training.pass_share: expected training items to pass, found none for a share of {settings.pass_share:g}"
        raise DataError(msg)
    if form_of(settings).writes:
        _check_writing(settings)
        return
    for number, item in enumerate(settings.training, start=1):
        place = f"training.items {number}"
        _check_texts(place, [item.source], [output.text for output in item.outputs])
        for output_number, output in enumerate(item.outputs, start=1):
            _check_expectation(f"{place}.outputs {output_number}", output, settings.aspects[0].scale)


def _check_writing(settings: Settings) -> None:
    """Refuse sources that come twice, for they are told apart by their text, and examples that are none."""
    for number, item in enumerate(settings.training, start=1):
        place = f"training.items {number}"
        _check_texts(place, [item.source], [])
        if item.source in [other.source for other in settings.training[: number - 1]]:
            msg = f"{place}: expected sources that differ, found {item.source!r:.60} twice"
            raise DataError(msg)
        limits = settings.writing or Writing()
        if item.example and (
            faults := (*problems_of(item.source, item.example, limits), *faults_of(item.example, item))
        ):
            msg = f"{place}.example: expected a text that the study would take, found one with a fault: {faults[0]}"
            raise DataError(msg)


def _check_texts(place: str, sources: Sequence[str], outputs: Sequence[str]) -> None:
    if not all(text.strip() for text in (*sources, *outputs)):
        msg = f"{place}: expected text, found an empty source or output"
        raise DataError(msg)
    words = [" ".join(text.split()) for text in outputs]
    if twice := [text for text in words if words.count(text) > 1]:
        msg = f"{place}: expected outputs that differ, found {twice[0]!r:.60} twice"
        raise DataError(msg)


def _check_expectation(place: str, output: Expectation, scale: Scale) -> None:
    if not scale.low <= output.low <= output.high <= scale.high:
        found = f"{output.low:g} and {output.high:g}"
        msg = f"{place}: expected low and high, in this order, on the scale {scale}, found {found}"
        raise DataError(msg)
