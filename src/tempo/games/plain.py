"""Records of any open game as text: the game, its rules, where it begins, one move a line.

game breakthrough
rules breakthrough-rules/1.0
start bbbbb/...../...../...../wwwww white     only where it is not the start of the game
moves
a1b2
c5c4
result W+
"""

from __future__ import annotations

import re

from tempo.errors import IllegalMove, ParseError, quoted
from tempo.games.formats import Format, GameTree, tree_of
from tempo.games.record import Record
from tempo.games.registry import load

_HEADS = ("game", "rules", "start")
_RESULT = re.compile(r"\?|0|[A-Z]\+[A-Z]?")


def write(record: Record) -> str:
    """A record as text."""
    game = load(record.game)
    lines = [f"game {game.spec}", f"rules {game.rules_version}"]
    if record.start:
        lines.append(f"start {record.start}")
    lines.append("moves")
    for position, move in zip(record.positions(), record.moves, strict=False):
        lines.append(position.move_text(move))
    return "\n".join([*lines, f"result {record.result}"]) + "\n"


def read(text: str) -> Record:
    """The record that a text holds; ParseError names the line that is wrong."""
    lines = text.lstrip("\ufeff").splitlines()
    heads, after = _heads(lines)
    game = load(heads.get("game", ""))
    if heads.get("rules", game.rules_version) != game.rules_version:
        raise ParseError(f"line 2: {quoted(heads['rules'])}; {game.name} is {game.rules_version}")
    if game.is_dealt and "start" not in heads:
        raise ParseError(f"{game.name} is dealt: a record in plain text says how, in `start`")
    position = game.parse(heads["start"]) if "start" in heads else game.start()
    moves: list[int] = []
    result = "?"
    for number, line in enumerate(lines[after:], start=after + 1):
        word = line.strip()
        if word.startswith("result "):
            result = word.removeprefix("result ")
            break
        if word:
            try:
                moves.append(position.parse_move(word))
            except (IllegalMove, ParseError) as error:
                raise ParseError(f"line {number}: {error}") from error
            position = position.play(moves[-1])
    if not _RESULT.fullmatch(result):
        raise ParseError(f"{quoted(result)} is no result; expected W+, W+R, 0 or ?")
    return Record(game.spec, tuple(moves), heads.get("start", ""), {}, result)


def _heads(lines: list[str]) -> tuple[dict[str, str], int]:
    """What stands before the moves, and where these begin."""
    heads: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        word, _, rest = line.strip().partition(" ")
        if word == "moves" and not rest:
            return heads, number
        if word not in _HEADS or not rest or word in heads:
            expected = f"expected {', '.join(_HEADS)} or moves"
            raise ParseError(f"line {number}: {quoted(line)}; {expected}")
        heads[word] = rest
    raise ParseError("there is no line `moves`")


def _read(text: str) -> list[GameTree]:
    return [tree_of([read(text)])]


PLAIN = Format(
    name="txt",
    title="a game as plain text",
    read=_read,
    begins=re.compile(r"game [a-z]"),
    tried=5,
    write_record=write,
)
