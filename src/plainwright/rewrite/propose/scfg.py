"""The SCFG decoder as a proposer: hidden words, lower case and derivations stay in here.

A protected token is hidden from the rules under a name that none of them knows, so no rule can replace, delete or
split it. Every rule that was used is one group of edits.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, overload

from plainwright.decode import Analysis, Decoder, DecoderSettings, Result, Step, SyntaxLabels, analyses_of_tags
from plainwright.grammar import PackedGrammar
from plainwright.grammar.inspection import rank_candidates
from plainwright.lm import LanguageModel
from plainwright.rewrite.propose.derivation import blocks_of
from plainwright.rewrite.surface import Realised, realise
from plainwright.rewrite.types import Edit, Proposal, Proposals, Sentence, Span

if TYPE_CHECKING:
    from plainwright.metrics.base import Array

__all__ = ["AppliedRule", "RuleApplication", "RuleCandidate", "Scfg", "ScfgProposal"]

_HIDDEN = "\x02"  # starts the names of protected words, in no vocabulary: tokens with control characters are protected


class RuleApplication(NamedTuple):
    """Places a rule: which tokens of the sentence it replaced, and with what."""

    source: Span
    grammar: int  # position among the grammars
    rule: int  # number in that grammar
    target: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleCandidate:
    """Says what a rule's source may become, with the score that the weights give to the rule alone."""

    label: str
    target: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedRule:
    """A rule that was used; `candidates` are all rules of its source, best first, itself among them."""

    label: str
    source: str
    target: str
    score: float
    candidates: tuple[RuleCandidate, ...]

    def __str__(self) -> str:
        return f"[{self.label}] {self.source} → {self.target or '(nothing)'}"

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return {"kind": "rule", **asdict(self)}


@dataclass(frozen=True, slots=True)
class RuleEvidence:
    """Points to a rule that was used; what it says is looked up when somebody asks."""

    proposer: Scfg
    rule: RuleApplication

    def with_alternatives(self, number: int) -> AppliedRule:
        """Return the rule as people read it, with at most so many alternatives."""
        return self.proposer.explain(self.rule, alternatives=number)

    def __str__(self) -> str:
        return str(self.with_alternatives(0))

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form, without alternatives."""
        return self.with_alternatives(0).to_dict()


class Scfg:
    """Proposes what rules, a language model and weights make of a sentence; safe to use from several threads."""

    name = "scfg"
    asks_again = True  # it heeds protected tokens, so it can be asked for something more careful

    def __init__(
        self,
        grammars: Sequence[PackedGrammar],
        *,
        lm: LanguageModel | None = None,
        weights: Mapping[str, float],
        settings: DecoderSettings | None = None,
        syntax: SyntaxLabels | None = None,
    ) -> None:
        self.syntax = syntax
        self.grammars = tuple(grammars)
        self.lm = lm
        self.weights = dict(weights)
        self.settings = settings or DecoderSettings()
        self._decoders: dict[int, Decoder] = {}
        self.feature_names = self._decoder(1).feature_names  # weights that name no feature are found now

    def propose(self, sentences: Sequence[Sentence], *, limit: int, threads: int) -> list[Proposals]:
        """Return at most `limit` outputs of the decoder for each sentence, best first."""
        words = list(map(_decoder_words, sentences))
        results = self._decoder(limit).decode(words, analyses=self._analyses(sentences), threads=threads)
        return [_ScfgProposals(sentence, result, self) for sentence, result in zip(sentences, results, strict=True)]

    def _analyses(self, sentences: Sequence[Sentence]) -> list[Analysis] | None:
        if self.syntax is not None:
            return self.syntax.analyses([[token.text for token in sentence.tokens] for sentence in sentences])
        if any(sentence.tags for sentence in sentences):
            return [_analysis(tuple(sentence.tags)) for sentence in sentences]
        return None

    def explain(self, rule: RuleApplication, *, alternatives: int) -> AppliedRule:
        """Return the rule as people read it, with so many alternatives."""
        grammar = self.grammars[rule.grammar]
        [line] = grammar.lines(range(rule.rule, rule.rule + 1))
        label, source, target, _ = line.split(" ||| ", 3)
        ranked = self._ranked(grammar, source) if alternatives else []
        row = grammar.features(range(rule.rule, rule.rule + 1))[0].tolist()
        score = sum(self.weights.get(name, 0.0) * value for name, value in zip(grammar.feature_names, row, strict=True))
        return AppliedRule(
            label=label[1:-1], source=source, target=target, score=score, candidates=tuple(ranked[:alternatives])
        )

    def _ranked(self, grammar: PackedGrammar, source: str) -> list[RuleCandidate]:
        known = {name: weight for name, weight in self.weights.items() if name in grammar.feature_names}
        ranked = rank_candidates(grammar, source, known, reasons=0)
        return [RuleCandidate(candidate.lhs, candidate.target, candidate.score) for candidate in ranked]

    def _decoder(self, limit: int) -> Decoder:
        if limit not in self._decoders:
            settings = replace(self.settings, candidates=limit, derivations=None)
            self._decoders[limit] = Decoder(self.grammars, lm=self.lm, weights=self.weights, settings=settings)
        return self._decoders[limit]


class _ScfgProposals(Proposals):
    """The decoder's list for one sentence; each proposal is made when it is asked for."""

    def __init__(self, sentence: Sentence, result: Result, proposer: Scfg) -> None:
        too_long = f"left as it is: more than {proposer.settings.max_tokens} tokens"
        self.note = too_long if result.too_long else ""
        self._sentence = sentence
        self._result = result
        self._proposer = proposer
        self._made: dict[int, ScfgProposal] = {}

    def __len__(self) -> int:
        return len(self._result)

    @overload
    def __getitem__(self, rank: int) -> Proposal: ...
    @overload
    def __getitem__(self, rank: slice) -> Sequence[Proposal]: ...
    def __getitem__(self, rank: int | slice) -> Proposal | Sequence[Proposal]:
        if isinstance(rank, slice):
            return [self._proposal(position) for position in range(*rank.indices(len(self)))]
        return self._proposal(range(len(self))[rank])

    def _proposal(self, rank: int) -> ScfgProposal:
        if rank not in self._made:
            self._made[rank] = ScfgProposal(self._sentence, self._result, rank, self._proposer)
        return self._made[rank]


class ScfgProposal(Proposal):
    """One output of the decoder; text and edits are worked out when they are first asked for."""

    def __init__(self, sentence: Sentence, result: Result, rank: int, proposer: Scfg) -> None:
        super().__init__(sentence, "", score=result.score(rank), origin=proposer.name)
        self.proposer = proposer
        self._result = result
        self._rank = rank
        self._tokens = result.tokens(rank)
        self._surface: Realised | None = None
        self._steps: tuple[Step, ...] = ()
        self._applications: tuple[RuleApplication, ...] | None = None

    @property
    def applications(self) -> tuple[RuleApplication, ...]:
        """The rules behind it; rule number n made the edits of group n."""
        if self._applications is None:
            self._applications = tuple(
                RuleApplication(source, grammar, rule, self._tokens[slice(*target)])
                for grammar, rule, source, target in self._result.rules(self._rank)
            )
        return self._applications

    @property
    def features(self) -> Array:
        """Unweighted features, in the order of the proposer's `feature_names`."""
        row: Array = self._result.features[self._rank]
        return row

    @property
    def text(self) -> str:
        """The sentence as it would be written."""
        if self.unchanged:
            return self.sentence.text
        return self._realised().text

    @property
    def unchanged(self) -> bool:
        """Whether it has the words of the sentence, or words that no rule knows have only traded places."""
        if list(self._tokens) == _decoder_words(self.sentence):
            return True
        return self.proposer.settings.search == "phrases" and not self.applications

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What differs from the source, in order, with the rules behind it as evidence, innermost first."""
        if self._edits is None:
            self._edits = () if self.unchanged else tuple(self._made_edits())
        return self._edits

    @property
    def groups(self) -> int:
        """How many rules were used."""
        return len(self.applications)

    @property
    def changes(self) -> int:
        """How many rules change something."""
        words = _decoder_words(self.sentence)
        return sum(list(rule.target) != words[slice(*rule.source)] for rule in self.applications)

    @property
    def tokenised(self) -> str:
        """The words in lower case, separated by spaces."""
        shown = _shown(self._tokens)
        tokens = self.sentence.tokens
        return " ".join(tokens[word].text.lower() if isinstance(word, int) else word for word in shown)

    def source_tokens(self, group: int) -> Span:
        """Return which tokens of the sentence a rule replaced."""
        return self.applications[group].source

    def written(self, group: int) -> tuple[str, ...]:
        """Return the tokens that a rule wrote."""
        return self.applications[group].target

    def _realised(self) -> Realised:
        if self._surface is None:
            sentence = self.sentence
            self._steps = self._result.derivation(self._rank)
            self._surface = realise(
                sentence.text,
                sentence.tokens,
                _shown(self._tokens),
                blocks=blocks_of(self._steps),
                fixed=sentence.fixed,
            )
        return self._surface

    def _made_edits(self) -> Iterator[Edit]:
        surface = self._realised()
        rules = (position for position, step in enumerate(self._steps) if step.kind == "rule")
        numbers = {position: number for number, position in enumerate(rules)}
        group = 0
        for change in surface.changes():
            behind = tuple(numbers[position] for position in change.rules)
            # A line break may have moved away from the words that went; it belongs to them.
            group = behind[0] if behind else group
            yield Edit(
                kind=change.kind,
                source_span=change.source_span,
                target_span=change.target_span,
                source_text=self.sentence.text[slice(*change.source_span)],
                target_text=surface.text[slice(*change.target_span)],
                group=group,
                origin=self.origin,
                evidence=tuple(RuleEvidence(self.proposer, self.applications[rule]) for rule in behind[::-1]),
            )


@functools.lru_cache(maxsize=4096)  # a sentence is often decoded twice
def _analysis(tags: tuple[str, ...]) -> Analysis:
    return analyses_of_tags([tags])[0]


def _decoder_words(sentence: Sentence) -> list[str]:
    """The tokens as rules see them."""
    fixed = sentence.fixed
    known: list[str] | None = sentence.memo.get(fixed)
    if known is None:
        known = [f"{_HIDDEN}{n}" if n in fixed else token.text.lower() for n, token in enumerate(sentence.tokens)]
        sentence.memo[fixed] = known
    return known


def _shown(tokens: Sequence[str]) -> list[str | int]:
    """The decoder's tokens with the numbers of protected ones."""
    return [int(token[1:]) if token.startswith(_HIDDEN) else token for token in tokens]
