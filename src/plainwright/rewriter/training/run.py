"""Everything behind `plainwright learn rewriter`: the stages of a recipe in order, and how far they are."""

from __future__ import annotations

import functools
import os
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from plainwright.errors import DataError
from plainwright.extras import check_extra
from plainwright.files import atomic_write_bytes, file_digest
from plainwright.rewriter.training.base import Base, check_base, open_base
from plainwright.rewriter.training.corpus import corpus_files, read_corpus
from plainwright.rewriter.training.recipe import OWN_SCORE, RewriterRecipe, Risk, SelfTraining
from plainwright.stages import (
    Receipt,
    Status,
    digest_of,
    is_done,
    last_figures,
    locked,
    read_receipt,
    write_receipt,
)

if TYPE_CHECKING:
    from plainwright.rewriter.training.layout import Matrices
    from plainwright.rewriter.training.loop import TrainingJob

__all__ = ["STAGES", "Outcome", "learn_rewriter", "stages_of", "training_status"]

STAGES = ("vocabulary", "data", "train", "average", "export")  # of every recipe
REWRITER = "rewriter"  # the directory that comes out
_FORMAT = 1  # raised when a stage would make something else of the same inputs
_EXPORT_FORMAT = 2  # raised when only the exported directory would be another
_PAIRS, _AVERAGED = "pairs.npz", "averaged.npy"
_MODULES = ("gguf", "onnx", "onnxruntime", "tokenizers", "torch")

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a recipe."""

    rewriter: Path
    made: tuple[str, ...]  # stages that were done; the others were done before
    facts: dict[str, Any]


def stages_of(recipe: RewriterRecipe) -> tuple[str, ...]:
    """Return the stages of a recipe in order."""
    return (*STAGES[:-1], *recipe.further(), STAGES[-1])


def learn_rewriter(recipe: RewriterRecipe, work: str | Path, *, progress: Progress | None = None) -> Outcome:
    """Do all stages that are not done yet; the same call goes on with what was stopped."""
    check_extra("training a rewriter", "train", *_MODULES)
    _check_compiler(recipe)
    check_base(recipe.base)
    work = Path(work)
    with locked(work):
        return _Run(recipe, work, progress or (lambda what, done, total: None)).all()


def training_status(recipe: RewriterRecipe, work: str | Path) -> Status:
    """Return which stages are done, and the last step, loss and speed that the training wrote down."""
    work = Path(work)
    keys = _keys(recipe)
    done = {stage: is_done(work, read_receipt(work, stage), keys[stage]) for stage in stages_of(recipe)}
    folders = [work, *(work / stage for stage in recipe.further())]
    return Status(done=done, figures={k: v for folder in folders for k, v in last_figures(folder).items()})


def _check_compiler(recipe: RewriterRecipe) -> None:
    names = [os.environ.get("CXX", ""), "g++", "clang++", "c++"]
    if recipe.training.compile and not any(shutil.which(name) for name in names if name):
        msg = "train.compile: expected a C++ compiler (g++), found none; install one, or give --set train.compile=false"
        raise DataError(msg)


def _keys(recipe: RewriterRecipe) -> dict[str, str]:
    """Return the digest of all that decides the result of each stage."""
    corpus, training = recipe.corpus, recipe.training
    texts = [corpus.texts] if corpus.texts is not None else []
    rows = {
        "files": [(path.name, file_digest(path)) for path in corpus_files(corpus)],
        "texts": [file_digest(path) for path in texts],
        **corpus.selection(),
    }
    counted = [file_digest(path) for path in recipe.vocabulary.texts]
    keys = {"vocabulary": digest_of(_FORMAT, recipe.base.sha256, rows, recipe.vocabulary.size, counted)}
    keys["data"] = digest_of(keys["vocabulary"], "data")
    keys["stable"] = digest_of(keys["data"], training.stable_part())
    keys["train"] = digest_of(keys["stable"], training.schedule(), asdict(recipe.bits))
    keys["average"] = digest_of(keys["train"], "average")
    last = "average"
    for stage, section in recipe.further().items():
        keys[stage] = digest_of(keys[last], stage, _decides(section))
        last = stage
    about = [recipe.name, recipe.version, recipe.licence, recipe.description]
    keys["export"] = digest_of(keys[last], about, _EXPORT_FORMAT)
    return keys


def _decides(section: SelfTraining | Risk) -> dict[str, Any]:
    """Return what decides the result of an optional stage: its settings, its texts and its reward."""
    from plainwright.rewriter.training.rewards import make_reward

    if isinstance(section, SelfTraining):
        from plainwright.rewriter.training.self_training import make_judge

        make_judge(section.judge)  # if it is missing, that is said before the work
    elif section.reward == OWN_SCORE:
        msg = f"risk.reward: expected a metric, such as lens or sari, found {OWN_SCORE!r}, which only self.reward takes"
        raise DataError(msg)
    reward = OWN_SCORE if section.reward == OWN_SCORE else make_reward(section.reward).signature
    return asdict(section) | {"texts": [file_digest(path) for path in section.texts], "reward": reward}


class _Run:
    """One run through the stages."""

    def __init__(self, recipe: RewriterRecipe, work: Path, progress: Progress) -> None:
        self.recipe, self.work, self.progress = recipe, work, progress
        self.keys = _keys(recipe)
        self.receipts: dict[str, Receipt] = {}

    def all(self) -> Outcome:
        """Do every stage that is not done."""
        made = []
        for stage in stages_of(self.recipe):
            receipt = read_receipt(self.work, stage)
            if receipt is None or not is_done(self.work, receipt, self.keys[stage]):
                self.progress(stage, 0, 0)
                files, facts = getattr(self, f"_{stage}")()
                receipt = write_receipt(self.work, stage, self.keys[stage], files, **facts)
                made.append(stage)
            self.receipts[stage] = receipt
        facts = {name: value for receipt in self.receipts.values() for name, value in receipt.facts.items()}
        return Outcome(rewriter=self.work / REWRITER, made=tuple(made), facts=facts)

    @functools.cached_property
    def base(self) -> Base:
        """The model to begin with."""
        return open_base(self.recipe.base, self.work)

    def _vocabulary(self) -> tuple[list[str], dict[str, Any]]:
        from plainwright.rewriter.training.vocabulary import count_pieces, lines_of, small_vocabulary

        recipe = self.recipe
        texts = [text for row in read_corpus(recipe.corpus).rows for text in (row.source, f" {row.target}")]
        counts = count_pieces(self.base, texts + lines_of(recipe.vocabulary.texts))
        vocabulary = small_vocabulary(self.base, counts, recipe.vocabulary.size)
        return list(vocabulary.write(self.work)), {"vocabulary": len(vocabulary.rows)}

    def _data(self) -> tuple[list[str], dict[str, Any]]:
        from plainwright.rewriter.training.pairs import encoded_pairs
        from plainwright.rewriter.training.vocabulary import SmallVocabulary

        found = read_corpus(self.recipe.corpus)
        vocabulary = SmallVocabulary.read(self.work)
        pairs = encoded_pairs(found.rows, vocabulary, progress=functools.partial(self.progress, "data"))
        pairs.write(self.work / _PAIRS)
        held_out = sum(row.held_out for row in found.rows)
        facts = {"pairs": len(found.rows) - held_out, "held_out": held_out, "without_text": found.without_text}
        return [_PAIRS], facts

    @functools.cached_property
    def _job(self) -> Any:
        """The training, with the weights of the base."""
        from plainwright.rewriter.training.batches import pass_batches
        from plainwright.rewriter.training.layout import Layout
        from plainwright.rewriter.training.loop import TrainingJob
        from plainwright.rewriter.training.pairs import Pairs
        from plainwright.rewriter.training.vocabulary import SmallVocabulary

        training, vocabulary = self.recipe.training, SmallVocabulary.read(self.work)
        if training.frozen_layers > self.base.sizes.layers:
            layers = self.base.sizes.layers
            msg = f"train.frozen_layers: expected at most {layers}, which the base has, found {training.frozen_layers}"
            raise DataError(msg)
        steps = training.steps
        if steps is None:
            one_pass = pass_batches(Pairs.read(self.work / _PAIRS), vocabulary.tokens, training, 0)
            steps = max(1, round((training.passes or 1) * len(one_pass)))
        weights = self.base.weights(vocabulary.rows)
        job = TrainingJob(
            folder=self.work,
            pairs=self.work / _PAIRS,
            tokens=vocabulary.tokens,
            sizes=self.base.sizes,
            layout=Layout.of(weights, training, self.recipe.bits),
            training=training,
            steps=steps,
            stable=self.keys["stable"],
            schedule=self.keys["train"],
        )
        return job, weights

    def _train(self) -> tuple[list[str], dict[str, Any]]:
        from plainwright.rewriter.training.batches import longest
        from plainwright.rewriter.training.checkpoints import LAST, snapshot_path
        from plainwright.rewriter.training.loop import train
        from plainwright.rewriter.training.pairs import Pairs

        job, weights = self._job
        lengths = Pairs.read(job.pairs).arrays
        # Beside the texts there are at least three tokens: begin, level, end.
        too_long = int((lengths["sources"] + lengths["targets"] + 3 > longest(job.training)).sum())
        train(job, weights, progress=functools.partial(self.progress, "train"))
        files = [LAST, *(snapshot_path(job.folder, step).name for step in job.averaged_steps)]
        return files, {"steps": job.steps, "too_long": too_long}

    def _average(self) -> tuple[list[str], dict[str, Any]]:
        job, weights = self._job
        return self._kept(job, weights, _AVERAGED)

    def _kept(self, job: TrainingJob, weights: Matrices, name: str) -> tuple[list[str], dict[str, Any]]:
        """Keep the weights that a training ended with, and measure what they lose on held-out pairs."""
        from plainwright.rewriter.training.averaging import averaged, held_out_loss, with_trained

        flat = averaged(job)
        with atomic_write_bytes(self.work / name) as stream:
            np.save(stream, flat)
        whole = with_trained(weights, flat, job)
        losses = {is_rounded: held_out_loss(job, whole, is_rounded=is_rounded) for is_rounded in (False, True)}
        return [name], {"held_out_loss": losses[False], "held_out_loss_as_kept": losses[True]}

    def _trained(self, stage: str) -> Matrices:
        """Return all weights as they are after a stage."""
        from plainwright.rewriter.training.averaging import with_trained

        job, weights = self._job
        name = _AVERAGED if stage == "average" else f"{stage}/{_AVERAGED}"
        return with_trained(weights, np.load(self.work / name, allow_pickle=False), job)

    def _before(self, stage: str) -> str:
        stages = stages_of(self.recipe)
        return stages[stages.index(stage) - 1]

    def _self(self) -> tuple[list[str], dict[str, Any]]:
        from plainwright.rewriter.training.continuing import continued, folder_for
        from plainwright.rewriter.training.loop import TrainingJob, train
        from plainwright.rewriter.training.pairs import Pairs
        from plainwright.rewriter.training.self_training import choose_pairs, merged_pairs, new_sentences
        from plainwright.rewriter.training.vocabulary import SmallVocabulary

        section, progress = self.recipe.self_training, functools.partial(self.progress, "self")
        assert section is not None
        folder, vocabulary = folder_for(self.work / "self", self.keys["self"]), SmallVocabulary.read(self.work)
        every = self.recipe.training.save_every
        job = TrainingJob(**continued(self._job[0], section, folder, self.keys["self"], every=every))
        weights = self._trained(self._before("self"))
        known = {row.source for row in read_corpus(self.recipe.corpus).rows}
        sentences = new_sentences(section, known)
        rows = choose_pairs(job, weights, section, sentences, vocabulary, progress=progress)
        merged_pairs(Pairs.read(job.pairs), rows, vocabulary, section).write(folder / _PAIRS)
        job = replace(job, pairs=folder / _PAIRS)
        train(job, weights, progress=progress)
        files, facts = self._kept(job, weights, f"self/{_AVERAGED}")
        return files, facts | {"self_sentences": len(sentences), "self_pairs": len(rows), "self_steps": section.steps}

    def _risk(self) -> tuple[list[str], dict[str, Any]]:
        from plainwright.rewriter.training.continuing import continued, folder_for
        from plainwright.rewriter.training.minimum_risk import RiskJob, RiskSource, read_sources, train_by_risk
        from plainwright.rewriter.training.rewards import make_reward
        from plainwright.rewriter.training.vocabulary import SmallVocabulary

        risk = self.recipe.risk
        assert risk is not None
        folder = folder_for(self.work / "risk", self.keys["risk"])
        job = RiskJob(**continued(self._job[0], risk, folder, self.keys["risk"], every=risk.refresh), risk=risk)
        rows = () if risk.texts else read_corpus(self.recipe.corpus).rows
        sources = [RiskSource(row.level, row.source, (row.target,)) for row in rows if not row.held_out]
        weights = self._trained(self._before("risk"))
        train_by_risk(
            job,
            weights,
            [*sources, *read_sources(risk.texts)],
            SmallVocabulary.read(self.work),
            make_reward(risk.reward),
            progress=functools.partial(self.progress, "risk"),
        )
        files, facts = self._kept(job, weights, f"risk/{_AVERAGED}")
        return files, facts | {"risk_steps": risk.steps}

    def _export(self) -> tuple[list[str], dict[str, Any]]:
        from plainwright.rewriter.training.export import TrainingFacts, export_rewriter
        from plainwright.rewriter.training.vocabulary import SmallVocabulary

        last = self._before("export")
        data, losses = self.receipts["data"].facts, self.receipts[last].facts
        facts = TrainingFacts(
            base=self.base.name,
            base_licence=self.base.licence,
            base_sha256=self.recipe.base.sha256,
            pairs=data["pairs"],
            held_out_pairs=data["held_out"],
            steps=self._job[0].steps,
            self_pairs=self.receipts["self"].facts["self_pairs"] if "self" in self.receipts else None,
            risk_steps=None if self.recipe.risk is None else self.recipe.risk.steps,
            held_out_loss=losses["held_out_loss"],
            held_out_loss_as_kept=losses["held_out_loss_as_kept"],
            recipe=self.keys["train" if last == "average" else last],
        )
        folder = self.work / REWRITER
        vocabulary = SmallVocabulary.read(self.work)
        rewriter = export_rewriter(folder, self._trained(last), self.base, vocabulary, self.recipe, facts)
        files = sorted(path.name for path in folder.iterdir())
        size = sum((folder / name).stat().st_size for name in files)
        return [f"{REWRITER}/{name}" for name in files], {"bytes": size, "digest": rewriter.digest}
