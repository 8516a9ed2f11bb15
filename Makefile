# Everything happens in .venv, which is made from the hashed lock (requirements.txt) when it is missing or older than the lock.
# PYTHON names the interpreter that .venv is made with, 3.11 or later.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check
READY := .venv/ready
ROOMS := spec fixtures reports suites
TYPES := build/types/plumbline

# Compiled modules are kept whatever the environment says: without them each of the many programs that tests start takes twice as long.
export PYTHONDONTWRITEBYTECODE :=
# Trials have many threads, each of which would keep freed memory in a pool of its own; glibc has two of these then.
export MALLOC_ARENA_MAX := 2

.DEFAULT_GOAL := help
.PHONY: help conformance test prove tools lint format spec docs serve bench clean
.DELETE_ON_ERROR:

help: ## list the verbs
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

conformance: $(READY) ## run the suites on the embedded reference deployment; ARGS="..." goes to pytest
	$(BIN)/pytest $(ARGS)

# Each commit tries a quarter of what takes longest, and four in a row most of it (suites/proof/turns.py).
# Four workers on two cores, because some tests wait for real time, and others for programs that they start.
test: $(READY) ## run the tests of the kit itself; ARGS="..." goes to pytest
	GITHUB_STEP_SUMMARY= $(BIN)/pytest -n 4 --dist worksteal -p no:plumbline.fixtures.run.plugin -p plumbline.suites.proof.cores -p plumbline.suites.proof.turns \
	  -o norecursedirs=".* build tools clusters image" suites/proof fixtures reports spec $(ARGS)

# mypy cannot see through the editable install, so it reads the package as a folder of links; messages get their paths back.
lint: $(READY) ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@rm -rf $(TYPES) && mkdir -p $(TYPES)
	@ln -s $(CURDIR)/fixtures/plumbline/* $(addprefix $(CURDIR)/,$(ROOMS)) $(TYPES)
	MYPYPATH=build/types $(BIN)/mypy -p plumbline --exclude "plumbline/(fixtures/plumbline|fixtures/tests/cli/tools/scripts)/" \
	  | sed -E -e 's,^$(TYPES)/((spec|fixtures|reports|suites)/),\1,' -e 's,^$(TYPES)/,fixtures/plumbline/,'

format: $(READY) ## fix what style checks can fix
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

spec: $(READY) ## write the schemas, the OpenAPI document and the catalogue anew from the contract
	$(BIN)/python -m plumbline.spec

docs: $(READY) ## write contract, reference, guides and what the proof measured as a static site to build/docs
	$(BIN)/plumbline docs build/docs

serve: $(READY) ## run the reference deployment; ARGS="--fault NAME" and the like
	$(BIN)/plumbline serve $(ARGS)

prove: $(READY) ## prove every fault and variant, and write the matrix; ARGS="FAULT ..." or "--cluster tcp://..."
	$(BIN)/python -m plumbline.suites.proof.prove $(ARGS)

tools: $(READY) ## try the OpenAPI document with linters, generators and a mock, as make prove does; needs Node, Java and Chromium
	$(BIN)/pytest -p no:plumbline.fixtures.run.plugin -o norecursedirs=".* build" fixtures/tests/cli/tools $(ARGS)

bench: $(READY) ## compare the suites with Schemathesis, for hours, and write suites/PEERS.md; ARGS="--only 6" for a first look
	nice $(BIN)/python -m plumbline.suites.proof.benchmarks.bench $(ARGS)

clean: ## remove .venv and everything that was built
	rm -rf .venv build dist plumbline.egg-info plumbline-report plumbline-report-again .pytest_cache .mypy_cache .ruff_cache .hypothesis

# uv comes from the lock by its hash and installs the rest in seconds; where it has no build for the machine, pip does it alone.
.venv/synced: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit("Plumbline needs Python 3.11 or later: make PYTHON=..." if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@awk '/^uv==/ { on = 1 } { print > (on ? ".venv/uv.txt" : ".venv/others.txt") } !/\\$$/ { on = 0 }' requirements.txt
	if $(PIP) --no-deps --require-hashes -r .venv/uv.txt; then \
	  $(BIN)/uv pip sync -q --python $(BIN)/python --require-hashes requirements.txt; \
	else \
	  $(PIP) --no-deps --require-hashes -r .venv/others.txt; \
	fi
	@touch $@

$(READY): .venv/synced pyproject.toml
	if test -x $(BIN)/uv; then \
	  $(BIN)/uv pip install -q --python $(BIN)/python --no-deps --no-build-isolation -e .; \
	else \
	  $(PIP) --no-deps --no-build-isolation -e .; \
	fi
	@touch $@
