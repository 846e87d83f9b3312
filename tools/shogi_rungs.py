"""An agent against real programs of shogi, each with the same time for a move.

    python tools/shogi_rungs.py shogi-uct:time=0.5 --games 20 --zshogi FOLDER --out FOLDER

The programs are not part of Tempo: GNU Shogi and GPS Shogi are Debian's packages gnushogi and
gpsshogi; Z Shogi is npm's zshogi, and FOLDER is where `npm install zshogi` was run. Whatever is not
there is passed over with a word. Our rules judge both sides' moves. With --out, each match keeps a
log, from which it goes on if it was stopped, its games as CSA and its figures as JSON.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tempo import arena
from tempo.arena import MatchResult
from tempo.arena.rendering import match_text
from tempo.arena.table import GameRecord
from tempo.engines.process import found
from tempo.errors import TempoError
from tempo.files import write_text
from tempo.games import load
from tempo.games.record import Record
from tempo.games.shogi import csa
from tempo.ledger import Machine

DRIVER = Path(__file__).resolve().parent / "zshogi.mjs"


@dataclass(frozen=True)
class Rung:
    """A program and how it is made to play; `missing` says what to install, if anything."""

    name: str
    agent: str
    missing: str = ""


def rungs(seconds: float, zshogi: Path) -> Iterator[Rung]:
    """From the weakest up, as far as anyone knows."""
    gnu = "" if found("gnushogi") else "apt-get install gnushogi"
    yield Rung("gnushogi", f"gnushogi:movetime={seconds:g}", gnu)
    package = zshogi / "node_modules" / "zshogi"
    z = "" if package.is_dir() and found("node") else "npm install zshogi, and --zshogi"
    for depth in (1, 3):
        # Its depth ends its search long before the time does.
        driven = f"usi:path=node {DRIVER} {zshogi.resolve()},byoyomi={seconds:g}"
        yield Rung(f"zshogi-{depth}", f"{driven},options=DepthLimit:{depth}", z)
    gps = "" if found("gpsusi") else "apt-get install gpsshogi"
    # Left alone it takes about a second a move, whatever the clock says; one thread, as ours have.
    own = f"usi:path=gpsusi,byoyomi={seconds:g},late=0,options=Thread:1"
    yield Rung("gpsshogi", own, gps)


def record_of(game: str, played: GameRecord, names: dict[str, str]) -> Record:
    """A game of a match as a record."""
    position = load(game).start()
    moves: list[int] = []
    if played.opening.start is not None:
        raise TempoError("openings that begin at a position are not written as records here")
    for text in (*played.opening.moves, *played.moves):
        moves.append(position.parse_move(text))
        position = position.play(text)
    result = "?"
    if not position.is_over:
        winner = "BW"[played.scores[0] < played.scores[1]]
        result = f"{winner}+{'F' if played.forfeit else 'R'}"
    headers = {"PB": names[played.seats[0]], "PW": names[played.seats[1]]}
    return Record(game, tuple(moves), "", headers, result)


def keep(result: MatchResult, rung: Rung, out: Path) -> None:
    """Games as CSA, figures as JSON."""
    names = {"a": result.a, "b": result.b}
    games = [record_of(result.game, record, names) for record in result.records]
    csa.write_file(out / f"{rung.name}.csa", games)
    figures = {**result.to_json(), "reasons": result.reasons, "machine": Machine.here().to_json()}
    write_text(out / f"{rung.name}.json", json.dumps(figures, indent=1) + "\n")


def told(result: MatchResult) -> str:
    """The usual table, and the time that each side really took."""
    took = (
        f"{ledger.wall_seconds / max(ledger.moves, 1):.3f} s a move for {name}"
        for name, ledger in zip((result.a, result.b), result.ledger.values(), strict=True)
    )
    return f"{match_text(result)}\n" + "\n".join(took) + "\n"


def main() -> None:
    """Plays the matches that can be played."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("agent", help="who meets them, e.g. shogi-uct:time=0.5")
    parser.add_argument("--time", type=float, default=0.5, help="seconds a move for the programs")
    parser.add_argument("--games", type=int, default=10, help="with each, an even number")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", default="shogi(repetition=perpetual-loses)")
    parser.add_argument("--only", help="rungs by name, with commas")
    parser.add_argument("--zshogi", type=Path, default=Path(), help="where zshogi was installed")
    parser.add_argument("--out", type=Path, help="folder for logs, games and figures")
    given = parser.parse_args()
    for rung in rungs(given.time, given.zshogi):
        if given.only and rung.name not in given.only.split(","):
            continue
        if rung.missing:
            print(f"{rung.name}: not here; {rung.missing}")
            continue
        log = given.out / f"{rung.name}.jsonl" if given.out else None
        if given.out:
            given.out.mkdir(parents=True, exist_ok=True)
        result = arena.match(
            (given.agent, rung.agent), given.game, games=given.games, seed=given.seed, log=log
        )
        if given.out:
            keep(result, rung, given.out)
        print(told(result), flush=True)


if __name__ == "__main__":
    main()
