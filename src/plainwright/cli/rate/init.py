"""`plainwright rate init`: a study from files of outputs."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plainwright.cli.options import check_range, takes_options
from plainwright.cli.rate.options import needs_rate

if TYPE_CHECKING:
    from plainwright.rate.creation import BuiltStudy
    from plainwright.rate.presets import Preset
    from plainwright.rate.settings import Settings
    from plainwright.rate.study_file import Material, StudyFile

__all__ = ["FORMS_HELP", "NewStudyOptions", "form_names", "init", "made_up_password"]


def form_names(incomplete: str) -> list[str]:
    """The forms that begin so, for the shell."""
    with needs_rate():
        from plainwright.rate.forms.registry import FORMS

    return [name for name in FORMS.names() if name.startswith(incomplete)]


def preset_names(incomplete: str) -> list[str]:
    """The presets that begin so, for the shell."""
    with needs_rate():
        from plainwright.rate.presets import PRESETS

    return [name for name in PRESETS if name.startswith(incomplete)]


PRESETS_HELP = (
    "xu2016-simplicity-gain, human-evaluation, xu2016-references, sulem2018-splits or sulem2018-simpler-splits"
)
FORMS_HELP = "rank, likert, direct, sulem, gain, pairwise, write, write-split, or one that an installed package offers"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewStudyOptions:
    """What goes into a new study.toml."""

    source: Annotated[Path | None, typer.Option(metavar="FILE", help="Source sentences, one per line.")] = None
    outputs: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=FILE…", help="Outputs, one file per system, one sentence per line."),
    ] = None
    references: Annotated[
        list[Path] | None, typer.Option(metavar="FILE…", help="References, for --control-reference.")
    ] = None
    simpeval: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Use a table in the layout of SimpEval instead, or the name of one (simpeval/2022)."
        ),
    ] = None
    with_ratings: Annotated[bool, typer.Option("--with-ratings", help="Also import the ratings of that table.")] = False
    preset: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"Set-up of a paper: {PRESETS_HELP}. Options given with it win.",
            autocompletion=preset_names,
        ),
    ] = None
    form: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"What raters fill in: {FORMS_HELP}. Default: rank, or that of the preset.",
            autocompletion=form_names,
        ),
    ] = None
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="Title shown to raters.")] = None
    raters: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many people rate each page. Default: 3, or as many as the preset has."),
    ] = None
    units_per_rater: Annotated[int, typer.Option(metavar="N", help="Maximum number of pages per person; 0: all.")] = 0
    control_source: Annotated[
        bool, typer.Option("--control-source", help="Show the unchanged source among the outputs.")
    ] = False
    control_reference: Annotated[
        bool, typer.Option("--control-reference", help="Show the first reference among the outputs.")
    ] = False
    degraded: Annotated[
        float, typer.Option(metavar="SHARE", help="Share of the sentences that get a damaged copy of an output.")
    ] = 0.0
    repeats: Annotated[
        float, typer.Option(metavar="SHARE", help="Share of a rater's pages that are shown a second time.")
    ] = 0.0
    seed: Annotated[int, typer.Option(help="Seed for the order on the pages and for the controls.")] = 2023
    database: Annotated[
        str,
        typer.Option(metavar="DATABASE", help="Database: a file beside study.toml, or postgresql://USER@HOST/NAME."),
    ] = "study.db"


@takes_options(NewStudyOptions)
def init(
    options: NewStudyOptions,
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="Study file to write, or to make the database from.")],
    draft: Annotated[
        bool, typer.Option("--draft", help="Write the files only; `rate init STUDY` makes the database later.")
    ] = False,
    organiser: Annotated[
        str, typer.Option(metavar="NAME", help="Name of the organiser, who may see the organiser's pages.")
    ] = "organiser",
    password_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File with the organiser's password on its first line. Default: one is generated and shown once.",
        ),
    ] = None,
) -> None:
    """Create a study: study.toml, instructions.md, consent.md, and the database.

    If STUDY already exists and no outputs are given, the database is made from it.

    \b
    Examples:
      plainwright rate init study.toml --source source.txt \\
        --outputs ours=ours.txt theirs=theirs.txt
      plainwright rate init study.toml
    """
    with needs_rate():
        from plainwright.rate import creation
        from plainwright.rate.study_file import read_study_file

    is_new = bool(options.source or options.outputs or options.references or options.simpeval)
    if is_new:
        _check_new(study)
        planned = _planned(study, options)
    else:
        _check_there(study, options)
        planned = read_study_file(study)
    password = _password_in(password_file) if password_file else made_up_password()
    built = creation.build_study(planned.settings, planned.material)
    with creation.write_texts(planned, options.database) if is_new else nullcontext(()) as written:
        if not draft:
            creation.save_built(built, planned.database, organiser=organiser, password=password, now=time.time())
    _say(study, built, written)
    if draft:
        typer.echo(f"\nNext: adapt these files, then make the database with\n  plainwright rate init {study}")
        return
    if not password_file:
        typer.echo(f"\nThe organiser's pages open with the name {organiser} and the password\n  {password}")
        typer.echo("It is not shown again; `plainwright rate password` sets another.")
    _say_next(study, planned.settings)


def made_up_password() -> str:
    """One that nobody guesses."""
    return secrets.token_urlsafe(12)


def _check_new(study: Path) -> None:
    from plainwright.errors import DataError
    from plainwright.files import check_writable

    if study.exists():
        msg = (
            f"{study}: expected the name of a new study, found a file; choose another, or leave the files of outputs "
            "out to make the database from it"
        )
        raise DataError(msg)
    check_writable(study)


def _check_there(study: Path, options: NewStudyOptions) -> None:
    from plainwright.errors import DataError

    if not study.exists():
        msg = f"{study}: no such file; for a new study, give --source and --outputs, or --simpeval"
        raise DataError(msg)
    unused = [field.name for field in fields(options) if getattr(options, field.name) != field.default]
    if unused:
        option = unused[0].replace("_", "-")
        msg = f"--{option}: expected no settings beside {study}, which has them all; change it there"
        raise DataError(msg)


def _planned(study: Path, options: NewStudyOptions) -> StudyFile:
    """The study that the options describe."""
    from plainwright.rate.checks import check_settings
    from plainwright.rate.study_file import StudyFile, chosen_database

    settings = _settings(study.parent, options)
    check_settings(settings)
    return StudyFile(
        path=study,
        settings=settings,
        database=chosen_database(options.database, study.parent),
        material=_material(options),
    )


def _settings(folder: Path, options: NewStudyOptions) -> Settings:
    from plainwright.rate.forms.base import packaged_text
    from plainwright.rate.forms.registry import form_named
    from plainwright.rate.presets import Preset, preset_named
    from plainwright.rate.settings import Controls, Settings
    from plainwright.rate.study_writing import CONSENT_FILE, INSTRUCTIONS_FILE

    preset = preset_named(options.preset) if options.preset else Preset(form=options.form or "rank")
    _check_preset(options, preset)
    raters = preset.raters if options.raters is None else options.raters
    check_range("--raters", raters, 1, 1000)
    check_range("--units-per-rater", options.units_per_rater, 0, 1_000_000)
    check_range("--seed", options.seed, 0, 2**63 - 1)
    _check_share("--degraded", options.degraded)
    _check_share("--repeats", options.repeats)
    form = form_named(preset.form)
    return Settings(
        title=(options.title or preset.title).strip(),
        form=form.name,
        aspects=preset.aspects or form.aspects,
        raters_per_unit=raters,
        units_per_rater=options.units_per_rater,
        seed=options.seed,
        edits=preset.edits and not form.writes,
        writing=preset.writing or form.writing,
        cards_per_page=preset.cards_per_page,
        controls=Controls(
            source=options.control_source,
            reference=options.control_reference,
            degraded=options.degraded,
            repeats=options.repeats,
        ),
        instructions=_own(folder / INSTRUCTIONS_FILE, preset.instructions or form.instructions),
        consent=_own(folder / CONSENT_FILE, packaged_text(CONSENT_FILE)),
    )


def _check_preset(options: NewStudyOptions, preset: Preset) -> None:
    from plainwright.errors import DataError

    if options.form is not None and options.form != preset.form:
        expected = f"{preset.form!r}, as the preset {preset.name!r} has it"
        msg = f"--form: expected {expected}, found {options.form!r}; omit one"
        raise DataError(msg)


def _own(path: Path, ours: str) -> str:
    """What the organiser wrote before, nothing if that is blank; otherwise ours."""
    from plainwright.files import read_text

    if not path.exists():
        return ours
    text = read_text(path)
    return text if text.strip() else ""


def _check_share(option: str, share: float) -> None:
    from plainwright.errors import DataError

    if not 0 <= share <= 1:
        msg = f"{option}: expected a share from 0 to 1, found {share:g}"
        raise DataError(msg)


def _material(options: NewStudyOptions) -> Material:
    from plainwright.errors import DataError
    from plainwright.rate.study_file import Material

    if options.with_ratings and not options.simpeval:
        msg = "--with-ratings: expected --simpeval, whose ratings they are, found none"
        raise DataError(msg)
    systems = _systems(options.outputs or [], options.source)
    references = tuple(options.references or ())
    if Path("-") in (options.source, *systems.values(), *references):
        msg = "-: expected files, of which the study can be made again, found standard input"
        raise DataError(msg)
    return Material(
        source=options.source,
        outputs=systems,
        references=references,
        simpeval=options.simpeval or "",
        with_ratings=options.with_ratings,
    )


def _systems(given: Sequence[str], source: Path | None) -> dict[str, Path]:
    """`NAME=FILE`; of a file alone, the name of the file without its ending."""
    from plainwright.errors import DataError

    systems: dict[str, Path] = {}
    for entry in given:
        name, equals, file = entry.partition("=")
        path = Path(file if equals else entry)
        name = name.strip() if equals else path.name.partition(".")[0]
        if not name or not path.name:
            msg = f"--outputs: expected NAME=FILE, found {entry!r}"
            raise DataError(msg)
        if source is not None and path.resolve() == source.resolve():
            msg = f"--outputs: expected what systems made, found the source, {str(path)!r}; --control-source shows it"
            raise DataError(msg)
        if name in systems:
            msg = f"--outputs: expected systems with names that differ, found {name!r} twice; name them as in NAME=FILE"
            raise DataError(msg)
        systems[name] = path
    return systems


def _password_in(path: Path) -> str:
    from plainwright.errors import DataError
    from plainwright.files import read_lines

    password = read_lines(path)[0]
    if not password:
        msg = f"{path}: expected a password on the first line, found nothing"
        raise DataError(msg)
    return password


def _say(study: Path, built: BuiltStudy, written: Sequence[Path]) -> None:
    settings = built.settings
    if settings.writing is not None:
        typer.echo(
            f"{study}: {built.sentences} sentences, each to be written anew by {settings.raters_per_unit} people"
        )
        _say_written(settings, written)
        return
    controls = settings.controls
    with_controls = " with controls" if controls.source or controls.reference or controls.degraded else ""
    different = "all different" if built.cards == built.outputs else f"{built.cards} of them different"
    typer.echo(
        f"{study}: {built.sentences} sentences, {len(built.systems)} systems, "
        f"{built.outputs} outputs{with_controls}, {different}; "
        f"{built.units} pages, each for {settings.raters_per_unit} raters"
    )
    if built.identical is not None and built.identical.statement:
        typer.echo(built.identical.statement)
    if built.table is not None and built.table.ratings is not None:
        typer.echo(f"{len(built.table.ratings)} ratings by {len(built.table.ratings.raters)} raters taken over")
    if built.table is not None and built.table.missing:
        typer.echo(f"plainwright: warning: {built.table.missing} empty outputs of the table left out", err=True)
    _say_written(settings, written)


def _say_written(settings: Settings, written: Sequence[Path]) -> None:
    for name, text in (("instructions", settings.instructions), ("consent", settings.consent)):
        if not text:
            typer.echo(f"there is no page of {name}, for there is no text")
    if written:
        typer.echo(f"wrote {', '.join(map(str, written))}")


def _say_next(study: Path, settings: Settings) -> None:
    typer.echo(
        "\nNext:\n"
        "  read instructions.md and consent.md, and adapt them\n"
        f"  plainwright rate invite {study} -n {settings.raters_per_unit}\n"
        f"  plainwright rate serve {study}"
    )
