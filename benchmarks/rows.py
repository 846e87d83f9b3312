"""The rows of the benchmark: what is measured, beside whom, and what was promised.

A row's name is also the name of its task on every side (`ours.py`, `peers/*.py`). Names are stable:
people and scripts ask for them.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Peer:
    """One peer of a row: a file in `peers/`, and the ratio promised against it, where one is."""

    file: str
    label: str
    goal: float | None = None
    packaged: bool = True  # a Python package, so that it runs in the peers' environment
    task: str = ""  # its task, where that is not named as the row: the nearest thing it has


@dataclass(frozen=True)
class Row:
    """One thing measured on our side and on each peer's, in units per second."""

    name: str
    unit: str
    peers: tuple[Peer, ...]


@dataclass(frozen=True)
class ThreadRow:
    """Our own work with two threads against the same work with one, by wall time."""

    name: str
    unit: str
    goal: float | None = None


@dataclass(frozen=True)
class RateRow:
    """A promised rate by wall time on `cores`, and peers doing the same for comparison."""

    name: str
    unit: str
    bound: float
    cores: int
    peers: tuple[Peer, ...] = ()


@dataclass(frozen=True)
class SizeRow:
    """Megabytes that a task comes to hold in a fresh process, against a bound: less is better."""

    name: str
    bound: float
    peers: tuple[Peer, ...] = ()


@dataclass(frozen=True)
class StartRow:
    """Seconds of wall time that a fresh start takes, against a bound: less is better."""

    name: str
    bound: float


OPEN_SPIEL = "open_spiel"

PYTHON_CHESS = Peer("python_chess", "python-chess")
RSSHOGI = Peer("rsshogi", "rsshogi")
PYTHON_SHOGI = Peer("python_shogi", "python-shogi")
# Nobody else has Jiu in a library: the nearest of open_spiel, and the rules in plain Python.
PLAIN = Peer("plain_python", "plain Python", packaged=False)
MORRIS = Peer(OPEN_SPIEL, "spiel Morris", task="morris-playouts")
PLACING = Peer(OPEN_SPIEL, "spiel Gomoku", task="gomoku-playouts")
QLEARNER = Peer(OPEN_SPIEL, "spiel Q-table", task="gomoku-learning")
# Nor four-player military chess: games of hidden pieces.
BANQI = Peer(OPEN_SPIEL, "spiel banqi", task="banqi-playouts")
DARK_CHESS = Peer(OPEN_SPIEL, "spiel dark chess", task="dark-chess-playouts")

# Tic-tac-toe written in Python, here and there; and in C++ behind a Python loop.
SPIEL_PYTHON = Peer(OPEN_SPIEL, "spiel Python")
SPIEL_CPP = Peer(OPEN_SPIEL, "spiel C++", task="tic-tac-toe-playouts")
SPIEL_SEARCHED = Peer(OPEN_SPIEL, "spiel C++", task="depth-4-tic-tac-toe")
SPIEL_BREAKTHROUGH = Peer(OPEN_SPIEL, "spiel C++")  # it has none in Python


def environment(name: str, theirs: str) -> Row:
    """Steps of our environments at once, and of PettingZoo's one by one."""
    checked = Peer("pettingzoo", "PettingZoo", 50, task=f"env-{theirs}")
    return Row(name, "steps/s", (checked, Peer("pettingzoo", "raw_env", task=f"raw-{theirs}")))


AnyRow = Row | ThreadRow | RateRow | SizeRow | StartRow

ROWS: tuple[AnyRow, ...] = (
    Row(
        "chess-perft",
        "nodes/s",
        (
            Peer("stockfish", "Stockfish", 0.7, packaged=False),
            Peer("chessmg", "chessmg"),
            PYTHON_CHESS,
        ),
    ),
    Row(
        "chess-playouts",
        "moves/s",
        (
            Peer("bulletchess", "bulletchess", 10),
            Peer("rust_chess", "rust-chess"),
            Peer(OPEN_SPIEL, "open_spiel"),
            PYTHON_CHESS,
            Peer("pgx", "pgx"),
        ),
    ),
    Row("gomoku-playouts", "moves/s", (Peer(OPEN_SPIEL, "open_spiel", 50),)),
    Row("shogi-perft", "nodes/s", (Peer("cshogi", "cshogi", 1.5), RSSHOGI, PYTHON_SHOGI)),
    Row(
        "shogi-playouts",
        "moves/s",
        (Peer("cshogi", "cshogi", 8), RSSHOGI, Peer(OPEN_SPIEL, "open_spiel"), PYTHON_SHOGI),
    ),
    Row("chess-loop", "moves/s", (Peer("bulletchess", "bulletchess", 1),)),
    Row("gomoku-loop", "moves/s", (Peer(OPEN_SPIEL, "open_spiel", 3),)),
    Row("mcts-chess", "sims/s", (Peer(OPEN_SPIEL, "open_spiel", 10),)),
    Row("mcts-krk", "sims/s", (Peer(OPEN_SPIEL, "open_spiel", 10),)),
    Row("mcts-gomoku", "sims/s", (Peer(OPEN_SPIEL, "open_spiel", 10),)),
    Row("shogi-uct", "sims/s", (Peer(OPEN_SPIEL, "open_spiel", 10),)),
    Row("python-playouts", "moves/s", (SPIEL_PYTHON, SPIEL_CPP)),
    Row("mcts-python", "sims/s", (SPIEL_PYTHON,)),
    Row("depth-4-python", "searches/s", (SPIEL_PYTHON, SPIEL_SEARCHED)),
    Row("python-breakthrough", "moves/s", (SPIEL_BREAKTHROUGH,)),
    Row("depth-4-breakthrough", "searches/s", (SPIEL_BREAKTHROUGH,)),
    RateRow("shogi-tree", "nodes/s", 150_000, 1),
    RateRow("shogi-search", "pos/s", 500_000, 1),
    RateRow("shogi-planes", "pos/s", 300_000, 1),
    ThreadRow("threads-2", "moves/s", 1.7),
    ThreadRow("mcts-threads-2", "sims/s"),
    RateRow("endgame-episodes-1", "games/s", 2000, 2, (PYTHON_CHESS,)),
    RateRow("endgame-episodes-3", "games/s", 300, 2, (PYTHON_CHESS,)),
    RateRow("endgame-features", "pos/s", 1e6, 1),
    RateRow("gomoku-patterns", "stones/s", 1e6, 1),
    Row("gomoku-critic", "pos/s", (Peer("numpy_critic", "NumPy", 20, packaged=False),)),
    RateRow("gomoku-teaching", "games/s", 50, 2),
    RateRow("gomoku-search", "pos/s", 500_000, 1),
    RateRow("gomoku-fours", "pos/s", 1e6, 1),
    RateRow("jiu-playouts", "moves/s", 5e6, 1, (MORRIS, PLAIN)),
    Row("jiu-preparation", "moves/s", (PLACING, PLAIN)),
    RateRow("jiu-search", "pos/s", 500_000, 1),
    RateRow("jiu-learning", "games/s", 10_000, 2, (QLEARNER, PLAIN)),
    SizeRow("jiu-table", 500, (PLAIN,)),
    RateRow("siguo-playouts", "moves/s", 1e6, 1, (BANQI, DARK_CHESS)),
    RateRow("siguo-determinizations", "determinizations/s", 5000, 1),
    RateRow("siguo-features", "pos/s", 200_000, 1),
    RateRow("siguo-summary", "pos/s", 200_000, 1),
    RateRow("siguo-training", "games/s", 1000 / 120, 1),
    environment("env-chess", "chess"),
    environment("env-tictactoe", "tictactoe"),
    environment("env-connect-four", "connect-four"),
    environment("env-go", "go"),
    environment("env-opponent", "tictactoe"),
    StartRow("import", 0.15),
    StartRow("help", 0.3),
)
