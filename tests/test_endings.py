"""Endings: known counts, the perfect agent, and what WCR, WE and LHS come to."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

import tempo
from tempo import _core, agents, cli
from tempo.agents import Choice
from tempo.agents.chess.tablebase import TablebaseAgent
from tempo.arena import endings as judging
from tempo.arena.endings import Trials, evaluate, floor, whole
from tempo.errors import ParseError
from tempo.games.chess.endings import Ending
from tempo.games.chess.tablebase import Tablebase
from tempo.games.protocol import View

SEED = 3
CHESS = tempo.load("chess")

# Published floors of WCR, 20,000 games each: random moves, with mate in 1, in 2, in 3.
FLOORS = {"KRK": (0.0008, 0.011, 0.035, 0.060), "KQK": (0.0014, 0.021, 0.063, 0.141)}


def parse(fen: str) -> _core.chess.Position:
    position = CHESS.parse(fen)
    assert isinstance(position, _core.chess.Position)
    return position


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Tablebase:
    return Tablebase(tmp_path_factory.mktemp("tables"))


@pytest.fixture(scope="module")
def krk(tables: Tablebase) -> Ending:
    return Ending("KRK", tables)


@pytest.fixture(scope="module")
def kqk(tables: Tablebase) -> Ending:
    return Ending("KQK", tables)


@pytest.mark.parametrize(
    ("name", "legal", "lost", "mean", "longest", "mates", "stalemates"),
    [
        ("KRK", (175_168, 223_944), 201_700, 18.73, 16, 216, 68),
        ("KQK", (144_508, 223_944), 200_896, 10.23, 10, 364, 872),
    ],
)
def test_counts_are_the_published_ones(
    tables: Tablebase, name: str, legal: tuple[int, int], lost: int, mean: float, longest: int,
    mates: int, stalemates: int,
) -> None:  # fmt: skip
    tables.need(name)
    white, black = tables.counts(name)
    assert (white.positions, black.positions) == legal
    assert white.wins == white.positions
    assert black.losses == lost
    assert white.win_plies / white.wins == pytest.approx(mean, abs=0.005)
    assert black.longest_loss == 2 * longest
    assert (black.mates, black.stalemates) == (mates, stalemates)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("KRKQ", "write KQKR"),
        ("KNBK", "write KBNK"),
        ("krk", "capitals"),
        ("KK", "3 or 4 pieces"),
        ("KQRNK", "3 or 4 pieces, not 5"),
        ("chess", "capitals"),
    ],
)
def test_names_are_strict(name: str, says: str) -> None:
    with pytest.raises(ParseError, match=says):
        Ending(name)


def test_values_are_whites_with_either_side_to_move(krk: Ending, kqk: Ending) -> None:
    for ending in (krk, kqk):
        assert set(np.unique(ending.values)) == {0, 1}
        assert (ending.values[ending.turns == 0][:-1] == 1).all()
    white = Ending("KRK", krk.tablebase)
    mated = white.family.number(parse("3R3k/8/6K1/8/8/8/8/8 b - - 0 1"))
    assert (white.plies[mated], white.values[mated], white.turns[mated]) == (0, 1, 1)


def test_black_can_win_when_armed(tables: Tablebase) -> None:
    ending = Ending("KRKN", tables)
    smothered = ending.family.number(parse("8/8/8/8/8/k7/2n5/KR6 w - - 0 1"))
    assert (ending.plies[smothered], ending.values[smothered]) == (0, -1)
    winners = np.where(ending.verdicts % 2 == 0, ending.turns, 1 - ending.turns)
    decided = ending.verdicts > 0
    assert ((ending.values == 1) == (decided & (winners == 0))).all()
    assert ((ending.values == -1) == (decided & (winners == 1))).all()


def test_starts_are_even_over_positions_and_spread_over_distances(krk: Ending) -> None:
    numbers = krk.starts(4000, SEED)
    assert (krk.starts(4000, SEED) == numbers).all()
    assert (krk.starts(4000, SEED + 1) != numbers).any()
    won = krk.decided(0, 0)
    weights = np.bincount(krk.plies[won], krk.orbits[won], 40)
    shares = 4000 * weights / weights.sum()
    assert np.abs(np.bincount(krk.plies[numbers], minlength=40) - shares).max() <= 2
    lost = krk.starts(100, SEED, turn=1)
    assert (krk.turns[lost] == 1).all()
    assert (krk.plies[lost] > 0).all()


def test_practice_is_at_all_distances_alike(krk: Ending) -> None:
    def distances(practice: bool) -> NDArray[np.int64]:
        draw = CHESS.description.starts("krk", practice=practice)
        random = np.random.default_rng(SEED)
        drawn = krk.family.numbers([draw(random).text for _ in range(3000)])
        return np.bincount(krk.plies[drawn][krk.plies[drawn] > 0], minlength=33)

    found = distances(practice=True)
    assert found.sum() == 3000
    assert found[1:33].min() > 3000 / 32 / 2  # of plies to mate, 1 to 32
    assert found[1:33].max() < 3000 / 32 * 2
    assert distances(practice=False)[1:6].sum() < found[1:6].sum() / 3


def test_endings_without_wins_are_refused(tables: Tablebase) -> None:
    with pytest.raises(ParseError, match="KNK"):
        evaluate("random", Ending("KNK", tables), games=2)


# The agent


def test_the_perfect_agent_mates_itself_in_exactly_the_plies_of_the_table(krk: Ending) -> None:
    white, black = (TablebaseAgent(tablebase=krk.tablebase) for _ in range(2))
    for number in krk.starts(40, SEED):
        white.reset(int(number))
        black.reset(int(number) + 1)
        position = krk.family.position(int(number))
        for _ in range(int(krk.plies[number])):
            choice = (white, black)[position.turn].choose(position)
            assert choice.values == (1.0, -1.0)
            position = position.play(choice.move)
        assert position.outcome is not None
        assert position.outcome.reason == "checkmate"


def test_equally_good_moves_are_chosen_at_random(krk: Ending) -> None:
    agent = TablebaseAgent(tablebase=krk.tablebase)
    number = max(krk.starts(200, SEED), key=lambda n: krk.plies[n])
    position = krk.family.position(int(number))
    rows = dict(krk.tablebase.moves(position))
    seen = set()
    for seed in range(60):
        agent.reset(seed)
        seen.add(agent.choose(position).move)
        agent.reset(seed)
        assert agent.choose(position).move in seen
    best = min(verdict for verdict in rows.values() if verdict and verdict % 2 == 0)
    assert seen == {move for move, verdict in rows.items() if verdict == best}


@pytest.mark.parametrize(
    ("fen", "says"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "this position has 32"),
        ("4k3/8/8/8/8/8/8/4K2R b K - 0 1", "castling"),
    ],
)
def test_outside_its_endings_the_agent_says_so(tables: Tablebase, fen: str, says: str) -> None:
    with pytest.raises(ParseError, match=says):
        TablebaseAgent(tablebase=tables).choose(CHESS.parse(fen))


def test_other_games_have_no_tables(tables: Tablebase) -> None:
    with pytest.raises(ParseError, match="chess alone"):
        TablebaseAgent(tablebase=tables).choose(tempo.load("gomoku(size=9)").start())


def test_the_agent_is_known_by_name(tmp_path: Path) -> None:
    agent = agents.load(f"tablebase:folder={tmp_path}")
    assert agent.name == f"tablebase:folder={tmp_path}"
    agent.choose(CHESS.parse("7k/8/6K1/8/8/8/8/3R4 w - - 0 1"))
    assert [path.name for path in tmp_path.iterdir()] == ["KRK.tempo-tb"]


# The figures


def test_rates_worked_by_hand() -> None:
    trials = Trials(
        dtm=np.array([3.0, 5.0, 7.0, 9.0]),
        won=np.array([1.0, 1.0, 0.0, 1.0]),
        plies=np.array([3.0, 9.0, 0.0, 13.0]),
        weights=np.ones(4),
    )
    assert trials.win_rate.value == 0.75
    assert trials.efficiency(held=False, seed=1).value == pytest.approx(17 / 25)
    held = trials.where(trials.won == 1).efficiency(held=True, seed=1)
    assert held.value == pytest.approx(25 / 17)
    assert held.low <= 25 / 17 <= held.high
    nothing = trials.where(trials.won == 0)
    assert (nothing.win_rate.value, nothing.efficiency(held=False, seed=1).value) == (0.0, None)


def test_the_perfect_agent_is_worth_one(krk: Ending) -> None:
    result = evaluate(TablebaseAgent(tablebase=krk.tablebase), krk, games=60, floor_games=200)
    assert (result.wcr.value, result.we.value, result.lhs.value) == (1.0, 1.0, 1.0)
    assert result.ledger.games == 60
    assert sum(stratum.positions for stratum in result.strata) == 30


def test_an_evaluation_is_the_same_for_the_same_seed(kqk: Ending) -> None:
    a, b = (evaluate("random", kqk, games=40, floor_games=100, seed=9).to_json() for _ in range(2))
    a.pop("ledger")
    b.pop("ledger")
    assert a == b


@pytest.mark.parametrize("name", ["KRK", "KQK"])
def test_floors_are_reproduced(tables: Tablebase, name: str) -> None:
    ours = floor(Ending(name, tables), games=20_000, seed=SEED)
    for rate, published in zip(ours.values(), FLOORS[name], strict=True):
        # Two samples of 20,000 games: their difference has the error of 10,000.
        slack = 4 * (published * (1 - published) / 10_000) ** 0.5
        assert rate.value == pytest.approx(published, abs=slack), f"seed {SEED}: {ours}"


def fixed_choice(ending: Ending, mistakes: float) -> NDArray[np.int32]:
    """The first of the best moves everywhere, but some move at a share of the positions."""
    random = np.random.default_rng(SEED)
    offsets, successors = ending.family.graph()
    choice = np.full(len(ending.family), -1, np.int32)
    for number in range(len(ending.family)):
        after = successors[offsets[number] : offsets[number + 1]]
        if not len(after):
            continue
        best = after[ending.verdicts[after] == max(int(ending.verdicts[number]) - 1, 0)]
        pool = after if random.random() < mistakes else best[:1]
        choice[number] = random.choice(pool)
    return choice


class Follower:
    """An agent that follows a fixed choice, but does not say that it does."""

    name = "follower"

    def __init__(self, family: _core.endings.Family, choice: NDArray[np.int32]) -> None:
        self.family, self.choice = family, choice

    def reset(self, seed: int) -> None:
        pass

    def choose(self, view: View) -> Choice:
        # Any of the moves that lead to the chosen number will do: they mirror each other.
        assert isinstance(view, _core.chess.Position)
        wanted = self.choice[self.family.number(view)]
        for move in view.legal_moves:
            if self.family.number(view.play(move)) == wanted:
                return Choice(move, (), (move,))
        raise AssertionError("no move leads there")


class Open(Follower):
    """One that does."""

    def choices(self, family: _core.endings.Family) -> NDArray[np.int32]:
        assert len(family) == len(self.choice)
        return self.choice


def test_a_perfect_choice_is_worth_one_over_the_whole_space(krk: Ending) -> None:
    choice = fixed_choice(krk, mistakes=0)
    for any_defence in (False, True):
        attack, defence = whole(krk, choice, any_defence=any_defence)
        assert attack.positions == 175_168
        assert defence.positions == 201_700 - 216
        assert attack.win_rate.value == pytest.approx(1)
        assert attack.efficiency(held=False, seed=1).value == pytest.approx(1)
        assert defence.efficiency(held=True, seed=1).value == pytest.approx(1)


def test_the_whole_space_and_games_agree(kqk: Ending) -> None:
    choice = fixed_choice(kqk, mistakes=0.15)
    exact = evaluate(Open(kqk.family, choice), kqk, floor_games=100)
    played = evaluate(Follower(kqk.family, choice), kqk, games=1200, floor_games=100, seed=SEED)
    assert exact.exact
    assert not played.exact
    assert exact.positions == 144_508 + 200_896 - 364
    for name in ("wcr", "we", "lhs"):
        truth, found = getattr(exact, name), getattr(played, name)
        assert 0.3 < truth.value < 0.999
        slack = 0.75 * (found.high - found.low)
        assert truth.value == pytest.approx(found.value, abs=slack), f"{name}, seed {SEED}"
    worst, _ = whole(kqk, choice, any_defence=True)
    assert worst.win_rate.value is not None
    assert exact.wcr.value is not None
    assert worst.win_rate.value <= exact.wcr.value


def test_a_choice_that_is_no_move_is_refused(krk: Ending) -> None:
    choice = fixed_choice(krk, mistakes=0)
    choice[17] = 17
    with pytest.raises(ParseError, match="number 17"):
        whole(krk, choice)


def test_verdicts_of_another_family_are_refused(krk: Ending) -> None:
    starts = krk.starts(10, SEED)
    with pytest.raises(ParseError):
        _core.endings.play_attack(krk.family, np.zeros(len(krk.family), np.uint8), starts)
    nonsense = np.full(len(krk.family), 40, np.uint8)
    nonsense[krk.turns == 1] = 39
    with pytest.raises(ParseError, match="not those of this family"):
        _core.endings.play_attack(krk.family, nonsense, starts, mate_plies=99)


def test_games_do_not_depend_on_threads(kqk: Ending) -> None:
    starts = kqk.starts(500, SEED)
    one, two = (
        _core.endings.play_attack(
            kqk.family, kqk.verdicts, starts, mate_plies=3, seed=SEED, threads=threads
        )
        for threads in (1, 2)
    )
    assert (one == two).all()


# The command line


def run(*arguments: str) -> str:
    done = CliRunner().invoke(cli.app, arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_tablebase_command(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tempo", "tablebase", "KPK", "--out", str(tmp_path), "--json"]
    done = subprocess.run(command, check=True, capture_output=True, timeout=120)
    row = json.loads(done.stdout)  # of a process of its own: the peak of this one is other tests'
    assert row["white"]["wins"] == 124_960
    assert row["bytes"] == (tmp_path / "KPK.tempo-tb").stat().st_size
    assert row["ledger"]["peak_memory"] < 2**30
    assert {path.name for path in tmp_path.iterdir()} == {
        "KPK.tempo-tb", "KQK.tempo-tb", "KRK.tempo-tb",
    }  # fmt: skip
    shown = run("tablebase", "KRK", "--out", str(tmp_path))
    for wanted in ("175,168", "201,700 (90.07%)", "18.73 plies", "16 moves", "216", "68"):
        assert wanted in shown


def test_evaluate_command(tmp_path: Path) -> None:
    options = ("--ending", "KQK", "--tables", str(tmp_path), "--games", "10")
    row = json.loads(run("evaluate", f"tablebase:folder={tmp_path}", *options, "--json"))
    wanted = {"ending", "agent", "wcr", "we", "lhs", "positions", "low", "high", "floor", "ledger"}
    assert wanted <= row.keys()
    assert (row["ending"], row["wcr"], row["we"], row["lhs"]) == ("KQK", 1.0, 1.0, 1.0)
    assert set(row["floor"]) == set(judging.FLOOR_MATES)
    shown = run("evaluate", "random", *options)
    assert "WCR" in shown
    assert "Floor" in shown
