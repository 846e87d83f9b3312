"""Tabular learning of Jiu's preparation, and what was learnt as an opening library."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from tempo._core.jiu import Options
from tempo._core.jiu_preparation import Preparation
from tempo.agents.jiu.placing import AREA
from tempo.games.game import Game
from tempo.games.jiu import library_sgf
from tempo.games.jiu.board import size_of
from tempo.games.jiu.library import VISITS, By, Library, from_table
from tempo.learners.fast.tabular import Settings, Tabular
from tempo.recipes import make_learner
from tempo.recipes.exports import Exported, Source
from tempo.records import sgf

KEYS: By = "sequence"  # what the table tells apart, unless a recipe says otherwise


def refusal(game: Game, _: Settings, __: Mapping[str, Any]) -> str:
    """What is learnt is the filling of Jiu's centre, begun by White on the main diagonal."""
    if not isinstance(game.options, Options):
        return f"tables learn to place stones of jiu; see tempo train sarsa --game {game.name}"
    if game.chosen["diagonal"] != "main" or game.chosen["first_placer"] != "white":
        return f"tables learn where White places first, on the main diagonal; not {game.spec}"
    if size_of(game) < AREA:
        return f"tables learn to fill {AREA}x{AREA} points, more than {game.spec} has"
    return ""


def make(
    game: Game, settings: Settings, recipe: Mapping[str, Any], seed: int, threads: int = 1
) -> Tabular:
    """The learner of a recipe."""
    environment = Preparation(
        settings.parallel,
        size=size_of(game),
        keys=recipe.get("keys", KEYS),
        unfilled=recipe.get("unfilled", "wall"),
        threads=threads,
    )
    return Tabular(environment, settings, seed, threads)


def export(source: Source) -> Exported:
    """Placements that were tried often enough, the best first."""
    config, found = source.run.config, source.checkpoint
    learner = make_learner(config, config["seed"], source.threads)
    assert isinstance(learner, Tabular)
    learner.restore(found.step, found.arrays, found.state)
    library = library_of(learner, config.get("keys", KEYS))
    text = sgf.write(library_sgf.to_tree(library))
    about = {"game": "jiu", "placements": len(library), "visits": VISITS}
    return Exported(learner.settings.rule, text.encode(), about, ".sgf")


def library_of(learner: Tabular, keys: By, visits: int = VISITS) -> Library:
    """What has been learnt so far, as far as placements were tried `visits` times."""
    name = f"Jiu, preparation: {learner.settings.rule}, {learner.games} games of self-play"
    assert isinstance(learner.environment, Preparation)
    environment = partial(Preparation, size=learner.environment.size, keys=keys)
    return from_table(learner.table, environment, visits=visits, headers={"GN": name})
