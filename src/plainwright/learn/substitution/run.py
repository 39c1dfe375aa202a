"""Everything behind `plainwright learn substitution`: the stages of a recipe in order, and how far they are."""

from __future__ import annotations

import functools
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plainwright.encoders import encoder_folder
from plainwright.extras import check_extra
from plainwright.files import atomic_write, file_digest
from plainwright.learn.substitution.examples import Example, choices, corpus_examples, is_held_out
from plainwright.learn.substitution.recipe import SubstitutionRecipe
from plainwright.learn.substitution.report import card_of, frontier
from plainwright.rewrite.wordlist import WordList, pack_files
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
from plainwright.substitution.finding import SETTINGS
from plainwright.substitution.model import FILES, FORMAT, SubstitutionModel
from plainwright.tables import write_tables

if TYPE_CHECKING:
    from plainwright.learn.substitution.network import SubstitutionNetwork
    from plainwright.substitution.pieces import CandidateTokenizer

__all__ = ["STAGES", "SUBSTITUTION", "SubstitutionOutcome", "learn_substitution", "substitution_status"]

STAGES = ("candidates", "corpus", "train", "export", "report")
SUBSTITUTION = "substitution"  # the directory that comes out
_FORMAT = 1  # raised when a stage, and those after it, would make something else of the same inputs
_MODULES = ("onnx", "onnxruntime", "onnxscript", "tokenizers", "torch", "transformers")
_CALIBRATION = 64  # sentences on which the export sees how large values get

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class SubstitutionOutcome:
    """What came of a recipe."""

    substitution: Path
    made: tuple[str, ...]  # stages that were done; the others were done before
    facts: dict[str, Any]


def learn_substitution(
    recipe: SubstitutionRecipe, work: str | Path, *, progress: Progress | None = None
) -> SubstitutionOutcome:
    """Do all stages that are not done yet; the same call goes on with what was stopped."""
    check_extra("training a model of substitution", "train", *_MODULES)
    # Read when torch is loaded; threads that wait by spinning slow down whatever shares their cores.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    work = Path(work)
    with locked(work):
        return _Run(recipe, work, progress or (lambda what, done, total: None)).all()


def substitution_status(recipe: SubstitutionRecipe, work: str | Path) -> Status:
    """Return which stages are done, and the last step, loss and speed that the training wrote down."""
    work, keys = Path(work), _keys(recipe)
    done = {stage: is_done(work, read_receipt(work, stage), keys[stage]) for stage in STAGES}
    return Status(done=done, figures=last_figures(work))


def _keys(recipe: SubstitutionRecipe) -> dict[str, str]:
    """Return the digest of all that decides the result of each stage."""
    data = recipe.data
    corpus = sorted(path for pattern in ("*.tsv", "*.tsv.gz") for path in data.corpus.glob(pattern))
    texts = [] if data.texts is None else [data.texts]
    _, folder = encoder_folder(recipe.encoder)
    files = sorted(path for path in folder.iterdir() if path.suffix in (".json", ".safetensors", ".bin", ".txt"))
    training = recipe.training.decisive()
    own = {name: training.pop(name) for name in ("passes", "rate")}
    keys = {"candidates": digest_of(_FORMAT, [file_digest(path) for path in data.candidates])}
    written = [file_digest(path) for path in (*corpus, *texts, data.tagger, *files)]
    keys["corpus"] = digest_of(keys["candidates"], written, data.held_out, recipe.max_pieces, training)
    keys["train"] = digest_of(keys["corpus"], [file_digest(path) for path in data.choices], own)
    keys["export"] = digest_of(keys["train"], "export")
    about = [recipe.name, recipe.version, recipe.licence, recipe.description, recipe.threshold]
    keys["report"] = digest_of(keys["export"], about, [file_digest(path) for path in data.approved])
    return keys


class _Run:
    """One run through the stages."""

    def __init__(self, recipe: SubstitutionRecipe, work: Path, progress: Progress) -> None:
        self.recipe, self.work, self.progress = recipe, work, progress
        self.keys = _keys(recipe)
        self.receipts: dict[str, Receipt] = {}

    def all(self) -> SubstitutionOutcome:
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
        return SubstitutionOutcome(substitution=self.work / SUBSTITUTION, made=tuple(made), facts=facts)

    @functools.cached_property
    def _choices(self) -> list[Example]:
        return choices(self.recipe.data)

    def _of(self, *, held_out: bool) -> list[Example]:
        share = self.recipe.data.held_out
        return [example for example in self._choices if is_held_out(example.sentence, share) == held_out]

    def _written(self) -> Sequence[Example]:
        words = WordList.open(self.work / FILES["candidates"])
        return corpus_examples(self.recipe.data, words, seed=self.recipe.training.seed)

    @functools.cached_property
    def _network(self) -> tuple[SubstitutionNetwork, CandidateTokenizer]:
        from plainwright.learn.substitution.network import open_network

        recipe = self.recipe
        return open_network(recipe.encoder, max_pieces=recipe.max_pieces, seed=recipe.training.seed)

    def _trained(self, stage: str, examples: Callable[[], Sequence[Example]], passes: float, rate: float) -> int:
        """Train the network as a stage does, and return the steps; what was done before is taken up."""
        from plainwright.learn.substitution.loop import SubstitutionJob, train

        network, tokenizer = self._network
        folder = self.work / f"{stage}.states"
        folder.mkdir(exist_ok=True)
        job = SubstitutionJob(
            folder=folder,
            key=self.keys[stage],
            network=network,
            tokenizer=tokenizer,
            examples=examples,
            passes=passes,
            rate=rate,
            training=self.recipe.training,
        )
        return train(job, progress=functools.partial(self.progress, stage))

    def _corpus(self) -> tuple[list[str], dict[str, Any]]:
        own = self.recipe.training
        steps = self._trained("corpus", self._written, own.corpus_passes, own.corpus_rate)
        return [self._state("corpus")], {"corpus_steps": steps}

    def _load(self, stage: str) -> None:
        import torch

        state = torch.load(self.work / self._state(stage), weights_only=True)
        self._network[0].load_state_dict(state["network"])
        self._network[0].eval()

    @staticmethod
    def _state(stage: str) -> str:
        return f"{stage}.states/last.pt"

    def _candidates(self) -> tuple[list[str], dict[str, Any]]:
        packed = pack_files(self.recipe.data.candidates, self.work / FILES["candidates"])
        return [FILES["candidates"]], {"candidates": packed.entries}

    def _train(self) -> tuple[list[str], dict[str, Any]]:
        self._load("corpus")
        own = self.recipe.training
        facts = {"steps": self._trained("train", lambda: self._of(held_out=False), own.passes, own.rate)}
        for name, held_out in (("", False), ("held_out_", True)):
            examples = self._of(held_out=held_out)
            facts |= {f"{name}sentences": len(examples), f"{name}choices": sum(len(one.right) for one in examples)}
        return [self._state("train")], facts

    def _export(self) -> tuple[list[str], dict[str, Any]]:
        from plainwright.encoders.graphs import write_graph
        from plainwright.learn.substitution.network import OneSentence

        self._load("train")
        network, tokenizer = self._network
        examples = self._of(held_out=False)
        every = max(1, len(examples) // _CALIBRATION)
        layouts = [tokenizer(one.sentence, one.candidates) for one in examples[::every]]
        scratch = self.work / "scratch"
        scratch.mkdir(exist_ok=True)
        write_graph(
            OneSentence(network),
            self.work / FILES["graph"],
            scratch=scratch,
            settings=network.transformer.config,
            inputs=[layout.inputs for layout in layouts if layout is not None],
            outputs=("scores",),
            max_pieces=None,
        )
        shutil.rmtree(scratch)
        tokenizer.tokenizer.save(str(self.work / FILES["tokenizer"]), pretty=False)
        return [FILES["graph"], FILES["tokenizer"]], {}

    def _report(self) -> tuple[list[str], dict[str, Any]]:
        """Write the directory, and compare it with what is held out."""
        ready = self.work / f"{SUBSTITUTION}.part"
        shutil.rmtree(ready, ignore_errors=True)
        ready.mkdir()
        for kind in ("graph", "tokenizer"):
            shutil.copyfile(self.work / FILES[kind], ready / FILES[kind])
        approved = pack_files(self.recipe.data.approved, ready / FILES["candidates"])
        self._write_settings(ready)
        model, held_out = SubstitutionModel(ready), self._of(held_out=True)
        asked = [(one.sentence, one.candidates) for one in held_out]
        scores = model.scores(asked, threads=self.recipe.training.threads)
        facts: dict[str, Any] = {
            "held_out": frontier(held_out, scores).to_dict(),
            "digest": model.digest,
            "approved": approved.entries,
        }
        with atomic_write(ready / "CARD.md") as stream:
            known = {name: value for stage in STAGES[:-1] for name, value in self.receipts[stage].facts.items()}
            stream.write(card_of(self.recipe, {**known, **facts}))
        folder = self.work / SUBSTITUTION
        shutil.rmtree(folder, ignore_errors=True)
        ready.rename(folder)
        files = sorted(path.name for path in folder.iterdir())
        facts["bytes"] = sum((folder / name).stat().st_size for name in files)
        return [f"{SUBSTITUTION}/{name}" for name in files], facts

    def _write_settings(self, folder: Path) -> None:
        about = {name: getattr(self.recipe, name) for name in ("name", "version", "licence", "description")}
        limits = {"max_pieces": self.recipe.max_pieces, "threshold": self.recipe.threshold}
        tables = {
            "substitution": {"format": FORMAT, **about, **limits},
            "files": FILES,
            "sizes": {kind: (folder / name).stat().st_size for kind, name in FILES.items()},
            "training": {"recipe": self.keys["train"], **self.receipts["train"].facts},
        }
        with atomic_write(folder / SETTINGS) as stream:
            write_tables(stream, tables)
