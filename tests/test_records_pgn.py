"""PGN: read strictly, written in one form, and the same moves as python-chess finds."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutations import mutated

import tempo
from tempo.errors import IllegalMove, ParseError
from tempo.games.chess import pgn
from tempo.games.chess.pgn import Annotated, Node
from tempo.games.record import Record

FOOLS = '[White "Ann"]\n[Black "Ben"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'
WITH_ALL = """% a line that programs may use for themselves
[Event "A \\"grand\\" \\\\ event"]
[Site "?"]
[Date "2024.??.??"]
[Round "-"]
[White "Ann"]
[Black "Ben"]
[Result "1-0"]
[ECO "C20"]
[Termination "time forfeit"]

{Before all.} 1. e4! e5 ; to the end of the line }
2. Bc4 $10 $14 Nc6 (2... Nf6 {solid} 3. d3 (3. Nc3 $1) 3... Be7) ({or} 2... Bc5)
3. Qh5 g6 1-0
"""


def random_game(seed: int, length: int = 120) -> tuple[Record, Any]:
    """A random game of ours, broken off or ended, from the start or from a few moves on."""
    stream = random.Random(seed)
    position: Any = tempo.load("chess").start()
    for _ in range(stream.choice((0, 0, 1, 7))):
        position = position.play(stream.choice(list(position.legal_moves)))
    start = position.text
    moves: list[int] = []
    while not position.is_over and len(moves) < stream.randint(0, length):
        moves.append(stream.choice(list(position.legal_moves)))
        position = position.play(moves[-1])
    end = position.outcome
    result = stream.choice(("?", "W+", "B+R", "W+T", "B+F", "0"))
    if end is not None:
        result = "0" if end.scores[0] == 0 else "W+" if end.scores[0] > 0 else "B+"
    return Record(
        "chess", tuple(moves), start, {"PW": "Ann", "EV": 'The "Cup" \\'}, result
    ), position


def texts(record: Record) -> list[str]:
    """The moves as UCI."""
    found = []
    for position, move in zip(record.positions(), record.moves, strict=False):
        found.append(position.move_text(move))
    return found


# ---- with python-chess as the judge ------------------------------------------------------------


@pytest.mark.parametrize("seed", range(25))
def test_python_chess_reads_what_is_written(seed: int) -> None:
    record, last = random_game(seed)
    text = pgn.write(record)
    theirs = chess.pgn.read_game(io.StringIO(text))
    assert theirs is not None
    assert not theirs.errors
    assert [move.uci() for move in theirs.mainline_moves()] == texts(record)
    assert theirs.end().board().fen(en_passant="legal").split()[0] == last.text.split()[0]
    assert theirs.headers["White"] == "Ann"
    assert theirs.headers["Event"] == r"The \"Cup\" \\"  # it leaves escapes as they are
    assert pgn.read(text) == record
    assert pgn.write(pgn.read(text)) == text


@pytest.mark.parametrize("seed", range(25))
def test_what_python_chess_writes_is_read(seed: int) -> None:
    stream = random.Random(1000 + seed)
    game = chess.pgn.Game()
    node: Any = game
    board = game.board()
    while not board.is_game_over(claim_draw=True) and board.ply() < 80:
        move = stream.choice(list(board.legal_moves))
        if stream.random() < 0.1:
            other = stream.choice(list(board.legal_moves))
            node.add_variation(other, comment="tried")
        node = node.add_main_variation(move, comment=stream.choice(("", "so", "%clk 0:01")))
        node.nags |= {stream.randrange(256)} if stream.random() < 0.1 else set()
        board.push(move)
    game.headers["Result"] = board.result(claim_draw=True)
    found = pgn.read_annotated(str(game), pgn.CLAIMED)
    assert len(found) == 1
    assert texts(found[0].record) == [move.uci() for move in game.mainline_moves()]
    assert len(found[0].nodes) == sum(1 for _ in _all_nodes(game))
    assert pgn.read_annotated(pgn.write_annotated(found), pgn.CLAIMED) == found


def _all_nodes(game: Any) -> Any:
    stack = list(game.variations)
    while stack:
        node = stack.pop()
        yield node
        stack += node.variations


# ---- round trips -------------------------------------------------------------------------------

words = st.text(st.characters(categories=("L", "N", "P", "S")), max_size=12)
comments = st.lists(words, max_size=3).map(lambda found: " ".join(" ".join(found).split()))


@st.composite
def annotated_games(draw: st.DrawFn) -> Annotated:
    """A small tree, numbered as a file tells it: a move, then what could replace it, then more."""
    stream = random.Random(draw(st.integers(0, 10**6)))
    nodes: list[Node] = []
    main: list[int] = []

    def add_line(position: Any, parent: int, length: int, depth: int) -> None:
        for place in range(length):
            if position.is_over:
                return
            moves = list(position.legal_moves)
            stream.shuffle(moves)
            before = draw(comments) if depth and not place else ""
            nags = tuple(draw(st.lists(st.integers(0, 255), max_size=2)))
            nodes.append(Node(moves[0], parent, draw(comments), before, nags))
            number = len(nodes) - 1
            if not depth:
                main.append(moves[0])
            if depth < 3 and place == stream.randrange(length):
                for other in moves[1 : 1 + stream.randrange(3)]:
                    add_variation(position, parent, other, depth + 1)
            position = position.play(moves[0])
            parent = number

    def add_variation(position: Any, parent: int, move: int, depth: int) -> None:
        nodes.append(Node(move, parent, draw(comments), draw(comments)))
        add_line(position.play(move), len(nodes) - 1, stream.randrange(3), depth)

    start: Any = tempo.load("chess").start()
    add_line(start, -1, draw(st.integers(0, 5)), 0)
    opening = draw(comments)
    # Inside a variation's own line only its first move can have words before it.
    plain = [
        node if not node.before or _begins(nodes, i) else Node(*_without_before(node))
        for i, node in enumerate(nodes)
    ]
    record = Record("chess", tuple(main), headers={"C": opening} if opening else {})
    return Annotated(record, tuple(plain))


def _begins(nodes: list[Node], number: int) -> bool:
    siblings = [i for i, node in enumerate(nodes) if node.parent == nodes[number].parent]
    return number != siblings[0]


def _without_before(node: Node) -> tuple[int, int, str, str, tuple[int, ...]]:
    return node.move, node.parent, node.comment, "", node.nags


@given(annotated_games())
@settings(max_examples=60, deadline=None)
def test_a_tree_is_read_as_it_was_written(game: Annotated) -> None:
    text = pgn.write_annotated([game])
    assert pgn.read_annotated(text) == (game,)
    assert all(len(line) < 120 for line in text.splitlines() if ";" not in line)


def test_all_that_a_file_may_say() -> None:
    (game,) = pgn.read_annotated(WITH_ALL)
    record = game.record
    assert record.result == "W+T"
    assert dict(record.headers) == {
        "EV": 'A "grand" \\ event', "DT": "2024.??.??", "RO": "-", "PW": "Ann", "PB": "Ben",
        "ECO": "C20", "C": "Before all.",
    }  # fmt: skip
    assert texts(record) == ["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g7g6"]
    assert game.nodes[0].nags == (1,)
    assert game.nodes[1].comment == "to the end of the line }"
    assert game.nodes[2].nags == (10, 14)
    assert [node.before for node in game.nodes if node.before] == ["or"]
    assert pgn.read_annotated(pgn.write_annotated([game])) == (game,)
    assert pgn.read(WITH_ALL) == record


def test_games_one_after_another_and_files(tmp_path: Path) -> None:
    records = pgn.read_all(FOOLS + "\n" + WITH_ALL + "*")
    assert [len(record.moves) for record in records] == [4, 6, 0]
    path = tmp_path / "games.pgn"
    pgn.write_file(path, records)
    assert pgn.read_file(path) == records
    path.write_bytes('[White "Müller"]\n\n*\n'.encode("latin-1"))
    assert pgn.read_file(path)[0].headers["PW"] == "Müller"


def test_a_start_of_its_own() -> None:
    fen = "8/8/8/8/4k3/8/R7/4K3 b - - 3 40"
    record = pgn.read(f'[SetUp "1"]\n[FEN "{fen}"]\n\n40... Kd3 41. Rh2 *')
    assert record.start == fen
    assert pgn.read(pgn.write(record)) == record
    assert "40... Kd3 41. Rh2 *" in pgn.write(record)


def test_more_than_needed_of_a_square_is_allowed_and_checks_may_be_missing() -> None:
    assert texts(pgn.read("1. e2e4 e7e5 2. Ng1f3 Nb8c6 *"))[2:] == ["g1f3", "b8c6"]
    assert pgn.read("1. f3 e5 2. g4 Qh4 0-1") == pgn.read("1. f3 e5 2. g4 Qh4+ *")


def test_draws_that_people_must_claim() -> None:
    shuffle = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *"
    with pytest.raises(ParseError, match="the game is over"):
        pgn.read(shuffle)
    assert len(pgn.read(shuffle, pgn.CLAIMED).moves) == 9


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1. e4 e5 2. Ke3 *", "line 1, column 13: 2. Ke3 is not legal here"),
        ("1. e4 e5\n2. Bc4 Nc6\n3. d4 Nd4 *", "line 3, column 7: 3... Nd4: expected Nxd4"),
        ("1. e4 e5 2. Nf3+ *", "expected Nf3, [+] for check"),
        ("1. Nf3 d5 2. Nd4 d6 *", "is not legal"),
        ("1. Nc3 a6 2. Nf3 a5 3. Nd4 a4 4. Nb5 *", "Nb5 could be N"),
        ("1. 0-0 *", "capital letters O"),
        ("1. e8Q *", "equals sign"),
        ("1. -- *", "found '-'"),
        ("1. Zz9 *", "is no move"),
        ("1. e4 e5 3. d4 *", "move number 3.; expected 2."),
        ("1... e4 *", "move number 1...; expected 1."),
        ("1. e4 (1. d4 *", r"expected '\)' for the '\(' of line 1, column 7"),
        ("1. e4 ) *", "no variation is open"),
        ("(1. e4) *", "a variation before a move"),
        ("1. e4 () *", "a variation without a move"),
        ("1. e4 {never ends", "never ends"),
        ("1. e4 e5", "ends inside a game"),
        ('[White "Ann]\n*', "a tag that cannot be read"),
        ('[White "A"]\n[White "B"]\n*', "line 2, column 1: White is given twice"),
        ('1. e4 [White "A"] *', "inside the moves"),
        ('[Result "1-0"]\n\n1. e4 0-1', "the moves end with 0-1"),
        ("1. f3 e5 2. g4 Qh4# 1-0", "the board says 0-1 [(]checkmate[)]"),
        ('[FEN "nonsense"]\n*', "line 1, column 1: a FEN"),
        ('[SetUp "1"]\n*', "beside a FEN"),
        ('[Variant "Atomic"]\n*', "expected standard chess"),
        ("$1 1. e4 *", "after a move"),
        ("1. e4 $256 *", "expected [$]0 to [$]255"),
        ("1. e4!!! *", "expected one of ! "),
        ("1. e4 " + "(1. d4 " * 60, "more than 50 variations"),
        ("", "no game"),
    ],
)  # fmt: skip
def test_what_is_refused(text: str, said: str) -> None:
    with pytest.raises(ParseError, match=said):
        pgn.read(text)


def test_what_cannot_be_written() -> None:
    for record in (
        Record("chess", result="W+X"),
        Record("chess", headers={"FEN": "x"}),
        Record("chess", headers={"not a word": "x"}),
        Record("chess", headers={"PW": "two\nlines"}),
        Record("gomoku"),
    ):
        with pytest.raises(ParseError):
            pgn.write(record)


def test_damaged_files_are_read_or_refused() -> None:
    """Nothing but ParseError ever comes out, and what is read is written and read again."""
    stream = random.Random(7)
    pieces = ["(", ")", "{", "}", ";", "$3", "1.", "...", "e4", "O-O", '[A "b"]', "%", "*", "1-0"]
    accepted = 0
    for _ in range(1500):
        text = mutated(stream.choice((FOOLS, WITH_ALL)), pieces, stream)
        try:
            found = pgn.read_annotated(text)
        except ParseError:
            continue
        accepted += 1
        assert pgn.read_annotated(pgn.write_annotated(found)) == found
    assert accepted > 100


def test_an_illegal_move_is_named_as_such() -> None:
    position: Any = tempo.load("chess").start()
    with pytest.raises(IllegalMove, match="Ke2 is not legal"):
        pgn.move_of(position, "Ke2")
