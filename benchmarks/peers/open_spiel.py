# The peers are not installed where types are checked.
# mypy: ignore-errors

"""open_spiel: games and Monte-Carlo search in C++ behind Python objects."""

from functools import partial
from importlib import metadata
from math import sqrt
from random import random, seed

import pyspiel

NAME = "open_spiel"
VERSION = metadata.version("open_spiel")
KRK = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"
BREAKTHROUGH = "breakthrough(rows=5,columns=5)"  # with a row of pawns a side
SIMULATIONS = 1000
EXPLORATION = 2 * sqrt(2)  # of values from -1 to 1; ours is half of it, of rewards from 0 to 1
MEMORY_MB = 1000  # far more than a search of this size takes


def playouts(name):
    """Random games, always the same ones."""
    seed(1)
    game = pyspiel.load_game(name)

    def playout():
        state = game.new_initial_state()
        count = 0
        while not state.is_terminal():
            moves = state.legal_actions()
            state.apply_action(moves[int(random() * len(moves))])
            count += 1
        return count

    return playout


def search(name, start=None, simulations=SIMULATIONS):
    """The C++ bot: UCB1, one random rollout to the end for each simulation, no solver."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state(start) if start else game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, simulations, MEMORY_MB, False, 1, False)

    def burst():
        bot.step(state)
        return simulations

    return burst


def python_playouts():
    """Random games of its tic-tac-toe in Python."""
    from open_spiel.python.games import tic_tac_toe  # noqa: F401, PLC0415 - registers itself

    return playouts("python_tic_tac_toe")


def python_search(simulations=100):
    """Its search in Python, on its tic-tac-toe in Python."""
    import numpy as np  # noqa: PLC0415 - slow to import, and nothing else needs them
    from open_spiel.python.algorithms import mcts  # noqa: PLC0415
    from open_spiel.python.games import tic_tac_toe  # noqa: F401, PLC0415

    game = pyspiel.load_game("python_tic_tac_toe")
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, EXPLORATION, simulations, evaluator, solve=False)
    state = game.new_initial_state()

    def burst():
        bot.step(state)
        return simulations

    return burst


def four_deep(name):
    """Its alpha-beta in Python to depth 4 from the start; everything at the horizon is even."""
    from open_spiel.python.algorithms import minimax  # noqa: PLC0415
    from open_spiel.python.games import tic_tac_toe  # noqa: F401, PLC0415 - registers itself

    game = pyspiel.load_game(name)

    def burst():
        minimax.alpha_beta_search(
            game, value_function=lambda state: 0, maximum_depth=4, maximizing_player_id=0
        )
        return 1

    return burst


def learning(name):
    """Its tabular Q-learner in self-play: a game of placing 36 stones at most."""
    # Slow to import, and nothing else needs them.
    from open_spiel.python import rl_environment  # noqa: PLC0415
    from open_spiel.python.algorithms import tabular_qlearner  # noqa: PLC0415

    environment = rl_environment.Environment(pyspiel.load_game(name))
    count = environment.action_spec()["num_actions"]
    learners = [
        tabular_qlearner.QLearner(seat, count, step_size=0.1, discount_factor=0.9)
        for seat in range(environment.num_players)
    ]

    def game():
        step = environment.reset()
        while not step.last():
            seat = step.observations["current_player"]
            step = environment.step([learners[seat].step(step).action])
        for learner in learners:
            learner.step(step)
        return 1

    return game


TASKS = {
    "chess-playouts": ("moves", partial(playouts, "chess")),
    "gomoku-playouts": ("moves", partial(playouts, "gomoku(size=15)")),
    "shogi-playouts": ("moves", partial(playouts, "shogi")),
    "morris-playouts": ("moves", partial(playouts, "nine_mens_morris")),
    "banqi-playouts": ("moves", partial(playouts, "banqi")),
    "dark-chess-playouts": ("moves", partial(playouts, "dark_chess")),
    "python-playouts": ("moves", python_playouts),
    "tic-tac-toe-playouts": ("moves", partial(playouts, "tic_tac_toe")),
    "mcts-python": ("sims", python_search),
    "depth-4-python": ("searches", partial(four_deep, "python_tic_tac_toe")),
    "depth-4-tic-tac-toe": ("searches", partial(four_deep, "tic_tac_toe")),
    "python-breakthrough": ("moves", partial(playouts, BREAKTHROUGH)),
    "depth-4-breakthrough": ("searches", partial(four_deep, BREAKTHROUGH)),
    "gomoku-learning": ("games", partial(learning, "gomoku(size=6)")),
    "gomoku-loop": ("moves", partial(playouts, "gomoku(size=15)")),
    "mcts-chess": ("sims", partial(search, "chess")),
    "mcts-krk": ("sims", partial(search, "chess", KRK)),
    "mcts-gomoku": ("sims", partial(search, "gomoku(size=15)")),
    "shogi-uct": ("sims", partial(search, "shogi", simulations=100)),
}
