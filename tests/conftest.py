"""What the tests of games share: the toy game, registered only where a test asks for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from game_data import SPECS, known_games, load
from hypothesis import settings

from tempo import games
from tempo.games import Game, registry

# Nothing is written into the tree, nothing depends on time; a failure prints how to repeat it.
settings.register_profile("tempo", database=None, deadline=None, print_blob=True)
settings.load_profile("tempo")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing is written into the user's cache, nor taken from there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def quick_to_compile() -> Iterator[None]:
    """For networks so small that compiling them well takes longer than running them."""
    jax = pytest.importorskip("jax")
    jax.config.update("jax_disable_most_optimizations", True)
    yield
    jax.config.update("jax_disable_most_optimizations", False)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Game:
    """The test game, known by name for one test and forgotten after it."""
    monkeypatch.setattr(registry, "_games", dict(known_games()))
    return games.load("quarrel")


@pytest.fixture(params=SPECS)
def game(request: pytest.FixtureRequest) -> Game:
    """Every registered game with several option sets, and the toy."""
    return load(str(request.param))
