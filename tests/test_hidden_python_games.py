"""Games written in Python in which something is hidden: the example, and what may not be known."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from race import Race
from web_tables import Clock, Recorder, hall, opened, token

import tempo
from tempo import agents, arena, recipes, testing
from tempo.environments.pettingzoo import env as environment
from tempo.errors import ParseError
from tempo.games import Game, python, registry, scene
from tempo.learners.registry import kinds
from tempo.recipes import general
from tempo.web import messages, writing
from tempo.web.messages import Refused

KUHN = Path(__file__).resolve().parent.parent / "examples" / "kuhn.py"


pytestmark = pytest.mark.usefixtures("own_games")


@pytest.fixture
def kuhn() -> Game:
    return tempo.load(registry.from_file(str(KUHN)))


@pytest.mark.parametrize("seed", [1, 2026])
@pytest.mark.parametrize("holds", testing.PROPERTIES, ids=lambda holds: holds.__name__)
def test_conformance(kuhn: Game, holds: Callable[[Game, int], None], seed: int) -> None:
    holds(kuhn, seed)


def test_a_seat_is_given_the_same_in_worlds_that_look_the_same(kuhn: Game) -> None:
    for bets in ("", "p", "b", "pb", "bp", "pbp"):
        for own, one, other in permutations("JQK"):
            for seat in (0, 1):
                cards = [own + one, own + other] if seat == 0 else [one + own, other + own]
                first, second = (kuhn.parse(f"{pair}:{bets}") for pair in cards)
                assert first != second
                assert testing._given(first, seat) == testing._given(second, seat)
                views = first.view(seat), second.view(seat)
                for draw in range(8):
                    assert views[0].sample(draw) == views[1].sample(draw)
                assert (views[0].features() == views[1].features()).all()
                assert repr(views[0]).count(one) == 0


def test_samples_are_fair(kuhn: Game) -> None:
    view = kuhn.parse("QJ:p").view(1)
    drawn = [view.sample(seed).text for seed in range(400)]
    assert set(drawn) == {"QJ:p", "KJ:p"}
    assert 150 < drawn.count("KJ:p") < 250


def test_deals_are_drawn_from_seeds(kuhn: Game) -> None:
    deals = [kuhn.start(seed).text for seed in range(60)]
    assert len(set(deals)) == 6
    assert deals == [kuhn.start(seed).text for seed in range(60)]
    starts: Any = kuhn.batch(60, seed=1)
    assert len({starts[i].text for i in range(60)}) == 6
    assert kuhn.start() == kuhn.start()


def test_searches_know_when_they_have_won(kuhn: Game) -> None:
    """With the king a bet is called, with the jack it is not."""
    for agent in ("alphabeta:depth=4", "mcts:sims=200"):
        player = agents.load(agent)
        for cards, move in (("JK:b", "call"), ("QK:b", "call"), ("KJ:b", "fold"), ("QJ:b", "fold")):
            position = kuhn.parse(cards)
            assert position.move_text(player.choose(position.view(1)).move) == move, agent


def test_a_match_of_more_games_than_there_are_deals(kuhn: Game) -> None:
    result = arena.match(("random", "random"), kuhn, games=40, seed=1)
    assert result.games == 40


@pytest.mark.parametrize("learner", kinds())
def test_a_learner_meets_a_hidden_game(learner: str, kuhn: Game, tmp_path: Path) -> None:
    short: Any = {"games": 4, "iterations": 2, "opening": 1, "hidden": (8,), "longest": 20}
    if learner == "zero":
        short |= {"simulations": 4, "exam": 4}
    recipe = general.recipe_of(learner, kuhn.spec, short)
    recipes.train(recipe, seed=1, out=tmp_path / "run")
    view = kuhn.start().view(0)
    assert agents.load(str(tmp_path / "run")).choose(view).move in view.legal_moves


def test_what_is_learnt_depends_on_the_own_card(kuhn: Game, tmp_path: Path) -> None:
    settings = {"games": 200, "iterations": 20}
    recipes.train(
        general.recipe_of("q_learning", kuhn.spec, settings), seed=1, out=tmp_path / "run"
    )
    player = agents.load(str(tmp_path / "run"))
    answers = [player.choose(kuhn.parse(f"{cards}:b").view(1)).move for cards in ("KJ", "QK")]
    assert answers == [0, 1]  # fold with the jack, call with the king


def test_an_environment_shows_the_own_card(kuhn: Game) -> None:
    table = environment(kuhn)
    table.reset(seed=3)
    seen: Any = table.observe("first")
    assert seen["observation"].sum() == 1  # one card, no bets


# The page


def sent(kuhn: Game, cards: str, script: str) -> dict[str, list[tuple[str, str]]]:
    """Every byte that the seats and somebody who looks on are sent."""
    room = hall(Clock())
    room.open("aa", opened(kuhn.spec, ["person", "person"], start=f"{cards}:"))
    listeners = [Recorder("aa", token(0)), Recorder("aa", token(1)), Recorder("aa")]
    for listener in listeners:
        room.join(listener)
    for ply, letter in enumerate(script):
        room.say(listeners[ply % 2], messages.Move(ply, "pb".index(letter)))
    return {name: one.sent for name, one in zip("01?", listeners, strict=True)}


def test_the_page_shows_a_seat_its_own_card_alone(kuhn: Game) -> None:
    one, other = sent(kuhn, "KJ", "pbp"), sent(kuhn, "QJ", "pbp")
    assert one["1"] == other["1"]
    assert one["?"] == other["?"]
    assert one["0"] != other["0"]
    assert any('"board":"?J:pb"' in text for _, text in one["1"])
    assert any('"board":"??:pb"' in text for _, text in one["?"])
    assert any('"text":"bet"' in text for _, text in one["0"])


def test_a_table_is_dealt_by_its_own_seed(kuhn: Game) -> None:
    room = hall(Clock())
    dealt = []
    for seed in range(12):
        room.open(f"a{seed:x}", opened(kuhn.spec, ["person", "agent"], seed=seed))
        dealt.append(room.table(f"a{seed:x}").position.text)
        assert room.table(f"a{seed:x}").line() == (dealt[-1], [])
    assert len(set(dealt)) > 2


def test_hidden_moves_are_told_to_nobody_else(kuhn: Game) -> None:
    core = kuhn.core
    assert isinstance(core, python.ForeignCore)
    core.open_moves = False
    texts = sent(kuhn, "KJ", "pb")
    assert any('"seat":1,"text":"bet"' in text for _, text in texts["1"])
    assert not any("bet" in text for _, text in texts["?"])
    assert any('"seat":1,"text":"?"' in text for _, text in texts["0"])


def test_a_running_game_is_not_written_down(kuhn: Game) -> None:
    room = hall(Clock())
    room.open("aa", opened(kuhn.spec, ["person", "agent"], start="KJ:"))
    with pytest.raises(Refused, match="when the game is over"):
        writing.record(room.table("aa"), 0, "")


def test_a_spectator_sees_what_the_game_says(kuhn: Game) -> None:
    assert scene.scene(kuhn.parse("KJ:pb"), None).board == "??:pb"
    assert scene.scene(kuhn.parse("KJ:pbb"), None).board == "KJ:pbb"


# Faults of classes


class Guess(tempo.PythonGame):
    """Guess the number that was drawn."""

    name, move_numbers, length_bound, turn = "guess", 2, 1, 0
    legal_moves = (0, 1)

    def __init__(self, drawn: int = 0, guess: int | None = None) -> None:
        self.drawn, self.guess = drawn, guess

    @property
    def outcome(self) -> tuple[int, int] | None:
        if self.guess is None:
            return None
        return (1, -1) if self.guess == self.drawn else (-1, 1)

    @property
    def text(self) -> str:
        return f"{self.drawn}{'' if self.guess is None else self.guess}"

    @classmethod
    def parse(cls, text: str) -> Guess:
        drawn, *guess = map(int, text)
        if drawn > 1 or len(guess) > 1 or any(one > 1 for one in guess):
            raise ValueError("expected what was drawn and what was guessed, as in 01")
        return cls(drawn, *guess)

    def play(self, move: int) -> Guess:
        return Guess(self.drawn, move)

    def view(self, seat: int) -> str:
        return "?" if self.guess is None and seat == 0 else self.text

    def sample(self, seat: int, random: Random) -> Guess:
        hidden = self.guess is None and seat == 0
        return Guess(random.randrange(2), self.guess) if hidden else self


def changed(**changes: Any) -> Game:
    """The guessing game with something changed."""
    other: Any = type("Other", (Guess,), changes)
    return tempo.load(tempo.register(other).name)


def test_the_least_hidden_class_conforms() -> None:
    game = changed()
    testing.check_game(game, seed=1)
    view: Any = game.start().view(0)
    assert view.text == view.board == "?"
    assert view.features().shape == (7, 1, 128)
    assert view.game == "guess"
    assert not game.is_dealt
    assert game.hides_moves
    assert np.array_equal(view.features(), game.parse("1").view(0).features())


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"text": property(), "parse": None}, "hides something or is dealt has text and parse"),
        ({"view": lambda self, seat: 3}, "a view is plain ASCII text"),
        ({"sample": lambda self, seat, random: None}, "turn"),
        ({"sample": lambda self, seat, random: Guess(self.drawn)}, "depends on what is hidden"),
        ({"sample": lambda self, seat, random: Guess(0, 1)}, "seat 0 of"),
    ],
)
def test_faults_are_said(changes: dict[str, Any], says: str) -> None:
    with pytest.raises((ParseError, AssertionError, AttributeError, TypeError), match=says):
        testing.check_game(changed(**changes), seed=1)


def test_a_view_needs_samples() -> None:
    with pytest.raises(ParseError, match="view and no sample"):
        tempo.register(type("Half", (Race,), {"name": "half", "view": lambda self, seat: "?"}))
