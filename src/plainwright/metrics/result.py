"""What scoring returns: one value with everything needed to reproduce and explain it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

__all__ = ["Score"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One metric value; full precision inside, rounding only when printed."""

    metric: str
    value: float
    signature: str
    parts: Mapping[str, float] = field(default_factory=dict)
    interval: tuple[float, float] | None = None  # 95 %, None unless bootstrapped

    def __str__(self) -> str:
        interval = f" [{self.interval[0]:.2f}, {self.interval[1]:.2f}]" if self.interval else ""
        parts = " ".join(f"{name} {value:.2f}" for name, value in self.parts.items())
        return f"{self.metric} {self.value:.2f}{interval}{f' ({parts})' if parts else ''} {self.signature}"

    def short(self) -> str:
        """Return the value, with its interval if there is one."""
        return f"{self.value:.2f}" + (f" [{self.interval[0]:.1f}, {self.interval[1]:.1f}]" if self.interval else "")

    def _repr_html_(self) -> str:
        """The value for notebooks; the signature shows on hover."""
        return f'<span title="{escape(self.signature, quote=True)}">{escape(self.metric)} {self.short()}</span>'

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "metric": self.metric,
            "value": _finite(self.value),
            "parts": {name: _finite(value) for name, value in self.parts.items()},
            "interval": list(self.interval) if self.interval else None,
            "signature": self.signature,
        }


def _finite(value: float) -> float | None:
    """JSON has no nan: what does not exist is null."""
    return value if math.isfinite(value) else None
