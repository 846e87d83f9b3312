"""Write the stubs of the compiled extension, or say where the stored ones are out of date.

python tools/stubs.py            rewrites src/tempo/_core
python tools/stubs.py --check    compares, changes nothing
"""

import difflib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STORED = ROOT / "src" / "tempo" / "_core"
PATTERNS = ROOT / "tools" / "stubs.patterns"


def generate(folder: Path) -> Path:
    """Write fresh stubs under `folder`; the package's folder in it."""
    command = [sys.executable, "-m", "nanobind.stubgen", "--quiet", "--recursive"]
    command += ["--module", "tempo._core", "--pattern-file", str(PATTERNS), "--output-dir"]
    subprocess.run([*command, str(folder)], check=True)
    return folder / "_core"


def read(folder: Path) -> dict[str, list[str]]:
    """The lines of each stub in `folder`, by file name."""
    return {
        path.name: path.read_text(encoding="utf-8").splitlines() for path in folder.glob("*.pyi")
    }


def differences(stored: dict[str, list[str]], fresh: dict[str, list[str]]) -> list[str]:
    """The lines of a diff, empty when both are the same."""
    lines: list[str] = []
    for name in sorted(stored.keys() | fresh.keys()):
        here, there = f"src/tempo/_core/{name}", f"{name} as generated"
        lines += difflib.unified_diff(
            stored.get(name, []), fresh.get(name, []), here, there, lineterm=""
        )
    return lines


def main() -> int:
    """Rewrite the stored stubs, or with --check compare them; 1 when they differ."""
    with tempfile.TemporaryDirectory() as temporary:
        fresh = generate(Path(temporary))
        if "--check" in sys.argv[1:]:
            lines = differences(read(STORED), read(fresh))
            if lines:
                print(*lines, "The stubs are out of date: run `make stubs`.", sep="\n")
            return 1 if lines else 0
        for stale in read(STORED).keys() - read(fresh).keys():
            (STORED / stale).unlink()
        shutil.copytree(fresh, STORED, dirs_exist_ok=True)
        return 0


if __name__ == "__main__":
    sys.exit(main())
