"""Gomoku: its board and its records."""
