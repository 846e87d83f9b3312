"""The site of the documentation: built strictly, without a network, and whole."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import documents
import pytest
from mkdocs.config import load_config

ROOT = documents.ROOT
sys.path.append(str(ROOT / "tools"))

import site_pages  # noqa: E402 - a hook of MkDocs, no part of the package

# What `make docs` does, with every connection refused; nothing of the package may be imported.
BUILD = """
import socket, sys
def refuse(*_): raise AssertionError("the site asks for the network")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
from mkdocs.__main__ import cli
cli(["build", "--strict", "--quiet", "--site-dir", sys.argv[1]], standalone_mode=False)
assert "tempo" not in sys.modules and "numpy" not in sys.modules
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    ended = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return folder


class Fetched(HTMLParser):
    """The addresses that a browser asks for when it shows a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        names = ["src", "srcset", "data", "poster"] + (["href"] if tag in {"link", "image"} else [])
        self.found += [given[name] or "" for name in names if name in given]


def navigation() -> list[str]:
    """The pages of the navigation in their order."""
    entries = load_config(str(ROOT / "mkdocs.yml")).nav or []
    found: list[str] = []

    def walk(entry: object) -> None:
        if isinstance(entry, str):
            found.append(entry)
        elif isinstance(entry, dict):
            for inside in entry.values():
                walk(inside)
        elif isinstance(entry, list):
            for one in entry:
                walk(one)

    walk([one for entry in entries for one in site_pages.expanded(entry)])
    return found


def test_every_page_is_in_the_navigation_once() -> None:
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in ROOT.glob("docs/**/*.md")]
    found = navigation()
    assert not [page for page in pages if page not in found]
    assert not [page for page in site_pages.outside().values() if page not in found]
    assert len(found) == len(set(found))


def test_every_page_of_the_navigation_is_built(site: Path) -> None:
    built = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    wanted = {re.sub(r"README\.md$", "index.md", page) for page in navigation()}
    assert not [page for page in wanted if page.removesuffix("md") + "html" not in built]


def test_pages_fetch_nothing_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 80
    for page in pages:
        reader = Fetched()
        reader.feed(page.read_text())
        assert reader.found, page
        assert not [one for one in reader.found if re.match(r"(https?:)?//", one)], page
    styles = "".join(path.read_text() for path in site.rglob("*.css"))
    assert not re.findall(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//[^)\"']+", styles)


def test_links_between_pages_lead_somewhere(site: Path) -> None:
    """Those to files and to parts of pages, as they are in the built pages."""
    pages = [path for path in site.rglob("*.html") if path.name != "404.html"]
    parts = {path: set(re.findall(r"\sid=\"([^\"]+)\"", path.read_text())) for path in pages}
    broken = []
    for path in parts:
        for link in re.findall(r"<a [^>]*href=\"([^\"]+)\"", path.read_text()):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = (path.parent / name).resolve() if name else path
            whole = not anchor or target.suffix != ".html" or anchor in parts.get(target, set())
            if not target.exists() or not (whole or anchor.startswith("__")):
                broken.append(f"{path.relative_to(site)}: {link}")
    assert not broken


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("tempo", "tempo.games.registry.load"),
        ("td", "tempo.td.td_leaf"),
        ("learners", "tempo.learners.experience.Experience.result"),
        ("core", "tempo._core.othello.Position.play"),
    ],
)
def test_the_reference_has_the_names_of_sources_and_stubs(site: Path, page: str, name: str) -> None:
    text = (site / "reference" / f"{page}.html").read_text()
    assert f'id="{name}"' in text


def test_examples_of_docstrings_are_blocks(site: Path) -> None:
    text = (site / "reference" / "td.html").read_text()
    assert '<span class="gp">&gt;&gt;&gt; </span>' in text
    assert "<blockquote>" not in text
