"""The sentences behind published ratings that name them only by number.

Found among the registered corpora; what is not on this machine stays absent, since agreement needs no text. That
line and number belong together was checked: raters say that meaning was kept where words were kept, in every
system that changes any. The ratings of SAMSA fail this check against the PWKP test set, so they get no texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from plainwright import corpora
from plainwright.errors import CorpusMissingError
from plainwright.study.ratings.layout import Placed

__all__ = ["with_texts"]

Data = str | Path | None
Lines = Sequence[str]

_RATED = "turkcorpus/test.eval70"
_DEFAULT_MODEL = " (with the default model instead of w2v)"
# As the ratings write it -> as the files of outputs do.
_SPELLINGS = {
    "NTSh": "NTS-h",
    "SENTSm-h1": "SENTS-h1^m",
    "SENTSm-h4": "SENTS-h4^m",
    "MosesLM": "Moses_LM",
    "DSSm": "DSS^m",
    "SEMosesm": "SEMoses^m",
    "Moses_LMm": "Moses_LM^m",
}


def with_texts(name: str, placed: Sequence[Placed], *, data: Data = None) -> list[Placed]:
    """Add to the ratings of a registered corpus the sources and outputs that can be found."""
    load = _TEXTS.get(name)
    if load is None:
        return list(placed)
    texts = dict(load(data, tuple({rating.system for _, rating in placed})))
    sources = texts.get("")
    return [
        (
            row,
            replace(
                rating,
                source=_line(sources, rating.item) or rating.source,
                output=_line(texts.get(rating.system), rating.item) or rating.output,
            ),
        )
        for row, rating in placed
    ]


def _line(lines: Lines | None, item: str) -> str | None:
    return lines[int(item) - 1] if lines is not None and item.isdecimal() and 1 <= int(item) <= len(lines) else None


def _hsplit(data: Data, _: Sequence[str]) -> Iterator[tuple[str, Lines]]:
    """The sources under the name "", then each system that was found."""
    with suppress(CorpusMissingError):
        yield "", corpora.load(_RATED, data=data).sources
    with suppress(CorpusMissingError):
        yield from corpora.load_outputs("hsplit/outputs.eval70", data=data).items()


def _sulem(data: Data, systems: Sequence[str]) -> Iterator[tuple[str, Lines]]:
    with suppress(CorpusMissingError):
        rated = corpora.load(_RATED, data=data)
        yield from (("", rated.sources), ("Identity", rated.sources), *rated.systems.items())
    with suppress(CorpusMissingError):
        outputs = corpora.load_outputs("sulem2018/outputs.eval70", data=data)
        yield from ((name, outputs[file]) for name in systems if (file := _file_name(name)) in outputs)
    # On all 359 sentences, of which the rated ones are the first.
    for name, collection, file in (
        ("MosesLM", "sulem2018/outputs", "Moses_LM"),
        ("SBMT-SARI", "xu2016/outputs", "SBMT-SARI"),
        ("HYBRID", "dress2017/outputs", "Hybrid"),
    ):
        with suppress(CorpusMissingError):
            yield name, corpora.load_outputs(collection, data=data)[file]


def _file_name(system: str) -> str:
    name = system.removesuffix(_DEFAULT_MODEL)
    for rated, file in _SPELLINGS.items():
        name = name.replace(rated, file)
    if "NTS" in name:
        name += "_default_model" if system.endswith(_DEFAULT_MODEL) else "_w2v_model"
    return name


_TEXTS: Mapping[str, Callable[[Data, Sequence[str]], Iterator[tuple[str, Lines]]]] = {
    "hsplit/ratings": _hsplit,
    "sulem2018/ratings": _sulem,
}
