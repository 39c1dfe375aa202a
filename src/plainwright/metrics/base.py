"""The contract every metric follows.

A metric maps one segment to a fixed-length vector of counts, and a summed vector to a score. Bootstrap,
significance tests and tuning resample the vectors and never look at text again, so a new metric gets
all three for free. A metric whose corpus value is a mean of segment values sums its values and counts segments.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence, Set, Sized
from functools import cached_property, wraps
from pathlib import Path
from typing import Any, ClassVar, Concatenate, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from plainwright import __version__
from plainwright.arguments import check_choice, described, not_text
from plainwright.errors import ArgumentTypeError, DataError, LengthMismatchError, ReferenceShapeError
from plainwright.metrics.result import Score

__all__ = [
    "Array",
    "Metric",
    "OptionReaders",
    "Prepared",
    "References",
    "Texts",
    "as_data_error",
    "checked_choice",
    "mean_stats",
]

Array = npt.NDArray[np.float64]
Texts = Sequence[str]
References = Sequence[Sequence[str]]  # a group for each segment
OptionReaders = Mapping[str, Callable[[str], Any]]  # name of an argument -> what makes its value of a text
_LISTS = (list, tuple)
_Self = TypeVar("_Self", bound="Metric | Prepared")
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def as_data_error(
    method: Callable[Concatenate[_Self, _Arguments], _Result],
) -> Callable[Concatenate[_Self, _Arguments], _Result]:
    """Return what the native core says of its input (not a string, a lone surrogate) as a `DataError` of the metric."""

    @wraps(method)
    def checked(self: _Self, /, *arguments: _Arguments.args, **options: _Arguments.kwargs) -> _Result:
        try:
            return method(self, *arguments, **options)
        except DataError:
            raise
        except (TypeError, ValueError) as error:
            name = self.name if isinstance(self, Metric) else self.metric.name
            msg = f"{name}: {str(error).partition(chr(10))[0]}"
            raise DataError(msg) from None

    return checked


class Prepared(ABC):
    """One segment's source and references, made ready for scoring many candidates."""

    def __init__(self, metric: Metric) -> None:
        self.metric = metric

    @abstractmethod
    def stats_many(self, candidates: Sequence[str], *, threads: int = 1) -> Array:
        """Return statistics of every candidate: shape (number of candidates, number of statistics)."""

    def score_many(self, candidates: Sequence[str], *, threads: int = 1) -> Array:
        """Return the segment score of every candidate."""
        return self.metric.values_from_stats(self.stats_many(candidates, threads=threads))


class _PlainPrepared(Prepared):
    """For metrics with nothing to prepare: every candidate is scored as a segment of its own."""

    def __init__(self, metric: Metric, source: str | None, references: Sequence[str] | None) -> None:
        super().__init__(metric)
        self._source = source
        self._references = references

    def stats_many(self, candidates: Sequence[str], *, threads: int = 1) -> Array:
        n = len(candidates)
        if n == 0:
            return np.zeros((0, len(self.metric.stat_names)))
        sources = None if self._source is None else [self._source] * n
        references = None if self._references is None else [self._references] * n
        return self.metric.corpus_stats(sources, candidates, references, threads=threads)


class Metric(ABC):
    """Base of all metrics; see the module's text for the idea."""

    name: ClassVar[str]
    higher_is_better: ClassVar[bool | None] = True  # None: a description, not a judgement
    needs_source: bool = True
    needs_references: bool = True
    costly: ClassVar[bool] = False  # a network reads each text: worth keeping values, and comparing with few references
    reads_raw_text: ClassVar[bool] = False  # judges text as readers see it; others take tokens between spaces
    compares_alone: ClassVar[bool] = False  # can choose between candidates by their source, without references
    without_references: ClassVar[str] = ""  # what a user can do who has none

    # What tables and reports say of it; without a heading it goes by its name.
    heading: ClassVar[str] = ""
    title: ClassVar[str] = ""  # in reports, where there is more room; empty: the heading
    meaning: ClassVar[str] = ""  # one clause
    shown_parts: ClassVar[tuple[str, ...]] = ()  # parts with a column of their own
    part_headings: ClassVar[Mapping[str, str]] = {}

    # What it can be asked, beside the arguments of its class: `options_for` makes arguments of it.
    variant_option: ClassVar[str | None] = None  # the argument that `--variant` sets
    model_option: ClassVar[str | None] = None  # the argument that names the directory of a model
    text_options: ClassVar[frozenset[str]] = frozenset()  # which of "tokenizer" and "lowercase" are arguments
    raw_options: ClassVar[Mapping[str, str]] = {}  # arguments that suit text which is not tokenised
    further_options: ClassVar[OptionReaders] = {}  # others, and how `--metric-option` reads each

    @classmethod
    def options_for(
        cls,
        *,
        raw: bool,
        tokenizer: str | None = None,
        lowercase: bool = False,
        variant: str | None = None,
        model: Path | None = None,
    ) -> dict[str, str | bool | Path]:
        """Return arguments of the class: what was asked for, else what suits the text."""
        options: dict[str, str | bool | Path] = dict(cls.raw_options) if raw else {}
        if tokenizer is not None and "tokenizer" in cls.text_options:
            options["tokenizer"] = tokenizer
        if lowercase and "lowercase" in cls.text_options:
            options["lowercase"] = True
        if variant is not None and cls.variant_option is not None:
            options[cls.variant_option] = variant
        if model is not None and cls.model_option is not None:
            options[cls.model_option] = model
        return options

    def __repr__(self) -> str:
        # A learned metric would have to open its model to say more.
        settings = "" if self.costly else ", ".join(f"{name}={value!r}" for name, value in self.config().items())
        return f"{type(self).__name__}({settings})"

    @property
    @abstractmethod
    def stat_names(self) -> tuple[str, ...]:
        """Names of the statistics, in order."""

    @abstractmethod
    def config(self) -> Mapping[str, str | int | float]:
        """Every setting that can change the value; becomes the signature."""

    @abstractmethod
    def _corpus_stats(self, sources: Texts, outputs: Texts, references: References, threads: int) -> Array:
        """Statistics of checked input."""

    @abstractmethod
    def parts_from_stats(self, stats: Array) -> dict[str, Array]:
        """Named values from summed statistics, for any leading shape; the key `name` is the headline value."""

    def values_from_stats(self, stats: Array) -> Array:
        """Return only the headline values."""
        return self.parts_from_stats(stats)[self.name]

    @as_data_error
    def corpus_stats(
        self, sources: Texts | None, outputs: Texts, references: References | None, *, threads: int = 1
    ) -> Array:
        """Statistics of every segment: shape (segments, statistics); `references[i]` belongs to segment i."""
        checked_sources, checked_references = self._check(sources, outputs, references)
        if threads < 1:
            msg = f"threads must be at least 1, got {threads!r}"
            raise DataError(msg)
        stats = self._corpus_stats(checked_sources, outputs, checked_references, threads)
        shape = len(outputs), len(self.stat_names)
        if np.shape(stats) != shape:
            msg = f"{self.name}: expected statistics of the shape {shape}, a row per segment, got {np.shape(stats)}"
            raise DataError(msg)
        return stats

    def stats_of_systems(
        self, sources: Texts | None, outputs: Mapping[str, Texts], references: References | None, *, threads: int = 1
    ) -> dict[str, Array]:
        """Return `corpus_stats` of several systems on the same segments."""
        if not self.costly or len({len(lines) for lines in outputs.values()}) != 1:
            return {
                name: self.corpus_stats(sources, lines, references, threads=threads) for name, lines in outputs.items()
            }
        # All outputs of a segment in a row, so that its source and references are read once for all of them.
        count = len(outputs)
        stats = self.corpus_stats(
            None if sources is None else [source for source in sources for _ in range(count)],
            [line for lines in zip(*outputs.values(), strict=True) for line in lines],
            None if references is None else [group for group in references for _ in range(count)],
            threads=threads,
        )
        return {name: stats[at::count] for at, name in enumerate(outputs)}

    def corpus_score(
        self, sources: Texts | None, outputs: Texts, references: References | None, *, threads: int = 1
    ) -> Score:
        """Score a whole set."""
        stats = self.corpus_stats(sources, outputs, references, threads=threads)
        return self.score_from_stats(stats.sum(axis=0), references if self.needs_references else None)

    def sentence_scores(
        self, sources: Texts | None, outputs: Texts, references: References | None, *, threads: int = 1
    ) -> Array:
        """The headline value of every segment, scored as a set of one."""
        return self.values_from_stats(self.corpus_stats(sources, outputs, references, threads=threads))

    def sentence_score(self, source: str | None, output: str, references: Sequence[str] | None) -> Score:
        """Score one segment."""
        sources = None if source is None else [source]
        groups = None if references is None else [references]
        [stats] = self.corpus_stats(sources, [output], groups)
        return self.score_from_stats(stats, groups if self.needs_references else None)

    def prepare(self, source: str | None, references: Sequence[str] | None) -> Prepared:
        """Prepare one segment's source and references for scoring many candidates, as tuners do."""
        return _PlainPrepared(self, source, references)

    def pairwise(
        self, source: str | None, candidates: Sequence[str], references: Sequence[str], *, threads: int = 1
    ) -> Array:
        """Return the score of every candidate with every single reference: shape (candidates, references)."""
        columns = [self.prepare(source, [text]).score_many(candidates, threads=threads) for text in references]
        return np.stack(columns, axis=1) if columns else np.zeros((len(candidates), 0))

    def remarks(self, texts: Sequence[str], *, label: str) -> list[str]:
        """Return what a reader of the values should know of texts that were scored; `label` says which they are."""
        return []

    def remarks_on_sources(self, sources: Sequence[str]) -> list[str]:
        """Return what a reader should know of the sources as a whole, such as that the metric learnt from them."""
        return []

    def score_from_stats(self, stats: Array, references: Sequence[Sequence[str]] | None = None) -> Score:
        """A `Score` from one summed vector; `references` only tells their number to the signature."""
        parts = self._named_values(stats)
        value = parts.pop(self.name)
        return Score(metric=self.name, value=value, signature=self.signature(references), parts=parts)

    def _named_values(self, stats: Array) -> dict[str, float]:
        """`parts_from_stats` of one vector, as plain numbers."""
        return {name: float(value) for name, value in self.parts_from_stats(stats).items()}

    def signature(self, references: Sequence[Sequence[str]] | None = None) -> str:
        """Two runs with equal signatures on equal text give equal numbers."""
        if references is None:
            return f"{self._signature_head}|v:{__version__}"
        sizes = set(map(len, references))
        number = str(min(sizes)) if len(sizes) == 1 else f"{min(sizes)}-{max(sizes)}"
        return f"{self._signature_head}|refs:{number}|v:{__version__}"

    @cached_property
    def _signature_head(self) -> str:
        return "|".join([self.name, *(f"{key}:{value}" for key, value in self.config().items())])

    def _check(
        self, sources: Texts | None, outputs: Texts, references: References | None
    ) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        """Refuse what would silently give a wrong number."""
        for label, texts in (("sources", sources), ("outputs", outputs), ("references", references)):
            # Lists and tuples first: asking the abstract classes takes longer than scoring a short sentence.
            if type(texts) not in _LISTS and texts is not None and _is_no_list(texts):
                msg = f"{self.name}: {label} must be a list with one entry per segment, got {described(texts)}"
                raise ArgumentTypeError(msg)
        if outputs is None:
            msg = f"{self.name}: outputs must be a list with one entry per segment, got None"
            raise ArgumentTypeError(msg)
        sizes = {"outputs": len(outputs)}
        if self.needs_source:
            if sources is None:
                msg = f"{self.name} compares with the source; got sources=None"
                raise LengthMismatchError(msg)
            sizes["sources"] = len(sources)
        if self.needs_references:
            if references is None:
                way_out = f"; {self.without_references}" if self.without_references else ""
                msg = f"{self.name} needs references; got references=None{way_out}"
                raise ReferenceShapeError(msg)
            sizes["references"] = len(references)
        if len(set(sizes.values())) != 1:
            raise _size_error(self.name, sizes, references)
        if sizes["outputs"] == 0:
            msg = f"{self.name} needs at least one segment; got none"
            raise LengthMismatchError(msg)
        _check_strings(self.name, "outputs", outputs)
        if self.needs_source:
            assert sources is not None
            _check_strings(self.name, "sources", sources)
        if self.needs_references:
            assert references is not None
            _check_references(self.name, references)
        return ([] if sources is None else sources, [] if references is None else references)


def _size_error(
    name: str, sizes: Mapping[str, int], references: Sequence[Sequence[str]] | None
) -> LengthMismatchError | ReferenceShapeError:
    segments = sizes["outputs"]
    texts_agree = sizes.get("sources", segments) == segments
    if (
        texts_agree
        and references is not None
        and len(references) > 0
        and all(not isinstance(group, str) and len(group) == segments for group in references)
    ):
        msg = (
            f"{name}: references look transposed: expected references[i] to be the list for segment i "
            f"({segments} lists), got {len(references)} lists of {segments}; pass list(zip(*references))"
        )
        return ReferenceShapeError(msg)
    return LengthMismatchError(f"{name} needs one entry per segment; got {dict(sizes)}")


def _check_references(name: str, references: Sequence[Sequence[str]]) -> None:
    for index, group in enumerate(references):
        if type(group) in _LISTS and group:
            _check_strings(name, f"references[{index}]", group)
            continue
        if isinstance(group, str):
            msg = (
                f"{name}: references[{index}] must be a list of strings, got the string {group[:40]!r}; "
                "with one reference per segment pass [[r] for r in references]"
            )
            raise ReferenceShapeError(msg)
        if _is_no_list(group):
            msg = f"{name}: references[{index}] must be a list of strings, got {described(group)}"
            raise ReferenceShapeError(msg)
        if len(group) == 0:
            msg = f"{name}: references[{index}] is empty; every segment needs at least one reference"
            raise ReferenceShapeError(msg)


def _check_strings(name: str, label: str, texts: Sequence[str]) -> None:
    place = not_text(texts)
    if place is not None:
        msg = f"{name}: {label}[{place}] must be a string, got {described(list(texts)[place])}"
        raise ArgumentTypeError(msg)


def _is_no_list(texts: object) -> bool:
    # Arrays and columns of data frames are no `Sequence`, and will do.
    ordered = isinstance(texts, Sized) and isinstance(texts, Iterable)
    return not ordered or isinstance(texts, str | bytes | Set | Mapping)


def mean_stats(values: Array) -> Array:
    """Return statistics of a metric whose corpus value is the mean of its segment values: value and count."""
    return np.stack([values, np.ones_like(values)], axis=-1)


def checked_choice(metric: str, option: str, value: str, choices: tuple[str, ...]) -> str:
    """Return `value` if it is one of `choices`, else an error that names the nearest."""
    check_choice(value, choices, f"{option} of {metric}")
    return value
