"""Training with torch: heads, tuned encoders, checkpoints. Run by `make test-all`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.lens.local import save_local_folder
from tests.lens.tiny import save_tiny_encoder
from tests.lens.training.rated import toy_ratings

from plainwright.errors import DataError
from plainwright.lens.head import Head
from plainwright.lens.model import LensModel
from plainwright.lens.training.boosting import Boosting
from plainwright.lens.training.data import training_set
from plainwright.lens.training.heads import HeadSettings, fit_head
from plainwright.lens.training.inputs import encode_examples
from plainwright.lens.training.job import Description, train
from plainwright.lens.training.loop import Schedule
from plainwright.lens.training.settings import TrainingSettings
from plainwright.lens.training.tuning import Tuning

torch = pytest.importorskip("torch", reason="training needs the extra train")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def training():
    return training_set(*toy_ratings(sources=8))


@pytest.fixture(scope="module")
def inputs(training, tmp_path_factory):
    from plainwright.encoders import OnnxEncoder

    encoder = OnnxEncoder.open(save_tiny_encoder(tmp_path_factory.mktemp("encoder") / "tiny"))
    return encode_examples(training.examples, encoder)


def split(training):
    groups = sorted(set(training.groups))
    held = np.isin(training.groups, groups[:2])
    return np.flatnonzero(~held), np.flatnonzero(held)


HEAD = HeadSettings(hidden=(8, 4), rate=3e-3, gain=1.0, gain_alone=1.0)


def test_a_head_learns_and_its_numpy_form_gives_the_same_values(training, inputs):
    from plainwright.lens.training.heads import _Heads

    for given in (inputs, replace(inputs, pair_features=None)):
        rows, validation = split(training)
        trainee = _Heads(given, training.z, HEAD, weights=None, training=rows, seed=1)
        before = trainee.loss(rows)
        network = fit_head(given, training.z, rows, validation, HEAD, Schedule(epochs=20, batch=8), seed=1)
        head = Head(networks=(network,))
        values = given.highest(head.pair_values(given.pairs()))
        assert np.mean((values[rows] - training.z[rows]) ** 2) < before / 2
        # The same from torch.
        trainee.module.load(trainee.module.state())
        with torch.no_grad():
            z = trainee.module.values(
                torch.from_numpy(given.vectors[given.source]),
                torch.from_numpy(given.vectors[given.output]),
                torch.from_numpy(given.vectors[np.maximum(given.references, 0)]),
                None if given.pair_features is None else torch.from_numpy(given.pair_features),
                training=False,
            ).numpy()
        again = given.pairs()
        fresh = Head(networks=(trainee.module.network(),)).pair_values(again)
        assert np.allclose(z[given.present], fresh, atol=2e-4)


def test_the_loss_takes_the_highest_values_of_those_that_are_there():
    from plainwright.lens.training.network import reference_loss

    z = torch.tensor([[1.0, 3.0, 2.0], [5.0, 9.0, 9.0]])
    present = torch.tensor([[True, True, True], [True, False, False]])
    target = torch.tensor([2.0, 4.0])
    # By hand: all: (1 + 1 + 0) / 3 and 1; the two highest: (1 + 0) / 2 and 1, since there is only one reference.
    assert reference_loss(z, target, present, None).tolist() == pytest.approx([2 / 3, 1.0])
    assert reference_loss(z, target, present, 2).tolist() == pytest.approx([0.5, 1.0])
    assert reference_loss(z, target, present, 9).tolist() == pytest.approx([2 / 3, 1.0])


def test_a_head_that_was_stopped_goes_on_as_if_it_had_not_been(training, inputs, tmp_path):
    rows, validation = split(training)

    def fitted(epochs, checkpoint):
        schedule = Schedule(epochs=epochs, batch=8)
        network = fit_head(inputs, training.z, rows, validation, HEAD, schedule, seed=3, checkpoint=checkpoint)
        return np.concatenate([layer.weight.ravel() for layer in network.layers])

    whole = fitted(6, None)
    fitted(2, tmp_path / "head.pt")
    assert np.array_equal(fitted(6, tmp_path / "head.pt"), whole)
    with pytest.raises(DataError, match="seed 3"):
        fit_head(
            inputs, training.z, rows, validation, HEAD, Schedule(epochs=6), seed=4, checkpoint=tmp_path / "head.pt"
        )
    (tmp_path / "head.pt").write_bytes(b"no checkpoint")
    with pytest.raises(DataError, match="expected a checkpoint"):
        fitted(6, tmp_path / "head.pt")


def test_training_stops_when_the_validation_loss_does_not_fall(training, inputs, tmp_path):
    rows, validation = split(training)
    told = []
    schedule = Schedule(epochs=200, patience=2, batch=8)
    fit_head(
        inputs,
        training.z,
        rows,
        validation,
        HEAD,
        schedule,
        seed=1,
        tell=lambda done, total: told.append((done, total)),
    )
    assert told[-1][0] < 200
    assert told[-1][1] == 200


def test_a_rate_at_which_training_diverges_is_said(training, inputs):
    rows, validation = split(training)
    wild = replace(HEAD, rate=1e30)
    with pytest.raises(DataError, match="lower learning rate"):
        fit_head(inputs, training.z, rows, validation, wild, Schedule(epochs=3), seed=1)


def settings_of(encoder, **changes):
    given = {
        "members": ("neural", "linear"),
        "seeds": 2,
        "folds": 2,
        "fewer": (),
        "head": HEAD,
        "schedule": Schedule(epochs=2, batch=8),
        "boosting": Boosting(trees=10),
        **changes,
    }
    return TrainingSettings(encoder=str(encoder), **given)


def test_a_model_with_a_head_scores_as_it_was_trained(training, tmp_path):
    encoder = save_tiny_encoder(tmp_path / "encoder")
    outcome = train(training, settings_of(encoder), tmp_path / "model", Description(name="toy"), resamples=20)
    from plainwright.encoders import OnnxEncoder
    from plainwright.lens.scorer import Scorer

    model = LensModel.open(tmp_path / "model")
    assert len(model.head.networks) == 2
    examples = training.examples[:5]
    given = encode_examples(examples, OnnxEncoder.open(encoder))
    neural = given.highest(model.head.pair_values(given.pairs()))
    expected = outcome.weights.intercept + outcome.weights.members["neural"] * neural
    expected = expected + model.companion.predict(given.features)
    found = Scorer(model).scores(
        [one.source for one in examples], [one.output for one in examples], [one.references for one in examples]
    )
    assert np.allclose(found, np.clip(expected, -5, 5), atol=1e-5)


@pytest.mark.parametrize(("tune", "family"), [("top:1", "bert"), ("all", "roberta")])
def test_layers_of_an_encoder_are_tuned_and_no_others(training, tmp_path, tune, family):
    from plainwright.encoders.local import load_local_model
    from plainwright.lens.training.tuning import tune_encoder

    folder = save_local_folder(tmp_path / "folder", family=family)
    before = {name: tensor.clone() for name, tensor in load_local_model(folder).transformer.named_parameters()}
    rows, validation = split(training)
    tuning = Tuning.parse(tune, rate=1e-3, head_rate=1e-3)
    told = []
    tuned = tune_encoder(
        load_local_model(folder),
        training.examples,
        training.z,
        rows,
        validation,
        tuning,
        HEAD,
        Schedule(epochs=3, batch=8),
        seed=1,
        tell=lambda done, total: told.append(done),
    )
    changed = {
        name
        for name, tensor in tuned.encoder.transformer.named_parameters()
        if not torch.equal(tensor.detach(), before[name])
    }
    assert told == [1, 2, 3]
    if tuned.history.best == 0:  # the encoder is frozen in the first epoch
        assert changed == set()
    elif tune == "top:1":
        assert changed
        assert all(name.startswith("encoder.layer.1.") for name in changed)
    else:
        assert any(name.startswith("embeddings.word") for name in changed)


def test_tuning_that_was_stopped_goes_on_as_if_it_had_not_been(training, tmp_path):
    from plainwright.encoders.local import load_local_model
    from plainwright.lens.training.tuning import tune_encoder

    folder = save_local_folder(tmp_path / "folder")
    rows, validation = split(training)

    def digest(epochs, checkpoint):
        return tune_encoder(
            load_local_model(folder),
            training.examples,
            training.z,
            rows,
            validation,
            Tuning(layers=1, rate=1e-3, head_rate=1e-3),
            HEAD,
            Schedule(epochs=epochs, batch=8),
            seed=1,
            checkpoint=checkpoint,
        ).encoder.digest

    whole = digest(3, None)
    digest(2, tmp_path / "joint.pt")
    assert digest(3, tmp_path / "joint.pt") == whole


def test_the_paper_s_model_is_trained_and_saved_with_its_own_encoder(training, tmp_path):
    folder = save_local_folder(tmp_path / "folder")
    settings = settings_of(
        folder,
        members=("neural",),
        features=False,
        tuning=Tuning(layers=None, rate=1e-4, head_rate=1e-3),
    )
    outcome = train(training, settings, tmp_path / "model", Description(name="toy"), resamples=20)
    assert [one.name for one in outcome.agreements] == ["neural"]
    model = outcome.model
    assert model.encoder.name == "folder-tuned"
    assert len(model.head.networks) == 1  # the one that was trained with the encoder
    assert model.head.features == 0
    assert "all layers tuned" in model.card


def test_batches_by_source_hold_outputs_of_one_source_and_all_of_them(training):
    from plainwright.lens.training.loop import fit

    sources = np.array(training.groups)
    steps = []

    class Counting:
        def begin(self, epoch, seed):
            steps.append([])

        def step(self, rows):
            steps[-1].append(rows.tolist())

        def loss(self, rows):
            return 1.0

        def state(self):
            return {}

        def load(self, state):
            pass

    rows, validation = split(training)
    fit(Counting(), rows, validation, Schedule(epochs=2, batch=3, batches="source"), seed=1, sources=sources)
    for epoch in steps:
        assert sorted(row for batch in epoch for row in batch) == rows.tolist()
        assert all(len(set(sources[batch])) == 1 and len(batch) <= 3 for batch in epoch)
    assert steps[0] != steps[1]


def test_a_waiting_encoder_reads_every_text_once(training, tmp_path, monkeypatch):
    from plainwright.encoders.local import load_local_model
    from plainwright.lens.training.tuning import _Joint, tune_encoder

    read = []
    original = _Joint._encoded
    monkeypatch.setattr(_Joint, "_encoded", lambda self, texts: read.extend(texts) or original(self, texts))
    rows, validation = split(training)
    tune_encoder(
        load_local_model(save_local_folder(tmp_path / "folder")),
        training.examples,
        training.z,
        rows,
        validation,
        Tuning(layers=None, head_rate=1e-3, frozen_epochs=3, standardised=True),
        HEAD,
        Schedule(epochs=3, batch=8),
        seed=1,
    )
    assert len(read) == len(set(read))


def test_an_encoder_is_tuned_in_less_precision_to_much_the_same(training, tmp_path):
    from plainwright.encoders.local import load_local_model
    from plainwright.lens.training.tuning import tune_encoder

    folder = save_local_folder(tmp_path / "folder")
    rows, validation = split(training)
    losses = [
        tune_encoder(
            load_local_model(folder),
            training.examples,
            training.z,
            rows,
            validation,
            Tuning(layers=None, rate=1e-4, head_rate=1e-3, precision=precision, standardised=True),
            HEAD,
            Schedule(epochs=3, batch=5, batches="source"),
            seed=1,
        ).history.losses
        for precision in ("float32", "bfloat16")
    ]
    assert losses[0] != losses[1]
    assert losses[0] == pytest.approx(losses[1], rel=0.05)


def test_what_cannot_be_tuned_is_said(training, tmp_path):
    with pytest.raises(DataError, match="none, all or top:N"):
        Tuning.parse("top:0")
    described = Description(name="toy")
    exported = save_tiny_encoder(tmp_path / "encoder")
    with pytest.raises(DataError, match="cannot be tuned"):
        train(training, settings_of(exported, tuning=Tuning(layers=1)), tmp_path / "model", described)
    folder = save_local_folder(tmp_path / "folder")
    with pytest.raises(DataError, match="has 2 layers"):
        train(training, settings_of(folder, tuning=Tuning(layers=9)), tmp_path / "other", described)
