"""The joins and sums of pivoting, written once with ibis.

Sums are the same in any order, and so with any engine and number of threads: probabilities are whole multiples of
1e-10, their products whole multiples of 1e-15, and whole numbers are what is added. Ties are broken by the text, whose
order is that of its UTF-8 bytes.

Several languages are pooled as if their tables were one in which each foreign phrase knows its language: with n(l, e)
the evidence for e in the table of l,

    p(e2|e1) = sum over l of n(l, e1) / n(e1) * sum over f in l of p(e2|f) p(f|e1)

The same holds among entries with one label, for p(e2|e1,LHS). What a label and a phrase say of each other needs no
pivot: it is counted.
"""

from __future__ import annotations

from typing import Any

from plainwright.learn.pivot.character import differ_in_content, is_phrase, similar_length, words
from plainwright.learn.pivot.options import PivotOptions

__all__ = ["PROBABILITY_UNIT", "joined_rows", "links", "pairs", "paraphrases", "read_entries", "rules", "unreadable"]

PROBABILITY_UNIT = 10**15  # of `forward` and `backward`
_LINK_UNIT = 10**10


def read_entries(raw: Any, *, table: int, language: int) -> Any:
    """Numbers and sides of the raw lines of one table; an entry without its probabilities has nulls."""
    features = raw.features
    english, foreign = raw.source.strip(), raw.target.strip()
    swap = _descending(foreign)
    return raw.select(
        table=_whole(table),
        language=_whole(1 << language),
        lhs=raw.lhs.strip(),
        english=swap.ifelse(_swapped(english), english),
        foreign=swap.ifelse(_swapped(foreign), foreign),
        to_foreign=_in_units(_exponential(_feature(features, "p(e|f)")), _LINK_UNIT),
        to_english=_in_units(_exponential(_feature(features, "p(f|e)")), _LINK_UNIT),
        to_foreign_labelled=_in_units(_exponential(_feature(features, "p(e|f,LHS)")), _LINK_UNIT),
        to_english_labelled=_in_units(_exponential(_feature(features, "p(f|e,LHS)")), _LINK_UNIT),
        count=_in_units((_feature(features, "LogCount").fill_null(0.0)).exp(), 1),
        lexical_foreign=_feature(features, "Lex(e|f)"),
        lexical_english=_feature(features, "Lex(f|e)"),
    )


def unreadable(entries: Any) -> Any:
    """Return the entries of lines that are no rules with both probabilities."""
    bad = entries.to_foreign.isnull() | entries.to_english.isnull()
    return entries.filter(bad | entries.lhs.isnull() | entries.foreign.isnull() | (entries.english == ""))


def links(entries: Any, options: PivotOptions) -> Any:
    """Entries worth joining, with p(f|e) pooled over the tables as `pooled`."""
    import ibis

    def evidence(*group_by: str) -> Any:
        return found["count"].sum().over(ibis.window(group_by=group_by)).cast("int64")

    short = words(entries.english) <= options.max_words
    found = entries.filter(is_phrase(entries.english), short, entries.foreign != "")
    found = found.mutate(
        here=evidence("table", "english"),
        here_labelled=evidence("table", "lhs", "english"),
        everywhere=evidence("english"),
        labelled=evidence("lhs", "english"),
        of_label=evidence("lhs"),
        by_english=_rank(found, ["table", "lhs", "english"], "to_foreign", "foreign"),
        by_foreign=_rank(found, ["table", "lhs", "foreign"], "to_english", "english"),
    )
    least = round(options.min_link * _LINK_UNIT)
    found = found.filter(
        found.by_english < options.max_translations,
        found.by_foreign < options.max_phrases,
        found.to_foreign >= least,
        found.to_english >= least,
    )
    return found.select(
        "table",
        "language",
        "lhs",
        "english",
        "foreign",
        "count",
        "lexical_foreign",
        "lexical_english",
        "everywhere",
        "labelled",
        "of_label",
        pooled=_share(found.to_foreign, found.here, found.everywhere),
        to_english=found.to_english.cast("float64"),
        pooled_labelled=_share(found.to_foreign_labelled, found.here_labelled, found.labelled),
        to_english_labelled=found.to_english_labelled.cast("float64"),
    )


def joined_rows(found: Any, options: PivotOptions) -> Any:
    """Return how many rows `pairs` joins before it sums them: what a cluster has to move."""
    import ibis

    # A window, as engines move its rows to disk; DuckDB keeps as many groups as there are foreign phrases in memory.
    shared = ["table", "lhs", "foreign"]
    keys = found.select(shared)
    phrases = keys.select(n=keys.count().over(ibis.window(group_by=shared)))
    others = phrases.n + 1 if options.identity else phrases.n - 1
    return others.sum()


def pairs(found: Any, options: PivotOptions) -> Any:
    """English phrases that share translations: `one` before `other` by their text, both directions summed."""
    one, other = found, found.view()
    ordered = one.english <= other.english if options.identity else one.english < other.english
    on = [one.table == other.table, one.lhs == other.lhs, one.foreign == other.foreign, ordered]
    joined = one.join(other, on).select(
        lhs=one.lhs,
        one=one.english,
        other=other.english,
        language=one.language,
        forward=_product(one.pooled, other.to_english),
        backward=_product(other.pooled, one.to_english),
        forward_labelled=_product(one.pooled_labelled, other.to_english_labelled),
        backward_labelled=_product(other.pooled_labelled, one.to_english_labelled),
        one_everywhere=one.everywhere,
        other_everywhere=other.everywhere,
        one_labelled=one.labelled,
        other_labelled=other.labelled,
        of_label=one.of_label,
        evidence=_smaller(one["count"], other["count"]),
        lexical_forward=one.lexical_foreign + other.lexical_english,
        lexical_backward=other.lexical_foreign + one.lexical_english,
    )
    summed = joined.group_by(["lhs", "one", "other"]).agg(
        languages=_bits_of_any()(joined.language),
        pivots=joined.count().cast("int64"),
        forward=joined.forward.sum().cast("int64"),
        backward=joined.backward.sum().cast("int64"),
        forward_labelled=joined.forward_labelled.sum().cast("int64"),
        backward_labelled=joined.backward_labelled.sum().cast("int64"),
        evidence=joined.evidence.sum().cast("int64"),
        # The same in all rows of a group.
        source_everywhere=joined.one_everywhere.max(),
        target_everywhere=joined.other_everywhere.max(),
        source_labelled=joined.one_labelled.max(),
        target_labelled=joined.other_labelled.max(),
        of_label=joined.of_label.max(),
        lexical_forward=joined.lexical_forward.min(),
        lexical_backward=joined.lexical_backward.min(),
    )
    least = round(options.min_probability * PROBABILITY_UNIT)
    return summed.filter(
        (summed.forward >= least) | (summed.backward >= least),
        summed.evidence >= options.min_evidence,
        _number_of_bits()(summed.languages) >= options.min_languages,
    )


def paraphrases(likely: Any, options: PivotOptions) -> Any:
    """Return the pairs that look like paraphrases."""
    looks = differ_in_content(likely.one, likely.other)
    if options.identity:
        looks = looks | (likely.one == likely.other)
    return likely.filter(looks & similar_length(likely.one, likely.other, options.length_ratio))


def rules(found: Any, options: PivotOptions) -> Any:
    """Return both directions of each pair, the best of each source."""
    there = found.rename(source="one", target="other")
    turned = {
        "forward": "backward",
        "forward_labelled": "backward_labelled",
        "lexical_forward": "lexical_backward",
        "source_everywhere": "target_everywhere",
        "source_labelled": "target_labelled",
    }
    names = {"source": "other", "target": "one", **turned, **{there: here for here, there in turned.items()}}
    back = found.filter(found.one != found.other)
    back = back.select(**{name: back[names.get(name, name)] for name in there.columns})
    both = there.union(back, distinct=False)
    both = both.filter(both.forward >= round(options.min_probability * PROBABILITY_UNIT))
    both = both.mutate(rank=_rank(both, ["lhs", "source"], "forward", "target"))
    best = both.filter(both["rank"] < options.most).drop("rank")
    swap = _descending(best.source)
    return best.mutate(
        source=swap.ifelse(_swapped(best.source), best.source),
        target=swap.ifelse(_swapped(best.target), best.target),
    )


def _feature(features: Any, name: str) -> Any:
    """The value of one feature; null if there is none, or no number."""
    escaped = "".join("\\" + letter if letter in "()|" else letter for letter in name)
    return features.re_extract(rf"(?:^| ){escaped}=([^ ]+)", 1).try_cast("float64")


def _exponential(negative_log: Any) -> Any:
    return (-negative_log).exp()


def _in_units(value: Any, unit: int) -> Any:
    return (value * float(unit) + 0.5).floor().cast("int64")


def _product(one: Any, other: Any) -> Any:
    """Of two numbers of link units, in probability units."""
    return (one * other / float(_LINK_UNIT * _LINK_UNIT // PROBABILITY_UNIT) + 0.5).floor().cast("int64")


def _share(value: Any, part: Any, whole: Any) -> Any:
    return value.cast("float64") * part.cast("float64") / whole.cast("float64")


def _smaller(one: Any, other: Any) -> Any:
    return (one < other).ifelse(one, other)


def _bits_of_any() -> Any:
    """Both engines have the function; ibis knows that of DuckDB only."""
    import ibis

    @ibis.udf.agg.builtin(name="bit_or", signature=(("int64",), "int64"))
    def bit_or(bits): ...  # type: ignore[no-untyped-def]

    return bit_or


def _number_of_bits() -> Any:
    import ibis

    @ibis.udf.scalar.builtin(name="bit_count", signature=(("int64",), "int64"))
    def bit_count(bits): ...  # type: ignore[no-untyped-def]

    return bit_count


def _whole(value: int) -> Any:
    import ibis

    return ibis.literal(value, type="int64")


def _rank(table: Any, keys: list[str], value: str, text: str) -> Any:
    """From 0, the largest `value` first."""
    import ibis

    return ibis.row_number().over(ibis.window(group_by=keys, order_by=[table[value].desc(), table[text]]))


def _descending(side: Any) -> Any:
    """Whether the second nonterminal comes before the first."""
    return side.re_search(r"\[[^ ]+,2\] (?:[^ ]+ )*\[[^ ]+,1\]")


def _swapped(side: Any) -> Any:
    """With the nonterminals numbered the other way round; gaps must have the same order to be joined."""
    return side.replace(",1]", ",\u0001]").replace(",2]", ",1]").replace(",\u0001]", ",2]")
