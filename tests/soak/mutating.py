"""Inputs that almost make sense: sound ones with something changed.

Noise is refused by the first line of a reader; what finds faults is nearly right. So an input is
one of a corpus with a few of its tokens dropped, doubled, swapped, taken from another input or
replaced by something odd; one in five is left as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cached_property
from random import Random
from typing import Any

TOKENS = re.compile(r"[A-Za-z]+|[0-9]+|\s+|.", re.DOTALL)
NUMBERS = ("0", "1", "-1", "2", "7", "99", "00", "255", "65536", "2147483648", "9" * 20,
           "-9223372036854775809", "1.5", "1e999", "nan", "1_0", "+1", "0x1f",
           "\u0663", "\uff11")  # fmt: skip
ODD = ("", " ", "\t", "\n", "\r\n", "\x00", "\x1b[2J", "\u00e9", "\u202e", "\ufeff", "\U0001f004",
       "\\", '"', "'", "(", ")", "[", "]", "{", "}", ";", ":", ",", "=", "/", "-", "%s",
       "{0}", "*", "?", "../..", "A" * 70, "((((((((", "yes", "no", "None", "true")  # fmt: skip
BYTES = (
    b"",
    b"\x00",
    b"\xff",
    b"\x80",
    b"\xed\xa0\x80",
    b"\x00" * 64,
    b"\xff" * 8,
    b"{",
    b"}",
    b'"',
)


class Texts:
    """Texts from a corpus, made when the first is asked for."""

    def __init__(
        self, corpus: Callable[[], Sequence[str]], pieces: Sequence[str] = (), odd: float = 0.2
    ) -> None:
        self._corpus, self._pieces, self._odd = corpus, tuple(pieces), odd

    @cached_property
    def corpus(self) -> Sequence[str]:
        """The sound texts."""
        found = self._corpus()
        assert found, "a subject needs sound inputs to begin with"
        return found

    def __call__(self, random: Random) -> str:
        """One of them, mostly with something wrong."""
        return self.changed(random.choice(self.corpus), random)

    def changed(self, text: str, random: Random) -> str:
        """This text, mostly with something wrong that others of the corpus may have lent."""
        changes = random.choices((0, 1, 2, 4), (2, 5, 2, 1))[0]
        if not changes:
            return text
        tokens = TOKENS.findall(text)
        for _ in range(changes):
            self._change(tokens, random)
        text = "".join(tokens)
        if random.random() < 0.03:
            text = text[: random.randrange(len(text) + 1)]
        return text

    def _change(self, tokens: list[str], random: Random) -> None:
        at = random.randrange(len(tokens) + 1)
        to = min(len(tokens), at + random.choice((0, 1, 1, 1, 2, 5)))
        part = tokens[at:to]
        match random.randrange(7):
            case 0:
                part = []
            case 1:
                part = part * 2
            case 2:
                part = part[::-1]
            case 3:
                other = TOKENS.findall(random.choice(self.corpus)[:400])
                begin = random.randrange(len(other) + 1)
                part = other[begin : begin + random.randint(1, 4)]
            case 4 if part and part[0].isdigit():
                part[0] = random.choice((*NUMBERS, str(int(part[0][:9]) + random.choice((-1, 1)))))
            case 5 if part and part[0].isalpha():
                word = part[0]
                letter = random.randrange(len(word))
                part[0] = word[:letter] + random.choice("abcdgKQRx1FM+") + word[letter + 1 :]
            case _:
                part = [self._piece(random)]
        tokens[at:to] = part

    def _piece(self, random: Random) -> str:
        if self._pieces and random.random() > self._odd:
            return random.choice(self._pieces)
        return random.choice((*NUMBERS, *ODD)) if random.random() < 0.5 else random.choice(ODD)


def damaged(data: bytes, random: Random) -> bytes:
    """A file with something wrong: bits turned over, parts gone, doubled, longer or cut."""
    changes = random.choices((0, 1, 2, 5), (1, 5, 3, 1))[0]
    out = bytearray(data)
    for _ in range(changes):
        at = random.randrange(len(out) + 1)
        # The beginning is where lengths, names and shapes stand.
        if random.random() < 0.7:
            at = min(at, random.randrange(400))
        to = min(len(out), at + random.choice((0, 1, 1, 2, 8, 64)))
        match random.randrange(6):
            case 0:
                out[at:to] = b""
            case 1:
                out[at:to] = out[at:to] * 2
            case 2 if to > at:
                out[at] ^= 1 << random.randrange(8)
            case 3:
                out[at:to] = random.choice(BYTES)
            case 4:
                out[at:to] = random.choice(NUMBERS).encode("utf-8", "replace")
            case _:
                if random.random() < 0.3:
                    del out[at:]
                elif to > at:
                    out[at] = random.randrange(256)
    return bytes(out)


VALUES: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 2.0, 2**31, 10**400, 1.5, -0.0, 1e308, "", "x" * 300, "\x00",
    "\U0001f004", "../..", [], [[]], [None], {}, {"a": {"b": []}}, "NaN", "0", "random",
)  # fmt: skip


def changed(data: Any, random: Random, depth: int = 0) -> Any:
    """An object of JSON with fields gone, added, of another type or too large."""
    if isinstance(data, dict) and data and random.random() < 0.8:
        data = dict(data)
        key = random.choice([*data, "more"])
        match random.randrange(4):
            case 0:
                data.pop(key, None)
            case 1:
                data[key] = random.choice(VALUES)
            case 2:
                data[random.choice(list(data))] = data.get(key)
            case _:
                data[key] = changed(data.get(key), random, depth + 1)
        return data
    if isinstance(data, list) and data and random.random() < 0.8:
        data = list(data)
        at = random.randrange(len(data))
        match random.randrange(4):
            case 0:
                del data[at]
            case 1:
                data.append(data[at])
            case 2:
                data[at] = random.choice(VALUES)
            case _:
                data[at] = changed(data[at], random, depth + 1)
        return data
    if isinstance(data, bool | None):
        return random.choice(VALUES)
    if isinstance(data, int) and random.random() < 0.5:
        return data + random.choice((-1, 1, 100, -(2**33), 2**63))
    return random.choice(VALUES)


def json_bytes(data: Any, random: Random) -> bytes:
    """An object as text, which may be damaged again."""
    raw = json.dumps(data, ensure_ascii=random.random() < 0.9).encode("utf-8", "surrogatepass")
    if random.random() < 0.1:
        raw = damaged(raw, random)
    if random.random() < 0.01:
        raw = b"[" * random.randrange(3000) + raw
    return raw
