"""The command that lists agents: ratings, costs, origins, settings."""

from __future__ import annotations

from textwrap import fill, indent
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tempo.cli import completion
from tempo.cli.common import Json, game_given, print_json, say

if TYPE_CHECKING:
    from tempo.agents import Kind

app = typer.Typer()


@app.command("agents", epilog="Example: tempo agents --game gomoku")
def list_agents(
    agent: Annotated[
        str | None,
        typer.Argument(help="One agent, for its settings.", autocompletion=completion.agents),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option("--game", "-g", help="Those that play it.", autocompletion=completion.games),
    ] = None,
    as_json: Json = False,
) -> None:
    """The agents; with a game, their ratings and costs; with a name, its settings."""
    from tempo import agents, games  # noqa: PLC0415
    from tempo.errors import unknown  # noqa: PLC0415

    listed = (games.load(game_given(game)).name,) if game else games.names()
    known = agents.kinds()
    if agent is not None and agent not in known:
        raise unknown("agent", agent, known)
    kinds = [known[agent]] if agent else [*known.values()]
    if as_json:
        fit = [kind for kind in kinds if not game or listed[0] in kind.games]
        print_json({"agents": [_json(kind, listed) for kind in fit]})
    elif agent is not None:
        _print_settings(known[agent])
    elif game:
        _print_ratings(listed[0])
        say().print(
            "Elo with its 95 % interval, CPU time a move, what trained it. The fifth level is\n"
            "1000. Levels play as [bold]level:name=club[/]."
        )
    else:
        _print_names(kinds)
        say().print(
            "Ratings:  [bold]tempo agents --game gomoku[/]\nSettings: [bold]tempo agents mcts[/]. "
            "They follow a colon: [bold]mcts:sims=2000[/]."
        )


def _print_names(kinds: list[Kind]) -> None:
    """Every agent with what it does, by the games that it plays."""
    console = say()
    width = max(len(kind.name) for kind in kinds) + 4
    groups: dict[str, list[Kind]] = {}
    for kind in kinds:
        groups.setdefault("any game" if kind.only is None else ", ".join(kind.only), []).append(
            kind
        )
    for title, members in groups.items():
        console.print(f"[bold]{title or 'what its weights have learnt'}[/]")
        for kind in members:
            text = fill(
                kind.summary, console.width, initial_indent=f"  {kind.name:<{width - 2}}",
                subsequent_indent=" " * width,
            )  # fmt: skip
            console.print(text, markup=False)
    console.print()


def _print_ratings(game: str) -> None:
    """A game's agents in at most 80 columns, the best first."""
    from tempo import agents  # noqa: PLC0415
    from tempo.agents import listing  # noqa: PLC0415

    about = listing.tournament_of(game)
    told = f"{about['games']:,} games" if about else "not rated yet"
    console = say()
    console.print(f"[bold]{game}[/]  {told}")
    for name, rating in listing.ratings_of(game).items():
        kind = agents.kinds()[name]
        elo, span, cost = "-", "", "-"
        if rating is not None:
            elo, cost = f"{rating.rating}", _time(rating.cpu_ms)
            span = f"±{(rating.high - rating.low) / 2:.0f}" if rating.high > rating.low else ""
        origin = listing.origin_of(kind)
        console.print(f"  [bold]{name:<18}[/]{elo:>6}{span:>6}{cost:>9}  {origin}", soft_wrap=True)
        budget = rating.played.partition(":")[2] if rating is not None else ""
        rated = f" (rated with {budget})" if budget and not kind.meant else ""
        about_it = fill(kind.summary + rated, 76, break_long_words=False)
        console.print(f"[dim]{indent(about_it, '    ')}[/]", soft_wrap=True)
    levels = listing.levels_of(game).items()
    steps = [f"{name}\N{NO-BREAK SPACE}{one.rating if one else '-'}" for name, one in levels]
    told = fill(", ".join(steps), 80, initial_indent="  levels: ", subsequent_indent="    ")
    console.print(told.replace("\N{NO-BREAK SPACE}", " "))
    console.print()


def _time(milliseconds: float) -> str:
    if milliseconds < 1:
        return f"{1000 * milliseconds:.0f} µs"
    return f"{milliseconds:.1f} ms" if milliseconds < 10 else f"{milliseconds:,.0f} ms"


def _print_settings(kind: Kind) -> None:
    """What can be set, each with its default and its meaning."""
    from tempo.agents import listing  # noqa: PLC0415
    from tempo.agents.settings import shown  # noqa: PLC0415

    console = say()
    console.print(f"[bold]{kind.name}[/]  {kind.summary}")
    console.print(f"plays {', '.join(kind.games) or 'what its weights have learnt'}")
    console.print(f"origin: {listing.origin_of(kind)}", soft_wrap=True)
    for game in kind.games:
        rating, anchor = listing.ratings_of(game).get(kind.name), ""
        if rating is not None and (anchor := listing.tournament_of(game)["anchor"]) != kind.name:
            rated = f"rated {rating.rating:+d} over {anchor} in {game}"
            console.print(f"{rated}, {_time(rating.cpu_ms)} CPU a move", soft_wrap=True)
    rows = [(f"{name}={shown(default)}", about) for name, default, about in _settings(kind)]
    if rows:
        console.print(f"\n{kind.note}")
    width = min(max((len(setting) for setting, _ in rows), default=0), 24) + 4
    for setting, about in rows:
        first = f"  {setting}"
        text = fill(about["help"], console.width, initial_indent=f"{first:<{width}}",
                    subsequent_indent=" " * width)  # fmt: skip
        console.print(text, markup=False)


def _settings(kind: Kind) -> list[tuple[str, Any, Any]]:
    from dataclasses import fields  # noqa: PLC0415

    from tempo.agents import settings_of  # noqa: PLC0415

    settings = settings_of(kind.name)
    return [(one.name, getattr(settings, one.name), one.metadata) for one in fields(settings)]


def _json(kind: Kind, games: tuple[str, ...]) -> dict[str, Any]:
    from tempo.agents import listing  # noqa: PLC0415

    rated = {game: listing.ratings_of(game).get(kind.name) for game in games if game in kind.games}
    told = ("help", "within", "choices")
    return {
        "name": kind.name,
        "summary": kind.summary,
        "games": list(kind.games),
        "ratings": {game: vars(rating) for game, rating in rated.items() if rating is not None},
        "origin": listing.origin_of(kind).to_json(),
        "note": kind.note,
        "settings": [
            {"name": name, "default": default, **{key: meta[key] for key in told if meta[key]}}
            for name, default, meta in _settings(kind)
        ],
    }
