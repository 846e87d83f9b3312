#!/bin/sh
# prepare.sh base|deep|web|envs|cluster|docs|dev: make .venv where there is none and install what running (base),
# learning (deep), the page (web), environments (envs), several machines (cluster), the documentation (docs) or
# working on Tempo (dev) takes. The stamp .venv/.base and so on holds the list that was installed, so that an unchanged list costs no call of pip.
set -eu
kind=$1
stamp=.venv/.$kind
wanted=.venv/.wanted-$kind

if .venv/bin/python -c 'pass' 2>/dev/null; then
  compiler=$(PYTHON=.venv/bin/python sh tools/check_environment.sh)
else
  compiler=$(sh tools/check_environment.sh)
  sh tools/step.sh "Creating .venv" "${PYTHON:-python3}" -m venv --clear .venv
fi
echo "$compiler" > .venv/.compiler

.venv/bin/python tools/requirements.py "$kind" > "$wanted"
if ! cmp -s "$wanted" "$stamp"; then
  case $kind in
    base) what="Installing what Tempo needs" ;;
    deep) what="Installing what learning needs (JAX)" ;;
    web) what="Installing what the page needs" ;;
    envs) what="Installing what environments need" ;;
    cluster) what="Installing what several machines need (Ray)" ;;
    docs) what="Installing what the documentation needs" ;;
    *) what="Installing the tools for working on Tempo" ;;
  esac
  sh tools/step.sh "$what" \
    .venv/bin/python -m pip install --disable-pip-version-check --requirement "$wanted"
fi
mv "$wanted" "$stamp"
