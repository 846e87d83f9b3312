"""Agents around a search of the core that knows one game, with an evaluation of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tempo import _core
from tempo.agents.base import Choice, Cloned, played_by
from tempo.agents.books import NO, BookMoves
from tempo.agents.search import MEBIBYTE, choice_of, watching

if TYPE_CHECKING:
    from tempo.games.protocol import View


class StrongAgent(Cloned):
    """A search of the core that knows one game, with an evaluation of its own."""

    _watch: Callable[[Any], None] | None = None

    def __init__(
        self, name: str, kind: type[Any], search: Any, multiply_adds: int, book: str = NO
    ) -> None:
        self.name = name
        self._book = BookMoves(book)
        self._kind, self._search, self._multiply_adds = kind, search, multiply_adds

    def choose(self, view: View) -> Choice:
        """A move of the book if it has one, a forced win if there is, or what search likes best."""
        position = played_by(self.name, view, self._kind)
        if (found := self._book.choice(position)) is not None:
            return found
        watched = () if self._watch is None else (self._watch,)
        return choice_of(self._search.search(position, *watched), self._multiply_adds)

    def reset(self, seed: int) -> None:
        """Forgets the last game. Nothing but moves of the book is drawn from the seed."""
        self._search.reset()
        self._book.reset(seed)

    def watch(self, told: Callable[[Choice], None] | None) -> None:
        """Has the moves to come tell what is known so far."""
        self._watch = watching(told, self._multiply_adds)


class LimitedAgent(StrongAgent):
    """One whose search takes other budgets."""

    def limit(
        self, seconds: float = 0.0, soft: float = 0.0, nodes: int = 0, depth: int = 0
    ) -> None:
        """Other budgets for the moves to come."""
        self._search.limit(positions=nodes, seconds=seconds, soft_seconds=soft, depth=depth)


def strong_settings(chosen: Any, seconds: float, **more: Any) -> _core.AlphaBetaSettings:
    """The core's settings of such an agent; `seconds` are its budget if it has no other."""
    unbounded = chosen.depth == 0 and chosen.nodes == 0 and chosen.time == 0
    return _core.AlphaBetaSettings(
        depth=chosen.depth,
        positions=chosen.nodes,
        seconds=seconds if unbounded else chosen.time,
        table_bytes=chosen.table * MEBIBYTE,
        keep=chosen.keep,
        exact_root=chosen.exact,
        reduce=True,
        **more,
    )
