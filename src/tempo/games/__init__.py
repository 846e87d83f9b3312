"""The games: found by name, configured by options, each with its Python face."""

from tempo.games.game import Game, OptionField
from tempo.games.grid import GridGame
from tempo.games.python import PythonGame
from tempo.games.registry import broken, load, names, register

__all__ = ["Game", "GridGame", "OptionField", "PythonGame", "broken", "load", "names", "register"]
