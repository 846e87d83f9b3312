"""Whole games as readable text, tests/data/playthroughs: what changes there has changed the game.

A test run only compares. `make goldens` (python tests/test_playthroughs.py --write) rewrites the
files; look at the difference before you commit it.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator
from textwrap import wrap
from typing import Any

import game_data
import numpy as np
import pytest
from numpy.typing import NDArray

from tempo import testing
from tempo.games import Game
from tempo.games.scene import layout

# Spec, seed and first position (the start if none) of the games; one not named here plays seed 1.
# Chess: castling and a mate; en passant, promotion and a mate; an ending that is drawn.
# Shogi: a mate from the start; one among drops; a declaration. Mini-shogi: a mate; the limit.
# Siguo: the first moves; a mine, a seat without a move and the flags, from a position by hand.
# Jiu: a reversal; chains and flights to the last stones; a Dalian that shuttles on the full board.
PLAYED: dict[str, tuple[tuple[str, int, str], ...]] = {
    "gomoku": (("gomoku(size=7)", 1, ""), ("gomoku(size=6,rule=exactly_five)", 3, "")),
    "chess": (
        ("chess", 1021, ""),
        ("chess", 2567, ""),
        ("chess(quiet=seventy_five)", 5, "8/8/4k3/8/3P4/3K4/8/8 w - - 0 1"),
    ),
    "jiu": (
        ("jiu(size=4)", 34, ""),
        ("jiu(size=6)", 29, ""),
        (
            "jiu",
            8,
            "x1xx3x6/xxxx3x6/14/o1o1o1o1o1o1o1/14/o1o1o1o1o1o1o1/7xxx4/o6xx1x3/7x1xxx1o/8xx4/14/14/14/14"
            " x battle 0 0",
        ),
    ),
    "shogi": (
        ("shogi", 1669, ""),
        (
            "shogi(repetition=perpetual-loses)",
            428,
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        ),
        (
            "shogi(declaration=on)",
            7,
            "K8/R1B1S1G2/P1P1P1P1P/9/9/9/1p1p1p1p1/9/8k b RB2G2S2N5P 200",
        ),
    ),
    "minishogi": (("minishogi", 24, ""), ("minishogi(length=20)", 5, "")),
    "siguo": (
        ("siguo(max_plies=6)", 1, ""),
        (
            "siguo",
            1089,
            "S.F@S62 S.2@W52 S.1@W53 S.9@C4 E.F@E64 E.2@E63 E.M@E54 N.F@N62 N.3@E53 N.B@E55 "
            "W.F@W62 W.M@W63 W.B@C5 turn=S",
        ),
    ),
    "quarrel": (("quarrel", 1, ""), ("quarrel(tokens=2,turns=3)", 2, "")),
}
WIDTH = 96
NAME = "playthroughs"


def playthrough(name: str) -> str:
    lines = [f"# {name}: seeded random games. Rewritten by `make goldens`, never by a test run."]
    for spec, seed, first in PLAYED.get(name, ((name, 1, ""),)):
        lines += ["", *one_game(game_data.load(spec), seed, first)]
    return "\n".join(lines) + "\n"


def one_game(game: Game, seed: int, first: str) -> Iterator[str]:
    positions = list(testing.random_game(game, seed, start=game.parse(first) if first else None))
    yield f"== {game.spec}, {game.rules_version}, seed {seed}, {len(positions) - 1} moves"
    shown = {0, len(positions) // 2, len(positions) - 1}  # with their feature planes
    for i, position in enumerate(positions):
        yield from one_position(game, position, i, planes=i in shown)
        if not position.is_over:
            yield f"> {move_between(position, positions[i + 1])}"
    end = positions[-1].outcome
    scores = (
        f"{seat} {score + 0.0:+g}" for seat, score in zip(game.seat_names, end.scores, strict=True)
    )
    yield f"outcome: {end.reason}; {', '.join(scores)}"


def one_position(game: Game, position: Any, number: int, planes: bool) -> Iterator[str]:
    yield ""
    yield f"-- {number}: {game.seat_names[position.turn]} to move"
    yield position.text
    yield from (line.rstrip() for line in position.board.rstrip("\n").split("\n"))
    texts = " ".join(position.move_text(move) for move in position.legal_moves)
    yield from wrap(f"legal ({len(position.legal_moves)}): {texts}", WIDTH, break_long_words=False)
    if game.is_hidden:
        for seat, name in enumerate(game.seat_names):
            yield f"{name} sees {position.view(seat).text}"
    if planes and hasattr(position, "features"):
        yield from drawn_planes(position.features(), from_top=not begins_below(game))


def begins_below(game: Game) -> bool:
    """Whether the first row of planes is the lowest of the board: where its coordinates begin."""
    board = layout(game, 0)
    heights = {place.id: place.y for place in board.places if place.form != "hand"}
    named = board.deployment.places if board.deployment else heights
    return not heights or heights[min(named)] > max(heights.values()) / 2


def move_between(before: Any, after: Any) -> str:
    move = next(move for move in before.legal_moves if before.play(move) == after)
    text: str = before.move_text(move)
    return f"{text} ({before.san(move)})" if hasattr(before, "san") else text


def drawn_planes(planes: NDArray[np.float32], from_top: bool) -> Iterator[str]:
    """Planes side by side, the way up that the board has: dots for 0, # for 1, else tenths."""
    uneven = []
    for i, plane in enumerate(planes):
        if np.all(plane == plane.flat[0]):
            yield f"plane {i}: {plane.flat[0]:g} everywhere"
        else:
            uneven.append(i)
    width = max(planes.shape[2], 4)
    per_row = WIDTH // (width + 2)
    for first in range(0, len(uneven), per_row):
        chosen = uneven[first : first + per_row]
        yield "  ".join(f"#{i}".ljust(width) for i in chosen).rstrip()
        rows = range(planes.shape[1])
        for row in rows if from_top else reversed(rows):
            yield "  ".join(drawn_row(planes[i, row]).ljust(width) for i in chosen).rstrip()


def drawn_row(row: NDArray[np.float32]) -> str:
    return "".join("." if x == 0 else "#" if x == 1 else str(int(abs(x) * 10)) for x in row)


@pytest.mark.parametrize("name", game_data.NAMES)
def test_playthrough(name: str) -> None:
    game_data.data_lines(NAME, name)
    stored = (game_data.DATA / NAME / f"{name}.txt").read_text()
    found = playthrough(name)
    difference = difflib.unified_diff(
        stored.splitlines(), found.splitlines(), "stored", "found", lineterm="", n=2
    )
    assert stored == found, "\n".join(list(difference)[:60])


def test_a_change_of_one_stone_shows() -> None:
    text = playthrough("gomoku")
    assert text.count("outcome: ") == len(PLAYED["gomoku"])
    assert text.replace("x", "o", 1) != text


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python tests/test_playthroughs.py --write")
    for each in game_data.NAMES:
        path = game_data.DATA / NAME / f"{each}.txt"
        path.write_text(playthrough(each))
        print(f"wrote {path.relative_to(game_data.ROOT)}")
