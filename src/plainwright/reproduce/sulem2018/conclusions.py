"""What Sulem et al. (2018) conclude from Table 2, tested again with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from plainwright.reproduce.sulem2018.findings import difference, in_words, shown, survivors
from plainwright.reproduce.sulem2018.resampling import Sampled, Setting
from plainwright.reproduce.table import Block, Finding
from plainwright.study.comparisons import corrected

__all__ = ["conclusions"]

_BLEU = ("BLEU-1ref", "BLEU-8ref")
_SIMPLICITY = ("S", "StS")
_LEVEL = 0.05


def conclusions(
    settings: Sequence[Setting], blocks: Sequence[Block], other_text: Sequence[Setting]
) -> tuple[Finding, ...]:
    """Return one finding for each claim; settings and blocks without splits first, then all."""
    everything = settings[-1]
    claim = "BLEU and iBLEU correlate negatively with simplicity (S) and structural simplicity (StS)"
    return (
        Finding(claim, f"{_negative(settings)} {_significance(blocks)}"),
        Finding(f"the same, on text with entities decoded and 's joined: {claim}", _negative(other_text)),
        _disappears(everything),
        _conservative(everything),
        _sari(settings),
    )


def _negative(settings: Sequence[Setting]) -> str:
    found = [_simplicity(setting) for setting in settings]
    together = {f"{at} {label}": sampled for at, part in enumerate(found) for label, sampled in part.items()}
    parts = [_with_systems(setting.points, part) for setting, part in zip(settings, found, strict=True)]
    return f"{survivors(together, 'below')}. {' '.join(parts)}"


def _simplicity(setting: Setting) -> dict[str, Sampled]:
    metrics = [metric for metric in setting.metrics if "BLEU" in metric]
    return {f"{metric} with {a}": setting.correlations[metric, a] for metric in metrics for a in _SIMPLICITY}


def _with_systems(systems: int, correlations: Mapping[str, Sampled]) -> str:
    """Whether the negative sign survives, and the numbers of BLEU."""
    kept = sum(shown(sampled, "below") for sampled in correlations.values())
    verdict = {0: "does not survive", len(correlations): "survives"}.get(
        kept, f"survives in {kept} of {len(correlations)} cells only"
    )
    numbers = [in_words(label, sampled) for label, sampled in correlations.items() if label.startswith(_BLEU)]
    return f"With {systems} systems, inputs and systems drawn again, the negative sign {verdict}: {', '.join(numbers)}."


def _significance(blocks: Sequence[Block]) -> str:
    cells = [c for block in blocks for c in block.cells if "BLEU" in c.row and c.column in _SIMPLICITY]
    paper = [float(cell.paper_p) for cell in cells]
    ours = [cell.p_value for cell in cells if cell.p_value is not None]
    counts = [
        f"{_below(found)} of {who} {len(found)} one-sided p-values ({_below(corrected(found))} after Holm's correction)"
        for who, found in (("the paper's", paper), ("our", ours))
    ]
    return f"{' and '.join(counts)} are below {_LEVEL}."


def _below(p_values: Iterable[float]) -> int:
    return sum(p < _LEVEL for p in p_values)


def _disappears(setting: Setting) -> Finding:
    numbers = [in_words(f"{metric} with {a}", setting.correlations[metric, a]) for metric in _BLEU for a in ("G", "M")]
    wide = all(
        not shown(setting.correlations[metric, a], "above") and not shown(setting.correlations[metric, a], "below")
        for metric in _BLEU
        for a in ("G", "M")
    )
    verdict = (
        f"{setting.points} systems show neither that it is gone nor that it is there" if wide else "a part is left"
    )
    return Finding(
        "where splits are evaluated as well, BLEU's correlation with G and M disappears",
        f"near zero as in the paper, but {verdict}: {', '.join(numbers)}.",
    )


def _conservative(setting: Setting) -> Finding:
    parts = []
    for aspect in ("M", "G"):
        for metric in _BLEU:
            gain = difference(setting.correlations["-LD", aspect], setting.correlations[metric, aspect])
            verdict = "shown" if shown(gain, "above") else "open"
            parts.append(f"{in_words(f'-LD less {metric} with {aspect}', gain)} {verdict}")
    claim = "with splits, BLEU's correlation with M is lower than that of -LD, and comparable with G"
    return Finding(claim, f"{', '.join(parts)} (inputs and systems resampled).")


def _sari(settings: Sequence[Setting]) -> Finding:
    numbers = [
        in_words(f"{aspect} ({setting.points} systems)", setting.correlations["SARI-8ref", aspect])
        for aspect in _SIMPLICITY
        for setting in settings
    ]
    simple = {str(setting.points): setting.correlations["SARI-8ref", "S"] for setting in settings}
    return Finding(
        "SARI correlates positively with S and not with StS",
        f"{', '.join(numbers)}. With S, {survivors(simple, 'above')}.",
    )
