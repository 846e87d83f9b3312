"""Board games that teach themselves, with what that learning cost.

>>> import tempo
>>> game = tempo.load("gomoku(size=9)")
>>> position = game.start().play("e5").play("d4")
>>> "e6" in position.legal_moves
True
>>> print(position.outcome)
None
"""

TYPE_CHECKING = False  # true for type checkers; typing itself is slow to import
if TYPE_CHECKING:
    __version__: str
    from tempo.errors import IllegalMove, ParseError, TempoError
    from tempo.games import Game, GridGame, PythonGame, load, register
    from tempo.stopping import Stop

__all__ = [
    "Game",
    "GridGame",
    "IllegalMove",
    "ParseError",
    "PythonGame",
    "Stop",
    "TempoError",
    "__version__",
    "load",
    "register",
]


def __getattr__(name: str) -> object:
    """Imports the core when a name is first used: the program handles Ctrl-C before that."""
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415 - slow, and seldom asked for

        return version("tempo-games")
    if name not in __all__:
        raise AttributeError(f"module 'tempo' has no attribute {name!r}")
    from tempo import errors, games, stopping  # noqa: PLC0415 - see above

    home = next(module for module in (games, errors, stopping) if hasattr(module, name))
    return getattr(home, name)
