"""Agents at tables: who is due is asked, answers become events, offers get an answer in words."""

from __future__ import annotations

import asyncio
import json
import logging
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from tempo.games import load, scene
from tempo.texts import speaking, t
from tempo.web import asking, events
from tempo.web.messages import Refused
from tempo.web.thinking import Answer, Question, Thinkers

if TYPE_CHECKING:
    from tempo.web.hall import Hall
    from tempo.web.tables import Table

PACE = 0.4  # seconds between the moves of two agents: people want to follow
AGAIN = 5.0  # seconds after which an agent is asked again when the machine failed, not the agent
EARLY = 40  # plies before which no agent agrees to a draw
log = logging.getLogger("tempo.web")


class Players:
    """The agents of a hall: at most one choice under way at a table."""

    def __init__(self, hall: Hall, thinkers: Thinkers) -> None:
        self._hall = hall
        self._thinkers = thinkers
        self._choices: dict[str, tuple[int, asyncio.Task[None]]] = {}  # with the table's moment
        self._trouble: dict[str, tuple[int, str]] = {}
        self._worth: dict[tuple[str, int], tuple[int, str, Answer]] = {}  # round, agent, choice

    def trouble(self, name: str, table: Table) -> str:
        """Why the agent who is due does not move; empty if it will."""
        moment, text = self._trouble.get(name, (0, ""))
        return text if moment == table.moment else ""

    def prompt(self, name: str, table: Table) -> None:
        """Asks the agent whose turn it is; interrupts one whose turn it was."""
        if name in self._choices and self._choices[name][0] != table.moment:
            self.stop(name)
        seat = table.agent_due()
        if seat is None or name in self._choices or self.trouble(name, table):
            return
        if not self._hall.is_watched(name) and not any(map(table.in_play, table.persons())):
            return  # agents among themselves play for spectators
        task = asyncio.get_running_loop().create_task(self._think(name, table, seat))
        self._choices[name] = (table.moment, task)
        task.add_done_callback(lambda task: self._done(name, table, task))

    def _done(self, name: str, table: Table, task: asyncio.Task[None]) -> None:
        if self._choices.get(name, (0, None))[1] is task:
            del self._choices[name]
        if not task.cancelled() and (error := task.exception()) is not None:
            self._hall.set_aside(name, error)
        elif not task.cancelled() and self._hall.holds(name, table):
            self.prompt(name, table)

    def pause(self, name: str, table: Table) -> None:
        """Nobody is there any more: agents among themselves wait."""
        if not any(map(table.in_play, table.persons())):
            self.stop(name)

    def stop(self, name: str) -> None:
        """Interrupts the choice that is under way."""
        _, task = self._choices.pop(name, (0, None))
        if task is not None:
            task.cancel()

    def hurry(self, name: str) -> None:
        """Lets the agent that thinks give its best move so far."""
        if name in self._choices:
            self._thinkers.hurry(name)

    def forget(self, name: str) -> None:
        """A table leaves memory."""
        self.stop(name)
        self._trouble.pop(name, None)
        for key in [key for key in self._worth if key[0] == name]:
            del self._worth[key]

    def close(self) -> None:
        """Interrupts everything."""
        for name in list(self._choices):
            self.stop(name)

    # ---- a choice --------------------------------------------------------------------------------

    async def _think(self, name: str, table: Table, seat: int) -> None:
        moment = table.moment
        if table.plies and table.seats[table.plies[-1].seat].kind == "agent":
            await asyncio.sleep(PACE)
        self._announce(name, seat, table.ply)
        start, steps = table.line()
        agent = table.seats[seat].agent
        seed = table.seed_of(seat)
        question = Question(name, seat, agent, seed, table.game.spec, start, steps)
        thinks = None if table.game.is_hidden else partial(self._announce, name, seat, table.ply)
        try:
            answer = await self._thinkers.ask(question, self._hall.address_of(name), thinks)
            if table.moment != moment or not self._hall.holds(name, table):
                return
            self._choices.pop(name)  # what happens now must not interrupt it
            self._take(name, table, seat, answer)
        except (Refused, OSError) as error:  # a full disk, or no process can be started
            log.warning("table %s: %s; trying again soon", name, error)
            await asyncio.sleep(AGAIN)

    def _take(self, name: str, table: Table, seat: int, answer: Answer) -> None:
        now = self._hall.clock()
        event: events.Event
        try:
            if answer.trouble:
                raise Refused("agent", answer.trouble)
            if answer.move is None:
                event = asking.resign(table, seat, now)
            else:
                event = asking.move(table, seat, table.ply, answer.move, now)
        except Refused as error:  # an illegal move is trouble, too
            self._trouble[name] = (table.moment, error.text)
            self._hall.tell(name, table)
            return
        if len(answer.values) == len(table.seats):
            agent = table.seats[seat].agent
            self._worth[name, seat] = (table.round, agent, answer)
        self._hall.happen(name, table, event)

    def _announce(self, name: str, seat: int, ply: int, answer: Answer | None = None) -> None:
        """Tells everybody at a table that an agent thinks, and what it thinks so far."""
        message: dict[str, Any] = {"type": "thinking", "seat": seat, "ply": ply}
        if answer is not None and len(answer.values) > seat:
            message["thought"] = _thought(answer, seat)
        text = json.dumps(message)
        for connection in self._hall.present(name):
            self._hall.send(connection, "thinking", text)

    # ---- offers ----------------------------------------------------------------------------------

    def answer_offers(self, name: str, table: Table) -> None:
        """Agents answer the offer of a draw, one after another."""
        while table.offer is not None and table.offer.what == "draw":
            asked = [i for i in table.offer.waiting if table.seats[i].kind == "agent"]
            if not asked:
                return
            seat, by = min(asked), table.offer.by
            refuses = bool(self._refusal(name, table, seat))
            self._hall.record(name, table, events.Answered(self._hall.clock(), seat, not refuses))
            if refuses:
                self._explain(name, table, by, seat)
            self._hall.tell(name, table)

    def _refusal(self, name: str, table: Table, seat: int) -> str:
        """Why an agent does not agree to a draw; empty if it does.

        It agrees when its own search, of this game, does not think that it stands better, and not
        before the game has really begun.
        """
        agent = table.seats[seat].agent
        least = earliest_draw(table.game.spec)
        if table.ply < least:
            return t("refused.draw_early", agent=agent, n=least)
        last = self._last(name, table, seat)
        if last is None:
            return t("refused.draw_opinion", agent=agent)
        if last.values[seat] <= 0.0:
            return ""
        if table.game.is_hidden:  # what it thinks would tell something of its pieces
            return t("refused.draw_hidden", agent=agent)
        return t("refused.draw_better", agent=agent)

    def _last(self, name: str, table: Table, seat: int) -> Answer | None:
        """The last choice of the agent that sits there now, in this game."""
        number, who, answer = self._worth.get((name, seat), (0, "", None))
        return answer if (number, who) == (table.round, table.seats[seat].agent) else None

    def thoughts(self, name: str, table: Table) -> list[dict[str, float] | None]:
        """What each agent made of its last move; nothing in a hidden game, where it would tell."""
        if table.game.is_hidden:
            return []
        found = [self._last(name, table, seat) for seat in range(len(table.seats))]
        return [None if one is None else _thought(one, i) for i, one in enumerate(found)]

    def _explain(self, name: str, table: Table, by: int, seat: int) -> None:
        """Tells the one who offered why not."""
        for connection in self._hall.present(name):
            if table.seat_of(connection.digest) == by:
                with speaking(*connection.speech):
                    why = self._refusal(name, table, seat)
                text = json.dumps({"type": "error", "about": "offer_draw", "text": why})
                self._hall.send(connection, "error draw", text)


def _thought(answer: Answer, seat: int) -> dict[str, float]:
    return {"value": answer.values[seat], "depth": answer.depth, "positions": answer.positions}


@lru_cache(maxsize=256)
def earliest_draw(spec: str) -> int:
    """The ply before which no agent agrees to a draw: the longer, the bigger the board is.

    Twenty moves of each side, as many tournaments have it, or as many plies as half of the board
    has places: where a board is filled first (Gomoku, Jiu) less is no game yet.
    """
    return max(EARLY, len(scene.layout(load(spec)).places) // 2)
