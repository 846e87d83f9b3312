"""An agent agrees to a draw by what its own search says, not too early, and declines in words."""

from __future__ import annotations

import asyncio
import json
from random import Random

import pytest
from web_tables import Clock, Recorder, hall, opened, token

from tempo import games
from tempo.web import asking, messages
from tempo.web.hall import Hall
from tempo.web.playing import earliest_draw
from tempo.web.tables import Table
from tempo.web.thinking import Answer


def moved(room: Hall, table: Table, plies: int) -> None:
    """Both sides move, the agent too: what it thinks of its game is told by the test."""
    random = Random(1)
    while table.ply < plies:
        turn = table.turn
        assert turn is not None
        move = random.choice(list(table.position.legal_moves))
        room.record("aa", table, asking.move(table, turn, table.ply, move, 1.0))
        assert table.phase == "play"


def offered(agent: str, plies: int, worth: float | None, game: str = "chess") -> tuple[str, str]:
    """What becomes of an offer, and the words with it."""

    async def main() -> tuple[str, str]:
        room = hall(Clock())
        seats = ["person", *["agent"] * (games.load(game).seats - 1)]
        table = room.open("aa", opened(game, seats))
        table.seats[1] = type(table.seats[1])("agent", agent=agent)
        guest, other = Recorder("aa", token(0)), Recorder("aa")
        room.join(guest)
        room.join(other)
        moved(room, table, plies)
        if worth is not None:
            move = next(iter(table.position.legal_moves))
            room.players._take("aa", table, 1, Answer(move, (-worth, worth)))
        room.say(guest, messages.OfferDraw())
        room.players.close()
        words = [json.loads(text)["text"] for kind, text in guest.sent if "error" in kind]
        assert not any("error" in kind for kind, _ in other.sent)
        assert table.offer is None
        return table.phase, " ".join(words)

    return asyncio.run(main())


def test_no_agent_agrees_after_a_move_each() -> None:
    phase, words = offered("alphabeta:depth=1", 1, -0.9)
    assert phase == "play"
    assert words == "alphabeta:depth=1 declines: no draws before 40 moves are made"


def test_an_agent_agrees_when_it_does_not_stand_better() -> None:
    for worth in (0.0, -0.3):
        assert offered("alphabeta:depth=1", 41, worth) == ("over", "")
    phase, words = offered("alphabeta:depth=1", 41, 0.01)
    assert (phase, "stands better" in words) == ("play", True)


def test_who_has_no_opinion_plays_on() -> None:
    phase, words = offered("random", 41, None)
    assert (phase, words) == ("play", "random declines: it has no opinion of this game")


LARGE = {"shogi": 47, "gomoku": 112, "jiu": 98, "siguo": 64}


@pytest.mark.parametrize("game", games.names())
def test_how_early_is_too_early_grows_with_the_board(game: str) -> None:
    assert earliest_draw(game) == LARGE.get(game, 40)


def test_an_agent_thinks_and_then_declines_over_the_wire() -> None:
    """A real agent that has just been given a queen knows that it stands better."""

    async def main() -> None:
        room = hall(Clock())
        start = "4k3/8/8/8/8/8/q7/4K2R w - - 0 1"
        table = room.open("aa", opened("chess", ["person", "agent"], start=start))
        table.seats[1] = type(table.seats[1])("agent", agent="alphabeta:depth=2")
        guest = Recorder("aa", token(0))
        room.join(guest)
        room.say(guest, messages.Move(0, table.position.parse_move("h1h2")))
        async with asyncio.timeout(60):
            while table.ply < 2:
                await asyncio.sleep(0.01)
        _, agent, worth = room.players._worth["aa", 1]
        assert (agent, worth.values[1] > 0) == ("alphabeta:depth=2", True)
        room.players.close()
        await room.players._thinkers.close()

    asyncio.run(main())
