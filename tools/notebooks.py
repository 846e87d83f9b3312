"""Run the notebooks of examples/notebooks and write them with their results: `make notebooks`.

python tools/notebooks.py build/notebooks [NAME...]    all of them, or those of these names
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import jupytext
from nbclient import NotebookClient

SOURCES = Path(__file__).resolve().parent.parent / "examples" / "notebooks"


def executed(source: Path, folder: Path) -> Any:
    """A notebook with its results, run in a folder."""
    notebook = jupytext.read(source)
    about = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources=about).execute()
    return notebook


def main(out: str, *names: str) -> None:
    """Writes each as soon as it has run."""
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    for source in sorted(SOURCES.glob("*.py")):
        if not names or source.stem in names:
            target = folder / f"{source.stem}.ipynb"
            jupytext.write(executed(source, folder), target)
            print(target, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
