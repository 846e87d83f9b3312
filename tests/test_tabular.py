"""Sarsa and Q-learning with a table: rules by hand, a toy solved, a plain loop, kills."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from reference import jiu_preparation as reference
from typer.testing import CliRunner

from tempo import td
from tempo._core.jiu_preparation import Preparation
from tempo._core.tables import ValueTable
from tempo.cli import app
from tempo.errors import ParseError, TempoError
from tempo.explore import best_values, epsilon_greedy
from tempo.learners.fast.tabular import Settings, Tabular
from tempo.learners.loop import carry_out
from tempo.runs import Run

# ---- rules by hand -------------------------------------------------------------------------------
#
# Two games end to end: five moves, in which seat 0 moves twice in a row, and two moves.
TURN = np.array([0, 1, 0, 0, 1, 0, 1], np.uint8)
LAST = np.array([False, False, False, False, True, False, True])
REWARD = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
TAKEN = np.array([10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0])
BEST = TAKEN + 1


@pytest.mark.parametrize(
    ("successor", "following", "signs"),
    [
        ("own_turn", [2, 4, 3, -1, -1, -1, -1], [1, 1, 1, 1, 1, 1, 1]),
        ("literal", [1, 2, 3, 4, -1, 6, -1], [1, 1, 1, 1, 1, 1, 1]),
        ("negamax", [1, 2, 3, 4, -1, 6, -1], [-1, -1, 1, -1, 0, -1, 0]),
    ],
)
def test_where_a_target_looks(
    successor: td.Successor, following: list[int], signs: list[int]
) -> None:
    found, sign = td.successors(TURN, LAST, successor)
    assert found.tolist() == following
    seen = np.array(following) >= 0
    assert sign[seen].tolist() == np.array(signs)[seen].tolist()


@pytest.mark.parametrize(
    ("successor", "expected"),
    [
        # r + 0.5 Q(s+, a+): 1 + 15, 2 + 25, 3 + 20, then nothing to look at.
        ("own_turn", [16, 27, 23, 4, 5, 6, 7]),
        ("literal", [11, 17, 23, 29, 5, 41, 7]),
        # The other seat's value counts against; the move from entry 2 to 3 stays with seat 0.
        ("negamax", [-9, -13, 23, -21, 5, -29, 7]),
    ],
)
def test_sarsa_by_hand(successor: td.Successor, expected: list[float]) -> None:
    assert td.sarsa(REWARD, TAKEN, TURN, LAST, 0.5, successor).tolist() == expected


@pytest.mark.parametrize(
    ("successor", "expected"),
    [
        ("own_turn", [16.5, 27.5, 23.5, 4, 5, 6, 7]),
        ("literal", [11.5, 17.5, 23.5, 29.5, 5, 41.5, 7]),
        ("negamax", [-9.5, -13.5, 23.5, -21.5, 5, -29.5, 7]),
    ],
)
def test_q_learning_by_hand(successor: td.Successor, expected: list[float]) -> None:
    assert td.q_learning(REWARD, BEST, TURN, LAST, 0.5, successor).tolist() == expected


def test_an_unknown_successor_is_refused() -> None:
    unknown: Any = "partner"
    with pytest.raises(ParseError, match="there are own_turn, negamax, team, literal"):
        td.successors(TURN, LAST, unknown)


# ---- exploration ---------------------------------------------------------------------------------

VALUES = np.array([[3.0, 9.0, 3.0, 3.0], [0.0, -1.0, 0.0, -2.0]], np.float32)
LEGAL = np.array([[True, False, True, True], [False, True, False, True]])


def test_the_best_legal_move_is_made_and_ties_are_drawn() -> None:
    assert best_values(VALUES, LEGAL).tolist() == [3.0, -1.0]
    for draw, move in ((0.0, 0), (0.34, 2), (0.99, 3)):
        draws = np.array([[0.5, 0.5], [draw, draw]])
        assert epsilon_greedy(VALUES, LEGAL, 0.5, draws).tolist() == [move, 1]


def test_epsilon_is_the_probability_of_a_random_move() -> None:
    draws = np.array([[0.099, 0.1], [0.5, 0.5]])
    both = np.repeat(VALUES[1:], 2, axis=0), np.repeat(LEGAL[1:], 2, axis=0)
    assert epsilon_greedy(*both, 0.1, draws).tolist() == [3, 1]
    assert epsilon_greedy(*both, 0.0, draws).tolist() == [1, 1]


def test_a_draw_just_below_one_stays_within_its_game() -> None:
    draws = np.full((2, 2), np.nextafter(1, 0))
    assert epsilon_greedy(VALUES, LEGAL, 1.0, draws).tolist() == [3, 3]


def test_shares_of_moves() -> None:
    games = 40_000
    values = np.tile(np.array([1.0, 1.0, 0.0, 0.0, 5.0]), (games, 1))
    legal = np.tile(np.array([True, True, True, True, False]), (games, 1))
    draws = np.random.default_rng(4).random((2, games))
    shares = np.bincount(epsilon_greedy(values, legal, 0.2, draws), minlength=5) / games
    assert shares == pytest.approx([0.45, 0.45, 0.05, 0.05, 0.0], abs=0.01)


# ---- a toy whose values are known ----------------------------------------------------------------


class Toy:
    """Four moves of 0 or 1 by seats 0, 1, 1, 0; a move's reward depends on all moves so far."""

    order = (0, 1, 1, 0)
    seats = 2
    is_tree = True

    def __init__(self, games: int) -> None:
        self.games = games
        self.paths = np.ones(games, np.uint64)  # a leading 1, then the moves in binary
        self.made = 0

    @property
    def turns(self) -> NDArray[np.uint8]:
        return np.full(self.games, self.order[self.made], np.uint8)

    def restart(self) -> None:
        self.paths[:] = 1
        self.made = 0

    def legal_mask(self) -> NDArray[np.bool_]:
        return np.full((self.games, 2), self.made < 4)

    def next_keys(self) -> NDArray[np.uint64]:
        return 2 * self.paths[:, None] + np.array([0, 1], np.uint64)

    def play(self, moves: NDArray[np.integer]) -> NDArray[np.float64]:
        self.paths = 2 * self.paths + moves.astype(np.uint64)
        self.made += 1
        return np.array([self.reward(int(path)) for path in self.paths])

    @staticmethod
    def reward(path: int) -> float:
        return float(path * 7 % 11)


def solved(path: int, depth: int, successor: td.Successor, discount: float) -> dict[int, float]:
    """Backward induction: the value of every move below a position, by key."""
    values: dict[int, float] = {}

    def best(path: int, depth: int) -> float:
        return max(value(2 * path + move, depth) for move in (0, 1))

    def value(path: int, depth: int) -> float:
        """Of the move made at `depth` that led to `path`."""
        if path not in values:
            values[path] = Toy.reward(path) + discount * ahead(path, depth)
        return values[path]

    def ahead(path: int, depth: int) -> float:
        if depth == 3:
            return 0.0
        if successor == "own_turn":
            return own_turn(path, depth)
        same = Toy.order[depth] == Toy.order[depth + 1]
        return best(path, depth + 1) * (-1 if successor == "negamax" and not same else 1)

    def own_turn(path: int, depth: int) -> float:
        """The other seat goes its best way meanwhile: in the limit of no exploration."""
        seat, at = Toy.order[depth], depth + 1
        while at < 4 and Toy.order[at] != seat:
            path = max((value(2 * path + move, at), 2 * path + move) for move in (0, 1))[1]
            at += 1
        return best(path, at) if at < 4 else 0.0

    best(path, depth)
    return values


@pytest.mark.parametrize("successor", ["own_turn", "negamax", "literal"])
@pytest.mark.parametrize("rule", ["sarsa", "q_learning"])
def test_the_toy_is_solved(rule: Any, successor: td.Successor) -> None:
    settings = Settings(
        rule=rule, successor=successor, step_size=0.5, exploration="power", games=8000, parallel=20
    )
    learner = Tabular(Toy(20), settings, seed=1)
    while not learner.done:
        learner.iterate()
    exact = solved(1, 0, successor, settings.discount)
    path = 1
    for depth in range(4):
        move = max((2 * path, 2 * path + 1), key=lambda p: exact[p])
        other = move ^ 1
        values, _ = learner.table.read(np.array([move, other], np.uint64))
        assert values[0] == pytest.approx(exact[move], abs=0.05), (depth, path)
        assert values[1] < values[0]
        path = move


# ---- a plain loop, one game at a time, updating after every move ---------------------------------

Line = tuple[int, ...]


class PlainLoop:
    """The paper's order: choose, move, and update the seat's last move as soon as s+ is known."""

    def __init__(self, settings: Settings, seed: int) -> None:
        self.settings, self.seed = settings, seed
        self.values: dict[Line, np.float32] = defaultdict(lambda: np.float32(0))
        self.visits: dict[Line, int] = defaultdict(int)
        self.points = [(int(p) // 14, int(p) % 14) for p in Preparation(1).points]

    def play(self, number: int) -> None:
        random = np.random.default_rng([self.seed, number])
        stones: tuple[set[reference.Point], ...] = (set(), set())
        line: Line = ()
        waiting: dict[int, tuple[Line, float]] = {}  # by seat: the move not yet updated
        while len(line) < 36:
            seat = len(line) % 2
            explores, which = random.random((2, 1))[:, 0]
            legal = self.legal(line)
            best = max(self.values[(*line, move)] for move in legal)
            ties = [move for move in legal if self.values[(*line, move)] == best]
            choices = legal if explores < float(self.settings.exploration) else ties
            move = choices[int(which * len(choices))]
            following = self.values[(*line, move)] if self.settings.rule == "sarsa" else best
            own = self.settings.successor == "own_turn"
            sign = -1 if self.settings.successor == "negamax" else 1
            if (asking := seat if own else 1 - seat) in waiting:
                self.update(*waiting.pop(asking), sign * float(following))
            line = (*line, move)
            stones[seat].add(self.points[move])
            earned = reference.reward(
                stones[seat], stones[1 - seat], self.points[move], reference.Rules()
            )
            waiting[seat] = line, earned
        for seat in (0, 1):
            if seat in waiting:
                self.update(*waiting[seat], 0.0)

    def legal(self, line: Line) -> list[int]:
        if len(line) < 2:
            return [14, 21][len(line) : len(line) + 1]
        return [move for move in range(36) if move not in line]

    def update(self, line: Line, reward: float, ahead: float) -> None:
        value = float(self.values[line])
        target = reward + self.settings.discount * ahead
        self.values[line] = np.float32(value + self.settings.step_size * (target - value))
        self.visits[line] += 1


@pytest.mark.parametrize("successor", ["own_turn", "negamax", "literal"])
@pytest.mark.parametrize("rule", ["sarsa", "q_learning"])
def test_one_game_at_a_time_is_the_plain_loop_exactly(rule: Any, successor: td.Successor) -> None:
    settings = Settings(
        rule=rule, successor=successor, exploration="0.3", games=12, parallel=1, report=5
    )
    learner, plain = Tabular(Preparation(1), settings, seed=9), PlainLoop(settings, seed=9)
    while not learner.done:
        learner.iterate()
    for number in range(settings.games):
        plain.play(number)
    lines = sorted(line for line, visits in plain.visits.items() if visits)
    keys = np.array([key_of(line) for line in lines], np.uint64)
    values, visits = learner.table.read(keys)
    assert values.tolist() == [plain.values[line] for line in lines]
    assert visits.tolist() == [plain.visits[line] for line in lines]
    assert len(learner.table) == len(lines)
    assert max(visits) == settings.games


def key_of(line: Line) -> int:
    game = Preparation(1)
    for move in line[:-1]:
        game.play(np.array([move]))
    return int(game.next_keys()[0, line[-1]])


# ---- the learner ---------------------------------------------------------------------------------

SMALL = Settings(games=600, parallel=50, report=200)


def trained(settings: Settings, seed: int = 1, threads: int = 1, **rules: Any) -> Tabular:
    learner = Tabular(
        Preparation(settings.parallel, threads=threads, **rules), settings, seed, threads
    )
    while not learner.done:
        learner.iterate()
    return learner


def contents(table: ValueTable) -> list[bytes]:
    return [column.tobytes() for column in table.entries()]


def test_threads_change_nothing_and_seeds_do() -> None:
    many = Settings(games=1200, parallel=600)  # enough for both threads to have work
    one = contents(trained(many).table)
    assert one == contents(trained(many, threads=2).table)
    assert one != contents(trained(many, seed=2).table)


def test_lines_of_the_log_do_not_change_what_is_learnt() -> None:
    often = Settings(games=600, parallel=50, report=50)
    assert contents(trained(SMALL).table) == contents(trained(often).table)


@pytest.mark.parametrize("keys", ["sequence", "position"])
def test_leaving_out_what_cannot_be_known_changes_nothing(
    keys: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class ReadsAll:
        """A table that looks everything up."""

        def __init__(self, table: ValueTable) -> None:
            self.read = lambda keys, wanted: table.read(keys)
            self.approach = table.approach

    settings = Settings(games=1500, parallel=50)
    learner = Tabular(Preparation(50, keys=keys), settings, seed=3)
    table = learner.table
    asked = trained(settings, seed=3, keys=keys)
    monkeypatch.setattr(learner, "table", ReadsAll(table))
    while not learner.done:
        learner.learn(learner.play())
    assert contents(table) == contents(asked.table)


def test_the_ledger_counts_games_moves_and_values_read() -> None:
    learner = trained(SMALL)
    assert learner.ledger.games == 600
    assert learner.ledger.moves == 600 * 36
    # At most all 1 + 1 + 34 + 33 + … + 1 legal moves of every game.
    assert 600 * 36 < learner.ledger.evaluations < 600 * 597
    assert learner.ledger.cpu_seconds > 0


def test_a_log_line_says_what_was_earned() -> None:
    learner = Tabular(Preparation(50), SMALL, seed=1)
    row = learner.iterate()
    assert row["games"] == 200
    assert row["reward"] == pytest.approx(sum(row["rewards"]))
    assert row["reward"] >= 2_200_620  # all 36 points are filled, by either side
    assert row["entries"] == len(learner.table)
    assert learner.total == 3


def test_learning_earns_more_than_random_play() -> None:
    # Without the points' own rewards, random play earns 820 a game, most of it by rare Dalians.
    settings = Settings(games=4000, parallel=100, report=4000)
    learner = trained(settings, place=False, control=False)
    random = Tabular(Preparation(100, place=False, control=False), settings, seed=5)
    chance = sum(random.play(explore=False).reward.sum() for _ in range(4)) / 400
    greedy = learner.play(explore=False).reward.sum() / 100
    assert 400 < chance < 1300
    assert greedy > 5 * chance


def test_positions_up_to_symmetry_need_fewer_entries() -> None:
    settings = Settings(games=1000, parallel=100, exploration="1")
    assert len(trained(settings, keys="position").table) < len(trained(settings).table)


# ---- runs ----------------------------------------------------------------------------------------


def test_a_killed_run_ends_with_the_same_files(tmp_path: Path) -> None:
    def kill(row: dict[str, Any]) -> None:
        if row["step"] == 2:
            raise KeyboardInterrupt

    def files(folder: Path) -> tuple[list[bytes], list[dict[str, Any]]]:
        rows = [{**row, "cpu_seconds": 0} for row in Run.open(folder).rows()]
        return [path.read_bytes() for path in sorted(folder.glob("*.safetensors"))], rows

    config = {"seed": 4}
    straight = Run.create(tmp_path / "straight", config)
    carry_out(straight, Tabular(Preparation(50), SMALL, 4), checkpoint_seconds=0)
    broken = Run.create(tmp_path / "broken", config)
    with pytest.raises(KeyboardInterrupt):
        carry_out(broken, Tabular(Preparation(50), SMALL, 4), checkpoint_seconds=0, progress=kill)
    resumed = Tabular(Preparation(50, threads=2), SMALL, 4, threads=2)
    carry_out(Run.open(tmp_path / "broken"), resumed, resume=True, checkpoint_seconds=0)
    assert files(tmp_path / "broken") == files(tmp_path / "straight")
    ledgers = [Run.open(tmp_path / name).ledger() for name in ("broken", "straight")]
    assert ledgers[0].without_times() == ledgers[1].without_times()
    assert ledgers[0].games == 600


def test_a_run_goes_on_with_more_games_and_nothing_else(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", {})
    carry_out(run, Tabular(Preparation(50), SMALL, 4))
    longer = replace(SMALL, games=800)
    learner = Tabular(Preparation(50), longer, 4)
    carry_out(run, learner, resume=True)
    assert contents(learner.table) == contents(trained(longer, seed=4).table)
    other = Tabular(Preparation(50), replace(SMALL, discount=0.8), 4)
    with pytest.raises(TempoError, match="cannot go on with other settings"):
        carry_out(run, other, resume=True)


def test_wrong_settings_are_refused() -> None:
    for wrong, why in (
        ({"rule": "dyna"}, "there are sarsa and q_learning"),
        ({"successor": "nobody"}, "there are own_turn, negamax, team, literal"),
        ({"step_size": 0.0}, "step_size lies above 0"),
        ({"discount": 1.1}, "both up to 1"),
        ({"parallel": 0}, "start at 1"),
        ({"exploration": "often"}, "there is no exploration 'often'"),
    ):
        given: dict[str, Any] = wrong
        with pytest.raises(ParseError, match=why):
            Settings(**given)
    with pytest.raises(ParseError, match="an environment of 3 games; expected 50"):
        Tabular(Preparation(3), SMALL, 1)


def test_the_command_line_trains_a_table(tmp_path: Path) -> None:
    """Its rows have neither wins nor a loss: the progress bar and the curve do without."""
    recipe = tmp_path / "small.toml"
    recipe.write_text('learner = "tabular"\ngames = 200\nparallel = 50\nreport = 100\n')
    done = CliRunner().invoke(app, ["train", str(recipe), "--out", str(tmp_path / "run")])
    assert done.exit_code == 0, done.output
    assert [row["games"] for row in Run.open(tmp_path / "run").rows()] == [100, 200]
