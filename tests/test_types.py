"""The types of the package are real: right code passes, wrong code fails, stubs are fresh."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
WRONG = "tests/typing/wrong.py"
ANY = re.compile(r"\bAny\b|-> object\b")


def mypy(path: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-error-summary", path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_right_code_passes() -> None:
    status, output = mypy("tests/typing/right.py")
    assert status == 0, output


def test_every_mistake_is_seen() -> None:
    wanted = {
        (number, line.rpartition("  # ")[2])
        for number, line in enumerate((ROOT / WRONG).read_text().splitlines(), 1)
        if "  # " in line
    }
    _, output = mypy(WRONG)
    found = re.findall(rf"^{WRONG}:(\d+): error: .*\[([\w-]+)\]$", output, re.MULTILINE)
    assert {(int(number), kind) for number, kind in found} == wanted, output


@pytest.mark.parametrize("stub", sorted((ROOT / "src/tempo/_core").glob("*.pyi")), ids=str)
def test_no_stub_says_any(stub: Path) -> None:
    assert not ANY.findall(stub.read_text()), f"{stub.name} hides a type"


def test_stored_stubs_are_those_of_the_extension() -> None:
    command = [sys.executable, "tools/stubs.py", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
