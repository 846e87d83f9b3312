"""Gomoku played out by rules of thumb."""

from collections.abc import Sequence

import numpy
import numpy.typing

import tempo._core
import tempo._core.gomoku


def candidates(position: tempo._core.gomoku.Position, radius: int = 2) -> list[int]:
    """The empty points so near to a stone; all points of an empty board."""

def named(position: tempo._core.gomoku.Position) -> tuple[str, list[int]]:
    """
    The rule by which a playout goes on (complete, block, extend, hinder or any) and the points of which it draws one.
    """

def play_out(position: tempo._core.gomoku.Position, seed: int) -> list[int]:
    """The moves of one playout to the end of the game."""

def by_playouts(position: tempo._core.gomoku.Position, moves: Sequence[int], playouts: int, seed: int, threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.float64], int]:
    """
    [M] the share of the playouts after each move that the mover wins, and positions visited. Each move draws from a stream of its own.
    """

def by_trees(position: tempo._core.gomoku.Position, moves: Sequence[int], settings: tempo._core.MonteCarloSettings) -> tuple[numpy.typing.NDArray[numpy.float64], int]:
    """
    [M] the mover's mean reward in a tree grown after each move, with playouts by the rules, and positions visited. The budget is that of each tree.
    """

def search(position: tempo._core.gomoku.Position, settings: tempo._core.MonteCarloSettings) -> tempo._core.SearchResult:
    """One tree from the position itself."""
