"""The report of the shogi paper's reproduction, made from its stored results alone."""

from __future__ import annotations

import numpy as np

from tempo.arena.statistics import wilson
from tempo.ledger import Ledger, quantity
from tempo.papers.judging import pooled
from tempo.papers.markdown import (
    Row,
    bounded,
    claim_table,
    number,
    ours,
    span,
    table,
    with_span,
)
from tempo.papers.reports import Report, costs, provenance, verdict_counts
from tempo.papers.shogi.figures import draw
from tempo.papers.shogi.published import (
    DQN_WON,
    EPSILONS,
    LAYERS,
    SEATS,
    TEST_GAMES,
    TRAINING_GAMES,
    TRAINING_MINUTES,
    TRAINING_MOVES,
    TRAINING_SECONDS,
    TRAINING_WINNERS,
    UCT_MOVES,
    UCT_WON,
    WEIGHTS,
)
from tempo.papers.shogi.searches import PUBLISHED_GAMES, PUBLISHED_SECONDS, RANDOM, least_budget
from tempo.papers.shogi.tables import (
    METHODS,
    capped,
    counted,
    device_of,
    first_games,
    goals_of,
    ladder_misfits,
    match_of,
    points_of,
    score,
    standings,
    ten_games,
    tests,
    times,
    training_seconds,
)
from tempo.papers.shogi.training import PAPER_KINDS

CAPS = (200, 240, 260, 280, 300, 350, 400, 500)
SWITCHES = {
    "values": "which moves count",
    "constants": "C of UCB1",
    "rules": "rule of selection",
    "choices": "final choice",
    "searches": "other searches",
}

HOW_JUDGED = (
    "Intervals are 95 %: over trainings where something was learnt (never narrower than that of "
    "their games), else over games. The rules of the verdicts stand in `tempo.papers.verdicts`; p "
    "is adjusted by Holm over all differences. Published times come from two other machines and "
    "test nothing."
)


def _sections(results: Row, answer: Row, drawn: list[str]) -> list[str]:
    return [
        _provenance(results),
        "## Verdicts",
        f"{verdict_counts(answer)} {HOW_JUDGED}",
        "## Strength and cost",
        *drawn,
        _ladder(results),
        _equal_strength(results),
        "## The four axes of the comparison",
        _axes(results),
        _verdicts(answer, "conclusion"),
        "## Table 4: the networks",
        _networks(results),
        _verdicts(answer, "weights"),
        "## Table 6: the tree search against random moves",
        _search(results),
        _verdicts(answer, "search"),
        "### At other limits of moves",
        _caps(results),
        "### Its switches, and how little is enough",
        _switches(results),
        _budgets(results),
        "## Table 7: ten training games",
        _training(results),
        _verdicts(answer, "training"),
        "## Table 8: the networks against random moves",
        _tests(results),
        _verdicts(answer, "tests"),
        "## Cost",
        _cost(results),
    ]


REPORT = Report(
    title="Shogi by tree search and by a deep Q-network: ours beside the published",
    source="On UCT and a deep Q-network of two parts in shogi; its title and authors are not "
    "recorded here.",
    quick_note=(
        "**This is a quick run.** It plays a few games of each match, times the paper's networks "
        "instead of training them, and lets a small improved one learn for seconds: it shows that "
        "everything works, and decides nothing about the paper."
    ),
    captions={
        "strength": "Strength on the ladder over what was spent: on learning, and on a move",
        "random": "Against random moves: searches by budget, networks by training games",
    },
    sections=_sections,
    draw=draw,
)


def _provenance(results: Row) -> str:
    devices = {training["device"] for training in results["trainings"]}
    done = ", ".join(f"{part} {a} of {b}" for part, (a, b) in results["parts"].items())
    learnt = ("learning on", ", ".join(sorted(devices)) or "–")
    return provenance(results, done=[learnt, ("jobs done", done)])


def _verdicts(answer: Row, name: str) -> str:
    """The claims of one table: levels first, then differences with their p."""
    rows = [row for row in answer["rows"] if row["table"] == name]
    parts = (
        claim_table(
            [row for row in rows if row["kind"] != "difference"],
            ("claim", "published", "ours", "games", "verdict"),
            published=lambda row: _figure(row, row["published"]),
            ours=_ours,
        ),
        claim_table(
            [row for row in rows if row["kind"] == "difference"],
            ("difference", "published", "ours", "p (Holm)", "verdict"),
            sign=True,
            ours=lambda row: _ours(row, sign=True),
        ),
    )
    return "\n\n".join(filter(None, parts))


def _figure(row: Row, value: float | None, *, sign: bool = False) -> str:
    if row["kind"] == "count" and value is not None:
        return f"{value:,}"
    return number(value, _digits(value), sign=sign)


def _digits(value: float | None) -> int:
    return 1 if abs(value or 0) >= 20 else 3


def _ours(row: Row, *, sign: bool = False) -> str:
    if row["kind"] == "count" or row["ours"] is None:
        return _figure(row, row["ours"])
    return ours(row, _digits(row["ours"]), sign=sign)


# Strength and cost


def _ladder(results: Row) -> str:
    rows = [
        (s.label, METHODS[s.method], f"{s.rating.rating:+.0f}",
         f"{s.rating.low:+.0f} to {s.rating.high:+.0f}",
         number(None if s.move_seconds is None else 1000 * s.move_seconds),
         quantity(s.multiply_adds) if s.multiply_adds else "none")
        for s in reversed(standings(results))
    ]  # fmt: skip
    heads = ("player", "method", "Elo", "95 %", "ms a move, one core", "multiply-adds to learn")
    odd = [
        f"{m.a} scored {m.score:.2f} against {m.b}, expected {m.expected:.2f}"
        for m in ladder_misfits(results)
    ]
    text = (
        "All rated together from their meetings, random play at 0. The number after a search is "
        "its simulations (`uct`, `path`) or positions (`ab`) a move; after a network the games it "
        "learnt from (the improved: seconds), then its seed."
    )
    after = f"One scale does not explain: {'; '.join(odd)}." if odd else ""
    return "\n\n".join(part for part in (text, table(heads, rows), after) if part)


def _equal_strength(results: Row) -> str:
    """For every network, the cheapest search that is rated no lower."""
    found = standings(results)
    searches = [s for s in found if s.method in ("uct", "path", "ab") and s.move_seconds]
    rows = []
    for one in found:
        if one.method not in (*PAPER_KINDS, "improved", "shipped") or one.move_seconds is None:
            continue
        cells = []
        for method in ("uct", "path", "ab"):
            able = [s for s in searches
                    if s.method == method and s.rating.rating >= one.rating.rating]  # fmt: skip
            best = min(able, key=lambda s: s.move_seconds or 0.0, default=None)
            cells.append("none here" if best is None or best.move_seconds is None
                         else f"{best.label}: {1000 * best.move_seconds:.2f} ms")  # fmt: skip
        rows.append((one.label, f"{one.rating.rating:+.0f}", f"{1000 * one.move_seconds:.2f} ms",
                     *cells))  # fmt: skip
    if not rows:
        return ""
    heads = ("network", "Elo", "a move", "UCT as strong", "UCT, whole path", "alpha-beta")
    text = "At equal strength: the cheapest search here that is rated no lower than each network."
    return f"{text}\n\n{table(heads, rows)}"


def _axes(results: Row) -> str:
    """Setup, games needed, wins, time, as the paper compares them."""
    uct = match_of(results, "table6", "rollout 1.414")
    rows = [
        ("setting up", "values of moves, a constant, a length of rollouts",
         "planes, two networks, rewards, a memory, ε, targets"),
        ("games needed before play", "0", f"{TRAINING_GAMES}"),
        ("wins against random, published", number(UCT_WON), number(DQN_WON)),
    ]  # fmt: skip
    lost = {kind: tests(results, kind, TRAINING_GAMES) for kind in PAPER_KINDS}
    ours = "; ".join(
        f"{kind} {won / games:.3f}" for kind, found in lost.items() if found
        for won, games in [np.sum([counted(row, "won") for row in found], axis=0)]
    )  # fmt: skip
    rows.append(("wins against random, ours", number(uct["won"] if uct else None, 3), ours or "–"))
    learnt = "; ".join(
        f"{kind} {np.mean(spent):,.0f} s" for kind in PAPER_KINDS
        if (spent := training_seconds(results, kind))
    )  # fmt: skip
    rows.append(("seconds of learning, one core, ours", "0", learnt or "–"))
    low, high = PUBLISHED_SECONDS
    rows.append(("seconds a move, published", f"{low} to {high}", "0.887"))
    moves = "; ".join(
        f"{kind} {np.median(spent):.4f}" for kind in (*PAPER_KINDS, "improved")
        if (spent := times(results, kind, "playing"))
    )  # fmt: skip
    mine = number(uct["move_seconds"]["a"] if uct else None, 4)
    rows.append(("seconds a move, one core, ours", mine, moves or "–"))
    games = number(float(np.mean([g["seconds"] for g in uct["each"]])) if uct else None)
    rows.append(("seconds a game against random, ours", games, "see Table 8"))
    return table(("", "UCT", "DQN"), rows)


# Tables


def _networks(results: Row) -> str:
    if not results["counts"]:
        return "Not counted yet."
    found = results["counts"]
    rows = [
        (layer, f"{WEIGHTS['s'][i]:,} / {WEIGHTS['a'][i]:,}",
         *(" / ".join(f"{found[kind][net]['layers'][layer]:,}" for net in ("s", "a"))
           for kind in PAPER_KINDS))
        for i, layer in enumerate(LAYERS)
    ]  # fmt: skip
    rows.append(("multiply-adds of both", "–",
                 *(quantity(found[kind]["multiply_adds"]) for kind in PAPER_KINDS)))  # fmt: skip
    text = "Weights of the s-network / the a-network. Corrected: the board read as a board."
    return f"{text}\n\n{table(('layer', 'published', 'faithful', 'corrected'), rows)}"


def _search(results: Row) -> str:
    rows = [("published", "5 shown", "0.70", "–", "–",
             number(float(np.mean([m for m, _ in PUBLISHED_GAMES])), 1),
             "–".join(map(str, PUBLISHED_SECONDS)))]  # fmt: skip
    for match in results["matches"]:
        if match["group"] in ("table6", "floors"):
            name = "floor: random moves" if match["group"] == "floors" else match["row"]
            rows.append((name, f"{match['games']:,}",
                         with_span(match["won"], match["won_low"], match["won_high"]),
                         f"{match['draws']}", f"{match['losses']}", number(match["length"], 1),
                         number(match["move_seconds"]["a"], 4)))  # fmt: skip
    heads = ("values, C", "games", "won", "drawn", "lost", "moves a game", "seconds a move")
    text = "Trees of 150,000 nodes (20,000 in a quick run), from the plain start."
    return f"{text}\n\n{table(heads, rows)}"


def _caps(results: Row) -> str:
    """Table 6 again, games being drawn after fewer moves."""
    match = match_of(results, "table6", "rollout 1.414")
    if match is None:
        return "Not played."
    rows = []
    chance = match_of(results, "floors", RANDOM)
    for cap in CAPS:
        won, moves = capped(match, cap)
        floor = bounded(capped(chance, cap)[0]) if chance else "–"
        rows.append((str(cap), bounded(won), f"{moves:.1f}", floor))
    rows.append(("published, limit not given", number(UCT_WON), f"{UCT_MOVES:.1f}", "–"))
    text = (
        'The paper says that "most of the tested games ended by reaching a maximum step count", '
        "and not which. The same games of UCT (C = 1.414, values of the rollout), as if they had "
        "been drawn after fewer moves; no verdict rests on this table:"
    )
    heads = ("moves at most", "won", "moves a game", "won by random moves against random moves")
    return f"{text}\n\n{table(heads, rows)}"


def _switches(results: Row) -> str:
    rows = [
        (SWITCHES[match["group"]], match["row"],
         with_span(match["score"], match["score_low"], match["score_high"]),
         f"{match['games']:,}",
         " / ".join(number(match["move_seconds"][side], 4) for side in ("a", "b")))
        for match in results["matches"]
        if match["group"] in SWITCHES
    ]  # fmt: skip
    heads = ("switch", "this", "score against the usual", "games", "seconds a move, this / usual")
    text = "The usual: UCB1, C = 1.414, most visits, values of the rollout. The same simulations."
    return f"{text}\n\n{table(heads, rows)}" if rows else ""


def _budgets(results: Row) -> str:
    rows = [
        (match["row"], with_span(match["won"], match["won_low"], match["won_high"]),
         f"{match['games']:,}", number(1000 * match["move_seconds"]["a"]))
        for match in results["matches"]
        if match["group"] == "budgets"
    ]  # fmt: skip
    enough = [
        f"{least_budget(results['matches'], values) or 'no budget here'} ({values})"
        for values in ("rollout", "path")
    ]
    after = f"95 % of the games are won from {' and '.join(enough)} simulations on."
    heads = ("values, simulations", "won against random", "games", "ms a move")
    return f"{table(heads, rows)}\n\n{after}" if rows else ""


def _training(results: Row) -> str:
    trainings = {kind: ten_games(results, kind) for kind in PAPER_KINDS}
    rows = []
    for k in range(TRAINING_GAMES):
        cells: list[str] = []
        for kind in PAPER_KINDS:
            games = [first_games(training)[k] for training in trainings[kind]]
            lengths = ", ".join(str(game["moves"]) for game in games)
            winners = " ".join("–12"[game["winner"]] for game in games)
            cells += [lengths or "–", winners or "–"]
        winner = "–12"[TRAINING_WINNERS[k]]
        rows.append((f"{k + 1}", f"{EPSILONS[k]:.3f}", f"{TRAINING_MOVES[k]}",
                     f"{TRAINING_MINUTES[k]}", winner, *cells))  # fmt: skip
    heads = ("game", "ε", "moves", "minutes", "winner", "faithful: moves", "winners",
             "corrected: moves", "winners")  # fmt: skip
    text = "Published, then ours: one figure for every seed, – where nobody won."
    spent = []
    for kind in PAPER_KINDS:
        for on_cpu in (True, False):
            if found := times(results, kind, "learning", on_cpu=on_cpu):
                where = "one core" if on_cpu else device_of(results, kind, on_cpu=False)
                spent.append((METHODS[kind], where, number(float(np.median(found)), 4),
                              number(TRAINING_SECONDS / float(np.median(found)), 0)))  # fmt: skip
    after = table(("a training move", "on", "seconds", "times faster than published"), spent)
    return "\n\n".join((text, table(heads, rows), *([after] if spent else [])))


def _tests(results: Row) -> str:
    published = [" ".join(map(str, TEST_GAMES[seat])) for seat in SEATS]
    rows = [("published", f"{TRAINING_GAMES}", "1", *published, "0.525", "–")]
    for kind in (*PAPER_KINDS, "improved"):
        for goal in goals_of(results, kind):
            found, points = tests(results, kind, goal), points_of(results, kind, goal)
            seats = [
                " ".join(str(sum(row[seat][i] for row in found)) for i in range(3))
                for seat in SEATS
            ]
            mean = score(found) or pooled(found)
            learnt = Ledger.from_json(points[0]["ledger"])
            unit = " s" if kind == "improved" else ""
            rows.append((METHODS[kind], f"{goal}{unit}", f"{len(found)}", *seats,
                         with_span(mean.value, mean.low, mean.high),
                         f"{learnt}"))  # fmt: skip
    rows += _floors(results)
    heads = ("", "learnt from", "trainings", "first: won drawn lost", "second", "score",
             "cost of learning, the first seed's")  # fmt: skip
    text = "All games of all trainings together; the score's interval is over trainings."
    return f"{text}\n\n{table(heads, rows)}\n\n{_shipped(results)}"


def _floors(results: Row) -> list[tuple[str, ...]]:
    """Who has learnt nothing: networks as drawn, and chance."""
    rows = []
    found = results.get("untrained")
    if found:
        seats = [
            " ".join(str(sum(row[seat][i] for row in found)) for i in range(3)) for seat in SEATS
        ]
        mean = score(found) or pooled(found)
        rows.append(("floor: untrained corrected networks", "0", f"{len(found)}", *seats,
                     with_span(mean.value, mean.low, mean.high), "–"))  # fmt: skip
    chance = match_of(results, "floors", RANDOM)
    if chance:
        both = f"{chance['wins']} {chance['draws']} {chance['losses']}"
        rows.append(("floor: random moves against random moves", "–", "–", f"both seats: {both}",
                     "–", with_span(chance["score"], chance["score_low"], chance["score_high"]),
                     "–"))  # fmt: skip
    return rows


def _shipped(results: Row) -> str:
    if not results["shipped"]:
        return ""
    record = results["shipped"]
    found = record["random"]
    low, high = wilson(round(found["exam_won"] * found["games"]), found["games"])
    return (
        f"The network that comes with the package (`{record['command']}`, {record['weights']:,} "
        f"weights) won {found['exam_won']:.3f} ({span(low, high, 3)}) of {found['games']:,} games "
        f"against random moves. It learnt in {Ledger.from_json(record['ledger'])}."
    )


def _cost(results: Row) -> str:
    rows = costs(results)
    for training in results["trainings"]:
        goals = training["points"][-1]["after"]
        ledger = Ledger.from_json(training["ledger"])
        unit = "seconds" if training["kind"] == "improved" else "games"
        name = f"{METHODS[training['kind']]}, {goals} {unit}, seed {training['seed']}"
        rows.append((name, f"{ledger}, on {training['device']}, side by side with others"))
    return table(("", ""), rows)
