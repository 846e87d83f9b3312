"""Check that everything that runs with Tempo is free of the GPL family.

Two questions: does any distribution that the base install or an extra draws in say GPL, LGPL or
AGPL in its metadata, and does the package import an oracle of the tests, GPL or not? Extras that
are not installed are not judged. Exit 1 with one line per problem.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
RUN_TIME_EXTRAS = ("deep", "web", "plot", "tensorboard", "envs", "cluster")

# What tests and benchmarks compare with, much of it GPL: never part of the package.
ORACLES = {"bulletchess", "chess", "chessmg", "cshogi", "pgx", "rust_chess", "shogi"}

# The GCC run-time exception exists so that libgfortran may be shipped with anything.
COPYLEFT = re.compile(r"\b[AL]?GPL|GNU (Affero|Lesser|Library|General)", re.IGNORECASE)
EXCEPTED = re.compile(r"[AL]?GPL[-\w.+]*\s+WITH\s+GCC-exception[-\w.]*", re.IGNORECASE)


def licences(about: metadata.PackageMetadata) -> list[str]:
    """What a distribution says of its licence, from its most exact field; one item per choice."""
    if "License-Expression" in about:
        return re.split(r"\s+OR\s+", about["License-Expression"])
    classifiers = [c for c in about.get_all("Classifier") or [] if c.startswith("License ::")]
    # The old free field may hold a whole licence text: its first line names it.
    text = about["License"].strip() if "License" in about else ""
    return [" / ".join([*classifiers, text.split("\n")[0]])] if classifiers or text else []


def objection(about: metadata.PackageMetadata) -> str | None:
    """Why this distribution may not be used at run time; None when it may."""
    stated = licences(about)
    if not stated:
        return f"{about['Name']} does not say its licence"
    if all(COPYLEFT.search(EXCEPTED.sub("", one)) for one in stated):
        return f"{about['Name']} is under {' OR '.join(stated)}"
    return None


def reachable(requirements: list[str]) -> dict[str, metadata.Distribution]:
    """Every installed distribution that the requirements draw in, by name."""
    found: dict[str, metadata.Distribution] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = [Requirement(line) for line in requirements]
    while waiting:
        wanted = waiting.pop()
        if (wanted.name.lower(), extras := frozenset(wanted.extras)) in seen:
            continue
        seen.add((wanted.name.lower(), extras))
        try:
            distribution = metadata.distribution(wanted.name)
        except metadata.PackageNotFoundError:
            continue
        found[wanted.name.lower()] = distribution
        for line in distribution.requires or []:
            needed = Requirement(line)
            if needed.marker is None or any(
                needed.marker.evaluate({"extra": extra}) for extra in ("", *extras)
            ):
                waiting.append(needed)
    return found


def imported(source: str) -> Iterator[tuple[int, str]]:
    """The line and the top-level name of every absolute import in a module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.lineno, node.module.split(".")[0]


def oracles_imported(folder: Path) -> list[str]:
    """Where a module under `folder` imports an oracle."""
    return [
        f"{path.relative_to(folder.parent)}:{line}: imports {name}, an oracle of the tests"
        for path in sorted(folder.rglob("*.py"))
        for line, name in imported(path.read_text(encoding="utf-8"))
        if name in ORACLES
    ]


def main() -> int:
    """Print every problem; 1 when there is one."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requirements = list(project["dependencies"])
    for extra in RUN_TIME_EXTRAS:
        requirements += project["optional-dependencies"].get(extra, [])
    found = reachable(requirements)
    missing = [line for line in project["dependencies"] if Requirement(line).name not in found]
    problems = [f"{line} is not installed: run `make install`" for line in missing]
    problems += [text for d in found.values() if (text := objection(d.metadata))]
    problems += oracles_imported(ROOT / "src" / "tempo")
    print(*(problems or [f"{len(found)} distributions at run time, none of them GPL"]), sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
