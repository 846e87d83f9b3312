"""Quarrel, the toy of the tests, by the book: lists of ranks and a list of the dead."""

from __future__ import annotations

SEATS = "nesw"
Token = tuple[int, int]  # seat, slot


class Game:
    """One game, begun from the text of its deal: `123/312/213/321 n -`."""

    def __init__(self, options: dict[str, str], dealt: str = "") -> None:
        self.turns = int(options["turns"])
        ranks, seat, _ = dealt.split(" ")
        self.ranks = [[int(rank) for rank in own] for own in ranks.split("/")]
        self.killer: dict[Token, Token] = {}
        self.fights = 0
        self.turn = SEATS.index(seat)
        self.chosen: Token | None = None

    def alive(self, seat: int) -> list[Token]:
        tokens = [(seat, slot) for slot in range(len(self.ranks[seat]))]
        return [token for token in tokens if token not in self.killer]

    def moves(self) -> list[str]:
        if self.outcome() is not None:
            return []
        if self.chosen is None:
            return [str(slot + 1) for _, slot in self.alive(self.turn)]
        foes = [seat for seat in range(4) if seat % 2 != self.turn % 2]
        return ["x" + name(token) for seat in foes for token in self.alive(seat)]

    def play(self, move: str) -> None:
        assert move in self.moves()
        if self.chosen is None:
            self.chosen = (self.turn, int(move) - 1)
            return
        self.fight(self.chosen, (SEATS.index(move[1]), int(move[2]) - 1))
        self.chosen = None
        after = [(self.turn + step) % 4 for step in range(1, 5)]
        self.turn = next((seat for seat in after if self.alive(seat)), self.turn)

    def fight(self, one: Token, other: Token) -> None:
        self.fights += 1
        mine, theirs = self.rank(one), self.rank(other)
        if mine <= theirs:
            self.killer[one] = other
        if mine >= theirs:
            self.killer[other] = one

    def rank(self, token: Token) -> int:
        return self.ranks[token[0]][token[1]]

    def outcome(self) -> tuple[str, tuple[float, ...]] | None:
        north_south = len(self.alive(0)) + len(self.alive(2))
        east_west = len(self.alive(1)) + len(self.alive(3))
        if north_south == 0 and east_west == 0:
            return "nobody left", (0.0,) * 4
        if north_south == 0:
            return "team eliminated", (-1.0, 1.0, -1.0, 1.0)
        if east_west == 0:
            return "team eliminated", (1.0, -1.0, 1.0, -1.0)
        if self.fights < self.turns:
            return None
        ahead = (north_south - east_west) / (2 * len(self.ranks[0]))
        return "turns spent", (ahead, -ahead, ahead, -ahead)

    def text(self) -> str:
        seats = []
        for seat, own in enumerate(self.ranks):
            tokens = [(seat, slot) for slot in range(len(own))]
            seats.append("".join(f"{self.rank(t)}{self.fate(t)}" for t in tokens))
        chosen = "-" if self.chosen is None else str(self.chosen[1] + 1)
        return f"{'/'.join(seats)} {SEATS[self.turn]} {chosen}"

    def fate(self, token: Token) -> str:
        return "x" + name(self.killer[token]) if token in self.killer else ""


def name(token: Token) -> str:
    return f"{SEATS[token[0]]}{token[1] + 1}"
