"""What a soak has found: a line for the terminal, a table for the documentation."""

from __future__ import annotations

import re
from pathlib import Path

from soak.runner import State, Tally
from tempo.files import write_text

MARKS = ("<!-- soak: begin -->", "<!-- soak: end -->")


def refusals(tally: Tally) -> str:
    """The errors that inputs were refused with, the most frequent first."""
    told = {
        what.removeprefix("refused: "): number
        for what, number in tally.counts.items()
        if what.startswith("refused")
    }
    ordered = sorted(told.items(), key=lambda item: -item[1])
    return ", ".join(f"{what} {number:,}" for what, number in ordered) or "-"


def line(name: str, tally: Tally, seed: int) -> str:
    """One subject; below it the command that repeats each fault."""
    share = tally.accepted / tally.inputs if tally.inputs else 0.0
    lines = [
        f"{name:<28}{tally.inputs:>10,} inputs{share:>7.1%} accepted{tally.failed:>5} faults"
        f"{tally.seconds:>8.1f} s  refused: {refusals(tally)}"
    ]
    for fault in tally.faults:
        last = fault["detail"].strip().splitlines()[-1:] or [""]
        what = f"{fault['kind']} at {fault['place']}, {fault['times']} times"
        lines.append(f"  {what}: {ascii(last[0])[1:-1][:120]}")
        lines.append(f"    make soak ONLY={name} SEED={seed} INPUT={fault['number']}")
    return "\n".join(lines)


def table(state: State) -> str:
    """All subjects, in Markdown."""
    rows = [
        "| subject | inputs | accepted | refused | faults | seconds |",
        "|---|---:|---:|---|---:|---:|",
    ]
    total = Tally()
    for name, tally in state.tallies.items():
        if not tally.inputs:
            continue
        share = tally.accepted / tally.inputs
        rows.append(
            f"| `{name}` | {tally.inputs:,} | {share:.1%} | {refusals(tally)} | {tally.failed} "
            f"| {tally.seconds:,.0f} |"
        )
        total.add(tally.counts)
        total.seconds += tally.seconds
    rows.append(f"| all | {total.inputs:,} | | | {total.failed} | {total.seconds:,.0f} |")
    return f"Seed {state.seed}.\n\n" + "\n".join(rows)


def write_table(path: Path, state: State) -> None:
    """Puts the table between the marks of a file."""
    begin, end = MARKS
    text = path.read_text()
    if begin not in text or end not in text:
        raise SystemExit(f"{path} has no place for the table: {begin} ... {end}")
    pattern = re.escape(begin) + ".*" + re.escape(end)
    filled = f"{begin}\n{table(state)}\n{end}"
    write_text(path, re.sub(pattern, lambda _: filled, text, flags=re.DOTALL))
