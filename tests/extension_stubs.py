"""Every function of the compiled extension, read from its stubs, and how to call it validly."""

from __future__ import annotations

import ast
import importlib
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from race import HiddenRace, Race, RaceForFour, RaceForThree

import tempo
from tempo import _core, games
from tempo.games import python

STUBS = Path(tempo.__file__).parent / "_core"
# The games whose rules are written in Python, by the kind of their positions.
FOREIGN: dict[str, type[Race]] = {
    "foreign": Race, "foreign3": RaceForThree, "foreign4": RaceForFour,
    "foreign_hidden": HiddenRace,
}  # fmt: skip
GAMES = tuple(sorted((*games.names(), *FOREIGN)))
OPTIONS: dict[str, dict[str, str | int]] = {"gomoku": {"size": 9}, "jiu": {"size": 6}}

# What needs no arguments of ours: Python calls these itself, with whatever it likes.
IMPLICIT = {"__eq__", "__hash__", "__repr__", "__str__", "__len__", "__iter__"}


@dataclass(frozen=True)
class Parameter:
    """A parameter of a function, with its type and its default as the stub writes them."""

    name: str
    type: str
    default: str | None
    by_name: bool


@dataclass(frozen=True)
class Function:
    """Something that can be called: a function, method, constructor, property or its setter."""

    module: str
    owner: str
    name: str
    kind: str  # function, static, method, init, property, setter
    parameters: tuple[Parameter, ...]

    @property
    def path(self) -> str:
        """Where it is, as `gomoku.Batch.play`."""
        return ".".join(part for part in (self.module, self.owner, self.name) if part)


def modules() -> list[str]:
    """The submodules of the extension; '' is the extension itself."""
    names = sorted(path.stem for path in STUBS.glob("*.pyi"))
    return ["" if name == "__init__" else name for name in names]


def functions(module: str) -> list[Function]:
    """Everything in a module's stub that can be called, in its order."""
    tree = ast.parse((STUBS / f"{module or '__init__'}.pyi").read_text(encoding="utf-8"))
    found = [_function(module, "", node) for node in tree.body if isinstance(node, ast.FunctionDef)]
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            found += [
                _function(module, node.name, item)
                for item in node.body
                if isinstance(item, ast.FunctionDef)
            ]
    return found


def _function(module: str, owner: str, node: ast.FunctionDef) -> Function:
    marks = {ast.unparse(mark) for mark in node.decorator_list}
    if "property" in marks:
        kind = "property"
    elif any(mark.endswith(".setter") for mark in marks):
        kind = "setter"
    elif "staticmethod" in marks:
        kind = "static"
    else:
        kind = "init" if node.name == "__init__" else "method" if owner else "function"
    arguments = node.args
    plain = [*arguments.posonlyargs, *arguments.args]
    missing = len(plain) - len(arguments.defaults)
    rows = [
        (item, arguments.defaults[i - missing] if i >= missing else None, False)
        for i, item in enumerate(plain)
    ]
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    rows += [(item, default, True) for item, default in named]
    if kind not in ("function", "static"):
        rows = rows[1:]  # self
    return Function(module, owner, node.name, kind, tuple(_parameter(*row) for row in rows))


def _parameter(item: ast.arg, default: ast.expr | None, by_name: bool) -> Parameter:
    kind = ast.unparse(item.annotation) if item.annotation else "object"
    return Parameter(item.arg, kind, ast.unparse(default) if default else None, by_name)


def home(module: str) -> Any:
    """The module itself."""
    return importlib.import_module("tempo._core" + (f".{module}" if module else ""))


def game_of(module: str) -> str:
    """The game that a module is about."""
    names = [game for game in GAMES if module.startswith(game)]
    return max(names, key=len) if names else "chess"


# Valid objects, by class


@cache
def options(game: str) -> Any:
    """Rules of a game, on a small board where there is one."""
    if game in FOREIGN:
        return python.core_of(FOREIGN[game]).Options({})
    return home(game).Options(OPTIONS.get(game, {}))


@cache
def position(game: str) -> Any:
    """A position near the start of a game."""
    core = home(game)
    at = core.deal(options(game), 1) if hasattr(core, "deal") else core.start(options(game))
    for _ in range(4):
        at = at.play(at.legal_moves[len(at.legal_moves) // 2])
    return at


@cache
def finished(game: str) -> Any:
    """A position of a game that is over."""
    core = home(game)
    batch = core.Batch(position(game), 1, 7)
    batch.playout()
    return batch[0]


@cache
def ending() -> Any:
    """A small ending of chess with its table: (family, tables, verdicts, choice)."""
    family = _core.endings.Family("KQK")
    tables = _core.endings.Tables()
    tables.add("KQK", tables.solve("KQK"))
    offsets, successors = family.graph()
    last = np.zeros(1, np.int32)
    choice = np.concatenate([successors, last])[np.minimum(offsets[:-1], len(successors))]
    return family, tables, tables.verdicts(family), choice.astype(np.int32)


def _alpha_beta() -> Any:
    return _core.AlphaBetaSettings(depth=1, positions=64, table_bytes=1 << 12, record=16)


def _monte_carlo(games: int = 1) -> Any:
    return _core.MonteCarloSettings(simulations=8, rollout_moves=4, memory=games << 20)


def _evaluator(module: str) -> Any:
    kind = home(module).Evaluator
    if hasattr(kind, "linear"):  # as games to learn from ask for
        return kind.linear(home(module).hand_tuned_weights())
    return kind.static()


def _search(module: str, name: str) -> Any:
    kind = getattr(home(module), name)
    if name == "ManySearch":
        settings = _core.MonteCarloSettings(
            simulations=8, selection="gumbel", rollout_moves=0, memory=2 << 20
        )
        return kind(settings, 2)
    search = kind(_evaluator(module), _alpha_beta() if name == "AlphaBeta" else _monte_carlo())
    search.search(position(game_of(module)))
    return search


def _no_tells() -> Any:
    return np.zeros(_core.siguo_strong.tell_terms, np.float32)


def _siguo_player() -> Any:
    ones = np.ones
    first = np.full((130, 2), 0.01, np.float32)
    return _core.siguo_learning.Player(first, ones(2, np.float32), ones(2, np.float32), 0.0)


def _graph() -> Any:
    return _core.graph.Graph(*(ARRAYS[f"graph.Graph.__init__:{name}"]() for name in GRAPH))


def _integers(inputs: int, rows: int, width: int = 32) -> dict[str, Any]:
    """The parts of a network in integers that has learnt nothing."""
    return {
        "rows": np.zeros((rows, width), np.int8),
        "bias": np.zeros(width, np.int16),
        "layers": [
            (np.zeros((outputs, inputs), np.int8), np.zeros(outputs, np.int32))
            for inputs, outputs in pairwise((inputs, 16, 8, 1))
        ],
    }


def _incremental(module: str) -> dict[str, Any]:
    """What an incremental network of a game is made of; of shogi if the module is no game's."""
    core = home(game_of(module))
    version, rows = (core if hasattr(core, "sparse_features") else _core.shogi).sparse_features()[
        :2
    ]
    return {"features": version, **_integers(2 * 32, rows)}


def _lines() -> dict[str, Any]:
    """The same of a network of lines."""
    patterns = int(_core.networks.line_patterns().max())
    policy = np.zeros(32, np.int8)
    return {"version": _core.gomoku.line_board, **_integers(32, patterns), "policy": policy}


GRAPH = ("offsets", "next", "turn", "end")

# By the class's own path, or by its name alone.
OBJECTS: dict[str, Callable[[str], Any]] = {
    "Outcome": lambda _: finished("chess").outcome,
    "Stop": lambda _: _core.Stop(3600.0),
    "AlphaBetaSettings": lambda _: _alpha_beta(),
    "MonteCarloSettings": lambda _: _monte_carlo(),
    "SearchResult": lambda _: _search("chess", "AlphaBeta").search(position("chess")),
    "RootMove": lambda _: _search("chess", "AlphaBeta").search(position("chess")).root[0],
    "Searched": lambda _: OBJECTS["Batch"]("chess").search(_evaluator("chess"), _alpha_beta()),
    "Options": lambda module: options(game_of(module)),
    "Position": lambda module: position(game_of(module)),
    "Moves": lambda module: position(game_of(module)).legal_moves,
    "View": lambda module: position("siguo").view(position("siguo").turn),
    "Batch": lambda module: home(module).Batch(position(module), 2, 1),
    "Evaluator": _evaluator,
    "AlphaBeta": lambda module: _search(module, "AlphaBeta"),
    "MonteCarlo": lambda module: _search(module, "MonteCarlo"),
    "ManySearch": lambda module: _search(module, "ManySearch"),
    "Belief": lambda _: _core.siguo.Belief(OBJECTS["View"]("siguo"), 1, 10, 100),
    "Family": lambda _: ending()[0],
    "Tables": lambda _: ending()[1],
    "Critic": lambda _: _core.gomoku_critic.Critic(options("gomoku"), hidden=2),
    "LearningRule": lambda _: _core.gomoku_critic.LearningRule(repeats=1),
    "PlayRule": lambda _: _core.gomoku_critic.PlayRule(),
    "Graph": lambda _: _graph(),
    "Preparation": lambda _: _core.jiu_preparation.Preparation(2),
    "ValueTable": lambda _: _core.tables.ValueTable(),
    "Mate": lambda _: _core.shogi_mate.search(position("shogi"), 10),
    "LeafGradient": lambda _: _core.shogi_strong.leaf_games(
        _evaluator("shogi_strong"), position("shogi"), _alpha_beta(), 0.5, 0.9, 200, 1, 0, 1
    ),
    "Player": lambda _: _siguo_player(),
    "Tells": lambda _: _core.siguo_strong.Tells.linear(_no_tells()),
    "Incremental": lambda module: _core.networks.Incremental(**_incremental(module)),
    "Lines": lambda _: _core.networks.Lines(**_lines()),
}


def _full_board() -> Any:
    return np.tile(np.array([1, 2], np.uint8), 18).reshape(1, 36)


def _legal(module: str) -> Any:
    batch = OBJECTS["Batch"](module)
    return np.array([batch[i].legal_moves[0] for i in range(len(batch))], np.int32)


def _layers(module: str) -> list[tuple[Any, Any, str]]:
    inputs = (
        home(module).network_inputs
        if hasattr(home(module), "network_inputs")
        else position(module).features().size
    )
    outputs = 1 if hasattr(home(module), "network_inputs") else len(home(module).seat_names)
    return [(np.zeros((outputs, inputs), np.float32), np.zeros(outputs, np.float32), "tanh")]


def _battle() -> Any:
    return _core.jiu_players.battles(options("jiu"), _full_board())


# Arrays and other arguments that only one function knows, by "path:parameter". `*` is any game.
ARRAYS: dict[str, Callable[..., Any]] = {
    **{
        f"networks.Incremental.__init__:{name}": lambda name=name: _incremental("shogi")[name]
        for name in ("features", "rows", "bias", "layers")
    },
    **{
        f"networks.Lines.__init__:{name}": lambda name=name: _lines()[name]
        for name in ("version", "rows", "bias", "layers", "policy")
    },
    **{
        f"{module}.Evaluator.quantized:network": lambda module=module: OBJECTS["Incremental"](
            module
        )
        for module in ("shogi", "minishogi", "othello", "shogi_strong")
    },
    "graph.Graph.__init__:offsets": lambda: np.array([0, 2, 3, 3], np.int64),
    "graph.Graph.__init__:next": lambda: np.array([1, 2, 2], np.int32),
    "graph.Graph.__init__:turn": lambda: np.array([0, 1, 0], np.uint8),
    "graph.Graph.__init__:end": lambda: np.array([0, 0, 1], np.int8),
    **{
        f"*.ManySearch.{name}:{given}": lambda _, given=given: (
            np.array([2, 0], np.int32) if given == "simulations" else np.arange(2, dtype=np.uint64)
        )
        for name in ("begin", "search")
        for given in ("simulations", "seeds")
    },
    "*.ManySearch.apply:values": lambda _: np.zeros(0, np.float32),
    "*.ManySearch.apply:priors": lambda _: np.zeros(0, np.float32),
    "graph.Graph.sweep:values": lambda: np.zeros(3, np.float32),
    "graph.Graph.sweep:leaves": lambda: np.arange(3, dtype=np.int32),
    "graph.Graph.play:best": lambda: np.array([1, 2, -1], np.int32),
    "graph.Graph.play:starts": lambda: np.array([0, 1], np.int32),
    "tables.ValueTable.read:keys": lambda: np.arange(4, dtype=np.uint64),
    "tables.ValueTable.add:keys": lambda: np.arange(4, dtype=np.uint64),
    "tables.ValueTable.add:deltas": lambda: np.ones(4),
    "tables.ValueTable.approach:keys": lambda: np.arange(4, dtype=np.uint64),
    "tables.ValueTable.approach:targets": lambda: np.ones(4),
    "tables.ValueTable.load:keys": lambda: np.arange(4, dtype=np.uint64),
    "tables.ValueTable.load:values": lambda: np.ones(4, np.float32),
    "tables.ValueTable.load:visits": lambda: np.ones(4, np.uint32),
    "jiu_preparation.Preparation.play:moves": lambda: np.full(2, 14, np.int32),
    "jiu_players.pick:scores": lambda: np.zeros((2, 36)),
    "jiu_players.pick:seeds": lambda: np.zeros(2, np.uint64),
    "jiu_players.expert_scores:boards": lambda: np.zeros((2, 36), np.uint8),
    "jiu_players.expert_scores:allowed": lambda: np.ones((2, 36), np.uint8),
    "jiu_players.expert_fill:boards": lambda: np.zeros((2, 36), np.uint8),
    "jiu_players.expert_weights:name": lambda: "priority",
    "jiu_players.expert_fill:seeds": lambda: np.zeros(2, np.uint64),
    "jiu_players.block_scores:boards": lambda: np.zeros((2, 36), np.uint8),
    "jiu_players.block_scores:allowed": lambda: np.ones((2, 36), np.uint8),
    "jiu_players.block_scores:last": lambda: np.full(2, -1, np.int32),
    "jiu_players.block_scores:log_odds": lambda: np.zeros((21, 8, 4, 2, 21)),
    "jiu_players.count_blocks:placements": lambda: np.arange(6, dtype=np.int32).reshape(2, 3),
    "jiu_players.count_blocks:counted": lambda: np.ones((2, 2), np.uint8),
    "jiu_players.battles:boards": _full_board,
    "jiu_players.boards_of:positions": _battle,
    "jiu_players.play_battles:positions": _battle,
    "jiu_players.play_battles:seeds": lambda: np.zeros(1, np.uint64),
    "jiu_players.play_battles:engines": lambda: ("random", "paper"),
    "jiu_players.choose_turn:position": lambda: _battle()[0],
    "jiu_players.choose_turn:engine": lambda: "search:50",
    "jiu_players.paper_turns:position": lambda: _battle()[0],
    "endings.Family.numbers:texts": lambda: [ending()[0].texts(np.zeros(1, np.int32))[0]],
    "endings.Family.number:position": lambda: ending()[0].position(0),
    "endings.Tables.probe:position": lambda: ending()[0].position(0),
    "endings.Tables.moves:position": lambda: ending()[0].position(0),
    "endings.Tables.material:position": lambda: ending()[0].position(0),
    "endings.Tables.add:verdicts": lambda: ending()[1].solve("KQK"),
    "endings.play_attack:starts": lambda: _numbers_where(lambda v: (v > 1) & (v % 2 == 0)),
    "endings.play_defence:starts": lambda: _numbers_where(lambda v: (v > 1) & (v % 2 == 1)),
    "gomoku_critic.Critic.load:first": lambda: OBJECTS["Critic"]("").weights()[0],
    "gomoku_critic.Critic.load:second": lambda: OBJECTS["Critic"]("").weights()[1],
    "gomoku_critic.Critic.learn:x": lambda: np.zeros(OBJECTS["Critic"]("").input_count, np.float32),
    "gomoku_critic.Critic.teach_itself:firsts": lambda: np.zeros(1, np.uint8),
    "gomoku_critic.Critic.play:firsts": lambda: np.zeros(1, np.uint8),
    "gomoku_critic.Critic.watch:firsts": lambda: np.zeros(2, np.uint8),
    "gomoku_critic.Critic.watch:is_random": lambda: np.zeros(5, np.bool_),
    "siguo_learning.Player.__init__:first": lambda: np.ones((130, 2), np.float32),
    "siguo_learning.Player.__init__:bias": lambda: np.ones(2, np.float32),
    "siguo_learning.Player.__init__:second": lambda: np.ones(2, np.float32),
    "siguo_learning.Player.learn:trace": lambda: (0.9, 0.5, 10.0),
    "siguo_learning.check_opponent:name": lambda: "heuristic",
    "siguo_strong.Tells.linear:weights": _no_tells,
    "siguo_strong.search:policy": _core.siguo_strong.policy,
    "siguo_strong.match:first": _core.siguo_strong.policy,
    "siguo_strong.match:second": _core.siguo_strong.policy,
    "siguo.draw_setup:below": lambda: random.Random(1).randrange,
    "siguo.of_setups:setups": lambda: _core.siguo.sound_setups()[:1] * 4,
    "gomoku_threats.self_play_samples:start": lambda: _core.gomoku.start(options("gomoku")),
    "gomoku_playouts.by_playouts:moves": lambda: [position("gomoku").legal_moves[0]],
    "gomoku_playouts.by_trees:moves": lambda: [position("gomoku").legal_moves[0]],
    "foreign.rules:seat_names": lambda: Race.seat_names,
    "foreign3.rules:seat_names": lambda: RaceForThree.seat_names,
    "foreign4.rules:seat_names": lambda: RaceForFour.seat_names,
    "foreign_hidden.rules:seat_names": lambda: HiddenRace.seat_names,
    "foreign_hidden.rules:start": lambda: HiddenRace.start,
    "foreign_hidden.rules:parse": lambda: HiddenRace.parse,
    "*.rules:start": lambda _: Race.start,
    "*.rules:parse": lambda _: Race.parse,
    "*.rules:move_numbers": lambda _: 3,
    "*.rules:shape": lambda _: None,
    "*.rules:deal": lambda _: None,
    "*.gains:moves": _legal,
    "*.gains:taken": lambda _: np.zeros(14, np.float32),
    "*.gains:grown": lambda _: np.zeros(14, np.float32),
    "*.Batch.restart:which": lambda _: np.ones(2, np.bool_),
    "*.Batch.play:moves": _legal,
    "*.Batch.random_states:states": lambda _: np.ones((2, 4), np.uint64),
    "*.parse:text": lambda module: position(game_of(module)).text,
    "*.Moves.__contains__:arg": lambda _: "a1",
    "*.Position.parse_move:text": lambda module: position(module).move_text(NAMED["move"](module)),
    "*.View.parse_move:text": lambda _: position("siguo").move_text(
        position("siguo").legal_moves[0]
    ),
    "siguo_strong.search:determinizations": lambda: 1,
    "siguo_strong.search_first:determinizations": lambda: 1,
    "jiu_players.count_blocks:size": lambda: 6,
    "*.parse_problem:text": lambda module: position(game_of(module)).text,
    "*.AlphaBeta.limit:depth": lambda _: 1,
}


def _numbers_where(test: Callable[[Any], Any]) -> Any:
    return np.flatnonzero(test(ending()[2]))[:3].astype(np.int32)


# By the parameter's name, whatever the function.
NAMED: dict[str, Callable[[str], Any]] = {
    "move": lambda module: position(game_of(module)).legal_moves[0],
    "text": lambda _: "S11",
    "name": lambda _: "KQK",
    "station": lambda _: 3,
    "home": lambda _: "S11",
    "setup": lambda _: _core.siguo.sound_setups()[0],
    "given": lambda module: OPTIONS.get(game_of(module), {}),
    "layers": _layers,
    "function": lambda _: lambda features: np.zeros(len(features), np.float32),
    "weights": lambda module: home(module).hand_tuned_weights(),
    "verdicts": lambda _: ending()[2],
    "choice": lambda _: ending()[3],
    "numbers": lambda _: np.arange(3, dtype=np.int32),
    "moves": lambda _: np.arange(5, dtype=np.int32),
    "lengths": lambda _: np.array([3, 2], np.int32),
    "start": lambda module: position(game_of(module)),
    "positions": lambda module: [position(game_of(module))] * 2,
    "views": lambda _: [OBJECTS["View"]("siguo")] * 2,
    "plies": lambda _: 1,
    "depth": lambda _: 1,
}


def argument(function: Function, parameter: Parameter) -> Any:
    """A valid value of a parameter."""
    own = f"{function.path}:{parameter.name}"
    if own in ARRAYS:
        return ARRAYS[own]()
    if any_game := ARRAYS.get(f"*.{own.partition('.')[2]}"):
        return any_game(function.module)
    if parameter.default is not None:
        return ast.literal_eval(parameter.default)
    return _by_type(function.module, parameter.name, parameter.type.removesuffix(" | None"))


def _by_type(module: str, name: str, kind: str) -> Any:
    if (name, kind) in (("positions", "int"), ("moves", "int")):
        return 10
    if name in NAMED and (name, kind) != ("station", "str"):
        return NAMED[name](module)
    *path, last = kind.split(".")
    if last in OBJECTS:
        return OBJECTS[last](path[-1] if path and path[-1] != "_core" else module)
    simple = {"int": 1, "float": 0.5, "bool": True, "int | str": 0, "str": "S11"}
    return simple.get(kind)


def receiver(function: Function) -> Any:
    """What a function is looked up on: its module, its class or an object of it."""
    module = home(function.module)
    if not function.owner:
        return module
    if function.kind in ("static", "init"):
        return getattr(module, function.owner)
    if function.path == "endings.Tables.add":
        return _core.endings.Tables()
    if function.path == "gomoku_threats.Evaluator.promises":
        return module.Evaluator.quantized(OBJECTS["Lines"](function.module))
    return OBJECTS[function.owner](function.module)
