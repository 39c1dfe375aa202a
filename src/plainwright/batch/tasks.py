"""What a batch does with rows: functions from record batches to record batches that can travel to other machines.

Each takes the texts in its columns, and adds columns. A row whose texts cannot be used comes back with the reason in
the column `problem`, and with nothing in the new ones. The model is opened once in each process.
"""

from __future__ import annotations

import functools
import itertools
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

from plainwright.arguments import described
from plainwright.errors import DataError
from plainwright.files import MAX_LINE
from plainwright.rewriter.finding import Level

__all__ = ["PROBLEM", "STATISTICS", "CheckTask", "EvaluateTask", "SimplifyTask", "Task"]

PROBLEM = "problem"
STATISTICS = "statistics of "  # columns with what a metric counts in a row, which are summed up and not written
_STRING, _NUMBER, _COUNT, _NUMBERS = "string", "double", "int64", "list<double>"

Texts = Mapping[str, Sequence[Any]]  # by column: a text for each row, or a list of them
Columns = dict[str, list[Any]]


class Task(ABC):
    """Adds columns to rows; called with record batches, as Spark's `mapInArrow` does."""

    name: ClassVar[str]
    doing: ClassVar[str]

    @property
    @abstractmethod
    def texts(self) -> tuple[str, ...]:
        """The columns with one text in each row."""

    @property
    def groups(self) -> tuple[str, ...]:
        """The columns with one or several texts in each row."""
        return ()

    @property
    @abstractmethod
    def new(self) -> Mapping[str, str]:
        """The new columns, and the types of what is in them."""

    @property
    def counted(self) -> Mapping[str, str]:
        """Columns that are for sums over all rows only."""
        return {}

    @abstractmethod
    def check(self) -> None:
        """Refuse what cannot be done in this process, such as without a model."""

    @abstractmethod
    def columns(self, rows: Texts) -> Columns:
        """Do the work for rows that have all their texts."""

    def totals(self, sums: Mapping[str, Sequence[float]]) -> dict[str, Any]:
        """Return what sums over all rows say."""
        return {}

    def settings(self) -> dict[str, Any]:
        """Return all that decides the result, but for the input."""
        return {"task": self.name, **asdict(self), "model": self.model_digest()}  # type: ignore[call-overload]

    def model_digest(self) -> str:
        """Return a digest of the files that decide the result; none where there are no files."""
        return ""

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield the batches with their new columns and `problem`."""
        for batch in batches:
            yield self._extended(batch, dict(self.new))

    def counting(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield the same with the columns that are summed up."""
        for batch in batches:
            yield self._extended(batch, {**self.new, **self.counted})

    def _extended(self, batch: Any, types: Mapping[str, str]) -> Any:
        import pyarrow as pa

        names = batch.schema.names
        read = {name: batch.column(names.index(name)).to_pylist() for name in (*self.texts, *self.groups)}
        problems = batch.column(names.index(PROBLEM)).to_pylist() if PROBLEM in names else [None] * batch.num_rows
        problems = [found or self._problem(read, row) for row, found in enumerate(problems)]
        fit = [row for row, problem in enumerate(problems) if problem is None]
        made = self.columns({name: [values[row] for row in fit] for name, values in read.items()}) if fit else {}
        for name, kind in types.items():
            values: list[Any] = [None] * batch.num_rows
            for row, value in zip(fit, made.get(name, ()), strict=True):
                values[row] = value
            batch = batch.append_column(name, pa.array(values, type=_arrow(kind)))
        if PROBLEM in names:
            batch = batch.drop_columns(PROBLEM)
        return batch.append_column(PROBLEM, pa.array(problems, type=pa.string()))

    def _problem(self, read: Texts, row: int) -> str | None:
        for name in self.texts:
            if problem := _problem_of(name, read[name][row]):
                return problem
        for name in self.groups:
            group = read[name][row]
            members = [group] if isinstance(group, str) or group is None else group
            if not members:
                return f"{name}: expected at least one text, found an empty list"
            for text in members:
                if problem := _problem_of(name, text):
                    return problem
        return None


def _problem_of(name: str, text: Any) -> str | None:
    if text is None:
        return f"{name}: expected a text, found none"
    if not isinstance(text, str):
        return f"{name}: expected a text, found {described(text)}"
    if len(text) > MAX_LINE:
        return f"{name}: expected a text of at most {MAX_LINE:,} characters, found {len(text):,}"
    return None


def _arrow(kind: str) -> Any:
    import pyarrow as pa

    return {_STRING: pa.string(), _NUMBER: pa.float64(), _COUNT: pa.int64(), _NUMBERS: pa.list_(pa.float64())}[kind]


@dataclass(frozen=True, kw_only=True)
class SimplifyTask(Task):
    """Makes the texts in a column plainer."""

    name = "simplify"
    doing = "simplifying"

    column: str = "text"
    new_column: str = "plain"
    edits: bool = False  # a further column, with the edits as JSON
    model: str | None = None
    engine: str = "best"
    level: Level = "plain"
    strength: float = 0.0
    words: tuple[str, ...] = ()
    max_grade: float | None = None
    keep: tuple[str, ...] = ()
    quotes: bool = False  # change quotations, too

    @property
    def texts(self) -> tuple[str, ...]:
        """The column with the texts."""
        return (self.column,)

    @property
    def new(self) -> Mapping[str, str]:
        """The plainer text, and its edits if they were asked for."""
        return {self.new_column: _STRING} | ({"edits": _STRING} if self.edits else {})

    def check(self) -> None:
        """Open the model."""
        self.simplifier()

    def model_digest(self) -> str:
        """Return a digest of the model and of the lists of words."""
        from plainwright.rewrite import find_model

        return _digest([find_model(self.model), *map(Path, self.words)])

    def simplifier(self) -> Any:
        """Return the simplifier, which is opened once in each process."""
        from plainwright.rewrite import load_once

        return load_once(
            self.model,
            engine=self.engine,  # type: ignore[arg-type]
            level=self.level,
            strength=self.strength,
            words=self.words,
            max_grade=self.max_grade,
        )

    def protection(self) -> Any:
        """Return what is left alone."""
        from plainwright.rewrite import Protection

        return Protection(keep=self.keep, quotations=not self.quotes)

    def columns(self, rows: Texts) -> Columns:
        """Simplify the texts."""
        texts, simplifier = list(rows[self.column]), self.simplifier()
        if not self.edits:
            return {self.new_column: simplifier.simplify_all(texts, protection=self.protection())}
        results = self._results(texts, simplifier)
        edits = [json.dumps([edit.to_dict() for edit in own.edits], ensure_ascii=False) for own in results]
        return {self.new_column: [own.text for own in results], "edits": edits}

    def _results(self, texts: Sequence[str], simplifier: Any) -> list[Any]:
        """Simplify the paragraphs of all texts together, which takes less time than one text after another."""
        from plainwright.rewrite import SimplifiedText
        from plainwright.rewrite.paragraphs import paragraphs

        parts = [list(paragraphs([text])) for text in texts]
        flat = simplifier.simplify_each(
            (part for own in parts for part in own), protection=self.protection(), alternatives=0
        )
        return [SimplifiedText.joined(itertools.islice(flat, len(own))) for own in parts]


@dataclass(frozen=True, kw_only=True)
class EvaluateTask(Task):
    """Scores the outputs in a column, row by row, and all rows together."""

    name = "evaluate"
    doing = "scoring"

    source: str | None = "source"
    output: str = "output"
    references: tuple[str, ...] = ("reference",)
    metrics: tuple[str, ...] = ("sari", "bleu", "fk")
    tokenised: bool = False
    lens_model: str | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """The columns with outputs and sources."""
        return (self.output,) if self.source is None else (self.output, self.source)

    @property
    def groups(self) -> tuple[str, ...]:
        """The columns with references."""
        return self.references

    @property
    def new(self) -> Mapping[str, str]:
        """One column for each metric."""
        return dict.fromkeys(self.metrics, _NUMBER)

    @property
    def counted(self) -> Mapping[str, str]:
        """What the metrics count."""
        return {STATISTICS + name: _NUMBERS for name in self.metrics}

    def check(self) -> None:
        """Make the metrics, and see that they have what they need."""
        for name, metric in self._made().items():
            lacking = "--source-column" if metric.needs_source and self.source is None else ""
            lacking = "--reference-column" if metric.needs_references and not self.references else lacking
            if lacking:
                msg = f"{name}: expected {lacking}, which it needs, found none; name the column, or leave {name} out"
                raise DataError(msg)

    def _made(self) -> Mapping[str, Any]:
        return _metrics(self.metrics, self.tokenised, self.lens_model)

    def model_digest(self) -> str:
        """Return the signatures of the metrics, which name the models that they use."""
        return " ".join(metric.signature() for metric in self._made().values())

    def columns(self, rows: Texts) -> Columns:
        """Score the outputs."""
        outputs = list(rows[self.output])
        sources = None if self.source is None else list(rows[self.source])
        parts = [[_group(value) for value in rows[name]] for name in self.references]
        groups = [[text for part in parts for text in part[row]] for row in range(len(outputs))] if parts else None
        made: Columns = {}
        for name, metric in self._made().items():
            counts = metric.corpus_stats(sources, outputs, groups)
            made[name] = [float(value) for value in metric.values_from_stats(counts)]
            made[STATISTICS + name] = counts.tolist()
        return made

    def totals(self, sums: Mapping[str, Sequence[float]]) -> dict[str, Any]:
        """Return the scores of all rows as one set, as `plainwright evaluate` gives them."""
        import numpy as np

        made = self._made()
        scores = {name: made[name].score_from_stats(np.asarray(counts)) for name, counts in sums.items()}
        return {name: {"value": score.value, "signature": score.signature} for name, score in scores.items()}


def _group(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


@functools.lru_cache(maxsize=4)
def _metrics(names: tuple[str, ...], tokenised: bool, lens_model: str | None) -> Mapping[str, Any]:
    from plainwright import metrics

    model = None if lens_model is None else Path(lens_model)
    kinds = {name: metrics.metric_class(name) for name in names}
    return {
        name: metrics.create(name, **kind.options_for(raw=not tokenised, model=model)) for name, kind in kinds.items()
    }


@dataclass(frozen=True, kw_only=True)
class CheckTask(Task):
    """Says how hard the texts in a column are."""

    name = "check"
    doing = "checking"

    column: str = "text"
    findings: bool = False  # a further column, with the findings as JSON
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    sentence_words: int = 25
    words: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The column with the texts."""
        return (self.column,)

    @property
    def new(self) -> Mapping[str, str]:
        """Words, sentences, grade, level, and how often each rule found something."""
        fixed = {"words": _COUNT, "sentences": _COUNT, "grade": _NUMBER, "level": _STRING, "counts": _STRING}
        return fixed | ({"findings": _STRING} if self.findings else {})

    def check(self) -> None:
        """Check a word, and with it the names of the rules."""
        self.report("Yes.")

    def model_digest(self) -> str:
        """Return a digest of the lists of words."""
        return _digest([Path(file) for file in self.words])

    def options(self) -> dict[str, Any]:
        """Return how to check."""
        return {
            "select": self.select,
            "ignore": self.ignore,
            "sentence_words": self.sentence_words,
            "words": self.words,
            "keep": self.keep,
        }

    def report(self, text: str) -> Any:
        """Check one text."""
        from plainwright.check import check_text

        return check_text(text, **self.options())

    def columns(self, rows: Texts) -> Columns:
        """Check the texts."""
        found = [self.values(self.report(text)) for text in rows[self.column]]
        return {name: [own[name] for own in found] for name in self.new}

    def values(self, report: Any) -> dict[str, Any]:
        """Return what a report says, as the columns have it."""
        findings = [finding.to_dict() for finding in report.findings]
        return {
            "words": report.words,
            "sentences": len(report.sentences),
            "grade": None if report.grade is None else round(report.grade, 2),
            "level": report.level_name,
            "counts": json.dumps(report.counts),
            "findings": json.dumps(findings, ensure_ascii=False),
        }


def _digest(places: Sequence[Path]) -> str:
    """A digest of files, and of all files in directories."""
    from plainwright.files import file_digest
    from plainwright.stages import digest_of

    files: list[Path] = []
    for place in places:
        files += sorted(own for own in place.rglob("*") if own.is_file()) if place.is_dir() else [place]
    return digest_of(*([own.name, file_digest(own)] for own in files)) if files else ""
