"""What the site of the documentation has beside docs/: a hook of MkDocs (mkdocs.yml).

Pages outside docs/ (README, CONTRIBUTING, ...) become pages of the site. A folder in the navigation
stands for its pages. Links are written for readers of the repository; here they are turned into
those of the site, and a link to a file that is no page of it becomes its text.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def outside() -> dict[str, str]:
    """The pages outside docs/, by their paths in the repository: where they are in the site."""
    found = {path.name: path.name.lower() for path in ROOT.glob("*.md")}
    found |= {name: f"index{name.removeprefix('README')}" for name in found if "README" in name}
    return found | {"benchmarks/README.md": "benchmarks.md"}


def title_of(path: Path) -> str:
    """A page's first heading, without marks."""
    heading = re.search(r"^# (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return heading[1].replace("`", "") if heading else path.stem


def pages_of(folder: str) -> list[str]:
    """The pages below a folder of docs/, its overview first; one that is missing will be made."""
    docs = ROOT / "docs"
    found = sorted(path.relative_to(docs).as_posix() for path in (docs / folder).rglob("*.md"))
    overview = f"{folder}README.md"
    return [overview, *(name for name in found if name != overview)]


def folders() -> list[str]:
    """The folders of docs/ that hold pages."""
    docs = ROOT / "docs"
    found = {path.parent for path in docs.glob("*/*.md")}
    return sorted(f"{path.relative_to(docs).as_posix()}/" for path in found)


def overview(folder: str) -> str:
    """The page of a folder that has none of its own: a list of what is in it."""
    names = [name.removeprefix(folder) for name in pages_of(folder)[1:]]
    rows = [f"- [{title_of(ROOT / 'docs' / folder / name)}]({name})" for name in names]
    title = folder.rstrip("/").capitalize()
    return "\n".join([f"# {title}", "", *rows, ""])


def expanded(entry: Any) -> list[Any]:
    """An entry of the navigation, a folder as its pages."""
    if isinstance(entry, str):
        return list(pages_of(entry)) if entry.endswith("/") else [entry]
    return [
        {title: [one for part in _listed(inside) for one in expanded(part)]}
        if not isinstance(inside, str) or inside.endswith("/")
        else {title: inside}
        for title, inside in entry.items()
    ]


def _listed(inside: Any) -> list[Any]:
    return inside if isinstance(inside, list) else [inside]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Writes out the folders of the navigation."""
    config.nav = [one for entry in config.nav or [] for one in expanded(entry)]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages that docs/ does not hold."""
    for source, place in outside().items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, place, content=text))
    for folder in folders():
        if not (ROOT / "docs" / folder / "README.md").exists():
            made = File.generated(config, f"{folder}README.md", content=overview(folder))
            files.append(made)
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turns links of the repository into links of the site; what is in a block stays as it is."""
    places = {place: source for source, place in outside().items()}
    here = places.get(page.file.src_uri, f"docs/{page.file.src_uri}")

    def turned(link: re.Match[str]) -> str:
        target = in_site(here, page.file.src_uri, link[3], files)
        return link[2] if target is None else f"{link[1]}[{link[2]}]({target})"

    parts = FENCE.split(markdown)
    return "".join(part if part.startswith("```") else LINK.sub(turned, part) for part in parts)


def in_site(here: str, place: str, link: str, files: Files) -> str | None:
    """A link of the page `here` of the repository, for its place in the site; None: not in it."""
    if re.match(r"[a-z]+:|#", link):
        return link
    name, mark, anchor = link.partition("#")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(here), name))
    if name.endswith("/"):
        target += "/README.md"
    found = outside().get(target, target.removeprefix("docs/"))
    if target not in outside() and not target.startswith("docs/"):
        if not (ROOT / target).exists():
            return link  # broken, as MkDocs will say
        return None
    if files.get_file_from_path(found) is None:
        return link
    return posixpath.relpath(found, posixpath.dirname(place) or ".") + mark + anchor
