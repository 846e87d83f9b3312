"""Endings for people: what a table holds, and how well an agent plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tempo.ledger import quantity

if TYPE_CHECKING:
    from rich.table import Table

    from tempo.arena.endings import EndingResult, Rate
    from tempo.games.chess.tablebase import Counts

FLOOR_NAMES = {
    "random": "random",
    "mate_in_1": "with mate in 1",
    "mate_in_2": "in 2",
    "mate_in_3": "in 3",
}


def counts_table(name: str, counts: tuple[Counts, Counts]) -> Table:
    """What a solved ending holds, side by side."""
    table = _table(f"{name}, every legal position", "", "White to move", "Black to move")
    rows = [
        ("legal positions", *(f"{c.positions:,}" for c in counts)),
        ("up to symmetry", *(f"{c.numbers:,}" for c in counts)),
        ("won", *(_share(c.wins, c) for c in counts)),
        ("drawn", *(_share(c.draws, c) for c in counts)),
        ("lost", *(_share(c.losses, c) for c in counts)),
        ("mean distance of wins", *(_plies(c.win_plies, c.wins) for c in counts)),
        ("mean distance of losses", *(_plies(c.loss_plies, c.losses) for c in counts)),
        ("longest win", *(_moves(c.longest_win) for c in counts)),
        ("longest loss", *(_moves(c.longest_loss) for c in counts)),
        ("checkmates", *(f"{c.mates:,}" for c in counts)),
        ("stalemates", *(f"{c.stalemates:,}" for c in counts)),
    ]
    for row in rows:
        table.add_row(*row)
    return table


def ending_table(result: EndingResult) -> Table:
    """An agent's figures, by distance to mate."""
    from rich.text import Text  # noqa: PLC0415 - not str: brackets are markup to rich

    how = "every position" if result.exact else f"{result.positions} games, seed {result.seed}"
    title = f"{result.agent} in {result.ending} against perfect play ({how})"
    table = _table(title, "", "WCR", "WE", "LHS")
    shown = _exact if result.exact else _rate
    table.add_row("all starts", *(Text(shown(r)) for r in (result.wcr, result.we, result.lhs)))
    for s in result.strata:
        label = f"mate in {s.first}-{s.last} ({quantity(s.positions)})"
        table.add_row(label, *map(Text, (shown(s.wcr), shown(s.we))))
    return table


def floor_text(result: EndingResult) -> str:
    """What chance and a mate finder would win: what every WCR is to be read beside."""
    parts = [f"{FLOOR_NAMES[name]} {rate.value:.4f}" for name, rate in result.floor.items()]
    return "Floor of WCR: " + ", ".join(parts)


def _table(title: str, *headings: str) -> Table:
    from rich.table import Table  # noqa: PLC0415 - costs 40 ms, and not everybody looks
    from rich.text import Text  # noqa: PLC0415

    table = Table(
        title=Text(title), title_justify="left", box=None, padding=(0, 1, 0, 0), pad_edge=False,
        min_width=min(len(title), 80),
    )  # fmt: skip
    for i, heading in enumerate(headings):
        table.add_column(Text(heading), justify="left" if i == 0 else "right", no_wrap=True)
    return table


def _share(part: int, counts: Counts) -> str:
    return f"{part:,} ({part / counts.positions:.2%})" if part else "0"


def _plies(total: int, number: int) -> str:
    return f"{total / number:.2f} plies" if number else "-"


def _moves(plies: int) -> str:
    return f"{(plies + 1) // 2} moves" if plies else "-"


def _rate(rate: Rate, digits: int = 3) -> str:
    if rate.value is None:
        return "-"
    return f"{rate.value:.{digits}f} [{rate.low:.{digits}f}, {rate.high:.{digits}f}]"


def _exact(rate: Rate) -> str:
    return "-" if rate.value is None else f"{rate.value:.5f}"
