"""The search half of the shogi paper: its UCT against chance, and which of its switches matter.

A job is a match. Every game is kept as it ends, so that a reproduction which was killed plays no
game twice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tempo.agents.shogi.uct import PRINTED_C, PUBLISHED_NODES, THEORY_C
from tempo.arena.match import match
from tempo.arena.openings import Opening
from tempo.arena.result import MatchResult
from tempo.arena.seeds import derive
from tempo.arena.statistics import wilson
from tempo.arena.table import GameRecord
from tempo.papers.jobs import Job, Row

if TYPE_CHECKING:
    from tempo.arena.match import Players

GAME = "shogi"
RANDOM = "random"
NETWORK = "network:"  # a player that is learnt on the way, by the name of its file
# Table 6: moves and minutes of five games against a random player; the fourth was a repetition.
PUBLISHED_GAMES = ((152, 95), (178, 104), (200, 118), (203, 109), (220, 121))
PUBLISHED_WON = 0.70  # of games of which the number is not given
PUBLISHED_SECONDS = (45, 50)  # a move, as stated; Table 6 itself gives 64 to 75


@dataclass(frozen=True)
class Sizes:
    """Games of each match, and simulations a move where two settings are compared."""

    table: int = 200  # the published tree against chance
    budget: int = 100  # less and less of it against chance
    compared: int = 200  # one setting against another
    sims: int = 1600  # what both have then: about as many as the published tree
    nodes: int = PUBLISHED_NODES
    budgets: tuple[int, ...] = (50, 100, 200, 400, 800, 1600, 3200)  # simulations a move


# No match may take much longer than the others together, on many cores.
FULL = Sizes()
QUICK = Sizes(table=10, budget=4, compared=10, sims=200, nodes=20_000, budgets=(100, 400))


@dataclass(frozen=True)
class Match(Job):
    """Two agents by their specs, and a number of games."""

    folder = "matches"
    group: str  # table6, budgets, values, constants, rules, choices or searches; or ladder
    row: str  # what a is, within its group
    a: str
    b: str
    games: int
    seed: int = 1
    game: str = GAME

    @property
    def name(self) -> str:
        """Of its files: other settings, other files."""
        settings = derive(0, json.dumps(asdict(self), sort_keys=True))
        return f"{self.group}-{self.row.replace(' ', '-')}-{self.seed}-{settings:016x}"

    @property
    def openings(self) -> list[Opening] | None:
        """The usual ones; against chance the plain start, as in the paper: no game repeats."""
        return [Opening()] if RANDOM in (self.a, self.b) else None

    @property
    def burden(self) -> float:
        """Simulations, positions of trees and of alpha-beta, and evaluations of networks."""
        specs = f"{self.a} {self.b}"
        sims = sum(map(int, re.findall(r"sims=(\d+)", specs)))
        nodes = sum(map(int, re.findall(r"nodes=(\d+)", specs)))
        return self.games * (sims + nodes / 50 + 1000 * specs.count(NETWORK))

    def work(self, out: Path, threads: int) -> Row:
        """Plays it, or resumes it."""
        return self.kept(self.play((self.a, self.b), out / "games" / f"{self.name}.jsonl"))

    def play(self, players: Players, log: Path | None = None) -> MatchResult:
        """The games of these players."""
        return match(
            players,
            self.game,
            games=self.games,
            seed=derive(self.seed, "match"),
            openings=self.openings,
            log=log,
        )

    def kept(self, found: MatchResult) -> Row:
        """What is kept of it.

        `won` is the share of games won, with Wilson's 95 % interval; `score` counts draws as half,
        with the interval of pairs. Lengths are in moves of both sides, seconds are of the
        processor.
        """
        return {**asdict(self), **described(found)}


def uct(**settings: float | str) -> str:
    """The spec of the paper's UCT with these settings."""
    return "shogi-uct:" + ",".join(f"{name}={value}" for name, value in settings.items())


# What is played


def matches(sizes: Sizes = FULL, seed: int = 1) -> list[Match]:
    """Every match of the search half."""
    return [
        *_table6(sizes, seed),
        *_budgets(sizes, seed),
        *_compared(sizes, seed),
        *_searches(sizes, seed),
    ]


def floor(quick: bool, seed: int = 1) -> Match:
    """What chance scores against chance."""
    return Match("floors", RANDOM, RANDOM, RANDOM, 20 if quick else 400, seed)


def _table6(sizes: Sizes, seed: int) -> Iterator[Match]:
    """Table 6 with either constant, and with either reading of which moves count."""
    for values in ("rollout", "path"):
        for constant in (THEORY_C, PRINTED_C):
            spec = uct(nodes=sizes.nodes, constant=constant, values=values)
            yield Match("table6", f"{values} {constant}", spec, RANDOM, sizes.table, seed)


def _budgets(sizes: Sizes, seed: int) -> Iterator[Match]:
    """How little is enough."""
    for values in ("rollout", "path"):
        for sims in sizes.budgets:
            spec = uct(sims=sims, values=values)
            yield Match("budgets", f"{values} {sims}", spec, RANDOM, sizes.budget, seed)


def _compared(sizes: Sizes, seed: int) -> Iterator[Match]:
    """One switch at a time, at equal simulations, against the paper's own setting of it."""
    switches: dict[str, list[dict[str, float | str]]] = {
        "values": [{"values": "path"}],
        "constants": [{"constant": PRINTED_C}, {"constant": 0.7}, {"constant": 0.35}],
        "rules": [{"rule": "tuned"}, {"fpu": 0.6}, {"fpu": 1.0}, {"fpu": 1.4}],
        "choices": [
            {"choice": "max"},
            {"choice": "robust_max", "extra": sizes.sims // 4},
            {"choice": "secure"},
        ],
    }
    published: dict[str, float | str] = {"sims": sizes.sims, "values": "rollout"}
    usual = uct(**published)
    for group, variants in switches.items():
        for switched in variants:
            spec = uct(**published | switched)
            row = " ".join(str(value) for value in next(iter(switched.items())))
            yield Match(group, row, spec, usual, sizes.compared, seed)


def _searches(sizes: Sizes, seed: int) -> Iterator[Match]:
    """Alpha-beta as the third search, with as many positions as the tree's rollouts visit."""
    alpha_beta = f"alphabeta:nodes={positions_of(sizes.sims)}"
    yield Match("searches", "alphabeta random", alpha_beta, RANDOM, sizes.budget, seed)
    for values in ("rollout", "path"):
        other = uct(sims=sizes.sims, values=values)
        yield Match("searches", f"alphabeta {values}", alpha_beta, other, sizes.compared, seed)


def positions_of(sims: int) -> int:
    """Positions that simulations visit: 15 of the rollout and some three of the tree."""
    return 18 * sims


# One match


def described(found: MatchResult) -> Row:
    """What is kept of a match."""
    won, score = wilson(found.wins, found.games), found.interval
    return {
        "wins": found.wins,
        "draws": found.draws,
        "losses": found.losses,
        "won": round(found.wins / found.games, 5),
        "won_low": round(won.low, 5),
        "won_high": round(won.high, 5),
        "score": round(found.score, 5),
        "score_low": round(score.low, 5),
        "score_high": round(score.high, 5),
        "pairs": list(found.pairs),
        "distinct": found.distinct,
        "length": round(found.mean_length, 2),
        "reasons": found.reasons,
        "move_seconds": {
            side: round(ledger.cpu_seconds / max(1, ledger.moves), 6)
            for side, ledger in found.ledger.items()
        },
        "each": [_game(record) for record in found.records],
        "ledger": {side: ledger.to_json() for side, ledger in found.ledger.items()},
    }


def _game(record: GameRecord) -> Row:
    """A line of Table 6."""
    return {
        "moves": len(record.opening.moves) + len(record.moves),
        "seconds": round(sum(ledger.cpu_seconds for ledger in record.ledgers.values()), 3),
        "points": record.points,
        "reason": record.reason,
    }


def least_budget(rows: Iterable[Row], values: str, share: float = 0.95) -> int | None:
    """The fewest simulations from which on this share of games was won against chance, if any."""
    by_sims = {
        int(row["row"].split()[1]): row["won"] >= share
        for row in rows
        if row["group"] == "budgets" and row["row"].startswith(f"{values} ")
    }
    enough: int | None = None
    for sims in sorted(by_sims, reverse=True):
        if not by_sims[sims]:
            break
        enough = sims
    return enough
