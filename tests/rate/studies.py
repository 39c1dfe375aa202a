"""A small study for tests, with sentences of our own."""

from __future__ import annotations

from plainwright.rate.building import build_items, build_sources
from plainwright.rate.forms.registry import FORMS
from plainwright.rate.material import Item
from plainwright.rate.settings import Controls, Expectation, Settings, TrainingItem

RATING_FORMS = [name for name in FORMS.names() if not FORMS[name].writes]  # those that show outputs
WRITING_FORMS = [name for name in FORMS.names() if FORMS[name].writes]

SOURCES = (
    "The committee, which had convened at dawn, postponed its verdict because several witnesses were absent.",
    "Although the harbour had frozen over, the ferries continued to operate until the end of the week.",
    "Her grandmother, a retired botanist, bequeathed her an extensive collection of pressed alpine flowers.",
    "Owing to the prolonged drought, the municipality prohibited the irrigation of private gardens.",
    "The bridge was demolished in spring after engineers had discovered fissures in two of its pillars.",
    "He declined the invitation since he had already promised to accompany his sister to the theatre.",
)

# In the manner of systems that copy, shorten, split, replace words, do several of these, or fail.
_MANNERS = (
    lambda source: source,
    lambda source: f"{source.split(',')[0].rstrip('.')}.",
    lambda source: ". ".join(part.strip().capitalize() for part in source.rstrip(".").split(",")) + ".",
    lambda source: source.replace("because", "as").replace("since", "as").replace("The", "A").replace("Her", "My"),
    lambda source: f"In short: {source[0].lower()}{source[1:]}",
    lambda source: f"{' '.join(source.split()[: len(source.split()) // 2]).rstrip(',')}.",
    lambda source: f"{' '.join(word for word in source.rstrip('.').split() if len(word) != 3)}.",
    lambda source: f"It is said that {source[0].lower()}{source[1:]}",
)

QUALIFYING = TrainingItem(
    source="The physician, who was exhausted, administered the vaccine to all of the children.",
    replaced=("physician",),
    kept=("vaccine", "children"),
    example="The doctor, who was very tired, gave the vaccine to all of the children.",
    why="The words are plain, and nothing is lost.",
)
SPLITTING = TrainingItem(
    source="The train was late, and the passengers waited in the rain.",
    sentences=2,
    example="The train was late. The passengers waited in the rain.",
    why="There is a good place for a full stop.",
)

TRAINING = TrainingItem(
    source="The physician administered the vaccine to all of the children.",
    outputs=(
        Expectation(
            text="The doctor gave all the children the vaccine.", low=0.75, high=1.0, why="Plain and complete."
        ),
        Expectation(text="The doctor ate the children.", low=0.0, high=0.25, why="This says something else."),
    ),
)


def small_study(
    form: str = "rank",
    items: int = 3,
    outputs: int = 5,
    *,
    training: int = 0,
    controls: Controls | None = None,
    **others: object,
) -> tuple[Settings, tuple[Item, ...]]:
    """Settings and material; the systems are called a, b, c …; `others` are further settings.

    Each of the first three items has as many cards as there are outputs, up to twenty; of others some are identical.
    """
    settings = Settings(
        **{  # type: ignore[arg-type]
            "title": "A small study",
            "form": form,
            "aspects": FORMS[form].aspects,
            "controls": controls or Controls(),
            "training": (_training(form),) * training,
            "instructions": "# How to rate\n\nRead, then *rate*.",
            **others,
        }
    )
    sources = _sources(items)
    made = {chr(ord("a") + number): [_output(source, number) for source in sources] for number in range(outputs)}
    return settings, build_items(sources, made, settings)


def writing_study(
    form: str = "write", items: int = 3, *, training: int = 0, **others: object
) -> tuple[Settings, tuple[Item, ...]]:
    """The same without outputs, for raters who write; at most one training item."""
    item = SPLITTING if FORMS[form].writing.keeps_words else QUALIFYING
    settings = Settings(
        **{  # type: ignore[arg-type]
            "title": "A study of writing",
            "form": form,
            "aspects": (),
            "edits": False,
            "writing": FORMS[form].writing,
            "training": (item,) * training,
            "instructions": "# How to write\n\nRead, then *write*.",
            **others,
        }
    )
    return settings, build_sources(_sources(items), settings)


def _sources(items: int) -> list[str]:
    return [f"{SOURCES[number % len(SOURCES)]}{_mark(number)}" for number in range(items)]


def _mark(number: int) -> str:
    """Keeps sources apart that come again."""
    return f" (No. {number + 1})" if number >= len(SOURCES) else ""


def _output(source: str, number: int) -> str:
    text = _MANNERS[number % len(_MANNERS)](source)
    return text if number < len(_MANNERS) else f"{text[:-1]} again, no. {number}."


def _training(form: str) -> TrainingItem:
    """The expectations are shares of the scale of the form's first aspect."""
    scale = FORMS[form].aspects[0].scale

    def on_scale(share: float) -> float:
        return scale.low + share * (scale.high - scale.low)

    return TrainingItem(
        source=TRAINING.source,
        outputs=tuple(
            Expectation(text=output.text, low=on_scale(output.low), high=on_scale(output.high), why=output.why)
            for output in TRAINING.outputs
        ),
    )
