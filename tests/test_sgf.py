"""SGF for any game: what is read, what is refused and why, and that writing undoes reading."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutations import mutated
from sgfmill.sgf import Sgf_game
from sgfmill.sgf_grammar import parse_sgf_game

import tempo
from tempo.errors import ParseError
from tempo.games.gomoku.sgf import tree_of
from tempo.games.record import Record
from tempo.records import sgf
from tempo.records.sgf import Limits, Node, Tree, node
from tempo.records.sgf_values import escape, unescape

IDENTS = ("B", "W", "C", "AB", "VN", "QV", "JO", "PW", "LONGNAME")
TEXTS = st.text(alphabet=st.sampled_from("ab]\\:[();\n\r\t é久🂡\v\f "), max_size=12) | st.text(
    max_size=12
)
VALUES = TEXTS | st.tuples(TEXTS, TEXTS)


@st.composite
def nodes(draw: st.DrawFn) -> Node:
    idents = draw(st.lists(st.sampled_from(IDENTS), max_size=4, unique=True))
    return node(*((ident, draw(st.lists(VALUES, min_size=1, max_size=3))) for ident in idents))


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    root = draw(nodes())
    found = [Node((("FF", ("4",)), *root.properties)), *draw(st.lists(nodes(), max_size=12))]
    parents = [-1, *(draw(st.integers(0, i)) for i in range(len(found) - 1))]
    return Tree.arranged(found, parents)


@given(st.lists(trees(), min_size=1, max_size=3))
def test_reading_undoes_writing(written: list[Tree]) -> None:
    text = sgf.write(written)
    again = sgf.read(text)
    assert again == tuple(written)
    assert sgf.write(again) == text


@given(TEXTS)
def test_a_text_survives_but_for_its_kind_of_white_space(text: str) -> None:
    plain = text.replace("\r\n", "\n").replace("\n\r", "\n").replace("\r", "\n")
    for blank in "\t\v\f\0":
        plain = plain.replace(blank, " ")
    (tree,) = sgf.read(sgf.write(Tree.line([node(("FF", "4"), ("C", text))])))
    if "\n\r" not in text:  # which breaks pair up is then a matter of taste
        assert tree.root.text("C") == plain


@given(TEXTS, TEXTS)
def test_composed_values_come_apart_again(first: str, second: str) -> None:
    (tree,) = sgf.read(sgf.write(Tree.line([node(("FF", "4"), ("JO", [(first, second)]))])))
    expected = tuple(unescape(escape(part)) for part in (first, second))
    assert tree.root.pairs("JO") == (expected,)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (r"a\]b", "a]b"),
        (r"a\\b", r"a\b"),
        (r"a\:b", "a:b"),
        ("12:30", "12:30"),
        (r"\a\b", "ab"),
        ("one\\\ntwo", "onetwo"),
        ("one\\\r\ntwo", "onetwo"),
        ("one\r\ntwo\rthree\nfour", "one\ntwo\nthree\nfour"),
        ("one\\\\\ntwo", "one\\\ntwo"),  # an escaped backslash, then a line break that stays
        ("a\tb", "a b"),
        ("a\\\tb", "a b"),
        ("(;)", "(;)"),
        ("", ""),
    ],
)
def test_values_mean_what_ff4_says(value: str, text: str) -> None:
    (tree,) = sgf.read(f"(;FF[4]C[{value}])")
    assert tree.root.text("C") == text
    (again,) = sgf.read(sgf.write(tree))
    assert again == tree


def test_structure_is_kept_and_needless_brackets_are_not() -> None:
    text = "(;FF[4]\n;B[aa](;W[ab];B[ac])(;W[bb](;B[cc])(;B[dd]))(;W[ee](;B[ff])))"
    (tree,) = sgf.read(text)
    assert tree.parents == (-1, 0, 1, 2, 1, 4, 4, 1, 7)
    assert [len(children) for children in tree.children()] == [1, 3, 1, 0, 2, 0, 0, 1, 0]
    assert sgf.write(tree) == (
        "(;FF[4]\n;B[aa]\n(;W[ab];B[ac])\n(;W[bb]\n(;B[cc])\n(;B[dd]))\n(;W[ee];B[ff]))\n"
    )
    assert not tree.is_line
    assert Tree.line(tree.nodes).is_line


def test_several_games_in_a_file() -> None:
    text = "\ufeff (;FF[4])\n\n(;FF[4];B[aa])  "
    assert [len(tree.nodes) for tree in sgf.read(text)] == [1, 2]
    with pytest.raises(ParseError, match=r"line 3, column 2: a second game of 2"):
        sgf.read_one(text)


def test_long_lines_break_between_nodes() -> None:
    text = sgf.write(Tree.line([node(("FF", "4")), *(node(("B", "aa")) for _ in range(50))]))
    assert max(len(line) for line in text.splitlines()) <= sgf.LINE_WIDTH
    assert len(text.splitlines()) == 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: found the end of the text; expected a game"),
        ("hello", "line 1, column 1: found 'h'; expected a game"),
        ("()", "line 1, column 2: found ')'; expected a node"),
        ("(;FF[4]", "expected ')' to close the '(' of line 1, column 1"),
        ("(;FF[4])\n(;FF[4]\n(;B[aa])", "expected ')' to close the '(' of line 2, column 1"),
        ("(;FF[4]\n;B)", "line 2, column 3: found ')'; expected a value of B"),
        ("(;FF[4]\n  ;B[aa]W[bb]B[cc])", "line 2, column 14: found 'B'; expected B once"),
        ("(;FF[4];B[aa", "a value without its property, or one that never ends"),
        ("(;FF[4];[aa])", "a value without its property, or one that never ends"),
        ("(;FF[4];b[aa])", "found 'b'; expected ';', '(' or ')', or a property in capital letters"),
        ("(;FF[4](;B[aa]);W[bb])", "found ';'; expected '(' or ')' after a variation"),
        ("(;FF[4]))", "line 1, column 9: found ')'; expected a game"),
        ("(;FF[4]) x", "line 1, column 10: found 'x'; expected a game"),
        ("(;B[aa])", "FF[]; expected FF[4] in the root"),
        ("(;FF[3])", "FF[3]; expected FF[4] in the root"),
        ("(;FF[4][4])", "FF has 2 values; expected one"),
        ("(;FF[4]CA[gb2312])", "CA[gb2312]; expected CA[UTF-8]"),
        ("(;FF[4]\r\n\r\n;SZ[14])", "line 3, column 1: SZ belongs in the first node"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(ParseError) as refused:
        sgf.read(text)
    assert message in str(refused.value)


def test_composed_values_need_one_colon() -> None:
    (tree,) = sgf.read(r"(;FF[4]JO[a\:b][a:b:c])")
    with pytest.raises(ParseError, match=r"line 1, column 2: .* is not composed"):
        tree.root.pairs("JO")


def test_no_depth_overflows_and_limits_hold() -> None:
    deep = "(;FF[4]" + "(;B[aa](;W[bb])" * 9_999 + ")" * 10_000
    (tree,) = sgf.read(deep, Limits(depth=20_000))
    assert len(tree.nodes) == 1 + 2 * 9_999
    assert sgf.read(sgf.write(tree)) == (tree,)
    with pytest.raises(ParseError, match="at most 9 variations inside each other"):
        sgf.read(deep, Limits(depth=9))
    with pytest.raises(ParseError, match="at most 100 nodes"):
        sgf.read(deep, Limits(nodes=100))
    with pytest.raises(ParseError, match="the limit is 100"):
        sgf.read(deep, Limits(characters=100))
    with pytest.raises(ParseError, match="expected a node"):
        sgf.read("(" * 100_000)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Tree((), ()),
        lambda: Tree((node(),), (0,)),
        lambda: Tree((node(), node(), node(), node()), (-1, 0, 0, 1)),
        lambda: Tree.arranged([node(), node()], [-1, -1]),
        lambda: Tree.arranged([node(), node()], [-1, 1]),
        lambda: Tree.arranged([], []),
        lambda: node(("b", "aa")),
        lambda: node(("B", [])),
        lambda: node(("B", "aa"), ("B", "bb")),
        lambda: sgf.write([]),
    ],
)
def test_trees_that_make_no_sense_are_refused(wrong: object) -> None:
    assert callable(wrong)
    with pytest.raises(ParseError):
        wrong()


def test_files_are_utf8(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    tree = Tree.line([node(("FF", "4"), ("PW", "格登甲木措"))])
    sgf.write_file(path, tree)
    assert sgf.read_file(path) == (tree,)
    path.write_bytes("(;FF[4]C[é])".encode("latin-1"))
    with pytest.raises(ParseError, match="is not UTF-8: byte 9"):
        sgf.read_file(path)


FUZZED = (
    "(;FF[4]CA[UTF-8]GM[140]SZ[14]RU[jiu:seed]PL[W];W[gg];B[hh](;W[hg];B[gh])(;W[aa]C[a\\]b\\\nc]))",
    "(;FF[4]AB[aa][bb]JO[a:b][c\\:d:e])\n(;FF[4];B[ig-gg*ge];W[ih-hh])",
)
PIECES = (
    "(",
    ")",
    ";",
    "[",
    "]",
    "\\",
    ":",
    "B",
    "FF[4]",
    "[]",
    "\n",
    "\0",
    "é",
    "(;",
    "))",
    "\\]",
)


@pytest.mark.parametrize("seed", range(2))
def test_damaged_files_are_refused_or_read_but_never_crash(seed: int) -> None:
    stream = random.Random(seed)
    refused = 0
    for _ in range(4_000):
        text = mutated(stream.choice(FUZZED), PIECES, stream)
        try:
            found = sgf.read(text)
        except ParseError:
            refused += 1
            continue
        written = sgf.write(found)
        assert sgf.read(written) == found
        assert sgf.write(sgf.read(written)) == written
    assert 1_000 < refused < 4_000


@settings(max_examples=200)
@given(st.text(alphabet=st.sampled_from("();[]\\:ABF4 \n"), max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(ParseError):
        sgf.read(text)


# ---- sgfmill, which knows SGF but no game of ours ------------------------------------------------


@given(trees())
def test_sgfmill_reads_what_we_write(tree: Tree) -> None:
    def laid_out(part: Any) -> list[dict[str, list[str]]]:
        own = [
            {ident: [value.decode() for value in values] for ident, values in found.items()}
            for found in part.sequence
        ]
        return own + [each for child in part.children for each in laid_out(child)]

    text = sgf.write(tree)
    ours = [{ident: [*values] for ident, values in one.properties} for one in tree.nodes]
    assert laid_out(parse_sgf_game(text.encode())) == ours


def test_sgfmill_replays_a_game_of_gomoku() -> None:
    moves = ["h8", "j9", "g7", "a15", "o1"]
    position, numbers = tempo.load("gomoku").start(), []
    for move in moves:
        numbers.append(position.parse_move(move))
        position = position.play(move)
    text = sgf.write(tree_of(Record("gomoku", tuple(numbers))))
    read = Sgf_game.from_bytes(text.encode())
    points = [node.get_move() for node in read.get_main_sequence()][1:]
    assert read.get_size() == 15
    assert [colour for colour, _ in points] == ["b", "w", "b", "w", "b"]
    letters = "abcdefghijklmno"
    assert [f"{letters[column]}{row + 1}" for _, (row, column) in points] == moves
