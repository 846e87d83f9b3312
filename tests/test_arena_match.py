"""Matches on real games with small agents: pairing, seeds, threads, logs, kills, forfeits."""

import json
import threading
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.console import Console

import tempo
from tempo import arena
from tempo.agents import Choice, Cost
from tempo.arena.log import GameLog, read_log
from tempo.arena.match import MatchProgress
from tempo.arena.openings import Opening
from tempo.arena.result import MatchResult
from tempo.arena.statistics import SPRT, Pairs
from tempo.arena.table import Entrant, GameRecord, Side, Table, seating
from tempo.games import Game
from tempo.ledger import Ledger

SMALL = "gomoku(size=5)"


class Chooser:
    """Wins when it can in one move (if greedy), else plays at random from its seed."""

    def __init__(self, name: str, greedy: bool = False) -> None:
        self.name = name
        self.greedy = greedy
        self.seeds: list[int] = []

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)
        self.random = Random(seed)

    def clone(self) -> "Chooser":
        return Chooser(self.name, self.greedy)

    def choose(self, view: Any) -> Choice:
        moves = view.legal_moves
        winning = (m for m in moves if self.greedy and view.play(m).outcome)
        move = next(winning, moves[self.random.randrange(len(moves))])
        return Choice(move, (0.0, 0.0), (move,), Cost(positions=len(moves), evaluations=2))


class Scripted:
    """Answers with whatever a function says; cannot be copied."""

    name = "scripted"

    def __init__(self, answer: Callable[[Any], Any]) -> None:
        self.answer = answer

    def reset(self, seed: int) -> None:
        pass

    def choose(self, view: Any) -> Choice:
        return Choice(self.answer(view), (), ())


def first_move(view: Any) -> int:
    return int(view.legal_moves[0])


def comparable(result: MatchResult) -> dict[str, Any]:
    """All of a result that must not depend on threads or kills."""
    data = result.to_json()
    data["ledger"] = {side: ledger.without_times() for side, ledger in result.ledger.items()}
    data["moves"] = [record.moves for record in result.records]
    return data


@pytest.fixture
def game() -> Game:
    return tempo.load(SMALL)


@pytest.fixture
def players() -> dict[str, Any]:
    return {"greedy": Chooser("greedy", greedy=True), "plain": Chooser("plain")}


def test_games_come_in_pairs_with_sides_swapped(game: Game, players: dict[str, Any]) -> None:
    result = arena.match(players, game, games=20, seed=3)
    assert [record.index for record in result.records] == list(range(20))
    for first, second in zip(result.records[::2], result.records[1::2], strict=True):
        assert first.opening == second.opening
        assert (first.seats, second.seats) == (("a", "b"), ("b", "a"))
    assert len({record.opening for record in result.records}) == 10


def test_records_replay_to_their_outcome(game: Game, players: dict[str, Any]) -> None:
    for record in arena.match(players, game, games=10, seed=4).records:
        position = record.opening.position(game)
        for move in record.moves:
            assert not position.is_over
            position = position.play(move)
        assert position.outcome
        assert position.outcome.reason == record.reason
        assert tuple(position.outcome.scores) == record.scores
        seat = record.seats.index("a")
        assert record.points == (record.scores[seat] + 1) / 2


def test_result_adds_up(players: dict[str, Any]) -> None:
    result = arena.match(players, "gomoku(size=8)", games=60, seed=1)
    assert (result.a, result.b, result.games) == ("greedy", "plain", 60)
    assert result.wins + result.draws + result.losses == 60
    assert result.score == (result.wins + result.draws / 2) / 60
    assert result.pairs.number == 30
    assert result.score > 0.6
    assert result.interval.low < result.score < result.interval.high
    assert sum(result.reasons.values()) == 60
    own = result.ledger["a"]
    moves = sum(len(record.moves) for record in result.records)
    assert own.moves + result.ledger["b"].moves == moves
    assert own.games == 60
    assert own.evaluations == 2 * own.moves
    assert own.positions > own.moves
    assert own.cpu_seconds > 0
    assert result.mean_length == pytest.approx(4 + moves / 60)


def test_json_has_the_documented_shape(game: Game, players: dict[str, Any]) -> None:
    data = json.loads(json.dumps(arena.match(players, game, games=2).to_json(), allow_nan=False))
    documented = (
        "game options a b games distinct wins draws losses score low high elo elo_low elo_high "
        "seed ledger"
    )
    assert list(data)[:17] == documented.split()
    assert data["game"] == SMALL
    assert data["options"] == {"size": 5, "rule": "freestyle"}
    assert data["ledger"].keys() == {"a", "b"}
    assert Ledger.from_json(data["ledger"]["a"]).machines


def test_seed_decides_and_threads_do_not(game: Game, players: dict[str, Any]) -> None:
    alone = arena.match(players, game, games=30, seed=9)
    again = arena.match(players, game, games=30, seed=9)
    together = arena.match(players, game, games=30, seed=9, threads=4)
    other = arena.match(players, game, games=30, seed=10)
    assert comparable(alone) == comparable(again) == comparable(together)
    assert comparable(alone)["moves"] != comparable(other)["moves"]


def test_every_game_and_seat_has_a_seed_of_its_own(game: Game) -> None:
    a, b = Chooser("a"), Chooser("b")
    table = Table(
        game, {"a": Entrant("a", "a", lambda: a), "b": Entrant("b", "b", lambda: b)}, seed=1
    )
    for index in range(10):
        table.play(index, Opening())
    assert len(set(a.seeds + b.seeds)) == 20


def test_distinct_games_are_counted(game: Game) -> None:
    agents = (Scripted(first_move), Scripted(first_move))
    result = arena.match(agents, game, games=20, openings=[Opening()])
    assert result.distinct == 1
    assert "1 different" in str(result)


def test_short_opening_lists_are_gone_through_again(game: Game, players: dict[str, Any]) -> None:
    lines = [Opening(("c3",)), Opening(("a1",)), Opening(("b2",))]
    result = arena.match(players, game, games=10, openings=lines)
    used = [record.opening for record in result.records[::2]]
    assert used == [lines[0], lines[1], lines[2], lines[0], lines[1]]


@pytest.mark.parametrize(
    "answer", [lambda view: 12, lambda view: 9999, lambda view: "zz", lambda view: None]
)
def test_an_illegal_move_forfeits(game: Game, answer: Callable[[Any], Any]) -> None:
    # c3 (12) is taken by the opening; the others are no moves at all.
    agents = (Scripted(answer), Scripted(first_move))
    result = arena.match(agents, game, games=2, openings=[Opening(("c3", "a1"))])
    assert result.losses == 2
    assert result.forfeits == {"a": 2, "b": 0}
    assert result.reasons == {"forfeit": 2}
    assert result.records[0].reason.startswith("illegal move by scripted:")
    assert result.records[0].scores == (-1, 1)


def test_an_agent_that_raises_illegal_move_forfeits(game: Game) -> None:
    def refuse(view: Any) -> int:
        view.play("c3")
        raise AssertionError("not reached")

    agents = (Scripted(first_move), Scripted(refuse))
    result = arena.match(agents, game, games=2, openings=[Opening(("c3",))])
    assert result.wins == 2
    assert result.forfeits == {"a": 0, "b": 2}


@pytest.mark.parametrize("threads", [1, 2])
def test_other_failures_come_through_with_context(
    game: Game, players: dict[str, Any], threads: int
) -> None:
    class Broken(Chooser):
        def clone(self) -> "Broken":
            return self

        def choose(self, view: Any) -> Choice:
            raise ZeroDivisionError("inside")

    with pytest.raises(ZeroDivisionError, match="inside") as caught:
        arena.match({"broken": Broken("broken"), "b": players["plain"]}, game, threads=threads)
    note = caught.value.__notes__[0]
    assert note.startswith("broken failed on move 1 of game 0" if threads == 1 else "broken failed")
    assert threading.active_count() < 10


def test_log_holds_the_match(game: Game, players: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "deep" / "match.jsonl"
    result = arena.match(players, game, games=6, seed=2, log=path)
    header, records = read_log(path)
    assert header["game"] == SMALL
    assert header["rules"] == game.rules_version
    assert header["a"] == {"name": "greedy", "spec": "greedy"}
    assert header["seed"] == 2
    assert tuple(records) == result.records
    assert len(path.read_bytes().splitlines()) == 7


@pytest.mark.parametrize("threads", [1, 3])
def test_a_killed_match_goes_on_where_it_was(
    game: Game, players: dict[str, Any], tmp_path: Path, threads: int
) -> None:
    path = tmp_path / "match.jsonl"
    whole = arena.match(players, game, games=12, seed=5, log=path)
    data = path.read_bytes()
    lines = data.splitlines(keepends=True)
    # Cut at: nothing, inside the header, after it, inside a game, just before a line's end, all.
    cuts = [0, 7, len(lines[0]), len(b"".join(lines[:4])) + 30, len(b"".join(lines[:6])) - 1]
    for cut in [*cuts, len(data)]:
        path.write_bytes(data[:cut])
        kept = max(0, data[:cut].count(b"\n") - 1)
        fresh: list[int] = []

        def note(state: MatchProgress, fresh: list[int] = fresh, kept: int = kept) -> None:
            if state.done > kept:
                fresh.append(state.record.index)

        resumed = arena.match(
            players, game, games=12, seed=5, log=path, threads=threads, progress=note
        )
        assert comparable(resumed) == comparable(whole)
        assert len(fresh) == 12 - kept
        assert sorted(record.index for record in read_log(path)[1]) == list(range(12))


def test_a_match_can_be_made_longer(game: Game, players: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    arena.match(players, game, games=6, seed=5, log=path)
    longer = arena.match(players, game, games=12, seed=5, log=path)
    assert comparable(longer) == comparable(arena.match(players, game, games=12, seed=5))
    shorter = arena.match(players, game, games=4, seed=5, log=path)
    assert shorter.games == 4


def test_logs_of_other_matches_are_refused(
    game: Game, players: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "match.jsonl"
    arena.match(players, game, games=2, seed=5, log=path)
    before = path.read_bytes()
    with pytest.raises(tempo.ParseError, match=r"another match: .*seed is 5 there and 6 here"):
        arena.match(players, game, games=2, seed=6, log=path)
    with pytest.raises(tempo.ParseError, match=r"game is 'gomoku\(size=5\)' there"):
        arena.match(players, "gomoku(size=6)", games=2, seed=5, log=path)
    with pytest.raises(tempo.ParseError, match="openings is"):
        arena.match(players, game, games=2, seed=5, log=path, openings=[Opening()])
    swapped = dict(reversed(players.items()))
    with pytest.raises(tempo.ParseError, match="a is"):
        arena.match(swapped, game, games=2, seed=5, log=path)
    assert path.read_bytes() == before


def test_a_log_of_an_earlier_version_goes_on(tmp_path: Path) -> None:
    """Settings that have a new name are known under the old one."""
    path = tmp_path / "match.jsonl"
    players = ("mcts:sims=1,determinizations=2", "random")
    arena.match(players, "gomoku(size=5)", games=2, seed=5, log=path)
    path.write_text(path.read_text().replace("determinizations", "truths"))
    assert arena.match(players, "gomoku(size=5)", games=4, seed=5, log=path).games == 4


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"notes of mine", "not a game log"),
        (b"notes of mine\n", "line 1: not the header"),
        (b'{"format":"tempo-match/9"}\n', "format tempo-match/9; this version reads"),
        (b'{"format":"tempo-match/1"}\n{"game":0}\n', "line 2: not a game of the log"),
        (b'{"format":"tempo-match/1"}\nrubbish\n{}\n', "line 2: not a game of the log"),
    ],
)
def test_files_that_are_no_logs_are_left_alone(
    game: Game, players: dict[str, Any], tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(tempo.ParseError, match=message):
        arena.match(players, game, games=2, log=path)
    assert path.read_bytes() == content


def test_a_game_that_stands_twice_is_refused(
    game: Game, players: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "match.jsonl"
    arena.match(players, game, games=2, log=path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines, lines[1]]))
    with pytest.raises(tempo.ParseError, match="line 4: game 0 stands there twice"):
        read_log(path)


def test_a_log_has_one_writer(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    with GameLog(path, {"seed": 1}), pytest.raises(OSError, match="another process is writing"):
        GameLog(path, {"seed": 1})


def test_sprt_ends_a_match_at_the_deciding_pair(players: dict[str, Any]) -> None:
    test, game = SPRT(0, 100), tempo.load("gomoku(size=8)")
    result = arena.match(players, game, games=400, seed=1, sprt=test)
    assert result.decision == "accept"
    assert result.games < 400
    assert result.to_json()["sprt"]["decision"] == "accept"
    assert "accept" in str(result)
    before = Pairs.of(
        sum(r.points for r in result.records[i : i + 2]) for i in range(0, result.games - 2, 2)
    )
    assert test.decide(before) == "continue"
    threaded = arena.match(players, game, games=400, seed=1, sprt=test, threads=4)
    assert comparable(threaded) == comparable(result)


def test_progress_tells_every_game_and_the_result_so_far(
    game: Game, players: dict[str, Any]
) -> None:
    told: list[tuple[int, int, int]] = []
    arena.match(
        players, game, games=6, progress=lambda p: told.append((p.done, p.total, p.result().games))
    )
    assert told == [(i, 6, i) for i in range(1, 7)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": 7}, "games come in pairs: an even number is needed, not 7"),
        ({"games": 0}, "games come in pairs"),
        ({"threads": 0}, "at least one thread"),
        ({"openings": []}, "list of openings is empty"),
        ({"players": ("random",)}, "between two agents, not 1"),
        ({"players": ("random", "nobody")}, "there is no agent 'nobody'"),
    ],
)
def test_requests_that_cannot_be(game: Game, arguments: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"players": ("random", "random"), "game": game, "games": 2} | arguments
    with pytest.raises(ValueError, match=message):
        arena.match(given.pop("players"), given.pop("game"), **given)


def test_objects_that_cannot_be_copied(game: Game) -> None:
    one, other = Scripted(first_move), Scripted(first_move)
    assert arena.match((one, other), game, games=2).games == 2
    with pytest.raises(ValueError, match="cannot be copied"):
        arena.match((one, other), game, games=2, threads=2)
    with pytest.raises(ValueError, match="cannot play itself"):
        arena.match((one, one), game, games=2)


@pytest.mark.parametrize("name", ["greedy", "an-agent:with=many,settings=[red],and=more,than=fit"])
def test_text_fits_80_columns(game: Game, players: dict[str, Any], name: str) -> None:
    sides = {name: players["greedy"], f"{name}-too": players["plain"]}
    result = arena.match(sides, game, games=20, seed=1, sprt=SPRT(0, 50))
    assert f"{name} against {name}-too" in str(result).replace("\n", " ")
    assert f"{result.elo:+.0f} [" in str(result)
    assert all(len(line) <= 80 for line in str(result).splitlines())
    console = Console(width=80, record=True, file=StringIO())
    console.print(result)
    shown = console.export_text()
    assert f"{result.score:.1%}" in shown
    assert all(len(line.rstrip()) <= 80 for line in shown.splitlines())
    assert name in shown.replace("\n", "")
    assert "evaluations" in shown


# `toy` (conftest.py) has four seats in two teams, hidden ranks, turns of two moves, a dealt start.


class Watcher(Chooser):
    """Notes whose views it was shown."""

    def __init__(self, name: str, made: list["Watcher"]) -> None:
        super().__init__(name)
        self.made = made
        self.shown: list[tuple[int, bool]] = []
        made.append(self)

    def clone(self) -> "Watcher":
        return Watcher(self.name, self.made)

    def reset(self, seed: int) -> None:
        super().reset(seed)
        self.shown.clear()

    def choose(self, view: Any) -> Choice:
        self.shown.append((int(view.turn), hasattr(view, "sample")))
        return super().choose(view)


def test_four_seats_swap_teams_and_keep_the_deal(toy: Game) -> None:
    result = arena.match((Chooser("a"), Chooser("b")), toy, games=20, seed=1)
    assert len({record.opening.deal for record in result.records}) == 10
    for first, second in zip(result.records[::2], result.records[1::2], strict=True):
        assert first.opening == second.opening
        assert first.opening.deal is not None
        assert [side == "a" for side in first.seats] == [team == 0 for team in toy.teams]
        assert [side == "a" for side in second.seats] == [team == 1 for team in toy.teams]
    threaded = arena.match((Chooser("a"), Chooser("b")), toy, games=20, seed=1, threads=3)
    assert comparable(threaded) == comparable(result)


def test_each_of_four_seats_has_an_agent_that_sees_its_views_alone(toy: Game) -> None:
    made: list[Watcher] = []
    entrants: dict[Side, Entrant] = {
        "a": Entrant.of(Watcher("a", made)),
        "b": Entrant.of(Watcher("b", made)),
    }
    made.clear()
    table = Table(toy, entrants, seed=1)
    assert [agent.name for agent in made] == ["a", "a", "b", "b"]
    record = table.play(0, Opening((), deal=5))
    for agent in made:
        assert agent.shown
        assert len(set(agent.shown)) == 1
        seat, is_view = agent.shown[0]
        assert is_view
        assert seating(toy, 0)[seat] == agent.name
    assert GameRecord.from_json(json.loads(json.dumps(record.to_json()))) == record


def test_uncopied_objects_do_not_share_four_seats(toy: Game) -> None:
    with pytest.raises(ValueError, match="cannot be copied"):
        arena.match((Scripted(first_move), Scripted(first_move)), toy, games=2)


@pytest.mark.parametrize(
    "change",
    [{"game": 0.0}, {"game": float("inf")}, {"game": -1}, {"game": True},
     {"scores": [float("nan"), 1]}, {"scores": [2, -2]}, {"scores": ["1", "0"]},
     {"forfeit": "c"}, {"forfeit": []}, {"seats": 3},
     {"moves": []}, {"opening": None}, {"ledger": {}}, {"ledger": {"a": [], "b": 3}}],
)  # fmt: skip
def test_games_of_a_log_that_are_none(tmp_path: Path, change: dict[str, Any]) -> None:
    """A number of 0.0 was taken for 0, and an infinite one was an OverflowError."""
    log = tmp_path / "games.jsonl"
    arena.match(("random", "random"), "gomoku(size=5)", games=2, log=log)
    header, first, second = log.read_text().splitlines()
    log.write_text("\n".join([header, json.dumps({**json.loads(first), **change}), second, ""]))
    before = log.read_bytes()
    with pytest.raises(tempo.ParseError, match=r"games\.jsonl, line 2: not a game of the log"):
        arena.match(("random", "random"), "gomoku(size=5)", games=2, log=log)
    assert log.read_bytes() == before
