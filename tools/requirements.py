"""Print what pip must install, one requirement a line.

python tools/requirements.py base    to build and run Tempo
python tools/requirements.py deep    to learn and to draw curves
python tools/requirements.py web     to serve the page
python tools/requirements.py envs    to have the games as environments of other libraries
python tools/requirements.py cluster to work on several machines
python tools/requirements.py docs    to build the site and the notebooks
python tools/requirements.py dev     to work on it as well
"""

import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


def requirements(kind: str) -> list[str]:
    """The requirements of `kind`, from pyproject.toml alone."""
    settings = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    extras = settings["project"]["optional-dependencies"]
    if kind == "dev":
        kinds = ("web", "envs", "cluster", "docs", "dev")
        return [wanted for name in kinds for wanted in extras[name]]
    if kind in ("web", "envs", "cluster", "docs"):
        return list(extras[kind])
    if kind == "deep":
        return [*extras["deep"], *extras["plot"]]
    return [*settings["build-system"]["requires"], *settings["project"]["dependencies"]]


if __name__ == "__main__":
    print(*requirements(sys.argv[1]), sep="\n")
