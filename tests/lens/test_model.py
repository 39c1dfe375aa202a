from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lens.tiny import WIDTH, save_tiny_encoder, save_tiny_model, tiny_companion, tiny_head

from plainwright.errors import DataError, ModelMissingError
from plainwright.lens.model import LIMIT, MODEL_VARIABLE, Features, LensModel, Mix, find_model, rescale

FILES = ("encoder.onnx", "tokenizer.json", "encoder.toml", "head.npz", "companion.npz", "CARD.md", "model.toml")


@pytest.fixture(scope="module")
def saved(tmp_path_factory) -> Path:
    return save_tiny_model(tmp_path_factory.mktemp("models") / "tiny", pair_features=True).directory


@pytest.fixture
def copied(saved, tmp_path) -> Path:
    return Path(shutil.copytree(saved, tmp_path / "model"))


def edit(directory: Path, old: str, new: str) -> None:
    path = directory / "model.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_model_says_what_it_is(saved):
    model = LensModel.open(saved)
    assert (model.name, model.version, model.licence) == ("tiny", "1", "Apache-2.0")
    assert model.label == f"tiny-1@{model.digest[:8]}"
    assert model.head is not None
    assert (model.head.width, model.head.features) == (WIDTH, 2)
    assert model.companion is not None
    assert model.companion.trees == 3
    assert model.mix == Mix(intercept=0.1, neural=0.5, companion=0.6)
    assert model.card.startswith("# tiny")
    assert sorted(path.name for path in saved.iterdir()) == sorted(FILES)
    assert model.bytes == sum(path.stat().st_size for path in saved.iterdir())


def test_the_same_members_make_the_same_model(saved, tmp_path):
    again = save_tiny_model(tmp_path / "again", pair_features=True)
    for name in FILES:
        assert (again.directory / name).read_bytes() == (saved / name).read_bytes()


def test_the_digest_covers_what_decides_values_and_nothing_else(saved, tmp_path):
    first = LensModel.open(saved)
    encoder = save_tiny_encoder(tmp_path / "encoder")
    same = {"encoder": encoder, "head": first.head, "companion": first.companion, "version": "1", "licence": "-"}
    renamed = LensModel.save(
        tmp_path / "a", **same, mix=first.mix, features=first.features, name="other", card="another card"
    )
    remixed = LensModel.save(
        tmp_path / "b", **same, mix=Mix(neural=0.7), features=first.features, name="other", card="another card"
    )
    assert renamed.digest == first.digest
    assert remixed.digest != first.digest


@pytest.mark.parametrize("name", FILES[:-1])
@pytest.mark.parametrize("damage", ["flipped", "truncated", "empty", "missing", "foreign"])
def test_a_damaged_file_is_an_error_in_one_sentence(copied, name, damage):
    path = copied / name
    content = bytearray(path.read_bytes())
    if damage == "flipped":
        content[len(content) // 2] ^= 4
    path.write_bytes({"flipped": content, "truncated": content[:-1], "foreign": b"hello"}.get(damage, b""))
    if damage == "missing":
        path.unlink()
    with pytest.raises(DataError) as refused:
        LensModel.open(copied)
    assert str(path) in str(refused.value)
    assert ("no such file" if damage == "missing" else "damaged") in str(refused.value)
    assert "copy or train the model again" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"format" = 1', '"format" = 2', "format 2, which a newer plainwright wrote"),
        ('"format" = 1', '"format" = 0', "a whole number from 1"),
        ('"format" = 1', '"format" = true', "a whole number from 1"),
        ('"kind" = "lens"', '"kind" = "simplifier"', "expected a LENS model"),
        ('"kind" = "lens"', "", "expected a LENS model"),
        ('"name" = "tiny"', '"name" = 3', "expected text"),
        ('"head.npz"', '"../head.npz"', "expected only encoder.onnx"),
        ('"head.npz"', '"/etc/passwd"', "expected only encoder.onnx"),
        ('"encoder.onnx"', '"CARD.txt"', "expected only encoder.onnx"),
        ('"encoder.onnx" = "', '"encoder.onnx" = "x', "SHA-256 digest"),
        ('"intercept" = 0.1', '"intercept" = inf', "a finite number"),
        ('"intercept" = 0.1', '"intercept" = 1' + "0" * 400, "a whole number that does not fit into 64 bits"),
        ('"intercept" = 0.1', "", r"mix: expected intercept, neural, companion"),
        ('"neural" = 0.5', '"strange" = 0.5', r"mix: expected intercept, neural, companion"),
        ('"pair" = ["edit.length_ratio", ', '"pair" = [', "expected 2 names, as head.npz takes, found 1"),
        ('"pair" = [', '"pair" = [7, ', "features.pair: expected text, found 7"),
        ("[mix]", "[mix", "expected TOML"),
        ("[settings]", "[settings]\nx = [[1]]", "a string, a number or a truth value"),
        ("[mix]", "[model.mix]", "mix: expected intercept, neural, companion"),
    ],
)
def test_a_table_that_says_something_else_is_refused(copied, old, new, said):
    edit(copied, old, new)
    with pytest.raises(DataError, match=said) as refused:
        LensModel.open(copied)
    assert "model.toml" in str(refused.value)
    assert "\n" not in str(refused.value)


def without(directory: Path, *names: str) -> None:
    path = directory / "model.toml"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith(tuple(f'"{n}"' for n in names))), "utf-8")


def test_members_and_encoder_must_be_there(copied):
    without(copied, "head.npz", "companion.npz")
    with pytest.raises(DataError, match=r"at least one of head.npz and companion.npz, found neither"):
        LensModel.open(copied)
    without(copied, "encoder.onnx")
    with pytest.raises(DataError, match=r"expected encoder.onnx"):
        LensModel.open(copied)


@settings(max_examples=60)
@given(data=st.data())
def test_any_table_opens_or_is_refused(saved, tmp_path_factory, data):
    """Bytes of the table changed at random: it opens, or our error says why not."""
    directory = tmp_path_factory.mktemp("fuzzed") / "model"
    shutil.copytree(saved, directory)
    content = bytearray((saved / "model.toml").read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content)))
        content[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    (directory / "model.toml").write_bytes(content)
    try:
        said = LensModel.open(directory).name
    except DataError as error:
        said = str(error)
    assert said


def test_another_kind_of_directory_is_refused(tmp_path):
    with pytest.raises(DataError, match="found nothing"):
        LensModel.open(tmp_path / "none")
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(DataError, match="found a file"):
        LensModel.open(tmp_path / "file")
    with pytest.raises(DataError, match=r"model.toml: no such file"):
        LensModel.open(tmp_path)


def save_with(directory: Path, tmp_path: Path, **changes):
    described = {
        "encoder": save_tiny_encoder(tmp_path / "encoder"),
        "head": tiny_head(),
        "companion": None,
        "mix": Mix(),
        "features": Features(),
        "name": "x",
        "version": "1",
        "licence": "-",
        "card": "",
    }
    return LensModel.save(directory, **{**described, **changes})


def test_saving_replaces_a_model_and_nothing_else(tmp_path):
    first = save_with(tmp_path / "model", tmp_path)
    second = save_with(tmp_path / "model", tmp_path, name="second")
    assert (LensModel.open(first.directory).name, second.name) == ("second", "second")
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "dear.txt").write_text("x", encoding="utf-8")
    for place in (tmp_path / "letters", tmp_path / "letters" / "dear.txt"):
        with pytest.raises(DataError, match="found something else"):
            save_with(place, tmp_path)
    with pytest.raises(DataError, match="does not exist"):
        save_with(tmp_path / "no" / "model", tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["encoder", "letters", "model"]


def test_what_cannot_be_opened_is_not_saved(tmp_path):
    good = save_with(tmp_path / "model", tmp_path)
    for wrong in (
        {"features": Features(pair=("edit.copied",))},
        {"companion": tiny_companion()},
        {"head": None},
        {"encoder": tmp_path / "nowhere"},
    ):
        with pytest.raises(DataError):
            save_with(tmp_path / "model", tmp_path, **wrong)
        assert LensModel.open(tmp_path / "model").digest == good.digest
    assert sorted(path.name for path in tmp_path.iterdir()) == ["encoder", "model"]


def test_which_model_is_meant(saved, tmp_path, monkeypatch):
    monkeypatch.setattr("plainwright.models.folder", lambda: tmp_path / "shipped")
    monkeypatch.delenv(MODEL_VARIABLE, raising=False)
    with pytest.raises(
        ModelMissingError, match=r"LENS model .* 'plainwright\[en\]'`, or name another one \(--lens-model DIR"
    ):
        find_model()
    (tmp_path / "shipped" / "lens").mkdir(parents=True)
    assert find_model() == tmp_path / "shipped" / "lens"
    monkeypatch.setenv(MODEL_VARIABLE, str(saved))
    assert find_model() == saved
    assert find_model("mine") == Path("mine")
    monkeypatch.setenv(MODEL_VARIABLE, str(tmp_path / "none"))
    with pytest.raises(DataError, match=MODEL_VARIABLE):
        find_model()


def test_the_scale_is_that_of_the_normal_curve():
    # by table of the normal distribution
    assert rescale(np.array([0.0, 1.0, -1.0, 1.96])) == pytest.approx([50, 84.1345, 15.8655, 97.5002], abs=1e-4)
    assert rescale(np.array([[0.0], [0.0]])).shape == (2, 1)


def test_the_mix_is_a_weighted_sum_within_limits():
    mix = Mix(intercept=1.0, neural=0.5, companion=2.0)
    assert mix.z(np.array([2.0, 1e9]), np.array([0.25, 0.0])).tolist() == [2.5, LIMIT]
    assert mix.z(None, np.array([-7.0])).tolist() == [-LIMIT]
    assert mix.z(np.array([4.0]), None).tolist() == [3.0]
