"""What an environment of a game takes, gives and shows, the same in both libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tempo.errors import ParseError, missing_extra, quoted
from tempo.games import drawing

try:
    from gymnasium import spaces
except ImportError as error:
    raise missing_extra(error) or error from None

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tempo.games import Game
    from tempo.games.protocol import Position

Observation = dict[str, Any]  # "observation" and "action_mask", both arrays

RENDER_MODES = ("ansi", "human", "svg")
METADATA: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 4}


def checked_mode(render_mode: str | None) -> str | None:
    """A way of rendering that there is."""
    if render_mode not in (None, *RENDER_MODES):
        known = ", ".join(RENDER_MODES)
        raise ParseError(f"there is no render mode {quoted(render_mode)}; there are {known}")
    return render_mode


def observation_space(game: Game) -> spaces.Dict:
    """Planes of the game's features, and which actions are legal."""
    if not hasattr(game.core.Batch, "features"):
        raise ParseError(f"{game.name} has no features, which an environment shows")
    start: Any = game.start(0) if game.is_dealt else game.start()
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, start.features().shape, np.float32),
            "action_mask": spaces.Box(0, 1, (game.move_numbers,), np.int8),
        }
    )


def action_space(game: Game) -> spaces.Discrete[Any]:
    """Every move number."""
    return spaces.Discrete(game.move_numbers)


def observe(game: Game, position: Any, seat: int) -> Observation:
    """What a seat may know of a position, and its legal moves while it is on the move."""
    mask: NDArray[np.int8] = np.zeros(game.move_numbers, np.int8)
    if position.turn == seat:
        mask[list(position.view(seat).legal_moves)] = 1
    return {"observation": position.features(seat), "action_mask": mask}


def render(position: Position, seat: int, mode: str | None) -> str | None:
    """A position as a seat may see it: as text, printed, or as an SVG picture."""
    if mode == "svg":
        return drawing.svg(position, seat)
    board = str(position.view(seat).board)
    if mode == "human":
        print(board, flush=True)
    return board if mode == "ansi" else None
