"""Experience in bulk: every number of a batch against one that single positions give."""

from __future__ import annotations

from typing import Any

import game_data
import numpy as np
import pytest

from tempo import _core
from tempo.errors import ParseError
from tempo.games import Game

CORE: Any = _core
GAMES = 12
HIDDEN = ("siguo", game_data.TOY)  # checked below
WITH_TERMS = ("chess", "gomoku", "jiu", "minishogi", "othello", "shogi")


def layers(game: Any, seed: int = 5) -> list[tuple[Any, Any, str]]:
    """A small network of random weights."""
    random = np.random.default_rng(seed)
    inputs = game.batch(1).features().size
    sizes = ((4, inputs), (1, 4))
    return [
        (random.normal(0, 0.5, size).astype(np.float32), np.zeros(size[0], np.float32), "tanh")
        for size in sizes
    ]


def dense(game: Any, seed: int = 5) -> Any:
    return game.core.Evaluator.dense(game.options, layers(game, seed))


def asking(game: Any, sizes: list[int] | None = None) -> Any:
    """The same network in Python."""

    def evaluate(features: Any) -> Any:
        if sizes is not None:
            sizes.append(len(features))
        x = features.reshape(len(features), -1)
        for weights, bias, _ in layers(game):
            x = np.tanh(x @ weights.T + bias)
        return x[:, 0]

    return game.core.Evaluator.callback(evaluate)


def batch_of(game: Any, threads: int = 1, count: int = GAMES) -> Any:
    """Games in all stages, some of them over."""
    batch = game.batch(count, seed=3, threads=threads)
    start = [batch[i] for i in range(count)]
    limits = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 100, 0]
    for i in range(count):
        single = game.core.Batch(start[i], 1, i, 1)
        if i % len(limits) == 10:
            single.playout()
        elif limit := limits[i % len(limits)]:
            single.playout(limit=limit)
        batch.place(i, single[0])
    return batch


def is_hidden(game: Any) -> bool:
    return hasattr(game.core, "View")


def worth(game: Any, evaluator: Any, seat: int, position: Any) -> float:
    """What a position is worth to the team of a seat, from the evaluator's value to its mover."""
    if position.is_over:
        return float(position.outcome.scores[seat])
    value = float(evaluator(position)[position.turn])
    return value if game.teams[seat] == game.teams[position.turn] else -value


def rows(arrays: tuple[Any, Any, Any]) -> list[tuple[list[int], list[float]]]:
    offsets, moves, values = arrays
    parts = [slice(offsets[i], offsets[i + 1]) for i in range(len(offsets) - 1)]
    return [(moves[part].tolist(), values[part].tolist()) for part in parts]


def single_rows(game: Any, evaluator: Any, position: Any) -> tuple[list[int], list[float]]:
    """The slow reference: every move played on a single position."""
    moves = [] if position.is_over else list(position.legal_moves)
    seat = position.turn
    return moves, [worth(game, evaluator, seat, position.play(move)) for move in moves]


def test_which_games_are_which() -> None:
    games = [game_data.load(name) for name in game_data.NAMES]
    assert {game.name for game in games if is_hidden(game)} == set(HIDDEN)
    assert {game.name for game in games if hasattr(game.core, "terms")} == set(WITH_TERMS)


# ---- values of moves and positions ---------------------------------------------------------------


def test_move_values(game: Game) -> None:
    batch, evaluator = batch_of(game), dense(game)
    arrays = batch.move_values(evaluator)
    assert [array.dtype for array in arrays] == [np.int64, np.uint16, np.float32]
    assert arrays[0].shape == (GAMES + 1,)
    listed = batch.legal_list()
    assert all(np.array_equal(a, b) for a, b in zip(arrays, listed, strict=False))
    assert batch.over.any()
    if not is_hidden(game):
        singles = [single_rows(game, evaluator, batch[i]) for i in range(GAMES)]
        assert rows(arrays) == singles
    else:
        assert np.abs(arrays[2]).max() <= 1


def test_moves_of_a_hidden_game_are_valued_in_a_world_that_the_mover_holds_possible() -> None:
    game: Any = game_data.load(game_data.TOY)
    batch, evaluator = batch_of(game), dense(game)
    drawn = rows(batch.move_values(evaluator))
    mean = rows(batch.move_values(evaluator, determinizations=1000))
    told_apart = False
    for i in range(GAMES):
        position = batch[i]
        view = position.view(position.turn)
        if position.is_over:
            continue
        worlds = [single_rows(game, evaluator, view.sample(seed)) for seed in range(3000)]
        assert drawn[i] in worlds
        told_apart |= len({tuple(values) for _, values in worlds}) > 1
        expected = np.mean([values for _, values in worlds], axis=0)
        assert mean[i][1] == pytest.approx(expected.tolist(), abs=0.15)
    assert told_apart


def test_values(game: Game) -> None:
    batch, evaluator = batch_of(game), dense(game)
    values = batch.values(evaluator)
    assert (values.shape, values.dtype) == ((GAMES,), np.float32)
    singles = [worth(game, evaluator, batch[i].turn, batch[i]) for i in range(GAMES)]
    assert values.tolist() == singles
    if not is_hidden(game):
        static = game.core.Evaluator.static()
        singles = [worth(game, static, batch[i].turn, batch[i]) for i in range(GAMES)]
        assert batch.values(static).tolist() == singles


def test_ends_are_exact() -> None:
    game: Any = game_data.load("gomoku(size=5)")
    position = game.start()
    for move in ("a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2"):
        position = position.play(move)
    batch = game.batch(2, start=position)
    moves, values = rows(batch.move_values(dense(game)))[0]
    assert values[moves.index(position.parse_move("e1"))] == 1
    assert (
        max(abs(v) for m, v in zip(moves, values, strict=True) if position.play(m).outcome is None)
        < 1
    )
    chess: Any = game_data.load("chess")
    position = chess.start()
    for move in ("g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"):
        position = position.play(move)
    batch = chess.batch(1)
    batch.place(0, position)
    moves, values = rows(batch.move_values(chess.core.Evaluator.static()))[0]
    repeated = moves.index(position.parse_move("f6g8"))  # the third time
    assert values[repeated] == 0
    assert sum(value == 0 for value in values) < len(values)
    batch.play(np.array([moves[repeated]], np.int32))
    assert rows(batch.move_values(dense(chess))) == [([], [])]
    assert batch.values(dense(chess)).tolist() == [0]


def test_a_callback_gives_what_the_network_gives(game: Game) -> None:
    sizes: list[int] = []
    callback = asking(game, sizes)
    states = batch_of(game).random_states
    found = []
    for evaluator in (dense(game), callback):
        batch = batch_of(game, threads=2)
        batch.random_states = states
        found.append([*batch.move_values(evaluator), batch.values(evaluator)])
    for one, other in zip(*found, strict=True):
        assert np.allclose(one, other, atol=1e-5, rtol=0)
    assert len(sizes) == 2  # one call for all moves, one for all positions


def test_a_callback_is_asked_about_so_much_at_once_and_no_more() -> None:
    game: Any = game_data.load("gomoku(size=20,rule=exactly_five)")
    sizes: list[int] = []
    batch = game.batch(100, threads=2)
    _, moves, values = batch.move_values(asking(game, sizes))
    assert len(moves) == 40_000
    assert len(set(sizes[:-1])) == 1
    assert sum(sizes) == 40_000
    assert 4 * batch.features()[0].size * max(sizes) <= 128 << 20
    assert np.array_equal(values, np.tile(values[:400], 100))


def test_a_callback_may_ask_the_batch_itself() -> None:
    game: Any = game_data.load("othello")
    batch = game.batch(40, threads=2)
    inner = dense(game)

    def evaluate(features: Any) -> Any:
        return np.full(len(features), batch.values(inner)[0] + batch.move_values(inner)[2][0])

    callback = game.core.Evaluator.callback(evaluate)
    batch.move_values(callback)
    batch.values(callback)
    batch.search(callback, CORE.AlphaBetaSettings(depth=1))


@pytest.mark.parametrize("name", HIDDEN)
def test_what_the_mover_cannot_tell_apart_changes_nothing(name: str) -> None:
    game: Any = game_data.load(name)
    one, other = batch_of(game), batch_of(game)
    differ = 0
    for i in range(GAMES):
        if not one[i].is_over:
            other.place(i, one[i].view(one[i].turn).sample(100 + i))
            differ += one[i] != other[i]
    assert differ > 3
    evaluators = [dense(game), asking(game)]
    if hasattr(game.core.Evaluator, "static"):
        evaluators.append(game.core.Evaluator.static())
    settings = CORE.AlphaBetaSettings(depth=2, positions=500, table_bytes=1 << 12, record=4)
    for evaluator in evaluators:
        found = []
        for batch in (one, other):
            batch.random_states = np.full((GAMES, 4), 7, np.uint64)
            arrays = [*batch.move_values(evaluator, 2), batch.values(evaluator), batch.input_keys]
            arrays += searched_arrays(batch.search(evaluator, settings)).values()
            found.append([array.tolist() for array in [*arrays, batch.random_states]])
        assert found[0] == found[1]


# ---- keys and tables -----------------------------------------------------------------------------


def test_input_keys(game: Game) -> None:
    batch = batch_of(game)
    keys = batch.input_keys
    assert (keys.shape, keys.dtype) == ((GAMES,), np.uint64)
    singles = [batch[i].view(batch[i].turn).key for i in range(GAMES)]
    assert keys.tolist() == singles
    assert is_hidden(game) or keys.tolist() == batch.keys.tolist()


def test_a_table_is_an_evaluator(game: Game) -> None:
    batch = batch_of(game, threads=2)
    table = CORE.tables.ValueTable()
    evaluator = game.core.Evaluator.table(table)
    over = batch.over
    assert not batch.values(evaluator)[~over].any()
    keys = np.unique(batch.input_keys[~over])
    table.add(keys, np.linspace(-0.9, 0.9, len(keys)))
    wanted, _ = table.read(batch.input_keys)
    assert np.array_equal(batch.values(evaluator)[~over], wanted[~over])
    singles = [worth(game, evaluator, batch[i].turn, batch[i]) for i in range(GAMES)]
    assert batch.values(evaluator).tolist() == singles
    if not is_hidden(game):
        keys = np.unique([n.key for p in map(batch.__getitem__, range(GAMES))
                          for n in ([] if p.is_over else map(p.play, p.legal_moves))])  # fmt: skip
        table.add(keys.astype(np.uint64), np.sin(np.arange(len(keys))))
        rest = [single_rows(game, evaluator, batch[i]) for i in range(GAMES)]
        assert rows(batch.move_values(evaluator)) == rest


def test_a_table_outlives_its_name_and_values_beyond_a_win_are_cut() -> None:
    game: Any = game_data.load("othello")
    start = game.start()
    table = CORE.tables.ValueTable()
    table.add(np.array([start.key], np.uint64), np.array([7.0]))
    evaluator = game.core.Evaluator.table(table)
    del table
    assert evaluator(start) == (1.0, -1.0)
    assert game.core.AlphaBeta(evaluator, CORE.AlphaBetaSettings(depth=1)).search(start).scores
    for wrong in (None, "x", game):
        with pytest.raises(TypeError):
            game.core.Evaluator.table(wrong)


# ---- searches ------------------------------------------------------------------------------------

ARRAYS = (
    *("moves", "values", "leaf_values", "leaf_turns", "leaf_signs", "leaf_plies", "evaluated"),
    *("leaf_keys", "leaf_features", "leaf_terms", "node_games", "low", "high", "node_keys"),
    *("node_features", "node_terms"),
)


def searched_arrays(searched: Any) -> dict[str, Any]:
    return {name: getattr(searched, name) for name in ARRAYS}


def settings_of(**more: Any) -> Any:
    return CORE.AlphaBetaSettings(depth=2, positions=800, table_bytes=1 << 14, **more)


def test_searches(game: Game) -> None:
    if is_hidden(game):
        return
    batch, evaluator = batch_of(game, threads=2), dense(game)
    searched = batch.search(evaluator, settings_of())
    positions = evaluations = 0
    for i in range(GAMES):
        position = batch[i]
        found = game.core.AlphaBeta(evaluator, settings_of()).search(position)
        positions += found.positions
        evaluations += found.evaluations
        assert searched.moves[i] == (-1 if found.move is None else found.move)
        assert searched.values[i] == np.float32(found.scores[position.turn])
        leaf = position
        for move in found.line if searched.leaf_plies[i] else ():
            leaf = leaf.play(move)
        assert searched.leaf_plies[i] in (0, len(found.line))
        assert searched.leaf_turns[i] == leaf.turn
        assert searched.leaf_keys[i] == leaf.key
        assert np.array_equal(searched.leaf_features[i], leaf.features())
        same = game.teams[leaf.turn] == game.teams[position.turn]
        assert searched.leaf_signs[i] == (1 if same else -1)
        assert searched.leaf_values[i] == searched.leaf_signs[i] * searched.values[i]
        assert searched.evaluated[i] == (not leaf.is_over)
        value = worth(game, evaluator, leaf.turn, leaf)
        assert searched.leaf_values[i] == pytest.approx(value, abs=1e-6)
    assert (searched.positions, searched.evaluations) == (positions, evaluations)
    assert searched.evaluated.any()
    shapes = {name: array.shape[0] for name, array in searched_arrays(searched).items()}
    assert all(shapes[name] == (0 if "terms" in name else GAMES) for name in ARRAYS[:10])
    assert all(shapes[name] == 0 for name in ARRAYS[10:])


def goes_on(position: Any) -> bool:
    """Whether a turn of several moves is under way: nothing is evaluated then."""
    return bool(getattr(position, "in_turn", False))


def test_a_hidden_game_is_searched_where_its_moves_are_valued(game: Game) -> None:
    """One move deep, both draw the same world: the best move has the best value."""
    batch, evaluator = batch_of(game), dense(game)
    states = batch.random_states
    offsets, moves, values = batch.move_values(evaluator)
    drawn = batch.random_states
    batch.random_states = states
    plain = CORE.AlphaBetaSettings(depth=1, quiescence=False, extend_checks=False)
    searched = batch.search(evaluator, plain)
    assert np.array_equal(drawn, batch.random_states)
    assert np.array_equal(drawn, states) == (not is_hidden(game))
    for i in range(GAMES):
        part = slice(offsets[i], offsets[i + 1])
        if batch[i].is_over:
            assert searched.moves[i] == -1
        elif not any(goes_on(batch[i].play(move)) for move in moves[part].tolist()):
            assert searched.values[i] == pytest.approx(values[part].max(), abs=1e-6)
            best = moves[part].tolist().index(searched.moves[i])
            assert values[part][best] == pytest.approx(values[part].max(), abs=1e-6)


def test_the_same_whatever_the_threads(game: Game) -> None:
    found = []
    for threads in (1, 3):
        batch, evaluator = batch_of(game, threads, count=50), dense(game)
        searched = batch.search(evaluator, settings_of(record=5))
        arrays = [*batch.move_values(evaluator, 2), batch.values(evaluator), batch.input_keys]
        arrays += [*searched_arrays(searched).values(), batch.random_states]
        found.append([*(array.tolist() for array in arrays), searched.positions])
    assert found[0] == found[1]


def test_a_game_does_not_know_what_was_searched_before(game: Game) -> None:
    """With a table so small that entries push one another out."""
    tiny = CORE.AlphaBetaSettings(depth=3, positions=600, table_bytes=256)
    many, evaluator = batch_of(game, count=80), game.core.Evaluator.none()
    if hasattr(game.core.Evaluator, "static"):
        evaluator = game.core.Evaluator.static()
    together = many.search(evaluator, tiny, inputs="keys")
    for i in range(0, 80, 7):
        alone = game.core.Batch(many[i], 1)
        alone.place(0, many[i])
        if not is_hidden(game):
            single = alone.search(evaluator, tiny, inputs="keys")
            for name in ("moves", "values", "leaf_keys", "leaf_plies"):
                assert getattr(single, name)[0] == getattr(together, name)[i], name


def test_what_searches_prove_of_interior_positions(game: Game) -> None:
    batch, evaluator = batch_of(game), dense(game)
    searched = batch.search(evaluator, settings_of(record=6))
    owners = searched.node_games
    assert len(owners) > GAMES
    assert np.bincount(owners).max() <= 6
    assert not batch.over[owners].any()
    assert (np.diff(owners) >= 0).all()
    assert (searched.low <= searched.high).all()
    assert np.isfinite(np.where(np.isfinite(searched.low), searched.low, searched.high)).all()
    assert searched.node_features.shape == (len(owners), *batch.features().shape[1:])
    if not is_hidden(game):
        roots = {(i, key) for i, key in enumerate(batch.keys.tolist())}
        of_roots = [
            k for k, key in enumerate(searched.node_keys.tolist()) if (owners[k], key) in roots
        ]
        for k in of_roots:
            game_number = owners[k]
            assert searched.low[k] == searched.high[k]
            assert np.array_equal(searched.node_features[k], batch[int(game_number)].features())


@pytest.mark.parametrize("name", WITH_TERMS)
def test_terms(name: str) -> None:
    game: Any = game_data.load(name)
    batch = batch_of(game, threads=2)
    evaluator = game.core.Evaluator.linear(game.core.hand_tuned_weights())
    terms = np.stack([game.core.terms(batch[i]) for i in range(GAMES)])
    assert np.array_equal(batch.terms(), terms)
    searched = batch.search(evaluator, settings_of(record=20), inputs="terms")
    assert searched.leaf_features.shape[0] == searched.node_features.shape[0] == 0
    begin = 0
    for i in range(GAMES):
        search = game.core.AlphaBeta(evaluator, settings_of(record=20))
        found = search.search(batch[i])
        leaf = batch[i]
        for move in found.line if searched.leaf_plies[i] else ():
            leaf = leaf.play(move)
        assert np.array_equal(searched.leaf_terms[i], game.core.terms(leaf))
        nodes = [] if batch[i].is_over else search.nodes()
        for array, wanted in zip(
            (searched.node_terms, searched.low, searched.high), nodes, strict=False
        ):
            assert np.array_equal(array[begin : begin + len(wanted)], wanted)
        begin += len(nodes[0]) if nodes else 0
    assert begin == len(searched.node_games)


def test_a_callback_searches_as_the_network_does(game: Game) -> None:
    found = []
    for evaluator in (dense(game), asking(game)):
        batch = batch_of(game, threads=2)
        plain = CORE.AlphaBetaSettings(depth=1, table_bytes=1 << 12, quiescence=False)
        found.append(batch.search(evaluator, plain))
    assert np.allclose(found[0].values, found[1].values, atol=1e-5)
    assert np.array_equal(found[0].evaluated, found[1].evaluated)


def test_depth_counts_whole_turns() -> None:
    """Jiu: a turn is several moves, and nothing is evaluated in the middle of one."""
    game: Any = game_data.load("jiu(size=6,single_jump_ban=strong,repetition=forbid)")
    batch = game.batch(40, seed=2)
    batch.playout(limit=45)
    evaluator = game.core.Evaluator.static()
    plain = CORE.AlphaBetaSettings(depth=1, quiescence=False)
    searched = batch.search(evaluator, plain)
    long_ones = 0
    for i in np.flatnonzero(~batch.over).tolist():
        found = game.core.AlphaBeta(evaluator, plain).search(batch[i])
        leaf = batch[i]
        for k, move in enumerate(found.line):
            assert k == 0 or leaf.in_turn
            leaf = leaf.play(move)
        assert searched.leaf_plies[i] == len(found.line)
        assert leaf.is_over or not leaf.in_turn
        long_ones += len(found.line) > 1
    assert long_ones > 3


def test_a_mate_is_worth_a_win() -> None:
    game: Any = game_data.load("chess")
    batch = game.batch(2)
    mate = game.parse("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    mated = mate.play("a1a8")
    batch.place_all([mate, mated])
    searched = batch.search(dense(game), settings_of())
    assert searched.moves.tolist() == [mate.parse_move("a1a8"), -1]
    assert searched.values.tolist() == [1, -1]
    assert searched.evaluated.tolist() == [False, False]
    assert searched.leaf_plies.tolist() == [1, 0]
    assert searched.leaf_values.tolist() == [-1, -1]
    assert searched.leaf_keys.tolist() == [mated.key, mated.key]


def test_a_budget_that_reaches_no_leaf_has_the_root_for_one() -> None:
    game: Any = game_data.load("gomoku")
    batch, evaluator = game.batch(1), dense(game)
    batch.playout(limit=4)
    searched = batch.search(evaluator, CORE.AlphaBetaSettings(positions=1))
    assert searched.leaf_plies.tolist() == [0]
    assert searched.evaluated.tolist() == [True]
    assert searched.leaf_keys.tolist() == batch.keys.tolist()
    assert searched.leaf_values == pytest.approx(batch.values(evaluator))


# ---- positions of one's own, and refusals --------------------------------------------------------


def test_place_all(game: Game) -> None:
    batch = batch_of(game)
    other: Any = game.batch(GAMES, seed=8)
    other.place_all([batch[i] for i in range(GAMES)])
    assert [other[i] for i in range(GAMES)] == [batch[i] for i in range(GAMES)]
    assert not other.lengths.any()


def test_place_all_places_all_or_none() -> None:
    game: Any = game_data.load("gomoku(size=5)")
    batch = game.batch(3, seed=1)
    batch.playout(limit=2)
    keys = batch.keys.tolist()
    start = game.start()
    for count in (0, 2, 4):
        with pytest.raises(ParseError, match="expected one for each of 3 games"):
            batch.place_all([start] * count)
    with pytest.raises(ParseError, match=r"the batch of gomoku\(size=5\)"):
        batch.place_all([start, start, game_data.load("gomoku(size=6)").start()])
    for hostile in (None, 3, [start, None, start], [start, "x", start], [start, 1, 2]):
        with pytest.raises(TypeError):
            batch.place_all(hostile)
    assert batch.keys.tolist() == keys


def test_what_is_refused() -> None:
    game: Any = game_data.load("gomoku(size=5)")
    batch, evaluator = game.batch(3), game.core.Evaluator.none()
    plain = CORE.AlphaBetaSettings(depth=1)
    for wrong in (0, -1, 1025):
        with pytest.raises(ParseError, match=f"determinizations are 1 to 1024, not {wrong}"):
            batch.move_values(evaluator, wrong)
    siguo: Any = game_data.load("siguo")
    with pytest.raises(ParseError, match="siguo has no terms; inputs are features or keys"):
        siguo.batch(1).search(siguo.core.Evaluator.none(), plain, inputs="terms")
    with pytest.raises(ParseError, match="inputs cannot be 'planes'; it takes features, terms"):
        batch.search(evaluator, plain, inputs="planes")
    with pytest.raises(ParseError, match="keep must be False"):
        batch.search(evaluator, CORE.AlphaBetaSettings(depth=1, keep=True))
    with pytest.raises(ValueError, match="alpha-beta needs a budget"):
        batch.search(evaluator, CORE.AlphaBetaSettings())
    other = game_data.load("gomoku(size=6)")
    for call in (batch.values, batch.move_values, lambda e: batch.search(e, plain)):
        with pytest.raises(ValueError, match="the network takes"):
            call(dense(other))
        with pytest.raises(ValueError, match="values must have shape"):
            call(game.core.Evaluator.callback(lambda features: np.zeros(7)))
        with pytest.raises(ZeroDivisionError):
            call(game.core.Evaluator.callback(lambda features: 1 / 0))
        with pytest.raises(TypeError):
            call(None)


def test_many_hidden_games_are_searched_by_what_the_mover_sees_alone() -> None:
    game = game_data.load("siguo")
    position: Any = game.start(seed=3)
    other = position.view(position.turn).sample(5)
    assert other.text != position.text
    settings = CORE.MonteCarloSettings(simulations=40, rollout_moves=6, memory=1 << 22)

    def found(at: Any) -> tuple[Any, ...]:
        batch = game.core.Batch(at, 1, 7)
        result = game.core.ManySearch(settings, 1).search(batch, game.core.Evaluator.static())[0]
        return result.move, result.scores, result.line

    assert found(position) == found(other)
