"""Tokenizers of others as one file that `tokenizers` reads."""

from __future__ import annotations

from typing import Any

__all__ = ["fast_tokenizer"]

_ELSEWHERE = -1e4  # score of a piece that only the target language has: no source is made of it


def fast_tokenizer(tokenizer: Any) -> Any:
    """Return what `tokenizers` has behind a tokenizer of transformers, or makes of one."""
    if type(tokenizer).__name__ == "MarianTokenizer":
        return _marian(tokenizer)
    if getattr(tokenizer, "is_fast", False):
        return tokenizer.backend_tokenizer
    from transformers.convert_slow_tokenizer import convert_slow_tokenizer

    return convert_slow_tokenizer(tokenizer)


def _marian(tokenizer: Any) -> Any:
    """Marian has two models of pieces and one vocabulary; texts are read with the first, and written with both."""
    from tokenizers import AddedToken
    from transformers.convert_slow_tokenizer import SpmConverter

    class Pieces(SpmConverter):  # type: ignore[misc]
        """The pieces of the source, in the order of the vocabulary."""

        def vocab(self, proto: Any) -> list[tuple[str, float]]:
            scores = {piece.piece: piece.score for piece in proto.pieces}
            order = sorted(tokenizer.encoder, key=tokenizer.encoder.get)
            return [(token, scores.get(token, _ELSEWHERE)) for token in order]

        def unk_id(self, proto: Any) -> int:
            return int(tokenizer.unk_token_id)

        def post_processor(self) -> Any:
            from tokenizers.processors import TemplateProcessing

            end = (tokenizer.eos_token, tokenizer.eos_token_id)
            return TemplateProcessing(single=f"$A {end[0]}", pair=f"$A $B {end[0]}", special_tokens=[end])

    tokenizer.vocab_file = tokenizer.spm_files[0]
    made = Pieces(tokenizer).converted()
    special = (tokenizer.eos_token, tokenizer.unk_token, tokenizer.pad_token)
    made.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in special])
    return made
