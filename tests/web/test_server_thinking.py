"""Agents at work beside the page: nothing waits for them, not even the end of the program."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time

import pytest

from tempo import games
from tempo.web.thinking import Pool, Question, Thinkers

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


def question(agent: str, seed: int = 1) -> Question:
    position = games.load("gomoku(size=9)").start()
    return Question("aa", 1, 0, agent, seed, position.view(0))


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
    async def main() -> None:
        thinkers = Thinkers(1, 1)
        slow = asyncio.ensure_future(thinkers.ask(question("gomoku-strong:time=1.5")))
        await asyncio.sleep(0.05)
        begun = time.monotonic()
        await thinkers.run(len, "abc")
        assert time.monotonic() - begun < 1.0
        assert (await slow).choice is not None
        thinkers.close()

    asyncio.run(main())


def test_the_same_seed_gives_the_same_choices_and_failures_are_words() -> None:
    async def main() -> None:
        thinkers = Thinkers(1, 1)
        first = await thinkers.ask(question("random", 1))
        await thinkers.ask(question("random", 2))  # takes the only place
        again = await thinkers.ask(question("random", 1))
        assert first.choice is not None
        assert first.choice == again.choice
        failed = await thinkers.ask(question("tablebase"))
        assert failed.choice is None
        assert "tablebase cannot go on" in failed.trouble
        thinkers.close()

    asyncio.run(main())


def test_the_program_ends_while_an_agent_thinks() -> None:
    subprocess.run([sys.executable, "-c", ENDLESS], check=True, timeout=60)
