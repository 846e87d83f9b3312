"""What networks see of shogi: planes against a slow reference, outputs, mirrors and gains."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
from reference import shogi_planes

import tempo
from tempo.nets.shogi import MATERIAL, PAPER, Shogi, mirrored_cell

BOARDS = ["shogi", "minishogi"]


def under_way(name: str, games: int = 24, seed: int = 1) -> Any:
    """Games of various lengths, none of them over."""
    batch = tempo.load(name).batch(games, seed=seed)
    for i in range(12):
        batch.playout(1 + 3 * i)
        batch.restart(batch.over)
    return batch


def texts(batch: Any) -> list[str]:
    return [batch[i].text for i in range(len(batch))]


@pytest.mark.parametrize("name", BOARDS)
def test_planes_are_those_of_the_reference(name: str) -> None:
    batch = under_way(name)
    batch.playout(1)  # Black and White to move
    expected = np.stack([shogi_planes.planes(text) for text in texts(batch)])
    np.testing.assert_array_equal(batch.features(), expected[:, :63])
    seen = np.asarray(Shogi(tempo.load(name)).planes(batch_stored(name, batch)))
    np.testing.assert_array_equal(seen[:, :67], expected)
    assert expected.any((0, 2, 3)).mean() > (0.9 if name == "shogi" else 0.6)  # they are not empty


def batch_stored(name: str, batch: Any) -> Any:
    return jax.numpy.asarray(Shogi(tempo.load(name)).observe(batch))


def test_hands_and_check_are_seen_by_the_side_to_move() -> None:
    game = tempo.load("shogi")
    text = "4k4/9/9/9/9/9/9/4r4/4K4 b 2Prb 1"
    batch = game.batch(2, start=game.parse(text))
    seen = np.asarray(Shogi(game).planes(batch_stored("shogi", batch)))[0, 67:, 4, 4]
    hands = [2 / 4, 0, 0, 0, 0, 0, 0, *[0, 0, 0, 0, 0, 1, 1]]
    assert seen == pytest.approx([*hands, 1])


@pytest.mark.parametrize("name", BOARDS)
def test_every_legal_move_has_an_output_of_its_own(name: str) -> None:
    encoding = Shogi(tempo.load(name))
    legal = encoding.legal(under_way(name))
    assert (legal.outputs >= 0).all()
    assert (legal.outputs < 27 * encoding.area).all()
    places = legal.games * 27 * encoding.area + legal.outputs
    assert len(np.unique(places)) == len(places)
    bits = np.unpackbits(legal.bits, axis=1, bitorder="little")
    assert bits.sum() == len(places)
    assert bits[legal.games, legal.outputs].all()


def test_outputs_by_hand() -> None:
    table = Shogi(tempo.load("shogi")).outputs

    def number(start: int, end: int, grows: int = 0) -> int:
        return (start * 81 + end) * 2 + grows

    # 7g7f: square 56 to 47, from one row below; kind 1.
    assert table[0, number(56, 47)] == 81 + 47
    # White's 3c3d is the same seen from the other side.
    assert table[1, number(80 - 56, 80 - 47)] == 81 + 47
    # 8h2b+: the bishop comes from below and left, promoting; kind 0 + 10.
    assert table[0, number(64, 16, 1)] == 10 * 81 + 16
    # A knight to 5e, from two rows below on the left; kind 8. A pawn drop is kind 20.
    assert table[0, number(6 * 9 + 3, 4 * 9 + 4)] == 8 * 81 + 40
    assert table[0, number(81, 40)] == 20 * 81 + 40
    # Downwards a knight does not jump, and nothing goes two columns and one row.
    assert table[0, number(0, 19)] == -1
    assert table[0, number(0, 11)] == -1


def test_a_pair_promotes_whenever_it_can() -> None:
    game = tempo.load("shogi")
    encoding = Shogi(game, "pair")
    batch = game.batch(1, start=game.parse("4k4/9/1P7/9/9/9/9/9/4K4 b - 1"))
    legal = encoding.legal(batch)
    texts = {batch[0].move_text(int(move)) for move in legal.moves}
    assert "8c8b+" in texts
    assert "8c8b" not in texts
    assert len(legal.moves) == len(batch[0].legal_moves) - 1
    assert legal.places(np.array([(2 * 9 + 1) * 81 + 9 + 1]))[0] >= 0


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("head", ["joint", "pair"])
def test_a_mirrored_position_has_mirrored_planes_and_outputs(name: str, head: Any) -> None:
    game = tempo.load(name)
    encoding = Shogi(game, head)
    batch, other = under_way(name, 8), game.batch(8)
    for i in range(8):
        other.place(i, game.parse(mirrored_text(batch[i].text)))
    plain, turned = (np.asarray(encoding.planes(jax.numpy.asarray(encoding.observe(b))))
                     for b in (batch, other))  # fmt: skip
    flat = plain.reshape(8, -1)[:, encoding.cells[1]]
    np.testing.assert_array_equal(flat.reshape(plain.shape), turned)
    legal, mirrored = encoding.legal(batch), encoding.legal(other)
    for i in range(8):
        moved = encoding.turned[1][legal.outputs[legal.games == i]]
        assert set(moved.tolist()) == set(mirrored.outputs[mirrored.games == i].tolist())


def mirrored_text(text: str) -> str:
    board, *rest = text.split()
    rows = ["".join(reversed(_tokens(row))) for row in board.split("/")]
    return " ".join(["/".join(rows), *rest])


def _tokens(row: str) -> list[str]:
    tokens: list[str] = []
    for letter in row:
        if tokens and tokens[-1] == "+":
            tokens[-1] += letter
        else:
            tokens.append(letter)
    return tokens


def test_gains_by_hand() -> None:
    game = tempo.load("shogi")
    position = game.parse("4k4/9/1pP6/1P7/9/9/9/9/4K4 b - 1")
    batch = game.batch(4, start=position)
    moves = [position.parse_move(text) for text in ("8d8c", "8d8c+", "7c7b+")]
    given = np.array([*moves, -1], np.int32)
    assert Shogi(game, "pair", "paper").gains(batch, given) == pytest.approx([1, 1, 0, 0])
    # A pawn changes sides: 1 lost and 1 won. Promoted it is worth 6.
    assert Shogi(game).gains(batch, given) == pytest.approx([2, 7, 5, 0])


def test_rewards_are_the_lists_of_the_documents() -> None:
    assert PAPER[0] == (1, 3, 4, 5, 6, 11, 13, 0, 7, 7, 7, 7, 14, 16)
    assert MATERIAL[0][:7] == (2, 6, 7, 10, 12, 16, 20)
    assert MATERIAL[0][8:] == (7, 9, 9.5, 11, 19, 23)
    assert MATERIAL[1] == (5, 3, 2.5, 1, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0)


def test_other_games_are_refused() -> None:
    with pytest.raises(tempo.ParseError, match="not of gomoku"):
        Shogi(tempo.load("gomoku"))
    with pytest.raises(tempo.ParseError, match="there is no reward 'fame'"):
        Shogi(tempo.load("shogi"), "joint", "fame")


def test_the_core_refuses_what_does_not_fit() -> None:
    core: Any = tempo.load("shogi").core
    batch = tempo.load("shogi").batch(2)
    row = np.zeros(14, np.float32)
    with pytest.raises(tempo.ParseError, match="expected one for each of 14 kinds"):
        core.gains(batch, np.zeros(2, np.int32), row[:3], row)
    with pytest.raises(tempo.ParseError, match="there is no move 15000"):
        core.gains(batch, np.full(2, 15000, np.int32), row, row)


def test_mirrored_cells() -> None:
    assert mirrored_cell(np.array([0, 8, 40, 79]), 9).tolist() == [8, 0, 40, 73]
