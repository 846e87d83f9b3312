"""Self-play of Siguo for the truncated learner: games and inputs in the core."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tempo._core import siguo, siguo_learning
from tempo.agents.siguo.learnt import core_player
from tempo.errors import ParseError
from tempo.games.game import Game
from tempo.learners.fast.truncated import Played, Settings, Truncated
from tempo.recipes.exports import Exported, Source

if TYPE_CHECKING:
    from tempo.nets.tanh import TanhNetwork

MOST_HIDDEN = 8  # of the core's network


@dataclass(frozen=True)
class SiguoSelfPlay:
    """Siguo by its options, seen as `kind` of inputs."""

    options: siguo.Options
    kind: str = "stations"
    threads: int = 1

    @property
    def inputs(self) -> int:
        """Always 130."""
        return siguo_learning.inputs

    def play(
        self,
        network: TanhNetwork,
        games: int,
        *,
        seed: int,
        begin: int,
        random_share: float,
        temperature: float,
    ) -> Played:
        """Games from dealt starts, in the core."""
        player = core_player(network, self.kind)
        rows, taken, best, turn, gains, lengths, scores, judged = player.play(
            self.options,
            games,
            seed=seed,
            begin=begin,
            random_share=random_share,
            temperature=temperature,
            threads=min(self.threads, games),
        )
        return Played(rows, taken, best, turn, gains, lengths, scores, judged)


def refusal(game: Game, _: Settings, __: Mapping[str, Any]) -> str:
    """Self-play with expected states is of one game."""
    if not isinstance(game.options, siguo.Options):
        return f"truncated learners play siguo; see tempo train ttd --game {game.name}"
    return ""


def make(
    game: Game, settings: Settings, _: Mapping[str, Any], seed: int, threads: int = 1
) -> Truncated:
    """The learner of Siguo."""
    assert isinstance(game.options, siguo.Options)  # `refusal` sees to it
    siguo_learning.features([], settings.inputs)  # refuses names that there are none of
    if settings.hidden > MOST_HIDDEN:
        raise ParseError(f"{settings.hidden} hidden units; expected 1 to {MOST_HIDDEN}")
    return Truncated(SiguoSelfPlay(game.options, settings.inputs, threads), settings, seed)


def export(source: Source) -> Exported:
    """The network, with its score against random moves from dealt starts."""
    inputs = source.run.config.get("inputs", "stations")
    figures = source.matches("siguo", {"random": 200})
    return Exported.of_arrays("network", source.checkpoint.arrays, inputs=inputs, figures=figures)
