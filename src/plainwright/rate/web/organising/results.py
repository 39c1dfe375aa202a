"""What the study found so far, and downloads."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from sqlalchemy import Connection
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from plainwright.errors import DataError, MissingExtraError
from plainwright.extras import check_extra
from plainwright.rate.forms.registry import form_of
from plainwright.rate.results.analysis import Analysis
from plainwright.rate.results.export import ExportOptions, write_export
from plainwright.rate.results.loading import load_record
from plainwright.rate.results.references import references_of, texts_of, write_references, write_texts
from plainwright.rate.settings import Settings
from plainwright.rate.web.organising.cache import analysis_now
from plainwright.rate.web.organising.dashboard import organiser_page
from plainwright.rate.web.organising.door import for_organisers
from plainwright.rate.web.site import site_of
from plainwright.web.replies import Refusal

__all__ = ["download", "show_results"]

_MEDIA = {
    "csv": "text/csv; charset=utf-8",
    "tsv": "text/tab-separated-values; charset=utf-8",
    "jsonl": "application/x-ndjson; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
}
_KINDS = ("ratings", "all", "pairs")
_TABLES = ("tsv", "jsonl")  # of references


@for_organisers
async def show_results(request: Request) -> Response:
    """Means, clusters, agreement, bias of position; as far as the study is."""
    _check("this analysis", "scipy")
    found = await analysis_now(request, site_of(request))
    analysis = found.value if found is not None and isinstance(found.value, Analysis) else None
    return organiser_page(
        request,
        "organiser_results.html.jinja",
        analysis=analysis,
        form=form_of(site_of(request).settings),
        computing=found is None,
        checked=found.at if found else None,
    )


@for_organisers
async def download(request: Request) -> Response:
    """The rows as a file, made now; it is gone from the server once it is sent."""
    site = site_of(request)
    kind, extension = request.path_params["kind"], request.path_params["extension"]
    if not _is_offered(site.settings, kind, extension):
        raise Refusal(404, "unknown", "there is no such download")
    if extension == "parquet":
        _check("Parquet", "pyarrow")
    folder = tempfile.TemporaryDirectory(prefix="plainwright-")
    path = Path(folder.name) / f"export.{extension}"
    try:
        await site.database.read(lambda connection: _write(connection, kind, path))
    except DataError as error:
        folder.cleanup()
        raise Refusal(409, "empty", str(error)) from None
    except BaseException:
        folder.cleanup()
        raise
    return FileResponse(
        path,
        media_type=_MEDIA[extension],
        filename=f"{_file_name(site.settings.title)}-{kind}.{extension}",
        background=BackgroundTask(run_in_threadpool, folder.cleanup),
    )


def _is_offered(settings: Settings, kind: str, extension: str) -> bool:
    form = form_of(settings)
    if form.writes:
        return extension in {"texts": tuple(_MEDIA), "references": _TABLES}.get(kind, ())
    return kind in _KINDS and extension in _MEDIA and (kind != "pairs" or form.compares)


def _check(purpose: str, module: str) -> None:
    """Refuse what needs a package that collecting ratings does without."""
    try:
        check_extra(purpose, "study", module)
    except MissingExtraError as error:
        raise Refusal(501, "extra", str(error)) from None


def _write(connection: Connection, kind: str, path: Path) -> None:
    if kind == "references":
        write_references(references_of(load_record(connection)), path)
        return
    if kind == "texts":
        write_texts(texts_of(load_record(connection), everything=True), path, everything=True)
        return
    write_export(load_record(connection), path, ExportOptions(everything=kind != "ratings", pairs=kind == "pairs"))


def _file_name(title: str) -> str:
    """What every file system takes."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60] or "study"
