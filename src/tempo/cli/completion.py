"""What the shell completes: names of agents, games, learners, recipes, papers and protocols.

`tempo --install-completion` makes the shell ask; each function gives the names that begin so.
"""

from __future__ import annotations

from collections.abc import Iterable


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def agents(incomplete: str) -> list[str]:
    """Agents, and after a colon their settings: `mcts:` gives `mcts:sims=`; runs; files."""
    from dataclasses import fields  # noqa: PLC0415

    from tempo.agents import kinds  # noqa: PLC0415

    name, colon, given = incomplete.partition(":")
    if not colon or name not in kinds():
        return [*_beginning(kinds(), incomplete), *_files(incomplete)]
    before = incomplete[: len(incomplete) - len(given.rpartition(",")[2])]
    return _beginning(
        (f"{before}{one.name}=" for one in fields(kinds()[name].settings)), incomplete
    )


def _files(incomplete: str) -> list[str]:
    """Runs, folders on the way to them, and Python files with a class."""
    from pathlib import Path  # noqa: PLC0415

    folder, slash, _ = incomplete.rpartition("/")
    found = []
    for path in sorted(Path(folder + slash or ".").glob("[!.]*")):
        if path.suffix == ".py":
            found.append(f"{folder}{slash}{path.name}:")
        elif path.is_dir():
            is_run = (path / "config.toml").exists()
            found.append(f"{folder}{slash}{path.name}{'' if is_run else '/'}")
    return _beginning(found, incomplete)


def games(incomplete: str) -> list[str]:
    """Games by name."""
    from tempo.games import names  # noqa: PLC0415

    return _beginning(names(), incomplete)


def learners(incomplete: str) -> list[str]:
    """Learners of any game."""
    from tempo.learners.registry import kinds  # noqa: PLC0415

    return _beginning(kinds(), incomplete)


def recipes(incomplete: str) -> list[str]:
    """Recipes by name."""
    from tempo.recipes import names  # noqa: PLC0415

    return _beginning(names(), incomplete)


def trained(incomplete: str) -> list[str]:
    """What `tempo train` takes: learners and recipes."""
    return [*learners(incomplete), *recipes(incomplete)]


def protocols(incomplete: str) -> list[str]:
    """What `tempo engine` speaks."""
    from tempo.protocols.serving import names  # noqa: PLC0415

    return _beginning(names(), incomplete)


def papers(incomplete: str) -> list[str]:
    """Papers by name, and all of them."""
    from tempo.papers import names  # noqa: PLC0415

    return _beginning([*names(), "all"], incomplete)
