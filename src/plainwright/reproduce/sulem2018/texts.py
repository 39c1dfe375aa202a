"""What Sulem et al. (2018) rated: sources, references, outputs of systems, and the raters' scores, on 70 sentences."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from plainwright import corpora
from plainwright.metrics.base import Array
from plainwright.study.ratings.reading import read_ratings
from plainwright.study.ratings.table import Ratings
from plainwright.study.scores import RatedOutputs

__all__ = [
    "ASPECTS",
    "HSPLIT",
    "RATERS",
    "SPLITTING",
    "WITHOUT_SPLITS",
    "Preparation",
    "System",
    "Texts",
    "decoded",
    "hsplit_on_all",
    "joined",
    "load_texts",
    "lowered",
    "marks_left",
    "rated_items",
    "ratings",
    "score_sums",
    "with_average",
]

# As the paper calls them, and as the ratings do.
ASPECTS = {"G": "grammaticality", "M": "meaning", "S": "simplicity", "StS": "structural simplicity"}
RATERS = 3
_DEFAULT = " (with the default model instead of w2v)"

# What we call a system: (its name among the ratings, its outputs: collection and name there; None: the source).
System = tuple[str, tuple[str, str] | None]
_OUTPUTS, _HSPLIT_OUTPUTS = "sulem2018/outputs.eval70", "hsplit/outputs.eval70"
WITHOUT_SPLITS: Mapping[str, System] = {
    "Identity": ("Identity", None),
    "Moses": ("Moses", (_OUTPUTS, "Moses")),
    "SBMT-SARI": ("SBMT-SARI", ("xu2016/outputs", "SBMT-SARI")),
    "NTS-h1 default": ("NTS-h1" + _DEFAULT, (_OUTPUTS, "NTS-h1_default_model")),
    "NTS-h4 default": ("NTS-h4" + _DEFAULT, (_OUTPUTS, "NTS-h4_default_model")),
    "NTS-h1 w2v": ("NTSh1", (_OUTPUTS, "NTS-h1_w2v_model")),
    "NTS-h4 w2v": ("NTSh4", (_OUTPUTS, "NTS-h4_w2v_model")),
}
HSPLIT: Mapping[str, System] = {f"HSplit{k}": (f"HSplit{k}", (_HSPLIT_OUTPUTS, f"HSplit{k}")) for k in range(1, 5)}
SPLITTING: Mapping[str, System] = {
    "DSS": ("DSS", (_OUTPUTS, "DSS")),
    "DSSm": ("DSSm", (_OUTPUTS, "DSS^m")),
    "SEMoses": ("SEMoses", (_OUTPUTS, "SEMoses")),
    "SEMosesm": ("SEMosesm", (_OUTPUTS, "SEMoses^m")),
    "SEMosesLM": ("SEMosesLM", (_OUTPUTS, "SEMoses_LM")),
    "SEMosesLMm": ("SEMosesLMm", (_OUTPUTS, "SEMoses_LM^m")),
}

Preparation = Callable[[str], str]


def lowered(line: str) -> str:
    """Lower the case and strip white space from the ends."""
    return line.strip().lower()


def decoded(line: str) -> str:
    """`lowered`, with entities such as &apos; as the characters they stand for."""
    return html.unescape(lowered(line))


def joined(line: str) -> str:
    """`decoded`, with the 's of a genitive in one token, as in the references."""
    return re.sub(r"(?<!\S)['’] s(?!\S)", "'s", decoded(line))


def marks_left(line: str) -> str:
    """`decoded`, with the entity of quotation marks left as it is."""
    return html.unescape(lowered(line).replace("&quot;", "&amp;quot;"))


@dataclass(frozen=True, kw_only=True)
class Texts:
    """Sources, references and outputs of the same sentences, all prepared alike."""

    sources: tuple[str, ...]
    simple: tuple[str, ...]  # the Simple Wikipedia sentence
    references: tuple[tuple[str, ...], ...]  # eight for each sentence
    outputs: Mapping[str, tuple[str, ...]]

    @property
    def items(self) -> tuple[str, ...]:
        """Ids as in the ratings, from 1."""
        return tuple(str(number) for number in range(1, len(self.sources) + 1))

    def rated(self) -> RatedOutputs:
        """Return sources and outputs by item and system."""
        return RatedOutputs(
            items=self.items,
            systems=tuple(self.outputs),
            sources=self.sources,
            outputs=tuple(zip(*self.outputs.values(), strict=True)),
        )


def load_texts(
    systems: Mapping[str, System],
    *,
    data: Path | None,
    prepare: Preparation = lowered,
    sources: str = "hsplit/test",
    references: str = "turkcorpus/test.nts2017",
    whole: bool = False,
) -> Texts:
    """Return the outputs of `systems` on the rated sentences, the first of a set; or on the whole set."""
    released = corpora.load(references, data=data)
    segments = len(released) if whole else len(rated_items())
    inputs = tuple(map(prepare, corpora.load(sources, data=data).sources[:segments]))
    collections = {
        name: corpora.load_outputs(name, data=data)
        for name in dict.fromkeys(place[0] for _, place in systems.values() if place is not None)
    }
    outputs = {
        label: inputs if place is None else tuple(map(prepare, collections[place[0]][place[1]][:segments]))
        for label, (_, place) in systems.items()
    }
    return Texts(
        sources=inputs,
        simple=tuple(map(prepare, released.systems["Simple Wikipedia"][:segments])),
        references=tuple(tuple(map(prepare, group)) for group in released.references[:segments]),
        outputs=outputs,
    )


def rated_items() -> tuple[str, ...]:
    """Return ids of the rated sentences."""
    segments = corpora.get("turkcorpus/test.eval70").segments or 0
    return tuple(str(number) for number in range(1, segments + 1))


def hsplit_on_all() -> Mapping[str, System]:
    """HSplit on the whole set; nobody rated it there."""
    return {label: (label, ("hsplit/outputs", label)) for label in HSPLIT}


def ratings(data: Path | None) -> Ratings:
    """Return all judgements: of 28 systems, and of the four HSplit corpora."""
    return Ratings(
        tuple(row for name in ("sulem2018/ratings", "hsplit/ratings") for row in read_ratings(name, data=data))
    )


def score_sums(judged: Ratings, systems: Mapping[str, System], items: Sequence[str]) -> dict[str, Array]:
    """For each aspect the sum of the raters' scores by item and system: whole numbers, so that equal means tie."""
    rows = {item: at for at, item in enumerate(items)}
    columns = {name: at for at, (name, _) in enumerate(systems.values())}
    sums = {aspect: np.zeros((len(rows), len(columns))) for aspect in ASPECTS.values()}
    for rating in judged:
        if rating.system in columns:
            sums[rating.aspect][rows[rating.item], columns[rating.system]] += rating.score
    return {short: sums[aspect] for short, aspect in ASPECTS.items()}


def with_average(values: Array) -> Array:
    """Return the same with the mean of the last four columns, those of HSplit, as a further one."""
    return np.concatenate([values, values[..., -len(HSPLIT) :].mean(axis=-1, keepdims=True)], axis=-1)
