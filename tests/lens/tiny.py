"""A LENS model that is made in a moment, without torch: the real files, run by the real onnxruntime, at a tiny size.

Its values mean nothing, but they are decided by all parts: vectors, head, features and trees.
"""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from plainwright.boosted import BoostedTrees
from plainwright.encoders.onnx import CARD_FILE, GRAPH_FILE, TOKENIZER_FILE, EncoderCard
from plainwright.lens.features import FEATURES, resources_digest
from plainwright.lens.head import Head, Layer, Network
from plainwright.lens.model import Features, LensModel, Mix
from plainwright.lens.seen import SOURCE_MARKS, marks_of

WIDTH = 8
MAX_PIECES = 200
PAIR_FEATURES = ("edit.length_ratio", "support.strange_words")

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_WORDS = ("the", "a", "of", "in", "is", "was", "car", "bought", "purchased", "cat", "sat", "mat", "he", "she")
_CHARACTERS = string.ascii_lowercase + string.digits + string.punctuation
VOCABULARY = (*_SPECIAL, *_WORDS, *_CHARACTERS, *(f"##{character}" for character in _CHARACTERS))


def save_tiny_encoder(directory: Path, *, name: str = "tiny", max_pieces: int = MAX_PIECES) -> Path:
    """A directory as `export_encoder` writes it: embeddings, and their mean as the vector of the text."""
    import onnx

    directory.mkdir(parents=True, exist_ok=True)
    onnx.save(_graph(), str(directory / GRAPH_FILE))
    tokenizer().save(str(directory / TOKENIZER_FILE))
    card = EncoderCard(name=name, width=WIDTH, max_pieces=max_pieces, layer=0, precision="float32")
    card.save(directory / CARD_FILE)
    return directory


def save_tiny_model(
    directory: Path,
    *,
    head: bool = True,
    companion: bool = True,
    pair_features: bool = False,
    seed: int = 5,
    trained_on: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
) -> LensModel:
    """The members that are asked for, and both by default; it says that it learnt from the sources `trained_on`."""
    encoder = save_tiny_encoder(directory.with_name(f"{directory.name}-encoder"))
    names = PAIR_FEATURES if head and pair_features else ()
    return LensModel.save(
        directory,
        encoder=encoder,
        head=tiny_head(seed, features=len(names)) if head else None,
        companion=tiny_companion() if companion else None,
        mix=Mix(intercept=0.1, neural=0.5 if head else 0.0, companion=0.6 if companion else 0.0),
        features=Features(pair=names, set=FEATURES if companion else (), resources=resources_digest()),
        name="tiny",
        version="1",
        licence="Apache-2.0",
        description="made in a test",
        card="# tiny\n\nMade in a test; its values mean nothing.\n",
        settings=settings,
        provenance={SOURCE_MARKS: marks_of(trained_on)} if trained_on else {},
    )


def tiny_head(seed: int = 5, *, features: int = 0) -> Head:
    return Head(networks=tuple(_network(np.random.default_rng(seed + n), features) for n in range(2)))


def tiny_companion() -> BoostedTrees:
    """Three trees of one question each."""
    asked = [
        ("edit.length_ratio", 0.8, -0.4, 0.3),
        ("source.cosine", 0.5, -0.3, 0.2),
        ("overlap.sari", 40.0, -0.5, 0.5),
    ]
    nodes = np.zeros(3 * len(asked), dtype=_NODE)
    for at, (name, threshold, low, high) in enumerate(asked):
        nodes[3 * at] = (False, FEATURES.index(name), threshold, 1, 2, 0.0)
        nodes[3 * at + 1] = (True, 0, 0.0, 0, 0, low)
        nodes[3 * at + 2] = (True, 0, 0.0, 0, 0, high)
    return BoostedTrees.of_trees(np.split(nodes, len(asked)), baseline=0.05)


_NODE = np.dtype(
    [
        ("is_leaf", np.bool_),
        ("feature_idx", np.int64),
        ("num_threshold", np.float64),
        ("left", np.uint32),
        ("right", np.uint32),
        ("value", np.float64),
    ]
)


def tokenizer() -> Any:
    """WordPiece with a few words and all letters, lower-casing, as BERT's."""
    from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors
    from tokenizers.models import WordPiece

    numbers = {piece: number for number, piece in enumerate(VOCABULARY)}
    made = Tokenizer(WordPiece(numbers, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(name, numbers[name]) for name in ("[CLS]", "[SEP]")]
    )
    return made


def _graph() -> Any:
    from onnx import TensorProto, checker, helper, numpy_helper

    embeddings = np.random.default_rng(1).normal(size=(len(VOCABULARY), WIDTH)).astype(np.float32)
    nodes = [
        helper.make_node("Squeeze", ["ids", "first"], ["pieces"]),
        helper.make_node("Gather", ["embeddings", "pieces"], ["tokens"]),
        helper.make_node("ReduceMean", ["tokens"], ["vector"], axes=[0], keepdims=0),
    ]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info("ids", TensorProto.INT64, [1, "pieces"])],
        [
            helper.make_tensor_value_info("tokens", TensorProto.FLOAT, ["pieces", WIDTH]),
            helper.make_tensor_value_info("vector", TensorProto.FLOAT, [WIDTH]),
        ],
        [numpy_helper.from_array(embeddings, "embeddings"), numpy_helper.from_array(np.array([0]), "first")],
    )
    # Versions that every onnxruntime of the extra reads.
    model = helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 13)])
    checker.check_model(model)
    return model


def _network(rng: np.random.Generator, features: int) -> Network:
    hidden, inside = 5, 6 * WIDTH + features
    return Network(
        layers=(
            Layer(weight=rng.normal(size=(hidden, inside)) / 3, bias=rng.normal(size=hidden), activation="tanh"),
            Layer(weight=rng.normal(size=(1, hidden)) / 2, bias=np.zeros(1)),
        ),
        standard=(np.ones(features) / 2, np.ones(features)) if features else None,
    )
