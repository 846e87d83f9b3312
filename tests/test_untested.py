"""What a run of the tests leaves out is said in its last line, and is a failure where CI is set."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BROWSER = "tests/web/test_browser_play.py::test_the_page_is_dark_or_light_as_it_is_told"
OTHER = "tests/test_untested.py::test_left_out"


def run(test: str, **setting: str) -> tuple[int, str]:
    """How a run of one test ends where no program is found, and its last line."""
    kept = {name: value for name, value in os.environ.items() if name not in {"CI", "PATH"}}
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", test]
    done = subprocess.run(
        command, cwd=ROOT, env={**kept, "PATH": "/nowhere", **setting}, text=True, timeout=120,
        capture_output=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout.strip().splitlines()[-1]


def test_left_out() -> None:
    if os.environ["PATH"] == "/nowhere":
        pytest.skip("nothing can be found")


@pytest.mark.parametrize(
    ("test", "ci", "words"),
    [
        (BROWSER, "", "Not tested here: 1 test (Chromium is not installed"),
        (BROWSER, "1", "1 error"),
        (OTHER, "1", "Not tested here: 1 test (nothing can be found)"),
    ],
)
def test_what_is_left_out_is_named_and_fails_where_ci_is_set(
    test: str, ci: str, words: str
) -> None:
    code, last = run(test, CI=ci)
    assert words in last
    assert code == (1 if ci else 0)
