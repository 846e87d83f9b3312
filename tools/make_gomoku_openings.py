"""Make the balanced openings of Gomoku that ship with the package.

    python tools/make_gomoku_openings.py --size 15 --rule freestyle --count 200

Free-style Gomoku is won by the first player, so a match from the empty board measures little. An
opening here is three to five stones close to the middle, in an order of play, that a search finds
even. An even value alone often hides a win that lies deeper, so with --fair quick players play
themselves from it, and neither colour may win much more often than the other. Of openings that are
the same board turned or mirrored one is kept. The same command gives the same file as long as
gomoku-strong plays the same: `openings-RULE-SIZE.txt` in src/tempo/games/gomoku/openings, with
--fair `fair-RULE-SIZE.txt`, or in --out.
"""

import argparse
from pathlib import Path
from random import Random

from tempo._core import gomoku
from tempo.agents import Agent, load
from tempo.arena.openings import Opening, write

OUT = Path(__file__).resolve().parent.parent / "src" / "tempo" / "games" / "gomoku" / "openings"
FEWEST, MOST = 3, 5  # stones
REACH = 3  # points from the middle at most
QUICK = "gomoku-strong:nodes=3000"  # spares the judge what is plainly uneven
PLAYERS = [f"gomoku-strong:nodes={nodes}" for nodes in range(4000, 8000, 500)]  # each itself
NAMES = ("size", "rule", "count", "seed", "judge", "limit")
LEAD = 2  # of a colour's wins over its losses at most, in a fair opening


def stones_near_middle(options: gomoku.Options, random: Random) -> tuple[Opening, gomoku.Position]:
    """A few stones at random, as they would be played."""
    position = gomoku.start(options)
    size = round(len(position.legal_moves) ** 0.5)
    moves = []
    for _ in range(random.randint(FEWEST, MOST)):
        near = [p for p in position.legal_moves if max(_from_middle(p, size)) <= REACH]
        moves.append(position.move_text(near[int(random.random() * len(near))]))
        position = position.play(moves[-1])
    return Opening(tuple(moves)), position


def _from_middle(point: int, size: int) -> tuple[int, int]:
    row, column = divmod(point, size)
    return abs(row - size // 2), abs(column - size // 2)


def seen_from_all_sides(position: gomoku.Position) -> int:
    """One number for a board and its seven images."""
    return min(position.transformed(symmetry).key for symmetry in range(8))


def balanced(options: gomoku.Options, judge: Agent, chosen: argparse.Namespace) -> list[Opening]:
    """Different openings, close to even for the judge and, if asked for, fair."""
    random, found, seen = Random(chosen.seed), list[Opening](), set[int]()
    quick, limit, players = load(QUICK), chosen.limit, [load(player) for player in PLAYERS]
    while len(found) < chosen.count:
        opening, position = stones_near_middle(options, random)
        image = seen_from_all_sides(position)
        if image in seen:
            continue
        seen.add(image)
        even = _value(quick, position) <= 3 * limit and _value(judge, position) <= limit
        if even and (not chosen.fair or is_fair(position, players)):
            found.append(opening)
            print(f"\r{len(found)} of {len(seen)}", end="", flush=True)
    print()
    return found


def is_fair(position: gomoku.Position, players: list[Agent]) -> bool:
    """Whether black and white win about as often where players play themselves."""
    lead = 0.0
    for played, player in enumerate(players, start=1):
        lead += _result(position, player)
        if abs(lead) > LEAD + len(players) - played:  # what is to come cannot make up for it
            return False
    return True


def _result(position: gomoku.Position, player: Agent) -> float:
    """What black gets."""
    player.reset(0)
    while (outcome := position.outcome) is None:
        position = position.play(player.choose(position).move)
    return outcome.scores[0]


def _value(judge: Agent, position: gomoku.Position) -> float:
    """How far from even."""
    judge.reset(0)
    return abs(judge.choose(position).values[0])


def main() -> None:
    """Write one file."""
    parser = argparse.ArgumentParser(description="Make balanced openings of Gomoku.")
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--rule", default="freestyle")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--judge", default="gomoku-strong:nodes=60000")
    parser.add_argument("--limit", type=float, default=0.1, help="from even, at most")
    parser.add_argument("--fair", action="store_true", help="as often won by either colour")
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args()
    options = gomoku.Options({"size": chosen.size, "rule": chosen.rule})
    found = balanced(options, load(chosen.judge), chosen)
    command = " ".join(f"--{name} {getattr(chosen, name)}" for name in NAMES)
    remark = (
        f"Openings of {options.spec}: {FEWEST} to {MOST} stones, valued within {chosen.limit:g} of "
        f"even by\n{chosen.judge}"
    )
    if chosen.fair:
        command += " --fair"
        remark += (
            f", and won at most {LEAD} times more often by one colour\nthan by the other where"
        )
        remark += f" each of {len(PLAYERS)} players, {PLAYERS[0]} to\n{PLAYERS[-1]}, plays itself"
    remark += f".\nMade by\npython tools/make_gomoku_openings.py {command}"
    chosen.out.mkdir(parents=True, exist_ok=True)
    kind = "fair" if chosen.fair else "openings"
    write(chosen.out / f"{kind}-{chosen.rule}-{chosen.size}.txt", found, remark)
    print(f"{options.spec}: {len(found)} openings")


if __name__ == "__main__":
    main()
