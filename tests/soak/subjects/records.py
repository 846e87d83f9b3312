"""Records: every function of a game or of `tempo.records` that reads a text or bytes.

A reader has a corpus: what its writer makes of random games, and the files of `tests/data`. A new
reader without one fails in `make test`.
"""

from __future__ import annotations

import importlib
import inspect
import itertools
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from random import Random
from typing import Any

from game_data import DATA

import tempo
from soak.mutating import Texts, damaged
from soak.subject import Subject
from tempo import _core, games, records, testing
from tempo.games import plain
from tempo.games.chess import pgn
from tempo.games.gomoku import psq
from tempo.games.gomoku import sgf as gomoku
from tempo.games.jiu import book as jiu_book
from tempo.games.jiu import foreign as jiu_foreign
from tempo.games.jiu import library_sgf
from tempo.games.jiu import sgf as jiu
from tempo.games.record import Record
from tempo.games.shogi import csa, kif
from tempo.games.siguo import record as siguo
from tempo.records import sgf

FILES = DATA / "records"
LENGTHS = (0, 1, 2, 4, 8, 16, 30)  # plies of the games of a corpus: short ones are soon read
HEADERS = {"PB": "Ada", "PW": "Böb", "DT": "2026-01-31", "EV": "A [match]"}


@lru_cache
def games_of(spec: str, longest: int = LENGTHS[-1]) -> list[Record]:
    """Random games of some rules, most of them broken off."""
    game = tempo.load(spec)
    found = []
    for seed, length in enumerate((*LENGTHS, 10_000) if longest > LENGTHS[-1] else LENGTHS):
        positions = list(testing.random_game(game, seed, length))
        found.append(Record(spec, _moves(positions), headers=HEADERS if seed % 2 else {}))
    return found


def _moves(positions: Sequence[Any]) -> tuple[int, ...]:
    """The moves between positions."""
    return tuple(
        next(move for move in before.legal_moves if before.play(move) == after)
        for before, after in itertools.pairwise(positions)
    )


@lru_cache
def jiu_games() -> list[Record]:
    """Small games of Jiu with battles, never broken off within a turn."""
    from jiu_records import random_record  # noqa: PLC0415

    return [random_record("jiu(size=6)", seed, length) for seed, length in enumerate(
        (0, 3, 20, 34, 40, 60, 100, 10_000))]  # fmt: skip


SMALL = "jiu(size=4)"  # what foreign formats are tried with: a whole game is soon read


@lru_cache
def small_jiu() -> list[Record]:
    """Games of Jiu from the first stone on, as foreign formats need them."""
    from jiu_records import random_record  # noqa: PLC0415

    lengths = (16, 17, 18, 20, 24, 30, 40)
    return [random_record(SMALL, seed, length) for seed, length in enumerate(lengths)]


def written(write: Callable[[Any], str], kept: Iterable[Record]) -> list[str]:
    """What a writer makes of games; those that a format has no place for are left out."""
    found = []
    for record in kept:
        try:
            found.append(write(record))
        except records_refusals:
            continue
    return found


records_refusals = (tempo.ParseError, tempo.IllegalMove, tempo.TempoError)


@lru_cache
def siguo_games() -> list[siguo.SiguoRecord]:
    """Games of Siguo, whole and broken off."""
    found = []
    for seed, length in enumerate((0, 2, 8, 20, 60)):
        positions = list(testing.random_game(tempo.load("siguo"), seed, length))
        found.append(siguo.of_moves(positions[0], _moves(positions)))
    return found


def files(*patterns: str) -> list[str]:
    """Files of the tests' data."""
    return [path.read_text(encoding="utf-8", errors="replace")
            for pattern in patterns for path in sorted(FILES.glob(pattern))]  # fmt: skip


# ---- what each reader is given -------------------------------------------------------------------

SHOGI = ("shogi", "shogi(repetition=perpetual-loses,declaration=on,length=120)")
GOMOKU = ("gomoku", "gomoku(size=5)", "gomoku(size=20,rule=exactly_five)")


def gomoku_records() -> list[Record]:
    """Of several sizes."""
    return [record for spec in GOMOKU for record in games_of(spec)]


def chess_records() -> list[Record]:
    """Of plain chess."""
    return games_of("chess")


def shogi_records() -> list[Record]:
    """Of plain shogi."""
    return games_of("shogi")


def jiu_turns() -> list[str]:
    """Turns as text."""
    return ["G9-G7xG8*E7", "G9-G7*E7", "A1", "B4-B5", "C3-C5-E5xC4,D5", "A1xB2", "*C3,D4"]


GONGJIU = (
    "one vs two\n-----布局结束-----\n1.@0;\n"
    + "".join(
        f"0.{point};\n"
        for point in [
            "b2",
            "C3",
            "a1",
            "A2",
            "a3",
            "A4",
            "b1",
            "B3",
            "b4",
            "C1",
            "c2",
            "C4",
            "d1",
            "D2",
            "d3",
            "D4",
        ]
    )
    + "18.D2-B2;\n"
)


CORPORA: dict[str, Callable[[], Sequence[str]]] = {
    "chess.pgn": lambda: written(pgn.write, chess_records()) + files("*.pgn") + [ANNOTATED],
    "gomoku.sgf": lambda: written(gomoku.write, gomoku_records()) + files("gomoku*.sgf"),
    "jiu.sgf": lambda: written(jiu.write, jiu_games()),
    "sgf": lambda: (
        written(gomoku.write, gomoku_records()) + written(jiu.write, jiu_games()) + [TREE]
    ),
    "gomoku.psq": lambda: written(psq.write, gomoku_records()) + files("*.psq"),
    "shogi.csa": lambda: written(csa.write, shogi_records()) + files("*.csa"),
    "shogi.kif": lambda: written(kif.write, shogi_records()) + files("*.kif"),
    "siguo.record": lambda: [siguo.write(record) for record in siguo_games()],
    "jiu.book": lambda: written(jiu_book.write_book, small_jiu()),
    "jiu.foreign.read_open": lambda: written(lambda r: jiu_foreign.write_open([r]), small_jiu()),
    "jiu.foreign.read_jq": lambda: written(jiu_foreign.write_jq, small_jiu()),
    "jiu.foreign.read_gongjiu": lambda: [GONGJIU],
    "jiu.turns": jiu_turns,
    "plain": lambda: written(plain.write, games_of("othello") + gomoku_records()),
}
ANNOTATED = """[Event "?"]
[Result "1/2-1/2"]

1. e4 $1 {best {by} test} e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3! Nc6?! 3. Bb5 a6 ; line
4. O-O 1/2-1/2
"""
TREE = "(;GM[4]FF[4]SZ[5](;B[aa];W[bb](;B[cc])(;B[dd];W[ee]))(;B[ab]C[a\\]b:c]))"


# ---- reading and writing again -------------------------------------------------------------------


def checker(
    reader: Callable[..., Any], writer: Callable[[Any], Any] | None
) -> Callable[[Any], str]:
    """What is read is written and read again, and is the same."""

    def check(given: Any) -> str:
        found = reader(given)
        if writer is None:
            return "accepted"
        try:
            again = writer(found)
        except records_refusals:
            return "accepted, cannot be written"
        assert reader(again) == found
        return "accepted"

    return check


WRITERS: dict[str, Callable[[Any], Any]] = {
    "chess.pgn.read": pgn.write, "chess.pgn.read_all": pgn.write,
    "chess.pgn.read_annotated": pgn.write_annotated,
    "gomoku.sgf.read": gomoku.write, "gomoku.sgf.read_all": gomoku.write,
    "jiu.sgf.read": jiu.write, "jiu.sgf.read_all": jiu.write,
    "sgf.read": sgf.write, "sgf.read_one": sgf.write,
    "shogi.csa.read": csa.write, "shogi.csa.read_all": csa.write,
    "shogi.kif.read": kif.write, "shogi.kif.read_lines": kif.write_lines,
    "gomoku.psq.read": psq.write, "plain.read": plain.write,
    "siguo.record.read": siguo.write, "jiu.foreign.read_open": jiu_foreign.write_open,
}  # fmt: skip


def readers() -> Iterator[tuple[str, Callable[..., Any], bool]]:
    """Every public reader of records: its name, itself, and whether it takes bytes."""
    for package in (records, games):
        for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            yield from _readers(found.name.removeprefix(package.__name__ + "."), found.name)


def _readers(short: str, full: str) -> Iterator[tuple[str, Callable[..., Any], bool]]:
    module = importlib.import_module(full)
    for name, reader in vars(module).items():
        owner = getattr(reader, "__module__", "")
        ours = owner in (module.__name__, "tempo.games.dialect")
        if not name.startswith("read") or not callable(reader) or not ours:
            continue
        parameters = list(inspect.signature(reader).parameters.values())
        needed = [p for p in parameters if p.default is p.empty]
        if len(needed) == 1 and needed[0].name in ("text", "data"):
            yield f"{short}.{name}", reader, needed[0].name == "data"


@lru_cache
def replays() -> list[bytes]:
    """Games as another program stores them: line-ups, then four bytes for each step."""
    found = []
    codes = {letter: code for code, letter in siguo._CODES.items()}
    for record in siguo_games():
        setups = "".join(record.setups).replace("/", "")
        steps = bytearray()
        for position, (_, text) in zip(record.positions(), record.plies, strict=False):
            ends = divmod(position.parse_move(text), 129)
            for x, y in map(_core.siguo.place, ends):
                steps += bytes((16 - x, y))
        head = siguo._MAGIC + (len(steps) // 4).to_bytes(4, "little")
        found.append(head + bytes(codes[letter] for letter in setups) + bytes(steps))
    return found


def make_bytes(random: Random) -> bytes:
    """A damaged replay or line-up of another program."""
    data = random.choice(replays())
    return damaged(data if random.random() < 0.7 else bytes(16) + data[:4] + data[8:38], random)


def libraries() -> list[str]:
    """Opening libraries of a few placements."""
    head = "(;FF[4]CA[UTF-8]GM[140]AP[Tempo:jiu-rules/1.0]SZ[14]RU[jiu:seed]GN[Jiu]PL[W]\n"
    first = ";W[gg]VN[160]QV[10.5];B[hh]VN[160]QV[9.125]"
    below = "(;W[hg]VN[139]QV[1.25];B[ab]VN[70]QV[0])(;W[gh]VN[20]QV[-0.5]C[seldom])"
    return [f"{head}{first})", f"{head}{first}{below})", f"{head};W[hh]VN[1]QV[-3.0001])"]


def read_library(text: str) -> str:
    """A library is written and read again, and is the same."""
    found = library_sgf.from_tree(sgf.read_one(text))
    written_once = sgf.write(library_sgf.to_tree(found))
    again = library_sgf.from_tree(sgf.read_one(written_once))
    assert sgf.write(library_sgf.to_tree(again)) == written_once
    found.merged(again)
    found.pruned(1, 3)
    return "accepted"


def corpus_of(name: str) -> Callable[[], Sequence[str]]:
    """The sound texts of a reader; a reader without any is a fault of this file."""
    for key in (name, name.rpartition(".")[0]):
        if key in CORPORA:
            return CORPORA[key]
    raise LookupError(f"{name} has no corpus in soak/subjects/records.py")


def subjects() -> Iterator[Subject]:
    """One for each reader, and the page's, which finds out the format by itself."""
    for name, reader, takes_bytes in readers():
        if takes_bytes:
            yield Subject(f"records.{name}", make_bytes, checker(reader, None), slice=100)
        else:
            texts = Texts(corpus_of(name))
            by_rules = "game" in inspect.signature(reader).parameters
            read = partial(reader, game=SMALL) if by_rules else reader
            check = checker(read, WRITERS.get(name))
            yield Subject(f"records.{name}", texts, check, slice=40, weight=2)
    yield Subject("records.library", Texts(libraries), read_library, slice=60)
    yield Subject(
        "records.page", partial(make_file, Texts(all_texts)), open_file, slice=60, weight=2
    )


def all_texts() -> list[str]:
    """The sound texts of all formats."""
    return [text for name, corpus in CORPORA.items() if name != "jiu.turns" for text in corpus()]


def make_file(texts: Texts, random: Random) -> bytes:
    """A file as somebody may send it to the page."""
    codec = random.choice(("utf-8", "utf-8", "utf-8", "cp932", "latin-1", "utf-16"))
    data = texts(random).encode(codec, "replace")
    return damaged(data, random) if random.random() < 0.2 else data


def open_file(data: bytes) -> str:
    """The games of a file, as the page shows them."""
    from tempo.web import replay_files  # noqa: PLC0415

    name, found, _ = replay_files.read(data)
    for opened in found:
        replay_files.data_of(opened)
    return f"accepted as {name}"
