"""The Python face of Siguo: the graph with its railways, and how it is drawn for a seat."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from random import Random
from typing import TYPE_CHECKING, cast

from tempo._core import siguo as core
from tempo.games.boards import refusal
from tempo.games.registry import load
from tempo.games.scene import (
    Deployment,
    Face,
    Form,
    Layout,
    Piece,
    Place,
    Shape,
    Step,
)
from tempo.texts import language, t, word

if TYPE_CHECKING:
    from tempo.games.game import Game
    from tempo.games.protocol import View

_SIZE = 17  # the core's grid for drawing
_CELL = 4  # letters that a place takes on the printed board
_PIECE = re.compile(r"([SENW])([0-9BMF?])")
_GAP = 0.6  # between the arms and the centre, so that the curves pass its corners by
_SEATS = "SENW"
_names = ("south", "east", "north", "west")

# What stands on a piece, its short English name, its whole name.
KINDS: dict[str, tuple[str, str, str]] = {
    "9": ("司令", "Ge", "General"),
    "8": ("军长", "LG", "Lieutenant General"),
    "7": ("师长", "MG", "Major General"),
    "6": ("旅长", "BG", "Brigadier General"),
    "5": ("团长", "Co", "Colonel"),
    "4": ("营长", "LC", "Lieutenant Colonel"),
    "3": ("连长", "Ca", "Captain"),
    "2": ("排长", "Li", "Lieutenant"),
    "1": ("工兵", "Sa", "Sapper"),
    "B": ("炸弹", "Bo", "Bomb"),
    "M": ("地雷", "Mi", "Landmine"),
    "F": ("军旗", "Fl", "Flag"),
}
CAMPS = ("22", "24", "33", "42", "44")
HEADQUARTERS = ("62", "64")
Point = tuple[float, float]


class SiguoFace(Face):
    """Tiles on the stations of four arms and a centre; a seat sees the kinds that it knows."""

    colours = ("red", "blue", "gold", "green")  # warm for one team, cool for the other
    shows_lost = True

    def layout(self, game: Game, seat: int | None) -> Layout:
        """The graph of roads and railways, turned until the seat is at the bottom."""
        turns = seat or 0
        end = _SIZE - 1 + 2 * _GAP
        box = (-0.75, -0.75, end + 1.5, end + 1.5)
        where = [_drawn(core.turned(s, (4 - turns) % 4)) for s in range(core.stations)]
        edges = sorted(
            core.edges(cast("core.Options", game.options)), key=lambda edge: edge[2] == "R"
        )
        tracks = (_edge(where[a], where[b], kind, end / 2) for a, b, kind in edges)
        return Layout(
            game=game.spec,
            title=self.title(game),
            box=box,
            ground=(Shape("rect", "board", box), *tracks),
            places=tuple(_place(s, where[s]) for s in range(core.stations)),
            seats=self.chairs(game),
            deployment=None if seat is None else _deployment(game, seat),
        )

    def pieces(self, view: View, seat: int | None) -> tuple[Piece, ...]:
        """Read off the printed board, which hides what the view hides."""
        found = []
        for row, line in enumerate(view.board.split("\n")[:_SIZE]):
            for piece in _PIECE.finditer(line):
                station = _stations()[piece.start() // _CELL, row]
                found.append(_piece(station, _SEATS.index(piece[1]), piece[2]))
        return tuple(found)

    def step(self, view: View, move: int) -> Step:
        """From and to, or a button for a pass where the rules allow it."""
        text = view.move_text(move)
        stations = tuple(re.findall(r"[SENW]\d\d|C\d", text)[:2])
        return Step(move, text, stations) if stations else Step(move, text, button=t("face.pass"))

    def hint(self, view: View) -> str:
        """One piece."""
        return t("face.move")

    def say(self, before: View, step: Step, after: View) -> str:
        """A quiet move, or an attack with its result: whose piece stands there now."""
        if step.button:
            return t("face.passes")
        start, target = step.touches
        if "x" not in step.text:
            return t("siguo.moves", a=start, b=target)
        stands = {piece.place: piece.seat for piece in self.pieces(after, None)}
        result = t("siguo.both")
        if target in stands:
            result = t("siguo.wins") if stands[target] == before.turn else t("siguo.removed")
        return t("siguo.attacks", a=start, b=target, result=result)

    def notation(self, view: View, move: int) -> str:
        """The stations, after the kind of the piece where the view knows it."""
        text = view.move_text(move)
        start = re.match(r"[SENW]\d\d|C\d", text)
        stands = {piece.place: piece for piece in self.pieces(view, None)}
        piece = stands.get(start[0]) if start else None
        return f"{piece.text} {text}" if piece is not None and piece.text else ""

    def meant(self, view: View, touches: Sequence[str]) -> str:
        """From and to."""
        stands = {piece.place for piece in self.pieces(view, None)}
        return touches[0] + ("x" if touches[-1] in stands else "-") + touches[-1]

    def why_not(self, view: View, touches: Sequence[str]) -> str:
        """Why a piece goes nowhere, or not there; the rules say the rest."""
        start, end = touches[0], touches[-1]
        stands = {piece.place: piece for piece in self.pieces(view, None)}
        own = start in stands and stands[start].seat == view.turn
        if view.is_over or not own:
            return super().why_not(view, touches)
        why = refusal(cast("core.View", view).sample(0), self.meant(view, touches))
        if start == end and "allied piece stands" in why:
            return t("siguo.why.stuck", place=start)
        return _no_way(view, stands, start, end) if _FAR in why else super().why_not(view, touches)

    def board(self, view: View) -> str:
        """Shown by pieces."""
        return ""


_FAR = "cannot get there"  # as the core's rules say it
_SHUTTLES = 7  # back and forth four times, as a position's text counts it


def _no_way(view: View, stands: dict[str, Piece], start: str, end: str) -> str:
    """Why a piece cannot get from one station to another.

    The rules are asked again on a board with that piece and the flags alone, and with a sapper in
    its place: what is in the way, or what only a sapper may do, shows in what they answer then.
    """
    game = load(view.game)
    mover = stands[start]
    if f" last={_SEATS[mover.seat]}:{end}-{start}:{_SHUTTLES}" in view.text:
        return t("siguo.why.shuttle")
    if barred := _barred(game, mover.seat, start, end):
        return t(barred)
    kind = next(kind for kind, words in KINDS.items() if words[1] == mover.short)
    others = [place for place in stands if place not in (start, end)]
    if _goes(game, kind, mover.seat, start, end):
        guilty = [one for one in others if not _goes(game, kind, mover.seat, start, end, one)]
        if not guilty:
            return t("siguo.why.every_way", place=end)
        nearest = min(guilty, key=lambda one: _apart(start, one))
        return t("siguo.why.blocked", place=nearest)
    if _goes(game, "1", mover.seat, start, end):
        three = game.chosen["rail_straight"] == "three_steps"
        return t("siguo.why.three_steps" if three else "siguo.why.corner")
    edges = _edges(cast("core.Options", game.options))
    railway = {name for ends, kind in edges.items() if kind == "R" for name in ends}
    return t("siguo.why.road", place=end if start in railway else start)


def _barred(game: Game, seat: int, start: str, end: str) -> str:
    """What an option forbids between neighbours, as a key of the catalogues; empty if none does."""
    chosen = game.chosen
    if chosen["c5_stop"] == "no" and end == "C5":
        return "siguo.why.middle"
    if chosen["camps"] == "own" and end[1:] in CAMPS and end[0] != _SEATS[seat]:
        return "siguo.why.foreign_camp"
    ends = frozenset((start, end))
    if ends not in _edges(cast("core.Options", game.with_options(rail_exit="any").options)):
        return ""
    return "siguo.why.headquarters" if end[1:] in HEADQUARTERS else "siguo.why.exit"


def _goes(game: Game, kind: str, seat: int, start: str, end: str, other: str = "") -> bool:
    """Whether a piece goes there on a board with the flags and perhaps one other piece."""
    flags = [f"{letter}.F@{letter}62" for letter in _SEATS]
    mover = _SEATS[seat]
    pieces = [f"{mover}.{kind}@{start}", *([f"{mover}.2@{other}"] if other else []), *flags]
    places = [piece.split("@")[1] for piece in pieces]
    if len(set(places)) < len(places):
        return True  # a flag is in nobody's way
    text = f"{start}{'x' if end in places else '-'}{end}"
    return text in game.parse(f"{' '.join(pieces)} turn={mover}").legal_moves


_FORM = "?????/?.?.?/??.??/?.?.?/?????/?????"


def _deployment(game: Game, seat: int) -> Deployment:
    """The own arm: its stations in the order of a setup, and what the rules allow on each."""
    options = cast("core.Options", game.options)
    spots = [f"{i // 6 + 1}{i % 6 + 1}" for i, letter in enumerate(_FORM) if letter == "?"]
    allowed = _allowed(options)
    places = tuple(_SEATS[seat] + spot for spot in spots)
    return Deployment(
        form=_FORM,
        places=places,
        kinds={kind: (text, short, _name(kind)) for kind, (text, short, _) in KINDS.items()},
        ranks=tuple(KINDS),
        allowed={kind: tuple(places[i] for i in where) for kind, where in allowed.items()},
        lineups=tuple(s for s in core.sound_setups() if not core.setup_fault(s, options)),
    )


_WALK = 6_000  # exchanges; every kind has then been everywhere it may be


@lru_cache(maxsize=64)
def _allowed(options: core.Options) -> dict[str, list[int]]:
    """Where each kind may stand: a long walk of exchanges that the core finds legal."""
    letters = list(next(s for s in core.sound_setups() if not core.setup_fault(s, options)))
    filled = [i for i, letter in enumerate(_FORM) if letter == "?"]
    found: dict[str, set[int]] = {kind: set() for kind in KINDS}
    random = Random(1)
    for _ in range(_WALK):
        here, there = random.sample(range(len(filled)), 2)
        a, b = filled[here], filled[there]
        letters[a], letters[b] = letters[b], letters[a]
        if core.setup_fault("".join(letters), options):
            letters[a], letters[b] = letters[b], letters[a]
        found[letters[a]].add(here)
        found[letters[b]].add(there)
    return {kind: sorted(where) for kind, where in found.items()}


def _drawn(station: int) -> Point:
    """Where a station is drawn, with the arms moved apart from the centre."""
    x, y = (v + (_GAP if v > 5 else 0) + (_GAP if v > 10 else 0) for v in core.place(station))
    return round(x, 2), round(y, 2)


@cache
def _where() -> dict[str, tuple[int, int]]:
    """The place of each station on the printed board."""
    return {name: place for place, name in _stations().items()}


@cache
def _stations() -> dict[tuple[int, int], str]:
    """Names of stations by their place on the printed board."""
    return {core.place(s): core.station_text(s) for s in range(core.stations)}


def _apart(a: str, b: str) -> float:
    """How far apart two stations are drawn."""
    (x1, y1), (x2, y2) = (_where()[name] for name in (a, b))
    return abs(x1 - x2) + abs(y1 - y2)


@lru_cache(maxsize=32)
def _edges(options: core.Options) -> dict[frozenset[str], str]:
    """Roads (r) and railways (R) by the names of their ends."""
    name = core.station_text
    return {frozenset((name(a), name(b))): kind for a, b, kind in core.edges(options)}


def _edge(a: Point, b: Point, kind: str, centre: float) -> Shape:
    """A line; a railway that runs from one arm into the next is a quarter of a circle."""
    (x1, y1), (x2, y2) = a, b
    if kind == "r" or x1 == x2 or y1 == y2:
        return Shape("line", "road" if kind == "r" else "rail", (x1, y1, x2, y2))
    # It leaves both arms towards the centre of the board, so it bends round the outer corner.
    corners = ((x1, y2), (x2, y1))
    cx, cy = max(corners, key=lambda c: abs(c[0] - centre) + abs(c[1] - centre))
    clockwise = (x1 - cx) * (y2 - cy) - (y1 - cy) * (x2 - cx) > 0
    radius = round(abs(x1 - x2), 2)
    path = f"M{x1} {y1}A{radius} {radius} 0 0 {int(clockwise)} {x2} {y2}"
    return Shape("path", "curve", text=path)


def _place(station: int, at: Point) -> Place:
    name = core.station_text(station)
    form: Form = "station"
    if name[0] in _SEATS:
        spot = name[1:]
        if spot in CAMPS:
            form = "camp"
        elif spot in HEADQUARTERS:
            form = "headquarters"
    label = name if form == "station" else t(f"siguo.{form}", place=name)
    return Place(name, *at, form, label)


def _name(kind: str) -> str:
    return word("siguo", kind)


def _piece(station: str, owner: int, kind: str) -> Piece:
    return _labelled(station, owner, kind, language())


@lru_cache(maxsize=32768)
def _labelled(station: str, owner: int, kind: str, spoken: str) -> Piece:
    seat = word("seat", _names[owner])
    if kind == "?":
        return Piece(station, owner, "tile", label=t("siguo.hidden", owner=seat, place=station))
    text, short, _ = KINDS[kind]
    label = t("siguo.piece", owner=seat, kind=_name(kind), place=station)
    return Piece(station, owner, "tile", text, short, label)


FACE = SiguoFace()
