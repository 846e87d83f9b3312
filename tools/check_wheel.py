"""Check that the wheel works for someone who has Python and nothing else.

    python tools/check_wheel.py dist/tempo_games-*.whl [dist/tempo_games-*.tar.gz]

Installs it into an empty environment with a PATH on which there is no program at all, plays a game,
counts the packages and what they take, and looks for the stubs. Runs every command and every
example of the README there: what needs an extra says which one in one line and leaves nothing
behind. Those are tried again with each extra alone, in an environment of its own: what names the
extra works then. Then, if this machine has a compiler, writes a game of its own, builds it with the
headers of the wheel and runs its tests; and builds a wheel from the source distribution, without a
network.
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
EXTRAS = ("plot", "web", "deep", "tensorboard", "envs", "cluster")
ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
STORED = ROOT / "docs" / "papers" / "gomoku" / "results.json"
NO_CLUSTER = "no Ray cluster was found on this machine"
DRAWS = "plot"  # an extra that no command needs: reports have figures with it
REPORT = "tempo reproduce gomoku --report-only --out stored"
FURTHER = (
    "tempo", "tempo demo", "tempo train krk --seconds 1", "tempo recipes", "tempo learners",
    "tempo train td --game 'othello(size=4)' --set iterations=2 --tensorboard",
    "tempo match random random --game othello --games 2 --workers ray",
    REPORT, "python environment.py",
)  # fmt: skip
# Commands of the README that take minutes are tried shorter; the page is asked for and ended.
SHORTER = {
    "tempo train gomoku-critic": "--seconds 2",
    "tempo match": "--games 2",
    "tempo evaluate": "--games 20",
}
SKIPPED = ("tempo reproduce",)  # minutes, whatever is left out: its report alone is made
PORT = 8765
FRAMEWORKS = {"flax", "jax", "jaxlib", "keras", "tensorflow", "torch"}
HEADERS = {
    f"tempo/include/tempo/{name}"
    for name in ("tempo-config.cmake", "game.h", "stop.cpp", "bind/outside.h", "bind/outside.cpp")
}
SOURCES = ROOT / "src"

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

ENVIRONMENT = """
import sys
from tempo.errors import TempoError
try:
    from tempo.environments import gymnasium, pettingzoo
except TempoError as error:
    sys.exit(f"tempo: {error}")
env = pettingzoo.env("othello(size=4)")
env.reset(seed=1)
print(env.agent_selection, gymnasium.TempoEnv("othello(size=4)").reset(seed=1)[0].keys())
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


def readme_examples() -> list[str]:
    """The blocks of Python in the README."""
    text = README.read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def check_commands(
    commands: list[str], there: str, home: Path, environment: dict[str, str]
) -> dict[str, str]:
    """Every command does its work, or says in one line which extra it needs that is not there.

    Gives those that need one, with its name.
    """
    extra = there or "no extra"
    folder = home / f"with-{there}"
    (folder / "stored").mkdir(parents=True)
    shutil.copy(STORED, folder / "stored")
    (folder / "environment.py").write_text(ENVIRONMENT)
    for number, example in enumerate(readme_examples()):
        (folder / f"readme-{number}.py").write_text(example)
    environment = {**environment, "COLUMNS": "80", "HOME": str(folder), "JAX_PLATFORMS": "cpu"}
    refused: dict[str, str] = {}
    for command in commands:
        more = next((words for begin, words in SHORTER.items() if command.startswith(begin)), "")
        before = {path for path in folder.rglob("*") if ".cache" not in path.parts}
        words = shlex.split(f"{command} {more}")
        status, said = _tried(words, home / f"venv-{there}" / "bin", folder, environment)
        if status == 0:
            continue
        lines = said.strip().splitlines()
        if there == "cluster" and len(lines) == 1 and NO_CLUSTER in said:
            continue  # Ray is there and was asked: none runs on this machine
        wanted = re.search(r"of the extra `(\w+)`: pip install", lines[-1] if lines else "")
        left = {path for path in folder.rglob("*") if ".cache" not in path.parts} - before
        if wanted is None or len(lines) > 1 or wanted[1] == there or left:
            sys.exit(f"with {extra}, `{command}` ended so ({status}): {said}; {left}")
        refused[command] = wanted[1]
        print(f"  with {extra}, {command}: wants {wanted[1]}", flush=True)
    return refused


def _tried(
    words: list[str], programs: Path, folder: Path, environment: dict[str, str]
) -> tuple[int, str]:
    """The exit status of a command, and what it said on standard error."""
    program = [str(programs / words[0]), *words[1:]]
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
    tools = ROOT / "pyproject.toml"
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


def check_sdist(sdist: Path, home: Path) -> None:
    """A wheel is built from the source distribution with the tools that are there, and no index."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check",
         "--no-index", "--no-build-isolation", "--no-deps", "--wheel-dir", str(home / "built"),
         str(sdist.resolve())],
        capture_output=True, text=True, check=False, cwd=home,
    )  # fmt: skip
    built = [*(home / "built").glob("*.whl")]
    if done.returncode or len(built) != 1:
        sys.exit(f"{sdist.name} builds no wheel: {done.stdout}{done.stderr}")
    check_contents(built[0])
    print(f"{sdist.name} builds {built[0].name} without a network")


def main(wheel: Path, sdist: Path | None = None) -> None:
    """Try the wheel; exits with a sentence at the first thing that is wrong."""
    check_contents(wheel)
    with tempfile.TemporaryDirectory() as temporary:
        home = Path(temporary)
        programs = home / "no-programs"
        programs.mkdir()
        environment = {**os.environ, "PATH": str(programs)}
        for variable in ("CC", "CXX", "PYTHONPATH"):
            environment.pop(variable, None)

        def run(*command: str, extra: str = "") -> str:
            done = subprocess.run(
                [str(home / f"venv-{extra}" / "bin" / command[0]), *command[1:]],
                cwd=home,
                env=environment,
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            )
            return done.stdout

        def install(extra: str = "") -> None:
            venv.create(home / f"venv-{extra}", with_pip=True)
            wanted = f"{wheel.resolve()}[{extra}]" if extra else str(wheel.resolve())
            options = ("--quiet", "--disable-pip-version-check", "--only-binary", ":all:")
            run("python", "-m", "pip", "install", *options, wanted, extra=extra)

        install()
        print(run("python", "-c", PLAY), end="")
        check_packages(run("python", "-c", LIST).split())
        check_size(wheel, next((home / "venv-" / "lib").glob("python*/site-packages")))
        if "Usage" not in run("tempo", "--help"):
            sys.exit("`tempo --help` does not say how it is used")
        examples = [f"python readme-{number}.py" for number in range(len(readme_examples()))]
        commands = [*readme_commands(), *examples, *FURTHER]
        refused = check_commands(commands, "", home, environment)
        for extra in EXTRAS:
            if extra not in (*refused.values(), DRAWS):
                sys.exit(f"no command says that it wants the extra {extra}")
            install(extra)
            check_commands([*refused, REPORT], extra, home, environment)
            shutil.rmtree(home / f"venv-{extra}")
            if any((home / f"with-{extra}" / "stored").glob("*.svg")) != (extra == DRAWS):
                sys.exit(f"with {extra}, `{REPORT}` drew figures or did not")
        if shutil.which(os.environ.get("CXX", "c++")):
            check_new_game(home / "venv-" / "bin" / "python", home)
            if sdist:
                check_sdist(sdist, home)
        else:
            print(
                "no compiler: nothing was built with the headers of the wheel or from the sources"
            )


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
