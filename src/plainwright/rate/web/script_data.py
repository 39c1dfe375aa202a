"""What the script of the task page needs to know, as JSON inside the page."""

from __future__ import annotations

import functools
from collections.abc import Mapping

import msgspec
from markupsafe import Markup

from plainwright.rate.forms.answers import Work
from plainwright.rate.forms.limits import length_range
from plainwright.rate.forms.registry import form_of
from plainwright.rate.highlight import word_spans
from plainwright.rate.material import CardView, UnitView
from plainwright.rate.settings import Aspect, Settings, Writing

__all__ = ["script_data"]


def script_data(settings: Settings, unit: UnitView, work: Work, *, public: str, urls: Mapping[str, str]) -> Markup:
    """One page: what is asked, what is rated, what was answered. `public` is the id of its assignment."""
    form = form_of(settings)
    data = {
        "assignment": public,
        "urls": {name: urls[name] for name in ("events", "work")},
        "ordered": form.ordered,
        "compares": form.compares,
        "writing": _writing(unit.source, settings.writing),
        "edits": settings.edits,
        "contradictions": settings.contradictions,
        "aspects": [_aspect(aspect) for aspect in settings.aspects],
        "source": {"text": unit.source, "words": _word_spans(unit.source) if settings.edits else ()},
        "cards": [_card(card, settings) for card in unit.cards],
        "work": work,
    }
    text = msgspec.json.encode(data).decode()
    # In JSON these stand only inside strings; without them nothing in there can end the element around it.
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


# The same sentences come to all raters, and finding words costs more than the rest of a page.
_word_spans = functools.lru_cache(maxsize=8192)(word_spans)


def _card(card: CardView, settings: Settings) -> dict[str, object]:
    # Words are what a rater corrects edits by.
    words = _word_spans(card.text) if settings.edits else ()
    return {"id": card.id, "text": card.text, "edits": card.edits, "words": words}


def _writing(source: str, limits: Writing | None) -> dict[str, int] | None:
    if limits is None:
        return None
    length = length_range(source, limits)
    return {"low": length.low, "high": length.high}


def _aspect(aspect: Aspect) -> dict[str, object]:
    return {"name": aspect.name, "low": aspect.scale.low, "high": aspect.scale.high, "step": aspect.scale.step}
