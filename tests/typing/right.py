"""What the type checker knows of the package: each line says the type it must find."""

from typing import assert_type

import numpy as np
from numpy.typing import NDArray

import tempo
from tempo import Game
from tempo._core import Outcome, chess, gomoku
from tempo.games import protocol


def extension(options: gomoku.Options) -> None:
    position = gomoku.start(options)
    assert_type(position, gomoku.Position)
    assert_type(position.play("h8"), gomoku.Position)
    assert_type(position.play(112), gomoku.Position)
    assert_type(position.legal_moves, gomoku.Moves)
    assert_type(list(position.legal_moves), list[int])
    assert_type("h8" in position.legal_moves, bool)
    assert_type(position.outcome, Outcome | None)
    assert_type(position.turn, int)
    assert_type(position.key, int)
    assert_type(position.text, str)


def batches(start: chess.Position) -> None:
    batch = chess.Batch(start, count=4)
    assert_type(batch.turns, NDArray[np.uint8])
    assert_type(batch.over, NDArray[np.bool_])
    assert_type(batch.scores, NDArray[np.float32])
    assert_type(batch[0], chess.Position)


def ends(outcome: Outcome) -> None:
    assert_type(outcome.reason, str)
    assert_type(outcome.scores, tuple[float, ...])


def public() -> protocol.Position:
    game = tempo.load("gomoku(size=9)")
    assert_type(game, Game)
    position = game.start()
    assert_type(position, protocol.Position)
    assert_type(position.legal_moves, protocol.Moves)
    assert_type(position.outcome, Outcome | None)
    return position


def every_game_has_the_shape(gomoku_start: gomoku.Position, chess_start: chess.Position) -> None:
    positions: list[protocol.Position] = [gomoku_start, chess_start]
    assert_type(positions[0].is_over, bool)
