"""The ladder on which all methods of the shogi paper are rated: searches of growing budgets.

A fixed pool of rungs meets itself, neighbours with neighbours; every other search and every network
meets the rungs about as strong as it is. All of it together gives ratings (`arena.ratings`), random
play being 0.

A player is called by its method and its budget: `uct-800`, `path-800` (UCT that also counts what
the moves of its tree win), `ab-1000` (alpha-beta of 1000 positions); a network by its kind, how
long it has learnt and the seed: `improved-240-1`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from tempo import agents, recipes
from tempo.agents.dqn import DqnAgent, DqnSettings
from tempo.arena.result import MatchResult
from tempo.papers.jobs import Row
from tempo.papers.shogi.searches import NETWORK, RANDOM, Match, uct

if TYPE_CHECKING:
    from tempo.agents import Agent

RUNGS = (RANDOM, "uct-50", "uct-800", "path-50", "path-400", "path-3200",
         "ab-1000", "ab-10000", "ab-100000")  # fmt: skip
REACH = 2  # rungs above and below that a rung meets
FIRST_RUNGS = ("uct-50",)  # what networks meet that play about as well as random moves
# The other searches, and whom they meet.
POINTS = {
    "uct-100": ("random", "uct-50", "uct-800"),
    "uct-200": ("random", "uct-50", "uct-800"),
    "uct-400": ("random", "uct-50", "uct-800"),
    "uct-1600": ("uct-50", "uct-800", "path-50"),
    "uct-3200": ("uct-800", "path-50", "path-400"),
    "path-100": ("uct-800", "path-50", "path-400"),
    "path-200": ("uct-800", "path-50", "path-400"),
    "path-800": ("path-50", "path-400", "path-3200"),
    "path-1600": ("path-400", "path-3200", "ab-1000"),
    "ab-100": ("path-50", "path-400", "path-3200"),
    "ab-300": ("path-400", "path-3200", "ab-1000"),
    "ab-3000": ("path-3200", "ab-1000", "ab-10000"),
    "ab-30000": ("ab-1000", "ab-10000", "ab-100000"),
}
# What the improved networks meet (they have met random play before), and the one that comes with
# the package, which has learnt longer.
MET = ("uct-800", "path-50", "path-400", "path-3200", "ab-1000")
SHIPPED = "shipped"
SHIPPED_MET = ("path-50", "path-400", "path-3200", "ab-1000", "ab-10000")
QUICK_RUNGS = (RANDOM, "uct-50", "ab-300")
QUICK_POINTS = {"uct-100": ("random", "uct-50"), "path-50": ("uct-50", "ab-300")}


@dataclass(frozen=True)
class Scale:
    """Games of every meeting: in each job, and how many jobs."""

    games: int = 40
    blocks: int = 2


FULL = Scale()
QUICK = Scale(games=4, blocks=1)


class Meeting(Match):
    """A match of the ladder; of networks that are in memory, or stored by an earlier job."""

    def is_ready(self, out: Path) -> bool:
        """Whether the networks that it takes are there."""
        specs = (self.a, self.b)
        return all(_file(out, spec).exists() for spec in specs if spec.startswith(NETWORK))

    def work(self, out: Path, threads: int) -> Row:
        """Plays it, or resumes it."""
        players = {self.row.split()[0]: _agent(out, self.a), self.b: agents.load(self.b)}
        return self.kept(self.play(players, out / "games" / f"{self.name}.jsonl"))

    def live(self, agent: Agent) -> Row:
        """Plays a live agent from the first game: of networks that are lost nothing is left."""
        return self.kept(self.play({self.a: agent, self.b: agents.load(self.b)}))

    def kept(self, found: MatchResult) -> Row:
        """Without the single games, which are in the log."""
        row = super().kept(found)
        row.pop("each")
        return row


def spec_of(label: str) -> str:
    """The agent behind the label of a search."""
    method, _, budget = label.partition("-")
    if method == "uct":
        return uct(sims=int(budget), values="rollout")
    if method == "path":
        return uct(sims=int(budget), values="path")
    if method == "ab":
        return f"alphabeta:nodes={int(budget)}"
    return "shogi-dqn" if label == SHIPPED else label


def matches(quick: bool, networks: Iterable[tuple[str, str]] = ()) -> Iterator[Meeting]:
    """All of the ladder; `networks` are labels, and names of the files that hold them."""
    rungs, points = (QUICK_RUNGS, QUICK_POINTS) if quick else (RUNGS, POINTS)
    for i, low in enumerate(rungs):
        for high in rungs[i + 1 : i + 1 + REACH]:
            yield from _meetings(quick, high, spec_of(high), low)
    for label, met in points.items():
        for rung in met:
            yield from _meetings(quick, label, spec_of(label), rung)
    for label, name in networks:
        for rung in QUICK_RUNGS[1:2] if quick else MET:
            yield from _meetings(quick, label, NETWORK + name, rung)
    if not quick and is_shipped():
        for rung in SHIPPED_MET:
            yield from _meetings(quick, SHIPPED, spec_of(SHIPPED), rung)


def _meetings(quick: bool, label: str, spec: str, rung: str) -> Iterator[Meeting]:
    scale = QUICK if quick else FULL
    for block in range(1, scale.blocks + 1):
        yield Meeting("ladder", f"{label} {rung}", spec, spec_of(rung), scale.games, block)


def is_shipped() -> bool:
    """Whether a Q-network of shogi comes with the package."""
    return (resources.files("tempo.weights") / "shogi" / "dqn.safetensors").is_file()


def shipped_record() -> Row:
    """What is written beside it: how it was learnt, and what that cost."""
    about = resources.files("tempo.weights") / "shogi" / "dqn.json"
    record: Row = json.loads(about.read_text())
    record["ledger"].pop("machines", None)  # it names more of them than ledgers here do
    return {name: record[name] for name in ("command", "seed", "weights", "random", "ledger")}


def _file(out: Path, spec: str) -> Path:
    return out / "networks" / f"{spec.removeprefix(NETWORK)}.safetensors"


def _agent(out: Path, spec: str) -> Agent:
    if spec == spec_of(SHIPPED) or spec.startswith(NETWORK):
        one_core()
    if not spec.startswith(NETWORK):
        return agents.load(spec)
    return DqnAgent(DqnSettings(weights=str(_file(out, spec))))


def one_core() -> None:
    """JAX on one core, as searches are: what it costs is then counted alike. Before JAX begins."""
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
    recipes.use_device("cpu")


def live_meeting(label: str, rung: str, games: int, seed: int) -> Meeting:
    """A match of networks that are in memory: no spec would find them."""
    return Meeting("ladder", f"{label} {rung}", label, spec_of(rung), games, seed)
