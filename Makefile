# Two commands on a fresh machine: `make demo` and `make test`. Python 3.11+ and make are enough.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

.PHONY: demo test bench lint types contracts unit clean

$(BIN)/.installed: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@

demo: $(BIN)/.installed
	$(BIN)/agentaudit demo

test: lint types contracts unit

lint: $(BIN)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(BIN)/.installed
	$(BIN)/mypy

contracts: $(BIN)/.installed
	$(BIN)/lint-imports

unit: $(BIN)/.installed
	$(BIN)/pytest -n 2 --cov --cov-report=term
	$(BIN)/python -m tests.coverage_floors

bench: $(BIN)/.installed
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage*
