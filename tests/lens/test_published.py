"""A checkpoint with the structure of the authors' own, at a tiny size."""

from __future__ import annotations

import numpy as np
import pytest
from tests.lens.local import save_local_folder

from plainwright.errors import DataError
from plainwright.lens.published import PublishedLens, read_hparams

HPARAMS = """\
activations: Tanh
batch_size: 8
class_identifier: regression_metric_multi_ref
dropout: 0.15
encoder_learning_rate: 3.0e-05
encoder_model: RoBERTa
final_activation: null
hidden_sizes:
- 12
- 6
keep_embeddings_frozen: true
layer: mix
pool: avg
pretrained_model: roberta-large
topk: 3
"""


def test_settings_are_read_without_a_yaml_library(tmp_path):
    path = tmp_path / "hparams.yaml"
    path.write_text(HPARAMS + "layers: [1, 2]\n# a remark\nname: 'quoted'\n")
    found = read_hparams(path)
    assert found["hidden_sizes"] == [12, 6]
    assert found["encoder_learning_rate"] == 3e-5
    assert found["final_activation"] is None
    assert found["keep_embeddings_frozen"] is True
    assert found["layers"] == [1, 2]
    assert found["name"] == "quoted"
    path.write_text("what is this\n")
    with pytest.raises(DataError, match=r"hparams\.yaml:1: expected `name: value`"):
        read_hparams(path)


def save_checkpoint(folder, *, hparams=HPARAMS, parts=7, change=None):
    """The two files as PyTorch-Lightning writes them; returns the checkpoint and the folder of the encoder."""
    import torch
    from transformers import AutoModel

    encoder = save_local_folder(folder / "roberta", family="roberta", seed=1)
    trained = AutoModel.from_pretrained(
        save_local_folder(folder / "trained", family="roberta", seed=2), add_pooling_layer=False
    )
    torch.manual_seed(3)
    state = {f"encoder.model.{name}": tensor for name, tensor in trained.state_dict().items()}
    for number, (into, width) in zip((0, 3, 6), ((12, parts * 16), (6, 12), (1, 6)), strict=True):
        state[f"estimator.ff.{number}.weight"] = torch.randn(into, width) / 4
        state[f"estimator.ff.{number}.bias"] = torch.randn(into)
    for number in range(3):
        state[f"layerwise_attention.scalar_parameters.{number}"] = torch.tensor([0.3 * number])
    state["layerwise_attention.gamma"] = torch.tensor([1.1])
    if change is not None:
        change(state)
    (folder / "checkpoints").mkdir()
    (folder / "hparams.yaml").write_text(hparams)
    path = folder / "checkpoints" / "epoch=5-step=6102.ckpt"
    torch.save({"epoch": 5, "global_step": 6102, "pytorch-lightning_version": "1.8", "state_dict": state}, path)
    return path, encoder


@pytest.mark.slow
@pytest.mark.parametrize(("parts", "layer", "pool"), [(7, "mix", "avg"), (6, "2", "cls"), (7, "1", "max")])
def test_it_scores_as_comet_s_modules_would(tmp_path, parts, layer, pool):
    """Against the equations written out in numpy, layer normalisation and order of H included."""
    import torch
    from transformers import AutoModel

    hparams = HPARAMS.replace("layer: mix", f"layer: {layer}").replace("pool: avg", f"pool: {pool}")
    path, encoder = save_checkpoint(tmp_path, hparams=hparams, parts=parts)
    lens = PublishedLens.open(path, encoder=encoder)
    state = torch.load(path, weights_only=True)["state_dict"]
    arrays = {name: tensor.double().numpy() for name, tensor in state.items()}
    trained = AutoModel.from_pretrained(tmp_path / "trained", add_pooling_layer=False).eval()

    from plainwright.encoders.local import load_local_model

    tokenizer = load_local_model(encoder).tokenizer

    def vector(text):
        ids = torch.from_numpy(tokenizer(text.lower()).ids[None])
        with torch.inference_mode():
            states = trained(input_ids=ids, output_hidden_states=True).hidden_states
        layers = [one[0].double().numpy() for one in states]
        if layer == "mix":
            raw = np.exp([0.0, 0.3, 0.6])
            pieces = 1.1 * sum(
                w * (x - x.mean()) / np.sqrt(x.var() + 1e-12) for w, x in zip(raw / raw.sum(), layers, strict=True)
            )
        else:
            pieces = layers[int(layer)]
        return {"avg": pieces.mean(0), "cls": pieces[0], "max": pieces.max(0)}[pool]

    def value(source, output, reference):
        c, s, r = map(vector, (source, output, reference))
        h = np.concatenate([*([c] if parts == 7 else []), s, r, s * r, abs(s - r), s * c, abs(s - c)])
        h = np.tanh(arrays["estimator.ff.0.weight"] @ h + arrays["estimator.ff.0.bias"])
        h = np.tanh(arrays["estimator.ff.3.weight"] @ h + arrays["estimator.ff.3.bias"])
        return (arrays["estimator.ff.6.weight"] @ h + arrays["estimator.ff.6.bias"])[0]

    references = ["The cat sat.", "A cat was in the car.", "Mat."]
    expected = [value("The CAT sat on the mat.", "A cat sat.", reference) for reference in references]
    assert lens.values("The CAT sat on the mat.", "A cat sat.", references) == pytest.approx(expected, abs=1e-4)
    [found] = lens.scores(["The CAT sat on the mat."], ["A cat sat."], [references])
    assert found == pytest.approx(max(expected), abs=1e-4)
    with pytest.raises(DataError, match="at least one reference"):
        lens.values("a", "b", [])


@pytest.mark.slow
def test_what_is_no_such_checkpoint_is_said(tmp_path):
    import torch

    path, encoder = save_checkpoint(tmp_path / "a", parts=5)
    with pytest.raises(DataError, match="6 or 7 vectors of 16 numbers, found 80"):
        PublishedLens.open(path, encoder=encoder)
    path, encoder = save_checkpoint(tmp_path / "b", change=lambda state: state.pop("layerwise_attention.gamma"))
    with pytest.raises(DataError, match="weights of 3 layers"):
        PublishedLens.open(path, encoder=encoder)
    path, _ = save_checkpoint(tmp_path / "c")
    other = save_local_folder(tmp_path / "other", family="roberta", layers=3)
    with pytest.raises(DataError, match="does not fit the folder other"):
        PublishedLens.open(path, encoder=other)
    path, encoder = save_checkpoint(tmp_path / "d", hparams=HPARAMS.replace("pool: avg", "pool: best"))
    with pytest.raises(DataError, match="found 'best'"):
        PublishedLens.open(path, encoder=encoder)
    torch.save({"weights": 1}, path)
    (tmp_path / "d" / "hparams.yaml").write_text(HPARAMS)
    with pytest.raises(DataError, match="expected `state_dict`"):
        PublishedLens.open(path, encoder=encoder)
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(DataError, match="PyTorch-Lightning checkpoint"):
        PublishedLens.open(path, encoder=encoder)
    with pytest.raises(DataError, match="no such file"):
        PublishedLens.open(path.with_name("other.ckpt"), encoder=encoder)
    (tmp_path / "d" / "hparams.yaml").unlink()
    with pytest.raises(DataError, match=r"expected hparams\.yaml"):
        PublishedLens.open(path, encoder=encoder)
