"""`tempo export`: what a run has learnt, as a file that agents read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import load
from short_runs import RUNS
from typer.testing import CliRunner

import tempo
from tempo import agents, recipes, weights
from tempo._core import endings as core_endings
from tempo.cli import app
from tempo.errors import ParseError, TempoError
from tempo.games.jiu import library_sgf
from tempo.nets import plain
from tempo.recipes import endings
from tempo.recipes.exports import export
from tempo.recipes.learners import KINDS
from tempo.runs import Run


def trained(learner: str, folder: Path) -> Run:
    if KINDS[learner].deep:
        pytest.importorskip("jax")
    return recipes.train(RUNS[learner][0], seed=5, out=folder / "run")


@pytest.mark.parametrize("learner", KINDS)
def test_every_learner_exports_what_it_has_learnt_the_same_every_time(
    learner: str, tmp_path: Path
) -> None:
    run = trained(learner, tmp_path)
    path, about = export(run.folder, games=2)
    assert path.parent == run.folder
    assert json.loads(path.with_suffix(".json").read_text()) == json.loads(json.dumps(about))
    assert about["seed"] == about["recipe"]["seed"] == 5
    assert about["bytes"] == path.stat().st_size > 0
    assert about["ledger"]["games"] >= 0
    again, _ = export(run.folder, tmp_path / "again.file", games=2)
    assert again == tmp_path / f"again{path.suffix}"
    assert again.read_bytes() == path.read_bytes()
    if path.suffix == ".sgf":
        assert len(library_sgf.load(path)) == about["placements"] > 0
        return
    found = load(path.read_bytes())
    assert RUNS[learner][1] <= set(found)
    assert all(np.isfinite(array).all() for array in found.values())


def test_an_exported_critic_plays_as_its_run(tmp_path: Path) -> None:
    run = trained("adp", tmp_path)
    path, about = export(run.folder, games=2)
    assert path.name == "critic-patterns.safetensors"
    assert about["figures"]["random"]["games"] == 2
    position = tempo.load("gomoku").start().play("h8")
    choices = []
    for source in (run.folder, path):
        agent = agents.load(f"critic:weights={source}")
        agent.reset(1)
        choices.append(agent.choose(position).move)
    assert choices[0] == choices[1]


def test_the_command_says_which_recipe_it_was(tmp_path: Path) -> None:
    run = trained("tree_strap", tmp_path)
    figures = tmp_path / "figures.json"
    figures.write_text('{"score": 0.75}')
    words = ["export", str(run.folder), "--figures", str(figures), "--json"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["figures"] == {"score": 0.75}
    assert found["command"] == "tempo train run --seed 5"  # no recipe of ours: its folder's name
    shipped = Run(tmp_path / "copy", {**recipes.read("siguo-q"), "seed": 5})
    short = recipes.train(RUNS["truncated"][0], seed=5, out=shipped.folder)
    Run.create(tmp_path / "whole", shipped.config).release()
    for file in short.folder.glob("checkpoint-*"):
        (tmp_path / "whole" / file.name).write_bytes(file.read_bytes())
    _, about = export(tmp_path / "whole", games=2)
    assert about["command"] == "tempo train siguo-q --seed 5"


def test_runs_without_a_checkpoint_have_nothing_to_export(tmp_path: Path) -> None:
    Run.create(tmp_path / "run", {**recipes.read("siguo-q"), "seed": 1}).release()
    with pytest.raises(TempoError, match="has no checkpoint yet"):
        export(tmp_path / "run")


# ---- weights in few bits -------------------------------------------------------------------------


def a_network() -> dict[str, NDArray[Any]]:
    random = np.random.default_rng(1)
    shapes = {"layers[0]": (7, 65), "layers[1]": (1, 7), "convolutions[0]": (3, 2, 3, 3)}
    found = {}
    for name, shape in shapes.items():
        found[f"network.{name}.weight"] = random.normal(size=shape).astype(np.float32)
        found[f"network.{name}.bias"] = random.normal(size=shape[0]).astype(np.float32)
    found["network.layers[0].weight"][2] = 0  # a row that knows nothing
    return found


@pytest.mark.parametrize("bits", [8, 9, 11, 13, 16])
def test_weights_in_few_bits_are_off_by_half_a_step_at_most(bits: int) -> None:
    exact = a_network()
    before, after = plain.read(exact), plain.read(plain.narrowed(exact, bits))
    pairs = zip(
        (*before.layers, *before.convolutions), (*after.layers, *after.convolutions), strict=True
    )
    for (weight, bias), (narrow, same) in pairs:
        rows = weight.reshape(len(weight), -1)
        step = np.abs(rows).max(axis=1, keepdims=True) / (2 ** (bits - 1) - 1)
        assert (np.abs(rows - narrow.reshape(rows.shape)) <= 0.51 * step).all()
        assert (bias == same).all()


@pytest.mark.parametrize(
    ("name", "wrong", "said"),
    [
        ("scale", np.ones(6, np.float32), "7 rows of weights"),
        ("scale", np.full(7, np.nan, np.float32), "not finite"),
        ("more", np.zeros(3, np.uint8), "3 bytes of further bits"),
        ("more", np.zeros((7, 65), np.uint8), "bytes of further bits"),
    ],
)
def test_damaged_weights_in_few_bits_are_refused(name: str, wrong: NDArray[Any], said: str) -> None:
    narrow = plain.narrowed(a_network(), 10) | {f"network.layers[0].{name}": wrong}
    with pytest.raises(ParseError, match=said):
        plain.read(narrow)


@pytest.mark.parametrize("ending", ["KRK", "KPK"])
def test_what_no_position_shows_is_left_out_and_no_value_changes(ending: str) -> None:
    family = core_endings.Family(ending)
    shown = family.features_of(np.arange(len(family), dtype=np.int32))
    random, width = np.random.default_rng(1), 64 * shown[0].shape[1] + shown[1].shape[1]
    exact = {
        f"network.layers[{i}].{part}": random.normal(size=shape).astype(np.float32)
        for i, rows, columns in ((0, 5, width), (1, 1, 5))
        for part, shape in (("weight", (rows, columns)), ("bias", rows))
    }
    fewer = endings.without_unseen(exact, family)
    zeros = np.flatnonzero((fewer["network.layers[0].weight"] == 0).all(axis=0))
    assert len(zeros) > 0.4 * width
    assert (plain.read(exact)(*shown) == plain.read(fewer)(*shown)).all()
    for i in range(width):
        if i not in zeros:  # taking out any other would show
            assert _ever(i, *shown), i


def _ever(i: int, planes: NDArray[np.uint64], numbers: NDArray[np.float32]) -> bool:
    """Whether an input is anything but 0 in some position, looked at by itself."""
    plane, square = divmod(i, 64)
    if plane >= planes.shape[1]:
        return bool(numbers[:, i - 64 * planes.shape[1]].any())
    return bool((planes[:, plane] >> np.uint64(square) & np.uint64(1)).any())


@pytest.mark.parametrize("ending", ["KRK", "KQK", "KPK", "KQKR", "KBBK", "KBNK"])
def test_what_ships_leaves_out_what_no_position_shows(ending: str) -> None:
    file = Path(weights.__file__).parent / f"{ending.lower()}.safetensors"
    layer = plain.read(load(file.read_bytes())).layers[0][0]
    seen = endings.inputs_seen(core_endings.Family(ending))
    assert not layer[:, ~seen].any()
    assert layer[:, seen].any(axis=0).all()


def test_as_few_bits_are_taken_as_keep_the_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    found, the_run = {8: 0.9, 9: 0.99996, 10: 1.0}, cast("Any", "the run")
    tried: list[int] = []

    def narrowed(arrays: object, bits: int) -> int:
        tried.append(bits)
        return bits

    def figures(arrays: Any, *_: object) -> dict[str, float | None]:
        return {"wcr": found.get(arrays, exact), "lhs": None}

    monkeypatch.setattr(plain, "narrowed", narrowed)
    monkeypatch.setattr(endings, "_figures", figures)
    exact = 1.0
    narrowest: Any = endings.narrowest  # `narrowed` gives bits here
    assert narrowest(the_run, {}, 1) == (10, {"wcr": 1.0, "lhs": None})
    exact = 0.99999
    assert narrowest(the_run, {}, 1) == (9, {"wcr": 0.99996, "lhs": None})
    assert tried == [8, 9, 10, 8, 9]
