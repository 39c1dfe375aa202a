"""Whole trainings at a tiny size, without torch: trees and ridge regression on a real ONNX encoder."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest
from tests.lens.tiny import save_tiny_encoder
from tests.lens.training.rated import toy_ratings

from plainwright.errors import DataError, MissingExtraError
from plainwright.lens.model import LensModel
from plainwright.lens.training.boosting import Boosting
from plainwright.lens.training.data import training_set
from plainwright.lens.training.fits import Fit
from plainwright.lens.training.job import Description, train
from plainwright.lens.training.settings import TrainingSettings


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return str(save_tiny_encoder(tmp_path_factory.mktemp("encoder") / "tiny"))


@pytest.fixture(scope="module")
def training():
    return training_set(*toy_ratings(sources=8))


def settings_of(encoder, **changes):
    given = {"members": ("trees", "linear"), "seeds": 2, "folds": 2, "boosting": Boosting(trees=20), **changes}
    return TrainingSettings(encoder=encoder, **given)


def files_of(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir()}


@pytest.fixture(scope="module")
def outcome(encoder, training, tmp_path_factory):
    save = tmp_path_factory.mktemp("trained") / "model"
    return train(training, settings_of(encoder), save, Description(name="toy", ratings="toy ratings"), resamples=50)


def test_the_model_is_saved_and_says_what_it_is(outcome):
    model = LensModel.open(outcome.model.directory)
    assert model.head is None
    assert model.companion is not None
    assert model.companion.linear is not None
    assert "toy ratings" in model.card
    assert "| mix |" in model.card
    assert "of this mix" not in model.card  # there is no network in it
    assert not outcome.model.directory.with_name("model.training").exists()


def test_without_the_packages_it_needs_nothing_is_written(encoder, training, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    monkeypatch.setitem(sys.modules, "torch", None)
    wanted = settings_of(encoder, members=("neural", "trees"))
    with pytest.raises(
        MissingExtraError, match=r"needs scikit-learn and torch; install them with .*'plainwright\[train\]'"
    ):
        train(training, wanted, tmp_path / "model", Description(name="toy"))
    assert not list(tmp_path.iterdir())


def test_members_and_mix_are_judged_out_of_fold_with_intervals(outcome):
    assert [one.name for one in outcome.agreements] == ["trees", "linear", "mix", "mix, 1 reference"]
    assert outcome.agreements[2].pearson.value > 0.5  # the toy raters follow a rule
    assert outcome.agreements[2].pearson.interval is not None
    assert json.loads(json.dumps(outcome.to_dict()))["weights"].keys() == {"intercept", "trees", "linear"}


def test_the_model_scores_what_its_members_say(outcome, encoder, training):
    """Training and scoring go different ways to the same features."""
    from plainwright.encoders import OnnxEncoder
    from plainwright.lens.scorer import Scorer
    from plainwright.lens.training.inputs import encode_examples

    examples = training.examples[:6]
    features = encode_examples(examples, OnnxEncoder.open(encoder), pairs=False).features
    model = outcome.model
    expected = outcome.weights.intercept + model.companion.predict(features)
    found = Scorer(model).scores(
        [one.source for one in examples], [one.output for one in examples], [one.references for one in examples]
    )
    assert np.allclose(found, np.clip(expected, -5, 5), atol=1e-9)
    assert np.abs(found - training.z[:6]).max() < 2  # it was trained on these


def test_the_same_settings_give_the_same_files_in_any_number_of_processes(outcome, encoder, training, tmp_path):
    again = train(
        training,
        settings_of(encoder),
        tmp_path / "model",
        Description(name="toy", ratings="toy ratings"),
        resamples=50,
        threads=2,
    )
    assert files_of(again.model.directory) == files_of(outcome.model.directory)


def test_a_training_that_was_stopped_goes_on(outcome, encoder, training, tmp_path, monkeypatch):
    runs = []
    original = Fit.run

    def stopping(self, inputs):
        if len(runs) == 3:
            raise KeyboardInterrupt
        runs.append(self.name)
        return original(self, inputs)

    monkeypatch.setattr(Fit, "run", stopping)
    described = Description(name="toy", ratings="toy ratings")
    with pytest.raises(KeyboardInterrupt):
        train(training, settings_of(encoder), tmp_path / "model", described, resamples=50)
    assert not (tmp_path / "model").exists()
    before = list(runs)
    monkeypatch.setattr(Fit, "run", lambda self, inputs: runs.append(self.name) or original(self, inputs))
    found = train(training, settings_of(encoder), tmp_path / "model", described, resamples=50, resume=True)
    assert len(set(runs)) == len(runs)  # nothing twice
    assert set(before) < set(runs)
    assert files_of(found.model.directory) == files_of(outcome.model.directory)


def test_a_training_goes_on_only_with_the_same_settings(encoder, training, tmp_path, monkeypatch):
    described = Description(name="toy")
    with pytest.raises(DataError, match="found none; train without --resume"):
        train(training, settings_of(encoder), tmp_path / "model", described, resume=True)

    def stop(self, inputs):
        raise KeyboardInterrupt

    monkeypatch.setattr(Fit, "run", stop)
    with pytest.raises(KeyboardInterrupt):
        train(training, settings_of(encoder), tmp_path / "model", described)
    with pytest.raises(DataError, match="seeds was 2, is 3"):
        train(training, settings_of(encoder, seeds=3), tmp_path / "model", described, resume=True)
    (tmp_path / "model.training" / "job.json").write_text("[")
    with pytest.raises(DataError, match="expected the description of a training"):
        train(training, settings_of(encoder), tmp_path / "model", described, resume=True)


def test_a_directory_of_something_else_is_not_touched(encoder, training, tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "thesis.txt").write_text("mine")
    with pytest.raises(DataError, match="found something else"):
        train(training, settings_of(encoder), tmp_path / "model", Description(name="toy"), work=tmp_path / "work")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    with pytest.raises(DataError, match="choose another name"):
        train(training, settings_of(encoder), tmp_path / "full", Description(name="toy"))


def test_spoilt_texts_and_folds_by_system_train_too(encoder, training, tmp_path):
    settings = settings_of(encoder, members=("linear",), corruptions="both", folds_by="source-system")
    found = train(training, settings, tmp_path / "model", Description(name="toy"), resamples=20)
    assert [one.name for one in found.agreements] == ["linear", "linear, 1 reference"]
    assert "spoilt on purpose" in found.model.card


def test_too_few_sources_for_the_folds_are_said(encoder, training, tmp_path):
    with pytest.raises(DataError, match="10 different source sentences, found 8"):
        train(training, settings_of(encoder, folds=5), tmp_path / "model", Description(name="toy"))
    assert list(tmp_path.iterdir()) == []


def test_one_fold_alone_is_left_out_of_everything_and_judged(encoder, training, tmp_path):
    from plainwright.lens.seen import SOURCE_MARKS, count_seen
    from plainwright.lens.training.folds import folds_of

    settings = settings_of(encoder, members=("trees",), fewer=(), fold=1)
    outcome = train(training, settings, tmp_path / "model", Description(name="toy"), resamples=20)
    systems = [example.system for example in training.examples]
    fold = folds_of(training.groups, systems, folds=2, seed=settings.seed)[1]
    [agreement] = outcome.agreements
    assert agreement.pearson.n == len(fold.judging)
    marks = str(outcome.model.provenance[SOURCE_MARKS])
    left_out = {training.examples[row].source for row in fold.judging}
    learnt = {training.examples[row].source for row in fold.training}
    assert (count_seen(marks, left_out), count_seen(marks, learnt)) == (0, len(learnt))
    assert "fold 1 of 2" in outcome.model.card
    assert outcome.weights.members == {"trees": 1.0}  # nothing of the fold decides how it counts


def test_a_fold_that_cannot_be_trained_alone_is_refused(encoder):
    with pytest.raises(DataError, match="expected a fold from 0 to 1, got 2"):
        settings_of(encoder, members=("trees",), fold=2)
    with pytest.raises(DataError, match="cannot tell how much several count"):
        settings_of(encoder, fold=0)
