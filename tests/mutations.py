"""Damage to texts, for tests of readers: almost right is what crashes parsers."""

from __future__ import annotations

import random
from collections.abc import Sequence


def mutated(text: str, pieces: Sequence[str], stream: random.Random) -> str:
    """A text with a few parts left out, replaced by one of the pieces, doubled or turned round."""
    for _ in range(stream.randint(1, 4)):
        at = stream.randint(0, len(text))
        to = min(len(text), at + stream.randint(0, 6))
        part = text[at:to]
        text = (
            text[:at] + stream.choice(("", stream.choice(pieces), part * 2, part[::-1])) + text[to:]
        )
    return text
