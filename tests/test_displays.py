"""What notebooks show: boards in the colours of the page, and results as tables."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import game_data
import pytest

import tempo
from tempo import arena, displays, recipes
from tempo.games import drawing
from tempo.recipes.general import recipe_of

SVG = "{http://www.w3.org/2000/svg}"


def positions(spec: str, seed: int) -> list[Any]:
    """A few positions of a game, a late one among them."""
    game = game_data.load(spec)
    position: Any = game.start(seed=seed) if game.is_dealt else game.start()
    found = []
    for ply in range(60):
        if position.is_over:
            break
        if ply % 15 == 0:
            found.append(position)
        moves = position.legal_moves
        position = position.play(moves[(7 * ply + seed) % len(moves)])
    return found


def rows_of(html: str) -> list[list[str]]:
    """The cells of the first table of a display, which must be well formed."""
    root = ElementTree.fromstring(f"<div>{html}</div>")
    return [["".join(cell.itertext()) for cell in row] for row in root.iter("tr")]


@pytest.mark.parametrize("name", game_data.NAMES)
def test_positions_of_every_game_draw_themselves(name: str) -> None:
    for position in positions(name, seed=3):
        picture = position._repr_svg_()
        root = ElementTree.fromstring(picture)
        assert root.tag == f"{SVG}svg"
        style = root.find(f"{SVG}style")
        assert style is not None
        assert "prefers-color-scheme: dark" in "".join(style.itertext())
        # A rule of the style cannot reach beyond the picture it stands in.
        assert root.get("class") == "tempo"
        rules = re.findall(r"(?<![^{}])([^{}]+)\{(?:fill|stroke)", picture)
        assert rules
        assert all(rule.startswith(".tempo ") for rule in rules)


@pytest.mark.parametrize("name", game_data.NAMES)
def test_a_hidden_game_is_drawn_as_the_seat_to_move_sees_it(name: str) -> None:
    game = game_data.load(name)
    for position in positions(name, seed=5):
        picture = position._repr_svg_()
        if not game.is_hidden:
            assert picture == position.svg()
            continue
        view = position.view(position.turn)
        assert picture == drawing.svg(position, position.turn) == view._repr_svg_()
        others = [view.sample(seed) for seed in range(3)]
        assert any(other.text != position.text for other in others)
        assert {other._repr_svg_() for other in others} == {picture}


def test_the_ground_changes_with_the_theme_and_the_pieces_do_not() -> None:
    position = tempo.load("gomoku(size=5)").start().play("a1").play("e5")
    picture = position.svg()
    dark = dict(re.findall(r'\[fill="(#\w+)"\]\{fill:(#\w+)\}', picture))
    ground, *stones = (
        shape.get("fill") for shape in ElementTree.fromstring(picture) if shape.get("fill")
    )
    assert dark[ground] != ground
    assert not {"#1d1b19", "#fbfaf7"} & set(dark)  # black and white
    assert {"#1d1b19", "#fbfaf7"} <= set(stones)
    printed = drawing._printed("a game", "x o")
    assert set(re.findall(r' fill="(#\w+)"', printed)) <= set(dark)


def test_a_bar_is_a_line_outside_notebooks(capsys: pytest.CaptureFixture[str]) -> None:
    shown = displays.Bar("a < b")
    arena.match(("random", "random"), "gomoku(size=5)", games=4, seed=1, progress=shown)
    told = capsys.readouterr().err.split("\r")
    assert told[1].startswith("a < b 1/4 ")
    assert told[-1].endswith("/s 0:00:00 left\n")
    assert told[-1].startswith("a < b 4/4 ")
    bar = ElementTree.fromstring(shown._repr_html_())[0]
    assert (bar.tag, bar.attrib) == ("progress", {"value": "4", "max": "4"})
    assert "a < b 4/4 " in (bar.tail or "")


def test_a_match_shows_what_its_text_says() -> None:
    result = arena.match(
        {"a & <b>": "alphabeta:depth=1", "random": "random"}, "gomoku(size=5)", games=4, seed=1
    )
    rows = dict(rows_of(result._repr_html_()))
    assert rows["score"] in str(result)
    assert rows["games"] == f"{result.wins} won, {result.draws} drawn, {result.losses} lost"
    assert "a & <b>" in rows


def test_a_tournament_shows_its_standings_with_whole_names() -> None:
    names = ("random", "alphabeta:depth=1,eval=static,quiescence=no")
    result = arena.tournament(names, "gomoku(size=5)", games=4, seed=1)
    head, *rows = rows_of(result._repr_html_())
    assert head[1:3] == ["agent", "rating"]
    assert [row[1] for row in rows] == [standing.name for standing in result.standings]
    assert {row[1] for row in rows} == set(names)


def test_a_run_shows_its_cost_and_its_curves(tmp_path: Path) -> None:
    given = {"net": "table", "iterations": 4, "games": 4, "exam": 0}
    recipe = recipe_of("td", "othello(size=4)", given)
    run = recipes.train(recipe, seed=1, out=tmp_path / "run")
    html = run._repr_html_()
    rows = dict(rows_of(html))
    assert rows["learner"] == "td"
    assert rows["cost"] == str(run.ledger())
    assert rows["steps"] == "4"
    figures = ElementTree.fromstring(f"<div>{html}</div>").findall("figure")
    titles = ["".join(one.itertext()).split(",")[0] for one in figures]
    assert "loss" in titles
    assert "step" not in titles
    points = figures[titles.index("loss")].find("svg/polyline")
    assert points is not None
    assert len(points.get("points", "").split()) == 4


def test_a_run_that_has_not_begun_has_no_curves(tmp_path: Path) -> None:
    run = tempo.runs.Run.create(tmp_path / "run", {"learner": "td"})
    assert "figure" not in run._repr_html_()


def test_a_curve_of_equal_values_is_a_line() -> None:
    assert 'points="0.0,48.0 240.0,48.0"' in displays.curve("loss", [1.0, 1.0])
