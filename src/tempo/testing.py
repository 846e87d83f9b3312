"""The conformance suite: what must hold for every game, ready for those who add one.

    from tempo import testing
    testing.check_game(tempo.load("my_game"), seed=1)

or, one test per property: `pytest.mark.parametrize("holds", testing.PROPERTIES)`. Each property
plays seeded random games and raises AssertionError with the game, the position and the seed when
it does not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np

from tempo.errors import IllegalMove, ParseError
from tempo.games import Game

# How much each property plays: enough for ends, captures and promotions, well under a second each.
GAMES = 40
POSITIONS = 400
FEW_POSITIONS = 48
DETERMINIZATIONS_PER_VIEW = 8


def check_game(game: Game, seed: int = 1) -> None:
    """Checks every property; the first that fails raises AssertionError."""
    for holds in PROPERTIES:
        holds(game, seed)


def random_game(
    game: Game, seed: int, limit: int | None = None, start: Any = None
) -> Iterator[Any]:
    """The positions of one random game, the first included, up to `limit` moves."""
    random = Random(seed)
    position = start
    if position is None:
        position = game.start(seed) if game.is_dealt else game.start()
    made = 0
    yield position
    while not position.is_over and (limit is None or made < limit):
        moves = position.legal_moves
        position = position.play(moves[int(random.random() * len(moves))])
        made += 1
        yield position


def sample_positions(game: Game, seed: int, count: int) -> list[Any]:
    """Positions from random games: starts, middles and ends."""
    random = Random(seed)
    chosen: list[Any] = []
    while len(chosen) < count:
        whole = list(random_game(game, random.getrandbits(32)))
        chosen += [whole[0], whole[-1], *random.sample(whole, min(8, len(whole)))]
    return chosen[:count]


def _about(position: Any, seed: int) -> str:
    return f"{position!r} (seed {seed})"


def someone_moves_until_the_end(game: Game, seed: int) -> None:
    """Someone to move, some legal move and no outcome yet are one and the same."""
    for i in range(GAMES):
        for position in random_game(game, seed + i):
            over = position.outcome is not None
            about = _about(position, seed)
            assert over == (len(position.legal_moves) == 0), about
            assert over == position.is_over, about
            assert 0 <= position.turn < game.seats, about
            assert all(0 <= move < game.move_numbers for move in position.legal_moves), about


def moves_have_one_order(game: Game, seed: int) -> None:
    """Legal moves come without repeats in an order that only the position decides."""
    for position in sample_positions(game, seed, POSITIONS):
        moves = list(position.legal_moves)
        assert moves == list(position.legal_moves), _about(position, seed)
        assert len(set(moves)) == len(moves), _about(position, seed)
        assert moves == [position.legal_moves[i] for i in range(len(moves))], _about(position, seed)
        if moves:
            again = game.parse(position.text)
            assert moves == list(again.legal_moves), _about(position, seed)


def playing_is_pure(game: Game, seed: int) -> None:
    """Same start and same moves give equal positions; playing changes only the copy."""
    for i in range(GAMES // 2):
        first = list(random_game(game, seed + i))
        second = list(random_game(game, seed + i))
        assert first == second, f"{game.spec} (seed {seed + i})"
        assert [p.outcome for p in first] == [p.outcome for p in second], (
            f"{game.spec} (seed {seed + i})"
        )
        for before, after in pairwise(first):
            was = (before.text, before.key, before.turn, list(before.legal_moves))
            once, again = (before.play(before.legal_moves[-1]) for _ in range(2))
            assert once == again, _about(before, seed)
            assert hash(once) == hash(again), _about(before, seed)
            assert was == (before.text, before.key, before.turn, list(before.legal_moves)), _about(
                before, seed
            )
            assert before != after, _about(before, seed)


def parsing_undoes_printing(game: Game, seed: int) -> None:
    """Texts of positions and moves read back as what was printed; equal texts, equal positions."""
    by_text: dict[str, Any] = {}
    for position in sample_positions(game, seed, POSITIONS):
        again: Any = game.parse(position.text)
        assert again == position, _about(position, seed)
        assert hash(again) == hash(position), _about(position, seed)
        assert again.text == position.text, _about(position, seed)
        assert by_text.setdefault(position.text, position) == position, _about(position, seed)
        texts = [position.move_text(move) for move in position.legal_moves]
        assert len(set(texts)) == len(texts), _about(position, seed)
        assert [position.parse_move(text) for text in texts] == list(position.legal_moves)
        assert all(text in position.legal_moves for text in texts), _about(position, seed)
    assert len(set(by_text.values())) == len(by_text), f"{game.spec} (seed {seed})"


def keys_are_sound(game: Game, seed: int) -> None:
    """The incremental key equals the key from scratch; equal keys mean equal moves and outcomes."""
    seen: dict[int, tuple[Any, ...]] = {}
    for i in range(GAMES):
        for position in random_game(game, seed + i):
            assert position.key == position.scratch_key, _about(position, seed)
            pure = game.parse(position.text)  # without the past, which no key covers
            assert pure.key == position.key, _about(position, seed)
            end = pure.outcome
            known = (pure.turn, list(pure.legal_moves), end and (end.reason, end.scores))
            assert seen.setdefault(position.key, known) == known, _about(position, seed)


def legality_agrees_for_every_number(game: Game, seed: int) -> None:
    """`is_legal` says yes to the listed moves and to nothing else; `play` refuses the rest."""
    random = Random(seed)
    for position in sample_positions(game, seed, FEW_POSITIONS):
        legal = position.legal_moves
        listed = set(legal)
        numbers = [m for m in range(game.move_numbers) if m in legal]
        assert set(numbers) == listed, _about(position, seed)
        allowed = {m for m in range(game.move_numbers) if position.is_legal(m)}
        assert allowed == listed, _about(position, seed)
        for move in (-1, game.move_numbers, 65535, 65536, 2**31 - 1):
            assert not position.is_legal(move), _about(position, seed)
            assert move not in legal, _about(position, seed)
        illegal = [m for m in range(game.move_numbers) if m not in listed]
        for move in [-1, game.move_numbers, *random.sample(illegal, min(40, len(illegal)))]:
            refusal = _refusal(position.play, move)
            assert refusal, f"move {move} is not refused with a reason: {_about(position, seed)}"


def scores_are_fair(game: Game, seed: int) -> None:
    """Scores lie in [-1, 1], sum to zero, and are equal within a team."""
    for i in range(3 * GAMES):
        *_, last = random_game(game, seed + i)
        scores = last.outcome.scores
        assert len(scores) == game.seats, _about(last, seed)
        assert all(-1 <= score <= 1 for score in scores), _about(last, seed)
        assert abs(sum(scores)) < 1e-6, _about(last, seed)
        by_team = {(team, score) for team, score in zip(game.teams, scores, strict=True)}
        assert len(by_team) == len(set(game.teams)), _about(last, seed)
        assert last.outcome.reason, _about(last, seed)


def positions_stay_sound(game: Game, seed: int) -> None:
    """`check` finds nothing after any move, and games end within their bound."""
    for i in range(GAMES):
        length = -1
        for position in random_game(game, seed + i):
            assert position.check() == "", f"{position.check()}: {_about(position, seed)}"
            length += 1
        assert length <= game.length_bound, f"{game.spec} (seed {seed + i})"


def mirroring_commutes(game: Game, seed: int) -> None:
    """A symmetry keeps legal moves, play, outcomes and features; 0 is the identity."""
    random = Random(seed)
    for position in sample_positions(game, seed, FEW_POSITIONS if game.symmetries > 1 else 0):
        for k in range(game.symmetries):
            mirrored = position.transformed(k)
            about = f"symmetry {k} of {_about(position, seed)}"
            assert mirrored.check() == "", about
            assert mirrored.key == mirrored.scratch_key, about
            assert (k != 0) or mirrored == position, about
            assert _has_inverse(position, mirrored, game.symmetries), about
            image = [position.transformed_move(m, k) for m in position.legal_moves]
            assert sorted(image) == sorted(mirrored.legal_moves), about
            assert mirrored.outcome == position.outcome, about
            pairs = list(zip(position.legal_moves, image, strict=True))
            for move, mirrored_move in random.sample(pairs, min(3, len(pairs))):
                assert position.play(move).transformed(k) == mirrored.play(mirrored_move), about
            if hasattr(game.core, "transformed_features"):
                where = game.core.transformed_features(game.options, k)
                flat = position.features().ravel()
                assert np.array_equal(mirrored.features().ravel()[where], flat), about


def _has_inverse(position: Any, mirrored: Any, symmetries: int) -> bool:
    return any(mirrored.transformed(k) == position for k in range(symmetries))


def views_hide_what_they_must(game: Game, seed: int) -> None:
    """A determinization gives the view it came from, and nothing given to a seat tells it apart."""
    if not game.is_hidden:
        for position in sample_positions(game, seed, FEW_POSITIONS):
            for seat in (*range(game.seats), *game.seat_names):
                assert position.view(seat) == position, _about(position, seed)
        return
    other_determinizations = 0
    for position in sample_positions(game, seed, FEW_POSITIONS):
        for seat in range(game.seats):
            view = position.view(seat)
            about = f"seat {seat} of {_about(position, seed)}"
            assert view == position.view(game.seat_names[seat]), about
            moves = list(position.legal_moves) if position.turn == seat else []
            assert list(view.legal_moves) == moves, about
            _reads_its_moves(view, position, about)
            determinizations = [view.sample(draw) for draw in range(DETERMINIZATIONS_PER_VIEW)]
            assert determinizations == [
                view.sample(draw) for draw in range(DETERMINIZATIONS_PER_VIEW)
            ], about
            for determinization in determinizations:
                assert determinization.check() == "", about
                assert determinization.view(seat) == view, about
                assert _given(determinization, seat) == _given(position, seat), about
            again = determinizations[0].view(seat)
            assert determinizations == [
                again.sample(draw) for draw in range(DETERMINIZATIONS_PER_VIEW)
            ], f"a determinization depends on what is hidden: {about}"
            other_determinizations += sum(
                determinization != position for determinization in determinizations
            )
    assert other_determinizations > 0, f"{game.spec} hides nothing (seed {seed})"


def _reads_its_moves(view: Any, position: Any, about: str) -> None:
    """A view knows its seat's own moves by number and by text, and refuses all others."""
    moves = list(view.legal_moves)
    assert [view.parse_move(view.move_text(move)) for move in moves] == moves, about
    others = [-1, 0, 1, 65535, 2**31 - 1, *list(position.legal_moves)[:5]]
    for move in (*moves, *others):
        assert view.is_legal(move) == (move in moves), about
    if not moves and not position.is_over:
        text = position.move_text(position.legal_moves[0])  # of the seat that is to move
        assert _refusal(view.parse_move, text), f"{text} is taken for a move: {about}"
    assert _refusal(view.parse_move, "no such move"), about


def _given(position: Any, seat: int) -> list[Any]:
    """All that a seat is ever given of a position, features included."""
    view = position.view(seat)
    known = [getattr(view, name) for name in ("turn", "key", "text", "board", "is_over", "outcome")]
    moves = list(view.legal_moves)
    features = position.features(seat).tolist() if hasattr(position, "features") else []
    return [*known, str(view), hash(view), moves, [view.move_text(m) for m in moves], features]


def batches_agree_with_single_games(game: Game, seed: int) -> None:
    """A batch plays as single positions do, the same whatever the number of threads."""
    runs = []
    for threads in (1, 3):
        batch = game.batch(4 * GAMES, seed=seed, threads=threads)
        batch.playout()
        runs.append((batch.keys.tolist(), batch.scores.tolist(), batch.lengths.tolist()))
        assert bool(batch.over.all())
        assert batch.legal_mask().sum() == 0
    assert runs[0] == runs[1], f"{game.spec} (seed {seed})"
    _follow_a_batch(game, seed)


def _follow_a_batch(game: Game, seed: int) -> None:
    random = Random(seed)
    batch = game.batch(6, seed=seed)
    singles: list[Any] = [batch[i] for i in range(len(batch))]
    for _ in range(60):
        offsets, flat = batch.legal_list()
        mask = batch.legal_mask()
        moves = np.full(len(batch), -1, dtype=np.int32)
        for i, single in enumerate(singles):
            listed = flat[offsets[i] : offsets[i + 1]].tolist()
            assert listed == list(single.legal_moves), _about(single, seed)
            assert np.flatnonzero(mask[i]).tolist() == sorted(listed), _about(single, seed)
            if listed:
                moves[i] = random.choice(listed)
                singles[i] = single.play(int(moves[i]))
        batch.play(moves)
        assert [batch[i] for i in range(len(batch))] == singles, f"{game.spec} (seed {seed})"
        assert batch.turns.tolist() == [single.turn for single in singles]
        assert batch.keys.tolist() == [single.key for single in singles]
        assert batch.over.tolist() == [single.is_over for single in singles]
        scores = [
            single.outcome.scores if single.is_over else (0.0,) * game.seats for single in singles
        ]
        assert [tuple(row) for row in batch.scores.tolist()] == scores, f"{game.spec} (seed {seed})"
        if hasattr(batch, "features"):
            alone = np.stack([single.features() for single in singles])
            assert np.array_equal(batch.features(), alone), f"{game.spec} (seed {seed})"
            assert np.isfinite(alone).all(), f"{game.spec} (seed {seed})"


def perft_counts_sequences(game: Game, seed: int) -> None:
    """perft equals counting by playing, from the start, and its parts add up to it."""
    start: Any = game.start(seed) if game.is_dealt else game.start()
    children = [start.play(move) for move in start.legal_moves]
    counts = [1, len(children), sum(len(child.legal_moves) for child in children)]
    about = _about(start, seed)
    assert [game.perft(depth, start) for depth in range(3)] == counts, about
    parts = game.core.divide(start, 2)
    assert [text for text, _ in parts] == [start.move_text(m) for m in start.legal_moves], about
    assert [count for _, count in parts] == [len(child.legal_moves) for child in children], about


def bad_texts_are_refused(game: Game, seed: int) -> None:
    """Damaged texts are refused with a reason, or mean a sound position or a legal move."""
    random = Random(seed)
    alphabet = "".join(chr(c) for c in range(32, 127)) + "é\n\t\0"
    for position in sample_positions(game, seed, POSITIONS):
        about = _about(position, seed)
        for _ in range(12):
            damaged = _damage(position.text, alphabet, random)
            refusal = _refusal(game.parse, damaged)
            assert refusal != "", f"refused without a reason: {damaged!r} {about}"
            if refusal is None:
                parsed = game.parse(damaged)
                assert parsed.check() == "", f"{damaged!r} {about}"
                assert game.parse(parsed.text) == parsed, f"{damaged!r} {about}"
        for move in list(position.legal_moves)[:2]:
            damaged = _damage(position.move_text(move), alphabet, random)
            read = _refusal(position.parse_move, damaged)
            assert read != "", f"refused without a reason: {damaged!r} {about}"
            assert (read is None) == (damaged in position.legal_moves), f"{damaged!r} {about}"
    for text in ("", " ", "\0", "x" * 10_000):
        assert _refusal(game.parse, text), f"{game.spec}: {text[:20]!r}"


def _refusal(action: Callable[[Any], Any], given: int | str) -> str | None:
    """The message with which something is refused as it should be; None when it is not."""
    try:
        action(given)
    except (ParseError, IllegalMove) as refused:
        return str(refused)
    return None


def _damage(text: str, alphabet: str, random: Random) -> str:
    letters = list(text)
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(letters) + 1)
        if random.random() < 0.4 and letters:
            del letters[min(at, len(letters) - 1)]
        else:
            letters.insert(at, random.choice(alphabet))
    return "".join(letters)


PROPERTIES: tuple[Callable[[Game, int], None], ...] = (
    someone_moves_until_the_end,
    moves_have_one_order,
    playing_is_pure,
    parsing_undoes_printing,
    keys_are_sound,
    legality_agrees_for_every_number,
    scores_are_fair,
    positions_stay_sound,
    mirroring_commutes,
    views_hide_what_they_must,
    batches_agree_with_single_games,
    perft_counts_sequences,
    bad_texts_are_refused,
)
