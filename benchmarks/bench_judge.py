"""The judge: how long its training will take, by a few of its steps; and how fast a judge reads.

    python benchmarks/bench_judge.py                                  # the steps of recipes/judge.toml
    python benchmarks/bench_judge.py --ratings 30000 --steps 5        # for so many ratings
    python benchmarks/bench_judge.py --judge build/judge/judge        # also that judge: load time, pairs a second

Processor time on one thread. Two threads took between half of it and three quarters, measured on four steps.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is imported

import argparse
import time
from pathlib import Path

from plainwright.judge import JudgeModel
from plainwright.judge.training.ratings import read_blocks
from plainwright.judge.training.recipe import read_recipe
from plainwright.judge.training.report import pairs_of
from timing import fastest, machine

ROOT = Path(__file__).resolve().parents[1]
PAIRS = 200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recipe", type=Path, default=ROOT / "recipes" / "judge.toml")
    parser.add_argument("--ratings", type=int, default=30_000, help="for which the time is told")
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--precision", nargs="+", default=["bfloat16", "float32"])
    parser.add_argument("--judge", type=Path, help="a directory that `learn judge` made")
    chosen = parser.parse_args()
    print(machine("plainwright", "torch", "onnxruntime"), "| one thread, processor time")
    for precision in chosen.precision if chosen.steps else ():
        show_training(chosen, precision)
    if chosen.judge is not None:
        show_reading(chosen.judge, chosen.recipe)


def show_training(chosen: argparse.Namespace, precision: str) -> None:
    import torch

    from plainwright.judge.training.loop import JudgeJob, take_step
    from plainwright.judge.training.network import open_network

    recipe = read_recipe(chosen.recipe, {"train.precision": precision, "train.threads": "1"})
    network, tokenizer = open_network(recipe.encoder, max_pieces=recipe.max_pieces, seed=1)
    blocks = read_blocks(recipe.ratings)
    learnt = [block for block in blocks if block.part == "train"]
    job = JudgeJob(folder=Path(), key="", network=network, tokenizer=tokenizer, blocks=learnt, training=recipe.training)
    optimiser = torch.optim.AdamW(network.parameters())
    network.train()
    take_step(job, optimiser, 0)  # warms up
    begun, tokens = time.process_time(), 0
    for step in range(1, chosen.steps + 1):
        tokens += take_step(job, optimiser, step)[1]
    a_step = (time.process_time() - begun) / chosen.steps
    rated = sum(len(block.ratings) for block in blocks)
    steps = job.steps * chosen.ratings / rated
    print(
        f"{precision}: {a_step:.2f} s a step, {tokens / chosen.steps / a_step:,.0f} tokens a second; {steps:,.0f} "
        f"steps for {chosen.ratings:,} ratings and {recipe.training.passes:g} passes: {a_step * steps / 60:.0f} minutes"
    )


def show_reading(folder: Path, recipe: Path) -> None:
    load = fastest(lambda: JudgeModel(folder))
    judge = JudgeModel(folder)
    sources, outputs = (texts[:PAIRS] for texts in pairs_of(read_blocks(read_recipe(recipe).ratings)))
    seconds = fastest(lambda: judge.scores(sources, outputs))
    size = sum(path.stat().st_size for path in folder.iterdir())
    print(f"{folder}: {size / 1e6:.1f} MB, loaded in {load:.2f} s; {len(sources) / seconds:,.0f} pairs a second")


if __name__ == "__main__":
    main()
