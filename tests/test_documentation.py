"""The documentation is true: its snippets run, its transcripts are what the commands print, its links lead somewhere.

- ```python blocks with `>>>` are doctests; the blocks of one page share their names. Others must compile.
- ```console blocks are transcripts: `$ plainwright …` and exactly what it prints, errors before results, exit
  status 0 or what `exit=` after `console` says. A block that shows no output at all is a menu: only parsed.
- What needs a corpus that is not on this machine is skipped, and so is a transcript that says `needs=MODULE` where that
  module is not installed; what computes published tables again is slow.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib
import io
import os
import pkgutil
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer

import plainwright
from plainwright import corpora
from plainwright.cli import main as cli
from plainwright.cli.options import expand_multiple
from plainwright.errors import CorpusMissingError
from plainwright.grammar import PackedGrammar
from plainwright.metrics import FK, LEARNED, METRICS, SARI
from plainwright.metrics.sari import SARI_VARIANTS
from plainwright.models import find
from plainwright.reproduce import REPRODUCTIONS
from plainwright.rewriter.finding import REWRITER_VARIABLE

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    page: Path
    line: int  # of the opening fence
    info: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: Path) -> Iterator[Block]:
    opened: tuple[int, str] | None = None
    lines: list[str] = []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        if opened is None and line.startswith("```"):
            opened, lines = (number, line.removeprefix("```").strip()), []
        elif opened is not None and line == "```":
            yield Block(page, *opened, "\n".join(lines) + "\n")
            opened = None
        else:
            lines.append(line)
    assert opened is None, f"{page}:{opened}: a fence that is never closed"


BLOCKS = [block for page in PAGES for block in blocks(page)]


def commands(block: Block) -> list[tuple[str, str, str]]:
    """(command, as written, output shown) of each `$ ` line; a backslash at a line's end continues it."""
    found: list[tuple[str, str, str]] = []
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        match = re.match(r"((?:.*\\\n)*.*)\n((?s:.*))", part)
        assert match is not None
        found.append((match[1].replace("\\\n", " "), match[1], match[2]))
    return found


def is_menu(block: Block) -> bool:
    return all(not output.strip() for *_, output in commands(block))


CONSOLE = [block for block in BLOCKS if block.info.split()[:1] == ["console"]]
TRANSCRIPTS = [block for block in CONSOLE if not is_menu(block)]
MENUS = [block for block in CONSOLE if is_menu(block)]


def skip_without_corpora(text: str) -> None:
    """Skip what names a registered corpus (or a reproduction, which reads some) that is not here."""
    names = {name for name in corpora.names() if re.search(rf"(?<![\w/.]){re.escape(name)}(?![\w/.])", text)}
    names.update(needed for name, recipe in REPRODUCTIONS.items() if name in text for needed in recipe.needs)
    for name in names:
        try:
            corpora.locate(name)
        except CorpusMissingError:
            pytest.skip(f"{name} is not on this machine")


@pytest.fixture(autouse=True)
def as_for_a_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Snippets that show what the rules do name that engine, so they hold with and without a rewriter."""
    monkeypatch.delenv(REWRITER_VARIABLE, raising=False)


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory that looks like the repository to a command, where reports may be written."""
    place = tmp_path_factory.mktemp("documentation")
    (place / "examples").symlink_to(ROOT / "examples")
    return place


def in_process(arguments: list[str]) -> tuple[int, str]:
    """Exit status and everything printed."""
    stream = io.StringIO()
    saved, status = sys.argv, 0
    sys.argv = ["plainwright", *arguments]
    try:
        with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
            cli.main()
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else int(error.code is not None)
    finally:
        sys.argv = saved
    return status, stream.getvalue()


def in_shell(command: str) -> tuple[int, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", f"exec 2>&1; {command}"],
        stdout=subprocess.PIPE,
        env={**os.environ, "PATH": path},
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


def portable(text: str) -> str:
    """Without what differs from machine to machine: last digits of full precision, versions of dictionaries, times."""
    text = re.sub(r"\b(cmu|wordfreq)-\d[\d.]*", r"\1-VERSION", text)
    text = re.sub(r" *\b\d+\.\d s\b", " 0.0 s", text)
    # A network sums in the order that suits the processor, so its values agree to six or seven places.
    return re.sub(r"-?\d+\.\d{9,}", lambda number: f"{float(number[0]):.6f}", text.rstrip())


def run(command: str) -> tuple[int, str]:
    """In this process where possible, which is quicker."""
    if not command.startswith("plainwright ") or re.search(r"[|<>$]", command):
        return in_shell(command)
    words = shlex.split(command)[1:]
    expanded = [sorted(map(str, Path().glob(word))) if "?" in word else [word] for word in words]
    return in_process([name for names in expanded for name in names])


# Pages that compute published tables again are slow.
CASES = [
    pytest.param(block, id=str(block), marks=[pytest.mark.slow] if "reproduce" in block.page.parts else [])
    for block in TRANSCRIPTS
]


@pytest.mark.parametrize("block", CASES)
def test_commands_print_what_the_page_shows(block: Block, workplace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    skip_without_corpora(block.text)
    if needed := re.search(r"needs=(\w+)", block.info):
        pytest.importorskip(needed[1])
    monkeypatch.chdir(workplace)
    expected_status = int(match[1]) if (match := re.search(r"exit=(\d)", block.info)) else 0
    for command, _, shown in commands(block):
        status, printed = run(command)
        assert portable(printed) == portable(shown), f"{block}: $ {command}"
        assert status == expected_status, f"{block}: $ {command}"


@pytest.mark.parametrize("block", MENUS, ids=str)
def test_commands_without_output_are_well_formed(block: Block) -> None:
    for line, *_ in commands(block):
        words = shlex.split(line, comments=True)
        if words[:1] != ["plainwright"]:
            continue
        command, arguments = typer.main.get_command(cli.app), expand_multiple(words[1:])
        while arguments and arguments[0] in getattr(command, "commands", {}):
            command, arguments = command.commands[arguments[0]], arguments[1:]
        command.make_context(line, arguments)  # an unknown option or a missing argument is an error


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_snippets_run(page: Path, workplace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(workplace)
    snippets = [block for block in blocks(page) if block.info == "python"]
    names: dict[str, object] = {}
    for block in snippets:
        if ">>>" not in block.text:
            compile(block.text, str(block), "exec")
            continue
        skip_without_corpora(block.text)
        test = doctest.DocTestParser().get_doctest(block.text, names, str(block), str(page), block.line)
        report = io.StringIO()
        result = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=report.write, clear_globs=False)
        names = test.globs
        assert result.failed == 0, report.getvalue()


MODULES = [name for _, name, _ in pkgutil.walk_packages(plainwright.__path__, "plainwright.")]


def test_examples_in_docstrings_run() -> None:
    for name in MODULES:
        module = importlib.import_module(name)
        if getattr(module, "__file__", "").endswith(".py"):
            assert doctest.testmod(module, optionflags=FLAGS).failed == 0, name


def without_code(page: Path) -> str:
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """The names that GitHub gives to headings."""
    headings = re.findall(r"^#+ +(.+?)\s*$", without_code(page), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page: Path) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", without_code(page)))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_relative_links_lead_somewhere(page: Path) -> None:
    for link in links(page):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), f"{page.relative_to(ROOT)}: {link}"
        if anchor:
            assert anchor in anchors(target), f"{page.relative_to(ROOT)}: {link}"


@pytest.mark.parametrize("page", [p for p in PAGES if "docs" in p.parts], ids=lambda page: str(page.relative_to(ROOT)))
def test_no_page_is_too_long_to_read(page: Path) -> None:
    words = len(page.read_text(encoding="utf-8").split())
    assert words <= 2_500, f"{page.relative_to(ROOT)} has {words} words; split it"


def test_every_page_is_in_the_navigation_of_the_site() -> None:
    listed = set(re.findall(r'= "([^"]+\.md)"|^ *"([^"]+\.md)",$', (ROOT / "zensical.toml").read_text("utf-8"), re.M))
    pages = {str(page.relative_to(ROOT / "docs")) for page in PAGES if page.is_relative_to(ROOT / "docs")}
    missing = pages - {one or other for one, other in listed}
    assert missing == set(), "add them to `nav` in zensical.toml"


def reachable(start: Path, clicks: int) -> set[Path]:
    found = {start}
    for _ in range(clicks):
        pages = [page for page in found if page.suffix == ".md" and page.is_file()]
        found |= {(page.parent / link.partition("#")[0]).resolve() for page in pages for link in links(page)}
    return found


def test_every_page_is_two_clicks_from_the_readme() -> None:
    assert set(PAGES) - reachable(ROOT / "README.md", clicks=2) == set()


@pytest.mark.parametrize("name", [*METRICS, *LEARNED])
def test_every_metric_has_a_page(name: str) -> None:
    assert (ROOT / "docs" / "metrics" / f"{name}.md").is_file()


@pytest.mark.parametrize("name", ["evaluate", "report"])
def test_every_option_is_documented(name: str) -> None:
    text = "".join((ROOT / "docs" / page).read_text(encoding="utf-8") for page in ("evaluate.md", "report.md"))
    options = typer.main.get_command(cli.app).commands[name].params  # type: ignore[attr-defined]
    missing = [o.opts[0] for o in options if o.param_type_name == "option" and f"`{o.opts[0]}" not in text]
    assert missing == []


STUDY_COMMANDS = typer.main.get_command(cli.app).commands["study"].commands  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", STUDY_COMMANDS)
def test_every_option_of_a_study_is_documented(name: str) -> None:
    pages = [ROOT / "docs" / "studies.md", *(ROOT / "docs" / "studies").glob("*.md")]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    options = [option for option in STUDY_COMMANDS[name].params if option.param_type_name == "option"]
    assert [option.opts[0] for option in options if f"`{option.opts[0]}" not in text] == []


LENS_COMMANDS = typer.main.get_command(cli.app).commands["lens"].commands  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", LENS_COMMANDS)
def test_every_option_of_lens_is_documented(name: str) -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("lens*.md"))
    options = [option for option in LENS_COMMANDS[name].params if option.param_type_name == "option"]
    assert [option.opts[0] for option in options if f"`{option.opts[0]}" not in text] == []


RATE_COMMANDS = typer.main.get_command(cli.app).commands["rate"].commands  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", RATE_COMMANDS)
def test_every_command_and_option_of_rating_is_documented(name: str) -> None:
    pages = [ROOT / "docs" / "rate.md", *(ROOT / "docs" / "rate").glob("*.md")]
    section = re.search(rf"^### `rate {name}`$(.*?)(?=^### |\Z)", pages[0].read_text(encoding="utf-8"), re.M | re.S)
    assert section is not None
    assert section[1].strip()
    text = section[1] + "".join(page.read_text(encoding="utf-8") for page in pages[1:])
    options = [option for option in RATE_COMMANDS[name].params if option.param_type_name == "option"]
    assert [option.opts[0] for option in options if f"`{option.opts[0]}" not in text] == []


@pytest.mark.parametrize("name", ["README.md", "docs/metrics/sari.md"])
def test_table_of_sari_variants_is_right(name: str) -> None:
    skip_without_corpora("turkcorpus/test")
    corpus = corpora.load("turkcorpus/test")
    rows = re.findall(
        r"^\| (the input.*?|[A-Z]+-[A-Z]+) \|(.*)\|$", (ROOT / name).read_text("utf-8"), flags=re.MULTILINE
    )
    assert len(rows) == 4
    for system, cells in rows:
        outputs = corpus.systems.get(system, corpus.sources)
        for variant, shown in zip(SARI_VARIANTS, cells.split("|")[-4:], strict=True):
            score = SARI(variant=variant).corpus_score(corpus.sources, outputs, corpus.references)
            assert f"{score.value:.2f}" == shown.strip(), f"{name}: {system}, {variant}"


def test_the_readme_counts_the_rules_of_the_model_that_it_speaks_of() -> None:
    model = find("default")
    rules = len(PackedGrammar(model / "grammar.pack"))
    megabytes = sum(file.stat().st_size for file in model.iterdir()) / 1e6
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"more than {rules // 10_000 * 10_000:,} rules" in text
    assert f"in {megabytes:.0f} MB" in text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_teaches_a_private_name(page: Path) -> None:
    snippets = [block.text for block in blocks(page) if block.info == "python"]
    names = [name for text in snippets for line in re.findall(r".*plainwright.*", text) for name in line.split()]
    assert [name for name in names if re.match(r"(plainwright(\.\w+)*\.)?_[a-z]", name)] == []


def prose(page: Path) -> str:
    """Paragraphs and list items, one a paragraph; code, tables and headings are left out, code in a line is "it"."""
    text = re.sub(r"^```.*?^```$|\$\$.*?\$\$", "\n", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^(\||#|\[\^|>).*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"^ *([-*]|\d+\.) ", "\n", text, flags=re.MULTILINE)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`[^`]*`|\$[^$\n]+\$", "it", text)
    return re.sub(r"[*_]{1,2}(\S[^*_]*)[*_]{1,2}", r"\1", text)


# Kincaid et al. (1975) by our own counts; the pages that a newcomer reads first.
@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "docs/quickstart.md", "docs/evaluate.md"])
def test_first_pages_are_easy_to_read(name: str) -> None:
    grade = FK(variant="plain").corpus_score(None, [prose(ROOT / name)], None).value
    assert grade <= 8, f"{name} reads at grade {grade:.1f}; shorten its sentences"
