"""Records in plain text: games without a format of their own."""

from __future__ import annotations

from dataclasses import replace

import pytest

import tempo
from tempo import testing
from tempo.errors import ParseError
from tempo.games import plain
from tempo.games.record import Record
from tempo.web import replay_files

HEAD = "game othello\nrules othello-rules/1.0\n"


@pytest.mark.parametrize("game", ["othello", "othello(size=6)", "minishogi", "gomoku(size=7)"])
def test_reading_undoes_writing(game: str) -> None:
    *_, last = testing.random_game(tempo.load(game), seed=3)
    first = tempo.load(game).start()
    moves: list[int] = []
    position = first
    for _ in range(12):
        moves.append(position.legal_moves[len(moves) % len(position.legal_moves)])
        position = position.play(moves[-1])
    for record in (
        Record(game, tuple(moves), result="B+R"),
        Record(game, (), start=last.text, result="0"),
        Record(game, (position.legal_moves[0],), start=position.text),
    ):
        text = plain.write(record)
        assert plain.read(text) == replace(record, game=tempo.load(game).spec)
        assert plain.write(plain.read(text)) == text
        assert replay_files.recognise(text) is plain.PLAIN


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("game nothing\nmoves\n", "there is no game 'nothing'"),
        ("moves\n", "is not a game"),
        (HEAD, "no line `moves`"),
        (f"{HEAD}{HEAD}moves\n", "line 3: 'game othello'; expected game, rules, start or moves"),
        ("game othello\nrules othello-rules/9.0\nmoves\n", "othello is othello-rules/1.0"),
        (f"{HEAD}moves\nd3\nd3\n", "line 5: .*d3"),
        (f"{HEAD}moves\nd3\nresult perhaps\n", "'perhaps' is no result"),
        (f"{HEAD}start 9/9 x\nmoves\n", "a position of othello is 8 rows"),
        ("game siguo\nmoves\n", "siguo is dealt"),
    ],
)
def test_what_is_wrong_is_said(text: str, says: str) -> None:
    with pytest.raises(ParseError, match=says):
        plain.read(text)
