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
    """A promised rate by wall time on so many cores, and peers doing the same for comparison."""

    name: str
    unit: str
    bound: float
    cores: int
    peers: tuple[Peer, ...] = ()


@dataclass(frozen=True)
class StartRow:
    """Seconds of wall time that a fresh start takes, against a bound: less is better."""

    name: str
    bound: float


OPEN_SPIEL = "open_spiel"

PYTHON_CHESS = Peer("python_chess", "python-chess")

AnyRow = Row | ThreadRow | RateRow | StartRow

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
    Row("chess-loop", "moves/s", (Peer("bulletchess", "bulletchess", 1),)),
    Row("gomoku-loop", "moves/s", (Peer(OPEN_SPIEL, "open_spiel", 3),)),
    Row("mcts-chess", "sims/s", (Peer(OPEN_SPIEL, "open_spiel", 10),)),
    Row("mcts-krk", "sims/s", (Peer(OPEN_SPIEL, "open_spiel", 10),)),
    Row("mcts-gomoku", "sims/s", (Peer(OPEN_SPIEL, "open_spiel", 10),)),
    ThreadRow("threads-2", "moves/s", 1.7),
    ThreadRow("mcts-threads-2", "sims/s"),
    RateRow("endgame-episodes-1", "games/s", 2000, 2, (PYTHON_CHESS,)),
    RateRow("endgame-episodes-3", "games/s", 300, 2, (PYTHON_CHESS,)),
    RateRow("endgame-features", "pos/s", 1e6, 1),
    RateRow("jiu-learning", "games/s", 10_000, 2),
    StartRow("import", 0.15),
    StartRow("help", 0.3),
)
