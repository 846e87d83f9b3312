"""The game mygame, for tempo: its rules are compiled from cpp/mygame.h."""

from tempo.games.description import Description
from tempo_mygame import _rules

GAME = Description(_rules, __name__)
