"""Check that the wheel works for someone who has Python and nothing else.

    python tools/check_wheel.py dist/tempo_games-*.whl

Installs it into an empty environment with a PATH on which there is no program at all, plays a game,
runs the command, counts the packages and looks for the stubs. Then, if this machine has a compiler,
writes a game of its own, builds it with the headers of the wheel and runs its tests.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
import zipfile
from pathlib import Path

MOST_PACKAGES = 30
FRAMEWORKS = {"flax", "jax", "jaxlib", "keras", "tensorflow", "torch"}
TYPING = {"tempo/py.typed", "tempo/_core/__init__.pyi", "tempo/_core/gomoku.pyi"}
DATA = {"tempo/recipes/krk.toml", "tempo/recipes/demo.json"}
HEADERS = {
    f"tempo/include/tempo/{name}"
    for name in ("tempo-config.cmake", "game.h", "stop.cpp", "bind/outside.h", "bind/outside.cpp")
}
TEMPLATE = {
    f"tempo/templates/game/{name}" for name in ("pyproject.toml", "cpp/mygame.h", "cpp/bind.cpp")
}
WEIGHTS = Path(__file__).resolve().parent.parent / "src" / "tempo" / "weights"

PLAY = """
from random import Random
import tempo
random = Random(1)
for spec in ("gomoku(size=9)", "chess"):
    position = tempo.load(spec).start()
    while not position.is_over:
        position = position.play(random.choice(list(position.legal_moves)))
    print(spec, "ended:", position.outcome)
"""

LIST = """
from importlib import metadata
names = {d.metadata["Name"].lower() for d in metadata.distributions()}
print(*sorted(names - {"pip", "setuptools"}))
"""


def check_contents(wheel: Path) -> None:
    """What a user needs is shipped, and no source that only Tempo's own build needs."""
    names = set(zipfile.ZipFile(wheel).namelist())
    weights = {f"tempo/weights/{path.name}" for path in WEIGHTS.iterdir() if path.is_file()}
    if missing := (TYPING | DATA | HEADERS | TEMPLATE | weights) - names:
        sys.exit(f"{wheel.name} lacks {', '.join(sorted(missing))}")
    sources = {name for name in names if name.endswith((".h", ".cpp", ".txt.in"))}
    meant = ("tempo/include/tempo/", "tempo/templates/game/")
    if odd := sorted(
        name for name in sources if not name.startswith(meant) or name.endswith("/module.cpp")
    ):
        sys.exit(f"{wheel.name} ships sources: {', '.join(odd)}")


def check_packages(names: list[str]) -> None:
    """The base install stays small and has no neural framework."""
    print(f"{len(names)} packages:", *names)
    if len(names) > MOST_PACKAGES:
        sys.exit(f"{len(names)} packages are installed, at most {MOST_PACKAGES} may be")
    if found := FRAMEWORKS.intersection(names):
        sys.exit(f"the base install draws in {', '.join(sorted(found))}")


def check_new_game(python: Path, home: Path) -> None:
    """A game of one's own is built with what the wheel ships, and passes its tests."""
    pip = (str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    tools = Path(__file__).resolve().parent.parent / "pyproject.toml"
    required = tomllib.loads(tools.read_text(encoding="utf-8"))["build-system"]["requires"]
    commands = (
        (*pip, *required, "pytest"),
        (str(python.parent / "tempo"), "new-game", "noughts", "--into", "noughts"),
        (*pip, "--no-build-isolation", "--no-deps", "./noughts"),
        (str(python), "-m", "pytest", "-q", "noughts/tests"),
    )
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    for command in commands:
        subprocess.run(command, cwd=home, env=environment, check=True)


def main(wheel: Path) -> None:
    """Try the wheel; exits with a sentence at the first thing that is wrong."""
    check_contents(wheel)
    with tempfile.TemporaryDirectory() as temporary:
        home = Path(temporary)
        programs = home / "no-programs"
        programs.mkdir()
        environment = {**os.environ, "PATH": str(programs)}
        for variable in ("CC", "CXX", "PYTHONPATH"):
            environment.pop(variable, None)

        def run(*command: str) -> str:
            done = subprocess.run(
                [str(home / "venv" / "bin" / command[0]), *command[1:]],
                cwd=home,
                env=environment,
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            )
            return done.stdout

        venv.create(home / "venv", with_pip=True)
        options = ("--quiet", "--disable-pip-version-check", "--only-binary", ":all:")
        run("python", "-m", "pip", "install", *options, str(wheel.resolve()))
        print(run("python", "-c", PLAY), end="")
        check_packages(run("python", "-c", LIST).split())
        if "Usage" not in run("tempo", "--help"):
            sys.exit("`tempo --help` does not say how it is used")
        if shutil.which(os.environ.get("CXX", "c++")):
            check_new_game(home / "venv" / "bin" / "python", home)
        else:
            print("no compiler: no game was built with the headers of the wheel")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
