"""Why a rule ranks where it does: Table 3 of Xu et al. (2016), with reasons.

A rule's score is the dot product of its features with the model's weights (their equation 8). Two rules of one
source are compared feature by feature: weight times difference of values, the largest first.
"""

from __future__ import annotations

from collections.abc import Mapping
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
DECODER_FEATURES = ("lm_0", "lm_0_oov", "WordPenalty", "OOVPenalty", "tm_glue_0", "IdentityRule", "LabelAgrees")

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
    """One rule of a source, with its score and why it differs from `against`."""

    number: int
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

    Each is compared with the rule that changes nothing, preferably of the same label; where there is none, with
    the next best.
    """
    numbers = grammar.find(source)
    names = grammar.feature_names
    rows = grammar.features(numbers).astype(float)
    scores = rows @ [weights.get(name, 0.0) for name in names]
    found = []
    for place, rule in enumerate(grammar.rules(numbers)):
        if label is None or rule.lhs == label:
            target = " ".join(map(str, rule.target))
            found.append((-float(scores[place]), target, rule.lhs, place, rule.source == rule.target))
    found.sort()
    identities = {lhs: place for _, _, lhs, place, identity in reversed(found) if identity}
    candidates = []
    for rank, (score, target, lhs, place, identity) in enumerate(found):
        other: int | None = None if identity else identities.get(lhs, next(iter(identities.values()), None))
        against: Against = "identity"
        if other is None:
            following = rank + 1 < len(found) and not identities
            other, against = (found[rank + 1][3], "next") if following else (None, "none")
        why = () if other is None else _reasons(names, rows[place], rows[other], weights, reasons)
        candidates.append(Candidate(numbers[place], lhs, target, -score, identity, against, why))
    return candidates


def _reasons(names: list[str], row: Any, other: Any, weights: Mapping[str, float], most: int) -> tuple[Reason, ...]:
    all_reasons = (
        Reason(name, float(value), float(there), weights[name] * float(value - there))
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
    """The weights of this grammar's features, and known names that it lacks; an unknown name is an error."""
    names = set(grammar.feature_names)
    known = names | set(FEATURES) | set(DECODER_FEATURES)
    for name in weights:
        if name.removesuffix("?missing") not in known:
            kind, listing = "feature", "`plainwright grammar info` lists the features of a grammar"
            raise UnknownNameError.suggest(kind, name, sorted(known), listing=listing)
    usable = {name: value for name, value in weights.items() if name in names}
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
