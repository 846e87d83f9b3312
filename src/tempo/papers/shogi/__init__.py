"""The shogi paper: tree search against a deep Q-network."""
