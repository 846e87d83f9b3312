"""Ending work early: a Stop from another thread, a deadline, Ctrl-C, and the end of the program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from long_work import AGENTS, CHESS, CORE, GOMOKU, SHOGI, SIGUO, WIDE_MATE, searches, work

import tempo
from tempo import agents, stopping
from tempo.errors import ParseError, Stopped, TempoError
from tempo.stopping import Stop

AT_ONCE = 0.05  # seconds, as promised; of the processor, which others may be using
SOON = 3.0  # seconds of the clock, on a machine that does many other things
SEARCHES = (
    "alpha-beta",
    "alpha-beta asking Python",
    "alpha-beta over long turns",
    "Monte-Carlo",
    "trees",
    "Monte-Carlo asking Python",
    *AGENTS,
)
WORK = (
    "perft of chess",
    "perft of shogi",
    "perft of siguo",
    "divide",
    "playouts, threads=1",
    "playouts, threads=2",
    "many trees",
    "searches of a batch, threads=1",
    "searches of a batch, threads=2",
    "values of moves on determinizations",
    "self-teaching",
    "the critic's games",
    "self-play samples of gomoku",
    "leaf games",
    "self-play of siguo",
    "tests of siguo",
    "matches of siguo",
    "result gradient of siguo",
    "tell gradient of siguo",
    "beliefs",
    "battles",
    "battles by rules",
    "filled boards",
    "solving an ending",
    "the graph of an ending",
    "flags of an ending",
    "features of an ending",
    "games of an ending",
)


@pytest.fixture(scope="module")
def all_searches() -> dict[str, tuple[Any, Callable[[Any], Any]]]:
    return searches()


@pytest.fixture(scope="module")
def all_work() -> dict[str, Callable[[], Any]]:
    return work()


def overrun(call: Callable[[], object], after: float = 0.06) -> tuple[Any, float]:
    """What came of a call in another thread that is stopped, and CPU seconds after that."""
    stop, ended, results = Stop(), [], []

    def run() -> None:
        with stop:
            try:
                results.append(call())
            except Exception as error:
                results.append(error)
        ended.append(time.process_time())

    thread = threading.Thread(target=run)
    thread.start()
    time.sleep(after)
    assert not ended, f"too little to do: {results}"
    stop.set()
    begun = time.process_time()  # not before: the work goes on while this thread waits for a core
    thread.join(SOON)
    assert ended, "it does not obey"
    return results[0], ended[0] - begun


def test_the_lists_are_whole(all_searches: dict[str, Any], all_work: dict[str, Any]) -> None:
    assert set(all_searches) == set(SEARCHES)
    assert set(all_work) == set(WORK)


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_that_is_stopped_has_a_move(name: str, all_searches: dict[str, Any]) -> None:
    position, choose = all_searches[name]
    move, seconds = overrun(lambda: choose(position))
    assert move in position.legal_moves
    assert seconds < AT_ONCE
    with Stop(seconds=0):
        assert choose(position) in position.legal_moves  # before it has found anything


@pytest.mark.parametrize("name", WORK)
def test_work_that_is_stopped_has_no_result(name: str, all_work: dict[str, Any]) -> None:
    for _ in range(2):  # what was stopped can be begun again
        error, seconds = overrun(all_work[name])
        assert isinstance(error, Stopped)
        assert seconds < AT_ONCE


def test_a_mate_search_that_is_stopped_claims_what_it_has_proved() -> None:
    position = SHOGI.parse(WIDE_MATE)
    with Stop(seconds=0):
        assert CORE.shogi_mate.search(position, 10**12).verdict == "unknown"
    mate, seconds = overrun(lambda: CORE.shogi_mate.search(position, 10**12))
    assert mate.verdict != "loss"
    assert mate.positions < CORE.shogi_mate.search(position, 10**12).positions
    assert seconds < AT_ONCE


def test_a_batch_that_was_stopped_is_valid() -> None:
    batch = CHESS.batch(100_000, seed=1, threads=2)
    error, _ = overrun(batch.playout, 0.03)
    assert isinstance(error, Stopped)
    lengths = batch.lengths
    assert lengths.sum() > 0
    assert not batch.over.all()
    assert batch[int(lengths.argmax())].text
    batch.restart()
    assert batch.playout(limit=1) == len(batch)


def test_a_stop_that_nobody_sets_changes_nothing() -> None:
    agent, position = agents.load("mcts:sims=500"), GOMOKU.start()
    plain = agent.choose(position)
    agent.reset(0)
    with Stop() as stop, Stop(seconds=1000):
        assert agent.choose(position) == plain
    assert not stop.is_set


# ---- Stop itself ---------------------------------------------------------------------------------


def test_a_stop() -> None:
    assert not stopping.stopped()
    stopping.check()
    with tempo.Stop() as stop:
        assert not stopping.stopped()
        stop.set()
        assert stop.is_set
        assert stopping.stopped()
        with Stop() as inner:
            assert stopping.stopped()
            assert not inner.is_set
        with pytest.raises(Stopped, match="stopped before the work was done"):
            stopping.check()
    assert not stopping.stopped()
    assert issubclass(Stopped, TempoError)


def test_a_deadline() -> None:
    with Stop(seconds=0.05) as stop:
        assert not stop.is_set
        time.sleep(0.06)
        assert stop.is_set
        assert stopping.stopped()
    assert Stop(seconds=0).is_set
    assert not Stop(seconds=1e300).is_set
    for wrong in (-1.0, float("nan")):
        with pytest.raises(ValueError, match="seconds must be 0 or more, or None"):
            Stop(wrong)


def test_a_thread_obeys_what_it_has_entered_and_nothing_else() -> None:
    heard: list[bool] = []
    with Stop(seconds=0):
        thread = threading.Thread(target=lambda: heard.append(stopping.stopped()))
        thread.start()
        thread.join()
    assert heard == [False]
    stop = Stop()
    with pytest.raises(ParseError, match="has not entered the Stop that it leaves"):
        stop.__exit__()
    with stop, stop:
        pass
    thread = threading.Thread(target=_enters_and_forgets, args=(heard,))
    thread.start()
    thread.join()
    assert heard == [False, True]


def _enters_and_forgets(heard: list[bool]) -> None:
    Stop(seconds=0).__enter__()  # the object is gone; what was entered holds
    heard.append(stopping.stopped())


@pytest.mark.parametrize(
    "spec", ["mcts:determinizations=40,time=0.3", "alphabeta:determinizations=40,time=0.3"]
)
def test_the_time_is_for_a_choice_and_not_for_a_determinization(spec: str) -> None:
    agent, view = agents.load(spec), SIGUO.core.deal(SIGUO.options, 3).view(0)
    begun = time.perf_counter()
    choice = agent.choose(view)
    assert time.perf_counter() - begun < 0.3 + SOON
    assert choice.move in view.legal_moves


# ---- Ctrl-C --------------------------------------------------------------------------------------

INTERRUPTED = """
    import sys, time
    sys.path.insert(0, {tests!r})
    from long_work import searches, work
    calls = work() | {{k: (lambda p=p, f=f: f(p)) for k, (p, f) in searches().items()}}
    for name in {names!r}:
        try:
            print("ready", flush=True)
            calls[name]()
        except KeyboardInterrupt:
            print(time.process_time(), flush=True)
        else:
            print("ended", flush=True)
"""


def test_ctrl_c_reaches_all_work() -> None:
    names = [*SEARCHES, *WORK]
    code = textwrap.dedent(INTERRUPTED.format(tests=str(Path(__file__).parent), names=names))
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    with child:
        try:
            for name in names:
                assert child.stdout.readline() == "ready\n", child.communicate()[1]
                time.sleep(0.04)
                begun, used = time.monotonic(), cpu_seconds(child.pid)
                child.send_signal(signal.SIGINT)
                answer = child.stdout.readline().strip()
                assert answer not in ("ended", ""), name
                assert float(answer) - used < 2 * AT_ONCE, name  # `used` is rounded
                assert time.monotonic() - begun < SOON, name
            assert child.wait(10) == 0
        finally:
            child.kill()  # what nobody interrupts works on for ever


def cpu_seconds(process: int) -> float:
    """Of all its threads, as far as the kernel has counted."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run_code(code: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True, text=True, timeout=60, check=False, **options,
    )  # fmt: skip


@pytest.mark.parametrize("agent", ["alphabeta:depth=1", "mcts:sims=1000000000"])
def test_the_end_of_the_program_does_not_wait_for_threads_in_the_core(agent: str) -> None:
    """Python ends such threads where they ask for the GIL; C++ would call std::terminate."""
    ran = run_code(f"""
        import threading, time, tempo
        from tempo import agents
        position = tempo.load("chess").start()
        def work():
            agent = agents.load({agent!r})
            while True:
                agent.choose(position)
        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.1)
    """)
    assert ran.returncode == 0, ran.stderr
    assert "terminate" not in ran.stderr


# ---- Ctrl-C on the command line ------------------------------------------------------------------

TOLD = "tempo: interrupted\n"


def test_ctrl_c_is_told_in_one_line() -> None:
    ran = run_code("""
        import signal
        from tempo.interrupts import handled
        with handled():
            signal.raise_signal(signal.SIGINT)
    """)
    assert (ran.returncode, ran.stderr) == (130, TOLD)


def test_ctrl_c_waits_for_the_end_of_an_import(tmp_path: Path) -> None:
    """Extension modules may not survive an exception in the middle of it."""
    (tmp_path / "slow.py").write_text(
        "import signal, time\nsignal.raise_signal(signal.SIGINT)\ntime.sleep(0.1)\nprint('whole')\n"
    )
    ran = run_code(
        """
        import time
        from tempo.interrupts import handled
        with handled():
            import slow
            time.sleep(5)
            print("too late")
        """,
        cwd=tmp_path,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "whole\n", TOLD)


def test_ctrl_c_does_not_wait_for_a_long_import(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import signal, time\nsignal.raise_signal(signal.SIGINT)\ntime.sleep(20)\n"
    )
    begun = time.monotonic()
    ran = run_code(
        """
        from tempo.interrupts import handled
        with handled():
            import slow
        """,
        cwd=tmp_path,
    )
    assert (ran.returncode, ran.stderr) == (130, TOLD)
    assert time.monotonic() - begun < 15


def test_ctrl_c_that_a_callback_swallows_comes_again() -> None:
    ran = run_code("""
        import gc, signal
        from tempo.interrupts import handled
        def swallows(phase, info):
            gc.callbacks.remove(swallows)
            signal.raise_signal(signal.SIGINT)
        with handled():
            gc.callbacks.append(swallows)
            gc.collect()
            for _ in range(10**8):
                pass
            print("lost")
    """)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", TOLD)


def test_ctrl_c_ends_the_program_in_order_and_tears_nothing_down() -> None:
    """What threads of other libraries still use must stay, even if nobody else has it."""
    ran = run_code("""
        import atexit, gc, os, signal, threading, time
        from tempo.interrupts import handled
        class Used:
            def __del__(self):
                os.kill(os.getpid(), signal.SIGSEGV)
        used = Used()
        used.itself = used
        def suspended():
            try:
                yield
            finally:
                print("generator")
        def program():
            waits = suspended()
            next(waits)
            try:
                signal.raise_signal(signal.SIGINT)
            finally:
                print("program")
        def let_go():
            del globals()["used"]
            gc.collect()
            print("exit handler")
        def work():
            time.sleep(0.3)
            print("thread")
        atexit.register(let_go)
        threading.Thread(target=work).start()
        with handled():
            program()
    """)
    assert (ran.returncode, ran.stderr) == (130, TOLD)
    assert ran.stdout.split("\n") == ["program", "generator", "thread", "exit handler", ""]


def test_ctrl_c_while_jax_compiles() -> None:
    """In a thread that nobody waits for, and that crashes when JAX's client is torn down."""
    pytest.importorskip("jax")
    ran = run_code("""
        import os, signal, threading
        from tempo.interrupts import handled
        os.environ["JAX_DISABLE_MOST_OPTIMIZATIONS"] = "0"  # it takes long
        with handled():
            import jax
            def long(x):
                for i in range(300):
                    x = jax.numpy.sin(x @ x) + i
                return x
            lowered = jax.jit(long).lower(jax.numpy.ones((8, 8)))
            threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
            lowered.compile()
            print("compiled")
    """)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", TOLD)


def test_ctrl_c_ends_a_training_cleanly(tmp_path: Path) -> None:
    """While JAX is imported, while it compiles, and while games are played."""
    pytest.importorskip("jax")
    code = """
        import sys
        from tempo.__main__ import main
        print("up", flush=True)
        sys.argv[1:] = ["train", "krk-minute", "--out", sys.argv[1]]
        main()
    """
    moments = (0.2, 0.6, 3.0)
    command = [sys.executable, "-c", textwrap.dedent(code)]
    children = [
        subprocess.Popen(
            [*command, str(tmp_path / str(moment))],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for moment in moments
    ]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == "up\n"
    begun = time.monotonic()
    for moment, child in zip(moments, children, strict=True):
        time.sleep(max(begun + moment - time.monotonic(), 0))
        child.send_signal(signal.SIGINT)
    for child in children:
        _, said = child.communicate(timeout=60)
        assert child.returncode == 130, said
        assert said.endswith(TOLD)
        assert "Traceback" not in said
