"""`study.toml`: what it says is what we read, and whatever is wrong with it is one sentence."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("msgspec")

from tests.rate.studies import RATING_FORMS

from plainwright.errors import DataError
from plainwright.rate.checks import check_settings
from plainwright.rate.forms.base import packaged_text
from plainwright.rate.forms.registry import FORMS
from plainwright.rate.settings import Aspect, Controls, Expectation, Settings, TrainingItem
from plainwright.rate.study_file import DATABASE_VARIABLE, Material, read_study_file
from plainwright.rate.study_writing import CONSENT_FILE, INSTRUCTIONS_FILE, write_study_file
from plainwright.study.ratings import Scale

MINIMAL = '[study]\ntitle = "Which is easier?"\n'


@pytest.fixture(autouse=True)
def _no_database_by_variable(monkeypatch):
    monkeypatch.delenv(DATABASE_VARIABLE, raising=False)


def written(folder: Path, text: str) -> Path:
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_title_is_enough(tmp_path):
    study = read_study_file(written(tmp_path, MINIMAL))
    assert study.settings == Settings(title="Which is easier?", form="rank", aspects=FORMS["rank"].aspects)
    assert study.database == f"sqlite:///{tmp_path / 'study.db'}"
    assert study.material == Material()


def test_the_variable_names_the_database_first(tmp_path, monkeypatch):
    monkeypatch.setenv(DATABASE_VARIABLE, "postgresql://me@localhost/ratings")
    assert read_study_file(written(tmp_path, MINIMAL)).database == "postgresql://me@localhost/ratings"


@pytest.mark.parametrize(
    ("given_name", "expected"),
    [
        ("other.db", "sqlite:///{folder}/other.db"),
        ("sqlite:///other.db", "sqlite:///{folder}/other.db"),
        ("sqlite:////var/other.db", "sqlite:////var/other.db"),
        ("/var/other.db", "sqlite:////var/other.db"),
        ("postgresql://me@localhost/ratings", "postgresql://me@localhost/ratings"),
    ],
)
def test_databases_are_found_from_where_the_file_is(tmp_path, given_name, expected):
    study = read_study_file(written(tmp_path, f'{MINIMAL}database = "{given_name}"\n'))
    assert study.database == expected.format(folder=tmp_path)


def test_files_are_found_from_where_the_file_is(tmp_path):
    (tmp_path / "how.md").write_text("# How\n", encoding="utf-8")
    (tmp_path / "table.csv").write_text("", encoding="utf-8")
    study = read_study_file(
        written(
            tmp_path,
            f'{MINIMAL}instructions = "how.md"\n[material]\nsource = "a/s.txt"\nreferences = ["r.txt"]\n'
            'simpeval = "table.csv"\n[material.outputs]\n"a system" = "o.txt"\n',
        )
    )
    assert study.settings.instructions == "# How\n"
    assert study.material == Material(
        source=tmp_path / "a" / "s.txt",
        outputs={"a system": tmp_path / "o.txt"},
        references=(tmp_path / "r.txt",),
        simpeval=str(tmp_path / "table.csv"),
    )


@pytest.mark.parametrize("form", FORMS.names())
def test_every_form_has_questions_instructions_and_consent(form, tmp_path):
    study = read_study_file(written(tmp_path, f'{MINIMAL}form = "{form}"\n'))
    assert study.settings.aspects == FORMS[form].aspects
    check_settings(study.settings)
    assert FORMS[form].instructions.startswith("# How to ")
    assert packaged_text("consent.md").startswith("# ")


def test_the_questions_of_forms_never_change():
    """Studies that are under way were made with them, and compare: give a new form its own name instead."""
    told = repr([(form, FORMS[form].aspects) for form in RATING_FORMS])
    assert hashlib.sha256(told.encode()).hexdigest()[:16] == "66a9971145522772"


ASPECT = '[[aspects]]\nname = "x"\nquestion = "y?"\n'
OUTPUT = "[[training.items.outputs]]\n"
TRAINING = '[[training.items]]\nsource = "a b"\n'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "study.title: expected text, found nothing"),
        ("[study]\n", "study.title: expected text, found nothing"),
        ('study = "x"\n', "study: expected a table, found 'x'"),
        ('[study]\ntitle = ""\n', "study.title: expected text that is not empty, found ''"),
        ('[study]\ntitle = "a\\nb"\n', "study.title: expected one line of text, found 'a\\nb'"),
        ('[study]\ntitle = "a\\u0000b"\n', "study.title: expected text, found a NUL character in it"),
        ("[study]\ntitle = 7\n", "study.title: expected text, found 7"),
        (f"{MINIMAL}rater_per_unit = 3\n", "study.rater_per_unit: no such setting; did you mean raters_per_unit?"),
        (f"{MINIMAL}[Page]\n", "Page: no such setting; did you mean page?"),
        (f"{MINIMAL}[page]\nqqq = 1\n", "page.qqq: no such setting; known here: groups, edits, contradictions, "),
        (f"{MINIMAL}raters_per_unit = 0\n", "study.raters_per_unit: expected a whole number from 1 to 1,000, found 0"),
        (
            f"{MINIMAL}raters_per_unit = true\n",
            "expected a whole number from 1 to 1,000, found True",
        ),
        (f'{MINIMAL}form = "lickert"\n', "study.form: unknown form 'lickert'; did you mean likert?"),
        (
            f"{MINIMAL}[page]\nlease_hours = nan\n",
            "lease_hours: expected a finite number from 0 to 10,000, found nan",
        ),
        (f"{MINIMAL}[page]\nlease_hours = 0\n", "page.lease_hours: expected a number above 0"),
        (
            f"{MINIMAL}[page]\nlease_hours = 2026-01-01\n",
            "expected a finite number from 0 to 10,000, found date",
        ),
        (f'{MINIMAL}[page]\ncontradictions = "no"\n', "page.contradictions: expected 'allow' or 'confirm' or 'refuse'"),
        (
            f"{MINIMAL}[controls]\ndegraded = 1.5\n",
            "degraded: expected a finite number from 0 to 1, found 1.5",
        ),
        (f'{MINIMAL}[material]\nreferences = "r"\n', "material.references: expected a list, found 'r'"),
        (f"{MINIMAL}[material.outputs]\na = 1\n", "material.outputs.a: expected text, found 1"),
        (
            f'{MINIMAL}[material.outputs]\n"\\u0000" = "x"\n',
            "material.outputs: expected text for a name, found a NUL",
        ),
        (f"{MINIMAL}{ASPECT}", "aspects 1.scale: expected a scale such as '1..5 by 1' or '0..100', found ''"),
        (f'{MINIMAL}{ASPECT}scale = "5..1"\n', "aspects 1.scale: expected a scale from a lower to a higher score"),
        (f'{MINIMAL}{ASPECT}scale = "0..2000"\n', "aspects 1.scale: expected scores from -1000 to 1000"),
        (f'{MINIMAL}{ASPECT}scale = "1..6 by 2"\n', "aspects 1.scale: expected whole steps from one end to the other"),
        (f'{MINIMAL}{ASPECT}scale = "0..100 by 0.5"\n', "aspects 1.scale: expected at most 101 steps, found 201"),
        (f'{MINIMAL}{ASPECT}scale = "1..3 by 1"\nlabels = ["a"]\n', "aspects 1.labels: expected 3, one for each step"),
        (f'{MINIMAL}{ASPECT}scale = "0..1"\nlabels = ["a"]\n', "aspects 1.labels: expected at least two"),
        (f'{MINIMAL}{ASPECT}scale = "0..1"\n{ASPECT}scale = "0..1"\n', "aspects: expected one for the form 'rank'"),
        (
            f'{MINIMAL}form = "likert"\n{ASPECT}scale = "0..1"\n{ASPECT}scale = "0..1"\n',
            "aspects: expected names that differ, found 'x' twice",
        ),
        *(
            (
                f'{MINIMAL}[[aspects]]\nname = "{name}"\nquestion = "y?"\nscale = "0..1"\n',
                f"aspects 1.name: expected a name with single spaces, and none around it, found {found}",
            )
            for name, found in ((" ", "' '"), ("x ", "'x '"), ("x  y", "'x  y'"), (r"x\ty", r"'x\ty'"))
        ),
        (f'{MINIMAL}form = "pairwise"\n{ASPECT}scale = "0..1"\n', "aspects 1: expected a name and a question"),
        (f'{MINIMAL}[[aspects]]\nname = "x"\n', "aspects 1.question: expected text, found nothing"),
        (
            f"{MINIMAL}[training]\npass_share = 0.5\n",
            "training.pass_share: expected training items to pass, found none",
        ),
        (f"{MINIMAL}{TRAINING}outputs = []\n", "training.items 1.outputs: expected a list that is not empty"),
        (
            f'{MINIMAL}{TRAINING}{OUTPUT}text = "a"\nlow = 90\nhigh = 101\n',
            "training.items 1.outputs 1: expected low and high, in this order, on the scale 0..100, found 90 and 101",
        ),
        (f'{MINIMAL}{TRAINING}{OUTPUT}text = "a"\nlow = 9\nhigh = 8\n', "found 9 and 8"),
        (
            f'{MINIMAL}{TRAINING}{OUTPUT}text = " "\nlow = 8\nhigh = 9\n',
            "training.items 1: expected text, found an empty",
        ),
        (
            f'{MINIMAL}{TRAINING}{OUTPUT}text = "a b"\nlow = 8\nhigh = 9\n{OUTPUT}text = "a  b"\nlow = 8\nhigh = 9\n',
            "training.items 1: expected outputs that differ, found 'a b' twice",
        ),
        (
            f'{MINIMAL}form = "pairwise"\n{TRAINING}{OUTPUT}text = "a"\nlow = 0\nhigh = 1\n',
            "training.items 1: expected two outputs to compare, found 1",
        ),
        (
            f'{MINIMAL}instructions = "gone.md"\n',
            'no such file; write it, or leave the page out with instructions = ""',
        ),
        ("[study\n", "expected a study in TOML, found something else"),
    ],
)
def test_what_is_wrong_is_one_sentence(text, sentence, tmp_path):
    with pytest.raises(DataError) as error:
        read_study_file(written(tmp_path, text))
    message = str(error.value)
    assert message.startswith(f"{tmp_path / 'study.toml'}: ")
    assert sentence in message
    assert "`" not in message.removeprefix(str(tmp_path))


def test_long_instructions_are_refused(tmp_path):
    (tmp_path / "how.md").write_text("x" * 100_001, encoding="utf-8")
    with pytest.raises(DataError, match="expected at most 100,000 characters, found 100,001"):
        read_study_file(written(tmp_path, f'{MINIMAL}instructions = "how.md"\n'))


# A line that TOML, a file and PostgreSQL can hold, with something in it.
TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=30).filter(
    lambda text: text.strip()
)
SHARE = st.floats(0, 1)
SCALES = st.sampled_from([Scale(0, 100), Scale(1, 5, 1), Scale(-2, 2, 1), Scale(0.5, 1.5, 0.25), Scale(-1, 0.1)])


@st.composite
def aspects(draw, form):
    if draw(st.booleans()):
        return FORMS[form].aspects
    name = TEXT.map(lambda text: " ".join(text.split()))
    names = draw(st.lists(name, min_size=1, max_size=1 if form == "rank" else 3, unique=True))
    if form == "pairwise":
        return tuple(Aspect(name=name, question=draw(TEXT), scale=Scale(0, 1)) for name in names)
    made = []
    for name in names:
        scale = draw(SCALES)
        count = round((scale.high - scale.low) / scale.step) + 1 if scale.step else draw(st.integers(2, 5))
        labels = draw(st.sampled_from([(), tuple(draw(TEXT) for _ in range(count))]))
        made.append(Aspect(name=name, question=draw(TEXT), scale=scale, labels=labels))
    return tuple(made)


@st.composite
def training_items(draw, form, scale):
    texts = draw(
        st.lists(
            TEXT, min_size=2, max_size=2 if form == "pairwise" else 4, unique_by=lambda text: " ".join(text.split())
        )
    )
    ends = st.tuples(*[st.floats(scale.low, scale.high)] * 2).map(sorted)
    outputs = [
        Expectation(text=text, low=low, high=high, why=draw(st.just("") | TEXT))
        for text in texts
        for low, high in [draw(ends)]
    ]
    return TrainingItem(source=draw(TEXT), outputs=tuple(outputs))


@st.composite
def all_settings(draw):
    form = draw(st.sampled_from(RATING_FORMS))
    questions = draw(aspects(form))
    training = tuple(draw(st.lists(training_items(form, questions[0].scale), max_size=2)))
    return Settings(
        title=draw(TEXT),
        form=form,
        aspects=questions,
        raters_per_unit=draw(st.integers(1, 1000)),
        units_per_rater=draw(st.integers(0, 1000)),
        seed=draw(st.integers(0, 2**63 - 1)),
        groups=draw(st.booleans()),
        edits=draw(st.booleans()),
        contradictions=draw(st.sampled_from(["allow", "confirm", "refuse"])),
        cards_per_page=draw(st.sampled_from(["one", "all"])),
        lease_hours=draw(st.floats(1e-6, 10_000)),
        pass_share=draw(SHARE) if training else 0.0,
        controls=Controls(
            source=draw(st.booleans()), reference=draw(st.booleans()), degraded=draw(SHARE), repeats=draw(SHARE)
        ),
        training=training,
        instructions=draw(st.just("") | TEXT),
        consent=draw(st.just("") | TEXT),
    )


@given(study=all_settings(), systems=st.dictionaries(TEXT, st.sampled_from(["a.txt", "b/c.txt"]), max_size=3))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_written_is_read_again(study, systems, tmp_path):
    material = Material(
        source=tmp_path / "s.txt",
        outputs={name: tmp_path / file for name, file in systems.items()},
        references=(tmp_path / "r.txt",),
        simpeval="simpeval/2022",
        with_ratings=True,
    )
    for name, text in ((INSTRUCTIONS_FILE, study.instructions), (CONSENT_FILE, study.consent)):
        (tmp_path / name).write_bytes(text.encode())
    write_study_file(tmp_path / "study.toml", study, database="some.db", material=material)
    read = read_study_file(tmp_path / "study.toml")
    assert read.settings == study
    assert read.material == material
    assert read.database == f"sqlite:///{tmp_path / 'some.db'}"


def test_the_questions_and_the_example_behind_the_marks_are_right(tmp_path):
    """An organiser who takes off all # of them gets what was there before, and a training item."""
    for form in RATING_FORMS:
        path = tmp_path / f"{form}.toml"
        write_study_file(path, Settings(title="x", form=form, aspects=FORMS[form].aspects))
        lines = path.read_text(encoding="utf-8").splitlines()
        start = lines.index("# [[aspects]]")
        opened = [line.removeprefix("# ") if not line.startswith("# Training") else "" for line in lines[start:]]
        path.write_text("\n".join([*lines[:start], *opened]), encoding="utf-8")
        read = read_study_file(path).settings
        assert read.aspects == FORMS[form].aspects
        assert len(read.training) == 1


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["0..100", "1..5 by 1", "rank", "pairwise", "2026-01-01T00:00:00Z", "x" * 2000]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["study", "title", "form", "aspects", "name", "scale", "labels", "training", "items", "outputs"]
            )
            | st.text(max_size=4),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def toml(value: object) -> str:
    """Any such value as TOML, if it has one."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{toml(str(key))} = {toml(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(character):08x}" for character in value) + '"'
    return (
        {None: '""', True: "true", False: "false"}.get(value, repr(value))
        if not isinstance(value, float)
        else repr(value)
    )


@given(
    tables=st.dictionaries(
        st.sampled_from(["study", "page", "controls", "material", "aspects", "training"]), VALUES, max_size=6
    )
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
def test_no_file_does_worse_than_one_sentence(tables, tmp_path):
    text = "\n".join(f"{name} = {toml(value)}" for name, value in tables.items())
    try:
        read_study_file(written(tmp_path, text))
    except DataError as error:
        assert str(error).startswith(str(tmp_path))  # noqa: PT017


@given(data=st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_foreign_bytes_are_refused_in_one_sentence(data, tmp_path):
    path = tmp_path / "study.toml"
    path.write_bytes(MINIMAL.encode() + data)
    try:
        read_study_file(path)
    except DataError as error:
        assert str(error).startswith(str(tmp_path))  # noqa: PT017


def test_names_that_no_file_can_have_are_of_none(tmp_path):
    study = read_study_file(written(tmp_path, f'{MINIMAL}[material]\nsimpeval = "{"x" * 1000}"\n'))
    assert study.material.simpeval == "x" * 1000
    with pytest.raises(DataError, match=r"study.instructions: .*file name too long.*; write it"):
        read_study_file(written(tmp_path, f'{MINIMAL}instructions = "{"x" * 1000}"\n'))
