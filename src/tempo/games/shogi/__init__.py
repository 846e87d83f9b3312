"""Shogi and mini-shogi: their boards and their records."""
