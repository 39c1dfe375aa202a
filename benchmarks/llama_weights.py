"""The weights of a rewriter that was trained here, as others read them: a Hugging Face folder of Llama, or GGUF.

They are taken out of the exported graph: what was rounded is what the rewriter runs on, so other programs start from
the same numbers and differ only in how they round them once more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from plainwright.rewriter.controls import PromptTokens
from plainwright.rewriter.graph import BLOCK
from plainwright.tables import TableReader

Arrays = dict[str, np.ndarray]


@dataclass(frozen=True)
class LlamaWeights:
    """Matrices under the names of the graph, sizes, and the tokens of prompts."""

    arrays: Arrays
    layers: int
    heads: int
    key_heads: int
    head_width: int
    theta: float
    epsilon: float
    tokens: PromptTokens
    tokenizer: Path

    @property
    def width(self) -> int:
        return int(self.arrays["embeddings"].shape[1])

    @property
    def inner(self) -> int:
        return int(self.arrays["0.d"].shape[1])

    @property
    def vocabulary(self) -> int:
        return int(self.arrays["embeddings"].shape[0])

    def attention(self, layer: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Queries, keys, values."""
        joined = self.arrays[f"{layer}.qkv"]
        queries, keys = self.heads * self.head_width, self.key_heads * self.head_width
        return joined[:queries], joined[queries : queries + keys], joined[queries + keys :]

    def gates(self, layer: int) -> tuple[np.ndarray, np.ndarray]:
        joined = self.arrays[f"{layer}.gu"]
        return joined[: self.inner], joined[self.inner :]


def read_weights(rewriter: Path) -> LlamaWeights:
    """Open a rewriter's directory; the graph says all sizes."""
    import onnx
    from onnx import numpy_helper

    model = onnx.load(str(rewriter / "rewriter.onnx"))
    stored = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}
    arrays = {name: restored(value, stored.get(f"{name}.scales")) for name, value in stored.items()}
    layers = 1 + max(int(name.partition(".")[0]) for name in stored if name[0].isdigit())
    head_width = int(stored["to_heads"][-1])
    heads, key_heads, _ = (int(size) // head_width for size in stored["split"])
    turn = math.atan2(float(stored["sines"][1, 1]), float(stored["cosines"][1, 1]))  # theta ** (-2 / head_width)
    norm = next(node for node in model.graph.node if node.op_type == "SimplifiedLayerNormalization")
    return LlamaWeights(
        arrays=arrays,
        layers=layers,
        heads=heads,
        key_heads=key_heads,
        head_width=head_width,
        theta=float(round(turn ** (-head_width / 2))),
        epsilon=next(one.f for one in norm.attribute if one.name == "epsilon"),
        tokens=PromptTokens.read(TableReader.read(rewriter / "rewriter.toml").section("tokens")),
        tokenizer=rewriter / "tokenizer.json",
    )


def restored(numbers: np.ndarray, scales: np.ndarray | None) -> np.ndarray:
    """The matrix that `plainwright.rewriter.graph.quantised` was given, as far as it was kept."""
    if scales is None:
        return numbers
    bits = 8 * numbers.shape[-1] // BLOCK
    if bits == 4:
        numbers = np.stack([numbers & 15, numbers >> 4], axis=-1).reshape(*numbers.shape[:-1], BLOCK)
    values = (numbers.astype(np.float32) - (1 << (bits - 1))) * scales.reshape(*numbers.shape[:-1], 1)
    return np.ascontiguousarray(values.reshape(numbers.shape[0], -1))


def write_folder(weights: LlamaWeights, folder: Path) -> Path:
    """Write what `from_pretrained` reads."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
    from transformers.utils import logging

    config = LlamaConfig(
        vocab_size=weights.vocabulary,
        hidden_size=weights.width,
        intermediate_size=weights.inner,
        num_hidden_layers=weights.layers,
        num_attention_heads=weights.heads,
        num_key_value_heads=weights.key_heads,
        head_dim=weights.head_width,
        max_position_embeddings=1024,
        rms_norm_eps=weights.epsilon,
        rope_parameters={"rope_type": "default", "rope_theta": weights.theta},
        tie_word_embeddings=True,
        bos_token_id=weights.tokens.begin,
        eos_token_id=weights.tokens.end,
    )
    named = {"model.embed_tokens.weight": weights.arrays["embeddings"], "model.norm.weight": weights.arrays["norm"]}
    for layer in range(weights.layers):
        own = {f"self_attn.{one}_proj": part for one, part in zip("qkv", weights.attention(layer), strict=True)}
        own |= {f"mlp.{one}_proj": part for one, part in zip(("gate", "up"), weights.gates(layer), strict=True)}
        own |= {"self_attn.o_proj": weights.arrays[f"{layer}.o"], "mlp.down_proj": weights.arrays[f"{layer}.d"]}
        own |= {"input_layernorm": weights.arrays[f"{layer}.n1"]}
        own |= {"post_attention_layernorm": weights.arrays[f"{layer}.n2"]}
        named |= {f"model.layers.{layer}.{name}.weight": value for name, value in own.items()}
    named["lm_head.weight"] = named["model.embed_tokens.weight"]
    with torch.device("meta"):
        model = LlamaForCausalLM(config)
    state = {name: torch.from_numpy(np.array(value, dtype=np.float32)) for name, value in named.items()}
    model.load_state_dict(state, assign=True)
    model.tie_weights()
    logging.disable_progress_bar()
    model.save_pretrained(folder)
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(weights.tokenizer))
    tokenizer.bos_token, tokenizer.eos_token = tokenizer.convert_ids_to_tokens(
        [weights.tokens.begin, weights.tokens.end]
    )
    tokenizer.save_pretrained(folder)
    return folder


def write_gguf(weights: LlamaWeights, path: Path, kind: str) -> Path:
    """Write a file for llama.cpp, with matrices as `kind` (Q8_0, Q4_0) where rows are long enough."""
    import gguf
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(weights.tokenizer))
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_block_count(weights.layers)
    writer.add_context_length(1024)
    writer.add_embedding_length(weights.width)
    writer.add_feed_forward_length(weights.inner)
    writer.add_head_count(weights.heads)
    writer.add_head_count_kv(weights.key_heads)
    writer.add_rope_dimension_count(weights.head_width)
    writer.add_rope_freq_base(weights.theta)
    writer.add_layer_norm_rms_eps(weights.epsilon)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list([tokenizer.id_to_token(number) or f"<{number}>" for number in range(weights.vocabulary)])
    writer.add_token_merges(["h e"])  # prompts are sent as numbers
    writer.add_bos_token_id(weights.tokens.begin)
    writer.add_eos_token_id(weights.tokens.end)
    quantisation = gguf.GGMLQuantizationType[kind]
    for name, value in gguf_tensors(weights).items():
        if value.ndim == 2:
            packed = gguf.quants.quantize(np.array(value, dtype=np.float32), quantisation)
            writer.add_tensor(f"{name}.weight", packed, raw_dtype=quantisation)
        else:
            writer.add_tensor(f"{name}.weight", value.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def gguf_tensors(weights: LlamaWeights) -> dict[str, Any]:
    tensors = {"token_embd": weights.arrays["embeddings"], "output_norm": weights.arrays["norm"]}
    for layer in range(weights.layers):
        query, key, value = weights.attention(layer)
        gate, up = weights.gates(layer)
        own = {"attn_q": in_pairs(query, weights.heads), "attn_k": in_pairs(key, weights.key_heads), "attn_v": value}
        own |= {"attn_output": weights.arrays[f"{layer}.o"], "ffn_down": weights.arrays[f"{layer}.d"]}
        own |= {"ffn_gate": gate, "ffn_up": up}
        own |= {"attn_norm": weights.arrays[f"{layer}.n1"], "ffn_norm": weights.arrays[f"{layer}.n2"]}
        tensors |= {f"blk.{layer}.{name}": one for name, one in own.items()}
    return tensors


def in_pairs(matrix: np.ndarray, heads: int) -> np.ndarray:
    """llama.cpp's order of rows: pairs that turn together."""
    rows, columns = matrix.shape
    return matrix.reshape(heads, 2, rows // heads // 2, columns).swapaxes(1, 2).reshape(rows, columns)
