"""What a board looks like and how a move is entered on it, described without pixels or rules.

A `Layout` is what stays for a whole game: the ground and its places. A `Scene` is one moment as one
seat may see it: the pieces, the last move, and how each legal move is entered by touching places.
`Position.svg()` and the page draw both from these descriptions and know nothing else of a game.

A game says how it is drawn by a `Face`; what a face leaves out, the base class does with the
printed board and one button a move. Distances: neighbouring places are 1 apart, x grows to the
right and y downwards, the seat whose view it is sits at the bottom.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, cast

from tempo.errors import IllegalMove, ParseError
from tempo.games import registry
from tempo.games.description import Description
from tempo.games.game import Game
from tempo.games.public import public_view
from tempo.texts import t, translated, word

if TYPE_CHECKING:
    from tempo.games.protocol import Position, View

Style = Literal["board", "line", "road", "rail", "curve", "dot", "name", "dark", "light", "tray"]
COLOURS = {"black", "white", "red", "blue", "gold", "green"}  # that a seat may have
Numbering = Literal["plies", "pairs", "turns"]  # what has a number in a list of moves
Form = Literal["point", "square", "station", "camp", "headquarters", "hand"]


@dataclass(frozen=True)
class Shape:
    """A part of the ground.

    `at` is x, y, width, height of a rectangle; x1, y1, x2, y2 of a line; x, y, radius of a circle;
    x, y of a text, which may have a `short` form in plain letters. A path has its data in `text`.
    """

    kind: Literal["rect", "line", "circle", "path", "text"]
    style: Style
    at: tuple[float, ...] = ()
    text: str = ""
    short: str = ""


@dataclass(frozen=True)
class Place:
    """Somewhere a piece may stand and a finger may touch."""

    id: str
    x: float
    y: float
    form: Form
    label: str


@dataclass(frozen=True)
class Chair:
    """A seat as it is shown: its name, its colour's name, its team, and what people call it."""

    name: str
    colour: str
    team: int
    words: str = ""


@dataclass(frozen=True)
class Deployment:
    """How a seat puts up its pieces before a game: kinds on places, written into a form.

    `form` is a setup with ? for each of `places` in turn; `kinds` are the letters that stand there,
    with a piece's text, its short and its whole name; `allowed` says where each kind may stand.
    """

    form: str
    places: tuple[str, ...]
    kinds: dict[str, tuple[str, str, str]]
    ranks: tuple[str, ...]  # the kinds from the highest to the lowest
    allowed: dict[str, tuple[str, ...]]
    lineups: tuple[str, ...]


Figure = tuple[str, str]  # paths of an outline and of the lines in it; 40 from place to place


@dataclass(frozen=True)
class Layout:
    """What stays for a whole game. Without places, the scene's printed board is shown."""

    game: str
    title: str
    box: tuple[float, float, float, float]
    ground: tuple[Shape, ...]
    places: tuple[Place, ...]
    seats: tuple[Chair, ...]
    deployment: Deployment | None = None
    figures: Mapping[str, Figure] = field(default_factory=dict)  # by a piece's short text
    side: int = 0  # the seat at the bottom
    numbering: Numbering = "plies"

    def data(self) -> dict[str, object]:
        """The description as JSON takes it."""
        rows = {"ground": self.ground, "places": self.places, "seats": self.seats}
        lists = {name: [vars(row) for row in all_] for name, all_ in rows.items()}
        deployment = self.deployment and vars(self.deployment)
        figures = dict(self.figures)
        return {**vars(self), **lists, "deployment": deployment, "figures": figures}


@dataclass(frozen=True)
class Piece:
    """What stands on a place. `short` is `text` in plain letters."""

    place: str
    seat: int
    form: Literal["stone", "figure", "disc", "wedge", "tile"]
    text: str = ""
    short: str = ""
    label: str = ""
    turned: bool = False
    count: int = 1


@dataclass(frozen=True)
class Step:
    """How a legal move is entered: the places to touch in turn, or a button beside the board.

    Moves that share their touches differ in `choice`.
    """

    move: int
    text: str
    touches: tuple[str, ...] = ()
    choice: str = ""
    button: str = ""
    shows: Piece | None = None  # what the piece is then, where that is the choice

    def data(self) -> dict[str, object]:
        """The description as JSON takes it."""
        return {**vars(self), "shows": self.shows and vars(self.shows)}


@dataclass(frozen=True)
class Mark:
    """Places to look at: a king in check, the row that has won, a shape that was made."""

    kind: Literal["check", "line", "shape"]
    places: tuple[str, ...]


@dataclass(frozen=True)
class Tally:
    """What stands beside a seat's name: a count in words, and the pieces that the seat has lost."""

    words: str = ""
    lost: tuple[Piece, ...] = ()


@dataclass(frozen=True)
class Scene:
    """One moment as one seat may see it; everything here comes from that seat's view."""

    pieces: tuple[Piece, ...]
    moves: tuple[Step, ...] = ()
    last: tuple[str, ...] = ()
    captured: tuple[str, ...] = ()
    hint: str = ""
    mover: int | None = None  # whose the last turn was
    said: str = ""  # that turn in words, to follow the mover's name
    board: str = ""  # printed, for a layout without places
    marks: tuple[Mark, ...] = ()
    tallies: tuple[Tally, ...] = ()  # by seat, where there is anything to count
    stage: str = ""  # the part of the game, where it has several

    def data(self) -> dict[str, object]:
        """The description as JSON takes it."""
        rows = {"pieces": self.pieces, "marks": self.marks}
        lists = {name: [vars(row) for row in all_] for name, all_ in rows.items()}
        tallies = [
            {"words": one.words, "lost": [vars(piece) for piece in one.lost]}
            for one in self.tallies
        ]
        moves = [step.data() for step in self.moves]
        return {**vars(self), **lists, "moves": moves, "tallies": tallies}


_reason = re.compile(r"^\S+: | \([a-z]+(, [^()]*)?\)$")  # the move before it, the place after it


class Face:
    """How a game is drawn and entered. Override what the game can say better than its print."""

    colours: tuple[str, ...] = ("black", "white", "red", "blue")
    numbering: Numbering = "plies"
    shows_lost = False  # whether pieces that were taken are gone for good, and worth a look
    figures: Mapping[str, Figure] = MappingProxyType({})
    becomes = ""  # the kind of piece, by its short text, that may turn into another one

    def title(self, game: Game) -> str:
        """The game's name for people."""
        known = word("game", game.name)
        return known.capitalize() if known == game.name else known

    def seat_words(self, name: str) -> str:
        """What a seat is called in the language of now."""
        return word("seat", name)

    def chairs(self, game: Game) -> tuple[Chair, ...]:
        """The seats in their order."""
        named = set(game.seat_names) <= COLOURS  # seats that are called by their colour
        colours = game.seat_names if named else self.colours
        rows = zip(game.seat_names, colours, game.teams, strict=False)
        return tuple(Chair(*row, self.seat_words(row[0])) for row in rows)

    def layout(self, game: Game, seat: int | None) -> Layout:
        """The ground, seen from a seat; from the first when nobody's view is asked for."""
        return Layout(game.spec, self.title(game), (0, 0, 0, 0), (), (), self.chairs(game))

    def pieces(self, view: View, seat: int | None) -> tuple[Piece, ...]:
        """What stands on the places."""
        return ()

    def step(self, view: View, move: int) -> Step:
        """How a move of this moment is entered."""
        text = view.move_text(move)
        return Step(move, text, button=text)

    def hint(self, view: View) -> str:
        """What the seat to move may do now, in a few words."""
        return t("face.choose")

    def say(self, before: View, step: Step, after: View) -> str:
        """What a move did, after the name of who made it."""
        return t("face.plays", move=self.notation(before, step.move) or step.text)

    def notation(self, view: View, move: int) -> str:
        """A legal move as players write it, where that is not its text."""
        return ""

    def stage(self, view: View) -> str:
        """The part of the game, where it has several."""
        return ""

    def marks(self, view: View) -> tuple[Mark, ...]:
        """What a player should see at once."""
        return ()

    def count(self, view: View, seat: int) -> str:
        """What a seat has left, in words."""
        return ""

    def meant(self, view: View, touches: Sequence[str]) -> str:
        """The text of the move that touches mean, legal or not; empty if they mean none."""
        return ""

    def why_not(self, view: View, touches: Sequence[str]) -> str:
        """Why these touches make no move, in one sentence, from what the view knows."""
        text = self.meant(view, touches)
        if not text:
            return t("why.not_there")
        draw: Any = getattr(view, "sample", None)
        position = cast("Position", view if draw is None else draw(0))
        try:
            position.play(text)
        except (IllegalMove, ParseError) as error:
            why = translated(_reason.sub("", str(error)))
            place = why[1:2].isdigit()  # h8 keeps its small letter
            return t("why.sentence", why=why if place else why[:1].upper() + why[1:])
        return ""

    def board(self, view: View) -> str:
        """The printed board, where there are no places to show pieces on."""
        return view.board


def face_of(moment: Position | View) -> Face:
    """How the game of a position or a view is drawn."""
    return describe(moment).face


def layout(game: Game, seat: int | None = None) -> Layout:
    """The board of a game with `seat` at the bottom; a spectator sees it from the first."""
    face = game.description.face
    return replace(face.layout(game, seat), side=seat or 0, numbering=face.numbering)


def scene(
    moment: Position | View,
    seat: int | None = None,
    trail: Sequence[tuple[Position | View, int]] = (),
    first: Position | View | None = None,
) -> Scene:
    """A moment as `seat` may see it; a seat of None sees what every seat knows.

    `trail` has the moves of the last turn, each with the position (or that seat's view) before it;
    `first` is the start of the game (or that seat's view of it), for what was lost since.
    """
    face = face_of(moment)
    view = seen_by(moment, seat)
    pieces = face.pieces(view, seat)
    last, captured, words = _told(face, view, pieces, seat, trail)
    own = seat is not None and view.turn == seat and not view.is_over
    return Scene(
        pieces=pieces,
        moves=steps(view) if own else (),
        last=last,
        captured=captured,
        hint=face.hint(view) if own else "",
        mover=trail[0][0].turn if trail else None,
        said=words,
        board=face.board(view),
        marks=face.marks(view),
        tallies=_tallies(face, view, pieces, seat, first),
        stage="" if view.is_over else face.stage(view),
    )


def _tallies(
    face: Face,
    view: View,
    pieces: tuple[Piece, ...],
    seat: int | None,
    first: Position | View | None,
) -> tuple[Tally, ...]:
    """What stands beside the names of the seats; nothing where a game counts nothing."""
    seats = range(len(getattr(describe(view).core, "seat_names", ())))
    before = face.pieces(seen_by(first, seat), seat) if first and face.shows_lost else ()
    found = [
        Tally(face.count(view, one), _lost(before, pieces, one, face.becomes)) for one in seats
    ]
    return tuple(found) if any(one.words or one.lost for one in found) else ()


def _lost(
    before: tuple[Piece, ...], now: tuple[Piece, ...], seat: int, becomes: str
) -> tuple[Piece, ...]:
    """The pieces of a seat that have left the board; those of an unknown kind have no text."""
    had = [piece for piece in before if piece.seat == seat]
    has = [piece for piece in now if piece.seat == seat]
    gone = Counter(p.short for p in had if p.short) - Counter(p.short for p in has if p.short)
    total = len(had) - len(has)
    gone[becomes] -= max(0, gone.total() - total)  # those that are something else now
    kinds = {piece.short: replace(piece, place="") for piece in had}
    known = [replace(kinds[short], count=n) for short, n in gone.items() if n > 0]
    unknown = total - sum(piece.count for piece in known)
    if unknown > 0 and "" in kinds:
        known.append(replace(kinds[""], count=unknown))
    return tuple(known)


def steps(view: View) -> tuple[Step, ...]:
    """Every legal move of a view with how it is entered."""
    face = face_of(view)
    return tuple(face.step(view, move) for move in view.legal_moves)


def said(
    before: Position | View, move: int, after: Position | View, seat: int | None = None
) -> str:
    """A move in words, as `seat` may know of it: `attacks S15 from E11: both are removed`."""
    face = face_of(before)
    view = seen_by(before, seat)
    return face.say(view, face.step(view, move), seen_by(after, seat))


def seen_by(moment: Position | View, seat: int | None) -> View:
    """What a seat knows of a position; a seat of None, what all know. A view stays as it is."""
    look: Any = getattr(moment, "view", None)
    if look is None:
        return moment
    if seat is None:
        position = cast("Position", moment)
        return public_view(game_of(position), position)
    view: View = look(seat)
    return view


def _told(
    face: Face,
    view: View,
    pieces: tuple[Piece, ...],
    seat: int | None,
    trail: Sequence[tuple[Position | View, int]],
) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """The places of the last turn, the places it emptied by capture, and its words."""
    if not trail:
        return (), (), ""
    views = [seen_by(position, seat) for position, _ in trail]
    made = [face.step(before, move) for before, (_, move) in zip(views, trail, strict=True)]
    mover = views[0].turn
    words = [
        face.say(before, step, after)
        for before, step, after in zip(views, made, [*views[1:], view], strict=True)
    ]
    stood = {piece.place: piece.seat for piece in face.pieces(views[0], seat)}
    full = {piece.place for piece in pieces}
    last = tuple(dict.fromkeys(place for step in made for place in step.touches))
    gone = [place for place in stood if place not in full and ":" not in place]
    left = {place for place in last if stood.get(place) == mover}
    return last, tuple(p for p in gone if p not in left), ", ".join(words)


def game_of(position: Position) -> Game:
    """The game that a position belongs to."""
    options: Any = getattr(position, "options")  # noqa: B009 - no part of the common shape
    known = describe(position)
    return Game(known.core, options, known)


def describe(moment: object) -> Description:
    """What the package knows of the game of a position or a view, registered or not."""
    # A public view carries its spec; other classes lie in the module of their game.
    spec = str(getattr(moment, "game", ""))
    name = spec.partition("(")[0] or str(_core_of(moment).name)
    return registry.describe(name) if name in registry.names() else Description(_core_of(moment))


def _core_of(moment: object) -> Any:
    """The module in which a position's or a view's class was bound."""
    return sys.modules[type(moment).__module__]
