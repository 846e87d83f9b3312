"""What goes wrong with input. Every message says what, where and what would have been right."""

from tempo._core import IllegalMove, ParseError, Stopped, TempoError

__all__ = ["IllegalMove", "ParseError", "Stopped", "TempoError"]
