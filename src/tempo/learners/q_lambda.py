"""Q(λ) (Watkins 1989; Peng and Williams 1996): Q-learning with traces to the end of a game."""

from __future__ import annotations

from tempo import td
from tempo.learners.experience import Experience
from tempo.learners.registry import Samples, declare
from tempo.learners.settings import Settings
from tempo.learners.targets import truncated


@declare("q_lambda", "Q-learning with traces, cut at moves that were not the best", learns="Q")
def samples(played: Experience, settings: Settings) -> Samples:
    """Input (s_t, a_t), target the λ-return of best moves, up to the first that was not one."""
    by = td.Truncation(settings.trace, settings.steps or None, settings.discount)
    return truncated(played, settings, by, cut=played.explored)
