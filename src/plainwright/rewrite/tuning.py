"""Raw text for tuning: candidates are made, judged and chosen as `simplify` does it.

Each set of weights gets the pipeline that a model with these weights would have: protected words, risk budget and all.
So the first candidate of a text is what `simplify` writes, and the others are what it could have written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from plainwright.decode.bundle import RULES
from plainwright.errors import DataError
from plainwright.metrics.base import Array
from plainwright.rewrite.judge import SecondLook
from plainwright.rewrite.pipeline import Candidates
from plainwright.rewrite.propose import ScfgProposal
from plainwright.rewrite.protect import Protection
from plainwright.rewrite.registry import make_judges
from plainwright.rewrite.sentences import joined_text, sentences_of
from plainwright.rewrite.simplifier import scfg_pipeline
from plainwright.rewrite.types import Judge, Proposal
from plainwright.tune import DecoderFactory, KBest
from plainwright.tune.job import Start

__all__ = ["PipelineFactory", "pipeline_factory"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineFactory(DecoderFactory):
    """As its base, but sources and candidates are raw text, and candidates have passed the judges."""

    protection: Protection = field(default_factory=Protection)
    second_look: SecondLook | None = None
    sentence_risk: float | None = None
    judges: tuple[Judge, ...] = ()  # beside those of the rules

    def __call__(self, weights: Array, sources: Sequence[str], *, best_only: bool) -> list[KBest]:
        """See `plainwright.tune.Decode`."""
        pipeline = scfg_pipeline(
            self.grammars,
            lm=self.lm,
            tagger=self.tagger,
            syntax=self.syntax,
            weights=self.named(weights),
            settings=self.settings,
            second_look=self.second_look,
            sentence_risk=self.sentence_risk,
        ).beside(self.judges)
        texts = [sentences_of(source, self.protection, self.protection.quoted_spans(source)) for source in sources]
        flat = [sentence for own in texts for sentence in own]
        limit = 1 if best_only else self.settings.candidates
        found = iter(pipeline.candidates(flat, limit=limit, threads=self.threads))
        lists = []
        for number, (source, own) in enumerate(zip(sources, texts, strict=True)):
            candidates = [next(found) for _ in own]
            if any(one.note for one in candidates):
                raise self.too_long(number, max(len(sentence.tokens) for sentence in own))
            lists.append(self._k_best(source, candidates))
        return lists

    def _k_best(self, source: str, candidates: Sequence[Candidates]) -> KBest:
        """The text with the best of every sentence, then with another proposal for one of them."""
        features = len(self.feature_names)
        texts, rows = [], []
        for ways in _one_changed(candidates):
            texts.append(joined_text(source, [(proposal.sentence, proposal.text) for proposal in ways]))
            rows.append(sum((_features(proposal) for proposal in ways), np.zeros(features)))
        return KBest(texts=tuple(texts), features=np.array(rows))


def pipeline_factory(start: Start, *, candidates: int, pop_limit: int | None, threads: int) -> PipelineFactory:
    """Return the function that tuning calls for the raw text of a model."""
    plain = start.decoder(candidates=candidates, pop_limit=pop_limit, threads=threads)
    bundle = start.bundle
    if bundle is not None and any(RULES in names and len(names) > 1 for names in bundle.proposers):
        place = bundle.directory / "model.toml"
        msg = f"{place}: tuning finds weights of rules alone; name no proposer beside {RULES!r} in its pass"
        raise DataError(msg)
    path = None if bundle is None else bundle.second_look_path
    return PipelineFactory(
        grammars=plain.grammars,
        lm=plain.lm,
        settings=plain.settings,
        tagger=plain.tagger,
        syntax=plain.syntax,
        threads=plain.threads,
        second_look=None if path is None else SecondLook.open(path),
        sentence_risk=None if bundle is None else bundle.sentence_risk,
        judges=() if bundle is None else tuple(make_judges(bundle.judges, bundle.options.get("judges", {}))),
    )


def _one_changed(candidates: Sequence[Candidates]) -> Iterator[list[Proposal]]:
    best = [one.proposals[0] for one in candidates]
    yield best
    for number, one in enumerate(candidates):
        for proposal in one.proposals[1:]:
            if not isinstance(proposal, ScfgProposal):
                continue  # the sentence as it stands, which no derivation led to
            yield [*best[:number], proposal, *best[number + 1 :]]


def _features(proposal: Proposal) -> Array:
    assert isinstance(proposal, ScfgProposal)  # the pipeline of tuning has no other proposer
    return proposal.features
