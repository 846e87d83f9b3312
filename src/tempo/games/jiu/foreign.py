"""Records of Jiu in the formats of other programs, read into our own and, where useful, written.

- `book`: the format of the Amdo rule book (`tempo.games.jiu.book`);
- `open`: the open-tournament lines read by JCAR, a game a line:
  `Stage[1]:W(G,7);...Stage[2]:B(H,7)-O(G,7),FC:W(H,9);`, TC jumped stones, FC taken ones;
- `jq`: the engine strings of JQ_Chess, a turn a line: `A1,A3,C3 TC-A2,B3 FC-E5`;
- `gongjiu`: the game files of GongJiu: `0.h8;` then `198.H6-H8,C4;`, jumped stones left out.

In `open` and `jq` a letter is the column, in the others the row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from tempo import games
from tempo.errors import ParseError
from tempo.games.jiu import PROFILES
from tempo.games.jiu.board import Point
from tempo.games.jiu.book import case_seat, read_book
from tempo.games.jiu.found import (
    Displacement,
    FoundGame,
    Placement,
    numbered_lines,
    play_displacement,
    record_of,
    whole_game,
)
from tempo.games.jiu.turns import PlayedTurn, Turn, play_turn
from tempo.games.record import Record

if TYPE_CHECKING:
    from tempo.games.protocol import Position

# GongJiu plays to the last three stones, lets nobody jump just once when a side flies, and calls a
# draw after more than 15 quiet plies. (It also draws when a position comes back within four plies,
# and bars a chain from its own start: neither shows in the games it finished otherwise.)
GONGJIU = f"jiu({','.join(f'{name}={value}' for name, value in PROFILES['gongjiu'].items())})"


# ---- open: the open tournament -------------------------------------------------------------------

_POINT_OPEN = r"\(([A-N]),(1[0-4]|[1-9])\)"
_open_point = re.compile(_POINT_OPEN)
_STONES_OPEN = r"[WB]\([A-N],\d+\)(?:,[WB]\([A-N],\d+\))*"
_open_placement = re.compile(rf"([WB]){_POINT_OPEN}")
_open_turn = re.compile(
    rf"([WB])(\([A-N],\d+\)(?:-O\([A-N],\d+\))+)(?:,TC:({_STONES_OPEN}))?(?:,FC:({_STONES_OPEN}))?"
)


def read_open(text: str, game: str = "jiu") -> tuple[Record, ...]:
    """The games of an open-tournament file, one a line, with or without quotation marks."""
    records = [record_of(_open_game(where, line), game) for where, line in numbered_lines(text)]
    if not records:
        raise ParseError("no game; expected a line like Stage[1]:W(G,7);B(H,8);...Stage[2]:...")
    return tuple(records)


def _open_game(where: str, line: str) -> FoundGame:
    quoted = line.startswith('"') and line.endswith('"') and len(line) > 1
    first, second, battle = (line[1:-1] if quoted else line).partition("Stage[2]:")
    if not first.startswith("Stage[1]:") or "Stage[" in battle:
        raise ParseError(f"{where}: expected Stage[1]: with placements, then Stage[2]: with turns")
    found = FoundGame()
    for part in _parts(first.removeprefix("Stage[1]:"), where):
        stone = _open_placement.fullmatch(part)
        if stone is None:
            raise ParseError(f"{where}: '{part[:40]}'; expected a placement like W(G,7)")
        found.placements.append(Placement(where, "WB".index(stone[1]), _open_read(part, where)[0]))
    for part in _parts(battle, where) if second else ():
        found.turns.append(_open_displacement(where, part))
    return found


def _parts(text: str, where: str) -> list[str]:
    """`a;b;c;` or `a;b;c`."""
    parts = text.removesuffix(";").split(";") if text.strip(";") else []
    if any(not part for part in parts):
        raise ParseError(f"{where}: ';;', where a placement or turn is missing")
    return parts


def _open_displacement(where: str, part: str) -> Displacement:
    found = _open_turn.fullmatch(part)
    if found is None:
        raise ParseError(f"{where}: '{part[:60]}'; expected a turn like B(H,7)-O(G,7),FC:W(H,9)")
    seat = "WB".index(found[1])
    for stones in (found[3] or "", found[4] or ""):
        if found[1] in re.findall("[WB](?=\\()", stones):
            raise ParseError(f"{where}: '{part[:60]}' captures a stone of the mover's own")
    jumped, takes = (_open_read(stones or "", where) for stones in (found[3], found[4]))
    return Displacement(where, seat, _open_read(found[2], where), takes, jumped)


def _open_read(text: str, where: str) -> tuple[Point, ...]:
    """The points of a list. The letter is the column."""
    found = _open_point.findall(text)
    if len(found) != text.count("("):
        raise ParseError(
            f"{where}: '{text[:60]}' has a point off the board; expected (A,1) to (N,14)"
        )
    return tuple((int(number) - 1, ord(letter) - ord("A")) for letter, number in found)


def _open_text(point: Point) -> str:
    return f"({chr(ord('A') + point[1])},{point[0] + 1})"


def write_open(records: Iterable[Record]) -> str:
    """Records as an open-tournament file, one a line. Headers and results have no place in it."""
    return "".join(_open_line(record) + "\n" for record in records)


def _open_line(record: Record) -> str:
    placements, battle = whole_game(record)
    parts = ["WB"[p.before.turn] + _open_text(p.turn.path[0]) + ";" for p in placements]
    text = f"Stage[1]:{''.join(parts)}"
    return text + (
        f"Stage[2]:{''.join(_open_turn_text(p) + ';' for p in battle)}" if battle else ""
    )


def _open_turn_text(played: PlayedTurn) -> str:
    own, other = "WB"[played.before.turn], "WB"[1 - played.before.turn]
    text = own + "-O".join(_open_text(point) for point in played.turn.path)
    for mark, points in (("TC", played.turn.jumped), ("FC", played.turn.takes)):
        if points:
            text += f",{mark}:" + ",".join(other + _open_text(point) for point in points)
    return text


# ---- jq: engine strings --------------------------------------------------------------------------

_POINT_JQ = r"[A-N](?:1[0-4]|[1-9])"
_POINTS_JQ = rf"{_POINT_JQ}(?:,{_POINT_JQ})*"
_jq_turn = re.compile(rf"({_POINTS_JQ})(?: TC-({_POINTS_JQ}))?(?: FC-({_POINTS_JQ}))?")


def read_jq(text: str, game: str = "jiu") -> Record:
    """A game of JQ_Chess strings, one a line: placements, then battle turns."""
    found = FoundGame()
    seat = games.load(game).start().turn
    for where, line in numbered_lines(text):
        turn = _jq_displacement(where, line)
        if len(turn.path) > 1:
            found.turns.append(turn)
        elif found.turns or turn.jumped or turn.takes:
            raise ParseError(f"{where}: '{line[:40]}' places a stone; expected a path like A1,A3")
        else:
            found.placements.append(Placement(where, seat, turn.path[0]))
            seat = 1 - seat
    return record_of(found, game)


def parse_jq_turn(position: Position, text: str) -> list[int]:
    """The core's moves for one JQ_Chess string."""
    turn = _jq_displacement("this turn", text)
    if len(turn.path) == 1 and not turn.jumped and not turn.takes:
        return list(play_turn(position, Turn(turn.path)).moves)
    return list(play_displacement(position, turn, complete=True).moves)


def _jq_displacement(where: str, line: str) -> Displacement:
    found = _jq_turn.fullmatch(line)
    if found is None:
        raise ParseError(f"{where}: '{line[:40]}'; expected a turn like A1,A3,C3 TC-A2,B3 FC-E5")
    path, jumped, takes = (_jq_read(part) for part in found.groups())
    return Displacement(where, None, path, takes, jumped)


def _jq_read(text: str | None) -> tuple[Point, ...]:
    """The points of a list. The letter is the column."""
    return tuple((int(p[1:]) - 1, ord(p[0]) - ord("A")) for p in text.split(",")) if text else ()


def jq_turn_text(turn: Turn) -> str:
    """A turn as JQ_Chess writes it."""

    def listed(points: Iterable[Point]) -> str:
        return ",".join(f"{chr(ord('A') + column)}{row + 1}" for row, column in points)

    text = listed(turn.path)
    text += f" TC-{listed(turn.jumped)}" if turn.jumped else ""
    return text + (f" FC-{listed(turn.takes)}" if turn.takes else "")


def write_jq(record: Record) -> str:
    """A record as JQ_Chess strings, one turn a line."""
    placements, battle = whole_game(record)
    return "".join(jq_turn_text(played.turn) + "\n" for played in (*placements, *battle))


# ---- gongjiu: GongJiu's game files ---------------------------------------------------------------

_POINT_GONGJIU = r"[A-Na-n][1-9A-E]"
_gongjiu_line = re.compile(
    rf"(\d+)\.({_POINT_GONGJIU}(?:-{_POINT_GONGJIU})*)((?:,{_POINT_GONGJIU})*);"
)
_GONGJIU_ENDS_LAYOUT = "-----布局结束-----"  # "end of the layout", though the layout follows it
_GONGJIU_EMPTY_MOVE = "1.@0;"  # what the program prints for the move before the first


def read_gongjiu(text: str, game: str = GONGJIU) -> Record:
    """A game that GongJiu wrote. Captured stones stand in the mover's case, jumped ones nowhere."""
    found = FoundGame()
    lines = list(numbered_lines(text))
    if not lines or " vs " not in lines[0][1]:
        raise ParseError("line 1: expected the players, like GongJiu vs GongJiu")
    white, _, black = lines[0][1].partition(" vs ")
    found.headers = {"PW": white, "PB": black}
    for where, line in lines[1:]:
        if line not in (_GONGJIU_ENDS_LAYOUT, _GONGJIU_EMPTY_MOVE):
            _gongjiu_turn(found, where, line)
    if not found.placements:
        raise ParseError("a game without placements; expected lines like 0.h8;")
    return record_of(found, game)


def _gongjiu_turn(found: FoundGame, where: str, line: str) -> None:
    parts = _gongjiu_line.fullmatch(line)
    if parts is None:
        raise ParseError(f"{where}: '{line[:40]}'; expected 0.h8; or 198.H6-H8,C4;")
    path, takes = parts[2].split("-"), parts[3].split(",")[1:]
    seat = case_seat(path[0])
    if any(case_seat(point) != seat for point in (*path, *takes)):
        raise ParseError(f"{where}: '{line[:40]}' mixes cases; all points of a turn have one")
    points = tuple(_gongjiu_point(point) for point in path)
    if parts[1] == "0":
        if len(path) != 1 or takes or found.turns:
            raise ParseError(f"{where}: '{line[:40]}'; expected a placement like 0.h8;")
        found.placements.append(Placement(where, seat, points[0]))
        return
    # The program counts the empty move, the placements and the transition: 198 on a full board.
    number = len(found.placements) + 2 + len(found.turns)
    if parts[1] != str(number) or len(path) < 2:
        raise ParseError(f"{where}: '{line[:40]}'; expected turn number {number} and a path")
    taken = tuple(_gongjiu_point(point) for point in takes)
    found.turns.append(Displacement(where, seat, points, taken, None))


def _gongjiu_point(text: str) -> Point:
    return ord(text[0].upper()) - ord("A"), int(text[1], 16) - 1


# ---- all of them ---------------------------------------------------------------------------------

READERS: dict[str, Callable[[str], Record | tuple[Record, ...]]] = {
    "book": read_book,
    "open": read_open,
    "jq": read_jq,
    "gongjiu": read_gongjiu,
}


def read(text: str, format_name: str) -> tuple[Record, ...]:
    """The records of a text in a format named as above, by the rules that the format implies."""
    if format_name not in READERS:
        raise ParseError(f"there is no format '{format_name}'; there are {', '.join(READERS)}")
    found = READERS[format_name](text)
    return (found,) if isinstance(found, Record) else found
