"""Threats and continuous fours by the book: stones tried one after another, replies all of them."""

from __future__ import annotations

from reference.gomoku import DIRECTIONS, Game, Point


class Board:
    """Stones of `x` and `o` that may be put and lifted; whose turn it is is the caller's affair."""

    def __init__(self, size: int, exactly_five: bool, stones: dict[Point, str]) -> None:
        rule = "exactly_five" if exactly_five else "freestyle"
        self.game = Game({"size": str(size), "rule": rule})
        self.game.stones = dict(stones)
        self.size = size

    @classmethod
    def parse(cls, text: str, exactly_five: bool) -> Board:
        """From a position's text, without its turn."""
        rows = text.split(maxsplit=1)[0].split("/")
        stones: dict[Point, str] = {}
        for y, row in enumerate(reversed(rows)):
            x, run = 0, ""
            for letter in row:
                if letter.isdigit():
                    run += letter
                    continue
                x += int(run or 0)
                stones[x, y] = letter
                x, run = x + 1, ""
        return cls(len(rows), exactly_five, stones)

    def empty(self) -> list[Point]:
        points = [(x, y) for y in range(self.size) for x in range(self.size)]
        return [point for point in points if point not in self.game.stones]

    def put(self, point: Point, colour: str) -> None:
        self.game.stones[point] = colour

    def lift(self, point: Point) -> None:
        del self.game.stones[point]

    def wins_at(self, point: Point, colour: str) -> bool:
        self.put(point, colour)
        won = self.game.wins(point)
        self.lift(point)
        return won

    def fives(self, colour: str) -> set[Point]:
        """Where a stone wins at once."""
        return {point for point in self.empty() if self.wins_at(point, colour)}

    def has_five(self, colour: str) -> bool:
        return any(self.wins_at(point, colour) for point in self.empty())

    def fours(self, colour: str) -> set[Point]:
        """Where a stone makes a row that one more stone completes to five: both in one line."""
        found = set()
        for first in self.empty():
            self.put(first, colour)
            if any(
                self._completed(first, direction, k, colour)
                for direction in DIRECTIONS
                for k in (-4, -3, -2, -1, 1, 2, 3, 4)
            ):
                found.add(first)
            self.lift(first)
        return found

    def _completed(self, first: Point, direction: Point, k: int, colour: str) -> bool:
        """Whether a second stone, k points on, makes five in a row with the first among them."""
        dx, dy = direction
        second = (first[0] + k * dx, first[1] + k * dy)
        inside = 0 <= second[0] < self.size and 0 <= second[1] < self.size
        if not inside or second in self.game.stones:
            return False
        self.put(second, colour)
        run = self.game.run(second, direction)
        between = [(first[0] + i * dx, first[1] + i * dy) for i in range(min(0, k), max(0, k) + 1)]
        joined = all(self.game.stones.get(point) == colour for point in between)
        self.lift(second)
        return joined and (run == 5 or (run > 5 and not self.game.exactly_five))

    def wins_by_fours(self, attacker: str) -> bool:
        """Whether fours alone win, against every reply that there is."""
        defender = "o" if attacker == "x" else "x"
        if self.has_five(attacker):
            return True
        return any(self._holds(point, attacker, defender) for point in self.empty())

    def _holds(self, point: Point, attacker: str, defender: str) -> bool:
        """Whether a move is a four that wins: each reply loses to a five or to more fours."""
        self.put(point, attacker)
        try:
            if not self.has_five(attacker) or self.has_five(defender):
                return False
            for reply in self.empty():
                self.put(reply, defender)
                won = self.wins_by_fours(attacker)
                self.lift(reply)
                if not won:
                    return False
            return True
        finally:
            self.lift(point)

    def solves_fours(self, attacker: str) -> bool:
        """The same question with every four tried, but only the replies that do not lose at once.

        Boards that failed are remembered, so that longer problems end.
        """
        return self._solves(attacker, "o" if attacker == "x" else "x", set())

    def _solves(self, attacker: str, defender: str, failed: set[frozenset[Point]]) -> bool:
        if self.has_five(attacker):
            return True
        key = frozenset(self.game.stones)
        if key in failed:
            return False
        threatened = self.fives(defender)
        for point in sorted(self.fours(attacker)):
            if threatened and threatened != {point}:
                continue
            self.put(point, attacker)
            replies = sorted(self.fives(attacker))
            won = len(replies) > 1
            if len(replies) == 1:
                self.put(replies[0], defender)
                won = self._solves(attacker, defender, failed)
                self.lift(replies[0])
            self.lift(point)
            if won:
                return True
        failed.add(key)
        return False
