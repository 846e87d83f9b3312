#!/bin/sh
# Build the extension and install the package in editable form. The stamp .venv/.installed is as old
# as the start of the build: what is saved meanwhile is built next time.
set -eu
touch .venv/.begun
CXX=$(cat .venv/.compiler) sh tools/step.sh "Building tempo" .venv/bin/python -m pip install \
  --disable-pip-version-check --no-build-isolation --no-deps --editable .
mv .venv/.begun .venv/.installed
