"""What goes wrong with input. Every message says what, where and what would have been right."""

from tempo._core import IllegalMove, ParseError, Stopped, TempoError


def quoted(value: object) -> str:
    """A value for a message: of bounded length, and printable whatever it holds."""
    text = value if isinstance(value, str) else repr(value)
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[:40])
    return f"'{shown}{'...' if len(text) > 40 else ''}'"


__all__ = ["IllegalMove", "ParseError", "Stopped", "TempoError", "quoted"]
