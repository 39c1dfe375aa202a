"""The judge: a small network that reads a source and its rewrite, and says what is left of the meaning.

finding    which judge is meant; model: the directory that it is, and its scores
windows    texts longer than it reads
metric     the judge as a metric of `evaluate`, `report`, `study` and `tune`
explain    which words lowered a score
training/  how a judge is made, from ratings

It needs no references. The extra `judge` runs it; nothing of onnxruntime is imported before it is used.
"""

from __future__ import annotations

from plainwright.judge.finding import find_judge
from plainwright.judge.model import ASPECTS, JudgeModel, RiskCurve, open_judge

__all__ = ["ASPECTS", "JudgeModel", "RiskCurve", "find_judge", "open_judge"]
