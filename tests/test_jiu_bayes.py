"""The Bayesian network of 2x2 shapes: classes, counts, tables, scores, and what it is worth."""

from __future__ import annotations

import gzip
from collections import Counter
from importlib import resources

import numpy as np
import pytest
from numpy.typing import NDArray
from reference import jiu_blocks as slow

from tempo._core import jiu_players
from tempo.agents.jiu import players as jiu
from tempo.agents.jiu.placing import BayesPlacer, Layouts, RandomPlacer, compare, rules
from tempo.errors import ParseError
from tempo.games.jiu import sgf as records
from tempo.nets.bayes import BLOCK_NAMES, SHAPE, BlockNetwork, reachable, read, stored
from tempo.recipes import jiu_bayes as bayes
from tempo.recipes import jiu_expert_games as expert_games
from tempo.records import sgf

SEED = 11
CLASSES = (
    ".... ...O ...X ..OO ..OX ..XX .OO. .OOO .OOX .OX. .OXO .OXX .XX. .XXO .XXX "
    "OOOO OOOX OOXX OXXO OXXX XXXX"
)


def small_games(count: int = 6, size: int = 6) -> expert_games.Games:
    print(f"seed {SEED}")
    return expert_games.play(count, SEED, rules(f"jiu(size={size})"))


def as_counter(counts: NDArray[np.int64]) -> Counter[slow.Change]:
    found: Counter[slow.Change] = Counter()
    for s, g, z, near, after in np.argwhere(counts):
        number = int(counts[s, g, z, near, after])
        found[(BLOCK_NAMES[s], int(g), int(z), int(near), BLOCK_NAMES[after])] = number
    return found


def test_there_are_21_classes() -> None:
    assert " ".join(BLOCK_NAMES) == CLASSES
    codes = jiu_players.block_codes()
    assert len(codes) == 81
    for code, found in enumerate(codes):
        block = "".join(".OX"[code // worth % 3] for worth in (27, 9, 3, 1))
        assert BLOCK_NAMES[found] == slow.class_of(block)


def test_classes_that_a_class_can_become() -> None:
    for s, row in zip(BLOCK_NAMES, reachable(), strict=True):
        assert {BLOCK_NAMES[i] for i in np.flatnonzero(row)} == slow.reachable(s)


@pytest.mark.parametrize("counted", [(True, True), (True, False), (False, True)])
def test_counts_are_those_of_the_slow_reference(counted: tuple[bool, bool]) -> None:
    games = small_games()
    expected: Counter[slow.Change] = Counter()
    for placements in games.placements:
        expected += slow.count(placements.tolist(), 6, counted)
    some = np.tile(np.array(counted), (len(games.placements), 1))
    counts = bayes.count(games.placements, games.options, some)
    assert counts.shape == (*SHAPE[:4], 1, SHAPE[4])
    assert as_counter(counts[:, :, :, :, 0]) == expected


def test_counting_with_neighbours_adds_up_to_counting_without() -> None:
    games = small_games()
    plain = bayes.count(games.placements, games.options)
    wide = bayes.count(games.placements, games.options, neighbours=True)
    np.testing.assert_array_equal(wide.sum(4, keepdims=True), plain)
    assert np.count_nonzero(wide.sum((0, 1, 2, 3, 5))) > 10  # the neighbour does vary


def test_tables_and_scores_are_those_of_the_slow_reference() -> None:
    games = small_games()
    network = bayes.learn(games.placements, games.options)
    tables = slow.Tables(as_counter(network.counts))
    rng = np.random.default_rng(SEED)
    for s, g, z, near in zip(*(rng.integers(0, n, 8) for n in SHAPE[:4]), strict=True):
        for after in range(21):
            expected = tables.full(BLOCK_NAMES[s], g, z, near, BLOCK_NAMES[after])
            assert network.tables[s, g, z, near, after] == pytest.approx(expected, rel=1e-12)
    fresh = expert_games.play(1, SEED + 1, games.options).placements[0].tolist()
    for t in (5, 24):
        board = {point: i % 2 for i, point in enumerate(fresh[:t])}
        layouts = Layouts.start(games.options, np.zeros(1, np.uint64))
        for point in fresh[:t]:
            layouts = layouts.place(np.array([point], np.int32))
        scores = BayesPlacer(network).scores(layouts, layouts.allowed())[0]
        for point in range(36):
            if point in board:
                assert scores[point] == -np.inf
            else:
                expected = tables.score(board, t % 2, point, fresh[t - 1], 6)
                assert scores[point] == pytest.approx(expected, abs=2e-9)


def test_probabilities_add_up_and_only_what_can_be_has_any() -> None:
    network = bayes.learn(small_games().placements, rules("jiu(size=6)"))
    np.testing.assert_allclose(network.tables.sum(-1), 1)
    possible = np.broadcast_to(reachable()[:, None, None, None], SHAPE)
    np.testing.assert_array_equal(network.tables > 0, possible)


def test_without_games_only_the_pseudo_count_speaks() -> None:
    network = BlockNetwork(np.zeros(SHAPE, np.int64))
    uniform = reachable() / reachable().sum(1, keepdims=True)
    expected = np.broadcast_to(uniform[:, None, None, None], SHAPE)
    np.testing.assert_allclose(network.tables, expected)


def test_ties_go_to_the_middle_and_then_to_the_seed() -> None:
    scores = np.zeros((64, 36))
    scores[:, :6] = -np.inf
    seeds = np.arange(64, dtype=np.uint64)
    chosen = jiu_players.pick(scores, 0.0, seeds, 3)
    assert set(chosen.tolist()) == {14, 15, 20, 21}
    np.testing.assert_array_equal(chosen, jiu_players.pick(scores, 0.0, seeds, 3))
    assert not np.array_equal(chosen, jiu_players.pick(scores, 0.0, seeds, 4))


def test_temperature_draws_by_softmax() -> None:
    scores = np.full((20_000, 16), -np.inf)
    scores[:, 3], scores[:, 9] = 1.0, 0.0
    print(f"seed {SEED}")
    seeds = np.random.default_rng(SEED).integers(0, 2**63, len(scores), np.uint64)
    chosen = jiu_players.pick(scores, 0.5, seeds, 0)
    assert set(chosen.tolist()) == {3, 9}
    assert np.mean(chosen == 3) == pytest.approx(1 / (1 + np.exp(-2)), abs=0.01)


def test_no_point_to_choose_is_an_error() -> None:
    with pytest.raises(ParseError, match="board 0 has no point"):
        jiu_players.pick(np.full((1, 16), -np.inf), 0.0, np.zeros(1, np.uint64), 0)


def test_bic_is_that_of_its_definition() -> None:
    counts = bayes.count(small_games().placements, rules("jiu(size=6)"), neighbours=True)
    total = counts.sum()
    table = counts.sum((0, 1, 3, 4))  # [z, s']
    expected = 0.0
    for row in table:
        for n in row[row > 0]:
            expected += n * np.log(n / row.sum())
    expected -= np.log(total) / 2 * 4 * 20
    assert bayes.bic(counts, ("z",)) == pytest.approx(expected)
    found = bayes.structures(counts)
    assert len(found) == 32
    assert found[0][0] == max(score for score, _ in found)
    assert "s" in found[0][1]  # a block's class says most about what it becomes


# BIC.local_score of pgmpy 1.1.2 for the same changes, one row each, all classes named.
BY_PGMPY = {
    (): -8712.622372504278,
    ("z",): -8336.58359569663,
    ("s",): -2573.820132589446,
    ("s", "k"): -36551.30919786047,
    ("s", "g", "l"): -28055.961805669354,
}


def test_bic_is_that_of_pgmpy() -> None:
    games = expert_games.play(4, 1, rules("jiu(size=6)"))
    counts = bayes.count(games.placements, games.options, neighbours=True)
    for parents, expected in BY_PGMPY.items():
        assert bayes.bic(counts, parents) == pytest.approx(expected, rel=1e-12)
    # ...X can become ..XX and .XX.: two parameters instead of twenty in each of its 21 rows.
    wide, narrow = (bayes.bic(counts, ("s", "k"), only) for only in (False, True))
    possible = sum(len(slow.reachable(name)) - 1 for name in BLOCK_NAMES)
    spared = (21 * 20 - possible) * 21
    assert narrow - wide == pytest.approx(np.log(counts.sum()) / 2 * spared)


def test_stored_tables_come_back() -> None:
    network = bayes.learn(small_games().placements, rules("jiu(size=6)"))
    again = read(stored(network), "memory")
    np.testing.assert_array_equal(again.counts, network.counts)
    assert again.smoothing == network.smoothing


@pytest.mark.parametrize("data", [b"", b"not safetensors", b"\0" * 100])
def test_damaged_tables_are_refused_by_name(data: bytes) -> None:
    with pytest.raises(ParseError, match=r"x\.safetensors holds no block counts"):
        read(data, "x.safetensors")


def test_impossible_counts_are_refused() -> None:
    counts = np.zeros(SHAPE, np.int64)
    counts[0, 0, 0, 0, 20] = 1  # .... never becomes XXXX
    with pytest.raises(ParseError, match="no placement makes"):
        BlockNetwork(counts)


def test_placements_that_are_no_game_are_refused() -> None:
    twice = np.array([[14, 21, 3, 3]], np.int32)
    with pytest.raises(ParseError, match="game 0, placement 3: point 3 is off the board or taken"):
        bayes.count(twice, rules("jiu(size=6)"))


# ---- what ships ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shipped() -> BlockNetwork:
    return jiu.network("bayes-300")


def test_shipped_tables_are_those_of_the_shipped_games(shipped: BlockNetwork) -> None:
    file = resources.files("tempo.weights") / "jiu" / "expert-300.sgf.gz"
    text = gzip.decompress(file.read_bytes()).decode()
    trees = sgf.read(text)
    assert len(trees) == 300
    games = expert_games.play(300, 300)
    np.testing.assert_array_equal(
        bayes.learn(games.placements, games.options).counts, shipped.counts
    )
    # Replaying all of them takes long; three show that the file holds these games.
    for number in (0, 150, 299):
        record = records.record_of(trees[number])
        np.testing.assert_array_equal(expert_games.placements_of(record), games.placements[number])
        won = tuple(bool(score > 0) for score in games.scores[number])
        assert expert_games.winners(record) == won


def test_held_out_games_are_foretold(shipped: BlockNetwork) -> None:
    learnt = expert_games.play(100, 300).placements
    held_out = expert_games.play(40, 1).placements
    judged = bayes.judge(shipped, learnt, held_out, rules())
    assert judged.network > judged.rings + 1.5 > judged.uniform + 1.5
    assert judged.agreement > 0.35
    by_block = bayes.transition_log_likelihoods(
        shipped, bayes.count(held_out, rules())[:, :, :, :, 0]
    )
    assert by_block[0] > max(by_block[1:])


def test_it_beats_a_random_placer(shipped: BlockNetwork) -> None:
    """0.902 (0.892 to 0.910) over 4,000 games on all points; 0.97 with a search that fights."""
    scores = compare(rules(), (BayesPlacer(shipped), RandomPlacer()), 100, SEED, area=0, threads=2)
    assert scores.mean() > 0.84
