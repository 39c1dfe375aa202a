"""What an output shares with the references, and whether they bear out what it did to the source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import fsum

from rapidfuzz.distance import LCSseq, Levenshtein

from plainwright.lens.features.edits import inversions, mean, share
from plainwright.lens.features.passage import Passage

__all__ = ["AGREEMENT", "SUPPORT", "agreement", "support"]

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
    """The values of `AGREEMENT`."""
    both = max(1, len(output.words) + len(reference.words))
    return [
        Levenshtein.normalized_similarity(output.words, reference.words),
        2 * LCSseq.similarity(output.words, reference.words) / both,
        2 * sum((output.counts & reference.counts).values()) / both,
        share(reference.content & output.types, reference.content),
        1 - inversions(output, reference),
    ]


def support(source: Passage, output: Passage, references: Sequence[Passage]) -> dict[str, float]:
    """The values of `SUPPORT`."""
    holders: Counter[str] = Counter()
    fact_holders: Counter[str] = Counter()
    for reference in references:
        holders.update(reference.types)
        fact_holders.update(reference.facts)
    have = {word: count / len(references) for word, count in holders.items()}
    new, lost, kept = output.types - source.types, source.types - output.types, source.types & output.types
    strange = new - have.keys()
    strange_bigrams = output.bigrams.difference(source.bigrams, *(reference.bigrams for reference in references))
    strange_trigrams = output.trigrams.difference(source.trigrams, *(reference.trigrams for reference in references))
    # Exact sums: sets have another order in every process, and a tree may ask where the last bit decides.
    lost_weight = fsum(have.get(word, 0.0) for word in lost)
    kept_weight = fsum(1 - have.get(word, 0.0) for word in kept)
    wanted = {word: weight for word, weight in have.items() if word not in source.types}
    missed = fsum(weight for word, weight in wanted.items() if word not in output.types)
    facts = sum(fact_holders.values())
    lengths = [len(reference.words) for reference in references]
    return {
        "strange_words": share(strange, output.types),
        "strange_types": len(strange),
        "strange_bigrams": share(strange_bigrams, output.bigrams),
        "strange_trigrams": share(strange_trigrams, output.trigrams),
        "unlikely_bigrams": share(strange_bigrams & output.unlikely, output.bigrams),
        "strange_grammar": mean([output.grammar[pair] for pair in strange_bigrams], 0.0),
        "strange_grammar_worst": min((output.grammar[pair] for pair in strange_bigrams), default=0.0),
        "strange_facts": len(output.facts & strange),
        "zipf_strange": min((output.zipf[word] for word in strange if word in output.zipf), default=8.0),
        "new_supported": share(new - strange, new),
        "new_support": mean([have.get(word, 0.0) for word in new], 0.0),
        "lost_unsupported": lost_weight,
        "lost_unsupported_share": _part(lost_weight, fsum(have.get(word, 0.0) for word in source.types)),
        "lost_worst": max((have.get(word, 0.0) for word in lost), default=0.0),
        "lost_facts_unsupported": fsum(have.get(word, 0.0) for word in lost & source.facts),
        "kept_unsupported": kept_weight,
        "kept_unsupported_share": _part(kept_weight, fsum(1 - have.get(word, 0.0) for word in source.types)),
        "missed_words": missed,
        "missed_words_share": _part(missed, fsum(wanted.values())),
        "found_facts": _part(sum(n for word, n in fact_holders.items() if word in output.types), facts),
        "length_ratio": len(output.words) / max(1.0, sum(lengths) / len(lengths)),
        "length_outside": max(0, min(lengths) - len(output.words), len(output.words) - max(lengths)),
    }


def _part(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0
