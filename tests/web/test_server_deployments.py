"""What an attack learns of agents' deployments: nothing but the few bits that the dealing may give.

The attacker has the source, sees all that is public (and what one seated player sees), and has all
the time in the world. A player who deploys a published line-up is found out: the control.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import math
import secrets
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from random import Random
from statistics import fmean, median
from typing import Any

import numpy as np
import pytest
from web_tables import SETUP, Clock, Recorder, deal, hall, opened, token, wish

from tempo import games
from tempo._core import siguo, siguo_heuristic
from tempo.errors import IllegalMove, ParseError
from tempo.games.siguo import record as siguo_records
from tempo.web import events, messages, playing, writing
from tempo.web.hall import Hall
from tempo.web.limits import Limits
from tempo.web.messages import Refused
from tempo.web.store import Store
from tempo.web.tables import Table
from tempo.web.thinking import Thinkers

OPTIONS = siguo.Options({})
FOUR = [{"kind": "person"}, *[{"kind": "agent", "agent": "siguo-heuristic"}] * 3]
PLIES = 36  # no game ends before
KINDS = "987654321BMF"
OLD = ["75368/6.2.4/97.B5/3.1.2/4B211/MFM3M"] * 2  # of seed 3, before setups were events


# ---- a real table --------------------------------------------------------------------------------


class Game:
    """A game of one person and three agents, and all that was sent."""

    def __init__(self, spec: str = "siguo(first=S)") -> None:
        self.made = wish({"game": spec, "seats": FOUR})
        self.thinkers = Thinkers(1)
        self.room = Hall(Store(":memory:"), self.thinkers, Limits(), Clock())
        self.person = Recorder(self.made.name, self.made.tokens[0])
        self.looker = Recorder(self.made.name)

    async def play(self, plies: int) -> None:
        self.room.open(self.made.name, self.made.opened)
        for one in (self.looker, self.person):
            self.room.join(one)
        self.room.say(self.person, messages.Deploy(SETUP))
        while self.table.phase == "play" and self.table.ply < plies:
            if self.table.turn == 0:
                move = siguo_heuristic.choose(self.view(), self.table.ply)
                self.room.say(self.person, messages.Move(self.table.ply, move))
            await asyncio.sleep(0.001)
        self.room.players.close()
        await self.thinkers.close()

    @property
    def table(self) -> Table:
        return self.room.table(self.made.name)

    def view(self) -> Any:
        """What the person at seat 0 knows."""
        return self.table.position.view(0)

    @property
    def truth(self) -> list[str]:
        first: Any = self.table.positions[0]
        return [first.setup(seat) for seat in range(4)]

    def moves(self) -> list[str]:
        """What everybody saw, from the public record."""
        text = writing.record(self.table, None, "")["text"]
        return [move for _, move in siguo_records.read(text).plies]

    def told(self) -> str:
        """Every byte that left the server."""
        sent = [text for one in (self.person, self.looker) for _, text in one.sent]
        records = [writing.record(self.table, seat, "")["text"] for seat in (None, 0)]
        return "\n".join([*sent, *records, json.dumps(self.made.tokens), self.made.name])


@pytest.fixture(scope="module")
def played() -> Iterable[list[Game]]:
    """Some games at real tables."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(playing, "PACE", 0.0)
        all_games = [Game() for _ in range(3)]

        async def play() -> None:
            await asyncio.gather(*(game.play(PLIES) for game in all_games))

        asyncio.run(play())
        yield all_games


# ---- the published line-ups ----------------------------------------------------------------------


def line_ups(game: Game) -> list[str]:
    """Those that the server publishes."""
    layout = next(json.loads(text) for kind, text in game.person.sent if kind == "layout")
    found: list[str] = layout["layout"]["deployment"]["lineups"]
    return found


def fitting(lists: Sequence[Sequence[str]], moves: Sequence[str]) -> list[list[tuple[str, ...]]]:
    """The setups from these lists that would have looked like the game did, after every move."""
    left = [
        (setups, siguo.of_setups(list(setups), OPTIONS)) for setups in itertools.product(*lists)
    ]
    stages = [[setups for setups, _ in left]]
    for noted in moves:
        after = []
        for setups, position in left:
            with contextlib.suppress(IllegalMove, ParseError):  # those do not fit
                move = position.parse_move(noted)
                if position.noted_text(move) == noted:
                    after.append((setups, position.play(move)))
        left = after
        stages.append([setups for setups, _ in left])
    return stages


def known_from(stages: Sequence[Sequence[tuple[str, ...]]]) -> int | None:
    """The ply from which on one possibility is left."""
    return next((ply for ply, left in enumerate(stages) if len(left) == 1), None)


def test_the_published_line_ups_tell_nothing_of_an_agent(played: list[Game]) -> None:
    for game in played:
        published = line_ups(game)
        assert len(published) >= 6
        stages = fitting([[SETUP], published, published, published], game.moves())
        assert tuple(game.truth) not in stages[0]
        assert not any(setup in published for setup in game.truth[1:])


def test_the_same_attack_finds_out_a_player_who_deploys_a_line_up() -> None:
    random = Random(2)
    published = siguo.sound_setups()
    plies = []
    for _ in range(4):
        setups = [SETUP, *(random.choice(published) for _ in range(3))]
        position, moves = siguo.of_setups(setups, OPTIONS), []
        for _ in range(PLIES):
            move = siguo_heuristic.choose(position.view(position.turn), random.getrandbits(63))
            moves.append(position.noted_text(move))
            position = position.play(move)
        stages = fitting([[SETUP], published, published, published], moves)
        assert all(tuple(setups) in left for left in stages)
        plies.append(known_from(stages) or 999)
    assert median(plies) < 40


# ---- the dealing itself --------------------------------------------------------------------------


def number_of(setup: str) -> int:
    """The number of a setup, counted in another way than the core does."""
    letters = [letter for letter in setup if letter in KINDS]
    free = list(range(len(letters)))
    digits = []
    for kind in "FMB" + KINDS[:9]:
        first = {"F": 20, "M": 15, "B": 5}.get(kind, 0)
        places = [slot for slot in free if slot >= first]
        if kind == "F":
            places = [21, 23]
        taken = [slot for slot in free if letters[slot] == kind]
        rank, left = 0, len(taken)
        for at, slot in enumerate(places):
            if left and slot in taken:
                left -= 1
            elif left:
                rank += math.comb(len(places) - at - 1, left - 1)
        digits.append((rank, math.comb(len(places), len(taken))))
        free = [slot for slot in free if slot not in taken]
    number = 0
    for rank, ways in reversed(digits):
        number = number * ways + rank
    return number


def test_every_number_is_a_legal_setup_of_its_own() -> None:
    every = siguo.setups(OPTIONS)
    assert every == 709_596_419_051_520_000  # as the rules count them
    random = Random(1)
    for number in [0, 1, every - 1, *(random.randrange(every) for _ in range(500))]:
        setup = siguo.setup_number(number, OPTIONS)
        assert siguo.setup_fault(setup, OPTIONS) == ""
        assert number_of(setup) == number
    with pytest.raises(ParseError, match="numbered"):
        siguo.setup_number(every, OPTIONS)
    one = siguo.Options({"hq": "one"})
    assert siguo.setups(one) * 2 == every
    for number in (0, siguo.setups(one) - 1, *(random.randrange(every // 2) for _ in range(100))):
        assert siguo.setup_fault(siguo.setup_number(number, one), one) == ""


@cache
def uniform_worths() -> list[int]:
    """Of many uniform setups, in order."""
    random, every = Random(5), siguo.setups(OPTIONS)
    drawn = (siguo.setup_number(random.randrange(every), OPTIONS) for _ in range(60_000))
    return sorted(siguo.setup_worth(setup) for setup in drawn)


def advantage(setup: str) -> float:
    """How much likelier the server is to deal a setup than if all were equally likely."""
    worths, worth = uniform_worths(), siguo.setup_worth(setup)
    below = bisect_left(worths, worth) / len(worths)
    upto = max(bisect_right(worths, worth), 1) / len(worths)
    upto = max(upto, below + 1 / len(worths))
    draws, plain = siguo.setup_draws, 1 / siguo.plain_share
    return plain + (1 - plain) * (upto**draws - below**draws) / (upto - below)


def test_the_advantage_is_what_the_server_deals_by() -> None:
    random = Random(7)
    dealt = sorted(
        siguo.setup_worth(siguo.draw_setup(OPTIONS, random.randrange)) for _ in range(20_000)
    )
    worths, plain = uniform_worths(), 1 / siguo.plain_share
    for share in (0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97):
        worth = worths[int(share * len(worths))]
        reached = bisect_right(worths, worth) / len(worths)
        expected = plain * reached + (1 - plain) * reached**siguo.setup_draws
        assert bisect_right(dealt, worth) / len(dealt) == pytest.approx(expected, abs=0.025)


def test_every_kind_is_dealt_everywhere_it_may_stand_and_the_flag_on_either_side() -> None:
    random, draws = Random(8), 8_000
    dealt = [siguo.draw_setup(OPTIONS, random.randrange) for _ in range(draws)]
    plain = [siguo.deal(OPTIONS, seed).setup(0) for seed in range(draws)]
    assert len(set(dealt)) == draws
    ours, usual = (np.array([list(setup) for setup in setups]) for setups in (dealt, plain))
    for kind in KINDS:
        share, before = ((letters == kind).mean(axis=0) for letters in (ours, usual))
        assert ((share > 0) == (before > 0)).all()
        assert (share >= before / siguo.plain_share - 0.01).all()
        assert (share <= before * siguo.setup_draws + 0.01).all()
    left = SETUP.index("F")
    assert (ours[:, left] == "F").mean() == pytest.approx(0.5, abs=0.025)


@pytest.mark.parametrize("bad", [lambda n: n, lambda n: -1, lambda n: "1", lambda n: 0.5])
def test_a_source_of_numbers_that_is_none_is_refused(bad: Callable[[int], Any]) -> None:
    with pytest.raises(ParseError, match="from 0 to n - 1"):
        siguo.draw_setup(OPTIONS, bad)


# ---- all that can be known -----------------------------------------------------------------------


def gain(view: Any, truth: Sequence[str], draws: int) -> float:
    """Bits by which the dealing helps to guess the truth, beyond what the rules make of a view."""
    total = 0.0
    for seed in range(draws):
        fits = view.sample(seed)
        each = [advantage(fits.setup(seat)) for seat in (1, 2, 3)]
        assert min(each) >= 1 / siguo.plain_share  # nothing is ruled out that the rules allow
        total += math.prod(each)
    return math.log2(math.prod(map(advantage, truth[1:])) / (total / draws))


def test_knowing_the_dealing_gains_no_more_than_its_few_bits(played: list[Game]) -> None:
    draws, share = siguo.setup_draws, siguo.plain_share
    most = math.log2(draws * share)  # of a seat, whatever has been seen
    mean = math.log2(draws) - (1 - 1 / draws) / math.log(2)  # of the best of some, at the start
    entropy = math.log2(siguo.setups(OPTIONS))
    assert most < entropy / 8
    gains = []
    for game in played:
        start: Any = game.table.positions[0]
        for position in (start, game.table.position):
            gains.append(gain(position.view(0), game.truth, 2_000) / 3)
            assert gains[-1] <= most
    assert fmean(gains) <= mean + 1.5  # six games' luck


def test_tables_are_dealt_by_these_chances_and_no_setup_comes_twice() -> None:
    room = hall(Clock())
    first = opened("siguo", ["agent"] * 4)
    tables = [room.open(f"{number:x}", first) for number in range(60)]
    setups = [setup for table in tables for setup in table.setups if setup is not None]
    assert len(set(setups)) == 240
    bits = fmean(math.log2(advantage(setup)) for setup in setups)
    assert 0.7 < bits < 2.1  # 1.47 on average of many


def test_what_is_certain_follows_from_the_rules_alone(played: list[Game]) -> None:
    homes = [
        (seat, column, f"{letter}{column // 6 + 1}{column % 6 + 1}")
        for seat, letter in ((1, "E"), (2, "N"), (3, "W"))
        for column, own in enumerate(SETUP)
        if own in KINDS
    ]
    for game in played:
        belief = siguo.Belief(game.view())
        determinizations = [
            game.view().sample(seed) for seed in range(100)
        ]  # the server may deal each
        open_to = 0
        for seat, column, home in homes:
            possible = {drawn.setup(seat)[column] for drawn in determinizations}
            assert possible | {game.truth[seat][column]} <= set(belief.candidates(home))
            open_to += len(possible) > 1
        assert open_to > 45  # of 75


# ---- seeds ---------------------------------------------------------------------------------------


def test_nobody_sends_the_seed_of_a_hidden_game() -> None:
    with pytest.raises(Refused, match="the server alone draws the seed") as refused:
        wish({"game": "siguo", "seats": FOUR, "seed": 1})
    assert refused.value.about == "seed"
    agents = [{"kind": "person"}, {"kind": "agent", "agent": "random"}]
    assert wish({"game": "gomoku", "seats": agents, "seed": 1}).opened.seed == 1
    seeds = [wish({"game": "siguo", "seats": FOUR}).opened.seed for _ in range(20)]
    assert len({*seeds}) == 20
    assert max(seeds) > 2**250


def test_the_seed_never_leaves_the_server(played: list[Game]) -> None:
    for game in played:
        told = game.told()
        seed = game.made.opened.seed
        secret = [seed, *(game.table.seed_of(seat) for seat in range(4))]
        assert not any(str(number) in told or f"{number:x}" in told for number in secret)
        assert not any(setup in told for setup in game.truth[1:])
        assert game.truth[0] in told, "the control"


def test_setups_do_not_follow_from_the_seed() -> None:
    first = opened("siguo", ["person", "agent", "agent", "agent"])
    room = hall(Clock())
    tables = [room.open(name, first) for name in ("aa", "bb")]
    for seat in (1, 2, 3):
        one, other = (table.setups[seat] for table in tables)
        assert one is not None
        assert one != other


def test_a_rematch_is_dealt_anew_and_stored_games_come_back_as_they_were() -> None:
    store = Store(":memory:")
    room = hall(Clock(), store)
    table = room.open("aa", opened("siguo", ["person", "agent", "agent", "agent"]))
    host = Recorder("aa", token(0))
    room.join(host)
    before = list(table.setups)
    table.apply(events.Deployed(1.0, 0, SETUP))
    for seat in (0, 2):
        table.apply(events.Resigned(2.0, seat))
    assert table.phase == "over"
    table.apply(events.Offered(3.0, 0, "rematch"))
    deal(table)
    assert table.round == 2
    assert all(now != then for now, then in zip(table.setups[:3], before[1:], strict=True))
    other = room.open("bb", opened("siguo", ["person", "person", "agent", "agent"]))
    assert Table.replay(store.events("bb")).setups == other.setups


def test_a_table_that_was_stored_before_it_was_dealt_is_dealt_when_it_is_taken_up() -> None:
    store = Store(":memory:")
    store.append("aa", 0, opened("siguo", ["person", "agent", "agent", "agent"], at=1e6))
    room = hall(Clock(), store)
    assert asyncio.run(room.load()) == 1
    assert [setup is None for setup in room.table("aa").setups] == [True, False, False, False]


def test_agents_among_themselves_begin() -> None:
    table = hall(Clock()).open("aa", opened("siguo", ["agent"] * 4))
    assert (table.phase, table.turn) == ("play", 0)


def test_tables_of_older_versions_keep_their_setups() -> None:
    stored = events.to_json(opened("siguo", ["person", "agent", "agent", "person"], seed=3))
    del stored["derived"]
    log = [events.from_json(stored), events.Deployed(1.0, 0, SETUP)]
    table = Table.replay([*log, events.Deployed(2.0, 3, SETUP)])
    assert table.phase == "play"
    assert table.setups[1:3] == OLD
    late = Table.replay([*log, events.TimedOut(400.0, 3)])
    assert (late.phase, late.setups[1:3]) == ("play", OLD)


@pytest.mark.parametrize("spec", ["siguo(hq=one)", "siguo(info=double_open)", "siguo(first=W)"])
def test_every_set_of_rules_is_dealt_legal_setups(spec: str) -> None:
    game: Any = games.load(spec)
    table = hall(Clock()).open("aa", opened(spec, ["person", "agent", "agent", "agent"]))
    for setup in table.setups[1:]:
        assert setup is not None
        assert game.core.setup_fault(setup, game.options) == ""
    assert game.core.draw_setup(game.options, secrets.randbelow)
