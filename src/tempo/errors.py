"""What goes wrong with input. Every message says what, where and what would have been right."""

from tempo._core import IllegalMove, ParseError


class TempoError(Exception):
    """A request that cannot be carried out, with the reason in one sentence."""


__all__ = ["IllegalMove", "ParseError", "TempoError"]
