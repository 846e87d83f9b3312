"""Our side of every row, written as a user of the package would write it."""

from collections.abc import Callable
from functools import partial
from importlib import metadata
from math import sqrt
from pathlib import Path
from random import random, seed
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tempo
from tempo import agents, recipes
from tempo._core import endings, gomoku, gomoku_critic, gomoku_threats, siguo_learning
from tempo._core.gomoku import Position
from tempo._core.jiu_preparation import Preparation
from tempo._core.tables import ValueTable
from tempo.games import registry
from tempo.learners.fast.tabular import Settings, Tabular

NAME = "tempo"
VERSION = metadata.version("tempo-games")
CHESS, GOMOKU, JIU, SIGUO = "chess", "gomoku(size=15)", "jiu", "siguo"
# Random games of this length limit last as long as open_spiel's, which draws entered kings.
SHOGI = "shogi(length=850)"
KRK = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"
BREAKTHROUGH = Path(__file__).resolve().parent.parent / "examples" / "breakthrough.py"
ONE_ROW = "bbbbb/...../...../...../wwwww white"
GAMES = 1000  # in one batch
SIMULATIONS = 1000
EXPLORATION = sqrt(2)  # of rewards from 0 to 1
TREE_NODES = 150_000  # of the paper's tree of shogi
PLACEMENTS = 196  # of Jiu's preparation
BOARDS = 8  # filled ones from which battles begin
ENTRIES, ROUND = 10_000_000, 10_000  # of a table of values, and as many as a round of games adds
PLIES, CRITICISED = 30, 8  # moves before Gomoku's critic is asked, and positions
RANDOM_SHARE = 0.5  # of the moves of an episode; peers/python_chess.py has the same

Burst = Callable[[], int]


def perft(name: str, depth: int) -> Burst:
    """Counting the leaves of the move tree."""
    game = tempo.load(name)
    return lambda: game.perft(depth)


def playouts(name: str, threads: int = 1, start: str = "") -> Burst:
    """Whole random games in one call: the border is crossed once for all of them."""
    game = tempo.load(name)
    first = game.parse(start) if start else None
    batch = game.batch(GAMES, seed=1, threads=threads, start=first)

    def burst() -> int:
        batch.restart()
        return batch.playout()

    return burst


def loop(name: str) -> Burst:
    """Random games over single `Position` objects, with the chooser of the peers' loops."""
    seed(1)
    start = tempo.load(name).start()

    def playout() -> int:
        position = start
        count = 0
        while True:
            moves = position.legal_moves
            if not moves:
                return count
            position = position.play(moves[int(random() * len(moves))])
            count += 1

    return playout


def search(name: str, text: str | None = None, trees: int = 1, threads: int = 1) -> Burst:
    """UCB1 from a fresh tree, one random rollout to the end for each simulation."""
    game = tempo.load(name)
    position = game.parse(text) if text else game.start()
    agent = agents.load(
        f"mcts:sims={SIMULATIONS},c={EXPLORATION},reuse=no,trees={trees},threads={threads}"
    )

    def burst() -> int:
        agent.choose(position)
        return SIMULATIONS

    return burst


def written_in_python(measured: Callable[[str], Burst]) -> Burst:
    """The same of a game that is a class in Python."""
    from tic_tac_toe import TicTacToe  # noqa: PLC0415 - which registers itself

    return measured(TicTacToe.name)


def example(measured: Callable[..., Burst]) -> Burst:
    """The same on Breakthrough of the examples, with the one row of pawns that open_spiel has."""
    return measured(registry.from_file(str(BREAKTHROUGH)), start=ONE_ROW)


def four_deep(name: str, start: str = "") -> Burst:
    """Whole searches of depth 4, by alpha-beta without an evaluation."""
    agent = agents.load("alphabeta:depth=4,table=1")
    game = tempo.load(name)
    position = game.parse(start) if start else game.start()

    def burst() -> int:
        agent.choose(position)
        return 1

    return burst


def published_tree() -> Burst:
    """The tree of shogi-uct: rollouts of 15 moves, valued by what they win; a visit a node."""
    agent = agents.load(f"shogi-uct:sims={TREE_NODES},values=rollout")
    position = tempo.load("shogi").start()

    def burst() -> int:
        agent.choose(position)
        return TREE_NODES

    return burst


def search_shogi() -> Burst:
    """Moves of shogi-strong in the first half of random games."""
    games = tempo.load("shogi").batch(BOARDS, seed=1)
    games.playout(40)
    agent = agents.load("shogi-strong:nodes=100000,mate=0")

    def burst() -> int:
        return sum(agent.choose(games[i]).cost.positions for i in range(BOARDS))

    return burst


def episodes(depth: int, games: int) -> Burst:
    """Self-play of KRK as a learner does it: one iteration's games, the network's values included.

    Table III of the endgame paper has 5000 games an iteration at depth 1 and 500 at depth 3.
    """
    from tempo.learners.fast.search_td import SearchTD  # noqa: PLC0415 - starts JAX

    learner = recipes.make_learner(recipes.read("paper-krk-stem"), seed=1, threads=2)
    assert isinstance(learner, SearchTD)
    starts = np.random.default_rng(1).choice(learner.game.starts, size=games)

    def burst() -> int:
        best = learner.search(depth).best
        learner.graph.play(best, starts, random_share=RANDOM_SHARE, opening=6, cap=100, seed=1)
        return games

    return burst


def features() -> Burst:
    """What a network sees of every position of KRK, one thread."""
    family = endings.Family("KRK")

    def burst() -> int:
        family.features(1)
        return len(family)

    return burst


def shogi_planes() -> Burst:
    """What a Q-network sees of shogi, in the middle of random games: planes of bits, and hands."""
    game = tempo.load("shogi")
    batch = game.batch(GAMES, seed=1)
    for moves in (40, 50):
        batch.playout(moves)
        batch.restart(batch.over)

    def burst() -> int:
        game.core.packed(batch)
        return GAMES

    return burst


def battles() -> Burst:
    """Random battles of Jiu to the end, from boards that random placements filled."""
    game = tempo.load(JIU)
    filled = game.batch(BOARDS, seed=1)
    filled.playout(PLACEMENTS)
    batches = [game.batch(GAMES // BOARDS, seed=i, start=filled[i]) for i in range(BOARDS)]

    def burst() -> int:
        for batch in batches:
            batch.restart()
        return sum(batch.playout() for batch in batches)

    return burst


def placements() -> Burst:
    """Filling boards of Jiu at random, up to the battle."""
    batch = tempo.load(JIU).batch(GAMES, seed=1)

    def burst() -> int:
        batch.restart()
        return batch.playout(PLACEMENTS)

    return burst


def search_battle() -> Burst:
    """Turns of jiu-strong in the middle of random battles."""
    games = tempo.load(JIU).batch(BOARDS, seed=1)
    games.playout(PLACEMENTS + 150)  # some seventy stones a side are left
    agent = agents.load("jiu-strong:nodes=100000,time=0")

    def burst() -> int:
        return sum(agent.choose(games[i]).cost.positions for i in range(BOARDS))

    return burst


def table() -> Burst:
    """A table of values that comes to hold ten million entries, a round of games at a time."""
    random = np.random.default_rng(1)
    values = ValueTable()

    def burst() -> int:
        for _ in range(ENTRIES // ROUND):
            keys = random.integers(0, 2**64, ROUND, dtype=np.uint64)
            values.approach(keys, np.ones(ROUND), 0.1)
        return ENTRIES

    return burst


def learning() -> Burst:
    """Games of Jiu's preparation with learning by Sarsa, the values of all successors read."""
    settings = Settings(games=10**9)
    learner = Tabular(Preparation(settings.parallel), settings, seed=1)

    def burst() -> int:
        learner.iterate()
        return settings.report

    return burst


def pattern_updates() -> Burst:
    """Stones put on boards of Gomoku, the 20 patterns counted after each."""
    seed(1)
    played = [random_moves(gomoku.start(gomoku.Options({}))) for _ in range(100)]
    moves = np.concatenate(played)
    lengths = np.array([len(game) for game in played])

    def burst() -> int:
        gomoku_critic.follow_patterns(gomoku.Options({}), moves, lengths)
        return len(moves)

    return burst


def random_moves(position: Position) -> NDArray[np.int32]:
    """A random game from here to its end."""
    moves: list[int] = []
    while not position.is_over:
        legal = position.legal_moves
        moves.append(legal[int(random() * len(legal))])
        position = position.play(moves[-1])
    return np.array(moves, np.int32)


def candidates() -> Burst:
    """What the critic thinks of every candidate move, in the middle of random games of Gomoku."""
    games = tempo.load(GOMOKU).batch(CRITICISED, seed=1)
    games.playout(PLIES)
    critic = gomoku_critic.Critic(gomoku.Options({}))
    draw = np.random.default_rng(1)
    critic.load(
        draw.uniform(-0.5, 0.5, (critic.input_count, critic.hidden)).astype(np.float32),
        draw.uniform(-0.5, 0.5, critic.hidden).astype(np.float32),
    )
    positions = [games[i] for i in range(CRITICISED)]
    return lambda: sum(len(critic.judge(position)[0]) for position in positions)


def self_teaching() -> Burst:
    """Games of Gomoku with learning by the critic after every move."""
    learner = recipes.make_learner(recipes.read("gomoku-critic"), seed=1)

    def burst() -> int:
        before = learner.ledger.games
        learner.iterate()
        return learner.ledger.games - before

    return burst


def crowded(boards: int, stones: int) -> list[gomoku.Position]:
    """Games of Gomoku under way: stones at random on the middle 49 points, nobody has won."""
    seed(1)
    found: list[gomoku.Position] = []
    while len(found) < boards:
        position = gomoku.start(gomoku.Options({}))
        while not position.is_over and 225 - len(position.legal_moves) < stones:
            point = (4 + int(random() * 7)) * 15 + 4 + int(random() * 7)
            position = position.play(point) if position.is_legal(point) else position
        found += [] if position.is_over else [position]
    return found


def search_stones() -> Burst:
    """Moves of gomoku-strong early in the game, where no fours win."""
    agent = agents.load("gomoku-strong:nodes=100000")
    positions = crowded(BOARDS, 7)

    def burst() -> int:
        return sum(agent.choose(position).cost.positions for position in positions)

    return burst


def continuous_fours() -> Burst:
    """A search of fours alone that fails, from eight rows of three that can be made fours."""
    rows = ["20"] * 20
    for y in range(0, 20, 5):
        rows[y], rows[y + 2] = "oxxx12xxxo", "6o2o2o2o4"
    position = gomoku.parse("/".join(rows) + " x", gomoku.Options({"size": 20}))
    return lambda: gomoku_threats.fours(position, 1_000_000)[2]


def determinizations() -> Burst:
    """Truths drawn from what a seat knows in the middle of random games of Siguo."""
    batch = tempo.load(SIGUO).batch(16, seed=1)
    batch.playout(250)
    views = [batch[i].view(batch[i].turn) for i in range(len(batch))]

    def burst() -> int:
        for seed_ in range(20):
            for view in views:
                view.sample(seed_)
        return 20 * len(views)

    return burst


def siguo_features(kind: str) -> Burst:
    """What the seat to move believes and its 130 inputs, along whole random games of Siguo."""
    seed(1)
    game = tempo.load(SIGUO)
    games: list[list[Any]] = []
    for _ in range(20):
        position: Any = game.start(int(1e9 * random()))
        games.append([])
        while not position.is_over:
            games[-1].append(position.view(position.turn))
            moves = position.legal_moves
            position = position.play(int(moves[int(len(moves) * random())]))

    def burst() -> int:
        return sum(len(siguo_learning.features(views, kind)) for views in games)

    return burst


def truncated_training() -> Burst:
    """Games of Siguo that the paper's learner plays with itself and learns from."""
    learner = recipes.make_learner({**recipes.read("siguo-ttd-adaptive"), "games": 10**9}, 1)

    def burst() -> int:
        learner.iterate()
        return 50

    return burst


def environment(name: str, opponent: str | None = None) -> Burst:
    """Random steps of many games at once, observations and masks of legal moves included."""
    from tempo.environments.gymnasium import TempoVectorEnv  # noqa: PLC0415 - of an extra

    env = TempoVectorEnv(name, GAMES, opponent)
    env.reset(seed=1)

    def burst() -> int:
        env.step(env.sample_actions())
        return GAMES

    return burst


TASKS = {
    "chess-perft": ("nodes", partial(perft, CHESS, 6)),
    "shogi-perft": ("nodes", partial(perft, "shogi", 5)),
    "chess-playouts": ("moves", partial(playouts, CHESS)),
    "gomoku-playouts": ("moves", partial(playouts, GOMOKU)),
    "shogi-playouts": ("moves", partial(playouts, "shogi")),
    "chess-loop": ("moves", partial(loop, CHESS)),
    "gomoku-loop": ("moves", partial(loop, GOMOKU)),
    "mcts-chess": ("sims", partial(search, CHESS)),
    "mcts-krk": ("sims", partial(search, CHESS, KRK)),
    "mcts-gomoku": ("sims", partial(search, GOMOKU)),
    "shogi-uct": ("sims", partial(search, SHOGI)),
    "python-playouts": ("moves", partial(written_in_python, playouts)),
    "mcts-python": ("sims", partial(written_in_python, search)),
    "depth-4-python": ("searches", partial(written_in_python, four_deep)),
    "python-breakthrough": ("moves", partial(example, playouts)),
    "depth-4-breakthrough": ("searches", partial(example, four_deep)),
    "shogi-tree": ("nodes", published_tree),
    "shogi-search": ("positions", search_shogi),
    "shogi-planes": ("positions", shogi_planes),
    "endgame-episodes-1": ("games", partial(episodes, 1, 5000)),
    "endgame-episodes-3": ("games", partial(episodes, 3, 500)),
    "endgame-features": ("positions", features),
    "jiu-playouts": ("moves", battles),
    "jiu-preparation": ("moves", placements),
    "jiu-search": ("positions", search_battle),
    "jiu-learning": ("games", learning),
    "jiu-table": ("entries", table),
    "siguo-playouts": ("moves", partial(playouts, SIGUO)),
    "siguo-determinizations": ("determinizations", determinizations),
    "siguo-features": ("positions", partial(siguo_features, "stations")),
    "siguo-summary": ("positions", partial(siguo_features, "summary")),
    "siguo-training": ("games", truncated_training),
    "gomoku-patterns": ("stones", pattern_updates),
    "gomoku-critic": ("positions", candidates),
    "gomoku-teaching": ("games", self_teaching),
    "gomoku-search": ("positions", search_stones),
    "gomoku-fours": ("positions", continuous_fours),
    "env-chess": ("steps", partial(environment, CHESS)),
    "env-tictactoe": ("steps", partial(environment, "gomoku(size=5)")),
    "env-connect-four": ("steps", partial(environment, "othello(size=6)")),
    "env-go": ("steps", partial(environment, "gomoku(size=19)")),
    "env-opponent": ("steps", partial(environment, "gomoku(size=5)", "random")),
    "threads-1": ("moves", partial(playouts, CHESS, threads=1)),
    "threads-2": ("moves", partial(playouts, CHESS, threads=2)),
    "mcts-threads-1": ("sims", partial(search, CHESS, trees=2, threads=1)),
    "mcts-threads-2": ("sims", partial(search, CHESS, trees=2, threads=2)),
}
