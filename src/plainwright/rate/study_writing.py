"""`study.toml` as `rate init` writes it: every setting there is, with a word on each, to be changed by hand."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from plainwright.files import atomic_write
from plainwright.rate.forms.registry import FORMS, form_of
from plainwright.rate.settings import Aspect, Settings, TrainingItem
from plainwright.rate.study_file import Material
from plainwright.tables import toml_value

__all__ = ["CONSENT_FILE", "INSTRUCTIONS_FILE", "write_study_file"]

INSTRUCTIONS_FILE = "instructions.md"
CONSENT_FILE = "consent.md"

_HEAD = """\
# A rating study. All settings are explained in plainwright's documentation, docs/rate/study-file.md.
#
# The study is made from this file, once. To change something before raters come, stop the server first; then edit this
# file, remove the database with all files whose names begin with its name, and run
#     plainwright rate init {name}
# Later, only title, instructions, consent and raters_per_unit can change: edit them and start the server again.
"""

# An example for those who have none yet.
_EXAMPLE = """\
# Training comes first, and shows raters how their scores compare with yours. Take off the # and use your own sentences.
# [[training.items]]
# source = "The physician administered the vaccine to all of the children."
#   [[training.items.outputs]]
#   text = "The doctor gave all the children the vaccine."
#   low = {high_from}
#   high = {high_to}
#   why = "It is plain, and it says everything."
#   [[training.items.outputs]]
#   text = "The doctor was a vaccine."
#   low = {low_from}
#   high = {low_to}
#   why = "It says something else."
"""

_WRITING_EXAMPLE = """\
# Qualifying items come first; only whoever does them well goes on. Take off the # and use your own sentences.
# [[training.items]]
# source = "The physician administered the vaccine to all of the children."
# replaced = ["physician", "administered"]   # words that a good text no longer has
# kept = ["vaccine", "children"]             # words that it must still have
# example = "The doctor gave all the children the vaccine."
# why = "The words are plain, and nothing is lost."
"""

_COLUMN = 32  # where the words on a setting begin


def write_study_file(
    path: str | Path, settings: Settings, *, database: str = "study.db", material: Material | None = None
) -> None:
    """Write the file, or nothing; it names the Markdown files beside it that hold instructions and consent."""
    path = Path(path)
    parts = [
        _HEAD.format(name=path.name),
        _study(settings, database),
        _page(settings),
        _controls(settings),
        _material(path.parent, material or Material()),
        _writing(settings) if settings.writing else "".join(_aspects(settings)),
        "".join(_training(settings)),
    ]
    with atomic_write(path) as stream:
        stream.write("\n".join(parts))


def _line(key: str, value: object, words: str = "") -> str:
    text = f"{key} = {toml_value(value)}"
    return f"{text:{_COLUMN}}  # {words}\n" if words else f"{text}\n"


def _study(settings: Settings, database: str) -> str:
    return (
        "[study]\n"
        + _line("title", settings.title)
        + _line("form", settings.form, _either(FORMS.names()))
        + _line("raters_per_unit", settings.raters_per_unit, "how many people rate each page")
        + _line("units_per_rater", settings.units_per_rater, "pages for one person at most; 0: all")
        + _line("seed", settings.seed, "of the order on the pages and of the controls")
        + _line("database", database, "a file, or postgresql://USER@HOST/NAME")
        + _line("instructions", INSTRUCTIONS_FILE if settings.instructions else "", "Markdown")
        + _line("consent", CONSENT_FILE if settings.consent else "", 'Markdown; "": no such page')
    )


def _either(names: Sequence[str]) -> str:
    return " or ".join((", ".join(names[:-1]), names[-1]))


def _page(settings: Settings) -> str:
    return (
        "[page]\n"
        + _line("groups", settings.groups, "of forms with an order: by split, deletion, paraphrase; or one list")
        + _line("edits", settings.edits, "mark what was changed")
        + _line("contradictions", settings.contradictions, "scores against the order: allow, confirm or refuse")
        + _line("cards_per_page", settings.cards_per_page, "of the forms with several questions: one or all")
        + _line("lease_hours", settings.lease_hours, "an untouched page goes to somebody else after so long")
    )


def _controls(settings: Settings) -> str:
    controls = settings.controls
    return (
        "# What tells you how well raters rate; they cannot see which it is.\n[controls]\n"
        + _line("source", controls.source, "the unchanged source as one of the outputs")
        + _line("reference", controls.reference, "the first reference as one of the outputs")
        + _line("degraded", controls.degraded, "share of sentences with a damaged copy of an output")
        + _line("repeats", controls.repeats, "share of a rater's pages that come a second time")
    )


def _material(folder: Path, material: Material) -> str:
    lines = ["[material]\n"]
    if material.source is not None:
        lines.append(_line("source", _relative(material.source, folder)))
    if material.references:
        lines.append(_line("references", [_relative(path, folder) for path in material.references]))
    if material.simpeval:
        given = material.simpeval
        lines.append(_line("simpeval", _relative(Path(given), folder) if Path(given).is_file() else given))
        lines.append(_line("with_ratings", material.with_ratings))
    if material.outputs:
        lines.append("[material.outputs]\n")
        lines += [_line(toml_value(name), _relative(path, folder)) for name, path in material.outputs.items()]
    return "".join(lines)


def _relative(path: Path, folder: Path) -> str:
    return os.path.relpath(path.absolute(), folder.absolute())


def _writing(settings: Settings) -> str:
    limits = settings.writing
    assert limits is not None
    words = (
        _line("most_lost", limits.most_lost, "content words of the source that may be missing")
        + _line("most_added", limits.most_added, "content words that the source does not have")
        if limits.keeps_words
        else _line("fewest_changes", limits.fewest_changes, "words that must differ from the source's, or it is a copy")
    )
    return (
        "# What is refused; raters read it on the page.\n[writing]\n"
        + _line("shortest", limits.shortest, "words, as a share of the source's")
        + _line("longest", limits.longest)
        + words
        + _line("splitting", limits.splitting, "into more sentences: allow, refuse or require (form write-split)")
        + _line("allow_unchanged", limits.allow_unchanged, "raters may say that the source needs no change")
    )


def _aspects(settings: Settings) -> Iterator[str]:
    """Those of the form are there to be changed, behind a #."""
    form = form_of(settings)
    own = settings.aspects != form.aspects
    if not own:
        yield "# What is asked of each output. To ask something else, take off the # and change it.\n"
    for aspect in settings.aspects:
        lines = "".join(_aspect(aspect, scaled=form.scale is None))
        yield lines if own else "".join(f"# {line}\n" for line in lines.splitlines())


def _aspect(aspect: Aspect, *, scaled: bool) -> Iterator[str]:
    yield "[[aspects]]\n"
    yield _line("name", aspect.name)
    yield _line("question", aspect.question)
    if scaled:
        yield _line("scale", str(aspect.scale))
        yield _line("labels", aspect.labels)


def _training(settings: Settings) -> Iterator[str]:
    yield "[training]\n"
    what = "texts that are" if settings.writing else "outputs scored"
    yield _line("pass_share", settings.pass_share, f"of training {what} as expected, to be let on; 0: all are")
    yield _line("review", settings.review, "raters wait until you have read their training and let them on")
    for item in settings.training:
        yield from _writing_item(item) if settings.writing else _training_item(item)
    if settings.training:
        return
    if settings.writing:
        yield _WRITING_EXAMPLE
    else:
        scale = settings.aspects[0].scale
        width = scale.high - scale.low
        yield _EXAMPLE.format(
            high_from=scale.low + 0.75 * width, high_to=scale.high, low_from=scale.low, low_to=scale.low + 0.25 * width
        )


def _writing_item(item: TrainingItem) -> Iterator[str]:
    yield "[[training.items]]\n"
    for key in ("source", "replaced", "kept", "sentences", "example", "why"):
        if value := getattr(item, key):
            yield _line(key, value)


def _training_item(item: TrainingItem) -> Iterator[str]:
    yield "[[training.items]]\n"
    yield _line("source", item.source)
    for output in item.outputs:
        yield "  [[training.items.outputs]]\n"
        values = {"text": output.text, "low": output.low, "high": output.high, "why": output.why}
        for key, value in values.items():
            yield f"  {_line(key, value)}"
