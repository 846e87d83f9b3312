"""Games by name and positions as values: specs, the API as promised, texts that read back."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from typing import Any
from xml.etree import ElementTree

import game_data
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tempo
from tempo import games
from tempo.errors import IllegalMove, ParseError
from tempo.games import Game

SVG = "{http://www.w3.org/2000/svg}"


def refusal(action: Any, text: str) -> str | None:
    """Why a text is refused, in words; None when it is not."""
    try:
        action(text)
    except (ParseError, IllegalMove) as refused:
        reason = str(refused)
    else:
        return None
    assert reason
    return reason


# Specs


@pytest.mark.parametrize(
    ("given_", "canonical"),
    [
        ("gomoku", "gomoku"),
        ("gomoku()", "gomoku"),
        ("gomoku(size=15)", "gomoku"),
        ("gomoku(size=9)", "gomoku(size=9)"),
        ("  gomoku ( rule = exactly_five , size = 9 ) ", "gomoku(size=9,rule=exactly_five)"),
        ("gomoku(rule=freestyle,size=20)", "gomoku(size=20)"),
        ("chess", "chess"),
        ("chess(repetition=three,quiet=fifty)", "chess"),
        ("chess(quiet=seventy_five)", "chess(quiet=seventy_five)"),
    ],
)
def test_specs_have_one_form(given_: str, canonical: str) -> None:
    game = tempo.load(given_)
    assert game.spec == canonical
    assert tempo.load(game.spec) == game
    assert hash(tempo.load(game.spec)) == hash(game)
    assert game.start().game == canonical
    assert tempo.load(game) is game


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("", "is not a game"),
        ("Gomoku", "is not a game"),
        ("gomoku(", "is not a game"),
        ("gomoku)", "is not a game"),
        ("gomoku(size=9", "is not a game"),
        ("gomoku(size=9))", "19|size"),
        ("gomoku(size)", "is not a setting"),
        ("gomoku(=9)", "is not a setting"),
        ("gomoku(size=)", "is not a setting"),
        ("gomoku(size=9,)", "is not a setting"),
        ("gomoku(size=9,size=9)", "given twice"),
        ("gomoku(colour=red)", "colour"),
        ("gomoku(size=4)", "5 to 20"),
        ("gomoku(size=21)", "5 to 20"),
        ("gomoku(size=nine)", "5 to 20"),
        ("gomoku(size=9.5)", "5 to 20"),
        ("gomoku(size=99999999999999999999)", "5 to 20"),
        ("gomoku(rule=renju)", "freestyle, exactly_five"),
        ("chess(quiet=fifty-one)", "fifty, seventy_five"),
        ("go", "there is no game 'go'; there are gomoku, chess, jiu, shogi, minishogi"),
        ("gomoku\0", "is not a game"),
        ("gomoku(sise=9)", r"no option 'sise'; did you mean size\? It has size, rule"),
        ("gomoku(rule=freestile)", r"did you mean freestyle\? It takes freestyle, exactly_five"),
        ("jiu(profil=gongjiu)", r"did you mean profile\? It has size"),
        ("jiu(profile=gonjiu)", r"did you mean gongjiu\? It has seed"),
    ],
)
def test_specs_that_are_none(spec: str, says: str) -> None:
    with pytest.raises(ParseError, match=says):
        tempo.load(spec)


@given(st.text(max_size=30))
def test_any_text_is_a_game_or_refused(text: str) -> None:
    if refusal(tempo.load, text) is None:
        assert tempo.load(tempo.load(text).spec) == tempo.load(text)


def test_a_game_tells_about_itself(game: Game) -> None:
    assert game.spec.startswith(game.name)
    assert game.rules_version.startswith(f"{game.name}-rules/")
    assert game.summary
    assert len(game.seat_names) == len(game.teams) == game.seats
    assert len(set(game.seat_names)) == game.seats
    assert game.move_numbers > 0
    assert game.length_bound > 0
    assert repr(game) == f"<game {game.spec}, {game.rules_version}>"
    for field in game.option_fields:
        assert field.name
        assert field.default
        assert field.choices
        assert field.help


def test_games_are_known_by_name(toy: Game) -> None:
    assert games.names() == game_data.NAMES
    assert toy.is_hidden
    assert toy.is_dealt
    assert not tempo.load("chess").is_hidden


def test_the_toy_is_gone_after_its_test() -> None:
    assert "quarrel" not in games.names()


def test_only_dealt_games_take_a_seed() -> None:
    with pytest.raises(ParseError, match="takes no seed"):
        tempo.load("chess").start(seed=1)
    toy = game_data.load("quarrel")
    assert toy.start(seed=1) == toy.start(seed=1)
    assert len({toy.start(seed=seed) for seed in range(50)}) > 40


# Positions


def test_the_example_of_the_style_page() -> None:
    game: Any = tempo.load("gomoku(size=15)")
    position = game.start().play("h8").play("j9")
    assert "k10" in position.legal_moves
    assert "h8" not in position.legal_moves
    assert "nonsense" not in position.legal_moves
    assert len(position.legal_moves) == 223
    assert position.outcome is None
    with pytest.raises(IllegalMove, match=r"^h8 is occupied \(gomoku, move 3\)$"):
        position.play("h8")
    assert repr(position) == f"<gomoku {position.text}>"
    assert str(position) == position.board


def test_positions_are_values() -> None:
    game: Any = tempo.load("gomoku(size=5)")
    one, other = game.start().play("a1").play("b2").play("c3"), game.start().play("c3").play("b2")
    other = other.play("a1")
    assert one == other  # the same stones, however they came
    assert hash(one) == hash(other)
    assert len({one, other, game.start()}) == 2
    assert one != game.start()
    assert (one == 3, one != "x", one == None) == (False, True, False)  # noqa: E711
    larger: Any = tempo.load("gomoku(size=6)")
    assert larger.start() != game.start()
    five: Any = tempo.load("gomoku(size=5,rule=exactly_five)")
    assert five.start() != game.start()
    assert tempo.load("chess").start() != game.start()


def test_legal_moves_are_a_lazy_ordered_set() -> None:
    position: Any = tempo.load("gomoku(size=5)").start().play("a1")
    moves = position.legal_moves
    assert list(moves) == list(range(1, 25))
    assert (moves[0], moves[-1], moves[23]) == (1, 24, 24)
    assert (12 in moves, 0 in moves, -1 in moves, 25 in moves, 2**40 in moves) == (
        True, False, False, False, False,
    )  # fmt: skip
    assert repr(moves).startswith("{b1, c1, d1")
    for index in (24, -25, 2**31):
        with pytest.raises(IndexError):
            moves[index]


@pytest.mark.parametrize("move", [None, 1.5, b"a1", ["a1"], (1,)])
def test_what_is_no_move_is_a_type_error(move: Any) -> None:
    position: Any = tempo.load("gomoku(size=5)").start()
    with pytest.raises(TypeError):
        position.play(move)


@pytest.mark.parametrize("move", [-1, 25, 65535, 65536, 2**31 - 1, 2**40])
def test_numbers_off_the_board(move: int) -> None:
    position: Any = tempo.load("gomoku(size=5)").start()
    with pytest.raises(IllegalMove, match="0 to 24"):
        position.play(move)
    with pytest.raises(IllegalMove, match="0 to 24"):
        position.move_text(move)


def test_numpy_numbers_are_moves() -> None:
    np = pytest.importorskip("numpy")
    position: Any = tempo.load("gomoku(size=5)").start()
    assert position.play(np.int64(3)) == position.play(3)
    assert position.play(np.uint16(3)) == position.play(3)


def test_outcomes_compare_and_print() -> None:
    game: Any = tempo.load("gomoku(size=5)")
    position = game.parse("xxxx1/oooo1/5/5/5 x").play("e5")
    end = position.outcome
    assert (end.reason, end.scores) == ("five in a row", (1.0, -1.0))
    assert end == game.parse("xxxxx/oooo1/5/5/5 o").outcome
    assert "five in a row" in repr(end)
    assert position.is_over
    assert len(position.legal_moves) == 0
    with pytest.raises(IllegalMove, match="the game is over: five in a row"):
        position.play("a1")


def test_overlines() -> None:
    """Six in a row: five or more wins in free-style, and is nothing where exactly five win."""
    board = "xx1xxx1/oo1oo2/7/o6/7/7/7 x"
    free: Any = tempo.load("gomoku(size=7)").parse(board)
    strict: Any = tempo.load("gomoku(size=7,rule=exactly_five)").parse(board)
    assert free.play("c7").outcome.reason == "five in a row"
    assert strict.play("c7").outcome is None


def test_views_of_open_games_are_the_position() -> None:
    position: Any = tempo.load("chess").start()
    assert position.view("white") == position.view(1) == position
    for seat in ("green", 2, -1, 0.0):
        with pytest.raises(ParseError, match="0 or 'white', 1 or 'black'"):
            position.view(seat)


def test_views_of_hidden_games_show_what_a_seat_may_know() -> None:
    position: Any = game_data.load("quarrel").parse("123/231/312/123 n -")
    view = position.view("east")
    assert view.text == "???/231/???/??? n -"
    assert list(view.legal_moves) == []  # it is not east's turn
    assert list(position.view("north").legal_moves) == list(position.legal_moves)
    assert view != position.view("north")
    for number in (-1, 15, 70000):
        with pytest.raises(IllegalMove, match="0 to 14"):
            view.move_text(number)
    assert not hasattr(view, "play")


@pytest.mark.parametrize("spec", game_data.SPECS)
def test_drawings_are_well_formed(spec: str) -> None:
    game = game_data.load(spec)
    position: Any = game.start()
    for _ in range(5):
        picture = position.svg()
        root = ElementTree.fromstring(picture)
        assert root.tag == f"{SVG}svg"
        title = root.find(f"{SVG}title")
        assert title is not None
        assert title.text
        assert game.spec in title.text
        position = position.play(position.legal_moves[-1])


def test_drawings_show_the_stones_and_the_pieces() -> None:
    position: Any = tempo.load("gomoku(size=5)").start().play("a1").play("e5")
    root = ElementTree.fromstring(position.svg())
    circles = [c for c in root.iter(f"{SVG}circle") if float(c.get("r", "0")) > 10]
    places = [(float(c.get("cx", "0")), float(c.get("cy", "0"))) for c in circles]
    assert len(places) == 2
    (left, right) = sorted(places)
    assert left[1] > right[1]  # a1 is at the bottom
    chess = ElementTree.fromstring(tempo.load("chess").start().svg())
    figures = [
        frozenset(path.get("d") for path in group.iter(f"{SVG}path"))
        for group in chess.iter(f"{SVG}g")
    ]
    assert len(figures) == 32
    assert sorted(figures.count(one) for one in set(figures)) == [2, 2, 4, 4, 4, 16]


def test_symmetries_out_of_range() -> None:
    position: Any = tempo.load("gomoku(size=5)").start()
    for number in (-1, 8):
        with pytest.raises(ParseError, match="symmetries 0 to 7"):
            position.transformed(number)


def test_a_finished_game_refuses_everything_alike() -> None:
    """A game that repetition ended: listed, asked, played or read, no move is left."""
    position: Any = tempo.load("chess").start()
    for move in ("g1f3", "g8f6", "f3g1", "f6g8") * 2:
        position = position.play(move)
    assert position.outcome.reason == "threefold repetition"
    number = tempo.load("chess").start().parse_move("e2e4")
    assert len(position.legal_moves) == 0
    assert "e2e4" not in position.legal_moves
    assert number not in position.legal_moves
    assert not position.is_legal(number)
    for refuse in (position.play, position.parse_move):
        with pytest.raises(IllegalMove, match="the game is over: threefold repetition"):
            refuse("e2e4")
    for refuse in (position.play, position.move_text, position.san):
        with pytest.raises(IllegalMove, match="the game is over: threefold repetition"):
            refuse(number)


# Texts


@given(spec=st.sampled_from(game_data.SPECS), choices=st.lists(st.integers(0, 10**6), max_size=60))
def test_any_sequence_of_moves_reads_back(spec: str, choices: list[int]) -> None:
    game = game_data.load(spec)
    position: Any = game.start()
    texts = []
    for choice in choices:
        if position.is_over:
            break
        moves = position.legal_moves
        move = moves[choice % len(moves)]
        texts.append(position.move_text(move))
        assert position.parse_move(texts[-1]) == move
        position = position.play(move)
    again: Any = game.start()
    for text in texts:
        again = again.play(text)
    assert again == position
    assert game.parse(position.text) == position
    assert game.parse(position.text).text == position.text


@given(spec=st.sampled_from(game_data.SPECS), text=st.text(max_size=40))
def test_any_text_is_a_move_or_refused(spec: str, text: str) -> None:
    position: Any = game_data.load(spec).start()
    legal = refusal(position.parse_move, text) is None
    assert legal == (text in position.legal_moves)
    if legal:
        assert position.is_legal(position.parse_move(text))


@given(spec=st.sampled_from(game_data.SPECS), text=st.text(max_size=80))
def test_any_text_is_a_position_or_refused(spec: str, text: str) -> None:
    game = game_data.load(spec)
    if refusal(game.parse, text) is None:
        assert game.parse(text).check() == ""


@given(st.text(alphabet="kqrbnpKQRBNP12345678/ wb-abcdefgh0", max_size=90))
def test_texts_that_look_like_fens(text: str) -> None:
    chess = tempo.load("chess")
    for fen in (text, f"{text} w - - 0 1", f"4k3/8/8/8/8/8/8/4K3 {text}"):
        if refusal(chess.parse, fen) is None:
            position = chess.parse(fen)
            assert position.check() == ""
            assert chess.parse(position.text) == position


# Docstrings


def modules() -> list[str]:
    found = ["tempo"]
    for module in pkgutil.walk_packages(tempo.__path__, "tempo."):
        if not module.name.startswith("tempo._core"):
            found.append(module.name)
    return found


@pytest.mark.parametrize("name", modules())
def test_examples_in_docstrings(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert failed == 0


# What a newcomer meets first shows how it is used.
SHOWN = {
    "tempo.agents": ["load", "names"],
    "tempo.agents.search": ["AlphaBetaAgent", "MonteCarloAgent"],
    "tempo.arena": ["match", "tournament", "rate"],
    "tempo.explore": ["schedule", "greedy", "epsilon_greedy"],
    "tempo.games": ["Game", "load", "names"],
    "tempo.games.protocol": ["Batch", "Moves", "Position", "View"],
    "tempo.recipes": ["names", "read"],
    "tempo.td": ["td", "td_leaf", "td_stem", "tree_strap", "sarsa", "q_learning", "truncated"],
}


@pytest.mark.parametrize("module", SHOWN)
def test_what_a_newcomer_meets_first_has_an_example(module: str) -> None:
    home = importlib.import_module(module)
    assert all(">>>" in (getattr(home, name).__doc__ or "") for name in SHOWN[module])
