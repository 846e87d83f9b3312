"""Recipes with unknown names, values of other kinds and things that do not exist."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from tempo import recipes
from tempo.errors import ParseError, TempoError
from tempo.recipes.settings import OTHERS
from tempo.runs import Run, toml_text

WRONG: list[Any] = [
    "x", "", "\ud800", 1.5, -1, True, 2**70, float("nan"), float("inf"), [], ["x"], [[]], {}, [{}],
    {"x": 1}, [{"x": 1}],
]  # fmt: skip
NAMES = {
    str(recipes.read(name).get("learner", "search_td")): name for name in recipes.names()
}  # one recipe of each learner


def fault(action: Any) -> str:
    try:
        action()
    except (ParseError, TempoError) as error:
        return str(error) or "\0"
    return ""


@pytest.mark.parametrize("name", NAMES.values())
def test_every_setting_of_every_learner_with_wrong_values(name: str) -> None:
    """A text in place of a number was an error in the middle of learning, or a TypeError."""
    if name in (NAMES["search_td"], NAMES["dqn"]):
        pytest.importorskip("jax", reason="needs the extra `deep`")
    recipe = recipes.read(name)
    settings = recipes.settings_of(recipe)
    for key in (*OTHERS, *(field.name for field in fields(settings)), "speed", "\ud800"):
        for value in WRONG:
            said = fault(lambda key=key, value=value: recipes.settings_of({**recipe, key: value}))
            assert said.isprintable(), (key, value, said)
            assert len(said) < 1000, (key, value, said)
            if key in ("speed", "\ud800"):
                assert said.startswith("a recipe has no"), said
    for stage in ("x", 3, {"games": "x"}, {"speed": 1}, {"iterations": 2.5}):
        assert fault(lambda stage=stage: recipes.settings_of({**recipe, "stages": [stage]}))


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("jiu-terms", {"game": "nonsense"}, "there is no game 'nonsense'"),
        ("jiu-terms", {"steps": "many"}, "recipe: steps cannot be 'many'; it takes a whole number"),
        ("jiu-terms", {"step_size": []}, "it takes a number"),
        ("gomoku-critic", {"target": "far"}, "it takes one of moving, fixed"),
        ("gomoku-critic", {"stages": 3}, "it takes a list"),
        ("gomoku-critic", {"stages": [{"gaems": 3}]}, "has no 'gaems'"),
        ("siguo-ttd", {"learner": "magic"}, "there is no learner 'magic'"),
        ("siguo-ttd", {"learner": 7}, "recipe: learner cannot be '7'; it takes a text"),
        ("siguo-ttd", {"biases": "yes"}, "it takes true or false"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_and_no_run_begins(
    tmp_path: Path, name: str, change: dict[str, Any], says: str
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(toml_text({**recipes.read(name), **change}))
    with pytest.raises(ParseError, match=says):
        recipes.train(recipes.read(str(file)), out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a = [" * 5000, "is damaged"),
        ("a = 1\na = 2", "is damaged"),
        ("\0", "is damaged"),
    ],
)
def test_files_that_are_no_toml(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(ParseError, match=says):
        recipes.read(str(tmp_path / "mine.toml"))
    (tmp_path / "config.toml").write_text(text)
    with pytest.raises(TempoError, match=says):
        Run.open(tmp_path)


@pytest.mark.parametrize(
    "change", [{"seed": "x"}, {"seed": 1.5}, {"games": "x"}, {"learner": []}, {"inputs": 3}]
)
def test_a_run_whose_settings_are_damaged_does_not_go_on(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    small = {**recipes.read("siguo-ttd"), "games": 2, "report": 1}
    run = recipes.train(small, out=tmp_path / "run", checkpoint_seconds=0)
    (run.folder / "config.toml").write_text(toml_text({**run.config, **change}))
    before = {path.name: path.read_bytes() for path in run.folder.iterdir()}
    with pytest.raises((ParseError, TempoError)) as told:
        recipes.train({**small, "games": 4}, out=run.folder, resume=True)
    assert "\n" not in str(told.value)
    assert {path.name: path.read_bytes() for path in run.folder.iterdir()} == before
