"""Results for people: plain text and rich tables, at most 80 columns wide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from textwrap import TextWrapper
from typing import TYPE_CHECKING

from tempo.displays import table as html_table
from tempo.ledger import quantity

if TYPE_CHECKING:
    from rich.table import Table

    from tempo.arena.result import MatchResult
    from tempo.arena.tournament import Standing, TournamentResult

WIDTH = 80
POINTS = ("0", "½", "1", "1½", "2")
NAME = 1  # the column of names
HEADINGS = ("", "agent", "rating", "95 %", "score", "games", "CPU/move", "pos/move")


def match_text(result: MatchResult) -> str:
    """A match in a few lines."""
    rows = _match_rows(result)
    wide = max(len(label) for label, _ in rows)
    indent = " " * (wide + 4)
    page = TextWrapper(WIDTH, break_on_hyphens=False)
    lines = page.wrap(_match_title(result))
    page.subsequent_indent = indent
    for label, text in rows:
        page.initial_indent = f"  {label:<{wide}}  "
        lines += page.wrap(text)
    return "\n".join(lines)


def match_table(result: MatchResult) -> Table:
    """The same as a rich table."""
    from rich.table import Table  # noqa: PLC0415 - costs 40 ms, and not everybody looks
    from rich.text import Text  # noqa: PLC0415

    title = Text(_match_title(result))
    table = Table(title=title, show_header=False, box=None, title_justify="left")
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for row in _match_rows(result):
        table.add_row(*map(Text, row))  # not str: names may hold what rich takes for markup
    return table


def match_html(result: MatchResult) -> str:
    """The same as a notebook shows it."""
    return html_table(_match_title(result), _match_rows(result))


def _match_title(result: MatchResult) -> str:
    return f"{result.a} against {result.b}, {result.game}, seed {result.seed}"


def _match_rows(result: MatchResult) -> list[tuple[str, str]]:
    low, high = result.interval
    elo_low, elo_high = result.elo_interval
    distinct = "" if result.distinct == result.games else f", {result.distinct} different"
    pairs = "  ".join(f"{p}: {n}" for p, n in zip(POINTS, result.pairs, strict=True))
    ends = ", ".join(f"{reason} {number}" for reason, number in result.reasons.items())
    rows = [
        ("score", f"{result.score:.1%} [{low:.1%}, {high:.1%}]"),
        ("Elo", f"{result.elo:+.0f} [{elo_low:+.0f}, {elo_high:+.0f}]"),
        ("games", f"{result.wins} won, {result.draws} drawn, {result.losses} lost{distinct}"),
        ("pairs", pairs),
        ("length", f"{result.mean_length:.1f} moves ({ends})"),
    ]
    if forfeits := _forfeits(result):
        rows.append(("forfeits", forfeits))
    if result.sprt:
        ratio = result.sprt.log_likelihood_ratio(result.pairs)
        test = f"Elo {result.sprt.elo1:+g} against {result.sprt.elo0:+g}"
        rows.append(("test", f"{test}: {result.decision} (log-likelihood ratio {ratio:+.2f})"))
    for name, ledger in ((result.a, result.ledger["a"]), (result.b, result.ledger["b"])):
        rows.append((shorten(name, 24), str(replace(ledger, games=0))))
    return rows


def _forfeits(result: MatchResult) -> str:
    """Who lost games by forfeit, and how many of them because an engine failed."""
    return ", ".join(
        f"{count} by {name}" + (f" ({failed} by engine failure)" if failed else "")
        for name, count, failed in (
            (result.a, result.forfeits["a"], result.failures["a"]),
            (result.b, result.forfeits["b"], result.failures["b"]),
        )
        if count
    )


def standings_text(result: TournamentResult) -> str:
    """The ranking as plain text."""
    rows = _standing_rows(result)
    wide = _widths(rows)
    lines = []
    for row in rows:
        cells = [
            f"{cell:<{width}}" if i == NAME else f"{cell:>{width}}"
            for i, (cell, width) in enumerate(zip(row, wide, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join([_tournament_title(result), *lines, *_footnotes(result)])


def standings_table(result: TournamentResult) -> Table:
    """The ranking as a rich table."""
    from rich.table import Table  # noqa: PLC0415 - see match_table
    from rich.text import Text  # noqa: PLC0415

    table = Table(
        title=Text(_tournament_title(result)),
        caption=Text("\n".join(_footnotes(result))) if _footnotes(result) else None,
        box=None,
        padding=(0, 2, 0, 0),
        pad_edge=False,
        title_justify="left",
        caption_justify="left",
    )
    headings, *rows = _standing_rows(result)
    for i, heading in enumerate(headings):
        table.add_column(Text(heading), justify="left" if i == NAME else "right", no_wrap=True)
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def standings_html(result: TournamentResult) -> str:
    """The ranking as a notebook shows it, with whole names."""
    cells = map(_cells, result.standings)
    title = ". ".join([_tournament_title(result), *_footnotes(result)])
    return html_table(title, cells, HEADINGS)


def _standing_rows(result: TournamentResult) -> list[tuple[str, ...]]:
    # Headings and cells; names are cut as far as the width of the page asks.
    rows = [HEADINGS, *(_cells(standing) for standing in result.standings)]
    wide = _widths(rows)
    spare = WIDTH - sum(wide) - 2 * (len(HEADINGS) - 1)
    name = max(8, wide[NAME] + min(0, spare))
    return [(row[0], shorten(row[NAME], name), *row[NAME + 1 :]) for row in rows]


def shorten(name: str, width: int) -> str:
    """A name cut to a width, with a sign that it was."""
    return name if len(name) <= width else name[: width - 1] + "…"


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]


def _cells(standing: Standing) -> tuple[str, ...]:
    rating = standing.rating
    moves = max(1, standing.ledger.moves)
    if rating is None:
        shown, reach = "-", ""
    elif rating.high == rating.low:
        shown, reach = f"{rating.rating:.0f}", "anchor"
    else:
        shown, reach = f"{rating.rating:.0f}", f"±{(rating.high - rating.low) / 2:.0f}"
    return (
        str(standing.rank),
        standing.name,
        shown,
        reach,
        f"{standing.score:.1%}" if standing.games else "-",
        str(standing.games),
        _duration(standing.ledger.cpu_seconds / moves),
        quantity(standing.ledger.positions / moves),
    )


def _duration(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.0f} µs"


def _tournament_title(result: TournamentResult) -> str:
    done = sum(m.games for m in result.matches)
    wanted = result.games * result.pairings
    games = f"{done} games" if done == wanted else f"{done} of {wanted} games"
    return f"{result.game}, {games}, seed {result.seed}"


def _footnotes(result: TournamentResult) -> list[str]:
    return [
        f"not on one scale: {shorten(m.a, 24)} scored {m.score:.1%} against {shorten(m.b, 24)}, "
        f"{m.expected:.1%} expected"
        for m in result.misfits
    ]
