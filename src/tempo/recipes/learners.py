"""The learners of recipes: where their settings stand, and which module makes and exports them.

Those of `tempo.learners` meet any game (`general`); the papers' have a module for their own.

A module of this package has `refusal(game, settings, recipe)`, which says in a sentence why a game
is not learnt, `make(game, settings, recipe, seed, threads)`, which joins a learner and a game, and
`export(source)`, which gives what agents need of a run (`tempo.recipes.exports`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tempo.errors import ParseError, unknown
from tempo.games.registry import load as load_game
from tempo.learners.registry import kind
from tempo.learners.settings import LONGER
from tempo.nets.registry import DEEP
from tempo.nets.stored import is_general
from tempo.recipes.settings import in_plain, typed

if TYPE_CHECKING:
    from types import ModuleType

    from tempo.games.game import Game


@dataclass(frozen=True)
class Kind:
    """A learner: modules of `tempo.learners` and of this package."""

    settings: str
    maker: str
    game: str = ""  # what is learnt where a recipe names none; empty: it has to
    takes: tuple[str, ...] = ()  # what its recipes may say besides settings
    deep: bool = False  # needs JAX
    one_ply: bool = False  # plays exams by one-ply search, its agent being slow
    own: type[Any] | None = None  # settings, where a learner says which

    def load(self) -> ModuleType:
        """The module with `refusal`, `make` and `export`."""
        return import_module(f"tempo.recipes.{self.maker}")

    def settings_class(self) -> type[Any]:
        """What the learner's settings are read into."""
        if self.own:
            return self.own
        found: type[Any] = import_module(f"tempo.learners.{self.settings}").Settings
        return found


USUAL = "search_td"
KINDS = {
    "search_td": Kind(
        "fast.search_td", "endings", "chess", ("ending", "play_depth"), deep=True, one_ply=True
    ),
    "tree_strap": Kind("fast.tree_strap", "terms", one_ply=True),
    "td_leaf": Kind("fast.td_leaf", "terms", one_ply=True),
    "regression": Kind("fast.regression", "gomoku_regression", "gomoku", one_ply=True),
    "tabular": Kind("fast.tabular", "jiu_tabular", "jiu", ("keys", "unfilled")),
    "adp": Kind("fast.adp", "gomoku_critic", "gomoku"),
    "dqn": Kind("fast.dqn_settings", "dqn", "shogi", ("reward",), deep=True),
    "truncated": Kind("fast.truncated", "siguo_truncated", "siguo"),
    "results": Kind(
        "fast.results", "siguo_results", "siguo", ("learns", "simulations"), one_ply=True
    ),
}
RENAMED = {"lessons": "regression"}  # what runs of earlier versions say


def kind_of(recipe: Mapping[str, Any]) -> Kind:
    """The learner that a recipe names; one that names its net is for any game."""
    name = typed("recipe: learner", str, recipe.get("learner", USUAL))
    if is_general(recipe):
        own = type(kind(name).usual)
        return Kind("settings", "general", deep=recipe["net"] in DEEP, own=own)
    name = RENAMED.get(name, name)
    if name not in KINDS:
        raise unknown("learner", name, KINDS)
    return KINDS[name]


def asked_for(recipe: Mapping[str, Any]) -> dict[str, Any]:
    """What a recipe says of learner and game, and those settings that are not the usual ones."""
    found = {name: recipe[name] for name in ("learner", "game", "ending") if name in recipe}
    if is_general(recipe):
        usual = in_plain(kind(str(recipe["learner"])).usual)
        own = {name: value for name, value in recipe.items() if name in usual}
        found |= {name: v for name, v in own.items() if name not in LONGER and v != usual[name]}
    return found


def game_of(recipe: Mapping[str, Any], settings: Any) -> Game:
    """The game that a recipe's learner learns; ParseError where it cannot learn it."""
    kind = kind_of(recipe)
    named = recipe.get("game", kind.game)
    if not named:
        raise ParseError('a recipe of this learner names its game, such as game = "othello"')
    game = load_game(str(named))
    why: str = kind.load().refusal(game, settings, recipe)
    if why:
        raise ParseError(why)
    return game
