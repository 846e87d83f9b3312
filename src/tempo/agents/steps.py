"""The steps of alpha-beta as one setting: `steps=aspiration+late:60+malus`.

A step without a number has its usual one; `all` stands for every step, `none` for no step.
"""

from __future__ import annotations

from tempo import _core
from tempo.errors import ParseError, quoted, unknown

MOST = 1000


def steps_of(text: str) -> dict[str, int]:
    """The numbers by name; ParseError if one is no step.

    >>> steps_of("aspiration:15+malus")
    {'aspiration': 15, 'malus': 1}
    """
    usual = _core.alpha_beta_steps
    steps: dict[str, int] = {}
    for part in [] if text == "none" else text.split("+"):
        name, colon, number = part.partition(":")
        if name == "all" and not colon:
            steps.update(usual)
        elif name not in usual:
            raise unknown("step", name, ["none", "all", *usual])
        elif colon and not (number.isascii() and number.isdigit() and int(number) <= MOST):
            raise ParseError(f"{name} takes a number from 0 to {MOST}, not {quoted(number)}")
        else:
            steps[name] = int(number) if colon else usual[name]
    return steps
