"""The published systems: their settings, their tables, and ours beside them."""
