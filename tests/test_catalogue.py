"""The catalogues of texts: no key is missing in a language, none is unused, gaps are the same."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import tempo
from tempo import games, texts
from tempo.games.description import STEPS
from tempo.games.exercises import exercises
from tempo.games.scene import face_of, layout, scene
from tempo.learners.registry import kinds
from tempo.nets.registry import NETS
from tempo.web.runs_found import WORDS

PACKAGE = Path(tempo.__file__).parent
ROOT = Path(__file__).parent.parent
PAGE = PACKAGE / "web" / "static"
PARTS = ("", "learn", "study")
# t("key"), data-t="key", and keys with a part that is known later: t(`new.clock.${x}`).
CALL = re.compile(r"\bt\(\s*(f?)([\"'`])([a-z]\w*(?:\.[^\"'`]+)?)\2")
HTML = re.compile(r"data-t(?:-label|-title)?=\"([^\"]+)\"")
QUOTED = re.compile(r"[\"'`]([a-z]\w*\.[\w.]+)[\"'`]")
GROUP = re.compile(r"\bword\(\s*\"(\w+)\"")


@cache
def sources() -> str:
    """All code that may use a text."""
    files = [*PACKAGE.rglob("*.py"), *PAGE.rglob("*.js"), *PAGE.rglob("*.html")]
    return "\n".join(path.read_text("utf-8") for path in sorted(files))


def used() -> Iterator[re.Pattern[str]]:
    """Every key that the code asks for; a part that is known later stands for any word."""
    code = sources()
    for _, _, key in CALL.findall(code):
        parts = re.split(r"\$?\{[^}]*\}", key)
        yield re.compile(r"[\w.-]+".join(map(re.escape, parts)))
    for key in HTML.findall(code):
        yield re.compile(re.escape(key))
    for group in GROUP.findall(code):
        yield re.compile(rf"{group}\..+")


def families() -> dict[str, set[str]]:
    """Keys with a part that the code learns from data, and which there are: no other may be."""
    found: dict[str, set[str]] = {f"learn.{kind}": set() for kind in ("group", "task")}
    found |= {kind: set() for kind in ("option", "choice", "profile", "rules")}
    found["level"] = {f"level.{name}" for name in STEPS}
    for name in games.names():
        game = games.load(name)
        tutorial = {f"learn.{name}.{one.id}" for one in exercises(name, "tutorial")}
        found[f"learn.{name}"] = tutorial | {f"{key}.done" for key in tutorial}
        found["rules"] |= {f"rules.{name}.{one.id}" for one in exercises(name, "rules")}
        for kind in ("group", "task"):
            groups = {one.group for one in exercises(name, "practice")}
            found[f"learn.{kind}"] |= {f"learn.{kind}.{name}.{group}" for group in groups}
        found["level"] |= {f"level.{one.name}" for one in game.description.levels}
        found["profile"] |= {f"profile.{one}" for one in game.description.profiles or {}}
        seats = {seat[0].upper() for seat in game.seat_names}
        for one in game.option_fields:
            found["option"].add(f"option.{one.name}")
            choices = one.choices.split(", ") if " to " not in one.choices else []
            words = [word for word in choices if not word.isdigit() and word not in seats]
            found["choice"] |= {f"choice.{word}" for word in words}
    return found


def known(language: str) -> dict[str, str]:
    """All texts of a language, of every part."""
    return {key: text for part in PARTS for key, text in texts.catalogue(language, part).items()}


def own(language: str) -> dict[str, str]:
    """Those that its own files have."""
    english = known("en")
    return {key: text for key, text in known(language).items() if text != english[key]}


def gaps(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def test_every_key_that_is_asked_for_is_there_and_every_key_there_is_asked_for() -> None:
    keys = set(known("en"))
    patterns = {pattern.pattern: pattern for pattern in used()}.values()
    missing = [p.pattern for p in patterns if not any(p.fullmatch(key) for key in keys)]
    assert missing == []
    quoted = set(QUOTED.findall(sources()))  # a key may be chosen before it is asked for
    asked = {key for key in keys if key in quoted or any(p.fullmatch(key) for p in patterns)}
    assert sorted(key for key in keys - asked if not key.startswith("core.")) == []
    for family, names in families().items():
        found = {key for key in keys if key.startswith(f"{family}.")}
        # A choice may have a word of its own for one option (`choice.hq.two`).
        assert {re.sub(r"^choice\.\w+\.", "choice.", key) for key in found} == names, family


SAME: set[str] = set()  # the same in every language


def test_chinese_says_everything_and_japanese_the_words_of_its_games() -> None:
    english, chinese = known("en"), own("zh")
    assert sorted(english.keys() - chinese.keys() - SAME) == []
    assert known("zh").keys() == english.keys()
    spoken = [key for key in english if key.startswith(("shogi.", "game.shogi", "game.minishogi"))]
    assert sorted(set(spoken) - own("ja").keys()) == []


def test_every_stored_figure_has_a_caption_and_every_caption_a_figure() -> None:
    stored = ROOT.glob("docs/papers/*/*.svg")
    figures = {f"caption.{path.parent.name}.{path.stem}" for path in stored}
    assert figures == {key for key in known("en") if key.startswith("caption.")}


def test_learners_networks_and_reasons_of_verdicts_are_said_in_chinese() -> None:
    words = [kind.summary for kind in kinds().values()] + [about for about, _ in NETS.values()]
    for stored in ROOT.glob("docs/papers/*/answer.json"):
        words += [row["reason"] for row in json.loads(stored.read_text())["rows"] if row["reason"]]
    assert len(words) > 100
    with texts.speaking("zh"):
        assert [one for one in words if texts.translated(one) == one] == []


def test_claims_of_papers_are_said_in_chinese() -> None:
    rows = [
        row
        for path in ROOT.glob("docs/papers/*/answer.json")
        for row in json.loads(path.read_text())["rows"]
    ]
    assert len(rows) > 300
    with texts.speaking("zh"):
        said = {texts.translated(row["claim"], "claims") for row in rows}
    names = re.compile(
        r"(ST-Gomoku|Sarsa|Metropolis|TD-Leaf|TD-Stem|ε_greedy|uct-1600|Adam|log|Elo)"
    )
    assert sorted(one for one in said if re.search(r"[a-z]{2,}", names.sub("", one))) == []
    assert texts.catalogue("zh", "claims").keys() == texts.catalogue("en", "claims").keys()
    # Two claims stay two claims.
    assert len(said) == len({row["claim"] for row in rows})


NAMES = re.compile(
    r"ADP|HMCTS|UCT|WCR|WE|LHS|K[RQ]K|CPU|Elo|DQN|SST\d|RIST|TTD|SGD|Adam|Sarsa|Metropolis|TD-Leaf"
    r"|TD-Stem|ST-Gomoku|ε_greedy|own_turn|negamax|ab-10000|uct-1600|I[IV]+"
)


def test_words_of_stored_figures_are_said_in_chinese() -> None:
    """Every word of every drawing has a Chinese one, and no template is there for nothing."""
    words = set()
    for path in ROOT.glob("docs/papers/*/*.svg"):
        words |= {html.unescape(found[1]) for found in WORDS.findall(path.read_text("utf-8"))}
    assert len(words) > 150
    with texts.speaking("zh"):
        said = {one: texts.translated(one, "figures") for one in words}
    left = [one for one in said.values() if re.search(r"[A-Za-z]{2,}", NAMES.sub("", one))]
    assert sorted(left) == []
    english, chinese = (texts.catalogue(tongue, "figures") for tongue in ("en", "zh"))
    assert english.keys() == chinese.keys()
    for key, text in english.items():
        assert gaps(text) == gaps(chinese[key]), key


@pytest.mark.parametrize("language", ["zh", "ja"])
def test_gaps_and_forms_are_the_same(language: str) -> None:
    english = known("en")
    for key, text in own(language).items():
        assert gaps(text) <= gaps(english[key]), key
        if not key.startswith("core."):
            assert gaps(text) >= gaps(english[key]) - {"piece"}, key
        assert text.count("|") == english[key].count("|"), key


def test_a_text_has_a_form_for_one_and_speaks_within_its_context_alone() -> None:
    assert texts.t("othello.discs", n=1) == "1 disc"
    with texts.speaking("zh"):
        assert texts.t("othello.discs", n=2) == "2 子"
        assert texts.translated("h8 is occupied") == "h8 已有棋子"
        assert texts.translated("no template fits this") == "no template fits this"
    assert texts.t("othello.discs", n=2) == "2 discs"
    assert [texts.chosen(tag) for tag in ("zh-TW,en;q=0.5", "fr,ja;q=0.8", "xx", "")] == [
        "zh", "ja", "en", "en",
    ]  # fmt: skip


FLAGS = "S.F@S62 E.F@E62 N.F@N62 W.F@W62 turn=S"
# What players try and the rules refuse, and a word of the reason in each language.
REFUSED = [
    ("gomoku", "15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 o", ["h8"], "occupied", "已有棋子"),
    ("chess", "", ["e2", "e5"], "cannot go there", "走不到"),
    ("chess", "", ["a1"], "rook on a1 is blocked", "无路可走"),
    ("chess", "4k3/8/8/8/8/8/8/3K1N1r w - - 0 1", ["f1"], "knight on f1 is pinned", "牵制"),
    ("chess", "4k3/8/8/8/7b/8/3P4/4K3 w - - 0 1", ["d2"], "king is in check, and no", "不能解将"),
    ("chess", "7k/5R2/8/6K1/8/p7/8/8 b - - 0 1", ["h8"], "every free square", "控制之下"),
    ("chess", "4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1", ["e2", "d2"], "king in check", "将军"),
    ("chess", "", ["e7"], "opponent's", "对方"),
    ("shogi", "4k4/9/9/9/9/9/4P4/9/4K4 b P 1", ["hand:0:pawn", "5e"], "pawn of black", "二步"),
    ("shogi", "4k4/9/9/9/9/9/9/9/4K4 b P 1", ["hand:0:pawn", "3a"], "never move", "永远不能动"),
    ("shogi", "", ["8h"], "bishop on ８八 is blocked", "无路可走"),
    ("shogi", "4k4/4r4/9/9/9/9/4N4/9/4K4 b - 1", ["5g"], "knight on ５七 is pinned", "牵制"),
    ("shogi", "4k4/9/9/9/9/9/9/4r4/4K4 b P 1", ["hand:0:pawn"], "dropping the pawn", "不能解将"),
    ("shogi", "4k4/9/9/9/9/9/9/9/4K4 b p 1", ["hand:1:pawn"], "opponent's hand", "对方的持驹"),
    ("shogi", "4k4/P8/9/9/9/9/9/9/r3K4 b - 1", ["9b", "9a"], "king in check", "将军"),
    ("minishogi", "r3k/5/5/5/K4 b G 1", ["hand:0:gold", "1b"], "king in check", "将军"),
    ("jiu", "", ["A1"], "first two stones", "最初两子"),
    ("jiu(size=6)", "xo4/ox4/6/6/6/oo4 x battle 0 0", ["A1"], "neither step nor jump", "既不能走"),
    ("jiu(size=6)", "xo4/ox4/6/6/6/oo4 x battle 0 0", ["B2", "E4"], "neighbouring", "相邻"),
    ("jiu(size=6)", "xo4/ox4/6/6/6/oo4 x battle 0 0", ["F1"], "no stone of yours", "没有你的"),
    ("othello", "", ["a1"], "enclose nothing", "夹不住"),
    ("siguo", "S.F@S62 S.M@S61 S.2@S11 E.F@E62 E.2@E11 N.F@N62 N.2@N11 W.F@W62 W.2@W11 turn=S",
     ["S61", "S51"], "do not move", "不能走"),
    ("siguo", "S.F@S62 S.2@S11 E.F@E62 E.2@E22 N.F@N62 N.2@N11 W.F@W62 W.2@W11 turn=S",
     ["S11", "E22"], "camp", "行营"),
    ("siguo", f"S.9@S11 {FLAGS}", ["S11", "W33"], "W33 is not on the railway", "不在铁路上"),
    ("siguo", f"S.9@S33 {FLAGS}", ["S33", "S11"], "S33 is not on the railway", "不在铁路上"),
    ("siguo", f"S.9@S11 {FLAGS}", ["S11", "S55"], "Only sappers turn", "只有工兵"),
    ("siguo", f"S.9@S11 S.2@S13 E.2@S14 {FLAGS}", ["S11", "S15"], "by the piece on S13", "S13"),
    ("siguo", f"S.1@S11 S.2@S12 W.2@W15 E.2@C7 S.2@S21 {FLAGS}", ["S11", "E15"],
     "Every way to E15", "都被挡住"),
    ("siguo", f"S.9@S51 S.2@S41 S.2@S52 S.2@S61 S.3@S42 {FLAGS}", ["S51"], "nowhere", "无路可走"),
    ("siguo(rail_straight=three_steps)", f"S.9@S11 {FLAGS}", ["S11", "S51"], "three steps", "三步"),
    ("siguo(c5_stop=no)", f"S.9@C2 {FLAGS}", ["C2", "C5"], "stop in the middle", "正中"),
    ("siguo(camps=own)", f"S.9@E21 {FLAGS}", ["E21", "E22"], "another seat", "别家"),
    ("siguo(bomb_flag=forbidden)", f"S.B@E52 {FLAGS}", ["E52", "E62"], "headquarters", "大本营"),
    ("siguo(rail_exit=camps_and_back)", f"S.9@S13 {FLAGS}", ["S13", "S23"], "back row", "后排"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "start", "touches", "english", "chinese"), REFUSED)
def test_a_refused_touch_says_why(
    game: str, start: str, touches: list[str], english: str, chinese: str
) -> None:
    rules = tempo.load(game)
    position = rules.parse(start) if start else rules.start()
    view = position.view(position.turn)
    said = face_of(view).why_not(view, touches)
    assert english in said
    assert said[0].isupper() or said[1].isdigit()
    assert said.endswith(".")
    assert "(" not in said
    with texts.speaking("zh"):
        assert chinese in face_of(view).why_not(view, touches)


def test_a_piece_of_siguo_that_goes_back_and_forth_is_told_why_not_again() -> None:
    position: Any = tempo.load("siguo(repetition=shuttle,first=S)").start(seed=3)
    goes = ["S11-C7", "E11-C9", "N11-C3", "W11-C1"]
    for times in range(8):
        for text in goes:
            start, end = text.split("-")
            position = position.play(text if times % 2 == 0 else f"{end}-{start}")
    face = face_of(position)
    assert "fifth time" in face.why_not(position.view(0), ["S11", "C7"])
    with texts.speaking("zh"):
        assert "第五次" in face.why_not(position.view(0), ["S11", "C7"])


def test_shogi_calls_its_squares_as_moves_are_written() -> None:
    """Labels and refusals said 7g beside moves such as ７六歩."""
    game = tempo.load("shogi")
    start: Any = game.start()
    face = face_of(start)
    for plain, square, other in ((False, "７七", "５五"), (True, "7g", "5e")):
        with texts.speaking("en", plain=plain):
            labels = {place.id: place.label for place in layout(game, 0).places}
            assert labels["7g"] == square
            assert face.why_not(start, ["5e"]) == f"There is no piece on {other}."
            pieces = {piece.place: piece.label for piece in face.pieces(start, 0)}
            assert pieces["7g"] == f"black pawn on {square}"
            shown = "7g7f" if plain else "７六歩"
            assert shown in scene(start.play("7g7f"), 0, [(start, start.parse_move("7g7f"))]).said
        with texts.speaking("zh", plain=plain):
            assert face.why_not(start, ["5e"]) == f"{other} 上没有棋子。"
