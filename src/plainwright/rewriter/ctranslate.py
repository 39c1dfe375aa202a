"""Continues prompts with CTranslate2: for models that were not trained here.

CTranslate2 writes the likeliest tokens and tells all logits on the way. A sample is made of such runs: it follows one
for as long as its own noise chooses the same tokens, and where it does not, the next run goes on from its choice. So
samples depend on the seed alone, as they do in `decoding.py`, whatever CTranslate2's own generators of numbers do.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from plainwright.rewriter.decoding import NEVER, Draft, Generated, Prompt, Scores, generate_each, log_probability

__all__ = ["SHAPES", "CTranslateGenerator", "Shape", "Vocabulary"]

Shape = Literal["decoder", "encoder-decoder"]
SHAPES: tuple[Shape, ...] = get_args(Shape)
_AHEAD = 12  # tokens of a run for a sample; what is read after its noise chose otherwise is for nothing
_LINE_FEEDS = ("\n", "Ċ", "<0x0A>")  # as vocabularies may write it


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The tokens that the model reads and writes, in its order, with their numbers in the tokenizer."""

    tokens: tuple[str, ...]
    ids: tuple[int | None, ...]
    ends: frozenset[int]  # end a rewrite, and are no part of it; places in `tokens`, as all that follow
    line_feeds: frozenset[int]  # have text and then a line feed, which ends a rewrite, too
    unwritten: tuple[int, ...]

    @classmethod
    def of(cls, tokens: Sequence[str], tokenizer: Any, ends: Sequence[str]) -> Vocabulary:
        """Find the tokens that end a rewrite, and those that no rewrite has."""
        ids = tuple(map(tokenizer.token_to_id, tokens))
        special = {number for number, token in tokenizer.get_added_tokens_decoder().items() if token.special}
        breaking = {
            place: tokenizer.decode([ids[place]], skip_special_tokens=False)
            for place, token in enumerate(tokens)
            if ids[place] is not None and any(mark in token for mark in _LINE_FEEDS)
        }
        stops = {place for place, token in enumerate(tokens) if token in ends}
        stops |= {place for place, text in breaking.items() if text.startswith("\n")}
        unwritten = [place for place, own in enumerate(ids) if (own is None or own in special) and place not in stops]
        inner = frozenset(place for place, text in breaking.items() if "\n" in text) - stops
        return cls(tuple(tokens), ids, frozenset(stops), inner, tuple(unwritten))


class CTranslateGenerator:
    """Runs a converted model; safe to use from several threads."""

    def __init__(
        self,
        directory: Path,
        tokenizer: Any,
        vocabulary: Vocabulary,
        *,
        shape: Shape,
        ends: Sequence[str],
        begin: Sequence[str] = (),
    ) -> None:
        import ctranslate2

        opened = ctranslate2.Generator if shape == "decoder" else ctranslate2.Translator
        # Callers bound how many of these run at once; weights are shared.
        self._model = opened(str(directory), "cpu", intra_threads=1, inter_threads=os.cpu_count() or 1)
        self._tokenizer = tokenizer
        self._vocabulary = vocabulary
        self._unwritten = list(vocabulary.unwritten)
        self._is_decoder = shape == "decoder"
        self._begin = list(begin)
        self._end = vocabulary.tokens.index(ends[0])
        self._ends = sorted(vocabulary.tokens[place] for place in vocabulary.ends)

    def generate(self, prompts: Sequence[Prompt], *, threads: int = 1) -> list[Generated]:
        """Continue each prompt."""
        return generate_each(prompts, self._continued, threads=threads)

    def judged(self, prompt: Prompt, ids: Sequence[int]) -> Generated:
        """Return how likely these tokens and the end are after the prompt."""
        written = [self._tokenizer.id_to_token(one) for one in ids]
        read = self._read(prompt)
        if self._is_decoder:
            scores = np.array(self._model.forward_batch([read + written]))[0, len(read) - 1 :]
        else:
            scores, _ = self._translated(read, written, most=1, known=0)
        wanted = [*map(self._vocabulary.tokens.index, written), self._end]
        own = tuple(log_probability(one, place) for one, place in zip(scores, wanted, strict=True))
        return Generated(tuple(ids), own, finished=True)

    def _continued(self, prompt: Prompt) -> Generated:
        vocabulary = self._vocabulary
        draft = Draft(prompt)
        read = self._read(prompt)
        while not draft.finished and len(draft.written) < prompt.most:
            room = prompt.most - len(draft.written)
            scores, tokens = self._run(read, draft.written, room if prompt.seed is None else min(room, _AHEAD))
            scores[:, self._unwritten] = NEVER
            self._follow(draft, scores, tokens)
        ids = (vocabulary.ids[place] for place in draft.written)
        return Generated(tuple(one for one in ids if one is not None), tuple(draft.log_probabilities), draft.finished)

    def _follow(self, draft: Draft, scores: Scores, tokens: Sequence[str]) -> None:
        """Write the next tokens for as long as they are those of the run."""
        for one, likeliest in zip(scores, tokens, strict=True):
            token = draft.next_token(one)
            if token in self._vocabulary.ends:
                draft.finished = True
                return
            draft.written.append(token)
            if token in self._vocabulary.line_feeds:
                draft.finished = True
                return
            if self._vocabulary.tokens[token] != likeliest:
                return

    def _run(self, read: list[str], written: Sequence[int], most: int) -> tuple[Scores, list[str]]:
        """Return the likeliest next tokens and the logits along them."""
        tokens = [self._vocabulary.tokens[place] for place in written]
        if not self._is_decoder:
            return self._translated(read, tokens, most=most, known=len(tokens))
        [result] = self._model.generate_batch(
            [read + tokens],
            include_prompt_in_result=False,
            max_length=most,
            end_token=self._ends,
            return_end_token=True,
            return_logits_vocab=True,
        )
        return _stacked(result.logits[0]), result.sequences[0]

    def _translated(self, read: list[str], written: list[str], *, most: int, known: int) -> tuple[Scores, list[str]]:
        prefix = self._begin + written
        [result] = self._model.translate_batch(
            [read],
            target_prefix=[prefix or None],
            beam_size=1,
            max_input_length=0,
            max_decoding_length=len(prefix) + most,
            min_decoding_length=0,
            end_token=self._ends,
            return_end_token=True,
            return_logits_vocab=True,
        )
        first = len(self._begin) + known
        return _stacked(result.logits[0][first:]), result.hypotheses[0][first:]

    def _read(self, prompt: Prompt) -> list[str]:
        return [self._tokenizer.id_to_token(one) for one in prompt.ids]


def _stacked(rows: Sequence[Any]) -> Scores:
    return np.array([np.array(row) for row in rows])
