"""Recipes: what to learn and by which settings, as data; and the runner that carries them out.

A recipe is a TOML file, one of those beside this module by its name (`krk`) or any other by its
path. An ending without a recipe of its own (`krkn`) gets the usual one (`usual`). A
learner knows no game and a game knows no learner: here they meet.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tempo._core.endings import Tables
from tempo.errors import ParseError, TempoError, missing_extra, unknown
from tempo.learners.loop import CHECKPOINT_SECONDS, Spreads, carry_out
from tempo.nets.stored import is_general
from tempo.recipes.learners import RENAMED, asked_for, game_of, kind_of
from tempo.recipes.settings import made, plain
from tempo.recipes.watched import Examined
from tempo.runs import Run

if TYPE_CHECKING:
    from tempo.cluster.workers import Workers
    from tempo.learners.loop import Learner

EXAM = 20  # games against random moves, four times in a training that a person looks at
PATTERN = "krkn-minutes"  # the recipe of an ending that has none of its own


@dataclass(frozen=True)
class Progress:
    """Where a training stands after an iteration."""

    done: int
    total: int
    row: Mapping[str, Any]
    learner: Learner


def names() -> list[str]:
    """Lists the recipes that ship with the package.

    >>> "gomoku-critic" in names()
    True
    """
    files = resources.files(__name__).iterdir()
    return sorted(f.name.removesuffix(".toml") for f in files if f.name.endswith(".toml"))


def read(recipe: str) -> dict[str, Any]:
    """Reads a recipe by name or path into a dictionary.

    >>> recipe = read("gomoku-critic")
    >>> recipe["learner"], recipe["game"]
    ('adp', 'gomoku')
    """
    try:
        if recipe.lower() in names():
            return tomllib.loads((resources.files(__name__) / f"{recipe.lower()}.toml").read_text())
        if recipe.endswith(".toml"):
            return tomllib.loads(Path(recipe).read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ParseError(f"recipe {recipe} is damaged: {error}") from None
    return usual(recipe)


def usual(name: str) -> dict[str, Any]:
    """The usual recipe of an ending, whether or not it has one of its own.

    >>> usual("krkb")["ending"]
    'KRKB'
    """
    ending = name.upper()
    try:
        Tables.needed(ending)
    except ParseError as error:
        more = f", .toml files, and endings ({error})"
        raise unknown("recipe", name, names(), more) from None
    pattern = read(PATTERN)
    return {**pattern, "ending": ending, "about": f"{ending} as {pattern['ending']} is learnt"}


def settings_of(recipe: Mapping[str, Any]) -> Any:
    """The settings that a recipe's learner takes. Unknown names and wrong kinds are refused."""
    kind = kind_of(recipe)
    given = plain(recipe, kind.takes)
    if kind.deep:
        deep()
    return made(kind.settings_class(), given, "recipe")


def use_device(name: str) -> str:
    """Makes JAX compute on `cpu` or `gpu`, before anything was computed; says where it will."""
    jax = deep()
    platforms = {"cpu": "cpu", "gpu": "cuda"}
    if name not in platforms:
        raise ParseError(f"there is no device '{name}'; there are cpu and gpu")
    jax.config.update("jax_platforms", platforms[name])
    try:
        return str(jax.devices()[0])
    except (AssertionError, RuntimeError) as error:  # JAX raises either
        why = f" ({error})" if str(error) else ""
        raise TempoError(
            f"JAX finds no {name} here; for NVIDIA's, pip install 'jax[cuda12]'{why}"
        ) from None


def deep() -> Any:
    """JAX; TempoError where it or another package of the extra is not installed."""
    try:
        import equinox  # noqa: F401, PLC0415
        import jax  # noqa: PLC0415
        import optax  # noqa: F401, PLC0415
    except ImportError as error:
        raise missing_extra(error) or error from None
    return jax


def make_learner(recipe: Mapping[str, Any], seed: int, threads: int = 1) -> Learner:
    """The learner of a recipe, at the start of its schedule."""
    settings = settings_of(recipe)
    game = game_of(recipe, settings)
    learner: Learner = kind_of(recipe).load().make(game, settings, recipe, seed, threads)
    return learner


def train(
    recipe: Mapping[str, Any],
    *,
    seed: int = 1,
    out: str | Path,
    resume: bool = False,
    threads: int = 1,
    seconds: float | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    exam: int = 0,
    begins: Callable[[int, int], None] | None = None,
    progress: Callable[[Progress], None] | None = None,
    workers: Workers | None = None,
) -> Run:
    """Learns by a recipe into a run folder. Killed at any moment, it resumes with `resume`.

    `exam` games against random moves measure it four times; learners of any game and `dqn` have a
    setting of that name instead.

    `seconds` bounds the time of learning in all: no iteration begins after it. It is CPU time for
    learners of any game, and time on the wall for the others. `begins` is called before the first
    iteration with how many are done and how many there are. `workers` play the games, for learners
    of any game; they change nothing but the time.

    Going on from a checkpoint is going on from the same weights with the same random streams: the
    last weights are those of a run that was never killed. Checkpoints are `checkpoint_seconds`
    apart, at least.
    """
    # Whatever is wrong with it is said before anything else.
    own_clock = hasattr(settings_of(recipe), "seconds")
    if seconds is not None and own_clock:
        recipe = {**recipe, "seconds": seconds}
        settings_of(recipe)
    run = Run.open(out) if resume else None
    if run is None:
        Run.check_free(out)
    else:
        settings_of(run.config)
        _require_same(run, recipe)
        recipe, seed = {**run.config, **_longer(run.config, recipe)}, _seed_of(run)
    # A recipe that cannot be carried out leaves no run behind.
    learner = make_learner(recipe, seed, threads)
    if workers is not None:
        _spread(learner, recipe, workers)
    if exam and not hasattr(settings_of(recipe), "exam"):
        examined: Any = Examined(learner, game_of(recipe, settings_of(recipe)), recipe, exam)
        learner = examined
    run = run or Run.create(out, {**recipe, "seed": seed})

    def tell(row: Mapping[str, Any]) -> None:
        if progress:
            progress(Progress(learner.step, learner.total, row, learner))

    def begin() -> None:
        if begins:
            begins(learner.step, learner.total)

    carry_out(
        run, learner, resume=resume, checkpoint_seconds=checkpoint_seconds,
        seconds=0.0 if own_clock else seconds or 0.0, begins=begin, progress=tell,
    )  # fmt: skip
    return run


def _spread(learner: Learner, recipe: Mapping[str, Any], workers: Workers) -> None:
    if not isinstance(learner, Spreads):
        raise ParseError(
            f"{recipe.get('learner', 'this recipe')} plays and learns in the core of one machine; "
            "learners of any game (`tempo learners`) have workers play"
        )
    learner.spread(workers)


def _seed_of(run: Run) -> int:
    seed = run.config.get("seed")
    if type(seed) is not int:
        raise TempoError(f"{run.folder / 'config.toml'} is damaged: it names no seed")
    return seed


def _require_same(run: Run, new: Mapping[str, Any]) -> None:
    """Raises TempoError where a run is asked to go on with something else than it began with."""
    for name, value in asked_for(new).items():
        stored = run.config.get(name, value)
        if value not in (stored, RENAMED.get(stored) if name == "learner" else stored):
            raise TempoError(
                f"{run.folder} was begun with {name}={stored}; it cannot go on with {name}={value}"
            )


def _longer(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """A resumed run may be given a longer schedule; what has been done must stay the same."""
    if is_general(old):
        return {name: new[name] for name in ("iterations", "seconds") if new.get(name)}
    stages, more = old.get("stages", []), new.get("stages", [])
    if not more or more == stages:
        return {"seconds": new["seconds"]} if new.get("seconds") else {}
    same = all(
        {**a, "iterations": 0} == {**b, "iterations": 0} for a, b in zip(stages, more, strict=False)
    )
    earlier = [s["iterations"] for s in stages[:-1]] == [s["iterations"] for s in more][
        : len(stages) - 1
    ]
    if len(more) < len(stages) or not same or not earlier:
        raise TempoError("a run can be extended by longer or further stages, not changed")
    return {"stages": more}


__all__ = [
    "Progress",
    "deep",
    "make_learner",
    "names",
    "read",
    "settings_of",
    "train",
    "use_device",
    "usual",
]
