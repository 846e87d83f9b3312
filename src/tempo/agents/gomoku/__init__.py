"""Agents that play Gomoku alone."""
