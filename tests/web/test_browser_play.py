"""The page in a real browser: every game to a legal end, four seats, lost connections, phones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tempo
from tempo.games.scene import Layout, layout

Visit = Callable[..., Any]


def touch(page: Any, *places: str) -> None:
    """Clicks on places of the board in turn, each as soon as it may be touched."""
    for place in places:
        page.locator(f'[data-place="{place}"].may').click()


def result(page: Any) -> str:
    """The words of the banner at a game's end."""
    return str(page.locator(".result b").inner_text())


def fits(page: Any) -> bool:
    """Whether nothing sticks out at the side."""
    wide = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    return bool(page.evaluate(wide))


def test_gomoku_from_the_lobby_to_five_in_a_row_and_a_rematch(visit: Visit) -> None:
    page = visit("#/new/gomoku")
    page.locator("summary", has_text="Rules").click()
    page.get_by_label("Size").fill("9")
    page.get_by_label("White", exact=True).select_option("person")
    page.get_by_role("button", name="Start the game").click()
    page.locator(".board svg").wait_for()
    assert page.locator("[data-place]").count() == 81
    for column in "abcd":
        touch(page, f"{column}1", f"{column}9")
    touch(page, "e1")
    assert result(page) == "Black wins: five in a row"
    assert page.locator(".list li").count() == 9
    page.get_by_role("button", name="Rematch").click()
    page.locator(".list li").first.wait_for(state="detached")
    touch(page, "e5")
    page.locator('[data-place="e5"][aria-label*="black stone on e5"]').wait_for()
    assert "last move" in page.locator('[data-place="e5"]').get_attribute("aria-label")
    page.get_by_role("button", name="More").click()
    page.get_by_role("dialog").get_by_role("button", name="Earlier games").click()
    with page.expect_download() as waiting:
        page.get_by_role("dialog").get_by_role("button", name="Game 1").click()
    assert "B[ai];W[aa]" in Path(waiting.value.path()).read_text()


def test_chess_is_mated_by_a_promotion_chosen_with_the_keyboard(sit: Visit) -> None:
    page = sit("chess", ["person", "random"], "7k/P7/6K1/8/8/8/8/8 w - - 0 1")
    page.locator('[data-place="a7"].may').wait_for()
    page.locator('[data-place="a8"]').focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.place") == "a7"
    page.keyboard.press("Enter")
    assert "chosen" in page.locator('[data-place="a7"]').get_attribute("aria-label")
    page.keyboard.press("Escape")
    assert "chosen" not in page.locator('[data-place="a7"]').get_attribute("aria-label")
    for key in ("Enter", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    page.get_by_role("dialog").get_by_role("button", name="Promote to queen").press("Enter")
    assert result(page).startswith("White wins: checkmate")


def test_a_piece_is_dragged_and_a_move_is_taken_back(sit: Visit) -> None:
    page = sit("chess", ["person", "random"])
    page.locator('[data-place="e2"].may').wait_for()
    page.drag_and_drop('[data-place="e2"]', '[data-place="e4"]')
    page.locator('[data-place="e4"][aria-label^="white pawn"]').wait_for()
    page.locator('[data-place="d2"].may').wait_for()  # the agent has answered
    page.get_by_role("button", name="Take back").click()
    page.locator('[data-place="e2"][aria-label^="white pawn"]').wait_for()
    assert page.locator(".list li").count() == 0


def test_shogi_is_mated_by_a_drop(sit: Visit) -> None:
    page = sit("shogi", ["person", "random"], "4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
    page.locator(".piece.wedge").first.wait_for()
    plain = page.get_by_role("button", name="Plain letters")
    if plain.get_attribute("aria-pressed") == "false":  # true at first where fonts lack characters
        plain.click()
    page.locator(".pieces", has_not_text="金").wait_for()  # the server labels pieces
    touch(page, "hand:0:gold")
    assert page.locator(".mark.target").count() > 60
    touch(page, "5b")
    assert result(page).startswith("Black wins")


def test_a_turn_of_jiu_is_made_part_by_part_to_the_end_of_the_game(sit: Visit) -> None:
    start = "x5/ox4/2xoox/1o3x/1ooo2/5x o battle 21 111"
    page = sit("jiu(size=6,shape_check=off)", ["person", "random"], start)
    status = page.locator(".status")
    touch(page, "B1", "B3")
    status.get_by_text("Jump on, or stop.").wait_for()
    assert page.get_by_role("button", name="Stop").is_visible()
    assert page.locator(".mark.target").count() >= 1  # where it may jump on is shown
    touch(page, "D3")
    status.get_by_text("You made a square").wait_for()
    assert page.locator(".mark.target").count() > 1  # what it may take, too
    touch(page, "C6")
    assert result(page).startswith("White wins")
    assert page.locator(".mark.captured").count() == 3


def test_siguo_is_won_by_taking_the_last_flag(sit: Visit) -> None:
    game = tempo.load("siguo")
    back = " ".join(f"{seat}.F@{seat}62 {seat}.2@{seat}61" for seat in "SENW")
    position: Any = game.parse(f"{back} S.2@W52 N.3@E52 turn=S")
    start = position.play("W52xW62").play("E61-E51").text
    page = sit("siguo", ["random", "random", "person", "random"], start)
    page.locator('[data-place="E52"].may').wait_for()
    boxes = [page.locator(f'[data-place="{p}"]').bounding_box()["y"] for p in ("N63", "S63")]
    assert boxes[0] > boxes[1]  # the own arm is at the bottom
    touch(page, "E52", "E62")
    assert result(page) == "South and North win: flag taken"


@pytest.mark.parametrize("way", ["drag", "touch"])
def test_siguo_is_deployed_and_line_ups_are_kept(sit: Visit, way: str) -> None:
    page = sit("siguo", ["person", "random", "random", "random"], has_touch=way == "touch")
    general = page.locator('[aria-label^="General on"]')
    home = general.get_attribute("data-place")
    other = page.locator('[aria-label^="Captain on"]').first.get_attribute("data-place")
    if way == "drag":
        page.drag_and_drop(f'[data-place="{home}"]', f'[data-place="{other}"]')
    else:
        page.locator(f'[data-place="{home}"]').tap()
        page.locator(f'[data-place="{other}"]').tap()
    page.locator(f'[data-place="{other}"][aria-label^="General on"]').wait_for()
    flag = page.locator('[aria-label^="Flag on"]').get_attribute("data-place")
    for place in (flag, other):
        page.locator(f'[data-place="{place}"]').click()
    page.get_by_text("may not stand on").wait_for()
    page.get_by_label("Name of the line-up").fill("mine")
    page.get_by_role("button", name="Save this one").click()
    page.get_by_role("button", name="Solid 2").click()
    with page.expect_response("**/api/setup*") as drawn:
        page.get_by_role("button", name="Draw one").click()
    row, column = divmod(drawn.value.json()["setup"].index("9"), 6)
    page.locator(f'[data-place="S{row + 1}{column + 1}"][aria-label^="General on"]').wait_for()
    page.reload()
    page.get_by_role("button", name="mine", exact=True).click()
    page.locator(f'[data-place="{other}"][aria-label^="General on"]').wait_for()
    page.get_by_role("button", name="Ready").click()
    page.locator('[data-place="C5"]').wait_for()
    assert "General" in page.locator(f'[data-place="{other}"]').get_attribute("aria-label")


def test_four_people_play_siguo_in_four_browsers(visit: Visit, server: Any) -> None:
    made = server.table("siguo(max_plies=4,first=S)", ["person", "open", "open", "open"])
    name = made["table"]
    pages = [visit(f"#/table/{name}", {name: list(made["tokens"].values())})]
    for seat in ("1", "2", "3"):
        guest = visit(f"#/join/{name}/{made['invites'][seat]}")
        guest.get_by_label("Your name").fill(f"Guest {seat}")
        guest.get_by_role("button", name="Take the seat").click()
        pages.append(guest)
    for page in pages:
        page.get_by_role("button", name="Ready").click()
    looker = visit(f"#/table/{name}")
    looker.locator('[data-place="C5"]').wait_for()
    for page, letter in zip(pages, "SENW", strict=True):
        front = page.locator(f'[data-place^="{letter}1"].may').first
        front.click()
        page.locator(f'[data-place^="{letter}2"].may').first.click()
    for page in [*pages, looker]:
        assert result(page).startswith("Draw")
    assert "Guest 2" in pages[0].locator(".seats.corners").inner_text()


def test_nobody_sees_hidden_ranks(visit: Visit, server: Any) -> None:
    made = server.table("siguo", ["random", "person", "open", "open"])
    name = made["table"]
    page = visit(f"#/table/{name}", {name: list(made["tokens"].values())})
    page.get_by_role("button", name="Ready").click()
    page.get_by_role("button", name="Agents take the free seats").click()
    page.locator('[data-place="C5"]').wait_for()
    page.locator(".may").first.wait_for()
    labels = page.locator("[data-place]").evaluate_all("all => all.map(a => a.ariaLabel)")
    known = [label for label in labels if "'s " in label and "hidden" not in label]
    assert 20 < len(known) <= 25
    assert all(label.startswith("east's") for label in known)
    looker = visit(f"#/table/{name}")
    looker.locator('[data-place="C5"]').wait_for()
    assert looker.locator(".piece.tile").count() > 90
    assert looker.locator(".piece.tile text").count() == 0


def test_a_lost_connection_comes_back_with_the_game(visit: Visit, server: Any) -> None:
    made = server.table("gomoku(size=9)", ["person", "open"])
    name = made["table"]
    page = visit(f"#/table/{name}", {name: list(made["tokens"].values())})
    page.get_by_role("button", name="Agents take the free seats").wait_for()
    guest = visit(f"#/join/{name}/{made['invites']['1']}")
    guest.get_by_role("button", name="Take the seat").click()
    touch(page, "e5")
    guest.locator('[data-place="e6"].may').wait_for()
    server.kill()
    for one in (page, guest):
        one.get_by_text("Connection lost").wait_for()
    server.start()
    for one in (page, guest):
        one.locator("#banner").wait_for(state="hidden")
    touch(guest, "e6")
    page.locator('[data-place="e6"][aria-label*="white stone"]').wait_for()
    touch(page, "d5")
    guest.locator('[data-place="d5"][aria-label*="black stone"]').wait_for()


def test_who_is_away_may_be_replaced_and_then_looks_on(visit: Visit, server: Any) -> None:
    made = server.table("gomoku(size=9)", ["person", "open"])
    name = made["table"]
    page = visit(f"#/table/{name}", {name: list(made["tokens"].values())})
    guest = visit(f"#/join/{name}/{made['invites']['1']}")
    guest.get_by_role("button", name="Take the seat").click()
    guest.locator(".board svg").wait_for()
    assert page.get_by_role("button", name="Let an agent play").count() == 0
    guest.goto("about:blank")
    page.get_by_role("button", name="Let an agent play for white").click()
    page.get_by_role("dialog").get_by_role("button", name="Let it play").click()
    page.get_by_text("this person may come back").first.wait_for()
    gone = visit(f"#/table/{name}", {name: ["a-token-that-opens-nothing-any-more"]})
    gone.get_by_text("Your seat was given to an agent").wait_for()
    gone.locator(".board svg").wait_for()
    assert gone.locator(".may").count() == 0


def test_a_phone_fits_every_board_and_a_finger_places_a_stone(visit: Visit, server: Any) -> None:
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    games = {name: len(tempo.load(name).seat_names) for name in tempo.games.names()}
    tables = {
        game: server.table(game, ["person", *["random"] * (seats - 1)])
        for game, seats in games.items()
    }
    kept = {made["table"]: list(made["tokens"].values()) for made in tables.values()}
    page = visit("#/", kept, **phone)
    page.get_by_role("button", name="Play Gomoku now").wait_for()
    assert fits(page)
    for game, made in tables.items():
        page.evaluate(f"location.hash = '#/table/{made['table']}'")
        title = tempo.load(game).description.face.title(tempo.load(game))
        page.locator(f'svg[aria-label="{title} board"]').wait_for()
        assert fits(page), game
    page.evaluate(f"location.hash = '#/table/{tables['gomoku']['table']}'")
    page.locator('[data-place="h8"].may').tap()  # the first stone, which is soon taken back
    page.locator('[data-place="h8"][aria-label*="black stone"]').wait_for()
    page.locator(".list li").nth(1).wait_for()
    second = next(p for p in ("a1", "a2") if page.locator(f'[data-place="{p}"].may').count())
    stone = page.locator(f'[data-place="{second}"].may')
    stone.tap()
    page.locator(".status").get_by_text(f"Touch {second} again").wait_for()
    stone.tap()
    page.locator(f'[data-place="{second}"][aria-label*="black stone"]').wait_for()


def test_a_person_gives_up_and_two_agree_on_a_draw(sit: Visit) -> None:
    page = sit("gomoku(size=9)", ["person", "random"])
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    assert result(page) == "White wins: resignation"
    both = sit("gomoku(size=9)", ["person", "person"])
    both.get_by_role("button", name="Offer draw").click()
    both.get_by_role("dialog").get_by_role("button", name="Offer draw").click()
    both.get_by_role("button", name="Accept").click()
    assert result(both).startswith("Draw")


UNREACHED = """async (places) => {
  const { neighbour } = await import("/static/js/keys.js");
  const reached = new Set([places[0]]);
  for (const place of reached) {
    for (const [x, y] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      const next = neighbour(places, place, x, y);
      if (next) reached.add(next);
    }
  }
  return places.filter((place) => !reached.has(place)).map((place) => place.id);
}"""
PRINTED = """async (layout) => {
  const { Board } = await import("/static/js/board.js");
  const board = new Board(layout);
  board.show({ board: "a b\\nc d" });
  return board.element.textContent;
}"""


def test_arrow_keys_reach_every_place_and_a_game_without_places_is_printed(visit: Visit) -> None:
    page = visit()
    for name in tempo.games.names():
        ground: Any = layout(tempo.load(name), 0).data()
        assert page.evaluate(UNREACHED, ground["places"]) == [], name
    plain = Layout("plain", "Plain", (0, 0, 0, 0), (), (), ())
    assert page.evaluate(PRINTED, plain.data()) == "a b\nc d"


def test_the_page_is_dark_or_light_as_it_is_told(visit: Visit) -> None:
    page = visit(color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Dark or light").click()
    dark = page.evaluate(ground)
    assert dark != light
    page.reload()
    page.get_by_role("button", name="Start the game").wait_for()
    assert page.evaluate(ground) == dark
    assert visit(color_scheme="dark").evaluate(ground) == dark


def access(page: Any, check: str) -> Any:
    """What a check of access.js finds on the page that is shown."""
    plain = Path(__file__).with_name("access.js").read_text().replace("export function", "function")
    return page.evaluate(f"() => {{ {plain}; return {check}(); }}")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everything_has_a_name_and_stands_out(visit: Visit, server: Any, theme: str) -> None:
    waiting = server.table("siguo", ["person", "open", "random", "random"])
    shogi = server.table("shogi", ["person", "random"])
    kept = {made["table"]: list(made["tokens"].values()) for made in (waiting, shogi)}
    page = visit("#/", kept, color_scheme=theme)
    rooms = {
        "#/": ".game", "#/new/chess": "#start", "#/replay": "textarea",
        f"#/table/{waiting['table']}": "#fill",
        f"#/table/{shogi['table']}": ".board svg", "#/study": ".analyse", "#/runs": "main h1",
    }  # fmt: skip
    for room, sign in rooms.items():
        page.evaluate(f"location.hash = '{room}'")
        page.locator(sign).first.wait_for()
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        for check in ("nameless", "faint"):
            found = access(page, check)
            assert found["count"] > 5, room
            assert found["faults"] == [], (room, check)
    page.evaluate("document.querySelector('main').innerHTML = '<button><i></i></button>'")
    assert len(access(page, "nameless")["faults"]) == 1  # the check sees what is wrong
    page.evaluate("document.querySelector('main').innerHTML = '<s class=pale>x</s>'")
    page.evaluate("document.querySelector('.pale').style.color = '#888'")
    assert len(access(page, "faint")["faults"]) == (theme == "light")
