"""Programs of others that speak to LanguageTool servers, speaking to ours."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from tests.documents.libreoffice import available
from tests.serve import proofreading

TEXT = "🙂 They & we purchase 100 % of the principal gate."
EXPECTED = [("purchase", ["buy"]), ("principal", ["main"])]


def units(text: str, start: int, length: int) -> str:
    """The words at a place that is counted in UTF-16 units."""
    return text.encode("utf-16-le")[2 * start : 2 * (start + length)].decode("utf-16-le")


@pytest.mark.slow
def test_libreoffice_underlines_the_right_words(client):
    if not available():
        pytest.skip("needs LibreOffice and python3-uno")
    found = proofreading.ask(f"{client.base_url}/v2", TEXT)
    assert [(units(TEXT, own["start"], own["length"]), own["suggestions"]) for own in found] == EXPECTED


def test_language_tool_python_finds_the_right_words(client):
    package = pytest.importorskip(
        "language_tool_python", reason="needs language_tool_python: make test-all installs it"
    )
    with package.LanguageTool("en-US", remote_server=str(client.base_url)) as tool:
        found = tool.check(TEXT)
        assert [(TEXT[own.offset :][: own.error_length], own.replacements) for own in found] == EXPECTED
        assert tool.correct(TEXT) == "🙂 They & we buy 100 % of the main gate."


def test_pylanguagetool_finds_the_right_words(client):
    found = importlib.util.find_spec("pylanguagetool")
    if found is None:
        pytest.skip("needs pyLanguagetool: make test-all installs it")
    # Its package imports pkg_resources, which setuptools no longer has; the client is a module without it.
    path = Path(found.submodule_search_locations[0]) / "api.py"
    spec = importlib.util.spec_from_file_location("pylanguagetool_api", path)
    api = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(api)
    matches = api.check(TEXT, api_url=f"{client.base_url}/v2/", lang="en-US")["matches"]
    values = [[one["value"] for one in own["replacements"]] for own in matches]
    marked = [units(TEXT, own["offset"], own["length"]) for own in matches]
    assert list(zip(marked, values, strict=True)) == EXPECTED
    assert "en-GB" in [own["longCode"] for own in api.get_languages(f"{client.base_url}/v2/")]
