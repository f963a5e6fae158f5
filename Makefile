# Boxman. `make play` plays, `make test` checks everything; both build what they need.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
UV     := $(shell command -v uv 2>/dev/null)

# The stamps live inside the environment, so making it anew removes them too.
CORE := $(VENV)/.stamp-core
DEV  := $(VENV)/.stamp-dev
SELF := $(VENV)/.stamp-self

# Everything installed is hashed in a lock file, the build backend included:
# the project itself is built without isolation and without dependencies.
ifneq ($(UV),)
  MAKE_VENV    = rm -rf $(VENV) && "$(UV)" venv --quiet --python "$(PYTHON)" $(VENV)
  INSTALL      = "$(UV)" pip install --quiet --python $(BIN)/python
else
  MAKE_VENV    = rm -rf $(VENV) && "$(PYTHON)" -m venv $(VENV)
  INSTALL      = $(BIN)/python -m pip install --quiet --disable-pip-version-check
endif
INSTALL_LOCK = $(INSTALL) --require-hashes -r
INSTALL_SELF = $(INSTALL) --no-deps --no-build-isolation -e .

# What one process has compiled serves the hundreds that the tests start, and the next `make play`.
unexport PYTHONDONTWRITEBYTECODE

# Two workers more than there are cores: tests with a browser or a server wait much of their time.
XDIST = -n $$($(BIN)/python -c 'import os; print((os.cpu_count() or 1) + 2)') --dist worksteal

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help play test bench soak system docs clean

help:
	@echo "make play    play craps in the browser"
	@echo "make test    lint, types and the test suite (BOXMAN_STRICT=1: a skip is a failure)"
	@echo "make bench   benchmarks"
	@echo "make soak    the long-running tests"
	@echo "make system  install what needs root: a Chromium for the browser tests"
	@echo "make docs    write what is generated in docs/, and build/sbom.cdx.json"
	@echo "make clean   remove everything that was built"

# The dev lock holds all of the core lock at the same versions: it serves both.
$(DEV): requirements-dev.lock requirements.lock
	$(MAKE_VENV)
	$(INSTALL_LOCK) requirements-dev.lock
	@touch $(CORE) $(DEV)

$(CORE): requirements.lock
	$(MAKE_VENV)
	$(INSTALL_LOCK) requirements.lock
	@touch $(CORE)

# Editable: only new metadata or a new environment needs it again.
$(SELF): pyproject.toml $(CORE)
	$(INSTALL_SELF)
	@touch $(SELF)

play: $(SELF)
	@$(BIN)/boxman play

# While one core looks at types, the other reads and compiles all tests once for the workers.
test: $(DEV) $(SELF)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict src & types=$$!; \
	$(BIN)/python -m pytest --collect-only -qq >$(VENV)/collected || { cat $(VENV)/collected; exit 1; }; \
	wait $$types
	$(BIN)/python -m pytest -rs --durations=30 $(XDIST)

bench: $(DEV) $(SELF)
	$(BIN)/python bench/bench.py

soak: $(DEV) $(SELF)
	BOXMAN_SOAK=1 $(BIN)/python -m pytest -rs -m soak
	$(BIN)/python -m tests.tools.faults

# The browser tests need a real Chromium; nothing else needs root. Without a window of its own it
# costs a third less; where there is no such package, the whole browser serves.
APT := DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends
system:
	@if command -v chromium-headless-shell >/dev/null; then echo "system: a Chromium is here"; \
	elif apt-get update -q && $(APT) chromium-headless-shell; then echo "system: a Chromium is installed"; \
	elif command -v chromium || command -v chromium-browser || command -v google-chrome; then echo "system: this one serves"; \
	else $(APT) chromium; \
	fi

docs: $(DEV) $(SELF)
	$(BIN)/python -m tests.tools.docs
	$(BIN)/python -m tests.tools.shape --write
	$(BIN)/python -m tests.tools.strategies
	$(BIN)/python -m tests.tools.licences

clean:
	rm -rf $(VENV) build dist .hypothesis .pytest_cache .mypy_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
