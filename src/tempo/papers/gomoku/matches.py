"""Who meets whom in the Gomoku papers, and how a match is played and kept.

Every match begins from the balanced openings that come with the package, each once with either
colour. Matches of one number meet the same openings, whoever plays.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tempo import games
from tempo.agents.critic import CriticAgent, CriticSettings
from tempo.agents.gomoku_playouts import (
    AdpMcts,
    AdpSettings,
    Hmcts,
    HmctsSettings,
    Uct,
    UctSettings,
)
from tempo.agents.gomoku_standins import StandIn, StandInSettings, frozen
from tempo.arena import openings
from tempo.arena.match import match as play_match
from tempo.arena.seeds import derive
from tempo.files import write_text

if TYPE_CHECKING:
    from tempo.agents import Agent

Row = dict[str, Any]

GAME = "gomoku"
PLAYOUTS = 400


def digest(config: object) -> str:
    """A few letters that differ where the settings do."""
    text = json.dumps(config, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()


@dataclass(frozen=True)
class Player:
    """An agent, described: critics are named by the file in which their training left them."""

    kind: str  # adp, adp-hmcts, adp-uct, hmcts, uct or stand-in
    critic: str = ""
    playouts: int = PLAYOUTS
    share: float = 0.5  # λ
    level: str = ""  # of a stand-in

    @property
    def config(self) -> Row:
        """All that its moves depend on. A stand-in is what its calibration has made of it."""
        config = asdict(self)
        if self.kind == "stand-in":
            config["calibration"] = digest(frozen()["levels"][self.level])
        return config

    def make(self, critics: Path) -> Agent:
        """Ready to play."""
        weights = str(critics / f"{self.critic}.safetensors")
        if self.kind == "adp":
            return CriticAgent(CriticSettings(weights=weights), name=f"critic {self.critic}")
        if self.kind == "hmcts":
            return Hmcts(HmctsSettings(self.playouts))
        if self.kind == "uct":
            return Uct(UctSettings(self.playouts))
        if self.kind == "stand-in":
            return StandIn(StandInSettings(self.level))
        mixed = AdpSettings(playouts=self.playouts, critic=self.share, weights=weights)
        return AdpMcts(self.kind.removeprefix("adp-"), mixed)


@dataclass(frozen=True)
class Match:
    """Two players and so many pairs of games."""

    group: str  # cases, early, watching, uct, cross, ladder or shares
    row: str  # within its group
    seed: int  # of the training, or of a block of games where nothing was learnt
    a: Player
    b: Player
    pairs: int
    block: int = 0  # which openings of the seed's order: block 1 goes on where block 0 ends

    @property
    def name(self) -> str:
        """Of its files: other settings, other files."""
        config = [asdict(self), self.a.config, self.b.config]
        row = self.row.replace(" ", "-")
        return f"{self.group}-{row}-{self.seed}-{self.block}-{digest(config)}"

    def result(self, out: Path) -> Path:
        """Where its result is kept."""
        return out / "matches" / f"{self.name}.json"

    def openings(self) -> openings.OpeningSet:
        """Of this seed and block."""
        deck = openings.standard(games.load(GAME), 10**6, self.seed)
        start, count = self.block * self.pairs, len(deck.openings)
        chosen = tuple(deck.openings[(start + i) % count] for i in range(self.pairs))
        return openings.OpeningSet(chosen, f"{deck.source}, from {start}")


def play(out: Path, match: Match) -> Row:
    """Plays a match, or goes on with it; returns what the results keep of it."""
    told = match.result(out)
    if not told.exists():
        a, b = (player.make(out / "critics") for player in (match.a, match.b))
        found = play_match(
            (a, b),
            GAME,
            games=2 * match.pairs,
            seed=derive(match.seed, "match", match.block),
            openings=match.openings(),
            log=out / "games" / f"{match.name}.jsonl",
        )
        row = {
            "group": match.group,
            "row": match.row,
            "seed": match.seed,
            "block": match.block,
            "a": match.a.kind,
            "b": match.b.kind,
            "pairs": list(found.pairs),
            "draws": found.draws,
            "distinct": found.distinct,
            "length": round(found.mean_length, 2),
            "ledger": {side: ledger.to_json() for side, ledger in found.ledger.items()},
        }
        write_text(told, json.dumps(row) + "\n")
    stored: Row = json.loads(told.read_text())
    return stored
