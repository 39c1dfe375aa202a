"""A model directory with a few rules written by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plainwright.decode.bundle import ModelBundle
from plainwright.grammar import PackedGrammar, pack_files
from plainwright.rewrite import Simplifier, scfg_pipeline

WEIGHTS = {"good": 1.0, "IdentityRule": 0.5}


def write_model(folder: Path, rules: str, *, weights: Mapping[str, float] = WEIGHTS, **settings: int) -> Path:
    """Pack the rules, write `model.toml` beside them, and return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "rules.txt").write_text(rules, encoding="utf-8")
    pack_files([folder / "rules.txt"], folder / "rules.pack")
    ModelBundle(
        name="toy",
        version="1",
        licence="CC0-1.0",
        grammars=("rules.pack",),
        language_model=None,
        weights=weights,
        settings=settings,
    ).save(folder)
    return folder


def simplifier_of(grammars: Sequence[PackedGrammar], **options: Any) -> Simplifier:
    """A simplifier that asks these rules; `scfg_pipeline` has the options."""
    return Simplifier(scfg_pipeline(grammars, **options))


WHOLE_RULES = """\
[X] ||| residence ||| house ||| good=2 Risk=0.1 ||| 0-0
[X] ||| residence ||| abode ||| good=1 Risk=0.3 ||| 0-0
[NN] ||| the edifice ||| the building ||| good=2 Risk=NA ||| 0-0 1-1
[X] ||| rather |||  ||| good=0.5 Risk=0.1 ||| \n\
[NP] ||| [X,1] of [X,2] ||| [X,2] 's [X,1] ||| good=0.25 Risk=0.2 ||| 0-2 2-0
[VB] ||| purchase ||| buy ||| good=1.5 Risk=0.1 ||| 0-0 ||| Equivalence
[JJ] ||| large ||| big ||| good=1 Risk=0.1 ||| 0-0
"""
WHOLE_TEXT = ("he will purchase the house", "the residence of a dog is rather large", "the building is a house")


def write_whole_model(folder: Path) -> Path:
    """A model with every part that one can have: grammar, language model, tagger and second look."""
    import numpy as np
    from tests.toy_tags import SENTENCES, SMALL

    from plainwright.boosted import BoostedTrees
    from plainwright.learn.lm import estimate
    from plainwright.learn.tagger import learn_tagger
    from plainwright.rewrite.judge import PLACE_FEATURES, SecondLook

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "rules.txt").write_text(WHOLE_RULES, encoding="utf-8")
    pack_files([folder / "rules.txt"], folder / "rules.pack")
    estimate(WHOLE_TEXT, order=3).save(folder / "lm.pack")
    learn_tagger(SENTENCES, SMALL).save(folder / "tagger.pack")
    features = PackedGrammar(folder / "rules.pack").feature_names
    trees = BoostedTrees(
        feature=np.array([len(features) + PLACE_FEATURES.index("capital after"), 0, 0]),
        threshold=np.array([0.5, 0.0, 0.0]),
        left=np.array([1, 1, 2]),
        right=np.array([2, 1, 2]),
        value=np.array([0.0, -4.0, 4.0]),
        roots=np.array([0]),
        baseline=0.0,
    )
    SecondLook(trees, features).save(folder / "second_look.npz")
    ModelBundle(
        name="whole",
        version="1",
        licence="CC0-1.0",
        grammars=("rules.pack",),
        language_model="lm.pack",
        tagger="tagger.pack",
        second_look="second_look.npz",
        weights={"good": 2.0, "lm_0": 0.1, "IdentityRule": 0.5, "LabelAgrees": 0.1},
        settings={"pop_limit": 30, "sentence_risk": 0.5},
        provenance={"made": "by hand"},
    ).save(folder)
    return folder
