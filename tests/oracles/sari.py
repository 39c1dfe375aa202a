"""SARI straight from its definition, with Counters: slow, obvious, only there to judge the native one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

Ngrams = Counter[tuple[str, ...]]
ORDERS = (1, 2, 3, 4)


def ngrams(tokens: Sequence[str], order: int) -> Ngrams:
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def times(counter: Ngrams, factor: int) -> Ngrams:
    return Counter({gram: count * factor for gram, count in counter.items()})


def f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision > 0 or recall > 0 else 0.0


def divided(numerator: float, denominator: float, if_empty: float) -> float:
    return numerator / denominator if denominator > 0 else if_empty


def operations(
    source: Ngrams, output: Ngrams, references: Ngrams, number: int, *, empty: float, recall_of_sums: bool
) -> tuple[float, float, float]:
    """Add, keep and delete of one order: the released scorer, or the Hugging Face edition of it."""
    source_rep, output_rep = times(source, number), times(output, number)

    kept = source_rep & output_rep
    kept_good = kept & references
    kept_all = source_rep & references
    keep_precision = divided(sum(kept_good[g] / kept[g] for g in kept_good), len(kept), empty)
    if recall_of_sums:
        keep_recall = divided(sum(kept_good.values()), sum(kept_all.values()), empty)
    else:
        keep_recall = divided(sum(kept_good[g] / kept_all[g] for g in kept_good), len(kept_all), empty)

    deleted = source_rep - output_rep
    deleted_good = deleted - references
    delete = divided(sum(deleted_good[g] / deleted[g] for g in deleted_good), len(deleted), empty)

    added = set(output) - set(source)
    added_good = added & set(references)
    added_all = set(references) - set(source)
    add = f1(divided(len(added_good), len(added), empty), divided(len(added_good), len(added_all), empty))
    return add, f1(keep_precision, keep_recall), delete


def counters(source: str, output: str, references: Sequence[str], order: int) -> tuple[Ngrams, Ngrams, Ngrams]:
    pooled: Ngrams = Counter()
    for reference in references:
        pooled += ngrams(reference.split(), order)
    return ngrams(source.split(), order), ngrams(output.split(), order), pooled


def xu2016(
    source: str,
    output: str,
    references: Sequence[str],
    *,
    orders: Sequence[int] = ORDERS,
    weights: Sequence[float] = (1, 1, 1),
) -> float:
    """Sentence SARI, 0 to 100, of tokenised text."""
    return _released(source, output, references, orders, weights, empty=0.0, recall_of_sums=False)


def huggingface(source: str, output: str, references: Sequence[str]) -> float:
    return _released(source, output, references, ORDERS, (1, 1, 1), empty=1.0, recall_of_sums=True)


def _released(
    source: str,
    output: str,
    references: Sequence[str],
    orders: Sequence[int],
    weights: Sequence[float],
    *,
    empty: float,
    recall_of_sums: bool,
) -> float:
    source, output = source.lower(), output.lower()
    references = [reference.lower() for reference in references]
    total = 0.0
    for order in orders:
        grams = counters(source, output, references, order)
        values = operations(*grams, len(references), empty=empty, recall_of_sums=recall_of_sums)
        total += sum(weight * value for weight, value in zip(weights, values, strict=True))
    return 100 * total / (sum(weights) * len(orders))


def equations(source: str, output: str, references: Sequence[str], *, orders: Sequence[int] = ORDERS) -> float:
    """Eq. 4-7 of the paper, with sets and the share of references that hold an n-gram."""
    sums = [0.0] * 5
    for order in orders:
        in_source = set(ngrams(source.lower().split(), order))
        in_output = set(ngrams(output.lower().split(), order))
        sets = [set(ngrams(reference.lower().split(), order)) for reference in references]
        everywhere = in_source.union(in_output, *sets)
        share = {gram: sum(gram in held for held in sets) / len(sets) for gram in everywhere}
        added, wanted = in_output - in_source, set().union(*sets) - in_source
        kept, deleted = in_source & in_output, in_source - in_output
        kept_good = sum(share[g] for g in kept)
        values = (
            divided(len(added & wanted), len(added), 0.0),
            divided(len(added & wanted), len(wanted), 0.0),
            divided(kept_good, len(kept), 0.0),
            divided(kept_good, sum(share[g] for g in in_source), 0.0),
            divided(sum(1 - share[g] for g in deleted), len(deleted), 0.0),
        )
        sums = [total + value for total, value in zip(sums, values, strict=True)]
    add_p, add_r, keep_p, keep_r, delete_p = (total / len(orders) for total in sums)
    return 100 * (f1(add_p, add_r) + f1(keep_p, keep_r) + delete_p) / 3


def easse(sources: Sequence[str], outputs: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """Corpus SARI with pooled counts and F1 for delete, of text that is already lower-cased and tokenised."""
    total = 0.0
    for order in ORDERS:
        add, keep, delete = [0.0] * 3, [0.0] * 3, [0.0] * 3
        for source_text, output_text, group in zip(sources, outputs, references, strict=True):
            source, output, pooled = counters(source_text, output_text, group, order)
            source, output = times(source, len(group)), times(output, len(group))
            added, wanted = set(output) - set(source), set(pooled) - set(source)
            kept, keep_wanted = source & output, source & pooled
            deleted, delete_wanted = source - output, source - pooled
            _accumulate(add, len(added & wanted), len(added), len(wanted))
            _accumulate(keep, (kept & keep_wanted).total(), kept.total(), keep_wanted.total())
            _accumulate(delete, (deleted & delete_wanted).total(), deleted.total(), delete_wanted.total())
        total += sum(f1(divided(c, o, 0.0), divided(c, r, 0.0)) for c, o, r in (add, keep, delete))
    return 100 * total / (3 * len(ORDERS))


def _accumulate(sums: list[float], *values: float) -> None:
    for i, value in enumerate(values):
        sums[i] += value
