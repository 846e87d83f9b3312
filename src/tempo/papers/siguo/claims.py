"""What the runs say about each claim of the Siguo paper.

The training is the unit: means over trainings with Student's 95 % interval, never surer than their
games allow; the rules of the verdicts stand in `verdicts`. Win rates are shares of games won, as
the paper counts them. Moves a game and nodes are judged as a share of the published number.
Differences are taken seed by seed and their p adjusted by Holm's method over all of them.

The paper's opponents are not named: levels against the stand-in are shown, and untestable; of
differences the sign is tested. Claims are tested for the update as printed, pushes of a game added
up, and once more, uncounted, with pushes averaged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tempo.papers import answers, verdicts
from tempo.papers.judging import effect_of, games_of, mean_of, minus
from tempo.papers.siguo import online_tables
from tempo.papers.siguo.published import (
    CURVES,
    GAMES,
    GAPS,
    NODES,
    ORDER,
    PRINTED,
    READINGS,
    TABLE_2,
    TABLE_3,
)
from tempo.papers.siguo.tables import (
    Results,
    Rows,
    gap,
    nodes,
    nodes_left,
    over_trainings,
    played,
    runs_of,
    settled,
    shares,
)

ENDS = ("won", "drawn", "lost")
NAMES = {name: arm.title for name, arm in PRINTED.items()}

Row = dict[str, Any]


def answer(results: Results) -> Row:
    """All claims with verdicts, as `tempo reproduce --json` prints them."""
    made = {
        "figure-6": _figure_6,
        "figure-7": _figure_7,
        "table-2": _table_2,
        "table-3": _table_3,
    }
    tables = {name: make(results) for name, make in made.items() if results["runs"]}
    found = answers.answer_of_tables(results, tables)
    found["rows"] += online_tables.claims(results)  # adjusted among themselves
    return found


def _figure_6(results: Results) -> list[Row]:
    """Who settles first: by how many games the one is ahead of the other."""
    rows = []
    for reading, arms in CURVES.items():
        found = {
            name: [settled(run) for run in runs_of(results, reading, arm)]
            for name, arm in arms.items()
        }
        for first, second in ORDER:
            claim = f"Figure 6: {NAMES[first]} settles before {NAMES[second]} (games), {reading}"
            ahead = effect_of(minus(found[second], found[first]))
            trained = (len(found[first]) + len(found[second])) * results["games"]
            rows.append(_read(answers.difference(claim, None, ahead, trained), reading))
    return rows


def _figure_7(results: Results) -> list[Row]:
    """How many nodes ahead a target looks."""
    q, ttd = (runs_of(results, "printed", arm) for arm in ("q", "ttd"))
    adaptive = runs_of(results, "printed", "ttd-adaptive")

    def level(claim: str, published: float, values: Sequence[float]) -> Row:
        return _number(claim, published, values, len(values) * results["games"])

    whole = [sum(nodes_left(run)) / len(nodes_left(run)) for run in ttd]
    counted = [sum(nodes(run)) / len(nodes(run)) for run in ttd]
    falls = effect_of([nodes(run)[0] - nodes(run)[-1] for run in adaptive])
    return [
        level("Figure 7: nodes of λ = 0", NODES["q"], [nodes(run)[-1] for run in q]),
        level("Figure 7: nodes of λ = 0.3, as own moves left in a game", NODES["ttd"], whole),
        answers.uncounted(
            level(
                "Figure 7: nodes of λ = 0.3, as those of weight 0.01 or more", NODES["ttd"], counted
            ),
            "nodes by weight",
        ),
        answers.difference(
            "Figure 7: nodes of adaptive λ fall (first less last, weight 0.01 or more)",
            None,
            falls,
            len(adaptive) * results["games"],
            reading="printed",
        ),
    ]


def _table_2(results: Results) -> list[Row]:
    """Moves, explorations and wins of those that explore as they play."""
    rows = []
    for arm, (moves, explored, won) in TABLE_2.items():
        found = played(results, "printed", arm, exploring=True)
        games = games_of(found)
        name = f"Table II: {NAMES[arm]}"
        for what, shown, published in (
            ("moves", "own moves", moves), ("explored", "explorations", explored),
        ):  # fmt: skip
            claim = f"{name}, {shown} a game (stand-in)"
            values = [test[what] for test in found]
            rows.append(_number(claim, published, values, games))
        rows.append(_won(f"{name}, games won (stand-in)", won, found, "won"))
    return rows


def _table_3(results: Results) -> list[Row]:
    """Won, drawn and lost by those that play their best; then who wins more than whom."""
    rows = []
    for arm, counts in TABLE_3.items():
        found = played(results, "printed", arm)
        for what, count in zip(ENDS, counts, strict=True):
            claim = f"Table III: {NAMES[arm]}, games {what} (stand-in)"
            row = _won(claim, count, found, what)
            if arm == "q":
                why = verdicts.CALIBRATED
                row |= {"claim": f"{claim}, by which it was set", "reason": why.reason}
            rows.append(row)
    for reading in READINGS:
        for one, other in GAPS:
            ours, others = (played(results, reading, arm) for arm in (one, other))
            claim = f"Table III: {NAMES[one]} wins more than {NAMES[other]} (stand-in), {reading}"
            published = (TABLE_3[one][0] - TABLE_3[other][0]) / GAMES
            effect = gap(ours, others, "won")
            games = games_of(ours, others)
            error = answers.published_error((TABLE_3[one][0], GAMES), (TABLE_3[other][0], GAMES))
            made = answers.difference(
                claim, published, effect, games, error=error, runs=len(ours), stand_in=True
            )
            rows.append(_read(made, reading))
    return rows


# Rows


def _read(made: Row, reading: str) -> Row:
    """Counted if it is of the update as printed."""
    made |= {"reading": reading}
    return made if reading == "printed" else answers.uncounted(made, reading)


def _number(claim: str, published: float, values: Sequence[float], games: int) -> Row:
    made = answers.value(claim, published, mean_of(values), games, runs=len(values))
    return {**made, "kind": "level"}


def _won(claim: str, count: int, found: Rows, what: str) -> Row:
    ours = over_trainings(found, what)
    return {
        **answers.level(claim, count / GAMES, ours, games_of(found), stand_in=True),
        **answers.published_interval(count, GAMES),
        "by_seed": [round(share, 4) for share in shares(found, what)],
    }
