"""Round robins: standings, ratings, resuming, and tables that fit the page."""

import json
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.console import Console

from tempo import arena
from tempo.agents import Choice, Cost
from tempo.arena.tournament import TournamentProgress, TournamentResult

GAME = "gomoku(size=7)"


class Reader:
    """Looks for a winning move among the first `look` legal ones, then plays at random."""

    def __init__(self, look: int) -> None:
        self.look = look
        self.name = f"reader:look={look}"

    def reset(self, seed: int) -> None:
        self.random = Random(seed)

    def clone(self) -> "Reader":
        return Reader(self.look)

    def choose(self, view: Any) -> Choice:
        moves = list(view.legal_moves)
        self.random.shuffle(moves)
        winning = (move for move in moves[: self.look] if view.play(move).outcome)
        move = next(winning, moves[0])
        return Choice(move, (), (move,), Cost(positions=self.look + 1))


def play(**settings: Any) -> TournamentResult:
    players = {"all": Reader(49), "some": Reader(10), "none": Reader(0)}
    defaults: dict[str, Any] = {"games": 20, "seed": 1, "anchor": "none"}
    return arena.tournament(players, GAME, **defaults | settings)


@pytest.fixture(scope="module")
def result() -> TournamentResult:
    return play()


def test_everybody_meets_everybody(result: TournamentResult) -> None:
    assert [(m.a, m.b) for m in result.matches] == [
        ("all", "some"),
        ("all", "none"),
        ("some", "none"),
    ]
    openings = [[record.opening for record in m.records] for m in result.matches]
    assert openings[0] == openings[1] == openings[2]
    assert len({m.seed for m in result.matches}) == 3


def test_standings(result: TournamentResult) -> None:
    standings = result.standings
    assert [standing.rank for standing in standings] == [1, 2, 3]
    names = [standing.name for standing in standings]
    assert names.index("all") < names.index("none")
    assert all(standing.games == 40 for standing in standings)
    assert sum(standing.score for standing in standings) == pytest.approx(1.5)
    ratings = [standing.rating.rating for standing in standings if standing.rating]
    assert ratings == sorted(ratings, reverse=True)
    assert result.ratings["none"].rating == 0
    for standing in standings:
        assert standing.ledger.games == 40
        look = {"all": 50, "some": 11, "none": 1}[standing.name]
        assert standing.ledger.positions == look * standing.ledger.moves


def test_scores_of_a_pairing_add_up_to_one(result: TournamentResult) -> None:
    score, other = result.score("all", "none"), result.score("none", "all")
    assert score is not None
    assert other is not None
    assert score + other == 1
    assert score > 0.5
    assert result.score("all", "all") is None


def test_json(result: TournamentResult) -> None:
    data = json.loads(json.dumps(result.to_json(), allow_nan=False))
    assert [row["agent"] for row in data["standings"]] == [s.name for s in result.standings]
    assert data["matches"][0]["games"] == 20
    assert data["anchor"] == "none"


def without_times(result: TournamentResult) -> list[Any]:
    return [(m.a, m.b, [(r.moves, r.points) for r in m.records]) for m in result.matches]


def test_a_killed_tournament_goes_on_where_it_was(result: TournamentResult, tmp_path: Path) -> None:
    class KilledError(Exception):
        pass

    def kill(progress: TournamentProgress) -> None:
        if progress.done == 33:
            raise KilledError

    with pytest.raises(KilledError):
        play(log=tmp_path, progress=kill)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["all--none.jsonl", "all--some.jsonl"]
    seen: list[int] = []
    resumed = play(log=tmp_path, threads=2, progress=lambda p: seen.append(p.done))
    assert seen == list(range(1, 61))
    assert without_times(resumed) == without_times(result)
    longer = play(log=tmp_path, games=24)
    assert sum(match.games for match in longer.matches) == 72


def test_unfinished_tournaments_have_standings_too() -> None:
    told: list[TournamentResult] = []
    play(games=2, progress=lambda p: told.append(p.result()))
    first, last = told[0], told[-1]
    assert [s.rating is None for s in first.standings] == [False, True, True]
    assert "1 of 6 games" in str(first)
    assert all(standing.rating for standing in last.standings)
    json.dumps(first.to_json(), allow_nan=False)


def test_another_player_leaves_the_other_pairings_alone(result: TournamentResult) -> None:
    more = arena.tournament(
        {"new": Reader(3), "all": Reader(49), "some": Reader(10), "none": Reader(0)},
        GAME,
        games=20,
        seed=1,
    )
    assert [m for m in without_times(more) if m[0] != "new"] == without_times(result)
    assert more.anchor == "new"


def test_tables_fit_80_columns() -> None:
    names = [f"a-rather-long[red]name:setting={i},another={i}" for i in range(3)]
    result = arena.tournament({name: Reader(i) for i, name in enumerate(names)}, GAME, games=4)
    output = StringIO()
    Console(width=80, file=output).print(result)
    for text in (str(result), output.getvalue()):
        assert all(len(line.rstrip()) <= 80 for line in text.splitlines())
        assert text.count("a-rather-long[red]") == 3
    assert "anchor" in output.getvalue()
    assert "pos/move" in output.getvalue()


@pytest.mark.parametrize(
    ("players", "settings", "message"),
    [
        (("random",), {}, "two players or more"),
        (("random", "random"), {}, "the same name"),
        ({"a": "random", "b": "random"}, {"anchor": "c"}, "the anchor c does not play; a, b do"),
        ({"a": "random", "b": "random"}, {"games": 3}, "games come in pairs"),
    ],
)
def test_requests_that_cannot_be(players: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        arena.tournament(players, GAME, **settings)
