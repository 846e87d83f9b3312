"""What a run has learnt: the approximator of its last checkpoint, for the game at hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from safetensors import SafetensorError
from safetensors.numpy import load_file

from tempo.errors import ParseError, missing_extra
from tempo.games.game import Game
from tempo.games.registry import load as load_game
from tempo.nets import adam
from tempo.nets.approximator import Approximator
from tempo.nets.incremental import Incremental, Sparse
from tempo.nets.lines import Lines
from tempo.nets.registry import Shape, make
from tempo.runs import Run

SUFFIX = ".safetensors"  # of files with a network
PREFIX = "net."  # the approximator among the arrays of a checkpoint


def is_general(config: Mapping[str, Any]) -> bool:
    """Whether a run is of a learner that any game meets: such runs name their net."""
    return "net" in config


def is_guided(config: Mapping[str, Any]) -> bool:
    """Whether a run was learnt by guided search, and plays by it."""
    return is_general(config) and "considered" in config  # which no other search asks for


def is_simulated(config: Mapping[str, Any]) -> bool:
    """Whether a run of any other learner was learnt by Monte-Carlo search, and plays by it."""
    return is_general(config) and not is_guided(config) and bool(config.get("simulations"))


def approximator_of(run: Run, game: Game) -> Approximator:
    """The approximator of a run, for a game of the same rules or at least of the same features."""
    config = run.config
    learnt = load_game(str(config.get("game")))
    seen = config["net"] not in ("table", "linear", "incremental", "lines")  # these fit any size
    if learnt.name != game.name or (seen and learnt.feature_shape != game.feature_shape):
        raise ParseError(f"{run.folder} has learnt {learnt.spec}, not {game.spec}")
    shape = Shape(tuple(config.get("hidden", (64,))), tuple(config.get("channels", (16, 16))))
    try:
        made = make(str(config["net"]), game, shape)
        made.restore(part(run.trained().arrays, PREFIX))
    except ImportError as error:
        raise missing_extra(error) or error from None
    except (KeyError, TypeError, ValueError) as error:
        raise ParseError(
            f"what {run.folder} has learnt of {learnt.spec} does not fit {game.spec}: {error}"
        ) from None
    return made


def begin_with(made: Approximator, source: str, net: str, shape: Shape, game: Game) -> None:
    """Gives an approximator the weights of a run, or of a file with a network in integers."""
    if source.endswith(SUFFIX):
        if not is_rounded({"net": net}):
            raise ParseError(f"{source} is for the nets incremental and lines, not {net}")
        cast(Any, made).begin_with(read_rounded(source))
        return
    run = Run.open(source)
    hidden = tuple(run.config.get("hidden", (64,)))
    if run.config.get("net") != net or hidden != tuple(shape.hidden):
        raise ParseError(
            f"{source} has a net {run.config.get('net')} with hidden {list(hidden)}, "
            f"not {net} with {list(shape.hidden)}"
        )
    learnt = approximator_of(run, game).arrays()
    made.restore({name: a for name, a in learnt.items() if not name.startswith(adam.PREFIX)})


def is_rounded(config: Mapping[str, Any]) -> bool:
    """Whether what a run has learnt plays as a network in integers."""
    return config.get("net") in ("incremental", "lines")


def read_rounded(path: str) -> Incremental | Lines:
    """A network in integers from a file, as `tempo export` writes it."""
    try:
        arrays = load_file(path)
    except (OSError, SafetensorError) as error:
        raise ParseError(f"{path} cannot be read: {error}") from None
    return Lines(arrays, path) if "policy" in arrays else Incremental(arrays, path)


def rounded_of(run: Run, game: Game) -> Incremental | Lines:
    """The network in integers of a run, without JAX."""
    kept = part(run.trained().arrays, PREFIX)
    try:
        if run.config["net"] == "lines" and hasattr(game.core, "line_board"):
            return Lines.rounded(kept, game.core.line_board)
        return Incremental.rounded(kept, Sparse.of(game.core))
    except (KeyError, ValueError) as error:
        raise ParseError(f"{run.folder} holds no network of {game.name}: {error}") from None


def weights_of(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """What playing needs of a checkpoint's arrays: the approximator without its optimizer."""
    state = PREFIX + adam.PREFIX
    return {
        name: array
        for name, array in arrays.items()
        if name.startswith(PREFIX) and not name.startswith(state)
    }


def part(arrays: dict[str, Any], prefix: str) -> dict[str, Any]:
    """Arrays whose names begin with a prefix, by the rest of their names."""
    begins = len(prefix)
    return {name[begins:]: array for name, array in arrays.items() if name.startswith(prefix)}
