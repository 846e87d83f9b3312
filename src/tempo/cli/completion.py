"""What the shell completes: names of agents, games, learners, recipes, papers and protocols.

`tempo --install-completion` makes the shell ask; each function gives the names that begin so.
"""

from __future__ import annotations

import io
import os
import shlex
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any

import typer


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def agents(incomplete: str) -> list[str]:
    """Agents; after a colon their settings, then values; runs; files with a class.

    `mcts:` gives `mcts:sims=`, `mcts:rule=p` gives `mcts:rule=puct`, `corner.py:` its classes.
    """
    from tempo.agents import kinds  # noqa: PLC0415

    name, colon, given = incomplete.partition(":")
    if not colon or name not in kinds():
        if ".py:" in incomplete:
            return _classes(incomplete)
        return [*_beginning(kinds(), incomplete), *_files(incomplete)]
    last = given.rpartition(",")[2]
    before = incomplete[: len(incomplete) - len(last)]
    return _beginning((f"{before}{text}" for text in _settings(kinds()[name], last)), incomplete)


def _settings(kind: Any, last: str) -> list[str]:
    """What a setting may become: its name, or after `=` the values that have names."""
    from dataclasses import fields  # noqa: PLC0415

    name, equals, value = last.partition("=")
    known = {one.name: one for one in fields(kind.settings)}
    if not equals or name not in known:
        return [f"{one}=" for one in known]
    told = known[name].metadata
    words = ["yes", "no"] if isinstance(known[name].default, bool) else [*told["choices"]]
    opened = _files(value) if told["opens"] else []
    return [f"{name}={word}" for word in (*words, *opened)]


def _classes(incomplete: str) -> list[str]:
    """The classes of a Python file, which is read and not run: `corner.py:` gives them."""
    import ast  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    file = incomplete.rpartition(":")[0]
    try:
        lines = ast.parse(Path(file).read_text(encoding="utf-8")).body
    except (OSError, ValueError, SyntaxError):
        return []
    classes = [one.name for one in lines if isinstance(one, ast.ClassDef)]
    return _beginning((f"{file}:{name}" for name in classes), incomplete)


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


def endings(incomplete: str) -> list[str]:
    """Endings of chess that recipes learn; others can be typed."""
    from tempo import recipes  # noqa: PLC0415

    found = {str(recipes.read(name).get("ending", "")) for name in recipes.names()}
    return _beginning(sorted(found - {""}), incomplete.upper())


def nets(incomplete: str) -> list[str]:
    """What a learner moves."""
    from tempo.nets.registry import NETS  # noqa: PLC0415

    return _beginning(NETS, incomplete)


def settings(context: typer.Context, incomplete: str) -> list[str]:
    """Settings of the learner that was typed, or those that all have: `dep` gives `depth=`."""
    from dataclasses import fields  # noqa: PLC0415

    from tempo.learners.registry import kinds  # noqa: PLC0415
    from tempo.learners.settings import Settings  # noqa: PLC0415

    words = [context.params.get("what"), *context.args]  # a value is missing: nothing is read yet
    kind = next((kinds()[word] for word in words if word in kinds()), None)
    if incomplete.startswith("net="):
        return [f"net={name}" for name in nets(incomplete[4:])]
    names = [one.name for one in fields(kind.usual if kind else Settings())]
    return _beginning((f"{name}=" for name in names), incomplete)


# ---- bash ----------------------------------------------------------------------------------------

# bash takes words apart at : and =, and replaces what stands behind the last of them. What Typer's
# own script sends is in parts that nobody can join again, so that this one sends the line itself.
BASH = """
%(complete_func)s() {
    local IFS=$'\\n'
    COMPREPLY=( $( env COMP_LINE="$COMP_LINE" COMP_POINT="$COMP_POINT" \\
                   COMP_BREAKS="$COMP_WORDBREAKS" %(autocomplete_var)s=complete_bash "$1" ) )
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[=:/] ]]; then compopt -o nospace; fi
}

complete -o default -F %(complete_func)s %(prog_name)s
"""


def install_bash_script() -> None:
    """Has `--install-completion` and `--show-completion` give our script for bash."""
    from typer import _completion_shared  # noqa: PLC0415 - a name of its own it does not offer

    _completion_shared._completion_scripts["bash"] = BASH


@contextmanager
def for_bash() -> Iterator[None]:
    """Gives Typer the words of the line that bash completes, and bash what it replaces."""
    line = os.environ["COMP_LINE"].encode()[: int(os.environ["COMP_POINT"])].decode()
    words, word, quoted = _words(line)
    os.environ["COMP_WORDS"] = shlex.join([*words, word])
    os.environ["COMP_CWORD"] = str(len(words))
    breaks = "" if quoted else os.environ["COMP_BREAKS"]
    kept = 1 + max((word.rfind(sign) for sign in ":=" if sign in breaks), default=-1)
    answer = io.StringIO()
    try:
        with redirect_stdout(answer):
            yield
    finally:
        for found in answer.getvalue().splitlines():
            print(found[kept:] if found.startswith(word[:kept]) else found)


def _words(line: str) -> tuple[list[str], str, bool]:
    """The whole words of a line, the one that is being typed, and whether it is quoted."""
    for quote in ("", "'", '"'):
        try:
            words = shlex.split(line + quote)
        except ValueError:  # an open quotation
            continue
        is_begun = bool(quote) or line[-1:].strip() != ""
        return (words[:-1], words[-1], bool(quote)) if is_begun else (words, "", False)
    return [], "", False
