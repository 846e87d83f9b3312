"""How often gomoku-strong calls a game decided that is not: claims against a longer search.

    python tools/check_gomoku_claims.py --nodes 30000 --positions 1000 --times 10

Plays games from the stored openings between players of few positions, who err, asks the agent about
every position, and asks again with more positions where it says that somebody has won. A claim that
the longer search does not make is printed; the last line counts them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import tempo
from tempo import agents
from tempo.arena import openings
from tempo.games.protocol import Position

PLAYERS = ("gomoku-strong:nodes=3000", "gomoku-strong:nodes=2000,eval=terms")


def positions_of_games(spec: str) -> Iterator[Position]:
    """Positions of games between the players, each opening from both sides; then all ends."""
    game = tempo.load(spec)
    players = [agents.load(player) for player in PLAYERS]
    for opening in openings.stored(game) or ():
        for first in (0, 1):
            position, move = opening.position(game), first
            while not position.is_over:
                yield position
                position = position.play(players[move % 2].choose(position).move)
                move += 1


def main() -> None:
    """Counts claims and those not confirmed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--agent", default="gomoku-strong", help="whose claims are checked")
    parser.add_argument("--game", default="gomoku", help="the game and its options")
    parser.add_argument("--nodes", type=int, default=30_000, help="positions of a search")
    parser.add_argument("--times", type=int, default=10, help="how many times longer the other is")
    parser.add_argument("--positions", type=int, default=1000, help="positions to ask about")
    given = parser.parse_args()
    agent = agents.load(f"{given.agent}:nodes={given.nodes}")
    longer = agents.load(f"gomoku-strong:nodes={given.nodes * given.times},table=64")
    asked = claims = wrong = 0
    for position in positions_of_games(given.game):
        if asked == given.positions:
            break
        asked += 1
        claim = agent.choose(position).values[position.turn]
        if abs(claim) < 1:
            continue
        claims += 1
        value = longer.choose(position).values[position.turn]
        if value != claim:
            wrong += 1
            print(f"{claim:+.0f}, but {value:+.6f}: {position.text}", flush=True)
    print(f"{asked} positions, {claims} claims, {wrong} not confirmed")


if __name__ == "__main__":
    main()
