"""What the set-up promises: clear refusals, licences, import directions, a findable extension."""

import importlib.machinery
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from email.message import Message
from importlib import util
from pathlib import Path
from types import ModuleType

import pytest

import tempo._core

ROOT = Path(__file__).resolve().parent.parent


def tool(name: str) -> ModuleType:
    spec = util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def program(folder: Path, name: str, text: str) -> str:
    """A stand-in program on a PATH of our own."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def fake_python(folder: Path, refuses: str) -> str:
    """This interpreter, except that it fails whatever probe mentions `refuses`."""
    text = f'case "$2" in *"{refuses}"*) exit 1;; esac\nexec "{sys.executable}" "$@"'
    return program(folder, "python3", text)


def check_environment(folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """The check with nothing on the PATH but what the test put in `folder`."""
    return subprocess.run(
        ["/bin/sh", str(ROOT / "tools" / "check_environment.sh")],
        env={"PATH": str(folder), **settings},
        capture_output=True,
        text=True,
        check=False,
    )


COMPILER = {"c++": "exit 0"}


@pytest.mark.parametrize(
    ("python", "programs", "says"),
    [
        (None, COMPILER, "'python3' does not run"),
        ("version_info < (3, 11)", COMPILER, "Python 3.11 or newer"),
        ("ensurepip", COMPILER, "-venv"),
        ("Python.h", COMPILER, "-dev"),
        ("nothing", {}, "C++ compiler (g++ 12 or newer), and none was found"),
        ("nothing", {"g++": "exit 1"}, "'g++' is older or does not work"),
    ],
)
def test_what_is_missing_is_said_in_one_sentence(
    tmp_path: Path, python: str | None, programs: dict[str, str], says: str
) -> None:
    if python:
        fake_python(tmp_path, python)
    for name, text in programs.items():
        program(tmp_path, name, text)
    done = check_environment(tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_first_compiler_that_is_new_enough_is_taken(tmp_path: Path) -> None:
    fake_python(tmp_path, "nothing")
    program(tmp_path, "g++", "exit 1")
    program(tmp_path, "g++-12", "exit 0")
    assert check_environment(tmp_path).stdout == "g++-12\n"


def test_a_named_compiler_is_not_replaced(tmp_path: Path) -> None:
    fake_python(tmp_path, "nothing")
    program(tmp_path, "c++", "exit 0")
    assert "'mine' was not found" in check_environment(tmp_path, CXX="mine").stderr


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"License-Expression": "MIT"}, False),
        ({"License-Expression": "GPL-3.0-or-later"}, True),
        ({"License-Expression": "MIT OR GPL-2.0-only"}, False),
        ({"License-Expression": "BSD-3-Clause AND LGPL-2.1-only"}, True),
        ({"License-Expression": "BSD-3-Clause AND GPL-3.0-only WITH GCC-exception-3.1"}, False),
        ({"Classifier": "License :: OSI Approved :: GNU Affero General Public License v3"}, True),
        ({"License": "LGPLv3"}, True),
        ({"License": "BSD\n\nwhole text, which names the GPL in passing"}, False),
        ({}, True),
    ],
)
def test_licence_gate_reads_metadata(fields: dict[str, str], refused: bool) -> None:
    about = Message()
    about["Name"] = "thing"
    for name, value in fields.items():
        about.add_header(name, value)
    assert (tool("check_licences").objection(about) is not None) == refused


def test_licence_gate_follows_what_a_requirement_draws_in() -> None:
    gate = tool("check_licences")
    assert "mdurl" in gate.reachable(["rich"]), "rich needs markdown-it-py, which needs mdurl"
    assert gate.reachable(["no-such-distribution"]) == {}
    assert gate.objection(gate.reachable(["chess"])["chess"].metadata)


def test_licence_gate_sees_an_oracle_in_the_package(tmp_path: Path) -> None:
    package = tmp_path / "tempo"
    package.mkdir()
    (package / "rules.py").write_text("def f():\n    from chess.pgn import read_game\n")
    (package / "fine.py").write_text("from tempo.games import chess\nfrom . import shogi\n")
    problems = tool("check_licences").oracles_imported(package)
    assert problems == ["tempo/rules.py:2: imports chess, an oracle of the tests"]


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """The contract on the package in `folder`; -S, or the editable install would be found first."""
    command = "from importlinter.cli import lint_imports_command as lint; lint()"
    options = ["--no-cache", "--config", str(ROOT / "pyproject.toml")]
    return subprocess.run(
        [sys.executable, "-S", "-c", command, *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{folder}:{sysconfig.get_path('purelib')}"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("module", "line", "kept"),
    [
        ("games/extra.py", "import tempo.ledger", True),
        ("games/extra.py", "from tempo.arena import match", False),
        ("testing.py", "import tempo.agents", False),
        ("nowhere.py", "", False),
    ],
)
def test_import_contract(tmp_path: Path, module: str, line: str, kept: bool) -> None:
    sources = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "tempo", tmp_path / "tempo", ignore=sources)
    with (tmp_path / "tempo" / module).open("a") as file:
        file.write(line + "\n")
    done = lint_imports(tmp_path)
    assert (done.returncode == 0) == kept, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("header", "includes", "fault"),
    [
        ("games/chess/extra.h", "../../learning/graph.h", None),
        ("games/chess/extra.h", "../jiu/rules.h", "a game may not know another"),
        ("games/minishogi/extra.h", "../shogi/rules.h", None),
        ("search/extra.h", "../games/chess/rules.h", "search may not know games"),
        ("extra.h", "parallel/pool.h", "may not know parallel"),
        ("nets/dense.h", "dense.h", "a cycle: nets/dense.h -> nets/dense.h"),
        ("games/chess/types.h", "endings/family.h", "a cycle: games/chess"),
    ],
)
def test_include_contract(tmp_path: Path, header: str, includes: str, fault: str | None) -> None:
    gate = tool("check_includes")
    shutil.copytree(ROOT / "core", tmp_path / "core")
    assert gate.faults(tmp_path / "core") == []
    (tmp_path / "core" / header).parent.mkdir(exist_ok=True)
    with (tmp_path / "core" / header).open("a") as file:
        file.write(f'#include "{includes}"\n')
    found = gate.faults(tmp_path / "core")
    assert any(fault in line for line in found) if fault else not found


def test_the_extension_is_found_although_a_folder_of_stubs_has_its_name() -> None:
    # A folder tempo/_core without __init__.py could be taken for a namespace package.
    assert tempo._core.__file__ is not None
    assert tempo._core.__file__.endswith(tuple(importlib.machinery.EXTENSION_SUFFIXES))


def test_typing_marker_is_beside_the_package() -> None:
    assert (ROOT / "src" / "tempo" / "py.typed").exists()


def test_no_file_of_the_package_is_longer_than_450_lines() -> None:
    lengths = {
        path.relative_to(ROOT): len(path.read_text(encoding="utf-8").splitlines())
        for folder in ("src/tempo", "core")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".h", ".cpp"}
    }
    assert len(lengths) > 300
    assert {path: lines for path, lines in lengths.items() if lines > 450} == {}


def test_what_an_sdist_leaves_out_is_of_the_root_alone() -> None:
    """A bare name is left out of the package, and of the wheel, too: templates have tests."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        left_out = tomllib.load(file)["tool"]["scikit-build"]["sdist"]["exclude"]
    assert "/tests" in left_out
    assert [pattern for pattern in left_out if not pattern.startswith("/")] == []
