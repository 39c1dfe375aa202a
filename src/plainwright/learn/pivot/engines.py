"""DuckDB in this process, or a Spark session: all that differs between the two.

Both read phrase tables as text, keep what is computed once, on disk where memory does not suffice, and give rows back
in batches that need not fit into memory together.
"""

from __future__ import annotations

import os
import shutil
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from plainwright.errors import DataError, MissingExtraError
from plainwright.extras import check_extra
from plainwright.grammar.rules import MAX_LINE_BYTES
from plainwright.learn.pivot.options import PivotOptions

__all__ = ["Engine", "open_engine"]

_FIELDS = ("lhs", "source", "target", "features", "alignment", "entailment")
_BATCH = 100_000


class Engine(ABC):
    """Does what pivoting needs of a database."""

    @abstractmethod
    def read_table(self, path: Path) -> Any:
        """Return the six fields of each line as columns, null where a line has fewer."""

    @abstractmethod
    def blames_input(self, error: Exception) -> bool:
        """Return whether the error is about a file that was read."""

    @abstractmethod
    def keep(self, name: str, expression: Any) -> Any:
        """Return the rows of an expression, computed now and once."""

    @abstractmethod
    def forget(self, name: str) -> None:
        """Free what `keep` holds under that name."""

    @abstractmethod
    def batches(self, expression: Any, place: Path) -> Iterator[Any]:
        """The rows of an expression in its order, as Arrow record batches; `place` is free for files."""


class _DuckEngine(Engine):
    def __init__(self, options: PivotOptions, place: Path) -> None:
        import ibis

        self._connection = ibis.duckdb.connect(
            place / "pivot.duckdb",
            memory_limit=options.memory,
            threads=options.threads,
            temp_directory=str(place / "spill"),
            preserve_insertion_order=False,
        )

    def read_table(self, path: Path) -> Any:
        return self._connection.read_csv(
            str(path),
            auto_detect=False,
            delim="|||",
            quote="",
            escape="",
            header=False,
            columns=dict.fromkeys(_FIELDS, "VARCHAR"),
            null_padding=True,
            strict_mode=False,
            max_line_size=2 * MAX_LINE_BYTES,
            compression="gzip" if path.suffix == ".gz" else "none",
        )

    def blames_input(self, error: Exception) -> bool:
        import duckdb

        return isinstance(error, duckdb.InvalidInputException | duckdb.IOException | duckdb.ConversionException)

    def keep(self, name: str, expression: Any) -> Any:
        return self._connection.create_table(name, expression)

    def forget(self, name: str) -> None:
        self._connection.raw_sql(f"DROP TABLE {name}")

    def batches(self, expression: Any, place: Path) -> Iterator[Any]:
        yield from expression.to_pyarrow_batches(chunk_size=_BATCH)

    def close(self) -> None:
        self._connection.disconnect()


class _SparkEngine(Engine):
    def __init__(self, options: PivotOptions, place: Path) -> None:
        import ibis
        from pyspark.sql import SparkSession

        master = options.master or f"local[{options.threads}]"
        builder = SparkSession.builder.appName("plainwright learn pivot").master(master)
        settings = {
            "spark.driver.memory": _java_size(options.memory),
            "spark.local.dir": str(place / "spill"),
            "spark.sql.session.timeZone": "UTC",
            "spark.sql.ansi.enabled": "false",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.log.level": "ERROR",
            # Spark's 200 parts are for clusters; on one machine most would be empty.
            **({"spark.sql.shuffle.partitions": "8"} if master.startswith("local") else {}),
            **dict(options.settings),
        }
        for name, value in settings.items():
            builder = builder.config(name, value)
        self._session = builder.getOrCreate()
        self._connection = ibis.pyspark.connect(self._session)
        self._kept: dict[str, Any] = {}

    def read_table(self, path: Path) -> Any:
        schema = ", ".join(f"{name} string" for name in _FIELDS)
        return self._connection.read_csv(str(path.absolute()), sep="|||", quote="", header=False, schema=schema)

    def blames_input(self, error: Exception) -> bool:
        return "FAILED_READ_FILE" in str(error)

    def keep(self, name: str, expression: Any) -> Any:
        # By default Spark moves to disk what does not fit into memory.
        self._kept[name] = self._session.sql(self._connection.compile(expression)).persist()
        self._kept[name].createTempView(name)
        return self._connection.table(name)

    def forget(self, name: str) -> None:
        self._session.catalog.dropTempView(name)
        self._kept.pop(name).unpersist()

    def batches(self, expression: Any, place: Path) -> Iterator[Any]:
        import pyarrow.parquet as parquet

        # Collecting would bring all rows to this process at once. The files are named in the order of the rows.
        parts = place / "rows.parquet"
        self._session.sql(self._connection.compile(expression)).write.mode("overwrite").parquet(str(parts))
        for part in sorted(parts.glob("part-*.parquet")):
            yield from parquet.ParquetFile(part).iter_batches(batch_size=_BATCH)

    def close(self) -> None:
        self._session.stop()


@contextmanager
def open_engine(options: PivotOptions, place: Path) -> Iterator[Engine]:
    """Yield the engine that the options name, with its files in `place`; what it cannot do becomes a `DataError`."""
    (place / "spill").mkdir(exist_ok=True)
    _check_installed(options.engine)
    with warnings.catch_warnings():
        # Of the libraries about each other: nothing that a user of ours could change.
        warnings.simplefilter("ignore")
        engine = _SparkEngine(options, place) if options.engine == "spark" else _DuckEngine(options, place)
        try:
            yield engine
        except Exception as error:
            if (problem := _explained(error, options)) is None:
                raise
            raise DataError(problem) from None
        finally:
            engine.close()


def _check_installed(engine: str) -> None:
    check_extra("pivoting", "learn", "duckdb", "ibis")
    if engine != "spark":
        return
    check_extra("--engine spark", "spark", "pyspark")
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java", path=None if home is None else str(Path(home) / "bin")) is None:
        where = "" if home is None else f", which JAVA_HOME={home} does not have"
        msg = (
            f"--engine spark needs Java 17{where}; "
            "install it (on Debian and Ubuntu `apt install openjdk-17-jre-headless`) or set JAVA_HOME"
        )
        raise MissingExtraError(msg)


def _explained(error: Exception, options: PivotOptions) -> str | None:
    """One sentence about what an engine could not do; None if that is our fault."""
    kind, text = type(error).__name__, " ".join(str(error).split())
    if kind == "OutOfMemoryException" or "OutOfMemoryError" in text:
        return f"--memory {options.memory} does not suffice even with files on disk; give more, or fewer --threads"
    if "No space left" in text or "max_temp_directory_size" in text:
        return f"{options.temporary or 'the directory for temporary files'} is full; name another with --temporary"
    if kind == "PySparkRuntimeError" or "Could not parse Master URL" in text:
        return f"--master {options.master}: Spark did not start ({text[:200]})"
    return None


def _java_size(memory: str) -> str:
    """`2GB` or `2 GiB` as Java writes it: 2g; fractions become the next smaller unit."""
    number, unit = memory.rstrip("iBMGT").strip(), memory.removesuffix("B").removesuffix("i")[-1].lower()
    if "." in number:
        return f"{int(float(number) * 1024)}{ {'t': 'g', 'g': 'm', 'm': 'k'}[unit] }"
    return number + unit
