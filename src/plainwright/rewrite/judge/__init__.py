"""Who prices or forbids edits, and the budget that their prices are paid from."""

from __future__ import annotations

from plainwright.rewrite.judge.budget import RiskBudget
from plainwright.rewrite.judge.repetition import Repetition
from plainwright.rewrite.judge.rule_risk import RISK, RuleRisk
from plainwright.rewrite.judge.second_look import PLACE_FEATURES, Place, PlaceReader, SecondLook

__all__ = ["PLACE_FEATURES", "RISK", "Place", "PlaceReader", "Repetition", "RiskBudget", "RuleRisk", "SecondLook"]
