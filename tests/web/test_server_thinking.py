"""Agents at work beside the page: nothing waits for them, and whatever they do harms only them."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from web_tables import SETUP, opened

from tempo import games
from tempo.web import asking
from tempo.web import thinking as thinking_module
from tempo.web.choosing import position_of
from tempo.web.clock import ClockRule
from tempo.web.limits import Limits
from tempo.web.messages import Refused
from tempo.web.tables import Table
from tempo.web.thinking import Answer, Pool, Question, Thinkers
from tempo.web.workers import Terms, Workers

ENDLESS = """
import asyncio, time
from tempo.web.thinking import Pool

async def main():
    pool = Pool(1)
    task = asyncio.ensure_future(pool.run(time.sleep, 600))
    await asyncio.sleep(0.1)
    pool.close()

asyncio.run(main())
"""
SLOW = "alphabeta:time=60"


def question(agent: str, table: str = "aa", game: str = "gomoku(size=9)") -> Question:
    return Question(table, 0, agent, 1, game, "", ())


def thinking(work: Callable[[Thinkers], Awaitable[None]], limits: Limits | None = None) -> None:
    """Runs a test with one worker for agents."""

    async def main() -> None:
        thinkers = Thinkers(1, limits)
        await thinkers.start()
        try:
            async with asyncio.timeout(60):
                await work(thinkers)
        finally:
            await thinkers.close()

    asyncio.run(main())


async def under_way(thinkers: Thinkers, agent: str) -> tuple[asyncio.Future[Answer], int]:
    """A choice that has been begun, and the process that thinks about it."""
    await thinkers.ask(question("random"))  # the worker is up
    asked = asyncio.ensure_future(thinkers.ask(question(agent)))
    await asyncio.sleep(0.2)
    return asked, pid_of(thinkers)


def pid_of(thinkers: Thinkers) -> int:
    pid = thinkers.workers._all[0].pid
    assert pid is not None
    return pid


def test_work_is_done_elsewhere_and_its_errors_come_back() -> None:
    async def main() -> None:
        pool = Pool(1)
        assert await pool.run(threading.get_ident) != threading.get_ident()
        with pytest.raises(ZeroDivisionError):
            await pool.run(divmod, 1, 0)
        assert await pool.run(max, 1, 2) == 2
        pool.close()

    asyncio.run(main())


def test_chores_do_not_wait_for_agents() -> None:
    async def work(thinkers: Thinkers) -> None:
        slow, _ = await under_way(thinkers, "gomoku-strong:time=1")
        begun = time.monotonic()
        await thinkers.run(len, "abc")
        assert time.monotonic() - begun < 1.0
        assert (await slow).move is not None

    thinking(work)


def test_an_agent_tells_what_it_thinks_on_the_way() -> None:
    async def work(thinkers: Thinkers) -> None:
        told: list[Answer] = []
        answer = await thinkers.ask(question("alphabeta:time=1.2"), thinks=told.append)
        assert told
        assert {thought.move for thought in told} == {None}  # what it will play stays its own
        depths = [thought.depth for thought in told]
        assert depths == sorted(depths)
        assert depths[0] >= 1
        assert told[-1].positions <= answer.positions
        assert all(len(thought.values) == 2 for thought in told)
        quick: list[Answer] = []
        await thinkers.ask(question("random"), thinks=quick.append)
        assert quick == []

    thinking(work)


def test_the_same_seed_gives_the_same_choices_and_failures_are_words() -> None:
    async def work(thinkers: Thinkers) -> None:
        first = await thinkers.ask(question("random"))
        await thinkers.ask(question("random", "bb"))  # takes the only place
        again = await thinkers.ask(question("random"))
        assert first.move is not None
        assert first == again
        failed = await thinkers.ask(question("tablebase"))
        assert failed.move is None
        assert "tablebase cannot go on" in failed.trouble

    thinking(work, Limits(agents=1))


def test_the_program_ends_while_a_chore_is_done() -> None:
    subprocess.run([sys.executable, "-c", ENDLESS], check=True, timeout=60)


def test_a_choice_has_one_limit_as_a_whole() -> None:
    """`stand-in` knows no time: only the wall clock ends its search, with its best move so far."""

    async def work(thinkers: Thinkers) -> None:
        await thinkers.ask(question("random"))
        begun = time.monotonic()
        late = await thinkers.ask(question("stand-in:depth=12", game="gomoku(size=15)"))
        spent = time.monotonic() - begun
        assert late.move is not None
        assert 0.4 < spent < 3.0

    thinking(work, Limits(choice_seconds=0.5))


def test_an_agent_that_does_not_obey_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking_module, "LATE", 0.3)

    async def work(thinkers: Thinkers) -> None:
        _, pid = await under_way(thinkers, "random")
        asked = asyncio.ensure_future(thinkers.ask(question(SLOW)))
        await asyncio.sleep(0.1)
        os.kill(pid, signal.SIGSTOP)  # as if it held a lock, or looped for ever
        assert "did not move within 0.5 seconds" in (await asked).trouble
        assert (await thinkers.ask(question("random"))).move is not None
        assert pid_of(thinkers) != pid

    thinking(work, Limits(choice_seconds=0.5))


def test_memory_has_a_limit_and_what_was_kept_makes_room() -> None:
    async def work(thinkers: Thinkers) -> None:
        small = "alphabeta:depth=1,keep=yes,table=100"
        for table in "abcdef":  # together more than there is
            assert (await thinkers.ask(question(small, table))).move is not None
        much = await thinkers.ask(question("alphabeta:depth=1,keep=yes,table=1000"))
        assert much.move is None
        assert "too much memory" in much.trouble
        assert (await thinkers.ask(question("random"))).move is not None

    thinking(work, Limits(worker_mebibytes=512))


def test_a_worker_that_dies_is_replaced_and_asked_again() -> None:
    async def work(thinkers: Thinkers) -> None:
        asked, pid = await under_way(thinkers, "alphabeta:time=0.5")
        os.kill(pid, 9)  # as a fault in an agent does
        assert (await asked).move is not None
        assert pid_of(thinkers) != pid
        asked, pid = await under_way(thinkers, SLOW)
        os.kill(pid, 9)
        worker = thinkers.workers._all[0]
        while worker.pid in {None, pid} or worker._starting.locked():
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        os.kill(pid_of(thinkers), 9)
        assert "crashed" in (await asked).trouble
        assert (await thinkers.ask(question("random"))).move is not None

    thinking(work)


def test_a_choice_that_nobody_wants_ends_at_once() -> None:
    async def work(thinkers: Thinkers) -> None:
        asked, pid = await under_way(thinkers, SLOW)
        asked.cancel()
        with suppress(asyncio.CancelledError):
            await asked
        begun = time.monotonic()
        assert (await thinkers.ask(question("random"))).move is not None
        assert time.monotonic() - begun < 10.0
        assert pid_of(thinkers) == pid  # it was stopped, not ended: what it keeps is kept

    thinking(work)


def test_a_choice_that_nobody_wants_while_its_worker_starts_harms_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def main() -> None:
        thinkers = Thinkers(1)
        warm = asyncio.ensure_future(thinkers.start())
        asked = asyncio.ensure_future(thinkers.ask(question(SLOW)))
        await asyncio.sleep(0.05)
        asked.cancel()
        assert (await thinkers.ask(question("random"))).move is not None
        await thinkers.close()
        await warm

    asyncio.run(main())
    assert not caplog.records


def test_a_loop_that_ends_while_a_worker_starts_does_not_wait_for_it() -> None:
    async def main() -> None:
        thinkers = Thinkers(1)
        asyncio.ensure_future(thinkers.ask(question(SLOW)))  # noqa: RUF006 - left alone
        await asyncio.sleep(0)

    begun = time.monotonic()
    asyncio.run(main())
    assert time.monotonic() - begun < 20.0


def test_addresses_take_turns_and_none_holds_all_workers() -> None:
    request: dict[str, Any] = {"do": "choose", **vars(question("alphabeta:time=0.2"))}

    async def main() -> None:
        workers = Workers(Terms(workers=2, waiting=50, of_address=30))
        await workers.start()
        ended: list[str] = []

        async def ask(address: str) -> None:
            async for _ in workers.ask(request, address):
                pass
            ended.append(address)

        greedy = [asyncio.ensure_future(ask("greedy")) for _ in range(30)]
        await asyncio.sleep(0)
        assert len(workers._free) == 1
        with pytest.raises(Refused, match="too many"):
            await anext(workers.ask(request, "greedy"))
        modest = [asyncio.ensure_future(ask(name)) for name in ("ada", "bob")]
        await asyncio.gather(*modest)
        assert len(ended) < 8, "others had to wait for somebody with thirty requests"
        for task in greedy:
            task.cancel()
        await asyncio.wait(greedy)
        await workers.close()
        assert not workers._asked
        assert not workers._running

    asyncio.run(main())


def test_a_table_comes_back_to_the_worker_that_knows_its_agent() -> None:
    async def main() -> None:
        workers = Workers(Terms(workers=3, waiting=9, of_address=9))

        async def ask(table: str) -> None:
            request = {"do": "choose", **vars(question("random", table))}
            async for answer in workers.ask(request, table, key=table):
                assert answer["kind"] in {"choice", "end", "beat"}

        for _ in range(3):
            await asyncio.gather(*(ask(table) for table in "abc"))
        assert all(sum(one.knows(table) for one in workers._all) == 1 for table in "abc")
        await workers.close()

    asyncio.run(main())


@pytest.mark.parametrize("name", games.names())
def test_a_worker_sees_the_table_as_it_is(name: str) -> None:
    """Timeouts, a seat that is out and repetitions too: all that a view can tell."""
    seats = games.load(name).seats
    table = Table(opened(name, ["person"] * seats, clock=ClockRule(0, 0, 30)))
    for seat in range(seats if table.deploys else 0):
        table.apply(asking.deploy(table, seat, SETUP, 0.0))
    random, now = Random(name), 0.0
    for number in range(60):
        assert table.turn is not None
        now += 31.0 if name == "siguo" and number % 3 == 0 else 1.0
        event: Any = table.overdue(now)
        if event is None and name == "siguo" and number == 40:
            event = asking.resign(table, table.turn, now)
        move = random.choice(list(table.position.legal_moves))
        table.apply(event or asking.move(table, table.turn, table.ply, move, now))
        if table.result is not None:
            break  # all is shown, and no agent is asked
        again = position_of(table.game.spec, *table.line())
        assert again == table.position
        for seat in range(seats):
            view = table.view(seat)
            assert view is not None
            assert again.view(seat).text == view.text


def test_limits_reach_the_workers() -> None:
    limits = replace(Limits(), choice_seconds=7.0, worker_mebibytes=300, agents=5)
    terms = Thinkers(2, limits).workers.terms
    assert (terms.seconds, terms.memory, terms.kept) == (7.0, 300, 2)


def test_a_worker_whose_input_breaks_ends() -> None:
    """It waited for ever, and outlived its server."""
    command = [sys.executable, "-m", "tempo.web.worker", "1024", "5", "1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as worker:
        try:
            worker.communicate(b"{torn\n", timeout=30)
        finally:
            worker.kill()
    assert worker.returncode == 0
