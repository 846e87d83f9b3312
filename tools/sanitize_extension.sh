#!/bin/sh
# sanitize_extension.sh FOLDER ARGUMENTS...: run Python with these arguments on the sanitized extension
# that was built in FOLDER, build/asan or build/tsan.
#
# The interpreter is not built with the sanitizer, so the sanitizer's library is loaded before it, and
# libstdc++ with it, whose exceptions the sanitizer must see. Python frees little at its end, so leaks
# are looked for in the C++ tests only. Without the .pth files of site-packages (-S) the copy in FOLDER
# is imported, not the installed package.
set -eu
folder=$PWD/$1
shift
compiler=$(cat .venv/.compiler)
rm -rf "$folder/package"
mkdir "$folder/package"
cp -r src/tempo "$folder/package/"
rm -f "$folder"/package/tempo/_core.*.so
cp "$folder"/_core.*.so "$folder/package/tempo/"
mkdir "$folder/package/tempo/include"
ln -s "$PWD/core" "$folder/package/tempo/include/tempo"
packages=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
kind=asan fixed=
if [ "${folder%tsan}" != "$folder" ]; then
  kind=tsan
  # The thread sanitizer wants its memory at fixed places, which random addresses may have taken.
  if setarch -R true 2> /dev/null; then fixed="setarch -R"; fi
fi

# shellcheck disable=SC2086
exec env ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
  TSAN_OPTIONS="halt_on_error=1 exitcode=66" OPENBLAS_NUM_THREADS=1 \
  TEMPO_TOY_DIR="$folder/toy" TEMPO_SANITIZED="$folder/package" SOAK_WITHOUT_LIMITS=1 \
  PYTHONPATH="$folder/package:$packages${PYTHONPATH:+:$PYTHONPATH}" PYTHONDONTWRITEBYTECODE=1 \
  LD_PRELOAD="$($compiler -print-file-name=lib$kind.so) $($compiler -print-file-name=libstdc++.so)" \
  $fixed .venv/bin/python -S "$@"
