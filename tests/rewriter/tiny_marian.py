"""Two translation models with weights drawn by chance, as transformers writes Marian ones, and a recipe for them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from tests.rewriter.tiny_base import HARD, NOUNS, write_corpus

WIDTH, INNER, HEADS, LAYERS = 32, 32, 2, 2
ENGLISH = [f"The {noun} {verb} it." for noun in NOUNS for pair in HARD.items() for verb in pair]
FRENCH = ["Le chat et la souris.", "Un homme mange du pain.", "La reine lit des livres dans le jardin."]
WORDS = ["light plain easy", "animal mineral vegetable general special", "another larger smaller"]


def write_pieces(path: Path, texts: list[str], size: int) -> list[str]:
    """Write a model of sentencepiece, and return its pieces."""
    sentencepiece = pytest.importorskip("sentencepiece")
    with path.open("wb") as stream:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(texts * 4),
            model_writer=stream,
            vocab_size=size,
            hard_vocab_limit=False,
            bos_id=-1,
            minloglevel=2,
        )
    processor = sentencepiece.SentencePieceProcessor(str(path))
    return [processor.id_to_piece(number) for number in range(processor.get_piece_size())]


def write_marian(folder: Path, *, reads_english: bool) -> Path:
    """Write a model from English to French, or back."""
    torch = pytest.importorskip("torch")
    folder.mkdir()
    english, french = ("source", "target") if reads_english else ("target", "source")
    pieces = write_pieces(folder / f"{english}.spm", [*ENGLISH, *WORDS], 120)
    pieces += write_pieces(folder / f"{french}.spm", FRENCH, 60)
    tokens = [*dict.fromkeys(["</s>", "<unk>", *pieces]), "<pad>"]
    config = {
        "encoder_layers": LAYERS,
        "decoder_layers": LAYERS,
        "d_model": WIDTH,
        "encoder_attention_heads": HEADS,
    }
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    ids = {piece: number for number, piece in enumerate(tokens)}
    (folder / "vocab.json").write_text(json.dumps(ids, ensure_ascii=False), encoding="utf-8")
    torch.save(_tensors(torch, len(tokens), seed=int(reads_english)), folder / "pytorch_model.bin")
    return folder


def _tensors(torch: Any, vocabulary: int, seed: int) -> dict[str, Any]:
    draw = torch.Generator().manual_seed(seed)

    def matrix(*size: int) -> Any:
        return torch.randn(*size, generator=draw) / 6

    tensors = {"model.shared.weight": matrix(vocabulary, WIDTH), "final_logits_bias": torch.zeros(1, vocabulary)}
    for half in ("encoder", "decoder"):
        for layer in range(LAYERS):
            before = f"model.{half}.layers.{layer}"
            for attention in ("self_attn", "encoder_attn") if half == "decoder" else ("self_attn",):
                for part in ("q_proj", "k_proj", "v_proj", "out_proj"):
                    tensors[f"{before}.{attention}.{part}.weight"] = matrix(WIDTH, WIDTH)
                    tensors[f"{before}.{attention}.{part}.bias"] = torch.zeros(WIDTH)
                tensors[f"{before}.{attention}_layer_norm.weight"] = torch.ones(WIDTH)
                tensors[f"{before}.{attention}_layer_norm.bias"] = torch.zeros(WIDTH)
            for part, size in (("fc1", (INNER, WIDTH)), ("fc2", (WIDTH, INNER))):
                tensors[f"{before}.{part}.weight"] = matrix(*size)
                tensors[f"{before}.{part}.bias"] = torch.zeros(size[0])
            tensors[f"{before}.final_layer_norm.weight"] = torch.ones(WIDTH)
            tensors[f"{before}.final_layer_norm.bias"] = torch.zeros(WIDTH)
    return tensors


def write_pivot_recipe(folder: Path, **train: object) -> Path:
    """Write both models, a corpus and a recipe that takes seconds."""
    write_corpus(folder / "corpus")
    base = []
    for name, reads_english in (("translator", True), ("writer", False)):
        weights = write_marian(folder / name, reads_english=reads_english) / "pytorch_model.bin"
        base += [f'{name} = "{name}"', f'{name}_sha256 = "{hashlib.sha256(weights.read_bytes()).hexdigest()}"']
    settings = {
        "frozen_layers": 1,
        "rate": 0.01,
        "warm_up": 5,
        "steps": 90,
        "decay_steps": 20,
        "average": 2,
        "average_every": 5,
        "rows": 4,
        "width": 160,
        "processes": 1,
        "precision": "float32",
        "compile": False,
        "save_every": 5,
        "evaluate_every": 20,
    } | train
    lines = [
        '[recipe]\nname = "tiny"\nlicence = "CC0-1.0"\ndescription = "Writes three words."',
        "[base]",
        *base,
        "pieces = 1000",
        '[corpus]\nfolder = "corpus"\nheld_out = 0.1',
        "[train]",
        *(f"{key} = {json.dumps(value)}" for key, value in settings.items()),
    ]
    path = folder / "recipe.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
