"""Write the positions to practise: `src/tempo/games/<game>/practice.toml`.

    python tools/make_practice.py [GAME ...]

Shogi's mates and Gomoku's continuous fours are those of tests/data, which were mined from games of
our own players. Chess endings are drawn from tables, Jiu's squares from random battles with every
turn tried, Siguo's deductions from games of `siguo-heuristic`: pieces of which one kind is left.
The same command gives the same files.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import tempo
from tempo import agents
from tempo._core import siguo
from tempo.files import write_text
from tempo.games.chess.endings import Ending
from tempo.games.chess.tablebase import Tablebase
from tempo.games.exercises import Exercise, attempt, kinds_possible
from tempo.games.scene import describe
from tempo.web.trying import past, solution

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data"
sys.path.insert(0, str(ROOT / "tests"))

import gomoku_problems  # noqa: E402 - lies beside the tests

EACH = 6  # of a group
WIN = {"goal": {"win": True}, "reply": "best"}
Row = dict[str, Any]


def shogi() -> Iterator[Row]:
    """Mates of 1 to 7 plies."""
    rows = [json.loads(line) for line in (DATA / "shogi" / "mates-shogi.jsonl").open()]
    for plies in (1, 3, 5, 7):
        for number, row in enumerate([one for one in rows if one["plies"] == plies][:EACH], 1):
            turn = int(row["sfen"].split(" ")[1] == "w")
            group = f"mate{plies}"
            yield {"id": f"{group}-{number}", "group": group, "start": row["sfen"], "seat": turn,
                   "most": (plies + 1) // 2, **WIN}  # fmt: skip


def gomoku() -> Iterator[Row]:
    """Wins by nothing but fours."""
    found = [one for one in gomoku_problems.read() if "size=15" in one.spec]
    for moves in (3, 4, 5, 6):
        some = [one for one in found if one.moves == moves][:EACH]
        for number, one in enumerate(some, 1):
            group = f"fours{moves}"
            yield {"id": f"{group}-{number}", "group": group, "game": one.spec, "start": one.text,
                   "seat": int(one.text[-1] == "o"), "most": moves + 3, **WIN}  # fmt: skip


def chess() -> Iterator[Row]:
    """Endings from near the mate to far from it, against the defence of the tables."""
    tables = Tablebase()
    for name in ("KQK", "KRK", "KBBK", "KBNK"):
        ending = Ending(name, tables)
        numbers = ending.starts(40, seed=1)
        chosen = [numbers[round(share * 39)] for share in (0.02, 0.15, 0.35, 0.55, 0.8, 1.0)]
        for count, number in enumerate(chosen, 1):
            text = ending.family.position(int(number)).text
            group = name.lower()
            yield {"id": f"{group}-{count}", "group": group, "start": text, "most": 50, **WIN}


def jiu() -> Iterator[Row]:
    """Turns that take as much as any can, in battles that came about by chance."""
    game = tempo.load("jiu(size=8)")
    random = Random(1)
    found: dict[int, int] = {}
    while sum(found.values()) < 3 * EACH:
        position: Any = game.start()
        plies = 64 + random.randrange(20, 90)
        while not position.is_over and (plies > 0 or position.in_turn or position.due):
            moves = position.legal_moves
            position = position.play(moves[random.randrange(len(moves))])
            plies -= 1
        if position.is_over:
            continue
        best, ways, moves = most_taken(position)
        if best not in (1, 2, 3) or ways > 2 or found.get(best, 0) >= EACH:
            continue
        found[best] = found.get(best, 0) + 1
        yield {"id": f"take{best}-{found[best]}", "group": f"take{best}", "game": "jiu(size=8)",
               "start": position.text, "seat": position.turn, "goal": {"taken": best},
               "solution": moves}  # fmt: skip


def most_taken(position: Any) -> tuple[int, int, list[str]]:
    """The most stones that a turn takes, how many first moves lead there, and one such turn."""
    seat = position.turn
    before = position.counts[1 - seat]

    def deepest(here: Any) -> tuple[int, list[str]]:
        if here.is_over or here.turn != seat:
            return before - here.counts[1 - seat], []
        moves = list(here.legal_moves)
        if here.due:  # which stones are taken does not matter to their number
            moves = moves[:1]
        rows = []
        for move in moves:
            count, line = deepest(here.play(move))
            rows.append((count, [here.move_text(move), *line]))
        return max(rows, key=lambda row: row[0])

    rows = []
    for move in position.legal_moves:
        count, line = deepest(position.play(move))
        rows.append((count, [position.move_text(move), *line]))
    best = max(count for count, _ in rows)
    ways = [line for count, line in rows if count == best]
    return best, len(ways), ways[0]


def siguo_() -> Iterator[Row]:
    """Pieces that fought, of which the own losses and the moves seen leave one kind."""
    game = tempo.load("siguo")
    seen: dict[str, int] = {}
    for seed in range(1, 200):
        for start, before, position in turns_of_south(game, seed):
            view = position.view(0)
            belief: Any = describe(view).belief(view)
            for piece in belief["pieces"]:
                kind = piece["chances"][0]["letter"]
                if kind == "F" or seen.get(kind, 0) >= 3 or piece["chances"][0]["chance"] < 1:
                    continue
                if len(siguo.Belief(view).candidates(piece["home"])) > 1:
                    continue
                row = {"id": f"deduce-{sum(seen.values()) + 1}", "group": "deduce", "start": start,
                       "before": before, "ask": piece["place"],
                       "marks": [piece["place"]]}  # fmt: skip
                if any(one["about"] and "x" in str(one["text"]) for one in past(as_exercise(row))):
                    seen[kind] = seen.get(kind, 0) + 1
                    yield row
                    break
            if sum(seen.values()) >= 2 * EACH:
                return


def turns_of_south(game: Any, seed: int) -> Iterator[Any]:
    """Positions of a game of heuristics in which south is to move: start, moves, position."""
    position: Any = game.start(seed=seed)
    start: str = position.text
    before: list[str] = []
    players = [agents.load("siguo-heuristic") for _ in range(4)]
    for number, player in enumerate(players):
        player.reset(10 * seed + number)
    for ply in range(240):
        if position.is_over:
            return
        if ply >= 60 and ply % 40 < 4 and position.turn == 0:
            yield start, list(before), position
        move = players[position.turn].choose(position.view(position.turn)).move
        before.append(position.move_text(move))
        position = position.play(move)


def as_exercise(row: Row, name: str = "siguo") -> Exercise:
    """An exercise as the package reads it."""
    given: Row = {key: tuple(one) if isinstance(one, list) else one for key, one in row.items()}
    return Exercise(**{"game": name, **given})


def value_text(value: Any) -> str:
    """As TOML has it."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {value_text(one)}" for key, one in value.items()) + " }"
    return json.dumps(value)


def _moves(exercise: Exercise) -> list[int]:
    found: Any = solution(exercise)["moves"]
    return [one["move"] for one in found]


def is_sound(name: str, row: Row) -> bool:
    """Whether the best defence can be met in time; raises if a written solution is wrong."""
    exercise = as_exercise(row, name)
    if exercise.ask:
        assert kinds_possible(exercise)[0]["chance"] == 1, row
    elif exercise.solution:
        assert attempt(exercise, exercise.solution).state == "solved", row
    elif attempt(exercise, _moves(exercise)).state != "solved":
        return False
    return True


def main() -> None:
    """Writes the files of the games that are named, or of all."""
    makers = {"shogi": shogi, "gomoku": gomoku, "chess": chess, "jiu": jiu, "siguo": siguo_}
    for name in sys.argv[1:] or makers:
        rows = list(makers[name]())
        if name == "jiu":
            rows.sort(key=lambda row: str(row["id"]))
        head = f"# Positions to practise, written by tools/make_practice.py {name}.\n"
        blocks = [head]
        for row in [one for one in rows if is_sound(name, one)]:
            lines = [f"{key} = {value_text(value)}" for key, value in row.items()]
            blocks.append("\n".join(["[[exercise]]", *lines]) + "\n")
        write_text(ROOT / "src" / "tempo" / "games" / name / "practice.toml", "\n".join(blocks))
        print(name, len(rows))


if __name__ == "__main__":
    main()
