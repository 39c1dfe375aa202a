"""Recipes as a library: what a recipe may say, which stages run and why, and what stays when a run is stopped."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plainwright.cli.commands import CommandLine
from plainwright.cli.main import app
from plainwright.errors import DataError, PlainwrightError, StageError, UnknownNameError
from plainwright.learn import recipe as library
from plainwright.learn.recipe import Recipe, Reference, Result, Template
from plainwright.tables import TableReader

COMMANDS = CommandLine(app)
SHIPPED = Path(__file__).parents[2] / "recipes"

METEOR = "purchased\tbought\t0.31\nnear\tby\t0.2\n"
RECIPE = """\
[inputs]
meteor = "meteor.tsv"
pairs = "pairs.txt"
text = "text.txt"

[stages.meteor]
command = "learn import meteor"
arguments = ["{inputs.meteor}"]
options = { min-probability = 0.01 }
saves = "meteor.gz"

[stages.rules]
command = "learn combine"
arguments = ["meteor={stages.meteor}"]
options = { evidence = ["list={inputs.pairs}"] }
saves = "rules.gz"

[stages.lm]
command = "lm build"
arguments = ["{inputs.text}"]
options = { order = 2, save = ["{out.packed}", "{out.arpa}"] }
saves = { packed = "text.lm", arpa = "text.arpa" }
"""


def write(folder: Path, recipe: str = RECIPE) -> Path:
    (folder / "meteor.tsv").write_text(METEOR, encoding="utf-8")
    (folder / "pairs.txt").write_text("bought purchased\n", encoding="utf-8")
    (folder / "text.txt").write_text("she bought bread\nhe bought a book\n", encoding="utf-8")
    (folder / "recipe.toml").write_text(recipe, encoding="utf-8")
    return folder / "recipe.toml"


def load(folder: Path, **options: object) -> Recipe:
    return library.load(folder / "recipe.toml", COMMANDS, **options)


def run(folder: Path, **options: object) -> Result:
    return library.run(load(folder), folder / "work", COMMANDS, **options)


def states(result: Result) -> dict[str, str]:
    return {outcome.stage.name: outcome.state for outcome in result.outcomes}


def reasons(folder: Path, **options: object) -> dict[str, str]:
    plan = library.plan(load(folder, **options), folder / "work")
    return {step.stage.name: step.reason for step in plan.steps}


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def results(folder: Path) -> dict[str, bytes]:
    return {name: data for name, data in files(folder / "work").items() if not name.startswith(".recipe")}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    write(folder)
    assert set(states(run(folder)).values()) == {"made"}
    return folder


@pytest.fixture
def done(whole: Path, tmp_path: Path) -> Path:
    """A folder in which the recipe was run, moved elsewhere."""
    return Path(shutil.copytree(whole, tmp_path / "done"))


@pytest.fixture
def new(tmp_path: Path) -> Path:
    write(tmp_path)
    return tmp_path


# What is run again, and what is not


RECIPES = sorted(path for path in SHIPPED.glob("*.toml") if path.stem not in {"judge", "rewriter"})


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_the_recipes_that_come_with_the_package_are_good_and_called_like_their_files(path: Path) -> None:
    recipe = library.load(path, COMMANDS)
    assert recipe.name == path.stem
    assert recipe.description


def test_a_second_run_does_nothing(done: Path) -> None:
    before = files(done / "work")
    assert set(states(run(done)).values()) == {"kept"}
    assert {name: data for name, data in files(done / "work").items() if "digests" not in name} == {
        name: data for name, data in before.items() if "digests" not in name
    }


def test_a_file_that_is_only_touched_changes_nothing(done: Path) -> None:
    os.utime(done / "meteor.tsv", (1, 1))
    os.utime(done / "work" / "rules.gz")
    assert set(reasons(done).values()) == {""}


def test_what_depends_on_a_changed_input_runs_again_and_nothing_else(done: Path) -> None:
    (done / "meteor.tsv").write_text(METEOR + "big\tlarge\t0.3\n", encoding="utf-8")
    assert reasons(done) == {"meteor": "inputs.meteor changed", "rules": "after meteor", "lm": ""}
    assert states(run(done)) == {"meteor": "made", "rules": "made", "lm": "kept"}


def test_a_change_that_leaves_the_size_and_the_time_is_seen(done: Path) -> None:
    run(done)  # so that the digests of this copy are remembered
    status = (done / "pairs.txt").stat()
    (done / "pairs.txt").write_text("bought purchasee\n", encoding="utf-8")
    os.utime(done / "pairs.txt", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert reasons(done)["rules"] == "inputs.pairs changed"


def test_a_stage_that_gives_the_same_bytes_lets_later_ones_rest(done: Path) -> None:
    # The new line is below the least probability, so the rules stay the same.
    (done / "meteor.tsv").write_text(METEOR + "big\tlarge\t0.001\n", encoding="utf-8")
    assert states(run(done)) == {"meteor": "made", "rules": "kept", "lm": "kept"}


def test_a_forced_stage_runs_and_later_ones_look_at_its_bytes(done: Path) -> None:
    assert states(run(done, force=["meteor"])) == {"meteor": "made", "rules": "kept", "lm": "kept"}


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("min-probability = 0.01", "min-probability = 0.02", "option min-probability changed"),
        ("order = 2", "order = 2, prune = [0, 1]", "option prune changed"),
        ('saves = "meteor.gz"', 'saves = "other.gz"', "saves changed"),
        ('saves = "meteor.gz"', 'saves = "meteor.gz"\nversion = 2', "version changed"),
        ('saves = "meteor.gz"', 'saves = "meteor.gz"\nneeds = ["numpy"]', "package numpy changed"),
        ('arguments = ["{inputs.meteor}"]', 'arguments = ["{inputs.text}"]', "arguments changed"),
        ('command = "learn import meteor"', 'command = "learn import wordnet"\nversion = 3', "command changed"),
    ],
)
def test_every_change_of_a_stage_is_a_reason(done: Path, old: str, new: str, reason: str) -> None:
    text = RECIPE.replace(old, new)
    if "wordnet" in text:
        text = text.replace("options = { min-probability = 0.01 }\n", "")
    if "{inputs.meteor}" not in text:
        text = text.replace('meteor = "meteor.tsv"\n', "")
    (done / "recipe.toml").write_text(text, encoding="utf-8")
    assert reason in reasons(done).values()


@pytest.mark.parametrize("option", ["threads = 2", "quiet = true", "memory = 16"])
def test_options_that_change_no_result_are_no_reason(tmp_path: Path, option: str) -> None:
    write(tmp_path)
    text = (tmp_path / "recipe.toml").read_text(encoding="utf-8")
    (tmp_path / "text.points").write_text("0-0 1-1 2-2\n", encoding="utf-8")
    text = text.replace('command = "learn combine"\narguments = ["meteor={stages.meteor}"]', (
        'command = "learn extract"\narguments = ["{inputs.text}", "{inputs.pairs}", "{stages.meteor}"]'
    ))  # fmt: skip
    keys = []
    for options in ("max-span = 3", f"max-span = 3, {option}"):
        changed = text.replace('evidence = ["list={inputs.pairs}"]', options)
        (tmp_path / "recipe.toml").write_text(changed, encoding="utf-8")
        stage = load(tmp_path).stages["rules"]
        step = library.planning.judge(
            load(tmp_path), library.planning.WorkFolder(tmp_path), stage, {"meteor": _receipt("meteor.gz")}
        )
        keys.append(step.key)
    assert keys[0] == keys[1]


def _receipt(file: str) -> library.Receipt:
    saved = {"": library.Saved(file=file, sha256="0" * 64, bytes=1)}
    return library.Receipt(
        stage="x", key="", ingredients={}, reads={}, command=(), saved=saved, seconds=0, cpu_seconds=0, peak_bytes=0
    )


def test_a_result_that_was_lost_or_changed_is_made_again(done: Path) -> None:
    wanted = results(done)
    (done / "work" / "rules.gz").write_bytes(b"damaged")
    (done / "work" / "text.arpa").unlink()
    assert reasons(done) == {"meteor": "", "rules": "rules.gz was changed", "lm": "text.arpa is missing"}
    run(done)
    assert results(done) == wanted


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"saved": {"": {}}}', b"\xff\xfe", b"[" * 100_000])
def test_a_receipt_that_cannot_be_read_means_that_the_stage_runs_again(done: Path, damage: bytes) -> None:
    (done / "work" / ".recipe" / "receipts" / "meteor.json").write_bytes(damage)
    (done / "work" / ".recipe" / "digests.json").write_bytes(damage)
    # The file without a receipt is not taken for someone else's while the stage is known to be unfinished.
    (done / "work" / ".recipe" / "unfinished" / "meteor").mkdir(parents=True)
    assert reasons(done)["meteor"] == "never finished"


def test_stages_side_by_side_give_the_same_bytes(new: Path, whole: Path) -> None:
    assert set(states(run(new, jobs=2)).values()) == {"made"}
    assert results(new) == results(whole)


def test_only_what_a_chosen_stage_needs_is_run(new: Path) -> None:
    (new / "text.txt").unlink()
    assert states(run(new, stages=["rules"])) == {"meteor": "made", "rules": "made"}


def test_a_receipt_tells_what_a_stage_was_made_from_and_what_it_cost(done: Path) -> None:
    receipt = json.loads((done / "work" / ".recipe" / "receipts" / "lm.json").read_text(encoding="utf-8"))
    assert receipt["command"][:3] == ["plainwright", "lm", "build"]
    assert receipt["reads"].keys() == {"inputs.text"}
    assert receipt["saved"]["packed"]["bytes"] == (done / "work" / "text.lm").stat().st_size
    assert receipt["seconds"] > 0
    assert receipt["peak_bytes"] > 1_000_000
    assert receipt["printed"][-1] == "text.arpa"


def test_a_plan_knows_sizes_and_writes_nothing(new: Path) -> None:
    before = files(new)
    meteor, rules, lm = library.plan(load(new), new / "work").steps
    assert files(new) == before
    assert not (new / "work").exists()
    assert [(read.label, read.content and read.content.bytes) for read in (*meteor.reads, *rules.reads)] == [
        ("inputs.meteor", len(METEOR)),
        ("inputs.pairs", 17),
        ("stages.meteor", None),
    ]
    assert {step.reason for step in (meteor, rules, lm)} == {"never run"}


def test_a_directory_is_what_its_files_are(tmp_path: Path) -> None:
    digests = library.digests.Digests(tmp_path / "memory")
    for name in ("one", "two"):
        (tmp_path / name / "inner").mkdir(parents=True)
        (tmp_path / name / "inner" / "file").write_text("text", encoding="utf-8")
        (tmp_path / name / "back").symlink_to(tmp_path / name)  # a circle is no reason to go round for ever
    one, two = digests.of(tmp_path / "one"), digests.of(tmp_path / "two")
    assert one == two
    (tmp_path / "two" / "inner" / "file").rename(tmp_path / "two" / "inner" / "other")
    assert digests.of(tmp_path / "two") != one


def test_inputs_may_lie_below_a_folder_and_only_what_is_read_counts(new: Path) -> None:
    text = RECIPE.replace('meteor = "meteor.tsv"', 'data = "data"').replace("{inputs.meteor}", "{inputs.data}/m.tsv")
    (new / "recipe.toml").write_text(text, encoding="utf-8")
    (new / "data").mkdir()
    (new / "meteor.tsv").rename(new / "data" / "m.tsv")
    run(new, stages=["meteor"])
    (new / "data" / "unrelated").write_text("x", encoding="utf-8")
    assert reasons(new)["meteor"] == ""


def test_inputs_may_come_from_variables_packages_and_registered_sets(
    new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECIPE_TEST", str(new))
    text = RECIPE.replace('"meteor.tsv"', '"$RECIPE_TEST/meteor.tsv"').replace('"pairs.txt"', '"package:json/tool.py"')
    (new / "recipe.toml").write_text(text, encoding="utf-8")
    plan = library.plan(load(new), new / "work")
    assert plan.steps[0].reads[0].text == str(new / "meteor.tsv")
    assert plan.steps[1].reads[0].text.endswith("json/tool.py")


def test_a_registered_set_is_written_by_its_name(data_dir: Path, new: Path) -> None:
    (new / "recipe.toml").write_text(TUNE.replace('"set.tsv"', '"corpus:turkcorpus/tune"'), encoding="utf-8")
    (new / "rules.txt").write_text("[X] ||| a ||| b ||| good=1 ||| 0-0\n", encoding="utf-8")
    _, tune = library.plan(load(new), new / "work").steps
    (read,) = (read for read in tune.reads if read.label == "inputs.set")
    assert read.text == "turkcorpus/tune"
    assert read.content is not None
    assert read.content.bytes > 1000


# What is found before any work


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[inputs]", "[input]", "{0}: input: no such setting; did you mean inputs"),
        ("command = \"lm build\"", "comand = \"lm build\"", "stages.lm.comand: no such setting; did you mean command"),
        ('"lm build"', '"lm bild"', "unknown command of `plainwright lm`: 'bild'; did you mean build"),
        ('"lm build"', '"lm"', "stages.lm.command: expected a command, found a group of them"),
        ('"lm build"', '"learn run"', "unknown command of `plainwright learn`: 'run'"),
        ('"lm build"', "7", "stages.lm.command: expected text, found 7"),
        ("order = 2", "odrer = 2", "unknown option in {0}: stages.lm.options: 'odrer'; did you mean order"),
        ("order = 2", "order = 9", "stages.lm: invalid value for '--order'"),
        ("order = 2", "order = true", "stages.lm.options.order: expected a value, found True"),
        ("order = 2", "order = [1, 2]", "stages.lm.options.order: expected a single value, found [1, 2]"),
        ("order = 2", "quiet = 1", "stages.lm.options.quiet: expected true or false, found 1"),
        ("order = 2", "order = 1979-05-27", "stages.lm.options.order: expected a string or a number"),
        ("order = 2", "order = 'two'", "stages.lm: --order: expected a whole number, found 'two'"),
        ('arguments = ["{inputs.text}"]', "", "stages.lm: missing argument"),
        ('["{inputs.text}"]', '"{inputs.text}"', "stages.lm.arguments: expected a list"),
        ('["{inputs.text}"]', '["{inputs.txt}"]', "{0}: stages.lm: {{inputs.txt}}: 'txt'; did you mean text"),
        ('["{inputs.text}"]', '["{inputs.text}", "-"]', "stages.lm.TEXT: a stage cannot read standard input"),
        ('["{inputs.text}"]', '["{inputs.text}", "text.txt"]', "'text.txt' is data; name it under [inputs]"),
        ('["{inputs.text}"]', '["{inputs.text"]', "stages.lm.arguments: expected {{inputs.NAME}}, {{stages.NAME}}"),
        ('"meteor={stages.meteor}"', '"meteor=meteor.tsv"', "'meteor=meteor.tsv' is data; name it under [inputs]"),
        ("{stages.meteor}", "{stages.meteo}", "'meteo'; did you mean meteor"),
        ("{stages.meteor}", "{stages.lm}", "expected {{stages.lm.packed}}, {{stages.lm.arpa}}, found {{stages.lm}}"),
        ("{stages.meteor}", "{stages.meteor.gz}", "expected {{stages.meteor}}, found {{stages.meteor.gz}}"),
        ("{stages.meteor}", "{stages.rules}", "found a circle: rules needs rules"),
        ("list={inputs.pairs}", "list={stages.lm.arpa}", "inputs.pairs: no stage uses it"),
        ('"rules.gz"', '"meteor.gz"', "stages.rules.saves: 'meteor.gz' is saved by 'meteor' already"),
        ('"rules.gz"', '"../rules.gz"', "without folders, or a table of them, found '../rules.gz'"),
        ('"rules.gz"', '".recipe"', "stages.rules.saves: expected the name of a file"),
        ('saves = "rules.gz"', "", "without folders, or a table of them, found nothing"),
        ("{out.arpa}", "{out.arpo}", "'arpo'; did you mean arpa"),
        (', "{out.arpa}"', "", "stages.lm.saves: expected {{out.arpa}} in the command"),
        ("[inputs]", "[recipe]\nresults = ['lm']\n[inputs]", "stages.meteor: leads to none of the results (lm)"),
        ("[inputs]", "[recipe]\nresults = ['ml']\n[inputs]", "unknown stage of {0}: 'ml'; did you mean lm"),
        ("[inputs]", "[recipe]\nname = 'a/b'\n[inputs]", "recipe.name: expected a name of letters"),
        ("[inputs]", "[inputs", "expected a recipe in TOML, found something else"),
        ("[stages.lm]", "[stages.'l m']", "stages: expected a name of letters, digits, - and _, found 'l m'"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_recipe_is_one_sentence(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in RECIPE
    path = write(tmp_path, RECIPE.replace(old, new, 1))
    with pytest.raises(PlainwrightError) as caught:
        load(tmp_path)
    assert message.format(path) in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_all_missing_inputs_are_named_at_once(new: Path) -> None:
    (new / "meteor.tsv").unlink()
    (new / "text.txt").unlink()
    text = RECIPE.replace('"pairs.txt"', '"$NOT_A_VARIABLE/x"') + 'needs = ["not-a-package"]\n'
    (new / "recipe.toml").write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        run(new)
    for part in (
        f"inputs.meteor: {new}/meteor.tsv does not exist",
        f"inputs.text: {new}/text.txt does not exist",
        "inputs.pairs: the variable NOT_A_VARIABLE is not set",
        "stages.lm.needs: the package 'not-a-package' is not installed",
        "--set inputs.NAME=PATH",
    ):
        assert part in str(caught.value)
    assert not (new / "work").exists()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("a\\u0000b", "expected text, found a NUL character in it"),
        ("a" * 300, "cannot be a path"),
        ("~nobody-of-that-name/x", "cannot be a path"),
        ("/dev/null", "/dev/null is neither a file nor a directory"),
        ("corpus:turkcorpus/tun", "did you mean turkcorpus/tune"),
        ("package:not_a_package/x", "the package 'not_a_package' is not installed"),
        ("package:json/none.txt", "none.txt does not exist"),
        ("package:", "the package '' is not installed"),
    ],
)
def test_inputs_that_cannot_be_are_one_sentence(new: Path, given: str, message: str) -> None:
    (new / "recipe.toml").write_text(RECIPE.replace("meteor.tsv", given), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        run(new)
    assert f"{new / 'recipe.toml'}: inputs.meteor: " in str(caught.value)
    assert message in str(caught.value)


def test_a_file_that_a_result_does_not_have_is_named_with_its_stage(done: Path) -> None:
    text = RECIPE.replace("meteor={stages.meteor}", "meteor={stages.meteor}/inside")
    (done / "recipe.toml").write_text(text, encoding="utf-8")
    with pytest.raises(StageError, match=r"stage 'rules' failed: .*meteor\.gz/inside"):
        run(done)


def test_relative_paths_in_variables_are_meant_from_here(new: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (new / "recipes").mkdir()
    text = RECIPE.replace('"meteor.tsv"', '"$HERE/meteor.tsv"').replace('"text.txt"', '"../text.txt"')
    (new / "recipes" / "recipe.toml").write_text(text.replace('"pairs.txt"', '"../pairs.txt"'), encoding="utf-8")
    monkeypatch.chdir(new)
    monkeypatch.setenv("HERE", ".")
    monkeypatch.setenv("PLAINWRIGHT_DATA", "data")
    assert library.plan(load(new / "recipes"), "work").to_run == 3
    assert library.processes._environment()["PLAINWRIGHT_DATA"] == str(new / "data")


def test_a_circle_of_several_stages_is_shown(new: Path) -> None:
    text = RECIPE.replace('["{inputs.meteor}"]', '["{stages.rules}"]').replace('meteor = "meteor.tsv"\n', "")
    (new / "recipe.toml").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="found a circle: meteor needs rules needs meteor"):
        load(new)


def test_files_of_others_are_never_replaced(new: Path) -> None:
    (new / "work").mkdir()
    (new / "work" / "rules.gz").write_text("mine", encoding="utf-8")
    with pytest.raises(DataError, match=r"rules\.gz: stage 'rules' would replace it, which no stage made"):
        run(new)
    assert results(new) == {"rules.gz": b"mine"}


def test_a_stage_may_be_renamed_and_takes_over_its_file(done: Path) -> None:
    text = RECIPE.replace("[stages.rules]", "[stages.digests]")
    (done / "recipe.toml").write_text(text, encoding="utf-8")
    assert states(run(done)) == {"meteor": "kept", "digests": "made", "lm": "kept"}
    assert set(reasons(done).values()) == {""}


def test_an_input_is_never_replaced(done: Path) -> None:
    recipe = load(done, changes={"inputs.pairs": str(done / "work" / "rules.gz")})
    with pytest.raises(DataError, match=r"stage 'rules' would replace inputs\.pairs"):
        library.run(recipe, done / "work", COMMANDS)


def test_the_work_folder_is_not_in_a_folder_that_is_read(new: Path) -> None:
    text = RECIPE.replace('"meteor.tsv"', '"."').replace("learn import meteor", "learn import wordnet")
    (new / "recipe.toml").write_text(text.replace("options = { min-probability = 0.01 }\n", ""), encoding="utf-8")
    with pytest.raises(DataError, match=r"work: expected a work folder outside inputs\.meteor"):
        run(new)
    assert not (new / "work").exists()


def test_changes_reach_inputs_and_options(done: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (done / "elsewhere").mkdir()
    (done / "elsewhere" / "text.txt").write_text("a b\n", encoding="utf-8")
    monkeypatch.chdir(done / "elsewhere")
    assert reasons(done, changes={"inputs.text": "text.txt"})["lm"] == "inputs.text changed"
    assert reasons(done, changes={"stages.lm.options.order": "3"})["lm"] == "option order changed"
    assert reasons(done, changes={"stages.rules.options.labels": "each"})["rules"] == "option labels changed"


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("inputs.txt", "x", "'txt'; did you mean text"),
        ("stages.ml.options.order", "3", "'ml'; did you mean lm"),
        ("stages.lm.options.odrer", "3", "'odrer'; did you mean order"),
        ("stages.lm.options.order", "9", "invalid value for '--order'"),
        ("stages.lm.command", "x", "'stages.lm.command' cannot be set; expected inputs.NAME or"),
    ],
)
def test_changes_are_checked_like_the_recipe(new: Path, key: str, value: str, message: str) -> None:
    with pytest.raises(PlainwrightError, match=message):
        load(new, changes={key: value})


@pytest.mark.parametrize("options", [{"stages": ["ml"]}, {"force": ["ml"]}])
def test_unknown_stages_are_refused(new: Path, options: dict[str, list[str]]) -> None:
    with pytest.raises(UnknownNameError, match="'ml'; did you mean lm"):
        run(new, **options)


# What goes wrong in a stage


def test_a_failing_stage_says_why_in_one_sentence_and_earlier_ones_stay(new: Path) -> None:
    (new / "pairs.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(StageError) as caught:
        run(new)
    assert f"{new / 'recipe.toml'}: stage 'rules' failed: {new / 'pairs.txt'}: expected UTF-8" in str(caught.value)
    assert "finished stages are kept" in str(caught.value)
    assert results(new).keys() == {"meteor.gz"}
    (new / "pairs.txt").write_text("bought purchased\n", encoding="utf-8")
    assert reasons(new) == {"meteor": "", "rules": "never finished", "lm": "never run"}
    assert states(run(new)) == {"meteor": "kept", "rules": "made", "lm": "made"}


def test_stages_that_run_beside_a_failing_one_are_finished(new: Path) -> None:
    (new / "meteor.tsv").write_text("no table\n", encoding="utf-8")
    with pytest.raises(StageError, match="stage 'meteor' failed"):
        run(new, jobs=2)
    assert reasons(new)["lm"] == ""


class Fake:
    """The real commands, but something else is started in their place."""

    def __init__(self, *program: str) -> None:
        self.program = program
        self.find = COMMANDS.find


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("kill -9 $$", "it was ended by SIGKILL, perhaps for want of memory"),
        ("echo oh >&2; echo no >&2; exit 3", r"it ended with status 3 \(no\)"),
        ("exit 0", r"it did not write meteor\.gz"),
        ("echo changed > ../meteor.tsv; touch .recipe/unfinished/meteor/*/x; exit 0", "it did not write"),
        (
            "for f in .recipe/unfinished/meteor/*; do echo x > $f/out/meteor.gz; done; echo changed > ../meteor.tsv",
            r"inputs\.meteor was changed while the stage was running",
        ),
    ],
)
def test_whatever_a_process_does_nothing_half_made_is_left(new: Path, script: str, message: str) -> None:
    with pytest.raises(StageError, match=message):
        library.run(load(new), new / "work", Fake("bash", "-c", script))
    assert results(new) == {}
    left = [path for path in (new / "work" / ".recipe" / "unfinished").rglob("*") if path.is_file()]
    assert left == []


class Heard(library.Watcher):
    """Keeps what it is told of crashes."""

    def __init__(self) -> None:
        self.crashes: list[tuple[str, tuple[str, ...]]] = []

    def crashed(self, stage: str, messages: Sequence[str]) -> None:
        self.crashes.append((stage, tuple(messages)))


def test_all_that_a_crashing_stage_said_can_be_shown(new: Path) -> None:
    heard = Heard()
    script = "echo Traceback >&2; echo '  line 7' >&2; echo ZeroDivisionError >&2; exit 1"
    with pytest.raises(StageError, match=r"it ended with status 1 \(ZeroDivisionError\)"):
        library.run(load(new), new / "work", Fake("bash", "-c", script), watcher=heard)
    assert heard.crashes == [("meteor", ("Traceback", "  line 7", "ZeroDivisionError"))]


def test_results_may_have_any_name(new: Path, whole: Path) -> None:
    text = RECIPE.replace('"meteor.gz"', '"receipt.json"').replace('"rules.gz"', '"checkpoint"')
    (new / "recipe.toml").write_text(text.replace('"text.lm"', '"out"'), encoding="utf-8")
    run(new)
    assert set(reasons(new).values()) == {""}
    assert results(new).keys() == {"receipt.json", "checkpoint", "out", "text.arpa"}
    assert results(new)["out"] == results(whole)["text.lm"]


def test_two_runs_never_share_a_work_folder(new: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library.running, "_PATIENCE", 0.1)
    with (
        library.running._locked(library.planning.WorkFolder(new / "work")),
        pytest.raises(DataError, match="another run is at work here"),
    ):
        run(new)


def test_a_work_folder_that_cannot_be_made_is_one_sentence(new: Path) -> None:
    (new / "work").write_text("a file", encoding="utf-8")
    with pytest.raises(DataError, match="work: expected a work folder, found a file"):
        run(new)


TUNE = """\
[inputs]
rules = "rules.txt"
set = "set.tsv"

[stages.grammar]
command = "grammar pack"
arguments = ["{inputs.rules}"]
saves = "rules.pack"

[stages.tuned]
command = "tune"
arguments = ["{inputs.set}:1-8"]
options = { grammar = ["{stages.grammar}"], held-out = "{inputs.set}:9-12", iterations = 4, optimiser = "mert" }
saves = "tuned"
"""


def write_tuning(folder: Path) -> None:
    plain = {"purchase": "buy", "commence": "start"}
    names = ("ann", "bob", "cy", "dee", "eve", "flo")
    sources = [f"they {verb} the house of {name} ." for name in names for verb in plain]
    rows = [f"{source}\t{' '.join(plain.get(word, word) for word in source.split())}\n" for source in sources]
    (folder / "set.tsv").write_text("".join(rows), encoding="utf-8")
    rules = [
        f"[X] ||| {hard} ||| {easy} ||| good={good} p(e|f)=1 ||| 0-0\n"
        for hard, right in plain.items()
        for easy, good in ((right, 1), ("end", 0))
    ]
    (folder / "rules.txt").write_text("".join(rules), encoding="utf-8")
    (folder / "recipe.toml").write_text(TUNE, encoding="utf-8")


@pytest.fixture(scope="module")
def tuned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tuned")
    write_tuning(folder)
    run(folder)
    return folder


def test_a_directory_is_a_result_like_any_other_and_can_be_replaced(tuned: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(tuned, tmp_path / "again"))
    assert results(folder).keys() == {"rules.pack", "tuned/model.toml", "tuned/rules.pack"}
    (folder / "recipe.toml").write_text(TUNE.replace("iterations = 4", "iterations = 1"), encoding="utf-8")
    assert states(run(folder)) == {"grammar": "kept", "tuned": "made"}
    assert set(reasons(folder).values()) == {""}
    assert '"iteration" = 1' in (folder / "work" / "tuned" / "model.toml").read_text(encoding="utf-8")


def test_a_stopped_tuning_goes_on_from_its_last_iteration(tuned: Path, tmp_path: Path) -> None:
    write_tuning(tmp_path)
    run(tmp_path, stages=["grammar"])
    leave_first_iteration(tmp_path)
    run(tmp_path)
    receipt = library.Receipt.read(tmp_path / "work" / ".recipe" / "receipts" / "tuned.json")
    assert receipt is not None
    *_, second = (line.split()[0] for line in receipt.printed[:3])
    assert second == "2"  # below two lines of heading: the first iteration is not done again
    assert results(tmp_path) == results(tuned)


def leave_first_iteration(folder: Path) -> None:
    """What a run leaves that is killed after the first iteration: its checkpoint, and a file it was writing."""
    work = library.planning.WorkFolder(folder / "work")
    step = library.plan(load(folder), folder / "work").steps[1]
    place = work.unfinished("tuned") / step.key[:16]
    place.mkdir(parents=True)
    (place / ".plainwright.x.part").write_text("half-written", encoding="utf-8")
    arguments = ["../set.tsv:1-8", "--held-out=../set.tsv:9-12", "--grammar=rules.pack", "--optimiser=mert"]
    places = [f"--save={folder / 'elsewhere'}", f"--checkpoint={place / 'checkpoint'}"]
    line = [sys.executable, "-m", "plainwright", "tune", *arguments, *places, "--iterations=1"]
    subprocess.run(line, cwd=work.folder, check=True, capture_output=True)


# References


LITERALS = st.text(st.characters(exclude_characters="{}", exclude_categories=["Cs"]))
NAMES = st.from_regex(library.references.NAME, fullmatch=True)
TAILS = st.from_regex(r"(/[^{}:,]*)?", fullmatch=True)
REFERENCES = st.one_of(
    st.builds(Reference, kind=st.just("inputs"), name=NAMES, tail=TAILS),
    st.builds(Reference, kind=st.just("stages"), name=NAMES, output=st.one_of(st.just(""), NAMES), tail=TAILS),
    st.builds(Reference, kind=st.just("out"), name=st.one_of(st.just(""), NAMES), tail=TAILS),
)


@given(st.lists(st.tuples(REFERENCES, LITERALS)), LITERALS)
def test_references_are_found_whatever_stands_around_them(pairs: list[tuple[Reference, str]], first: str) -> None:
    # Where a literal begins with a slash or goes on with a path, it belongs to the reference before it.
    text = first + "".join(f"{reference}:{literal}" for reference, literal in pairs)
    template = Template.parse(text)
    assert template.references == tuple(reference for reference, _ in pairs)
    assert str(template) == text
    assert template.fill(lambda _: "") == first + "".join(f":{literal}" for _, literal in pairs)


@given(st.text())
@example("{{}}")
@example("{{inputs.a}}")
def test_doubled_braces_stand_for_themselves(text: str) -> None:
    template = Template.parse(text.replace("{", "{{").replace("}", "}}"))
    assert template.references == ()
    assert template.fill(lambda _: "") == text


@given(st.text(st.sampled_from("{}inputs.stagesout/:, aé")))
@example("{inputs}")
@example("{inputs.a.b}")
@example("{stages.a.b.c}")
@example("{out.a.b}")
@example("}")
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        template = Template.parse(text)
    except DataError:
        with pytest.raises(DataError, match="doubled braces"):
            Template.parse(text)
    else:
        assert Template.parse(str(template)).references == template.references


VALUES = st.recursive(
    st.one_of(st.booleans(), st.integers(-5, 5), st.floats(allow_nan=False), st.text(max_size=5),
              st.sampled_from(["lm build", "{inputs.a}", "{stages.a}", "{out}", "a.gz", "tune", "learn"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["a", "b", "command", "arguments", "options", "saves", "order"]), inner),
    ),
    max_leaves=20,
)  # fmt: skip
TABLES = st.dictionaries(
    st.sampled_from(["recipe", "inputs", "stages", "other"]),
    st.one_of(VALUES, st.dictionaries(NAMES, VALUES, max_size=3)),
)


@given(TABLES)
def test_any_table_is_a_recipe_or_one_sentence(table: dict[str, object]) -> None:
    reader = library.reading._Reader(Path("recipe.toml"), TableReader("recipe.toml", table), COMMANDS, {})
    problem = "recipe.toml"
    try:
        assert reader.recipe().stages
    except PlainwrightError as error:
        problem = str(error)
    assert "recipe.toml" in problem


@given(st.binary(max_size=200))
@example(b"a=" + b"[" * 5000)
@example(b"\xef\xbb\xbf[stages]")
def test_any_bytes_are_a_recipe_or_one_sentence(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "recipe.toml")
        path.write_bytes(data)
        with pytest.raises(PlainwrightError, match=r"recipe\.toml"):
            library.load(path, COMMANDS)


def test_the_digest_of_a_fresh_file_is_not_trusted(tmp_path: Path) -> None:
    digests = library.digests.Digests(tmp_path / "memory")
    path = tmp_path / "file"
    path.write_text("one", encoding="utf-8")
    digests.of(path)
    digests.save()
    assert json.loads((tmp_path / "memory").read_text(encoding="utf-8")) == {}
    time.sleep(0.1)
    digests.of(path)
    digests.save()
    assert list(json.loads((tmp_path / "memory").read_text(encoding="utf-8"))) == [str(path)]
