"""Texts from anywhere: games with options, positions, and what a browser may send.

Each is taken or refused in one sentence; no text is an exception of another kind.
"""

from __future__ import annotations

import json
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import pytest

import tempo
from tempo import games
from tempo.errors import ParseError, TempoError
from tempo.files import write_text

WRONG = (
    "x", "-1", "0", "1", "2.5", "nan", "inf", "1e308", str(10**30), "9" * 5000, "1_0", "٣", "é",
    "\ud800", "\0", "99999999999", "4294967296", "18446744073709551616",
)  # fmt: skip


def fault(action: Any) -> str:
    try:
        action()
    except (ParseError, TempoError, tempo.IllegalMove) as error:
        return str(error) or "\0"
    return ""


@pytest.mark.parametrize("name", games.names())
def test_every_option_of_every_game_with_wrong_values(name: str) -> None:
    """Half a character was a RuntimeError of the binding (std::bad_cast)."""
    for option in tempo.load(name).option_fields:
        for value in WRONG:
            spec = f"{name}({option.name}={value})"
            said = fault(lambda spec=spec: tempo.load(spec).start().text)
            assert said.isprintable(), (spec, said)
            assert len(said) < 600, (spec, said)


@pytest.mark.parametrize(
    "spec",
    ["", "(", "chess(", "chess)", "chess()()", "Chess", "\ud800", "\0", "chess(\ud800=1)",
     "chess(x=1)", "gomoku(size)", "gomoku(size=9,size=9)", "a" * 100_000, "(" * 10_000,
     "gomoku(" + "size=9," * 10_000 + ")", "jiu(profile=\ud800)"],
)  # fmt: skip
def test_what_is_no_game(spec: str) -> None:
    said = fault(lambda: tempo.load(spec))
    assert said
    assert said.isprintable()
    assert len(said) < 600


@pytest.mark.parametrize("name", games.names())
def test_positions_that_are_none(name: str) -> None:
    game = tempo.load(name)
    text = game.start().text
    for wrong in ("", "\ud800", text + "\ud800", "x" * 100_000, "9" * 30_000, text[:-1]):
        fault(lambda wrong=wrong: game.parse(wrong))
    assert "half a character" in fault(lambda: game.parse(text + "\udfff"))
    assert len(fault(lambda: game.parse("x" * 100_000))) < 600


def test_half_a_character_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "record.sgf").write_text("old")
    assert "cannot be written" in fault(lambda: write_text(tmp_path / "record.sgf", "\ud800"))
    assert (tmp_path / "record.sgf").read_text() == "old"


# ---- messages of a browser -----------------------------------------------------------------------

VALUES: list[Any] = [
    None, True, 2.0, -1, 2**70, 1e308, "", "x", "\ud800", "\0", "²", "resign:²", [], [[]], {},
    {"\ud800": 1}, [2.0], ["\ud800"], "9" * 100_000,
]  # fmt: skip


GIVEN = {"table": "a", "ply": 0, "move": 0, "setup": "x", "accept": True, "agent": "random",
         "seat": 0, "name": "x", "game": "gomoku", "seats": [{"kind": "person"}], "kind": "person",
         "invite": "a", "token": "a", "touches": ["a1"]}  # fmt: skip


def kinds() -> list[Any]:
    pytest.importorskip("fastapi", reason="needs the extra `web`")
    from tempo.web import analysis, messages, replay  # noqa: PLC0415

    more = [messages.NewTable, messages.SeatWish, messages.ClockWish, messages.TakeSeat,
            messages.WantRecord, analysis.Asked, replay.Moment, replay.Wanted]  # fmt: skip
    return [*messages._KINDS.values(), *more]


def test_every_field_of_every_message_with_wrong_values() -> None:
    """A seat of 2.0 was an AssertionError; half a character broke the answer that held it."""
    from tempo.web import messages  # noqa: PLC0415

    tried = 0
    for kind in kinds():
        needed = {one.name: GIVEN[one.name] for one in fields(kind) if one.default is MISSING}
        messages.checked(kind, needed, "message")
        for field in fields(kind):
            for value in VALUES:
                raw = json.dumps({**needed, field.name: value}).encode()
                text = ""
                try:
                    data = messages.parse(raw, "message", 10**6)
                    found = messages.checked(kind, data, "message")
                    json.dumps(vars(found), default=str, ensure_ascii=False).encode()
                except messages.Refused as refused:
                    text = refused.text
                assert text.isprintable()
                assert len(text) < 400
                tried += 1
    assert tried > 500


@pytest.mark.parametrize(
    ("seat", "is_one"), [(2, True), (None, True), (2.0, False), (True, False), (4, False)]
)
def test_a_seat_is_a_whole_number(seat: object, is_one: bool) -> None:
    pytest.importorskip("fastapi", reason="needs the extra `web`")
    from tempo.web import replay_line  # noqa: PLC0415

    if is_one:
        assert replay_line.seat(seat) == seat
    else:
        with pytest.raises(ValueError, match="the number of a seat"):
            replay_line.seat(seat)
