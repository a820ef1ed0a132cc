# Everything runs in a virtual environment of its own; PYTHON names the interpreter that makes it.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# What is compared with, and what hunts for faults, is no dependency: it gets an environment of its own.
TOOLS ?= .venv-tools
READY := $(VENV)/.ready
DEV := $(VENV)/.dev

.PHONY: demo test lint types contracts unit coverage acceptance bench bench-languages torture fuzz fuzz-atheris docs live clean

DEMO := build/demo

demo: $(READY)  ## install, decide on the shipped example, look back, dry-run the policies, dispatch a worker and accept its work
	@rm -rf $(DEMO) && mkdir -p $(DEMO) && echo 'job-17 started in its worktree' > $(DEMO)/worker.log
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh -c '\
		shown() { echo; echo "$$ $$*"; eval "$$@"; }; \
		shown "gatewright check --runtime codex --model gpt-5.3-codex --contract docs/examples/contract.md --agents 2 --completion-channel sentinel-log --ledger $(DEMO)/ledger.db -f table" && \
		{ shown "gatewright check --runtime codex --model brand-new-model --contract docs/examples/contract.md --agents 9 --completion-channel orchestration --no-record -f table"; test $$? -eq 2; } && \
		shown "gatewright register --job-id job-17 --probe-cmd \"cat $(DEMO)/worker.log\" --declared-model gpt-5.3-codex --ledger $(DEMO)/ledger.db -f table" && \
		shown "gatewright report --ledger $(DEMO)/ledger.db" && \
		shown "gatewright ledger verify --ledger $(DEMO)/ledger.db" && \
		shown "gatewright test fixtures > $(DEMO)/cases.txt && tail -n 1 $(DEMO)/cases.txt" && \
		sh docs/examples/worker/demo.sh $(DEMO)/dispatch'

test: lint types contracts unit  ## everything that CI runs

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(DEV)
	$(BIN)/mypy

contracts: $(DEV)
	$(BIN)/lint-imports --no-cache

unit: $(DEV)
	$(BIN)/python -m pytest -n 2 --dist loadgroup --cov --cov-branch

coverage: $(DEV)  ## every branch of the expression language and of admission is taken by a test, or this fails
	$(BIN)/python -m pytest -q -n 2 --dist loadgroup --cov --cov-branch tests/expressions tests/runner/test_admission.py tests/policy

acceptance: $(DEV)  ## which rows of the acceptance table are shown, by which tests
	$(BIN)/python -m tests.acceptance

bench: $(DEV)  ## ratios, measured side by side in one run each
	@for script in tests/benchmarks/bench_*.py; do \
		echo "== $$script"; $(BIN)/python -m $$(echo $${script%.py} | tr / .) || exit 1; done

bench-languages: $(TOOLS)/.ready  ## the same checks in other languages for policies and expressions
	@for package in cel-python common-expression-language cedarpy; do \
		$(TOOLS)/bin/python -m pip install --quiet --disable-pip-version-check $$package || echo "$$package cannot be installed on this Python"; done
	$(TOOLS)/bin/python -m tests.benchmarks.bench_languages

torture: $(DEV)  ## races, kills, power losses and failing calls by the thousand; takes the better part of an hour
	$(BIN)/python -m tests.torture.racing --rounds 1000
	$(BIN)/python -m tests.torture.killing --rounds 5000
	$(BIN)/python -m tests.torture.power --images 2000
	$(BIN)/python -m tests.torture.failing
	$(BIN)/python -m tests.torture.adopting
	$(BIN)/python -m tests.torture.databases --rounds 200

fuzz: $(DEV)  ## every property on a hundred times as many examples as in `make test`, for hours
	GATEWRIGHT_FUZZ=long $(BIN)/python -m pytest -n 2 --dist loadgroup tests/expressions tests/policy tests/runner

FUZZ_SECONDS ?= 60
fuzz-atheris: $(TOOLS)/.ready  ## inputs bred for the branches that they reach; FUZZ_SECONDS for each reader
	@$(TOOLS)/bin/python -m pip install --quiet --disable-pip-version-check atheris \
		|| { echo "atheris cannot be installed on this Python: skipped"; exit 0; }; \
	for reader in expression policy json; do \
		$(TOOLS)/bin/python -m tests.fuzz_atheris $$reader -max_total_time=$(FUZZ_SECONDS) -verbosity=0 -print_final_stats=1 || exit 1; done

docs: $(DEV)  ## write the generated parts of the docs anew
	$(BIN)/python -m tests.docs_generated --write

live: $(DEV)  ## the real agents in a terminal: does the question about trust go away? installs them with npm
	GATEWRIGHT_LIVE=1 $(BIN)/python -m pytest -q -s tests/live

clean:
	rm -rf $(VENV) $(TOOLS) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "gatewright needs Python 3.11 or newer; name one with make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(READY): $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(DEV): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,lint]'
	@touch $@

$(TOOLS)/.ready: $(VENV)/bin/python pyproject.toml
	$(PYTHON) -m venv $(TOOLS)
	$(TOOLS)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@
