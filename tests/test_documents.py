"""Pages are true: links resolve, files that are named exist, commands and examples run."""

from __future__ import annotations

import ast
import fnmatch
import importlib
import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import documents
import pytest
import typer
from documents import ROOT, Block, Command

import tempo
from tempo import agents, cli, games, papers, recipes
from tempo._core import endings
from tempo.agents import listing
from tempo.cli.learning import wanted_recipe
from tempo.games import python, registry, scene
from tempo.games.description import STEPS
from tempo.learners import registry as learner_registry
from tempo.protocols import serving

PAGES = documents.pages()
CURRENT = [page for page in PAGES if page != "CHANGELOG.md"]  # which also names what is refused
COMMANDS = [command for page in CURRENT for command in documents.commands(page)]
TEMPO = [command for command in COMMANDS if command.words[0] == "tempo"]
PYTHON = [b for page in PAGES for b in documents.blocks(page) if b.language == "python"]
FOLDERS = ("src/", "core/", "tests/", "docs/", "tools/", "benchmarks/", "examples/", "third_party/")
PLACEHOLDER = re.compile(r"[A-Z]+(…|\.\.\.)?")  # AGENT, DIR, N: what a reader puts in

# ---- names of files and of modules ---------------------------------------------------------------


def is_there(name: str) -> bool:
    """Whether a path exists; `<game>` and `*` stand for anything, `{a,b}` for each."""
    if choice := re.search(r"\{([^{}]*)\}", name):
        before, after = name[: choice.start()], name[choice.end() :]
        return all(is_there(before + part.strip() + after) for part in choice[1].split(","))
    pattern = re.sub(r"<[^<>]*>|[A-Z]{3,}", "*", name.rstrip("/"))
    return any(ROOT.glob(pattern)) or (ROOT / name).exists()


@pytest.mark.parametrize("page", PAGES)
def test_files_that_are_named_exist(page: str) -> None:
    names = {span.split(" ")[0] for _, span in documents.spans(page)}
    named = {name for name in names if name.startswith(FOLDERS)}
    named |= set(re.findall(r"(?<![/\w])docs/[\w/-]+\.md", documents.prose_of(page)))
    assert not [name for name in named if not is_there(name)]


IGNORED = {line.strip("/ ") for line in (ROOT / ".gitignore").read_text().splitlines()}
TOP = [p for p in ROOT.iterdir() if p.is_dir() and p.name[0] != "." and p.name not in IGNORED]
FILES = [
    path.relative_to(ROOT)
    for folder in TOP
    for path in folder.rglob("*")
    if path.is_file() and "__pycache__" not in path.parts
]


@pytest.mark.parametrize("page", PAGES)
def test_source_files_that_are_named_in_short_exist(page: str) -> None:
    """`hall.py` or `agents/gomoku/strong.py`, in a sentence or in a list of files."""
    plain = [block.text for block in documents.blocks(page) if not block.words]
    told = "\n".join([*plain, *(span for _, span in documents.spans(page))])
    names = set(re.findall(r"(?<![\w/<>*.-])[\w/*-]+\.(?:py|h|cpp|js|mjs)\b", told))
    files = [f"/{path}" for path in FILES]
    assert not [name for name in names if not fnmatch.filter(files, f"*/{name}")]


def is_importable(name: str) -> bool:
    """Whether `tempo.a.b.c` is a module, or something that a module holds."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        for part in parts[count:]:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


@pytest.mark.parametrize("page", PAGES)
def test_modules_that_are_named_exist(page: str) -> None:
    missing = [
        f"{page}:{line} {span}"
        for line, span in documents.spans(page)
        if (name := re.match(r"tempo(\.\w+)+", span)) and not is_importable(name[0])
    ]
    assert not missing


@pytest.mark.parametrize("page", [*PAGES, *(f"docs/papers/{p}/report.md" for p in papers.names())])
def test_links_resolve(page: str) -> None:
    broken = []
    for link in documents.LINK.findall(documents.prose_of(page)):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (ROOT / page).parent / name if name else ROOT / page
        known = target.exists() and (
            not anchor or anchor in documents.anchors(target.resolve().relative_to(ROOT).as_posix())
        )
        if not known:
            broken.append(link)
    assert not broken


def test_the_readme_is_short_and_its_map_is_whole() -> None:
    text = documents.text_of("README.md")
    assert text.count("\n") <= 120
    parts = [path.parts for path in FILES]
    folders = {f"{folder.name}/" for folder in TOP}
    folders |= {f"core/{p[1]}/" for p in parts if p[0] == "core" and len(p) > 2}
    folders |= {f"src/tempo/{p[2]}/" for p in parts if p[:2] == ("src", "tempo") and len(p) > 3}
    named = set(re.findall(r"`([^`]+/)`", text.partition("## Map")[2]))
    assert not folders - {"core/", "src/"} - named


# ---- commands ------------------------------------------------------------------------------------


# Run folders that commands of the pages make, `tempo train ... --out runs/leaf`, and examples.
TRAINED = {
    c.words[c.words.index("--out") + 1]
    for c in TEMPO
    if c.words[1] == "train" and "--out" in c.words
} | {run for block in PYTHON for run in re.findall(r'"(runs/[\w-]+)"', block.text)}


def refusal(check: Any, *arguments: Any) -> str:
    """What is wrong with a name, in the words of whatever refuses it."""
    try:
        check(*arguments)
    except (ValueError, OSError, tempo.errors.TempoError) as error:
        return str(error)
    return ""


def check_agent(spec: str) -> str:
    """An agent's name with its settings. A run folder is one that a page's training makes."""
    for run in re.findall(r"runs/([\w-]+)", spec):
        if f"runs/{run}" not in TRAINED and (fault := refusal(recipes.read, run)) != "":
            return fault
    plain = re.sub(r"[:,]\w+=runs/[\w-]+", "", spec)
    return "" if plain.startswith("runs/") else refusal(agents.load, plain)


def check_training(parameters: dict[str, Any]) -> str:
    """A learner with its game and settings, or a recipe, whose settings are a learner's."""
    what, game, net = (parameters[name] for name in ("what", "game", "net"))
    settings = parameters["settings"] or []
    return refusal(lambda: recipes.settings_of(wanted_recipe(what, game, net, settings)[0]))


def check_rows(names: list[str] | None) -> str:
    """Rows of the benchmark."""
    known = re.findall(r'Row\(\s*"([\w-]+)"', (ROOT / "benchmarks" / "rows.py").read_text())
    return "" if set(names or []) <= set(known) else f"there is no row {names}"


def check_openings(name: str) -> str:
    """A file of openings in the repository, or stored ones by name."""
    return "" if name == "fair" or (ROOT / name).is_file() else f"there is no file {name}"


def check_game(given: str | Sequence[str]) -> str:
    """A game with its options, or the Python file that has one; an option may be repeated."""
    if not isinstance(given, str):
        return "".join(map(check_game, given))
    if given.endswith(".py"):
        return "" if (ROOT / given).is_file() else f"there is no file {given}"
    return refusal(tempo.load, given)


CHECKS: dict[str, Callable[[Any], str]] = {
    "a": check_agent,
    "b": check_agent,
    "agent": lambda given: "".join(map(check_agent, [given] if isinstance(given, str) else given)),
    "agents": lambda names: "".join(check_agent(name) for name in names),
    "ending": lambda name: refusal(endings.Tables.needed, name),
    "game": check_game,
    "names": check_rows,
    "openings": check_openings,
    "paper": lambda name: "" if name == "all" else refusal(papers.load, name),
    "protocol": lambda name: "" if name in serving.names() else f"no protocol {name}",
    "run": lambda folder: check_agent(str(folder)),
}


@cache
def command_line() -> Any:
    """The real command line; making it takes longer than reading a command."""
    return typer.main.get_command(cli.app)


def parsed(command: Command) -> tuple[str, dict[str, Any]]:
    """The command that the words name, and its parameters, as the real command line reads them."""
    words = ["1" if word == "N" else word for word in command.words[1:]]
    found = command_line()
    while words and hasattr(found, "commands"):
        name = words.pop(0)
        assert name in found.commands, f"there is no command {name}"
        found = found.commands[name]
    return found.name, found.make_context(found.name, words).params


@pytest.mark.parametrize("command", TEMPO, ids=str)
def test_the_command_line_understands(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    known = dict(registry._games())
    monkeypatch.setattr(registry, "_games", lambda: known)  # games of files are forgotten
    monkeypatch.setenv("TEMPO_GAMES", "")
    try:
        _, parameters = parsed(command)
    except Exception as error:
        # In a sentence the arguments may be left out. Typer has its own copy of click's errors.
        if type(error).__name__ == "MissingParameter" and not command.whole:
            return
        raise
    if "what" in parameters and not PLACEHOLDER.fullmatch(parameters["what"]):
        assert check_training(parameters) == ""
    for part in parameters.get("part") or []:
        assert part in papers.load(parameters["paper"]).plan.parts
    for name, check in CHECKS.items():
        value = parameters.get(name)
        left_open = PLACEHOLDER.fullmatch(str(value)) and name != "ending"
        if value is not None and not left_open:
            assert check(value) == "", f"{name}: {value}"


def test_a_page_shows_every_command() -> None:
    shown = {c.words[1] for c in TEMPO if c.page == "docs/commands.md"}
    assert set(command_line().commands) == shown


@pytest.mark.parametrize("page", CURRENT)
def test_agents_that_are_named_with_settings_can_be_loaded(page: str) -> None:
    known = set(agents.names()) - {"usi"}  # `usi:path=...` starts a program
    faults = []
    for line, span in documents.spans(page):
        name, _, settings = span.partition(":")
        if name in known and re.fullmatch(r"[^\s…]+", settings) and (fault := check_agent(span)):
            faults.append(f"{page}:{line} {span}: {fault}")
    assert not faults


def test_the_ratings_of_levels_are_those_that_were_measured() -> None:
    head = f"| | {' | '.join(STEPS)} |\n|---|{'---|' * len(STEPS)}\n"
    rows = []
    for game in map(tempo.load, games.names()):
        found = listing.levels_of(game.name)
        if not any(found.values()):
            continue  # not rated yet
        ratings = [str(one.rating) if (one := found[name]) else "–" for name in STEPS]
        rows.append(" | ".join([scene.layout(game).title, *ratings]))
    table = head + "".join(f"| {row} |\n" for row in rows)
    assert table in documents.text_of("docs/page.md"), table


def test_commands_stand_in_blocks_that_say_so() -> None:
    blocks = [block for page in PAGES for block in documents.blocks(page)]
    unmarked = [b for b in blocks if b.language != "sh" and re.match(r"(tempo|make) ", b.text)]
    assert not unmarked
    others = {c.words[0] for c in COMMANDS} - {"tempo", "make", "pip", "python", "ray"}
    assert all(word.startswith(".venv") for word in others), others


def test_make_has_the_targets_that_are_named() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    wanted = {(str(c), word) for c in COMMANDS if c.words[0] == "make" for word in c.words[1:]}
    assert not [name for name, word in wanted if "=" not in word and word not in targets]


def test_scripts_have_the_options_that_are_shown() -> None:
    faults = []
    for command in COMMANDS:
        script = next((word for word in command.words[:3] if word.endswith(".py")), None)
        if script is None:
            continue
        source = (ROOT / script).read_text()
        options = [word for word in command.words if word.startswith("--")]
        faults += [f"{command}: {option}" for option in options if f'"{option}"' not in source]
    assert not faults


def test_extras_that_are_named_exist() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = re.findall(
        r"pip install '/[\w/-]+\[([\w,]+)\]'", "".join(map(documents.text_of, PAGES))
    )
    assert named
    assert {extra for names in named for extra in names.split(",")} <= set(
        project["optional-dependencies"]
    )


def is_quick(command: Command) -> bool:
    """Whether a command takes a second or two as it stands, and needs nothing from before."""
    if not command.whole or re.search(r"runs/|src/|:time=|:path=|--workers ray", str(command)):
        return False
    try:
        name, given = parsed(command)
    except Exception:
        return False  # which the test of the command line tells
    return (
        name in {"games", "agents", "engine", "show", "merge", "prune", "signature", "new-game"}
        or (name == "reproduce" and given["report_only"] and str(given["out"]).islower())
        or (name == "perft" and given["depth"] <= 5)
        or (name in {"tablebase", "evaluate"} and len(given["ending"]) == 3)
        or (name in {"match", "tournament"} and re.search(r"jiu|uct", str(command)) is None)
    )


# A command that stands on several pages is run once.
QUICK = {command.words: command for command in TEMPO if is_quick(command)}.values()
WHOLE = [block for block in PYTHON if "fragment" not in block.words]


@pytest.mark.parametrize("page", sorted({c.page for c in QUICK} | {b.page for b in WHOLE}))
def test_examples_and_quick_commands_run(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First a page's examples in Python, in order, then its commands, all in one empty folder."""
    known = dict(registry._games())  # what a page registers is forgotten after it
    monkeypatch.setattr(registry, "_games", lambda: known)
    for declared in (agents.registry, learner_registry):
        monkeypatch.setattr(declared, "_declared", declared.kinds())
    monkeypatch.setattr(agents.registry, "_added", set(agents.registry._added))
    monkeypatch.setenv(python.FILES, "")
    for name in ("docs", "examples", "src", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    said = tmp_path / "said"
    said.write_text("quit\nEND\n")
    monkeypatch.chdir(tmp_path)
    example = "\n".join(block.text for block in WHOLE if block.page == page)
    exec(compile(example, f"<{page}>", "exec", dont_inherit=True), {"__name__": page})
    for command in QUICK:
        if command.page == page:
            words = [re.sub(r"\b(sims|positions)=\d+", r"\1=20", word) for word in command.words]
            fewer = ["--games", "2"] if command.words[1] == "match" else []
            monkeypatch.setattr(sys, "argv", [*words, *fewer])
            monkeypatch.setattr(sys, "stdin", said.open())  # an engine is told to quit
            with pytest.raises(SystemExit) as ended:
                cli.main()
            assert ended.value.code == 0, command


# ---- examples in Python --------------------------------------------------------------------------


def names_used(tree: ast.Module, imported: set[str]) -> Iterator[tuple[str, str]]:
    """Attributes that an example takes from what it has imported."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            continue
        if node.value.id in imported:
            yield node.value.id, node.attr


@pytest.mark.parametrize("block", PYTHON, ids=lambda block: f"{block.page}:{block.line}")
def test_names_in_examples_exist(block: Block) -> None:
    """Fragments cannot be run; what they import and call must be there all the same."""
    tree = ast.parse(block.text)
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    imported: dict[str, Any] = {}
    exec(compile(ast.Module(list(imports), []), block.page, "exec"), imported)
    imported.pop("__builtins__")
    assert all(hasattr(imported[name], part) for name, part in names_used(tree, set(imported)))


REFERENCE = {
    name
    for page in PAGES
    if page.startswith("docs/reference/")
    for name in re.findall(r"^::: (\S+)", documents.text_of(page), re.MULTILINE)
}
SPECIAL = ("tempo.games", "tempo.learners.fast", "tempo.papers")  # what one game or paper alone has


def modules_of(source: str) -> Iterator[str]:
    """What an example imports of the package; of `from tempo import agents`, the module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if is_importable(whole) and whole in sys.modules else node.module


def test_examples_use_public_names_that_the_reference_has() -> None:
    notebooks = [path.read_text() for path in (ROOT / "examples" / "notebooks").glob("*.py")]
    examples = [block.text for block in PYTHON if block.page != "CHANGELOG.md"]
    found = {name for source in (*notebooks, *examples) for name in modules_of(source)}
    ours = {name for name in found if name.partition(".")[0] == "tempo"}
    assert len(ours) > 15
    assert [name for name in sorted(ours) if "._" in name] == []
    known = ("tempo", *REFERENCE)
    told = {name for name in ours if name.startswith(SPECIAL) or name in known}
    within = {n for n in ours if any(one.startswith(f"{n}.") for one in REFERENCE)}
    assert sorted(ours - told - within) == []
    assert {"tempo.environments.table", "tempo.cluster.workers", "tempo.displays",
            "tempo.recipes.general", "tempo.search"} <= REFERENCE  # fmt: skip


@pytest.mark.parametrize("paper", papers.names())
def test_verdicts_are_counted_alike_on_every_page(paper: str) -> None:
    rows = json.loads((ROOT / f"docs/papers/{paper}/answer.json").read_text())["rows"]
    found = Counter(row["verdict"] for row in rows if row["counted"])
    order = ("reproduced", "same direction", "undecided", "refuted", "untestable")
    counts = [str(found[verdict]) for verdict in order]
    assert f"/verdicts.md#{paper}) | {' | '.join(counts)} |" in documents.text_of("docs/results.md")
    line = next(one for one in documents.text_of("README.md").splitlines()
                if one.startswith("|") and f"](docs/papers/{paper}.md)" in one)  # fmt: skip
    assert f"| {' / '.join(counts)}:" in line
