"""Games against programs by a clock, adjudicated, from openings of files, written as records."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import tempo
from tempo import ParseError, agents, arena
from tempo.agents import Choice
from tempo.arena import Clock, Conditions, openings, writing
from tempo.arena.log import read_log
from tempo.engines.answer import Limits
from tempo.engines.process import found
from tempo.engines.usi import UCI, USI, go_text
from tempo.games.record_files import read_file, record_of, write_file

OURS = shlex.join([sys.executable, "-m", "tempo", "engine"])
CHESS = f"uci:path={OURS} uci --agent alphabeta:depth=1"


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tempo", *arguments], capture_output=True, text=True, check=False
    )


# ---- programs -----------------------------------------------------------------------------------

PROGRAMS = {
    "uci": (f"{CHESS},movetime=0.1", "chess"),
    "usi": (f"usi:path={OURS} usi --agent alphabeta:depth=1,movetime=0.1", "shogi"),
    "gomocup": (f"gomocup:path={OURS} gomocup --agent alphabeta:depth=1,movetime=0.2", "gomoku"),
    "ugi": (f"ugi:path={OURS} ugi --game othello --agent alphabeta:depth=1,depth=1", "othello"),
}
if found("fairy-stockfish"):
    PROGRAMS |= {
        "fairy-stockfish": ("uci:path=fairy-stockfish,nodes=300,options=Hash:4", "chess"),
        "fairy-stockfish as usi": (
            "usi:path=fairy-stockfish,nodes=300,options=UCI_Variant:shogi", "shogi",
        ),
    }  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_play_whole_games(name: str) -> None:
    spec, game = PROGRAMS[name]
    result = arena.match((spec, "random"), game, games=2, conditions=Conditions(longest=60))
    assert [record.forfeit for record in result.records] == [None, None]
    assert result.score > 0.4
    assert result.ledger["a"].moves > 4


def test_our_engine_plays_what_our_agent_plays() -> None:
    own = "alphabeta:depth=2"
    spec = f"ugi:path={OURS} ugi --game othello --agent {own},depth=2"
    theirs = arena.match((spec, "random"), "othello", games=2, seed=3)
    ours = arena.match((own, "random"), "othello", games=2, seed=3)
    assert [one.moves for one in theirs.records] == [one.moves for one in ours.records]


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("uci", "uci needs the engine's path"),
        ("uci:path=cat", "uci needs a limit"),
        ("gomocup:path=no-such-brain,movetime=1", "there is no such program"),
        (f"{CHESS},movetime=0.1,options=Colour:red", "it has no option 'Colour'"),
    ],
)
def test_what_a_program_lacks_is_said(spec: str, says: str) -> None:
    game = "gomoku" if spec.startswith("gomocup") else "chess"
    with pytest.raises((ParseError, tempo.TempoError), match=says):
        arena.match((spec, "random"), game, games=2)


def test_a_brain_that_answers_nonsense_loses(tmp_path: Path) -> None:
    brain = tmp_path / "brain.py"
    brain.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    if line.startswith('START'): print('OK', flush=True)\n"
        "    if line.startswith(('BEGIN', 'DONE')): print('MESSAGE hm\\n99,99', flush=True)\n"
    )
    spec = f"gomocup:path={sys.executable} {brain},movetime=0.1"
    result = arena.match((spec, "random"), "gomoku(size=9)", games=2)
    assert [record.forfeit for record in result.records] == ["a", "a"]
    assert "99,99 is not on the board" in result.records[0].reason


# ---- clocks --------------------------------------------------------------------------------------


def test_clocks_as_text() -> None:
    assert Clock.parse("60+0.6") == Clock(60, 0.6)
    assert str(Clock.parse("5")) == "5+0"
    for wrong in ("", "0", "5+", "a+1", "-5", "1e3"):
        with pytest.raises(ParseError, match="is no clock; expected"):
            Clock.parse(wrong)


def test_what_an_engine_is_told_of_clocks() -> None:
    limits = Limits(clocks=(61.5, 0.25), increment=0.6, turn=1)
    assert go_text(limits, UCI) == "wtime 61500 btime 250 winc 600 binc 600"
    assert go_text(limits, USI) == "btime 61500 wtime 250 binc 600 winc 600"
    assert limits.seconds == 0.25


@pytest.mark.parametrize("spec", ["alphabeta", "mcts", "gomoku-strong", "random"])
def test_agents_play_within_their_clock(spec: str) -> None:
    clock = Clock(3.0, 0.05)
    result = arena.match((spec, "random"), "gomoku(size=9)", games=2, conditions=Conditions(clock))
    assert not any("on time" in record.reason for record in result.records)
    for record in result.records:
        spent = record.ledgers["a"]
        assert spent.wall_seconds < clock.seconds + clock.increment * spent.moves


@pytest.mark.parametrize(
    ("spec", "most"), [("alphabeta:depth=1", 1000), ("alphabeta:nodes=300", 300), ("alphabeta", 0)]
)
def test_an_agents_own_limits_hold_under_a_clock(spec: str, most: int) -> None:
    result = arena.match(
        (spec, "random"), "gomoku(size=7)", games=2, conditions=Conditions(Clock(2.0, 0.05))
    )
    for record in result.records:
        spent = record.ledgers["a"]
        if most:
            assert spent.positions <= most * spent.moves
        else:
            assert spent.positions > 1000 * spent.moves, "all the time it has"


class Slow:
    name = "slow"

    def choose(self, view: Any) -> Choice:
        time.sleep(0.2)
        move = view.legal_moves[0]
        return Choice(move, (), (move,))

    def reset(self, seed: int) -> None:
        pass


def test_who_is_late_has_lost() -> None:
    result = arena.match(
        (Slow(), "random"), "gomoku(size=9)", games=2, conditions=Conditions(Clock(0.5))
    )
    assert {record.reason for record in result.records} == {"slow lost on time"}
    assert result.losses == 2


def test_a_log_knows_its_conditions(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    timed = Conditions(Clock(5, 0.1), longest=10)
    arena.match(("random", "random"), "gomoku(size=5)", games=2, log=log, conditions=timed)
    assert read_log(log)[0]["conditions"] == "clock 5+0.1, longest 10"
    with pytest.raises(ValueError, match="conditions"):
        arena.match(("random", "random"), "gomoku(size=5)", games=2, log=log)


# ---- adjudication --------------------------------------------------------------------------------


class Gloomy(Slow):
    """Values its own position at what it was made with."""

    def __init__(self, name: str, value: float) -> None:
        self.name, self.value = name, value

    def choose(self, view: Any) -> Choice:
        move = view.legal_moves[0]
        own = tuple(self.value if seat == view.turn else -self.value for seat in range(2))
        return Choice(move, own, (move,))


def test_who_thinks_it_lost_often_enough_has_lost() -> None:
    rules = Conditions(resign=(3, 0.9))
    players = (Gloomy("sad", -0.95), Gloomy("glad", 0.5))
    result = arena.match(players, "gomoku(size=9)", games=2, conditions=rules)
    assert {record.reason for record in result.records} == {"adjudicated, sad loses"}
    assert result.losses == 2
    assert {len(record.moves) for record in result.records} == {5, 6}


def test_what_both_call_even_is_a_draw() -> None:
    rules = Conditions(draw=(4, 2, 0.05))
    result = arena.match(
        (Gloomy("one", 0.01), Gloomy("two", -0.02)), "gomoku(size=9)", games=2, conditions=rules
    )
    assert {(record.reason, len(record.moves)) for record in result.records} == {
        ("adjudicated, a draw", 7)
    }
    assert result.draws == 2


@pytest.mark.parametrize(
    "given", [{"resign": "4"}, {"resign": "0,0.9"}, {"draw": "40,8"}, {"draw": "40,8,2"}]
)
def test_rules_that_make_no_sense(given: dict[str, Any]) -> None:
    with pytest.raises(ParseError, match="takes"):
        Conditions.parse(**given)


# ---- openings of files and records ---------------------------------------------------------------


def test_matches_are_written_and_begin_again_from_what_was_written(tmp_path: Path) -> None:
    game = tempo.load("chess")
    result = arena.match(("alphabeta:depth=1", "random"), game, games=4, seed=2)
    path = tmp_path / "games.pgn"
    assert writing.write_records(path, [result]) == 4
    trees = read_file(path)
    for tree, record in zip(trees, result.records, strict=True):
        told = record_of(tree)
        texts = [p.move_text(m) for p, m in zip(told.positions(), told.moves, strict=False)]
        assert texts == [*record.opening.moves, *record.moves]
        assert told.headers["PW"] == ("alphabeta:depth=1", "random")[record.index % 2]
    starts = openings.named(str(path), game, plies=6)
    assert [len(one.moves) for one in starts] == [6] * len(starts)
    assert len(starts) >= 2
    assert arena.match(("random", "random"), game, games=2, openings=starts).games == 2
    with pytest.raises(ParseError, match="game 1 is one of chess, not of othello"):
        openings.named(str(path), tempo.load("othello"))


@pytest.mark.parametrize(
    ("name", "spec", "text", "count"),
    [
        ("a.fen", "chess", "8/8/8/4k3/8/8/8/R3K3 w - - 0 1\n\n# a remark\n", 1),
        ("a.epd", "chess", '8/8/8/4k3/8/8/8/R3K3 w - - bm Ra5; id "x";\n', 1),
        ("a.sfen", "shogi", "startpos moves 7g7f 3c3d\nposition startpos moves 2g2f\n", 2),
        ("b.sfen", "shogi", "sfen 4k4/9/9/9/9/9/9/9/4K4 b G 1\n", 1),
    ],
)
def test_positions_of_files(tmp_path: Path, name: str, spec: str, text: str, count: int) -> None:
    (tmp_path / name).write_text(text)
    game = tempo.load(spec)
    assert len(openings.named(str(tmp_path / name), game)) == count
    (tmp_path / name).write_text(text + "nonsense\n")
    with pytest.raises(ParseError, match=f"{name}, line"):
        openings.named(str(tmp_path / name), game)


def test_records_are_converted_on_the_command_line(tmp_path: Path) -> None:
    data = Path(__file__).parent / "data" / "records"
    out = tmp_path / "game.csa"
    done = command("convert", str(data / "shogi_game.kif"), str(out), "--json")
    assert json.loads(done.stdout) == {"files": [str(out)], "format": "csa", "games": 1}
    (one,), (other,) = read_file(data / "shogi_game.kif"), read_file(out)
    assert record_of(one).moves == record_of(other).moves
    again = command("convert", str(out), str(out))
    assert (again.returncode, again.stderr) == (
        2, f"tempo: {out} exists; choose another name or give --force\n",
    )  # fmt: skip
    wrong = command("convert", str(out), str(tmp_path / "game.pgn"))
    assert "there is no format 'pgn'; there are kif, csa, txt, for shogi" in wrong.stderr


def test_a_format_of_single_games_gets_a_file_each(tmp_path: Path) -> None:
    result = arena.match(("random", "random"), "gomoku(size=5)", games=2)
    files = write_file(tmp_path / "games.psq", writing.records_of(result))
    assert [file.name for file in files] == ["games-1.psq", "games-2.psq"]
    assert [len(read_file(file)) for file in files] == [1, 1]


def test_a_match_on_the_command_line(tmp_path: Path) -> None:
    arguments = ["match", "alphabeta:depth=1", "random", "-g", "gomoku(size=7)", "-n", "4"]
    more = ["--clock", "2+0.1", "--max-moves", "30", "--records", str(tmp_path / "g.sgf")]
    done = command(*arguments, *more, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 4
    assert len(read_file(tmp_path / "g.sgf")) == 4
    early = command(*arguments, "--records", "games.pgn")
    assert early.returncode == 2
    assert early.stderr.startswith("tempo: there is no format 'pgn'")


def test_an_agent_of_another_game_is_refused_at_once() -> None:
    for protocol, agent in (("uci", "gomoku-strong"), ("gomocup", "shogi-strong")):
        done = command("engine", protocol, "--agent", agent)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"tempo: {agent} plays ")
    assert "say which, such as --game jiu" in command("engine", "ugi", "-a", "random").stderr


def test_agents_know_their_games() -> None:
    assert agents.registry.games_of("gomoku-strong:time=1") == ("gomoku",)
    assert set(agents.registry.games_of("mcts")) == set(tempo.games.names())
