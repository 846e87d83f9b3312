"""Q-networks: the paper's counts of weights without making them, and what the heads compute."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tempo.nets import qnets
from tempo.nets.qmethods import Joint, Pair, Transitions, TwoStage, huber

KEY = 0
SHOGI = (63, 9, 9)


def shapes(method: TwoStage) -> Pair:
    made: Pair = jax.eval_shape(method.make, jax.random.key(KEY))
    return made


def test_the_papers_networks_have_the_papers_weights() -> None:
    pair = shapes(TwoStage(SHOGI))
    by_layer = [qnets.weights(layer) for layer in (*pair.s.convolutions, *pair.s.layers)]
    assert by_layer == [14_238, 71_568, 16_002, 168_033_936, 1_037_673, 38_896]
    assert qnets.weights(pair.a.layers[-1]) == 35_802
    assert qnets.weights(pair.s) == 169_212_313
    assert qnets.weights(pair.a) == 169_209_219


def test_the_corrected_networks_read_the_board_as_a_board() -> None:
    pair = shapes(TwoStage(SHOGI, is_faithful=False))
    assert qnets.weights(pair.s) == 25_270_291
    assert qnets.weights(pair.s.convolutions[0]) == 99_288
    # One more plane for the chosen piece, 81 outputs for 88.
    assert qnets.weights(pair.a) == 25_270_291 - 38_896 + 35_802 + 25 * 63


def test_multiply_adds_of_the_papers_networks() -> None:
    assert qnets.multiply_adds(shapes(TwoStage(SHOGI)).s, SHOGI) == pytest.approx(
        226.65e6, rel=1e-4
    )
    corrected = shapes(TwoStage(SHOGI, is_faithful=False)).s
    assert qnets.multiply_adds(corrected, SHOGI) == pytest.approx(40.19e6, rel=1e-3)


def test_the_residual_network_is_small_enough_to_ship() -> None:
    net = jax.eval_shape(Joint((82, 9, 9), 27, channels=128, blocks=5).make, jax.random.key(KEY))
    assert 1_000_000 < qnets.weights(net) < 2_000_000  # under 8 MB in 32 bits


def test_dueling_by_hand() -> None:
    value, moves = jnp.array([0.5]), jnp.array([[1.0, 2.0, 9.0]])
    legal = jnp.array([[True, True, False]])
    assert np.asarray(qnets.dueling(value, moves, legal))[0, :2] == pytest.approx([0.0, 1.0])


def transitions(legal: list[list[bool]], outputs: list[int], planes: jax.Array) -> Transitions:
    flags = jnp.array(legal)
    count = len(outputs)
    return Transitions(
        planes=planes,
        legal=flags,
        outputs=jnp.array(outputs),
        gains=jnp.full(count, 0.25),
        factors=jnp.array([-0.5, 0.0][:count]),
        later=planes,
        later_legal=flags,
        weights=jnp.ones(count),
    )


def test_double_q_picks_by_one_network_and_values_by_the_other() -> None:
    method = Joint((2, 2, 2), 1, channels=4, blocks=1)
    nets, slow = (method.make(jax.random.key(i)) for i in (1, 2))
    planes = jax.random.normal(jax.random.key(3), (2, 2, 2, 2))
    given = transitions([[True, True, False, True]] * 2, [1, 3], planes)
    own, theirs = (np.asarray(method.values(n, planes, given.legal)) for n in (nets, slow))
    targets = [0.25 - 0.5 * theirs[0, own[0].argmax()], 0.25]
    found = np.asarray(method.errors(nets, slow, given))
    assert found == pytest.approx([targets[0] - own[0, 1], targets[1] - own[1, 3]], abs=1e-5)
    assert own[0].argmax() != 2  # never what is not legal


def tiny_pair(is_faithful: bool) -> tuple[TwoStage, Pair]:
    method = TwoStage((3, 2, 2), pieces=5, places=4, is_faithful=is_faithful)
    s, a = jax.random.split(jax.random.key(5))

    def net(planes: int, outputs: int, key: jax.Array) -> qnets.Paper:
        return qnets.Paper(
            (planes, 2, 2),
            outputs,
            key,
            planes_as_height=is_faithful,
            filters=(4, 4, 4),
            hidden=(8, 8),
        )

    return method, Pair(net(3, 5, s), net(3 if is_faithful else 4, 4, a))


@pytest.mark.parametrize("is_faithful", [True, False])
def test_a_piece_is_chosen_first_and_then_its_place(is_faithful: bool) -> None:
    method, nets = tiny_pair(is_faithful)
    planes = jax.random.normal(jax.random.key(3), (1, 3, 2, 2))
    legal = np.zeros((1, 5, 4), bool)
    legal[0, 1, :2] = legal[0, 3, 2:] = legal[0, 4, 3] = True  # 4 is a piece in hand
    output, value = method.best(nets, planes, jnp.asarray(legal.reshape(1, -1)))
    pieces = np.asarray(nets.s(planes))[0]
    piece = max((1, 3, 4), key=lambda i: float(pieces[i]))
    shown = np.zeros((1, 1, 2, 2), np.float32)
    shown.reshape(-1)[:] = np.eye(4)[piece] if piece < 4 else legal[0, piece]
    seen = planes if is_faithful else jnp.concatenate([planes, shown], 1)
    places = np.asarray(nets.a(seen))[0]
    place = max(np.flatnonzero(legal[0, piece]), key=lambda i: float(places[i]))
    assert int(output[0]) == piece * 4 + place
    assert float(value[0]) == pytest.approx(float(pieces[piece]))


def test_each_of_the_two_networks_has_its_own_target() -> None:
    method, nets = tiny_pair(True)
    planes = jax.random.normal(jax.random.key(3), (1, 3, 2, 2))
    legal = np.zeros((1, 5, 4), bool)
    legal[0, 1, :2] = legal[0, 3, 2:] = True
    given = transitions([legal.reshape(-1).tolist()], [3 * 4 + 2], planes)
    pieces, places = (np.asarray(net(planes))[0] for net in nets)
    piece = 1 if pieces[1] > pieces[3] else 3
    best = places[:2].max() if piece == 1 else places[2:].max()
    expected = [0.25 - 0.5 * pieces[piece] - pieces[3], 0.25 - 0.5 * best - places[2]]
    assert np.asarray(method.errors(nets, nets, given))[0] == pytest.approx(expected, abs=1e-5)


def test_huber() -> None:
    errors = jnp.array([0.5, -3.0])
    assert np.asarray(huber(errors, 1.0)) == pytest.approx([0.125, 2.5])
    assert np.asarray(huber(errors, 0.0)) == pytest.approx([0.125, 4.5])
