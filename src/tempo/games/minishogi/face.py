"""How mini-shogi is drawn: as shogi, with fewer kinds in hand."""

from tempo.games.shogi.face import ShogiFace

FACE = ShogiFace("RBGSP")
