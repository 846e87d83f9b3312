"""Drawing descriptions: every move can be entered, and nothing hidden is shown."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any
from xml.etree import ElementTree

import game_data
import pytest

import tempo
from tempo import testing
from tempo.games.scene import Face, layout, said, scene, seen_by, steps

SVG = "{http://www.w3.org/2000/svg}"


def _played(game: tempo.games.Game, seed: int, most: int) -> list[Any]:
    return list(testing.random_game(game, seed, most))


def _some(positions: list[Any], count: int) -> list[Any]:
    return Random(1).sample(positions, min(count, len(positions)))


@pytest.mark.parametrize("spec", game_data.SPECS)
def test_every_legal_move_can_be_entered_and_told_from_the_others(spec: str) -> None:
    game = game_data.load(spec)
    for seat in range(game.seats):
        ground = layout(game, seat)
        places = {place.id: place for place in ground.places}
        assert len(places) == len(ground.places)
        assert len({(place.x, place.y) for place in ground.places}) == len(places)
        assert all(place.label for place in ground.places)
        for position in _some(_played(game, 3, 400), 12):
            now = scene(position, seat)
            view = position.view(seat)
            mine = view.turn == seat and not view.is_over
            assert [step.move for step in now.moves] == (list(view.legal_moves) if mine else [])
            assert bool(now.hint) == mine
            entries = Counter((step.touches, step.choice, step.button) for step in now.moves)
            assert set(entries.values()) <= {1}
            for step in now.moves:
                assert bool(step.touches) != bool(step.button)
                assert set(step.touches) <= set(places)
            assert len({piece.place for piece in now.pieces}) == len(now.pieces)
            assert {piece.place for piece in now.pieces} <= set(places)
            assert all(piece.label for piece in now.pieces)
            assert json.loads(json.dumps(now.data()))["hint"] == now.hint
            assert places or now.board


@pytest.mark.parametrize("spec", game_data.SPECS)
def test_the_last_turn_is_marked_and_told(spec: str) -> None:
    game = game_data.load(spec)
    random = Random(5)
    places = {place.id for place in layout(game, 0).places}
    position: Any = game.start()
    for _ in range(60):
        if position.is_over:
            break
        moves = position.legal_moves
        move = moves[int(random.random() * len(moves))]
        after = position.play(move)
        for seat in (0, None):
            now = scene(after, seat, [(position, move)])
            assert now.mover == position.turn
            assert now.said
            views = [seen_by(moment, seat) for moment in (after, position)]
            assert now == scene(views[0], seat, [(views[1], move)])
            assert set(now.last) <= places
            assert set(now.captured) <= places
            assert not set(now.captured) & {piece.place for piece in now.pieces}
        assert said(position, move, after)
        position = after


@pytest.mark.parametrize("options", ["", "(info=double_open)", "(battle_reveal=everyone)"])
def test_a_scene_of_siguo_does_not_change_with_what_is_hidden(options: str) -> None:
    game = tempo.load("siguo" + options)
    whole = _played(game, 11, 250)
    changed = 0
    for position in _some(whole, 6):
        for seat in range(4):
            view = position.view(seat)
            shown = scene(position, seat).data()
            assert shown == scene(view, seat).data()
            for seed in range(4):
                other = view.sample(seed)
                assert scene(other, seat).data() == shown
                changed += other.text != position.text
    assert changed > 20  # else nothing was hidden and nothing was tested


def test_spectators_of_siguo_see_only_what_every_seat_knows() -> None:
    game = tempo.load("siguo")
    for position in _played(game, 7, 300):
        shown = scene(position, None)
        assert not shown.moves
        for piece in shown.pieces:
            if piece.text:  # the flag of a seat that lost its General
                assert piece.text == "旗"
                assert all(f"{'SENW'[piece.seat]}F" in position.view(s).board for s in range(4))
    all_open: Any = tempo.load("siguo(info=all_open)").start(seed=2)
    assert all(piece.text for piece in scene(all_open, None).pieces)


def test_the_siguo_board_is_drawn_from_the_graph_with_the_seat_at_the_bottom() -> None:
    game = tempo.load("siguo")
    for seat, letter in enumerate("SENW"):
        ground = layout(game, seat)
        styles = Counter(shape.style for shape in ground.ground)
        assert (styles["road"], styles["rail"], styles["curve"]) == (196, 88, 4)
        forms = Counter(place.form for place in ground.places)
        assert (forms["station"], forms["camp"], forms["headquarters"]) == (101, 20, 8)
        spots = {place.id: place for place in ground.places}
        assert spots[f"{letter}63"].y == max(place.y for place in ground.places)
        assert spots[f"{letter}61"].x < spots[f"{letter}65"].x  # the owner's left is left
        left, top, wide, high = ground.box
        assert all(left < p.x < left + wide and top < p.y < top + high for p in ground.places)
    corner = layout(tempo.load("siguo(arc=corner)"), 0)
    assert not any(shape.style == "curve" for shape in corner.ground)
    root = ElementTree.fromstring(game.start().svg())
    assert len([path for path in root.iter(f"{SVG}path") if " 0 0 " in path.get("d", "")]) == 8


def test_where_each_kind_may_be_deployed_is_what_the_rules_say() -> None:
    game = tempo.load("siguo")
    ground = layout(game, 2).deployment
    assert ground is not None
    assert ground.allowed["F"] == ("N62", "N64")
    assert set(ground.allowed["M"]) == {p for p in ground.places if p[1] in "56"}
    assert set(ground.allowed["B"]) == {p for p in ground.places if p[1] != "1"}
    others = set("987654321")
    assert all(set(ground.allowed[kind]) == set(ground.places) for kind in others)
    assert layout(game, None).deployment is None
    assert layout(tempo.load("chess"), 0).deployment is None


def test_boards_of_squares_turn_with_the_seat() -> None:
    for spec, near in (("chess", ("a1", "h8")), ("shogi", ("9i", "1a"))):
        for seat in (0, 1):
            spots = {place.id: place for place in layout(tempo.load(spec), seat).places}
            first, second = (spots[name] for name in (near if seat == 0 else near[::-1]))
            assert (first.x, second.y) == (0, 0)
            assert first.y == second.x > 3


def test_a_turn_of_jiu_is_guided_part_by_part() -> None:
    game = tempo.load("jiu(size=6)")
    start: Any = game.start()
    assert scene(start, 0).hint == "Fill a marked point."
    take: Any = game.parse(
        "oxooox/xxooox/ox2oo/xxxxxx/xooxxx/oooxoo x battle 0 0 take C4 D4 0 1 17 - -"
    )
    now = scene(take, 1)
    assert "take a stone" in now.hint
    assert all(len(step.touches) == 1 and step.text[0] == "*" for step in now.moves)
    jump: Any = game.parse(
        "o1ooox/1xooox/xox1oo/x1xxxx/x1oxxo/1ooxo1 o battle 3 9 jump E2 C2 1 0 15 - -"
    )
    now = scene(jump, 0)
    assert now.hint == "Jump on, or stop."
    assert [(step.touches, step.button) for step in now.moves] == [
        (("A2",), ""),
        (("C4",), ""),
        ((), "Stop"),
    ]


def test_a_jump_marks_the_whole_turn_and_the_stone_it_took() -> None:
    game = tempo.load("jiu(size=6)")
    first: Any = game.parse("o1ooox/1xooox/x1x1oo/xxxxxx/xooxxo/1ooxo1 o battle 3 9")
    trail = []
    position = first
    for text in ("E2-C2", "-A2", "stop"):
        if text not in position.legal_moves:
            break
        trail.append((position, position.parse_move(text)))
        position = position.play(text)
    now = scene(position, 1, trail)
    assert now.last == ("E2", "C2", "A2")
    assert set(now.captured) == {"D2", "B2"}
    assert now.said.startswith("moves E2-C2, moves A2")


def test_promotions_are_choices_only_where_there_is_something_to_choose() -> None:
    shogi: Any = tempo.load("shogi").parse("4k4/9/4P4/9/9/9/9/9/4K4 b G2P 1")
    choices = {step.text: step.choice for step in steps(shogi)}
    assert choices["5c5b+"] == "promote"
    assert choices["5c5b"] == "do not promote"
    assert choices["5i5h"] == ""
    drops = [step for step in steps(shogi) if step.text.startswith("G*")]
    assert {step.touches[0] for step in drops} == {"hand:0:gold"}
    hand = [piece for piece in scene(shogi, 0).pieces if piece.place.startswith("hand")]
    assert sorted((piece.short, piece.count) for piece in hand) == [("G", 1), ("P", 2)]
    chess: Any = tempo.load("chess").parse("8/P7/8/7k/8/8/8/4K3 w - - 0 1")
    kinds = {step.choice for step in steps(chess) if step.touches == ("a7", "a8")}
    assert kinds == {f"promote to {kind}" for kind in ("queen", "rook", "bishop", "knight")}


def test_opponents_pieces_of_shogi_are_turned() -> None:
    position: Any = tempo.load("shogi").start()
    for seat in (0, 1):
        assert all(piece.turned == (piece.seat != seat) for piece in scene(position, seat).pieces)


def test_a_game_without_a_face_has_its_print_and_a_button_for_each_move() -> None:
    game = game_data.load(game_data.TOY)
    position: Any = game.start()
    now = scene(position, position.turn)
    assert layout(game, 0).places == ()
    assert now.board == position.view(position.turn).board
    assert [step.button for step in now.moves] == [step.text for step in now.moves]
    assert isinstance(now.moves[0].move, int)
    public = scene(position, None).board
    assert "?" in public
    assert Face().hint(position)
