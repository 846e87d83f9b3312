"""Record files of every game: recognised by what is in them, read, and written by their names."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from tempo.errors import IllegalMove, ParseError, unknown
from tempo.files import write_text
from tempo.games.formats import MOST_GAMES, Format, GameTree, all_formats, lines_of
from tempo.games.plain import PLAIN
from tempo.games.record import Record
from tempo.games.registry import load

MOST_BYTES = 2**20  # that the page takes
LARGEST = 2**28  # bytes of a file on disk


def recognise(text: str) -> Format:
    """A text's format; ParseError lists those that are known."""
    head = text[:5000].lstrip("\ufeff \t\r\n")
    known = [one for one in all_formats() if one.begins is not None]
    for one in known:
        if one.begins is not None and one.begins.match(head):
            return one
    *some, last = dict.fromkeys(one.title for one in known)
    expected = f"{', '.join(some)} or {last}"
    raise ParseError(f"line 1: '{head[:30].splitlines()[0] if head else ''}'; expected {expected}")


def read(data: bytes) -> tuple[str, list[GameTree], bool]:
    """A file's format, its games (at most MOST_GAMES), and whether it has more."""
    if len(data) > MOST_BYTES:
        raise ParseError(f"{len(data)} bytes; a record file may have {MOST_BYTES}")
    for one in all_formats():
        if one.read_bytes is not None and data.startswith(one.magic):
            return one.name, one.read_bytes(data), False
    text = decode(data)
    form = recognise(text)
    assert form.read is not None
    try:
        found = form.read(text)
    except IllegalMove as error:
        raise ParseError(str(error)) from error
    return form.name, found[:MOST_GAMES], len(found) > MOST_GAMES


def decode(data: bytes) -> str:
    """A file's text: UTF-8, or the older encoding of a format that it then is, or Latin-1."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        if b"\x00" in data:
            raise ParseError(f"byte {wrong.start} is no text in UTF-8; is this a record?") from None
    for encoding in dict.fromkeys(one.encoding for one in all_formats() if one.encoding):
        try:
            text = data.decode(encoding)
            if recognise(text).encoding == encoding:
                return text
        except (UnicodeDecodeError, ParseError):
            pass
    return data.decode("latin-1")


def read_file(path: str | os.PathLike[str]) -> list[GameTree]:
    """All games of a file on disk, whatever its format; ParseError names the file."""
    data = Path(path).read_bytes()
    if len(data) > LARGEST:
        raise ParseError(f"{path} has {len(data):,} bytes; a record file may have {LARGEST:,}")
    try:
        for one in all_formats():
            if one.read_bytes is not None and data.startswith(one.magic):
                return one.read_bytes(data)
        text = decode(data)
        form = recognise(text)
        assert form.read is not None
        return form.read(text)
    except (ParseError, IllegalMove) as error:
        raise ParseError(f"{path}: {error}") from error


def record_of(tree: GameTree) -> Record:
    """The main line of a game of a file."""
    line = lines_of(tree.tree)[0] if tree.tree else []
    moves = tuple(ply for ply in line if isinstance(ply, int))
    start = "" if tree.first.text == load(tree.game).start().text else tree.first.text
    return Record(tree.game, moves, start, dict(tree.headers), tree.result)


def format_for(game: str, name: str) -> Format:
    """The format in which games are written, by its name: `pgn`, `kif`, `sgf`, `txt`."""
    loaded = load(game)
    own = [one for one in loaded.description.formats if one.write_record is not None]
    known = {one.name: one for one in (*own, PLAIN)}
    if name not in known:
        raise unknown("format", name, known, f", for {loaded.name}")
    return known[name]


def write_file(path: str | os.PathLike[str], records: Sequence[Record]) -> list[Path]:
    """Writes games into a file whose name says the format; gives the files that were written.

    Where a format holds one game alone, each gets a file of its own: `games-1.kif` and so on.
    """
    if not records:
        raise ParseError("there is no game to write")
    target = Path(path)
    form = format_for(records[0].game, form_of(target))
    assert form.write_record is not None
    parts = [form.write_record(record) for record in records]
    if len(parts) == 1 or form.joined is not None:
        text = (form.joined or "").join(part.rstrip("\n") for part in parts)
        write_text(target, text + "\n")
        return [target]
    width = len(str(len(parts)))
    files = [
        target.with_stem(f"{target.stem}-{number:0{width}d}") for number in range(1, len(parts) + 1)
    ]
    for file, part in zip(files, parts, strict=True):
        write_text(file, part)
    return files


def form_of(path: str | os.PathLike[str]) -> str:
    """The format that a file's name ends with."""
    form = Path(path).suffix.removeprefix(".").lower()
    if not form:
        raise ParseError(f"{path} does not say its format; expected a name such as games.pgn")
    return form
