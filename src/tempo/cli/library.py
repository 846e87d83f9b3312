"""`tempo library`: show, merge and prune opening libraries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tempo.cli.common import Json, print_json

if TYPE_CHECKING:
    from tempo.games.jiu.library import Library

app = typer.Typer(help="Opening libraries: show, merge and prune.", no_args_is_help=True)

File = Annotated[Path, typer.Argument(help="A library, an SGF file.")]
Out = Annotated[Path, typer.Option("--out", "-o", help="The new library.")]
Force = Annotated[bool, typer.Option("--force", help="Replace the new library if it exists.")]


@app.command(epilog="Example: tempo library show sarsa.sgf --moves 'G7 H8' --depth 2")
def show(
    file: File,
    depth: Annotated[int, typer.Option(min=1, max=1000, help="Placements looked ahead.")] = 3,
    moves: Annotated[str, typer.Option(help="Placements before that: 'G7 H8 G8'.")] = "",
    width: Annotated[
        int, typer.Option(min=1, max=1000, help="Placements shown at each place.")
    ] = 4,
    as_json: Json = False,
) -> None:
    """What a library knows: placements, the best first, how often tried and what worth.

    A value is that of the side that makes the placement.
    """
    from tempo.errors import ParseError  # noqa: PLC0415
    from tempo.games.jiu import library_sgf  # noqa: PLC0415

    library = library_sgf.load(file)
    sequence = [_point(text, library.size) for text in moves.split()]
    start = library.find(sequence)
    if start is None:
        raise ParseError(f"{file} does not know {moves}; it ends before that")
    found = _below(library, start, depth, width)
    if as_json:
        print_json({**_summary(library), "after": moves.split(), **found})
        return
    print(f"{file.name}: {_summary_text(library)}")
    for ident, text in library.headers.items():
        print(fill(f"{ident}: {text}", 80))
    print(f"{'after ' + ' '.join(moves.split()) if sequence else '':<48}{'tried':>12}{'worth':>18}")
    print(*_lines(found), sep="\n")


@app.command(epilog="Example: tempo library merge a.sgf b.sgf -o both.sgf")
def merge(first: File, second: File, out: Out, force: Force = False, as_json: Json = False) -> None:
    """Two libraries in one: tries add up, values are averaged by them."""
    from tempo.games.jiu import library_sgf  # noqa: PLC0415

    library = library_sgf.load(first).merged(library_sgf.load(second))
    _write(library, out, force=force, as_json=as_json)


@app.command(epilog="Example: tempo library prune both.sgf --visits 100 --depth 20 -o small.sgf")
def prune(
    file: File,
    out: Out,
    visits: Annotated[int, typer.Option(min=0, help="Keep what was tried so often.")] = 0,
    depth: Annotated[int | None, typer.Option(min=1, help="Keep this many placements.")] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """A smaller library: without what was tried rarely, without what lies deep."""
    from tempo.games.jiu import library_sgf  # noqa: PLC0415

    _write(library_sgf.load(file).pruned(visits, depth), out, force=force, as_json=as_json)


def _write(library: Library, out: Path, *, force: bool, as_json: bool) -> None:
    from tempo.errors import TempoError  # noqa: PLC0415
    from tempo.games.jiu import library_sgf  # noqa: PLC0415

    if out.exists() and not force:
        raise TempoError(f"{out} exists; choose another name or give --force")
    library_sgf.save(library, out)
    if as_json:
        print_json({"file": str(out), **_summary(library)})
    else:
        print(f"{out}: {_summary_text(library)}")


def _summary(library: Library) -> dict[str, Any]:
    deepest = max(library.stones)
    return {"game": library.game, "nodes": len(library), "depth": deepest, "games": library.games}


def _summary_text(library: Library) -> str:
    return (
        f"{library.game}, {len(library):,} placements, {max(library.stones)} deep, "
        f"from {library.games:,} games"
    )


def _below(library: Library, number: int, depth: int, width: int) -> dict[str, Any]:
    """What follows a node: the best `width` placements, and how many others there are."""
    from tempo.games import load  # noqa: PLC0415

    game = load(library.game)
    seat = game.seat_names[(game.start().turn + library.stones[number]) % 2]
    following = []
    for child in library.children[number][:width]:
        node = library.nodes[child]
        row, column = divmod(node.point, library.size)
        placement = {"seat": seat, "point": f"{chr(ord('A') + row)}{column + 1}"}
        below = _below(library, child, depth - 1, width) if depth > 1 else {}
        following.append({**placement, "visits": node.visits, "value": node.value, **below})
    return {"next": following, "others": len(library.children[number]) - len(following)}


def _lines(below: dict[str, Any], level: int = 0) -> Iterator[str]:
    """The same as text, at most 80 columns: deeper placements further right."""
    indent = "  " * min(level, 18)
    for placement in below.get("next", ()):
        name = f"{indent}{placement['seat']} {placement['point']}"
        yield f"{name:<48}{placement['visits']:>12,}{placement['value']:>18,.2f}"
        yield from _lines(placement, level + 1)
    if below.get("others"):
        yield f"{indent}and {below['others']} more"


def _point(text: str, size: int) -> int:
    """`G7` as row * size + column."""
    from tempo.errors import ParseError  # noqa: PLC0415

    row, digits = ord(text[0].upper()) - ord("A"), text[1:]
    column = int(digits) - 1 if digits.isascii() and digits.isdigit() else -1
    if not (0 <= row < size and 0 <= column < size):
        last = f"{chr(ord('A') + size - 1)}{size}"
        raise ParseError(f"'{text}' is no point; expected A1 to {last}")
    return row * size + column
