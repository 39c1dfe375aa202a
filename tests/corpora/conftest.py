import pytest

from .toys import Server


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    running = Server()
    yield running
    running.close()


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty data directory; the user's own ones are out of sight."""
    monkeypatch.delenv("PLAINWRIGHT_DATA", raising=False)
    monkeypatch.delenv("PLAINWRIGHT_MIRROR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    directory = tmp_path / "home"
    directory.mkdir()
    return directory
