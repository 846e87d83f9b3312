"""The two Gomoku papers: adaptive dynamic programming, alone and with Monte-Carlo tree search."""
