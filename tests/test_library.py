"""Opening libraries: out of a table, into a file and back, looked up, merged, pruned, shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from tempo._core.jiu_preparation import Preparation
from tempo._core.tables import ValueTable
from tempo.cli import app
from tempo.errors import ParseError
from tempo.games.jiu import library_sgf
from tempo.games.jiu import sgf as jiu
from tempo.games.jiu.library import EMPTY_BOARD, By, Library, Node, from_table
from tempo.learners.fast.tabular import Settings, Tabular
from tempo.records import sgf

HEAD = "(;FF[4]CA[UTF-8]GM[140]AP[Tempo:jiu-rules/1.0]SZ[14]RU[jiu:seed]PL[W]"
TEXT = f"""{HEAD}
;W[gg]VN[90]QV[0.5];B[hh]VN[90]QV[-0.25]
(;W[hg]VN[60]QV[0.75];B[gh]VN[60]QV[0])
(;W[gf]VN[30]QV[-1]C[Too early.]))
"""


def library_of(text: str) -> Library:
    return library_sgf.from_tree(sgf.read_one(text))


def text_of(library: Library) -> str:
    return sgf.write(library_sgf.to_tree(library))


def point(text: str) -> int:
    return 14 * (ord(text[0]) - ord("A")) + int(text[1:]) - 1


def points(text: str) -> list[int]:
    return [point(word) for word in text.split()]


# ---- files ---------------------------------------------------------------------------------------


def test_a_library_is_read_and_written_as_it_was(tmp_path: Path) -> None:
    library = library_of(TEXT)
    assert len(library) == 5
    assert library.games == 90
    assert library.nodes[3] == Node(2, point("G8"), 60, 0.75)
    assert library.nodes[5] == Node(2, point("F7"), 30, -1.0, "Too early.")
    library_sgf.save(library, tmp_path / "a.sgf")
    assert (tmp_path / "a.sgf").read_text() == TEXT
    assert library_sgf.load(tmp_path / "a.sgf") == library


def test_the_records_of_jiu_replay_a_library() -> None:
    steps = list(jiu.replay(library_sgf.to_tree(library_of(TEXT))))
    assert len(steps) == 5
    assert steps[2].position.text == "14/14/14/14/14/14/6oo6/7x6/14/14/14/14/14/14 x prep"


def test_children_are_written_by_value() -> None:
    swapped = TEXT.replace("QV[0.75]", "QV[-7.5]")
    written = text_of(library_of(swapped))
    assert written.index("W[gf]") < written.index("W[hg]")
    assert library_of(written).best(points("G7 H8")) == point("F7")


def test_headers_stay() -> None:
    library = library_of(TEXT.replace("PL[W]", "GN[Sarsa]GC[160,000 games: seed 1]PL[W]"))
    assert library.headers == {"GN": "Sarsa", "GC": "160,000 games: seed 1"}
    assert library_of(text_of(library)) == library


@st.composite
def libraries(draw: st.DrawFn) -> Library:
    nodes = [EMPTY_BOARD]
    lines: list[list[int]] = [[]]
    ends = points("G7 H8")
    for _ in range(draw(st.integers(0, 25))):
        parent = draw(st.integers(0, len(nodes) - 1))
        line = lines[parent]
        where = draw(st.sampled_from(ends) if len(line) < 2 else st.integers(0, 195))
        if where in line or any(n.parent == parent and n.point == where for n in nodes):
            continue
        value = draw(st.integers(-(10**9), 10**9)) / 10_000
        comment = draw(st.text("a:]\\\n é", max_size=4).map(str.strip))
        nodes.append(Node(parent, where, draw(st.integers(1, 10**6)), value, comment))
        lines.append([*line, where])
    return Library("jiu", nodes)


def as_lines(library: Library) -> dict[tuple[int, ...], tuple[int, float, str]]:
    """A library without the order of its nodes."""
    lines: list[tuple[int, ...]] = [()]
    for node in library.nodes[1:]:
        lines.append((*lines[node.parent], node.point))
    return {
        line: (node.visits, node.value, node.comment)
        for line, node in zip(lines[1:], library.nodes[1:], strict=True)
    }


@given(libraries())
def test_writing_and_reading_are_inverse(library: Library) -> None:
    back = library_of(text_of(library))
    assert as_lines(back) == as_lines(library)
    assert text_of(back) == text_of(library)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (f"{HEAD};W[gg]QV[1])", r"line 1, column \d+: VN\[\]; expected how often"),
        (f"{HEAD};W[gg]VN[0]QV[1])", r"VN\[0\]; expected how often"),
        (f"{HEAD};W[gg]VN[2.5]QV[1])", r"VN\[2.5\]; expected how often"),
        (f"{HEAD};W[gg]VN[2])", r"QV\[\]; expected what it is worth"),
        (f"{HEAD};W[gg]VN[2]QV[nan])", r"QV\[nan\]; expected what it is worth"),
        (f"{HEAD};W[gg]VN[2]QV[1e3])", r"QV\[1e3\]; expected what it is worth"),
        (f"{HEAD};W[aa]VN[2]QV[1])", "aa among the first two; expected the ends"),
        (f"{HEAD};B[gg]VN[2]QV[1])", "B in a library; expected W, VN, QV"),
        (f"{HEAD};W[gg]VN[2]QV[1];W[hh]VN[2]QV[1])", "W in a library; expected B"),
        (f"{HEAD};W[gg]VN[2]QV[1];B[gg]VN[2]QV[1])", "gg is filled already"),
        (f"{HEAD};W[gg-hg]VN[2]QV[1])", "'gg-hg' is no point; expected two letters a to n"),
        (f"{HEAD};VN[2]QV[1])", "'' is no point"),
        (f"{HEAD};W[gg]VN[2]QV[1]TM[3])", "TM in a library"),
        (f"{HEAD}(;W[gg]VN[2]QV[1])(;W[gg]VN[2]QV[1]))", "gg twice after the same placements"),
        (f"{HEAD.replace('140', '1')};W[gg]VN[2]QV[1])", "GM"),
        (f"{HEAD}AB[aa]JT[prep])", "."),
        (f"{HEAD}){HEAD})", "a second game of 2"),
    ],
)
def test_what_is_no_library_is_refused(wrong: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "wrong.sgf").write_text(wrong)
    with pytest.raises(ParseError, match=message) as error:
        library_sgf.load(tmp_path / "wrong.sgf")
    assert "wrong.sgf: " in str(error.value)


# ---- looking up ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sequence", "by", "best"),
    [
        ("", "sequence", "G7"),
        ("G7 H8", "sequence", "G8"),
        ("G7 H8 G8", "sequence", "H7"),
        ("G7 H8 G8 H7", "sequence", None),  # out of the library
        ("G7 H8 A1", "sequence", None),
        ("G7 H8 H7", "sequence", None),
        ("G7 H8 H7", "symmetry", "G8"),  # transposed
        ("H8 G7", "symmetry", "H7"),  # half a turn, or the other diagonal
        ("H8 G7 G8", "symmetry", "H7"),  # anti-transposed
        ("H8 G7 H7", "symmetry", "G8"),
        ("G7 H8 A1", "symmetry", None),
        ("H8 G7", "sequence", None),
    ],
)
def test_the_best_placement(sequence: str, by: By, best: str | None) -> None:
    found = library_of(TEXT).best(points(sequence), by)
    assert found == (None if best is None else point(best))


def test_positions_are_known_whatever_led_to_them() -> None:
    # White F6 then E6, Black J5 between; asked after E6, J5: F6 leads to the same stones.
    library = Library(
        "jiu",
        [
            EMPTY_BOARD,
            Node(0, point("G7"), 50, 1.0),
            Node(1, point("H8"), 50, 1.0),
            Node(2, point("F6"), 50, 1.0),
            Node(3, point("J5"), 50, 1.0),
            Node(4, point("E6"), 20, 3.0),
            Node(4, point("J9"), 30, 2.0),
        ],
    )
    assert library.best(points("G7 H8 E6 J5"), "sequence") is None
    assert library.best(points("G7 H8 E6 J5"), "symmetry") is None
    assert library.known(points("G7 H8 E6 J5"), "position") == [Node(4, point("F6"), 20, 3.0)]
    # Transposed: E6 is F5, F6 stays, J5 is E10.
    assert library.best(points("G7 H8 F5 E10"), "position") == point("F6")
    both = library.known(points("G7 H8 F6 J5"), "position")
    assert [node.point for node in both] == points("E6 J9")
    assert library.best(points("G7 H8 A1 J5"), "position") is None


def test_of_several_images_the_most_visited_speaks() -> None:
    library = Library(
        "jiu",
        [
            EMPTY_BOARD,
            Node(0, point("G7"), 9, 0.0),
            Node(1, point("H8"), 9, 0.0),
            Node(2, point("G8"), 3, 0.0),
            Node(2, point("H7"), 6, 0.0),
            Node(3, point("A1"), 3, 0.0),
            Node(4, point("B1"), 6, 0.0),
        ],
    )
    assert library.best(points("G7 H8 G8"), "sequence") == point("A1")
    assert library.best(points("G7 H8 G8"), "symmetry") == point("A2")  # B1 transposed


def test_an_unknown_lookup_is_refused() -> None:
    unknown: Any = "colour"
    with pytest.raises(ParseError, match="there are sequence, symmetry, position"):
        library_of(TEXT).best([], unknown)


# ---- changing ------------------------------------------------------------------------------------


def test_merging_adds_visits_and_averages_values() -> None:
    other = f"""{HEAD};W[gg]VN[10]QV[1.5];B[hh]VN[10]QV[0]
(;W[hg]VN[20]QV[0];B[ab]VN[1]QV[2])(;W[gf]VN[30]QV[-1]C[Bold.])(;W[na]VN[4]QV[0.125]))"""
    merged = as_lines(library_of(TEXT).merged(library_of(other)))
    start = tuple(points("G7 H8"))
    assert merged[start[:1]] == (100, 0.6, "")  # (90 * 0.5 + 10 * 1.5) / 100
    assert merged[start] == (100, -0.225, "")
    assert merged[(*start, point("G8"))] == (80, 0.5625, "")
    assert merged[(*start, point("F7"))] == (60, -1.0, "Too early.\nBold.")
    assert merged[(*start, point("A14"))] == (4, 0.125, "")
    assert (*start, point("G8"), point("B1")) in merged
    assert len(merged) == 7


@given(libraries(), libraries())
def test_merging_either_way_gives_the_same_tree(a: Library, b: Library) -> None:
    one, two = as_lines(a.merged(b)), as_lines(b.merged(a))
    assert {line: entry[:2] for line, entry in one.items()} == {
        line: entry[:2] for line, entry in two.items()
    }
    assert one.keys() == as_lines(a).keys() | as_lines(b).keys()


def test_libraries_of_other_rules_do_not_merge() -> None:
    small = library_of(TEXT.replace("SZ[14]", "SZ[8]").replace("gg", "dd").replace("hh", "ee"))
    with pytest.raises(ParseError, match=r"jiu and jiu\(size=8\) do not merge"):
        library_of(TEXT).merged(small)


def test_pruning_by_visits_and_by_depth() -> None:
    library = library_of(TEXT)
    assert len(library.pruned()) == 5
    assert sorted(as_lines(library.pruned(visits=60)).values()) == [
        (60, 0.0, ""),
        (60, 0.75, ""),
        (90, -0.25, ""),
        (90, 0.5, ""),
    ]
    assert len(library.pruned(stones=2)) == 2
    assert len(library.pruned(visits=91)) == 0
    # What is below something pruned goes with it, however often it was tried.
    odd = library_of(TEXT.replace("W[hg]VN[60]", "W[hg]VN[6]"))
    assert len(odd.pruned(visits=10)) == 3


# ---- from a table --------------------------------------------------------------------------------


def learnt(keys: str) -> ValueTable:
    learner = Tabular(Preparation(50, keys=keys), Settings(games=3000, parallel=50), seed=2)
    while not learner.done:
        learner.iterate()
    return learner.table


def test_a_library_holds_all_that_was_tried_often_enough() -> None:
    table = learnt("sequence")
    library = from_table(table, Preparation, visits=10)
    _, _, visits = table.entries()
    assert len(library) == np.count_nonzero(visits >= 10)
    assert library.games == 3000
    assert sorted(node.visits for node in library.nodes[1:]) == sorted(visits[visits >= 10])
    # A line chosen from it leads to the same value in the table.
    line: list[int] = []
    while (best := library.best(line)) is not None:
        line.append(best)
    assert len(line) > 5
    game = Preparation(1)
    where = {int(p): move for move, p in enumerate(game.points)}
    for i, placed in enumerate(line):
        value, count = table.read(game.next_keys()[0, where[placed]].reshape(1))
        number = library.find(line[: i + 1])
        assert number is not None
        assert library.nodes[number].visits == count[0]
        assert library.nodes[number].value == pytest.approx(float(value[0]), abs=1e-4)
        game.play(np.array([where[placed]]))
    assert library_of(text_of(library)) == library_of(text_of(library_of(text_of(library))))


def test_a_library_of_positions_holds_each_once() -> None:
    table = learnt("position")
    library = from_table(table, lambda games: Preparation(games, keys="position"), visits=10)
    _, _, visits = table.entries()
    assert 0.9 * np.count_nonzero(visits >= 10) <= len(library) <= np.count_nonzero(visits >= 10)
    first = library.known(points("G7 H8"), "position")
    assert len(first) > len(library.children[2])  # symmetric placements are written once
    assert first[0].value == library.nodes[library.children[2][0]].value


# ---- the command line ----------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "a.sgf").write_text(TEXT)
    (tmp_path / "b.sgf").write_text(TEXT.replace("[60]", "[40]"))
    return tmp_path / "a.sgf", tmp_path / "b.sgf"


def run(*arguments: str | Path) -> str:
    result = CliRunner().invoke(app, ["library", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_show(files: tuple[Path, Path]) -> None:
    shown = run("show", files[0])
    assert shown.splitlines()[0] == "a.sgf: jiu, 5 placements, 4 deep, from 90 games"
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert [line.split() for line in shown.splitlines()[2:]] == [
        ["white", "G7", "90", "0.50"],
        ["black", "H8", "90", "-0.25"],
        ["white", "G8", "60", "0.75"],
        ["white", "F7", "30", "-1.00"],
    ]
    assert "and 1 more" in run("show", files[0], "--width", "1")
    after = run("show", files[0], "--moves", "g7 H8 G8", "--depth", "1")
    assert after.splitlines()[-1].split() == ["black", "H7", "60", "0.00"]
    assert "after g7 H8 G8" in after


def test_show_as_json(files: tuple[Path, Path]) -> None:
    found = json.loads(run("show", files[0], "--moves", "G7 H8", "--depth", "2", "--json"))
    assert found["nodes"] == 5
    assert found["after"] == ["G7", "H8"]
    assert [placement["point"] for placement in found["next"]] == ["G8", "F7"]
    assert found["next"][0]["next"][0]["point"] == "H7"
    assert found["others"] == 0


def test_merge_and_prune(files: tuple[Path, Path], tmp_path: Path) -> None:
    run("merge", *files, "-o", tmp_path / "both.sgf")
    both = library_sgf.load(tmp_path / "both.sgf")
    assert both.games == 180
    told = json.loads(
        run("prune", tmp_path / "both.sgf", "--visits", "100", "-o", tmp_path / "c.sgf", "--json")
    )
    assert told["nodes"] == len(library_sgf.load(tmp_path / "c.sgf")) == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "a.sgf", "--moves", "G7 H8 A1"], "a.sgf does not know G7 H8 A1"),
        (["show", "a.sgf", "--moves", "Z9"], "'Z9' is no point; expected A1 to N14"),
        (["show", "a.sgf", "--moves", "G"], "'G' is no point"),
        (["show", "none.sgf"], "none.sgf"),
        (["merge", "a.sgf", "b.sgf", "-o", "b.sgf"], "b.sgf exists; choose another name"),
        (["prune", "a.sgf", "-o", "b.sgf"], "b.sgf exists; choose another name"),
    ],
)
def test_wrong_requests_change_nothing(
    files: tuple[Path, Path], arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files[0].parent)
    before = files[1].read_text()
    result = CliRunner().invoke(app, ["library", *arguments])
    assert result.exit_code != 0
    assert message in str(result.exception)
    assert files[1].read_text() == before
    forced = [*arguments, "--force"] if "-o" in arguments else None
    if forced:
        run(*forced)
        assert files[1].read_text() != before
