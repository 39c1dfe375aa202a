"""Raw text in, raw text out: what the pipeline does not change comes back to the letter.

Every change carries who made it and why, and what else it could have been, so a reader can see it and undo it.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plainwright.arguments import as_texts, check_instance, check_instances, check_text
from plainwright.decode import DecoderSettings, SyntaxLabels
from plainwright.errors import DataError
from plainwright.grammar import PackedGrammar
from plainwright.lm import LanguageModel
from plainwright.rewrite.choose import chooser
from plainwright.rewrite.grade_gate import GradeGate
from plainwright.rewrite.guards import choose
from plainwright.rewrite.judge import RISK, Repetition, RiskBudget, RuleRisk, SecondLook
from plainwright.rewrite.paragraphs import Part, paragraphs, with_references
from plainwright.rewrite.passes import Passes
from plainwright.rewrite.pipeline import Candidates, Pipeline
from plainwright.rewrite.propose import Scfg
from plainwright.rewrite.protect import Protection
from plainwright.rewrite.registry import Endpoint
from plainwright.rewrite.result import SimplifiedSentence, SimplifiedText
from plainwright.rewrite.sentences import pieces_of_text, sentences_of
from plainwright.rewrite.types import Chooser, Shortlist, Span
from plainwright.rewriter.finding import Level
from plainwright.text.tagging import Tagger

if TYPE_CHECKING:
    from plainwright.metrics.base import Metric

__all__ = ["IDENTITY", "OpenedFrom", "Simplifier", "scfg_pipeline"]

IDENTITY = "IdentityRule"
_STRENGTH_RANGE = 2.0  # how far full strength moves the weight of leaving a word as it is
_RISK_RANGE = 3.0  # by how much full strength divides the weight of a rule's risk, and full care multiplies it
_BATCH = 100_000  # characters that are simplified together, so that threads have something to share


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """How a text is to be treated."""

    protection: Protection
    n_best: int
    edits: bool
    alternatives: int
    chooser: Chooser | None
    threads: int

    @classmethod
    def plain(cls, protection: Protection, threads: int) -> _Job:
        """The text alone."""
        return cls(protection=protection, n_best=1, edits=False, alternatives=0, chooser=None, threads=threads)

    @property
    def limit(self) -> int:
        """How many proposals are looked at."""
        return max(self.n_best, 1 if self.chooser is None else self.chooser.wants)


class OpenedFrom(NamedTuple):
    """Remembers what is needed to open a simplifier again elsewhere."""

    directory: Path
    level: Level
    shorter: bool
    strength: float
    proposers: tuple[tuple[str, ...], ...]  # of each pass
    endpoint: Endpoint | None = None
    words: tuple[Path, ...] = ()  # lists of the user's
    max_grade: float | None = None  # sentences up to it are left as they are
    engine: str = "best"
    split: str | None = None


class Simplifier:
    """Simplifies text with a pipeline; safe to use from several threads.

    One that was opened from a model directory can be pickled: it opens the same directory again.
    """

    def __init__(
        self, pipeline: Pipeline | Passes | GradeGate, *, opened_from: OpenedFrom | None = None, note: str = ""
    ) -> None:
        self.pipeline = pipeline
        self.note = note  # what is missing that the model would have used
        self._opened_from = opened_from

    def __repr__(self) -> str:
        if self._opened_from is None:
            return f"Simplifier({self.pipeline!r})"
        return f"Simplifier({str(self._opened_from.directory)!r}, strength={self._opened_from.strength:g})"

    def __reduce__(self) -> tuple[Any, ...]:
        from plainwright.rewrite.models import load_once

        if self._opened_from is None:
            msg = "a simplifier that was made of parts cannot be pickled; load it from a model directory"
            raise DataError(msg)
        directory, *_ = self._opened_from
        options = {name: value for name, value in self._opened_from._asdict().items() if name != "directory"}
        return functools.partial(load_once, directory, **options), ()

    def simplify(
        self,
        text: str,
        *,
        protection: Protection | None = None,
        n_best: int = 1,
        edits: bool = True,
        alternatives: int = 5,
        rerank: str | Chooser | None = None,
        utility: str | Metric | None = None,
        candidates: int | None = None,
        threads: int = 1,
    ) -> SimplifiedText:
        """Simplify a text of any number of sentences and paragraphs.

        Each sentence comes with `n_best` ways to put it, and with its edits unless `edits` is false, each with so many
        `alternatives` where its proposer knows any. With `rerank`, one of `candidates` is chosen anew: by distance from
        the source, or by a metric, the `utility`; a ready-made chooser has more settings. Nothing is chosen that risks
        more than a sentence may.
        """
        check_text(text, "Simplifier.simplify", "text", way_out="simplify_all takes several")
        parts = self.stream(
            [text],
            protection=protection,
            n_best=n_best,
            edits=edits,
            alternatives=alternatives,
            rerank=rerank,
            utility=utility,
            candidates=candidates,
            threads=threads,
        )
        return SimplifiedText.joined(parts)

    def simplify_all(
        self, texts: Sequence[str], *, protection: Protection | None = None, threads: int = 1
    ) -> list[str]:
        """Several texts in plainer words, without their edits; they share batches, so that threads have work."""
        texts = as_texts(texts, "Simplifier.simplify_all", "texts")
        job = _Job.plain(protection or Protection(), threads)
        owners = [number for number, text in enumerate(texts) for _ in paragraphs([text])]
        parts = (Part(own) for text in texts for own in paragraphs([text]))
        done = [""] * len(texts)
        plain = (part.text for batch in _batches(parts) for part in self._simplify_batch(batch, job))
        for owner, text in zip(owners, plain, strict=True):
            done[owner] += text
        return done

    def simplify_each(
        self,
        texts: Iterable[str],
        *,
        alone: Iterable[Sequence[Span]] | None = None,
        protection: Protection | None = None,
        n_best: int = 1,
        alternatives: int = 5,
        rerank: Chooser | None = None,
        threads: int = 1,
    ) -> Iterator[SimplifiedText]:
        """Simplify texts that are paragraphs, with their edits; what stands in the spans `alone` of each is left alone.

        They share batches, and come back in their order.
        """
        job = _Job(
            protection=protection or Protection(),
            n_best=n_best,
            edits=True,
            alternatives=alternatives,
            chooser=rerank,
            threads=threads,
        )
        spans: Iterable[Sequence[Span]] = itertools.repeat(()) if alone is None else alone
        parts = (Part(text, alone=own) for text, own in zip(texts, spans, strict=alone is not None))
        for batch in _batches(parts):
            yield from self._simplify_batch(batch, job)

    def stream(
        self,
        pieces: Iterable[str],
        *,
        lines: bool = False,
        protection: Protection | None = None,
        n_best: int = 1,
        edits: bool = True,
        alternatives: int = 5,
        rerank: str | Chooser | None = None,
        utility: str | Metric | None = None,
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
            rerank = chooser(rerank, utility=utility, wants=candidates, threads=threads)
        if references is not None and not (lines and rerank is not None and rerank.name == "metric"):
            msg = "references go with lines=True and rerank='metric', which compares every line with its own"
            raise DataError(msg)
        job = _Job(
            protection=protection or Protection(),
            n_best=n_best,
            edits=edits,
            alternatives=alternatives,
            chooser=rerank,
            threads=threads,
        )
        parts = with_references(paragraphs(pieces, lines=lines), references)
        for batch in _batches(parts):
            yield from self._simplify_batch(batch, job)

    def _simplify_batch(self, batch: Sequence[Part], job: _Job) -> Iterator[SimplifiedText]:
        sentences = [
            sentences_of(part.text, job.protection, [*part.alone, *job.protection.quoted_spans(part.text)])
            for part in batch
        ]
        flat = [sentence for own in sentences for sentence in own]
        passages = [number for number, own in enumerate(sentences) for _ in own]
        candidates = self.pipeline.candidates(flat, limit=job.limit, threads=job.threads)
        chosen = [0] * len(flat)
        if job.chooser is not None:
            shortlists = [
                Shortlist(
                    sentence=one.sentence,
                    proposals=one.proposals,
                    passage=passage,
                    references=batch[passage].references,
                )
                for one, passage in zip(candidates, passages, strict=True)
            ]
            chosen = choose(job.chooser, shortlists)
        settled = zip(candidates, chosen, strict=True)
        for part, own in zip(batch, sentences, strict=True):
            yield _text(part.text, [next(settled) for _ in own], job)


def _text(text: str, settled: Sequence[tuple[Candidates, int]], job: _Job) -> SimplifiedText:
    pieces = list(pieces_of_text(text, [(one.sentence, one.proposals[rank].text) for one, rank in settled]))
    sentences: list[SimplifiedSentence] = []
    at = length = groups = 0
    for (gap, words), (candidates, rank) in zip(pieces, settled, strict=False):
        before = text[at : candidates.sentence.start]
        if gap != before and sentences and sentences[-1].edits:
            *others, last = sentences[-1].edits
            sentences[-1] = replace(sentences[-1], edits=(*others, last.followed_by(before, gap)))
        done = _sentence(candidates, rank, (length + len(gap), groups), job)
        at = candidates.sentence.start + len(candidates.sentence.text)
        length += len(gap) + len(words)
        groups = 1 + max((edit.group for edit in done.edits), default=groups - 1)
        sentences.append(done)
    joined = "".join(piece for pair in pieces for piece in pair)
    return SimplifiedText(source=text, text=joined, sentences=tuple(sentences))


def _sentence(candidates: Candidates, chosen: int, shift: tuple[int, int], job: _Job) -> SimplifiedSentence:
    """One sentence; `shift` says how many characters and groups of edits stand before it."""
    sentence, proposals = candidates.sentence, candidates.proposals
    best = proposals[chosen]
    others = [rank for rank in range(min(len(proposals), job.n_best)) if rank != chosen][: job.n_best - 1]
    edits = best.explained(alternatives=job.alternatives) if job.edits else ()
    return SimplifiedSentence(
        source=sentence.text,
        text=best.text,
        score=None if math.isnan(best.score) else best.score,
        edits=tuple(edit.shifted(sentence.start, *shift) for edit in edits),
        others=tuple(proposals[rank].text for rank in others),
        note=candidates.note,
    )


def scfg_pipeline(
    grammars: Sequence[PackedGrammar],
    *,
    lm: LanguageModel | None = None,
    tagger: Tagger | None = None,
    syntax: SyntaxLabels | None = None,
    weights: Mapping[str, float],
    settings: DecoderSettings | None = None,
    second_look: SecondLook | None = None,
    sentence_risk: float | None = None,
    strength: float = 0.0,
) -> Pipeline:
    """Build a pipeline of the rules of a model and the judges of rules.

    `strength` goes from -1 (careful) to 1 (bold). A `tagger` tells the decoder the part of speech of every word, so
    that `LabelAgrees` counts the rules that fit; `syntax` tells it what every phrase is, so that words which stay fill
    gaps with labels. The risks of the edits in a sentence do not sum to more than `sentence_risk`, if there is such a
    limit; a `second_look` knows these risks better than the rules.
    """
    check_instances(grammars, PackedGrammar, "scfg_pipeline", "grammars", "PackedGrammar objects")
    check_instance(strength, (int, float), "scfg_pipeline", "strength", "a number from -1 to 1")
    if not -1 <= strength <= 1:
        msg = f"strength must be from -1 (careful) to 1 (bold), got {strength!r}"
        raise DataError(msg)
    proposer = Scfg(grammars, lm=lm, weights=_at_strength(weights, strength), settings=settings, syntax=syntax)
    risk = RuleRisk(grammars, second_look=second_look, lm=lm, tagger=tagger)
    budget = RiskBudget() if sentence_risk is None else RiskBudget(sentence_risk).at_strength(strength)
    judges = () if budget.unlimited else (risk, Repetition())
    return Pipeline([proposer], judges=judges, budget=budget, tagger=tagger)


def _at_strength(weights: Mapping[str, float], strength: float) -> dict[str, float]:
    """The weights of a more careful or bolder simplifier.

    Boldness lowers the reward for leaving a word as it is and the weight of a rule's risk; at full strength rules that
    count as risky are as good as others. A model whose rules have no such features keeps only the first of the three.
    """
    moved = {**weights, IDENTITY: weights.get(IDENTITY, 0.0) - _STRENGTH_RANGE * strength}
    factors = {RISK: _RISK_RANGE**-strength, "Risky": 1 - max(strength, 0.0)}
    return moved | {name: weights[name] * factor for name, factor in factors.items() if name in weights}


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
