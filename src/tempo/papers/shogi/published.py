"""What the shogi paper prints: a tree search and a deep Q-network, each against a random player.

Its tables by their numbers: 4 the networks, 6 games of the tree search, 7 the ten training games, 8
the twenty test games. The two methods ran on different machines there (an i3-5005U, an i7-7500U),
so that none of its times can be compared with one another, let alone with ours.
"""

from __future__ import annotations

import math

from tempo.papers.shogi.searches import PUBLISHED_GAMES, PUBLISHED_SECONDS, PUBLISHED_WON

# Table 4: weights, layer by layer, of the network that picks a piece (s) and that of the place (a).
LAYERS = ("convolution 5x5", "convolution 3x3", "convolution 1x1", "dense 2352", "dense 441",
          "outputs")  # fmt: skip
_SHARED = (14_238, 71_568, 16_002, 168_033_936, 1_037_673)
WEIGHTS = {"s": (*_SHARED, 38_896), "a": (*_SHARED, 35_802)}
TOTALS = {"s": 169_212_313, "a": 169_209_219}

# Table 6: the tree search against a random player, five games; 45 to 50 seconds a move are stated.
UCT_WON = PUBLISHED_WON
UCT_MOVES = sum(moves for moves, _ in PUBLISHED_GAMES) / len(PUBLISHED_GAMES)
UCT_MINUTES = sum(minutes for _, minutes in PUBLISHED_GAMES) / len(PUBLISHED_GAMES)
UCT_SECONDS = sum(PUBLISHED_SECONDS) / len(PUBLISHED_SECONDS)

# Table 7: the ten games from which the networks learnt. 0: nobody won.
TRAINING_MOVES = (320, 700, 226, 305, 220, 370, 303, 638, 50, 226)
TRAINING_MINUTES = (214, 437, 205, 275, 205, 323, 269, 588, 49, 207)
TRAINING_WINNERS = (1, 1, 1, 2, 0, 0, 2, 0, 0, 0)
# Printed with fewer digits, some rounded and some cut: 0.1 + 0.7 exp(-0.5 (k - 1)) gives them all.
EPSILONS = (0.800, 0.525, 0.357, 0.256, 0.195, 0.157, 0.135, 0.121, 0.113, 0.108)
TRAINING_GAMES = len(TRAINING_MOVES)
TRAINING_SECONDS = 60 * sum(TRAINING_MINUTES) / sum(TRAINING_MOVES)  # a move: 49.5
TRAINING_HOURS = sum(TRAINING_MINUTES) / 60  # 46.2

# Table 8: won, drawn, lost of ten games from either seat. The second column is printed from the
# random player's side; only so does the text ("more wins in the second position") hold.
TEST_GAMES = {"first": (2, 6, 2), "second": (3, 5, 2)}
TEST_SECONDS = 0.887  # a move

SEATS = ("first", "second")
DQN_WON = sum(TEST_GAMES[seat][0] for seat in SEATS) / 20
DQN_DRAWN = sum(TEST_GAMES[seat][1] for seat in SEATS) / 20
DQN_SCORE = DQN_WON + DQN_DRAWN / 2

# The conclusion: learning costs more before play and less in it, and the search plays better.
PLAYING_RATIO = math.log10(UCT_SECONDS / TEST_SECONDS)  # seconds a move, search over network
# Games of the tree search for which the training's time would have been enough.
GAMES_FOR_TRAINING = sum(TRAINING_MINUTES) / UCT_MINUTES
