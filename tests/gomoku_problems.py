"""Problems of continuous fours and threats: reading them, and mining them from self-play.

    python tests/gomoku_problems.py --write
    python tests/gomoku_problems.py --write-threats

play games between two players who overlook fours, and take from each the longest win that the seat
to move had. Wins by fours are kept if the slow solver of tests/reference confirms them by trying
every four; wins that need open threes too, if they hold against every legal reply to every move.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from random import Random

from tempo import agents
from tempo._core import gomoku, gomoku_threats
from tempo.games.registry import parse_spec

FILE = Path(__file__).parent / "data" / "gomoku" / "fours.txt"
HEAD = """\
# Continuous fours: the seat to move makes nothing but fours and wins. Mined from self-play by
# tests/gomoku_problems.py and confirmed by trying every four (tests/reference/gomoku_fours.py).
# A problem: name, game, seat to move, moves of the attacker in the line that was found; then the
# board from the top, a space between points.
"""
GAMES = tuple(
    f"gomoku(size={size},rule={rule})"
    for size in (15, 9, 15, 13, 15, 20, 15, 11, 15, 19)
    for rule in ("freestyle", "exactly_five")
)
SHORTEST = 3  # attacking moves, the five included
WANTED = 64

THREATS = FILE.with_name("threats.txt")
THREATS_HEAD = """\
# Continuous threats: the seat to move makes fours and open threes and wins; fours alone do not.
# Mined from self-play by tests/gomoku_problems.py; each win was played against every legal reply to
# every move. A line: game, position, seat to move, moves of the attacker in the line found.
"""
THREATS_WANTED = 200
EXPANDED = 3000  # positions that a search of threats looks into
MOST_REPLIES = 300_000  # played to confirm one problem


@dataclass(frozen=True)
class Problem:
    """A position to solve."""

    name: str
    spec: str
    text: str
    moves: int

    def position(self) -> gomoku.Position:
        options = gomoku.Options(dict(parse_spec(self.spec)[1]))
        return gomoku.parse(self.text, options)

    def drawn(self) -> str:
        board = self.position().board.rstrip("\n").split("\n")[:-1]
        rows = "\n".join(row[3:] for row in board)
        return f"{self.name} {self.spec} {self.text[-1]} {self.moves}\n{rows}\n"


def read(path: Path = FILE) -> list[Problem]:
    """All problems of a file."""
    found = []
    for block in path.read_text().split("\n\n"):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        if not lines:
            continue
        name, spec, turn, moves = lines[0].split()
        rows = "/".join(packed(row.replace(" ", "")) for row in lines[1:])
        found.append(Problem(name, spec, f"{rows} {turn}", int(moves)))
    return found


def packed(row: str) -> str:
    """A row with dots as a row with numbers."""
    text, run = "", 0
    for letter in row:
        if letter == ".":
            run += 1
            continue
        text, run = text + (str(run) if run else "") + letter, 0
    return text + (str(run) if run else "")


def mined(seed: int) -> Iterator[Problem]:
    """Problems without end, from games of which every second is of the other rule."""
    from reference.gomoku_fours import Board  # noqa: PLC0415 - on the path when tests are

    random, number, seen = Random(seed), 0, set[str]()
    while True:
        spec = GAMES[number % len(GAMES)]
        best = longest_missed(spec, random)
        number += 1
        if best is None or best.text in seen:
            continue
        seen.add(best.text)
        board = Board.parse(best.text, "exactly_five" in spec)
        if board.solves_fours(best.text[-1]):
            yield best


def longest_missed(spec: str, random: Random) -> Problem | None:
    """Of the wins by fours in one game, the longest."""
    best: Problem | None = None
    for position in positions_of_game(spec, random):
        verdict, line, _ = gomoku_threats.fours(position, 20_000)
        moves = (len(line) + 1) // 2
        if verdict == "win" and moves >= max(SHORTEST, best.moves + 1 if best else 0):
            best = Problem("", spec, position.text, moves)
    return best


def positions_of_game(spec: str, random: Random) -> Iterator[gomoku.Position]:
    """Positions of a game between players who overlook fours and slip now and then."""
    players = [agents.load("gomoku-strong:nodes=400,fours=0,eval=static") for _ in range(2)]
    position = gomoku.start(gomoku.Options(dict(parse_spec(spec)[1])))
    size = round(len(position.legal_moves) ** 0.5)
    while not position.is_over and len(position.legal_moves) > size:
        yield position
        if random.random() < 0.15 or len(position.legal_moves) > size * size - 4:
            near = [m for m in position.legal_moves if _is_inner(m, size)]
            position = position.play(random.choice(near or list(position.legal_moves)))
        else:
            position = position.play(players[position.turn].choose(position).move)


def _is_inner(point: int, size: int) -> bool:
    row, column = divmod(point, size)
    return min(row, column, size - 1 - row, size - 1 - column) >= size // 4


def write() -> None:
    """Mines the file anew."""
    found: list[Problem] = []
    for problem in mined(1):
        found.append(
            Problem(f"fours-{len(found) + 1:02}", problem.spec, problem.text, problem.moves)
        )
        print(found[-1].name, problem.spec, problem.moves, flush=True)
        if len(found) == WANTED:
            break
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(HEAD + "\n" + "\n".join(problem.drawn() for problem in found))


# ---- continuous threats --------------------------------------------------------------------------


def read_threats() -> list[Problem]:
    """All problems of continuous threats."""
    lines = [line for line in THREATS.read_text().splitlines() if not line.startswith("#")]
    found = []
    for number, line in enumerate(lines, 1):
        spec, rows, turn, moves = line.split()
        found.append(Problem(f"threats-{number:03}", spec, f"{rows} {turn}", int(moves)))
    return found


def needs_threats(position: gomoku.Position) -> int:
    """How many moves of the attacker win by threats, where fours alone do not; 0 if none do."""
    if gomoku_threats.fours(position, 20_000)[0] != "none":
        return 0
    verdict, line, _ = gomoku_threats.continuous_threats(position, EXPANDED)
    return (len(line) + 1) // 2 if verdict == "win" else 0


class Confirmed:
    """Whether a win by threats holds against every legal reply, not only the likely ones."""

    def __init__(self) -> None:
        self.replies = 0

    def __call__(self, position: gomoku.Position) -> bool:
        verdict, line, _ = gomoku_threats.continuous_threats(position, EXPANDED)
        if verdict != "win":
            return False
        attacker, after = position.turn, position.play(line[0])
        if after.is_over:
            return after.outcome is not None and after.outcome.scores[attacker] > 0
        return all(self._answers(after.play(reply), attacker) for reply in after.legal_moves)

    def _answers(self, position: gomoku.Position, attacker: int) -> bool:
        self.replies += 1
        if position.is_over or self.replies > MOST_REPLIES:
            return False
        return bool(gomoku_threats.threats(position, attacker)["five"]) or self(position)


def mined_threats(seed: int) -> Iterator[Problem]:
    """Problems without end, one a game at most."""
    random, seen = Random(seed), set[str]()
    for number in count():
        spec = GAMES[number % len(GAMES)]
        best: Problem | None = None
        for position in positions_of_game(spec, random):
            moves = needs_threats(position)
            if moves > (best.moves if best else 0):
                best = Problem("", spec, position.text, moves)
        if best is not None and best.text not in seen and Confirmed()(best.position()):
            seen.add(best.text)
            yield best


def write_threats() -> None:
    """Mines the file of continuous threats anew."""
    lines = []
    for problem in islice(mined_threats(1), THREATS_WANTED):
        lines.append(f"{problem.spec} {problem.text} {problem.moves}\n")
        print(len(lines), problem.spec, problem.moves, flush=True)
        THREATS.write_text(THREATS_HEAD + "".join(lines))


if __name__ == "__main__" and "--write" in sys.argv[1:]:
    write()
if __name__ == "__main__" and "--write-threats" in sys.argv[1:]:
    write_threats()
