"""Check which headers of the core include which: no cycles, and rooms only build on earlier rooms.

Exit 1 with one line per fault.
"""

import re
from pathlib import Path

CORE = Path(__file__).resolve().parent.parent / "core"

# What each room may include besides itself and the concepts at the top of the core.
ROOMS = {
    "parallel": set[str](),
    "search": {"parallel"},
    "nets": set[str](),
    "learning": {"parallel", "search", "nets"},
    "games": {"parallel", "search", "nets", "learning"},
    "bind": {"parallel", "search", "nets", "learning", "games"},
}
# Games that are another game on another board: these alone may include its headers.
VARIANTS = {"minishogi": "shogi"}

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def includes(core: Path) -> dict[str, list[str]]:
    """What each file of the core includes of the core, by path from `core`."""
    graph: dict[str, list[str]] = {}
    for file in sorted([*core.rglob("*.h"), *core.rglob("*.cpp")]):
        targets = [file.parent / name for name in INCLUDE.findall(file.read_text(encoding="utf-8"))]
        graph[str(file.relative_to(core))] = [
            str(target.resolve().relative_to(core.resolve())) for target in targets
        ]
    return graph


def cycles(graph: dict[str, list[str]]) -> list[str]:
    """One line for each include or folder that closes a circle."""
    found: list[str] = []
    done: set[str] = set()
    path: list[str] = []

    def follow(node: str) -> None:
        if node in path:
            found.append("a cycle: " + " -> ".join([*path[path.index(node) :], node]))
        elif node not in done:
            path.append(node)
            for target in graph.get(node, []):
                follow(target)
            path.pop()
            done.add(node)

    for node in graph:
        follow(node)
    return found


def between_folders(graph: dict[str, list[str]]) -> dict[str, list[str]]:
    """The same graph with folders in place of files."""
    folders: dict[str, list[str]] = {}
    for file, targets in graph.items():
        here = str(Path(file).parent)
        there = [str(Path(target).parent) for target in targets]
        folders.setdefault(here, []).extend(folder for folder in there if folder != here)
    return folders


def trespasses(graph: dict[str, list[str]]) -> list[str]:
    """One line for each include of a room or a game that the file may not know."""
    found: list[str] = []
    for file, targets in graph.items():
        room, *rest = Path(file).parts
        for target in targets:
            other, *others = Path(target).parts
            if others and other != room and other not in ROOMS.get(room, set()):
                found.append(f"{file} includes {target}: {room} may not know {other}")
            elif room == other == "games" and others[0] not in (rest[0], VARIANTS.get(rest[0])):
                found.append(f"{file} includes {target}: a game may not know another")
    return found


def faults(core: Path) -> list[str]:
    """All that is wrong with the includes of a core."""
    graph = includes(core)
    return trespasses(graph) + cycles(graph) + cycles(between_folders(graph))


def main() -> int:
    """Print the faults; 1 when there are any."""
    found = faults(CORE)
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
