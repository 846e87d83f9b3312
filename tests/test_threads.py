"""Objects of the extension that several Python threads share: a right result or a clear error.

The thread sanitizer runs these too: a race that does no harm here would be found there.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from tempo import _core
from tempo.errors import IllegalMove, ParseError

SEED = 5
THREADS = 4
SECONDS = 0.3  # of hammering
BUSY = "this search is already running; use one for each thread"


def hammer(*jobs: Callable[[], object], allowed: tuple[type[Exception], ...] = ()) -> int:
    """Runs each job again and again in a thread of its own; how many calls came to an end."""
    end = time.monotonic() + SECONDS
    calls: list[int] = []
    faults: list[BaseException] = []

    def work(job: Callable[[], object]) -> None:
        done = 0
        try:
            while time.monotonic() < end or done == 0:
                try:
                    job()
                except allowed as error:
                    if isinstance(error, RuntimeError) and str(error) != BUSY:
                        raise
                done += 1
        except BaseException as fault:
            faults.append(fault)
        calls.append(done)

    threads = [threading.Thread(target=work, args=(job,), daemon=True) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads), "a thread hangs"
    assert not faults, faults
    return sum(calls)


def chess_batch(games: int, threads: int) -> Any:
    return _core.chess.Batch(_core.chess.start(_core.chess.Options({})), games, SEED, threads)


def gomoku_batch(games: int, threads: int = 1) -> Any:
    return _core.gomoku.Batch(_core.gomoku.start(_core.gomoku.Options({})), games, SEED, threads)


@pytest.mark.parametrize("threads", [1, 2])
def test_no_move_of_a_shared_batch_is_lost(threads: int) -> None:
    batch = chess_batch(500, threads)
    made = [0] * THREADS

    def play(i: int) -> None:
        made[i] += batch.playout(limit=2)

    jobs = [lambda i=i: play(i) for i in range(THREADS)]
    hammer(*jobs, batch.legal_list, lambda: batch[3], lambda: batch.keys)
    assert sum(made) == batch.lengths.sum()
    assert all(batch[i].check() == "" for i in range(len(batch)))


def test_a_shared_batch_is_played_restarted_and_placed_by_turns() -> None:
    batch = chess_batch(64, 2)
    place = batch[0]
    states = batch.random_states

    def play() -> None:
        offsets, moves = batch.legal_list()
        batch.play(moves[offsets[:-1]].astype(np.int32))

    def restore() -> None:
        batch.random_states = states

    jobs = (play, play, batch.restart, batch.features, restore, lambda: batch.place(1, place))
    moving = (lambda: batch.playout(limit=5), batch.legal_mask, lambda: batch.scores)
    hammer(*jobs, *moving, allowed=(IllegalMove, IndexError))
    assert all(batch[i].check() == "" for i in range(len(batch)))


def test_a_shared_table_counts_every_visit() -> None:
    table = _core.tables.ValueTable(2)
    added = [0] * THREADS

    def add(i: int) -> None:
        keys = np.arange(64, dtype=np.uint64) + np.uint64(1000 * added[i] + 64 * i)
        table.add(keys, np.ones(64))
        added[i] += 1

    def read() -> None:
        values, visits = table.read(np.arange(20_000, dtype=np.uint64))
        assert np.array_equal(values, visits)  # every visit adds one

    hammer(*(lambda i=i: add(i) for i in range(THREADS)), read, read, table.entries)
    keys, values, visits = table.entries()
    assert visits.sum() == 64 * sum(added)
    assert len(table) == len(keys) == len(np.unique(keys))
    assert np.array_equal(values, visits)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_shared_batch_is_searched_and_valued_while_it_is_played(threads: int) -> None:
    batch = chess_batch(64, threads)
    table = _core.tables.ValueTable()
    kind = _core.chess.Evaluator
    settings = _core.AlphaBetaSettings(depth=1, table_bytes=1 << 12, record=2)
    calls: list[Callable[[], object]] = []
    for evaluator in (kind.static(), kind.table(table), kind.callback(lambda x: np.zeros(len(x)))):
        calls += [
            partial(batch.move_values, evaluator),
            partial(batch.values, evaluator),
            partial(batch.search, evaluator, settings),
        ]
    start = [batch[i] for i in range(64)]
    moving = (lambda: batch.playout(limit=2), batch.restart, lambda: batch.place_all(start))
    hammer(*calls, *moving, lambda: table.add(batch.input_keys, np.full(64, 0.1)))
    assert all(batch[i].check() == "" for i in range(len(batch)))


def test_a_table_is_asked_by_searches_while_it_learns() -> None:
    """A reader sees a value that was there once: 0 or 1, and no other."""
    batch = gomoku_batch(8, 2)
    table = _core.tables.ValueTable()
    evaluator = _core.gomoku.Evaluator.table(table)
    keys = np.arange(5000, dtype=np.uint64)
    first = np.concatenate([keys, batch.input_keys[:1]])

    def load(value: float) -> None:
        count = len(first) if value else len(keys)
        ones = np.ones(count, np.float32)
        table.load(first[:count], ones * np.float32(value), ones.astype(np.uint32))

    def ask() -> None:
        assert set(batch.values(evaluator).tolist()) <= {0.0, 1.0}
        assert evaluator(batch[0])[0] in (0.0, 1.0)

    hammer(lambda: load(0.0), lambda: load(1.0), ask, ask, lambda: batch.move_values(evaluator))


def test_a_shared_table_is_loaded_by_turns() -> None:
    table = _core.tables.ValueTable(2)
    tables = []
    for count in (10, 5000):
        ones = np.ones(count)
        keys = np.arange(count, dtype=np.uint64)
        tables.append((keys, ones.astype(np.float32), ones.astype(np.uint32)))
    keys = np.arange(30_000, dtype=np.uint64)
    jobs = [lambda rows=rows: table.load(*rows) for rows in tables]
    hammer(*jobs, lambda: table.read(keys), lambda: table.approach(keys, np.ones(30_000), 0.5))
    assert np.isfinite(table.entries()[1]).all()


def test_shared_preparation_fills_all_points_once() -> None:
    games = _core.jiu_preparation.Preparation(600, threads=2)

    def play() -> None:
        games.play(games.legal_mask().argmax(axis=1).astype(np.int32))

    jobs = (play, play, play, games.next_keys, games.restart, lambda: games.turns)
    hammer(*jobs, allowed=(IllegalMove,))
    while games.placed < 3:
        play()
    assert (games.legal_mask().sum(axis=1) == 36 - games.placed).all()


def search_settings(simulations: int = 20) -> Any:
    return _core.MonteCarloSettings(simulations=simulations, rollout_moves=0, memory=8 << 20)


def network() -> Any:
    """A network of Gomoku in the core: it has room for one evaluation at a time."""
    options = _core.gomoku.Options({})
    inputs = _core.gomoku.start(options).features().size
    random = np.random.default_rng(SEED)
    first = (random.normal(size=(32, inputs)) / 30).astype(np.float32)
    last = random.normal(size=(2, 32)).astype(np.float32)
    zeros = np.zeros(32, np.float32)
    return _core.gomoku.Evaluator.dense(
        options, [(first, zeros, "tanh"), (last, zeros[:2].copy(), "tanh")]
    )


def test_a_shared_search_of_many_games_refuses_or_answers() -> None:
    batch = chess_batch(200, 1)
    many = _core.chess.ManySearch(search_settings(2), 200)
    evaluator = _core.chess.Evaluator.none()
    search = [lambda: many.search(batch, evaluator)] * 3
    hammer(*search, lambda: batch.playout(limit=5), batch.restart, allowed=(RuntimeError,))
    assert len(many.search(batch, evaluator)) == 200


def test_an_evaluator_answers_several_searches_alike() -> None:
    batch = gomoku_batch(4)
    evaluator = network()

    def found() -> list[Any]:
        many = _core.gomoku.ManySearch(search_settings(), 4)
        return [(result.move, result.scores) for result in many.search(batch, evaluator)]

    alone = found()

    def again() -> None:
        assert found() == alone

    hammer(*[again] * THREADS, lambda: evaluator(batch[0]))


def refused(search: Callable[[], object], *questions: Callable[[], object]) -> None:
    """Asserts that questions during a search of some time are refused in words."""

    def work() -> None:
        try:
            search()
        except RuntimeError:  # a question was there first
            work()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    left = list(questions)
    while thread.is_alive() and left:
        try:
            left[0]()
        except RuntimeError as error:
            if str(error) != BUSY:
                raise
            left.pop(0)
    thread.join(timeout=60)
    assert not left, "a question was answered while the search ran"


@pytest.mark.parametrize("module", ["gomoku_threats", "shogi_strong", "jiu"])
def test_what_a_running_search_found_is_not_shown(module: str) -> None:
    core: Any = getattr(_core, module)
    game: Any = getattr(_core, module.partition("_")[0])
    settings = _core.AlphaBetaSettings(seconds=SECONDS, record=500)
    search = core.AlphaBeta(core.Evaluator.static(), settings)
    position = game.start(game.Options({}))
    questions = [search.nodes, search.reset, lambda: search.search(position)]
    if module == "shogi_strong":
        questions.append(lambda: search.gradient(core.Evaluator.static()))
    refused(lambda: search.search(position), *questions)
    search.reset()
    terms, low, high = search.nodes()
    assert len(terms) == len(low) == len(high)
    assert (low <= high).all()


def test_a_running_tree_is_not_shown() -> None:
    core = _core.chess
    settings = _core.MonteCarloSettings(simulations=0, seconds=SECONDS, memory=32 << 20)
    search = core.MonteCarlo(core.Evaluator.static(), settings)
    position = core.start(core.Options({}))
    names = ("fingerprint", "nodes", "visits", "memory_used")
    questions = [lambda name=name: getattr(search, name) for name in names]
    refused(lambda: search.search(position), *questions, lambda: search.reset(SEED))
    assert search.nodes > 1


def test_positions_that_another_thread_drops_are_still_judged() -> None:
    core, game = _core.gomoku_critic, _core.gomoku
    critic = core.Critic(game.Options({}), hidden=20)
    kept: list[Any] = []

    def refill() -> None:
        kept[:] = [game.start(game.Options({})) for _ in range(2000)]

    def judge() -> None:
        assert (critic.values(kept) == 0.5).all()

    hammer(refill, refill, judge, judge, lambda: core.pattern_counts(kept))


def test_a_critic_is_taught_and_asked_by_turns() -> None:
    core, game = _core.gomoku_critic, _core.gomoku
    critic = core.Critic(game.Options({"size": 7}), hidden=8)
    firsts = np.zeros(2, np.uint8)
    rule, playing = core.LearningRule(repeats=1), core.PlayRule()
    weights = [np.full_like(array, 0.01) for array in critic.weights()]
    position = game.start(game.Options({"size": 7}))
    hammer(
        lambda: critic.teach_itself(firsts, SEED, 0, rule, playing, critic),
        lambda: critic.play(firsts, SEED, 0, playing, 2),
        lambda: critic.load(*weights),
        lambda: critic.values([position]),
    )
    assert all(np.isfinite(array).all() for array in critic.weights())


def line_graph(size: int) -> list[Any]:
    """Nodes in a row, each leading to the next; the last is won."""
    ends = np.zeros(size, np.int8)
    ends[-1] = 1
    offsets = np.minimum(np.arange(size + 1), size - 1).astype(np.int64)
    return [offsets, np.arange(1, size, dtype=np.int32), np.zeros(size, np.uint8), ends]


def test_a_graph_keeps_what_it_was_given() -> None:
    arrays = line_graph(5000)
    graph = _core.graph.Graph(*arrays)
    values, leaves = np.zeros(5000, np.float32), np.arange(5000, dtype=np.int32)
    before = [array.tolist() for array in graph.sweep(values, leaves)]
    for array in arrays:
        array.view(np.uint8).fill(200)
    assert [array.tolist() for array in graph.sweep(values, leaves)] == before


def test_arrays_that_another_thread_writes_to_are_copied_first() -> None:
    offsets, after, turn, end = line_graph(5000)
    graph = _core.graph.Graph(offsets, after, turn, end, threads=2)
    best = np.append(np.arange(1, 5000, dtype=np.int32), np.int32(-1))
    starts = np.zeros(5000, np.int32)
    good = best.copy()

    def spoil() -> None:
        best.fill(10**9)
        starts.fill(-7)
        time.sleep(0.001)
        for first in range(0, len(best), 500):  # longer copies of NumPy release the GIL
            best[first : first + 500] = good[first : first + 500]
        starts.fill(0)
        time.sleep(0.001)

    hammer(spoil, *[lambda: graph.play(best, starts, cap=300)] * 2, allowed=(ParseError,))


def test_tables_take_in_endings_while_they_are_asked() -> None:
    core = _core.endings
    tables, family = core.Tables(), core.Family("KRK")
    verdicts = tables.solve("KRK")
    tables.add("KRK", verdicts)
    jobs = (lambda: tables.add("KRK", verdicts.copy()), lambda: tables.summary("KRK", 0))
    found: list[Any] = []
    hammer(*jobs, lambda: found.append(tables.verdicts(family)), lambda: tables.names)
    assert all((array[: len(verdicts)] == verdicts).all() for array in found)


REFUSED = """
import resource, threading
import numpy  # arrays need it, and its libraries much room
from tempo import _core
core = _core.gomoku
start = core.start(core.Options({}))
with open("/proc/self/statm") as file:
    taken = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + (256 << 20),) * 2)
for make in (
    lambda: core.Batch(start, 10, 1, 600),
    lambda: _core.tables.ValueTable(600),
    lambda: _core.jiu_preparation.Preparation(10, threads=600),
    lambda: _core.endings.Family("KRK").flags(600),
):
    try:
        make()
    except MemoryError as error:
        print(error)
print(len(core.Batch(start, 10, 1, 2).keys))
"""


def test_threads_that_cannot_be_started_are_an_error() -> None:
    done = subprocess.run(
        [sys.executable, "-c", REFUSED], capture_output=True, text=True, timeout=60, check=False
    )
    lines = done.stdout.splitlines()
    assert (done.returncode, len(lines)) == (0, 5), done.stderr
    assert all("does not give 600 threads" in line for line in lines[:-1])
    assert lines[-1] == "10"
