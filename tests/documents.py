"""What the pages of the repository hold: links, names of files, blocks of code, commands."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^```(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block: its page, its line, the words after the fence and its text."""

    page: str
    line: int
    words: tuple[str, ...]
    text: str

    @property
    def language(self) -> str:
        """The first word after the fence."""
        return self.words[0] if self.words else ""


@dataclass(frozen=True)
class Command:
    """A command as a page shows it; `whole` in a block, in a sentence it may be incomplete."""

    page: str
    line: int
    words: tuple[str, ...]
    whole: bool

    def __str__(self) -> str:
        return f"{self.page}:{self.line} {shlex.join(self.words)}"


@cache
def pages() -> tuple[str, ...]:
    """Every page that is written by hand, relative to the root."""
    found = [*ROOT.glob("*.md"), *(ROOT / "benchmarks").glob("*.md"), *ROOT.glob("docs/**/*.md")]
    names = (path.relative_to(ROOT).as_posix() for path in found)
    return tuple(sorted(name for name in names if not name.endswith("/report.md")))


@cache
def text_of(page: str) -> str:
    """A page's text."""
    return (ROOT / page).read_text()


@cache
def prose_of(page: str) -> str:
    """A page's text with its blocks blanked out; every line stays where it is."""
    return FENCE.sub(lambda found: "\n" * found[0].count("\n"), text_of(page))


def blocks(page: str) -> Iterator[Block]:
    """A page's fenced blocks."""
    text = text_of(page)
    for found in FENCE.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield Block(page, line, tuple(found[1].split()), found[2])


def spans(page: str) -> Iterator[tuple[int, str]]:
    """What stands between backticks in a page's sentences, with its line."""
    text = prose_of(page)
    for found in SPAN.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, " ".join(found[1].split())


def commands(page: str) -> Iterator[Command]:
    """The commands of a page: lines of its `sh` blocks; `tempo` and `make` in its sentences."""
    for block in blocks(page):
        if block.language != "sh":
            continue
        text = block.text.replace("\\\n", " ")
        for number, line in enumerate(text.splitlines(), block.line + 1):
            words = shlex.split(line, comments=True)
            if words and not line.startswith("{"):  # what a command prints may stand below it
                yield Command(page, number, tuple(words), whole=True)
    for number, span in spans(page):
        if re.match(r"(tempo|make) [a-z]", span):
            yield Command(page, number, tuple(shlex.split(span)), whole=False)


def anchors(page: str) -> set[str]:
    """The names by which a page's headings are linked to, as GitHub makes them."""
    plain = (re.sub(r"[`*\[\]]|\(.*?\)", "", title) for title in HEADING.findall(prose_of(page)))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in plain}
