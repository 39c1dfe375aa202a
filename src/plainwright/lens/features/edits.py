"""What an output did to its source: which words went, came and moved."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Mapping, Sequence
from math import fsum

from rapidfuzz.distance import LCSseq, Levenshtein

from plainwright.lens.features.passage import Passage
from plainwright.lens.features.words import word_facts
from plainwright.text.edits import word_blocks

__all__ = ["EDITS", "edits"]

_COMMON = 8.0  # Zipf of the most common words: what is missing can hide no rarity

EDITS: Mapping[str, str] = {
    "copied": "1 if the words of the output are those of the source",
    "length_ratio": "words of the output for each word of the source",
    "character_distance": "Levenshtein distance in characters, as a share of the longer text",
    "word_distance": "the same in words",
    "common_subsequence": "longest common subsequence, as a share of the source's words",
    "common_subsequence_output": "the same, as a share of the output's words",
    "inversions": "share of the pairs of shared words that stand the other way round",
    "kept_words": "share of the source's words that are in the output",
    "new_words": "share of the output's words that are not in the source",
    "new_types": "different words of the output that are not in the source",
    "new_bigrams": "share of the output's pairs of words that are not in the source",
    "new_bigrams_grammar": "mean log10 probability of the second word's class in those pairs, in the model of patterns",
    "new_bigrams_grammar_worst": "the least of these",
    "kept_content": "share of the source's content words that are in the output",
    "new_content": "share of the output's content words that are not in the source",
    "lost_facts": "numbers and rare words of the source that the output has not",
    "lost_facts_share": "their share of the source's numbers and rare words",
    "new_facts": "numbers and rare words of the output that the source has not",
    "lost_numbers": "numbers of the source that the output has not",
    "new_numbers": "numbers of the output that the source has not",
    "zipf_new": "mean Zipf frequency of the new words",
    "zipf_lost": "mean Zipf frequency of the lost words",
    "zipf_gain": "the first less the second; 0 unless there are both",
    "zipf_new_rarest": "Zipf frequency of the rarest new word",
    "zipf_lost_rarest": "Zipf frequency of the rarest lost word",
    "edits": "places where words were changed, for each word of the source",
    "longest_loss": "most words in a row that went, as a share of the source",
    "longest_gain": "most words in a row that came, as a share of the output",
    "lost_end": "words after the last kept one, as a share of the source",
    "lost_start": "words before the first kept one, as a share of the source",
    "more_sentences": "sentences of the output for each sentence of the source",
}


def edits(source: Passage, output: Passage) -> dict[str, float]:
    """Return the values of `EDITS`."""
    new, lost = output.types - source.types, source.types - output.types
    new_bigrams = output.bigrams - source.bigrams
    zipf_new = [output.zipf[word] for word in new if word in output.zipf]
    zipf_lost = [source.zipf[word] for word in lost if word in source.zipf]
    common = LCSseq.similarity(source.words, output.words)
    lost_facts, new_facts = source.facts - output.types, output.facts - source.types
    blocks = word_blocks(source.words, output.words)
    kept_blocks = [block for block in blocks if block.kind == "equal"]
    changes = [block for block in blocks if block.kind != "equal"]
    source_length, output_length = max(1, len(source.words)), max(1, len(output.words))
    first_kept = kept_blocks[0].source.start if kept_blocks else len(source.words)
    last_kept = kept_blocks[-1].source.stop if kept_blocks else 0
    kept = sum((source.counts & output.counts).values())
    return {
        "copied": float(source.words == output.words),
        "length_ratio": len(output.words) / source_length,
        "character_distance": Levenshtein.normalized_distance(source.line, output.line),
        "word_distance": Levenshtein.normalized_distance(source.words, output.words),
        "common_subsequence": common / source_length,
        "common_subsequence_output": common / output_length,
        "inversions": inversions(source, output),
        "kept_words": kept / source_length,
        "new_words": 1 - kept / output_length if output.words else 0.0,
        "new_types": len(new),
        "new_bigrams": share(new_bigrams, output.bigrams),
        "new_bigrams_grammar": mean([output.grammar[pair] for pair in new_bigrams], 0.0),
        "new_bigrams_grammar_worst": min((output.grammar[pair] for pair in new_bigrams), default=0.0),
        "kept_content": share(source.content & output.types, source.content),
        "new_content": share(output.content - source.types, output.content),
        "lost_facts": len(lost_facts),
        "lost_facts_share": share(lost_facts, source.facts),
        "new_facts": len(new_facts),
        "lost_numbers": sum(word_facts(word).number for word in lost_facts),
        "new_numbers": sum(word_facts(word).number for word in new_facts),
        "zipf_new": mean(zipf_new, _COMMON),
        "zipf_lost": mean(zipf_lost, _COMMON),
        "zipf_gain": mean(zipf_new, 0) - mean(zipf_lost, 0) if zipf_new and zipf_lost else 0.0,
        "zipf_new_rarest": min(zipf_new, default=_COMMON),
        "zipf_lost_rarest": min(zipf_lost, default=_COMMON),
        "edits": len(changes) / source_length,
        "longest_loss": max((len(block.source) for block in changes), default=0) / source_length,
        "longest_gain": max((len(block.output) for block in changes), default=0) / output_length,
        "lost_end": (len(source.words) - last_kept) / source_length,
        "lost_start": first_kept / source_length,
        "more_sentences": len(output.sentences) / max(1, len(source.sentences)),
    }


def inversions(first: Passage, second: Passage) -> float:
    """Return share of the pairs of words that stand once in both texts, and the other way round in one."""
    place = {word: number for number, word in enumerate(second.words)}
    places = [place[word] for word in first.words if first.counts[word] == 1 and second.counts.get(word) == 1]
    pairs = len(places) * (len(places) - 1) // 2
    return _inverted(places) / pairs if pairs else 0.0


def _inverted(places: Iterable[int]) -> int:
    before: list[int] = []
    inverted = 0
    for place in places:
        inverted += len(before) - bisect_right(before, place)
        insort(before, place)
    return inverted


def share(part: frozenset[object] | frozenset[str], whole: frozenset[object] | frozenset[str]) -> float:
    """Return the size of one set as a share of another's; 0 of nothing."""
    return len(part) / len(whole) if whole else 0.0


def mean(values: Sequence[float], default: float) -> float:
    """Return the mean, or what stands for it when there is nothing; to the last bit the same in any order."""
    return fsum(values) / len(values) if values else default
