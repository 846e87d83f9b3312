"""What the rest of the package asks of a game besides its rules.

Each game has a folder `tempo/games/<game>/` whose `GAME` is its description. Beside it lie, where
the game has them, `face.py` with how it is drawn (`FACE`), `formats.py` with the formats of its
records (`FORMATS`) and `study.py` with what a study says of a position (`exact`, `exact_is_slow`,
`exact_values`, `belief`, `shapes`, `reason`) and what exercises need (`defence`, `distance`), and
`starts.py` with positions to start from by name (`starts`; for learners `practice`), and
`editor.py` with how a position is set up by hand; these are imported when they are first asked for.
Exercises lie there as TOML (`tempo.games.exercises`), opening books as text (`tempo.games.book`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module, resources
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tempo.errors import ParseError, quoted

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    import numpy as np

    from tempo.games.formats import Format
    from tempo.games.game import Game
    from tempo.games.protocol import Position, View
    from tempo.games.scene import Face

Data = dict[str, object]


@dataclass(frozen=True)
class Level:
    """A strength in plain words, the agent that has it, and how often it moves at random."""

    name: str
    words: str
    agent: str
    help: str
    slips: float = 0.0  # share of moves that are drawn from all legal ones

    @property
    def spec(self) -> str:
        """The agent that plays like this, slips included."""
        return f"level:name={self.name}" if self.slips else self.agent


@dataclass(frozen=True)
class Sample:
    """A position that the behaviour number covers, and how deep its moves are counted."""

    spec: str
    depth: int = 2
    start: str = ""


@dataclass(frozen=True)
class Small:
    """Rules, and where games start, that can be learnt in minutes."""

    spec: str
    start: str = ""  # as `Description.starts` takes it

    def __str__(self) -> str:
        return f"{self.spec} from {self.start}" if self.start else self.spec


# The steps of every game, from one that lets a beginner win to the strongest.
STEPS = {
    "newcomer": "Newcomer",
    "novice": "Novice",
    "beginner": "Beginner",
    "casual": "Casual player",
    "regular": "Regular player",
    "club": "Club player",
    "strong": "Strong",
    "expert": "Expert",
    "master": "Master",
    "best": "Full strength",
}


# The steps of alpha-beta that strong levels take. Written out: with `all` a level would be another
# agent, under its old rating, whenever a step came or went.
SEARCH_STEPS = (
    "ageing+aspiration:20+continuation+counters+evasions:3+internal:4+late:50+late_base:50+malus"
    "+null_gain:100+probcut:100+recaptures+stands+verify:10"
)


def ladder(*steps: tuple[str, str] | tuple[str, str, float]) -> tuple[Level, ...]:
    """Levels above the random mover: an agent each, what it does, and its share of random moves."""
    given = [("random", "knows the rules and nothing else"), *steps]
    levels = []
    for (name, words), (agent, does, *slips) in zip(STEPS.items(), given, strict=True):
        share = slips[0] if slips else 0.0
        told = f"{share:.0%} of its moves are random; otherwise: {does}" if share else does
        levels.append(Level(name, words, agent, told.replace("%", " %"), share))
    return tuple(levels)


ANY_GAME = ladder(
    ("mcts:sims=20", "20 random games a move", 0.7),
    ("mcts:sims=20", "20 random games a move", 0.4),
    ("mcts:sims=20", "20 random games a move", 0.2),
    ("mcts:sims=50", "50 random games a move"),
    ("mcts:sims=150", "150 random games a move"),
    ("mcts:sims=500", "500 random games a move"),
    ("mcts:sims=1500", "1,500 random games a move"),
    ("mcts:sims=5000", "5,000 random games a move"),
    ("mcts:time=1", "one second of random games a move"),
)


@dataclass(frozen=True, eq=False)
class Description:
    """A game as the page, the arena and the signature know it; agents are named by strings."""

    core: ModuleType
    package: str = ""  # the folder of the game as a package
    listed: int = 100  # lists show games in this order, then by name
    profiles: Mapping[str, Mapping[str, str]] | None = None  # named bundles of rule options
    samples: tuple[Sample, ...] = ()
    endings: tuple[str, ...] = ()  # positions to start from, by the name of an ending
    portrait: str = ""  # a position that shows what the game is like; the start if empty
    position_text: str = "as the game prints it"  # what a position's text is called
    study: str = "mcts"  # the agent that a study asks first
    levels: tuple[Level, ...] = ANY_GAME
    unit: tuple[str, float] | None = None  # of evaluations: its word, and how many are worth 0.5
    learnt_on: tuple[Small, ...] = ()  # what learners are tried on; the game as it is if empty
    drawn: Face | None = None  # how it is drawn, where no folder has a face
    search: ModuleType | None = None  # the game's own search, where it has one besides the usual
    opening_options: tuple[str, ...] = ()  # options that tell files of openings and books apart

    @property
    def name(self) -> str:
        """The game's name without options."""
        return str(self.core.name)

    @property
    def small(self) -> tuple[Small, ...]:
        """What learners are tried on."""
        return self.learnt_on or (Small(self.name),)

    @cached_property
    def face(self) -> Face:
        """How the game is drawn and a move is entered."""
        from tempo.games.scene import Face  # noqa: PLC0415 - drawn at need

        face: Face = self.drawn or getattr(self._module("face"), "FACE", None) or Face()
        return face

    @cached_property
    def formats(self) -> tuple[Format, ...]:
        """The formats of its records, the usual one first; plain text if it has none."""
        from tempo.games.plain import PLAIN  # noqa: PLC0415 - read and written at need

        formats: tuple[Format, ...] = getattr(self._module("formats"), "FORMATS", (PLAIN,))
        return formats

    @cached_property
    def editor(self) -> ModuleType | None:
        """How a position is set up by hand (`tempo.games.editing`), if the game says it."""
        return self._module("editor")

    def openings(self, game: Game, kind: str) -> Traversable | None:
        """The file of balanced openings for these rules that comes with the package, if any."""
        if not self.opening_options:
            return None
        file = resources.files(self.package) / "openings" / self._by_rules(game, kind)
        return file if file.is_file() else None

    def book(self, game: Game) -> Traversable | None:
        """The file of an opening book for these rules that comes with the package, if any."""
        if not self.package:
            return None
        file = resources.files(self.package) / self._by_rules(game, "book")
        return file if file.is_file() else None

    def _by_rules(self, game: Game, kind: str) -> str:
        words = [kind, *(game.chosen[option] for option in self.opening_options)]
        return f"{'-'.join(words)}.txt"

    def starts(
        self, name: str, *, practice: bool = False
    ) -> Callable[[np.random.Generator], Position]:
        """Draws positions to start from by a name, such as that of an ending.

        For `practice` they are at all distances from the end alike, where the game can tell.
        """
        module = self._module("starts")
        if module is None:
            raise ParseError(f"{self.name} has one place to start from, not {quoted(name)}")
        draws = getattr(module, "practice", module.starts) if practice else module.starts
        found: Callable[[np.random.Generator], Position] = draws(name)
        return found

    def exact(self, view: View) -> Data | None:
        """What is certain of a position: how it ends if all do their best; None if nothing is."""
        found: Data | None = None if view.is_over else self._said("exact", view)
        return found

    def exact_is_slow(self, view: View) -> bool:
        """Whether that may take a while."""
        return bool(self._said("exact_is_slow", view))

    def exact_values(self, view: View) -> tuple[float, ...] | None:
        """The exact value for each seat, where it takes no time."""
        values: tuple[float, ...] | None = self._said("exact_values", view)
        return values

    def belief(self, view: View) -> Data | None:
        """How likely each hidden piece is of each kind, by what the view knows."""
        found: Data | None = self._said("belief", view)
        return found

    def shapes(self, view: View) -> Data | None:
        """Shapes of stones that players have names for, by seat and place."""
        found: Data | None = self._said("shapes", view)
        return found

    def defence(self, view: View) -> int | None:
        """The move that holds out longest against a forced win; None where nothing is forced."""
        move: int | None = None if view.is_over else self._said("defence", view)
        return move

    def distance(self, view: View) -> int | None:
        """Plies to the win that the seat to move can force, where the game can tell."""
        plies: int | None = None if view.is_over else self._said("distance", view)
        return plies

    def reason(self, view: View, move: int) -> Data | None:
        """Why a move is good, where the game has more to say than what any game shows."""
        say = getattr(self._module("study"), "reason", None)
        found: Data | None = None if say is None else say(view, move)
        return found

    def _said(self, function: str, view: View) -> Any:
        say = getattr(self._module("study"), function, None)
        return None if say is None else say(view)

    def _module(self, name: str) -> ModuleType | None:
        """A module of the game's folder, if it has one of that name."""
        full = f"{self.package}.{name}"
        return import_module(full) if self.package and find_spec(full) else None
