"""The notebooks of examples/notebooks run, say what they show, and can be converted."""

from __future__ import annotations

import runpy
import time
from pathlib import Path

import jupytext
import pytest
from documents import ROOT, text_of
from nbclient import NotebookClient

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


def test_a_notebook_runs_in_a_kernel_and_draws(tmp_path: Path) -> None:
    notebook = jupytext.read(ROOT / "examples" / "notebooks" / "siguo_beliefs.py")
    NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
    ).execute()
    shown = [
        output["data"]
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "execute_result"
    ]
    assert len(shown) == 2
    assert all(data["image/svg+xml"].startswith("<svg") for data in shown)
