"""Rules from other resources.

METEOR's paraphrase table has lines `source TAB target TAB p` with p the probability of the target given the source,
found by bilingual pivoting (Denkowski and Lavie, 2014). Its pairs become rules with the label X. Only `p(e|f)` is
known of the carried features; all others stay missing.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from pathlib import Path

from plainwright.errors import DataError
from plainwright.grammar.features import FeatureMaker
from plainwright.grammar.rules import Progress, Rule, Skipped, parse_lines, parse_source

__all__ = ["meteor_rule", "read_meteor"]


def meteor_rule(line: str, maker: FeatureMaker) -> Rule:
    """The rule of one line of METEOR's table; a `DataError` says what is wrong with it."""
    columns = line.split("\t")
    if len(columns) != 3:
        msg = f"source TAB target TAB p expected, got {len(columns)} columns: {line[:60]!r}"
        raise DataError(msg)
    source, target = parse_source(columns[0]), parse_source(columns[1])
    try:
        probability = float(columns[2])
    except ValueError:
        probability = math.nan
    if not (0 < probability < math.inf):
        msg = f"a probability above 0 expected, got {columns[2][:60]!r}"
        raise DataError(msg)
    if not source or not all(isinstance(symbol, str) for symbol in source + target):
        msg = f"words on the source side and no nonterminals expected, got {line[:60]!r}"
        raise DataError(msg)
    # The table has no alignments; for one word each there is only one.
    alignment = ((0, 0),) if len(source) == len(target) == 1 else ()
    rule = Rule("X", source, target, {"p(e|f)": round(-math.log(probability), 5)}, alignment)
    return maker.complete(rule)


def read_meteor(
    path: str | Path,
    *,
    maker: FeatureMaker | None = None,
    lenient: bool = False,
    skipped: Skipped | None = None,
    progress: Progress | None = None,
) -> Iterator[Rule]:
    """Yield the rules of METEOR's table, one by one, with all features that can be computed."""
    parse = functools.partial(meteor_rule, maker=FeatureMaker() if maker is None else maker)
    return parse_lines(path, parse, lenient=lenient, skipped=skipped, progress=progress)
