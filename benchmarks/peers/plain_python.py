"""Jiu in plain Python, as one writes it first: the slow rules of our tests, and dictionaries."""

import importlib.util
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from random import random, seed
from types import ModuleType
from typing import Any

NAME = "plain Python"
VERSION = platform.python_version()
RULES = Path(__file__).resolve().parents[2] / "tests" / "reference"
SIZE, CENTRE = 14, 6
MOVES = 20  # in a burst; a whole battle takes seconds
ENTRIES = 10_000_000
STEP_SIZE, DISCOUNT, EPSILON = 0.1, 0.9, 0.1  # ours.py has the same

Burst = Callable[[], int]
Point = tuple[int, int]


def load(name: str) -> ModuleType:
    """A file of the slow rules; dataclasses look for their module by its name."""
    spec = importlib.util.spec_from_file_location(f"slow_{name}", RULES / f"{name}.py")
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot load {name}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def filled_board() -> Any:
    """A game of Jiu whose battle is about to begin."""
    game = load("jiu").Game({})
    while not game.is_battle:
        play_random(game)
    return game


def play_random(game: Any) -> None:
    """One random move."""
    moves = game.moves()
    game.play(moves[int(random() * len(moves))])


def battles() -> Burst:
    """Random battles, a few moves at a time."""
    seed(1)
    game = filled_board()

    def burst() -> int:
        nonlocal game
        for _ in range(MOVES):
            if game.outcome() is not None:
                game = filled_board()
            play_random(game)
        return MOVES

    return burst


def placements() -> Burst:
    """Filling boards at random."""
    seed(1)

    def burst() -> int:
        filled_board()
        return SIZE * SIZE

    return burst


def learning() -> Burst:
    """Sarsa over the order of placements in the central points; values in a dictionary."""
    seed(1)
    rules = load("jiu_preparation")
    setting = rules.Rules(size=SIZE)
    first = SIZE // 2 - CENTRE // 2
    inside = range(first, first + CENTRE)
    points = [(row, column) for row in inside for column in inside]
    values: dict[tuple[Point, ...], float] = {}

    def choose(placed: tuple[Point, ...]) -> Point:
        free = [point for point in points if point not in placed]
        legal = [point for point in free if point in rules.centre_ends(SIZE)] or free
        if random() < EPSILON:
            return legal[int(random() * len(legal))]
        return max(legal, key=lambda point: values.get((*placed, point), 0.0))

    def game() -> int:
        placed: tuple[Point, ...] = ()
        stones: list[set[Point]] = [set(), set()]
        rewards: list[int] = []
        while len(placed) < len(points):
            point, seat = choose(placed), len(placed) % 2
            placed = (*placed, point)
            stones[seat].add(point)
            rewards.append(rules.reward(stones[seat], stones[1 - seat], point, setting))
        for i, reward in enumerate(rewards):
            later = values.get(placed[: i + 3], 0.0) if i + 2 < len(placed) else 0.0
            value = values.get(placed[: i + 1], 0.0)
            target = reward + DISCOUNT * later
            values[placed[: i + 1]] = value + STEP_SIZE * (target - value)
        return 1

    return game


def table() -> Burst:
    """Values by 64-bit key in a dictionary, without any count of visits."""
    seed(1)
    values: dict[int, float] = {}

    def burst() -> int:
        for _ in range(ENTRIES):
            values[int(random() * 2**64)] = random()
        return ENTRIES

    return burst


TASKS = {
    "jiu-playouts": ("moves", battles),
    "jiu-preparation": ("moves", placements),
    "jiu-learning": ("games", learning),
    "jiu-table": ("entries", table),
}
