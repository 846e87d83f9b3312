"""Tabular learning of Jiu's preparation, and what was learnt as an opening library."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from tempo._core.jiu_preparation import Preparation
from tempo.games.jiu import library_sgf
from tempo.games.jiu.library import VISITS, By, Library, from_table
from tempo.learners.fast.tabular import Settings, Tabular
from tempo.recipes import settings_of
from tempo.recipes.exports import Exported, Source
from tempo.records import sgf

KEYS: By = "sequence"  # what the table tells apart, unless a recipe says otherwise


def make(recipe: Mapping[str, Any], settings: Settings, seed: int, threads: int = 1) -> Tabular:
    """The learner of a recipe."""
    keys = recipe.get("keys", KEYS)
    environment = Preparation(settings.parallel, keys=keys, threads=threads)
    return Tabular(environment, settings, seed, threads)


def export(source: Source) -> Exported:
    """Placements that were tried often enough, the best first."""
    config, found = source.run.config, source.checkpoint
    learner = make(config, settings_of(config), config["seed"], source.threads)
    learner.restore(found.step, found.arrays, found.state)
    library = library_of(learner, config.get("keys", KEYS))
    text = sgf.write(library_sgf.to_tree(library))
    about = {"game": "jiu", "placements": len(library), "visits": VISITS}
    return Exported(learner.settings.rule, text.encode(), about, ".sgf")


def library_of(learner: Tabular, keys: By, visits: int = VISITS) -> Library:
    """What has been learnt so far, as far as placements were tried `visits` times."""
    name = f"Jiu, preparation: {learner.settings.rule}, {learner.games} games of self-play"
    environment = partial(Preparation, keys=keys)
    return from_table(learner.table, environment, visits=visits, headers={"GN": name})
