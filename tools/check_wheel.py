"""Check that the wheel works for someone who has Python and nothing else.

    python tools/check_wheel.py dist/tempo_games-*.whl

Installs it into an empty environment with a PATH on which there is no program at all, plays a game,
runs the command, counts the packages and looks for the stubs.
"""

import os
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

MOST_PACKAGES = 30
FRAMEWORKS = {"flax", "jax", "jaxlib", "keras", "tensorflow", "torch"}
TYPING = {"tempo/py.typed", "tempo/_core/__init__.pyi", "tempo/_core/gomoku.pyi"}
DATA = {"tempo/recipes/krk.toml", "tempo/recipes/demo.json"}
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
    """Stubs, recipes and weights are shipped, and no header or source of the core is."""
    names = set(zipfile.ZipFile(wheel).namelist())
    weights = {f"tempo/weights/{path.name}" for path in WEIGHTS.iterdir() if path.is_file()}
    if missing := (TYPING | DATA | weights) - names:
        sys.exit(f"{wheel.name} lacks {', '.join(sorted(missing))}")
    if odd := sorted(name for name in names if name.endswith((".h", ".cpp", ".txt.in"))):
        sys.exit(f"{wheel.name} ships sources: {', '.join(odd)}")


def check_packages(names: list[str]) -> None:
    """The base install stays small and has no neural framework."""
    print(f"{len(names)} packages:", *names)
    if len(names) > MOST_PACKAGES:
        sys.exit(f"{len(names)} packages are installed, at most {MOST_PACKAGES} may be")
    if found := FRAMEWORKS.intersection(names):
        sys.exit(f"the base install draws in {', '.join(sorted(found))}")


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


if __name__ == "__main__":
    main(Path(sys.argv[1]))
