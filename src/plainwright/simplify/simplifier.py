"""Raw text in, raw text out: sentences, tokens, protected words, decoding, and the way back.

What the decoder does not change comes back to the letter. Every change carries the rules that made it and what else
they could have been, so a reader can see why.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from plainwright.decode import Candidate, Decoder, Settings
from plainwright.decode import Result as KBestResult
from plainwright.decode.bundle import ModelBundle
from plainwright.errors import DataError
from plainwright.grammar import PackedGrammar
from plainwright.grammar.inspection import rank_candidates
from plainwright.lm import LanguageModel
from plainwright.simplify.protect import Protection, protected_tokens
from plainwright.simplify.surface import Change, ChangeKind, realise
from plainwright.text import Token, ptb_tokenize, sentence_spans

__all__ = ["Alternative", "Edit", "SimplifiedSentence", "SimplifiedText", "Simplifier", "load"]

IDENTITY = "IdentityRule"
_STRENGTH_RANGE = 2.0  # how far full strength moves the weight of leaving a word as it is


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another way to put the same words, with the translation model's score."""

    target: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One change, in characters of the whole text before and after."""

    kind: ChangeKind
    source_span: tuple[int, int]
    target_span: tuple[int, int]
    source_text: str
    target_text: str
    rules: tuple[str, ...]  # as text, innermost first
    alternatives: tuple[Alternative, ...]

    def to_dict(self) -> dict[str, object]:
        """The JSON form."""
        return {
            "kind": self.kind,
            "source_span": list(self.source_span),
            "target_span": list(self.target_span),
            "source": self.source_text,
            "target": self.target_text,
            "rules": list(self.rules),
            "alternatives": [{"target": a.target, "score": a.score} for a in self.alternatives],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SimplifiedSentence:
    """One sentence before and after; `others` are further candidates, best first."""

    source: str
    text: str
    score: float | None  # None if it was not decoded
    edits: tuple[Edit, ...]
    others: tuple[str, ...] = ()
    note: str = ""  # why it was left alone


@dataclass(frozen=True, slots=True, kw_only=True)
class SimplifiedText:
    """A whole text after simplification."""

    source: str
    text: str
    sentences: tuple[SimplifiedSentence, ...]

    @property
    def edits(self) -> tuple[Edit, ...]:
        """All edits, in order."""
        return tuple(edit for sentence in self.sentences for edit in sentence.edits)

    def to_dict(self) -> dict[str, object]:
        """The JSON form."""
        return {
            "source": self.source,
            "text": self.text,
            "sentences": [
                {
                    "source": sentence.source,
                    "text": sentence.text,
                    "score": sentence.score,
                    "others": list(sentence.others),
                    "note": sentence.note,
                    "edits": [edit.to_dict() for edit in sentence.edits],
                }
                for sentence in self.sentences
            ],
        }


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence made ready for the decoder: protected tokens stand under names that no rule knows."""

    start: int
    raw: str
    tokens: list[Token]
    words: list[str]
    hidden: Mapping[str, str]


class Simplifier:
    """A model ready for text; safe to use from several threads.

    `strength` from -1 (careful) to 1 (bold) lowers or raises the reward for leaving a word as it is: full strength
    moves the weight of `IdentityRule` by 2.
    """

    def __init__(
        self,
        grammars: Sequence[PackedGrammar],
        *,
        lm: LanguageModel | None = None,
        weights: Mapping[str, float],
        settings: Settings | None = None,
        strength: float = 0.0,
    ) -> None:
        if not -1 <= strength <= 1:
            msg = f"strength must be from -1 (careful) to 1 (bold), got {strength!r}"
            raise DataError(msg)
        self.grammars = tuple(grammars)
        self.lm = lm
        self.weights = {**weights, IDENTITY: weights.get(IDENTITY, 0.0) - _STRENGTH_RANGE * strength}
        self.settings = settings or Settings()
        self._decoders: dict[int, Decoder] = {}

    def simplify(
        self,
        text: str,
        *,
        protection: Protection | None = None,
        n_best: int = 1,
        alternatives: int = 5,
        threads: int = 1,
    ) -> SimplifiedText:
        """Simplify a text of any number of sentences and paragraphs."""
        prepared = [_prepare(text, span, protection or Protection()) for span in sentence_spans(text)]
        results = self._decoder(n_best).decode([sentence.words for sentence in prepared], threads=threads)
        pieces: list[str] = []
        sentences: list[SimplifiedSentence] = []
        at = length = 0
        for sentence, result in zip(prepared, results, strict=True):
            gap = text[at : sentence.start]
            at = sentence.start + len(sentence.raw)
            done = self._sentence(sentence, result, shift=length + len(gap), alternatives=alternatives)
            pieces += [gap, done.text]
            length += len(gap) + len(done.text)
            sentences.append(done)
        return SimplifiedText(source=text, text="".join(pieces) + text[at:], sentences=tuple(sentences))

    def _decoder(self, candidates: int) -> Decoder:
        if candidates not in self._decoders:
            settings = replace(self.settings, candidates=candidates, derivations=1)
            self._decoders[candidates] = Decoder(self.grammars, lm=self.lm, weights=self.weights, settings=settings)
        return self._decoders[candidates]

    def _sentence(
        self, sentence: _Sentence, result: KBestResult, *, shift: int, alternatives: int
    ) -> SimplifiedSentence:
        if result.too_long or len(result) == 0:
            note = f"left as it is: more than {self.settings.max_tokens} tokens" if result.too_long else ""
            return SimplifiedSentence(source=sentence.raw, text=sentence.raw, score=None, edits=(), note=note)
        best = result[0]
        text, changes = realise(sentence.raw, sentence.tokens, _shown(best.tokens, sentence.hidden))
        others = [
            realise(sentence.raw, sentence.tokens, _shown(line.split(), sentence.hidden))[0]
            for line in result.texts[1:]
        ]
        return SimplifiedSentence(
            source=sentence.raw,
            text=text,
            score=best.score,
            edits=tuple(self._edit(change, best, sentence, shift, alternatives) for change in changes),
            others=tuple(others),
        )

    def _edit(self, change: Change, best: Candidate, sentence: _Sentence, shift: int, alternatives: int) -> Edit:
        used = [
            step
            for step in best.derivation
            if step.kind == "rule"
            and step.source[0] < change.source_tokens[1]
            and step.source[1] > change.source_tokens[0]
        ]
        used.sort(key=lambda step: -step.depth)
        lines = []
        found: list[Alternative] = []
        for step in used:
            assert step.grammar is not None
            assert step.rule is not None
            grammar = self.grammars[step.grammar]
            lines += [line.split(" ||| ", 3)[:3] for line in grammar.lines(range(step.rule, step.rule + 1))]
            if not found and alternatives:
                found = self._alternatives(grammar, sentence.words[slice(*step.source)])[:alternatives]
        return Edit(
            kind=change.kind,
            source_span=(sentence.start + change.source_span[0], sentence.start + change.source_span[1]),
            target_span=(shift + change.target_span[0], shift + change.target_span[1]),
            source_text=change.source_text,
            target_text=change.target_text,
            rules=tuple(" ".join((lhs, source, "→", target)) for lhs, source, target in lines),
            alternatives=tuple(found),
        )

    def _alternatives(self, grammar: PackedGrammar, words: Sequence[str]) -> list[Alternative]:
        known = {name: weight for name, weight in self.weights.items() if name in grammar.feature_names}
        ranked = rank_candidates(grammar, " ".join(words), known, reasons=0)
        return [Alternative(candidate.target, candidate.score) for candidate in ranked]


def load(model: str | Path, *, strength: float = 0.0) -> Simplifier:
    """The simplifier in a model directory."""
    bundle = ModelBundle.load(model)
    known = {name: value for name, value in bundle.settings.items() if name in Settings.__dataclass_fields__}
    return Simplifier(
        [PackedGrammar(path) for path in bundle.grammar_paths],
        lm=None if bundle.language_model_path is None else LanguageModel.open(bundle.language_model_path),
        weights=bundle.weights,
        settings=Settings(**known),  # type: ignore[arg-type]
        strength=strength,
    )


def _prepare(text: str, span: tuple[int, int], protection: Protection) -> _Sentence:
    raw = text[slice(*span)]
    tokens = ptb_tokenize(raw)
    reasons = protected_tokens(raw, tokens, protection)
    words: list[str] = []
    hidden: dict[str, str] = {}
    for number, (token, reason) in enumerate(zip(tokens, reasons, strict=True)):
        word = token.text.lower()
        if reason is not None:
            name = f"\x02{number}"  # in no vocabulary: text with control characters is never tokenised to this
            hidden[name] = word
            word = name
        words.append(word)
    return _Sentence(span[0], raw, tokens, words, hidden)


def _shown(tokens: Iterable[str], hidden: Mapping[str, str]) -> list[str]:
    return [hidden.get(token, token) for token in tokens]
