# Two commands matter: `make run` and `make test`. Each prepares .venv as far as it needs to; a second
# call does nothing twice. `make help` lists the rest. PYTHON=... and CXX=... choose other tools.
PYTHON ?= python3
export PYTHON
BIN := .venv/bin
STEP := sh tools/step.sh

# Two builds at once would write the same files: the second waits for the first.
LOCK := $(if $(shell command -v flock),flock Makefile)

MAKEFLAGS += --no-builtin-rules --output-sync=target
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

CORE := $(shell find core -type f)
CPP := $(shell find core src tests -name '*.h' -o -name '*.cpp')

# The Python tests that exercise the extension, for the sanitizers: under `address` all that are not slow
# by nature, under `thread` those in which threads meet. Sanitizers take memory without end: the tests that
# limit or measure it are left out.
SANITIZED_ADDRESS := $(wildcard $(patsubst %,tests/test_%.py,batch conformance endings evaluators experience \
  games gomoku_critic gomoku_patterns gomoku_playouts gomoku_threats grid_games hidden_python_games jiu_bayes \
  jiu_rules learners memory notation perft playthroughs preparation python_faults python_games python_seats \
  reference search shogi_mate shogi_planes shogi_rules siguo_belief siguo_heuristic siguo_learning siguo_rules \
  siguo_strong siguo_summary soak tabular threads tree_strap truncated value_table))
SANITIZED_THREAD := $(wildcard $(patsubst %,tests/test_%.py,batch experience preparation search siguo_learning threads \
  value_table))
# Workers start as the sanitized interpreter does, or they would import the installed extension.
SANITIZED_WORKERS := --dist=load --tx '2*popen//python=$(CURDIR)/$(BIN)/python -S'
UNLIMITED := -m pytest -p no:cacheprovider -o addopts=--import-mode=importlib -k 'not cannot_be_started and not tablebase_command'

CMAKE = CXX="$$(cat .venv/.compiler)" $(BIN)/cmake -S . -G Ninja --log-level=WARNING \
  -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python \
  -DTEMPO_TESTS=ON

.PHONY: help
help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{printf "%-20s%s\n", $$1, $$2}'

# Preparing

.venv/.base: pyproject.toml tools/requirements.py tools/prepare.sh tools/check_environment.sh
	@$(LOCK) sh tools/prepare.sh base

.venv/.dev: .venv/.base
	@$(LOCK) sh tools/prepare.sh dev

.venv/.deep: .venv/.base
	@$(LOCK) sh tools/prepare.sh deep

.venv/.web: .venv/.base
	@$(LOCK) sh tools/prepare.sh web

.venv/.envs: .venv/.base
	@$(LOCK) sh tools/prepare.sh envs

.venv/.docs: .venv/.base
	@$(LOCK) sh tools/prepare.sh docs

# The editable install knows the package's modules by their paths: it is made anew when one comes or goes.
.venv/.modules: .venv/.base FORCE
	@find src/tempo -name '*.py' | LC_ALL=C sort > $@.now; cmp -s $@.now $@ && rm $@.now || mv $@.now $@

.PHONY: FORCE
FORCE:

.venv/.installed: .venv/.base .venv/.modules CMakeLists.txt tools/install.sh $(CORE)
	@$(LOCK) sh tools/install.sh

.PHONY: install
install: .venv/.installed  ## prepare .venv and nothing more

# Running

.PHONY: run
run: .venv/.deep .venv/.installed  ## learn a chess ending in a minute, and see what it is worth
	@$(BIN)/tempo demo

.PHONY: play
play: .venv/.web .venv/.installed  ## open the page: play and study all games
	@$(BIN)/tempo play

.PHONY: tournament
tournament: .venv/.installed  ## play a short tournament
	@$(BIN)/tempo tournament

.PHONY: bench
bench: .venv/.deep .venv/.envs .venv/.installed  ## our speed beside the peers'
	@$(BIN)/python benchmarks/setup_peers.py
	@$(BIN)/tempo bench

# Reading

.PHONY: docs
docs: .venv/.docs  ## build the documentation into build/site; nothing is fetched and nothing imported
	@$(STEP) "Building the site" env NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs --quiet build
	@echo "build/site/index.html"

.PHONY: notebooks
notebooks: .venv/.docs .venv/.deep .venv/.installed  ## run the notebooks of examples/notebooks into build/notebooks
	@$(BIN)/python tools/notebooks.py build/notebooks

# Testing, cheapest first

# Types are checked by one process, and so are most of the core: beside each other they take half the time.
.PHONY: test
test: check-format check-lint  ## format, lint, types, C++ and Python tests
	@$(MAKE) --no-print-directory --jobs=2 check-types test-core
	$(PYTHON_TESTS)

.PHONY: check-format
check-format: .venv/.dev
	@$(STEP) "Format of Python" $(BIN)/ruff format --check .
	@$(STEP) "Format of C++" $(BIN)/clang-format --dry-run -Werror $(CPP)

.PHONY: check-lint
check-lint: .venv/.dev
	@$(STEP) "Lint of Python" $(BIN)/ruff check --output-format=concise .
	@$(STEP) "Import directions" env PYTHONPATH=src $(BIN)/lint-imports
	@$(STEP) "Include directions" $(BIN)/python tools/check_includes.py
	@$(STEP) "Licences" $(BIN)/python tools/check_licences.py

.PHONY: check-types
check-types: .venv/.dev .venv/.deep .venv/.installed
	@$(STEP) "Types" $(BIN)/mypy
	@$(STEP) "Stubs" $(BIN)/python tools/stubs.py --check

.PHONY: test-core
test-core: build-tests
	@$(STEP) "C++ tests" build/cpp/tests/core/core_tests

.PHONY: test-python
test-python: build-tests .venv/.deep .venv/.installed
	$(PYTHON_TESTS)

# What Python has compiled is kept, or every worker and every program that a test starts compiles it anew.
define PYTHON_TESTS
@echo "Python tests ..."
@env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest
endef

# MINUTES for all subjects together, COUNT inputs for each, ONLY those whose names begin so; SEED, and
# INPUT to try one again. It goes on from where it was stopped: build/soak/results.json.
.PHONY: soak
soak: build-tests .venv/.deep .venv/.web .venv/.installed  ## inputs by the million, kills and faults, for MINUTES=5 or as long as you like
	@PYTHONPATH=tests $(BIN)/python -m soak --minutes "$(MINUTES)" --count "$(COUNT)" --only "$(ONLY)" \
	  --seed "$(or $(SEED),1)" --input "$(INPUT)" --jobs "$(or $(JOBS),2)"

.PHONY: soak-table
soak-table:  ## put what the soak has found into docs/reliability.md
	@PYTHONPATH=tests $(BIN)/python -m soak --seed "$(or $(SEED),1)" --write docs/reliability.md

# MINUTES on the wall for all pairs, JOBS at a time. It goes on from where it was stopped: runs/matrix.
.PHONY: matrix
matrix: .venv/.installed  ## train every learner on every game for MINUTES=60, into docs/matrix.md
	@$(BIN)/python -m tempo.compare.matrix --minutes "$(or $(MINUTES),60)" --jobs "$(or $(JOBS),2)" --write docs/matrix.md

.PHONY: build-tests
build-tests: .venv/.dev
	@$(STEP) "Building the C++ tests" $(LOCK) sh -c '$(CMAKE) -B build/cpp -DTEMPO_PYTHON=OFF && $(BIN)/cmake --build build/cpp'

.PHONY: lint
lint: check-format check-lint check-types  ## every static check, clang-tidy included
	@$(STEP) "clang-tidy" sh -c '$(CMAKE) -B build/tidy -DTEMPO_UNITY=OFF && $(BIN)/run-clang-tidy.py \
	  -quiet -p build/tidy -clang-tidy-binary $(BIN)/clang-tidy "/(core/bind|tests)/"'

.PHONY: format
format: .venv/.dev  ## rewrite Python and C++ in the project's format
	@$(BIN)/ruff format --quiet .
	@$(BIN)/ruff check --quiet --fix --exit-zero --select I .
	@$(BIN)/clang-format -i $(CPP)

.PHONY: stubs
stubs: .venv/.installed  ## rewrite the extension's stubs, src/tempo/_core
	@$(BIN)/python tools/stubs.py

.PHONY: goldens
goldens: build-tests .venv/.installed  ## rewrite the stored games and the signature, tests/data
	@$(BIN)/python tests/test_playthroughs.py --write
	@$(BIN)/python tests/test_signature.py --write

.PHONY: sanitize
sanitize: sanitize-address sanitize-thread  ## the tests under the address, undefined-behaviour and thread sanitizers

.PHONY: sanitize-address
sanitize-address: .venv/.dev .venv/.deep .venv/.installed
	@$(STEP) "Building with the address and undefined-behaviour sanitizers" $(LOCK) sh -c \
	  '$(CMAKE) -B build/asan -DTEMPO_SANITIZE=address,undefined && $(BIN)/cmake --build build/asan'
	@$(STEP) "C++ tests under them" build/asan/tests/core/core_tests
	@$(STEP) "The extension under them" sh tools/sanitize_extension.sh build/asan $(UNLIMITED) $(SANITIZED_WORKERS) $(SANITIZED_ADDRESS)
	@$(if $(wildcard tests/extension_calls.py),$(STEP) "Wrong arguments under them" \
	  sh tools/sanitize_extension.sh build/asan tests/extension_calls.py --no-limit --each 4)

.PHONY: sanitize-thread
sanitize-thread: .venv/.dev .venv/.deep .venv/.installed
	@$(STEP) "Building with the thread sanitizer" $(LOCK) sh -c \
	  '$(CMAKE) -B build/tsan -DTEMPO_SANITIZE=thread && $(BIN)/cmake --build build/tsan'
	@$(STEP) "C++ tests of threads under it" build/tsan/tests/core/core_tests --test-case="*thread*"
	@$(STEP) "The extension under it" sh tools/sanitize_extension.sh build/tsan $(UNLIMITED) $(SANITIZED_THREAD)

.PHONY: wheel
wheel: .venv/.dev  ## build a portable wheel and an sdist into dist/, and try the wheel without a compiler
	@rm -rf dist
	@CXX="$$(cat .venv/.compiler)" $(STEP) "Building the wheel" $(LOCK) $(BIN)/python -m pip wheel \
	  --disable-pip-version-check --no-build-isolation --no-deps --wheel-dir dist \
	  --config-settings build-dir=build/wheel --config-settings cmake.define.TEMPO_NATIVE=OFF \
	  --config-settings cmake.define.TEMPO_STABLE_ABI=ON --config-settings wheel.py-api=cp312 .
	@$(STEP) "Naming the platforms it runs on" $(BIN)/python tools/tag_wheel.py dist/*.whl
	@$(STEP) "Writing the source distribution" $(BIN)/python tools/write_sdist.py dist
	@CXX="$$(cat .venv/.compiler)" $(STEP) "Trying the wheel" $(BIN)/python tools/check_wheel.py dist/*.whl dist/*.tar.gz

.PHONY: clean
clean:  ## remove what was built (.venv stays; delete it by hand)
	@rm -rf build dist .venv/.installed
