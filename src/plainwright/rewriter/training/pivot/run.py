"""The stages of a recipe that begins with translation models, and how far they are."""

from __future__ import annotations

import functools
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from plainwright.errors import DataError
from plainwright.extras import check_extra
from plainwright.files import atomic_write_bytes, file_digest
from plainwright.rewriter.training.corpus import Row, corpus_files, read_corpus
from plainwright.rewriter.training.pivot.recipe import PivotRecipe
from plainwright.rewriter.training.run import REWRITER, Outcome, Progress
from plainwright.stages import Receipt, Status, digest_of, is_done, last_figures, locked, read_receipt, write_receipt

if TYPE_CHECKING:
    from plainwright.rewriter.training.layout import Matrices
    from plainwright.rewriter.training.pivot.marian import Marian
    from plainwright.rewriter.training.pivot.process import PivotJob

__all__ = ["PIVOT_STAGES", "learn_pivot_rewriter", "pivot_status"]

PIVOT_STAGES = ("french", "data", "train", "average", "export")
_FORMAT = 1  # raised when a stage would make something else of the same inputs
_EXPORT_FORMAT = 2  # raised when only the exported directory would be another
_PAIRS, _AVERAGED, _FRENCH, _TRANSLATOR = "pairs.npz", "averaged.npy", "french", "translator"
_MODULES = ("ctranslate2", "sentencepiece", "torch")


def learn_pivot_rewriter(recipe: PivotRecipe, work: str | Path, *, progress: Progress | None = None) -> Outcome:
    """Do all stages that are not done yet; the same call goes on with what was stopped."""
    check_extra("training a rewriter", "train", *_MODULES)
    base = recipe.base
    for folder, digest in ((base.translator, base.translator_sha256), (base.writer, base.writer_sha256)):
        _check_weights(folder / "pytorch_model.bin", digest)
    work = Path(work)
    with locked(work):
        return _Run(recipe, work, progress or (lambda what, done, total: None)).all()


def pivot_status(recipe: PivotRecipe, work: str | Path) -> Status:
    """Return which stages are done, and the last step, loss and speed that the training wrote down."""
    work, keys = Path(work), _keys(recipe)
    done = {stage: is_done(work, read_receipt(work, stage), keys[stage]) for stage in PIVOT_STAGES}
    return Status(done=done, figures=last_figures(work))


def _check_weights(path: Path, digest: str) -> None:
    if not path.is_file():
        msg = f"{path}: expected the weights of a translation model, found none; get them (tools/translation_models.py)"
        raise DataError(msg)
    if (found := file_digest(path)) != digest:
        msg = f"{path}: expected the SHA-256 {digest[:12]}…, found {found[:12]}…; get the file again"
        raise DataError(msg)


def _keys(recipe: PivotRecipe) -> dict[str, str]:
    """Return the digest of all that decides the result of each stage."""
    corpus, training, base = recipe.corpus, recipe.training, recipe.base
    texts = [corpus.texts] if corpus.texts is not None else []
    rows = {
        "files": [(path.name, file_digest(path)) for path in corpus_files(corpus)],
        "texts": [file_digest(path) for path in texts],
        **corpus.selection(),
    }
    keys = {"french": digest_of(_FORMAT, base.translator_sha256, base.pieces, rows)}
    keys["data"] = digest_of(keys["french"], base.writer_sha256)
    keys["stable"] = digest_of(keys["data"], training.stable_part())
    keys["train"] = digest_of(keys["stable"], training.schedule())
    keys["average"] = digest_of(keys["train"], "average")
    keys["export"] = digest_of(keys["average"], asdict(recipe.about), _EXPORT_FORMAT)
    return keys


class _Run:
    """One run through the stages."""

    def __init__(self, recipe: PivotRecipe, work: Path, progress: Progress) -> None:
        self.recipe, self.work, self.progress = recipe, work, progress
        self.keys = _keys(recipe)
        self.receipts: dict[str, Receipt] = {}

    def all(self) -> Outcome:
        """Do every stage that is not done."""
        made = []
        for stage in PIVOT_STAGES:
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
    def translator(self) -> Marian:
        """The model from English to French."""
        from plainwright.rewriter.training.pivot.marian import open_marian

        return open_marian(self.recipe.base.translator, self.recipe.base.pieces)

    @functools.cached_property
    def writer(self) -> Marian:
        """The model from French to English."""
        from plainwright.rewriter.training.pivot.marian import open_marian

        return open_marian(self.recipe.base.writer, self.recipe.base.pieces)

    @functools.cached_property
    def rows(self) -> tuple[Row, ...]:
        """The written corpus."""
        return read_corpus(self.recipe.corpus).rows

    def _french(self) -> tuple[list[str], dict[str, Any]]:
        from plainwright.rewriter.training.pivot.export import export_translator
        from plainwright.rewriter.training.pivot.french import translated

        folder = self.work / f"{_FRENCH}-{self.keys['french'][:12]}"
        models = export_translator(self.work / _TRANSLATOR, self.translator)
        texts = [row.source for row in self.rows]
        progress = functools.partial(self.progress, _FRENCH)
        found = translated(texts, models, folder, threads=os.cpu_count() or 1, progress=progress)
        files = sorted(path.relative_to(self.work).as_posix() for path in folder.iterdir())
        return files, {"translated": found}

    def _data(self) -> tuple[list[str], dict[str, Any]]:
        from plainwright.rewriter.training.pivot.french import read_translated
        from plainwright.rewriter.training.pivot.pieces import Pieces, encoded_pairs

        french = read_translated([row.source for row in self.rows], self.work / f"{_FRENCH}-{self.keys['french'][:12]}")
        pairs = encoded_pairs(
            self.rows, french, Pieces.of(self.writer), self.writer, functools.partial(self.progress, "data")
        )
        pairs.write(self.work / _PAIRS)
        held_out = sum(row.held_out for row in self.rows)
        without_text = read_corpus(self.recipe.corpus).without_text
        return [_PAIRS], {"pairs": len(self.rows) - held_out, "held_out": held_out, "without_text": without_text}

    @functools.cached_property
    def _job(self) -> tuple[PivotJob, Matrices]:
        """The training, with the weights to begin with."""
        from plainwright.rewriter.training.pairs import Pairs
        from plainwright.rewriter.training.pivot.batches import pass_packed
        from plainwright.rewriter.training.pivot.pieces import Pieces
        from plainwright.rewriter.training.pivot.process import PivotJob, pivot_layout

        training, pieces = self.recipe.training, Pieces.of(self.writer)
        weights = pieces.weights(self.writer)
        steps = training.steps
        if steps is None:
            one_pass = pass_packed(Pairs.read(self.work / _PAIRS), pieces.prompt, training, 0)
            steps = max(1, round((training.passes or 1) * len(one_pass)))
        job = PivotJob(
            folder=self.work,
            pairs=self.work / _PAIRS,
            tokens=pieces.prompt,
            sizes=self.writer.sizes,
            layout=pivot_layout(weights, training.frozen_layers),
            training=training,
            steps=steps,
            stable=self.keys["stable"],
            schedule=self.keys["train"],
        )
        return job, weights

    def _train(self) -> tuple[list[str], dict[str, Any]]:
        from plainwright.rewriter.training.checkpoints import LAST, snapshot_path
        from plainwright.rewriter.training.loop import train
        from plainwright.rewriter.training.pairs import Pairs
        from plainwright.rewriter.training.pivot.batches import most_written

        job, weights = self._job
        lengths, width = Pairs.read(job.pairs).arrays, job.training.width
        # What is read has an end; before what is written there are at least two tokens: begin and level.
        too_long = (lengths["sources"] + 1 > width) | (lengths["targets"] + 2 > most_written(width))
        train(job, weights, progress=functools.partial(self.progress, "train"))
        files = [LAST, *(snapshot_path(job.folder, step).name for step in job.averaged_steps)]
        return files, {"steps": job.steps, "too_long": int(too_long.sum())}

    def _average(self) -> tuple[list[str], dict[str, Any]]:
        from plainwright.rewriter.training.averaging import averaged, with_trained
        from plainwright.rewriter.training.pivot.process import held_out_loss

        job, weights = self._job
        flat = averaged(job)
        with atomic_write_bytes(self.work / _AVERAGED) as stream:
            np.save(stream, flat)
        return [_AVERAGED], {"held_out_loss": held_out_loss(job, with_trained(weights, flat, job))}

    def _export(self) -> tuple[list[str], dict[str, Any]]:
        from plainwright.rewriter.training.averaging import with_trained
        from plainwright.rewriter.training.pivot.export import PivotFacts, export_pivot

        job, weights = self._job
        trained = with_trained(weights, np.load(self.work / _AVERAGED, allow_pickle=False), job)
        data = self.receipts["data"].facts
        facts = PivotFacts(
            pairs=data["pairs"],
            held_out_pairs=data["held_out"],
            steps=job.steps,
            held_out_loss=self.receipts["average"].facts["held_out_loss"],
            recipe=self.keys["average"],
        )
        folder = self.work / REWRITER
        rewriter = export_pivot(folder, self.translator, self.writer, trained, self.recipe, facts)
        files = sorted(path.name for path in folder.iterdir())
        size = sum((folder / name).stat().st_size for name in files)
        return [f"{REWRITER}/{name}" for name in files], {"bytes": size, "digest": rewriter.digest}
