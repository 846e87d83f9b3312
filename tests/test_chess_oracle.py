"""Chess against python-chess (a test oracle, nothing the package uses): 100,000 random positions.

Games of random moves from the start and from random sparse set-ups, so that endings, promotions, en
passant and castling occur. Chunks are tests of their own, each with its seed in its name.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import chess
import pytest

import tempo

CHUNKS = 20
POSITIONS = 5000  # in each chunk
TEXTS_EVERY = 4  # SAN of every move and FEN, which the oracle writes slowly
GAME = tempo.load("chess")
PAWNS = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
QUEENS = "4k3/8/8/8/8/8/QQR5/4K3 w - - 0 1"  # mates and stalemates come soon
CLAIMED: dict[str, Any] = {"claim_draw": False}
REASONS = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "insufficient material",
    chess.Termination.SEVENTYFIVE_MOVES: "seventy-five-move rule",
    chess.Termination.FIVEFOLD_REPETITION: "fivefold repetition",
    chess.Termination.FIFTY_MOVES: "fifty-move rule",
    chess.Termination.THREEFOLD_REPETITION: "threefold repetition",
}


def sparse_board(random: Random) -> chess.Board:
    """Kings and a few men anywhere they may be, sometimes with castling rights or an en passant."""
    while True:
        board = chess.Board(None)
        homes = random.random() < 0.3
        squares = random.sample(chess.SQUARES, 2)
        board.set_piece_at(chess.E1 if homes else squares[0], chess.Piece.from_symbol("K"))
        board.set_piece_at(chess.E8 if homes else squares[1], chess.Piece.from_symbol("k"))
        if homes:
            for corner, letter in (
                (chess.A1, "R"),
                (chess.H1, "R"),
                (chess.A8, "r"),
                (chess.H8, "r"),
            ):
                if random.random() < 0.6:
                    board.set_piece_at(corner, chess.Piece.from_symbol(letter))
            board.castling_rights = board.rooks
        for _ in range(random.randint(1, 9)):
            square = random.choice(chess.SQUARES)
            if board.piece_at(square) is None:
                board.set_piece_at(
                    square, chess.Piece.from_symbol(random.choice("PPPPNBRQppppnbrq"))
                )
        board.turn = random.random() < 0.5
        board.halfmove_clock = random.choice((0, 0, 30, 90, 97))
        if board.is_valid() and acceptable(board):
            return board


def first_board(random: Random) -> chess.Board:
    kind = random.random()
    if kind < 0.35:
        return chess.Board()
    if kind < 0.55:
        return chess.Board(random.choice((PAWNS, QUEENS)))
    return sparse_board(random)


def chosen_move(board: chess.Board, moves: list[chess.Move], random: Random) -> chess.Move:
    """Any move, but now and then a rare one where there is one."""
    if random.random() < 0.5:
        rare = [m for m in moves if board.is_en_passant(m) or board.is_castling(m)]
        if rare:
            return random.choice(rare)
    return random.choice(moves)


def acceptable(board: chess.Board) -> bool:
    """Our reader refuses some checks that the oracle lets pass; such set-ups are drawn again."""
    try:
        GAME.parse(board.fen(en_passant="legal"))
    except tempo.ParseError:
        return False
    return True


def outcome_of(board: chess.Board) -> chess.Outcome | None:
    """As our default rules end games: claims are taken at once, mates and dead draws come first."""
    end = board.outcome(**CLAIMED)
    if end is not None:
        return end
    if board.halfmove_clock >= 100:
        return chess.Outcome(chess.Termination.FIFTY_MOVES, None)
    if board.is_repetition(3):
        return chess.Outcome(chess.Termination.THREEFOLD_REPETITION, None)
    return None


def scores_of(end: chess.Outcome) -> tuple[float, float]:
    if end.winner is None:
        return (0.0, 0.0)
    return (1.0, -1.0) if end.winner else (-1.0, 1.0)


def about(board: chess.Board) -> str:
    """How a position came about; put together only where it is needed."""
    first = board.root().fen(en_passant="legal")
    return f"{first} {' '.join(map(str, board.move_stack))}"


def agree_on_the_end(position: Any, board: chess.Board) -> bool:
    expected = outcome_of(board)
    found = position.outcome
    if expected is None:
        assert found is None, about(board)
        return False
    assert found is not None, about(board)
    assert found.reason == REASONS[expected.termination], about(board)
    assert found.scores == scores_of(expected), about(board)
    assert len(position.legal_moves) == 0, about(board)
    return True


def agree_on_moves(position: Any, board: chess.Board, moves: list[chess.Move]) -> None:
    found = [position.move_text(move) for move in position.legal_moves]
    assert sorted(found) == sorted(move.uci() for move in moves), about(board)
    assert position.in_check == board.is_check(), about(board)
    assert position.turn == (0 if board.turn else 1), about(board)


def agree_on_texts(position: Any, board: chess.Board, moves: list[chess.Move]) -> None:
    fen = board.fen(en_passant="legal")
    assert position.text == fen, about(board)
    assert GAME.parse(fen) == position, about(board)
    for move in moves:
        san = board.san(move)
        number = position.parse_move(move.uci())
        assert position.san(number) == san, about(board)
        assert position.parse_move(san) == number, about(board)


def play_and_compare(board: chess.Board, random: Random, limit: int, seen: Counter[str]) -> int:
    """One random game on both; returns the positions compared."""
    first = board.fen(en_passant="legal")
    position: Any = GAME.parse(first)
    for made in range(limit):
        if agree_on_the_end(position, board):
            seen[position.outcome.reason] += 1
            return made + 1
        moves = list(board.legal_moves)
        agree_on_moves(position, board, moves)
        if made % TEXTS_EVERY == 0:
            agree_on_texts(position, board, moves)
        move = chosen_move(board, moves, random)
        seen["en passant"] += board.is_en_passant(move)
        seen["castling"] += board.is_castling(move)
        seen["promotion"] += move.promotion is not None
        position = position.play(move.uci())
        board.push(move)
    return limit


@pytest.mark.parametrize("seed", range(CHUNKS))
def test_random_positions_agree(seed: int) -> None:
    random = Random(seed)
    seen: Counter[str] = Counter()
    left = POSITIONS
    while left > 0:
        board = first_board(random)
        left -= play_and_compare(board, random, min(left, 120), seen)
    for what in ("en passant", "castling", "promotion", "checkmate", "insufficient material"):
        assert seen[what] > 0, f"no {what} among the positions of seed {seed}"


def test_the_other_ends_occur_too() -> None:
    """Rules that random play seldom meets: long quiet endings and the options without claims."""
    strict = tempo.load("chess(repetition=five,quiet=seventy_five)")
    reasons = Counter[str]()
    for seed in range(30):
        random = Random(seed)
        board = chess.Board(random.choice(ENDINGS))
        position: Any = strict.parse(board.fen(en_passant="legal"))
        while True:
            expected = board.outcome(claim_draw=False)
            found = position.outcome
            about = f"{board.fen()} (seed {seed})"
            assert (expected and REASONS[expected.termination]) == (found and found.reason), about
            if found is not None:
                reasons[found.reason] += 1
                break
            # Two moves to choose from: the kings come back again and again.
            moves = sorted(board.legal_moves, key=str)
            move = random.choice(moves[:2] if seed % 2 else moves)
            board.push(move)
            position = position.play(move.uci())
    assert reasons["seventy-five-move rule"] > 0
    assert reasons["fivefold repetition"] > 0


ENDINGS = (
    "8/8/8/8/8/2k5/7r/K7 w - - 100 120",
    "7k/8/8/8/8/8/r7/7K b - - 60 80",
    "k7/p7/P7/8/8/8/8/K7 w - - 0 50",
)


INVALID = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e4 0 1",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "kk6/8/8/8/8/8/8/K7 w - - 0 1",
    "k7/8/K7/8/8/8/8/P7 w - - 0 1",
    "kK6/8/8/8/8/8/8/8 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/4K3 w KQkq - 0 1",
    "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
    "PPPPPPPP/PPPPPPPP/PPPPPPPP/k7/8/8/8/K7 w - - 0 1",
)


@pytest.mark.parametrize("fen", INVALID)
def test_both_refuse_what_cannot_be(fen: str) -> None:
    with pytest.raises(tempo.ParseError) as refused:
        GAME.parse(fen)
    assert fen in str(refused.value)
    try:
        valid = chess.Board(fen).is_valid() and len(fen.split()) == 6
    except ValueError:
        valid = False
    assert not valid


def test_damaged_texts_mean_the_same_to_both() -> None:
    """Whatever we accept the oracle finds valid; we are the stricter reader."""
    random = Random(7)
    letters = "KQRBNPkqrbnp12345678/ wb-acfgh36"
    accepted = 0
    for _ in range(4000):
        text = list(sparse_board(random).fen() if random.random() < 0.1 else chess.STARTING_FEN)
        for _ in range(random.randint(1, 2)):
            text[random.randrange(len(text))] = random.choice(letters)
        fen = "".join(text)
        try:
            position = GAME.parse(fen)
        except tempo.ParseError:
            continue
        accepted += 1
        board = chess.Board(fen)
        assert board.is_valid(), fen
        assert position.text == board.fen(en_passant="legal"), fen
    assert accepted > 20
