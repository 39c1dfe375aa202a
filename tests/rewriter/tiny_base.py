"""A base of two layers with weights drawn by chance (GGUF), a corpus of a few sentences, and a recipe for them."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

WIDTH, INNER, HEADS, KEY_HEADS, LAYERS = 64, 64, 2, 1, 2
NOUNS = ("cat", "dog", "man", "boy", "king", "girl", "bird", "cow")
HARD = {"utilised": "used", "purchased": "bought", "commenced": "began", "terminated": "ended"}
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")


def byte_pieces() -> list[str]:
    """The letters that byte-level tokenizers write bytes with."""
    tokenizers = pytest.importorskip("tokenizers")
    return sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())


def write_base(path: Path, **fields: str) -> Path:
    """Write the weights; `fields` replace what the file says of itself."""
    gguf = pytest.importorskip("gguf")
    merges = [("Ġ", "t"), ("h", "e"), ("Ġt", "he"), ("u", "s"), ("us", "e"), ("use", "d"), ("Ġ", "d"), ("o", "g")]
    tokens = [*SPECIAL, *byte_pieces(), *("".join(merge) for merge in merges)]
    writer = gguf.GGUFWriter(path, fields.get("architecture", "llama"))
    writer.add_name("tiny")
    writer.add_license("cc0-1.0")
    writer.add_block_count(LAYERS)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEY_HEADS)
    writer.add_rope_freq_base(10_000.0)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(fields.get("pre", "smollm"))
    writer.add_token_list(tokens)
    writer.add_token_merges([" ".join(merge) for merge in merges])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    for name, value in _tensors(len(tokens)).items():
        writer.add_tensor(f"{name}.weight", value.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _tensors(vocabulary: int) -> dict[str, Any]:
    draw = np.random.default_rng(1)
    half = WIDTH // HEADS * KEY_HEADS
    tensors = {"token_embd": draw.normal(size=(vocabulary, WIDTH)) / 2, "output_norm": np.ones(WIDTH)}
    for layer in range(LAYERS):
        sizes = {
            "attn_q": (WIDTH, WIDTH),
            "attn_k": (half, WIDTH),
            "attn_v": (half, WIDTH),
            "attn_output": (WIDTH, WIDTH),
        }
        sizes |= {"ffn_gate": (INNER, WIDTH), "ffn_up": (INNER, WIDTH), "ffn_down": (WIDTH, INNER)}
        tensors |= {f"blk.{layer}.{name}": draw.normal(size=size) / 8 for name, size in sizes.items()}
        tensors |= {f"blk.{layer}.{name}": np.ones(WIDTH) for name in ("attn_norm", "ffn_norm")}
    return tensors


def write_corpus(folder: Path) -> Path:
    """Write sentences with one hard word each; two sources are named by their digest only."""
    folder.mkdir()
    rows = ["id\tlevel\tunit\torigin\tsource\ttarget"]
    for number, (noun, (hard, easy)) in enumerate((noun, pair) for noun in NOUNS for pair in HARD.items()):
        source, target = f"The {noun} {hard} it.", f"The {noun} {easy} it."
        shown = "sha256:" + hashlib.sha256(source.encode()).hexdigest() if number in (3, 4) else source
        rows.append(f"t{number}\tplain\tsentence\tcomposed\t{shown}\t{target}")
    with gzip.open(folder / "tiny.tsv.gz", "wt", encoding="utf-8", newline="\n") as stream:
        stream.write("\n".join(rows) + "\n")
    return folder


def write_recipe(folder: Path, *, further: str = "", **train: object) -> Path:
    """Write base, corpus and a recipe that takes seconds; `further` are sections that not every recipe has."""
    base = write_base(folder / "base.gguf")
    write_corpus(folder / "corpus")
    settings = {
        "frozen_layers": 1,
        "rate": 0.01,
        "warm_up": 5,
        "steps": 60,
        "decay_steps": 20,
        "average": 2,
        "average_every": 5,
        "rows": 4,
        "width": 64,
        "processes": 1,
        "compile": False,
        "save_every": 5,
        "evaluate_every": 20,
    } | train
    digest = hashlib.sha256(base.read_bytes()).hexdigest()
    lines = [
        '[recipe]\nname = "tiny"\nlicence = "CC0-1.0"\ndescription = "Writes three words."',
        f'[base]\nfile = "base.gguf"\nsha256 = "{digest}"',
        '[corpus]\nfolder = "corpus"\nheld_out = 0.1',
        "[vocabulary]\nsize = 320",
        "[train]",
        *(f"{name} = {str(value).lower() if isinstance(value, bool) else value}" for name, value in settings.items()),
        "[bits]\nfrozen = 8\nattention = 8\nfeedforward = 4",
        further,
    ]
    path = folder / "recipe.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
