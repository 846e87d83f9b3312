"""What the runs say about each claim of the shogi paper.

Where nothing was learnt the game is the unit (shares of games won: Wilson's interval; moves:
Student's). Where something was, the training is: means over seeds with Student's 95 % interval,
never surer than their games allow. Shares of games won have an even match, 0.5, for the floor;
moves are judged as a share of the published number; counts must be equal. Where the conclusion is
a difference, its p is adjusted by Holm's method over all of them. The rules of the verdicts stand
in `verdicts`.

A published figure is counted once: for the search as it was probably meant, and for the networks
that follow the paper to the letter. Published times are of two other machines: they are shown, and
untestable. What the paper says of them, which method costs more where, is tested on one core of one
machine.
"""

from __future__ import annotations

import math

import numpy as np

from tempo.arena.ratings import Rating
from tempo.papers import answers, verdicts
from tempo.papers.judging import Effect, Mean, effect_of, mean_of, minus, widened
from tempo.papers.shogi.published import (
    DQN_DRAWN,
    DQN_SCORE,
    DQN_WON,
    EPSILONS,
    GAMES_FOR_TRAINING,
    PLAYING_RATIO,
    SEATS,
    TEST_GAMES,
    TEST_SECONDS,
    TOTALS,
    TRAINING_GAMES,
    TRAINING_HOURS,
    TRAINING_MOVES,
    TRAINING_SECONDS,
    TRAINING_WINNERS,
    UCT_MINUTES,
    UCT_MOVES,
    UCT_SECONDS,
    UCT_WON,
    WEIGHTS,
)
from tempo.papers.shogi.searches import PUBLISHED_GAMES
from tempo.papers.shogi.tables import (
    METHODS,
    Results,
    Row,
    Rows,
    first_games,
    ladder,
    match_of,
    moves_of_games,
    score,
    seconds_of_games,
    share,
    shares,
    ten_games,
    tests,
    times,
    training_seconds,
)
from tempo.papers.shogi.training import PAPER_KINDS

EVEN = 0.5
# Which moves count, and either constant; the first is what was probably meant.
READINGS = tuple(
    (values, constant) for values in ("rollout", "path") for constant in (1.414, 1.187)
)
# Of the mean length of the five published games.
_PUBLISHED = mean_of([moves for moves, _ in PUBLISHED_GAMES])
UCT_MOVES_ERROR = _PUBLISHED.width / 2 if _PUBLISHED else 0.0
LIKE_PUBLISHED = "uct-1600"  # about as many simulations as the published tree has
TEN = f"after {TRAINING_GAMES} games"


def answer(results: Results) -> Row:
    """All claims with verdicts, as `tempo reproduce --json` prints them."""
    tables = {
        "weights": _weights(results),
        "search": _search(results),
        "training": _training(results),
        "tests": _tests(results),
        "conclusion": _conclusion(results),
    }
    return answers.answer_of_tables(results, tables, "parts")


def _weights(results: Results) -> list[Row]:
    """Table 4: exact, or refuted."""
    found = results["counts"]["faithful"] if results["counts"] else None
    rows = []
    for which, published in WEIGHTS.items():
        layers = found[which]["layers"].values() if found else [None] * len(published)
        for (i, count), ours in zip(enumerate(published), layers, strict=True):
            if which == "s" or count != WEIGHTS["s"][i]:  # the networks differ at the end alone
                claim = f"Table 4: weights of layer {i + 1}, {which}-network"
                rows.append(answers.count(claim, count, ours))
        ours = found[which]["total"] if found else None
        rows.append(answers.count(f"Table 4: all weights, {which}-network", TOTALS[which], ours))
    return rows


def _search(results: Results) -> list[Row]:
    """Table 6: the tree search against random moves."""
    all_rows = []
    for values, constant in READINGS:
        rows: list[Row] = []
        match = match_of(results, "table6", f"{values} {constant}")
        games = match["games"] if match else 0
        ours = Mean(match["won"], match["won_low"], match["won_high"]) if match else None
        name = f"UCT (C = {constant}, values of the {values})"
        claim = f"Table 6: {name} wins against random"
        rows.append(answers.level(claim, UCT_WON, ours, games, EVEN))
        lengths = mean_of(moves_of_games(match)) if match else None
        claim = f"Table 6: {name}, moves a game"
        rows.append(answers.value(claim, UCT_MOVES, lengths, games, error=UCT_MOVES_ERROR))
        if values == "rollout":
            spent = mean_of(seconds_of_games(match)) if match else None
            claim = f"Table 6: {name}, seconds a game"
            rows.append(_time(claim, 60 * UCT_MINUTES, spent, games))
            each = [game["seconds"] / max(1, game["moves"] / 2) for game in match["each"]] \
                if match else []  # fmt: skip
            claim = f"Table 6: {name}, seconds a move"
            rows.append(_time(claim, UCT_SECONDS, mean_of(each), games))
        all_rows += rows if (values, constant) == READINGS[0] else _again(rows, name)
    return all_rows


def _training(results: Results) -> list[Row]:
    """Table 7: the ten games that the networks learn from."""
    all_rows = []
    for kind in PAPER_KINDS:
        rows: list[Row] = []
        games = [first_games(training) for training in ten_games(results, kind)]
        name, played = METHODS[kind], sum(map(len, games))
        moves = [float(np.mean([game["moves"] for game in ten])) for ten in games]
        published = float(np.mean(TRAINING_MOVES))
        claim = f"Table 7: {name}, moves a training game"
        rows.append(answers.value(claim, published, mean_of(moves), played, runs=len(moves)))
        decided = [float(np.mean([game["winner"] > 0 for game in ten])) for ten in games]
        published = float(np.mean([winner > 0 for winner in TRAINING_WINNERS]))
        claim = f"Table 7: {name}, training games that somebody won"
        rows.append(answers.level(claim, published, mean_of(decided), played, runs=len(decided)))
        off = max(
            (abs(game["epsilon"] - epsilon)
             for ten in games for game, epsilon in zip(ten, EPSILONS, strict=True)),
            default=None,
        )  # fmt: skip
        # Printed to three digits, some rounded and some cut: less than one of the last is none.
        claim = f"Table 7: {name}, largest difference from the ten ε"
        rows.append(answers.count(claim, 0, None if off is None else 0 if off < 0.001 else off))
        core = times(results, kind, "learning")
        claim = f"Table 7: {name}, seconds a training move on one core"
        rows.append(_time(claim, TRAINING_SECONDS, mean_of(core), played))
        hours = [seconds / 3600 for seconds in training_seconds(results, kind)]
        claim = f"Table 7: {name}, hours of one core for the ten games"
        rows.append(_time(claim, TRAINING_HOURS, mean_of(hours), played))
        all_rows += rows if kind == PAPER_KINDS[0] else _again(rows, name)
    return all_rows


def _tests(results: Results) -> list[Row]:
    """Table 8: the networks after ten games, against random moves."""
    all_rows = []
    for kind in PAPER_KINDS:
        rows: list[Row] = []
        found, name = tests(results, kind, TRAINING_GAMES), METHODS[kind]
        played = _games(found)
        for seat in SEATS:
            won, drawn, lost = TEST_GAMES[seat]
            claim = f"Table 8: {name} wins as {seat} player"
            published = won / (won + drawn + lost)
            ours = share(found, "won", [seat])
            error = answers.published_error((won, won + drawn + lost))
            rows.append(
                answers.level(claim, published, ours, played // 2, error=error, runs=len(found))
            )
        ours, error = share(found, "drawn"), _error_of_twenty(DQN_DRAWN)
        claim = f"Table 8: {name} draws"
        rows.append(answers.level(claim, DQN_DRAWN, ours, played, error=error, runs=len(found)))
        claim = f"Table 8: {name}, score against random less an even match"
        lead = widened(effect_of([row["score"] for row in found], EVEN), score(found))
        error = _error_of_twenty(DQN_SCORE)
        rows.append(
            answers.difference(claim, DQN_SCORE - EVEN, lead, played, error=error, runs=len(found))
        )
        first, second = (shares(found, "won", [seat]) for seat in SEATS)
        both = [share(found, "won", [seat]) for seat in SEATS]
        claim = f"Table 8: {name} wins more as second player than as first"
        gap = (TEST_GAMES["second"][0] - TEST_GAMES["first"][0]) / 10
        more = widened(effect_of(minus(second, first)), *both)
        error = answers.published_error(*((TEST_GAMES[seat][0], 10) for seat in SEATS))
        rows.append(answers.difference(claim, gap, more, played, error=error, runs=len(found)))
        spent = mean_of(times(results, kind, "playing"))
        claim = f"Table 8: {name}, seconds a move on one core"
        rows.append(_time(claim, TEST_SECONDS, spent, played))
        all_rows += rows if kind == PAPER_KINDS[0] else _again(rows, name)
    return all_rows


def _conclusion(results: Results) -> list[Row]:
    """Learning costs more before play and less in it, and the search plays better."""
    all_rows = []
    uct = match_of(results, "table6", "rollout 1.414")
    ratings = ladder(results)
    for kind in PAPER_KINDS:
        rows: list[Row] = []
        found, name = tests(results, kind, TRAINING_GAMES), METHODS[kind]
        games = _games(found) + (uct["games"] if uct else 0)
        claim = f"Conclusion: UCT wins more against random than the {name}"
        gaps = [uct["won"] - won for won in shares(found, "won")] if uct else []
        sure = [Mean(uct["won"], uct["won_low"], uct["won_high"])] if uct else []
        effect = widened(effect_of(gaps), share(found, "won"), *sure)
        error = _error_of_twenty(DQN_WON)
        rows.append(
            answers.difference(
                claim, UCT_WON - DQN_WON, effect, games, error=error, runs=len(found)
            )
        )
        claim = f"Conclusion: {LIKE_PUBLISHED} stands above the {name} on the ladder (Elo)"
        rows.append(answers.difference(claim, None, _lead(ratings, found), _games(found)))
        claim = f"Conclusion: a move of UCT takes longer than one of the {name} (log10 of times)"
        spent = [math.log10(uct["move_seconds"]["a"] / one)
                 for one in times(results, kind, "playing")] if uct else []  # fmt: skip
        rows.append(answers.difference(claim, PLAYING_RATIO, effect_of(spent), len(spent)))
        claim = f"Conclusion: {name}, log10 of the UCT games that its training's time would pay for"
        game = float(np.mean(seconds_of_games(uct))) if uct else 1.0
        paid = [math.log10(s / game) for s in training_seconds(results, kind)] if uct else []
        published = math.log10(GAMES_FOR_TRAINING)
        rows.append(answers.difference(claim, published, effect_of(paid), len(paid)))
        all_rows += rows if kind == PAPER_KINDS[0] else _again(rows, name)
    return all_rows


def _lead(ratings: dict[str, Rating], found: Rows) -> Effect | None:
    """How far the search stands above networks, by their trainings and no surer than ratings."""
    top = ratings.get(LIKE_PUBLISHED)
    others = [rating for row in found if (rating := ratings.get(row["row"].split()[0]))]
    if top is None or not others:
        return None
    effect = effect_of([top.rating - other.rating for other in others])
    return widened(effect, *(Mean(r.rating, r.low, r.high) for r in (top, *others[:1])))


# Rows


def _again(rows: list[Row], reading: str) -> list[Row]:
    return [answers.uncounted(row, reading) for row in rows]


def _error_of_twenty(share: float) -> float:
    """Half the interval of a share of the twenty test games."""
    return answers.published_error((round(20 * share), 20))


def _time(claim: str, published: float, ours: Mean | None, games: int) -> Row:
    """Another machine's: shown alone."""
    return answers.row(claim, round(published, 3), ours, games, verdicts.OTHER_MACHINE, "time")


def _games(found: Rows) -> int:
    return sum(row["games"] for row in found)
