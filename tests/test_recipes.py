"""Recipes: names, the run folder they leave, and going on after a real kill."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from tempo import recipes
from tempo.cli import app
from tempo.errors import ParseError, TempoError
from tempo.recipes import curve, demo, general
from tempo.runs import Run, toml_text

pytest.importorskip("jax", reason="needs the extra `deep`")

SEED = 4
SHORT: dict[str, Any] = {
    "ending": "KQK", "play_depth": 1, "rule": "tree_strap", "discount": 0.95, "hidden": [8],
    "optimizer": "adam", "step_size": 1e-3, "final_share": 0.1, "batch": 64, "updates": 5,
    "exploration": "0.2", "stages": [{"games": 50, "iterations": 20, "depth": 2}],
}  # fmt: skip


def command(folder: Path, *further: str) -> list[str]:
    recipe = folder.with_suffix(".toml")
    recipe.write_text(toml_text(SHORT))
    tempo = str(Path(sys.executable).with_name("tempo"))
    return [
        tempo, "train", str(recipe), "--seed", str(SEED), "--out", str(folder),
        "--device", "cpu", "--checkpoint-seconds", "0.1", *further,
    ]  # fmt: skip


def finish(folder: Path, *further: str) -> Any:
    """Runs to the end; what the command printed must be one object."""
    done = subprocess.run(
        [*command(folder, *further), "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1
    return json.loads(done.stdout)


def last_checkpoint(folder: Path) -> bytes:
    return sorted(folder.glob("checkpoint-*.safetensors"))[-1].read_bytes()


def rows_without_times(folder: Path) -> list[dict[str, Any]]:
    return [{k: v for k, v in row.items() if k != "cpu_seconds"} for row in Run.open(folder).rows()]


def test_a_killed_run_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    """kill -9 while it learns, then --resume: the same weights, optimizer and log, to the byte."""
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    here = recipes.train(SHORT, seed=SEED, out=whole, exam=recipes.EXAM)
    assert (list(here.rows())[-1]["step"], here.ledger().games) == (20, 1000)
    process = subprocess.Popen(
        command(killed), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + 60
        while not list(killed.glob("checkpoint-*.safetensors")):
            assert process.poll() is None, "it ended before it could be killed"
            assert time.monotonic() < deadline
            time.sleep(0.005)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    found = Run.open(killed).latest()
    assert found is not None
    assert found.step < 20, "killed too late to show anything"
    print(f"killed after a checkpoint of step {found.step}")
    printed = finish(killed, "--resume")
    assert (printed["last"]["step"], printed["ledger"]["games"]) == (20, 1000)
    assert last_checkpoint(killed) == last_checkpoint(whole)
    assert rows_without_times(killed) == rows_without_times(whole)
    assert len(rows_without_times(whole)) == 20


def test_a_run_leaves_what_it_did_and_what_it_cost(tmp_path: Path) -> None:
    recipe = {**SHORT, "stages": [{"games": 50, "iterations": 3, "depth": 2}]}
    seen: list[int] = []
    run = recipes.train(
        recipe, seed=SEED, out=tmp_path / "run", progress=lambda state: seen.append(state.done)
    )
    assert seen == [1, 2, 3]
    assert [row["games"] for row in run.rows()] == [50, 100, 150]
    assert run.ledger().games == 150
    assert run.ledger().gradient_steps == 15
    assert run.ledger().machines
    assert Run.open(run.folder).config == {**recipe, "seed": SEED}
    drawn = curve.draw(run)
    assert all(path.stat().st_size > 1000 for path in drawn)
    with pytest.raises(TempoError, match="already holds a run"):
        recipes.train(recipe, out=run.folder)


def test_a_finished_run_can_be_extended_but_not_changed(tmp_path: Path) -> None:
    steady = {**SHORT, "final_share": 1.0}
    short, long, other = (
        {**steady, "stages": [{"games": games, "iterations": iterations, "depth": 2}]}
        for games, iterations in ((50, 2), (50, 4), (60, 4))
    )
    recipes.train(short, seed=SEED, out=tmp_path / "a")
    recipes.train(long, out=tmp_path / "a", resume=True)
    recipes.train(long, seed=SEED, out=tmp_path / "b")
    assert last_checkpoint(tmp_path / "a") == last_checkpoint(tmp_path / "b")
    with pytest.raises(TempoError, match="extended by longer or further stages, not changed"):
        recipes.train(other, out=tmp_path / "a", resume=True)


def test_a_run_goes_on_with_what_it_began_with(tmp_path: Path) -> None:
    def wanted(learner: str = "sarsa", size: int = 4, **given: Any) -> dict[str, Any]:
        short = {"games": 2, "iterations": 2, "exam": 0, "hidden": (8,)}
        return general.recipe_of(learner, f"othello(size={size})", short | given)

    out = tmp_path / "run"
    recipes.train(wanted(depth=2), seed=SEED, out=out)
    for other, told in (
        (wanted("td"), "begun with learner=sarsa; it cannot go on with learner=td"),
        (wanted(size=6), r"begun with game=othello\(size=4\); it cannot go on with"),
        (wanted(depth=3), "begun with depth=2; it cannot go on with depth=3"),
        (wanted(hidden=(8, 8)), r"begun with hidden=\[8\]; it cannot go on with hidden=\[8, 8\]"),
    ):
        with pytest.raises(TempoError, match=told):
            recipes.train(other, out=out, resume=True)
    run = recipes.train(wanted(iterations=3), out=out, resume=True)  # the rest is as it was
    assert (run.rows()[-1]["step"], run.config["depth"]) == (3, 2)


@pytest.mark.parametrize("name", recipes.names())
def test_every_recipe_can_be_read(name: str) -> None:
    recipe = recipes.read(name)
    settings = recipes.settings_of(recipe)
    assert settings.stages if "ending" in recipe else recipe["learner"]
    assert recipes.read(name.upper()) == recipes.read(name)


def test_endings_without_a_recipe_borrow_one() -> None:
    assert "krkn" not in recipes.names()
    borrowed, pattern = recipes.read("krkn"), recipes.read("krkn-minutes")
    assert borrowed["ending"] == "KRKN"
    assert borrowed["stages"] == pattern["stages"]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nonsense", "there is no recipe 'nonsense'"),
        ("krkq", "KQKR"),
        ("/nowhere/at/all.toml", "nowhere"),
    ],
)
def test_what_is_no_recipe_is_refused(name: str, says: str) -> None:
    with pytest.raises((ParseError, OSError), match=says):
        recipes.read(name)


def test_a_damaged_recipe_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "torn.toml"
    path.write_text('ending = "KR')
    with pytest.raises(ParseError, match="damaged"):
        recipes.read(str(path))


def test_devices_that_are_not_there_are_told() -> None:
    """In a process of its own: JAX chooses once."""
    code = "from tempo import recipes; recipes.use_device('{}')"
    for device, says in (("tpu", "there are cpu and gpu"), ("gpu", "JAX finds no gpu here")):
        done = subprocess.run(
            [sys.executable, "-c", code.format(device)],
            capture_output=True, text=True, check=False,
            env={**os.environ, "CUDA_VISIBLE_DEVICES": ""},
        )  # fmt: skip
        assert done.returncode != 0
        assert says in done.stderr


def test_the_demonstration_fits_a_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a tiny recipe: every line is there, judged over all positions, 80 columns wide."""
    monkeypatch.chdir(tmp_path)
    shown = demo.Demo(seed=SEED)
    stages = [{"games": 50, "iterations": 2, "depth": 2}]
    shown.recipe = {**SHORT, "ending": "KRK", "stages": stages}
    told: list[float] = []
    run = shown.learn(lambda state, wcr: told.append(wcr))
    assert len(told) == len(shown.curve) == 2
    assert run.folder == Path("runs/krk-minute-1")
    lines = {line.key: line for line in shown.lines(run)}
    expected = {"random", "mate_in_3", "td_leaf", "td_stem", "published_td_stem", "ours"}
    assert expected <= lines.keys()
    for line in lines.values():
        assert all(figure is None or 0 <= figure <= 1.001 for figure in (line.wcr, line.we))
    random, finder = lines["random"].wcr, lines["mate_in_3"].wcr
    assert random is not None
    assert finder is not None
    assert random < 0.003
    assert 0.04 < finder < 0.08
    console = Console(width=80, record=True, file=StringIO())
    console.print(demo.table(list(lines.values())))
    console.print(curve.chart(shown.curve))
    console.print(demo.legend(shown, run, run.ledger(), compare=False))
    text = console.export_text()
    assert all(line.name in text for line in lines.values())
    assert "…" not in text
    assert max(len(line.rstrip()) for line in text.split("\n")) <= 80
    assert demo.free_folder() == Path("runs/krk-minute-2")


def test_the_chart_of_a_curve() -> None:
    drawn = curve.chart([(1.0, 0.0), (2.0, 1.0)], width=8, height=2).split("\n")
    assert drawn == [" 1.0 │      ▄█", " 0.0 │    ▄███", "     └── 2 s"]


def test_learners_import_no_game() -> None:
    folder = Path(recipes.__file__).parents[1]
    games = {path.name for path in (folder / "games").iterdir() if path.is_dir()}
    stubs = {path.stem for path in (folder / "_core").glob("*.pyi")}
    ours = {stub for stub in stubs if stub.split("_")[0] in games}
    assert {"jiu_players", "siguo", "shogi_strong"} <= ours
    for path in (folder / "learners").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in getattr(node, "names", []) if hasattr(alias, "name")]
            module = getattr(node, "module", None) or ""
            found = {part for name in [module, *names] for part in name.split(".")}
            if isinstance(node, ast.Import | ast.ImportFrom) and "tempo" in found:
                assert not found & (ours | games), f"{path.name}: {ast.unparse(node)}"


def test_a_training_of_an_ending_says_how_to_play_rate_and_plug_in_what_it_learnt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    one = {**SHORT, "stages": [{"games": 50, "iterations": 1, "depth": 1}]}
    Path("kqk.toml").write_text(toml_text(one))
    done = CliRunner().invoke(app, ["train", "kqk.toml", "--out", "run"], catch_exceptions=False)
    for line in (
        "Play it     tempo play   (and choose run)",
        "Rate it     tempo evaluate run --ending KQK",
        "Plug it in  tempo match alphabeta:depth=3,eval=run mcts --ending KQK",
    ):
        assert line in done.stdout
    plugged = ["match", "alphabeta:depth=1,eval=run", "random", "--ending", "KQK", "--games", "2"]
    assert CliRunner().invoke(app, plugged).exit_code == 0


SHORTER: dict[str, dict[str, Any]] = {
    "gomoku-critic": {"stages": [{"iterations": 1, "random_share": 0.1}]},
    "jiu-terms": {"steps": 2, "games": 2, "positions": 200},
    "siguo-ttd": {"games": 4, "report": 4},
}


@pytest.mark.parametrize("name", SHORTER)
def test_recipes_are_measured_against_random_moves_which_changes_nothing(
    name: str, tmp_path: Path
) -> None:
    recipe = recipes.read(name) | SHORTER[name]
    for games in (0, 4):
        recipes.train(recipe, seed=2, out=tmp_path / str(games), exam=games)
    measured, plain = (Run.open(tmp_path / folder) for folder in ("4", "0"))
    for row in measured.rows():
        assert 0 <= row["random_low"] <= row["random"] <= row["random_high"] <= 1
    assert not any("random" in row for row in plain.rows())
    ours, theirs = measured.trained().arrays, plain.trained().arrays
    assert {n: a.tobytes() for n, a in ours.items()} == {n: a.tobytes() for n, a in theirs.items()}
