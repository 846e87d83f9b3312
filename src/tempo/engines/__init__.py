"""Engines of others, run as child processes and asked for moves."""
