"""`plainwright lens`, and `lens` among the metrics of other commands, through the real command and a tiny model."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.lens.tiny import save_tiny_model

from plainwright.lens.metric import LENS

SET = ("--source", "source.txt", "--references", "reference.0.txt", "reference.1.txt")


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    return save_tiny_model(tmp_path_factory.mktemp("command") / "tiny").directory


@pytest.fixture
def lens(plainwright, model):
    """`plainwright lens …` with the tiny model."""
    return lambda *arguments: plainwright("lens", *arguments, "--lens-model", model)


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def values(toy: Path, model: Path, output: str, **options):
    references = list(zip(lines(toy / "reference.0.txt"), lines(toy / "reference.1.txt"), strict=True))
    return LENS(model=model, **options).sentence_scores(lines(toy / "source.txt"), lines(toy / output), references)


def test_scores_are_those_of_evaluate(lens, plainwright, toy, model):
    given = (*SET, "--outputs", "careful.txt", "hasty.txt")
    for more in ((), ("--json",), ("--csv",), ("--per-sentence",), ("--seed", 7, "--test", "bootstrap", "--json")):
        done = lens("score", *given, *more)
        assert (done.returncode, done.stderr) == (0, "")
        same = plainwright("evaluate", *given, "--metrics", "lens", "--lens-model", model, *more)
        assert done.stdout == same.stdout
    document = json.loads(lens("score", *given, "--json").stdout)
    score = document["systems"][0]["scores"]["lens"]
    assert score["value"] == pytest.approx(values(toy, model, "careful.txt").mean())
    assert score["interval"][0] <= score["value"] <= score["interval"][1]


def test_every_segment_raw_and_as_json(lens, toy, model):
    options = ("--outputs", "careful.txt", "--raw", "--per-sentence")
    expected = values(toy, model, "careful.txt", rescale=False)
    printed = lens("score", *SET, *options).stdout.splitlines()
    assert printed[0] == "segment,system,lens"
    assert printed[1:] == [f"{number},careful,{float(value)!r}" for number, value in enumerate(expected, start=1)]
    [system] = json.loads(lens("score", *SET, *options, "--json").stdout)["systems"]
    assert system["per_sentence"]["lens"] == expected.tolist()
    assert "|scale:z|" in system["scores"]["lens"]["signature"]


def test_scores_are_saved_where_told(lens, toy):
    done = lens("score", *SET, "--outputs", "careful.txt", "--csv", "-o", "scores.csv")
    assert (done.returncode, done.stdout) == (0, "")
    assert (toy / "scores.csv").read_text(encoding="utf-8").startswith("system,metric,part,value,low,high")


def test_threads_change_nothing(lens):
    options = ("score", *SET, "--outputs", "careful.txt", "hasty.txt", "--per-sentence", "--json")
    assert lens(*options, "--threads", 3).stdout == lens(*options).stdout


def test_other_outputs_stand_in_for_references(lens, toy, model):
    pseudo = ("--pseudo", "careful.txt", "hasty.txt")
    done = lens("score", "--source", "source.txt", "--outputs", "careful.txt", *pseudo, "--json")
    assert done.returncode == 0, done.stderr
    groups = [[text] for text in lines(toy / "hasty.txt")]
    metric = LENS(model=model, pseudo_references=True)
    expected = metric.corpus_score(lines(toy / "source.txt"), lines(toy / "careful.txt"), groups)
    score = json.loads(done.stdout)["systems"][0]["scores"]["lens"]
    assert (score["value"], score["signature"]) == (expected.value, expected.signature)


def test_an_empty_output_is_scored_lowest_and_told(lens, toy):
    (toy / "empty.txt").write_text("\n" * len(lines(toy / "source.txt")), encoding="utf-8")
    done = lens("score", *SET, "--outputs", "empty.txt", "--csv")
    assert done.returncode == 2
    assert "--allow-empty" in done.stderr
    done = lens("score", *SET, "--outputs", "empty.txt", "--csv", "--allow-empty")
    assert float(done.stdout.splitlines()[1].split(",")[3]) == pytest.approx(0, abs=0.01)
    assert "of output 'empty' is empty; it gets the lowest value" in done.stderr


def test_an_output_that_equals_the_source_is_scored(lens):
    done = lens("score", *SET, "--outputs", "source")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\nsource " in done.stdout


def test_a_text_that_is_cut_is_told(lens, toy):
    count = len(lines(toy / "source.txt"))
    (toy / "long.txt").write_text("\n".join(["a short one"] * (count - 1) + ["cat " * 300]) + "\n", encoding="utf-8")
    done = lens("score", *SET, "--outputs", "long.txt")
    assert done.returncode == 0
    assert f"line {count} of output 'long' is longer than the encoder reads (200 pieces of words)" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("--source", "source.txt"),
            "lens needs references; source.txt has none; outputs of other systems can stand in for them",
        ),
        (("--references", "reference.0.txt"), "lens needs sources; reference.0.txt has none"),
        ((*SET, "--pseudo", "hasty.txt"), "choose one of --references and --pseudo"),
        (("set.tsv", *SET), "give either the set"),
        (("--source", "source.txt", "--pseudo", "careful.txt"), "'careful' has no other output to be compared with"),
        (("--source", "source.txt", "--pseudo", "none.txt"), "none.txt: no such file"),
        ((*SET, "--threads", 0), "--threads"),
    ],
)
def test_wrong_input_is_one_sentence(lens, arguments, said):
    done = lens("score", *arguments, "--outputs", "careful.txt")
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("plainwright: ")


@pytest.mark.parametrize("command", [("lens", "score"), ("evaluate", "--metrics", "lens")])
def test_a_damaged_model_is_one_sentence(plainwright, model, tmp_path, command):
    damaged = shutil.copytree(model, tmp_path / "damaged")
    with (damaged / "head.npz").open("ab") as stream:
        stream.write(b"x")
    done = plainwright(*command, *SET, "--outputs", "careful.txt", "--lens-model", damaged)
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr
        == f"plainwright: {damaged / 'head.npz'}: damaged, or not the file that model.toml was written for; copy or "
        "train the model again\n"
    )


def test_info_says_what_a_model_is(lens, model):
    done = lens("info")
    assert (done.returncode, done.stderr) == (0, "")
    assert "name\ttiny\n" in done.stdout
    assert "  trees\t3\n" in done.stdout
    described = json.loads(lens("info", "--json").stdout)
    assert described["encoder"] == {"name": "tiny", "width": 8, "pieces": 200, "precision": "float32"}
    assert described["mix"] == {"intercept": 0.1, "neural": 0.5, "companion": 0.6}
    assert described["bytes"] == sum(path.stat().st_size for path in model.iterdir())
    assert lens("info", "--card").stdout == (model / "CARD.md").read_text(encoding="utf-8")


def test_a_variable_names_the_model(plainwright, model):
    done = plainwright("lens", "info", "--json", env={"PLAINWRIGHT_LENS_MODEL": str(model)})
    assert json.loads(done.stdout)["directory"] == str(model)


def test_evaluate_and_report_take_lens(plainwright, toy, model):
    options = (*SET, "--outputs", "careful.txt", "hasty.txt", "--metrics", "sari", "lens", "--lens-model", model)
    document = json.loads(plainwright("evaluate", *options, "--json", "--resamples", 20).stdout)
    scores = document["systems"][0]["scores"]["lens"]
    assert scores["value"] == pytest.approx(values(toy, model, "careful.txt").mean())
    assert scores["interval"][0] <= scores["value"] <= scores["interval"][1]
    table = plainwright("evaluate", *options, "--resamples", 20).stdout
    assert "LENS ↑" in table
    page = plainwright("report", *options, "--resamples", 20, "-o", "report.html")
    assert (page.returncode, page.stderr) == (0, "")
    assert "learned from human ratings" in (toy / "report.html").read_text(encoding="utf-8")


def test_options_for_tokens_do_not_touch_lens(plainwright, model):
    options = ("evaluate", *SET, "--outputs", "careful.txt", "--metrics", "lens", "--lens-model", model, "--json")
    first, second = (
        json.loads(plainwright(*options, *more, "--resamples", 0).stdout)["systems"][0]["scores"]["lens"]
        for more in ((), ("--tokenizer", "none", "--lowercase"))
    )
    assert first == second


def test_a_study_takes_lens(plainwright, toy, model):
    rows = ["item,system,rater,aspect,score,source,output"]
    sources, references = lines(toy / "source.txt"), lines(toy / "reference.0.txt")
    for number, source in enumerate(sources):
        for system in ("careful", "hasty"):
            output = lines(toy / f"{system}.txt")[number]
            cells = (number, system, "r1", "quality", 50 + number + 10 * (system == "careful"), source, output)
            rows.append(",".join(f'"{cell}"' for cell in cells))
    (toy / "ratings.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    table = "\n".join(f"{source}\t{reference}" for source, reference in zip(sources, references, strict=True))
    (toy / "set.tsv").write_text(table + "\n", encoding="utf-8")
    done = plainwright(
        "study", "correlate", "ratings.csv", "--references", "set.tsv", "--metrics", "sari,lens", "--lens-model", model,
        "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "lens|model:tiny-1@" in done.stdout
