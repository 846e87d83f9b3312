"""Games written in Python on the command line: commands take a file, a bad one is one sentence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tempo import cli

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
GAME = '''
import tempo


@tempo.register
class Bad(tempo.PythonGame):
    """Add 1 or 2 in turn; who says ten wins."""

    name, move_numbers, length_bound = "bad", 3, 10
    legal_moves = (1, 2)

    def __init__(self, said=0, turn=0):
        self.said, self.turn = said, turn

    def play(self, move):
        return Bad(self.said + move, 1 - self.turn)

    @property
    def outcome(self):
        return None if self.said < 10 else (-1, 1) if self.turn == 0 else (1, -1)
'''


@pytest.fixture(autouse=True)
def _own_folder(own_games: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def tempo(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """Runs a command; its exit status."""
    monkeypatch.setattr("sys.argv", ["tempo", *words])
    try:
        cli.main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


MATCH = ("match", "mcts:sims=20", "alphabeta:depth=4", "--games", "2")
TRAIN = ("train", "td", "--set", "iterations=1")


@pytest.mark.parametrize(
    ("command", "instead", "of", "says"),
    [
        (MATCH, "1 / 0", "return Bad", "bad.py, line 16: ZeroDivisionError: division by zero"),
        (MATCH, "return Bad(min(self.said + move, 9),", "return Bad(self.said + move,",
         "bad: the game is not over after 10 moves, its length_bound"),
        (MATCH, "0.5)", "1 - self.turn)", "bad: turn is a whole number, not 0.5"),
        (MATCH, "(1, 1) if", "(-1, 1) if", "bad: outcome has scores that add up to zero"),
        (MATCH, "'won' if", "(-1, 1) if", "bad: outcome has a score for each of 2 seats"),
        (MATCH, "('w', 'l') if", "(-1, 1) if", "bad: outcome has numbers, not 'w'"),
        (MATCH, "7 if", "(-1, 1) if", "bad: outcome is a list, not 7"),
        (MATCH, "legal_moves = 3", "legal_moves = (1, 2)", "bad: legal_moves is a list, not 3"),
        (MATCH, "(1, 2.5)", "(1, 2)", "bad: a legal move is a whole number, not 2.5"),
        (MATCH, "'ten'", "10\n", "bad.length_bound is a whole number, not 'ten'"),
        (MATCH, "def play play", "def play", "bad.py failed: SyntaxError"),
        (MATCH, "move_text = lambda self, move: 'go'\n\n    @property", "@property",
         "bad: several moves are called 'go'"),
        (TRAIN, "features = lambda self, seat: [0] * (3 + self.said)\n\n    @property", "@property",
         "bad: features are 3 numbers, not "),
        (TRAIN, "1 / 0", "return Bad", "bad.py, line 16: ZeroDivisionError: division by zero"),
    ],
)  # fmt: skip
def test_a_faulty_game_ends_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    command: tuple[str, ...], instead: str, of: str, says: str,
) -> None:  # fmt: skip
    if instead == "1 / 0":
        instead = "if self.said > 4: 1 / 0\n        return Bad"
    ends = "\n" if of.endswith("\n") else ""
    assert of in GAME
    Path("bad.py").write_text(GAME.replace(of, instead + ends, 1))
    assert tempo(monkeypatch, *command, "--game", "bad.py") == 2
    told = capsys.readouterr().err.strip().splitlines()[-1]
    assert told.startswith("tempo: ")
    assert says in told


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("agents",), "Monte-Carlo tree search"),
        (("learners",), "q_learning"),
        (("tournament", "mcts:sims=5", "random", "--games", "4"), "random"),
        (("engine", "uci", "--agent", "random"), "uci is for chess, not for nim"),
        (("compare", "td", "--budget", "1", "--seeds", "1", "--seconds", "0"), "jobs are left"),
        (TRAIN, "tempo play --game"),
    ],
)  # fmt: skip
def test_every_command_takes_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...], says: str,
) -> None:  # fmt: skip
    tempo(monkeypatch, *words, "--game", str(EXAMPLES / "nim.py"))
    told = capsys.readouterr()
    assert says in re.sub(r"\s+", " ", told.out + told.err)
