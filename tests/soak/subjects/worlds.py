"""Two worlds: whatever a seat cannot know makes no difference to anything it is sent or asked.

A game of Siguo is played at a table of the real hall. Then pieces of other armies change places in
their setups, in a way that leaves every public event of the game as it was for as long as possible
(by the rules alone: nothing of what views or beliefs say is used), and the same game is played
again in that other world, up to the move that would show the difference. Every byte that one seat
and a spectator are sent, every refusal, record, view, key, feature, belief, determinization
and choice of an agent must be the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any

from web_tables import Clock, Recorder, hall, opened, token

from soak.subject import Subject
from soak.subjects.web import dismiss
from tempo import agents, games
from tempo._core import siguo
from tempo.games import scene
from tempo.games.siguo.study import belief
from tempo.web import events, messages, writing
from tempo.web.clock import ClockRule
from tempo.web.hall import Hall
from tempo.web.messages import Refused
from tempo.web.tables import Table

SPECS = ("siguo", "siguo", "siguo(info=double_open)", "siguo(pass_limit=2)", "siguo(turn_order=cw)",
         "siguo(hq=one,mine_hit=both_gone)")  # fmt: skip
AGENTS = ("random", "siguo-heuristic", "siguo-q", "siguo-ttd",
          "mcts:determinizations=2,sims=6,time=0",
          "siguo-strong:sims=16,determinizations=2,time=0")  # fmt: skip
LONGEST = 400  # events of a game
FACTS = 8  # moments of a game at which everything is asked
HOMES = [f"{seat}{row}{column}" for seat in "SENW" for row in range(1, 7) for column in range(1, 6)
         if (row, column) not in {(2, 2), (2, 4), (3, 3), (4, 2), (4, 4)}]  # fmt: skip


@dataclass(frozen=True)
class Pair:
    """A game that is played in two worlds, as one seat lives it."""

    spec: str
    seed: int
    eye: int  # the seat that must notice nothing


@dataclass
class World:
    """A table, and what the seat and a spectator have been sent and could ask for."""

    room: Hall
    clock: Clock
    eye: Recorder
    looker: Recorder
    others: list[Recorder]
    answers: list[str]

    @property
    def table(self) -> Table:
        """The table."""
        return self.room.table("aa")


def begin(pair: Pair, setups: list[str], *, watched: bool = True) -> World:
    """A table of four persons, deployed; only one of them and somebody else are there, if any."""
    clock = Clock()
    room = hall(clock)
    room.open("aa", opened(pair.spec, ["person"] * 4, clock=ClockRule(0, 0, 30), at=clock.now))
    others = [Recorder("aa", token(seat)) for seat in range(4)]
    looker = Recorder("aa")
    for one in (others[pair.eye], looker) if watched else ():
        room.join(one)
    for seat, setup in enumerate(setups):
        room.say(others[seat], messages.Deploy(setup))
    return World(room, clock, others[pair.eye], looker, others, [])


Deed = tuple[int, messages.Message | None]  # who says what; None: time runs out


def act(world: World, deed: Deed) -> None:
    """One thing that happens; what is refused is an answer, too."""
    seat, message = deed
    world.clock.now += 31 if message is None else 1
    if message is None:
        world.room.tick()
        return
    try:
        world.room.say(world.others[seat], message)
    except Refused as refused:
        world.answers.append(json.dumps([seat, type(message).__name__, refused.to_json()]))


def deeds(world: World, pair: Pair, random: Random) -> Iterator[Deed]:
    """A game: sensible moves, now and then something else."""
    mover: Any = agents.load("siguo-heuristic")
    mover.reset(pair.seed)
    while (turn := world.table.turn) is not None:
        table = world.table
        chance = random.random()
        if chance < 0.02:
            yield turn, None
        elif chance < 0.03:
            yield random.randrange(4), messages.OfferDraw()
        elif chance < 0.032:
            yield random.randrange(4), messages.Resign()
        elif chance < 0.1:
            yield pair.eye, _nonsense(table, pair.eye, random)
        else:
            view = table.position.view(turn)
            move = (
                mover.choose(view).move if chance < 0.9 else random.choice(list(view.legal_moves))
            )
            yield turn, messages.Move(table.ply, move)


def _nonsense(table: Table, eye: int, random: Random) -> messages.Message:
    """Something that is refused, in words that depend on nothing hidden."""
    move = random.randrange(table.game.move_numbers)
    if table.turn == eye and not table.position.is_legal(move):
        return messages.Move(table.ply, move)
    return random.choice(
        (messages.Undo(), messages.Move(table.ply + 5, 1), messages.AnswerUndo(True))
    )


# ---- the other world -----------------------------------------------------------------------------


def other_setups(pair: Pair, setups: list[str], random: Random) -> list[str]:
    """The same armies with a few pieces in each other's places, but for those the seat sees."""
    seen = {pair.eye}
    if "info=double_open" in pair.spec:
        seen.add((pair.eye + 2) % 4)
    hidden = [seat for seat in range(4) if seat not in seen]
    made = list(setups)
    options: Any = games.load(pair.spec).options
    for _ in range(random.choice((1, 1, 2, 4))):
        seat = random.choice(hidden)
        letters = list(made[seat])
        places = [i for i, letter in enumerate(letters) if letter not in "./"]
        a, b = random.sample(places, 2)
        letters[a], letters[b] = letters[b], letters[a]
        if not siguo.setup_fault("".join(letters), options):
            made[seat] = "".join(letters)
    return made


def common(log: list[Any], plies: list[str], setups: list[str]) -> int:
    """How many events of a game look the same to everybody in the world of other setups."""
    table = Table.replay(log[:1])
    for number, event in enumerate(log[1:], start=1):
        deploys = isinstance(event, events.Deployed)
        try:
            table.apply(replace(event, setup=setups[event.seat]) if deploys else event)
        except ValueError:  # a move that these pieces could not have made
            return number
        if [ply.text for ply in table.plies[-2:]] != plies[: table.ply][-2:] or (
            table.phase == "over"
        ):
            return number
    return len(log)


# ---- what is the same ----------------------------------------------------------------------------


@lru_cache
def mind(name: str) -> Any:
    """An agent; begun anew for every choice."""
    return agents.load(name)


def facts(world: World, pair: Pair, number: int) -> dict[str, Any]:
    """Everything that a seat and a spectator can ask about the table at this moment."""
    table = world.table
    view: Any = table.view(pair.eye)
    public: Any = table.view(None)
    found: dict[str, Any] = {
        "moment": (table.moment, table.count, table.ply, table.turn, table.phase),
        "view": (view.text, view.board, view.key, hash(view), list(view.legal_moves)),
        "moves": [view.move_text(move) for move in view.legal_moves],
        "outcome": (view.is_over, str(view.outcome)),
        "features": view.features().tobytes(),
        "possible": [view.possible(home) for home in HOMES],
        "determinization": view.sample(number).text,
        "public": (public.text, public.board, public.key, list(public.legal_moves)),
        "records": [writing.record(table, seat, "") for seat in (pair.eye, None)],
        "study": _study(table, pair),
    }
    belief = siguo.Belief(view, seed=number, draws=50)
    found["belief"] = (belief.chances().tobytes(), [belief.candidates(home) for home in HOMES])
    if table.turn == pair.eye:
        agent = mind(AGENTS[number % len(AGENTS)])
        agent.reset(number)
        choice = agent.choose(view)
        found["choice"] = (agent.name, choice.move, choice.values, choice.line, choice.candidates)
    return found


def _study(table: Table, pair: Pair) -> list[Any]:
    """What the page's study shows of a running game: a worker makes the view of a text."""
    again: Any = games.load(pair.spec).parse(table.position.text)
    view = again.view(pair.eye)
    return [belief(view), scene.scene(view, pair.eye).data(), view.key]


def make(random: Random) -> Pair:
    """Some rules, a deal and a seat."""
    return Pair(random.choice(SPECS), random.getrandbits(32), random.randrange(4))


def compare(pair: Pair) -> str:
    """Plays both worlds; how far they went together."""
    random = Random(pair.seed)
    start: Any = games.load(pair.spec).start(pair.seed)
    setups = [start.setup(seat) for seat in range(4)]
    first = begin(pair, setups, watched=False)
    script: list[tuple[Deed, int]] = []  # with the number of events after it
    for deed in deeds(first, pair, random):
        act(first, deed)
        script.append((deed, first.table.count))
        if len(script) >= LONGEST:
            break
    log = first.room.store.events("aa")
    plies = [ply.text for ply in first.table.plies]
    dismiss(first.room)
    tried = [other_setups(pair, setups, random) for _ in range(8)]
    dealt = max((one for one in tried if one != setups), default=None,
                key=lambda one: common(log, plies, one))  # fmt: skip
    if dealt is None:
        return "accepted, no other world"
    same = common(log, plies, dealt)
    together = [deed for deed, count in script if count <= same]
    _same(pair, (setups, dealt), together)
    return f"accepted, {50 * (len(together) // 50)} events or more together"


def _same(pair: Pair, worlds: tuple[list[str], list[str]], script: list[Deed]) -> None:
    """Both worlds side by side; the first difference is a fault."""
    one, two = (begin(pair, setups) for setups in worlds)
    try:
        for number, deed in enumerate(script):
            act(one, deed)
            act(two, deed)
            if number % max(1, len(script) // FACTS) == 0 and one.table.phase == "play":
                a, b = facts(one, pair, number), facts(two, pair, number)
                for name in a:
                    assert a[name] == b[name], (number, name, a[name], b[name])
        assert one.answers == two.answers
        assert one.looker.sent == two.looker.sent
        assert one.eye.sent == two.eye.sent
        assert len(one.eye.sent) >= one.table.ply
    finally:
        dismiss(one.room)
        dismiss(two.room)


def subjects() -> Iterator[Subject]:
    """One game an input."""
    yield Subject(
        "worlds.siguo", make, compare, (), slice=2, weight=8, least=5, patience=120, most=10_000
    )
