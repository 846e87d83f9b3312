#!/bin/sh
# sanitize_extension.sh FOLDER TESTS...: run Python tests on the sanitized extension that was built in
# FOLDER; a test that is not there (tests/test_x, without .py) is left out.
#
# The interpreter is not built with the sanitizer, so the sanitizer's library is loaded before it, and
# libstdc++ with it, whose exceptions the sanitizer must see. Python frees little at its end, so leaks
# are looked for in the C++ tests only. Without the .pth files of site-packages (-S) the copy in FOLDER
# is imported, not the installed package.
#
# The thread sanitizer knows nothing of locks that Python itself takes: the tests run in one process,
# and what the interpreter does is left out (tools/tsan.supp).
set -eu
folder=$PWD/$1
shift
tests=
for name in "$@"; do
  if [ -e "$name.py" ]; then tests="$tests $name.py"; fi
done
compiler=$(cat .venv/.compiler)
rm -rf "$folder/package"
mkdir "$folder/package"
cp -r src/tempo "$folder/package/"
rm -f "$folder"/package/tempo/_core.*.so
cp "$folder"/_core.*.so "$folder/package/tempo/"
packages=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
kind=asan
jobs=${SANITIZE_JOBS:-2}
case $folder in *tsan) kind=tsan jobs=0 ;; esac

# Address space is not limited under a sanitizer, which reserves terabytes of it.
# shellcheck disable=SC2086
exec env ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
  TSAN_OPTIONS="suppressions=$PWD/tools/tsan.supp halt_on_error=1 history_size=4" \
  TEMPO_TOY_DIR="$folder/toy" SOAK_WITHOUT_LIMITS=1 \
  PYTHONPATH="$folder/package:$packages${PYTHONPATH:+:$PYTHONPATH}" PYTHONDONTWRITEBYTECODE=1 \
  LD_PRELOAD="$($compiler -print-file-name=lib$kind.so) $($compiler -print-file-name=libstdc++.so)" \
  .venv/bin/python -S -m pytest -n "$jobs" -p no:cacheprovider $tests
