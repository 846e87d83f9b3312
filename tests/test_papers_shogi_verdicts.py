"""The shogi paper's results: verdicts by hand, ratings, report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tempo.ledger import Ledger
from tempo.papers.shogi import claims, tables
from tempo.papers.shogi import published as printed
from tempo.papers.shogi import training as networks
from tempo.papers.shogi.report import REPORT

Row = dict[str, Any]


def ledger(seconds: float = 1.0, multiply_adds: int = 0) -> Row:
    return Ledger(cpu_seconds=seconds, moves=100, multiply_adds=multiply_adds).to_json()


def met(row: str, pairs: tuple[int, ...], group: str = "ladder") -> Row:
    sides = {"a": ledger(seconds=1.0), "b": ledger(seconds=0.5)}
    return {"group": group, "row": row, "games": 2 * sum(pairs), "pairs": list(pairs),
            "ledger": sides}  # fmt: skip


def table6(row: str, won: float, moves: int) -> Row:
    each = [{"moves": moves + i % 2, "seconds": 1.0 + i % 2, "points": 1, "reason": ""}
            for i in range(200)]  # fmt: skip
    return {**met(row, (0, 0, 0, 0, 100), "table6"), "won": won, "won_low": won - 0.04,
            "won_high": won + 0.04, "draws": 3, "losses": 4, "length": moves, "each": each,
            "move_seconds": {"a": 0.02, "b": 0.0}}  # fmt: skip


def trained(
    kind: str, seed: int, first: tuple[int, ...], second: tuple[int, ...], moves: int
) -> Row:
    """Ten games of `moves` moves, and forty test games."""
    games = [{"moves": moves, "winner": k % 2, "epsilon": epsilon}
             for k, epsilon in enumerate(printed.EPSILONS)]  # fmt: skip
    points = np.repeat([1.0, 0.5, 0.0], first), np.repeat([1.0, 0.5, 0.0], second)
    row = networks.tested(np.stack(points, axis=1).reshape(-1))
    label = f"{kind}-10-{seed}"
    test = {**row, "group": "table8", "row": f"{label} random", "seed": seed, "length": 300.0,
            "ledger": {"a": ledger()}}  # fmt: skip
    point = {"after": 10, "label": label, "games": 10, "moves": 10 * moves, "updates": 9,
             "ledger": ledger(multiply_adds=10**12), "matches": [test]}  # fmt: skip
    return {"kind": kind, "seed": seed, "quick": False, "device": "a device", "weights": 5,
            "games": games, "points": [point], "ledger": ledger()}  # fmt: skip


def timed(kind: str, playing: float, learning: float) -> Row:
    return {"kind": kind, "on_cpu": True, "device": "a core",
            "playing": [[9.0, playing], [9.0, 1.01 * playing]],
            "learning": [[9.0, learning], [9.0, 1.01 * learning]]}  # fmt: skip


@pytest.fixture
def results() -> Row:
    layers = {
        kind: {
            "multiply_adds": 10,
            **{net: {"layers": dict(zip(printed.LAYERS, published, strict=True)),
                     "total": sum(published)}
               for net, published in printed.WEIGHTS.items()},
        }
        for kind in ("faithful", "corrected")
    }  # fmt: skip
    trainings = [
        trained("faithful", seed, (8 + seed % 2, 24, 8 - seed % 2), (12, 20, 8), 336)
        for seed in range(1, 6)
    ]
    trainings += [trained("corrected", seed, (30, 8, 2), (32, 6, 2), 60) for seed in range(1, 6)]
    matches = [table6(f"{values} {c}", won, 190) for values, won in (("rollout", 0.7), ("path", 1))
               for c in (1.414, 1.187)]  # fmt: skip
    matches += [
        met("uct-50 random", (0, 0, 10, 20, 20)), met("uct-1600 random", (0, 0, 0, 10, 40)),
        met("uct-1600 uct-50", (0, 10, 20, 10, 10)),
    ]  # fmt: skip
    machine = ledger()
    return {
        "paper": "shogi", "quick": False, "command": "tempo reproduce shogi", "commit": "c",
        "game": "shogi", "seeds": [1, 2, 3, 4, 5], "workers": 2, "wall_seconds": 1.0,
        "parts": {"search": [1, 2]}, "counts": layers, "trainings": trainings, "matches": matches,
        "times": [timed("faithful", 0.2, 3.0), timed("corrected", 0.01, 0.3),
                  timed("improved", 0.004, 0.1)],
        "shipped": None, "training": machine, "playing": machine, "ledger": machine,
    }  # fmt: skip


def verdicts(results: Row) -> dict[str, str]:
    return {row["claim"]: row["verdict"] for row in claims.answer(results)["rows"]}


def test_claims_are_judged_as_by_hand(results: Row) -> None:
    found = verdicts(results)
    assert found["Table 4: all weights, s-network"] == "reproduced"
    assert found["Table 4: weights of layer 4, s-network"] == "reproduced"
    rollout, path = (f"Table 6: UCT (C = 1.414, values of the {v})" for v in ("rollout", "path"))
    assert found[f"{rollout} wins against random"] == "reproduced"
    assert found[f"{path} wins against random"] == "refuted"
    assert found[f"{rollout}, moves a game"] == "reproduced"
    assert found[f"{rollout}, seconds a move"] == "untestable"
    assert found["Table 7: faithful DQN, moves a training game"] == "reproduced"
    assert found["Table 7: corrected DQN, moves a training game"] == "refuted"
    assert found["Table 7: faithful DQN, training games that somebody won"] == "reproduced"
    assert found["Table 7: faithful DQN, largest difference from the ten ε"] == "reproduced"
    assert found["Table 8: faithful DQN wins as first player"] == "reproduced"
    assert found["Table 8: corrected DQN wins as first player"] == "refuted"
    assert found["Table 8: faithful DQN draws"] == "reproduced"
    # 0.525 is called even: the interval of ours must stay within 0.05 of that.
    assert found["Table 8: faithful DQN, score against random less an even match"] in (
        "reproduced", "undecided")  # fmt: skip
    assert found["Table 8: corrected DQN, score against random less an even match"] == ("refuted")
    wins = "Conclusion: UCT wins more against random than the"
    assert found[f"{wins} faithful DQN"] in ("reproduced", "same direction")
    assert found[f"{wins} corrected DQN"] == "refuted"
    # 0.02 s of search against 0.2 s and 0.01 s of networks: -1 and 0.3; 1.73 was published.
    longer = "Conclusion: a move of UCT takes longer than one of the"
    assert found[f"{longer} faithful DQN (log10 of times)"] == "refuted"
    assert found[f"{longer} corrected DQN (log10 of times)"] == "refuted"


def test_one_weight_more_or_none_counted_is_no_reproduction(results: Row) -> None:
    results["counts"]["faithful"]["s"]["layers"]["dense 441"] += 1
    assert verdicts(results)["Table 4: weights of layer 5, s-network"] == "refuted"
    results["counts"] = None
    assert verdicts(results)["Table 4: all weights, a-network"] == "untestable"


def test_differences_are_corrected_for_their_number(results: Row) -> None:
    rows = claims.answer(results)["rows"]
    tested = [row for row in rows if "p" in row]
    assert len(tested) == 2 * 5
    assert all(row["p_holm"] >= row["p"] - 1e-4 for row in tested)
    assert not any("effect" in row for row in rows)
    json.dumps(rows)


def test_the_training_counts_in_games_of_the_search(results: Row) -> None:
    row = next(r for r in claims.answer(results)["rows"]
               if r["claim"].startswith("Conclusion: faithful DQN, log10"))  # fmt: skip
    # Ten games of 336 moves at 3.015 s (the median), and 1.5 s a game of UCT.
    assert row["ours"] == pytest.approx(np.log10(3360 * 3.015 / 1.5), abs=1e-3)
    assert row["published"] == pytest.approx(np.log10(2772 / 109.4), abs=1e-3)


def test_missing_parts_leave_their_claims_untestable(results: Row) -> None:
    results |= {"trainings": [], "matches": [], "times": [], "counts": None}
    found = verdicts(results)
    assert set(found.values()) == {"untestable"} | {found[c] for c in found if "Elo" in c}
    assert REPORT.markdown(results, claims.answer(results))


# Ratings


def test_ratings_come_from_all_meetings_with_random_play_at_0(results: Row) -> None:
    ratings = tables.ladder(results)
    assert ratings["random"].rating == 0
    assert ratings["uct-1600"].rating > ratings["uct-50"].rating > 100
    assert abs(ratings["faithful-10-1"].rating) < 60
    assert ratings["corrected-10-2"].rating > 200
    # Two blocks of one meeting are one meeting.
    twice = {**results, "matches": [*results["matches"], met("uct-50 random", (0, 0, 0, 0, 50))]}
    assert tables.meetings(twice)["uct-50", "random"] == (0, 0, 10, 20, 70)
    assert tables.ladder(twice)["uct-50"].rating > ratings["uct-50"].rating
    # Who has met nobody that has met random play has no rating.
    apart = {**results, "matches": [*results["matches"], met("ab-1 ab-2", (0, 0, 1, 0, 0))]}
    assert "ab-1" not in tables.ladder(apart)


def test_standings_know_what_learning_and_playing_cost(results: Row) -> None:
    found = {s.label: s for s in tables.standings(results)}
    assert found["uct-50"].move_seconds == pytest.approx((1 + 0.5) / 200)
    assert found["uct-50"].multiply_adds == 0
    network = found["faithful-10-3"]
    assert network.move_seconds == pytest.approx(0.201)
    assert (network.multiply_adds, network.budget, network.seed) == (10**12, 10, 3)


# The report


def test_the_report_shows_tables_and_figures(results: Row, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    answer = claims.answer(results)
    REPORT.write(tmp_path, results, answer)
    text = (tmp_path / "report.md").read_text()
    for name in REPORT.captions:
        assert f"({name}.svg)" in text
        assert (tmp_path / f"{name}.png").stat().st_size > 5_000
    for part in ("168,033,936", "49.5", "0.525", "faithful-10-1", "uct-1600", "320"):
        assert part in text, part
    assert json.loads((tmp_path / "answer.json").read_text()) == json.loads(json.dumps(answer))
    fields = {"claim", "published", "ours", "low", "high", "games", "verdict"}
    assert all(fields <= row.keys() for row in answer["rows"])


def test_at_equal_strength_the_cheapest_search_is_named(results: Row) -> None:
    text = REPORT.markdown(results, claims.answer(results))
    line = next(x for x in text.splitlines() if x.startswith("| corrected-10-1 |")
                and "none here" in x)  # fmt: skip
    assert "uct-" in line or line.count("none here") == 3
