"""Hugging Face folders of tiny sizes; making them needs torch, so only slow tests do."""

from __future__ import annotations

from pathlib import Path

from tests.lens.tiny import VOCABULARY, tokenizer


def save_local_folder(folder: Path, *, family: str = "bert", layers: int = 2, seed: int = 0) -> Path:
    """config.json, weights and tokenizer.json of a transformer with random weights."""
    import torch
    from transformers import BertConfig, BertModel, RobertaConfig, RobertaModel

    sizes = {
        "vocab_size": len(VOCABULARY),
        "hidden_size": 16,
        "num_hidden_layers": layers,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "max_position_embeddings": 130,
    }
    torch.manual_seed(seed)
    if family == "bert":
        model = BertModel(BertConfig(**sizes), add_pooling_layer=False)
    else:
        model = RobertaModel(RobertaConfig(**sizes, pad_token_id=0), add_pooling_layer=False)
    folder.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(folder)
    tokenizer().save(str(folder / "tokenizer.json"))
    return folder
