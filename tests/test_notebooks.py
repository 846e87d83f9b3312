"""The notebooks of examples/notebooks run, say what they show, and can be converted."""

from __future__ import annotations

import runpy
import sys
import time
from pathlib import Path

import jupytext
import pytest
from documents import ROOT, text_of
from nbclient import NotebookClient

sys.path.append(str(ROOT / "tools"))

import notebooks

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.py"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_as_a_script(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    began = time.process_time()
    runpy.run_path(str(path))
    assert time.process_time() - began < 20  # ten where nothing else runs
    assert not list(tmp_path.iterdir())  # what it writes goes elsewhere


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_told_and_listed(path: Path) -> None:
    cells = jupytext.read(path).cells
    first, last = cells[0], cells[-1]
    assert first.cell_type == last.cell_type == "markdown"
    assert first.source.startswith("# ")
    assert "**What is seen.**" in last.source
    assert "**What is\nnot.**" in last.source or "**What is not.**" in last.source
    assert sum(cell.cell_type == "code" for cell in cells) >= 3
    assert f"`{path.name}`" in text_of("docs/notebooks.md")


def test_bars_move_in_a_notebook() -> None:
    cell = """# %%
from tempo import arena, displays
shown = displays.Bar("random")
assert arena.match(("random", "random"), "othello", games=6, progress=shown).games == 6"""
    notebook = jupytext.reads(cell, fmt="py:percent")
    NotebookClient(notebook, timeout=120).execute()
    (bar,) = [one for one in notebook.cells[0].outputs if one.output_type == "display_data"]
    assert '<progress value="6" max="6">' in bar.data["text/html"], "updated, not shown twice"


def test_a_notebook_runs_in_a_kernel_and_draws(tmp_path: Path) -> None:
    notebooks.main(str(tmp_path), "siguo_beliefs")
    notebook = jupytext.read(tmp_path / "siguo_beliefs.ipynb")
    shown = [
        output["data"]
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "execute_result"
    ]
    assert len(shown) == 2
    assert all("".join(data["image/svg+xml"]).startswith("<svg") for data in shown)
