"""What was learnt of chess endings, as an agent: a value network at the leaves of minimax.

Weights come with the package for some endings, or from a run folder (`runs/krk`), or from a file.
The network runs in NumPy: playing needs no JAX.

A choice looks at every position within `depth` moves once. What the network said of a position is
kept, so that a game pays for a position once however often it comes back.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from tempo import _core
from tempo._core.graph import Graph
from tempo.agents.base import Choice, Cost, played_by
from tempo.agents.chess.tablebase import misfit as no_ending
from tempo.agents.registry import Runs, declare
from tempo.agents.settings import AgentSettings, setting, text_of
from tempo.errors import ParseError, Stopped, TempoError
from tempo.games.chess import GAME
from tempo.games.registry import load as load_game
from tempo.nets import plain
from tempo.runs import Run, read_checkpoint

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.games.protocol import Position, View

Numbers = NDArray[np.int32]
SHIPPED = "tempo.weights"
_SCORES = np.array([0, 1, -1, 0], np.float32)  # by how it ended, for seat 0


@dataclass(frozen=True)
class EndgameSettings(AgentSettings):
    """Which weights, and how far to look ahead."""

    weights: str = setting(
        "", "run folder or file; empty: those that come with Tempo", opens="file"
    )
    depth: int = setting(0, "moves looked ahead; 0: as many as the recipe says", (0, 20))


@dataclass(frozen=True)
class Learnt:
    """A network with what it was made for."""

    ending: str
    recipe: dict[str, Any]
    network: plain.Plain
    source: str

    @property
    def depth(self) -> int:
        """How far the recipe looks ahead when it plays."""
        stages = self.recipe.get("stages") or [{}]
        return int(self.recipe.get("play_depth", stages[-1].get("depth", 1)))

    @property
    def discount(self) -> float:
        """What a value loses with every move."""
        return float(self.recipe.get("discount", 1.0))


@dataclass
class Player:
    """An ending as one network sees it: its family, and the values asked for so far."""

    learnt: Learnt
    depth: int
    lock: RLock = field(default_factory=RLock)

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise ParseError(f"endgame:depth cannot be {self.depth}; it takes 1 or more")
        try:
            planes, numbers = self.family.features_of(np.zeros(1, np.int32))
            self.learnt.network.check(planes.shape[1], numbers.shape[1])
        except ParseError as error:
            raise ParseError(
                f"{self.learnt.source} does not fit {self.learnt.ending}: {error}"
            ) from None

    @cached_property
    def family(self) -> _core.endings.Family:
        """All positions of the ending and of what it can become."""
        return _core.endings.Family(self.learnt.ending)

    @cached_property
    def _values(self) -> NDArray[np.float32]:
        return np.full(len(self.family), np.nan, np.float32)

    def search(self, root: int) -> tuple[int, float, Cost]:
        """The successor to go to, the value for seat 0, and what it took."""
        try:
            return self._search(root, self.depth)
        except Stopped:
            return self._search(root, 1)  # too quick to be stopped

    def _search(self, root: int, depth: int) -> tuple[int, float, Cost]:
        with self.lock:
            numbers, offsets, successors, ends = self._around(root, depth)
            values, fresh = self._valued(numbers, ends)
        graph = Graph(offsets, successors, self._turns(numbers, ends), ends)
        best, value = best_successors(graph, values, ends, depth, self.learnt.discount)
        place = int(np.searchsorted(numbers, root))
        cost = Cost(len(successors), fresh, fresh * self.learnt.network.multiply_adds)
        return int(numbers[best[place]]), float(value[place]), cost

    def value(self, number: int) -> float:
        """The value of a position that is not over, for seat 0."""
        with self.lock:
            values, _ = self._valued(np.array([number], np.int32), np.zeros(1, np.int8))
        return float(values[0])

    def choices(self) -> NDArray[np.int32]:
        """[n] where the agent goes from every position of the family."""
        ends = self.family.ends()
        everywhere = np.arange(len(self.family), dtype=np.int32)
        with self.lock:
            values, _ = self._valued(everywhere, ends)
        graph = Graph(*self.family.graph(), self.family.turns(), ends)
        return best_successors(graph, values, ends, self.depth, self.learnt.discount)[0]

    def _around(
        self, root: int, depth: int
    ) -> tuple[Numbers, NDArray[np.int64], Numbers, NDArray[np.int8]]:
        """Every position within `depth` moves as a graph of its own, numbers in order.

        The outermost lead to themselves: no search of this depth asks what comes after them.
        """
        layer = np.array([root], np.int32)
        known = layer
        parts: list[tuple[Any, ...]] = []
        for _ in range(depth):
            offsets, successors, ends = self.family.successors_of(layer)
            parts.append((layer, np.diff(offsets), successors, ends))
            layer = np.setdiff1d(successors, known)
            known = np.union1d(known, layer)
        _, successors, ends = self.family.successors_of(layer)
        parts.append((layer, (ends == 0).astype(np.int64), layer[ends == 0], ends))
        return _joined(parts)

    def _valued(self, numbers: Numbers, ends: NDArray[np.int8]) -> tuple[NDArray[np.float32], int]:
        """Values of positions, exact where the game is over; how many were evaluated for it."""
        values = np.where(ends == 0, self._values[numbers], _SCORES[ends])
        unknown = numbers[np.isnan(values)]
        for at in range(0, len(unknown), 1 << 16):
            part = unknown[at : at + (1 << 16)]
            self._values[part] = self.learnt.network(*self.family.features_of(part))
        values = np.where(ends == 0, self._values[numbers], _SCORES[ends])
        return values.astype(np.float32), len(unknown)

    def _turns(self, numbers: Numbers, ends: NDArray[np.int8]) -> NDArray[np.uint8]:
        # The first global number is 1 for White's turn and -1 for Black's.
        return (self.family.features_of(numbers)[1][:, 0] < 0).astype(np.uint8)


def best_successors(
    graph: Graph,
    values: NDArray[np.float32],
    ends: NDArray[np.int8],
    depth: int,
    discount: float,
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """[n] the best successors and the values by minimax of `depth`, everywhere in a graph."""
    best, found = _sweeps(graph, values, depth, discount)
    if discount == 1:
        # Then all mates in sight are worth the same: the soonest is played, not put off for ever.
        mates, seen = _sweeps(graph, _SCORES[ends], depth, 0.999)
        best = np.where((seen != 0) & (np.sign(seen) == np.sign(found)), mates, best)
    return best.astype(np.int32), found


def _sweeps(
    graph: Graph, values: NDArray[np.float32], depth: int, discount: float
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    leaves = np.arange(len(values), dtype=np.int32)
    best = leaves
    for _ in range(depth):
        values, leaves, best = graph.sweep(values, leaves, discount)
    return best, values


def _joined(
    parts: list[tuple[Any, ...]],
) -> tuple[Numbers, NDArray[np.int64], Numbers, NDArray[np.int8]]:
    """Layers of positions as one graph, ordered by number; successors become places in it."""
    numbers, counts, successors, ends = (
        np.concatenate(column) for column in zip(*parts, strict=True)
    )
    order = np.argsort(numbers)
    begins = np.concatenate([[0], np.cumsum(counts)])[:-1]
    offsets = np.concatenate([[0], np.cumsum(counts[order])]).astype(np.int64)
    # The successors of the k-th position in order, which stood together before and do so now.
    shift = np.repeat(begins[order] - offsets[:-1], counts[order])
    moved = successors[np.arange(len(successors)) + shift]
    places = np.searchsorted(numbers[order], moved).astype(np.int32)
    return numbers[order], offsets, places, ends[order]


def misfit(position: Position, agent: str, config: Mapping[str, Any]) -> str:
    """Why what was learnt cannot play on from a position; empty when it can.

    `config` is that of a run, or empty for the weights that come with the package.
    """
    if why := no_ending(position, agent, config):
        return why
    material, _ = _core.endings.Tables.material(cast("_core.chess.Position", position))
    if not config and material not in shipped():
        return f"{agent} has learnt {', '.join(shipped())}, not {material}"
    if "ending" in config and not _becomes(str(config["ending"]), material):
        return f"{agent} has learnt {config['ending']}, not {material}"
    return ""


def _becomes(ending: str, material: str) -> bool:
    """Whether captures and promotions can lead from one ending to another."""

    def covers(more: str, less: str) -> bool:
        extra = Counter(less) - Counter(more)
        return extra.total() <= (Counter(more) - Counter(less))["P"]

    strong, weak = ending[1:].split("K")
    one, two = material[1:].split("K")
    return any(covers(strong, a) and covers(weak, b) for a, b in ((one, two), (two, one)))


def ending_evaluator(run: Run, game: Game) -> _core.chess.Evaluator:
    """What was learnt of an ending at the leaves of a search; other positions are even."""
    player = Player(read(run.folder), 1)

    def values(planes: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.array([_value(player, _position(seen, game)) for seen in planes], np.float32)

    return _core.chess.Evaluator.callback(values)


def _value(player: Player, position: _core.chess.Position) -> float:
    """For White, who is to move; 0 where the ending cannot lead."""
    try:
        swapped, number = _numbered(player.family, position)
    except ParseError:
        return 0.0
    value = player.value(number)
    return -value if swapped else value


def _position(planes: NDArray[np.float32], game: Game) -> _core.chess.Position:
    """What planes show (`docs/games/chess.md`), with the side to move as White."""
    letters = np.full((8, 8), "1")
    for kind, letter in enumerate("PNBRQKpnbrqk"):
        letters[planes[kind] > 0] = letter
    board = "/".join("".join(row) for row in letters[::-1])
    target = np.argwhere(planes[16] > 0)
    passed = "".join(f"{'abcdefgh'[x]}{y + 1}" for y, x in target) or "-"
    made = game.parse(f"{re.sub('1+', lambda ones: str(len(ones[0])), board)} w - {passed} 0 1")
    assert isinstance(made, _core.chess.Position)
    return made


@declare(
    "endgame",
    EndgameSettings,
    "what was learnt of chess endings, at the leaves of minimax",
    games=("chess",),
    weights=tuple(ending.lower() for ending in GAME.endings),
    runs=Runs(
        {"search_td": "chess"}, lambda folder, _: EndgameSettings(weights=folder), ending_evaluator
    ),
    misfit=misfit,
)
class EndgameAgent:
    """Plays chess endings by what was learnt; choices depend on the position alone."""

    def __init__(self, settings: EndgameSettings | None = None, name: str | None = None) -> None:
        self.settings = settings or EndgameSettings()
        self.name = name or text_of("endgame", self.settings)
        self._players: dict[str, Player] = {}
        if self.settings.weights:
            self._add(read(self.settings.weights))

    def reset(self, seed: int) -> None:
        """Nothing to forget: no randomness, and values of positions stay true."""

    def clone(self) -> EndgameAgent:
        """A copy for another thread or seat; what was evaluated is shared."""
        twin = EndgameAgent.__new__(EndgameAgent)
        twin.settings, twin.name, twin._players = self.settings, self.name, self._players
        return twin

    def choose(self, view: View) -> Choice:
        """The best move found. Raises ParseError where the weights do not know the position."""
        position = played_by("endgame", view, _core.chess.Position)
        player = self._player_of(position)
        swapped, root = _numbered(player.family, position)
        successor, value, cost = player.search(root)
        for move in position.legal_moves:
            child = position.play(move)
            if player.family.number(_swapped(child) if swapped else child) == successor:
                own = -value if swapped else value
                return Choice(move, (own, -own), line=(move,), cost=cost)
        raise ParseError(f"the game is over: {position.text}")

    def choices(self, family: _core.endings.Family) -> NDArray[np.int32]:
        """[n] where the agent goes from every position of an ending, for judging it whole.

        By the weights of this ending alone, also where a smaller one has weights of its own.
        """
        return self._player(family.name).choices()

    def _player_of(self, view: _core.chess.Position) -> Player:
        """Its own ending's weights first; else those of an ending that can become it."""
        try:
            ending, dead = _core.endings.Tables.material(view)
        except ParseError as error:
            raise ParseError(f"endgame plays endings of at most four pieces: {error}") from None
        if ending in self._players:
            return self._players[ending]
        if not self.settings.weights and not dead and ending in shipped():
            return self._player(ending)
        for player in self._players.values():
            if _knows(player.family, view):
                return player
        known = ", ".join(self._players if self.settings.weights else shipped()) or "nothing"
        raise ParseError(f"endgame has weights for {known}, not for {view.text}")

    def _player(self, ending: str) -> Player:
        if ending not in self._players:
            if self.settings.weights:
                known = ", ".join(self._players)
                raise ParseError(f"{self.name} has learnt {known}, not {ending}")
            self._add(read_shipped(ending))
        return self._players[ending]

    def _add(self, learnt: Learnt) -> None:
        self._players[learnt.ending] = Player(learnt, self.settings.depth or learnt.depth)


def _knows(family: _core.endings.Family, view: _core.chess.Position) -> bool:
    try:
        _numbered(family, view)
    except ParseError:
        return False
    return True


def _numbered(family: _core.endings.Family, view: _core.chess.Position) -> tuple[bool, int]:
    """The number of a position, and whether colours had to be exchanged to find it."""
    try:
        number, swapped = family.number(view), False
    except ParseError:
        number, swapped = family.number(_swapped(view)), True
    if number == family.dead:
        raise ParseError(f"nobody can mate: {view.text}")
    return swapped, number


def _swapped(position: _core.chess.Position) -> _core.chess.Position:
    """The same position with colours exchanged and the board turned top to bottom."""
    board, turn, _, target, *counts = position.text.split()
    board = "/".join(reversed(board.swapcase().split("/")))
    if target != "-":
        target = target[0] + {"3": "6", "6": "3"}[target[1]]
    turn = {"w": "b", "b": "w"}[turn]
    made = load_game("chess").parse(" ".join([board, turn, "-", target, *counts]))
    assert isinstance(made, _core.chess.Position)
    return made


# Weights


def shipped() -> list[str]:
    """The endings for which weights come with the package."""
    files = resources.files(SHIPPED).iterdir()
    return sorted(f.name.removesuffix(".json").upper() for f in files if f.name.endswith(".json"))


def read_shipped(ending: str) -> Learnt:
    """The weights of an ending that come with the package."""
    if ending not in shipped():
        known = ", ".join(shipped()) or "none"
        raise ParseError(
            f"no weights for {ending} come with Tempo (there are {known}); "
            f"`tempo train {ending.lower()}` makes some"
        )
    with resources.as_file(resources.files(SHIPPED)) as folder:
        return read(folder / f"{ending.lower()}.safetensors")


def description(ending: str) -> dict[str, Any]:
    """Where the shipped weights of an ending come from: recipe, command, seed, ledger, figures."""
    with resources.as_file(resources.files(SHIPPED)) as folder:
        return _described(folder / f"{ending.lower()}.json")


def read(path: str | Path) -> Learnt:
    """Weights from a run folder, or from a file with its description (.json) beside it."""
    path = Path(path)
    if path.is_dir():
        run = Run.open(path)
        checkpoint = run.trained()
        about: dict[str, Any] = {"ending": run.config.get("ending"), "recipe": run.config}
    else:
        checkpoint = read_checkpoint(path)
        about = _described(path.with_suffix(".json"))
    if not isinstance(about.get("ending"), str):
        raise TempoError(f"{path} does not say which ending it is for")
    try:
        network = plain.read(checkpoint.arrays)
    except ParseError as error:
        raise TempoError(f"{path} is damaged or holds no value network: {error}") from None
    return Learnt(about["ending"], about.get("recipe", {}), network, str(path))


def _described(path: Path) -> dict[str, Any]:
    try:
        about = json.loads(path.read_text())
    except FileNotFoundError:
        raise TempoError(f"there is no {path}, which would say what the weights are for") from None
    except (ValueError, RecursionError) as error:
        raise TempoError(f"{path} is damaged: {error}") from None
    if not isinstance(about, dict):
        raise TempoError(f"{path} is damaged: it holds no object")
    return about
