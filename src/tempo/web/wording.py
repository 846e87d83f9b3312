"""How games end, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tempo import texts
from tempo.texts import t

if TYPE_CHECKING:
    from tempo.games import Game

RESIGNED, TIMED_OUT = "R", "T"  # the letters of records that all games share
_reasons = {RESIGNED: "resignation", TIMED_OUT: "time"}


def result_text(game: Game, scores: Sequence[float], reason: str) -> str:
    """How a game ended: who won, and by what if that is known."""
    known = texts.word("reason", reason)
    reason = texts.translated(known) if known == reason else known
    face = game.description.face
    seats = zip(game.seat_names, scores, strict=True)
    winners = [capital(face.seat_words(name)) for name, score in seats if score > 0]
    if not winners:
        return t("result.draw", reason=reason) if reason else t("result.drawn")
    who = winners[0] if len(winners) == 1 else t("result.and", a=winners[0], b=winners[-1])
    if not reason:
        return t("result.won", who=who)
    return t("result.wins" if len(winners) == 1 else "result.win", who=who, reason=reason)


def record_text(game: Game, result: str) -> str:
    """The result of a record (`B+R`, `0`) in a sentence; as it is where it is no such result."""
    letter, _, reason = result.partition("+")
    if letter == "0":
        return result_text(game, [0.0] * game.seats, "")
    winners = [name for name in game.seat_names if name[:1].upper() == letter]
    if len(winners) != 1 or game.seats != 2:
        return result
    scores = [1.0 if name in winners else -1.0 for name in game.seat_names]
    return result_text(game, scores, _reasons.get(reason, ""))


def capital(words: str) -> str:
    """With a capital letter."""
    return words[:1].upper() + words[1:]
