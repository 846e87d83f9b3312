"""Give a wheel the name of the platforms that it runs on, by the rules of PyPI.

    python tools/tag_wheel.py dist/tempo_games-*.whl

auditwheel finds out which versions of the system's libraries the extension needs; nothing but those
that every Linux has may be among them. The wheel is renamed, with `manylinux` in place of `linux`.
"""

import re
import subprocess
import sys
from pathlib import Path


def main(wheel: Path) -> None:
    """Rename the wheel; exits with a sentence if it needs more than a system has."""
    shown = subprocess.run(
        [sys.executable, "-m", "auditwheel", "show", str(wheel)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    told = " ".join(shown.stdout.split())
    tags = re.findall(r'"(manylinux_[0-9]+_[0-9]+_\w+)"', told)
    if not tags:
        sys.exit(f"{wheel.name} runs on no platform that PyPI knows: {told}")
    subprocess.run(
        [sys.executable, "-m", "wheel", "tags", "--remove", "--platform-tag", tags[-1], str(wheel)],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    print(*(path.name for path in wheel.parent.glob("*.whl")))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
