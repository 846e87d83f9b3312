"""Boards as SVG pictures that stand alone, drawn from the descriptions of `tempo.games.scene`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast
from xml.sax.saxutils import escape

from tempo.games.game import Game
from tempo.games.registry import parse_spec
from tempo.games.scene import Layout, Piece, Place, Scene, Shape, describe, game_of, layout

if TYPE_CHECKING:
    from tempo.games.protocol import Position, View

UNIT = 40  # pixels from one place to the next

# What a style of the ground and a place looks like: the attributes of its shape.
_styles = {
    "board": 'fill="#ecd3a0"',
    "tray": 'fill="#e0c088"',
    "dark": 'fill="#b58863"',
    "light": 'fill="#f0dcb9"',
    "line": 'stroke="#5b4526" stroke-width="1.2"',
    "road": 'stroke="#8a7350" stroke-width="1.2"',
    "rail": 'stroke="#5b4526" stroke-width="4.4"',
    "curve": 'stroke="#5b4526" stroke-width="0.11" fill="none"',  # drawn in places, not pixels
    "dot": 'fill="#5b4526"',
    "name": 'fill="#5b4526" font-size="13"',
    "station": 'fill="#f7ead0" stroke="#5b4526"',
    "camp": 'fill="#dfe5c8" stroke="#5b4526"',
    "headquarters": 'fill="#e6cdb9" stroke="#5b4526" stroke-width="2"',
}
_stripes = {  # on what is striped
    "rail": 'stroke="#f7ead0" stroke-width="2.2" stroke-dasharray="7 6"',
    "curve": 'stroke="#f7ead0" stroke-width="0.055" stroke-dasharray="0.175 0.15" fill="none"',
}
_colours = {
    "black": "#1d1b19",
    "white": "#fbfaf7",
    "red": "#b3402f",
    "blue": "#2f62a3",
    "gold": "#b07d12",
    "green": "#2e7d5b",
}
_middle = 'text-anchor="middle" dominant-baseline="central"'
_paper, _ink = "#f7f3ea", "#26221c"  # of a printed board
_wood = "#f6e3b8"  # of a wedge

# What a colour of the ground is on a dark page. Pieces keep theirs: a black stone stays black.
_in_the_dark = {
    "#ecd3a0": "#bf9e68",
    "#e0c088": "#a98a58",
    "#b58863": "#8a6849",
    "#f0dcb9": "#cdb591",
    "#5b4526": "#4b391f",
    "#8a7350": "#84693f",
    "#f7ead0": "#dcc9a2",
    "#dfe5c8": "#b5c09c",
    "#e6cdb9": "#cfa98e",
    _wood: "#dcc9a2",
    _paper: "#22201d",
    _ink: "#ece7dd",
}
_style = "@media (prefers-color-scheme: dark) {{{}}}".format(
    "".join(
        f'.tempo [{part}="{light}"]{{{part}:{dark}}}'
        for light, dark in _in_the_dark.items()
        for part in ("fill", "stroke")
    )
)


def svg(position: Position, seat: int | None = None) -> str:
    """A position as a self-contained SVG picture with a text alternative.

    A seat is shown what it may know, from its side of the board; None sees hidden parts, too.
    """
    return _drawn(game_of(position), position if seat is None else position.view(seat), seat)


def shown(moment: Position | View) -> str:
    """The picture that a notebook shows: a position of a hidden game as the seat to move sees it.

    A view is drawn for its own seat.
    """
    if hasattr(moment, "view"):
        position = cast("Position", moment)
        return svg(position, position.turn if game_of(position).is_hidden else None)
    view, known = cast("Any", moment), describe(moment)
    options = known.core.Options(parse_spec(view.game)[1])
    return _drawn(Game(known.core, options, known), view, view.seat)


def _drawn(game: Game, seen: Position | View, seat: int | None) -> str:
    title = f"{game.spec}: {seen.text}"
    ground = layout(game, seat)
    if not ground.places:
        return _printed(title, seen.board)
    return render(ground, Scene(game.description.face.pieces(seen, seat)), title)


def render(layout: Layout, scene: Scene, title: str) -> str:
    """SVG of a description."""
    left, top, wide, high = (v * UNIT for v in layout.box)
    spots = {place.id: place for place in layout.places}
    colours = [_colours[seat.colour] for seat in layout.seats]
    return _picture(
        (left, top, wide, high),
        title,
        [
            *(_shape(shape) for shape in layout.ground),
            *(_ground(place) for place in layout.places if place.form in _styles),
            *(_piece(piece, spots[piece.place], colours, layout) for piece in scene.pieces),
        ],
    )


def _picture(box: tuple[float, ...], title: str, parts: list[str]) -> str:
    x, y, wide, high = (_number(v) for v in box)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {wide} {high}" '
        f'width="{wide}" height="{high}" class="tempo" role="img" font-family="sans-serif">'
    )
    return "\n".join(
        [head, f"<title>{escape(title)}</title>", f"<style>{_style}</style>", *parts, "</svg>"]
    )


def _printed(title: str, board: str) -> str:
    """A game without a face of its own: its printed board."""
    lines = board.rstrip("\n").split("\n")
    size = 20
    box = (0, 0, (max(map(len, lines)) + 4) * 0.6 * size, (len(lines) + 2) * 1.2 * size)
    rows = [
        f'<text x="{size}" y="{_number((i + 1.5) * 1.2 * size)}" xml:space="preserve" '
        f'font-family="monospace" font-size="{size}" fill="{_ink}">{escape(line)}</text>'
        for i, line in enumerate(lines)
    ]
    ground = f'<rect width="{_number(box[2])}" height="{_number(box[3])}" fill="{_paper}"/>'
    return _picture(box, title, [ground, *rows])


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _shape(shape: Shape) -> str:
    if shape.style in _stripes:
        return _outlined(shape, _styles[shape.style]) + _outlined(shape, _stripes[shape.style])
    return _outlined(shape, _styles[shape.style])


def _outlined(shape: Shape, look: str) -> str:
    at = [_number(v * UNIT) for v in shape.at]
    match shape.kind:
        case "rect":
            return f'<rect x="{at[0]}" y="{at[1]}" width="{at[2]}" height="{at[3]}" {look}/>'
        case "line":
            return f'<line x1="{at[0]}" y1="{at[1]}" x2="{at[2]}" y2="{at[3]}" {look}/>'
        case "circle":
            return f'<circle cx="{at[0]}" cy="{at[1]}" r="{at[2]}" {look}/>'
        case "path":
            return f'<path transform="scale({UNIT})" d="{shape.text}" {look}/>'
        case "text":
            return f'<text x="{at[0]}" y="{at[1]}" {_middle} {look}>{escape(shape.text)}</text>'


def _ground(place: Place) -> str:
    """A place that is drawn even when nothing stands on it."""
    x, y, look = place.x * UNIT, place.y * UNIT, _styles[place.form]
    if place.form == "camp":
        return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{0.47 * UNIT:.1f}" {look}/>'
    half, high = (0.36, 0.28) if place.form == "station" else (0.46, 0.46)
    half, high = half * UNIT, high * UNIT
    return (
        f'<rect x="{_number(x - half)}" y="{_number(y - high)}" width="{_number(2 * half)}" '
        f'height="{_number(2 * high)}" rx="4" {look}/>'
    )


def _piece(piece: Piece, place: Place, colours: list[str], layout: Layout) -> str:
    x, y, fill = _number(place.x * UNIT), _number(place.y * UNIT), colours[piece.seat]
    text = escape(piece.text)
    turn = _turn(piece, layout)
    move = f"translate({x} {y})" + (f" rotate({turn})" if turn else "")
    if piece.form == "figure":
        outline, lines = layout.figures[piece.short]
        edge = "#1d1b19" if fill == _colours["white"] else "#f5ead6"
        return (
            f'<g transform="{move}" stroke-linejoin="round" stroke-linecap="round">'
            f'<path d="{outline}" fill="{fill}" stroke="#1d1b19" stroke-width="1.5"/>'
            f'<path d="{lines}" fill="none" stroke="{edge}" stroke-width="1.3"/></g>'
        )
    if piece.form == "wedge":
        count = f"<tspan font-size='12'>{piece.count}</tspan>" if piece.count > 1 else ""
        return (
            f'<g transform="{move}">'
            f'<path d="M0 -18L12 -12L15 17L-15 17L-12 -12Z" fill="{_wood}" stroke="#5b4526"/>'
            f'<text y="3" font-size="22" {_middle}>{text}{count}</text></g>'
        )
    if piece.form == "tile":
        label = f'<text font-size="14" {_middle} fill="#fbfaf7">{text}</text>' if text else ""
        return (
            f'<g transform="{move}"><rect x="-17.5" y="-12.5" width="35" height="25" rx="4" '
            f'fill="{fill}" stroke="#1d1b19"/>{label}</g>'
        )
    stone = f'<circle cx="{x}" cy="{y}" r="{0.44 * UNIT}" fill="{fill}" stroke="#1d1b19"/>'
    if not piece.text:
        return stone
    return f'{stone}<text x="{x}" y="{y}" font-size="20" {_middle} fill="#fbfaf7">{text}</text>'


def _turn(piece: Piece, layout: Layout) -> int:
    """By how much a piece is turned that faces its owner; 0 if it looks the same to all."""
    if piece.form not in {"wedge", "tile"}:
        return 0
    seats = len(layout.seats)
    return -360 // seats * ((piece.seat - layout.side) % seats)
