"""Calls every function of the extension with hostile arguments, one at a time.

`python tests/extension_calls.py --seed 1 --each 5 gomoku siguo` tries five hostile values of every
argument in these modules (all modules without names, all values with --each 0) and ends in an error
that names the call when something else happened than an answer or a clear exception. The address
space is limited, and a call that takes too long ends the process with a traceback.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import faulthandler
import random
import resource
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import extension_stubs as stubs
import numpy as np
from extension_stubs import IMPLICIT, Function, Parameter

from tempo import _core
from tempo.errors import TempoError

CLEAR = (TempoError, ValueError, TypeError, OverflowError, MemoryError, IndexError, KeyError)
INSIDES = ("std::", "basic_string", "vector::", "bad_cast", "nanobind::", "C++")
SECONDS = 20
ROOM = 2 << 30  # bytes that a call may take

# An amount of work: a huge one is a long call that the caller asked for, so it is not tried.
WORK = {
    "depth", "positions", "seconds", "simulations", "nodes", "extra_simulations", "playouts",
    "repeats", "determinizations", "draws", "limit", "moves", "plies", "cap", "opening",
    "root_share", "leaf_fours", "inner_fours", "games", "count", "pairs", "rollout_moves",
}  # fmt: skip

# What is left out, and why; test_stopping.py tries these.
NOT_CALLED: dict[str, str] = {
    "Stop.__enter__": "whatever follows would obey it",
    "Stop.__exit__": "it ends what enter began",
    "end_all_work": "nothing would work after it",
}


def shown_after(way: Callable[[Any], Any], thing: Any) -> str:
    """What becomes of a thing, as text."""
    return repr(way(thing))


class Raising:
    """Answers every question about itself with an exception."""

    def __index__(self) -> int:
        raise KeyError("no index")

    __float__ = __len__ = __iter__ = __array__ = __index__


class Lying:
    """A sequence that is shorter than it says."""

    def __len__(self) -> int:
        return 1 << 40

    def __getitem__(self, i: int) -> int:
        raise IndexError(i)


def _knot() -> list[Any]:
    knot: list[Any] = []
    knot.append(knot)
    return knot


NARROW = (-1, 0, 1, 2, 7, 255, 256, 65535, 2**31 - 1, 2**31, -(2**31), 2**32)
WIDE = (2**63 - 1, 2**63, 2**64, -(2**63), -(2**63) - 1, 10**30)
FLOATS = (float("nan"), float("inf"), -float("inf"), -0.5, 1e308, -1e308, 5e-324, 2.5)
TEXTS = (
    *("", " ", "\x00", "a\x00b", "\ud800", "é" * 3, "\U0001f40d", "%s%n", "-1"),
    *("9" * 5000, "x" * 10**6, "K", "KK", "KQQQQQQQQK", "S99"),
    *("search:", "search:-1", "search:99999999999999999999"),
)


def _objects() -> Iterator[Any]:
    yield from (None, True, b"", b"a1", (), [], [None], [[]], {}, {None: 1}, {"\ud800": "1"})
    yield from ({"size": "\ud800"}, {"size": 10**30}, {"size": None}, {1: 2}, set(), object(), int)
    yield from (Raising(), Lying(), _knot(), range(3), [1.5], ["\ud800"], [b""], [2**70], iter([1]))
    yield from (lambda *_: int("x"), ("\ud800", "x"), (None, None), complex(1, 1), slice(None), ...)
    for game in stubs.GAMES:
        yield from (stubs.position(game), stubs.finished(game), stubs.options(game))
        yield [stubs.position(game), None]
        kind = stubs.home(game).Position
        yield kind.__new__(kind)  # never made
    yield stubs.position("siguo").view(3)
    yield stubs.finished("siguo").view(0)
    yield _core.MonteCarloSettings(simulations=1, trees=3, noise_alpha=1e-300, noise_fraction=0.5)
    yield _core.AlphaBetaSettings(depth=1, table_bytes=2**63, record=2**62)
    yield _core.AlphaBetaSettings(depth=2, margin=1.0, quiescence_turns=-(2**31), table_bytes=0)


def _arrays() -> Iterator[Any]:
    kind: Any
    for kind in (np.bool_, np.uint8, np.int8, np.int32, np.uint32, np.int64, np.uint64):
        yield from (np.zeros(0, kind), np.zeros(3, kind), np.zeros((2, 36), kind))
    for kind in (np.float16, np.float32, np.float64, np.complex64, object, "S4", "U4", "M8[s]"):
        yield from (np.zeros(0, kind), np.zeros(2, kind), np.zeros((2, 3), kind))
    yield from (np.zeros((0, 0, 0, 0)), np.zeros((1,) * 12), np.float32(1), np.zeros(()))
    yield np.zeros((3, 4), np.float32, order="F")
    yield np.zeros(4, ">i4")
    yield np.lib.stride_tricks.as_strided(np.zeros(1, np.uint8), (1 << 40,), (0,))
    yield np.zeros(2, np.dtype([("a", np.int32)]))


def _spoilt(valid: Any) -> Iterator[Any]:
    """Arrays like a valid one, with something wrong."""
    yield from (valid[:0], valid[:-1], np.concatenate([valid, valid]), valid[::2], valid[..., None])
    yield from (np.asfortranarray(valid), valid.astype(np.float64), valid.astype(np.int64))
    for bits in (0, 1, 2, 3, 127, 128, 200, 255):
        filled = np.empty_like(valid)
        filled.view(np.uint8).fill(bits)
        yield filled
    yield np.random.default_rng(1).bytes(valid.nbytes)
    noise = np.frombuffer(np.random.default_rng(2).bytes(valid.nbytes), valid.dtype)
    yield noise.reshape(valid.shape)  # read-only
    if valid.dtype.kind == "f":
        yield from (np.full_like(valid, value) for value in FLOATS[:3])
    if valid.dtype.kind in "iu":
        yield from (valid + 1, valid - 1, valid * 0 + np.iinfo(valid.dtype).max)


def hostile(function: Function, parameter: Parameter) -> Iterator[Any]:
    """Values that a parameter does not expect."""
    huge = parameter.name in WORK
    yield from (n for n in (*NARROW, *WIDE) if not (huge and 2 < n < 2**63))
    yield from (x for x in FLOATS if not (huge and x > 2))
    yield from TEXTS
    yield from _objects()
    yield from _arrays()
    valid = stubs.argument(function, parameter)
    if isinstance(valid, np.ndarray):
        yield from _spoilt(valid)
    if isinstance(valid, list) and valid and isinstance(valid[0], tuple):  # layers of a network
        (weights, bias, *name), *others = valid  # some have an activation's name
        for spoilt in _spoilt(weights):
            yield [(spoilt, bias, *name), *others]
        yield from ([(weights, spoilt, *name), *others] for spoilt in _spoilt(bias))
        yield from ([(weights, bias, text), *others] for text in TEXTS)
        yield [*valid, *valid]


def call(function: Function, on: Any, values: dict[str, Any]) -> Any:
    """Calls a function with arguments by the names of its parameters."""
    plain = [values[p.name] for p in function.parameters if not p.by_name]
    named = {p.name: values[p.name] for p in function.parameters if p.by_name}
    if function.kind == "property":
        return getattr(on, function.name)
    if function.kind == "setter":
        return setattr(on, function.name, *plain)
    if function.kind == "init":
        return on(*plain, **named)
    return getattr(on, function.name)(*plain, **named)


def described(value: Any) -> str:
    """A value in few words."""
    if isinstance(value, np.ndarray):
        return f"array {value.dtype}{list(value.shape)} {value.reshape(-1)[:3]}"
    with contextlib.suppress(Exception):
        return ascii(value)[:120]
    return f"a {type(value).__name__}"


class Trial:
    """Tries calls, counts them and keeps what went wrong."""

    def __init__(self) -> None:
        self.calls = 0
        self.faults: list[str] = []

    def attempt(self, what: str, work: Callable[[], object], *more: type[BaseException]) -> None:
        """Makes one call; anything but an answer or a clear error is a fault."""
        self.calls += 1
        print(what, file=sys.stderr, flush=True)  # the last line, if the process dies
        faulthandler.dump_traceback_later(SECONDS, exit=True)
        try:
            work()
        except BaseException as error:
            clear = isinstance(error, (*CLEAR, *more)) and not isinstance(error, UnicodeError)
            if not clear or any(word in str(error) for word in INSIDES):
                self.faults.append(f"{what}: {type(error).__name__}: {error}")
        finally:
            faulthandler.cancel_dump_traceback_later()

    def module(self, name: str, chance: random.Random, each: int) -> None:
        """Tries every function of a module, each argument with some hostile values (0: all)."""
        for function in stubs.functions(name):
            if function.path not in NOT_CALLED:
                self.function(function, chance, each)

    def function(self, function: Function, chance: random.Random, each: int) -> None:
        """Tries one function: validly first, then with one hostile argument at a time."""
        on = stubs.receiver(function)
        valid = {p.name: stubs.argument(function, p) for p in function.parameters}
        try:
            self.calls += 1
            call(function, on, valid)
        except Exception as error:
            self.faults.append(f"{function.path} cannot be called validly: {error!r}")
            return
        if function.kind in ("method", "property", "setter"):
            kind: Any = type(on)
            bare = kind.__new__(kind)  # an object that was never made
            self.attempt(f"{function.path} of a bare object", lambda: call(function, bare, valid))
        if function.name in IMPLICIT:
            return
        for parameter in function.parameters:
            values = list(hostile(function, parameter))
            for value in values if each == 0 else chance.sample(values, min(each, len(values))):
                given = {**valid, parameter.name: value}
                self.attempt(
                    f"{function.path}({parameter.name}={described(value)})",
                    partial(call, function, on, given),
                )

    def callbacks(self, game: str) -> None:
        """Searches that ask Python, which answers nonsense."""
        core = stubs.home(game)
        answers: tuple[Any, ...] = (
            None,
            1.0,
            "x",
            [],
            np.nan,
            (),
            (1, 2, 3),
            (None, None),
            object(),
        )
        for answer in (*answers, Raising(), _knot(), 1e300, np.inf):
            for logits in (False, True):
                self._ask(
                    core, game, lambda x, a=answer, b=logits: (np.zeros(len(x)), a) if b else a
                )
        self._ask(core, game, lambda x: 1 / 0, ZeroDivisionError)
        self._ask(core, game, lambda x: sys.exit(1), SystemExit)

    def _ask(self, core: Any, game: str, answer: Any, *more: type[BaseException]) -> None:
        evaluator = core.Evaluator.callback(answer)
        position = stubs.position(game)
        settings = _core.MonteCarloSettings(
            simulations=3, selection="puct", rollout_moves=0, memory=1 << 20
        )
        alpha_beta = core.AlphaBeta(evaluator, _core.AlphaBetaSettings(depth=1, positions=20))
        many, batch = core.ManySearch(settings, 1), core.Batch(position, 1)
        searches = {
            "AlphaBeta": lambda: alpha_beta.search(position),
            "MonteCarlo": lambda: core.MonteCarlo(evaluator, settings).search(position),
            "ManySearch": lambda: many.search(batch, evaluator),
            "Evaluator": lambda: evaluator(position),
            "Batch.values": lambda: batch.values(evaluator),
            "Batch.move_values": lambda: batch.move_values(evaluator),
            "Batch.search": lambda: batch.search(evaluator, _core.AlphaBetaSettings(depth=1)),
        }
        for name, search in searches.items():
            self.attempt(f"{game}.{name} with a callback", search, *more)

    def classes(self, name: str) -> None:
        """Tries what Python does to any object: copies it, calls its class."""
        for owner in {function.owner for function in stubs.functions(name)} - {""}:
            kind = getattr(stubs.home(name), owner)
            self.attempt(f"{name}.{owner}()", kind)
            thing = stubs.OBJECTS[owner](name)
            for way in (copy.copy, copy.deepcopy):
                self.attempt(f"{way.__name__} of {name}.{owner}", partial(shown_after, way, thing))


def limit_memory() -> None:
    """Lets this process take so much more memory than it has, and no more."""
    with open("/proc/self/statm", encoding="ascii") as file:
        taken = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(
        resource.RLIMIT_AS, (taken + ROOM, resource.getrlimit(resource.RLIMIT_AS)[1])
    )


def main(arguments: list[str]) -> int:
    """Tries modules; prints what went wrong, and how much was tried."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", help="such as gomoku; all of them without any")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=0, help="values of each argument; 0: all")
    parser.add_argument("--no-limit", action="store_true", help="for the sanitizers")
    given = parser.parse_args(arguments)
    faulthandler.enable()
    warnings.simplefilter("ignore")
    stubs.ending()
    if not given.no_limit:
        limit_memory()
    trial = Trial()
    count = 0
    for given_name in given.modules or stubs.modules():
        name = "" if given_name == "_core" else given_name
        count += len(stubs.functions(name))
        trial.module(name, random.Random(f"{given.seed} {name}"), given.each)
        trial.classes(name)
        if name in stubs.GAMES:
            trial.callbacks(name)
    for fault in trial.faults:
        print("FAULT", ascii(fault))
    print(f"{count} functions, {trial.calls} calls, seed {given.seed}, {len(trial.faults)} faults")
    return 1 if trial.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
