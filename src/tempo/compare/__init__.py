"""Learners side by side: the same CPU seconds, the same games, one scale of strength."""
