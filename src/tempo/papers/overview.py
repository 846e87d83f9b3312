"""All papers on one page: every claim with the published figure, ours, verdict and reason."""

from __future__ import annotations

from collections.abc import Mapping

from tempo.papers import load
from tempo.papers.markdown import Row, claim_table, number, table, with_span
from tempo.papers.reports import counts_of
from tempo.papers.verdicts import WORDS

HEADS = ("claim", "published", "ours", "reading", "verdict", "reason")
ABOUT = (
    "Every claim of the five papers that can be stated as a figure or an order. *Reproduced*: our "
    "interval holds the published figure, or our mean is within 0.05 of it. *Same direction*: the "
    "effect is there, half to twice as large; against a stand-in for the paper's opponent, of "
    "whatever size. *Refuted*: further apart than both sampling errors allow; against a stand-in, "
    "on the other side of 0. *Undecided*: one of the errors leaves room for both. *Untestable*: "
    "needs the paper's opponents, its machine or people; so do levels, measured against "
    "stand-ins. A published figure is counted once; rows in italics judge it again, under another "
    "reading or at another budget. The rules stand in `tempo.papers.verdicts`."
)


def page(answers: Mapping[str, Row]) -> str:
    """Of the answers by paper, as Markdown."""
    counted = [
        [f"[{paper}](#{paper})", *(str(n) for n in counts_of(answer["rows"]).values())]
        for paper, answer in answers.items()
    ]
    parts = ["# The papers, claim by claim", ABOUT, table(["paper", *WORDS], counted)]
    for paper, answer in answers.items():
        report = load(paper).report
        about = f"{report.title.partition(':')[0]}. {report.source} [Report]({paper}/report.md)."
        parts += [f"## {paper}", about, _claims(answer)]
    return "\n\n".join(parts) + "\n"


def _claims(answer: Row) -> str:
    return claim_table(
        answer["rows"], HEADS, claim=_claim, published=_published, ours=_ours, reading=_reading
    )


def _claim(row: Row) -> str:
    return str(row["claim"]) if row["counted"] else f"*{row['claim']}*"


def _reading(row: Row) -> str:
    return str(row.get("reading", "the first"))


def _digits(row: Row) -> int:
    return 0 if row["kind"] == "count" else 2


def _published(row: Row) -> str:
    return number(row["published"], _digits(row))


def _ours(row: Row) -> str:
    if row["ours"] is None or row["kind"] == "count":
        return number(row["ours"], 0)
    return with_span(row["ours"], row["low"], row["high"], 2)
