"""Raw text in, raw text out: sentences, tokens, protected words, decoding, and the way back.

What the decoder does not change comes back to the letter. Every change carries the rules that made it and what else
they could have been, so a reader can see why.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from plainwright.decode import Candidate, Decoder, Settings, Step, analyses_of_tags
from plainwright.decode import Result as KBestResult
from plainwright.errors import DataError
from plainwright.grammar import PackedGrammar
from plainwright.grammar.inspection import rank_candidates
from plainwright.lm import LanguageModel
from plainwright.metrics.base import Metric
from plainwright.rewrite.blocks import blocks_of
from plainwright.rewrite.caution import words_to_spare
from plainwright.rewrite.paragraphs import Part, paragraphs, with_references
from plainwright.rewrite.prepared import PreparedSentence, prepared_sentences
from plainwright.rewrite.protect import Protection
from plainwright.rewrite.reranking import RERANKERS, Rerank, Reranker, Shortlist, reranker
from plainwright.rewrite.result import AppliedRule, Edit, RuleCandidate, SimplifiedSentence, SimplifiedText
from plainwright.rewrite.risks import RISK, Risks
from plainwright.rewrite.second_look import SecondLook
from plainwright.rewrite.surface import LINE_BREAK, Change, realise
from plainwright.text.tagging import Tagger

__all__ = ["IDENTITY", "Simplifier", "realised"]

IDENTITY = "IdentityRule"
_STRENGTH_RANGE = 2.0  # how far full strength moves the weight of leaving a word as it is
_RISK_RANGE = 3.0  # by how much full strength divides the weight of a rule's risk, and full care multiplies it
_OTHER_WAYS = 30  # candidates among which another wording is looked for, where the best one risks too much
_BATCH = 100_000  # characters that are decoded together, so that threads have something to share


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """How a text is to be treated."""

    protection: Protection
    n_best: int
    alternatives: int
    reranker: Reranker | None
    candidates: int


@dataclass(frozen=True, slots=True)
class _Decoded:
    """A sentence, its candidates, and the one that is taken if nobody chooses anew."""

    sentence: PreparedSentence
    result: KBestResult
    best: int = 0


class Simplifier:
    """A model ready for text; safe to use from several threads.

    `strength` goes from -1 (careful) to 1 (bold), see `_at_strength`. A `tagger` tells the decoder the part of
    speech of every word, so that `LabelAgrees` counts the rules that fit. The risks of the edits in a sentence do not
    sum to more than `sentence_risk`, if there is such a limit; a `second_look` tells these risks better than the rules.
    """

    def __init__(
        self,
        grammars: Sequence[PackedGrammar],
        *,
        lm: LanguageModel | None = None,
        tagger: Tagger | None = None,
        weights: Mapping[str, float],
        settings: Settings | None = None,
        second_look: SecondLook | None = None,
        sentence_risk: float | None = None,
        strength: float = 0.0,
    ) -> None:
        if not -1 <= strength <= 1:
            msg = f"strength must be from -1 (careful) to 1 (bold), got {strength!r}"
            raise DataError(msg)
        self.grammars = tuple(grammars)
        self.lm = lm
        self.tagger = tagger
        self.weights = _at_strength(weights, strength)
        self.sentence_risk = _limit_at_strength(sentence_risk, strength)
        self.settings = settings or Settings()
        self._risks = Risks(grammars, second_look, lm, tagger)
        self._decoders: dict[int, Decoder] = {}
        self._decoder(1)  # so that weights which name no feature are found now

    def simplify(
        self,
        text: str,
        *,
        protection: Protection | None = None,
        n_best: int = 1,
        alternatives: int = 5,
        rerank: Rerank | Reranker | None = None,
        utility: str | Metric = "sari",
        candidates: int | None = None,
        threads: int = 1,
    ) -> SimplifiedText:
        """Simplify a text of any number of sentences and paragraphs.

        Each sentence comes with `n_best` ways to put it, each edit with so many `alternatives` for its rules. With
        `rerank`, the best of `candidates` is chosen anew: by distance from the input, or by a metric, the `utility`; a
        ready-made `reranker` has more settings. No candidate is chosen that risks more than a sentence may.
        """
        parts = self.stream(
            [text],
            protection=protection,
            n_best=n_best,
            alternatives=alternatives,
            rerank=rerank,
            utility=utility,
            candidates=candidates,
            threads=threads,
        )
        return SimplifiedText.joined(parts)

    def stream(
        self,
        pieces: Iterable[str],
        *,
        lines: bool = False,
        protection: Protection | None = None,
        n_best: int = 1,
        alternatives: int = 5,
        rerank: Rerank | Reranker | None = None,
        utility: str | Metric = "sari",
        candidates: int | None = None,
        references: Iterable[Sequence[str]] | None = None,
        threads: int = 1,
    ) -> Iterator[SimplifiedText]:
        """Simplify a text that comes in pieces of any size, paragraph by paragraph; with `lines`, line by line.

        Joined, the results are what `simplify` gives for the whole; only a few paragraphs are in memory at a time.
        `references` are pseudo-references of every line for `rerank="metric"`, such as outputs of other systems.
        """
        if n_best < 1 or (candidates is not None and candidates < 1):
            msg = f"n_best and candidates must be at least 1, got {n_best} and {candidates}"
            raise DataError(msg)
        if isinstance(rerank, str):
            rerank = reranker(rerank, utility=utility, threads=threads)
        if references is not None and not (lines and rerank is not None and rerank.name == "metric"):
            msg = "references go with lines=True and rerank='metric', which compares every line with its own"
            raise DataError(msg)
        looked_at = 1 if rerank is None else candidates or RERANKERS[rerank.name]
        job = _Job(
            protection=protection or Protection(),
            n_best=n_best,
            alternatives=alternatives,
            reranker=rerank,
            candidates=max(n_best, looked_at),
        )
        parts = with_references(paragraphs(pieces, lines=lines), references)
        for batch in _batches(parts):
            yield from self._simplify_batch(batch, job, threads)

    def _simplify_batch(self, batch: Sequence[Part], job: _Job, threads: int) -> Iterator[SimplifiedText]:
        prepared = [prepared_sentences(part.text, job.protection) for part in batch]
        flat = [sentence for sentences in prepared for sentence in sentences]
        decoded = iter(self._decoded(flat, job.candidates, threads))
        for part, sentences in zip(batch, prepared, strict=True):
            yield self._text(part, [next(decoded) for _ in sentences], job)

    def _decoded(self, sentences: list[PreparedSentence], candidates: int, threads: int) -> list[_Decoded]:
        """Each sentence with its candidates.

        Where the best one risks too much, words are protected until the rest does not; or if it changes more, another
        one of the candidates is taken, which puts the same words in another way.
        """
        analyses = None
        if self.tagger is not None:
            tokens = [[token.text for token in sentence.tokens] for sentence in sentences]
            tags = self.tagger.tag_many(tokens, threads=threads)
            sentences = [replace(sentence, tags=own) for sentence, own in zip(sentences, tags, strict=True)]
            analyses = analyses_of_tags(tags)

        def decode(batch: Mapping[int, PreparedSentence], candidates: int) -> dict[int, _Decoded]:
            words = [sentence.words for sentence in batch.values()]
            part = None if analyses is None else [analyses[number] for number in batch]
            results = self._decoder(candidates).decode(words, analyses=part, threads=threads)
            return {
                number: _Decoded(sentence, result)
                for (number, sentence), result in zip(batch.items(), results, strict=True)
            }

        done = decode(dict(enumerate(sentences)), candidates)
        careful = done
        while again := self._more_careful(careful):
            careful = decode(again, candidates)
            done |= careful
        changed = {number: sentences[number] for number in done if done[number].sentence is not sentences[number]}
        for number, other in decode(changed, max(candidates, _OTHER_WAYS)).items():
            done[number] = self._bolder(done[number], other)
        return list(done.values())

    def _more_careful(self, decoded: Mapping[int, _Decoded]) -> dict[int, PreparedSentence]:
        """The sentences whose best candidate risks too much, with the words of some edits protected."""
        looked_at = {n: one for n, one in decoded.items() if len(one.result) and self.sentence_risk < math.inf}
        risks = self._risks.of([(one.sentence, [one.result[0]]) for one in looked_at.values()])
        careful = {}
        for (number, one), risk in zip(looked_at.items(), risks, strict=True):
            if spared := words_to_spare(one.result[0], _lower(one.sentence), risk, self.sentence_risk):
                careful[number] = one.sentence.protecting(spared)
        return careful

    def _bolder(self, careful: _Decoded, whole: _Decoded) -> _Decoded:
        """The first candidate of a sentence without such protection that may be taken, unless it does less."""
        if not (allowed := self._allowed(whole.sentence, whole.result)):
            return careful
        other = replace(whole, best=allowed[0])
        return careful if _edits(other) < _edits(careful) else other

    def _decoder(self, candidates: int) -> Decoder:
        if candidates not in self._decoders:
            settings = replace(self.settings, candidates=candidates, derivations=None)
            self._decoders[candidates] = Decoder(self.grammars, lm=self.lm, weights=self.weights, settings=settings)
        return self._decoders[candidates]

    def _text(self, part: Part, decoded: Sequence[_Decoded], job: _Job) -> SimplifiedText:
        text = part.text
        pieces: list[str] = []
        sentences: list[SimplifiedSentence] = []
        at = length = 0
        for one, rank in zip(decoded, self._ranks(decoded, job, part.references), strict=True):
            sentence = one.sentence
            gap = text[at : sentence.start]
            if pieces and LINE_BREAK.search(pieces[-1][-1:]):
                gap = gap.lstrip(" \t")  # a line break moved there; it stands for the space
            at = sentence.start + len(sentence.raw)
            done = self._sentence(sentence, one.result, rank, length + len(gap), job)
            pieces += [gap, done.text]
            length += len(gap) + len(done.text)
            sentences.append(done)
        return SimplifiedText(source=text, text="".join(pieces) + text[at:], sentences=tuple(sentences))

    def _ranks(self, decoded: Sequence[_Decoded], job: _Job, references: Sequence[str] | None) -> list[int]:
        """Which candidate of each sentence is taken."""
        if job.reranker is None:
            return [one.best for one in decoded]
        allowed = [self._allowed(one.sentence, one.result) for one in decoded]
        raw = job.reranker.reads_raw_text
        shortlists = [
            _shortlist(one.sentence, one.result, ranks, raw=raw) for one, ranks in zip(decoded, allowed, strict=True)
        ]
        chosen = job.reranker.choose_each(shortlists, references)
        return [ranks[best] if ranks else 0 for ranks, best in zip(allowed, chosen, strict=True)]

    def _allowed(self, sentence: PreparedSentence, result: KBestResult) -> list[int]:
        """The candidates that risk no more than a sentence may, the best first."""
        if self.sentence_risk == math.inf:
            return list(range(len(result)))
        [risk] = self._risks.of([(sentence, list(result))])
        words = _lower(sentence)
        return [
            rank
            for rank, candidate in enumerate(result)
            if not words_to_spare(candidate, words, risk, self.sentence_risk)
        ]

    def _sentence(
        self, sentence: PreparedSentence, result: KBestResult, chosen: int, shift: int, job: _Job
    ) -> SimplifiedSentence:
        if len(result) == 0:
            note = f"left as it is: more than {self.settings.max_tokens} tokens" if result.too_long else ""
            return SimplifiedSentence(source=sentence.raw, text=sentence.raw, score=None, edits=(), note=note)
        best = result[chosen]
        text, changes = realised(sentence, best)
        others = [rank for rank in range(min(len(result), job.n_best + 1)) if rank != chosen][: job.n_best - 1]
        return SimplifiedSentence(
            source=sentence.raw,
            text=text,
            score=best.score,
            edits=tuple(self._edit(change, sentence.start, shift, job.alternatives) for change in changes),
            others=tuple(realised(sentence, result[rank])[0] for rank in others),
        )

    def _edit(self, change: Change, start: int, shift: int, alternatives: int) -> Edit:
        return Edit(
            kind=change.kind,
            source_span=(start + change.source_span[0], start + change.source_span[1]),
            target_span=(shift + change.target_span[0], shift + change.target_span[1]),
            source_text=change.source_text,
            target_text=change.target_text,
            rules=tuple(self._applied(step, alternatives) for step in change.steps),
        )

    def _applied(self, step: Step, alternatives: int) -> AppliedRule:
        assert step.grammar is not None
        assert step.rule is not None
        grammar = self.grammars[step.grammar]
        [line] = grammar.lines(range(step.rule, step.rule + 1))
        label, source, target, _ = line.split(" ||| ", 3)
        ranked = self._ranked(grammar, source) if alternatives else []
        row = grammar.features(range(step.rule, step.rule + 1))[0].tolist()
        score = sum(self.weights.get(name, 0.0) * value for name, value in zip(grammar.feature_names, row, strict=True))
        return AppliedRule(
            label=label[1:-1], source=source, target=target, score=score, candidates=tuple(ranked[:alternatives])
        )

    def _ranked(self, grammar: PackedGrammar, source: str) -> list[RuleCandidate]:
        known = {name: weight for name, weight in self.weights.items() if name in grammar.feature_names}
        ranked = rank_candidates(grammar, source, known, reasons=0)
        return [RuleCandidate(candidate.lhs, candidate.target, candidate.score) for candidate in ranked]


def _at_strength(weights: Mapping[str, float], strength: float) -> dict[str, float]:
    """The weights of a more careful or bolder simplifier.

    Boldness lowers the reward for leaving a word as it is and the fear of a rule's risk; at full strength rules that
    count as risky are as good as others. A model whose rules have no such features keeps only the first of the three.
    """
    moved = {**weights, IDENTITY: weights.get(IDENTITY, 0.0) - _STRENGTH_RANGE * strength}
    factors = {RISK: _RISK_RANGE**-strength, "Risky": 1 - max(strength, 0.0)}
    return moved | {name: weights[name] * factor for name, factor in factors.items() if name in weights}


def _limit_at_strength(sentence_risk: float | None, strength: float) -> float:
    if sentence_risk is None or strength == 1:
        return math.inf
    return sentence_risk / (1 - strength) if strength > 0 else sentence_risk * (1 + strength / 2)


def _edits(decoded: _Decoded) -> int:
    """How many rules of the candidate that is taken change something."""
    candidate = decoded.result[decoded.best]
    return sum(
        list(candidate.tokens[slice(*step.target)]) != decoded.sentence.words[slice(*step.source)]
        for step in candidate.derivation
        if step.kind == "rule"
    )


def _lower(sentence: PreparedSentence) -> list[str]:
    return [token.text.lower() for token in sentence.tokens]


def _batches(parts: Iterable[Part]) -> Iterator[list[Part]]:
    batch: list[Part] = []
    size = 0
    for part in parts:
        batch.append(part)
        size += len(part.text)
        if size >= _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _shortlist(sentence: PreparedSentence, result: KBestResult, ranks: Sequence[int], *, raw: bool) -> Shortlist:
    if not ranks:  # too long to be decoded
        source = sentence.raw if raw else sentence.shown(sentence.words)
        return Shortlist(source=source, texts=[source], scores=[0.0])
    scores = result.scores
    kept = [scores[rank] for rank in ranks]
    if raw:
        texts = [realised(sentence, result[rank])[0] for rank in ranks]
        return Shortlist(source=sentence.raw, texts=texts, scores=kept)
    shown = [sentence.shown(text.split(" ")) for text in result.texts]
    return Shortlist(source=sentence.shown(sentence.words), texts=[shown[rank] for rank in ranks], scores=kept)


def realised(sentence: PreparedSentence, candidate: Candidate) -> tuple[str, list[Change]]:
    """A candidate as text for readers, and what it changed."""
    if list(candidate.tokens) == sentence.words:
        return sentence.raw, []
    target = sentence.target(candidate.tokens)
    blocks = blocks_of(candidate.derivation)
    return realise(sentence.raw, sentence.tokens, target, blocks=blocks, fixed=sentence.fixed)
