"""Encoders that torch runs, and their export: tiny models with random weights, made here."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.lens.tiny import VOCABULARY, tokenizer

from plainwright.errors import DataError

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.slow

TEXTS = ["the cat sat on the mat .", "", "he bought a car", "A cat (or two) was in the house, 3.5 of them!", "x"]
# Positions of BERT begin at 0, those of the others behind the padding piece, whose number is 1.
FAMILIES = {"bert": (0, 64), "roberta": (1, 66), "mpnet": (1, 66)}


def save_folder(family, directory):
    """A Hugging Face folder as the hub has them."""
    import transformers

    padding, positions = FAMILIES[family]
    names = {"bert": "Bert", "roberta": "Roberta", "mpnet": "MPNet"}
    torch.manual_seed(1)
    config = getattr(transformers, f"{names[family]}Config")(
        vocab_size=len(VOCABULARY),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=48,
        max_position_embeddings=positions,
        pad_token_id=padding,
    )
    model = getattr(transformers, f"{names[family]}Model")(config)
    for weight in model.parameters():  # as they come all outputs are nearly equal
        weight.data += 0.3 * torch.randn_like(weight)
    model.save_pretrained(directory)
    tokenizer().save(str(directory / "tokenizer.json"))
    return directory


@pytest.fixture(scope="module", params=FAMILIES)
def folder(request, tmp_path_factory):
    torch.set_num_threads(1)
    return save_folder(request.param, tmp_path_factory.mktemp(request.param) / request.param)


def cosines(left, right):
    return [
        float(one.vector @ other.vector / np.linalg.norm(one.vector) / np.linalg.norm(other.vector))
        for one, other in zip(left, right, strict=True)
    ]


def test_a_folder_is_read_and_long_text_fits_its_positions(folder):
    from plainwright.encoders import open_encoder

    encoder = open_encoder(folder)
    assert (encoder.name, encoder.width, encoder.layer, encoder.max_pieces) == (folder.name, 32, 2, 64)
    *_, cut = found = encoder.encode([*TEXTS, "a " * 100], threads=2)
    assert cut.truncated
    assert cut.tokens.shape == (64, 32)
    for text, one in zip(TEXTS, found, strict=False):
        [alone] = encoder.encode([text])
        assert np.array_equal(alone.tokens, one.tokens)
        assert one.vector == pytest.approx(one.tokens.mean(axis=0), abs=1e-5)


@pytest.mark.filterwarnings("error")
def test_the_export_gives_the_same_vectors(folder, tmp_path, capfd):
    from plainwright.encoders import OnnxEncoder, open_encoder
    from plainwright.encoders.export import export_encoder
    from plainwright.encoders.local import TorchEncoder, load_local_model

    model = load_local_model(folder)
    for layer in (-1, 1):
        export_encoder(model, tmp_path / f"plain{layer}", layer=layer, quantise=False)
        exported, original = OnnxEncoder.open(tmp_path / f"plain{layer}"), TorchEncoder(model, layer=layer)
        assert (exported.name, exported.width, exported.max_pieces) == (folder.name, 32, 64)
        assert exported.layer == original.layer == layer % 3
        texts = [*TEXTS, "a " * 100]
        for ours, theirs in zip(exported.encode(texts), original.encode(texts), strict=True):
            assert ours.ids.tolist() == theirs.ids.tolist()
            assert ours.truncated == theirs.truncated
            assert ours.tokens == pytest.approx(theirs.tokens, abs=1e-4)
            assert ours.vector == pytest.approx(theirs.vector, abs=1e-4)

    export_encoder(model, tmp_path / "small")
    small = open_encoder(tmp_path / "small")
    assert small.card.precision == "int8"
    assert min(cosines(small.encode(TEXTS), TorchEncoder(model).encode(TEXTS))) > 0.99
    sizes = [(tmp_path / name / "encoder.onnx").stat().st_size for name in ("small", "plain-1")]
    assert sizes[0] < sizes[1]
    for name in ("small", "plain-1"):  # no places of this machine
        assert b"site-packages" not in (tmp_path / name / "encoder.onnx").read_bytes()
    assert capfd.readouterr() == ("", "")  # neither exporters nor progress bars are heard

    with pytest.raises(DataError, match="expected a new or empty directory to write to, found something in it"):
        export_encoder(model, tmp_path / "small")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plain-1", "plain1", "small"]


def test_two_exports_are_equal_to_the_last_bit(tmp_path):
    from plainwright.encoders import open_encoder
    from plainwright.encoders.export import export_encoder
    from plainwright.encoders.local import load_local_model

    folder = save_folder("bert", tmp_path / "bert")
    for name in ("one", "other"):
        export_encoder(load_local_model(folder), tmp_path / name)
    assert open_encoder(tmp_path / "one").digest == open_encoder(tmp_path / "other").digest


def test_minilm_keeps_its_vectors_in_8_bits(tmp_path):
    from plainwright.encoders import encoder_folder, open_encoder
    from plainwright.encoders.export import export_encoder
    from plainwright.encoders.local import TorchEncoder, load_local_model

    name, folder = encoder_folder("minilm")
    model = load_local_model(folder, name=name)
    export_encoder(model, tmp_path / "minilm")
    texts = [
        "The museum, which opened in 1921, shows more than four hundred paintings from northern Europe.",
        "Scientists found that bees can count up to four and remember the colour of a flower for days.",
        "After the storm, thousands of homes were left without power until engineers repaired the lines.",
    ]
    small = open_encoder(tmp_path / "minilm").encode(texts)
    assert np.mean(cosines(small, TorchEncoder(model).encode(texts))) > 0.993  # 0.9964 on 200 sentences
    assert sum(path.stat().st_size for path in (tmp_path / "minilm").iterdir()) < 24_000_000


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("config.json", "{", "expected JSON, found something else"),
        ("config.json", "[]", "expected a JSON object, found list"),
        ("config.json", '{"model_type": "unheard-of"}', "the weights cannot be loaded"),
        ("model.safetensors", "damaged", "the weights cannot be loaded"),
        ("tokenizer.json", "damaged", "expected a tokenizer.json, found something else"),
    ],
)
def test_damaged_folders_are_named_in_one_line(tmp_path, file, content, said):
    from plainwright.encoders import open_encoder

    folder = save_folder("bert", tmp_path / "bert")
    (folder / file).write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=said) as caught:
        open_encoder(folder)
    assert "\n" not in str(caught.value)


def test_the_limit_that_a_tokenizer_states_counts(tmp_path):
    from plainwright.encoders import open_encoder

    folder = save_folder("bert", tmp_path / "bert")
    for stated, expected in ((20, 20), (10**30, 64)):
        (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": stated}), encoding="utf-8")
        assert open_encoder(folder).max_pieces == expected
