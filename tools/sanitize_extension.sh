#!/bin/sh
# sanitize_extension.sh FOLDER PYTEST-ARGUMENTS...: run Python tests on the sanitized extension that
# was built in FOLDER.
#
# The interpreter is not built with the sanitizer, so the sanitizer's library is loaded before it;
# Python frees little at its end, so leaks are looked for in the C++ tests only. Without the .pth
# files of site-packages (-S) the copy in FOLDER is imported, not the installed package.
set -eu
folder=$PWD/$1
shift
compiler=$(cat .venv/.compiler)
rm -rf "$folder/package"
mkdir "$folder/package"
cp -r src/tempo "$folder/package/"
cp "$folder"/_core.*.so "$folder/package/tempo/"
packages=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')

exec env ASAN_OPTIONS=detect_leaks=0 TEMPO_TOY_DIR="$folder/toy" \
  PYTHONPATH="$folder/package:$packages" PYTHONDONTWRITEBYTECODE=1 \
  LD_PRELOAD="$($compiler -print-file-name=libasan.so) $($compiler -print-file-name=libstdc++.so)" \
  .venv/bin/python -S -m pytest -n 0 -p no:cacheprovider "$@"
