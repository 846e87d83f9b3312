"""Openings: generated from a seed, balanced by a judge, kept in files that are read strictly."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tempo
from tempo import agents, arena
from tempo.agents import Choice
from tempo.arena import openings
from tempo.arena.openings import Opening, OpeningSet
from tempo.games import Game

STEADY = settings(deadline=None, derandomize=True)  # same examples, no clock


@pytest.fixture
def game() -> Game:
    return tempo.load("gomoku(size=6)")


class Judge:
    """Values a position by its key, so that some are balanced and some are not."""

    name = "judge"

    def reset(self, seed: int) -> None:
        pass

    def choose(self, view: Any) -> Choice:
        value = (view.key % 201 - 100) / 100
        return Choice(view.legal_moves[0], (value, -value), ())


def test_openings_are_distinct_legal_and_unfinished(game: Game) -> None:
    found = openings.generate(game, 50, seed=3, plies=5)
    positions = [opening.position(game) for opening in found]
    assert all(len(opening.moves) == 5 for opening in found)
    assert len({position.key for position in positions}) == 50
    assert not any(position.is_over for position in positions)


def test_walks_that_end_the_game_are_left_out() -> None:
    tiny = tempo.load("gomoku(size=5)")
    found = openings.generate(tiny, 100, seed=1, plies=22)
    assert not any(opening.position(tiny).is_over for opening in found)
    assert all(len(opening.moves) == 22 for opening in found)


def test_a_seed_decides_and_longer_lists_begin_with_shorter(game: Game) -> None:
    assert openings.generate(game, 20, seed=3) == openings.generate(game, 40, seed=3)[:20]
    assert openings.generate(game, 20, seed=3) != openings.generate(game, 20, seed=4)


def test_the_judge_keeps_what_is_balanced(game: Game) -> None:
    judge = Judge()
    found = openings.generate(game, 30, seed=1, judge=judge, limit=0.2)
    values = [judge.choose(opening.position(game)).values[0] for opening in found]
    assert max(map(abs, values)) <= 0.2
    unjudged = openings.generate(game, 200, seed=1)
    assert set(found) < set(unjudged)
    assert any(abs(judge.choose(o.position(game)).values[0]) > 0.2 for o in unjudged)


def test_too_few_openings_is_an_error(game: Game) -> None:
    with pytest.raises(ValueError, match="only 36 different openings of 1 moves in 8000 attempts"):
        openings.generate(game, 40, plies=1)
    with pytest.raises(ValueError, match="or a wider limit"):
        openings.generate(game, 2, plies=1, judge=Judge(), limit=-1)


def test_a_judge_without_values_is_refused(game: Game) -> None:
    with pytest.raises(ValueError, match="random cannot judge openings"):
        openings.generate(game, 2, judge=tempo.agents.load("random"))


@STEADY
@given(
    st.lists(st.sampled_from(["a1", "o15", "e2e4", "O-O", "e8=Q+", "P*3d"]), max_size=5),
    st.none() | st.integers(0, 2**63),
)
def test_text_comes_back(moves: list[str], deal: int | None) -> None:
    opening = Opening(tuple(moves), deal)
    assert Opening.parse(str(opening)) == opening


def test_positions_come_back_and_are_checked() -> None:
    opening = Opening(("a1a8",), start="k7/8/1K6/8/8/8/8/R7 w - - 0 1")
    assert str(opening) == "start=k7/8/1K6/8/8/8/8/R7_w_-_-_0_1 a1a8"
    assert Opening.parse(str(opening)) == opening
    with pytest.raises(ValueError, match="king"):
        Opening(start="k7/8/8/8/8/8/8/R7 w - - 0 1").position(tempo.load("chess"))


def test_an_ending_gives_won_positions_of_every_distance() -> None:
    chess = tempo.load("chess")
    found = openings.from_ending("KRK", 64, seed=3)
    assert found == openings.from_ending("KRK", 64, seed=3)
    assert found != openings.from_ending("KRK", 64, seed=4)
    positions = [opening.position(chess) for opening in found.openings]
    assert all(position.turn == 0 and not position.is_over for position in positions)
    judge = agents.load("tablebase")
    assert all(judge.choose(position).values == (1.0, -1.0) for position in positions)
    result = arena.match(("tablebase", "random"), chess, games=8, openings=found, seed=1)
    assert result.wins == 4  # with White; with Black nobody can win


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an opening is a list of moves"),
        ("deal=x a1", "deal= takes a number, not 'x'"),
        ("deal=-1", "deal= takes a number"),
        ("a1 - a2", "- stands alone"),
    ],
)
def test_text_that_is_no_opening(text: str, message: str) -> None:
    with pytest.raises(tempo.ParseError, match=message):
        Opening.parse(text)


def test_files_come_back(game: Game, tmp_path: Path) -> None:
    found = [Opening(), *openings.generate(game, 10)]
    openings.write(tmp_path / "book.txt", found, "ten random ones\nand the start")
    text = (tmp_path / "book.txt").read_text()
    assert text.startswith("# ten random ones\n# and the start\n-\n")
    assert openings.read(tmp_path / "book.txt", game) == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a1 b2\n\n# fine so far\na1 a1\n", "line 4: .*a1"),
        ("a1 z9\n", "line 1: "),
        ("a1 b2 c3\nc3 b2 a1\n", "line 2: same position as line 1"),
        ("a1 a6 b1 b6 c1 c6 d1 d6 e1\n", "line 1: the game is over after"),
        ("deal=3 a1\n", "line 1: .*seed"),
        ("# nothing\n", "no openings in it"),
    ],
)
def test_files_are_read_strictly(game: Game, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "book.txt"
    path.write_text(text)
    with pytest.raises(tempo.ParseError, match=message) as caught:
        openings.read(path, game)
    assert "book.txt" in str(caught.value)


def test_sets_are_told_apart_by_their_source(game: Game) -> None:
    one, other = [Opening(("a1",))], [Opening(("a1", "b2"))]
    assert OpeningSet.of(one) == OpeningSet.of(list(one))
    assert OpeningSet.of(one).source != OpeningSet.of(other).source
    short, long = openings.standard(game, 5, seed=2), openings.standard(game, 9, seed=2)
    assert short.source == long.source
    assert short.openings == long.openings[:5]
    assert OpeningSet.of(short) is short


def test_a_small_game_begins_again_with_the_openings_it_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(openings, "ATTEMPTS", 5)
    game = tempo.load("othello(size=4)")
    with pytest.raises(ValueError, match="different openings"):
        openings.standard(game, 200)
    found = openings.standard(game, 200, again=True).openings
    assert len(found) == 200
    assert 10 < len(set(found)) < 200
    assert all(not opening.position(game).is_over for opening in found)
