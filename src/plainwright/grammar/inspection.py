"""Why a rule ranks where it does: Table 3 of Xu et al. (2016), with reasons.

A rule's score is the dot product of its features with the model's weights (their equation 8). Two rules of one
source are compared feature by feature: weight times difference of values, the largest first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from plainwright.errors import DataError, UnknownNameError
from plainwright.files import read_lines
from plainwright.grammar.features import FEATURES
from plainwright.grammar.packed import PackedGrammar
from plainwright.tables import is_finite_number, read_json, read_toml

__all__ = ["DECODER_FEATURES", "Candidate", "Reason", "rank_candidates", "read_weights", "usable_weights"]

# Those that no rule has: models have weights for them too.
_IDENTITY = "IdentityRule"  # counts words that the decoder keeps without a rule of the grammar
DECODER_FEATURES = ("lm_0", "lm_0_oov", "WordPenalty", "OOVPenalty", "tm_glue_0", _IDENTITY, "LabelAgrees")

_DEFAULT_LABEL = "X"

Against = Literal["identity", "next", "none"]


@dataclass(frozen=True, slots=True)
class Reason:
    """Names a feature that moved a candidate: its values here and in the other, and weight times their difference."""

    feature: str
    value: float
    other: float
    effect: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """One rule of a source, with its score and why it differs from `against`; number is None for the decoder's own."""

    number: int | None
    lhs: str
    target: str
    score: float
    identity: bool
    against: Against
    reasons: tuple[Reason, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        reasons = [{"feature": r.feature, "value": r.value, "other": r.other, "effect": r.effect} for r in self.reasons]
        return {
            "rule": self.number,
            "lhs": self.lhs,
            "target": self.target,
            "score": self.score,
            "identity": self.identity,
            "against": self.against,
            "reasons": reasons,
        }


def rank_candidates(
    grammar: PackedGrammar,
    source: str,
    weights: Mapping[str, float],
    *,
    label: str | None = None,
    reasons: int = 3,
) -> list[Candidate]:
    """Return all rules of a source, best first; ties by target, then label.

    Each is compared with the rule that changes nothing, preferably of the same label. A grammar that has none leaves
    that to the decoder, whose own rule is ranked among the others if `weights` has one for `IdentityRule`; where there
    is neither, a candidate is compared with the next best.
    """
    numbers = grammar.find(source)
    names = [*grammar.feature_names, _IDENTITY]
    rows = [[*map(float, row), 0.0] for row in grammar.features(numbers)]
    rules = [(rule.lhs, " ".join(map(str, rule.target)), rule.source == rule.target) for rule in grammar.rules(numbers)]
    shown = [place for place, (lhs, *_) in enumerate(rules) if label is None or lhs == label]
    if shown and _IDENTITY in weights and not any(identity for *_, identity in rules) and "[" not in source:
        shown.append(len(rules))  # the decoder keeps words by itself
        rules.append((_DEFAULT_LABEL, source, True))
        rows.append([*[0.0] * len(grammar.feature_names), float(len(source.split()))])
    scores = [sum(weights.get(name, 0.0) * value for name, value in zip(names, row, strict=True)) for row in rows]
    ranked = sorted(shown, key=lambda place: (-scores[place], rules[place][1], rules[place][0]))
    identities = {rules[place][0]: place for place in reversed(ranked) if rules[place][2]}
    candidates = []
    for rank, place in enumerate(ranked):
        lhs, target, identity = rules[place]
        other: int | None = None if identity else identities.get(lhs, next(iter(identities.values()), None))
        against: Against = "identity"
        if other is None:
            following = rank + 1 < len(ranked) and not identities
            other, against = (ranked[rank + 1], "next") if following else (None, "none")
        why = () if other is None else _reasons(names, rows[place], rows[other], weights, reasons)
        number = numbers[place] if place < len(numbers) else None
        candidates.append(Candidate(number, lhs, target, scores[place], identity, against, why))
    return candidates


def _reasons(
    names: Sequence[str], row: Sequence[float], other: Sequence[float], weights: Mapping[str, float], most: int
) -> tuple[Reason, ...]:
    all_reasons = (
        Reason(name, value, there, weights[name] * (value - there))
        for name, value, there in zip(names, row, other, strict=True)
        if weights.get(name) and value != there
    )
    return tuple(sorted(all_reasons, key=lambda reason: (-abs(reason.effect), reason.feature))[:most])


def read_weights(path: str | Path) -> dict[str, float]:
    """Read weights by feature name.

    Reads the `[weights]` of a model's TOML, a JSON object, or lines of names and values, where the last column
    counts and a heading is allowed.
    """
    path = Path(path)
    if path.suffix == ".toml":
        values = read_toml(path, of="a model's TOML").get("weights")
    elif path.suffix == ".json":
        values = read_json(path, of="a JSON object of weights")
    else:
        return _line_weights(path)
    if not isinstance(values, dict) or not all(map(is_finite_number, values.values())):
        msg = f"{path}: expected names of features with finite numbers, found something else"
        raise DataError(msg)
    return {name: float(value) for name, value in values.items()}


def usable_weights(weights: Mapping[str, float], grammar: PackedGrammar) -> tuple[dict[str, float], list[str]]:
    """The weights of this grammar's features and of words that stay, and known names that it lacks.

    An unknown name is an error.
    """
    names = set(grammar.feature_names)
    known = names | set(FEATURES) | set(DECODER_FEATURES)
    for name in weights:
        if name.removesuffix("?missing") not in known:
            kind, listing = "feature", "`plainwright grammar info` lists the features of a grammar"
            raise UnknownNameError.suggest(kind, name, sorted(known), listing=listing)
    usable = {name: value for name, value in weights.items() if name in names or name == _IDENTITY}
    return usable, [name for name in weights if name not in names and name not in DECODER_FEATURES]


def _line_weights(path: Path) -> dict[str, float]:
    weights: dict[str, float] = {}
    for number, line in enumerate(read_lines(path), start=1):
        columns = line.split()
        if not columns or line.startswith("#"):
            continue
        try:
            name, value = columns[0], float(columns[-1])
        except ValueError:
            if number == 1:
                continue
            msg = f"{path}:{number}: expected a feature and its weight, got {line[:60]!r}"
            raise DataError(msg) from None
        if len(columns) < 2 or name in weights or not is_finite_number(value):
            problem = "one column" if len(columns) < 2 else "a second weight for it" if name in weights else "no number"
            msg = f"{path}:{number}: expected a feature and its weight, got {problem}: {line[:60]!r}"
            raise DataError(msg)
        weights[name] = value
    return weights
