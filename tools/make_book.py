"""Make an opening book of a game by search.

    python tools/make_book.py gomoku --agent gomoku-strong:nodes=200000,exact=yes --plies 8

From the start on, the agent values every move of a position (`exact=yes`: true values, no bounds).
The moves within `--margin` of the best, at most `--width` of them, are the replies of the book;
weights fall with the loss of value, to 5 % at the margin. Positions are searched in the order of
how likely games that are drawn from the book reach them, up to `--most` positions and `--plies`
moves. Of replies that a symmetry takes to each other one is kept, and a position that was reached
another way is not searched again.

What was searched is kept in OUT.part until the book is whole: the same command goes on there. The
same command gives the same file as long as the agent plays the same, and its budget is not time.
"""

import argparse
import heapq
import math
from itertools import count
from pathlib import Path
from typing import Any

import tempo
from tempo.agents import Agent, load
from tempo.errors import ParseError
from tempo.files import write_text
from tempo.games import Game
from tempo.games.book import image_of, line_of, parse

GAMES = Path(__file__).resolve().parent.parent / "src" / "tempo" / "games"
LEAST = 0.05  # weight at the margin, of the best move's
HEAVY = 100  # weight of the best move
NAMES = ("agent", "plies", "width", "margin", "most", "seed")

Valued = list[tuple[str, float]]  # moves as text, with their value to the seat to move


class Searched:
    """What an agent found at positions, kept in a file as it is found."""

    def __init__(self, path: Path, command: str, agent: Agent, seed: int) -> None:
        self._path, self._agent, self._seed = path, agent, seed
        self._known: dict[str, Valued] = {}
        whole = path.read_text(encoding="utf-8").rpartition("\n")[0] if path.exists() else ""
        first, *lines = whole.splitlines() or [command]
        if first != command:
            raise ParseError(f"{path} is the work of another command ({first}); delete it first")
        for line in lines:
            moves, _, found = line.partition(" : ")
            pairs = (one.split() for one in found.split(","))
            self._known[moves] = [(move, float(value)) for move, value in pairs]
        path.write_text("\n".join([command, *lines]) + "\n", encoding="utf-8")

    def values(self, moves: tuple[str, ...], position: Any) -> Valued:
        """What each move that was searched is worth, the best first."""
        at = " ".join(moves)
        if at not in self._known:
            self._agent.reset(self._seed)
            found = self._agent.choose(position)
            worth = [
                (position.move_text(one.move), round(one.values[position.turn], 3))
                for one in found.candidates
            ]
            self._known[at] = sorted(worth, key=lambda one: -one[1])
            told = ",".join(f"{move} {value}" for move, value in self._known[at])
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{at} : {told}\n")
        return self._known[at]


def replies_of(
    position: Any, game: Game, valued: Valued, width: int, margin: float
) -> list[tuple[str, int, float]]:
    """The moves to draw among, with weight and value; of those that are the same turned, one."""
    seen, kept = set[int](), list[tuple[str, int, float]]()
    for move, value in valued:
        loss = valued[0][1] - value
        image = image_of(position.play(move), game)[0]
        if loss > margin or len(kept) == width:
            break
        if image not in seen:
            seen.add(image)
            share = math.exp(math.log(LEAST) * loss / margin) if margin else 1.0
            kept.append((move, max(round(HEAVY * share), 1), value))
    return kept


def make(game: Game, searched: Searched, chosen: argparse.Namespace) -> list[str]:
    """The lines of the book, shorter openings first."""
    order, seen = count(1), {image_of(game.start(), game)[0]}
    waiting: list[tuple[float, int, tuple[str, ...], Any]] = [(-1.0, 0, (), game.start())]
    lines: list[tuple[int, str]] = []
    while waiting and len(lines) < chosen.most:
        likely, _, moves, position = heapq.heappop(waiting)
        valued = searched.values(moves, position)
        replies = replies_of(position, game, valued, chosen.width, chosen.margin)
        lines.append((len(moves), line_of(moves, replies)))
        print(f"\r{len(lines)} positions", end="", flush=True)
        total = sum(weight for _, weight, _ in replies)
        for move, weight, _ in replies if len(moves) + 1 < chosen.plies else []:
            after = position.play(move)
            image = image_of(after, game)[0]
            if image not in seen and not after.is_over:
                seen.add(image)
                share = likely * weight / total
                heapq.heappush(waiting, (share, next(order), (*moves, move), after))
    print()
    return [line for _, line in sorted(lines)]


def main() -> None:
    """Write one book."""
    parser = argparse.ArgumentParser(description="Make an opening book by search.")
    parser.add_argument("game", help="with its options, such as gomoku(size=19)")
    parser.add_argument("--agent", required=True, help="one that values moves: exact=yes")
    parser.add_argument("--plies", type=int, default=8, help="moves at most")
    parser.add_argument("--width", type=int, default=4, help="replies to a position at most")
    parser.add_argument("--margin", type=float, default=0.05, help="loss of value at most")
    parser.add_argument("--most", type=int, default=600, help="positions at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="the game's own folder unless given")
    chosen = parser.parse_args()
    game = tempo.load(chosen.game)
    words = ["book", *(game.chosen[option] for option in game.description.opening_options)]
    out = chosen.out or GAMES / game.name / f"{'-'.join(words)}.txt"
    listed = " ".join(f"--{name} {getattr(chosen, name)}" for name in NAMES)
    spec = f"'{chosen.game}'" if "(" in chosen.game else chosen.game
    command = f"python tools/make_book.py {spec} {listed}"
    part = out.with_name(f"{out.name}.part")
    lines = make(game, Searched(part, command, load(chosen.agent), chosen.seed), chosen)
    remark = (
        f"# Opening book of {game.spec}: {len(lines)} positions, searched by\n# {chosen.agent}.\n"
        f"# A line is the moves to a position, then each reply with its weight and value.\n"
        f"# Made by\n# {command}\n"
    )
    text = remark + "\n".join([f"game {game.spec}", *lines]) + "\n"
    parse(text, str(out))
    write_text(out, text)
    part.unlink()
    print(f"{out}: {len(lines)} positions, {len(text.encode()):,} bytes")


if __name__ == "__main__":
    main()
