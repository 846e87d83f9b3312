"""The command line: help with examples, one JSON object, one sentence for bad input, 80 columns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import tempo as package
from tempo import cli, games, recipes

COMMANDS = [
    "games", "agents", "match", "tournament", "tablebase", "train", "demo", "evaluate", "export",
    "learners", "recipes", "compare",
    "convert", "new-game", "perft", "play", "reproduce", "signature", "bench", "engine",
]  # fmt: skip
QUICK = ["-g", "gomoku(size=5)", "--games", "4"]


class Ran(NamedTuple):
    """What a command left: exit status, standard output, standard error."""

    status: int
    out: str
    err: str


@pytest.fixture
def tempo(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs the command line in this process, as the installed command does."""
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["tempo", *arguments])
        try:
            cli.main()
            code: Any = 0
        except SystemExit as ended:
            code = ended.code
        return Ran(code if isinstance(code, int) else int(code is not None), *capsys.readouterr())

    return run


def only_object(ran: Ran) -> Any:
    assert ran.status == 0, ran.err
    assert ran.out.count("\n") == 1, "exactly one line"
    return json.loads(ran.out)


def test_the_list_of_commands_is_complete(tempo: Any) -> None:
    known: list[Any] = list(cli.app.registered_commands)
    names = [command.name or command.callback.__name__ for command in known]
    assert sorted(names) == sorted(COMMANDS)
    assert all(command in tempo("--help").out for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example(tempo: Any, command: str) -> None:
    ran = tempo(command, "--help")
    assert ran.status == 0
    assert f"Example: tempo {command}" in ran.out
    assert tempo(command, "-h").out == ran.out


@pytest.mark.parametrize(
    "arguments",
    [
        *([command, "--help"] for command in COMMANDS),
        ["--help"],
        ["games"],
        ["games", "jiu"],
        ["games", "siguo"],
        ["learners"],
        ["recipes"],
        ["recipes", "krk"],
        ["agents"],
        ["agents", "mcts"],
        ["perft", "chess", "3", "--divide"],
        ["match", "random", "mcts:sims=20", *QUICK],
        ["tournament", "random", "mcts:sims=20", "alphabeta:depth=1", *QUICK],
        ["tablebase", "KRK"],
        ["evaluate", "random", "--ending", "KQK", "--games", "4"],
    ],
    ids=" ".join,
)
def test_output_fits_80_columns(tempo: Any, arguments: list[str]) -> None:
    ran = tempo(*arguments)
    assert ran.status == 0, ran.err
    assert ran.out
    too_long = [line for line in ran.out.split("\n") if len(line.rstrip()) > 80]
    assert not too_long


def test_games_json(tempo: Any) -> None:
    found = only_object(tempo("games", "--json"))
    assert [game["name"] for game in found["games"]] == list(games.names())
    for game in found["games"]:
        assert set(game) == {"name", "rules_version", "summary", "seats", "options"}
        for option in game["options"]:
            assert set(option) == {"name", "default", "choices", "help"}


def test_games_are_a_line_each_with_their_options_behind_a_name(tempo: Any) -> None:
    lines = tempo("games").out.split("\n")
    assert [line.split()[0] for line in lines[: len(games.names())]] == list(games.names())
    assert "repetition" not in tempo("games").out
    shown = tempo("games", "chess").out
    for option in games.load("chess").option_fields:
        assert f"{option.name}={option.default}" in shown
        assert option.choices.split(", ")[-1] in shown
    assert only_object(tempo("games", "chess", "--json"))["games"][0]["name"] == "chess"


def test_recipes_are_listed_with_what_they_are_about(tempo: Any) -> None:
    shown = tempo("recipes").out
    found = only_object(tempo("recipes", "--json"))["recipes"]
    assert [one["name"] for one in found] == recipes.names()
    assert all(one["name"] in shown and one["about"].split()[0] in shown for one in found)
    assert "rule = tree_strap" in tempo("recipes", "krk").out


def test_agents_json(tempo: Any) -> None:
    found = only_object(tempo("agents", "--json"))
    assert {"random", "mcts", "alphabeta"} <= {agent["name"] for agent in found["agents"]}
    some = only_object(tempo("agents", "--game", "siguo", "--json"))["agents"]
    assert all("siguo" in agent["games"] for agent in some)
    assert {"siguo-q", "random"} <= {agent["name"] for agent in some}


def test_perft_json(tempo: Any) -> None:
    found = only_object(tempo("perft", "chess", "4", "--json"))
    assert set(found) == {"game", "position", "depth", "nodes", "seconds"}
    assert (found["game"], found["depth"], found["nodes"]) == ("chess", 4, 197281)
    fen = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
    again = only_object(tempo("perft", "chess", "3", "--position", fen, "--divide", "--json"))
    assert (again["position"], again["nodes"]) == (fen, 2812)


def test_perft_for_eyes(tempo: Any) -> None:
    ran = tempo("perft", "gomoku(size=5)", "2", "--divide")
    *parts, total = ran.out.strip().split("\n")
    assert len(parts) == 25
    assert {part.split()[1] for part in parts} == {"24"}
    assert total.startswith("600 sequences of 2 moves")
    assert tempo("perft", "chess", "0", "--divide").out.startswith("1 sequence")


MATCH_KEYS = {
    "game", "options", "a", "b", "games", "distinct", "wins", "draws", "losses", "score", "low",
    "high", "elo", "elo_low", "elo_high", "seed", "ledger",
}  # fmt: skip


def test_match_json(tempo: Any) -> None:
    ran = tempo("match", "mcts:sims=30", "random", *QUICK, "--seed", "7", "--json")
    found = only_object(ran)
    assert set(found) >= MATCH_KEYS
    assert (found["game"], found["options"]["size"]) == ("gomoku(size=5)", 5)
    assert (found["a"], found["b"], found["seed"]) == ("mcts:sims=30", "random", 7)
    assert found["wins"] + found["draws"] + found["losses"] == found["games"] == 4
    assert 0 <= found["low"] <= found["score"] <= found["high"] <= 1
    assert set(found["ledger"]) == {"a", "b"}
    assert found["ledger"]["a"]["positions"] > found["ledger"]["b"]["positions"]
    assert "mcts:sims=30 against random" in ran.err  # progress goes elsewhere


def test_matches_replay_from_their_seed(tempo: Any) -> None:
    def games_of(*further: str) -> Any:
        found = only_object(tempo("match", "random", "mcts:sims=9", *QUICK, "--json", *further))
        return [found[key] for key in sorted(MATCH_KEYS - {"ledger", "seed"})]

    assert games_of("--seed", "3") == games_of("--seed", "3", "--threads", "2")


def test_a_sequential_test_ends_a_match(tempo: Any, tmp_path: Path) -> None:
    arguments = [
        "match", "alphabeta:depth=1", "random", "-g", "gomoku(size=7)", "--json", "--sprt", "0,50",
        "--log", str(tmp_path / "log.jsonl"),
    ]  # fmt: skip
    found = only_object(tempo(*arguments))
    assert found["games"] < 100
    assert (found["sprt"]["elo0"], found["sprt"]["elo1"]) == (0, 50)
    assert found["sprt"]["decision"] == "accept"
    assert found["sprt"]["llr"] > 2.944
    again = only_object(tempo(*arguments))
    assert again["sprt"] == found["sprt"], "what is decided is not played on"
    assert again["games"] == found["games"]
    assert only_object(tempo(*arguments[:5], "--json"))["games"] == 20


def test_a_match_goes_on_from_its_log(tempo: Any, tmp_path: Path) -> None:
    log = tmp_path / "games.jsonl"
    arguments = ["match", "random", "mcts:sims=9", *QUICK, "--log", str(log), "--json"]
    first = only_object(tempo(*arguments))
    written = log.read_text()
    assert only_object(tempo(*arguments))["score"] == first["score"]
    assert log.read_text() == written


def test_tournament_json(tempo: Any) -> None:
    found = only_object(tempo("tournament", "random", "mcts:sims=20", *QUICK, "--json"))
    assert isinstance(found, dict)
    assert "mcts:sims=20" in json.dumps(found)
    assert "NaN" not in json.dumps(found)


def test_signature_json(tempo: Any) -> None:
    found = only_object(tempo("signature", "--json"))
    assert set(found) == {"signature", "covers"}
    assert tempo("signature").out.strip() == found["signature"]
    verbose = tempo("signature", "--verbose").out.strip().split("\n")
    assert verbose == [*found["covers"], found["signature"]]
    assert len(found["signature"]) == 8


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["perft", "checkers", "3"], "there is no game 'checkers'"),
        (["perft", "gomoku(size=3)", "3"], "size"),
        (["perft", "gomoku(size", "3"], "is not a game"),
        (["perft", "chess", "3", "-p", "nonsense"], "6 fields"),
        (["match", "random", "nobody"], "there is no agent 'nobody'"),
        (["match", "random", "random", *QUICK, "--sprt", "5"], "takes two Elo differences"),
        (["match", "random", "random", *QUICK, "--sprt", "9,1"], "the smaller first"),
        (["match", "random", "gomoku-stong"], "; did you mean gomoku-strong?"),
        (["match", "random", "mcts:smis=5", *QUICK], "; did you mean sims?"),
        (["perft", "gomuko", "3"], "; did you mean gomoku?"),
        (["train", "td_laef", "--game", "othello"], "; did you mean td_leaf?"),
        (["reproduce", "endgame"], "; did you mean endgames?"),
        (["reproduce", "all", "--part", "literal"], "parts are of one paper"),
        (["match", "random", "mcts:sims=-5", *QUICK], "mcts:sims cannot be '-5'"),
        (["match", "random", "mcts:rule=best", *QUICK], "it takes ucb1"),
        (["match", "random", "alphabeta:time=nan", *QUICK], "alphabeta:time cannot be 'nan'"),
        (["match", "random", "random", "-g", "go"], "there is no game 'go'"),
        (["match", "random", "random", "--games", "3"], "even number"),
        (["match", "random", "random", "--openings", "/nowhere/at/all"], "/nowhere/at/all"),
        (["tournament", "random", *QUICK], "two"),
        (["tournament", "random", "random", *QUICK], "same name"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_gives_one_sentence(tempo: Any, arguments: list[str], says: str) -> None:
    ran = tempo(*arguments)
    assert ran.status == 2
    assert ran.out == ""
    assert ran.err.startswith("tempo: ")
    assert ran.err.count("\n") == 1
    assert says in ran.err


@pytest.mark.parametrize(
    "arguments",
    [["nonsense"], ["match", "random"], ["perft", "chess", "deep"], ["match", "--threads", "0"]],
    ids=" ".join,
)
def test_bad_usage_is_told_without_a_traceback(tempo: Any, arguments: list[str]) -> None:
    ran = tempo(*arguments)
    assert ran.status == 2
    assert ran.out == ""
    assert "Usage: tempo" in ran.err
    assert "Traceback" not in ran.err


def test_the_version_is_one(tempo: Any) -> None:
    ran = tempo("--version")
    assert (ran.status, ran.out) == (0, f"tempo {package.__version__}\n")
    cited = (Path(__file__).parent.parent / "CITATION.cff").read_text()
    assert f"\nversion: {package.__version__}\n" in cited


def test_the_installed_command_works() -> None:
    """As people call it: a process of its own, nothing but the object on standard output."""
    command = [str(Path(sys.executable).with_name("tempo")), "match", "random", "random", *QUICK]
    done = subprocess.run(
        [*command, "--json"], capture_output=True, text=True, check=False, env=os.environ
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 4
    broken = subprocess.run([*command, "-g", "go"], capture_output=True, text=True, check=False)
    assert (broken.returncode, broken.stdout) == (2, "")
    known = ", ".join(games.names())
    assert broken.stderr == f"tempo: there is no game 'go'; there are {known}\n"


def test_the_package_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "tempo", "perft", "gomoku(size=5)", "2", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["nodes"] == 25 * 24
