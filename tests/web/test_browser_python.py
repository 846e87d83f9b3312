"""Games written in Python in a real browser: played to the end, saved, and stepped through."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tempo
from tempo.games import registry

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
GIVEN = [word for name in ("nim", "breakthrough") for word in ("--game", f"{EXAMPLES / name}.py")]

Visit = Callable[..., Any]


def enter(page: Any, move: str) -> None:
    """Makes a move with its button, or by touching its squares."""
    page.locator(".under button, .board [data-place].may").first.wait_for()
    if page.locator(".under button").count():
        page.locator(f'.under [data-move="{move}"]').click()
        return
    for place in (move[:2], move[2:]):
        page.locator(f'[data-place="{place}"].may').click()


def play(page: Any, position: Any) -> list[str]:
    """Plays the first legal move whenever it is the first seat's turn; gives all moves."""
    made: list[str] = []
    while not position.is_over:
        if position.turn == 0:
            enter(page, position.move_text(position.legal_moves[0]))
        listed = page.locator(".list li").nth(len(made))
        listed.wait_for()
        made.append(listed.inner_text().removeprefix(str(len(made) + 1)).strip())
        position = position.play(made[-1])
    return made


@pytest.mark.parametrize(
    ("name", "size"), [("nim", (390, 844)), ("breakthrough", (1440, 900))], ids=str
)
def test_a_game_in_python_is_played_saved_and_studied(
    visit: Visit, own_games: None, name: str, size: tuple[int, int]
) -> None:
    game = tempo.load(registry.from_file(str(EXAMPLES / f"{name}.py")))
    page = visit(f"#/new/{game.name}", viewport={"width": size[0], "height": size[1]})
    page.get_by_label(f"Strength of {game.seat_names[1].capitalize()}").fill("0")
    page.get_by_role("button", name="Start the game").click()
    moves = play(page, game.start())
    assert " wins: " in page.locator(".result b").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="More").click()
        page.get_by_role("dialog").get_by_role("button", name="Download").click()
    saved = Path(waiting.value.path())
    assert saved.read_text().splitlines()[3 : 3 + len(moves)] == moves
    page.evaluate("location.hash = '#/replay'")
    page.set_input_files("input[type=file]", saved)
    status = page.locator(".desk .status")
    status.get_by_text("to move").wait_for()
    page.keyboard.press("End")
    status.get_by_text(" wins: ").wait_for()
    shown = page.locator(".ply").all_inner_texts()
    assert all(text.endswith(move) for text, move in zip(shown, moves, strict=True))
    with page.expect_download() as waiting:
        page.click('[data-format="txt"]')
    assert Path(waiting.value.path()).read_text() == saved.read_text()
