"""Kuhn's poker, written in Python: `tempo match mcts:sims=50 random --game examples/kuhn.py`."""

import numpy as np

import tempo

CARDS = "JQK"
ENDS = ("pp", "bp", "bb", "pbp", "pbb")


@tempo.register
class Kuhn(tempo.PythonGame):
    """Two of three cards, one bet: who has the higher card wins, unless the other folds."""

    name, move_numbers, length_bound = "kuhn", 2, 3
    legal_moves = (0, 1)  # pass or bet; after a bet, fold or call
    open_moves = True  # only the cards are hidden
    reason = "cards are shown or folded"

    def __init__(self, cards, bets=""):
        self.cards, self.bets, self.turn = cards, bets, len(bets) % 2

    @classmethod
    def deal(cls, random):
        return cls("".join(random.sample(CARDS, 2)))

    def play(self, move):
        return Kuhn(self.cards, self.bets + "pb"[move])

    @property
    def outcome(self):  # the stakes are 1 or 2 of 2
        if self.bets not in ENDS:
            return None
        own, other = map(CARDS.index, self.cards)
        won = own > other if self.is_shown else self.turn == 0
        stake = 1 if self.bets.endswith("bb") else 0.5
        return (stake, -stake) if won else (-stake, stake)

    @property
    def is_shown(self):
        return self.bets in ENDS and not self.bets.endswith("bp")

    def view(self, seat):
        return self.text if self.is_shown else self.text.replace(self.cards[1 - seat], "?")

    def sample(self, seat, random):
        if self.is_shown:
            return self
        own = self.cards[seat]
        other = random.choice(CARDS.replace(own, ""))
        return Kuhn(other + own if seat else own + other, self.bets)

    @property
    def public_text(self):
        return f"{self.cards if self.is_shown else '??'}:{self.bets}"

    @property
    def text(self):
        return f"{self.cards}:{self.bets}"

    @classmethod
    def parse(cls, text):
        cards, _, bets = text.partition(":")
        known = len(set(cards) & set(CARDS)) == len(cards) == 2
        if not known or not any(end.startswith(bets) for end in ENDS) or f"{cards}:{bets}" != text:
            raise ValueError("expected two cards and what was bet, as in 'KJ:pb'")
        return cls(cards, bets)

    def move_text(self, move):
        return (("pass", "bet"), ("fold", "call"))[self.bets.endswith("b")][move]

    def features(self, seat):
        bets = [[bet == kind for bet in self.bets.ljust(3)] for kind in "pb"]
        return np.array([[card == self.cards[seat] for card in CARDS], *bets])
