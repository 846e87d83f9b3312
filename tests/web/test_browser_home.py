"""Home and play as a player meets them: taps, sizes, reasons, notation, languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

import tempo

Visit = Callable[..., Any]
SIZES = {"desk": (1440, 900), "phone": (390, 844), "small": (360, 640), "low": (844, 390)}
FITS = """() => {
  const root = document.documentElement;
  return root.scrollWidth <= innerWidth && root.scrollHeight <= innerHeight;
}"""


# The move is made, or what was touched is marked and nothing is on its way.
ANSWERED = """before => document.querySelectorAll(".list li").length > before
  || (document.querySelector(".mark.now, .mark.ghost") && !document.querySelector(".pending"))"""
SIGUO = " ".join(f"{seat}.F@{seat}62 {seat}.2@{seat}61" for seat in "SENW") + " turn=S"


def size(name: str) -> dict[str, Any]:
    width, height = SIZES[name]
    return {"viewport": {"width": width, "height": height}, "has_touch": name != "desk"}


def bottom(page: Any, selector: str) -> float:
    """How far down the lowest of some elements reaches."""
    boxes = page.locator(selector).evaluate_all(
        "all => all.map(a => a.getBoundingClientRect().bottom)"
    )
    return float(max(boxes))


def touch(page: Any, *places: str) -> None:
    for place in places:
        page.locator(f'[data-place="{place}"].may').click()


@pytest.mark.parametrize("screen", ["desk", "phone"])
def test_every_game_is_one_tap_away_and_all_of_them_are_above_the_fold(
    visit: Visit, screen: str
) -> None:
    page = visit("#/", **size(screen))
    page.locator("[data-play]").first.wait_for()
    assert page.locator("[data-play]").count() == len(tempo.games.names())
    opponents = page.locator(".opponent").all_text_contents()
    assert all(re.fullmatch(r"vs Beginner · \d+", text) for text in opponents)
    assert bottom(page, ".game") <= SIZES[screen][1]
    assert page.evaluate(FITS)


@pytest.mark.parametrize(
    ("screen", "locale"), [("phone", "en"), ("phone", "zh-CN"), ("desk", "en")]
)
def test_games_to_be_continued_leave_every_game_above_the_fold(
    visit: Visit, server: Any, screen: str, locale: str
) -> None:
    tables = {}
    for game in ("minishogi", "siguo", "chess"):
        made = server.table(game, ["person"] + ["random"] * (tempo.load(game).seats - 1))
        tables[made["table"]] = list(made["tokens"].values())
    page = visit("#/", tables, locale=locale, **size(screen))
    page.locator("[data-play]").last.wait_for()
    names = [page.locator(f'[data-game="{one}"] h2').inner_text() for one in ("minishogi", "siguo")]
    page.evaluate(
        """names => {
          const kept = JSON.parse(localStorage.getItem('tempo.tables'));
          Object.values(kept).forEach((one, i) => { one.title = names[i % 2]; });
          localStorage.setItem('tempo.tables', JSON.stringify(kept));
        }""",
        names,
    )
    page.reload()
    page.locator("[data-play]").last.wait_for()
    assert page.locator(".continue li").count() == 3
    assert bottom(page, ".game") <= SIZES[screen][1]
    assert page.evaluate(FITS)


def test_one_tap_begins_each_game_and_the_next_move(visit: Visit) -> None:
    """A stone is placed by the second tap; a piece is moved by two, or by dragging it."""
    page = visit("#/", **size("small"))
    taps = {}
    for game in tempo.games.names():
        page.evaluate("location.hash = '#/'")
        page.locator(f'[data-play="{game}"]').tap()
        page.locator("[data-place].may").first.wait_for()
        assert page.evaluate(FITS), game
        taps[game] = 1
        before = page.locator(".list li").count()  # where the lot gave the first move to others
        while page.locator(".list li").count() == before:
            page.locator("[data-place].may").first.tap()
            taps[game] += 1
            page.wait_for_function(ANSWERED, arg=before)
        board, tools = (page.locator(one).bounding_box() for one in (".board svg", ".tools"))
        assert board["x"] >= 0, game
        assert board["y"] + board["height"] <= tools["y"], game
    stones, pieces = ("gomoku", "jiu", "othello"), ("chess", "minishogi", "shogi", "siguo")
    assert taps == {**dict.fromkeys(stones, 2), **dict.fromkeys(pieces, 3)}
    page.evaluate("location.hash = '#/'")
    page.get_by_role("link", name="Continue your game").first.click()
    page.locator(".board svg").wait_for()


def test_the_home_page_is_small_and_soon_painted(visit: Visit) -> None:
    page = visit("#/")
    page.locator(".game img").last.wait_for()
    page.wait_for_load_state("networkidle")
    weight, paint = page.evaluate(
        """() => [
          performance.getEntries().reduce((sum, one) => sum + (one.transferSize ?? 0), 0),
          performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
        ]"""
    )
    assert 20_000 < weight < 120_000
    assert 0 < paint < 2_000  # 0.2 s where nothing else runs; a busy machine is slower


def test_a_low_screen_has_the_board_beside_the_panel(sit: Visit) -> None:
    for screen in (
        {"viewport": {"width": 844, "height": 390}},
        {"viewport": {"width": 720, "height": 450}},
    ):
        page = sit("shogi", ["person", "random"], **screen)
        page.locator("[data-place].may").first.wait_for()
        board, moves = (page.locator(one).bounding_box() for one in (".board svg", ".moves"))
        assert board["x"] + board["width"] <= moves["x"]
        assert board["height"] > 0.7 * screen["viewport"]["height"]
        assert page.evaluate(FITS)


@pytest.mark.parametrize("screen", ["phone", "small"])
def test_on_a_phone_the_board_stands_between_the_plates_and_the_list_follows(
    sit: Visit, screen: str
) -> None:
    page = sit("gomoku", ["person", "person"], **size(screen))
    for place in ("a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8", "i9", "j11", "k12", "l13"):
        touch(page, place)  # by mouse: once is enough on a small board, too
        page.locator(f'[data-place="{place}"][aria-label*="last move"]').wait_for()
    board, plate, now, moves, here = (
        page.locator(one).bounding_box()
        for one in (".board svg", ".seats.below", ".now", ".moves", ".ply[aria-current]")
    )
    assert 0 <= plate["y"] - board["y"] - board["height"] < 40
    assert now["y"] >= plate["y"] + plate["height"] - 1
    assert moves["y"] <= here["y"] + 1
    assert here["y"] + here["height"] <= moves["y"] + moves["height"] + 1
    assert page.evaluate(FITS)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_result_and_its_buttons_fit_on_a_low_screen(sit: Visit, language: str) -> None:
    start = "9/9/9/9/xxxx5/oooo5/9/9/9 x"
    screen = {"viewport": {"width": 640, "height": 360}, "locale": language}
    page = sit("gomoku(size=9)", ["person", "person"], start, **screen)
    touch(page, "e5")
    page.locator("#rematch").wait_for()
    for one in (".result", "#rematch", ".result a"):
        box = page.locator(one).bounding_box()
        assert box["x"] + box["width"] <= 640
    assert page.locator(".moves .list").bounding_box()["height"] > 20


def test_a_refused_touch_says_why_and_check_is_marked(sit: Visit) -> None:
    page = sit("chess", ["person", "random"], "4k3/8/8/8/7b/8/3P4/4K3 w - - 0 1")
    page.locator(".mark.check").wait_for()
    hint = page.locator(".status .hint")
    assert "in check" in hint.inner_text()
    page.locator('[data-place="d2"]').click()
    hint.get_by_text("no move of the pawn on d2 ends that").wait_for()
    page.locator('[data-place="e8"]').click()
    hint.get_by_text("opponent's piece").wait_for()
    touch(page, "e1")
    page.locator('[data-place="e3"]').click()
    hint.get_by_text("A king cannot go there").wait_for()
    touch(page, "e1", "d1")
    page.locator(".list li").first.wait_for()


@pytest.mark.parametrize(
    ("game", "start", "pinned", "blocked"),
    [
        ("chess", "4r1k1/8/8/8/8/8/4N2P/4K1BR w - - 0 1", "e2", "h1"),
        ("shogi", "4r1k2/9/9/9/9/9/4N4/8P/4K3L b - 1", "5g", "1i"),
    ],
)
def test_a_pinned_piece_touched_alone_says_so(
    sit: Visit, game: str, start: str, pinned: str, blocked: str
) -> None:
    page = sit(game, ["person", "random"], start)
    hint = page.locator(".status .hint")
    page.locator("[data-place].may").first.wait_for()
    page.locator(f'[data-place="{pinned}"]').click()
    hint.get_by_text("is pinned: moving it leaves the king in check").wait_for()
    page.locator(f'[data-place="{blocked}"]').click()
    hint.get_by_text("is blocked: it has nowhere to go").wait_for()
    page.locator("[data-place].may").first.click()  # and after another piece
    page.locator(f'[data-place="{pinned}"]').click()
    hint.get_by_text("is pinned: moving it leaves the king in check").wait_for()


def test_promotion_is_chosen_at_the_square_with_pieces(sit: Visit) -> None:
    page = sit("chess", ["person", "random"], "7k/P7/8/8/8/8/8/K7 w - - 0 1")
    touch(page, "a7", "a8")
    dialog = page.get_by_role("dialog")
    dialog.locator("svg path").first.wait_for()
    square, box = page.locator('[data-place="a8"]').bounding_box(), dialog.bounding_box()
    assert abs(box["y"] - square["y"] - square["height"]) < 20
    dialog.get_by_role("button", name="Promote to rook").click()
    page.locator('[data-place="a8"][aria-label^="white rook"]').wait_for()
    assert page.locator(".ply").first.inner_text() == "a8=R+"


def test_moves_are_numbered_in_pairs_and_earlier_moments_are_shown(sit: Visit) -> None:
    page = sit("chess", ["person", "person"])
    for move in (("e2", "e4"), ("d7", "d5"), ("e4", "d5"), ("d8", "d5")):
        touch(page, *move)
    page.locator(".list li").nth(3).wait_for()
    assert page.locator(".list").inner_text().split() == ["1.", "e4", "d5", "2.", "exd5", "Qxd5"]
    trays = page.locator(".tray")
    assert trays.count() == 2  # a pawn of each side is lost
    page.locator(".ply").first.click()
    page.locator('[data-place="d7"][aria-label^="black pawn"]').wait_for()
    assert "Move 1 of 4" in page.locator(".status").inner_text()
    assert page.locator(".may").count() == 0
    page.get_by_role("button", name="One move on").click()
    page.locator('[data-place="d5"][aria-label^="black pawn"]').wait_for()
    page.locator("#present").click()
    page.locator('[data-place="d5"][aria-label^="black queen"]').wait_for()
    page.locator(".may").first.wait_for()


# Where pieces that fly come to, by the middle of the picture at the end of its way.
FLOWN = """() => {
  window.flown = [];
  const added = (changes) => changes.flatMap((one) => [...one.addedNodes]);
  new MutationObserver((changes) => added(changes).forEach((node) => {
    if (node.className !== "flying") return;
    const [way] = node.getAnimations();
    way.pause();
    way.currentTime = way.effect.getTiming().duration;
    const { left, top, width, height } = node.getBoundingClientRect();
    window.flown.push([left + width / 2, top + height / 2]);
    way.finish();
  })).observe(document.body, { childList: true });
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_captures_move_to_the_tray_or_into_the_hand(sit: Visit, motion: str) -> None:
    siguo = SIGUO.replace("S.2@S61", "S.9@S11 S.B@S15 E.1@E11")
    for game, start, move, goal in (
        ("chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", ("e4", "d5"), '[data-seat="black"] .tray'),
        ("shogi", "4k4/9/9/9/4p4/4P4/9/9/4K4 b - 1", ("5f", "5e"), '[data-place="hand:0:pawn"]'),
        ("siguo", siguo, ("S15", "E11"), '[data-seat="south"] .tray'),
    ):
        seats = ["person", *["random"] * (len(tempo.load(game).seat_names) - 1)]
        page = sit(game, seats, start, reduced_motion=motion)
        page.locator("[data-place].may").first.wait_for()
        page.evaluate(FLOWN)
        touch(page, *move)
        page.locator(".list li").first.wait_for()
        if motion == "reduce":
            page.locator(goal).first.wait_for()
            assert page.evaluate("flown") == []
            continue
        page.wait_for_function("() => flown.length > 0")
        box = page.evaluate(  # at once: plates are drawn anew
            "goal => document.querySelector(goal).getBoundingClientRect().toJSON()", goal
        )
        assert any(
            box["left"] <= x <= box["right"] and box["top"] <= y <= box["bottom"]
            for x, y in page.evaluate("flown")
        )
        assert len(page.evaluate("flown")) == (2 if game == "siguo" else 1)
        page.locator(".flying").first.wait_for(state="detached")


def test_the_board_is_flipped_and_the_toolbar_stays(sit: Visit) -> None:
    page = sit("shogi", ["person", "random"])
    page.locator("[data-place].may").first.wait_for()
    tools = page.locator(".tools").bounding_box()
    before = page.locator('[data-place="9i"]').bounding_box()["y"]
    page.get_by_role("button", name="Flip board").click()
    page.wait_for_function(
        "y => document.querySelector('[data-place=\"9i\"]').getBoundingClientRect().y < y - 100",
        arg=before,
    )
    touch(page, "7g", "7f")
    page.locator(".list li").nth(1).wait_for()
    assert page.locator(".tools").bounding_box() == tools
    texts = page.evaluate("[...document.querySelectorAll('.pieces text')].map(a => a.textContent)")
    kings = {"K"} if "K" in texts else {"王", "玉"}  # where fonts lack characters
    assert kings <= set(texts)
    names = page.locator(".ground .name").all_text_contents()
    assert ("a" if "K" in texts else "一") in names  # rows are named as moves are


def test_the_winning_row_is_drawn_and_the_result_is_a_sentence(sit: Visit) -> None:
    start = "9/9/9/9/xxxx5/oooo5/9/9/9 x"
    page = sit("gomoku(size=9)", ["person", "person"], start)
    page.evaluate(
        "window.heard = []; addEventListener('tempo:played', (e) => heard.push(e.detail))"
    )
    touch(page, "e5")
    page.locator(".mark.row").wait_for(state="attached")
    assert page.locator(".result b").inner_text() == "Black wins: five in a row"
    assert page.evaluate("heard") == ["won"]
    page.get_by_role("button", name="Sound").click()
    page.get_by_role("button", name="Rematch").click()
    page.locator(".list li").first.wait_for(state="detached")  # the new game has no moves yet
    touch(page, "a1", "a2")
    page.locator(".list li").nth(1).wait_for()
    assert page.evaluate("heard") == ["won"]


def test_a_premove_is_played_and_an_agent_moves_when_it_is_told(sit: Visit) -> None:
    page = sit("chess", ["person", "alphabeta:time=30"])
    touch(page, "e2", "e4")
    thought = page.locator("[data-thinking] .what")
    thought.get_by_text(re.compile("thinking….*depth")).wait_for()  # before it moves
    assert re.search(r"thinking… · expects \d+ % · depth", thought.inner_text())
    hint = page.locator(".status .hint")
    for place in ("d5", "d7"):  # empty, and foreign
        hint.get_by_text("to move").wait_for()
        page.locator(f'[data-place="{place}"]').click()
        hint.get_by_text("It is not your turn.").wait_for()
        assert page.locator(".mark.premove").count() == 0
        page.locator('[data-place="d2"]').dblclick()  # chosen and let go: it says nothing
    for place in ("d2", "d4"):
        page.locator(f'[data-place="{place}"]').click()
    hint.get_by_text("Premove").wait_for()
    assert page.locator(".mark.premove").count() == 2
    page.get_by_role("button", name="Move now").click()
    page.locator(".list li").nth(2).wait_for()
    assert page.locator(".ply").nth(2).inner_text() == "d4"
    page.locator("[data-thinking]").wait_for()
    assert page.get_by_role("button", name="Move now").is_enabled()
    page.get_by_role("button", name="Move now").click()
    page.locator(".seat .what").get_by_text("expects").wait_for()


def test_hidden_games_tell_nothing_of_what_agents_think(sit: Visit) -> None:
    page = sit("siguo(first=S)", ["person", "alphabeta:time=2", "random", "random"], SIGUO)
    touch(page, "S61", "S51")
    page.locator("[data-thinking]").wait_for()
    page.wait_for_timeout(700)
    assert page.locator("[data-thinking] .what").inner_text() == "thinking…"


def test_a_refused_touch_in_jiu_says_why(sit: Visit) -> None:
    start = "x5/ox4/2xoox/1o3x/1ooo2/5x o battle 21 111"
    page = sit("jiu(size=6,shape_check=off)", ["person", "random"], start)
    hint = page.locator(".status .hint")
    for touched, why in (
        (("A1",), "no stone of yours on A1"),
        (("B1", "C6"), "steps to a neighbouring point"),
    ):
        for place in touched:
            page.locator(f'[data-place="{place}"]').click()
        hint.get_by_text(why).wait_for()


def test_a_refused_touch_in_siguo_says_what_bars_the_way(sit: Visit) -> None:
    start = SIGUO.replace("S.2@S61", "S.9@S11 S.2@S13")
    page = sit("siguo", ["person", "random", "random", "random"], start)
    hint = page.locator(".status .hint")
    for target, why in (
        ("W33", "W33 is not on the railway: along roads a piece goes one step."),
        ("S15", "The railway is blocked by the piece on S13."),
        ("S55", "Only sappers turn corners on the railway."),
    ):
        touch(page, "S11")
        page.locator(f'[data-place="{target}"]').click()
        hint.get_by_text(why).wait_for()


def test_pieces_are_put_up_on_a_small_phone_without_scrolling(sit: Visit) -> None:
    page = sit("siguo", ["person", "random", "random", "random"], **size("small"))
    page.locator("#ready").wait_for()
    assert page.evaluate(FITS)
    assert bottom(page, ".deploy button") <= SIZES["small"][1]
    assert bottom(page, ".deploy svg") <= SIZES["small"][1]
    shut = "(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)"
    assert page.evaluate(f"{shut}(document.querySelector('.deploy'))")
    page.get_by_role("button", name="Ranks").click()
    assert page.get_by_role("dialog").locator(".ranks tr").count() == 12


def test_ranks_stand_beside_the_pieces_that_are_put_up(sit: Visit) -> None:
    page = sit("siguo", ["person", "random", "random", "random"], **size("desk"))
    last = page.locator(".deploy .ranks tr").nth(11)
    last.wait_for()
    assert "Flag" in last.inner_text()
    assert bottom(page, ".deploy .ranks tr") <= SIZES["desk"][1]
    assert page.locator(".deploy .legend").is_hidden()
    chess = sit("chess", ["person", "random"])
    chess.locator("[data-place].may").first.wait_for()
    assert chess.get_by_role("button", name="Ranks").count() == 0


@pytest.mark.parametrize("screen", ["small", "low"])
def test_who_is_away_in_siguo_may_be_replaced_on_a_phone(
    visit: Visit, server: Any, screen: str
) -> None:
    made = server.table("siguo", ["person", "open", "random", "random"])
    name = made["table"]
    seat = {"invite": made["invites"]["1"], "name": "Guest"}
    taken = server.post(f"/api/tables/{name}/join", seat)["token"]
    page = visit(f"#/table/{name}", {name: list(made["tokens"].values())}, **size(screen))
    guest = visit(f"#/table/{name}", {name: [taken]})
    for one in (page, guest):
        one.get_by_role("button", name="Ready").click()
    guest.locator('[data-place="C5"]').wait_for()
    guest.close()
    change = page.get_by_role("button", name="Let an agent play for east, who is away")
    change.wait_for()
    box, plate = page.evaluate(  # at once: plates are drawn anew
        """() => ['[data-seat="east"] .change', '[data-seat="east"]']
          .map((one) => document.querySelector(one).getBoundingClientRect().toJSON())"""
    )
    assert min(box["width"], box["height"]) >= 24  # what a finger meets
    assert box["right"] <= plate["right"]
    change.click()
    page.get_by_role("dialog").get_by_role("button", name="Let it play").click()
    page.get_by_text("this person may come back").first.wait_for()


def test_a_flag_that_falls_has_its_moment(sit: Visit) -> None:
    page = sit("siguo", ["person", "random", "random", "random"], f"S.2@W52 {SIGUO}")
    touch(page, "W52", "W62")
    page.locator(".moment", has_text="West is out of the game").wait_for()
    assert page.locator('[data-seat="west"][data-out]').count() == 1


def test_a_piece_is_dragged_by_a_finger(sit: Visit) -> None:
    page = sit("chess", ["person", "random"], **size("phone"))
    page.locator('[data-place="e2"].may').wait_for()
    boxes = [page.locator(f'[data-place="{place}"]').bounding_box() for place in ("e2", "e4")]
    start, end = ({"x": b["x"] + b["width"] / 2, "y": b["y"] + b["height"] / 2} for b in boxes)
    middle = {"x": start["x"], "y": (start["y"] + end["y"]) / 2}
    finger = page.context.new_cdp_session(page)
    for kind, points in (
        ("touchStart", [start]),
        ("touchMove", [middle]),
        ("touchMove", [end]),
        ("touchEnd", []),
    ):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    page.locator('[data-place="e4"][aria-label^="white pawn"]').wait_for()


def test_guesses_stay_in_the_browser_and_ranks_have_a_legend(sit: Visit) -> None:
    page = sit("siguo", ["person", "random", "random", "random"], SIGUO)
    page.locator('[data-place="S61"].may').wait_for()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    page.locator('[data-place="E61"]').click()
    dialog = page.get_by_role("dialog")
    assert dialog.get_by_role("button").count() == 14  # twelve kinds, none, and the way out
    dialog.get_by_role("button").nth(9).click()
    page.locator(".tile .guess").wait_for()
    assert sent == []
    page.reload()
    page.locator(".tile .guess").wait_for()
    page.get_by_role("button", name="Ranks").click()
    page.locator(".ranks tr").first.wait_for()
    assert page.locator(".ranks tr").count() == 12
    assert page.locator(".ranks tr").first.inner_text().split()[-5:] == [
        "司令",
        "Ge",
        "General",
        "×",
        "1",
    ]
    page.get_by_role("button", name="Close").click()
    touch(page, "S61", "S51")
    page.locator(".mark.arrow").wait_for()


def test_the_page_speaks_chinese_by_the_browser_and_by_hand(visit: Visit, server: Any) -> None:
    page = visit("#/", locale="zh-CN")
    page.get_by_role("button", name="立即开始五子棋").click()
    page.locator('[data-place="h8"].may').click()
    page.locator(".list li").nth(1).wait_for()
    page.locator('[data-place="h8"]').click()
    page.locator(".status .hint").get_by_text("h8 已有棋子。").wait_for()
    assert page.locator('[data-place="h8"]').get_attribute("aria-label").startswith("h8 的黑子")
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    page.get_by_role("button", name="认输").click()
    page.get_by_role("dialog").get_by_role("button", name="认输").click()
    assert page.locator(".result b").inner_text() == "白方胜：对方认输"
    page.get_by_label("语言").select_option("en")
    page.get_by_role("button", name="Rematch").wait_for()
    page.reload()
    assert page.locator(".result b").inner_text() == "White wins: resignation"


def test_shogi_speaks_japanese(sit: Visit) -> None:
    page = sit("shogi", ["person", "random"], locale="ja-JP")
    page.locator("[data-place].may").first.wait_for()
    assert page.locator("html").get_attribute("lang") == "ja"
    letters = page.locator("#letters")
    if letters.get_attribute("aria-pressed") == "true":  # where fonts lack characters
        letters.click()
        page.locator(".pieces text", has_text="歩").first.wait_for()  # drawn anew
    assert page.locator('[data-place="7g"]').get_attribute("aria-label") == "７七 先手 歩, possible"
    touch(page, "7g", "7f")
    page.locator(".list li").nth(1).wait_for()
    assert page.locator(".ply").first.inner_text() == "☗７六歩"


def test_a_game_with_a_turn_of_several_moves_says_its_stage_and_counts(sit: Visit) -> None:
    start = "x5/ox4/2xoox/1o3x/1ooo2/5x o battle 21 111"
    page = sit("jiu(size=6,shape_check=off)", ["person", "random"], start)
    page.locator(".stage-name").wait_for()
    assert page.locator(".stage-name").inner_text() == "Battle"
    assert [one.inner_text() for one in page.locator(".seat .count").all()] == [
        "6 stones",
        "7 stones",
    ]
    touch(page, "B1", "B3", "D3")
    page.locator(".mark.shape").first.wait_for()
    assert page.locator(".list .number").all_inner_texts() == ["1"]
