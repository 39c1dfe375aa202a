"""Language models as others publish them, with weights drawn by chance and a tokenizer of a few lines."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

SENTENCES = (
    "The cat sat on the mat.",
    "The dog ran and the cat sat.",
    "It was a big dog and a big cat on the mat.",
    "The committee did not approve the purchase of the building.",
)
SPECIAL = ("<pad>", "<s>", "</s>", "<unk>")
CHAT = "{% for m in messages %}<s>{{ m['role'] }}\n{{ m['content'] }}</s>{% endfor %}<s>assistant{{ '\n' }}"
_DECODER = {
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 256,
    "initializer_range": 0.15,
}
_BOTH = {
    "d_model": 64,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 128,
    "decoder_ffn_dim": 128,
    "max_position_embeddings": 128,
    "init_std": 0.15,
    "decoder_start_token_id": 2,
    "forced_bos_token_id": None,
    "forced_eos_token_id": None,
}
_T5 = {"d_model": 64, "d_kv": 16, "d_ff": 128, "num_layers": 2, "num_heads": 4, "decoder_start_token_id": 0}
_KINDS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "llama": ("LlamaConfig", "LlamaForCausalLM", _DECODER),
    "qwen2": ("Qwen2Config", "Qwen2ForCausalLM", _DECODER),
    "gpt2": ("GPT2Config", "GPT2LMHeadModel", {"n_embd": 64, "n_layer": 2, "n_head": 4, "n_positions": 128}),
    "t5": ("T5Config", "T5ForConditionalGeneration", _T5),
    "mt5": ("MT5Config", "MT5ForConditionalGeneration", _T5),
    "bart": ("BartConfig", "BartForConditionalGeneration", _BOTH | {"forced_bos_token_id": 1}),
    "bert": ("BertConfig", "BertForMaskedLM", {**_DECODER, "is_decoder": False}),
    "gpt_neo": (
        "GPTNeoConfig",
        "GPTNeoForCausalLM",
        {"hidden_size": 64, "num_layers": 2, "num_heads": 4, "attention_types": [[["global"], 2]]},
    ),
}


def byte_tokenizer() -> Any:
    """Byte pairs, as GPT-2 and most decoders have them."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=320, special_tokens=list(SPECIAL), initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator([f"{line}\n" for line in SENTENCES * 4], trainer)
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 2)])
    names = dict(zip(("pad_token", "bos_token", "eos_token", "unk_token"), SPECIAL, strict=True))
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)


def write_model(folder: Path, kind: str, *, chat: bool = False) -> Path:
    """Write a folder as `save_pretrained` does."""
    import torch
    import transformers
    from tokenizers import processors

    tokenizer = byte_tokenizer()
    if kind in ("llama", "qwen2", "gpt2", "gpt_neo"):
        single = "<s> $A" if kind == "llama" else "$A"
        tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
            single=single, special_tokens=[("<s>", 1)]
        )
    if chat:
        tokenizer.chat_template = CHAT
    config_name, model_name, sizes = _KINDS[kind]
    numbers = {"vocab_size": len(tokenizer), "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
    torch.manual_seed(1)
    config = getattr(transformers, config_name)(**numbers, **sizes)
    return _saved(folder, getattr(transformers, model_name)(config), tokenizer.save_pretrained)


def write_marian(folder: Path) -> Path:
    """Write a translator as Helsinki's: two models of pieces, and one vocabulary that ends in <pad>."""
    import sentencepiece
    import torch
    from transformers import MarianConfig, MarianMTModel

    folder.mkdir()
    for side, lines in (
        ("source", SENTENCES),
        ("target", (*SENTENCES, "Zwölf Jäger quälen ihn am Bach von Köln, bis früh um vier, und Max schläft.")),
    ):
        text = folder / f"{side}.txt"
        text.write_text("\n".join(lines * 4) + "\n", encoding="utf-8")
        sentencepiece.SentencePieceTrainer.train(
            input=str(text),
            model_prefix=str(folder / side),
            vocab_size={"source": 34, "target": 48}[side],
            minloglevel=2,
            bos_id=-1,
            eos_id=1,
            unk_id=0,
        )
        (folder / f"{side}.model").rename(folder / f"{side}.spm")
        text.unlink()
    pieces: dict[str, int] = {"</s>": 0, "<unk>": 1}
    for side in ("source", "target"):
        model = sentencepiece.SentencePieceProcessor(model_file=str(folder / f"{side}.spm"))
        for number in range(model.get_piece_size()):
            pieces.setdefault(model.id_to_piece(number), len(pieces))
    pieces["<pad>"] = len(pieces)
    (folder / "vocab.json").write_text(json.dumps(pieces), encoding="utf-8")
    settings = {"tokenizer_class": "MarianTokenizer", "source_lang": "en", "target_lang": "de"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    torch.manual_seed(1)
    last = len(pieces) - 1
    sizes = _BOTH | {"vocab_size": len(pieces), "pad_token_id": last, "eos_token_id": 0, "decoder_start_token_id": last}
    config = MarianConfig(**sizes, scale_embedding=True, static_position_embeddings=True)
    return _saved(folder, MarianMTModel(config), lambda _: None)


def _saved(folder: Path, model: Any, save_tokenizer: Callable[[Path], object]) -> Path:
    from transformers.utils import logging

    logging.disable_progress_bar()
    model.save_pretrained(folder)
    save_tokenizer(folder)
    return folder
