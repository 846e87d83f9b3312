"""Docstrings and stubs as the pages of the reference show them: extensions of Griffe (mkdocs.yml).

Examples in docstrings are written for doctest, without a fence; Markdown would take `>>>` for a
quotation. Here each becomes a block of code. A stub has overloads without an implementation, which
Griffe leaves out; here they become one function with several signatures.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\s*$).*)*(?:\n\n?>>> .*(?:\n(?!\s*$).*)*)*", re.MULTILINE)


def fenced(text: str) -> str:
    """A docstring with its examples in blocks, each up to the next empty line."""
    return EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", text)


class Examples(griffe.Extension):
    """Puts the examples of every docstring into blocks."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Changes the docstring of a module, a class, a function or an attribute."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


class Overloads(griffe.Extension):
    """Gives functions that a stub has as overloads alone their place in their class."""

    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:
        """Makes a function of the overloads of each name that has nothing else."""
        for name, overloads in cls.overloads.items():
            if overloads and name not in cls.members:
                whole = griffe.Function(name, lineno=overloads[0].lineno, parent=cls)
                whole.docstring = overloads[0].docstring
                whole.parameters = overloads[0].parameters
                whole.returns = overloads[0].returns
                whole.overloads = overloads
                cls.set_member(name, whole)
