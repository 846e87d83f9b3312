"""The behaviour signature against the stored one, tests/data/signature.txt, line by line.

A change of rules or searches moves it on purpose: `make goldens` (python tests/test_signature.py
--write) stores the new one, and the commit quotes both.
"""

from __future__ import annotations

import difflib
import sys

import game_data

from tempo import signature

PATH = game_data.DATA / "signature.txt"


def found() -> str:
    covered = "\n".join(signature.lines())
    return f"{signature.signature()}\n\n{covered}\n"


def test_signature() -> None:
    assert PATH.is_file(), "run `make goldens`"
    stored, now = PATH.read_text(), found()
    moved = difflib.unified_diff(stored.split("\n"), now.split("\n"), "stored", "now", lineterm="")
    assert stored == now, "behaviour has changed; if it should, run `make goldens`\n" + "\n".join(
        moved
    )


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python tests/test_signature.py --write")
    PATH.write_text(found())
    print(f"wrote {PATH.relative_to(game_data.ROOT)}")
