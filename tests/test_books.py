"""Opening books: how they are read and refused, what is drawn from them, and how they are made."""

from __future__ import annotations

import importlib.util
from collections import Counter
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

import tempo
from tempo import agents
from tempo.agents.base import Cost
from tempo.errors import ParseError
from tempo.games import book
from tempo.games.protocol import Position
from tempo.protocols.gomocup import GomocupServer
from tempo.protocols.server import UGI, USI, EngineServer

ROOT = Path(__file__).resolve().parent.parent
SMALL = """# a remark
game gomoku
- : h8 1 0.2
h8 : h7 3 -0.4, i9 1 -0.5   # another
h8 h7 g9 : g6 1 -0.45
"""
STRONG = {"gomoku": "gomoku-strong:nodes=300", "shogi": "shogi-strong:nodes=300"}


def after(moves: str, game: str = "gomoku") -> Position:
    position: Position = tempo.load(game).start()
    for move in moves.split():
        position = position.play(move)
    return position


def texts(known: book.Book, moves: str) -> list[str]:
    position = after(moves, known.game.spec)
    return [position.move_text(reply.move) for reply in known.replies(position)]


def position_texts(line: tuple[int, ...]) -> list[str]:
    position, said = after(""), []
    for move in line:
        said.append(position.move_text(move))
        position = position.play(move)
    return said


def first_moves(spec: str, game: str, seed: int, plies: int = 8) -> str:
    agent, position = agents.load(spec), after("", game)
    agent.reset(seed)
    moves = []
    for _ in range(plies):
        move = agent.choose(position).move
        moves.append(position.move_text(move))
        position = position.play(move)
    return " ".join(moves)


@pytest.fixture
def small(tmp_path: Path) -> str:
    path = tmp_path / "small.txt"
    path.write_text(SMALL)
    return str(path)


def test_a_book_is_read() -> None:
    known = book.parse(SMALL, "small")
    assert len(known) == 3
    assert known.game.spec == "gomoku"
    position = after("h8")
    replies = [(position.move_text(r.move), r.weight, r.value) for r in known.replies(position)]
    assert replies == [("h7", 3, -0.4), ("i9", 1, -0.5)]
    assert texts(known, "h8 g8 a1") == []


def test_positions_are_found_in_any_order_of_moves() -> None:
    assert texts(book.parse(SMALL, "small"), "g9 h7 h8") == ["g6"]
    text = "game shogi\n7g7f 3c3d 2g2f : 8c8d 1 0.0"
    assert texts(book.parse(text, "shogi"), "2g2f 3c3d 7g7f") == ["8c8d"]


def test_positions_are_found_from_any_side() -> None:
    known = book.parse(SMALL, "small")
    whole = after("h8 h7 g9")
    move = whole.parse_move("g6")
    for symmetry in range(8):
        seen = getattr(whole, "transformed")(symmetry)  # noqa: B009 - of games with symmetries
        expected = getattr(whole, "transformed_move")(move, symmetry)  # noqa: B009
        assert [reply.move for reply in known.replies(seen)] == [expected]


def test_a_symmetric_position_has_its_replies_at_every_side() -> None:
    known, position, random = book.parse(SMALL, "small"), after("h8"), Random(1)
    drawn = {position.move_text(known.replies(position, random)[0].move) for _ in range(100)}
    assert drawn == {"h7", "h9", "g8", "i8"}


def test_moves_are_drawn_by_their_weights(small: str) -> None:
    agent, position = agents.load(f"gomoku-strong:nodes=300,book={small}"), after("h8")
    counted: Counter[bool] = Counter()
    for seed in range(400):
        agent.reset(seed)
        text = position.move_text(agent.choose(position).move)
        counted[text in ("h7", "h9", "g8", "i8")] += 1
    assert 260 <= counted[True] <= 340, "three of four, within 4.6 standard deviations"


def test_a_choice_of_the_book_is_like_any_other(small: str) -> None:
    agent = agents.load(f"gomoku-strong:nodes=300,book={small}")
    choice = agent.choose(after("h8 h7 g9"))
    assert (choice.values, choice.cost) == ((0.45, -0.45), Cost())
    assert choice.line == (choice.move,)
    first = agent.choose(after(""))
    assert position_texts(first.line) == ["h8", "h7"], "how the book goes on"
    assert first.candidates[0].values == first.values == (0.2, -0.2)


def test_out_of_the_book_is_searched(small: str) -> None:
    plain, opened = (agents.load(f"gomoku-strong:nodes=300{b}") for b in ("", f",book={small}"))
    position = after("h8 h7 g9 g8")
    assert opened.choose(position) == plain.choose(position)
    smaller = after("e5", "gomoku(size=9)")
    assert agents.load("gomoku-strong:nodes=300,book=yes").choose(smaller) == plain.choose(smaller)


@pytest.mark.parametrize("game", STRONG)
def test_shipped_books_are_whole_and_varied(game: str) -> None:
    known = book.shipped(tempo.load(game))
    assert known is not None
    assert len(known) >= 300
    file = tempo.load(game).description.book(tempo.load(game))
    assert file is not None
    assert len(file.read_bytes()) < 60_000
    spec = f"{STRONG[game]},book=yes"
    games = [first_moves(spec, game, seed) for seed in range(50)]
    assert len(set(games)) >= 25
    assert games[:3] == [first_moves(spec, game, seed) for seed in range(3)], "a seed, a game"
    assert len({first_moves(STRONG[game], game, seed) for seed in range(3)}) == 1, "without it"


def test_a_copy_has_the_book(small: str) -> None:
    agent = agents.load(f"gomoku-strong:nodes=300,book={small}")
    copied = getattr(agent, "clone")()  # noqa: B009 - agents need not have it
    assert copied.choose(after("h8 h7 g9")).cost == Cost()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no position in it"),
        ("game gomoku", "no position in it"),
        ("- : h8 1 0.2", "line 1: a book begins with its game, such as 'game gomoku', not"),
        ("game go\n- : h8 1 0", "line 1: there is no game 'go'"),
        ("game siguo\n- : h8 1 0", "line 1: siguo has no books"),
        ("game gomoku\nh8 h7", "line 2: expected 'MOVES : MOVE WEIGHT VALUE, ...', not 'h8 h7'"),
        ("game gomoku\n- : h8 1", "line 2: expected MOVE WEIGHT VALUE, not 'h8 1'"),
        ("game gomoku\n- : h8 0 0", "line 2: a weight is from 1 to 1,000,000, not '0'"),
        ("game gomoku\n- : h8 1 nan", "line 2: a value is from -1 to 1, not 'nan'"),
        ("game gomoku\n- : h8 1 0, h8 1 0", "line 2: a reply is given twice"),
        ("game gomoku\nh8 : h7 1 0\nh8 : g8 1 0", "line 3: the position is given twice"),
        ("game gomoku\nh8 h8 : h7 1 0", "line 2: "),
        ("game gomoku\nh8 : h8 1 0", "line 2: "),
        ("game shogi\n- : 7g7e 1 0", "line 2: "),
    ],
)
def test_what_is_no_book_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "b.txt"
    path.write_text(text)
    with pytest.raises(ParseError) as refused:
        agents.load(f"gomoku-strong:book={path}")
    assert message in str(refused.value)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_books_of_other_games_and_missing_ones_are_refused(small: str, tmp_path: Path) -> None:
    with pytest.raises(ParseError, match=r"is a book of gomoku, not of gomoku\(size=9\)"):
        agents.load(f"gomoku-strong:book={small}").choose(after("", "gomoku(size=9)"))
    with pytest.raises(ParseError, match="is a book of gomoku, not of shogi"):
        agents.load(f"shogi-strong:book={small}").choose(after("", "shogi"))
    with pytest.raises(ParseError, match="there is no book 'true': No such file"):
        agents.load("gomoku-strong:book=true")
    binary = tmp_path / "b.txt"
    binary.write_bytes(b"\xff\xfe")
    with pytest.raises(ParseError, match="it is not UTF-8 text"):
        agents.load(f"gomoku-strong:book={binary}")


# ---- engines -------------------------------------------------------------------------------------


def asked(server: EngineServer, *lines: str) -> None:
    server.serve(lines)


@pytest.mark.parametrize(("book_set", "default"), [("", "false"), (",book=yes", "true")])
def test_the_option_of_usi(book_set: str, default: str) -> None:
    said: list[str] = []
    server = EngineServer(USI, f"shogi-strong:nodes=300{book_set}", said.append)
    asked(server, "usi")
    assert f"option name USI_OwnBook type check default {default}" in said
    for value, played in (("true", True), ("false", False)):
        del said[:]
        asked(
            server, f"setoption name USI_OwnBook value {value}", "position startpos", "go nodes 9"
        )
        (told,) = [line for line in said if line.startswith("info")][-1:]
        assert ("nodes" not in told) == played, told
        assert said[-1].startswith("bestmove ")
    asked(server, "setoption name USI_OwnBook value maybe")
    assert said[-1] == "info string error: USI_OwnBook takes true or false, not 'maybe'"


def test_an_analysis_does_not_open_the_book() -> None:
    said: list[str] = []
    server = EngineServer(UGI, "gomoku-strong:nodes=300,book=yes", said.append, "gomoku")
    asked(server, "ugi", "position startpos moves h8", "go infinite", "stop")
    assert "option name OwnBook type check default true" in said
    assert " nodes " in next(line for line in reversed(said) if line.startswith("info"))


def test_agents_without_books_have_no_such_option() -> None:
    said: list[str] = []
    asked(EngineServer(USI, "alphabeta", said.append), "usi")
    assert not any("OwnBook" in line for line in said)


def test_a_brain_of_gomocup_plays_from_the_book(small: str) -> None:
    said: list[str] = []
    GomocupServer(f"gomoku-strong:nodes=300,book={small}", said.append).serve(
        ["START 15", "BOARD", "7,7,2", "7,8,1", "6,6,2", "DONE"]
    )
    assert said == ["OK", "6,9"], "g6"


# ---- making them ---------------------------------------------------------------------------------


def tool() -> ModuleType:
    found = importlib.util.spec_from_file_location("make_book", ROOT / "tools" / "make_book.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def run(monkeypatch: pytest.MonkeyPatch, made: ModuleType, out: Path, most: int = 6) -> str:
    listed = f"--agent gomoku-strong:nodes=2000,exact=yes --plies 4 --most {most} --out {out}"
    monkeypatch.setattr("sys.argv", ["make_book.py", "gomoku", *listed.split()])
    made.main()
    return out.read_text()


def test_making_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = tool()
    whole = run(monkeypatch, made, tmp_path / "whole.txt")
    assert len(book.parse(whole, "whole")) == 6

    calls, choose = [], made.Searched.values

    def stops(self: object, moves: tuple[str, ...], position: Position) -> object:
        calls.append(moves)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return choose(self, moves, position)

    monkeypatch.setattr(made.Searched, "values", stops)
    with pytest.raises(KeyboardInterrupt):
        run(monkeypatch, made, tmp_path / "again.txt")
    part = tmp_path / "again.txt.part"
    kept = part.read_text()
    assert len(kept.splitlines()) == 4, "the command and three positions"
    part.write_text(kept + "h8 i9 : h7")  # cut off while it was written
    with pytest.raises(ParseError, match="the work of another command"):
        run(monkeypatch, made, tmp_path / "again.txt", most=5)
    assert run(monkeypatch, made, tmp_path / "again.txt") == whole
    assert not part.exists()


def test_weights_fall_with_the_loss_of_value() -> None:
    made, start = tool(), after("h8")
    valued = [("h7", -0.40), ("g8", -0.40), ("i9", -0.42), ("h6", -0.45), ("h5", -0.46)]
    kept = made.replies_of(start, tempo.load("gomoku"), valued, 4, 0.05)
    assert [move for move, _, _ in kept] == ["h7", "i9", "h6"], "g8 is h7 turned, h5 too bad"
    assert [weight for _, weight, _ in kept] == [100, 30, 5]
