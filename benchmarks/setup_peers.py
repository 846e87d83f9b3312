"""Make the peers' own environment, `.venv-peers`, beside the package's.

    python benchmarks/setup_peers.py [--no-apt]

What cannot be installed is named and left out: the benchmark then skips it. A second run only
tries what is still missing.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PLACE = HERE.parent / ".venv-peers"
WANTED = HERE / "peers.txt"
DONE = PLACE / "installed-peers.txt"  # the lines of peers.txt that are installed

PROBE = "import sys, ensurepip, venv; print(*sys.version_info[:2])"


def say(text: str) -> None:
    """Tell people; standard output stays free."""
    print(text, file=sys.stderr)


def candidates() -> list[str]:
    """Interpreters worth a try: the one asked for, those on PATH, pyenv's, our own."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    named = [shutil.which(f"python3.{minor}") for minor in (14, 13, 12, 11)]
    found = [os.environ.get("PEERS_PYTHON"), *named]
    installed = map(str, pyenv.glob("versions/3.*/bin/python3"))
    return [*filter(None, found), *installed, sys.executable]


def python_version(python: str) -> tuple[int, ...]:
    """Its version, or () when it does not run: a shim may stand for nothing."""
    try:
        done = subprocess.run([python, "-c", PROBE], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ()
    return tuple(map(int, done.stdout.split()))


def interpreter() -> str | None:
    """Python 3.13 where there is one, as some peers ask for it and all have wheels for it."""
    versions = {python: python_version(python) for python in candidates()}
    usable = {python: version for python, version in versions.items() if version >= (3, 11)}
    asked = os.environ.get("PEERS_PYTHON")
    if asked in usable:
        return asked
    return max(usable, key=lambda at: (usable[at] == (3, 13), usable[at]), default=None)


def wanted() -> list[str]:
    """The requirements of peers.txt."""
    lines = (line.partition("#")[0].strip() for line in WANTED.read_text().splitlines())
    return [line for line in lines if line]


def install(requirement: str) -> bool:
    """Install one peer alone, so that one without a wheel for this machine costs only itself."""
    say(f"peers: {requirement}")
    command = [str(PLACE / "bin" / "python"), "-m", "pip", "install", "--quiet", requirement]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        say(f"peers: {requirement} left out: {reason}")
    return done.returncode == 0


def install_packages() -> None:
    """Make the environment if there is none, and install what it lacks."""
    installed = DONE.read_text().splitlines() if DONE.exists() else []
    missing = [requirement for requirement in wanted() if requirement not in installed]
    if not missing:
        return
    if not (PLACE / "bin" / "python").exists():
        python = interpreter()
        if python is None:
            say("peers: none installed; they need Python 3.11 or newer with venv and pip")
            return
        say(f"peers: making {PLACE.name} with {python}")
        subprocess.run([python, "-m", "venv", "--clear", PLACE], check=True)
    installed = [line for line in installed if line in wanted()]
    installed += filter(install, missing)
    DONE.write_text("".join(f"{line}\n" for line in installed))


def install_stockfish() -> None:
    """Stockfish is a program, not a package: Debian's, when we may install it."""
    if shutil.which("stockfish", path=os.environ.get("PATH", "") + ":/usr/games"):
        return
    if "--no-apt" in sys.argv or shutil.which("apt-get") is None or os.geteuid() != 0:
        say("peers: Stockfish left out; install the package stockfish to measure beside it")
        return
    say("peers: stockfish (apt-get install)")
    for command in (["apt-get", "update"], ["apt-get", "install", "-y", "stockfish"]):
        subprocess.run(command, capture_output=True, check=False)


if __name__ == "__main__":
    install_stockfish()
    install_packages()
