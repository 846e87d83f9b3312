"""Write the source distribution: what builds the package, without tests, documents and their data.

python tools/write_sdist.py dist
"""

import os
import sys
import tarfile
from pathlib import Path

import scikit_build_core.build as backend

ROOT = Path(__file__).resolve().parent.parent
NEEDED = ("pyproject.toml", "CMakeLists.txt", "README.md", "LICENSE", "core/game.h",
          "src/tempo/__init__.py", "src/tempo/weights/krk.safetensors")  # fmt: skip
UNWANTED = ("tests/", "docs/", "benchmarks/", "examples/", "tools/", "third_party/", ".venv/")


def main(folder: Path) -> None:
    """Write it, and look at what is in it."""
    os.chdir(ROOT)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / backend.build_sdist(str(folder))
    with tarfile.open(path) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    if missing := [name for name in NEEDED if name not in names]:
        sys.exit(f"{path.name} lacks {', '.join(missing)}")
    if odd := [name for name in names if name.startswith(UNWANTED)]:
        sys.exit(f"{path.name} holds {len(odd)} files that nobody needs, such as {odd[0]}")
    print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB, {len(names)} files")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
