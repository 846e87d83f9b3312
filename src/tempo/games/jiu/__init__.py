"""Tibetan Jiu chess: its board, its records and its opening libraries."""
