"""The whole project on one screen: an ending learnt from nothing, what it is worth, what it cost.

The recipe `krk-minute` is carried out before the reader's eyes. Beside it stand mere chance, the
paper's two rules given the same CPU time (stored in demo.json, or trained anew), the published
figures and the weights that come with the package.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tempo import _core, recipes
from tempo.agents.chess import endgame
from tempo.arena import endings as judging
from tempo.arena.endings import Trials
from tempo.arena.seeds import derive
from tempo.games.chess.endings import Ending
from tempo.learners.loop import learn
from tempo.ledger import Ledger, Machine, quantity

if TYPE_CHECKING:
    from rich.table import Table

    from tempo.learners.loop import Learner
    from tempo.runs import Run

RECIPE = "krk-minute"
LOOKS = 20  # how often the ending is judged whole while it is learnt
RULES = {"td_leaf": "TD-Leaf", "td_stem": "TD-Stem"}
PAPERS = {"td_leaf": "paper-krk-leaf", "td_stem": "paper-krk-stem"}
# WCR, WE and LHS as published (the endgame paper, Tables IV and V, KRK).
PUBLISHED = {"td_leaf": (0.48, 0.87, 0.80), "td_stem": (0.85, 0.86, 0.91)}


@dataclass(frozen=True)
class Line:
    """One way to play the ending: its figures, and what they cost."""

    key: str
    name: str
    wcr: float | None
    we: float | None
    lhs: float | None
    cost: str = ""
    ledger: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """One plain object."""
        return vars(self)


@dataclass
class Demo:
    """A demonstration under way."""

    seed: int = 1
    threads: int = 2
    curve: list[tuple[float, float]] = field(default_factory=list)  # CPU seconds, WCR
    folder: Path | None = None  # of the run, once it learns

    def __post_init__(self) -> None:
        self.recipe = recipes.read(RECIPE)
        self.depth = int(self.recipe["play_depth"])
        self.ending = Ending(self.recipe["ending"])

    def learn(self, progress: Callable[[recipes.Progress, float], None]) -> Run:
        """Learns from nothing into a new run folder; tells the WCR over all positions so far."""

        folder = free_folder()

        def tell(state: recipes.Progress) -> None:
            self.folder = folder
            step = max(1, state.total // LOOKS)
            if state.done % step == 0 or state.done == state.total:
                wcr = self._judge(state.learner)[0].win_rate.value or 0.0
                self.curve.append((state.learner.ledger.cpu_seconds, wcr))
            progress(state, self.curve[-1][1] if self.curve else 0.0)

        return recipes.train(
            self.recipe, seed=self.seed, out=folder, threads=self.threads, progress=tell
        )

    def lines(self, run: Run, *, compare: bool = False) -> list[Line]:
        """Everything side by side; `compare` trains the paper's rules here and now."""
        spent = run.ledger()
        papers = self._trained(spent.cpu_seconds) if compare else _stored()
        ours = self._agent("ours", "TreeStrap, as you just saw", endgame.read(run.folder), spent)
        return [*self._floors(), *_published(), *papers, ours, *self._shipped()]

    def _judge(self, learner: Learner) -> tuple[Trials, Trials]:
        from tempo.learners.fast.search_td import SearchTD  # noqa: PLC0415 - needs JAX

        assert isinstance(learner, SearchTD), "the recipes shown here learn endings"
        best, _ = endgame.best_successors(
            learner.graph, learner.values(), learner.game.end, self.depth,
            learner.settings.discount,
        )  # fmt: skip
        return judging.whole(self.ending, best, threads=self.threads)

    def _floors(self) -> list[Line]:
        names = {"random": "random moves", "mate_in_3": "random, mates in 3 seen"}
        return [self._floor(key, name, judging.FLOOR_MATES[key]) for key, name in names.items()]

    def _floor(self, key: str, name: str, mate_plies: int) -> Line:
        """Chance as an agent, in games against perfect play."""
        family, verdicts, games = self.ending.family, self.ending.verdicts, judging.FLOOR_GAMES
        seed = derive(self.seed, "floor", key)
        starts = self.ending.starts(games, seed)
        lengths = _core.endings.play_attack(
            family, verdicts, starts, mate_plies=mate_plies, seed=seed, threads=self.threads
        )
        held = self.ending.starts(games, seed, turn=judging.BLACK)
        stood = _core.endings.play_defence(family, verdicts, held, seed=seed, threads=self.threads)
        # Taken as exact: the table has no room for intervals, and their bootstrap takes seconds.
        attack = Trials.of_games(self.ending, starts, lengths, exact=True)
        defence = Trials.of_games(self.ending, held, stood, exact=True)
        return _line(key, name, attack, defence, "nothing")

    def _agent(self, key: str, name: str, learnt: endgame.Learnt, spent: Ledger) -> Line:
        player = endgame.Player(learnt, learnt.depth)
        judged = judging.whole(self.ending, player.choices(), threads=self.threads)
        return _line(key, name, *judged, _cost(spent), spent.to_json())

    def _shipped(self) -> list[Line]:
        if self.ending.name not in endgame.shipped():
            return []
        about = endgame.description(self.ending.name)
        spent = Ledger.from_json(about["ledger"])
        learnt = endgame.read_shipped(self.ending.name)
        return [self._agent("shipped", "TreeStrap, weights that ship", learnt, spent)]

    def _trained(self, cpu_seconds: float) -> list[Line]:
        """The paper's rules on its own schedule, stopped after as much CPU time."""
        from tempo.recipes.endings import ending_learner  # noqa: PLC0415 - needs JAX

        lines = []
        for key, recipe in PAPERS.items():
            learner = ending_learner(recipes.read(recipe), self.seed, self.threads)
            for _ in learn(learner):
                if learner.ledger.cpu_seconds >= cpu_seconds:
                    break
            spent = learner.ledger + Ledger.here()
            name = f"{RULES[key]}, the same CPU time"
            lines.append(_line(key, name, *self._judge(learner), _cost(spent), spent.to_json()))
        return lines


def _line(
    key: str,
    name: str,
    attack: Trials,
    defence: Trials,
    cost: str,
    ledger: Mapping[str, Any] | None = None,
) -> Line:
    return Line(key, name, **judging.figures(attack, defence), cost=cost, ledger=ledger or {})


def _cost(ledger: Ledger) -> str:
    games = quantity(ledger.games).replace(" ", "")
    if ledger.gpu_seconds:
        return f"{ledger.cpu_seconds:.0f} + {ledger.gpu_seconds:.0f} s GPU, {games} games"
    return f"{ledger.cpu_seconds:.0f} s CPU, {games} games"


def _published() -> list[Line]:
    names = {key: f"{name}, as published" for key, name in RULES.items()}
    return [Line(f"published_{key}", names[key], *PUBLISHED[key], "not published") for key in RULES]


def _stored() -> list[Line]:
    """The paper's rules as they were trained when demo.json was written."""
    file = resources.files(__package__) / "demo.json"
    if not file.is_file():
        return []
    rows = json.loads(file.read_text())["lines"]
    kept = [Line(**row) for row in rows if row["key"] in RULES]
    return [Line(**{**vars(line), "name": line.name + " *"}) for line in kept]


def free_folder() -> Path:
    """The first folder of this recipe's runs that is not there yet."""
    tried = (Path("runs") / f"{RECIPE}-{number}" for number in count(1))
    return next(folder for folder in tried if not folder.exists())


def table(lines: list[Line]) -> Table:
    """The lines for eyes, 80 columns wide."""
    from rich.table import Table  # noqa: PLC0415

    shown = Table(box=None, pad_edge=False)
    shown.add_column("", no_wrap=True)
    for heading in ("WCR", "WE", "LHS"):
        shown.add_column(heading, justify="right", no_wrap=True, min_width=6)
    shown.add_column("cost of learning", no_wrap=True)
    for line in lines:
        figures = (_figure(value) for value in (line.wcr, line.we, line.lhs))
        style = "bold" if line.key == "ours" else None
        shown.add_row(line.name, *figures, line.cost, style=style)
    return shown


def legend(demo: Demo, run: Run, spent: Ledger, *, compare: bool) -> str:
    """What the columns mean, where it ran, and what to do next."""
    machine = Machine.here()
    stored = "" if compare else " * stored; `tempo demo --compare` trains them here."
    cut = "The paper's schedule is cut off at that time, before its stages of depth 3."
    return (
        "\nWCR: won of all positions that should be won, against perfect defence. WE: how\n"
        "quickly. LHS: how long it holds out when lost. 1 is perfect in each. Search of\n"
        f"{demo.depth} moves.{stored}\n{cut}\n\n"
        f"{spent.wall_seconds:.0f} s in all on {machine.cpu}, {machine.cores} cores\n"
        f"rate it     tempo evaluate {run.folder} --ending {demo.ending.name}\n"
        f"meet it     tempo match {run.folder} tablebase --ending {demo.ending.name}\n"
        f"in Python   agents.load('{run.folder}').choose(position)\n"
        f"once more   tempo train {RECIPE} --seed {demo.seed} --out runs/again"
    )


def _figure(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{min(value, 0.9999):.4f}" if value < 1 else f"{value:.4f}"  # 1 is perfect indeed
