"""Who meets whom in the Gomoku papers, and how a match is played and kept.

Every match begins from the balanced openings that come with the package, each once with either
colour. Matches of one number meet the same openings, whatever the players.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tempo import games
from tempo.agents.gomoku.critic import CriticAgent, CriticSettings
from tempo.agents.gomoku.playouts import (
    AdpMcts,
    AdpSettings,
    Hmcts,
    HmctsSettings,
    Uct,
    UctSettings,
)
from tempo.agents.gomoku.standins import StandIn, StandInSettings, frozen
from tempo.arena import openings
from tempo.arena.match import match
from tempo.arena.seeds import derive
from tempo.papers.jobs import Job, Row, digest

if TYPE_CHECKING:
    from tempo.agents import Agent

GAME = "gomoku"
PLAYOUTS = 400


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
class Match(Job):
    """Two players and a number of pairs of games."""

    folder = "matches"

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

    def openings(self) -> openings.OpeningSet:
        """Of this seed and block."""
        deck = openings.standard(games.load(GAME), 10**6, self.seed)
        start, count = self.block * self.pairs, len(deck.openings)
        chosen = tuple(deck.openings[(start + i) % count] for i in range(self.pairs))
        return openings.OpeningSet(chosen, f"{deck.source}, from {start}")

    def work(self, out: Path, threads: int) -> Row:
        """Plays it, or resumes it."""
        a, b = (player.make(out / "critics") for player in (self.a, self.b))
        found = match(
            (a, b),
            GAME,
            games=2 * self.pairs,
            seed=derive(self.seed, "match", self.block),
            openings=self.openings(),
            log=out / "games" / f"{self.name}.jsonl",
        )
        return {
            "group": self.group,
            "row": self.row,
            "seed": self.seed,
            "block": self.block,
            "a": self.a.kind,
            "b": self.b.kind,
            "pairs": list(found.pairs),
            "draws": found.draws,
            "distinct": found.distinct,
            "length": round(found.mean_length, 2),
            "ledger": {side: ledger.to_json() for side, ledger in found.ledger.items()},
        }
