"""Games on squares, written in Python: their texts, pictures and touches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tempo
from tempo import testing
from tempo.errors import ParseError
from tempo.games import Game, registry, scene

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


pytestmark = pytest.mark.usefixtures("own_games")


@pytest.fixture
def breakthrough() -> Game:
    return tempo.load(registry.from_file(str(EXAMPLES / "breakthrough.py")))


def test_the_page_draws_a_game_on_squares(breakthrough: Game) -> None:
    start = breakthrough.start()
    shown = scene.scene(start.play("c2c3"), 1, [(start, start.parse_move("c2c3"))])
    assert len(shown.pieces) == 20
    assert {(piece.seat, piece.form) for piece in shown.pieces} == {(0, "stone"), (1, "stone")}
    assert shown.last == ("c2", "c3")
    assert shown.pieces[0].label == "black on a5"
    assert [chair.colour for chair in scene.layout(breakthrough).seats] == ["white", "black"]
    assert all(step.touches and not step.button for step in shown.moves)
    corners = [scene.layout(breakthrough, seat).places[0].id for seat in (0, 1)]
    assert corners == ["a5", "e1"]  # the own pawns are at the bottom
    assert start.svg().count("<circle") == 20


def test_moves_that_touch_the_same_squares_are_told_apart() -> None:
    class Marks(tempo.GridGame):
        """Put down an x or an o; a move more is a pass."""

        name, rows, columns, pieces = "marks", 1, 3, ("x", "o")
        move_numbers, length_bound = 7, 3
        legal_moves = (0, 1, 4, 6)
        outcome = None

        def __init__(self, squares: str = "...", turn: int = 0) -> None:
            self.squares, self.turn = squares, turn

        def play(self, move: int) -> Any:
            return Marks(self.squares, 1 - self.turn)

        def touched(self, move: int) -> tuple[int, ...]:
            return () if move == 6 else (move % 3,)

        def move_text(self, move: int) -> str:
            return "xxxooo-"[move] + super().move_text(move)

    tempo.register(Marks)
    steps = {step.text: step for step in scene.steps(tempo.load("marks").start().view(0))}
    assert steps["xa1"].touches == ("a1",)
    assert steps["xa1"].choice == ""
    assert steps["xb1"].touches == steps["ob1"].touches == ("b1",)
    assert [steps[text].choice for text in ("xb1", "ob1")] == ["xb1", "ob1"]
    assert steps["-pass"].button == "-pass"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("bbbbb/bbbbb/...../wwwww white", "expected 5 rows of 5 squares"),
        ("bbbbb/bbbbb/..x../wwwww/wwwww white", r"'x' is no piece; there are \. b w"),
    ],
)
def test_squares_of_no_board_are_refused_in_words(breakthrough: Game, text: str, says: str) -> None:
    with pytest.raises(ParseError, match=says):
        breakthrough.parse(text)


def test_features_are_planes_of_the_own_pieces_and_the_others(breakthrough: Game) -> None:
    start: Any = breakthrough.start()
    own, other = start.features()
    assert own[3:].all()
    assert other[:2].all()
    assert own.sum() == other.sum() == 10
    assert (start.play("c2c3").features()[0][:2] == 1).all()  # those of black, who is to move


class Trio(tempo.GridGame):
    """Put down one of two kinds of piece; who fills the last square wins."""

    name, rows, columns, pieces = "trio", 2, 2, ("Aa", "Bb", "Cc")
    move_numbers, length_bound = 8, 4
    seat_names = ("red", "green", "blue")

    def __init__(self, squares: str = "....", turn: int = 0) -> None:
        self.squares, self.turn = squares, turn

    @property
    def legal_moves(self) -> Any:
        return [move for move in range(8) if self.squares[move // 2] == "."]

    def touched(self, move: int) -> tuple[int, ...]:
        return (move // 2,)

    def move_text(self, move: int) -> str:
        return "Aa"[move % 2] + super().move_text(move)

    def play(self, move: int) -> Any:
        put = self.pieces[self.turn][move % 2]
        squares = self.squares[: move // 2] + put + self.squares[move // 2 + 1 :]
        return Trio(squares, (self.turn + 1) % 3)

    @property
    def outcome(self) -> Any:
        return None if "." in self.squares else (1, -0.5, -0.5)


def test_three_seats_with_several_kinds_of_piece() -> None:
    game = tempo.load(tempo.register(Trio).name)
    testing.check_game(game, seed=1)
    position = game.start().play("Ab2").play("aa1")
    pieces = scene.scene(position, 2).pieces
    assert [(one.place, one.seat, one.form, one.text) for one in pieces] == [
        ("b2", 0, "disc", "A"), ("a1", 1, "disc", "b"),
    ]  # fmt: skip
    assert pieces[1].label == "b of green on a1"
    assert [chair.colour for chair in scene.layout(game).seats] == ["red", "green", "blue"]
    assert position.features().shape == (6, 2, 2)
    assert position.svg().startswith("<svg")
