"""Check that the wheel works for someone who has Python and nothing else.

    python tools/check_wheel.py dist/tempo_games-*.whl

Installs it into an empty environment with a PATH on which there is no program at all, plays a game,
counts the packages and what they take, and looks for the stubs. Runs every command of the README
there, and again with each extra: a command whose extra is missing says so in one line and leaves
nothing behind. Then, if this machine has a compiler, writes a game of its own, builds it with the
headers of the wheel and runs its tests.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
import venv
import zipfile
from pathlib import Path
from urllib.request import urlopen

MOST_PACKAGES = 20
MOST_MEGABYTES = 15  # of the wheel
MOST_MEBIBYTES = 100  # of all packages, without the bytecode that Python makes of them
EXTRAS = ("", "plot", "web", "deep")
README = Path(__file__).resolve().parent.parent / "README.md"
FURTHER = (
    "tempo", "tempo demo", "tempo train krk --seconds 1", "tempo recipes", "tempo learners",
    "tempo train td --game 'othello(size=4)' --set iterations=2 --tensorboard",
    "tempo match random random --game othello --games 2 --workers ray",
)  # fmt: skip
# Commands of the README that take minutes are tried shorter; the page is asked for and ended.
SHORTER = {
    "tempo train gomoku-critic": "--seconds 2",
    "tempo match": "--games 2",
    "tempo evaluate": "--games 20",
}
SKIPPED = ("tempo reproduce",)  # minutes, whatever is left out
PORT = 8765
FRAMEWORKS = {"flax", "jax", "jaxlib", "keras", "tensorflow", "torch"}
HEADERS = {
    f"tempo/include/tempo/{name}"
    for name in ("tempo-config.cmake", "game.h", "stop.cpp", "bind/outside.h", "bind/outside.cpp")
}
SOURCES = Path(__file__).resolve().parent.parent / "src"

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
    package = {
        path.relative_to(SOURCES).as_posix()
        for path in SOURCES.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    if missing := (package | HEADERS) - names:
        sys.exit(f"{wheel.name} lacks {', '.join(sorted(missing))}")
    sources = {name for name in names if name.endswith((".h", ".cpp", ".txt.in"))}
    meant = ("tempo/include/tempo/", "tempo/templates/game/")
    if odd := sorted(
        name for name in sources if not name.startswith(meant) or name.endswith("/module.cpp")
    ):
        sys.exit(f"{wheel.name} ships sources: {', '.join(odd)}")


def check_size(wheel: Path, site: Path) -> None:
    """The wheel and all that comes with it stay small."""
    megabytes = wheel.stat().st_size / 1e6
    files = [path for path in site.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    own = [path for path in files if path.relative_to(site).parts[0] not in ("pip", "setuptools")]
    mebibytes = sum(path.stat().st_size for path in own) / 2**20
    print(f"the wheel has {megabytes:.1f} MB, all packages take {mebibytes:.0f} MiB")
    if megabytes > MOST_MEGABYTES or mebibytes > MOST_MEBIBYTES:
        sys.exit(f"at most {MOST_MEGABYTES} MB and {MOST_MEBIBYTES} MiB were expected")


def readme_commands() -> list[str]:
    """The commands of the README that people type after the installation."""
    found = re.findall(r"^(tempo [^#\n]*)", README.read_text(encoding="utf-8"), re.MULTILINE)
    return [command.strip() for command in found if not command.startswith(SKIPPED)]


def check_commands(there: tuple[str, ...], home: Path, environment: dict[str, str]) -> None:
    """Every command does its work, or says in one line which extra it needs that is not there."""
    extra = " and ".join(filter(None, there)) or "no extra"
    folder = home / f"with-{len(there)}"
    folder.mkdir()
    environment = {**environment, "COLUMNS": "80", "HOME": str(folder), "JAX_PLATFORMS": "cpu"}
    for command in (*readme_commands(), *FURTHER):
        more = next((words for begin, words in SHORTER.items() if command.startswith(begin)), "")
        before = {path for path in folder.rglob("*") if ".cache" not in path.parts}
        status, said = _tried(shlex.split(f"{command} {more}"), folder, environment)
        if status == 0:
            continue
        lines = said.strip().splitlines()
        wanted = re.search(r"of the extra `(\w+)`: pip install", lines[-1] if lines else "")
        left = {path for path in folder.rglob("*") if ".cache" not in path.parts} - before
        if wanted is None or len(lines) > 1 or wanted[1] in there or left:
            sys.exit(f"with {extra}, `{command}` ended so ({status}): {said}; {left}")
        print(f"  with {extra}, {command}: wants {wanted[1]}")


def _tried(words: list[str], folder: Path, environment: dict[str, str]) -> tuple[int, str]:
    """The exit status of a command, and what it said on standard error."""
    program = [str(folder.parent / "venv" / "bin" / words[0]), *words[1:]]
    if words[1:2] == ["play"]:
        program += ["--port", str(PORT)]
    child = subprocess.Popen(
        program, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    if words[1:2] != ["play"]:
        return child.wait(), child.communicate()[1] if child.stderr else ""
    until = time.monotonic() + 60
    while child.poll() is None and time.monotonic() < until:
        try:
            with urlopen(f"http://127.0.0.1:{PORT}/", timeout=5) as page:
                served = page.status == 200
        except OSError:
            time.sleep(0.2)
            continue
        child.send_signal(signal.SIGINT)
        said = child.communicate()[1]
        return (0 if served else 1), said
    child.kill()
    return child.wait() or 1, child.communicate()[1]


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
        check_size(wheel, next((home / "venv" / "lib").glob("python*/site-packages")))
        if "Usage" not in run("tempo", "--help"):
            sys.exit("`tempo --help` does not say how it is used")
        for count, extra in enumerate(EXTRAS):
            if extra:
                run("python", "-m", "pip", "install", *options, f"{wheel.resolve()}[{extra}]")
            check_commands(EXTRAS[: count + 1], home, environment)
        if shutil.which(os.environ.get("CXX", "c++")):
            check_new_game(home / "venv" / "bin" / "python", home)
        else:
            print("no compiler: no game was built with the headers of the wheel")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
