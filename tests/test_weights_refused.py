"""Weights of runs and files that are whole but wrong, or no weights at all, as agents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import save

import tempo
from tempo import agents
from tempo.errors import ParseError, TempoError
from tempo.ledger import Ledger
from tempo.runs import Checkpoint, Run

SPECS = {
    "shogi-strong:nodes=50,eval={}": "shogi",
    "gomoku-strong:nodes=50,eval={}": "gomoku",
    "siguo-strong:sims=5,eval={}": "siguo",
    "siguo-strong:sims=5,tells={}": "siguo",
    "critic:weights={}": "gomoku",
    "adp-hmcts:playouts=1,weights={}": "gomoku",
    "endgame:weights={}": "chess",
    "siguo-q:weights={}": "siguo",
    "jiu-bayes:tables={}": "jiu",
    "jiu-sarsa:library={}": "jiu",
    "{}": "gomoku",
}
Arrays = dict[str, NDArray[Any]]


def net(inputs: int, hidden: int, value: float = 0.0) -> Arrays:
    first = np.full((inputs, hidden), value, np.float32)
    row = np.zeros(hidden, np.float32)
    return {"first": first, "bias": row, "second": row, "last": np.zeros(1, np.float32)}


ARRAYS: dict[str, Arrays] = {
    "nothing": {},
    "a number": {"weights": np.array(1.0, np.float32)},
    "a table": {"weights": np.zeros((3, 3), np.float32)},
    "too few": {"weights": np.zeros(3, np.float32)},
    "whole numbers": {"weights": np.zeros(5, np.int64)},
    "no numbers": {"weights": np.full(100, np.nan, np.float32)},
    "a small net": net(3, 4),
    "an empty net": net(0, 0),
    "a net of nothing": net(274, 0),
    "a net without numbers": net(274, 4, np.nan),
    "a net beyond numbers": net(274, 4, np.inf),
    "a layer": {"network.layers[0].weight": np.zeros((3, 3), np.float32)},
    "the tenth layer": {"network.layers[9].bias": np.zeros(3, np.float32)},
}


def view_of(game: str) -> Any:
    position: Any = tempo.load(game).start()
    if game == "gomoku":
        position = position.play("h8").play("h9")
    if game == "chess":
        position = tempo.load(game).parse("8/8/8/4k3/8/8/8/K1R5 w - - 0 1")
    return position.view(position.turn)


def fault(spec: str, game: str) -> str:
    try:
        agents.load(spec).choose(view_of(game))
    except (ParseError, TempoError) as error:
        return str(error)
    return ""


@pytest.mark.parametrize("spec", SPECS)
def test_runs_of_wrong_weights(tmp_path: Path, spec: str) -> None:
    """A missing array was a KeyError, one of another shape a TypeError of several lines."""
    for number, arrays in enumerate(ARRAYS.values()):
        learner = ("truncated", "adp", "search_td")[number % 3] if spec == "{}" else "truncated"
        config = {"learner": learner, "ending": "KRK", "inputs": "stations"}
        run = Run.create(tmp_path / str(number), config)
        run.save(Checkpoint(1, arrays, {}), Ledger())
        said = fault(spec.format(run.folder), SPECS[spec])
        assert said, (spec, list(ARRAYS)[number])
        assert "\n" not in said
        assert len(said) < 600


def files() -> dict[str, bytes]:
    whole = save(net(274, 4))
    size = int.from_bytes(whole[:8], "little")
    header = json.loads(whole[8 : 8 + size])
    header["first"].update(shape=[2**40, 2**20], data_offsets=[0, 2**62])
    bomb = json.dumps(header).encode()
    return {
        "empty": b"",
        "garbage": bytes(range(256)),
        "cut": whole[:-5],
        "a header of 4 exabytes": (2**62).to_bytes(8, "little") + b"{}",
        "an array of 4 exabytes": len(bomb).to_bytes(8, "little") + bomb + whole[8 + size :],
        "nested": (100_000).to_bytes(8, "little") + b"[" * 100_000,
        "without numbers": save(net(274, 4, np.nan)),
        "other arrays": save({"counts": np.zeros((2, 2), np.uint32), "smoothing": np.ones(3)}),
        "brackets": b"(;" * 50_000,
    }


@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec != "{}"])
def test_files_of_wrong_weights(tmp_path: Path, spec: str) -> None:
    for name, data in files().items():
        path = tmp_path / "weights.safetensors"
        path.write_bytes(data)
        path.with_suffix(".json").write_text('{"ending": "KRK", "recipe": {}}')
        said = fault(spec.format(path), SPECS[spec])
        assert said, (spec, name)
        assert "\n" not in said, (spec, name, said)
        assert len(said) < 600
        assert path.read_bytes() == data


@pytest.mark.parametrize(
    "about", ["", "[]", "3", "{", '{"ending": 3}', '{"ending": "KXK"}', "[" * 9999]
)
def test_descriptions_of_weights_that_are_none(tmp_path: Path, about: str) -> None:
    path = tmp_path / "weights.safetensors"
    path.write_bytes(save({"x": np.zeros(1)}, {"tempo": '{"step": 1, "state": {}}'}))
    path.with_suffix(".json").write_text(about)
    for spec in (f"endgame:weights={path}", f"dqn:weights={path}"):
        said = fault(spec, "chess" if "endgame" in spec else "shogi")
        assert said
        assert "\n" not in said
