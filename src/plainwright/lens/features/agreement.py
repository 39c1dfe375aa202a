"""What an output shares with the references, and whether they bear out what it did to the source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import fsum  # in any order the same, as sets have none

from rapidfuzz.distance import LCSseq, Levenshtein

from plainwright.lens.features.edits import inversions, mean, share
from plainwright.lens.features.passage import Passage

__all__ = ["AGREEMENT", "SUPPORT", "Backing", "agreement"]

# With each reference by itself.
AGREEMENT: Mapping[str, str] = {
    "word_likeness": "1 less the Levenshtein distance in words, as a share of the longer text",
    "common_subsequence": "longest common subsequence, twice, as a share of the words of both",
    "shared_words": "shared words, twice, as a share of the words of both",
    "shared_content": "share of the reference's content words that are in the output",
    "same_order": "1 less the share of the pairs of shared words that stand the other way round",
}

# With all references together.
SUPPORT: Mapping[str, str] = {
    "strange_words": "share of the output's different words that neither source nor any reference has",
    "strange_types": "their number",
    "strange_bigrams": "share of the output's pairs of words that neither source nor any reference has",
    "strange_trigrams": "the same for three words in a row",
    "unlikely_bigrams": "share of the output's pairs of words that neither those nor the language model know",
    "strange_grammar": "mean log10 probability of the second word's class in strange pairs, in the model of patterns",
    "strange_grammar_worst": "the least of these",
    "strange_facts": "numbers and rare words of the output that neither source nor any reference has",
    "zipf_strange": "Zipf frequency of the rarest such word",
    "new_supported": "share of the new words that some reference has",
    "new_support": "mean share of the references that have a new word",
    "lost_unsupported": "lost words, each counted by the share of the references that kept it",
    "lost_unsupported_share": "the same as a share of what the references kept of the source",
    "lost_worst": "largest share of the references that kept a lost word",
    "lost_facts_unsupported": "lost numbers and rare words, each counted by the share of the references that kept it",
    "kept_unsupported": "kept words of the source, each counted by the share of the references that lost it",
    "kept_unsupported_share": "the same as a share of what the references lost of the source",
    "missed_words": "new words of the references, each counted by its share of them, that the output lacks",
    "missed_words_share": "the same as a share of all those words",
    "found_facts": "share of the numbers and rare words of the references that the output has, by how many have them",
    "length_ratio": "words of the output for each word of a reference, on average",
    "length_outside": "words by which the output is shorter than the shortest or longer than the longest reference",
}


def agreement(output: Passage, reference: Passage) -> list[float]:
    """Return the values of `AGREEMENT`."""
    both = max(1, len(output.words) + len(reference.words))
    return [
        Levenshtein.normalized_similarity(output.words, reference.words),
        2 * LCSseq.similarity(output.words, reference.words) / both,
        2 * sum((output.counts & reference.counts).values()) / both,
        share(reference.content & output.types, reference.content),
        1 - inversions(output, reference),
    ]


class Backing:
    """Holds what a source and all references have, to see whether they bear out an output; outputs share it."""

    def __init__(self, source: Passage, references: Sequence[Passage]) -> None:
        holders: Counter[str] = Counter()
        facts: Counter[str] = Counter()
        for reference in references:
            holders.update(reference.types)
            facts.update(reference.facts)
        self.source = source
        self.facts = facts
        self.share = {word: count / len(references) for word, count in holders.items()}
        self.wanted = {word: weight for word, weight in self.share.items() if word not in source.types}
        self.wanted_weight = fsum(self.wanted.values())
        self.kept_weight = fsum(self.share.get(word, 0.0) for word in source.types)
        self.lost_weight = fsum(1 - self.share.get(word, 0.0) for word in source.types)
        self.bigrams = source.bigrams.union(*(reference.bigrams for reference in references))
        self.trigrams = source.trigrams.union(*(reference.trigrams for reference in references))
        self.lengths = [len(reference.words) for reference in references]

    def values(self, output: Passage) -> list[float]:
        """Return the values of `SUPPORT`."""
        new = output.types - self.source.types
        return [*self._strange(output, new), *self._edited(output, new), *self._found(output)]

    def _strange(self, output: Passage, new: frozenset[str]) -> list[float]:
        strange = new - self.share.keys()
        bigrams, trigrams = output.bigrams - self.bigrams, output.trigrams - self.trigrams
        grammar = [output.grammar[pair] for pair in bigrams]
        return [
            share(strange, output.types),
            len(strange),
            share(bigrams, output.bigrams),
            share(trigrams, output.trigrams),
            share(bigrams & output.unlikely, output.bigrams),
            mean(grammar, 0.0),
            min(grammar, default=0.0),
            len(output.facts & strange),
            min((output.zipf[word] for word in strange if word in output.zipf), default=8.0),
            share(new - strange, new),
        ]

    def _edited(self, output: Passage, new: frozenset[str]) -> list[float]:
        source, have = self.source, self.share
        lost = source.types - output.types
        shares = [have.get(word, 0.0) for word in lost]
        lost_weight = fsum(shares)
        kept_weight = fsum([1 - have.get(word, 0.0) for word in source.types & output.types])
        return [
            mean([have.get(word, 0.0) for word in new], 0.0),
            lost_weight,
            _part(lost_weight, self.kept_weight),
            max(shares, default=0.0),
            fsum([have.get(word, 0.0) for word in lost & source.facts]),
            kept_weight,
            _part(kept_weight, self.lost_weight),
        ]

    def _found(self, output: Passage) -> list[float]:
        missed = fsum([weight for word, weight in self.wanted.items() if word not in output.types])
        facts = sum([number for word, number in self.facts.items() if word in output.types])
        lengths = self.lengths
        return [
            missed,
            _part(missed, self.wanted_weight),
            _part(facts, sum(self.facts.values())),
            len(output.words) / max(1.0, sum(lengths) / len(lengths)),
            max(0, min(lengths) - len(output.words), len(output.words) - max(lengths)),
        ]


def _part(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0
