"""From phrase tables to a file of rules."""

from __future__ import annotations

import contextlib
import gzip
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from plainwright.errors import DataError
from plainwright.files import atomic_write_bytes, check_writable, explain_reading
from plainwright.grammar.rules import read_rules
from plainwright.learn.pivot.engines import Engine, open_engine
from plainwright.learn.pivot.options import MAX_LANGUAGES, PhraseTable, PivotOptions, PivotReport

__all__ = ["pivot_files"]

Progress = Callable[[str, int, int], None]  # what is being done, how much of it, of how much


def pivot_files(
    tables: Sequence[PhraseTable],
    output: str | Path,
    options: PivotOptions | None = None,
    *,
    texts: Sequence[str | Path] = (),
    progress: Progress | None = None,
) -> PivotReport:
    """Write the paraphrases that `tables` give; `texts`, tokenised, one sentence a line, give AGigaSim."""
    options = PivotOptions() if options is None else options
    options.check()
    languages = _languages(tables)
    check_writable(output)
    for path in [*(table.path for table in tables), *map(Path, texts)]:
        _check_whole(path)
    with tempfile.TemporaryDirectory(prefix="plainwright-pivot-", dir=options.temporary) as place:
        return _Run(tables, languages, options, Path(place), progress).write(Path(output), texts)


class _Run:
    """One run: its stages, timed."""

    def __init__(
        self,
        tables: Sequence[PhraseTable],
        languages: tuple[str, ...],
        options: PivotOptions,
        place: Path,
        progress: Progress | None,
    ) -> None:
        self._tables = tables
        self._languages = languages
        self._options = options
        self._place = place
        self._progress = progress
        self._seconds: dict[str, float] = {}

    def write(self, output: Path, texts: Sequence[str | Path]) -> PivotReport:
        from plainwright.learn.pivot import query

        with open_engine(self._options, self._place) as engine:
            with self._stage("reading"):
                entries, read = self._read(engine)
            with self._stage("links"):
                links, linked = _kept(engine, "links", query.links(entries, self._options))
                joined = int(query.joined_rows(links, self._options).to_pyarrow().as_py() or 0) // 2
                engine.forget("entries")
            with self._stage("pairs"):
                # In two steps, lest the engine look at the text of the many pairs that are unlikely anyway.
                likely, _ = _kept(engine, "likely", query.pairs(links, self._options))
                pairs, paired = _kept(engine, "pairs", query.paraphrases(likely, self._options))
                engine.forget("likely")
                engine.forget("links")
            with self._stage("rules"):
                rules, ruled = _kept(engine, "rules", query.rules(pairs, self._options))
                engine.forget("pairs")
            with self._stage("similarity"):
                vectors = self._vectors(engine, rules, texts)
            with self._stage("writing"):
                alike = self._write(engine, rules, ruled, vectors, output)
        return PivotReport(
            languages=self._languages,
            entries=read,
            links=linked,
            joined=joined,
            pairs=paired,
            rules=ruled,
            with_similarity=alike,
            seconds=tuple((name, round(seconds, 2)) for name, seconds in self._seconds.items()),
        )

    @contextlib.contextmanager
    def _stage(self, name: str) -> Iterator[None]:
        if self._progress is not None:
            self._progress(name, 0, 0)
        start = time.perf_counter()
        yield
        self._seconds[name] = time.perf_counter() - start

    def _entries(self, engine: Engine) -> Any:
        import ibis

        from plainwright.learn.pivot.query import read_entries

        numbers = {language: number for number, language in enumerate(self._languages)}
        return ibis.union(
            *(
                read_entries(engine.read_table(table.path), table=number, language=numbers[table.language])
                for number, table in enumerate(self._tables)
            ),
            distinct=False,
        )

    def _read(self, engine: Engine) -> tuple[Any, int]:
        from plainwright.learn.pivot.query import unreadable

        paths = [table.path for table in self._tables]
        try:
            entries, read = _kept(engine, "entries", self._entries(engine))
        except Exception as error:
            if not engine.blames_input(error):
                raise
            raise DataError(_first_problem(paths)) from None
        if read == 0:
            msg = f"{', '.join(map(str, paths))}: expected rules, one a line, found none"
            raise DataError(msg)
        if bad := unreadable(entries).select("table").limit(1).to_pyarrow().to_pylist():
            raise DataError(_first_problem([paths[bad[0]["table"]]]))
        return entries, read

    def _vectors(self, engine: Engine, rules: Any, texts: Sequence[str | Path]) -> Any:
        if not texts:
            return None
        from plainwright.learn.pivot.similarity import ContextVectors

        sides = rules.select(phrase=rules.source).union(rules.select(phrase=rules.target), distinct=True)
        batches = engine.batches(sides.filter(~sides.phrase.contains("[")).order_by("phrase"), self._place)
        vectors = ContextVectors(
            (phrase for batch in batches for phrase in batch.column("phrase").to_pylist()),
            min_seen=self._options.min_seen,
        )
        vectors.add_files(texts)
        return vectors

    def _write(self, engine: Engine, rules: Any, ruled: int, vectors: Any, output: Path) -> int:
        import numpy as np

        from plainwright.learn.pivot.output import rule_lines

        ordered = rules.order_by([rules.source, rules.lhs, rules.forward.desc(), rules.target])
        done = alike = 0
        with _text_file(output) as stream:
            for batch in engine.batches(ordered, self._place):
                values = None
                if vectors is not None:
                    values = vectors.cosines(batch.column("source").to_pylist(), batch.column("target").to_pylist())
                    alike += int(np.count_nonzero(~np.isnan(values)))
                stream.write("".join(rule_lines(batch, values)).encode())
                done += batch.num_rows
                if self._progress is not None:
                    self._progress("writing", done, ruled)
        return alike


def _kept(engine: Engine, name: str, expression: Any) -> tuple[Any, int]:
    """The rows, computed once, and how many they are."""
    kept = engine.keep(name, expression)
    return kept, int(kept.count().to_pyarrow().as_py())


def _languages(tables: Sequence[PhraseTable]) -> tuple[str, ...]:
    if not tables:
        msg = "pivoting needs a phrase table, got none"
        raise DataError(msg)
    found = tuple(dict.fromkeys(table.language for table in tables))
    if len(found) > MAX_LANGUAGES:
        msg = f"at most {MAX_LANGUAGES} languages expected, got {len(found)}; name tables alike, as in de=a.gz de=b.gz"
        raise DataError(msg)
    return found


def _check_whole(path: Path) -> None:
    """Refuse a file that is not there, or compressed and cut off, which DuckDB would take for its end."""
    with explain_reading(path), path.open("rb") as raw:
        if path.suffix == ".gz":
            with gzip.GzipFile(fileobj=raw) as stream:
                while stream.read(1 << 20):
                    pass


def _first_problem(paths: Sequence[Path]) -> str:
    """What is wrong with tables that the engine could not use: the strict reader knows the line."""
    for path in paths:
        try:
            for number, rule in enumerate(read_rules(path), start=1):
                for name in ("p(e|f)", "p(f|e)"):
                    if rule.features.get(name) is None:
                        return f"{path}:{number}: the features p(e|f) and p(f|e) expected, found no {name}"
        except DataError as error:
            return str(error)
    return f"{', '.join(map(str, paths))}: rules with the features p(e|f) and p(f|e) expected, found something else"


@contextlib.contextmanager
def _text_file(path: Path) -> Iterator[IO[bytes]]:
    """Compressed if the name ends in .gz, always to the same bytes."""
    with atomic_write_bytes(path) as raw:
        if path.suffix != ".gz":
            yield raw
            return
        with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0, compresslevel=6) as packed:
            yield packed  # type: ignore[misc]
