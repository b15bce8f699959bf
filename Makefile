# `make grade` and `make test` need Python 3.11 or newer and make, nothing else.
PYTHON ?= python3
BIN := .venv/bin
# The arrays of a lesson are small: more threads for one product only wait for each other.
export OPENBLAS_NUM_THREADS := 1

.PHONY: grade test check format figures matrix cases clean

grade: .venv/ready  ## grade the sample class and write results/
	$(BIN)/grader grade tests/sample_class --out results

test: check  ## everything: style, types, and the tests, of which some prove the students' folder
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder

check: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: .venv/ready
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

figures: .venv/ready  ## draw the six figures anew, light and dark, into figures/out/
	$(BIN)/grader figures --out figures/out --theme light
	$(BIN)/grader figures --out figures/out --theme dark

matrix: .venv/ready  ## write docs/kill-matrix.md anew
	$(BIN)/python -m tests.kill_matrix

cases: .venv/ready  ## write docs/cases.md anew
	$(BIN)/python -m tests.cases

.venv/ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv .venv || { echo "Python's venv module is needed (on Debian: apt install python3-venv)"; exit 1; }
	PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

clean:
	rm -rf .venv results
