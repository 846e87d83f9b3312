"""The games: found by name, configured by options, each with its Python face."""

from tempo.games.game import Game, OptionField
from tempo.games.python import PythonGame
from tempo.games.registry import load, names, register

__all__ = ["Game", "OptionField", "PythonGame", "load", "names", "register"]
