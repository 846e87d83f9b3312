"""Mini-shogi, on a board of five by five; what it shares lies in `tempo.games.shogi`."""

from tempo import _core
from tempo.games.description import Description, Sample

GAME = Description(
    _core.minishogi,
    __name__,
    listed=5,
    position_text="an SFEN",
    study="alphabeta",
    samples=(Sample("minishogi", 4),),
)
