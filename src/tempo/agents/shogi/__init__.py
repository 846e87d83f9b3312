"""Agents that play Shogi alone."""
