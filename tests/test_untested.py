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


def run(*tests: str, **setting: str) -> tuple[int, str]:
    """How a run of tests ends where no program is found, and its last two lines."""
    kept = {name: value for name, value in os.environ.items() if name not in {"CI", "PATH"}}
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(
        command, cwd=ROOT, env={**kept, "PATH": "/nowhere", **setting}, text=True, timeout=120,
        capture_output=True, check=False,
    )  # fmt: skip
    return done.returncode, "\n".join(done.stdout.strip().splitlines()[-2:])


def test_left_out() -> None:
    if os.environ["PATH"] == "/nowhere":
        pytest.skip("nothing can be found")


def test_a_missing_browser_is_named_in_the_last_line() -> None:
    code, end = run(BROWSER, CI="")
    assert code == 0
    assert end.splitlines()[-1].startswith("Not tested here: 1 test (Chromium is not installed")


def test_where_ci_is_set_what_is_left_out_fails() -> None:
    code, end = run(BROWSER, OTHER, CI="1")
    assert code == 1
    assert "1 error" in end
    assert "Not tested here: 1 test (nothing can be found)" in end
