"""Why something is refused: every sentence that a person can meet is there in both languages."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import tempo
from tempo import games, texts
from tempo.errors import ParseError
from tempo.games import editing, record_files, scene
from tempo.web import strength
from tempo.web.messages import Refused

PACKAGE = Path(tempo.__file__).parent
CORE = Path(__file__).parent.parent / "core"
HAN = re.compile("[\u4e00-\u9fff]")

# Only a program meets these: the page never asks like that. Gaps are written `_`.
PROGRAMS = {
    "_ is an object with fields, not _", "_ has no field _; its fields: _",
    "_ needs the field '_'", "a message is an object with a 'type'",
    "there is no message _; there are _", "_ bytes are too many; _ are allowed", "not JSON: _",
    "more than _ KiB; that is the most", "the connection ended before the request did",
    "send application/json", 'first say which table: {"type":"join","table":...}',
    "nothing follows from _ at a table", "there is no board yet", "there are no such places",
    "begin and mark are those of the last answer", "a shorter text",
    "a position's text is shorter than this", "a game's text is shorter than this",
    "_ has seats 0 to _", "the server alone draws the seed of a game of _",
    "_ has no endings by name", "the endings are _, not _",
}  # fmt: skip


def sentence(node: ast.expr, gap: str) -> str | None:
    """A literal or an f-string with its gaps filled; None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else gap for part in node.values]
        return "".join(map(str, parts))
    return None


def refusals() -> Iterator[ast.expr]:
    """What every `Refused(about, ...)` of the page says, names followed to what was put in them."""
    for path in sorted((PACKAGE / "web").rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        named = {
            target.id: node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(tree):
            name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Call) and name == "Refused" and len(node.args) > 1:
                said = node.args[1]
                yield named.get(said.id, said) if isinstance(said, ast.Name) else said


def test_every_refusal_that_a_person_can_meet_has_both_languages() -> None:
    found, programs = 0, set()
    with texts.speaking("zh"):
        for node in refusals():
            written = sentence(node, "_")
            if written is None:
                continue  # a text of the catalogue, or a fault: see below
            if written in PROGRAMS:
                programs.add(written)
                continue
            found += 1
            tried = [texts.refusal(str(sentence(node, gap))) for gap in ("3", "word")]
            assert any(HAN.search(one) for one in tried), written
    assert found > 60
    assert programs == PROGRAMS


def faults(name: str, tries: int) -> Iterator[str]:
    """What the rules say of boards and texts with something wrong in them."""
    rng, game = random.Random(20), games.load(name)
    editor = editing.editor_of(game)
    codes = [str(row["code"]) for row in editing.palette(game)]
    places = [place.id for place in scene.layout(game).places]
    sides = [side for side, _ in editor.SIDES]
    start = game.start(seed=1) if game.is_hidden else game.start()
    boards = [editing.placed_on(game, start), {}]
    written = [one for one in (start.text, game.description.portrait) if one]
    letters = sorted(set("".join(written))) + list("zZ9 0-/*#")
    for _ in range(tries):
        placed = dict(rng.choice(boards))
        for _ in range(rng.choice([1, 2, 5])):
            placed.pop(rng.choice(list(placed) or [""]), None)
            placed[rng.choice(places)] = (rng.choice(codes), rng.choice([1, 1, 20]))
        text = rng.choice(written)
        cut = rng.randrange(len(text))
        text = text[:cut] + rng.choice(letters) + text[cut + rng.randrange(3) :]
        for attempt in (
            lambda placed=placed: editing.composed(game, placed, rng.choice(sides)),
            lambda text=text: game.parse(text),
        ):
            try:
                attempt()
            except (ParseError, ValueError) as error:
                yield str(error)


@pytest.mark.parametrize("name", games.names())
def test_what_is_wrong_with_a_position_is_said_in_chinese(name: str) -> None:
    said = set(faults(name, 25))
    assert said
    with texts.speaking("zh"):
        for one in said:
            told = texts.refusal(one)
            left = re.sub(r"'[^']*'|[A-Z]\w*@\w+|\w+=\S*|PNBRQKpnbrqk", "", told)
            assert HAN.search(told), one
            assert not re.search("[a-z]{4,}", left), (one, told)


@pytest.mark.parametrize(
    "agent",
    ["foo", "gomoku-strong:nodes=-1", "gomoku-strong:nodes=x", "gomoku-strong:nodez=3",
     "gomoku-strong:nodes", "mcts:sims=10,sims=10", "alphabeta:depth=1000", "alphabeta:steps=foo",
     "shogi-strong", "gomoku-strong:eval=/etc/passwd", "level:name=foo", "mcts:c=nan"],
)  # fmt: skip
def test_what_is_wrong_with_an_agent_is_said_in_chinese(agent: str) -> None:
    with pytest.raises(Refused) as refused:
        strength.agent_for(games.load("gomoku"), agent)
    with texts.speaking("zh"):
        assert HAN.search(refused.value.to_json()["text"])
    assert not HAN.search(refused.value.to_json()["text"])


def test_templates_of_refusals_are_in_both_languages_and_none_is_there_for_nothing() -> None:
    english, chinese = (texts.catalogue(one, "refused") for one in ("en", "zh"))
    files = [*PACKAGE.rglob("*.py"), *CORE.rglob("*.h"), *CORE.rglob("*.cpp")]
    code = "\n".join(path.read_text("utf-8") for path in files)
    code = re.sub(r'"\s*\n\s*f?"', "", code)  # a text that goes on in the next line
    unused = []
    for key, text in english.items():
        assert HAN.search(chinese[key]) or chinese[key] == "{why}", key
        assert set(re.findall(r"\{\w+\}", chinese[key])) <= set(re.findall(r"\{\w+\}", text)), key
        # Names of numbers and rows are put together elsewhere: a run of three words is enough.
        runs = [part.split() for part in re.split(r"\{\w+\}", text)]
        three = [" ".join(run[i : i + 3]) for run in runs for i in range(max(1, len(run) - 2))]
        if not any(run.strip("'") and run.strip("'") in code for run in three):
            unused.append(key)
    assert unused == []


def test_a_very_long_refusal_is_left_as_it_is() -> None:
    with texts.speaking("zh"):
        assert texts.refusal("there is no such table") == "没有这张棋桌"
        assert texts.refusal("x" * 10_000 + " has no king") == "x" * 10_000 + " has no king"


@pytest.mark.parametrize(
    "record",
    [
        b"(;GM[4]B[aa]B[bb])", b"(;GM[4]RE[Q];B[hh])", b"siguo 1\n", b"Stage[1]:W(Z,7);B(H,8);\n",
        b'[Event "?"]\n\n1. e4 e5 2. Ke3 *\n', b"(;gm[4])", b"Piskvorky 15x15, 11:11, 0\n99,99,0\n",
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_record_is_said_in_chinese(record: bytes) -> None:
    with pytest.raises(ParseError) as fault:
        [record_files.record_of(tree) for tree in record_files.read(record)[1]]
    with texts.speaking("zh"):
        told = texts.refusal(str(fault.value))
    words = re.findall("[a-z]{4,}", re.sub(r"'[^']*'|\S*/\S*", "", told))
    assert HAN.search(told), told
    assert words == [], (str(fault.value), told)
