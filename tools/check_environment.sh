#!/bin/sh
# Is there what a build needs? Prints the C++ compiler to use, or one sentence that says what is
# missing and how to get it. PYTHON and CXX name others than the usual ones.
set -u
python=${PYTHON:-python3}

stop() {
  echo "$*" >&2
  exit 1
}

ask() { "$python" -c "$1" 2>/dev/null; }

ask 'pass' ||
  stop "Tempo needs Python 3.11 or newer, and '$python' does not run: install it (apt install python3 python3-venv python3-dev) or name another with 'make PYTHON=...'."
ask 'import sys; sys.exit(sys.version_info < (3, 11))' ||
  stop "Tempo needs Python 3.11 or newer, and '$python' is $(ask 'import platform; print(platform.python_version())'): name a newer one with 'make PYTHON=...'."

version=$(ask 'import sys; print("%d.%d" % sys.version_info[:2])')
ask 'import venv, ensurepip' ||
  stop "Tempo builds in a virtual environment, and '$python' lacks the modules venv and ensurepip: apt install python$version-venv."
ask 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' ||
  stop "Tempo compiles an extension, and the headers of '$python' are missing (no Python.h): apt install python$version-dev."

probe='
#include <concepts>
#if defined(__clang__) ? __clang_major__ < 16 : __GNUC__ < 12
#error too old
#endif
'
found=
for compiler in "${CXX:-}" c++ g++ clang++ g++-15 g++-14 g++-13 g++-12; do
  # Unquoted on purpose: CXX may be "ccache g++".
  if [ -n "$compiler" ] && command -v ${compiler%% *} >/dev/null 2>&1; then
    found=${found:-$compiler}
    if printf '%s' "$probe" | $compiler -std=c++20 -fsyntax-only -x c++ - 2>/dev/null; then
      echo "$compiler"
      exit 0
    fi
  fi
  [ -z "${CXX:-}" ] || break
done
missing="none was found"
[ -z "${CXX:-}" ] || missing="'$CXX' was not found"
[ -n "$found" ] ||
  stop "Tempo needs a C++ compiler (g++ 12 or newer), and $missing: apt install g++, or name one with 'make CXX=...'."
stop "Tempo needs g++ 12 or newer, and '$found' is older or does not work: apt install g++-12, or name one with 'make CXX=...'."
