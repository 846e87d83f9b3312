"""Docstrings as the pages of the reference show them: an extension of Griffe (mkdocs.yml).

Examples in docstrings are written for doctest, without a fence; Markdown would take `>>>` for a
quotation. Here each becomes a block of code.
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
