"""A learner of a recipe learns the game that was asked for, or says why not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tempo
from tempo import recipes
from tempo.errors import ParseError
from tempo.games.registry import names
from tempo.nets.stored import is_general
from tempo.recipes.learners import KINDS, game_of, kind_of
from tempo.recipes.settings import COMMON, OTHERS

RECIPES = {
    **{
        str(recipes.read(name).get("learner", "search_td")): name
        for name in recipes.names()
        if not is_general(recipes.read(name))
    },
    "tabular": "",
}
OPTIONS = (
    "chess(quiet=seventy_five)",
    "jiu(first_placer=black)",
    "jiu(size=4)",
    "siguo(info=all_open)",
)


def recipe_of(learner: str, **changed: Any) -> dict[str, Any]:
    """One of the learner's recipes with something changed."""
    if KINDS[learner].deep:
        pytest.importorskip("jax", reason="needs the extra `deep`")
    name = RECIPES[learner]
    return {**(recipes.read(name) if name else {}), "learner": learner, **changed}


def refusal(recipe: dict[str, Any]) -> str:
    settings = recipes.settings_of(recipe)
    return str(kind_of(recipe).load().refusal(tempo.load(recipe["game"]), settings, recipe))


@pytest.mark.parametrize("learner", KINDS)
def test_a_learner_refuses_games_in_a_sentence(learner: str, tmp_path: Path) -> None:
    """`tabular` and `results` learnt jiu and siguo whatever a recipe said."""
    said = {}
    for game in (*names(), *OPTIONS):
        recipe = recipe_of(learner, game=game)
        if why := refusal(recipe):
            said[game] = why
            with pytest.raises(ParseError) as told:
                recipes.train(recipe, out=tmp_path / "run")
            assert str(told.value) == why
            assert why.isprintable()
            assert len(why) < 120
            assert not why.endswith(".")
            assert not (tmp_path / "run").exists()
    usual = recipe_of(learner)
    usual.pop("game", None)
    if named := KINDS[learner].game:
        assert game_of(usual, recipes.settings_of(usual)) == tempo.load(named)
        assert named not in said
    else:
        with pytest.raises(ParseError, match="names its game"):
            recipes.make_learner(usual, 1)
    assert said, "nothing is refused: is the game looked at?"
    print(said)


@pytest.mark.parametrize("learner", KINDS)
def test_what_a_learner_does_not_take_is_refused(learner: str) -> None:
    """An ending was passed over by every learner but one."""
    for name in OTHERS.keys() - COMMON.keys() - set(KINDS[learner].takes):
        with pytest.raises(ParseError, match=f"a recipe has no '{name}'"):
            recipes.settings_of(recipe_of(learner, **{name: "KRK"}))


def test_tables_learn_on_the_board_that_was_asked_for() -> None:
    for size in (8, 14):
        learner: Any = recipes.make_learner(recipe_of("tabular", game=f"jiu(size={size})"), 1)
        assert learner.environment.size == size
