"""Trainings that the page starts, on a server that allows it (`tempo play --allow-training`).

    GET  /api/training          whether it is allowed; learners, nets, limits; what is under way
    GET  /api/training/games?learner=   the games that a learner learns, with why not the others
    POST /api/training/start    a learner, a game, seconds, settings → the run's name and a token
    POST /api/training/stop     a run's name and its token
    POST /api/training/resume   a run's name, its token, further seconds

A training is a process of its own (`tempo.web.trainer`) with bounds on memory, files and time.
There are few at once, one of an address. What a guest may set is listed here with the most of each
number; folders are named by the server. Who starts a run gets its token: nobody else stops or
resumes it.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from threading import Lock
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from tempo import games, texts
from tempo.errors import ParseError, TempoError
from tempo.files import write_text
from tempo.games.registry import parse_spec
from tempo.learners.registry import kinds
from tempo.learners.settings import Settings
from tempo.nets.registry import NETS
from tempo.recipes import general
from tempo.runs import Run
from tempo.web.bodies import address_of, read_json
from tempo.web.limits import Limits, network
from tempo.web.messages import SPEC, Refused, given, line, number, optional, secret, whole, word
from tempo.web.opening import digest

router = APIRouter(prefix="/api/training")

BODY = 8 * 1024
POLL = 0.25  # seconds between looks at a process
OWNER = ".owner"  # the digest of the token that a run was started with
# The most of each number that a guest may set; a setting that is not here keeps its usual value.
MOST: Mapping[str, float] = {
    "iterations": 100_000, "games": 128, "depth": 3, "record": 200, "opening": 40, "longest": 2000,
    "steps": 100, "batch": 4096, "passes": 8, "replay": 100_000, "refresh": 1000, "exam": 200,
    "temperature": 100, "cooling": 1, "trace": 1, "discount": 1, "results": 1, "step_size": 1,
}  # fmt: skip
LAYERS, WIDEST = 3, 256  # of networks
_WORDS = {"exploration": "[a-z0-9_.]{1,30}", "successor": "[a-z_]{1,20}", "adaptive": "[a-z]{0,10}"}


def _settings(value: object) -> dict[str, Any]:
    """A check of a message's field: settings of a learner within bounds."""
    if not isinstance(value, dict) or len(value) > 40:
        raise ValueError("an object of settings")
    usual = {one.name: one.default for one in fields(Settings)}
    return {name: _setting(name, one, usual) for name, one in value.items()}


def _setting(name: str, value: object, usual: Mapping[str, Any]) -> Any:
    if name == "net":
        if value not in NETS:
            raise ValueError(f"a net of {', '.join(NETS)}")
        return value
    if name in ("hidden", "channels"):
        layers = value if isinstance(value, list) else []
        sizes = [one for one in layers if type(one) is int and 1 <= one <= WIDEST]
        if not layers or len(layers) > LAYERS or len(sizes) < len(layers):
            raise ValueError(f"1 to {LAYERS} sizes up to {WIDEST} for {name}")
        return tuple(sizes)
    if name in _WORDS:
        if not isinstance(value, str) or not re.fullmatch(_WORDS[name], value):
            raise ValueError(f"a word for {name}")
        return value
    if name not in MOST:
        raise ValueError(
            f"{', '.join(('net', 'hidden', 'channels', *_WORDS, *MOST))}; not {name[:30]}"
        )
    kind = whole if isinstance(usual[name], int) else number
    return kind(0, int(MOST[name]))(value)


@dataclass(frozen=True)
class Start:
    """What is to be learnt, by whom, for how long."""

    learner: str = given(word("[a-z_]{1,30}", "the name of a learner"))
    game: str = given(line(SPEC))
    seconds: float = optional(number(1, 1e6), 60.0)
    seed: int = optional(whole(0, 2**31), 1)
    start: str = optional(word("[A-Z]{0,8}", "the name of an ending"), "")
    settings: Mapping[str, Any] | None = optional(_settings, None)


@dataclass(frozen=True)
class Named:
    """A run, and by which right."""

    name: str = given(line(200))
    token: str = optional(secret, "")
    seconds: float = optional(number(1, 1e6), 60.0)


@dataclass
class Training:
    """A process that trains."""

    name: str
    address: str
    process: Popen[str]
    began: float
    seconds: float
    fault: str = ""

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self.process.poll() is None

    def data(self) -> dict[str, object]:
        """As the page shows it."""
        gone = time.monotonic() - self.began
        return {
            "name": self.name, "running": self.is_running, "elapsed": round(gone, 1),
            "seconds": self.seconds, "fault": texts.refusal(self.fault),
        }  # fmt: skip


class Trainings:
    """The trainings of a server; at most `limits.trainings` at once, one of each address."""

    def __init__(self, root: Path, limits: Limits, *, allowed: bool) -> None:
        self.root, self.limits, self.allowed = root, limits, allowed
        self._all: dict[str, Training] = {}
        self._lock = Lock()  # requests run in threads

    def check(self) -> None:
        """Refuses where nothing may be trained."""
        if not self.allowed:
            text = "this server trains nothing; start it with tempo play --allow-training"
            raise Refused("training", text, 403)

    def running(self) -> list[Training]:
        """Those under way; takes down how the others ended."""
        for one in self._all.values():
            if (
                not one.is_running
                and one.process.stdout is not None
                and not one.process.stdout.closed
            ):
                one.fault = _last_words(one.process)
                self._clear(self.root / one.name)
        return [one for one in self._all.values() if one.is_running]

    def _clear(self, folder: Path) -> None:
        """Removes the folder of a training that never began."""
        if not (folder / "config.toml").exists():
            with suppress(OSError):
                for left in (OWNER, ".lock"):
                    (folder / left).unlink(missing_ok=True)
                folder.rmdir()

    def rows(self) -> list[dict[str, object]]:
        """All since the server began."""
        self.running()
        return [one.data() for one in self._all.values()]

    def _make_room(self, address: str) -> None:
        running = self.running()
        if any(network(one.address) == network(address) for one in running):
            raise Refused("training", "you have a training under way; stop it first", 409)
        if len(running) >= self.limits.trainings:
            raise Refused("training", "others are training here; try again later", 503)

    def start(self, asked: Start, address: str) -> tuple[str, str]:
        """Begins a training; its name, and a token for the one who asked for it."""
        with self._lock:
            return self._start(asked, address)

    def _start(self, asked: Start, address: str) -> tuple[str, str]:
        self._make_room(address)
        if len(list(self.root.glob(f"*/{OWNER}"))) >= self.limits.trained_runs:
            raise Refused("training", "there is no room for further runs on this server", 409)
        try:
            if parse_spec(asked.game)[0] not in games.names():
                raise ParseError(f"there is no game '{asked.game[:40]}' here")
            game = games.load(asked.game)
            if asked.start and asked.start not in game.description.endings:
                raise ParseError(f"{game.name} has no games that start from {asked.start}")
            settings = {**(asked.settings or {}), "start": asked.start}
            recipe = general.recipe_of(asked.learner, game.spec, settings)
        except (ParseError, ValueError) as error:
            raise Refused("training", str(error)) from error
        name = self._new_name(f"{asked.learner} {game.name}")
        folder, token = self.root / name, secrets.token_urlsafe(24)
        seconds = self._time(asked.seconds)
        folder.mkdir(parents=True)
        write_text(folder / OWNER, digest(token))
        self._run(name, address, recipe, asked.seed, seconds, resume=False)
        return name, token

    def _new_name(self, words: str) -> str:
        plain = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")
        names = (f"{plain}-{number}" for number in range(1, 10_000))
        return next(name for name in names if not (self.root / name).exists())

    def _time(self, seconds: float) -> float:
        if seconds > self.limits.training_seconds:
            most = self.limits.training_seconds
            raise Refused("training", f"a training has {most:g} seconds at most here")
        return seconds

    def _owned(self, asked: Named) -> Path:
        """The folder of a run that the token belongs to; names are those of folders found."""
        for path in self.root.glob(f"*/{OWNER}"):
            if path.parent.name == asked.name:
                if not secrets.compare_digest(path.read_text().strip(), digest(asked.token)):
                    raise Refused("training", "this run was started by somebody else", 403)
                return path.parent
        raise Refused("training", "no run of this name was started from the page", 404)

    def stop(self, asked: Named) -> None:
        """Ends a training after the iteration under way."""
        self._owned(asked)
        training = self._all.get(asked.name)
        if training is None or not training.is_running:
            raise Refused("training", "this run is not training", 409)
        if training.process.stdin is not None:
            training.process.stdin.close()

    def resume(self, asked: Named, address: str) -> None:
        """Goes on from the last checkpoint, for as many further seconds."""
        with self._lock:
            self._resume(asked, address)

    def _resume(self, asked: Named, address: str) -> None:
        folder = self._owned(asked)
        self._make_room(address)
        try:
            run = Run.open(folder)
            spent = run.ledger().wall_seconds
        except TempoError as error:
            raise Refused("training", str(error), 409) from error
        seconds = spent + self._time(asked.seconds)
        seed = int(run.config.get("seed", 1))
        self._run(asked.name, address, run.config, seed, seconds, resume=True)

    def _run(
        self, name: str, address: str, recipe: Mapping[str, Any], seed: int, seconds: float, *,
        resume: bool,
    ) -> None:  # fmt: skip
        limits = self.limits
        work = {
            "folder": str(self.root / name), "recipe": recipe, "seed": seed, "seconds": seconds,
            "resume": resume, "mebibytes": limits.training_mebibytes,
            "file_mebibytes": limits.training_file_mebibytes, "niceness": 10,
            "limit": limits.training_seconds + 120,
        }  # fmt: skip
        command = [sys.executable, "-m", "tempo.web.trainer"]
        process = Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, text=True)
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.write(json.dumps(work) + "\n")
            process.stdin.flush()
        self._all[name] = Training(name, address, process, time.monotonic(), seconds)

    async def close(self) -> None:
        """Ends all trainings; each has had checkpoints."""
        running = self.running()
        for one in running:
            if one.process.stdin is not None:
                one.process.stdin.close()
        until = time.monotonic() + 2
        while any(one.is_running for one in running) and time.monotonic() < until:
            await asyncio.sleep(POLL)
        for one in running:
            one.process.kill()
            one.process.wait()


def _last_words(process: Popen[str]) -> str:
    """How a training ended, in a sentence; empty if it came to its end."""
    assert process.stdout is not None
    with process.stdout as said:
        text = said.read()
    with suppress(ValueError, KeyError, IndexError):
        return str(json.loads(text.splitlines()[-1])["fault"])
    return "the process was ended"


# ---- requests ------------------------------------------------------------------------------------


def _of(request: Request) -> Trainings:
    trainings: Trainings = request.app.state.server.trainings
    return trainings


@router.get("")
def overview(request: Request) -> Response:
    """What may be trained, and what is under way."""
    trainings = _of(request)
    found: dict[str, object] = {"allowed": trainings.allowed, "trainings": trainings.rows()}
    if trainings.allowed:
        found["learners"] = [
            {
                "name": one.name,
                "summary": texts.translated(one.summary),
                "settings": _usual(one.usual),
            }
            for one in kinds().values()
        ]
        found["nets"] = {name: texts.translated(words) for name, (words, _) in NETS.items()}
        found["most"] = {**MOST, "seconds": trainings.limits.training_seconds}
    return JSONResponse(found)


def _usual(settings: Settings) -> dict[str, Any]:
    wanted = ("net", "hidden", "channels", *_WORDS, *MOST)
    return {name: value for name, value in vars(settings).items() if name in wanted}


@router.get("/games")
def accepted(request: Request, learner: str) -> Response:
    """The games, and why a learner does not learn some of them; small forms of them first."""
    _of(request).check()
    kind = kinds().get(learner)
    if kind is None:
        raise Refused("training", f"there is no learner '{learner[:30]}'")
    rows = []
    for name in games.names():
        for small in games.load(name).description.small:
            game = games.load(small.spec)
            title = game.description.face.title(game)
            rows.append(
                {"spec": game.spec, "start": small.start, "title": title,
                 "refused": kind.refusal(game, kind.usual)}
            )  # fmt: skip
    return JSONResponse({"games": rows})


@router.post("/start")
async def start(request: Request) -> Response:
    """Begins a training."""
    trainings = _of(request)
    trainings.check()
    asked = await read_json(request, Start, "training", BODY)
    server: Any = request.app.state.server
    name, token = await server.aside(trainings.start, asked, address_of(request))
    return JSONResponse({"name": name, "token": token}, status_code=201)


@router.post("/stop")
async def stop(request: Request) -> Response:
    """Ends one."""
    trainings = _of(request)
    trainings.check()
    trainings.stop(await read_json(request, Named, "training", BODY))
    return JSONResponse({})


@router.post("/resume")
async def resume(request: Request) -> Response:
    """Goes on with one."""
    trainings = _of(request)
    trainings.check()
    asked = await read_json(request, Named, "training", BODY)
    server: Any = request.app.state.server
    await server.aside(trainings.resume, asked, address_of(request))
    return JSONResponse({})
