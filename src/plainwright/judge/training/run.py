"""Everything behind `plainwright learn judge`: the stages of a recipe in order, and how far they are."""

from __future__ import annotations

import functools
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from plainwright.encoders import encoder_folder
from plainwright.extras import check_extra
from plainwright.files import atomic_write, atomic_write_bytes, file_digest
from plainwright.judge.finding import SETTINGS
from plainwright.judge.model import FILES, FORMAT, JudgeModel, RiskCurve
from plainwright.judge.training.card import card_of
from plainwright.judge.training.ratings import Block, Part, read_blocks
from plainwright.judge.training.recipe import JudgeRecipe
from plainwright.judge.training.report import agreement, calibrated, pairs_of, rounding_loss
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
from plainwright.tables import write_tables

if TYPE_CHECKING:
    from plainwright.judge.training.loop import JudgeJob
    from plainwright.judge.training.network import JudgeNetwork
    from plainwright.judge.windows import PairTokenizer

__all__ = ["JUDGE", "STAGES", "JudgeOutcome", "exact_scores", "judge_status", "learn_judge"]

STAGES = ("train", "export", "report")
JUDGE = "judge"  # the directory that comes out
_FORMAT, _EXPORT_FORMAT = 1, 2  # raised when a stage, and those after it, would make something else of the same inputs
_GRAPH, _TOKENIZER, _EXACT = "judge.onnx", "tokenizer.json", "exact.npy"
_MODULES = ("onnx", "onnxruntime", "onnxscript", "sklearn", "tokenizers", "torch", "transformers")
_CALIBRATION_PAIRS = 64  # on which the export sees how large values get
_BATCH = 16

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOutcome:
    """What came of a recipe."""

    judge: Path
    made: tuple[str, ...]  # stages that were done; the others were done before
    facts: dict[str, Any]


def learn_judge(recipe: JudgeRecipe, work: str | Path, *, progress: Progress | None = None) -> JudgeOutcome:
    """Do all stages that are not done yet; the same call goes on with what was stopped."""
    check_extra("training a judge", "train", *_MODULES)
    # Read when torch is loaded. Threads that wait by spinning, on cores that they share with other programs, made a
    # step ten times as long.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    work = Path(work)
    with locked(work):
        return _Run(recipe, work, progress or (lambda what, done, total: None)).all()


def judge_status(recipe: JudgeRecipe, work: str | Path) -> Status:
    """Return which stages are done, and the last step, loss and speed that the training wrote down."""
    work, keys = Path(work), _keys(recipe)
    done = {stage: is_done(work, read_receipt(work, stage), keys[stage]) for stage in STAGES}
    return Status(done=done, figures=last_figures(work))


def _keys(recipe: JudgeRecipe) -> dict[str, str]:
    """Return the digest of all that decides the result of each stage."""
    ratings = recipe.ratings
    data = [[file_digest(path) for path in ratings.tables], ratings.held_out, ratings.calibration]
    _, folder = encoder_folder(recipe.encoder)
    files = sorted(path for path in folder.iterdir() if path.suffix in (".json", ".safetensors", ".bin", ".txt"))
    encoder = [(path.name, file_digest(path)) for path in files]
    weights = dict(ratings.weights)
    keys = {"train": digest_of(_FORMAT, data, weights, encoder, recipe.max_pieces, recipe.training.decisive())}
    keys["export"] = digest_of(keys["train"], "export", _EXPORT_FORMAT)
    keys["report"] = digest_of(keys["export"], [recipe.name, recipe.version, recipe.licence, recipe.description])
    return keys


class _Run:
    """One run through the stages."""

    def __init__(self, recipe: JudgeRecipe, work: Path, progress: Progress) -> None:
        self.recipe, self.work, self.progress = recipe, work, progress
        self.keys = _keys(recipe)
        self.receipts: dict[str, Receipt] = {}

    def all(self) -> JudgeOutcome:
        """Do every stage that is not done."""
        made = []
        for stage in STAGES:
            receipt = read_receipt(self.work, stage)
            if receipt is None or not is_done(self.work, receipt, self.keys[stage]):
                self.progress(stage, 0, 0)
                files, facts = getattr(self, f"_{stage}")()
                receipt = write_receipt(self.work, stage, self.keys[stage], files, **facts)
                made.append(stage)
            self.receipts[stage] = receipt
        facts = {name: value for receipt in self.receipts.values() for name, value in receipt.facts.items()}
        return JudgeOutcome(judge=self.work / JUDGE, made=tuple(made), facts=facts)

    @functools.cached_property
    def _blocks(self) -> list[Block]:
        return read_blocks(self.recipe.ratings)

    def _of(self, part: Part) -> list[Block]:
        return [block for block in self._blocks if block.part == part]

    @functools.cached_property
    def _job(self) -> JudgeJob:
        from plainwright.judge.training.loop import JudgeJob
        from plainwright.judge.training.network import open_network

        training = self.recipe.training
        network, tokenizer = open_network(self.recipe.encoder, max_pieces=self.recipe.max_pieces, seed=training.seed)
        return JudgeJob(
            folder=self.work,
            key=self.keys["train"],
            network=network,
            tokenizer=tokenizer,
            blocks=self._of("train"),
            training=training,
        )

    def _train(self) -> tuple[list[str], dict[str, Any]]:
        from plainwright.judge.training.loop import LAST, train

        job = self._job
        train(job, progress=functools.partial(self.progress, "train"))
        parts: dict[Part, str] = {
            "train": "ratings",
            "calibrate": "calibration_ratings",
            "held out": "held_out_ratings",
        }
        facts = {name: sum(len(block.ratings) for block in self._of(part)) for part, name in parts.items()}
        return [LAST], {**facts, "steps": job.steps, "too_long": self._too_long()}

    def _too_long(self) -> int:
        """Pairs that are left out: longer than is read at once."""
        tokenizer = self._job.tokenizer
        lengths = (len(tokenizer(source, output)) for source, output in zip(*pairs_of(self._of("train")), strict=True))
        return sum(length > tokenizer.max_pieces for length in lengths)

    def _export(self) -> tuple[list[str], dict[str, Any]]:
        from plainwright.encoders.graphs import write_graph
        from plainwright.judge.training.loop import train
        from plainwright.judge.training.network import OnePair

        job = self._job
        train(job)  # nothing is left to do but to take up the last state
        sources, outputs = pairs_of(job.blocks)
        every = max(1, len(sources) // _CALIBRATION_PAIRS)
        pairs = map(job.tokenizer, sources[::every], outputs[::every])
        scratch = self.work / "scratch"
        scratch.mkdir(exist_ok=True)
        write_graph(
            OnePair(job.network),
            self.work / _GRAPH,
            scratch=scratch,
            settings=job.network.transformer.config,
            inputs=[pair.inputs for pair in pairs if len(pair) <= job.tokenizer.max_pieces],
            outputs=("scores",),
            max_pieces=job.tokenizer.max_pieces,
        )
        shutil.rmtree(scratch)
        job.tokenizer.tokenizer.save(str(self.work / _TOKENIZER), pretty=False)
        with atomic_write_bytes(self.work / _EXACT) as stream:
            np.save(stream, exact_scores(job.network, job.tokenizer, *pairs_of(self._of("held out"))))
        return [_GRAPH, _TOKENIZER, _EXACT], {}

    def _report(self) -> tuple[list[str], dict[str, Any]]:
        """Write the directory, calibrate its risk, and compare it with what is held out."""
        ready = self.work / f"{JUDGE}.part"
        shutil.rmtree(ready, ignore_errors=True)
        ready.mkdir()
        for kind, name in ((FILES["graph"], _GRAPH), (FILES["tokenizer"], _TOKENIZER)):
            shutil.copyfile(self.work / name, ready / kind)
        self._write_settings(ready, RiskCurve(intercept=0.0, meaning=0.0, grammar=0.0))
        model = JudgeModel(ready)
        threads = self.recipe.training.threads
        tuning, held_out = self._of("calibrate"), self._of("held out")
        curve = calibrated(tuning, model.scores(*pairs_of(tuning), threads=threads))
        self._write_settings(ready, curve)
        rounded, exact = model.scores(*pairs_of(held_out), threads=threads), np.load(self.work / _EXACT)
        facts = {
            "held_out": agreement(held_out, rounded, curve).to_dict(),
            "held_out_exact": agreement(held_out, exact, curve).to_dict(),
            "rounding": rounding_loss(exact, rounded),
            "digest": model.digest,
        }
        with atomic_write(ready / "CARD.md") as stream:
            stream.write(card_of(self.recipe, {**self.receipts["train"].facts, **facts}))
        folder = self.work / JUDGE
        shutil.rmtree(folder, ignore_errors=True)
        ready.rename(folder)
        files = sorted(path.name for path in folder.iterdir())
        facts["bytes"] = sum((folder / name).stat().st_size for name in files)
        return [f"{JUDGE}/{name}" for name in files], facts

    def _write_settings(self, folder: Path, curve: RiskCurve) -> None:
        about = {name: getattr(self.recipe, name) for name in ("name", "version", "licence", "description")}
        tables = {
            "judge": {"format": FORMAT, **about, "max_pieces": self.recipe.max_pieces},
            "files": FILES,
            "sizes": {kind: (folder / name).stat().st_size for kind, name in FILES.items()},
            "risk": curve.table(),
            "training": {"recipe": self.keys["train"], **self.receipts["train"].facts},
        }
        with atomic_write(folder / SETTINGS) as stream:
            write_tables(stream, tables)


def exact_scores(
    network: JudgeNetwork, tokenizer: PairTokenizer, sources: Sequence[str], outputs: Sequence[str]
) -> Any:
    """Return the scores of a network before rounding; of a long pair the mean of its windows, as `JudgeModel` does."""
    import torch

    from plainwright.judge.training.network import as_batch

    windows = [tokenizer.windows(source, output) for source, output in zip(sources, outputs, strict=True)]
    flat = [window for own in windows for window in own]
    rows = []
    with torch.inference_mode():
        for start in range(0, len(flat), _BATCH):
            rows.append(torch.sigmoid(network(**as_batch(flat[start : start + _BATCH]))).numpy() * 100)
    parts = np.split(np.concatenate(rows).astype(np.float64), np.cumsum([len(own) for own in windows])[:-1])
    return np.array(
        [np.average(part, axis=0, weights=list(map(len, own))) for part, own in zip(parts, windows, strict=True)]
    )
